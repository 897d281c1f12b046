"""Flows, judges and drivers that the tests of `core.flow` share."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import pytest

from fieldwise.core.flow import (
    AnyJudge,
    Flow,
    JudgeRequest,
    Question,
    Reply,
    Verdict,
    adrive,
    adrive_many,
    drive,
    drive_many,
)

SyncJudge: TypeAlias = Callable[[JudgeRequest], Any]
Driver: TypeAlias = Callable[[Flow[Any], Any], Any]
CALL = 0.05


def request(name: str) -> JudgeRequest:
    return JudgeRequest((Question(name, name, "same meaning", 1, 2),))


def name_of(asked: JudgeRequest) -> str:
    return asked.questions[0].id


def ask(*batches: Sequence[str]) -> Flow[list[list[Reply]]]:
    """Asks these names, batch by batch; returns every reply."""
    transcript = []
    for batch in batches:
        replies = yield [request(name) for name in batch]
        transcript.append(list(replies))
    return transcript


def silent(value: str) -> Flow[str]:
    """A flow that never asks."""
    yield from ()
    return value


def echo(asked: JudgeRequest) -> dict[str, str]:
    return {name_of(asked): name_of(asked).upper()}


async def ajudge(asked: JudgeRequest) -> dict[str, str]:
    return echo(asked)


def echoed(*names: str) -> list[Reply]:
    return [Verdict({name: name.upper()}) for name in names]


def awaited(judge: SyncJudge | None) -> AnyJudge | None:
    async def ajudge(asked: JudgeRequest) -> Any:
        await asyncio.sleep(0)
        assert judge is not None
        return judge(asked)

    return None if judge is None else ajudge


async def collect(flow: Flow[Any], judge: AnyJudge | None) -> Any:
    [result] = [result async for result in adrive_many([flow], judge)]
    return result


SYNC: dict[str, Driver] = {
    "drive": drive,
    "drive_many": lambda flow, judge: next(drive_many([flow], judge)),
}
POOLED: dict[str, Driver] = {
    "adrive": lambda flow, judge: asyncio.run(adrive(flow, judge)),
    "adrive_many": lambda flow, judge: asyncio.run(collect(flow, judge)),
}
AWAITED: dict[str, Driver] = {
    "adrive-awaited": lambda flow, judge: asyncio.run(adrive(flow, awaited(judge))),
    "adrive_many-awaited": lambda flow, judge: asyncio.run(collect(flow, awaited(judge))),
}
ALL = SYNC | POOLED | AWAITED


def modes(table: Mapping[str, Driver]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("run", [pytest.param(run, id=name) for name, run in table.items()])


class Halt(BaseException):
    """Neither Exception nor anything a loop knows."""


def is_open(flow: Flow[Any]) -> bool:
    """Started, and waiting for answers."""
    return inspect.getgeneratorstate(flow) == inspect.GEN_SUSPENDED


def is_closed(flow: Flow[Any]) -> bool:
    return inspect.getgeneratorstate(flow) == inspect.GEN_CLOSED


def asks_then_raises(error: BaseException) -> Flow[None]:
    yield [request("a"), request("b")]
    raise error
