"""What a sidecar is to whoever asks it, for type checkers only: `store.sidecar` alone runs SQLite."""

from __future__ import annotations

from sqlite3 import Connection

__all__ = ["Connection"]
