"""The limits of a judge: how its calls are spread, tried again, cut short, and what they may use in all.

    gate -> budget -> one try, at most `timeout` seconds -> its usage is counted
      ^------- wait, if the failure may pass (`retries`) -------'

Rules. One `Limits` serves any number of threads and event loops at once, and may serve several judges. A call
that waits for its next try holds no place. A blocking call that passes its time limit is left behind on a
daemon thread, which keeps no process from exiting; when `MOST_LEFT` of them are still running, no more are
made. What comes out of a call that failed is a `JudgeError` whose text is the reason.
"""

from __future__ import annotations

import asyncio
import sys
import weakref
from concurrent.futures import TimeoutError as OutOfTime
from contextlib import contextmanager
from dataclasses import dataclass, replace
from sys import float_info
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypedDict, TypeGuard, TypeVar, Unpack, cast

from fieldwise.core.display import shown
from fieldwise.core.pool import DaemonPool
from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError, JudgeError
from fieldwise.judges.limits.budget import Budget, Ceilings
from fieldwise.judges.limits.clock import Clock
from fieldwise.judges.limits.gate import Gate
from fieldwise.judges.limits.retries import TooSlow, Tries

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping
    from concurrent.futures import Future

    from fieldwise.judges.interfaces import Used

T = TypeVar("T", bound="Used")

MOST_LEFT: Final = 256
"""How many calls that passed their time limit may still be running."""


class LimitOptions(TypedDict, total=False):
    """The options of `Limits`, and of a judge that has limits of its own.

    Attributes:
        timeout: seconds that one call may take.
        max_retries: how often a call that failed on its way is made again.
        concurrency: how many calls may be under way at once.
        requests_per_minute: how many calls may start in a minute, or a LangChain rate limiter.
        max_calls: how many calls may be made in all; fields beyond are not_evaluated, as with the next two.
        max_total_tokens: how many tokens may be used in all.
        max_cost: how much may be spent in all, in the currency of `price`.
        max_seconds: how long calls may be made, from the first one on.
        price: of a million tokens, `(input, output)` or `{"input": …, "output": …}`.
    """

    timeout: float | None
    max_retries: int
    concurrency: int
    requests_per_minute: Any
    max_calls: int | None
    max_total_tokens: int | None
    max_cost: float | None
    max_seconds: float | None
    price: Any


LIMITS: Final[Shared[LimitOptions]] = Shared(
    LimitOptions,
    {
        "timeout": 60.0,
        "max_retries": 3,
        "concurrency": 16,
        "requests_per_minute": None,
        "max_calls": None,
        "max_total_tokens": None,
        "max_cost": None,
        "max_seconds": None,
        "price": None,
    },
)


class Limits:
    """Limits of a judge's calls, for `create_judge(limits=…)` when several judges are to share them.

    Args:
        clock: time and chance, for tests.
        options: the limits; see `LimitOptions`.

    Raises:
        ConfigError: naming the option, its value and the fix.

    Example:
        >>> limits = Limits(price=(2.0, 10.0), max_cost=0.5)
        >>> limits.used()
        {'calls': 0, 'input_tokens': 0, 'output_tokens': 0, 'total_tokens': 0, 'cost': 0.0}
    """

    def __init__(self, *, clock: Clock | None = None, **options: Unpack[LimitOptions]) -> None:
        given = _Given(**LIMITS.complete(options, "Limits"))
        prices, max_cost = _prices(given.price), given.max_cost
        if max_cost is not None and prices is None:
            raise ConfigError(
                f"max_cost={shown(max_cost)}: say what a million tokens cost, price=(input, output)"
            )
        self._clock = clock or Clock()
        self._timeout = given.timeout
        self._most = given.max_retries
        self._gate = Gate(given.concurrency, given.requests_per_minute, self._clock)
        ceilings = (given.max_calls, given.max_total_tokens, max_cost, given.max_seconds)
        self._budget = Budget(Ceilings(*ceilings, prices), self._clock)
        self._calls = _Watched()

    @property
    def client_timeout(self) -> float | None:
        """When a client should give a call up itself: later than here, so that ours says what happened."""
        return None if self._timeout is None else 1.5 * self._timeout + 1

    def used(self) -> dict[str, float]:
        """Return what all calls used: `calls`, `input_tokens`, `output_tokens`, `total_tokens`, `cost`."""
        account = self._budget
        names = ("calls", "input_tokens", "output_tokens", "total_tokens", "cost")
        return {name: getattr(account, name) for name in names}

    def run(self, call: Callable[[], T], /) -> T:
        """Make a call, blocking; the usage of what it returns also tells `retries` and `cost`.

        Raises:
            JudgeError: it failed for good, or a ceiling forbids it (`BudgetExceeded`).
            FieldwiseError: what the call raised, where that is one.
        """
        tries = Tries(self._most, self._clock, self._gate.through)
        while True:
            try:
                return self._try(call, tries)
            except Exception as error:  # noqa: BLE001 - becomes a JudgeError there, unless it may pass
                seconds = self._wait(tries, error)
            self._clock.sleep(seconds)

    async def arun(self, call: Callable[[], Awaitable[T]], /) -> T:
        """As `run`, on an event loop.

        Raises:
            FieldwiseError: as `run`.
        """
        tries = Tries(self._most, self._clock, self._gate.through)
        while True:
            try:
                return await self._atry(call, tries)
            except Exception as error:  # noqa: BLE001 - as above
                seconds = self._wait(tries, error)
            await self._clock.asleep(seconds)

    def _wait(self, tries: Tries, error: Exception) -> float:
        wait = tries.after(error, self._gate.through)
        self._gate.pause(wait.everybody)
        return max(0.0, min(wait.own, self._budget.deadline - self._clock.now()))

    def _try(self, call: Callable[[], T], tries: Tries) -> T:
        self._gate.enter(self._budget.deadline)
        with self._admitted() as seconds:
            return self._counted(self._calls.run(call, seconds), tries)

    async def _atry(self, call: Callable[[], Awaitable[T]], tries: Tries) -> T:
        await self._gate.aenter(self._budget.deadline)
        with self._admitted() as seconds:
            return self._counted(await _within(call, seconds), tries)

    @contextmanager
    def _admitted(self) -> Iterator[float | None]:
        """Count a call that passed the gate, give the seconds it may take, and leave the gate after it."""
        try:
            left = self._budget.admit()
            seconds = _least(self._timeout, left)
            try:
                yield seconds
            except TooSlow:
                if seconds == left:
                    raise self._budget.late() from None
                raise
        finally:
            self._gate.leave()

    def _counted(self, given: T, tries: Tries) -> T:
        self._gate.passed()
        cost = self._budget.count(given.usage)
        more: dict[str, float] = {"retries": tries.made} if tries.made else {}
        if cost is not None:
            more["cost"] = cost
        if not more:
            return given
        usage: Mapping[str, Any] = {**(given.usage or {}), **more}
        return cast("T", replace(cast("Any", given), usage=usage))


class _Watched:
    """Blocking calls with a time limit, each on a daemon thread."""

    def __init__(self) -> None:
        self._pool = DaemonPool(sys.maxsize)
        self._lock = Lock()
        self._left = 0
        weakref.finalize(self, self._pool.close)

    def run(self, call: Callable[[], T], seconds: float | None) -> T:
        if seconds is None:
            return call()
        if self._left >= MOST_LEFT:
            raise JudgeError(
                f"{self._left} calls of the judge still run past their time limit, so it was not asked"
            )
        future = self._pool.submit(call)
        try:
            return future.result(seconds)
        except OutOfTime:
            if future.done():  # just now, or it is the call's own
                return future.result()
            self._leave(future)
            raise TooSlow(seconds) from None

    def _leave(self, future: Future[T]) -> None:
        with self._lock:
            self._left += 1
        future.add_done_callback(self._back)

    def _back(self, _: object) -> None:
        with self._lock:
            self._left -= 1


async def _within(call: Callable[[], Awaitable[T]], seconds: float | None) -> T:
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await call()
    except TimeoutError:
        if seconds is None or not limit.expired():
            raise
        raise TooSlow(seconds) from None


def _least(timeout: float | None, left: float | None) -> float | None:
    return min((one for one in (timeout, left) if one is not None), default=None)


# -------------------------------------------------------------------------------------------- options


_MOST: Final = 10**18


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max


def _is_above_zero(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= _MOST


_WANTED: Final[Mapping[str, tuple[Callable[[Any], bool], str]]] = {
    "timeout": (_is_above_zero, "a number of seconds above 0, or None"),
    "max_retries": (lambda value: _is_whole(value, 0), "a whole number from 0 up"),
    "concurrency": (lambda value: _is_whole(value, 1), "a whole number from 1 up"),
    "requests_per_minute": (
        lambda value: _is_above_zero(value) or (hasattr(value, "acquire") and hasattr(value, "aacquire")),
        "a number above 0, a LangChain rate limiter, or None",
    ),
    "max_calls": (lambda value: _is_whole(value, 1), "a whole number from 1 up, or None"),
    "max_total_tokens": (lambda value: _is_whole(value, 1), "a whole number from 1 up, or None"),
    "max_cost": (_is_above_zero, "a number above 0, or None"),
    "max_seconds": (_is_above_zero, "a number of seconds above 0, or None"),
}


@dataclass(frozen=True, slots=True)
class _Given:
    """What limits were given, checked but for the price."""

    timeout: float | None
    max_retries: int
    concurrency: int
    requests_per_minute: Any
    max_calls: int | None
    max_total_tokens: int | None
    max_cost: float | None
    max_seconds: float | None
    price: Any

    def __post_init__(self) -> None:
        for name, (right, wanted) in _WANTED.items():
            value = getattr(self, name)
            if not (right(value) or (value is None and wanted.endswith("or None"))):
                raise ConfigError(f"{name}={shown(value)}: must be {wanted}")


def _prices(price: Any) -> tuple[float, float] | None:
    if price is None:
        return None
    try:
        read, written = (price["input"], price["output"]) if hasattr(price, "keys") else price
    except (TypeError, ValueError, KeyError):
        read = written = None
    if not (_is_number(read) and _is_number(written) and read >= 0 and written >= 0):
        raise ConfigError(f"price={shown(price)}: give what a million tokens cost, price=(input, output)")
    return float(read), float(written)
