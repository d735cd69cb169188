"""`wbmem-sidecar` of the pre-commit framework: what the native scripts do after a commit."""

from __future__ import annotations

from wbmem_hooks import environment, post_commit, post_merge, post_rewrite


def main(_argv: list[str]) -> int:
    """Always 0. The framework passes git's arguments on as variables."""
    around = environment.read()
    if around.squash:
        return post_merge.main(["1"])
    if around.rewrite:
        return post_rewrite.main([around.rewrite])
    return post_commit.main([])
