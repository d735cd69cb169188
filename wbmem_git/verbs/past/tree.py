"""What stands in a tree beside what a commit changes: which pages, and what is archived.

History is read commit after commit, so this is carried along; where it goes on at another place (a branch),
it is read from that tree.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.names import archived_id

if TYPE_CHECKING:
    from collections.abc import Callable

    from wbmem_git.model import Settings
    from wbmem_git.store.history import Facts, Step
    from wbmem_git.store.repository import Repository

PAGES = frozenset({"board", "entries"})


class PastTree:
    """The pages and archive files of one commit at a time.

    Attributes:
        pages: Path → blob of each board and entry page. Don't change it.
        archived: Id → blob of its archive file. Don't change it.
    """

    def __init__(self, repository: Repository, settings: Settings, kind: Callable[[str], str]) -> None:
        """Nothing is known yet.

        Args:
            repository: Where the trees are.
            settings: HEAD's: they say what a page is.
            kind: What is at a path, by the same settings.
        """
        self._repository = repository
        self._settings = settings
        self._kind = kind
        self._oid: str | None = None
        self.pages: dict[str, str] = {}
        self.archived: dict[str, str] = {}

    def go_to(self, facts: Facts) -> None:
        """Stand at a commit's first parent."""
        above = facts.parents[0] if facts.parents else ""
        if self._oid == above:
            return
        self._oid, self.pages, self.archived = above, {}, {}
        if not above:
            return
        for path, entry in self._repository.entries(self._repository.tree_of(above)).items():
            if entry.is_file and self._kind(path) in PAGES:
                self.pages[path] = entry.oid
            elif not entry.is_tree and (name := archived_id(path)):
                self.archived[name] = entry.oid if entry.is_file else ""

    def advance(self, step: Step) -> None:
        """Go on to a commit, where its first parent is here; else stand nowhere."""
        facts = step.facts
        if facts.parents and self._oid != facts.parents[0]:
            self._oid = None
            return
        if not facts.parents:
            self.pages, self.archived = {}, {}
        self._oid = facts.oid
        for one in step.differences[0]:
            path = one.path
            if self._kind(path) in PAGES:
                if one.new:
                    self.pages[path] = one.new
                else:
                    self.pages.pop(path, None)
            elif name := archived_id(path):
                if one.new:
                    self.archived[name] = one.new
                elif one.is_plain:
                    self.archived.pop(name, None)
                else:
                    self._oid = None  # a link stands there
