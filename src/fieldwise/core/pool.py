"""Daemon threads that make calls: the pool behind the drivers of `flow`.

Rules. A call runs in its own copy of the context of whoever submitted it, so that traces keep their
parent. A call that is abandoned never keeps the process from exiting: the threads are daemons and
nobody joins them, which is why `concurrent.futures.ThreadPoolExecutor` does not serve here. Closing
cancels what is queued and lets go of what runs. Knows nothing of flows, requests or judges.

Threads start on demand, when a call finds none free, and end when the pool is closed.
"""

from __future__ import annotations

from concurrent.futures import Future
from contextvars import copy_context
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
T = TypeVar("T")


class DaemonPool:
    """At most `size` calls at once, on daemon threads.

    Example:
        >>> pool = DaemonPool(2)
        >>> pool.submit(divmod, 7, 2).result()
        (3, 1)
        >>> pool.close()
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._queue: SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = SimpleQueue()
        self._lock = Lock()
        self._threads = 0
        self._unfinished = 0
        self._closed = False

    def submit(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Queue a call; whatever it raises, `BaseException` included, is in the future.

        Raises:
            RuntimeError: The pool is closed.
        """
        future: Future[T] = Future()
        context = copy_context()
        with self._lock:
            if self._closed:
                raise RuntimeError("the pool is closed; submit calls before close()")
            self._unfinished += 1
            self._queue.put((future, lambda: context.run(call, *args, **kwargs)))
            grow = self._threads < min(self._size, self._unfinished)
            self._threads += grow
        if grow:
            Thread(target=self._serve, name="fieldwise-call", daemon=True).start()
        return future

    def close(self) -> None:
        """Cancel what is queued, abandon what runs, and let the threads end. Idempotent."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        while (job := self._next_queued()) is not None:
            job[0].cancel()
        for _ in range(self._threads):  # final: a closed pool takes no call
            self._queue.put(None)

    def _next_queued(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        try:
            return self._queue.get_nowait()
        except Empty:
            return None

    def _serve(self) -> None:
        while (job := self._queue.get()) is not None:
            self._run(*job)
            del job  # an idle thread holds on to nothing

    def _run(self, future: Future[Any], call: Callable[[], Any]) -> None:
        if not future.set_running_or_notify_cancel():
            self._finish()
            return
        try:
            result = call()
        except BaseException as error:  # noqa: BLE001 - the one who waits for the future decides
            self._finish()
            future.set_exception(error)
        else:
            self._finish()
            future.set_result(result)

    def _finish(self) -> None:
        """Count down before the future is set: who is woken by it then finds this thread free."""
        with self._lock:
            self._unfinished -= 1
