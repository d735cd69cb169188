"""What a merge was settled to comes into files and index: all of it, or nothing.

It comes as anything does (`commit.placing`): under the index's lock, with an intent that the next writer
takes back. Under that lock it still has to be the merge that was settled.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.intent import Touched
from wbmem_git.store.steps import step
from wbmem_git.store.writer import blob_oid
from wbmem_git.verbs.commit.new_index import on_a_copy, update_index
from wbmem_git.verbs.commit.placing import disk_refusing, place
from wbmem_git.verbs.commit.stages import index_states, state_info, told_stages
from wbmem_git.verbs.commit.touched import digest, told
from wbmem_git.verbs.commit.working_files import ChangedMeanwhile, prepare, put_back, replace_all
from wbmem_git.verbs.operation import operation_of, stages_of
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.commit.working_files import Replacement
    from wbmem_git.verbs.operation import Operation, Stages
    from wbmem_git.verbs.three_trees import Versions


class Merging(NamedTuple):
    """The merge that was settled, as it was read: what goes on, and path → stages of what isn't merged."""

    operation: Operation
    unmerged: Mapping[str, Stages]


class Outcome(NamedTuple):
    """What becomes of paths.

    Attributes:
        files: Path → the working file's text, None where it goes.
        entries: Path → its entry in the index, None where it goes.
        stages: Path → its stages, of what isn't merged any more.
    """

    files: Mapping[str, str | None]
    entries: Mapping[str, Entry | None]
    stages: Mapping[str, Stages]


def put_in_place(
    repository: Repository, versions: Versions, merging: Merging, outcome: Outcome
) -> tuple[str, ...]:
    """Write the files, then the index in one step; where that fails both are as they were.

    Returns:
        The files that weren't so yet.

    Raises:
        CannotTakeEdit: A working file can't be written. IndexLocked: Another git kept the index.
        ChangedMeanwhile: The merge isn't what was read any more, or a file.
        GitError: git refuses.
    """
    read = versions.file.read
    files = {path: text for path, text in outcome.files.items() if text != read(path)}
    if not files and not outcome.entries and not outcome.stages:
        return ()
    with disk_refusing(), own_folder(repository) as folder:
        writes = [prepare(repository, versions, *one, folder) for one in files.items()]
        step("waiting")
        place(repository, folder, _Resolved(repository, versions, merging, outcome, writes, folder), None)
    return tuple(files)


class _Resolved:
    """How they come: files by renaming, the index by git on a copy, which knows of stages."""

    def __init__(  # noqa: PLR0913, PLR0917  # all that an outcome is
        self,
        repository: Repository,
        versions: Versions,
        merging: Merging,
        outcome: Outcome,
        writes: Sequence[Replacement],
        folder: Path,
    ) -> None:
        self._repository = repository
        self._merging = merging
        self._folder = folder
        self._writes = writes
        self._done: list[Replacement] = []
        paths = dict.fromkeys((*outcome.files, *outcome.entries, *outcome.stages))
        self._heads = {path: told(versions.head.entries.get(path)) for path in paths}
        self._old = {
            path: told_stages(merging.unmerged[path])
            if path in merging.unmerged
            else told(versions.staged.entries.get(path))
            for path in paths
        }
        self._new = {
            **self._old,
            **{path: told(entry) for path, entry in outcome.entries.items()},
            **{path: told_stages(stages) for path, stages in outcome.stages.items()},
        }

    def touched(self) -> Sequence[Touched]:
        """Every path of it."""
        files = {write.path: write for write in self._writes}
        return [
            Touched(
                path=path,
                head=self._heads[path],
                old=old,
                new=self._new[path],
                is_file=path in files,
                before=files[path].kept if path in files else "",
                after=digest(files[path].after) if path in files else "",
            )
            for path, old in self._old.items()
        ]

    def make_ready(self) -> None:
        """See that the same is still being merged, and that the index has what was read.

        Raises:
            ChangedMeanwhile: It isn't.
        """
        unmerged = stages_of(self._repository)
        if operation_of(self._repository, unmerged) != self._merging.operation:
            path = next(iter(self._old))
            raise ChangedMeanwhile(path, "what was being merged was concluded or given up just now")
        now = index_states(self._repository.git, self._old)
        nothing = {"", f"100644 {blob_oid(self._repository, b'')}"}  # `git add -N` notes an empty file
        for path, old in self._old.items():
            if now[path] != old and not (old == "" and now[path] in nothing):
                raise ChangedMeanwhile(path, "another program staged something there just now")

    def put_files(self) -> None:
        """Put the texts in their places.

        Raises:
            CannotTakeEdit: One can't be put there.
        """
        replace_all(self._repository, self._writes, self._done)

    def new_index(self) -> Path:
        """A copy with what is merged now, and what isn't any more."""
        copy = self._folder / "index"
        changed = {path: new for path, new in self._new.items() if new != self._old[path]}
        if changed:
            git = on_a_copy(self._repository, Path(self._repository.index_file()), copy)
            update_index(git, state_info(self._repository, changed))
            git.ask("update-index", "-q", "--refresh")
        return copy

    def take_back(self) -> None:
        """Put back what the files held."""
        put_back(self._repository, self._done, self._folder)
