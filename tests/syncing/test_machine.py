"""Two clones that write, sync, push, pull, rebase and go past the gate: nothing that was written vanishes.

Every write holds a token of its own. Where both edit the same line one of them decides, as sync tells, and
what he leaves out is given up. What else each clone has committed has to be in its HEAD ever after, whatever
comes from the other one, and both have the same in the end.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from pages import archived, card, id_of, ledger
from syncing.clones import Pair
from text.spec import TIMES

from wbmem_git.text.names import is_ledger

if TYPE_CHECKING:
    from syncing.clones import Clone

    from wbmem_git.verbs.choose import Choice
    from wbmem_git.verbs.sync.sync import SyncReport

LOG = "log/2026-09-14.md"
SECOND = "handoff-20260914-101500"
who = st.sampled_from(["ada", "bo"])
choices = st.sampled_from(["ours", "theirs", "both"])
SETTLED: Counter[str] = Counter()
"""How often each choice was made."""


class Writers(RuleBasedStateMachine):
    """The two of them."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="clones-"))
        self.pair = Pair.of(self.folder)
        self.number = 0
        self.written: dict[str, set[str]] = {"ada": set(), "bo": set()}
        self.state = {"ada": "", "bo": ""}
        self.own: dict[str, list[str]] = {"ada": [], "bo": []}
        self.clone("ada").memory.commit(
            {"PLAN.md": self.clone("ada").memory.read("PLAN.md") + "\n" + card("Shared", user="ask Ada")}
        )
        self.sync("ada", "both")
        self.sync("bo", "both")

    def teardown(self) -> None:
        if not hasattr(self, "pair"):
            return
        for name in ("ada", "bo", "ada"):
            self.sync(name, "both")
        heads = {self.clone(name).memory.head() for name in ("ada", "bo")}
        assert heads == {self.pair.tip()}
        assert self.tokens("ada") >= self.written["ada"] | self.written["bo"]
        for name in ("ada", "bo"):
            self.clone(name).memory.git("fsck", "--strict")
        shutil.rmtree(self.folder)

    # --- what they write ------------------------------------------------------------------------------

    @rule(name=who)
    def add_a_card(self, name: str) -> None:
        token = self.token(name)
        self.own[name].append(f"{name} {token}")
        self.append(name, card(f"{name} {token}", token))

    @rule(name=who, number=st.integers(1, 2))
    def add_a_card_that_the_other_may_add_too(self, name: str, number: int) -> None:
        if id_of(f"Common {number}") not in self.read(name):
            self.append(name, card(f"Common {number}", self.token(name)))

    @rule(name=who)
    def edit_the_own_card(self, name: str) -> None:
        """What it said before is given up, by who wrote it."""
        title = {"ada": "Alpha", "bo": "Beta"}[name]
        before = self.state[name]
        self.state[name] = self.token(name)
        self.written[name].discard(before)
        old = before or f"Next: work on {title} as the ticket says"
        self.put(name, {"PLAN.md": self.read(name).replace(f"\n{old}\n", f"\n{self.state[name]}\n")})

    @rule(name=who)
    def remark(self, name: str) -> None:
        text = self.read(name)
        at = text.index("<!-- /user -->", text.index("### Shared"))
        self.put(name, {"PLAN.md": f"{text[:at]}{self.token(name)}\n{text[at:]}"})

    @rule(name=who)
    def edit_the_card_of_both(self, name: str) -> None:
        """What it said there before is given up, whoever wrote it."""
        text = self.read(name)
        kept = [line for line in text.split("\n") if not line.startswith("shared ")]
        at = kept.index("Next: work on Shared as the ticket says")
        self.give_up(_shared_tokens(text))
        kept.insert(at, f"shared {self.token(name)}")
        self.put(name, {"PLAN.md": "\n".join(kept)})

    @rule(first=who, choice=choices)
    def both_edit_the_same_card_and_sync(self, first: str, choice: Choice) -> None:
        second = "bo" if first == "ada" else "ada"
        self.edit_the_card_of_both(first)
        self.edit_the_card_of_both(second)
        self.sync(first, "both")
        self.sync(second, choice)

    @rule(name=who)
    def log(self, name: str) -> None:
        place = self.clone(name).memory.top / LOG
        said = place.read_text() if place.exists() else "# 2026-09-14\n\n"
        self.put(name, {LOG: f"{said}- {self.token(name)}\n"})

    @rule(name=who)
    def close_with_a_ledger(self, name: str) -> None:
        taken = {file.name for file in self.clone(name).memory.top.iterdir() if is_ledger(file.name)}
        free = next(path for letter in ("", *"bcdefghijklmnop") if (path := _named(letter)) not in taken)
        self.put(name, {free: ledger(f"{self.token(name)}; next: `make test` in the store")})

    @rule(name=who)
    def archive_an_own_card(self, name: str) -> None:
        for title in self.own[name]:
            text = self.read(name)
            whole = card(title, title.split()[1])
            path, file = archived(title, whole)
            if f"\n{whole}" in text and not (self.clone(name).memory.top / path).exists():
                self.put(name, {"PLAN.md": text.replace(f"\n{whole}", ""), path: file})
                return

    @rule(name=who)
    def lose_an_own_card_past_the_gate(self, name: str) -> None:
        for title in self.own[name]:
            text = self.read(name)
            whole = card(title, title.split()[1])
            if f"\n{whole}" in text:
                self.own[name].remove(title)
                self.written[name].discard(title.split()[1])
                self.put(name, {"PLAN.md": text.replace(f"\n{whole}", "")})
                return

    # --- how it gets to the other one -------------------------------------------------------------------

    @rule(name=who, choice=choices)
    def sync(self, name: str, choice: Choice) -> None:
        """Where a person has to decide, he does so, and sync goes on."""
        it = self.clone(name)
        report = it.sync()
        if report.conflicts:
            assert it.clean()
            self.decide(name, report, choice)
            report = it.sync()
        assert report.conflicts == ()
        assert report.pushed
        assert it.clean()
        self.see(name)

    def decide(self, name: str, report: SyncReport, choice: Choice) -> None:
        """As sync says: git merge, wbmem resolve, git commit. What the choice leaves out is given up."""
        assert [one.id for one in report.conflicts] == [id_of("Shared")]
        memory, workspace = self.clone(name).memory, self.clone(name).workspace
        mine, other = (
            _shared_tokens(memory.git("show", f"{rev}:PLAN.md")) for rev in ("HEAD", report.theirs)
        )
        assert memory.try_git(*report.next.split()[1:]).returncode == 1
        (left,) = workspace.resolve().left
        assert (left.id, left.title) == (id_of("Shared"), "Shared")
        settled = workspace.resolve(left.id, choice)
        assert settled.left == ()
        memory.git("commit", "-q", "--no-edit")
        gone: set[str] = {"ours": other - mine, "theirs": mine - other, "both": set()}[choice]
        self.give_up(gone)
        now = _shared_tokens(self.read(name))
        assert now == {"ours": mine, "theirs": other, "both": mine | other}[choice]
        SETTLED[choice] += 1

    @rule(name=who)
    def push_by_git(self, name: str) -> None:
        self.clone(name).memory.try_git("push", "-q", "origin", "main")

    @rule(name=who, how=st.sampled_from(["--rebase", "--no-rebase", "--ff-only"]))
    def pull_by_git(self, name: str, how: str) -> None:
        """Where git's own merge leaves markers, the person gives it up."""
        memory = self.clone(name).memory
        if memory.try_git("pull", "-q", "--no-edit", how, "origin", "main").returncode:
            memory.try_git("rebase", "--abort")
            memory.try_git("merge", "--abort")
        self.see(name)

    # --- what holds -----------------------------------------------------------------------------------

    def clone(self, name: str) -> Clone:
        return self.pair.ada if name == "ada" else self.pair.bo

    def token(self, name: str) -> str:
        self.number += 1
        token = f"token-{name}-{self.number:03}"
        self.written[name].add(token)
        return token

    def give_up(self, tokens: set[str]) -> None:
        for written in self.written.values():
            written.difference_update(tokens)

    def read(self, name: str) -> str:
        return self.clone(name).memory.read("PLAN.md")

    def append(self, name: str, text: str) -> None:
        self.put(name, {"PLAN.md": f"{self.read(name)}\n{text}"})

    def put(self, name: str, files: dict[str, str | bytes | None]) -> None:
        self.clone(name).memory.commit(files)
        self.see(name)

    def see(self, name: str) -> None:
        """All that the clone has committed itself is in its HEAD."""
        assert self.tokens(name) >= self.written[name]

    def tokens(self, name: str) -> set[str]:
        said = self.clone(name).memory.git("grep", "-ohE", "token-[a-z]+-[0-9]+", "HEAD", check=False)
        return set(said.split())


def _shared_tokens(text: str) -> set[str]:
    """What both write at one place of one card."""
    return {line.split()[1] for line in text.split("\n") if line.startswith("shared ")}


def _named(letter: str) -> str:
    return f"{SECOND}{'-' * bool(letter)}{letter}.md"


def test_every_write_is_there_in_the_end() -> None:
    run_state_machine_as_test(
        Writers,
        settings=settings(
            max_examples=5 * TIMES,
            stateful_step_count=12,
            deadline=None,
            derandomize=TIMES == 1,
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert SETTLED, "nobody ever had to decide"


@pytest.mark.parametrize(("first", "choice"), [("ada", "ours"), ("bo", "theirs"), ("ada", "both")])
def test_what_is_decided_comes_to_both_and_can_be_edited_again(first: str, choice: Choice) -> None:
    it = Writers()
    it.begin()
    before = SETTLED[choice]
    it.remark("ada")
    for _ in range(2):
        it.both_edit_the_same_card_and_sync(first, choice)
        it.add_a_card("bo")
    assert SETTLED[choice] >= before + 2
    it.teardown()
