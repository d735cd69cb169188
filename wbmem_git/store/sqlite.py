"""SQLite as the interpreter has it: `sqlite3` loads `datetime` too, for values that no table of ours holds.

That takes 1.6 ms, as long as all other work of a warm question.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:  # a Python that has it under one name only
        import sqlite3

__all__ = ["sqlite3"]
