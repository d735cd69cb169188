"""What is passed over in history is that in which the whole gate would find nothing."""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pytest
import wild
from memory import Memory
from pages import AGENT, KEY, SETTINGS, archived, board, card, id_of, ledger
from pasts import make, one_after_the_other, opened
from text.spec import TIMES
from wild import make_wild

from wbmem_git.text.ids import card_id
from wbmem_git.verbs import audit as audits
from wbmem_git.verbs.arriving import check_arriving, check_commits
from wbmem_git.verbs.audit import Audit, audit
from wbmem_git.verbs.history import History
from wbmem_git.verbs.past.bases import Bases
from wbmem_git.verbs.past.harmless import Walk
from wbmem_git.verbs.past.verdicts import Harmless

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.model import Finding, Verdict
    from wbmem_git.store.commits import Commit
    from wbmem_git.store.history import Step
    from wbmem_git.verbs.governing import Side
    from wbmem_git.verbs.history import Found

HUMAN = "Ada <ada@example.org>"
LEDGER = "handoff-20260914-101500.md"
STILL_GONE = "_is_still_gone"


class Walks:
    """Counts the commits that are gone over and those that the gate judges; or lets it judge everything."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_on = True
        self.seen: Counter[str] = Counter()
        look, visit, is_still_gone = Walk.look, History.visit, getattr(History, STILL_GONE)

        def looking(walk: Walk, step: Step) -> Harmless:
            self.seen["gone over"] += 1
            return look(walk, step) if self.is_on else Harmless(False)

        def visiting(of: History, commit: Commit) -> Verdict:
            self.seen["judged"] += 1
            return visit(of, commit)

        def asking(of: History, found: Found, tip: Side) -> bool:
            return self.is_on and is_still_gone(of, found, tip)

        monkeypatch.setattr(Walk, "look", looking)
        monkeypatch.setattr(History, "visit", visiting)
        monkeypatch.setattr(History, STILL_GONE, asking)

    def take(self) -> Counter[str]:
        """What was counted since the last time."""
        seen, self.seen = self.seen, Counter()
        return seen


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> Walks:
    return Walks(monkeypatch)


def audited(memory: Memory, *, use_mark: bool = False) -> Audit:
    with opened(memory.top) as repository:
        return audit(repository, use_mark=use_mark)


def told(memory: Memory, old: str, new: str) -> tuple[list[tuple[str, list[Finding]]], ...]:
    """What a hook tells of the commits in `old..new`, and what every one of them has that is to be told."""
    with opened(memory.top) as repository:
        limits = [old] if old else []
        some = check_arriving(repository, new, limits)
        wanted = [new, *(f"^{each}" for each in limits)]
        commits = repository.rev_list("--topo-order", "--reverse", *wanted)
        every = check_commits(repository, commits, new)
    sides = []
    for verdicts in (some, every):
        found = [
            (verdict.commit, [f for f in verdict.findings if f.severity != "note"]) for verdict in verdicts
        ]
        sides.append(
            [(oid, each) for oid, each in found if any(f.severity == "hard" and not f.already for f in each)]
        )
    return tuple(sides)


def the_same(memory: Memory, walks: Walks, dice: random.Random) -> Audit:
    """What an audit and a push say, with and without the shortcuts, at once and in parts."""
    oids = memory.git("rev-list", "--topo-order", "--reverse", "HEAD").split()
    walks.is_on = False
    whole = audited(memory)
    walks.is_on = True
    assert audited(memory) == whole
    memory.git("update-ref", "refs/heads/part", "HEAD")
    memory.git("symbolic-ref", "HEAD", "refs/heads/part")
    for at in sorted(dice.choices(range(len(oids)), k=2)):
        memory.git("update-ref", "refs/heads/part", oids[at])
        audited(memory, use_mark=True)
    memory.git("update-ref", "refs/heads/part", oids[-1])
    assert audited(memory, use_mark=True) == whole._replace(branch="part")
    for old in ("", oids[dice.randrange(len(oids))]):
        some, every = told(memory, old, oids[-1])
        assert some == every
    return whole


@pytest.mark.parametrize("seed", range(3 * TIMES))
def test_random_merges_of_every_kind(tmp_path: Path, seed: int, walks: Walks) -> None:
    dice = random.Random(seed)
    oids = make(tmp_path / "m", dice, 20)
    memory = Memory(tmp_path / "m")
    memory.git("update-ref", "refs/heads/main", oids[-1])
    the_same(memory, walks, dice)


@pytest.mark.parametrize("seed", range(2 * TIMES))
@pytest.mark.parametrize("anchored", [1, 0.5])
@pytest.mark.parametrize("wrong", [0.02, 0.2])
def test_random_bypasses(  # noqa: PLR0917  # what is drawn, and fixtures
    tmp_path: Path,
    seed: int,
    anchored: float,
    wrong: float,
    walks: Walks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wild, "ANCHORED", anchored)
    dice = random.Random(1000 + seed)
    found = the_same(make_wild(tmp_path / "m", dice, 30, wrong=wrong, merges=0.1), walks, dice)
    if wrong > 0.1:
        assert found.open or found.mended


def test_of_what_usually_happens_the_gate_judges_the_first_commit_alone(memory: Memory, walks: Walks) -> None:
    alpha, beta, gamma = card("Alpha", user="keep"), card("Beta"), card("Gamma")
    own, text = archived("Beta", beta)
    steps = [{"wbmem.yaml": SETTINGS, "PLAN.md": board(alpha, beta)}]
    for files in (
        {"PLAN.md": board(alpha, gamma, beta)},
        {"PLAN.md": board(alpha, gamma), own: text},
        {"PLAN.md": board(alpha.replace("2026-09-14", "2026-10-01"), gamma)},
        {LEDGER: ledger(), "log/2026-09-14.md": "# Log\n"},
        {"log/2026-09-14.md": "# Log\n- moved\n"},
    ):
        steps.append(steps[-1] | files)
    one_after_the_other(memory, [(files, AGENT, "a step") for files in steps])
    assert audited(memory).exit_status == 0
    assert walks.take() == {"gone over": 6, "judged": 1}


def test_under_an_earlier_key_too(memory: Memory, walks: Walks) -> None:
    other = "other-89abcdef"
    alpha, beta = (card(title, anchor=card_id(other, "PLAN.md", title)) for title in ("Alpha", "Beta"))
    before = {"wbmem.yaml": SETTINGS.replace(KEY, other)}
    steps = [
        before | {"PLAN.md": board(alpha, beta)},
        before | {"PLAN.md": board(alpha, beta.replace("work on", "go on with"))},
        {"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha"), card("Beta", "go on with Beta"))},
        {"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha", "do it"), card("Beta", "go on with Beta"))},
    ]
    one_after_the_other(memory, [(files, HUMAN, "a step") for files in steps])
    audited(memory)
    assert walks.take()["judged"] <= 3


def test_what_refuses_is_told_by_the_gate_itself(memory: Memory, walks: Walks) -> None:
    begun = {"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha"), card("Beta")), LEDGER: ledger()}
    steps = [begun, begun | {"PLAN.md": board(card("Alpha"))}, begun | {"PLAN.md": board(card("Alpha"))}]
    one_after_the_other(memory, [(files, HUMAN, "a step") for files in steps])
    (found,) = audited(memory).open
    assert (found.finding.rule, found.finding.card) == ("C2", id_of("Beta"))
    assert the_same(memory, walks, random.Random(1)).open == (found,)


@pytest.mark.parametrize("seed", range(5 * TIMES))
def test_random_an_audit_that_is_stopped_goes_on(
    tmp_path: Path, seed: int, walks: Walks, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audits, "EACH", 1)
    dice = random.Random(4000 + seed)
    oids = make(tmp_path / "m", dice, 25, straight=0.6)
    memory = Memory(tmp_path / "m")
    longest = max(oids[-6:], key=lambda oid: int(memory.git("rev-list", "--count", oid)))
    memory.git("update-ref", "refs/heads/main", longest)
    whole = audited(memory)
    commits = walks.take()["gone over"]
    stop = dice.randrange(commits // 2, commits)
    memory.git("update-ref", "refs/heads/again", "HEAD")
    memory.git("symbolic-ref", "HEAD", "refs/heads/again")
    memory.git("update-ref", "-d", "refs/heads/main")
    look = Walk.look

    def stopped(walk: Walk, step: Step) -> Harmless:
        if walks.seen["gone over"] == stop:
            raise KeyboardInterrupt
        return look(walk, step)

    with monkeypatch.context() as patched:
        patched.setattr(Walk, "look", stopped)
        with pytest.raises(KeyboardInterrupt):
            audited(memory)
    walks.take()
    assert audited(memory, use_mark=True) == whole._replace(branch="again")
    assert walks.take()["gone over"] < commits


@pytest.mark.parametrize("seed", range(6 * TIMES))
def test_random_merge_bases_are_those_of_git(tmp_path: Path, seed: int) -> None:
    oids = make(tmp_path / "m", random.Random(3000 + seed), 30, straight=0.5)
    memory = Memory(tmp_path / "m")
    listed = memory.git("rev-list", "--topo-order", "--reverse", "--parents", *oids).splitlines()
    commits = {oid: tuple(parents) for oid, *parents in map(str.split, listed)}
    known = 0
    for parents in commits.values():
        if len(parents) == 2:
            told = memory.git("merge-base", "--all", *parents, check=False).split()
            base = Bases(commits).of(parents)
            assert base == (told[0] if len(told) == 1 else "")
            known += bool(base)
    assert known
