"""What git says of a commit that is about to be made: who makes it, and by which road it has to go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import NoIdentity
from wbmem_git.store.git import Git
from wbmem_git.verbs.foreign_hooks import foreign_hooks, read_configuration

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from wbmem_git.store.git import Child
    from wbmem_git.store.repository import Repository

UTF_8 = {"utf-8", "utf8"}
FALSE = {"false", "no", "off", "0", ""}
_QUESTIONS = (("var", "GIT_AUTHOR_IDENT"), ("var", "GIT_COMMITTER_IDENT"), ("config", "--list", "-z"))


class Terms(NamedTuple):
    """On what terms a commit is made here.

    Attributes:
        author, committer: Who, as a commit object has it.
        foreign: Hooks of other people that run in it.
        signed: Whether git is configured to sign it.
        encoded: Whether git is configured to write messages in another encoding than UTF-8.
        maintained: Whether git looks after its objects by itself.
    """

    author: str
    committer: str
    foreign: tuple[str, ...]
    signed: bool
    encoded: bool
    maintained: bool


class Asking:
    """Three short git processes that answer while something else is done."""

    def __init__(self, repository: Repository, variables: Mapping[str, str]) -> None:
        """Start them.

        Args:
            repository: Where the commit is made.
            variables: For git's environment, on top of the repository's: they may name the author.
        """
        self._repository = repository
        git = repository.git
        self._git = Git(git.folder, {**git.environment, **variables}, inside=True) if variables else git
        self._children: list[Child] = []
        self._terms: Terms | None = None
        try:
            for question in _QUESTIONS:
                self._children.append(self._git.start(*question, quiet=False))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of those that nobody has asked for an answer."""
        while self._children:
            self._children.pop().close()

    def terms(self) -> Terms:
        """What they say.

        Raises:
            NoIdentity: git knows no author or committer.
        """
        if self._terms is None:
            children, self._children = self._children, []
            author, committer, configured = [self._git.finish(child) for child in children]
            if author.status or committer.status:
                raise NoIdentity
            found = read_configuration(configured.out)
            self._terms = Terms(
                author.out.decode("utf-8", "surrogateescape").strip(),
                committer.out.decode("utf-8", "surrogateescape").strip(),
                foreign_hooks(self._repository, found),
                signed=_is_true(found.get("commit.gpgsign", ("false",))[-1]),
                encoded=found.get("i18n.commitencoding", ("utf-8",))[-1].casefold() not in UTF_8,
                maintained=_is_true(found.get("maintenance.auto", ("true",))[-1])
                and found.get("gc.auto", ("",))[-1] != "0",
            )
        return self._terms


def _is_true(value: str) -> bool:
    """As git reads a boolean."""
    return value.casefold() not in FALSE
