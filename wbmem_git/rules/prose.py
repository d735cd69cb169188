"""C8: columns and prose outside any card that are gone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.lines import lines_of
from wbmem_git.rules.wording import quote, shown_by

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
