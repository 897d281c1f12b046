"""Where calls run: daemon threads, the loop an async client belongs to, and a loop of our own.

Rules. An async client keeps connections that belong to the loop they were made on; used from another, it
fails at random. So the first loop that uses a client owns it, for good: a loop that ended may have left
connections behind. Nothing here keeps the process from exiting, and every call runs in its caller's context.
"""

from __future__ import annotations

import asyncio
import os
import sys
import weakref
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar, cast

from fieldwise.core.display import said
from fieldwise.core.once import once
from fieldwise.core.pool import DaemonPool
from fieldwise.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")


class Home:
    """The loop that owns a client: the first that asks."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._owner: weakref.ref[asyncio.AbstractEventLoop] | None = None

    def is_here(self) -> bool:
        """Whether the running loop owns the client; the first one does from now on."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if self._owner is None:
                self._owner = weakref.ref(loop)
            return self._owner() is loop


def runs_a_loop() -> bool:
    """Whether the current thread is running an event loop, which whoever blocks it stops."""
    return asyncio._get_running_loop() is not None  # noqa: SLF001 - get_running_loop would raise


async def in_thread(call: Callable[[], T]) -> T:
    """Await a blocking call in a daemon thread. Cancelled, it is abandoned.

    As many calls at once as there are: whoever limits them has done so.

    Raises:
        JudgeError: it raised StopIteration, which no future of a loop can hold: it would never be done.
        Exception: whatever else it raises.
    """
    return await asyncio.wrap_future(_threads(os.getpid()).submit(_without_stop, call))


def on_own_loop(given: Awaitable[T]) -> T:
    """Block until an awaitable is done, which runs on a loop in a daemon thread that all judges share."""
    future = asyncio.run_coroutine_threadsafe(outcome(given), _own_loop(os.getpid()))
    try:
        ended = future.result()
    except BaseException:
        future.cancel()
        raise
    return value_of(ended)


async def from_own_loop(given: Awaitable[T]) -> T:
    """Await what runs on that loop, from another."""
    future = asyncio.run_coroutine_threadsafe(outcome(given), _own_loop(os.getpid()))
    return value_of(await asyncio.wrap_future(future))


async def outcome(given: Awaitable[T]) -> tuple[T | None, BaseException | None]:
    """Return what an awaitable gives or raises, as a value: a SystemExit would end the loop of all."""
    try:
        return await given, None
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # noqa: BLE001 - raised again where it was asked for
        return None, error


def value_of(ended: tuple[T | None, BaseException | None]) -> T:
    """Return what an awaitable gave, or raise what it raised."""
    given, error = ended
    if error is not None:
        raise error
    return cast("T", given)


def _without_stop(call: Callable[[], T]) -> T:
    try:
        return call()
    except StopIteration as stop:
        raise JudgeError(said(stop)) from stop


@once
def _threads(process: int) -> DaemonPool:  # noqa: ARG001 - a forked process has the pool, but not its threads
    return DaemonPool(sys.maxsize)


@once
def _own_loop(process: int) -> Any:  # noqa: ARG001 - as above
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="fieldwise-loop", daemon=True).start()
    return loop
