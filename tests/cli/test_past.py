"""`versions`, `show`, `diff`, `blame` as a person or a program types them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from pages import AGENT, card, id_of

if TYPE_CHECKING:
    from desk import Desk, Run

ID = re.compile(r"mem_[0-9a-f]{32}")


@pytest.fixture
def it(it: Desk) -> Desk:
    """A desk with a second commit, by an agent."""
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.commit({}, "测试 beta", "--author", AGENT)
    return it


def answer(run: Run, *args: str) -> Any:
    status, out, err = run(*args, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


def test_json_is_what_the_workspace_returns(it: Desk, run: Run) -> None:
    ask, beta = it.workspace, id_of("Beta")
    assert answer(run, "versions", beta) == ask.versions(beta)
    assert answer(run, "versions", "PLAN.md", "--as-of", "HEAD~1") == ask.versions("PLAN.md", as_of="HEAD~1")
    assert answer(run, "show", beta) == ask.show(beta)
    assert answer(run, "show", beta, "HEAD~1") == ask.show(beta, "HEAD~1")
    assert answer(run, "show", beta, "--as-of", "HEAD~1") == ask.show(beta, as_of="HEAD~1")
    assert answer(run, "show", beta, "--rev", "HEAD~1") == ask.show(beta, "HEAD~1")
    assert answer(run, "diff", beta) == ask.diff(beta)
    assert answer(run, "diff", beta, "HEAD~1", "HEAD") == ask.diff(beta, "HEAD~1", "HEAD")
    assert answer(run, "diff", beta, "--as-of", "HEAD~1") == ask.diff(beta, as_of="HEAD~1")
    assert answer(run, "blame", beta) == ask.blame(beta)
    assert answer(run, "blame", beta, "--as-of", "HEAD~1") == ask.blame(beta, as_of="HEAD~1")


def test_versions_are_a_table(it: Desk, run: Run) -> None:
    head = it.memory.git("rev-parse", "--short=12", "HEAD")
    status, out, err = run("versions", id_of("Beta")[4:12])
    assert (status, err) == (0, "")
    first, second, third = out.splitlines()
    assert first == f"{id_of('Beta')}  PLAN.md"
    assert re.fullmatch(
        rf"  \d{{4}}-\d\d-\d\d \d\d:\d\d  edited   {head}  Bot \(agent\)  PLAN\.md  测试 beta", second
    )
    assert re.search(r"  created  [0-9a-f]{12}  Ada          PLAN\.md  a commit$", third)


def test_what_tells_of_the_past_says_that_a_clone_is_shallow(
    it: Desk, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    beta = id_of("Beta")
    asked = (("versions", beta), ("diff", beta), ("blame", beta), ("show", beta, "HEAD"), ("trace", beta))
    assert all("shallow" not in run(*words)[2] for words in asked)
    it.memory.git("clone", "-q", "--depth", "1", f"file://{it.memory.top}", "../clone/handoff")
    monkeypatch.chdir(it.memory.top.parent / "clone/handoff")
    for words in asked:
        assert "note: this clone is shallow: what was before its first commits isn't here\n" in run(*words)[2]
        assert "shallow" in json.loads(run(*words, "--json")[1])["degraded"]
    assert "shallow" not in run("show", beta)[2]  # it speaks of the present


def test_versions_of_a_page_that_is_gone(it: Desk, run: Run) -> None:
    it.memory.commit({"MEMORY.md": None}, "gone")
    _, out, _ = run("versions", "MEMORY.md")
    assert "is no more" in out.splitlines()[0]
    assert [line.split()[2] for line in out.splitlines()[1:]] == ["removed", "created"]


def test_show_prints_the_text_and_nothing_else(it: Desk, run: Run) -> None:
    status, out, err = run("show", id_of("Beta"), "HEAD~1")
    assert (status, out) == (0, card("Beta"))
    assert err == f"PLAN.md:15 at {it.memory.git('rev-parse', '--short=12', 'HEAD~1')}\n"
    _, out, _ = run("show", "PLAN.md")
    assert out == it.memory.git("show", "HEAD:PLAN.md") + "\n"


def test_diff_is_a_unified_diff(it: Desk, run: Run) -> None:
    status, out, err = run("diff", id_of("Beta"))
    assert (status, err) == (0, "")
    assert re.fullmatch(r"--- PLAN\.md [0-9a-f]{12}\n\+\+\+ PLAN\.md [0-9a-f]{12}\n@@ .*", out, re.DOTALL)
    assert "\n-Next: work on Beta as the ticket says\n+Next: Beta is nearly done\n" in out
    status, out, err = run("diff", id_of("Alpha"), "HEAD~1")
    assert (status, out) == (0, "")
    assert err.startswith("the text is the same: PLAN.md at ")
    assert it


def test_blame_names_who_wrote_each_line(it: Desk, run: Run) -> None:
    status, out, err = run("blame", id_of("Beta"))
    assert (status, err) == (0, "")
    lines = [line for line in out.splitlines()[1:] if line.strip()]
    agents = [line for line in lines if "Bot (agent)" in line]
    assert [line.split("  ")[-1] for line in agents] == ["Next: Beta is nearly done"]
    assert re.match(r"[0-9a-f]{12}  \d{4}-\d\d-\d\d  Ada +15  ### Beta$", lines[0])
    assert it


def test_mistakes_are_sentences(it: Desk, run: Run) -> None:
    it.memory.commit({"PLAN.md": it.memory.read("PLAN.md").replace("### Beta", "### Delta")}, "by hand")
    gone = f"mem_{'0' * 32}"
    for args, said in (
        (("versions", gone), "nothing answers"),
        (("show", "PLAN.md", "HEAD", "--rev", "HEAD"), "give one of them"),
        (("show", "PLAN.md", "nowhere"), "names no commit"),
        (("diff", "abc"), "too short"),
        (("blame", "NOTES.md"), "nothing answers"),
    ):
        status, out, err = run(*args)
        assert (status, out) == (2, ""), args
        assert said in err


def test_no_escape_reaches_the_terminal_and_no_credential_anybody(it: Desk, run: Run) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    body = f"Next: \x1b[31mred \u202e token {secret}\tand a tab"
    it.memory.commit({"PLAN.md": f"# Plan\n\n## Doing\n\n{card('Evil', body)}"}, f"\x1b[2J {secret}")
    it.memory.commit({"PLAN.md": f"# Plan\n\n## Doing\n\n{card('Evil', body + 'x')}"}, "more")
    for command in ("versions", "show", "diff", "blame"):
        for wanted in (id_of("Evil"), "PLAN.md"):
            for extra in ((), ("--json",)):
                status, out, err = run(command, wanted, *extra)
                assert status == 0
                assert secret not in out + err
                assert not re.search(r"[\x1b\u202e]", out + err)
    _, out, _ = run("show", id_of("Evil"))
    assert "\tand a tab" in out


def test_a_private_key_over_several_lines_is_masked_as_a_whole(it: Desk, run: Run) -> None:
    inside = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
    key = f"-----BEGIN PRIVATE KEY-----\n{inside}\n-----END PRIVATE KEY-----"
    it.memory.commit({"PLAN.md": f"# Plan\n\n## Doing\n\n{card('Key', key)}"}, "key")
    it.memory.commit({"PLAN.md": f"# Plan\n\n## Doing\n\n{card('Key', f'more {key}')}"}, "key")
    for command in ("show", "trace", "diff", "blame", "versions", "recall", "index"):
        wanted = {"recall": ["private", "key"], "index": []}.get(command, [id_of("Key")])
        for extra in ((), ("--json",)):
            status, out, _ = run(command, *wanted, *extra)
            assert status == 0
            assert inside not in out
    assert it.workspace.expand(inside)["entries"][0]["cues"] == []
    assert inside not in it.workspace.recall(f"{inside} more")["hits"][0]["snippet"]


def test_a_page_is_named_from_where_the_user_is(it: Desk, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (it.memory.top / "log").mkdir()
    for folder, names in (
        (it.memory.top, ("PLAN.md", "./PLAN.md", "PLAN")),
        (it.memory.top.parent, ("handoff/PLAN.md", "PLAN.md")),
        (it.memory.top / "log", ("../PLAN.md", "PLAN.md", "PLAN")),
    ):
        monkeypatch.chdir(folder)
        for name in names:
            assert "  PLAN.md" in run("versions", name)[1].splitlines()[0]
    for name in ("../../etc/passwd", "x" * 5000, "/etc/passwd", "\0"):
        assert run("show", name)[0] == 2


def test_every_id_that_is_told_can_be_asked_for(it: Desk, run: Run) -> None:
    for name in set(ID.findall(it.memory.read("PLAN.md"))):
        for command in ("versions", "show", "diff", "blame", "trace"):
            assert run(command, name[4:12])[0] == 0


def test_why_a_card_was_archived_and_by_what_it_was_superseded(it: Desk, run: Run) -> None:
    alpha, beta = id_of("Alpha"), id_of("Beta")
    it.workspace.archive([beta], "said twice", now="2026-11-30T10:00:00Z", superseded_by=alpha, commit=True)
    for command in ("versions", "trace"):
        said = answer(run, command, beta)
        assert list(said)[-2:] == ["successor", "reason"]
        assert (said["successor"], said["reason"]) == (alpha, "said twice")
        _, out, err = run(command, beta)
        assert "archived: said twice" in out + err
        assert f"superseded by {alpha}: wbmem {command} {alpha[4:12]}" in out + err
    assert not {"successor", "reason"} & set(answer(run, "versions", alpha))


def test_why_a_card_was_archived_holds_no_credential(it: Desk, run: Run) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    name = id_of("Beta")
    it.workspace.archive([name], f"token {secret}", now="2026-11-30T10:00:00Z")
    it.memory.commit({}, "past the gate")
    for command in ("versions", "trace"):
        for extra in ((), ("--json",)):
            assert secret not in "".join(map(str, run(command, name, *extra)))
    assert secret not in str((it.workspace.versions(name), it.workspace.trace(name)))


def test_as_of_a_commit_nothing_is_known_of_a_later_rename(it: Desk, run: Run) -> None:
    name = id_of("Beta")
    then = it.memory.git("rev-parse", "HEAD")
    new = it.workspace.rename(name, "Delta", now="2026-11-30T10:00:00Z", commit=True).id
    for asked in (("show", name), ("versions", name), ("trace", name)):
        assert new not in "".join(map(str, run(*asked, "--as-of", then)))
    assert answer(run, "show", name, then)["successor"] == new
    assert run("show", name, "--as-of", then)[1] == run("show", name, then)[1]
    for asked in (("show", new), ("versions", new)):
        status, _, err = run(*asked, "--as-of", then)
        assert status == 2
        assert f"next: wbmem index --lines --as-of {then} lists what there was" in err


@pytest.mark.parametrize(
    ("wanted", "way"),
    [
        ("周报", "wbmem recall WORDS"),
        ("Fix the login", "wbmem recall WORDS"),
        ("NOTES.md", "wbmem index --lines"),
        ("boards/x", "wbmem index --lines"),
        ("deadbeef", "wbmem status lists"),
        ("mem_0123456789abcdef", "wbmem status lists"),
    ],
)
@pytest.mark.usefixtures("it")
def test_what_nothing_answers_to_is_led_where_it_may_be(run: Run, wanted: str, way: str) -> None:
    for command in ("versions", "show", "trace", "blame", "diff"):
        status, _, err = run(command, wanted)
        assert status == 2
        assert f"next: {way}" in err
