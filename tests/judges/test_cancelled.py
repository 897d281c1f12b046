"""A judge that raises asyncio's CancelledError though nobody cancelled: its failure, and no one else's."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import fieldwise
from fieldwise.core.flow import JudgeRequest

GIVEN: dict[str, Any] = {"outputs": {"a": "x", "b": 1}, "reference_outputs": {"a": "y", "b": 1}}
RUBRIC = {"a": "same meaning"}


def plain(_: JudgeRequest) -> Any:
    raise asyncio.CancelledError


async def awaited(_: JudgeRequest) -> Any:
    raise asyncio.CancelledError


EXPECTED = [(None, 'a: expected "y", got "x" (CancelledError) [judge_error]'), (1.0, None)]


def test_a_sync_evaluator_makes_it_a_judge_error() -> None:
    evaluator: Any = fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=plain)
    assert [(one["score"], one["comment"]) for one in evaluator(**GIVEN)] == EXPECTED


@pytest.mark.parametrize("judge", [plain, awaited])
def test_an_async_evaluator_makes_it_a_judge_error(judge: Any) -> None:
    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=judge)
    assert [(one["score"], one["comment"]) for one in asyncio.run(evaluator(**GIVEN))] == EXPECTED


@pytest.mark.parametrize("judge", [plain, awaited])
def test_a_run_goes_on(judge: Any) -> None:
    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=judge)
    found = asyncio.run(fieldwise.aevaluate_records([GIVEN, GIVEN], evaluator))
    assert (len(found.records), found.score, found.coverage) == (2, 1.0, 0.5)


def test_cancelling_an_evaluator_cancels_it() -> None:
    async def slow(_: JudgeRequest) -> Any:
        await asyncio.sleep(30)

    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=slow)

    async def cancelled() -> bool:
        task: asyncio.Future[Any] = asyncio.ensure_future(evaluator(**GIVEN))
        await asyncio.sleep(0.05)
        task.cancel()
        await asyncio.wait([task], timeout=5)
        return task.cancelled()

    assert asyncio.run(cancelled())
