"""The sides of a change: trees of a repository as the rules see them.

Only what may matter is read: blobs at the paths that differ, boards and entry pages, the names in the
archive. Whatever is read or parsed is kept by its blob's oid, so that a page which is on both sides is parsed
once, and a walk through history parses only what each commit changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from wbmem_git.model import File
from wbmem_git.rules.change import build_tree
from wbmem_git.rules.version import RULES_VERSION
from wbmem_git.store.state import recall_settings, remember_settings
from wbmem_git.text.document import decode
from wbmem_git.text.kept_pages import page_of
from wbmem_git.text.names import SETTINGS, archive_path, archived_id, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wbmem_git.model import ArchiveFile, Card, Page, PageKind, Settings, Tree
    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry

ARCHIVE: Final = "archive"
ENTRY_PAGES: Final = ("MEMORY.md", "PINNED.md", "USER.md")
GLOB_SIGNS: Final = frozenset("*?[")
NEVER_PAGES: Final = ("archive/", "log/", "summary/", ".")
KEPT: Final = 512


class Sides:
    """Reads trees of one repository, remembering what it has read.

    Attributes:
        repository: Where from.
    """

    def __init__(self, repository: Repository, *, cached: bool = True) -> None:
        """Nothing is read yet.

        Args:
            repository: Where from.
            cached: Whether what `wbmem.yaml` says may come from the cache of an earlier run. An audit, which
                answers for everything, reads for itself.
        """
        self.repository = repository
        self._cached = cached
        self._files: dict[tuple[str, str], File] = {}
        self._pages: dict[tuple[str, str, str, PageKind], Page] = {}
        self._page_places: dict[tuple[str, tuple[str, ...]], dict[str, Entry]] = {}
        self._archives: dict[tuple[str, str], ArchiveFile] = {}
        self._archived: dict[str, frozenset[str]] = {}
        self._superseding: dict[int, tuple[Page, frozenset[str]]] = {}
        self._settings: dict[str, Settings | None] = {}

    def read(self, commit: str, tree: str, paths: Iterable[str], judging: Settings) -> Tree:
        """A tree, with the files at `paths`.

        Args:
            commit: The commit whose tree it is, "" for none.
            tree: Its oid, "" for the empty tree.
            paths: Every path that differs anywhere in the change.
            judging: The settings that judge: their key, their boards.
        """
        files = {path: self.file(entry) for path, entry in self._present(tree, paths)}
        settings = self.entry(tree, SETTINGS)
        return build_tree(
            commit=commit,
            oid=tree,
            files=files,
            pages=self.pages(tree, judging),
            archived=self.archived(tree),
            archive=self.archive(tree, filter(None, map(archived_id, files)), judging.workspace),
            settings=self.settings(settings) if settings is not None else None,
            has_settings=settings is not None,
        )

    def entry(self, tree: str, path: str) -> Entry | None:
        """What stands at a path of a tree, "" being the empty one."""
        return self.repository.entry(tree, path)

    def file(self, entry: Entry) -> File:
        """A blob, decoded. A symbolic link or a submodule is nobody's text: it is never read."""
        key = (entry.oid, entry.mode)
        if key not in self._files:
            _make_room(self._files)
            data = self.repository.blob(entry.oid) if entry.is_file else b""
            self._files[key] = File(entry.oid, entry.mode, data, decode(data))
        return self._files[key]

    def settings(self, entry: Entry) -> Settings | None:
        """What a `wbmem.yaml` says; None where it can't be read."""
        oid = entry.oid if entry.is_file else ""
        if oid not in self._settings:
            self._settings[oid] = self._read_settings(entry) if oid else None
        return self._settings[oid]

    def _read_settings(self, entry: Entry) -> Settings | None:
        git_dir = self.repository.git_dir
        known = recall_settings(git_dir, entry.oid, RULES_VERSION) if self._cached else None
        if known is not None:
            return known
        from wbmem_git.text.settings import parse_settings  # YAML, where the cache has nothing

        text = self.file(entry).text
        settings = parse_settings(text)[0] if text is not None else None
        if settings is not None and self._cached:
            remember_settings(git_dir, entry.oid, settings, RULES_VERSION)
        return settings

    # --- pages --------------------------------------------------------------------------------------

    def pages(self, tree: str, judging: Settings) -> dict[str, Page]:
        """Path → page, for every board and entry page whose text can be read."""
        found = {}
        for path, entry in self.page_paths(tree, judging).items():
            text = self.file(entry).text
            if text is not None:
                found[path] = self.page(path, entry.oid, text, judging)
        return found

    def page_paths(self, tree: str, judging: Settings) -> Mapping[str, Entry]:
        """Where a tree has boards and entry pages that are files proper, in path order."""
        places = self.page_places(tree, judging)
        return {path: entry for path, entry in places.items() if entry.is_file}

    def page_places(self, tree: str, judging: Settings) -> Mapping[str, Entry]:
        """What stands where a board or an entry page may stand, links and submodules too, in path order."""
        key = (tree, judging.boards)
        if key not in self._page_places:
            _make_room(self._page_places)
            self._page_places[key] = dict(sorted(self._find_pages(tree, judging)))
        return self._page_places[key]

    def page(self, path: str, oid: str, text: str, judging: Settings) -> Page:
        """A page, parsed once for each blob; of a further version only what differs."""
        kind = kind_of(path, judging)
        key = (oid, path, judging.workspace, kind)
        if key not in self._pages:
            _make_room(self._pages)
            self._pages[key] = page_of(path, text, judging.workspace, kind)
        return self._pages[key]

    def _find_pages(self, tree: str, judging: Settings) -> Iterator[tuple[str, Entry]]:
        """Only a glob makes it look at more than the paths that are named."""
        globs = [board for board in judging.boards if GLOB_SIGNS & set(board)]
        paths = {*ENTRY_PAGES, *judging.boards}
        if globs and tree:
            paths.update(self._walk(tree, deep=any("/" in glob or "**" in glob for glob in globs)))
        for path in paths:
            if kind_of(path, judging) in {"board", "entries"}:
                yield from self._present(tree, (path,))

    def _walk(self, tree: str, *, deep: bool) -> Iterator[str]:
        if not deep:
            yield from self.repository.names(tree)
            return
        for path in self.repository.entries(tree):
            if not path.startswith(NEVER_PAGES):
                yield path

    def _present(self, tree: str, paths: Iterable[str]) -> Iterator[tuple[str, Entry]]:
        for path in paths:
            entry = self.entry(tree, path)
            if entry is not None and not entry.is_tree:
                yield path, entry

    # --- archive ------------------------------------------------------------------------------------

    def archived(self, tree: str) -> frozenset[str]:
        """Every id that has a file in the archive."""
        folder = self.entry(tree, ARCHIVE)
        if folder is None or not folder.is_tree:
            return frozenset()
        if folder.oid not in self._archived:
            _make_room(self._archived)
            names = self.repository.names(folder.oid)
            self._archived[folder.oid] = frozenset(filter(None, (archived_id(f"archive/{n}") for n in names)))
        return self._archived[folder.oid]

    def archive(self, tree: str, ids: Iterable[str], key: str) -> dict[str, ArchiveFile]:
        """Id → archive file, for those of `ids` that a tree has as readable text."""
        found = {}
        for wanted in ids:
            entry = self.entry(tree, archive_path(wanted))
            if entry is None or not entry.is_file:
                continue
            text = self.file(entry).text
            if text is None:
                continue
            if (entry.oid, key) not in self._archives:
                from wbmem_git.text.archive import parse_archive  # most commits read none

                _make_room(self._archives)
                self._archives[entry.oid, key] = parse_archive(text, key)
            found[wanted] = self._archives[entry.oid, key]
        return found

    def with_archive(self, trees: list[Tree], key: str) -> list[Tree]:
        """The trees, each with the archive files that the change may turn on.

        These are the ones that it touches, those of every card that one tree has on a page and one (the same
        or another) in the archive, and those that a line of `supersedes` or `superseded_by` leads to.
        """
        on_pages = {card for tree in trees for card in tree.holders}
        in_archives = frozenset[str]().union(*(tree.archived for tree in trees))
        wanted = (on_pages & in_archives) | {card for tree in trees for card in tree.archive}
        read = [self._with_chain(tree, wanted, key) for tree in trees]
        every = {card for tree in read for card in tree.archive}
        # What a line of one tree leads to counts on every side: it didn't come or go with that line.
        if any(not every.isdisjoint(tree.archived - tree.archive.keys()) for tree in read):
            read = [self._with_chain(tree, every, key) for tree in read]
        return read

    def _with_chain(self, tree: Tree, wanted: set[str], key: str) -> Tree:
        archive = dict(tree.archive)
        tried = set(archive)
        missing = wanted.union(_named((), archive.values()), *map(self._named_on, tree.pages.values()))
        while missing := (missing & tree.archived) - tried:
            found = self.archive(tree.oid, sorted(missing), key)
            archive |= found
            tried |= missing
            missing = _named((file.card for file in found.values() if file.card), found.values())
        return tree._replace(archive=archive)

    def _named_on(self, page: Page) -> frozenset[str]:
        """The ids that cards of a page say they supersede: of one and the same page looked for once."""
        known = self._superseding.get(id(page))
        if known is None or known[0] is not page:
            _make_room(self._superseding)
            known = self._superseding[id(page)] = page, frozenset(_named(page.cards, ()))
        return known[1]


def _named(cards: Iterable[Card], files: Iterable[ArchiveFile]) -> set[str]:
    """The ids that cards say they supersede, and those that archive files say they are superseded by."""
    named = {file.superseded_by for file in files}
    superseding = [card for card in cards if card.metadata.line and card.metadata.get("supersedes")]
    if superseding:
        from wbmem_git.rules.supersedes import superseded_by

        named.update(name for card in superseding for name in superseded_by(card))
    return named


def _make_room(kept: dict[Any, Any]) -> None:
    """Forget the older half of what is kept: a walk through a long history doesn't grow without end."""
    if len(kept) >= KEPT:
        for key in list(kept)[: KEPT // 2]:
            del kept[key]
