"""`pre-commit`: the commit that `git commit` is about to make, also the amended one."""

from __future__ import annotations

from wbmem_hooks import environment
from wbmem_hooks.here import here


def main(argv: list[str]) -> int:
    """0 lets the commit pass. Our script says `--chained` where another hook ran first."""
    around = environment.read()
    with here(around.variables) as place:
        from wbmem_hooks.gating import gate_commit  # 20 ms, in which git works too

        return gate_commit(place, around, stamped="--chained" in argv)
