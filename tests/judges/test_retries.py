"""Which failures are tried again, when, and how often."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from email.utils import formatdate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.errors import ConfigError, JudgeError
from fieldwise.judges.limits import Limits
from fieldwise.judges.limits.retries import LONGEST, NAMES, STATUSES, is_passing, retry_after, status_of
from tests.judges.limit_fakes import (
    OK,
    USED,
    Calls,
    Hours,
    Said,
    StatusError,
    both,
    later,
    named,
)

# ------------------------------------------------------------------------------------- what is retried


@pytest.mark.parametrize("status", range(400, 600))
def test_a_status_decides(status: int) -> None:
    expected = status in {408, 429, 500, 502, 503, 504, 529}
    assert (is_passing(StatusError(status)), status in STATUSES) == (expected, expected)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_names_of_classes_tell_what_may_pass(name: str) -> None:
    error = named(name)
    assert is_passing(error)
    assert is_passing(named("Sub", type(error)))


FINAL: tuple[tuple[str, Exception], ...] = (
    ("value", ValueError("no")),
    ("key", KeyError("no")),
    ("bad-request-of-a-passing-class", named("APIConnectionError", status_code=400)),
    ("quota", StatusError(429, code="insufficient_quota")),
    ("file", FileNotFoundError("no")),
    ("boolean-status", named("Odd", status_code=True)),
)


@pytest.mark.parametrize("error", [pytest.param(error, id=name) for name, error in FINAL])
def test_everything_else_is_final(error: Exception) -> None:
    assert not is_passing(error)
    told = f"JudgeError: {type(error).__name__}: {error}"
    assert both(Limits, error, OK) == [(told, 1)] * 2


def test_errors_of_real_clients() -> None:
    import httpx
    import openai
    import requests

    request = httpx.Request("POST", "http://127.0.0.1")
    passing: list[Exception] = [
        httpx.ReadTimeout("x"), httpx.ConnectError("x"), httpx.RemoteProtocolError("x"),
        requests.ConnectionError("x"), requests.Timeout("x"), requests.exceptions.ChunkedEncodingError("x"),
        openai.APITimeoutError(request), openai.APIConnectionError(request=request),  # type: ignore[arg-type]
        ConnectionResetError("x"), BrokenPipeError("x"), TimeoutError("x"),
    ]  # fmt: skip
    assert [type(error).__name__ for error in passing if not is_passing(error)] == []
    final = [httpx.InvalidURL("x"), requests.exceptions.MissingSchema("x"), httpx.DecodingError("x")]
    assert [type(error).__name__ for error in final if is_passing(error)] == []


def test_where_a_status_stands() -> None:
    response = type("Response", (), {"status": 503})()
    errors = (
        named("A", status=502),
        named("B", response=response),
        named("C", code=504),
        named("D", code="x"),
    )
    assert [status_of(error) for error in errors] == [502, 503, 504, None]


# ------------------------------------------------------------------------------------------- Retry-After

TODAY = 1_700_000_000.0
HEADERS: tuple[tuple[str, dict[str, str], float | None], ...] = (
    ("seconds", {"retry-after": "3"}, 3.0),
    ("fraction", {"Retry-After": " 0.25 "}, 0.25),
    ("milliseconds-first", {"retry-after": "3", "retry-after-ms": "250"}, 0.25),
    ("date", {"RETRY-AFTER": formatdate(TODAY + 7, usegmt=True)}, 7.0),
    ("date-over", {"retry-after": formatdate(TODAY - 7, usegmt=True)}, 0.0),
    ("nonsense", {"retry-after": "soon"}, None),
    ("negative", {"retry-after": "-1"}, None),
    ("nan", {"retry-after": "nan"}, None),
    ("infinite", {"retry-after": "inf"}, None),
    ("nothing", {}, None),
)


@pytest.mark.parametrize(("headers", "expected"), [pytest.param(*row[1:], id=row[0]) for row in HEADERS])
def test_what_a_server_asks_for(headers: dict[str, str], expected: float | None) -> None:
    assert retry_after(StatusError(429, headers), TODAY) == expected
    assert retry_after(named("Own", headers=headers), TODAY) == expected


@given(st.text(max_size=40))
def test_any_header_is_read_or_ignored(text: str) -> None:
    found = retry_after(StatusError(429, {"retry-after": text}), TODAY)
    assert found is None or found >= 0


def test_the_wait_is_a_little_longer_than_asked_for() -> None:
    for chance, slept in ((0.0, [2.2]), (1.0, [2.5])):
        hours = Hours(chance)
        limits = Limits(clock=hours.clock)
        assert limits.run(Calls(StatusError(429, {"retry-after": "2"}), OK)) == Said("ok", {"retries": 1})
        assert hours.slept == slept


def test_a_server_that_asks_for_too_long_is_not_waited_for() -> None:
    hours = Hours()
    error = StatusError(503, {"retry-after": f"{LONGEST + 1:.0f}"})
    told = "JudgeError: StatusError: status 503; it asks to wait 301 s, which is too long"
    assert both(lambda: Limits(clock=hours.clock), error) == [(told, 1)] * 2
    assert hours.slept == []


def test_everybody_waits_when_one_is_told_to() -> None:
    limits = Limits()
    told = threading.Event()
    starts: list[float] = []

    def turned_away() -> Said:
        if not told.is_set():
            told.set()
            raise StatusError(429, {"retry-after": "0.3"})
        return OK

    def other() -> Said:
        starts.append(time.monotonic())
        return OK

    async def others() -> None:
        await asyncio.gather(*(limits.arun(later(other)) for _ in range(3)))

    begun = time.monotonic()
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(limits.run, turned_away)
        assert told.wait(5)
        time.sleep(0.05)
        rest: list[Future[Any]] = [pool.submit(limits.run, other), pool.submit(asyncio.run, others())]
        assert first.result(5) == Said("ok", {"retries": 1})
        for one in rest:
            one.result(5)
    assert len(starts) == 4
    assert min(starts) - begun >= 0.3


# ------------------------------------------------------------------------------------------------ tries

DOWN = StatusError(500)
BUSY = StatusError(429)
EXHAUSTED: tuple[tuple[str, int, Exception, str, int, list[float]], ...] = (
    ("none", 0, DOWN, "StatusError: status 500", 1, []),
    ("no-429", 0, BUSY, "StatusError: status 429", 1, []),
    ("one", 1, DOWN, "StatusError: status 500; given up after 2 calls", 2, [0.25]),
    ("three", 3, BUSY, "StatusError: status 429; given up after 4 calls", 4, [0.25, 0.5, 1.0]),
    ("time", 2, named("ReadTimeout", named("TimeoutException").__class__),
     "ReadTimeout: boom; given up after 3 calls", 3, [0.25, 0.5]),
)  # fmt: skip


@pytest.mark.parametrize(
    ("most", "error", "reason", "count", "slept"), [pytest.param(*row[1:], id=row[0]) for row in EXHAUSTED]
)
def test_a_failure_that_stays(
    most: int, error: Exception, reason: str, count: int, slept: list[float]
) -> None:
    hours = Hours()
    found = both(lambda: Limits(max_retries=most, clock=hours.clock), error)
    assert found == [(f"JudgeError: {reason}", count)] * 2
    assert hours.slept == slept * 2


def test_waits_double_up_to_half_a_minute_and_chance_spreads_them() -> None:
    hours = Hours(1.0)
    with pytest.raises(JudgeError):
        Limits(max_retries=9, clock=hours.clock).run(Calls(DOWN))
    assert hours.slept == [0.75, 1.5, 3.0, 6.0, 12.0, 24.0, 45.0, 45.0, 45.0]


def test_retries_are_told() -> None:
    hours = Hours()
    expected = (Said("ok", {"total_tokens": 18, "input_tokens": 11, "output_tokens": 7, "retries": 2}), 3)
    assert both(lambda: Limits(clock=hours.clock), DOWN, BUSY, USED) == [expected] * 2


def test_a_judge_error_is_final() -> None:
    told = ("JudgeError: the judge refused: 'no'", 1)
    assert both(Limits, JudgeError("the judge refused: 'no'")) == [told] * 2
    assert both(Limits, ConfigError("wrong")) == [("ConfigError: wrong", 1)] * 2


@pytest.mark.parametrize("raised", [KeyboardInterrupt(), SystemExit(3)])
def test_what_ends_a_program_passes_and_gives_its_place_back(raised: BaseException) -> None:
    limits = Limits(concurrency=1, timeout=None)
    with pytest.raises(type(raised)):
        limits.run(Calls(raised))
    assert limits.run(Calls(OK)) == OK


def test_being_one_too_many_counts_only_where_nobody_got_through() -> None:
    hours = Hours()
    limits = Limits(max_retries=1, clock=hours.clock)
    tried = 0

    def crowded() -> Said:
        nonlocal tried
        tried += 1
        if tried == 8:
            return OK
        limits.run(Calls(OK))
        raise BUSY

    assert limits.run(crowded) == Said("ok", {"retries": 7})


def test_not_for_ever() -> None:
    hours = Hours()
    limits = Limits(clock=hours.clock)
    tried = 0

    def crowded() -> Said:
        nonlocal tried
        tried += 1
        limits.run(Calls(OK))
        raise BUSY

    with pytest.raises(JudgeError, match="given up after 51 calls"):
        limits.run(crowded)
    assert tried == 51


@pytest.mark.parametrize("mode", ["threads", "loop"])
def test_every_third_request_is_turned_away_and_nothing_is_lost(mode: str) -> None:
    lock = threading.Lock()
    seen = 0

    def call() -> Said:
        nonlocal seen
        time.sleep(0.001)
        with lock:
            seen += 1
            if seen % 3 == 0:
                raise StatusError(429, {"retry-after": "0.001"})
        return OK

    limits = Limits(concurrency=8)
    if mode == "threads":
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: limits.run(call), range(120)))
    else:

        async def run() -> list[Said]:
            return await asyncio.gather(*(limits.arun(later(call)) for _ in range(120)))

        found = asyncio.run(run())
    assert [one.text for one in found] == ["ok"] * 120
    assert sum((one.usage or {}).get("retries", 0) for one in found) == seen - 120 > 30
