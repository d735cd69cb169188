"""Branches on both sides of another key: merged, rebased, picked, and what stops that in time."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from desk import NOW, Desk, desk
from pages import KEY, SETTINGS, card, id_of

from wbmem_git.cli import main
from wbmem_git.store.repository import Repository
from wbmem_git.text.ids import card_id
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.governing import last_good
from wbmem_git.verbs.merge.trees import merge_trees
from wbmem_git.verbs.operation import OtherKey
from wbmem_git.verbs.write.order import Order
from wbmem_hooks import pre_push

if TYPE_CHECKING:
    from pathlib import Path

NEW = "other-87654321"


def new_id(title: str, page: str = "PLAN.md") -> str:
    return card_id(NEW, page, title)


def cards(it: Desk) -> dict[str, str]:
    """Title → anchor, of every card that HEAD has on the board."""
    page = parse_page("PLAN.md", it.head().decode(), NEW, "board")
    assert len({one.title for one in page.cards}) == len(page.cards)
    return {one.title: one.anchor for one in page.cards}


def found_open(it: Desk) -> list[str]:
    with Repository.open(str(it.memory.top), os.environ) as repository:
        return [one.finding.rule for one in audit(repository, use_mark=False).open]


def add(it: Desk, title: str, key: str = KEY) -> None:
    text = it.file().decode() + "\n" + card(title, anchor=card_id(key, "PLAN.md", title))
    it.memory.commit({"PLAN.md": text}, f"add {title}")


def parted(tmp_path: Path, layout: str = "hooks") -> Desk:
    """`main` is rekeyed; `side` isn't, and has a card more, an edited one and an archived one."""
    it = desk(tmp_path, layout)
    it.memory.git("branch", "side")
    it.workspace.rekey(NEW)
    it.memory.git("switch", "-q", "side")
    add(it, "Delta")
    it.edit("sharpen the saw", "sharpen the axe")
    it.memory.commit({}, "an edit")
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    it.memory.git("switch", "-q", "main")
    return it


# --- merge --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rekeyed_here", [True, False])
@pytest.mark.parametrize("driver", [True, False])
def test_a_merge_is_refused_and_the_key_is_named(tmp_path: Path, rekeyed_here: bool, driver: bool) -> None:
    it = parted(tmp_path)
    other = "side" if rekeyed_here else "main"
    it.memory.git("switch", "-q", "main" if rekeyed_here else "side")
    if not driver:
        it.memory.git("config", "--remove-section", "merge.wbmem")
    head = it.head()
    done = it.memory.try_git("merge", "--no-edit", other)
    assert done.returncode == 1
    where = f"on that branch: wbmem rekey --key {NEW}" if rekeyed_here else f"here: wbmem rekey --key {NEW}"
    with pytest.raises(OtherKey) as raised:
        it.workspace.resolve()
    assert where in raised.value.hint
    assert it.head() == head


def test_a_merge_that_git_makes_by_lines_is_refused_for_the_key_and_nothing_else(tmp_path: Path) -> None:
    it = desk(tmp_path, "hooks")
    it.memory.git("config", "--remove-section", "merge.wbmem")
    it.memory.git("branch", "side")
    it.workspace.rekey(NEW)
    it.memory.git("switch", "-q", "side")
    add(it, "Delta")
    it.memory.git("switch", "-q", "main")
    done = it.memory.try_git("merge", "--no-edit", "side")
    assert done.returncode == 1
    assert f"on that branch: wbmem rekey --key {NEW}" in done.stderr
    assert not [rule for rule in ("C2", "A1", "C5") if f" {rule} " in done.stderr]


def test_what_the_refusal_says_leads_through(tmp_path: Path) -> None:
    it = parted(tmp_path)
    it.memory.try_git("merge", "--no-edit", "side")
    it.memory.git("merge", "--abort")
    it.memory.git("switch", "-q", "side")
    it.workspace.rekey(NEW)
    it.memory.git("switch", "-q", "main")
    it.memory.git("merge", "-q", "--no-edit", "side")
    assert cards(it) == {title: new_id(title) for title in ("Alpha", "Gamma", "Delta")}
    assert it.verdict() == []
    assert found_open(it) == []


def test_every_card_twice_is_refused_at_the_server_too(tmp_path: Path) -> None:
    """The old key's cards beside the new one's, as a plain merge by lines leaves them."""
    it = parted(tmp_path, "plain")
    head, tree = it.memory.git("rev-parse", "HEAD"), it.memory.git("rev-parse", "HEAD^{tree}")
    twice = it.memory.git("commit-tree", "-m", "merge", "-p", head, "-p", "side", tree)
    it.memory.git("update-ref", "refs/heads/main", twice)
    assert [line.split()[0] for line in it.verdict()] == ["W1"]
    assert found_open(it) == ["W1"]


def test_a_memory_that_began_for_itself_comes_in_with_its_own_key(tmp_path: Path) -> None:
    it = desk(tmp_path)
    other = Desk.of(desk(tmp_path / "other").memory)
    other.workspace.rekey(NEW)
    other.memory.git("checkout", "-q", "--orphan", "apart")
    other.memory.commit({}, "began apart")
    it.memory.git("fetch", "-q", str(other.memory.top), "apart")
    it.memory.try_git("merge", "--allow-unrelated-histories", "--no-commit", "FETCH_HEAD")
    ours = it.head("wbmem.yaml").decode()
    tree = it.memory.git("rev-parse", "HEAD^{tree}")
    oid = it.memory.git("commit-tree", "-m", "merge", "-p", "HEAD", "-p", "FETCH_HEAD", tree)
    assert KEY in ours
    assert not [line for line in it.verdict(oid) if line.startswith("W1")]


def test_several_merge_bases_from_before_another_key_are_merged_under_it(tmp_path: Path) -> None:
    """Each branch has merged the other one; both were rekeyed since."""
    it = desk(tmp_path, "hooks")
    memory = it.memory
    memory.git("branch", "side")
    add(it, "Ours")
    ours = memory.git("rev-parse", "HEAD")
    memory.git("switch", "-q", "side")
    add(it, "Theirs")
    memory.git("branch", "theirs")
    memory.git("merge", "-q", "--no-edit", ours)
    it.edit("sharpen the saw", "sharpen the axe")
    memory.commit({}, "an edit")
    it.workspace.rekey(NEW)
    memory.git("switch", "-q", "main")
    memory.git("merge", "-q", "--no-edit", "theirs")
    it.edit("work on Gamma", "work hard on Gamma")
    memory.commit({}, "another edit")
    it.workspace.rekey(NEW)
    with Repository.open(str(memory.top), os.environ) as repository:
        head, side = memory.git("rev-parse", "HEAD"), memory.git("rev-parse", "side")
        bases = repository.merge_bases(head, side)
        good = last_good(repository, head)
        assert good is not None
        merged = merge_trees(repository, bases, head, side, good.settings)
        entry = merged.edits["PLAN.md"]
        assert entry is not None
        text = repository.blob(entry.oid).decode()
    assert (len(bases), merged.conflicts, merged.notes) == (2, (), ())
    titles = {one.title: one.anchor for one in parse_page("PLAN.md", text, NEW, "board").cards}
    assert titles == {title: new_id(title) for title in ("Alpha", "Beta", "Gamma", "Ours", "Theirs")}
    assert "sharpen the axe" in text
    assert "work hard on Gamma" in text


# --- rebase, cherry-pick ------------------------------------------------------------------------------


@pytest.mark.parametrize("driver", [True, False])
def test_a_rebase_over_another_key_is_settled_pick_by_pick(tmp_path: Path, driver: bool) -> None:
    it = parted(tmp_path)
    if not driver:
        it.memory.git("config", "--remove-section", "merge.wbmem")
    it.memory.git("switch", "-q", "side")
    it.workspace.audit()  # what stands here now is known, should the rebase lose it
    done = it.memory.try_git("rebase", "main")
    stops = 0
    while done.returncode and stops < 5:
        stops += 1
        report = it.workspace.resolve()
        assert (report.operation, report.left) == ("rebase", ())
        assert f"workspace: {NEW}" in it.staged_text("wbmem.yaml").decode()
        done = it.memory.try_git("-c", "core.editor=true", "rebase", "--continue")
    if driver:
        assert stops == 3
        assert cards(it) == {title: new_id(title) for title in ("Alpha", "Gamma", "Delta")}
        assert "sharpen the axe" in it.head().decode()
        assert it.memory.git("ls-files", "archive") == f"archive/{new_id('Beta')}.md"
        assert found_open(it) == []
        assert it.workspace.audit().lost == ()


def test_what_a_rebase_left_under_the_old_key_fix_mends(tmp_path: Path) -> None:
    """Where git merged it by lines there is nothing to settle, and audit tells it."""
    it, _ = under_the_old_key(tmp_path)
    assert cards(it)["Delta"] == id_of("Delta")
    assert found_open(it) == ["C1"]
    (done,) = it.workspace.fix(now=NOW, commit=True).done
    assert (done.what, done.card, done.before) == ("renamed", new_id("Delta"), id_of("Delta"))
    assert cards(it)["Delta"] == new_id("Delta")
    assert it.clean()
    assert it.verdict() == []
    assert found_open(it) == []
    assert it.workspace.fix(now=NOW).done == ()


def under_the_old_key(tmp_path: Path) -> tuple[Desk, str]:
    """A rebase by lines over another key, and where main was before."""
    it = desk(tmp_path, "plain")
    it.memory.git("branch", "side")
    base = it.workspace.rekey(NEW).commit
    it.memory.git("switch", "-q", "side")
    add(it, "Delta")
    it.memory.git("rebase", "-q", "main")
    return it, base


def pushed(it: Desk, base: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """What pre-push says of all since a commit."""
    monkeypatch.chdir(it.memory.top)
    head = it.memory.git("rev-parse", "HEAD")
    monkeypatch.setattr("sys.stdin", StringIO(f"refs/heads/side {head} refs/heads/side {base}\n"))
    return pre_push.main(["origin", "url"])


def test_what_a_person_let_through_counts_in_pre_push(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it, base = under_the_old_key(tmp_path)
    assert pushed(it, base, monkeypatch) == 1
    (found,) = it.workspace.audit().open
    it.workspace.allow(found.fingerprint)
    assert it.workspace.audit().open == ()
    assert pushed(it, base, monkeypatch) == 0


def test_what_fix_mended_counts_in_pre_push(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it, base = under_the_old_key(tmp_path)
    it.workspace.fix(now=NOW, commit=True)
    assert pushed(it, base, monkeypatch) == 0


def test_a_lost_card_counts_in_pre_push_whatever_is_let_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = desk(tmp_path)
    base = it.memory.git("rev-parse", "HEAD")
    it.memory.commit({"PLAN.md": it.file().decode().replace(card("Beta") + "\n", "")}, "lost")
    (found,) = it.workspace.audit().open
    assert found.finding.rule == "C2"
    it.memory.commit({"wbmem.yaml": f"{SETTINGS}allow: [{found.fingerprint}]\n"}, "by hand")
    assert pushed(it, base, monkeypatch) == 1


def test_a_pick_from_a_branch_that_was_rekeyed_has_our_ids(tmp_path: Path) -> None:
    it = desk(tmp_path, "hooks")
    it.memory.git("switch", "-qc", "side")
    it.workspace.rekey(NEW)
    add(it, "Delta", NEW)
    it.memory.git("switch", "-q", "main")
    assert it.memory.try_git("cherry-pick", "side").returncode == 1
    assert it.workspace.resolve().left == ()
    it.memory.git("-c", "core.editor=true", "cherry-pick", "--continue")
    assert cards(it) == {title: id_of(title) for title in ("Alpha", "Beta", "Gamma", "Delta")}
    assert it.verdict() == []


def test_a_merge_of_two_branches_that_have_one_key_stops_nowhere(tmp_path: Path) -> None:
    it = desk(tmp_path, "hooks")
    it.memory.git("switch", "-qc", "side")
    add(it, "Delta")
    it.memory.git("switch", "-q", "main")
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    assert it.memory.try_git("merge", "--no-edit", "side").returncode == 0
    assert main(["-w", str(it.memory.top), "audit"]) == 0


def test_a_driver_tells_of_another_key_on_either_side(tmp_path: Path) -> None:
    it = parted(tmp_path)
    for here, there in (("main", "side"), ("side", "main")):
        it.memory.git("switch", "-q", here)
        done = it.memory.try_git("merge", "--no-edit", there)
        assert "one of them has another workspace key" in done.stderr, here
        assert "'Alpha': it is edited" not in done.stderr
        it.memory.git("merge", "--abort")


def test_another_try_under_a_key_of_a_write_answers_with_the_id_of_now(tmp_path: Path) -> None:
    it = desk(tmp_path, "hooks")
    order = Order("card", "Next: `make`", datetime(2026, 9, 14, 10, tzinfo=UTC), title="Delta", key="k")
    assert it.workspace.write(order).id == id_of("Delta")
    it.workspace.rekey(NEW)
    again = it.workspace.write(order)
    assert (again.id, again.changed) == (new_id("Delta"), False)
