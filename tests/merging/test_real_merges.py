"""Random memories merged by git itself, with the driver, and settled by `wbmem resolve`."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory import Memory
from merging.desks import Desk, deeds, desks
from merging.sides import merge
from merging.test_driver import ready
from pages import SETTINGS
from text.spec import TIMES

from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from merging.desks import Deed
    from merging.sides import Files

FEW = settings(max_examples=8 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))
WAYS = [("merge", "-q", "--no-ff", "--no-commit", "theirs"), ("cherry-pick", "theirs")]


def put(memory: Memory, files: Files) -> str:
    wanted: dict[str, str | bytes | None] = {"wbmem.yaml": SETTINGS, **files}
    there = memory.git("ls-files").split("\n") if (memory.top / "wbmem.yaml").exists() else []
    return memory.commit({**dict.fromkeys(there), **wanted})


def written_in(memory: Memory) -> dict[str, str]:
    paths = memory.git("ls-files").split("\n")
    return {path: memory.read(path) for path in sorted(set(paths) - {"wbmem.yaml"})}


@FEW
@given(desks(), deeds(), deeds(), st.sampled_from(WAYS), st.booleans())
def test_every_random_merge_by_git_ends_as_the_merge_of_the_whole_trees_would(
    base: Desk, mine: list[Deed], other: list[Deed], way: tuple[str, ...], has_driver: bool
) -> None:
    """What git and the driver make of each file, `resolve` makes of all; then the gate lets a merge pass.

    (A pick is compared with HEAD alone: what was archived on the other side, and edited here, it may refuse.)
    """
    three = (base.files, base.after(mine, "o").files, base.after(other, "t").files)
    with tempfile.TemporaryDirectory() as folder:
        memory = Memory.create(Path(folder, "handoff"))
        put(memory, three[0])
        if has_driver:
            ready(memory)
        memory.git("checkout", "-q", "-b", "theirs")
        put(memory, three[2])
        memory.git("checkout", "-q", "main")
        put(memory, three[1])
        memory.try_git(*way)
        workspace = Workspace(str(memory.top), os.environ)
        report = workspace.resolve()
        if not report.operation:  # the cherry-pick is through
            return
        expected = merge(*three)
        assert [one.id for one in report.left] == [one.id for one in expected.merged.conflicts]
        told = {**expected.files, **dict.fromkeys({one.path for one in report.left}, "")}
        found = {**written_in(memory), **dict.fromkeys({one.path for one in report.left}, "")}
        assert found == told
        if not report.left:
            assert memory.git("diff", "--name-only") == ""
            assert way[0] != "merge" or workspace.check_staged().passed
        else:
            assert bool(memory.git("ls-files", "--unmerged")) == bool(report.left)
        again = workspace.resolve()
        assert (again.left, again.paths) == (report.left, ())
