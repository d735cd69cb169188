"""A new index beside the one that git uses: made of a copy of it, by git, with entries of ours."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.store.git import Git, failure, text_of
from wbmem_git.store.repository import OID_BYTES
from wbmem_git.store.trees import Entry
from wbmem_git.verbs.working_files import CannotTakeEdit, ChangedMeanwhile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.cards import Edits

    NewEntries = Mapping[str, Entry | None]

NEW_FILE_MODE = "100644"
SKIPPED = "S"


def new_entries(entries: Mapping[str, Entry], edits: Edits, store: Callable[[bytes], str]) -> NewEntries:
    """Path → what stands there after the edits, None for nothing; their blobs are stored.

    Raises:
        CannotTakeEdit: A symbolic link or a submodule stands at that path.
    """
    new: dict[str, Entry | None] = {}
    for path, text in edits.items():
        entry = entries.get(path)
        if entry is not None and not entry.is_file:
            raise CannotTakeEdit(path, "it isn't a file in git")
        mode = NEW_FILE_MODE if entry is None else entry.mode
        new[path] = None if text is None else Entry(mode, store(text.encode()))
    return new


def index_info(repository: Repository, entries: NewEntries) -> bytes:
    """What `git update-index -z --index-info` reads for these entries."""
    gone = Entry("0", "0" * (2 * OID_BYTES[repository.object_format]))
    lines = ((entry or gone, path) for path, entry in entries.items())
    return b"".join(f"{mode} {oid}\t{path}\0".encode(errors="surrogateescape") for (mode, oid), path in lines)


def update_index(git: Git, info: bytes) -> None:
    """Give the index those entries, in one step.

    Raises:
        GitError: git refuses.
    """
    if not info:
        return
    answer = git.ask("update-index", "-z", "--index-info", stdin=info)
    if answer.status:
        raise failure("update-index", answer)


class NewIndex:
    """A copy of the index, in which entries can be exchanged. Who makes one holds the index's lock.

    Attributes:
        path: Its file.
        git: A git that uses it.
    """

    def __init__(self, repository: Repository, folder: Path, index_file: str = "") -> None:
        """Copy it.

        Args:
            repository: Whose index.
            folder: Where the new one comes to lie.
            index_file: Which index; the one that git uses here by default.
        """
        self.path = folder / "index"
        self._repository = repository
        index = Path(index_file or repository.index_file())
        if index.exists():
            shutil.copyfile(index, self.path)
            shutil.copymode(index, self.path)
        variables = {**repository.git.environment, "GIT_INDEX_FILE": str(self.path)}
        self.git = Git(repository.top, variables, inside=True)
        self._skipped: set[str] = set()
        self._come: list[str] = []

    def entries(self, paths: Iterable[str]) -> dict[str, Entry]:
        """What stands at these paths."""
        wanted = list(paths)
        said = text_of(self.git.run("ls-files", "-z", "-t", "--stage", "--", *wanted)) if wanted else ""
        found: dict[str, Entry] = {}
        for line in filter(None, said.split("\0")):
            about, _, path = line.partition("\t")
            tag, mode, oid, _ = about.split(" ")
            found[path] = Entry(mode, oid)
            if tag == SKIPPED:
                self._skipped.add(path)
        return found

    def see(self, expected: NewEntries, empty_blob: str) -> None:
        """See that it has these entries still.

        Args:
            expected: What was read before.
            empty_blob: What `git add -N` notes, which counts as nothing.

        Raises:
            ChangedMeanwhile: It doesn't.
        """
        found = self.entries(expected)
        for path, entry in expected.items():
            now = found.get(path)
            if now != entry and not (entry is None and now is not None and now.oid == empty_blob):
                raise ChangedMeanwhile(path, "another program staged something there just now")

    def put(self, entries: NewEntries) -> None:
        """Exchange entries; what a sparse checkout leaves out of the working tree stays out of it.

        `--index-info` forgets that (git 2.39). `see` has to be asked before.

        Raises:
            GitError: git refuses.
        """
        update_index(self.git, index_info(self._repository, entries))
        self._come = [path for path, entry in entries.items() if entry is not None]
        sparse = b"".join(
            path.encode(errors="surrogateescape") + b"\0" for path in self._skipped if entries.get(path)
        )
        if sparse:
            self.git.run("update-index", "-z", "--skip-worktree", "--stdin", stdin=sparse)

    def refresh(self) -> None:
        """Have git look at the working files that were exchanged, so that `git status` needn't.

        `update-index --refresh` would look at thousands of others too.
        """
        if self._come:
            self.git.ask("add", "--refresh", "--", *self._come)
