"""Commit exactly the given edits on top of HEAD, whatever else is staged: in process, or by `git commit`.

In process: objects, the gate, the commit object, then `publish` puts index, files and ref into their places.
Where hooks of other people run in a commit, git itself makes it, on an index of its own (`GIT_INDEX_FILE`),
so that they run as ever. git's compare-and-swap on the ref starts when `git commit` reads HEAD; what happens
between our reading HEAD and that moment is caught by the "editor" that git starts in between: a `test` that
HEAD is still the one we built on. Either way the gate is asked first, and identity, signing and messages are
what git would make of them.
"""

from __future__ import annotations

from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import GitError, NoIdentity, Refused, UsageError, WbmemError
from wbmem_git.store.commits import subject_of, trailers_of
from wbmem_git.store.git import ALWAYS, Git, text_of
from wbmem_git.store.journal import HELD, Journal, merge_files
from wbmem_git.store.state import read_mark, write_mark
from wbmem_git.store.steps import step
from wbmem_git.store.writer import HEAD, NewCommit, RefMoved, Writer
from wbmem_git.verbs.brief import brief
from wbmem_git.verbs.commit.new_index import new_entries
from wbmem_git.verbs.commit.publish import HeadMoved, Moving, disk_refusing
from wbmem_git.verbs.commit.terms import ask, terms
from wbmem_git.verbs.temporary import began, own_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from wbmem_git.model import Verdict
    from wbmem_git.store.git import Answer
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.commit.new_index import NewEntries
    from wbmem_git.verbs.commit.terms import Terms

    class Check(Protocol):
        """The verdict on a new tree and a message, beside a base commit ("" for none) and further parents."""

        def __call__(self, base: str, tree: str, message: str, others: Sequence[str] = ()) -> Verdict: ...

    Stage = Callable[[Moving | None], None]

OPERATIONS = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase or an am",
}
SHOWN_LINES = 20
_BLANKS = " \t\r\v\f"
OURS = frozenset(ALWAYS) - {"GIT_TERMINAL_PROMPT"}
"""What our own git commands run under and a user's hooks don't expect: literal pathspecs, the C locale …"""


class OperationGoingOn(UsageError):
    """A commit made now would conclude somebody's merge with our tree."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is going on here: nothing was committed",
            "finish it first (wbmem resolve settles what it left unmerged, git status says how to conclude it), "
            "then try again",
        )


class NotCommitted(GitError):
    """`git commit` ended without a commit; the message carries what it or a hook said."""

    is_report = True


class Judge(NamedTuple):
    """The gate, as whoever commits here has to pass it.

    Attributes:
        check: The verdict on a base commit ("" for none), a new tree and a message, and in a merge the other
            parents.
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
        others: Further parents: the commit is a merge.
        tree: Its tree, where that is stored already; then there are no edits.
    """

    base: str
    edits: Edits
    message: str
    variables: Mapping[str, str] = {}
    others: tuple[str, ...] = ()
    tree: str = ""


def commit(repository: Repository, wanted: Commit, judge: Judge, stage: Stage | None = None) -> str:
    """Make the commit; its oid.

    Args:
        repository: Where.
        wanted: What.
        judge: The gate; it is asked before anything is touched.
        stage: Called when the gate has passed it: stages the same edits, so that no later commit of the
            index takes them back. It is handed what has to become HEAD with them; None where git commits.

    Raises:
        NoIdentity: git knows no author or committer.
        OperationGoingOn: A merge, rebase … is going on.
        Refused: The gate refuses.
        HeadMoved: HEAD isn't `base` any more.
        NotCommitted: A hook or git refuses.
    """
    see_none_going_on(repository)
    wanted = wanted._replace(message=cleaned(_with_trailers(wanted.message, judge.trailers)))
    with (
        disk_refusing(),
        closing(ask(repository, wanted.variables)) as said,
        own_folder(repository) as folder,
        Writer(repository, str(folder)) as writer,
    ):
        writer.ready(_reason(wanted))
        base_tree = repository.tree_of(wanted.base)
        entries = _store(repository, writer, base_tree, wanted.edits)
        tree = wanted.tree or writer.tree(base_tree, entries)
        trees = {"": tree} if wanted.tree else dict(writer.folders)
        step("tree")
        verdict = judge.check(wanted.base, tree, wanted.message, wanted.others)
        road = terms(repository, said)
        see_passed(verdict)
        step("judged")
        if road.foreign or not wanted.message or "\0" in wanted.message:
            moving = Moving(wanted.base, "", writer.blob, _nothing, base_tree, entries, trees)
            return _through_git(repository, wanted, moving, stage)
        oid = _commit_object(writer, wanted, tree, road)
        step("commit")

        def move() -> None:
            try:
                writer.move(HEAD, oid, wanted.base, _reason(wanted))
            except RefMoved:
                raise HeadMoved from None

        moving = Moving(wanted.base, oid, writer.blob, move, base_tree, entries, trees)
        if stage is not None:
            stage(moving)
        else:
            _only_move(repository, moving)
    mark(repository, wanted, oid)
    return oid


def tree_with(repository: Repository, base: str, edits: Edits) -> str:
    """The tree that HEAD's commit `base` ("" where there is none) becomes with the edits."""
    with own_folder(repository) as folder, Writer(repository, str(folder)) as writer:
        tree = repository.tree_of(base)
        return writer.tree(tree, _store(repository, writer, tree, edits))


def _store(repository: Repository, writer: Writer, tree: str, edits: Edits) -> NewEntries:
    """Path → what the edits put there; their blobs are stored."""
    entries = {path: found for path in edits if (found := repository.entry(tree, path)) is not None}
    new = new_entries(entries, edits, writer.blob)
    step("blobs")
    return new


def _commit_object(writer: Writer, wanted: Commit, tree: str, road: Terms) -> str:
    """Store it; nothing names it yet.

    Raises:
        NotCommitted: git can't sign it.
    """
    parents = (*filter(None, [wanted.base]), *wanted.others)
    new = NewCommit(tree, parents, road.author, road.committer, wanted.message)
    try:
        return writer.commit(new, sign=road.signed, through_git=road.encoded)
    except GitError as error:
        raise NotCommitted(f"nothing was committed: {error.message}", error.hint) from error


def _nothing() -> None:
    """Where `git commit` moves HEAD."""


def _only_move(repository: Repository, moving: Moving) -> None:
    if repository.head() != moving.base:
        raise HeadMoved
    moving.move()
    step("moved")


def _reason(wanted: Commit) -> str:
    """What the reflog says, in git's own words."""
    kind = " (merge)" if wanted.others else "" if wanted.base else " (initial)"
    return f"commit{kind}: {subject_of(wanted.message)}"


def mark(repository: Repository, wanted: Commit, oid: str) -> None:
    """Tell audit that the gate has seen this commit, where it knew all before it: as the hook does.

    It is only a cache: where it can't be written, audit looks again.
    """
    with suppress(WbmemError, OSError):
        branch = repository.branch_named()
        if not wanted.others and read_mark(repository.common_dir, branch) == wanted.base != "":
            write_mark(repository.common_dir, branch, oid)
        step("marked")


def cleaned(message: str) -> str:
    """A message as `git commit --cleanup=whitespace` leaves it."""
    lines = [line.rstrip(_BLANKS) for line in message.split("\n")]
    kept = [line for n, line in enumerate(lines) if line or (n and lines[n - 1])]
    return "\n".join(kept).strip("\n") + "\n" if any(kept) else ""


def see_passed(verdict: Verdict) -> None:
    """Raise what the gate refuses.

    Raises:
        Refused: It refuses; the message is the report.
    """
    if not verdict.passed:
        raise Refused(f"nothing was committed\n{brief(verdict)}")


def check_ready(repository: Repository) -> None:
    """See that a commit can be made here at all.

    Raises:
        NoIdentity: git knows no author or committer.
        OperationGoingOn: A merge, rebase … is going on.
    """
    for ident in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"):
        if repository.git.ask("var", ident).status:
            raise NoIdentity
    see_none_going_on(repository)


def see_none_going_on(repository: Repository) -> None:
    """See that no merge, rebase … would be concluded by a commit.

    Raises:
        OperationGoingOn: One would.
    """
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


def _through_git(repository: Repository, wanted: Commit, moving: Moving, stage: Stage | None) -> str:
    """Have `git commit` make it, so that other people's hooks run.

    It does so while the lock of the index is ours, as with `git commit -a`: who commits what is staged would
    commit our edits too, and we make them once more. Its own index is another one.
    """
    made = ""

    def move() -> None:
        nonlocal made
        with _merging(repository, wanted.others):
            made = _git_commit(repository, git, wanted)

    with own_index(repository) as git:
        git.run("read-tree", moving.trees[""])
        if stage is not None:
            stage(moving._replace(move=move))
        else:
            move()
    return made


@contextmanager
def _merging(repository: Repository, others: Sequence[str]) -> Iterator[None]:
    """Tell git which further parents the commit has; it takes the files away when it has made it."""
    files = merge_files(others)
    if others:
        _note(repository, others=tuple(others))
    for name, text in files.items():
        Path(repository.git_dir, name).write_text(text, encoding="ascii")
    try:
        yield
    finally:
        for name in files:
            Path(repository.git_dir, name).unlink(missing_ok=True)


def _git_commit(repository: Repository, git: Git, wanted: Commit) -> str:
    guard = f'test "$(git rev-parse --quiet --verify HEAD)" = "{wanted.base}" #'
    for_hooks = {name: value for name, value in git.environment.items() if name not in OURS}
    committing = Git(git.folder, git.environment, inside=True)
    held = {HELD: repository.common_dir}
    committing.environment = {**for_hooks, **wanted.variables, **held, "GIT_EDITOR": guard}
    child = committing.start(
        *("commit", "--quiet", "--edit", "--no-status", "--cleanup=whitespace", "--file=-"), quiet=False
    )
    try:
        _note(repository, child=child.pid, child_began=began(child.pid))
    except OSError:
        child.close()  # without a message it makes no commit
        raise
    answer = committing.finish(child, wanted.message.encode("utf-8", "surrogateescape"))
    now = repository.head()
    if answer.status:
        raise HeadMoved if now != wanted.base else NotCommitted(_said(answer), _HINT)
    return now


def _note(repository: Repository, **known: Any) -> None:
    """Note what is known of the write by now: should we be killed, the next writer needs it.

    That is which git makes the commit (its end is waited for), and what git was told of further parents.

    Raises:
        OSError: That can't be written.
    """
    journal = Journal(repository.common_dir)
    begun = journal.read()
    if begun is not None:
        journal.note(begun._replace(**known))


_HINT = "git commit says what stands in the way here, with the same hooks"


def _said(answer: Answer) -> str:
    """What git and the hooks said, without the commands that git proposes."""
    lines = (line.rstrip() for line in text_of(answer.err).splitlines())
    kept = [line for line in lines if line and not line.startswith("hint:")]
    return "\n".join((f"git commit made no commit ({answer.status})", *kept[-SHOWN_LINES:]))
