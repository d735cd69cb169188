"""`wbmem-sidecar` of the pre-commit framework: what the native scripts do after a commit."""

from __future__ import annotations

from wbmem_git.store.git import Git
from wbmem_hooks import environment, post_commit, post_merge, post_rewrite, refresh
from wbmem_hooks.here import opened


def main(_argv: list[str]) -> int:
    """Always 0. The framework passes git's arguments on as variables."""
    around = environment.read()
    if around.squash:
        return post_merge.main(["1"])
    status = post_rewrite.main([around.rewrite]) if around.rewrite else post_commit.main([])
    if around.rewrite == "rebase" or not (around.rewrite or _picking(around)):
        refresh.start()
    return status


def _picking(around: environment.Environment) -> bool:
    """Whether a rebase or an am is going on: at its end the sidecar follows, once."""
    with opened(Git(".", around.variables, inside=True), around.variables) as repository:
        return repository.in_rebase_or_am()
