"""`pre-merge-commit`: the commit of an automatic merge. Its other heads stand in variables only."""

from __future__ import annotations

from wbmem_hooks import environment
from wbmem_hooks.gating import gate_commit


def main(argv: list[str]) -> int:
    """0 lets the merge pass. `--chained` as in pre-commit."""
    return gate_commit(environment.read(), stamped="--chained" in argv)
