"""What audit advises is followed, to the letter and through the hooks, and then nothing is open any more."""

from __future__ import annotations

import os
import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from hooks.gated import AS_AGENT, install_hooks
from pages import AGENT, KEY, SETTINGS, archived, board, card, ledger

from wbmem_git.cli import main
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.audit import Audit, audit

if TYPE_CHECKING:
    from memory import Memory

    from wbmem_git.model import Actor

TWO, ONE = board(card("Alpha"), card("Beta")), board(card("Alpha"))
BETA_PATH, BETA_TEXT = archived("Beta", card("Beta"))
LEDGER, LATER = "handoff-20260914-101500.md", "handoff-20260915-101500.md"
LOG = "log/2026-09-14.md"
Files = dict[str, str | bytes | None]
PUT_BACK = re.compile(r"git show \S+ > \S+; git add \S+(?=;)")
WBMEM = re.compile(r"wbmem (archive|rescue|allow|fix|remarks)[^;,]*")


def run(memory: Memory) -> Audit:
    with Repository.open(str(memory.top), os.environ) as repository:
        return audit(repository)


def broken(memory: Memory, first: Files, breaks: Files, actor: Actor = "human") -> tuple[str, str]:
    """A memory with hooks in which something came past them; the finding's advice and fingerprint."""
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO, LEDGER: ledger(), **first}, "begin")
    install_hooks(memory)
    memory.commit(breaks, "breaks it", *([f"--author={AGENT}"] if actor == "agent" else []))
    found = run(memory).open[0]
    return found.finding.fix, found.fingerprint


def commit(memory: Memory, env: dict[str, str] | None = None) -> None:
    """As a person commits, hooks and all."""
    memory.git("add", "-A")
    memory.git("commit", "-qm", "mends it", env=env)


def do(memory: Memory, advice: str) -> None:
    """Run the command that stands in an advice."""
    command = PUT_BACK.search(advice)
    assert command is not None, advice
    subprocess.run(["sh", "-ec", command[0]], cwd=memory.top, check=True)


def wbmem(memory: Memory, monkeypatch: pytest.MonkeyPatch, advice: str, *more: str) -> None:
    """Run the `wbmem` command that stands in an advice."""
    command = WBMEM.search(advice)
    assert command is not None, advice
    monkeypatch.chdir(memory.top)
    words = command[0].replace('--reason "…"', "--reason done").split()[1:]
    assert main([*words, *more]) == 0


# --- what is put back -------------------------------------------------------------------------------

CHANGED = ledger("Another text, and that at length, as nobody will notice")
PUT_BACKS: dict[str, tuple[Files, Files]] = {
    "L1 changed": ({}, {LEDGER: CHANGED}),
    "L1 gone": ({}, {LEDGER: None}),
    "L1 a name that a shell reads otherwise": ({}, {LEDGER: None, "a $b; 'c'.md": "x"}),
    "A1 changed": ({"PLAN.md": ONE, BETA_PATH: BETA_TEXT}, {BETA_PATH: BETA_TEXT + "more\n"}),
    "A1 gone": ({"PLAN.md": ONE, BETA_PATH: BETA_TEXT}, {BETA_PATH: None}),
    "W1 gone": ({}, {"wbmem.yaml": None}),
}


@pytest.mark.parametrize("case", PUT_BACKS)
def test_what_was_changed_or_is_gone_is_put_back_by_the_command_that_is_named(
    memory: Memory, case: str
) -> None:
    advice, _ = broken(memory, *PUT_BACKS[case])
    do(memory, advice)
    commit(memory)
    assert run(memory).open == ()


def test_an_agent_may_put_back_what_it_changed(memory: Memory) -> None:
    advice, _ = broken(memory, {}, {LEDGER: CHANGED}, "agent")
    do(memory, advice)
    commit(memory, AS_AGENT)
    assert run(memory).open == ()


# --- cards --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [ONE, "# Plan\n\n## Doing\n"])
def test_c2_a_card_is_put_back_or_archived(
    memory: Memory, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice, _ = broken(memory, {}, {"PLAN.md": left})
    wbmem(memory, monkeypatch, advice)
    commit(memory)
    assert run(memory).open == ()


@pytest.mark.parametrize("left", [ONE, "# Plan\n\n## Doing\n"])
def test_c2_a_card_is_brought_back_as_it_stood(
    memory: Memory, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice, _ = broken(memory, {}, {"PLAN.md": left})
    wbmem(memory, monkeypatch, advice.rpartition("; or ")[2])
    commit(memory)
    assert [one.finding.title for one in run(memory).open] == ([] if left == ONE else ["Beta"])


def test_c2_an_archive_file_that_lacks_lines_is_written_anew(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    unfit = BETA_TEXT.replace("Next: work", "Next: play")
    advice, _ = broken(memory, {}, {"PLAN.md": ONE, BETA_PATH: unfit})
    assert advice.startswith(f"put the card back on its page as it was and take {BETA_PATH} out, both in one")
    memory.write("PLAN.md", memory.git("show", advice.split()[-6]) + "\n")
    (memory.top / BETA_PATH).unlink()
    commit(memory)
    wbmem(memory, monkeypatch, advice)
    commit(memory)
    assert run(memory).open == ()


@pytest.mark.parametrize("way", ["off the page", "out of the archive"])
def test_c5_an_archived_card_that_still_stands(memory: Memory, way: str) -> None:
    advice, _ = broken(memory, {}, {BETA_PATH: BETA_TEXT})
    assert advice.startswith(f"take {BETA_PATH} out, with each of its lines in the card on PLAN.md; or")
    if way == "off the page":
        memory.write("PLAN.md", ONE)
    else:
        (memory.top / BETA_PATH).unlink()
    commit(memory)
    assert run(memory).open == ()


def test_c5_a_new_card_of_an_archived_title(memory: Memory) -> None:
    new = board(card("Alpha"), card("Beta", "Next: quite another thing"))
    advice, _ = broken(memory, {"PLAN.md": ONE, BETA_PATH: BETA_TEXT}, {"PLAN.md": new})
    assert "with each of its lines" in advice
    both = card("Beta", "Next: work on Beta as the ticket says\nNext: quite another thing")
    memory.write("PLAN.md", board(card("Alpha"), both))
    (memory.top / BETA_PATH).unlink()
    commit(memory)
    assert run(memory).open == ()


# --- what nobody edits any more -----------------------------------------------------------------------


def test_h_a_later_ledger_closes_what_a_committed_one_lacks(memory: Memory) -> None:
    bad = "# Handoff\n\n## Goals\n\nTODO\n"
    advice, _ = broken(memory, {}, {LATER: bad})
    assert advice.startswith("a committed one is changed no more: write a later one that passes")
    memory.write("handoff-20260916-101500.md", ledger())
    commit(memory)
    assert run(memory).open == ()


def test_e1_and_g_on_a_ledger_a_person_lets_it_stand(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    advice, fingerprint = broken(memory, {}, {LATER: ledger() + "\0"})
    assert advice.startswith(f"{LATER} isn't changed any more")
    assert advice.endswith(f"; or a person lets it stand: wbmem allow {fingerprint}")
    wbmem(memory, monkeypatch, advice)
    assert run(memory).open == ()


def test_g5_a_credential_is_revoked_and_a_person_closes_it(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice, fingerprint = broken(memory, {}, {"PLAN.md": TWO + "\npassword: correct-Horse-7battery!\n"})
    assert advice.endswith(f"wbmem allow {fingerprint}")
    wbmem(memory, monkeypatch, advice)
    assert run(memory).open == ()


def test_g5_what_no_remote_has_is_committed_anew_without_it(memory: Memory) -> None:
    secret = "password: correct-Horse-7battery!"
    advice, _ = broken(memory, {}, {"PLAN.md": f"{TWO}\n{secret}\n"})
    memory.commit({"PLAN.md": TWO, LOG: "- later\n"}, "taken out of the page")
    command = re.search(r"git -C \S+ reset --soft [0-9a-f]+", advice)
    assert command is not None
    subprocess.run(command[0].split(), check=True)
    commit(memory)
    assert secret not in memory.git("log", "-p", "HEAD")
    assert memory.read(LOG) == "- later\n"
    assert run(memory).open == ()


def test_g5_what_a_remote_has_is_revoked(memory: Memory) -> None:
    memory.git("update-ref", "refs/remotes/origin/main", memory.commit({"wbmem.yaml": SETTINGS}, "there"))
    bad = memory.commit({"PLAN.md": f"{TWO}\npassword: correct-Horse-7battery!\n"}, "pushed")
    assert "reset --soft" in run(memory).open[0].finding.fix
    memory.git("update-ref", "refs/remotes/origin/main", bad)
    assert run(memory).open[0].finding.fix.startswith("revoke it")


# --- pages --------------------------------------------------------------------------------------------


def test_e1_a_conflict_is_resolved_on_the_page(memory: Memory) -> None:
    conflict = TWO + "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"
    advice, _ = broken(memory, {}, {"PLAN.md": conflict})
    assert advice.startswith("keep what holds of both sides and take the three marker lines out")
    memory.write("PLAN.md", TWO + "x\ny\n")
    commit(memory)
    assert run(memory).open == ()


@pytest.mark.parametrize("path", ["PLAN.md", LOG])
def test_g4_a_line_is_taken_out(memory: Memory, path: str) -> None:
    text = TWO if path == "PLAN.md" else "one\n"
    advice, _ = broken(memory, {path: text}, {path: f"{text}\n{'aB3d' * 60}\n"}, "agent")
    assert f" it out of {path}, and commit that; or a person" in advice
    memory.write(path, text)
    commit(memory)
    assert run(memory).open == ()


def test_c1_fix_adds_an_anchor(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    new = board(card("Alpha"), card("Beta"), card("New", anchor=""))
    advice, _ = broken(memory, {}, {"PLAN.md": new}, "agent")
    wbmem(memory, monkeypatch, advice.partition(" adds")[0])
    commit(memory)
    assert run(memory).open == ()


def test_w1_the_key_is_written_again(memory: Memory) -> None:
    advice, _ = broken(memory, {}, {"wbmem.yaml": SETTINGS.replace(KEY, "other-12345678")})
    assert advice.startswith(f"write `workspace: {KEY}` again; or a person")
    memory.write("wbmem.yaml", SETTINGS)
    commit(memory)
    assert run(memory).open == ()


# --- what is a person's -------------------------------------------------------------------------------


def test_u1_a_person_writes_the_zone(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = board(card("Alpha", user="mine"), card("Beta"))
    theirs = board(card("Alpha", user="an agent's"), card("Beta"))
    advice, _ = broken(memory, {"PLAN.md": mine}, {"PLAN.md": theirs}, "agent")
    assert advice.startswith("a person writes the zone as it should be (git show ")
    assert "mine" in memory.git("show", advice.partition("git show ")[2].split()[0])
    memory.write("PLAN.md", board(card("Alpha", user="mine, again"), card("Beta")))
    wbmem(memory, monkeypatch, advice)
    assert run(memory).open == ()


@pytest.mark.parametrize(
    ("path", "first", "breaks", "mends"),
    [
        (LOG, "one\ntwo\nthree\n", "one\nthree\n", "one\ntwo\nthree\n"),
        (
            "USER.md",
            "# Me\n\n## Likes\n\ntea\n",
            "# Me\n\n## Likes\n\ncoffee\n",
            "# Me\n\n## Likes\n\nboth\n",
        ),
        (".gitattributes", "a\n", "b\n", "c\n"),
    ],
)
def test_l2_u2_w3_a_person_commits_what_it_should_say(
    memory: Memory, path: str, first: str, breaks: str, mends: str
) -> None:
    advice, fingerprint = broken(memory, {path: first}, {path: breaks}, "agent")
    assert advice.startswith("a person ")
    assert advice.endswith(f"; or a person lets it stand: wbmem allow {fingerprint}")
    memory.write(path, mends)
    commit(memory)
    assert run(memory).open == ()


# --- what a rewrite lost --------------------------------------------------------------------------------


def lost(memory: Memory) -> dict[str, str]:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE}, "begin")
    install_hooks(memory)
    memory.commit({"PLAN.md": TWO, LEDGER: ledger()})
    run(memory)
    memory.git("reset", "-q", "--hard", "HEAD~1")
    return {each.finding.title or each.finding.path: each.finding.fix for each in run(memory).lost}


@pytest.mark.parametrize("way", ["rescue", "archive"])
def test_what_a_rewrite_lost_is_put_back_or_archived(
    memory: Memory, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = lost(memory)
    do(memory, advice[LEDGER])
    wbmem(memory, monkeypatch, advice["Beta"][advice["Beta"].index(f"wbmem {way}") :])
    commit(memory)
    assert (run(memory).lost, run(memory).open) == ((), ())
    assert (BETA_PATH in memory.git("ls-files")) == (way == "archive")


def test_what_a_rewrite_lost_is_let_go_by_its_fingerprint(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    for advice in lost(memory).values():
        wbmem(memory, monkeypatch, advice.rpartition("; ")[2])
    assert run(memory).lost == ()


# --- as it is printed -----------------------------------------------------------------------------------


def test_a_line_that_there_isnt_is_not_printed(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken(memory, {}, {LEDGER: None})
    monkeypatch.chdir(memory.top)
    assert main(["audit"]) == 1
    said = capsys.readouterr().out
    assert f" {LEDGER}: L1 " in said
    assert ":0:" not in said
