"""The sidecar's file: who reads gets a whole state or none, and the next writer heals it."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import time
from fcntl import LOCK_EX, LOCK_SH
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from privileges import bound_by_modes

from wbmem_git.store import locks, seals
from wbmem_git.store import sidecar as module
from wbmem_git.store.faults import SidecarDamaged, SidecarUnreadable, SidecarUnwritable, reading
from wbmem_git.store.schema import schema
from wbmem_git.store.sidecar import Sidecar, copied, empty_tables, get_meta, memory, set_meta

if TYPE_CHECKING:
    from collections.abc import Callable

PAGES = 300
WHOLE = {"sidecar.sqlite", "sidecar.lock"}
NOON = 1_700_000_000


def state(number: int) -> Callable[[sqlite3.Connection], None]:
    """What a writer leaves: every page says the same number."""

    def fill(db: sqlite3.Connection) -> None:
        db.execute("DELETE FROM pages")
        rows = ((f"p{n}.md", str(number), "x" * 200) for n in range(PAGES))
        db.executemany("INSERT INTO pages (path, id, kind, layer, blob) VALUES (?, ?, 'log', 'log', ?)", rows)
        set_meta(db, "head", str(number))
        set_meta(db, "time", str(NOON + number))

    return fill


def said(sidecar: Sidecar) -> str:
    """The number of the state that can be read, "" where none can; never half of one."""
    meta = sidecar.begin()
    if meta is None:
        return ""
    found = sidecar.db.execute("SELECT id, count(*) FROM pages GROUP BY id").fetchall()
    assert found == [(meta["head"], PAGES)]
    sidecar.end()
    return meta["head"]


def write(sidecar: Sidecar, number: int, *, anew: bool = False) -> None:
    with sidecar.lock(10) as got:
        assert got
        missing = sidecar.begin() is None
        sidecar.write(state(number), anew=anew or missing)


def names(sidecar: Sidecar) -> set[str]:
    return {path.name for path in Path(sidecar.folder).iterdir()}


@pytest.fixture
def made(tmp_path: Path) -> Sidecar:
    """A file that says 1."""
    sidecar = Sidecar(str(tmp_path))
    write(sidecar, 1)
    return sidecar


# --- as it should be ----------------------------------------------------------------------------------


def test_nothing_is_made_by_who_only_reads(tmp_path: Path) -> None:
    assert Sidecar(str(tmp_path / "home")).begin() is None
    assert list((tmp_path / "home").iterdir()) == []


def test_what_is_written_is_read_by_another_and_nothing_else_lies_around(
    made: Sidecar, tmp_path: Path
) -> None:
    assert said(Sidecar(str(tmp_path))) == "1"
    write(made, 2)
    assert said(Sidecar(str(tmp_path))) == said(made) == "2"
    assert names(made) == WHOLE


def test_a_refresh_is_made_in_place_and_a_build_in_a_new_file(made: Sidecar) -> None:
    first = Path(made.path).stat().st_ino
    write(made, 2)
    assert Path(made.path).stat().st_ino == first
    write(made, 3, anew=True)
    assert Path(made.path).stat().st_ino != first
    assert said(made) == "3"


def test_any_folder_name_will_do(tmp_path: Path) -> None:
    sidecar = Sidecar(str(tmp_path / "100% ?a=b#c 笔记 \udcff"))
    write(sidecar, 1)
    assert said(sidecar) == "1"


def test_a_file_of_another_owner_is_replaced_since_only_he_may_set_its_times(
    made: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Path(made.path).stat().st_ino
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    write(made, 2)
    assert said(made) == "2"
    assert Path(made.path).stat().st_ino != first


@pytest.mark.parametrize("when", ["", "x", "-5", str(2**70), str(NOON + 1)])
def test_any_time_that_a_commit_may_have_seals_the_file(made: Sidecar, when: str) -> None:
    with made.lock(1):
        made.begin()
        made.write(lambda db: set_meta(db, "time", when), anew=False)
    assert made.begin() is not None


def test_tables_in_memory_are_those_of_the_file(made: Sidecar) -> None:
    made.begin()
    listed = "SELECT name, sql FROM sqlite_master ORDER BY name"
    assert memory().execute(listed).fetchall() == made.db.execute(listed).fetchall()
    copy = copied(made.db)
    assert get_meta(copy, "head") == "1"
    copy.execute("BEGIN")
    empty_tables(copy)
    copy.execute("COMMIT")
    assert copy.execute(listed).fetchall() == made.db.execute(listed).fetchall()
    assert get_meta(copy, "head") == ""


def test_every_statement_of_the_schema_is_carried_out() -> None:
    plain = sqlite3.connect(":memory:")
    plain.executescript(schema())
    listed = "SELECT name, sql FROM sqlite_master ORDER BY name"
    assert memory().execute(listed).fetchall() == plain.execute(listed).fetchall()
    assert (
        memory().execute("PRAGMA user_version").fetchone() == plain.execute("PRAGMA user_version").fetchone()
    )


# --- damaged ------------------------------------------------------------------------------------------


def rewritten(sidecar: Sidecar, change: Callable[[bytes], bytes]) -> None:
    path = Path(sidecar.path)
    path.write_bytes(change(path.read_bytes()))


def flip(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


def spoil_rows(data: bytes) -> bytes:
    """Every page from the first one with rows of `pages` on."""
    place = data.index(b"x" * 100) // 4096 * 4096
    return data[:place] + bytes([0xFF]) * (len(data) - place)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "zero bytes": lambda _: b"",
    "garbage": lambda data: random.Random(7).randbytes(len(data)),
    "text": lambda _: b"<html>404</html>\n" * 400,
    "one byte": lambda data: data[:1],
    "half a header": lambda data: data[:50],
    "one page": lambda data: data[:4096],
    "half": lambda data: data[: len(data) // 2],
    "half, on a page's edge": lambda data: data[: len(data) // 8192 * 4096],
    "a page short": lambda data: data[:-4096],
    "a byte short": lambda data: data[:-1],
    "a flipped bit in a row": lambda data: flip(data, data.rindex(b"p17.md")),
    "a flipped bit in the header": lambda data: flip(data, 18),
    "a flipped bit in the middle": lambda data: flip(data, len(data) // 2),
    "a hole": lambda data: data[:8192] + bytes(4096) + data[12288:],
    "more than there was": lambda data: data + data,
}


@pytest.mark.parametrize("kind", DAMAGE)
@pytest.mark.parametrize("warm", [False, True])
def test_a_damaged_file_is_no_file_and_the_next_writer_heals_it(
    made: Sidecar, kind: str, *, warm: bool
) -> None:
    reader = made if warm else Sidecar(str(Path(made.folder).parent))
    rewritten(made, DAMAGE[kind])
    assert reader.begin() is None
    write(reader, 2)
    assert said(reader) == said(made) == "2"
    assert names(made) == WHOLE


@pytest.mark.parametrize(
    "statement", ["PRAGMA user_version = 0", "PRAGMA user_version = 4711", "DROP TABLE meta"]
)
def test_a_file_of_another_version_is_no_file(made: Sidecar, statement: str) -> None:
    other = sqlite3.connect(made.path)
    other.execute(statement)
    other.close()
    os.utime(made.path, ns=((NOON & ~1) * 10**9,) * 2)
    assert made.begin() is None
    write(made, 2)
    assert said(made) == "2"


def test_a_file_of_other_tables_or_another_way_to_build_is_no_file(
    made: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "file_format", lambda: "2.x")
    assert made.begin() is None
    monkeypatch.undo()
    assert said(made) == "1"


def test_damage_that_only_a_query_finds_is_told_apart(made: Sidecar) -> None:
    times = Path(made.path).stat().st_mtime_ns
    rewritten(made, spoil_rows)
    os.utime(made.path, ns=(times, times))
    assert made.begin() is not None  # the head is whole, and so is the seal
    with pytest.raises(SidecarDamaged), reading():
        made.db.execute("SELECT * FROM pages").fetchall()
    made.distrust()
    assert made.begin() is None
    write(made, 2)
    assert said(made) == "2"


def test_what_is_no_damage_is_told_apart(made: Sidecar) -> None:
    assert made.begin() is not None
    db = made.db
    db.execute("ROLLBACK")
    db.execute("CREATE TEMP TABLE large (bytes)")
    db.execute("PRAGMA temp.max_page_count = 2")
    with pytest.raises(SidecarUnreadable, match="can't be read: the disk is full"), reading():
        db.execute("INSERT INTO large VALUES (zeroblob(9000000))")
    with pytest.raises(sqlite3.OperationalError, match="syntax error"), reading():
        db.execute("SELECT nothing")


def test_damage_that_only_a_refresh_finds_makes_it_build_anew(made: Sidecar) -> None:
    times = Path(made.path).stat().st_mtime_ns
    rewritten(made, spoil_rows)
    os.utime(made.path, ns=(times, times))
    write(made, 2)
    assert said(made) == "2"
    assert names(made) == WHOLE


def test_an_empty_folder_in_its_place_goes_and_one_with_something_in_it_stays(made: Sidecar) -> None:
    made.close()
    Path(made.path).unlink()
    Path(made.path).mkdir()
    assert made.begin() is None
    write(made, 2)
    assert said(made) == "2"
    Path(made.path).unlink()
    Path(made.path).mkdir()
    Path(made.path, "mine").write_text("x")
    with pytest.raises(SidecarUnwritable):
        write(made, 3)
    assert Path(made.path, "mine").read_text() == "x"
    assert names(made) == WHOLE


@pytest.mark.parametrize("what", ["folder", "lock"])
def test_where_nothing_can_lie_it_is_said(tmp_path: Path, what: str) -> None:
    sidecar = Sidecar(str(tmp_path))
    if what == "folder":
        (tmp_path / "wbmem").write_text("x")
    else:
        (tmp_path / "wbmem/sidecar.lock").mkdir(parents=True)
    assert sidecar.begin() is None
    with pytest.raises(SidecarUnwritable, match="can't be written"), sidecar.lock(0):
        pass


def test_a_read_only_folder_is_read_and_not_written(made: Sidecar) -> None:
    Path(made.folder).chmod(0o500)
    try:
        reader = Sidecar(str(Path(made.folder).parent))
        with bound_by_modes():
            assert said(reader) == "1"
            with pytest.raises(SidecarUnwritable):
                write(reader, 2)
            assert said(reader) == "1"
    finally:
        Path(made.folder).chmod(0o700)


def test_a_read_only_file_is_read_and_replaced(made: Sidecar) -> None:
    Path(made.path).chmod(0o400)
    reader = Sidecar(str(Path(made.folder).parent))
    with bound_by_modes():
        assert said(reader) == "1"
        with pytest.raises(SidecarUnwritable, match="read-only"):
            write(reader, 2)
        write(reader, 3, anew=True)
        assert said(reader) == "3"


def test_who_begins_to_read_waits_for_who_gives_the_name_to_another_file(
    made: Sidecar, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "BUSY_S", 0.05)
    with locks.name_stays(made.folder, LOCK_EX):
        assert made.begin() is None
    assert said(made) == "1"
    with locks.name_stays(made.folder, LOCK_SH):  # who reads
        assert said(made) == "1"
        with pytest.raises(SidecarUnwritable):
            write(made, 2, anew=True)
    assert said(made) == "1"


def test_what_a_killed_writer_had_half_written_goes_and_nothing_else(made: Sidecar) -> None:
    left = {"sidecar.sqlite.17.tmp", "index.json.17.tmp", "events.jsonl.17.tmp", "events.jsonl.note.17.tmp"}
    others = {"settings.17.tmp", "sidecar.failures.17.tmp", "events.jsonl.note", "stamp"}
    for name in left | others:
        Path(made.folder, name).write_text("x")
    write(made, 2)
    assert names(made) == WHOLE | others


# --- several at once ----------------------------------------------------------------------------------


def test_one_lock_for_all_writers(made: Sidecar, tmp_path: Path) -> None:
    with made.lock(0) as first, Sidecar(str(tmp_path)).lock(0.05) as second:
        assert (first, second) == (True, False)
    with Sidecar(str(tmp_path)).lock(0) as third:
        assert third


def test_a_snapshot_outlives_the_file_that_it_is_of(made: Sidecar, tmp_path: Path) -> None:
    reader = Sidecar(str(tmp_path))
    reader.begin()
    write(made, 2, anew=True)
    assert get_meta(reader.db, "head") == "1"
    reader.end()
    assert said(reader) == "2"


def test_a_refresh_waits_for_no_reader_who_reads_on_and_on(made: Sidecar, tmp_path: Path) -> None:
    reader = Sidecar(str(tmp_path))
    reader.begin()
    begun = time.monotonic()
    write(made, 2)
    assert time.monotonic() - begun < 1.5
    assert get_meta(reader.db, "head") == "1"
    reader.end()
    assert said(reader) == "2"
    assert names(made) == WHOLE


def test_who_has_the_old_file_open_takes_no_journal_of_the_new_one(made: Sidecar, tmp_path: Path) -> None:
    """SQLite finds journals by name: of another file's it would think that a crash had left it."""
    reader = Sidecar(str(tmp_path))
    assert said(reader) == "1"
    write(made, 2, anew=True)
    with made.lock(1):
        made.begin()

        made.end()
        made.db.execute("PRAGMA cache_spill = ON")
        made.db.execute("PRAGMA cache_size = 1")

        def fill(db: sqlite3.Connection) -> None:
            state(3)(db)
            assert Path(f"{made.path}-journal").exists()
            reader._db.execute("PRAGMA busy_timeout = 10")  # type: ignore[union-attr]
            reader.begin()
            assert Path(f"{made.path}-journal").exists()

        made.write(fill, anew=False)
    assert said(made) == said(Sidecar(str(tmp_path))) == "3"


def test_a_journal_that_was_left_is_no_new_files_journal(made: Sidecar) -> None:
    """It belongs to the file before: taken for the new one's it would write old pages into it."""
    journal = journal_of_a_killed(made)
    with made.lock(1):
        made.write(state(5), anew=True)
    assert not journal.exists()
    assert said(made) == "5"


def journal_of_a_killed(sidecar: Sidecar) -> Path:
    """A writer that is killed while its pages are on their way into the file."""
    sidecar.close()
    child = os.fork()
    if child == 0:
        db = sqlite3.connect(sidecar.path, isolation_level=None)
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN IMMEDIATE")
        state(9)(db)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    journal = Path(f"{sidecar.path}-journal")
    assert journal.stat().st_size > 0
    return journal


def test_what_a_killed_writer_left_half_done_is_taken_back_or_built_anew(made: Sidecar) -> None:
    journal_of_a_killed(made)
    assert said(made) in {"", "1"}
    write(made, 2)
    assert said(made) == "2"
    assert names(made) == WHOLE


def killed_at_random(folder: Path, times: int, seed: int, *, lasting: bool = True) -> None:
    """Kill a process that writes in place and anew by turns; after each death ask, then write."""
    chance = random.Random(seed)
    sidecar = Sidecar(str(folder))
    write(sidecar, 0)

    def on_and_on() -> None:
        own = Sidecar(str(folder), lasting=lasting)
        for number in range(1, 10_000):
            write(own, number, anew=number % 3 == 0)

    for _ in range(times):
        child = in_child(on_and_on)
        time.sleep(chance.uniform(0.002, 0.06))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        said(sidecar)
        write(sidecar, 20_000)
        assert said(sidecar) == said(Sidecar(str(folder))) == "20000"
        assert names(sidecar) <= WHOLE
    write(sidecar, 3, anew=True)
    assert names(sidecar) == WHOLE


@pytest.mark.parametrize("lasting", [True, False])
def test_killed_at_any_moment_a_writer_leaves_what_the_next_one_heals(
    tmp_path: Path, *, lasting: bool
) -> None:
    killed_at_random(tmp_path, 12, 1, lasting=lasting)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_killed_at_any_moment_slow(tmp_path: Path, seed: int) -> None:
    killed_at_random(tmp_path, 60, seed, lasting=bool(seed % 2))


def test_four_writers_and_readers_at_once_see_whole_states_only(made: Sidecar, tmp_path: Path) -> None:
    def work() -> None:
        own = Sidecar(str(tmp_path), lasting=os.getpid() % 2 == 0)
        for number in range(20):
            write(own, number, anew=number % 5 == 0)
            assert said(own) != ""

    children = [in_child(work) for _ in range(4)]
    assert all(map(exits_well, children))
    assert said(made) == "19"
    assert names(made) == WHOLE


@pytest.mark.parametrize("lasting", [True, False])
@pytest.mark.parametrize("anew", [False, True])
def test_a_full_disk_leaves_the_file_as_it_was(made: Sidecar, *, anew: bool, lasting: bool) -> None:
    size = Path(made.path).stat().st_size

    def fill(db: sqlite3.Connection) -> None:
        state(2)(db)
        more = ((f"q{n}.md", "2", "x" * 200) for n in range(20 * PAGES))
        db.executemany("INSERT INTO pages (path, id, kind, layer, blob) VALUES (?, ?, 'log', 'log', ?)", more)

    def work() -> None:
        own = Sidecar(str(Path(made.folder).parent), lasting=lasting)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40_000,) * 2)
        with own.lock(5):
            own.begin()
            with pytest.raises(SidecarUnwritable):
                own.write(fill, anew=anew)

    assert exits_well(in_child(work))
    assert said(Sidecar(str(Path(made.folder).parent))) in {"", "1"}
    write(made, 2)
    assert said(made) == "2"
    assert names(made) == WHOLE


# --- who doesn't wait for the disk --------------------------------------------------------------------


def time_ns(sidecar: Sidecar) -> int:
    return Path(sidecar.path).stat().st_mtime_ns


def another_start(monkeypatch: pytest.MonkeyPatch, said: str = "later") -> None:
    """As after a power cut: the file is what it is, and the system has started again."""
    monkeypatch.setattr(seals, "boot", lambda: said)


@pytest.fixture
def passing(made: Sidecar, tmp_path: Path) -> Sidecar:
    """One that doesn't wait, and has written 2."""
    assert said(made) == "1"
    sidecar = Sidecar(str(tmp_path), lasting=False)
    write(sidecar, 2)
    assert sidecar.is_passing
    return sidecar


def test_what_is_not_on_the_disk_yet_is_read_until_the_system_starts_again(
    passing: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert said(Sidecar(str(tmp_path))) == said(passing) == "2"
    another_start(monkeypatch)
    assert said(Sidecar(str(tmp_path))) == said(passing) == ""
    write(passing, 3)
    assert said(Sidecar(str(tmp_path))) == "3"
    another_start(monkeypatch, "much later")  # it was built anew, and waited for
    assert said(Sidecar(str(tmp_path))) == "3"


def test_the_disk_knows_that_it_may_be_damaged_before_anything_is_written(
    made: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[int] = []
    monkeypatch.setattr(module, "on_the_disk", lambda path: waited.append(Path(path).stat().st_mtime_ns))
    sidecar = Sidecar(str(tmp_path), lasting=False)
    inside: list[int] = []

    def fill(db: sqlite3.Connection) -> None:
        inside.append(time_ns(made))
        state(2)(db)

    with sidecar.lock(5):
        assert sidecar.begin() is not None
        sidecar.write(fill, anew=False)
    assert waited == inside == [seals.passing_ns(str(NOON + 1))]
    assert seals.lasting_ns(str(NOON + 1)) not in inside
    write(sidecar, 3)
    assert len(waited) == 1  # once, and not for each write


def test_made_to_last_it_is_read_whenever_the_system_starts(
    passing: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with passing.lock(5):
        passing.make_lasting()
    assert not passing.is_passing
    another_start(monkeypatch)
    assert said(Sidecar(str(tmp_path))) == said(passing) == "2"


def test_a_writer_who_waits_makes_all_of_it_last(
    passing: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(Sidecar(str(tmp_path)), 3)
    another_start(monkeypatch)
    assert said(passing) == "3"


def test_a_damaged_file_is_not_made_to_last(passing: Sidecar, tmp_path: Path) -> None:
    Path(passing.path).touch()
    with passing.lock(5):
        passing.make_lasting()
    assert said(Sidecar(str(tmp_path))) == ""


def test_killed_before_its_end_a_writer_who_does_not_wait_has_changed_nothing(
    passing: Sidecar, tmp_path: Path
) -> None:
    def fill(db: sqlite3.Connection) -> None:
        state(9)(db)
        os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        own = Sidecar(str(tmp_path), lasting=False)
        with own.lock(5):
            own.begin()
            own.write(fill, anew=False)

    os.waitpid(in_child(work), 0)
    assert said(Sidecar(str(tmp_path))) == "2"
    assert names(passing) == WHOLE


def test_where_the_system_does_not_say_when_it_started_the_disk_is_waited_for(
    made: Sidecar, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    another_start(monkeypatch, "")
    monkeypatch.setattr(module, "boot", seals.boot)
    sidecar = Sidecar(str(tmp_path), lasting=False)
    write(sidecar, 2)
    assert time_ns(made) == seals.lasting_ns(str(NOON + 2))
    assert not sidecar.is_passing


def test_no_lock_is_lost_when_a_thread_of_the_same_process_looks(made: Sidecar, tmp_path: Path) -> None:
    """POSIX locks go when any descriptor of that file is closed: nobody here opens it but SQLite."""
    reader, other = Sidecar(str(tmp_path)), Sidecar(str(tmp_path))
    reader.begin()
    said(other)
    other.close()

    def work() -> None:
        own = sqlite3.connect(made.path, timeout=0, isolation_level=None)
        own.execute("BEGIN IMMEDIATE")
        own.execute("DELETE FROM pages")
        with pytest.raises(sqlite3.OperationalError):
            own.execute("COMMIT")

    assert exits_well(in_child(work))
    assert get_meta(reader.db, "head") == "1"
