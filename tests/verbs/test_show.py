"""`show` on real repositories: what stood there, at any commit, wherever and under whatever title."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, NOW, desk
from pages import SETTINGS, card, id_of, ledger

from wbmem_git.errors import GitError, UnknownId
from wbmem_git.verbs.ask.resolve import Gone

if TYPE_CHECKING:
    from pathlib import Path

LEDGER = "handoff-20260914-101500.md"


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_card_at_head_and_before(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    first = it.memory.git("rev-parse", "HEAD")
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    second = it.memory.commit({})
    now, before = it.workspace.show(id_of("Beta")), it.workspace.show(id_of("Beta"), "HEAD~1")
    assert list(now) == ["ok", "id", "commit", "page", "line", "end", "text"]
    assert (now["commit"], before["commit"]) == (second, first)
    assert now["text"].rstrip("\n") == card("Beta", "Next: Beta is nearly done").rstrip("\n")
    assert before["text"].rstrip("\n") == card("Beta").rstrip("\n")
    assert (now["page"], now["line"], before["line"]) == ("PLAN.md", 15, 15)


@pytest.mark.parametrize("layout", ["plain", "crlf", "cr", "bom", "no final newline"])
def test_a_page_is_what_git_show_prints(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    it.memory.commit({"PLAN.md": "# Another\n"})
    for rev in ("HEAD", "HEAD~1"):
        whole = it._blob(f"{rev}:PLAN.md").decode()
        shown = it.workspace.show("PLAN.md", rev)
        assert shown["text"] == whole
        assert shown["end"] == len(
            whole.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n").split("\n")
        )


def test_a_renamed_and_moved_card_is_found_under_its_earlier_title(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.rename(id_of("Beta"), "Omega", now=NOW, commit=True)
    text = it.memory.read("PLAN.md")
    moved = text[text.index("### Omega") : text.index("## Later")]
    it.memory.commit(
        {"PLAN.md": text.replace(moved, ""), "MEMORY.md": f"# Memory\n\n{moved.replace('###', '##')}"}
    )
    omega = id_of("Omega")
    shown = [it.workspace.show(omega, rev) for rev in ("HEAD", "HEAD~1", "HEAD~2")]
    assert [(one["id"], one["page"]) for one in shown] == [
        (omega, "MEMORY.md"),
        (omega, "PLAN.md"),
        (id_of("Beta"), "PLAN.md"),
    ]
    assert shown[2]["text"].startswith("### Beta\n")


def test_an_archived_card_is_its_archive_file(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.archive([id_of("Gamma")], "done", now=NOW, commit=True)
    shown = it.workspace.show(id_of("Gamma"))
    assert shown["page"] == f"archive/{id_of('Gamma')}.md"
    assert "work on Gamma" in shown["text"]
    assert it.workspace.show(id_of("Gamma"), "HEAD~1")["page"] == "PLAN.md"


def test_what_is_gone_says_how_to_see_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"PLAN.md": it.memory.read("PLAN.md").replace(card("Beta"), "")})
    with pytest.raises(Gone) as caught:
        it.workspace.show(id_of("Beta"))
    assert "wbmem versions" in caught.value.hint
    assert it.workspace.show(id_of("Beta"), "HEAD~1")["text"].startswith("### Beta")


def test_what_did_not_stand_there_yet(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({LEDGER: ledger()})
    created = it.memory.git("rev-parse", "--short=12", "HEAD").strip()
    with pytest.raises(UnknownId, match=f"wasn't there yet in .*: {created} created it on 20") as error:
        it.workspace.show(LEDGER, "HEAD~1")
    assert error.value.hint.endswith(created)
    with pytest.raises(GitError):
        it.workspace.show("PLAN.md", "no-such-commit")
    with pytest.raises(GitError):
        it.workspace.show("PLAN.md", "--all")


def test_another_branch_that_head_knows_nothing_of(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("checkout", "-q", "-b", "side")
    it.memory.commit({"PLAN.md": it.memory.read("PLAN.md") + "\n" + card("Delta")})
    it.edit("work on Beta as the ticket says", "on the side")
    it.memory.commit({})
    it.memory.git("checkout", "-q", "main")
    assert "on the side" in it.workspace.show(id_of("Beta"), "side")["text"]
    assert it.workspace.show(id_of("Delta"), "side")["text"].startswith("### Delta")
    with pytest.raises(UnknownId):
        it.workspace.show(id_of("Delta"))


def test_a_bullet_and_a_section(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({LEDGER: ledger()})
    for entry in it.workspace.expand("type:dead-end")["entries"]:
        shown = it.workspace.show(entry["id"])
        assert "reading the index" in shown["text"]
        assert shown["line"] == entry["line"]
        assert it.workspace.show(entry["id"], "HEAD")["text"] == shown["text"]


def test_a_card_that_moved_past_what_its_versions_know(tmp_path: Path) -> None:
    """A merge goes on with the other side: where the card stood on the hidden one is found by looking."""
    it = desk(tmp_path)
    it.memory.git("checkout", "-q", "-b", "side")
    text = it.memory.read("PLAN.md")
    beta = text[text.index("### Beta") : text.index("## Later")]
    moved = {"PLAN.md": text.replace(beta, ""), "MEMORY.md": f"# Memory\n\n{beta.replace('###', '##')}"}
    it.memory.commit({**moved, "wbmem.yaml": SETTINGS})
    it.memory.git("checkout", "-q", "main")
    it.memory.commit({"PINNED.md": "# Pinned\n"})
    it.memory.git("merge", "-q", "-s", "ours", "-m", "merge", "side")
    assert it.workspace.show(id_of("Beta"))["page"] == "PLAN.md"
    assert it.workspace.show(id_of("Beta"), "side")["page"] == "MEMORY.md"
    it.workspace.rename(id_of("Beta"), "Omega", now=NOW, commit=True)
    shown = it.workspace.show(id_of("Omega"), "side")
    assert (shown["id"], shown["page"]) == (id_of("Beta"), "MEMORY.md")


def test_a_page_that_is_no_text(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"MEMORY.md": b"\xff\xfe\x00"})
    assert it.workspace.show("MEMORY.md")["text"] == "\\xff\\xfe\x00"
    it.memory.commit({"PLAN.md": b"\xff"})
    with pytest.raises(UnknownId):
        it.workspace.show(id_of("Beta"))


def test_a_card_that_went_on_under_earlier_names_again_and_is_gone_is_not_its_own_leftover(
    tmp_path: Path,
) -> None:
    it = desk(tmp_path)
    for title, new in (("Beta", "Omega"), ("Omega", "Sigma")):
        it.workspace.rename(id_of(title), new, now=NOW, commit=True)
    it.workspace.archive([id_of("Sigma")], "done", now=NOW, commit=True)
    archived = it.memory.git("rev-parse", "HEAD")
    it.workspace.restore(id_of("Sigma"), commit=True)
    it.workspace.rename(id_of("Sigma"), "Beta", now=NOW, commit=True)
    page = it.memory.read("PLAN.md")
    start = page.index("### Beta")
    end = page.find("\n### ", start)
    it.memory.commit({"PLAN.md": page[:start] + (page[end + 1 :] if end > 0 else "")}, "gone")
    for ask in (it.workspace.show, it.workspace.blame, it.workspace.trace):
        with pytest.raises(Gone):
            ask(id_of("Beta"))
    assert it.workspace.show(id_of("Beta"), archived)["page"] == f"archive/{id_of('Sigma')}.md"


def test_the_id_before_a_rename_names_its_successor(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.rename(id_of("Beta"), "Omega", now=NOW, commit=True)
    it.workspace.rename(id_of("Omega"), "Sigma", now=NOW, commit=True)
    for old in ("Beta", "Omega"):
        assert it.workspace.versions(id_of(old))["successor"] == id_of("Sigma")
        assert it.workspace.show(id_of(old))["successor"] == id_of("Sigma")
        assert f"it goes on as {id_of('Sigma')}" in it.workspace.trace(id_of(old))["hint"]
    assert "successor" not in it.workspace.versions(id_of("Sigma"))
    assert "goes on" not in it.workspace.trace(id_of("Sigma"))["hint"]
    it.workspace.rename(id_of("Sigma"), "Beta", now=NOW, commit=True)
    assert "successor" not in it.workspace.show(id_of("Beta"))
