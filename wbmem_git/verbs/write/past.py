"""`wbmem write ledger|log`: a ledger under a name of its own, and a piece more of the day's log."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.resources import template
from wbmem_git.text.defused import defused
from wbmem_git.text.document import parse_document
from wbmem_git.text.languages import language_of
from wbmem_git.text.ledger import IMPORTED, parse_ledger
from wbmem_git.text.names import ARCHIVE, next_ledger_name
from wbmem_git.text.patterns import pattern
from wbmem_git.text.titles import title_of
from wbmem_git.verbs.new import LEDGER_TEMPLATE, Taken
from wbmem_git.verbs.write.order import Proposal, given, like, plain, see_closed

if TYPE_CHECKING:
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.three_trees import Versions
    from wbmem_git.verbs.write.order import Order

_ITEM = pattern(r"(?:[-*+]|[0-9]{1,9}[.)])[ \t].*")


def ledger_proposal(repository: Repository, versions: Versions, order: Order) -> Proposal:
    """A ledger under the next free name of this second, under a heading of ours.

    Whatever level-1 headings the text has above its first section are replaced by it.

    Raises:
        UsageError: The text is empty, or something in it has no end.
    """
    now = order.now.astimezone(UTC)
    path = next_ledger_name(Taken(repository, versions), now)
    text = defused(given(order.text))
    see_closed(text, "the text")
    rest = _without_titles(text)
    titles = [section.title for section in parse_ledger(path, rest).sections]
    language = language_of(titles, versions.settings.locale).code
    heading = template(LEDGER_TEMPLATE, language).partition("\n")[0]
    heading = heading.replace("{when}", f"{now:%Y-%m-%d %H:%M} UTC")
    gap = "\n" if rest.partition("\n")[0].strip() == IMPORTED else "\n\n"
    return Proposal({path: f"{heading}{gap}{rest}"}, path, heading.lstrip("# "))


def log_proposal(versions: Versions, order: Order) -> Proposal:
    """The day's log with the text at its end, a block of its own; under a heading where it is new.

    Raises:
        UsageError: The text is empty, or something in it or above it has no end, or that day's log can't be
            read or is archived.
    """
    path = order.log_path(versions.settings.day_starts)
    day = path.removeprefix("log/").removesuffix(".md")
    if f"{ARCHIVE}{path}" in versions.head.entries:
        raise UsageError(f"{ARCHIVE}{path}: the log of that day is archived, and nothing is added to it")
    before = versions.head.read(path)
    if before is None and path in versions.head.entries:
        raise UsageError(f"{path}: HEAD has no text there that can be read", "wbmem explain E1")
    text = defused(given(order.text))
    see_closed(text, "the text")
    see_closed(before or "", path)
    block = _without_day(text, day)
    whole = plain(before or "") or f"# {day}\n"
    last = next((line for line in reversed(whole.split("\n")) if line.strip()), "")
    is_list = _is_item(last) and _is_item(block) and not whole.endswith("\n\n")
    gap = "" if is_list or whole.endswith("\n\n") else "\n"
    # A log without a final newline gets one: what follows is a line of its own.
    return Proposal({path: like(f"{whole}{gap}{block}", f"{before}\n" if before else None)}, path, day)


def _without_titles(text: str) -> str:
    """The text without the level-1 headings above its first section.

    Raises:
        UsageError: Nothing is left.
    """
    document = parse_document(text)
    gone: set[int] = set()
    for block in document.blocks:
        if block.kind == "heading" and block.level == 1:
            gone.update(range(block.line, block.end + 1))
        elif block.kind == "heading" and block.level == 2:
            break
    return given("".join(line for number, line in enumerate(document.lines, 1) if number not in gone))


def _without_day(text: str, day: str) -> str:
    """The text without the day's own heading, which the log has already."""
    document = parse_document(text)
    first = next(iter(document.blocks), None)
    if first is None or first.kind != "heading" or first.line != 1 or title_of(first.text) != day:
        return text
    return given("".join(document.lines[first.end :]))


def _is_item(text: str) -> bool:
    return _ITEM.match(text) is not None
