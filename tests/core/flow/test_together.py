"""Merging flows: one batch for all, answers split back, exits, cost."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from fieldwise.core.flow import (
    Flow,
    JudgeFailure,
    JudgeRequest,
    Reply,
    adrive,
    drive,
    together,
)
from tests.core.flow.flows import (
    CALL,
    POOLED,
    SYNC,
    Driver,
    ask,
    asks_then_raises,
    collect,
    echo,
    echoed,
    is_closed,
    modes,
    name_of,
    request,
    silent,
)


def test_together_merges_batches_and_splits_the_answers() -> None:
    flow = together([ask(["a"], ["b", "c"]), silent("x"), ask(["d", "e"], [], ["f"])])
    assert [name_of(asked) for asked in next(flow)] == ["a", "d", "e"]
    assert [name_of(asked) for asked in flow.send(echoed("a", "d", "e"))] == ["b", "c"]
    assert [name_of(asked) for asked in flow.send(echoed("b", "c"))] == ["f"]
    with pytest.raises(StopIteration) as done:
        flow.send(echoed("f"))
    assert done.value.value == [
        [echoed("a"), echoed("b", "c")],
        "x",
        [echoed("d", "e"), [], echoed("f")],
    ]


def test_together_of_silent_flows_never_asks() -> None:
    assert drive(together([silent("a"), silent("b")]), None) == ["a", "b"]
    assert drive(together([]), None) == []


def test_together_is_lazy() -> None:
    started = []

    def eager() -> Flow[None]:
        started.append(True)
        yield [request("a")]

    flow = together(eager() for _ in range(2))
    assert started == []
    next(flow)
    assert started == [True, True]
    flow.close()


@pytest.mark.parametrize(
    ("replies", "message"),
    [
        ([], "2 requests got 0 answers; send one answer per request, in order"),
        (echoed("a", "b", "c"), "2 requests got 3 answers; send one answer per request, in order"),
    ],
    ids=["fewer", "more"],
)
def test_together_refuses_a_wrong_number_of_answers(replies: list[Reply], message: str) -> None:
    members = [ask(["a"]), ask(["b"])]
    flow = together(members)
    next(flow)
    with pytest.raises(ValueError, match=r".*") as raised:
        flow.send(replies)
    assert str(raised.value) == message
    assert all(is_closed(member) for member in members)


def test_together_closes_the_others_when_one_raises() -> None:
    members: list[Flow[Any]] = [ask(["a"]), asks_then_raises(ValueError("broken")), ask(["c"])]
    with pytest.raises(ValueError, match=r"^broken$"):
        drive(together(members), echo)
    assert all(is_closed(member) for member in members)


def test_closing_together_closes_all_even_when_one_objects() -> None:
    def stubborn(text: str) -> Flow[None]:
        try:
            yield [request("s")]
        finally:
            raise OSError(text)

    members: list[Flow[Any]] = [ask(["a"]), stubborn("first"), stubborn("second"), ask(["b"])]
    flow = together(members)
    next(flow)
    with pytest.raises(OSError, match=r"^first$"):
        flow.close()
    assert all(is_closed(member) for member in members)


def drive_by_hand(flow: Flow[Any]) -> Any:
    try:
        batch = next(flow)
        while True:
            batch = flow.send([JudgeFailure("x")] * len(batch))
    except StopIteration as done:
        return done.value


def test_together_is_linear() -> None:
    """One long flow beside many short ones: scanning them all each round would be 60 million steps."""
    rounds, short = 3_000, 20_000
    flow = together([ask(*[["a"]] * rounds), *(ask(["b"]) for _ in range(short))])
    started = time.process_time()
    results = drive_by_hand(flow)
    assert time.process_time() - started < 1.5
    assert (len(results), len(results[0])) == (short + 1, rounds)


def nested(depth: int) -> Flow[Any]:
    flow: Flow[Any] = ask(["leaf"])
    for _ in range(depth):
        flow = together([ask(["side"]), flow])
    return flow


@modes(SYNC | POOLED)
def test_nested_flows_ask_one_merged_batch(run: Driver) -> None:
    """Eight calls of 50 ms, seven levels deep, take about one call, not eight."""
    asked_at = []

    def slow(asked: JudgeRequest) -> dict[str, str]:
        asked_at.append(time.monotonic())
        time.sleep(CALL)
        return echo(asked)

    started = time.monotonic()
    run(nested(7), slow)
    assert len(asked_at) == 8
    assert time.monotonic() - started < 4 * CALL


def test_nested_flows_ask_one_merged_batch_of_an_async_judge() -> None:
    async def slow(asked: JudgeRequest) -> dict[str, str]:
        await asyncio.sleep(CALL)
        return echo(asked)

    async def timed() -> tuple[float, float]:
        started = time.monotonic()
        await adrive(nested(7), slow)
        between = time.monotonic()
        await collect(nested(7), slow)
        return between - started, time.monotonic() - between

    assert max(asyncio.run(timed())) < 4 * CALL
