"""Calling an agent: a function, an async function, or a LangChain Runnable, once for each item.

Rules of this module:
1. Whatever an agent does is an `AgentRun`: an answer, an exception of any kind, no answer in time. Only the
   user's interruption passes.
2. An agent gets a copy of the inputs of its own, and its spans are captured apart from those of others, where
   the OpenTelemetry SDK is installed.
3. A coroutine runs on the caller's loop, or where nobody awaits on one of ours, the same for all. A plain
   function blocks a thread. Past its time limit a coroutine is cancelled, and a thread, which cannot be
   stopped, is abandoned: what it goes on to do is nobody's.

How a function is called with inputs `{"a": 1, "b": 2}`, by its signature:

| signature | call |
|---|---|
| each input is a parameter, or it has `**more`; each parameter without default an input | `f(a=1, b=2)` |
| otherwise, one positional parameter will do | `f({"a": 1, "b": 2})` |
| no parameter, and no inputs | `f()` |

A Runnable is invoked with the whole dict.
"""

from __future__ import annotations

import inspect
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import said, shown
from fieldwise.core.flow.desk import is_async
from fieldwise.core.pool import DaemonPool
from fieldwise.errors import ConfigError
from fieldwise.evalsets.isolation import is_interruption, place_of, private_copy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fieldwise.evalsets.model import Outcome

_GRACE: Final = 1.0
"""How many seconds past its limit a coroutine has to end, before the thread that waits for it gives up."""

_KEYWORDS: Final = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
_POSITIONAL: Final = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True)
class AgentRun:
    """What became of calling an agent once.

    Attributes:
        outcome: what became of it.
        output: what it answered, as it is.
        error: why there is no answer.
        seconds: how long it took; None for a recorded answer.
        spans: its spans, sorted by start.
        traced: whether spans were captured, so that there being none says something.
    """

    outcome: Outcome = "ok"
    output: Any = None
    error: str | None = None
    seconds: float | None = None
    spans: tuple[Any, ...] = ()
    traced: bool = False

    @property
    def reason(self) -> str:
        """Why nothing can be evaluated, for the results of evaluators."""
        return f"the agent raised {self.error}" if self.outcome == "agent_error" else str(self.error)


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent, ready to be called.

    Attributes:
        function: takes a dict of inputs, and answers or returns an awaitable.
        awaits: whether it is async.
        timeout: how many seconds it has for an item; None: as many as it likes.
    """

    function: Callable[[Mapping[str, Any]], Any]
    awaits: bool
    timeout: float | None = None

    def call(self, inputs: Mapping[str, Any]) -> AgentRun:
        """Call it, and block until it answers or its time is up."""
        limit = None if self.timeout is None else self.timeout + (_GRACE if self.awaits else 0)
        with _captured() as spans:
            started = perf_counter()
            if limit is None:
                ended = self._blocking(inputs)
            else:
                pool = DaemonPool(1)
                try:
                    ended = pool.submit(self._blocking, inputs).result(limit)
                except TookTooLong:
                    ended = self._late()
                finally:
                    pool.close()
            return self._ran(ended, perf_counter() - started, spans)

    async def acall(self, inputs: Mapping[str, Any]) -> AgentRun:
        """Call it, and await the answer or the end of its time."""
        with _captured() as spans:
            started = perf_counter()
            ended = await self._awaited(inputs)
            return self._ran(ended, perf_counter() - started, spans)

    def _ran(self, ended: AgentRun, seconds: float, spans: Any) -> AgentRun:
        found = () if spans is None else tuple(spans.spans)
        return AgentRun(ended.outcome, ended.output, ended.error, seconds, found, traced=spans is not None)

    def _blocking(self, inputs: Mapping[str, Any]) -> AgentRun:
        from fieldwise.evalsets.loop import run_blocking

        if self.awaits:
            return run_blocking(self._awaited(inputs))
        try:
            given = self.function(private_copy(inputs))
            return AgentRun(output=run_blocking(given) if inspect.isawaitable(given) else given)
        except BaseException as error:
            if is_interruption(error):
                raise
            return _failed(error)

    async def _awaited(self, inputs: Mapping[str, Any]) -> AgentRun:
        import asyncio

        task = asyncio.ensure_future(self._outcome(inputs))
        try:
            await asyncio.wait({task}, timeout=self.timeout)
            if not task.done():
                return self._late()
            return _failed(asyncio.CancelledError()) if task.cancelled() else task.result()
        finally:
            task.cancel()

    async def _outcome(self, inputs: Mapping[str, Any]) -> AgentRun:
        """What it answers or raises, as a value: a SystemExit would end the loop of all."""
        import asyncio

        try:
            given = self.function(private_copy(inputs))
            return AgentRun(output=await given if inspect.isawaitable(given) else given)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            if is_interruption(error):
                raise
            return _failed(error)

    def _late(self) -> AgentRun:
        return AgentRun("timeout", error=f"no answer within {self.timeout:g} s")


def _failed(error: BaseException) -> AgentRun:
    """An exception in one line, with the last place in code of the user's own that it came through."""
    place = place_of(error)
    return AgentRun("agent_error", error=said(error) + (f" ({place})" if place else ""))


# -------------------------------------------------------------------------------------------- options


def read_agent(given: Any, timeout: Any = None, *, awaits: bool = False) -> Agent:
    """Read the options `agent` and `timeout` of a run.

    Args:
        given: a function, plain or async, another callable, or an object with `invoke`.
        timeout: seconds for an item.
        awaits: whether the run awaits, and so prefers `ainvoke`.

    Raises:
        ConfigError: for what is no agent, and a time limit that is none.

    >>> read_agent(lambda a, b: a + b).call({"a": 1, "b": 2}).output
    3
    """
    bad = isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0
    if timeout is not None and bad:
        raise ConfigError(f"timeout={timeout!r}: must be a number of seconds above 0, or None")
    if hasattr(given, "invoke"):
        by_awaiting = awaits and hasattr(given, "ainvoke")
        return Agent(given.ainvoke if by_awaiting else given.invoke, by_awaiting, timeout)
    if not callable(given):
        raise ConfigError(f"agent={shown(given)}: must be a function of the inputs, or a Runnable")
    return Agent(_caller(given), is_async(given), timeout)


def _caller(function: Callable[..., Any]) -> Callable[[Mapping[str, Any]], Any]:
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):  # of a function without one, as some in C are
        return function
    names = {one.name for one in parameters if one.kind in _KEYWORDS}
    needed = {one.name for one in parameters if one.default is one.empty and one.kind in _KEYWORDS}
    anything = any(one.kind is one.VAR_KEYWORD for one in parameters)
    needs_position = any(one.kind is one.POSITIONAL_ONLY and one.default is one.empty for one in parameters)
    takes_one = _takes_one(parameters)

    def call(inputs: Mapping[str, Any]) -> Any:
        given = inputs.keys()
        by_name = not needs_position and needed <= given and (anything or given <= names)
        if by_name:
            return function(**inputs)
        if takes_one:
            return function(inputs)
        raise TypeError(f"the agent takes {_listed(sorted(needed))}, the item gives {_listed(sorted(given))}")

    return call


def _takes_one(parameters: list[inspect.Parameter]) -> bool:
    """Whether it can be called with one positional argument."""
    needed = [
        one for one in parameters if one.default is one.empty and one.kind in (*_POSITIONAL, one.KEYWORD_ONLY)
    ]
    if any(one.kind is one.KEYWORD_ONLY for one in needed) or len(needed) > 1:
        return False
    return any(one.kind in (*_POSITIONAL, one.VAR_POSITIONAL) for one in parameters)


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "nothing"


# ---------------------------------------------------------------------------------------------- spans


@contextmanager
def _captured() -> Iterator[Any]:
    """Capture the spans of one call; yields None where OpenTelemetry is not installed."""
    if not can_capture():
        yield None
        return
    from fieldwise.integrations.opentelemetry import capture_spans

    with capture_spans("fieldwise.item") as spans:
        yield spans


@cache
def can_capture() -> bool:
    """Whether spans can be captured: the OpenTelemetry SDK is there."""
    from fieldwise.integrations.opentelemetry import capture_spans

    try:
        with capture_spans("fieldwise.probe"):
            return True
    except ConfigError:
        return False
