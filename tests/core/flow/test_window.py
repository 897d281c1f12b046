"""Many flows: order, the window, laziness, when a flow is advanced, how it ends. Sync and async alike."""

from __future__ import annotations

import asyncio
import gc
import itertools
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import aclosing
from typing import Any, TypeAlias

import pytest

from fieldwise.core.flow import (
    Flow,
    JudgeFailure,
    JudgeRequest,
    Reply,
    adrive_many,
    drive_many,
)
from fieldwise.errors import ConfigError
from tests.core.flow.flows import (
    Halt,
    ask,
    asks_then_raises,
    echo,
    echoed,
    is_closed,
    is_open,
    name_of,
    request,
    silent,
)

Judging: TypeAlias = Callable[[JudgeRequest], Any]
Many: TypeAlias = Callable[..., Iterator[Any]]


def sync(flows: Iterable[Flow[Any]], judge: Any, **options: Any) -> Iterator[Any]:
    return drive_many(flows, judge, **options)


def asynchronous(flows: Iterable[Flow[Any]], judge: Any, **options: Any) -> Iterator[Any]:
    """adrive_many as an iterator: its own loop runs while the next result is waited for."""
    with asyncio.Runner() as runner:
        results = adrive_many(flows, judge, **options)
        try:
            while True:
                try:
                    result = runner.run(anext(results))
                except StopAsyncIteration:
                    return
                yield result
        finally:
            runner.run(results.aclose())


both = pytest.mark.parametrize(
    "many", [pytest.param(sync, id="sync"), pytest.param(asynchronous, id="async")]
)


# ------------------------------------------------------------------------------- order and the window


@both
def test_results_come_in_input_order(many: Many) -> None:
    def judge(asked: JudgeRequest) -> dict[str, str]:
        time.sleep(0.02 - 0.002 * int(name_of(asked)))
        return echo(asked)

    flows = [ask([str(n)], [str(n)]) if n % 3 else silent(str(n)) for n in range(10)]
    expected = [[echoed(str(n)), echoed(str(n))] if n % 3 else str(n) for n in range(10)]
    assert list(many(flows, judge, window=4)) == expected


class Gauge:
    """An endless source of flows that counts what is pulled and what is open."""

    def __init__(self) -> None:
        self.pulled = 0
        self.open = 0
        self.most_open = 0

    def flow(self, number: int) -> Flow[int]:
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            yield [request("a")] * (number % 3)
            yield [request("b")]
        finally:
            self.open -= 1
        return number

    def flows(self) -> Iterator[Flow[int]]:
        for number in itertools.count():
            self.pulled += 1
            yield self.flow(number)


@both
@pytest.mark.parametrize("window", [1, 2, 5])
def test_never_more_than_the_window_is_open_or_pulled_ahead(many: Many, window: int) -> None:
    gauge = Gauge()
    results = many(gauge.flows(), echo, window=window)
    assert gauge.pulled == 0
    for taken in range(30):
        assert next(results) == taken
        assert gauge.pulled <= taken + window
    assert gauge.most_open == window
    results.close()  # type: ignore[attr-defined]  # both are generators
    assert gauge.open == 0


@both
def test_a_slow_flow_does_not_let_results_pile_up(many: Many) -> None:
    gauge, pulled_meanwhile = Gauge(), []

    def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "slow":
            time.sleep(0.1)
            pulled_meanwhile.append(gauge.pulled)
        return echo(asked)

    results = many(itertools.chain([ask(["slow"])], gauge.flows()), judge, window=4)
    assert next(results) == [echoed("slow")]
    assert pulled_meanwhile == [3]
    results.close()  # type: ignore[attr-defined]  # both are generators


@both
def test_flows_that_never_ask_are_pulled_one_by_one(many: Many) -> None:
    pulled: list[int] = []

    def flows() -> Iterator[Flow[str]]:
        for number in itertools.count():
            pulled.append(number)
            yield silent(str(number))

    results = many(flows(), None)
    assert [next(results) for _ in range(3)] == ["0", "1", "2"]
    assert pulled == [0, 1, 2]
    results.close()  # type: ignore[attr-defined]  # both are generators


@both
def test_empty_batches_and_empty_inputs(many: Many) -> None:
    assert list(many([], echo)) == []
    assert list(many([ask([], [], ["a"]), ask([])], echo)) == [[[], [], echoed("a")], [[]]]


@pytest.mark.parametrize("window", [0, -1, True, 2.0, None])
def test_window_is_checked_at_once(window: Any) -> None:
    message = f"window={window!r} is not a whole number from 1 up; give how many may be at once"
    for driver in (drive_many, adrive_many):
        with pytest.raises(ConfigError) as raised:
            driver([], None, window=window)
        assert str(raised.value) == message


def test_limit_is_checked_at_once() -> None:
    for driver in (drive_many, adrive_many):
        with pytest.raises(ConfigError) as raised:
            driver([], None, limit=0)
        assert str(raised.value) == "limit=0 is not a whole number from 1 up; give how many may be at once"


# --------------------------------------------------------------------------------------------- at once


@both
def test_a_flow_is_advanced_the_moment_its_batch_is_complete(many: Many) -> None:
    """The first call of flow 0 ends only when flow 1 has come to its third round."""
    reached = threading.Event()

    def judge(asked: JudgeRequest) -> dict[str, bool]:
        if name_of(asked) == "third":
            reached.set()
        return {"in time": name_of(asked) != "wait" or reached.wait(30)}

    results = list(many([ask(["wait"]), ask(["first"], ["second"], ["third"])], judge, window=2))
    assert all(verdict.answers == {"in time": True} for flow in results for [verdict] in flow)


@both
@pytest.mark.parametrize(
    ("options", "together"), [({"window": 20}, 20), ({"window": 2}, 16), ({"limit": 5}, 5)]
)
def test_one_pool_answers_for_all_flows(many: Many, options: dict[str, int], together: int) -> None:
    """So many calls are under way at once (they wait for each other), on so many threads and no more."""
    barrier, threads = threading.Barrier(together), set()

    def judge(asked: JudgeRequest) -> dict[str, str]:
        threads.add(threading.get_ident())
        barrier.wait(30)
        return echo(asked)

    names = [str(number) for number in range(together)]
    flows: list[Flow[Any]] = [ask(names), ask(names)]
    if options.get("window") == 20:
        flows = [ask([name]) for name in names]
    assert [reply for flow in many(flows, judge, **options) for [*reply] in flow] == (
        [echoed(name) for name in names] if len(flows) > 2 else [echoed(*names)] * 2
    )
    assert len(threads) == together
    assert threading.get_ident() not in threads


def test_async_calls_are_under_way_at_once_and_bounded() -> None:
    under_way, peak = 0, 0

    async def judge(asked: JudgeRequest) -> dict[str, str]:
        nonlocal under_way, peak
        under_way += 1
        peak = max(peak, under_way)
        await asyncio.sleep(0.005)
        under_way -= 1
        return echo(asked)

    flows = [ask(["a", "b", "c"]) for _ in range(4)]
    assert list(asynchronous(flows, judge, limit=5)) == [[echoed("a", "b", "c")]] * 4
    assert peak == 5


def test_the_loop_stays_responsive_while_flows_never_ask() -> None:
    async def main() -> int:
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                ticks += 1
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        results = [result async for result in adrive_many((silent("x") for _ in range(1_000)), None)]
        ticking.cancel()
        assert len(results) == 1_000
        return ticks

    assert asyncio.run(main()) >= 10


# ------------------------------------------------------------------------------------------------ exits


@both
def test_what_a_flow_raises_comes_at_its_turn(many: Many) -> None:
    slow = threading.Event()

    def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "slow":
            slow.wait(0.05)
        return echo(asked)

    pulled = []

    def source() -> Iterator[Flow[Any]]:
        for flow in members:
            pulled.append(flow)
            yield flow

    error = ValueError("broken")
    members: list[Flow[Any]] = [
        ask(["slow"]),
        asks_then_raises(error),
        ask(["b"] * 50),
        silent("c"),
        silent("d"),
    ]
    results = many(source(), judge, window=3, limit=1)
    assert next(results) == [echoed("slow")]
    with pytest.raises(ValueError, match=r"^broken$") as raised:
        next(results)
    assert raised.value is error
    assert all(is_closed(flow) for flow in pulled)


@both
def test_no_flow_is_pulled_after_one_that_raised(many: Many) -> None:
    pulled = []

    def bad() -> Flow[None]:
        yield from ()
        raise ValueError("broken")

    def source() -> Iterator[Flow[Any]]:
        for flow in [ask(["a"], ["a"], ["a"]), bad(), silent("c")]:
            pulled.append(flow)
            yield flow

    results = many(source(), echo)
    assert next(results) == [echoed("a")] * 3
    with pytest.raises(ValueError, match=r"^broken$"):
        next(results)
    assert len(pulled) == 2


@both
def test_what_the_source_raises_comes_after_the_results_before_it(many: Many) -> None:
    def source() -> Iterator[Flow[Any]]:
        yield ask(["a"])
        yield silent("b")
        raise OSError("line 3: unreadable")

    results = many(source(), echo)
    assert [next(results), next(results)] == [[echoed("a")], "b"]
    with pytest.raises(OSError, match=r"^line 3: unreadable$"):
        next(results)


@both
def test_a_base_exception_of_a_judge_comes_at_once(many: Many) -> None:
    released = threading.Event()

    def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "halt":
            raise Halt
        released.wait(30)
        return echo(asked)

    flows = [ask(["wait"]), ask(["halt"]), ask(["wait"])]
    started = time.monotonic()
    with pytest.raises(Halt):
        next(many(flows, judge))
    released.set()
    assert time.monotonic() - started < 10
    assert not any(is_open(flow) for flow in flows)


@both
def test_a_base_exception_of_a_flow_comes_at_once(many: Many) -> None:
    released = threading.Event()

    def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "wait":
            released.wait(30)
        return echo(asked)

    flows = [ask(["wait"]), asks_then_raises(Halt())]
    started = time.monotonic()
    with pytest.raises(Halt):
        next(many(flows, judge))
    released.set()
    assert time.monotonic() - started < 10
    assert not any(is_open(flow) for flow in flows)


@both
def test_leaving_early_closes_the_flows_and_cancels_what_is_queued(many: Many) -> None:
    all_pulled, released, called = threading.Event(), threading.Event(), []

    def judge(asked: JudgeRequest) -> dict[str, str]:
        called.append(name_of(asked))
        (all_pulled if name_of(asked) == "first" else released).wait(30)
        return echo(asked)

    def source() -> Iterator[Flow[Any]]:
        yield from flows
        all_pulled.set()

    flows = [ask(["first"]), ask(["running"]), ask(["queued", "queued"]), ask(["queued"])]
    results = many(source(), judge, limit=1)
    assert next(results) == [echoed("first")]
    assert [is_open(flow) for flow in flows] == [False, True, True, True]
    results.close()  # type: ignore[attr-defined]  # both are generators
    released.set()
    time.sleep(0.02)
    assert "queued" not in called
    assert all(is_closed(flow) for flow in flows)


def test_leaving_an_async_run_early_cancels_its_judges() -> None:
    log = []

    async def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "first":
            return echo(asked)
        log.append("asked")
        try:
            await asyncio.sleep(30)
        finally:
            log.append("left")
        return echo(asked)

    flows = [ask(["first"]), ask(["second"])]

    async def main() -> None:
        async with aclosing(adrive_many(flows, judge)) as results:
            assert await anext(results) == [echoed("first")]
        log.append("over")

    asyncio.run(main())
    assert log == ["asked", "left", "over"]
    assert not any(is_open(flow) for flow in flows)


def test_a_cancelled_async_run_closes_its_flows() -> None:
    async def judge(asked: JudgeRequest) -> dict[str, str]:
        await asyncio.sleep(30)
        return echo(asked)

    flows = [ask(["a"]), ask(["b"])]

    async def consume() -> list[Any]:
        return [result async for result in adrive_many(flows, judge)]

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(consume(), 0.01)

    asyncio.run(main())
    assert not any(is_open(flow) for flow in flows)


def test_nothing_is_logged_when_several_calls_raise_at_once() -> None:
    logged = []

    async def judge(asked: JudgeRequest) -> dict[str, str]:
        raise Halt

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: logged.append(context))
        async with aclosing(adrive_many([ask(["a", "b"]), ask(["c"])], judge)) as results:
            with pytest.raises(Halt):
                await anext(results)

    asyncio.run(main())
    gc.collect()  # asyncio logs an exception nobody read when its task is collected
    assert logged == []


@both
def test_no_judge(many: Many) -> None:
    threads = set(threading.enumerate())
    reply: Reply = JudgeFailure("no judge was given")
    assert list(many([ask(["a"]), ask(["b", "c"])], None)) == [[[reply]], [[reply, reply]]]
    assert set(threading.enumerate()) <= threads
