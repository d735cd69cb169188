"""Runs the fuzz targets, each in a process of its own: `python -m fuzz.run [--seconds N] [TARGET …]`.

A target is a module here with `check(data: bytes)`, which raises where a property doesn't hold. atheris makes
inputs out of the seeds in `fuzz/seeds/<target>/`, and keeps what reaches new code in `.fuzz/<target>/`, from
one run to the next. An input that breaks a property lies in `.fuzz/` too: its path is told, and the exit
status is 1.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
TARGETS = ("page", "scanner", "archive", "settings", "merge", "log", "credentials", "growth")
SEEDS, KEPT = ROOT / "fuzz" / "seeds", ROOT / ".fuzz"
LONGEST_BYTES = 4096
MOST_S = 5.0
"""Processor time of one input, however often its code is counted."""
HANGS_S = 120
MOST_MB = 2048
NOT_RUN = 3


class Slow(AssertionError):
    """An input that took too long."""


def main() -> int:
    """0 where every property held; 1 where one didn't; `NOT_RUN` where that was required and can't be.

    Where there is no atheris for this Python nothing is fuzzed, and unless it was required that is 0.
    """
    asked = argparse.ArgumentParser(prog="python -m fuzz.run", description=__doc__.split("\n", 1)[0])
    asked.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (all)")
    asked.add_argument("--seconds", type=int, default=600, help="for each target (600)")
    asked.add_argument(
        "--inputs",
        type=int,
        default=0,
        help="for each target, in place of time; the same in each run",
    )
    asked.add_argument(
        "--required", action="store_true", help=f"exit status {NOT_RUN} where nothing is fuzzed"
    )
    asked.add_argument("--within", action="store_true", help=argparse.SUPPRESS)
    said = asked.parse_args()
    unknown = [name for name in said.targets if name not in TARGETS]
    if unknown:
        asked.error(f"{unknown[0]!r} is no target; there are {', '.join(TARGETS)}")
    if find_spec("atheris") is None:
        print(
            "fuzz: NOTHING WAS FUZZED. atheris isn't installed; there are wheels for Python 3.11 on Linux "
            f"x86_64, and this is Python {platform.python_version()} on {platform.system()} "
            f"{platform.machine()}. "
            "The seeds of every target run in the suite (tests/test_fuzz.py)."
        )
        return NOT_RUN if said.required else 0
    if said.within:
        _fuzz(said.targets[0], said.seconds, said.inputs)
    status = 0
    for name in said.targets or TARGETS:
        bounds = ("--seconds", str(said.seconds), "--inputs", str(said.inputs))
        words = (sys.executable, "-m", "fuzz.run", "--within", *bounds, name)
        print(f"fuzz: {name}, {f'{said.inputs} inputs' if said.inputs else f'{said.seconds} s'}", flush=True)
        if subprocess.run(words, cwd=ROOT, check=False).returncode:
            print(f"fuzz: {name} broke a property; the input lies under {KEPT}/{name}-…", flush=True)
            status = 1
    return status


def _fuzz(name: str, seconds: int, inputs: int) -> None:
    """Fuzz one target, for so long or with so many inputs; the fuzzer ends the process."""
    import atheris  # the suite runs without it

    from fuzz.mutation import by_lines

    with atheris.instrument_imports(include=["wbmem_git", "markdown_it.rules_block"]):
        target = importlib.import_module(f"fuzz.{name}")

    def once(data: bytes) -> None:
        begun = process_time()
        target.check(data)
        took_s = process_time() - begun
        if took_s > MOST_S:
            raise Slow(f"{took_s:.1f} s of processor time for {len(data)} bytes")

    def mutate(data: bytes, size_bytes: int, seed: int) -> bytes:
        return by_lines(data, size_bytes, seed, atheris.Mutate)

    kept = KEPT / name
    kept.mkdir(parents=True, exist_ok=True)
    options = (
        *((f"-runs={inputs}", "-seed=1") if inputs else (f"-max_total_time={seconds}",)),
        f"-max_len={LONGEST_BYTES}", f"-timeout={HANGS_S}",
        f"-rss_limit_mb={MOST_MB}", f"-artifact_prefix={KEPT}/{name}-", "-verbosity=0",
        "-print_final_stats=1",
    )  # fmt: skip
    atheris.Setup([name, *options, str(kept), str(SEEDS / name)], once, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
