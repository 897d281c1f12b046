"""How the drivers end, where calls run, how many at once, in which context."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from typing import Any

import pytest

from fieldwise.core.flow import (
    AnyJudge,
    Flow,
    JudgeRequest,
    Verdict,
    adrive,
    drive,
    together,
)
from fieldwise.errors import ConfigError
from tests.core.flow.flows import (
    ALL,
    POOLED,
    SYNC,
    Driver,
    Halt,
    ajudge,
    ask,
    asks_then_raises,
    echo,
    echoed,
    is_closed,
    modes,
    name_of,
    request,
    silent,
)

# -------------------- exits close the flow


@modes(ALL)
@pytest.mark.parametrize("error", [ValueError("broken"), Halt("now")], ids=lambda error: type(error).__name__)
def test_what_a_flow_raises_propagates(run: Driver, error: BaseException) -> None:
    flow = asks_then_raises(error)
    with pytest.raises(type(error)) as raised:
        run(flow, echo)
    assert raised.value is error
    assert is_closed(flow)


@modes(ALL)
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, Halt])
@pytest.mark.parametrize("names", [["b"], ["a", "b", "c"]], ids=["one", "several"])
def test_a_base_exception_of_a_judge_propagates(
    run: Driver, kind: type[BaseException], names: list[str]
) -> None:
    def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "b":
            raise kind
        return echo(asked)

    closed = []

    def noting() -> Flow[None]:
        try:
            yield [request(name) for name in names]
        finally:
            closed.append(True)

    with pytest.raises(kind) as raised:
        run(noting(), judge)
    assert type(raised.value) is kind
    assert closed == [True]


@modes(ALL)
def test_a_base_exception_does_not_wait_for_the_rest_of_its_batch(run: Driver) -> None:
    released = threading.Event()

    def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "b":
            raise Halt
        if threading.current_thread() is not threading.main_thread():
            released.wait(30)
        return echo(asked)

    started = time.monotonic()
    with pytest.raises(Halt):
        run(ask(["a", "b"]), judge)
    released.set()
    assert time.monotonic() - started < 10


@modes(ALL)
def test_a_result_leaves_nothing_open(run: Driver) -> None:
    flow = ask(["a"])
    assert run(flow, echo) == [echoed("a")]
    assert is_closed(flow)


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, "4"])
def test_limit_is_checked(limit: Any) -> None:
    message = f"limit={limit!r} is not a whole number from 1 up; give how many may be at once"
    flows = [ask(["a"]), ask(["a"])]
    with pytest.raises(ConfigError) as raised:
        drive(flows[0], echo, limit=limit)
    assert str(raised.value) == message
    with pytest.raises(ConfigError) as raised:
        asyncio.run(adrive(flows[1], echo, limit=limit))
    assert str(raised.value) == message
    assert all(is_closed(flow) for flow in flows)


# ----------------------------------------------------------------------------------- threads and loops


class Witness:
    """A judge that notes the thread of each call."""

    def __init__(self) -> None:
        self.threads: list[threading.Thread] = []

    def __call__(self, asked: JudgeRequest) -> dict[str, str]:
        self.threads.append(threading.current_thread())
        return echo(asked)


def test_a_batch_of_one_stays_in_the_callers_thread() -> None:
    witness = Witness()
    drive(ask(["a"], ["b"]), witness)
    assert witness.threads == [threading.current_thread()] * 2


@modes(POOLED | {"drive": drive})
def test_several_run_in_daemon_threads(run: Driver) -> None:
    witness = Witness()
    run(ask(["a", "b", "c"]), witness)
    assert len(witness.threads) == 3
    assert threading.current_thread() not in witness.threads
    assert all(thread.daemon for thread in witness.threads)


@modes(POOLED | {"drive": drive})
def test_the_threads_end_with_the_driver(run: Driver) -> None:
    witness = Witness()
    run(ask(["a", "b", "c"]), witness)
    for thread in witness.threads:
        thread.join(10)
    assert not any(thread.is_alive() for thread in witness.threads)


@modes(ALL)
def test_a_flow_that_never_asks_starts_no_thread(run: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise AssertionError(f"{thread} was started")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    threads = set(threading.enumerate())
    assert run(together([silent("a")]), echo) == ["a"]
    assert set(threading.enumerate()) <= threads


@modes(SYNC)
@pytest.mark.parametrize("batches", [[], [["a"]], [["a", "b"]]], ids=["none", "one", "several"])
def test_the_sync_drivers_work_inside_a_running_loop(run: Driver, batches: list[list[str]]) -> None:
    async def main() -> Any:
        return run(ask(*batches), echo)

    assert asyncio.run(main()) == [echoed(*batch) for batch in batches]


def test_a_sync_judge_never_runs_on_the_loop() -> None:
    released = threading.Event()

    def judge(asked: JudgeRequest) -> dict[str, bool]:
        return {"released": released.wait(30)}

    async def main() -> int:
        ticks = 0
        driven = asyncio.create_task(adrive(ask(["a"]), judge))
        while not driven.done():
            ticks += 1
            if ticks == 10:
                released.set()
            await asyncio.sleep(0.001)
        assert await driven == [[Verdict({"released": True})]]
        return ticks

    assert asyncio.run(main()) >= 10


def test_an_async_judge_runs_on_the_loop() -> None:
    threads = set()

    async def judge(asked: JudgeRequest) -> dict[str, str]:
        threads.add(threading.get_ident())
        return echo(asked)

    asyncio.run(adrive(ask(["a", "b"]), judge))
    assert threads == {threading.get_ident()}


class Meter:
    """How many calls are under way at once, at most."""

    def __init__(self) -> None:
        self.now = 0
        self.peak = 0
        self.lock = threading.Lock()

    def enter(self) -> None:
        with self.lock:
            self.now += 1
            self.peak = max(self.peak, self.now)

    def leave(self) -> None:
        with self.lock:
            self.now -= 1


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("mode", ["drive", "adrive-sync-judge", "adrive-async-judge"])
def test_limit_bounds_the_calls_under_way(mode: str, limit: int) -> None:
    meter = Meter()

    def judge(asked: JudgeRequest) -> dict[str, str]:
        meter.enter()
        time.sleep(0.005)
        meter.leave()
        return echo(asked)

    async def async_judge(asked: JudgeRequest) -> dict[str, str]:
        meter.enter()
        await asyncio.sleep(0.005)
        meter.leave()
        return echo(asked)

    flow = ask(list("abcdefgh"))
    if mode == "drive":
        result = drive(flow, judge, limit=limit)
    else:
        chosen: AnyJudge = judge if mode == "adrive-sync-judge" else async_judge
        result = asyncio.run(adrive(flow, chosen, limit=limit))
    assert result == [echoed(*"abcdefgh")]
    assert meter.peak == limit


var: contextvars.ContextVar[str] = contextvars.ContextVar("var", default="unset")


@modes(ALL)
@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"]], ids=["one", "several"])
def test_each_call_runs_in_its_own_copy_of_the_callers_context(run: Driver, names: list[str]) -> None:
    def judge(asked: JudgeRequest) -> dict[str, str]:
        seen = var.get()
        var.set(name_of(asked))
        return {"seen": seen}

    token = var.set("parent")
    try:
        seen = Verdict({"seen": "parent"})
        assert run(ask(names, names), judge) == [[seen] * len(names)] * 2
        assert var.get() == "parent"
    finally:
        var.reset(token)


def test_a_cancelled_adrive_closes_its_flow_and_its_judge() -> None:
    log = []

    async def judge(asked: JudgeRequest) -> dict[str, str]:
        log.append("asked")
        try:
            await asyncio.sleep(30)
        finally:
            log.append("left")
        return echo(asked)

    def noting() -> Flow[None]:
        try:
            yield [request("a")]
        finally:
            log.append("closed")

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(adrive(noting(), judge), 0.01)
        log.append("over")

    asyncio.run(main())
    assert log == ["asked", "left", "closed", "over"]


def test_a_cancelled_adrive_abandons_a_sync_judge_and_cancels_what_is_queued() -> None:
    released, called = threading.Event(), []

    def judge(asked: JudgeRequest) -> dict[str, str]:
        called.append(name_of(asked))
        released.wait(30)
        return echo(asked)

    flow = ask(["a", "b", "c"])

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(adrive(flow, judge, limit=1), 0.05)

    started = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - started < 10
    released.set()
    time.sleep(0.02)
    assert called == ["a"]
    assert is_closed(flow)


def test_adrive_works_in_several_loops_at_once() -> None:
    """One sync and one async judge shared by four loops; each call waits for one of every loop."""
    barrier = threading.Barrier(4)

    def judge(asked: JudgeRequest) -> dict[str, str]:
        barrier.wait(30)
        return echo(asked)

    async def main() -> list[Any]:
        mixed = [adrive(ask(["a"], ["b", "c"]), ajudge), adrive(ask(["d"], ["e"]), judge)]
        return list(await asyncio.gather(*mixed))

    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(asyncio.run(main()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [[[echoed("a"), echoed("b", "c")], [echoed("d"), echoed("e")]]] * 4
