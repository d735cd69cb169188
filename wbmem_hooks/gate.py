"""`wbmem-gate` of the pre-commit framework: one entry for all that the framework can ask.

No variable names the stage. In a commit git names an index; in a push and in CI the framework names refs;
where neither is there somebody runs `pre-commit run`, with `--all-files` or not: a hook sees no difference.
So what is staged is judged, or, where nothing is, HEAD; and the output says which.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.repository import Repository
from wbmem_hooks import environment
from wbmem_hooks.gating import gate_commit
from wbmem_hooks.here import here
from wbmem_hooks.ranges import check_new, report_all
from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from wbmem_hooks.environment import Environment

OURS = b"\n# wbmem hook: "


def main(_argv: list[str]) -> int:
    """0 lets pass what was asked about."""
    around = environment.read()
    if around.in_commit:
        told = _native_ran_first(around)
        with here(around.variables) as place:
            return gate_commit(place, around, stamped=True, refusal_told=told)
    with Repository.open(".", around.variables) as repository:
        old, new = around.range
        if new:
            return _range(repository, old, new)
        if around.pushed_branch:
            tip = repository.resolve(around.pushed_branch)
            return check_new(repository, tip, [])
        head = repository.head()
        if not head or repository.write_tree() != repository.tree_of(head):
            tell("wbmem: what is staged, beside HEAD:")
            with here(around.variables) as place:
                return gate_commit(place, around)
        tell(
            f"wbmem: nothing is staged, so HEAD ({head[:12]}) beside its parents. --all-files shows a hook "
            "no earlier commit: wbmem audit looks at all of them"
        )
        return report_all(repository, [head], head)


def _range(repository: Repository, old: str, new: str) -> int:
    if not old:
        raise UsageError("--to-ref without --from-ref", "pre-commit run --from-ref OLD --to-ref NEW")
    tip = repository.resolve(new)
    known = [] if not old.strip("0") else [repository.resolve(old)]
    tell(f"wbmem: every commit of {shown(old)}..{shown(new)}:")
    return check_new(repository, tip, known)


def _native_ran_first(around: Environment) -> bool:
    """Whether the framework was installed over our native hook: then it has run that one just now."""
    with Repository.open(".", around.variables, inside=True) as repository:
        folder = repository.git.line("rev-parse", "--git-path", "hooks")
        name = "pre-merge-commit.legacy" if around.merges else "pre-commit.legacy"
        try:
            with open(os.path.join(folder, name), "rb") as file:
                return OURS in file.read(4096)
        except OSError:
            return False
