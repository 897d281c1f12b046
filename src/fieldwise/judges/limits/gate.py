"""Who may call now: how many at once, how many a minute, and nobody while the server asks to wait.

Rules. One gate stands before all calls of a judge, from any number of threads and event loops: it locks with
threading and waits with `concurrent.futures`, in the order of arrival. A thread that runs an event loop and
blocks it does not queue: those it would wait for may need that very loop to go on.

A pace is a number of starts a minute, evenly spread, or a LangChain rate limiter, which may be one that the
application's own models share.
"""

from __future__ import annotations

import asyncio
from collections import deque
from concurrent.futures import Future
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Any

from fieldwise.judges.loops import runs_a_loop

if TYPE_CHECKING:
    from fieldwise.judges.limits.clock import Clock


class Slots:
    """How many may be inside at once. Whoever waits is let in in turn.

    Example:
        >>> slots = Slots(1)
        >>> slots.take() is None, slots.take().done()
        (True, False)
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._waiting: deque[Future[None]] = deque()
        self._lock = Lock()

    def take(self, *, over: bool = False) -> Future[None] | None:
        """Take a slot now and return None, or return what is done once there is one."""
        with self._lock:
            if over or self._free > 0:
                self._free -= 1
                return None
            turn: Future[None] = Future()
            self._waiting.append(turn)
            return turn

    def give(self) -> None:
        """Give a slot back."""
        granted = None
        with self._lock:
            self._free += 1
            while granted is None and self._free > 0 and self._waiting:
                turn = self._waiting.popleft()
                if turn.set_running_or_notify_cancel():
                    granted = turn
                    self._free -= 1
        if granted is not None:
            granted.set_result(None)

    def leave(self, turn: Future[None]) -> None:
        """Stop waiting, whether or not the turn came meanwhile."""
        if not turn.cancel():
            self.give()


class Gate:
    """What every call of a judge passes.

    Args:
        concurrency: how many may be inside at once.
        pace: starts a minute, a LangChain rate limiter, or None.
        clock: of its waits.

    Attributes:
        through: how many calls got through so far.
    """

    def __init__(self, concurrency: int, pace: Any, clock: Clock) -> None:
        self._slots = Slots(concurrency)
        self._limiter = pace if hasattr(pace, "acquire") else None
        self._every = 0.0 if pace is None or self._limiter is not None else 60.0 / pace
        self._clock = clock
        self._lock = Lock()
        self._next = self._until = -inf
        self.through = 0

    def enter(self, deadline: float = inf) -> None:
        """Wait until a call may start, or the deadline is over."""
        turn = self._slots.take(over=runs_a_loop())
        if turn is not None:
            try:
                turn.result()
            except BaseException:
                self._slots.leave(turn)
                raise
        try:
            if self._limiter is not None:
                self._limiter.acquire()
            start = self._reserved()
            while (left := self._left(start, deadline)) > 0:
                self._clock.sleep(left)
        except BaseException:
            self._slots.give()
            raise

    async def aenter(self, deadline: float = inf) -> None:
        """As `enter`, on a loop."""
        turn = self._slots.take()
        if turn is not None:
            try:
                await asyncio.wrap_future(turn)
            except BaseException:
                self._slots.leave(turn)
                raise
        try:
            if self._limiter is not None:
                await self._limiter.aacquire()
            start = self._reserved()
            while (left := self._left(start, deadline)) > 0:
                await self._clock.asleep(left)
        except BaseException:
            self._slots.give()
            raise

    def leave(self) -> None:
        """Let the next one in."""
        self._slots.give()

    def passed(self) -> None:
        """Count a call that got through."""
        with self._lock:
            self.through += 1

    def pause(self, seconds: float) -> None:
        """Let nobody start for some seconds from now."""
        if seconds <= 0:
            return
        with self._lock:
            self._until = max(self._until, self._clock.now() + seconds)

    def _reserved(self) -> float:
        """When the pace lets the next call start; that start is taken."""
        if not self._every:
            return self._next
        with self._lock:
            start = max(self._next, self._clock.now())
            self._next = start + self._every
            return start

    def _left(self, start: float, deadline: float) -> float:
        return min(max(start, self._until), deadline) - self._clock.now()
