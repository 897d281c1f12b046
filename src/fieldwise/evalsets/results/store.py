"""A history of runs in one SQLite file: runs, their items, and the results of each.

Rules of this module:
1. Results go in as they come and are kept at least once a second. Whatever ends the process, the file holds
   whole items only: SQLite takes back what was not kept. One file, without a write-ahead log beside it, so
   that it can be copied and kept on a network drive.
2. Storing twice changes nothing: a run is known by its id, an item by its id and repeat.
3. A file that is something else is never written to.

A run is named `results.db#RUN`; `results.db` alone is the last one.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import nearest, unwritten
from fieldwise.errors import InputError
from fieldwise.evalsets.results.files import NotWritten
from fieldwise.evalsets.results.lines import BadLine, parsed, read_header, read_item

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Self

    from fieldwise.evalsets.model import ItemResult
    from fieldwise.evalsets.results.header import Header

_MAGIC: Final = b"SQLite format 3\x00"
_APPLICATION: Final = 0x66776973
_VERSION: Final = 1
_EVERY: Final = 1.0
_SCHEMA: Final = f"""
BEGIN IMMEDIATE;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
CREATE TABLE IF NOT EXISTS runs (
    run TEXT PRIMARY KEY, set_id TEXT NOT NULL, name TEXT NOT NULL, started TEXT NOT NULL,
    header TEXT NOT NULL, summary TEXT
);
CREATE TABLE IF NOT EXISTS items (
    run TEXT NOT NULL REFERENCES runs, position INTEGER NOT NULL, item TEXT NOT NULL,
    repeat INTEGER NOT NULL, outcome TEXT NOT NULL, error TEXT, seconds REAL, body TEXT NOT NULL,
    PRIMARY KEY (run, item, repeat)
);
CREATE TABLE IF NOT EXISTS results (
    run TEXT NOT NULL, item TEXT NOT NULL, repeat INTEGER NOT NULL, evaluator TEXT NOT NULL,
    position INTEGER NOT NULL, key TEXT NOT NULL, score REAL, status TEXT, passed INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (run, item, repeat, evaluator, position),
    FOREIGN KEY (run, item, repeat) REFERENCES items
);
CREATE INDEX IF NOT EXISTS items_in_order ON items (run, position);
COMMIT;
"""
_LIST: Final = """
SELECT header, summary, (SELECT count(*) FROM items WHERE items.run = runs.run)
FROM runs ORDER BY started, rowid
"""
_INSERT_ITEM: Final = "INSERT OR IGNORE INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_REMOVE: Final = tuple(
    f"DELETE FROM {table} WHERE run = ? AND item = ? AND repeat = ?"  # noqa: S608 - names of our own
    for table in ("results", "items")
)
_INSERT_RESULT: Final = "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run of a history; iterate over it, as often as wanted, for one `ItemResult` after the other.

    Attributes:
        header: what is known of the run.
        path: the file.
        summary: what the run found, as JSON; None: it has not come to its end.
        count: how many results it holds.
    """

    header: Header
    path: str
    summary: Mapping[str, Any] | None = None
    count: int = 0

    def __iter__(self) -> Iterator[ItemResult]:
        """Yield every result, in the order in which they were stored.

        Raises:
            InputError: what is stored is no result, naming the item.
        """
        with _reading(self.path) as connection:
            items = connection.execute(
                "SELECT item, repeat, body FROM items WHERE run = ? ORDER BY position", (self.header.run,)
            )
            for item, repeat, body in items:
                rows = connection.execute(
                    "SELECT evaluator, body FROM results WHERE run = ? AND item = ? AND repeat = ? "
                    "ORDER BY rowid",
                    (self.header.run, item, repeat),
                )
                try:
                    results: dict[str, list[Any]] = {}
                    for evaluator, text in rows:
                        results.setdefault(evaluator, []).append(parsed(text))
                    yield read_item({**_object(body), "results": results})
                except BadLine as error:
                    place = f"{self.path}: run {self.header.run!r}, item {item!r}"
                    raise InputError(f"{place}: is stored wrongly: {error}; store it anew") from None


class Store:
    """A history that a run is written to. A context manager; what is in it stays also when the run fails."""

    def __init__(self, path: str, header: Header) -> None:
        """Open a history, or begin one.

        Raises:
            NotWritten: it cannot be written.
            InputError: it is a file of something else.
        """
        _check(path)
        self._path = path
        self._run = header.run
        self._count = 0
        self._kept = monotonic()
        with self._written():
            self._connection = sqlite3.connect(path, isolation_level=None)
            self._connection.executescript(_SCHEMA)
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("BEGIN")
            self._connection.execute(
                "INSERT OR IGNORE INTO runs (run, set_id, name, started, header) VALUES (?, ?, ?, ?, ?)",
                (header.run, header.set, header.name, header.started, json.dumps(header.to_dict())),
            )
            self._keep()

    def add(self, result: ItemResult, *, anew: bool = False) -> None:
        """Store one result; one that is there already stays as it is, or with `anew` gives way.

        Raises:
            NotWritten: it cannot be written.
        """
        line = result.to_dict()
        results = line.pop("results")
        self._count += 1
        key = (self._run, result.item, result.repeat)
        row = (self._run, self._count, *key[1:], result.outcome, result.error, result.seconds, _text(line))
        with self._written():
            for statement in _REMOVE if anew else ():
                self._connection.execute(statement, key)
            if self._connection.execute(_INSERT_ITEM, row).rowcount:
                self._connection.executemany(_INSERT_RESULT, _rows(key, results))
            if monotonic() - self._kept >= _EVERY:
                self._keep()

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Note what the run found.

        Raises:
            NotWritten: it cannot be written.
        """
        with self._written():
            self._connection.execute("UPDATE runs SET summary = ? WHERE run = ?", (_text(summary), self._run))
            self._keep()

    def _keep(self) -> None:
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN")
        self._kept = monotonic()

    @contextmanager
    def _written(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            there = Path(self._path).parent.exists()
            why = str(error) if there else unwritten(FileNotFoundError(ENOENT, "", self._path))
            raise NotWritten(f"{self._path}: cannot be written: {why}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            with self._written():
                self._connection.execute("COMMIT")
        except NotWritten:
            if kind is None:
                raise
        finally:
            self._connection.close()


def _rows(key: tuple[str, str, int], results: Mapping[str, Any]) -> Iterator[tuple[Any, ...]]:
    for evaluator, found in results.items():
        for position, one in enumerate(found):
            extra = one["extra"]
            score = None if one["score"] is None else float(one["score"])
            told = (extra.get("status"), extra.get("passed"))
            yield (*key, evaluator, position, one["key"], score, *told, _text(one))


def _text(value: Any) -> str:
    return json.dumps(value, allow_nan=False)


# --------------------------------------------------------------------------------------------- reading


def list_runs(path: str) -> list[StoredRun]:
    """Return the runs of a history, the oldest first.

    Raises:
        InputError: it cannot be read, or is none.
    """
    _check(path, exists=True)
    with _reading(path) as connection:
        rows = connection.execute(_LIST).fetchall()
    try:
        return [
            StoredRun(
                read_header(_object(header)), path, None if summary is None else _object(summary), count
            )
            for header, summary, count in rows
        ]
    except BadLine as error:
        raise InputError(f"{path}: what is stored of a run is broken: {error}; name another file") from None


def _object(text: Any) -> dict[str, Any]:
    """An object of JSON, as it is stored."""
    found = parsed(text)
    if not isinstance(found, dict):
        raise BadLine("is no object of JSON")
    return found


def load_run(name: str) -> StoredRun:
    """Return a run of a history: `results.db#RUN`, or the last one of `results.db`.

    Raises:
        InputError: it cannot be read, or has no such run.
    """
    path, run = _split(name)
    runs = list_runs(path)
    if not runs:
        raise InputError(f"{path}: holds no run yet")
    if run is None:
        return runs[-1]
    found = {one.header.run: one for one in runs}
    if run not in found:
        close = nearest(run, found)
        hint = f"did you mean {close!r}?" if close else f"its last runs: {', '.join(list(found)[-5:])}"
        raise InputError(f"{path}: holds no run {run!r}; {hint}")
    return found[run]


def is_history(name: str) -> bool:
    """Whether a name is that of a history, or of a run in one, by what the file begins with."""
    try:
        with Path(_split(name)[0]).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def _split(name: str) -> tuple[str, str | None]:
    """The path and the run; a file whose name has the sign in it is that file."""
    path, sign, run = name.rpartition("#")
    return (path, run) if sign and not Path(name).exists() else (name, None)


def _check(path: str, *, exists: bool = False) -> None:
    """Refuse a file that is no history of ours; one that is not there or empty becomes one."""
    try:
        if not exists and (not Path(path).exists() or not Path(path).stat().st_size):
            return
        with _reading(path) as connection:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not tables and not exists:  # its first run was ended before there was anything in it
        return
    if application != _APPLICATION:
        raise InputError(f"{path}: is a database of something else; name another file")
    if version != _VERSION:
        raise InputError(f"{path}: was written by another version of fieldwise; name another file")


@contextmanager
def _reading(path: str) -> Iterator[sqlite3.Connection]:
    if not Path(path).exists():
        raise InputError(f"{path}: no such file")
    try:
        with closing(sqlite3.connect(path)) as connection:
            yield connection
    except sqlite3.Error as error:
        raise InputError(f"{path}: cannot be read: {error}") from None
