"""What a judge may return or raise, and what becomes of it; the vocabulary."""

from __future__ import annotations

import asyncio
import functools
import gc
import threading
from collections.abc import Awaitable, Callable, Generator, Iterator, Mapping
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from fieldwise.core.flow import (
    REASON_LIMIT,
    Answer,
    JudgeFailure,
    JudgeRequest,
    Question,
    Reply,
    Verdict,
    adrive,
    drive,
    drive_many,
)
from fieldwise.errors import ConfigError, JudgeError
from tests.core.flow.flows import (
    ALL,
    AWAITED,
    POOLED,
    SYNC,
    Driver,
    ajudge,
    ask,
    collect,
    echo,
    echoed,
    is_closed,
    modes,
    name_of,
    request,
    silent,
)

# ------------------------------------------------------------------------------------ the vocabulary


class Unprintable(Exception):
    def __str__(self) -> str:
        raise ValueError("no text")


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        pytest.param(TimeoutError("after 30 s"), "TimeoutError: after 30 s", id="message"),
        pytest.param(StopIteration(), "StopIteration", id="no-message"),
        pytest.param(KeyboardInterrupt(), "KeyboardInterrupt", id="base-exception"),
        pytest.param(
            JudgeError("model gpt-x: no such model"), "model gpt-x: no such model", id="judge-error"
        ),
        pytest.param(JudgeError(), "JudgeError", id="judge-error-without-text"),
        pytest.param(Unprintable(), "Unprintable", id="unprintable"),
        pytest.param(ValueError("x" * 488), "ValueError: " + "x" * 488, id="just-fits"),
        pytest.param(ValueError("x" * 489), "ValueError: " + "x" * 487 + "…", id="bounded"),
        pytest.param(JudgeError("x" * 501), "x" * 499 + "…", id="judge-error-bounded"),
    ],
)
def test_reason_of_an_exception(error: BaseException, reason: str) -> None:
    assert JudgeFailure.from_exception(error) == JudgeFailure(reason)
    assert len(reason) <= REASON_LIMIT


def test_defaults() -> None:
    question = Question("q", "a.b", "same", {"x": 1}, None)
    assert (question.scale, JudgeRequest((question,)).attempt, JudgeRequest((question,)).problems) == (
        "boolean",
        1,
        {},
    )
    assert (Answer(True).reasoning, Verdict({}).usage) == (None, None)


@pytest.mark.parametrize(
    "value",
    [request("a"), request("a").questions[0], Answer(1.0), Verdict({}), JudgeFailure("x")],
    ids=lambda value: type(value).__name__,
)
def test_values_are_frozen_and_slotted(value: Any) -> None:
    assert not hasattr(value, "__dict__")
    with pytest.raises(FrozenInstanceError):
        setattr(value, type(value).__slots__[0], None)


# ---------------------------------------------------------------------------- what a judge may return


@modes(ALL)
@pytest.mark.parametrize(
    ("returned", "reply"),
    [
        pytest.param({"a": 1}, Verdict({"a": 1}), id="mapping"),
        pytest.param(Verdict({"b": "?"}, {"tokens": 3}), Verdict({"b": "?"}, {"tokens": 3}), id="verdict"),
        pytest.param(JudgeFailure("over budget"), JudgeFailure("over budget"), id="failure"),
        pytest.param(
            None,
            JudgeFailure(
                "the judge returned a value of type NoneType; "
                "return a Verdict or a mapping of question id to answer"
            ),
            id="none",
        ),
        pytest.param(
            '{"a": true}',
            JudgeFailure(
                "the judge returned a value of type str; "
                "return a Verdict or a mapping of question id to answer"
            ),
            id="text",
        ),
        pytest.param(
            Verdict([True]),  # type: ignore[arg-type]  # what people do
            JudgeFailure(
                "the judge returned a Verdict with answers of type list; "
                "give a mapping of question id to answer"
            ),
            id="verdict-of-list",
        ),
    ],
)
def test_reply(run: Driver, returned: object, reply: Reply) -> None:
    assert run(ask(["a"], ["b", "c"]), lambda asked: returned) == [[reply], [reply, reply]]


@modes(ALL)
def test_a_mapping_is_copied(run: Driver) -> None:
    mine: dict[str, Any] = {}

    def reuse(asked: JudgeRequest) -> dict[str, Any]:
        mine.clear()
        mine.update(echo(asked))
        return mine

    assert run(ask(["a"], ["b"]), reuse) == [echoed("a"), echoed("b")]


class Unreadable(Mapping[str, Any]):
    def __getitem__(self, key: str) -> Any:
        raise OSError("connection lost")

    def __len__(self) -> int:
        return 1

    def __iter__(self) -> Iterator[str]:
        return iter("a")


@modes(ALL)
def test_a_mapping_that_cannot_be_read_is_a_failure(run: Driver) -> None:
    reply = JudgeFailure("OSError: connection lost")
    assert run(ask(["a"], ["b", "c"]), lambda asked: Unreadable()) == [[reply], [reply, reply]]


@modes(ALL)
def test_no_judge(run: Driver) -> None:
    threads = set(threading.enumerate())
    reply = JudgeFailure("no judge was given")
    assert run(ask(["a"], ["b", "c"]), None) == [[reply], [reply, reply]]
    assert set(threading.enumerate()) <= threads


@modes(ALL)
@pytest.mark.parametrize(
    ("error", "reason"),
    [
        pytest.param(ValueError("bad"), "ValueError: bad", id="ValueError"),
        pytest.param(JudgeError("rate limit reached"), "rate limit reached", id="JudgeError"),
        pytest.param(RecursionError(), "RecursionError", id="RecursionError"),
    ],
)
def test_an_exception_of_a_judge_is_a_failure(run: Driver, error: Exception, reason: str) -> None:
    def judge(asked: JudgeRequest) -> dict[str, str]:
        if name_of(asked) == "b":
            raise error
        return echo(asked)

    failure = JudgeFailure(reason)
    assert run(ask(["b"], ["a", "b", "c"]), judge) == [[failure], [*echoed("a"), failure, *echoed("c")]]


@pytest.mark.parametrize(
    ("run", "reason"),
    [pytest.param(run, "StopIteration: 7", id=name) for name, run in (SYNC | POOLED).items()]
    + [
        pytest.param(run, "RuntimeError: coroutine raised StopIteration", id=name)
        for name, run in AWAITED.items()
    ],
)
def test_stop_iteration_of_a_judge_is_never_a_result(run: Driver, reason: str) -> None:
    def judge(asked: JudgeRequest) -> dict[str, str]:
        raise StopIteration(7)

    failure = JudgeFailure(reason)
    assert run(ask(["a"], ["b", "c"]), judge) == [[failure], [failure, failure]]


# --------------------------------------------------------------------------------- async in sync mode


class AsyncCallable:
    async def __call__(self, asked: JudgeRequest) -> dict[str, str]:
        return echo(asked)

    async def method(self, asked: JudgeRequest) -> dict[str, str]:
        return echo(asked)


ASYNC_JUDGES = [
    pytest.param(ajudge, "ajudge", id="function"),
    pytest.param(AsyncCallable(), "AsyncCallable", id="object"),
    pytest.param(AsyncCallable().method, "AsyncCallable.method", id="method"),
    pytest.param(functools.partial(ajudge), "partial", id="partial"),
]


def refusal(name: str) -> str:
    return (
        f"judge={name} is async, which a sync evaluator cannot await; "
        "create the evaluator with its create_async_* factory, or give a sync judge"
    )


@pytest.mark.parametrize(("judge", "name"), ASYNC_JUDGES)
def test_drive_refuses_an_async_judge(judge: Any, name: str) -> None:
    flow = ask(["a"])
    with pytest.raises(ConfigError) as raised:
        drive(flow, judge)
    assert str(raised.value) == refusal(name)
    assert is_closed(flow)


@pytest.mark.parametrize(("judge", "name"), ASYNC_JUDGES)
def test_drive_many_refuses_an_async_judge_at_once(judge: Any, name: str) -> None:
    with pytest.raises(ConfigError) as raised:
        drive_many([], judge)
    assert str(raised.value) == refusal(name)


@pytest.mark.parametrize(("judge", "name"), ASYNC_JUDGES)
def test_the_async_drivers_await_every_kind_of_async_judge(judge: Any, name: str) -> None:
    expected = [echoed("a"), echoed("b", "c")]
    assert asyncio.run(adrive(ask(["a"], ["b", "c"]), judge)) == expected
    assert asyncio.run(collect(ask(["a"], ["b", "c"]), judge)) == expected


def test_a_flow_that_never_asks_never_looks_at_its_judge() -> None:
    assert drive(silent("x"), ajudge) == "x"  # type: ignore[arg-type]  # on purpose


def promise(asked: JudgeRequest) -> Awaitable[dict[str, str]]:
    """Looks sync, is not."""
    return ajudge(asked)


class Deferred:
    """An awaitable that is no coroutine."""

    def __init__(self) -> None:
        self.cancelled = False

    def __await__(self) -> Generator[None, None, dict[str, str]]:
        yield
        return {"a": "A"}


class Cancellable(Deferred):
    def cancel(self) -> None:
        self.cancelled = True


@modes(SYNC)
@pytest.mark.parametrize(
    ("make", "kind"),
    [
        pytest.param(promise, "coroutine", id="coroutine"),
        pytest.param(lambda asked: Deferred(), "Deferred", id="awaitable"),
        pytest.param(lambda asked: Cancellable(), "Cancellable", id="future"),
    ],
)
def test_an_awaitable_in_sync_mode_is_a_failure(
    run: Driver, make: Callable[[JudgeRequest], Awaitable[Any]], kind: str
) -> None:
    made: list[Any] = []

    def judge(asked: JudgeRequest) -> Any:
        made.append(make(asked))
        return made[-1]

    failure = JudgeFailure(
        f"the judge returned a value of type {kind}; "
        "only an async evaluator awaits it; use the create_async_* factory"
    )
    assert run(ask(["a"], ["b", "c"]), judge) == [[failure], [failure, failure]]
    assert all(each.cancelled for each in made if isinstance(each, Cancellable))
    made.clear()
    gc.collect()  # a coroutine left open would warn here, and warnings are errors


@modes(POOLED)
def test_a_sync_judge_may_hand_out_an_awaitable_in_async_mode(run: Driver) -> None:
    assert run(ask(["a"], ["b", "c"]), promise) == [echoed("a"), echoed("b", "c")]
    assert run(ask(["a"]), lambda asked: Deferred()) == [echoed("a")]


@modes(AWAITED)
def test_only_one_awaitable_is_awaited(run: Driver) -> None:
    failure = JudgeFailure(
        "the judge returned a value of type coroutine; "
        "only an async evaluator awaits it; use the create_async_* factory"
    )
    assert run(ask(["a"]), promise) == [[failure]]
