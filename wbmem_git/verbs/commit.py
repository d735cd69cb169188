"""Commit exactly the given edits on top of HEAD, by git's own `git commit`, whatever else is staged.

git commits an index of its own (`GIT_INDEX_FILE`), so its hooks, identity, signing and messages are what they
always are. The gate is asked first, in process. git's compare-and-swap on the ref starts when `git commit`
reads HEAD; what happens between our reading HEAD and that moment is caught by the "editor" that git starts in
between: a `test` that HEAD is still the one we built on.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError, NoIdentity, Refused, UsageError
from wbmem_git.store.commits import trailers_of
from wbmem_git.store.git import ALWAYS, Git, text_of
from wbmem_git.verbs.brief import brief
from wbmem_git.verbs.staging import index_info, update_index
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from wbmem_git.model import Verdict
    from wbmem_git.store.git import Answer
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.cards import Edits

    Check = Callable[[str, str, str], Verdict]

OPERATIONS = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase or an am",
}
SHOWN_LINES = 20
OURS = frozenset(ALWAYS) - {"GIT_TERMINAL_PROMPT"}
"""What our own git commands run under and a user's hooks don't expect: literal pathspecs, the C locale …"""


class OperationGoingOn(UsageError):
    """A commit made now would conclude somebody's merge with our tree."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is going on here: nothing was committed",
            "finish it first (git status says how), then try again; without --commit wbmem only stages",
        )


class HeadMoved(GitError):
    """Another commit landed while ours was made; nothing was committed."""

    def __init__(self) -> None:
        super().__init__("another commit landed meanwhile: nothing was committed", "try again")


class NotCommitted(GitError):
    """`git commit` ended without a commit; the message carries what it or a hook said."""

    is_report = True


class Judge(NamedTuple):
    """The gate, as whoever commits here has to pass it.

    Attributes:
        check: The verdict on a base commit ("" for none), a new tree and a message.
        trailers: (key, value), what the message says of who commits.
    """

    check: Check
    trailers: tuple[tuple[str, str], ...] = ()


class Commit(NamedTuple):
    """A commit to make.

    Attributes:
        base: HEAD's commit, on which the edits were made; "" on an unborn branch.
        edits: Path → text, None: gone.
        message: The whole message.
        variables: For git's environment, on top of the repository's.
    """

    base: str
    edits: Edits
    message: str
    variables: Mapping[str, str] = {}


def commit(
    repository: Repository, wanted: Commit, judge: Judge, before: Callable[[], None] | None = None
) -> str:
    """Make the commit; its oid.

    Args:
        repository: Where.
        wanted: What.
        judge: The gate; it is asked before git is.
        before: Called when the gate has passed it: stages the same edits, so that no later commit of the
            index takes them back.

    Raises:
        NoIdentity: git knows no author or committer.
        OperationGoingOn: A merge, rebase … is going on.
        Refused: The gate refuses.
        HeadMoved: HEAD isn't `base` any more.
        NotCommitted: A hook or git refuses.
    """
    check_ready(repository)
    wanted = wanted._replace(message=_with_trailers(wanted.message, judge.trailers))
    with own_index(repository) as git:
        tree = _build(repository, git, wanted.base, wanted.edits)
        see_passed(judge.check(wanted.base, tree, wanted.message))
        if before is not None:
            before()
        return _git_commit(repository, git, wanted)


def tree_with(repository: Repository, base: str, edits: Edits) -> str:
    """The tree that HEAD's commit `base` ("" where there is none) becomes with the edits."""
    with own_index(repository) as git:
        return _build(repository, git, base, edits)


def see_passed(verdict: Verdict) -> None:
    """Raise what the gate refuses.

    Raises:
        Refused: It refuses; the message is the report.
    """
    if not verdict.passed:
        raise Refused(f"nothing was committed\n{brief(verdict)}")


def _build(repository: Repository, git: Git, base: str, edits: Edits) -> str:
    git.run("read-tree", *([base] if base else ["--empty"]))
    entries = repository.entries(repository.tree_of(base))
    update_index(git, index_info(repository, entries, edits))
    return git.line("write-tree")


def check_ready(repository: Repository) -> None:
    """See that a commit can be made here at all.

    Raises:
        NoIdentity: git knows no author or committer.
        OperationGoingOn: A merge, rebase … is going on.
    """
    for ident in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        if repository.git.ask("var", ident).status:
            raise NoIdentity
    for name, what in OPERATIONS.items():
        if Path(repository.git_dir, name).exists():
            raise OperationGoingOn(what)


@contextmanager
def own_index(repository: Repository) -> Iterator[Git]:
    """A git with an index of our own, which goes when we are done."""
    with own_folder(repository) as own:
        variables = {**repository.git.environment, "GIT_INDEX_FILE": str(own / "index")}
        yield Git(repository.top, variables, inside=True)


def _with_trailers(message: str, trailers: Iterable[tuple[str, str]]) -> str:
    lines = "".join(f"{key}: {value}\n" for key, value in trailers)
    gap = "\n" if lines and not trailers_of(message) else ""
    return f"{message.rstrip()}\n{gap}{lines}"


def _git_commit(repository: Repository, git: Git, wanted: Commit) -> str:
    guard = f'test "$(git rev-parse --quiet --verify HEAD)" = "{wanted.base}" #'
    for_hooks = {name: value for name, value in git.environment.items() if name not in OURS}
    committing = Git(git.folder, git.environment, inside=True)
    committing.environment = {**for_hooks, **wanted.variables, "GIT_EDITOR": guard}
    answer = committing.ask(
        *("commit", "--quiet", "--edit", "--no-status", "--cleanup=whitespace", "--file=-"),
        stdin=wanted.message.encode(),
    )
    now = repository.head()
    if answer.status:
        raise HeadMoved if now != wanted.base else NotCommitted(_said(answer), _HINT)
    return now


_HINT = "git commit says what stands in the way here, with the same hooks"


def _said(answer: Answer) -> str:
    """What git and the hooks said, without the commands that git proposes."""
    lines = (line.rstrip() for line in text_of(answer.err).splitlines())
    kept = [line for line in lines if line and not line.startswith("hint:")]
    return "\n".join((f"git commit made no commit ({answer.status})", *kept[-SHOWN_LINES:]))
