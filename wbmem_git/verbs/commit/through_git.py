"""A commit that git itself makes, so that hooks of other people run in it as ever.

git makes it on an index of its own (`GIT_INDEX_FILE`), while the lock of the index is ours, as with `git
commit -a`. Its compare-and-swap on the ref starts when it reads HEAD; what happens between our reading HEAD
and that moment is caught by the "editor" that git starts in between: a `test` that HEAD is still the one we
built on, that nobody has begun a merge which this commit would conclude, and that the tree is still the one
that the gate has passed. Where a hook has made another one, the gate is asked for that, and git once more,
without that hook. Where the gate is a hook itself it was asked.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.store.intent import IntentFile, merge_files
from wbmem_git.store.writer import UTF_8
from wbmem_git.variables import WITHIN
from wbmem_git.verbs.commit.awaited import awaited
from wbmem_git.verbs.commit.foreign_hooks import foreign_files, hooks_but, is_own
from wbmem_git.verbs.commit.going_on import see_no_operation
from wbmem_git.verbs.commit.hooked_git import SHOWN_LINES, hooked, lines_said
from wbmem_git.verbs.commit.made import child_of
from wbmem_git.verbs.commit.new_index import own_index
from wbmem_git.verbs.commit.placing import HeadMoved
from wbmem_git.verbs.commit.wanted import NotCommitted, see_passed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.store.git import Answer, Git
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.wanted import Commit, Judge

CHANGES, PRE_MERGE, POST_MERGE = "pre-commit", "pre-merge-commit", "post-merge"
STILL = 'test "$(git rev-parse --quiet --verify HEAD)" = "{base}"'
ALONE = (
    "for name in MERGE_HEAD CHERRY_PICK_HEAD; do "
    'test ! -e "$(git rev-parse --git-path $name)" || exit 1; done'
)
SAME = 'git write-tree >"$GIT_INDEX_FILE.tree" && test "$(cat "$GIT_INDEX_FILE.tree")" = "{tree}"'
"""What the editor of a commit sees to."""
_HINT = "git commit says what stands in the way here, with the same hooks"


class ThroughGit:
    """One such commit; `with` it, so that its index goes."""

    def __init__(self, repository: Repository, git: Git, wanted: Commit, tree: str, judge: Judge) -> None:
        self._repository = repository
        self._git = git
        self._wanted = wanted
        self._tree = tree
        self._judge = judge
        self._said = repository.variables()

    @classmethod
    @contextmanager
    def of(cls, repository: Repository, wanted: Commit, tree: str, judge: Judge) -> Iterator[ThroughGit]:
        """One of that tree, which the gate has passed."""
        with own_index(repository) as git:
            git.run("read-tree", tree)
            yield cls(repository, git, wanted, tree, judge)

    def make(self) -> str:
        """Have git make it; its oid.

        Raises:
            HeadMoved: HEAD isn't what it was built on.
            NotCommitted: A hook or git refuses.
            Refused: The gate refuses what a hook made of it.
        """
        with _merging(self._repository, self._wanted.others):
            self._ask_before_a_merge()
            return self._made(self._commit(is_again=False)) or self._made(self._commit(is_again=True))

    def _ask_before_a_merge(self) -> None:
        """Run the hook that `git merge` runs, where it is another one's; `git commit` doesn't.

        Raises:
            NotCommitted: It refuses.
        """
        others = self._wanted.others
        if not others or not foreign_files(self._repository, self._said, PRE_MERGE):
            return
        named = {f"GITHEAD_{oid}": oid for oid in others}
        answer = run_hook(self._repository, self._git, PRE_MERGE, variables=named)
        if answer.status:
            raise NotCommitted(_said(f"{PRE_MERGE} refuses the merge ({answer.status})", answer), _HINT)
        self._see_tree(self._git.line("write-tree"))

    def _commit(self, *, is_again: bool) -> Answer:
        """Have git try it; again with what the hook has made of it, and without that hook."""
        is_judged = is_again or is_own(self._repository, self._said, CHANGES)
        seen = [STILL, *([] if is_judged else [SAME]), *([] if self._wanted.others else [ALONE])]
        editor = f"{' && '.join(seen).format(base=self._wanted.base, tree=self._tree)} #"
        variables = {**self._wanted.variables, **_within(self._repository), "GIT_EDITOR": editor}
        if is_again:
            folder = Path(self._git.environment["GIT_INDEX_FILE"]).parent / "hooks"
            variables |= hooks_but(self._repository, self._said, CHANGES, folder)
        return awaited(
            self._repository,
            hooked(self._git, variables),
            *("-c", UTF_8, "commit", "--quiet", "--edit", "--no-status", "--cleanup=whitespace", "--file=-"),
            stdin=self._wanted.message.encode("utf-8", "surrogateescape"),
        )

    def _made(self, answer: Answer) -> str:
        """The commit's oid; "" where git has to be asked once more, for another tree.

        Raises:
            HeadMoved, NotCommitted, OperationGoingOn: There is none.
        """
        base, now = self._wanted.base, self._repository.head()
        if answer.status == 0:
            return child_of(self._repository, base, now) or now
        if now != base:
            raise HeadMoved
        if not self._wanted.others:
            see_no_operation(self._repository)
        proposed = Path(self._git.environment["GIT_INDEX_FILE"] + ".tree")
        tree = proposed.read_text(encoding="ascii").strip() if proposed.exists() else self._tree
        proposed.unlink(missing_ok=True)
        if tree == self._tree:
            raise NotCommitted(_said(f"git commit made no commit ({answer.status})", answer), _HINT)
        self._see_tree(tree)
        return ""

    def _see_tree(self, tree: str) -> None:
        """See that the gate passes what a hook made of it.

        Raises:
            Refused: It doesn't.
        """
        wanted = self._wanted
        if tree != self._tree:
            see_passed(self._judge.check(wanted.base, tree, wanted.message, wanted.others))
            self._tree = tree


def run_hook(
    repository: Repository, git: Git, name: str, *args: str, variables: dict[str, str] | None = None
) -> Answer:
    """Run a hook as git would, if there is one; it knows in whose write it runs."""
    told = {**(variables or {}), **_within(repository)}
    return hooked(git, told).ask("hook", "run", "--ignore-missing", name, *(("--", *args) if args else ()))


def _within(repository: Repository) -> dict[str, str]:
    begun = IntentFile(repository.common_dir).read()
    return {WITHIN: begun.token.strip()} if begun is not None else {}


@contextmanager
def _merging(repository: Repository, others: Sequence[str]) -> Iterator[None]:
    """Tell git which further parents the commit has; it takes the files away when it has made it."""
    files = merge_files(others)
    try:
        for name, text in files.items():
            Path(repository.git_dir, name).write_text(text, encoding="ascii")
        yield
    finally:
        for name in files:
            with suppress(FileNotFoundError):
                Path(repository.git_dir, name).unlink()


def _said(what: str, answer: Answer) -> str:
    return "\n".join((what, *lines_said(answer.err)[-SHOWN_LINES:]))
