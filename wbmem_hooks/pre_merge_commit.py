"""`pre-merge-commit`: the commit of an automatic merge. Its other heads stand in variables only."""

from __future__ import annotations

from wbmem_hooks import environment
from wbmem_hooks.here import here


def main(argv: list[str]) -> int:
    """0 lets the merge pass. Our script says `--chained` where another hook ran first."""
    around = environment.read()
    with here(around.variables) as place:
        from wbmem_hooks.gating import gate_commit  # 20 ms, in which git works too

        return gate_commit(place, around, stamped="--chained" in argv)
