"""`--key`: another try is answered with what the first one wrote, and told what it asks for beside it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from desk import BOARD, NOW, Desk, desk
from pages import card, id_of, ledger

from wbmem_git.verbs.write.order import Order

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.verbs.write.write import Written

WHEN = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
ORDERS = (
    Order("card", "Next: `make`", WHEN, title="Delta"),
    Order("card", "Next: oil it\r\n", WHEN, title="Alpha", column="Later"),
    Order("card", card("Delta", "Next: `make`"), WHEN, title="Delta"),
    Order("entry", "Tabs", WHEN, title="Indents"),
    Order("plan", BOARD.replace("the saw", "the axe"), WHEN),
    Order("plan", BOARD.replace("### Beta", "### Better").replace("the saw", "the axe"), WHEN),
    Order("ledger", f"# Mine\n\n{ledger()}", WHEN),
    Order("log", "- one", WHEN),
)


def again(it: Desk, first: Order, second: Order) -> tuple[Written, Written]:
    """Two writes under one key."""
    return it.workspace.write(first._replace(key="k")), it.workspace.write(second._replace(key="k"))


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: f"{order.kind} {order.title}")
def test_another_try_is_answered_as_the_first_one_was(tmp_path: Path, order: Order) -> None:
    it = desk(tmp_path)
    first, second = again(it, order, order)
    assert second == first._replace(changed=False, repeated=True)
    assert it.memory.head() == first.commit


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: f"{order.kind} {order.title}")
def test_whatever_it_asks_for_what_was_written_is_answered(tmp_path: Path, order: Order) -> None:
    it = desk(tmp_path)
    first, second = again(it, order, Order("card", "other words", WHEN, title="KK"))
    assert (second.path, second.commit) == (first.path, first.commit)
    if order.kind in {"card", "entry"}:
        assert (second.id, second.title, second.column) == (first.id, first.title, first.column)
    if order.kind in {"ledger", "log"}:
        assert second == first._replace(changed=False, repeated=True, differs=second.differs)
        assert second.differs == (f"that was a {order.kind}, and this is a card",)
    assert second.differs


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (Order("log", "- one", WHEN), "that was a card, and this is a log"),
        (Order("plan", BOARD, WHEN), "its text is another one"),
        (Order("card", "Next: `make`", WHEN, title="Epsilon"), 'its title is "Epsilon"'),
        (Order("card", "Next: `make`", WHEN, title="Delta", column="Later"), 'its column is "Later"'),
        (Order("card", "Next: `make`", WHEN, title="Delta", page="MEMORY.md"), "its page is MEMORY.md"),
        (Order("card", "Next: `cmake`", WHEN, title="Delta"), "its text is another one"),
    ],
    ids=["kind", "page", "title", "column", "page", "text"],
)
def test_what_differs_is_told(tmp_path: Path, second: Order, told: str) -> None:
    it = desk(tmp_path)
    _, answer = again(it, Order("card", "Next: `make`", WHEN, title="Delta"), second)
    assert told in " ".join(answer.differs)


@pytest.mark.parametrize("hook", ["", "#!/bin/sh\ntrue\n"], ids=["in process", "through git"])
@pytest.mark.parametrize(
    ("encoding", "key"), [("GBK", "请求2"), ("ISO-8859-1", "Prüfung-1"), ("ISO-8859-1", "请")]
)
def test_it_is_known_again_and_can_be_read_whatever_encoding_git_is_told(
    tmp_path: Path, encoding: str, key: str, hook: str
) -> None:
    it = desk(tmp_path)
    it.memory.git("config", "i18n.commitEncoding", encoding)
    if hook:
        path = it.memory.write(".git/hooks/pre-commit", hook)
        path.chmod(0o755)
    order = Order("log", "- one", WHEN, key=key)
    first, second = it.workspace.write(order), it.workspace.write(order)
    assert second.commit == first.commit
    assert it.memory.read(first.path).count("- one") == 1
    assert f"Wbmem-Key: {key}" in it.memory.git(
        "-c", "i18n.logOutputEncoding=UTF-8", "log", "-1", "--format=%B"
    )


def test_a_card_that_is_archived_since_is_still_what_was_written(tmp_path: Path) -> None:
    it = desk(tmp_path)
    order = Order("card", "Next: `make`", WHEN, title="Delta", key="k")
    first = it.workspace.write(order)
    it.workspace.archive([first.id], "done", now=NOW, commit=True)
    assert it.workspace.write(order) == first._replace(changed=False, repeated=True)
    assert first.id == id_of("Delta")


@pytest.mark.parametrize("is_followed", [False, True])
def test_a_hook_that_writes_behind_the_message_lets_nothing_be_written_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_followed: bool
) -> None:
    """git takes the key for no trailer any more; the sidecar, where it follows, for none either."""
    if is_followed:
        monkeypatch.delenv("WBMEM_DETACH", raising=False)
    it = desk(tmp_path)
    hook = it.memory.top / ".git/hooks/commit-msg"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\nprintf "\\nSeen by the secretary.\\n" >>"$1"\n')
    hook.chmod(0o755)
    order = Order("log", "- one", WHEN)
    first, second = again(it, order, order)
    assert "Seen by the secretary." in it.memory.git("log", "-1", "--format=%B")
    assert second == first._replace(changed=False, repeated=True)
    assert it.memory.head() == first.commit
