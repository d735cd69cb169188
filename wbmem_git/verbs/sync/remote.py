"""The other repository that a memory is kept in step with: what it has, what is fetched, what is pushed.

Nothing here understands git's English. What a failure means is told by asking once more what the other side
has: it doesn't answer, it has something else by now, or it has what it had and refuses.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from wbmem_git.errors import GitError, UsageError, WbmemError
from wbmem_git.rules.wording import command, shown
from wbmem_git.store.git import text_of
from wbmem_git.store.patience import tries
from wbmem_git.store.writer import RefLocked, ref_locks
from wbmem_git.verbs.commit.foreign_hooks import foreign_files, is_own
from wbmem_git.verbs.commit.hooked_git import SHOWN_LINES, hooked, lines_said
from wbmem_git.verbs.on_branch import git_here, see_on_a_branch

if TYPE_CHECKING:
    from wbmem_git.store.git import Answer
    from wbmem_git.store.repository import Repository

NO_SUCH_REF = 2
PUSH = "pre-push"
FETCHES = 4
_LOCAL = re.compile(r"file:|[^:]*(?:/|$)")
"""A URL that names a folder here; before its first slash any other one has a colon (git-fetch)."""
_LOGIN = re.compile(r"(?<=://)[^/@\s]+@")


class NoRemote(UsageError):
    """There is nothing to keep in step with, or nobody says which."""


class Unreachable(GitError):
    """The other repository doesn't answer."""

    def __init__(self, name: str, said: str, standing: str, folder: str = "") -> None:
        """`folder`: where it lies, if that is on this machine: then no connection is missing."""
        hint = "try again when there is a connection: wbmem sync"
        if folder:
            right = command("git", "remote", "set-url", name)
            hint = f"see whether {shown(folder)} is there; {right} URL names another place, then: wbmem sync"
        super().__init__(f"{name} can't be reached{f' ({said})' if said else ''}; {standing}", hint)


class FetchFailed(GitError):
    """The other repository answers, and git can't store here what it has."""

    def __init__(self, title: str, said: str, fetch: str) -> None:
        super().__init__(
            f"{title} answers, and git can't fetch it into this memory{f' ({said})' if said else ''}; "
            "nothing was changed",
            f"wbmem doctor looks at what lies here; {fetch} says more",
        )


class PushRefused(WbmemError):
    """The other side, or a hook or a server before it, takes no commits; the message carries what it said."""

    exit_status = 1
    is_report = True


class Remote:
    """One branch of one remote.

    Attributes:
        name: The remote's. branch: The branch there. here: The branch here that is kept in step with it.
        known: What the branch named there when it was asked last; "" where there is no such branch.
    """

    def __init__(self, repository: Repository, name: str, branch: str, here: str) -> None:
        self._repository = repository
        self.name = name
        self.branch = branch
        self.here = here
        self.known = ""

    @property
    def title(self) -> str:
        """`origin/main`."""
        return f"{self.name}/{self.branch}"

    def fetch(self) -> str:
        """What the branch names there now, with all that it needs here; "" where there is no such branch.

        Raises:
            Unreachable: Nobody answers; nothing was changed.
            FetchFailed: It answers, and what it has can't be stored here; nothing was changed.
            RefLocked: Another program keeps the lock of a ref here; nothing was changed.
        """
        self.known = self._tip("nothing was changed")
        if not self.known:
            return ""
        ref = f"refs/wbmem/fetched/{self.title.replace('/', '+')}"  # `a/b` may be one where `a` was
        for _ in tries(0.1, 0.8, most=FETCHES):  # another fetch may hold the ref
            answer = self._repository.git.ask(
                *("fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules"),
                *("--end-of-options", self.name, f"+refs/heads/{self.branch}:{ref}"),
            )
            if answer.status == 0:
                self.known = self._repository.resolve(ref)
                return self.known
        for named in (f"refs/remotes/{self.title}", ref):
            (lock,) = ref_locks(self._repository, named)
            if os.path.lexists(lock):
                raise RefLocked(lock)
        self._tip("nothing was changed")
        raise FetchFailed(self.title, _first_said(answer), git_here(self._repository, "fetch", self.name))

    def push(self, commit: str) -> bool:
        """Have the branch there name this commit; False where somebody else was faster.

        Raises:
            PushRefused: The other side refuses, or a hook here, or it takes nothing from whoever pushes here.
            Unreachable: Nobody answers any more.
        """
        answer = self._push(commit)
        if answer.status == 0:
            return True
        standing = f"what is here is committed ({commit[:12]}) and isn't pushed"
        now = self._tip(standing)
        if now == commit:
            return True
        if now != self.known:
            return False
        raise self._refused(commit, answer, standing)

    def _refused(self, commit: str, answer: Answer, standing: str) -> PushRefused:
        """Who doesn't let it through: git tells of the ref (`!`) where the other side was asked at all.

        Where it wasn't, the hook here stopped it if the other side takes a push without that hook, which a
        dry run tells.
        """
        if _asked_of_the_ref(answer):
            what = f"{self.name} doesn't take {self.branch}"
            hint = "see what it said; a protected branch takes commits through a merge request only"
        elif self._has_hook() and not self._is_closed(commit):
            what = f"a hook here (pre-push) doesn't let {self.branch} go to {self.name}, which wasn't asked"
            hint = "mend what it said (wbmem audit, wbmem rescue), then: wbmem sync"
        else:
            place = shown(_LOGIN.sub("", self._url("--push")))
            what = f"{self.name} can be read, and the push failed before it took anything"
            hint = f"see what git said, and whether you may push to {place}; then: wbmem sync"
        said = "\n".join(_lines(answer)[-SHOWN_LINES:])
        return PushRefused(f"{what}; {standing}\n{said}".rstrip(), hint)

    def _has_hook(self) -> bool:
        said = self._repository.variables()
        return is_own(self._repository, said, PUSH) or bool(foreign_files(self._repository, said, PUSH))

    def _is_closed(self, commit: str) -> bool:
        """Whether it takes no push from here, whatever is pushed."""
        answer = self._push(commit, "--dry-run", "--no-verify")
        return answer.status != 0 and not _asked_of_the_ref(answer)

    def _push(self, commit: str, *options: str) -> Answer:
        return hooked(self._repository.git).ask(
            *("push", "--quiet", "--porcelain", "--no-recurse-submodules", *options, "--end-of-options"),
            *(self.name, f"{commit}:refs/heads/{self.branch}"),
        )

    def _url(self, *which: str) -> str:
        """Where it lies, as git's configuration rewrites it; `--push`: where pushes go."""
        if which:
            return text_of(self._repository.git.ask("remote", "get-url", *which, "--", self.name).out).strip()
        return text_of(self._repository.git.ask("ls-remote", "--get-url", "--", self.name).out).strip()

    def _unreachable(self, answer: Answer, standing: str) -> Unreachable:
        url = self._url()
        return Unreachable(self.name, _first_said(answer), standing, url if _LOCAL.match(url) else "")

    def _tip(self, standing: str) -> str:
        """What the branch names there."""
        ref = f"refs/heads/{self.branch}"
        answer = self._repository.git.ask(
            "ls-remote", "--exit-code", "--quiet", "--end-of-options", self.name, ref
        )
        if answer.status == NO_SUCH_REF:
            return ""
        if answer.status:
            raise self._unreachable(answer, standing)
        named = (line.partition("\t") for line in text_of(answer.out).splitlines())
        return next((oid for oid, _, name in named if name == ref), "")


def remote_of(repository: Repository, wanted: str) -> Remote:
    """The branch to keep in step with.

    Args:
        repository: The memory.
        wanted: A remote's name; "": the one that this branch follows, else `origin`, else the only one.

    Raises:
        NoRemote: There is none. OnNoBranch: HEAD is detached.
    """
    branch = see_on_a_branch(repository)
    names = text_of(repository.git.run("remote")).split("\n")[:-1]
    followed = repository.config(f"branch.{branch}.remote")
    name = wanted or (followed if followed in names else _usual(names))
    if not names:
        raise NoRemote("this memory has no remote", "git remote add origin URL, then: wbmem sync")
    if name not in names:
        what = f"there is no remote {wanted!r}" if wanted else "there are several remotes"
        raise NoRemote(f"{what}: {', '.join(names)}", f"wbmem sync {names[0]}")
    there = repository.config(f"branch.{branch}.merge") if name == followed else ""
    return Remote(repository, name, there.removeprefix("refs/heads/") or branch, branch)


def _asked_of_the_ref(answer: Answer) -> bool:
    """Whether a push came so far that the other side, or git beside what it has, refused the ref."""
    return any(line.startswith("!") for line in text_of(answer.out).splitlines())


def _usual(names: list[str]) -> str:
    return "origin" if "origin" in names else names[0] if len(names) == 1 else ""


def _first_said(answer: Answer) -> str:
    return next(iter(_lines(answer)), "")


def _lines(answer: Answer) -> list[str]:
    """What git and the other side said, without anybody's login."""
    return [_LOGIN.sub("", line) for line in lines_said(answer.err)]
