"""How scoring asks a judge without calling one, and the drivers that answer: the only sync/async seam.

Rules of this module:
1. A flow is a generator. It yields a batch of requests, is sent as many answers in the same order, and
   returns its result. It does no I/O and reads no clock, environment or random source.
2. Flows compose through `together` alone, which merges the batches of its members into one.
   `yield from` in a loop would ask one after the other.
3. What a judge does wrong is a value, `JudgeFailure`, and the flow decides what it means. Only a
   `BaseException` (KeyboardInterrupt, SystemExit, a cancellation that somebody asked for) passes through.
4. Every exit of a driver closes its flows. Every call of a judge runs in its own copy of the context.
5. A flow that never asks costs `next()`: no thread, no loop; `drive` does not even import their modules.

How it works. A desk has requests answered: that of `_desk` in daemon threads (`_pool`), `_AsyncDesk` here in
tasks, which hand a sync judge to daemon threads. `drive` and `adrive` advance one flow, batch by batch;
`drive_many` and `adrive_many` share `_window`, which knows neither threads nor loops.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypeVar, cast

from fieldwise.core._say import cut
from fieldwise.core._together import together
from fieldwise.errors import BudgetExceeded, ConfigError, JudgeError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncGenerator, Iterable

    from fieldwise._types import Json, Judge
    from fieldwise.core._desk import Desk
    from fieldwise.core._window import Finished, Ticket, Window

__all__ = [
    "AnyJudge",
    "Answer",
    "DEFAULT_LIMIT",
    "Flow",
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

REASON_LIMIT: Final = 500
"""The most characters of a `JudgeFailure.reason`."""

DEFAULT_LIMIT: Final = 16
"""How many calls of a judge a driver has under way at once, unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be judged: whether `actual` meets `criterion`, given `expected`.

    Attributes:
        id: names the answer in `Verdict.answers`; unique within a request.
        field: the path of the field, for people.
        criterion: what makes an answer right, in words.
        expected: the reference's value.
        actual: the output's value.
        scale: what the answer is: a bool, a number from 0 to 1 or from 0 to 100, one of `choices`, or what
            `schema` says.
        choices: the answers there are, all text or all numbers.
        schema: a JSON schema as text, one of whose members has the question's id and is the answer.
    """

    id: str
    field: str
    criterion: str
    expected: Json
    actual: Json
    scale: Literal["boolean", "unit", "percent", "choice", "schema"] = "boolean"
    choices: tuple[str | float, ...] = ()
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One call of a judge.

    Attributes:
        questions: what is asked.
        attempt: 1, or higher when asked again.
        problems: question id to what was wrong with the previous answer, when asked again.
        reasoning: whether a reason is asked for beside each answer.
        prompt: how to ask, where the evaluator has words of its own; None: as the judge asks.
        first: the ids of what was asked at first, of which this asks some again.
    """

    questions: tuple[Question, ...]
    attempt: int = 1
    problems: Mapping[str, str] = field(default_factory=dict)
    reasoning: bool = True
    prompt: Any = None
    first: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """A valid answer to one question, on the question's own scale, and why."""

    score: Any
    reasoning: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge gave back: question id to answer, unchecked, and what the call used."""

    answers: Mapping[str, Any]
    usage: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class JudgeFailure:
    """A judge could not answer a request; `reason` is at most `REASON_LIMIT` characters.

    Its fields become `status`: a judge_error, or not_evaluated where a ceiling kept it from being asked.
    """

    reason: str
    status: Literal["judge_error", "not_evaluated"] = "judge_error"

    @classmethod
    def from_exception(cls, error: BaseException) -> JudgeFailure:
        """`TypeName: message`; of a JudgeError its text alone, for it is written to be read.

        Example:
            >>> JudgeFailure.from_exception(TimeoutError("after 30 s")).reason
            'TimeoutError: after 30 s'
        """
        name = type(error).__name__
        try:
            text = str(error)
        except Exception:  # noqa: BLE001 - a message that cannot be read is none
            text = ""
        whole = text if text and isinstance(error, JudgeError) else f"{name}: {text}" if text else name
        late = isinstance(error, BudgetExceeded)
        return cls(cut(whole, REASON_LIMIT), "not_evaluated" if late else "judge_error")


Reply: TypeAlias = Verdict | JudgeFailure
Flow: TypeAlias = Generator[Sequence[JudgeRequest], Sequence[Verdict | JudgeFailure], T]
"""Yields a batch, is sent as many answers in the same order, returns its result."""

AnyJudge: TypeAlias = Callable[
    [JudgeRequest], Verdict | Mapping[str, Any] | Awaitable[Verdict | Mapping[str, Any]]
]
"""A judge of either kind, `Judge` or `AsyncJudge`."""


# --------------------------------------------------------------------------------------------- drivers


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
        desk = _AsyncDesk(judge, limit)
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
    from fieldwise.core._window import Window

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
    from fieldwise.core._window import Window

    desk = _AsyncDesk(judge, _shared_limit(window, limit))
    return _arun(Window(flows, window, desk.post), desk)


async def _arun(window: Window[T], desk: _AsyncDesk) -> AsyncGenerator[T, None]:
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
    from fieldwise.core._desk import Desk

    return Desk(judge, _at_least_one("limit", limit))


def _at_least_one(option: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{option}={value!r} is not a whole number from 1 up; give how many may be at once")
    return value


class _AsyncDesk:
    """Where the async drivers have requests answered: one task each, at most `limit` calls at once."""

    def __init__(self, judge: AnyJudge | None, limit: int) -> None:
        import asyncio

        from fieldwise.core._desk import is_async
        from fieldwise.core._pool import DaemonPool

        self._judge = judge
        self._gate = asyncio.Semaphore(_at_least_one("limit", limit))
        self._pool = None if judge is None or is_async(judge) else DaemonPool(limit)
        self._tasks: set[asyncio.Task[Reply]] = set()
        self.finished: asyncio.Queue[tuple[Ticket, Finished]] = asyncio.Queue()

    async def answer_all(self, batch: Sequence[JudgeRequest]) -> list[Reply]:
        import asyncio

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(self._answer(request)) for request in batch]
        except BaseExceptionGroup as raised:  # what is no Exception reaches the caller as it was raised
            raise raised.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _answer(self, request: JudgeRequest) -> Reply:
        import asyncio
        import inspect

        from fieldwise.core._desk import call, read

        async with self._gate:
            given: object
            if self._pool is None:
                given = call(self._judge, request)
            else:
                given = await asyncio.wrap_future(self._pool.submit(call, self._judge, request))
            try:
                return read(await given if inspect.isawaitable(given) else given)
            except (Exception, asyncio.CancelledError) as error:
                if not isinstance(error, Exception) and asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise
                return JudgeFailure.from_exception(error)  # whatever a judge raises, nobody having cancelled

    def post(self, ticket: Ticket, request: JudgeRequest) -> None:
        import asyncio

        def report(task: asyncio.Task[Reply]) -> None:
            self._tasks.discard(task)
            if not task.cancelled():
                task.exception()  # counts as retrieved, also where the driver ends before reading it
            self.finished.put_nowait((ticket, task))

        task = asyncio.get_running_loop().create_task(self._answer(request))
        self._tasks.add(task)
        task.add_done_callback(report)

    async def breathe(self, turn: int) -> None:
        """Let the loop run: what was just asked starts, others get their turn in a long run of no asks."""
        import asyncio

        if self._tasks or turn % 64 == 0:
            await asyncio.sleep(0)

    async def close(self) -> None:
        """Cancel what is under way and wait until it ended; calls in threads are abandoned."""
        import asyncio

        try:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
        finally:
            if self._pool is not None:
                self._pool.close()
