"""Readers of pages, one for each key and each set of boards that a history had.

What a page's cards are called, and what a page is, the settings say that judge a commit. Most histories have
one reader; after a `wbmem rekey` all that came before has another.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.verbs.past.doings import Doings
from wbmem_git.verbs.past.glances import Glances
from wbmem_git.verbs.past.pages import PastPages
from wbmem_git.verbs.past.reduced import Reduced
from wbmem_git.verbs.past.tree import PastTree

if TYPE_CHECKING:
    from wbmem_git.model import Settings
    from wbmem_git.store.repository import Repository


class Reader:
    """Reads pages by some settings, remembering what it read.

    Attributes:
        settings: These. pages: The pages. doings: What commits did to them.
        glances: What has to be known of them. reduced: Builds changes of them.
        tree: What stands in the tree of one commit at a time.
    """

    def __init__(self, repository: Repository, settings: Settings, pages: PastPages | None = None) -> None:
        """Nothing is read yet.

        Args:
            repository: Where the pages are.
            settings: Their key makes the ids, their boards the pages.
            pages: What reads by the same settings already.
        """
        self.settings = settings
        self.pages = pages or PastPages(settings, repository.blob, lambda *_: ())
        self.doings = Doings(settings, self.pages)
        self.glances = Glances(settings, self.pages)
        self.reduced = Reduced(settings.workspace, repository.blob)
        self.tree = PastTree(repository, settings, self.pages.kind)


class Readers:
    """The readers of one history."""

    def __init__(self, repository: Repository, settings: Settings, pages: PastPages) -> None:
        """Nothing is read yet.

        Args:
            repository: Where the pages are.
            settings: HEAD's.
            pages: Reads by these.
        """
        self._repository = repository
        self.head = Reader(repository, settings, pages)
        self._known = {(settings.workspace, settings.boards): self.head}

    def of(self, settings: Settings) -> Reader:
        """The one for these settings."""
        key = settings.workspace, settings.boards
        if key not in self._known:
            self._known[key] = Reader(self._repository, settings)
        return self._known[key]
