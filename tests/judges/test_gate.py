"""Places and pace: they hold for threads and event loops together, and nothing is lost in the queue."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.rate_limiters import InMemoryRateLimiter

from fieldwise.judges.limits import Limits
from fieldwise.judges.limits.gate import Slots
from tests.judges.limit_fakes import (
    OK,
    Calls,
    Hours,
    Said,
    both,
    forever,
    later,
)

# ------------------------------------------------------------------------------------- places and pace


def test_places_hold_for_threads_and_loops_together() -> None:
    limits = Limits(concurrency=3)
    lock = threading.Lock()
    inside = most = 0

    def enter(step: int) -> None:
        nonlocal inside, most
        with lock:
            inside += step
            most = max(most, inside)

    def call() -> Said:
        enter(1)
        time.sleep(0.01)
        enter(-1)
        return OK

    async def acall() -> Said:
        enter(1)
        await asyncio.sleep(0.01)
        enter(-1)
        return OK

    async def many() -> list[Said]:
        return await asyncio.gather(*(limits.arun(acall) for _ in range(10)))

    with ThreadPoolExecutor(8) as pool:
        loops = [pool.submit(asyncio.run, many()) for _ in range(2)]
        threads = [pool.submit(limits.run, call) for _ in range(20)]
        assert [one.result(20) for one in threads] == [OK] * 20
        assert [one.result(20) for one in loops] == [[OK] * 10] * 2
    assert most == 3


def test_whoever_stops_waiting_leaves_the_queue() -> None:
    limits = Limits(concurrency=1)

    async def run() -> Said:
        hold, go = asyncio.Event(), asyncio.Event()

        async def held() -> Said:
            hold.set()
            await go.wait()
            return OK

        first = asyncio.create_task(limits.arun(held))
        await hold.wait()
        second = asyncio.create_task(limits.arun(later(lambda: OK)))
        third = asyncio.create_task(limits.arun(later(lambda: Said("third"))))
        await asyncio.sleep(0.01)
        second.cancel()
        go.set()
        await first
        return await asyncio.wait_for(third, 5)

    assert asyncio.run(run()) == Said("third")
    assert limits.run(Calls(OK)) == OK


def test_a_cancelled_call_gives_its_place_back() -> None:
    limits = Limits(concurrency=1)

    async def run() -> Said:
        task = asyncio.create_task(limits.arun(forever))
        await asyncio.sleep(0.01)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return await asyncio.wait_for(limits.arun(later(lambda: OK)), 5)

    assert asyncio.run(run()) == OK


def test_whoever_blocks_a_loop_does_not_wait_for_that_loop() -> None:
    limits = Limits(concurrency=1)

    async def run() -> Said:
        task = asyncio.create_task(limits.arun(forever))
        await asyncio.sleep(0.01)
        found: Said = limits.run(Calls(OK))
        task.cancel()
        return found

    assert asyncio.run(run()) == OK
    assert limits.run(Calls(OK)) == OK


@given(st.lists(st.sampled_from(["take", "give", "leave"]), max_size=40), st.integers(1, 3))
def test_no_place_is_lost_or_made_up(steps: list[str], count: int) -> None:
    slots = Slots(count)
    inside = 0
    queue: list[Any] = []
    for step in steps:
        if step == "take":
            turn = slots.take()
            inside, queue = (inside + 1, queue) if turn is None else (inside, [*queue, turn])
        elif step == "give" and inside:
            slots.give()
            inside -= 1
        elif step == "leave" and queue:
            slots.leave(queue.pop())
        granted = [turn for turn in queue if turn.done()]
        queue = [turn for turn in queue if not turn.done()]
        inside += len(granted)
        assert inside <= count
        assert not queue or inside == count


def test_a_pace_spreads_starts_evenly() -> None:
    hours = Hours()
    limits = Limits(requests_per_minute=30, clock=hours.clock)
    for _ in range(4):
        limits.run(Calls(OK))
    assert hours.slept == [2.0, 2.0, 2.0]
    hours.time += 60
    limits.run(Calls(OK))
    assert hours.slept == [2.0, 2.0, 2.0]


def test_a_pace_holds_for_threads_and_loops() -> None:
    limits = Limits(requests_per_minute=60 / 0.02)
    starts: list[float] = []

    def call() -> Said:
        starts.append(time.monotonic())
        return OK

    async def many() -> None:
        await asyncio.gather(*(limits.arun(later(call)) for _ in range(5)))

    with ThreadPoolExecutor(6) as pool:
        every: list[Future[Any]] = [pool.submit(limits.run, call) for _ in range(5)]
        every.append(pool.submit(asyncio.run, many()))
        for one in every:
            one.result(10)
    assert len(starts) == 10
    assert max(starts) - min(starts) >= 9 * 0.02 - 0.005


class Pacemaker(InMemoryRateLimiter):
    """LangChain's rate limiter, counted."""

    acquired = 0

    def acquire(self, *, blocking: bool = True) -> bool:
        self.acquired += 1
        return super().acquire(blocking=blocking)

    async def aacquire(self, *, blocking: bool = True) -> bool:
        self.acquired += 1
        return await super().aacquire(blocking=blocking)


def test_a_rate_limiter_of_langchain_sets_the_pace() -> None:
    pace = Pacemaker(requests_per_second=200, check_every_n_seconds=0.002)
    limits = Limits(requests_per_minute=pace)
    assert both(lambda: limits, OK) == [(OK, 1)] * 2
    assert pace.acquired == 2
