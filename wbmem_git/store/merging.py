"""Texts merged by lines: `git merge-file`, which wants files (git 2.39 reads no objects here)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.errors import GitError
from wbmem_git.store.git import failure

if TYPE_CHECKING:
    from wbmem_git.store.git import Git

MOST_CONFLICTS = 127
"""git merge-file's exit status is the number of conflicts, at most this; above it failed."""


def merge_texts(
    git: Git, texts: tuple[str, str, str], *, union: bool, labels: tuple[str, str, str], marker: int
) -> tuple[str, int]:
    """The merged text and how many conflicts are left; `texts` are base, ours and theirs.

    Whatever `merge.conflictStyle` says, a conflict has two parts and no third one of the base.

    Raises:
        GitError: git can't merge them, since one holds a NUL.
    """
    import tempfile  # only a merge needs it

    base, ours, theirs = texts
    with tempfile.TemporaryDirectory(prefix="wbmem-merge-") as folder:
        places = [os.path.join(folder, name) for name in ("ours", "base", "theirs")]
        for place, text in zip(places, (ours, base, theirs), strict=True):
            with open(place, "wb") as file:
                file.write(text.encode("utf-8", "surrogatepass"))
        named = [word for label in labels for word in ("-L", label)]
        style = ["--union"] if union else []
        answer = git.ask(
            *("-c", "merge.conflictStyle=merge", "merge-file", "-p", f"--marker-size={marker}"),
            *(*style, *named, *places),
        )
    if not 0 <= answer.status <= MOST_CONFLICTS:
        if any("\0" in text for text in texts):
            raise GitError("git can't merge these lines: one of the files isn't text")
        raise failure("merge-file", answer)
    return answer.out.decode("utf-8", "surrogatepass"), answer.status
