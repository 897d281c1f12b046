"""Calling agents: kinds, signatures, failures, time, spans."""

from __future__ import annotations

import asyncio
import functools
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from fieldwise.errors import ConfigError
from fieldwise.evalsets.runner.agents import AgentRun, read_agent
from fieldwise.integrations.opentelemetry import traced

INPUTS = {"a": 1, "b": 2}


def keywords(a: int, b: int) -> Any:
    return ["keywords", a, b]


def optional(a: int, b: int, c: int = 3) -> Any:
    return ["keywords", a, b, c]


def whole(inputs: dict[str, Any]) -> Any:
    return ["whole", inputs]


def everything(**inputs: Any) -> Any:
    return ["everything", inputs]


def partly(a: int, **more: Any) -> Any:
    return ["partly", a, more]


def positional(inputs: dict[str, Any], /) -> Any:
    return ["positional", inputs]


def several(*given: Any) -> Any:
    return ["several", *given]


def configured(inputs: dict[str, Any], limit: int = 5) -> Any:
    return ["configured", inputs, limit]


async def later(a: int, b: int) -> Any:
    return ["later", a, b]


class Caller:
    def __call__(self, a: int, b: int) -> Any:
        return ["callable", a, b]


class Runnable:
    def invoke(self, inputs: dict[str, Any]) -> Any:
        return ["invoke", inputs]

    async def ainvoke(self, inputs: dict[str, Any]) -> Any:
        return ["ainvoke", inputs]


CALLS: tuple[tuple[Any, Any], ...] = (
    (keywords, ["keywords", 1, 2]),
    (optional, ["keywords", 1, 2, 3]),
    (whole, ["whole", INPUTS]),
    (everything, ["everything", INPUTS]),
    (partly, ["partly", 1, {"b": 2}]),
    (positional, ["positional", INPUTS]),
    (several, ["several", INPUTS]),
    (configured, ["configured", INPUTS, 5]),
    (later, ["later", 1, 2]),
    (Caller(), ["callable", 1, 2]),
    (lambda given: later(**given), ["later", 1, 2]),
    (functools.partial(keywords, b=2), ["keywords", 1, 2]),
    (Runnable(), ["invoke", INPUTS]),
    (dict, INPUTS),
)


@pytest.mark.parametrize(
    ("agent", "output"), [pytest.param(*row, id=f"{number}") for number, row in enumerate(CALLS)]
)
def test_agent_is_called_by_its_signature(agent: Any, output: Any) -> None:
    ran = read_agent(agent).call(INPUTS)
    assert (ran.outcome, ran.output, ran.error) == ("ok", output, None)


def test_a_runnable_is_awaited_where_the_run_awaits() -> None:
    agent = read_agent(Runnable(), awaits=True)
    assert asyncio.run(agent.acall(INPUTS)).output == ["ainvoke", INPUTS]


EMPTY: tuple[tuple[Callable[..., Any], Any], ...] = (
    (lambda: "nothing", "nothing"),
    (lambda inputs: inputs, {}),
    (lambda a=1: a, 1),
    (lambda **more: more, {}),
)


@pytest.mark.parametrize(
    ("agent", "output"), [pytest.param(*row, id=f"{number}") for number, row in enumerate(EMPTY)]
)
def test_an_item_without_inputs(agent: Callable[..., Any], output: Any) -> None:
    assert read_agent(agent).call({}).output == output


@pytest.mark.parametrize("output", [None, "", 0, False, [], {}])
def test_falsy_outputs_stay_as_they_are(output: Any) -> None:
    assert read_agent(lambda inputs: output).call(INPUTS).output is output


def test_inputs_that_do_not_fit_are_the_items_failure() -> None:
    ran = read_agent(lambda x, y: x + y).call(INPUTS)
    assert (ran.outcome, ran.error) == ("agent_error", "TypeError: the agent takes x, y, the item gives a, b")


def raising(error: BaseException) -> Callable[..., Any]:
    def agent(inputs: Any) -> Any:
        raise error

    async def aagent(inputs: Any) -> Any:
        raise error

    return aagent if isinstance(error, asyncio.CancelledError) else agent


LINE = raising.__code__.co_firstlineno + 2
FAILURES = (
    (KeyError("x"), f"KeyError: 'x' (test_agents.py:{LINE})"),
    (SystemExit(3), f"SystemExit: 3 (test_agents.py:{LINE})"),
    (ValueError(), f"ValueError (test_agents.py:{LINE})"),
    (TimeoutError("theirs"), f"TimeoutError: theirs (test_agents.py:{LINE})"),
    (asyncio.CancelledError(), "CancelledError"),
)


@pytest.mark.parametrize(
    ("error", "message"), [pytest.param(*row, id=type(row[0]).__name__) for row in FAILURES]
)
@pytest.mark.parametrize("timeout", [None, 5.0])
def test_what_an_agent_raises_is_an_outcome(
    error: BaseException, message: str, timeout: float | None
) -> None:
    ran = read_agent(raising(error), timeout).call(INPUTS)
    assert (ran.outcome, ran.output, ran.error) == ("agent_error", None, message)
    assert ran.reason == f"the agent raised {message}"


def test_an_interruption_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        read_agent(raising(KeyboardInterrupt())).call(INPUTS)


async def sleeps(inputs: Any) -> Any:
    await asyncio.sleep(5)


async def deaf(inputs: Any) -> Any:
    try:
        await asyncio.sleep(1)
    except asyncio.CancelledError:
        await asyncio.sleep(1)


SLOW = (lambda inputs: time.sleep(1), sleeps, deaf)


@pytest.mark.parametrize("agent", SLOW, ids=["thread", "coroutine", "deaf-coroutine"])
@pytest.mark.parametrize("awaited", [False, True])
def test_time_is_limited(agent: Any, awaited: bool) -> None:
    ready = read_agent(agent, 0.05, awaits=awaited)
    started = time.perf_counter()
    ran = asyncio.run(bounded(ready)) if awaited and ready.awaits else ready.call(INPUTS)
    assert (ran.outcome, ran.error) == ("timeout", "no answer within 0.05 s")
    assert ran.reason == "no answer within 0.05 s"
    assert time.perf_counter() - started < (2.5 if awaited else 0.9)


async def bounded(agent: Any) -> AgentRun:
    found: AgentRun = await agent.acall(INPUTS)
    return found


def test_a_coroutine_that_is_late_is_cancelled() -> None:
    noted: list[str] = []

    async def agent(inputs: Any) -> None:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            noted.append("cancelled")
            raise

    read_agent(agent, 0.05).call(INPUTS)
    deadline = time.perf_counter() + 2
    while not noted and time.perf_counter() < deadline:
        time.sleep(0.01)
    assert noted == ["cancelled"]


def test_an_agent_changes_a_copy() -> None:
    inputs = {"rows": [1]}
    read_agent(lambda rows: rows.append(2)).call(inputs)
    assert inputs == {"rows": [1]}


@traced(name="double")
def double(x: int) -> int:
    return 2 * x


def test_spans_are_captured() -> None:
    ran = read_agent(lambda a, b: double(a) + double(b)).call(INPUTS)
    assert ([span.name for span in ran.spans], ran.traced) == (["double", "double"], True)


def test_without_the_sdk_there_are_no_spans(monkeypatch: pytest.MonkeyPatch) -> None:
    from fieldwise.evalsets.runner import agents

    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    agents.can_capture.cache_clear()
    try:
        ran = read_agent(keywords).call(INPUTS)
    finally:
        agents.can_capture.cache_clear()
    assert (ran.output, ran.spans, ran.traced) == (["keywords", 1, 2], (), False)


WRONG: tuple[tuple[Any, Any, str], ...] = (
    ("app:answer", None, "agent='app:answer': must be a function of the inputs, or a Runnable"),
    (keywords, 0, "timeout=0: must be a number of seconds above 0, or None"),
    (keywords, True, "timeout=True: must be a number of seconds above 0, or None"),
    (keywords, float("nan"), "timeout=nan: must be a number of seconds above 0, or None"),
    (keywords, "5", "timeout='5': must be a number of seconds above 0, or None"),
)


@pytest.mark.parametrize(("agent", "timeout", "message"), [pytest.param(*row, id=row[2]) for row in WRONG])
def test_wrong_options(agent: Any, timeout: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        read_agent(agent, timeout)
    assert str(raised.value) == message
