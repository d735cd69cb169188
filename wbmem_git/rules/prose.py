"""C8, and C2 on whole pages: columns and prose outside any card that are gone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.lines import lines_of
from wbmem_git.rules.wording import quote, shown_by
from wbmem_git.text.names import BOARD, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wbmem_git.model import Change, Page, Tree


def c8(change: Change) -> Iterator[Finding]:
    """A column, or prose outside any card, is gone.

    Why: what stands above the first card, or below a column's heading, has no id that C2 could follow. It
    isn't refused, but it is told, since whoever writes a page anew easily loses it. Lines that were put in
    the place of others are an edit and aren't told.

    How to mend: put it back where it was meant to stay; otherwise nothing is to be done.
    """
    seen: set[tuple[str, str]] = set()
    for parent in change.parents:
        for path in sorted(change.judged & parent.pages.keys()):
            for finding in (*_columns(change, parent, path), *_prose(change, parent, path)):
                if (path, finding.key) not in seen:
                    seen.add((path, finding.key))
                    yield finding


def lost_pages(change: Change) -> Iterator[Finding]:
    """C2's findings on whole boards and entry pages: gone or emptied, and with them what stood in no card."""
    told: set[str] = set()
    for parent in change.parents:
        for path, page in sorted(parent.pages.items()):
            now = change.new.pages.get(path)
            if path in told or (now is not None and not _is_emptied(change, page, now)):
                continue
            if any(_is_missing(change.new, card.id) for card in page.cards):
                continue  # each of them is told
            finding = _lost_page(change, parent, path, is_gone=now is None)
            if finding is not None:
                told.add(path)
                yield finding


def _is_emptied(change: Change, page: Page, now: Page) -> bool:
    """Whether nothing is left of a page that had no cards.

    Of several lines, bare headings are no rest that an agent may leave. A person may clear a list.
    """
    if page.cards or now.cards or _own_lines(now):
        return False
    if change.actor == "agent" and len(_own_lines(page)) > 1:
        return True
    return not any(line.strip() for line in now.document.lines[now.document.body :])


def _lost_page(change: Change, parent: Tree, path: str, *, is_gone: bool) -> Finding | None:
    own = _own_lines(parent.pages[path])
    here = _guarded_lines(change) if own else frozenset()
    lost = [text for text in own if text not in here and not _taken(change, text)]
    is_board = path == BOARD and is_gone
    if is_board:
        is_board = not _taken_by_a_parent(change, lambda tree: int(BOARD in tree.pages))
    if not lost and not is_board:
        return None
    last = lost[-1] if lost else ""
    told = f"{path} is {'gone' if is_gone else 'emptied'}"
    told += f", and {len(lost)} lines of it that stand in no card; the last was {quote(last)}" if lost else ""
    other = "a memory keeps its board" if is_board else "or move these lines to another page first"
    return Finding(
        "C2", "hard", path, 0, told, f"put it back ({shown_by(parent, path)}); {other}",
        title=path, last_line=last, key="page",
    )  # fmt: skip


def _own_lines(page: Page) -> list[str]:
    """What a page says outside cards and headings, trimmed."""
    return [text for _, _, lines in _stretches(page) for text in lines]


def _is_missing(tree: Tree, card: str) -> bool:
    return card not in tree.holders and card not in tree.archived


def _guarded_lines(change: Change) -> frozenset[str]:
    """The lines of every page of the new tree, and of what else it has in the memory's own kinds of file."""
    new = change.new
    texts = [file.text for path, file in new.files.items() if kind_of(path, change.settings) != "other"]
    lines = [line for text in texts if text is not None for line in lines_of(text)]
    lines += [line for page in new.pages.values() for line in page.document.lines]
    return frozenset(line.strip() for line in lines)


def _columns(change: Change, parent: Tree, path: str) -> Iterator[Finding]:
    """Columns of a page that stand on no page any more."""
    here, before = _column_titles(change.new), _column_titles(parent)
    for column in parent.pages[path].columns:
        if here[column.title] >= before[column.title]:
            continue
        if _taken_by_a_parent(change, lambda tree, title=column.title: _column_titles(tree)[title]):  # type: ignore[misc]
            continue
        before[column.title] -= 1
        last = column.prose[-1][1].strip() if column.prose else f"## {column.title}"
        yield Finding(
            "C8",
            "soft",
            path,
            column.line,
            f"column {quote(column.title)} is gone; its last line outside a card was {quote(last)}",
            f"put it back where it was meant to stay; {shown_by(parent, path)}",
            title=column.title,
            last_line=last,
            key=f"column {column.title}",
        )


def _prose(change: Change, parent: Tree, path: str) -> Iterator[Finding]:
    """Stretches of prose of which more lines went than came in their place."""
    page = change.new.pages.get(path)
    now = {title: lines for title, _, lines in _stretches(page)} if page is not None else {}
    for title, line, lines in _stretches(parent.pages[path]):
        if not set(lines) - set(now.get(title, ())):
            continue
        lost = [text for text in lines if text not in _lines(change.new) and not _taken(change, text)]
        came = [text for text in now.get(title, ()) if text not in _lines(parent)]
        if len(lost) <= len(came):
            continue
        where = f"below {quote(title)}" if title else "at the top"
        yield Finding(
            "C8",
            "soft",
            path,
            line,
            f"{len(lost)} of {len(lines)} lines of prose {where} are gone; the last was {quote(lost[-1])}",
            f"put them back where they were meant to stay; {shown_by(parent, path)}",
            title=title,
            last_line=lost[-1],
            key=f"prose {title}",
        )


def _stretches(page: Page) -> Iterator[tuple[str, int, list[str]]]:
    """The prose of a page, stretch by stretch: the column's title ("" for the rest), first line, lines."""
    parts = [("", page.prose), *((column.title, column.prose) for column in page.columns)]
    return ((title, prose[0][0], [text.strip() for _, text in prose]) for title, prose in parts if prose)


def _column_titles(tree: Tree) -> Counter[str]:
    return Counter(column.title for page in tree.pages.values() for column in page.columns)


def _lines(tree: Tree) -> frozenset[str]:
    """Every line of every page, and of every file that differs: text that moved there isn't gone."""
    texts = [
        *(line for page in tree.pages.values() for line in page.document.lines),
        *(line for file in tree.files.values() if file.text is not None for line in lines_of(file.text)),
    ]
    return frozenset(text.strip() for text in texts)


def _taken(change: Change, text: str) -> bool:
    return _taken_by_a_parent(change, lambda tree: int(text in _lines(tree)))


def _taken_by_a_parent(change: Change, count: Callable[[Tree], int]) -> bool:
    """Whether one side of a merge took it out since the base: then it isn't the merge's doing."""
    if change.base is None or len(change.parents) == 1:
        return False
    return min(count(parent) for parent in change.parents) < count(change.base)
