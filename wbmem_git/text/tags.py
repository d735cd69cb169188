"""The tags of a text, by fixed rules and never by a model: what it says that it is about."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from wbmem_git.text.folding import fold
from wbmem_git.text.languages import words
from wbmem_git.text.sentences import bare

if TYPE_CHECKING:
    from collections.abc import Iterable

DEAD_END = "type:dead-end"
TOPIC_CHARS = 24

# Behind an ideograph or a kana a word begins anew (`见type:goal`); behind a letter, digit or `-` it doesn't.
_WITHIN_A_WORD = r"(?<![^\W\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])(?<!-)"
_WRITTEN = re.compile(rf"{_WITHIN_A_WORD}(?:tag|type|topic):\w++(?:-+\w++)*+", re.IGNORECASE)
_LISTED = re.compile(r"[,，、;；]")
_HEAD_END = re.compile(r"[：:，,。.;；→(（—]| - ")
_TIME = r"[0-9]{1,2}[:：][0-9]{2}(?:[:：][0-9]{2})?Z?(?![0-9])"
_CLOCK = re.compile(rf"[(\[（【]?{_TIME}(?:[ \t]*[-–—~][ \t]*{_TIME})?[)\]）】]?[ \t]*(?:[-–—|·:：]+[ \t]*)?")
_REASON = re.compile(r"→|->|=>|失败原因|(?<![a-z])because(?![a-z])", re.IGNORECASE)
_APPROACH = re.compile(r"(?:方案[：:]|tried(?![^\W\u3040-\u9fff])[：:]?)\s*", re.IGNORECASE)
_CLOSING = {"*": "*", "_": "_", "~": "~", "`": "`", "[": "]"}
_AFTER = " \t,，、:：;；.。(（【—–-"
_MOST_MARKS = 4


def tags_in(text: str) -> tuple[str, ...]:
    """The tags that stand in a text: `tag:`, `type:` or `topic:` and word characters, hyphens within them.

    As written, in order, each once by its folded form. The prefix is no part of a longer word; what stands
    before it may be any punctuation, bracket or blank, or an ideograph.
    """
    return distinct(_WRITTEN.findall(text))


def listed(value: str) -> tuple[str, ...]:
    """The tags of a metadata line's `tags:`, parted by commas, semicolons or `、`; each may be any text."""
    return distinct(" ".join(part.split()) for part in _LISTED.split(value))


def head(bullet: str) -> str:
    """A bullet's head: up to the first of `：:，,。.;；→(（—` or ` - `, the whole of it where there is none.

    Its list mark, its box, a clock time and marks of emphasis, code or a link around it are no part of it.

    Args:
        bullet: Its text in one line, with or without its list mark.
    """
    text = bare(bullet)
    clock = _CLOCK.match(text)
    if clock is not None:
        text = text[clock.end() :]
    end = _HEAD_END.search(text)
    return _unmarked(text[: end.start()] if end else text)


def topic(bullet: str) -> str:
    """`topic:` and the first 24 characters of a bullet's head, as it stands.

    "" where the head is empty, has no letter or digit, or says only that there is nothing (`- 无`, `- TODO`).
    """
    phrase = head(bullet)[:TOPIC_CHARS].rstrip()
    if not any(map(str.isalnum, phrase)) or fold(phrase) in _nothing():
        return ""
    return f"topic:{phrase}"


def dead_end(bullet: str) -> str:
    """`dead-end:` and the approach that failed: what stands before the first arrow or word for a reason.

    These are `→`, `->`, `=>`, `失败原因` and `because`; a leading `方案：` or `Tried` is left out, and so is
    punctuation right before the arrow. "" where there is no arrow and no such word, or nothing before it.

    Args:
        bullet: Its text in one line, with or without its list mark.
    """
    text = bare(bullet)
    reason = _REASON.search(text)
    if reason is None:
        return ""
    approach = _unmarked(text[: reason.start()])
    leading = _APPROACH.match(approach)
    if leading is not None:
        approach = approach[leading.end() :]
    approach = _unmarked(approach.rstrip(_AFTER))
    return f"dead-end:{approach}" if any(map(str.isalnum, approach)) else ""


def distinct(names: Iterable[str]) -> tuple[str, ...]:
    """Each name once by its folded form, as it was written first; no empty ones."""
    seen: dict[str, str] = {}
    for name in names:
        if name:
            seen.setdefault(fold(name), name)
    return tuple(seen.values())


def _unmarked(text: str) -> str:
    """A text without blanks around it, and without marks of emphasis, code or a link that are all around it.

    A mark that opens before it and closes behind its end (`**login:**`) is left out too.
    """
    for _ in range(_MOST_MARKS):
        text = text.strip()
        if text[:1] not in _CLOSING and text[-1:] not in _CLOSING.values():
            break
        for opening, closing in _CLOSING.items():
            inner = text.lstrip(opening)
            if inner != text and (opening not in inner or inner.find(closing) >= len(inner.rstrip(closing))):
                text = inner.rstrip(closing)
            elif text.endswith(closing) and opening not in text.rstrip(closing):
                text = text.rstrip(closing)
    return text.strip()


@cache
def _nothing() -> frozenset[str]:
    """What a bullet says where it has nothing to say."""
    return frozenset(fold(word.strip()) for field in ("placeholders", "nothing") for word in words(field))
