"""How a hook speaks: UTF-8 to standard error, whatever the locale says."""

from __future__ import annotations

import sys


def tell(*lines: str) -> None:
    """Write lines; a character that can't be encoded (a half surrogate of a path) is shown escaped."""
    text = "".join(f"{line}\n" for line in lines)
    sys.stderr.flush()
    stream = getattr(sys.stderr, "buffer", None)
    if stream is None:  # a caller put a text stream there
        sys.stderr.write(text)
        return
    stream.write(text.encode("utf-8", "backslashreplace"))
    stream.flush()
