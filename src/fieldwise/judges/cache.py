"""Replies that are kept: a call in words that were sent before is answered by the reply it had.

| `cache=` | keeps replies |
|---|---|
| None, False | nowhere |
| True | in memory, in LangChain's `InMemoryCache` |
| a path | in a SQLite file, for other runs and processes too |
| a LangChain cache (`BaseCache`) | there |

Rules. A key is a digest of the model's label, every word it is sent, the schema, and `VERSION`: the same in
every process, whatever the hash seed. What is kept is the reply itself, and only one that answered everything
it was asked. A cache that fails costs a call, never a score. Equal calls that are under way at once are one
call (`Recall`); if it fails, the others make their own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sqlite3
import weakref
from concurrent.futures import Future
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol
from uuid import uuid4

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.judges.interfaces import Reply
from fieldwise.judges.loops import in_thread, runs_a_loop

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fieldwise.judges.interfaces import Cache, Call

VERSION: Final = 1
"""Of what is kept, and of how replies are asked for and read beyond what the words say."""

_ADDRESS: Final = re.compile(r" at 0x[0-9a-fA-F]+")
_HERE: Final = uuid4().hex
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, model TEXT, reply TEXT) WITHOUT ROWID"
)
_PATIENCE: Final = 30.0


def as_cache(option: Any) -> Cache | None:
    """Read the `cache` option of a judge.

    Raises:
        ConfigError: for what is no cache, and a file that cannot be one.
    """
    if option is None or option is False:
        return None
    if option is True:
        from langchain_core.caches import InMemoryCache

        return ReplyCache(_LangChain(InMemoryCache()), may_block=False)
    if isinstance(option, str | os.PathLike):
        return ReplyCache(ReplyFile(option), may_block=False)
    if callable(getattr(option, "lookup", None)) and callable(getattr(option, "update", None)):
        return ReplyCache(_LangChain(option), may_block=type(option).__name__ != "InMemoryCache")
    if callable(getattr(option, "get", None)) and callable(getattr(option, "put", None)):
        shared: Cache = option
        return shared
    raise ConfigError(f"cache={shown(option)}: pass True, the path of a file, or a LangChain cache")


def key_of(label: str, call: Call) -> str:
    """Return what a call's reply is kept under.

    Args:
        label: the model's. Where it names an address in memory, the key is of this process only.
        call: the words.
    """
    home = _HERE if _ADDRESS.search(label) else ""
    messages = [[one.role, one.content, *one.blocks] for one in call.messages]
    whole = json.dumps([VERSION, label, home, messages, call.schema])
    return blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=20).hexdigest()


class _Store(Protocol):
    """Text by key and model."""

    def load(self, key: str, label: str, /) -> str | None: ...
    def save(self, key: str, label: str, text: str, /) -> None: ...


class ReplyCache:
    """Replies in a store, as JSON text.

    Args:
        store: where they are kept.
        may_block: whether an event loop had better not wait for it.
    """

    def __init__(self, store: _Store, *, may_block: bool) -> None:
        self._store = store
        self.may_block = may_block

    def get(self, label: str, call: Call, /) -> Reply | None:
        """Return the reply that a call had, or None."""
        try:
            text = self._store.load(key_of(label, call), label)
            return None if text is None else _reply(json.loads(text))
        except Exception as error:  # noqa: BLE001 - a cache never costs a score
            _report("read", error)
            return None

    def put(self, label: str, call: Call, reply: Reply, /) -> None:
        """Keep a reply."""
        kept = {name: getattr(reply, name) for name in ("content", "refusal", "finish")}
        try:
            self._store.save(key_of(label, call), label, json.dumps({**kept, "usage": dict(reply.usage)}))
        except Exception as error:  # noqa: BLE001 - as above
            _report("written", error)


def _reply(kept: Any) -> Reply:
    return Reply(kept["content"], kept["refusal"], kept["finish"], kept["usage"])


def _report(what: str, error: Exception) -> None:
    logging.getLogger("fieldwise").warning("the judge's cache could not be %s: %r", what, error)


class ReplyFile:
    """Replies in a SQLite file, made if it is not there: one table, text by key.

    One connection a process, behind a lock; several processes may use one file at once. A crash of the
    machine may cost the last replies, never the file.

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


class _LangChain:
    """A LangChain cache as a store."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def load(self, key: str, label: str, /) -> str | None:
        found = self._cache.lookup(key, _kind(label))
        return found[0].text if found else None

    def save(self, key: str, label: str, text: str, /) -> None:
        from langchain_core.outputs import Generation

        self._cache.update(key, _kind(label), [Generation(text=text)])


def _kind(label: str) -> str:
    return f"fieldwise judge: {label}"


# ---------------------------------------------------------------------------------- calls under way


class Recall:
    """What stands before a model's calls: replies that are kept, and calls that are under way."""

    def __init__(self, cache: Cache) -> None:
        self._cache = cache
        self._may_block = getattr(cache, "may_block", False)
        self._lock = Lock()
        self._flights: dict[tuple[str, Call], Future[Reply | None]] = {}

    def reply(
        self, label: str, call: Call, make: Callable[[], Reply], is_whole: Callable[[Reply], bool]
    ) -> tuple[Reply, bool]:
        """Return the reply to a call, and whether it took no call of its own.

        Args:
            label: the model's.
            call: the words.
            make: makes the call.
            is_whole: whether a reply answers everything, and is worth keeping.
        """
        known = self._cache.get(label, call)
        if known is not None:
            return known, True
        flight, mine = self._board(label, call)
        if not mine:
            # Whoever blocks an event loop may be what that other call is waiting for.
            shared = None if runs_a_loop() else flight.result()
            return (make(), False) if shared is None else (shared, True)
        found = None
        try:
            reply = make()
            if is_whole(reply):
                self._cache.put(label, call, reply)
                found = reply
            return reply, False
        finally:
            self._land(label, call, found)

    async def areply(
        self, label: str, call: Call, make: Callable[[], Awaitable[Reply]], is_whole: Callable[[Reply], bool]
    ) -> tuple[Reply, bool]:
        """As `reply`, without blocking the loop."""
        known = await self._aside(lambda: self._cache.get(label, call))
        if known is not None:
            return known, True
        flight, mine = self._board(label, call)
        if not mine:
            shared = await asyncio.shield(asyncio.wrap_future(flight))
            return (await make(), False) if shared is None else (shared, True)
        found = None
        try:
            reply = await make()
            if is_whole(reply):
                found = reply
                await self._aside(lambda: self._cache.put(label, call, reply))
            return reply, False
        finally:
            self._land(label, call, found)

    async def _aside(self, work: Callable[[], Any]) -> Any:
        return await in_thread(work) if self._may_block else work()

    def _board(self, label: str, call: Call) -> tuple[Future[Reply | None], bool]:
        with self._lock:
            flight = self._flights.get((label, call))
            if flight is not None:
                return flight, False
            flight = self._flights[label, call] = Future()
            flight.set_running_or_notify_cancel()  # from here on nobody can cancel it
            return flight, True

    def _land(self, label: str, call: Call, reply: Reply | None) -> None:
        with self._lock:
            flight = self._flights.pop((label, call))
        flight.set_result(reply)
