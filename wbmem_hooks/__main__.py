"""`wbmem-hook NAME [ARG…]`: opens the door that git, the framework or a script asked for.

The native scripts start this file by its path with `python -I -S`, which is 15 ms faster than the console
script: then nothing is on `sys.path` but the standard library, so the file brings its own package in, and
`packages` brings in the rest when something heavy is really needed.
"""

from __future__ import annotations

import gc
import os
import sys


def main(argv: list[str] | None = None) -> int:
    """Exit status of the door named by the first argument.

    Args:
        argv: The hook's name as git has it, then the arguments that git gives it.
    """
    from wbmem_hooks.doors import open_door  # only now is its folder on sys.path

    return open_door(sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    # Behind the standard library: a backport that lies in site-packages shadows nothing.
    sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from wbmem_hooks.light_typing import stand_in

    stand_in()
    # A hook lives for a moment: looking for garbage and taking everything apart is a tenth of it.
    gc.disable()
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)
