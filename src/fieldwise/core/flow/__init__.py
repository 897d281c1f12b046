"""How scoring asks a judge without calling one, and the drivers that answer: the only sync/async seam.

Rules of this package:
1. A flow is a generator. It yields a batch of requests, is sent as many answers in the same order, and
   returns its result. It does no I/O and reads no clock, environment or random source.
2. Flows compose through `together` alone, which merges the batches of its members into one.
   `yield from` in a loop would ask one after the other.
3. What a judge does wrong is a value, `JudgeFailure`, and the flow decides what it means. Only a
   `BaseException` (KeyboardInterrupt, SystemExit, a cancellation that somebody asked for) passes through.
4. Every exit of a driver closes its flows. Every call of a judge runs in its own copy of the context.
5. A flow that never asks costs `next()`: no thread, no loop; `drive` does not even import their modules.

How it works. `model` has what is asked and answered. A desk has requests answered: that of `desk` in daemon
threads (`core.pool`), that of `async_desk` in tasks, which hand a sync judge to daemon threads. `drive` and
`adrive` advance one flow, batch by batch; `drive_many` and `adrive_many` share `window`, which knows neither
threads nor loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from fieldwise.core.flow.model import (
    REASON_LIMIT,
    Answer,
    AnyJudge,
    Flow,
    Judge,
    JudgeFailure,
    JudgeRequest,
    Question,
    Reply,
    Verdict,
    together,
)
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Generator, Iterable, Sequence

    from fieldwise.core.flow.async_desk import AsyncDesk
    from fieldwise.core.flow.desk import Desk
    from fieldwise.core.flow.window import Window

__all__ = [
    "AnyJudge",
    "Answer",
    "DEFAULT_LIMIT",
    "Flow",
    "Judge",
    "JudgeFailure",
    "JudgeRequest",
    "Question",
    "REASON_LIMIT",
    "Reply",
    "Verdict",
    "adrive",
    "adrive_many",
    "drive",
    "drive_many",
    "together",
]

T = TypeVar("T")

DEFAULT_LIMIT: Final = 16
"""How many calls of a judge a driver has under way at once, unless told otherwise."""


def drive(flow: Flow[T], judge: Judge | None, *, limit: int = DEFAULT_LIMIT) -> T:
    """Run a flow to its result, asking a sync judge.

    A batch of one is answered in the caller's thread, a larger one by daemon threads, at most `limit`
    at once. `judge` may be None for a flow that never asks.

    Raises:
        ConfigError: The flow asks, and the judge is async or `limit` is below 1.
        BaseException: Whatever the flow raises, and from the judge what is no `Exception`.

    Example:
        >>> drive(together([]), None)
        []
    """
    try:
        batch = next(flow)
    except StopIteration as done:
        return cast("T", done.value)
    return _converse(flow, batch, judge, limit)


def _converse(flow: Flow[T], batch: Sequence[JudgeRequest], judge: Judge | None, limit: int) -> T:
    try:
        desk = _sync_desk(judge, limit)
        try:
            while True:
                answers = desk.answer_all(batch)
                try:
                    batch = flow.send(answers)
                except StopIteration as done:
                    return cast("T", done.value)
        finally:
            desk.close()
    finally:
        flow.close()


async def adrive(flow: Flow[T], judge: AnyJudge | None, *, limit: int = DEFAULT_LIMIT) -> T:
    """As `drive`, asking a judge of either kind.

    An async judge runs on the loop, a sync one in daemon threads. Cancelling closes the flow.

    Raises:
        ConfigError: The flow asks, and `limit` is below 1.
        BaseException: Whatever the flow raises, and from the judge what is no `Exception`.
    """
    try:
        batch = next(flow)
    except StopIteration as done:
        return cast("T", done.value)
    return await _aconverse(flow, batch, judge, limit)


async def _aconverse(flow: Flow[T], batch: Sequence[JudgeRequest], judge: AnyJudge | None, limit: int) -> T:
    try:
        desk = _async_desk(judge, limit)
        try:
            while True:
                answers = await desk.answer_all(batch)
                try:
                    batch = flow.send(answers)
                except StopIteration as done:
                    return cast("T", done.value)
        finally:
            await desk.close()
    finally:
        flow.close()


def drive_many(
    flows: Iterable[Flow[T]], judge: Judge | None, *, window: int = 16, limit: int | None = None
) -> Generator[T, None, None]:
    """Run many flows with a sync judge; yields their results in the order of the input.

    Flows are pulled as results are taken, never more than `window` ahead of them, and one pool of
    daemon threads answers for all, at most `limit` requests at once (None: `window`, at least 16).

    Returns:
        A generator. Closing it closes the open flows and cancels what is queued.

    Raises:
        ConfigError: At once, when the judge is async or a number is below 1.
        BaseException: While iterating: what a flow or the iterable raises, once the results before it
            are taken; at once what is no `Exception`.

    Example:
        >>> list(drive_many((together([]) for _ in range(2)), None))
        [[], []]
    """
    from fieldwise.core.flow.window import Window

    desk = _sync_desk(judge, _shared_limit(window, limit))
    return _run(Window(flows, window, desk.post), desk)


def _run(window: Window[T], desk: Desk) -> Generator[T, None, None]:
    try:
        while window.fill():
            while window.stuck or not desk.finished.empty():
                window.receive(*desk.finished.get())
            if window.ready:
                yield window.take()
    finally:
        desk.close()
        window.close()


def adrive_many(
    flows: Iterable[Flow[T]], judge: AnyJudge | None, *, window: int = 16, limit: int | None = None
) -> AsyncGenerator[T, None]:
    """As `drive_many`, asking a judge of either kind, as an async generator.

    Leave it early only inside `contextlib.aclosing`, as with every async generator.

    Raises:
        ConfigError: At once, when a number is below 1.
        BaseException: As `drive_many`.
    """
    from fieldwise.core.flow.window import Window

    desk = _async_desk(judge, _shared_limit(window, limit))
    return _arun(Window(flows, window, desk.post), desk)


async def _arun(window: Window[T], desk: AsyncDesk) -> AsyncGenerator[T, None]:
    try:
        while window.fill():
            await desk.breathe(window.taken)
            while window.stuck or not desk.finished.empty():
                window.receive(*await desk.finished.get())
            if window.ready:
                yield window.take()
    finally:
        try:
            await desk.close()
        finally:
            window.close()


def _shared_limit(window: int, limit: int | None) -> int:
    _at_least_one("window", window)
    return max(window, DEFAULT_LIMIT) if limit is None else limit


def _sync_desk(judge: Judge | None, limit: int) -> Desk:
    from fieldwise.core.flow.desk import Desk

    return Desk(judge, _at_least_one("limit", limit))


def _async_desk(judge: AnyJudge | None, limit: int) -> AsyncDesk:
    from fieldwise.core.flow.async_desk import AsyncDesk

    return AsyncDesk(judge, _at_least_one("limit", limit))


def _at_least_one(option: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{option}={value!r} is not a whole number from 1 up; give how many may be at once")
    return value
