"""Where the coroutine of a custom evaluator runs when its caller does not await.

On one loop in a daemon thread, always the same one: clients that an evaluator holds keep connections that
belong to the loop they were made on. It is not the loop of the judges, for which an evaluator may wait
while it blocks its own. An evaluator that blocks on another one gets a thread for that.
"""

from __future__ import annotations

import asyncio
import os
from threading import Thread
from typing import TYPE_CHECKING, Any, TypeVar

from fieldwise.core.once import once
from fieldwise.core.pool import DaemonPool
from fieldwise.judges.loops import outcome, value_of

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")


def run_blocking(given: Awaitable[T]) -> T:
    """Block until an awaitable is done, and return what it gives; it may be called from anywhere.

    >>> async def two() -> int:
    ...     return 2
    >>> run_blocking(two())
    2
    """
    loop = _loop(os.getpid())
    future: Any
    if asyncio._get_running_loop() is loop:  # noqa: SLF001 - documented, and raises nothing
        pool = DaemonPool(1)
        future = pool.submit(asyncio.run, outcome(given))
    else:
        pool = None
        future = asyncio.run_coroutine_threadsafe(outcome(given), loop)
    try:
        ended: tuple[T | None, BaseException | None] = future.result()
    except BaseException:
        future.cancel()
        raise
    finally:
        if pool is not None:
            pool.close()
    return value_of(ended)


@once
def _loop(process: int) -> asyncio.AbstractEventLoop:  # noqa: ARG001 - a forked process has not the thread
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name="fieldwise-evaluators", daemon=True).start()
    return loop
