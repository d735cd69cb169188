"""Whatever happens to a memory and to its sidecar: what a reader finds equals what is built anew."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from memory import Memory
from sidecar.editing import START, merged, some_edits
from sidecar.oracle import changes
from sidecar.plumbing import PEOPLE, Link, Objects
from sidecar.plumbing import START as FIRST_SECOND
from sidecar.states import differences, state_of
from text.spec import TIMES

from wbmem_git.store import revisions
from wbmem_git.store.repository import Repository
from wbmem_git.store.sidecar import get_meta, memory
from wbmem_git.store.versions import versions
from wbmem_git.text.contents import layer_of
from wbmem_git.text.document import decode
from wbmem_git.text.ids import card_id
from wbmem_git.text.names import kind_of
from wbmem_git.verbs.governing import last_good
from wbmem_git.verbs.past import chronicle
from wbmem_git.verbs.reader import NAMED, Reader
from wbmem_git.verbs.refresh import refresh

if TYPE_CHECKING:
    from sidecar.plumbing import Files
    from sidecar.states import State

BRANCHES = ("main", "side", "third")
DETACHED = "a detached HEAD"
MESSAGES = ("work", "work\n\nWbmem-Actor: agent", '工作 "quoted"')
chances = st.randoms(use_true_random=False)
branches = st.sampled_from(BRANCHES)


class History(RuleBasedStateMachine):
    """A repository, and a reader that stays open like that of a server."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine-"))
        self.memory = Memory.create(self.folder / "handoff")
        self.objects = Objects(self.memory.top / ".git")
        self.heads: dict[str, str] = {}
        self.branch = "main"
        self.seconds = FIRST_SECOND
        self.repository = Repository.open(str(self.memory.top), dict(os.environ))
        self.reader = Reader(self.repository)
        self.kept = memory()
        self._to(self._commit(START, (), Random(1)))

    def teardown(self) -> None:
        """At the end git is asked, too, which commits changed a page, and of cards what git would say."""
        with self.reader.at_head() as ground:
            key = get_meta(ground.db, "key")
            for path in ("PLAN.md", "MEMORY.md") if key else ():
                listed = self.memory.git("log", "--format=%H", self.head, "--", path).split()
                found = [one.commit for one in versions(ground.db, card_id(key, path, ""))]
                assert sorted(found) == sorted(listed) or self._was_no_file(path)
            good = last_good(self.repository, self.head) if self.head else None
            rows = ground.db.execute(
                "SELECT id, oid FROM revisions JOIN commits ON commits.seq = revisions.seq WHERE hidden = 0"
            )
            told = set(rows.fetchall())
            for name, commits in changes(self.objects, self.head, good.settings).items() if good else ():
                assert {oid for one, oid in told if one == name} == commits, name
        self.reader.close()
        self.kept.close()
        self.repository.close()
        shutil.rmtree(self.folder)

    def _was_no_file(self, path: str) -> bool:
        """Whether it ever was a link or a folder: git tells of these, we don't."""
        trees = [self.objects.made[oid].files for oid in self.objects.ancestors(self.head)]
        return any(isinstance(files.get(path), Link) or f"{path}/x.md" in files for files in trees)

    @property
    def head(self) -> str:
        return self.heads.get(self.branch, "")

    @property
    def files(self) -> Files:
        return self.objects.made[self.head].files if self.head else START

    @property
    def sidecar(self) -> Path:
        return self.memory.top / ".git/wbmem/sidecar.sqlite"

    def _commit(self, files: Files, parents: tuple[str, ...], chance: Random) -> str:
        self.seconds += chance.choice((1, 1, 60, 90_000, -7))
        author, message = chance.choice(PEOPLE), chance.choice(MESSAGES)
        return self.objects.commit(files, parents, self.seconds, author=author, message=message)

    def _to(self, oid: str) -> None:
        self.heads[self.branch] = oid
        self.objects.set_head("" if self.branch == DETACHED else self.branch, oid)

    def _parents(self) -> tuple[str, ...]:
        return (self.head,) if self.head else ()

    # --- what happens to history --------------------------------------------------------------------

    @rule(chance=chances)
    def commit(self, chance: Random) -> None:
        self._to(self._commit(some_edits(self.files, chance), self._parents(), chance))

    @rule(chance=chances)
    def several_commits(self, chance: Random) -> None:
        for _ in range(chance.randint(2, 4)):
            self.commit(chance)

    @precondition(lambda self: self.head)
    @rule(chance=chances)
    def amend(self, chance: Random) -> None:
        old = self.objects.made[self.head]
        self._to(self._commit(some_edits(old.files, chance), old.parents, chance))

    @precondition(lambda self: len(self.heads) > 1 and self.head)
    @rule(chance=chances, evil=st.booleans())
    def merge(self, chance: Random, evil: bool) -> None:
        """Of one or two others; sometimes with more in it than either side has."""
        others = [oid for name, oid in sorted(self.heads.items()) if name != self.branch and oid != self.head]
        others = list(dict.fromkeys(others))[: chance.randint(1, 2)]
        if others:
            files = self.files
            for other in others:
                base = self.objects.base(self.head, other)
                files = merged(base, files, self.objects.made[other].files, chance)
            files = some_edits(files, chance) if evil else files
            self._to(self._commit(files, (self.head, *others), chance))

    @precondition(lambda self: self.head)
    @rule(chance=chances)
    def merge_an_older_commit_of_any_branch(self, chance: Random) -> None:
        """Criss-cross merges, and such as bring nothing new."""
        other = chance.choice(sorted(self.objects.made))
        if other != self.head:
            base = self.objects.base(self.head, other)
            files = merged(base, self.files, self.objects.made[other].files, chance)
            self._to(self._commit(files, (self.head, other), chance))

    @precondition(lambda self: self.head)
    @rule(chance=chances)
    def take_their_side_and_take_it_back(self, chance: Random) -> None:
        """What a merge hides of its first parent's history is there again without it."""
        ours = self.head
        self.commit(chance)
        theirs, self.heads[self.branch] = self.head, ours
        self.commit(chance)
        before = self.head
        self._to(self._commit(self.objects.made[theirs].files, (before, theirs), chance))
        self.a_reader_finds_what_is_built_anew()
        self._to(before)

    @precondition(lambda self: self.head)
    @rule(chance=chances, onto=branches)
    def rebase(self, chance: Random, onto: str) -> None:
        target = self.heads.get(onto, "")
        if not target or target == self.head:
            return
        known = set(self.objects.ancestors(target))
        picked = [oid for oid in self.objects.ancestors(self.head) if oid not in known]
        for oid in reversed(picked):
            old = self.objects.made[oid]
            base = self.objects.made[old.parents[0]].files if old.parents else {}
            files = merged(base, self.objects.made[target].files, old.files, chance)
            target = self._commit(files, (target,), chance)
        self._to(target)

    @precondition(lambda self: self.head)
    @rule(chance=chances)
    def reset(self, chance: Random) -> None:
        self._to(chance.choice(self.objects.ancestors(self.head)))

    @precondition(lambda self: self.head)
    @rule(name=branches)
    def switch(self, name: str) -> None:
        """To a branch that is there, or to a new one from here."""
        oid = self.heads.setdefault(name, self.head)
        self.branch = name
        self.objects.set_head(name, oid)

    @rule(name=st.sampled_from(("orphan", "other root")))
    def begin_another_history(self, name: str) -> None:
        self.branch = name
        self.objects.set_head(name, self.heads.get(name, ""))

    @precondition(lambda self: self.head)
    @rule()
    def detach(self) -> None:
        oid, self.branch = self.head, DETACHED
        self._to(oid)

    # --- what happens to the sidecar ----------------------------------------------------------------

    @rule()
    def delete_it(self) -> None:
        self.sidecar.unlink(missing_ok=True)

    @rule(chance=chances)
    def damage_it(self, chance: Random) -> None:
        """Truncated, or filled with something else, here and there."""
        if self.sidecar.exists():
            data = bytearray(self.sidecar.read_bytes())
            start = chance.choice((0, 100, chance.randint(0, max(0, len(data) - 1))))
            data[start : start + chance.choice((1, 16, 5000, len(data)))] = chance.choice(
                (b"", b"garbage" * 20, bytes(4096))
            )
            self.sidecar.write_bytes(data)

    @rule(version=st.sampled_from((0, 99)))
    def make_it_older_or_newer(self, version: int) -> None:
        if self.sidecar.exists():
            data = bytearray(self.sidecar.read_bytes())
            data[60:64] = version.to_bytes(4, "big")
            stamp = self.sidecar.stat().st_mtime_ns
            self.sidecar.write_bytes(data)
            os.utime(self.sidecar, ns=(stamp, stamp))

    @rule()
    def another_process_reads(self) -> None:
        another = Reader(self.repository)
        with another.at_head() as (_, degraded, head, *_):
            assert (self._names_what_is_unread(degraded, head), head) == (True, self.head)
        another.close()

    @rule(chance=chances)
    def ask_as_of_any_commit(self, chance: Random) -> None:
        oid = chance.choice(sorted(self.objects.made))
        with self.reader.as_of(oid) as (db, degraded, head, *_):
            assert (self._names_what_is_unread(degraded, oid), head) == (True, oid)
            assert differences(state_of(db), self._anew(oid)) == []

    @rule()
    def close_the_reader(self) -> None:
        self.reader.close()

    # --- what holds ---------------------------------------------------------------------------------

    @invariant()
    def a_reader_finds_what_is_built_anew(self) -> None:
        anew = self._anew(self.head)
        with self.reader.at_head() as (db, degraded, head, *_):
            assert (self._names_what_is_unread(degraded, head), head) == (True, self.head)
            assert differences(state_of(db), anew) == []
        # A reader builds its file anew where it can't be refreshed; this one is refreshed or fails.
        self.kept.execute("BEGIN")
        refresh(self.repository, self.kept, self.head)
        self.kept.execute("COMMIT")
        assert differences(state_of(self.kept), anew) == []

    def _names_what_is_unread(self, degraded: str, commit: str) -> bool:
        """Whether an answer says just which pages of the commit are no text; nothing where all are."""
        good = next(
            filter(None, (last_good(self.repository, oid) for oid in (commit, self.head) if oid)), None
        )
        if good is None:
            return degraded == ""
        unread = [
            path
            for path, data in sorted(self.objects.made[commit].files.items())
            if not isinstance(data, Link) and decode(data) is None
            if layer_of(path, kind_of(path, good.settings))
        ]
        return bool(degraded) == bool(unread) and all(path in degraded for path in unread[:NAMED])

    def _anew(self, commit: str) -> State:
        anew = memory()
        anew.execute("BEGIN")
        refresh(self.repository, anew, commit)
        found = state_of(anew)
        anew.close()
        return found


def _run(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        History,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=TIMES == 1,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_every_state_equals_a_rebuild() -> None:
    _run(12 * TIMES, 12)


def test_every_state_equals_a_rebuild_where_few_events_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with the 10,000 of a long history: older ones are forgotten, and judged again after a reset."""
    for module in (revisions, chronicle):
        monkeypatch.setattr(module, "MOST_EVENTS", 9)
    monkeypatch.setattr(chronicle, "STEPS_BACK", 2)
    _run(8 * TIMES, 12)


@pytest.mark.slow
def test_every_state_of_long_histories_equals_a_rebuild() -> None:
    _run(20 * TIMES, 60)
