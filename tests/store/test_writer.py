"""Objects and refs, written through children of git."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from memory import Memory

from wbmem_git.errors import GitError
from wbmem_git.store import writer as module
from wbmem_git.store.repository import Repository
from wbmem_git.store.trees import Entry
from wbmem_git.store.writer import MOST_WAITING, NewCommit, RefLocked, RefMoved, Writer, ref_locks

if TYPE_CHECKING:
    from collections.abc import Iterator

SOON_S = 20


@pytest.fixture(params=["sha1", "sha256"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Memory, Repository, Writer]]:
    options = ("--object-format=sha256",) if request.param == "sha256" else ()
    memory = Memory.create(tmp_path / "handoff", *options)
    memory.commit({"PLAN.md": "p\n", "log/a.md": "a\n", "log.md": "l\n", "archive/x.md": "x\n"})
    with (
        Repository.open(str(memory.top), os.environ) as repository,
        Writer(repository, str(tmp_path)) as writer,
    ):
        yield memory, repository, writer


def test_trees_are_those_that_git_makes(opened: tuple[Memory, Repository, Writer]) -> None:
    memory, repository, writer = opened
    blob = Entry("100644", writer.blob(b"new\n"))
    assert memory.git("cat-file", "blob", blob.oid) == "new"
    edits = {
        "log/b/c/d.md": blob,
        "log/a.md": None,
        "log-1": blob,
        "archive/x.md": None,
        "PLAN.md": blob._replace(mode="100755"),
        "none/at/all": None,
    }
    tree = writer.tree(repository.tree_of(memory.head()), edits)
    for path, entry in edits.items():
        arguments = ("--cacheinfo", f"{entry.mode},{entry.oid},{path}") if entry else ("--force-remove", path)
        memory.git("update-index", "--add", *arguments)
    assert tree == memory.git("write-tree")
    assert writer.folders == {
        "": tree,
        **{path: memory.git("rev-parse", f"{tree}:{path}") for path in ("log", "log/b", "log/b/c")},
    }
    assert repository.entries(tree) == {
        path: Entry(about.split()[0], about.split()[2])
        for row in memory.git("ls-tree", "-r", tree).split("\n")
        for about, _, path in [row.partition("\t")]
    }
    assert writer.tree(tree, dict.fromkeys(repository.entries(tree))) == memory.git("mktree")
    assert memory.git("fsck", "--strict") == "" or "dangling" in memory.git("fsck", "--strict")


def test_a_file_that_becomes_a_folder_and_back(opened: tuple[Memory, Repository, Writer]) -> None:
    memory, repository, writer = opened
    blob = Entry("100644", writer.blob(b"new\n"))
    base = repository.tree_of(memory.head())
    tree = writer.tree(base, {"log.md": None, "log.md/x": blob})
    assert memory.git("ls-tree", "-r", "--name-only", tree, "log.md").split() == ["log.md/x"]
    back = writer.tree(tree, {"log.md": repository.entry(base, "log.md"), "log.md/x": None})
    assert back == base


def test_a_commit_is_the_one_that_git_makes(opened: tuple[Memory, Repository, Writer]) -> None:
    memory, repository, writer = opened
    who = {"NAME": "Ädä", "EMAIL": "a@example.org", "DATE": "1700000000 +0130"}
    env = {f"GIT_{whose}_{what}": value for whose in ("AUTHOR", "COMMITTER") for what, value in who.items()}
    tree, parent = repository.tree_of(memory.head()), memory.head()
    other = memory.git("commit-tree", tree, "-m", "other")
    ident = f"{who['NAME']} <{who['EMAIL']}> {who['DATE']}"
    new = NewCommit(tree, (parent, other), ident, ident, "subject\n\nbody é\n")
    by_git = memory.git(
        "commit-tree", tree, "-p", parent, "-p", other, "-F", "-", env=env, stdin="subject\n\nbody é\n"
    )
    assert writer.commit(new) == by_git


def test_a_ref_moves_only_from_where_it_should_be(opened: tuple[Memory, Repository, Writer]) -> None:
    memory, repository, writer = opened
    old = memory.head()
    new = memory.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "new")
    writer.move("HEAD", new, old, "commit: new")
    assert (repository.head(), memory.git("log", "-g", "-1", "--format=%gs")) == (new, "commit: new")
    with pytest.raises(RefMoved):
        writer.move("HEAD", old, old, "back")
    writer.move("HEAD", new, new, "nothing")
    writer.move("refs/heads/side", new, "", "made")
    with pytest.raises(RefMoved):
        writer.move("refs/heads/side", old, "", "made")
    assert memory.git("rev-parse", "side") == new


def test_a_ref_that_stays_locked_is_told(
    opened: tuple[Memory, Repository, Writer], monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, repository, writer = opened
    monkeypatch.setattr(module, "TRIES", 2)
    locks = ref_locks(repository, "HEAD")
    assert [os.path.relpath(lock, memory.top / ".git") for lock in locks] == [
        "HEAD.lock",
        "refs/heads/main.lock",
    ]
    Path(locks[1]).touch()
    old = memory.head()
    new = memory.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "new")
    with pytest.raises(RefLocked, match=r"kept \S+main\.lock since \d\d:\d\d:\d\d; nothing") as caught:
        writer.move("HEAD", new, old, "x")
    assert "wbmem doctor" in caught.value.hint
    assert Path(locks[1]).exists()
    Path(locks[1]).unlink()


def test_a_hook_that_refuses_the_move_is_heard(opened: tuple[Memory, Repository, Writer]) -> None:
    memory, _, writer = opened
    hook = memory.top / ".git/hooks/reference-transaction"
    hook.write_text("#!/bin/sh\n[ \"$1\" != prepared ] || { echo 'not now' >&2; exit 1; }\n")
    hook.chmod(0o755)
    old = memory.head()
    new = memory.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "new")
    with pytest.raises(GitError, match="not now"):
        writer.move("HEAD", new, old, "x")
    assert memory.head() == old


@pytest.mark.parametrize("refuses", [False, True])
def test_a_hook_that_says_more_than_a_pipe_holds_keeps_nobody_waiting(
    opened: tuple[Memory, Repository, Writer], *, refuses: bool
) -> None:
    memory, _, writer = opened
    old = memory.head()
    new = memory.git("commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", "new")
    hook = memory.top / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho not now >&2\nhead -c 300000 /dev/zero >&2\nexit {int(refuses)}\n")
    hook.chmod(0o755)
    with raising_after(SOON_S):
        if refuses:
            with pytest.raises(GitError, match="not now"):
                writer.move("HEAD", new, old, "x")
        else:
            writer.move("HEAD", new, old, "x")
    assert memory.head() == (old if refuses else new)


@contextmanager
def raising_after(seconds: int) -> Iterator[None]:
    """Have what takes longer fail, instead of waiting for ever."""

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_what_git_cannot_store_is_told_in_its_words(opened: tuple[Memory, Repository, Writer]) -> None:
    _, _, writer = opened
    with pytest.raises(GitError, match="hash-object failed"):
        writer._store("tree", b"no tree")
    assert writer.blob(b"goes on\n")


def test_a_repository_that_is_held_keeps_its_children(
    opened: tuple[Memory, Repository, Writer], tmp_path: Path
) -> None:
    memory, repository, _ = opened
    os.utime(memory.top / ".git/objects/pack", (0, 0))
    repository.is_held = True
    with Writer(repository, str(tmp_path)) as first:
        first.blob(b"1\n")
    child = repository.children["blob"].pid
    with Writer(repository, str(tmp_path)) as second:
        second.blob(b"2\n")
    assert repository.children["blob"].pid == child
    repository.close()
    assert repository.children == {}


def test_a_ref_that_came_there_and_went_on_is_moved(opened: tuple[Memory, Repository, Writer]) -> None:
    """git is killed just behind the move, and somebody commits on top before anybody can look."""
    memory, _, writer = opened
    old = memory.head()
    new = memory.git("commit-tree", "HEAD^{tree}", "-p", old, "-m", "new")
    top = memory.git("commit-tree", "HEAD^{tree}", "-p", new, "-m", "on top")
    hook = memory.top / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        f'#!/bin/sh\ntest "$1" = committed && test -z "$AGAIN" || exit 0\n'
        f"AGAIN=1 git update-ref HEAD {top}\nkill -9 $PPID\n"
    )
    hook.chmod(0o755)
    writer.move("HEAD", new, old, "a reason")
    hook.unlink()
    assert memory.head() == top
    with pytest.raises(RefMoved):
        writer.move("HEAD", new, old, "again")


def test_objects_on_their_way_are_there_for_whoever_asks_git(
    opened: tuple[Memory, Repository, Writer], tmp_path: Path
) -> None:
    memory, repository, _ = opened
    base = repository.tree_of(memory.head())
    with Writer(repository, str(tmp_path), ahead=True) as writer:
        blobs = {f"log/{n}.md": Entry("100644", writer.blob(b"%d\n" % n)) for n in range(3 * MOST_WAITING)}
        tree = writer.tree(base, blobs)
        assert len(repository.git.run("ls-tree", "-r", tree).splitlines()) == 4 + len(blobs)
        last = writer.blob(b"last\n")
        assert repository.objects.find(last) is not None
        assert repository.git.waiting is None
    assert memory.git("ls-tree", "--name-only", tree, "log/7.md") == "log/7.md"


def test_what_cannot_be_stored_is_told_when_it_is_waited_for(
    opened: tuple[Memory, Repository, Writer], tmp_path: Path
) -> None:
    memory, repository, _ = opened
    repository.is_held = True
    writer = Writer(repository, str(tmp_path), ahead=True)
    good = writer.blob(b"good\n")
    writer._store("tree", b"no tree")
    with pytest.raises(GitError, match="hash-object failed"):
        writer.settle()
    writer.close()
    assert repository.git.waiting is None
    assert not writer._waiting
    with Writer(repository, str(tmp_path)) as again:  # no answer of before is taken for one of now
        assert again.tree("", {"a.md": Entry("100644", again.blob(b"a\n"))}) != good
    assert memory.git("cat-file", "blob", good) == "good"
    repository.close()


def test_a_refusal_is_told_and_not_what_was_on_its_way(
    opened: tuple[Memory, Repository, Writer], tmp_path: Path
) -> None:
    _, repository, _ = opened
    with pytest.raises(KeyError), Writer(repository, str(tmp_path), ahead=True) as writer:
        raise KeyError(writer._store("tree", b"no tree"))
    assert repository.git.waiting is None


@pytest.mark.parametrize("pipe", ["stdin", "stdout"])
def test_a_child_that_ended_has_left_its_work_to_another(
    opened: tuple[Memory, Repository, Writer], tmp_path: Path, pipe: str
) -> None:
    memory, repository, _ = opened
    with Writer(repository, str(tmp_path), ahead=True) as writer:
        writer.blob(b"first\n")
        if pipe == "stdin":
            writer.settle()
        os.kill(writer._children["blob"].pid, signal.SIGKILL)
        oids = [writer.blob(b"%d\n" % n) for n in range(3)]
    assert [memory.git("cat-file", "blob", oid) for oid in oids] == ["0", "1", "2"]
