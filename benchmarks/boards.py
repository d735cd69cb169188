"""Boards to measure on: the same bytes for the same arguments."""

from __future__ import annotations

from typing import Literal

from wbmem_git.text.ids import card_id

KEY = "bench-0badcafe"
COLUMNS = ("Doing", "Next", "Done", "Parked")
EN = (
    "The login page times out when the token is refreshed twice within one second.",
    "Tried a lock around `refresh_token()` → it blocks the event loop; see src/auth/session.py.",
    "Next step: run `pytest tests/auth -k refresh` and compare the two traces.",
    "The retry budget is 3 attempts; after that the session is closed and the user told.",
    "Ada prefers short commits, and asked for the decision to be written down here.",
)
ZH = (
    "登录页面在一秒内刷新两次令牌时会超时，目前只在生产环境复现。",
    "试过给 `refresh_token()` 加锁 → 会阻塞事件循环；见 src/auth/session.py。",
    "下一步：运行 `pytest tests/auth -k refresh` 并比较两份追踪。",
    "重试上限为三次；超过之后关闭会话并提示用户。",
    "用户希望提交尽量小，并要求把决定写在这里。",
)
TITLES = {
    "en": (
        "Fix login timeout",
        "Move the queue to Redis",
        "`recall` misses short words",
        "Docs: how to adopt",
    ),
    "zh": ("修复登录超时", "把队列迁移到 Redis", "`recall` 找不到两个字的词", "文档：如何接管旧目录"),
}


def board(cards: int, size_bytes: int, language: Literal["en", "zh", "mixed"] = "mixed") -> str:
    """A board of so many cards and about so many bytes, as agents keep them.

    A card has a heading, an anchor, a metadata line, a model zone with a paragraph and a list, and a user
    zone; where there are fewer than 260 bytes for each, the zones are left out, as on many boards.
    """
    each = size_bytes / cards
    parts = ["# Plan\n\n"]
    written = len(parts[0])
    for number in range(cards):
        if number % -(-cards // len(COLUMNS)) == 0:
            parts.append(f"## {COLUMNS[number * len(COLUMNS) // cards]}\n\n")
            written += len(parts[-1])
        tongue = language if language != "mixed" else ("zh" if number % 3 == 0 else "en")
        room = each * (number + 1) - written
        parts.append(_card(number, tongue, room, zones=each >= 260))
        written += len(parts[-1].encode())
    return "".join(parts)


def _card(number: int, language: str, room_bytes: float, *, zones: bool) -> str:
    lines = ZH if language == "zh" else EN
    title = f"{TITLES[language][number % len(TITLES[language])]} {number}"
    head = (
        f"### {title}\n"
        f"<!-- memory:{card_id(KEY, 'PLAN.md', title.replace('`', ''))} -->\n"
        f"<!-- status: current / date: 2026-09-{number % 28 + 1:02} -->\n"
    )
    tail = "\n"
    if zones:
        remark = f"{lines[4]}\n" if number % 5 == 0 else ""
        head += "<!-- model -->\n"
        tail = f"<!-- /model -->\n<!-- user -->\n{remark}<!-- /user -->\n\n"
    return head + _body(lines, number, room_bytes - len((head + tail).encode())) + tail


def _body(lines: tuple[str, ...], turn: int, room_bytes: float) -> str:
    """A paragraph, then list items, cut to the room."""
    body = ""
    while room_bytes > 3:
        text = f"- {lines[turn % len(lines)]}\n" if body else f"{lines[turn % len(lines)]}\n\n"
        cut = text.encode()[: int(room_bytes)].decode(errors="ignore")
        body += cut
        room_bytes -= len(cut.encode())
        turn += 1
    return body if body.endswith("\n") or not body else body[:-1] + "\n"
