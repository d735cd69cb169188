"""What an audit of history costs, and a push that brings much of it, beside git's own streams.

The floor is `git log -p --raw -m`: git telling what each commit changed. Histories are written by `git
fast-import` and packed: 10,000 commits that edit a card of a 65 KB board each; the same with 100 cards
dropped past the gate, which nobody put back; such edits on two branches, merged by card after each nine;
5,000 commits of every kind (`benchmarks.mixed`); merges of a small board. Processor time of this process and
its children; what stands side by side took turns in one run.
`python -m benchmarks.audit` prints the table.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import mixed
from benchmarks.boards import KEY, board
from benchmarks.history import (
    CARDS,
    SIZE_BYTES,
    STEP,
    commit,
    edited,
    environment,
    git,
    history,
    inline,
    made,
    merging,
    one_more,
    opened,
)
from wbmem_git.verbs.audit import audit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

COMMITS, MIXED, MERGED, PUSHED = 10_000, 5_000, 1_000, 1_000
DROPPED = 100
SIDE, MAIN = 4, 5


class Row(NamedTuple):
    """What was measured: how many commits, git's side and ours, in milliseconds of processor time."""

    name: str
    commits: int
    floor_ms: float
    took_ms: float


def measure(scale: float = 1.0, runs: int = 3) -> list[Row]:
    """Every row; `scale` makes the histories shorter."""
    commits, every, merged, pushed = (int(scale * number) for number in (COMMITS, MIXED, MERGED, PUSHED))
    with tempfile.TemporaryDirectory() as folder:
        histories = (
            ("audit from nothing: a card edited in each", history(commits), commits),
            (f"  {DROPPED} cards dropped past the gate, open ever since", dropping(commits), commits),
            ("  a tenth of them merges of two sides", joining(commits), commits),
            ("  commits of every kind", mixed.history(every), every),
            ("  a third of them merges", merging(merged), merged),
        )
        tops = [made(Path(folder, f"whole{n}"), parts) for n, (_, parts, _) in enumerate(histories)]
        rows = [
            Row(name, count, *side_by_side(runs, partial(log, top), partial(audited, top)))
            for top, (name, _, count) in zip(tops, histories, strict=True)
        ]
        ways = partial(log, tops[0], "-1"), partial(audited, tops[0], use_mark=True)
        rows.append(
            Row(
                "audit: one more commit", 1, *side_by_side(runs + 2, *ways, before=partial(one_more, tops[0]))
            )
        )
        return [*rows, *pushing(Path(folder), pushed, runs)]


def pushing(folder: Path, commits: int, runs: int) -> list[Row]:
    """A first push: what `pre-push` of the clone and `pre-receive` of the server take."""
    top = made(folder / "pushing", mixed.history(commits))
    bare = folder / "bare.git"
    git(folder, "init", "-q", "--bare", "-b", "main", str(bare))
    tip = git(top, "rev-parse", "HEAD").strip()
    (bare / "objects" / "info" / "alternates").write_text(f"{top / '.git' / 'objects'}\n", encoding="utf-8")
    none = "0" * 40
    floor_ms, pre_push_ms, pre_receive_ms = side_by_side(
        runs,
        lambda: log(top),
        lambda: hook(top, "pre-push", f"refs/heads/main {tip} refs/heads/main {none}\n"),
        lambda: hook(bare, "pre-receive", f"{none} {tip} refs/heads/main\n"),
    )
    return [
        Row("pre-push of a first push, every kind", commits, floor_ms, pre_push_ms),
        Row("pre-receive of it", commits, floor_ms, pre_receive_ms),
    ]


def side_by_side(
    runs: int, *ways: Callable[[], object], before: Callable[[int], object] | None = None
) -> list[float]:
    """The median of each way, in milliseconds of processor time, children's too; they take turns."""
    taken: list[list[float]] = [[] for _ in ways]
    for run in range(runs):
        if before is not None:
            before(run)
        for times, way in zip(taken, ways, strict=True):
            begun = spent_s()
            way()
            times.append((spent_s() - begun) * 1000)
    return [statistics.median(times) for times in taken]


def spent_s() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def log(top: Path, *args: str) -> None:
    """What git itself takes to tell what changed."""
    command = ["git", "log", "-p", "--raw", "-m", "--no-renames", *args]
    subprocess.run(command, cwd=top, env=environment(), stdout=subprocess.DEVNULL, check=True)


def audited(top: Path, *, use_mark: bool = False) -> None:
    with opened(top) as repository:
        audit(repository, use_mark=use_mark)


def hook(top: Path, name: str, stdin: str) -> None:
    """A hook, as git starts it."""
    command = [sys.executable, "-m", "wbmem_hooks", name]
    done = subprocess.run(
        command, cwd=top, env=environment(), input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def dropping(commits: int) -> Iterator[bytes]:
    """A card edited in each commit; some drop a card as well, which is never put back."""
    cards = board(CARDS, SIZE_BYTES).split("### ")
    every = max(commits // DROPPED, 2)
    for number in range(commits):
        place = number * STEP % (len(cards) - 1) + 1
        cards[place] = edited(cards[place], number)
        if number % every == every // 2:
            del cards[number % (len(cards) - 1) + 1]
        yield commit("main", number, f"edit {number}")
        if not number:
            yield inline("wbmem.yaml", f"format: 1\nworkspace: {KEY}\n")
        yield inline("PLAN.md", "### ".join(cards))


def joining(commits: int) -> Iterator[bytes]:
    """A card edited in each commit, some of them on a side branch; each tenth one merges it, by card."""
    cards = board(CARDS, SIZE_BYTES).split("### ")
    yield commit("main", 0, "begin")
    yield inline("wbmem.yaml", f"format: 1\nworkspace: {KEY}\n")
    yield inline("PLAN.md", "### ".join(cards))
    for first in range(1, commits - SIDE - MAIN, SIDE + MAIN + 1):
        side, own = list(cards), []
        for number in range(first, first + SIDE + MAIN):
            is_side = number < first + SIDE
            branch, page = ("side", side) if is_side else ("main", cards)
            place = number * STEP % CARDS + 1
            page[place] = edited(page[place], number)
            own += [place] if is_side else []
            yield commit(branch, number, "edit", "from refs/heads/main\n" if number == first else "")
            yield inline("PLAN.md", "### ".join(page))
        for place in own:
            cards[place] = side[place]
        yield commit("main", first + SIDE + MAIN, "merge", "merge refs/heads/side\n")
        yield inline("PLAN.md", "### ".join(cards))


def main() -> None:
    print(f"{'audit and pushes':54}{'commits':>8}{'git, s':>8}{'ours, s':>8}{'ratio':>8}{'ms each':>9}")
    for row in measure():
        print(
            f"{row.name:54}{row.commits:8,}{row.floor_ms / 1000:8.2f}{row.took_ms / 1000:8.2f}"
            f"{row.took_ms / row.floor_ms:8.2f}{row.took_ms / row.commits:9.2f}"
        )


if __name__ == "__main__":
    main()
