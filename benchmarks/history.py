"""What the past costs: versions of a card beside `git log -L`, a build beside git's own streams, refreshes.

The history is of a 65 KB board with 300 cards, one card edited in each commit, written by `git fast-import`
and packed. Two more builds are of histories with commits of every kind (`benchmarks.mixed`), on a board with
anchors and on one without. A refresh is measured behind more and more commits, archived cards and merges.
`python -m benchmarks.history` prints the tables; what stands side by side took turns in one run.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks import mixed
from benchmarks.boards import KEY, board
from benchmarks.installed import installed
from wbmem_git.store import sidecar
from wbmem_git.store.repository import Repository
from wbmem_git.store.versions import versions
from wbmem_git.verbs.index_view import index_json
from wbmem_git.verbs.refresh import refresh, renew

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator

CARDS, SIZE_BYTES = 300, 65_000
HISTORIES = (100, 1_000, 10_000)
MIXED = 5_000
SMALL_CARDS, SMALL_BYTES = 60, 13_000
AT_ONCE = 20
BEGUN = 1_780_000_000
IDENTITY = "Ada <ada@example.org>"
STEP = 7919  # a prime: every card has its turn
WARM, PROCESS, BUILD, REFRESH = 5_000, 40, 1.8, 1.3


class Figures(NamedTuple):
    """Medians in milliseconds, on the longest history.

    Attributes:
        log_ms: `git log -L` of one card. warm_ms: `versions` in process. process_ms: `wbmem versions ID`.
        found: How many versions that card has.
        floor_ms: `git log --raw | git cat-file --batch`, with every blob hashed. build_ms: The whole sidecar.
        refresh_ms: Commits in the history → one more commit, in a process that has read nothing yet.
        archive_ms: Archived cards → one more commit, with `index.json`.
        merge_ms: Commits in a history of which a third are merges that drop a side → one more such merge.
        mixed_floor_ms: As `floor_ms`, on a history with commits of every kind. mixed_ms: As `build_ms`.
        plain_ms: The same where no card has an anchor.
    """

    log_ms: float
    warm_ms: float
    process_ms: float
    found: int
    floor_ms: float
    build_ms: float
    refresh_ms: dict[int, float]
    archive_ms: dict[int, float]
    merge_ms: dict[int, float]
    mixed_floor_ms: float
    mixed_ms: float
    plain_ms: float


def measure(histories: tuple[int, ...] = HISTORIES, runs: int = 3, of_every_kind: int = MIXED) -> Figures:
    """Everything, on histories of so many commits; the last one is the longest."""
    with tempfile.TemporaryDirectory() as folder:
        tops = {commits: made(Path(folder, str(commits)), history(commits)) for commits in histories}
        longest = tops[histories[-1]]
        with opened(longest) as repository:
            db = built(repository)
        card, first, last = a_card(longest)
        asked = f"-L{first},{last}:PLAN.md"
        told = git(longest, "log", "-s", "--format=%H", asked).split()
        assert [version.commit for version in versions(db, card)] == told
        command = [installed(Path(folder, "installed")).wbmem, "versions", card]
        run(longest, *command)  # the file is built by the first one
        log_ms, process_ms = side_by_side(
            runs,
            lambda: git(longest, "log", "-s", "--format=%H", asked),
            lambda: run(longest, *command),
        )
        (warm_ms,) = side_by_side(200, lambda: list(versions(db, card)))
        floor_ms, build_ms = side_by_side(runs, lambda: floor(longest), lambda: build(longest))
        every = made(Path(folder, "mixed"), mixed.history(of_every_kind))
        plain = made(Path(folder, "plain"), mixed.history(of_every_kind, anchored=False))
        mixed_floor_ms, mixed_ms, plain_ms = side_by_side(
            runs, lambda: floor(every), lambda: build(every), lambda: build(plain)
        )
        refresh_ms = refreshing(tops, max(runs, 5))
        archive_ms, merge_ms = behind_more(Path(folder), histories, max(runs, 5))
        return Figures(
            *(log_ms, warm_ms, process_ms),
            found=len(told),
            floor_ms=floor_ms,
            build_ms=build_ms,
            refresh_ms=refresh_ms,
            archive_ms=archive_ms,
            merge_ms=merge_ms,
            mixed_floor_ms=mixed_floor_ms,
            mixed_ms=mixed_ms,
            plain_ms=plain_ms,
        )


def behind_more(
    folder: Path, histories: tuple[int, ...], runs: int
) -> tuple[dict[int, float], dict[int, float]]:
    """What a refresh takes behind so many archived cards, and a merge behind so many commits."""
    archives = {cards: made(folder / f"archive{cards}", archiving(cards)) for cards in histories}
    merges = {commits: made(folder / f"merges{commits}", merging(commits)) for commits in histories}
    return refreshing(archives, runs, with_view=True), refreshing(merges, runs, more=one_more_merge)


def side_by_side(runs: int, *ways: Callable[[], object]) -> list[float]:
    """The median of each way, in milliseconds; they take turns."""
    taken: list[list[float]] = [[] for _ in ways]
    for _ in range(runs):
        for times, way in zip(taken, ways, strict=True):
            begun = time.perf_counter()
            way()
            times.append((time.perf_counter() - begun) * 1000)
    return [statistics.median(times) for times in taken]


def floor(top: Path) -> int:
    """What git itself takes to tell what changed and to hand every version over, and a digest of each."""
    command = "git log --reverse --raw --no-abbrev --format= | cut -d' ' -f4 | git cat-file --batch"
    child = subprocess.Popen(["sh", "-c", command], cwd=top, env=environment(), stdout=subprocess.PIPE)
    assert child.stdout is not None
    count = 0
    while header := child.stdout.readline():
        sha1(child.stdout.read(int(header.split()[2]) + 1), usedforsecurity=False).digest()
        count += 1
    assert child.wait() == 0
    return count


def build(top: Path) -> None:
    """The whole sidecar from nothing, as a file, and the views of it."""
    with opened(top) as repository:
        file = sidecar.Sidecar(repository.git_dir)
        with file.lock(0) as got:
            assert got
            renew(repository, file, repository.head(), anew=True)
        file.close()


def built(repository: Repository) -> sqlite3.Connection:
    db = sidecar.memory()
    db.execute("BEGIN")
    refresh(repository, db, repository.head())
    db.execute("COMMIT")
    return db


def refreshing(
    tops: dict[int, Path],
    runs: int,
    more: Callable[[Path, int], None] | None = None,
    *,
    with_view: bool = False,
) -> dict[int, float]:
    """One more commit (or whatever `more` does) to each history in turn: what its refresh takes."""
    files = {}
    for commits, top in tops.items():
        with opened(top) as repository:
            files[commits] = built(repository)
    taken: dict[int, list[float]] = {commits: [] for commits in tops}
    for number in range(runs):
        for commits, top in tops.items():
            (more or one_more)(top, number)
            with opened(top) as repository:
                head = repository.head()
                begun = time.perf_counter()
                files[commits].execute("BEGIN")
                refresh(repository, files[commits], head)
                files[commits].execute("COMMIT")
                if with_view:
                    "".join(index_json(files[commits]))
                taken[commits].append((time.perf_counter() - begun) * 1000)
    return {commits: statistics.median(times) for commits, times in taken.items()}


# --- histories ----------------------------------------------------------------------------------------


def made(top: Path, parts: Iterator[bytes]) -> Path:
    """A memory of these commits."""
    top.mkdir()
    git(top, "init", "-q", "-b", "main")
    for name, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(top, "config", name, value)
    child = subprocess.Popen(
        ["git", "fast-import", "--quiet"], cwd=top, env=environment(), stdin=subprocess.PIPE
    )
    assert child.stdin is not None
    for part in parts:
        child.stdin.write(part)
    child.stdin.close()
    assert child.wait() == 0
    git(top, "gc", "-q")
    git(top, "reset", "-q", "--hard")
    return top


def history(commits: int) -> Iterator[bytes]:
    cards = board(CARDS, SIZE_BYTES).split("### ")
    for number in range(commits):
        if number:
            place = number * STEP % CARDS + 1
            cards[place] = edited(cards[place], number)
        yield commit("main", number, f"edit {number}")
        if not number:
            yield inline("wbmem.yaml", f"format: 1\nworkspace: {KEY}\n")
        yield inline("PLAN.md", "### ".join(cards))


def archiving(number: int) -> Iterator[bytes]:
    """A small board, and so many cards that were archived, some in each commit."""
    yield commit("main", 0, "begin")
    yield inline("wbmem.yaml", f"format: 1\nworkspace: {KEY}\n")
    yield inline("PLAN.md", board(SMALL_CARDS, SMALL_BYTES))
    for first in range(0, number, AT_ONCE):
        yield commit("main", first + 1, "archive some")
        for one in range(first, min(first + AT_ONCE, number)):
            yield inline(*mixed.archived(mixed.new_card(one)))


def merging(commits: int) -> Iterator[bytes]:
    """A small board of which each third commit is a merge that drops what the other side did."""
    cards = board(SMALL_CARDS, SMALL_BYTES).split("### ")
    yield commit("main", 0, "begin")
    yield inline("wbmem.yaml", f"format: 1\nworkspace: {KEY}\n")
    yield inline("PLAN.md", "### ".join(cards))
    for number in range(1, commits - 2, 3):
        side, place = list(cards), number * STEP % SMALL_CARDS + 1
        side[-place] = edited(side[-place], number)
        cards[place] = edited(cards[place], number + 1)
        yield commit("side", number, "dropped", "from refs/heads/main\n")
        yield inline("PLAN.md", "### ".join(side))
        yield commit("main", number + 1, "kept")
        yield inline("PLAN.md", "### ".join(cards))
        yield commit("main", number + 2, "merge", "merge refs/heads/side\n")


def commit(branch: str, number: int, message: str, parents: str = "") -> bytes:
    """A commit of `git fast-import`, a minute behind the one before."""
    return (
        f"commit refs/heads/{branch}\ncommitter {IDENTITY} {BEGUN + number * 60} +0000\n"
        f"data {len(message)}\n{message}\n{parents}"
    ).encode()


def edited(card: str, number: int) -> str:
    """A card with another first line of its body."""
    lines = card.split("\n")
    place = next(n for n, line in enumerate(lines) if n and line and not line.startswith("<!--"))
    lines[place] = f"{lines[place].partition(' (')[0]} ({number})"
    return "\n".join(lines)


def inline(path: str, text: str) -> bytes:
    data = text.encode()
    return b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)


def one_more(top: Path, number: int) -> None:
    cards = (top / "PLAN.md").read_text(encoding="utf-8").split("### ")
    place = len(cards) // 2
    cards[place] = edited(cards[place], 100_000 + number)
    (top / "PLAN.md").write_text("### ".join(cards), encoding="utf-8")
    git(top, "commit", "-q", "-a", "-m", "one more")


def one_more_merge(top: Path, number: int) -> None:
    git(top, "checkout", "-q", "-B", "side")
    one_more(top, 100_000 + number)
    git(top, "checkout", "-q", "main")
    one_more(top, 200_000 + number)
    git(top, "merge", "-q", "--no-edit", "-s", "ours", "side")


def a_card(top: Path) -> tuple[str, int, int]:
    """The id of a card in the middle, and its first and last line that isn't blank."""
    lines = (top / "PLAN.md").read_text(encoding="utf-8").split("\n")
    starts = [number for number, line in enumerate(lines) if line.startswith("### ")]
    first, behind = starts[CARDS // 2 : CARDS // 2 + 2]
    last = max(
        number for number in range(first, behind) if lines[number].strip() and lines[number][:2] != "##"
    )
    return lines[first + 1].removeprefix("<!-- memory:").removesuffix(" -->"), first + 1, last + 1


# --- processes ----------------------------------------------------------------------------------------


def environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "WBMEM_"))}
    return {**kept, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}


def opened(top: Path) -> Repository:
    return Repository.open(str(top), environment())


def git(top: Path, *args: str) -> str:
    return run(top, "git", *args)


def run(top: Path, *command: str) -> str:
    done = subprocess.run(command, cwd=top, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def main() -> None:
    it = measure()
    commits = HISTORIES[-1]
    print(f"{'the past of a 65 KB board of 300 cards':46}{'ms':>11}{'ratio':>10}{'bar':>8}")
    print(f"{f'git log -L, {commits:,} commits, {it.found} versions':46}{it.log_ms:11.1f}{1:10.2f}")
    print(f"{'  versions, in process':46}{it.warm_ms:11.3f}{it.log_ms / it.warm_ms:10.0f}{WARM:8}")
    print(
        f"{'  wbmem versions, a process':46}{it.process_ms:11.1f}{it.log_ms / it.process_ms:10.0f}{PROCESS:8}"
    )
    print(f"{'git log --raw | cat-file --batch, hashed':46}{it.floor_ms:11.0f}{1:10.2f}")
    print(
        f"{'  the whole sidecar from nothing':46}{it.build_ms:11.0f}"
        f"{it.build_ms / it.floor_ms:10.2f}{BUILD:8}"
    )
    print(f"{f'the same streams, {MIXED:,} commits of every kind':46}{it.mixed_floor_ms:11.0f}{1:10.2f}")
    print(
        f"{'  the whole sidecar from nothing':46}{it.mixed_ms:11.0f}{it.mixed_ms / it.mixed_floor_ms:10.2f}"
        f"{it.mixed_ms / MIXED:8.2f} ms a commit"
    )
    print(
        f"{'  the same where no card has an anchor':46}{it.plain_ms:11.0f}"
        f"{it.plain_ms / it.mixed_floor_ms:10.2f}{it.plain_ms / MIXED:8.2f} ms a commit"
    )
    tell("one more commit behind {:,}", it.refresh_ms)
    tell("  and index.json, with {:,} archived cards", it.archive_ms)
    tell("one more merge behind {:,} commits", it.merge_ms)


def tell(name: str, taken: dict[int, float]) -> None:
    """A row for each, beside the first."""
    first = next(iter(taken.values()))
    for count, took_ms in taken.items():
        print(f"{name.format(count):46}{took_ms:11.1f}{took_ms / first:10.2f}{REFRESH:8}")


if __name__ == "__main__":
    main()
