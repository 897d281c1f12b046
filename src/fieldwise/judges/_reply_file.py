"""Replies in a SQLite file: one table, text by key.

One connection a process, behind a lock; several processes may use one file at once. A crash of the machine
may cost the last replies, never the file.
"""

from __future__ import annotations

import os
import sqlite3
import weakref
from threading import Lock
from typing import Final

from fieldwise.errors import ConfigError

_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, model TEXT, reply TEXT) WITHOUT ROWID"
)
_PATIENCE: Final = 30.0


class ReplyFile:
    """A file of replies, made if it is not there.

    Raises:
        ConfigError: the file cannot be opened, or is something else.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self._lock = Lock()
        self._process = 0
        try:
            self._connect()
        except sqlite3.Error as error:
            raise ConfigError(f"cache={str(path)!r} cannot be used as a file of replies: {error}") from error

    def load(self, key: str, label: str, /) -> str | None:  # noqa: ARG002 - the key holds it
        """Return the text kept under a key."""
        with self._lock:
            row = self._connect().execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else row[0]

    def save(self, key: str, label: str, text: str, /) -> None:
        """Keep a text; the model's label is for people."""
        with self._lock:
            self._connect().execute("INSERT OR REPLACE INTO replies VALUES (?, ?, ?)", (key, label, text))

    def _connect(self) -> sqlite3.Connection:
        """The connection of this process: one that was open before a fork must not be used after it."""
        if self._process != os.getpid():
            opened = sqlite3.connect(
                self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            weakref.finalize(self, opened.close)
            opened.execute("PRAGMA journal_mode = WAL")
            opened.execute("PRAGMA synchronous = NORMAL")
            opened.execute(_TABLE)
            self._connection, self._process = opened, os.getpid()
        return self._connection
