"""What the tests of limits share: a clock that stands still, results that tell usage, errors by name."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fieldwise.judges.limits import Limits
from fieldwise.judges.limits.clock import Clock


@dataclass(frozen=True, slots=True)
class Said:
    """What a call returned."""

    text: str = "ok"
    usage: Mapping[str, Any] | None = field(default_factory=dict)


class Hours:
    """A clock that only moves when somebody sleeps; it remembers how long."""

    def __init__(self, chance: float = 0.0) -> None:
        self.time = 1000.0
        self.slept: list[float] = []
        self.clock = Clock(lambda: self.time, lambda: 0.0, self.sleep, self.asleep, lambda: chance)

    def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 6))
        self.time += seconds

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)


class StatusError(Exception):
    """An error with a status and headers, as clients over HTTP raise."""

    def __init__(self, status: int, headers: Mapping[str, str] | None = None, code: Any = None) -> None:
        super().__init__(f"status {status}")
        self.status_code = status
        self.code = code
        self.response = Response(headers or {})


@dataclass(frozen=True)
class Response:
    headers: Mapping[str, str]


def named(name: str, *bases: type[Exception], **members: Any) -> Exception:
    """An error of a class of that name, and of no package."""
    error: Exception = type(name, bases or (Exception,), members)("boom")
    return error


class Calls:
    """Calls that do one thing after the other, the last one for ever: raise an error or return a result."""

    def __init__(self, *steps: Any) -> None:
        self._steps = steps
        self.count = 0

    def __call__(self) -> Any:
        self.count += 1
        step = self._steps[min(self.count, len(self._steps)) - 1]
        if isinstance(step, BaseException):
            raise step
        return step

    def awaited(self) -> Callable[[], Any]:
        async def call() -> Any:
            return self()

        return call


OK = Said()
USED = Said("ok", {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18})


def both(limits: Callable[[], Limits], *steps: Any) -> list[tuple[Any, int]]:
    """Run the same steps sync and async; what came of each, and how many calls it took."""
    found = []
    for run in (run_sync, run_async):
        calls = Calls(*steps)
        found.append((told_by(lambda run=run, calls=calls: run(limits(), calls)), calls.count))  # type: ignore[misc]
    return found


def run_sync(limits: Limits, calls: Calls) -> Any:
    return limits.run(calls)


def run_async(limits: Limits, calls: Calls) -> Any:
    return asyncio.run(awaited(limits.arun(calls.awaited())))


async def awaited(given: Awaitable[Any]) -> Any:
    return await given


def told_by(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except Exception as error:  # noqa: BLE001 - what is raised is what is tested
        return f"{type(error).__name__}: {error}"


def later(call: Callable[[], Said]) -> Callable[[], Awaitable[Said]]:
    async def run() -> Said:
        return call()

    return run


async def forever() -> Said:
    await asyncio.sleep(60)
    return OK
