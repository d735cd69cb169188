"""`pre-commit`: the commit that `git commit` is about to make, also the amended one."""

from __future__ import annotations

from wbmem_hooks import environment
from wbmem_hooks.gating import gate_commit


def main(argv: list[str]) -> int:
    """0 lets the commit pass. Our script says `--chained` where another hook ran first."""
    return gate_commit(environment.read(), stamped="--chained" in argv)
