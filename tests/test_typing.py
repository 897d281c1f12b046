"""What the type checkers are shown is all there is, and it runs."""

from __future__ import annotations

import asyncio
import re
import uuid
import warnings
from pathlib import Path

import pytest
from langsmith import Client
from langsmith.schemas import Example

import fieldwise

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of field_match, which is shown to the checkers too
    from tests.typing import user_code

SOURCE = (Path(__file__).parent / "typing" / "user_code.py").read_text(encoding="utf-8")
FACTORIES = [name for name in fieldwise.__all__ if name.startswith("create_")]


@pytest.mark.parametrize("name", FACTORIES)
def test_every_factory_is_assigned_to_a_type(name: str) -> None:
    assert len(re.findall(rf"\bfw\.{name}\(", SOURCE)) >= 1


@pytest.mark.parametrize("evaluator", user_code.SYNC, ids=lambda one: str(one.__name__))
def test_sync_evaluators_are_called_as_openevals_types_say(evaluator: object) -> None:
    assert callable(evaluator)
    assert not asyncio.iscoroutinefunction(evaluator)


@pytest.mark.parametrize("evaluator", user_code.ASYNC, ids=lambda one: str(one.__name__))
def test_async_evaluators_are_coroutine_functions(evaluator: object) -> None:
    assert asyncio.iscoroutinefunction(evaluator)


@pytest.mark.parametrize("evaluator", user_code.STRING, ids=lambda one: one.evaluation_name)
def test_string_evaluators_are_string_evaluators(evaluator: object) -> None:
    assert isinstance(evaluator, fieldwise.StringEvaluator)


def test_experiments_run_with_evaluators_of_every_form() -> None:
    data = [Example(id=uuid.uuid4(), inputs={"n": 1}, outputs={"a": 1})]
    client = Client(api_url="http://127.0.0.1:9", api_key="test", auto_batch_tracing=False)
    found = [[*results] for results in user_code.in_experiments(client, data)]
    assert [[len(row["evaluation_results"]["results"]) for row in rows] for rows in found] == [[4], [1]]
    assert asyncio.run(counted(client, data)) == [[4], [1]]


async def counted(client: Client, data: list[Example]) -> list[list[int]]:
    return [
        [len(row["evaluation_results"]["results"]) async for row in results]
        for results in await user_code.in_async_experiments(client, data)
    ]


def test_the_code_runs() -> None:
    user_code.in_a_test()
    assert user_code.over_records() == 0.0
    assert user_code.one_result() == 1.0
    assert user_code.caught() == "weights['a']=-1: must be a finite number of at least 0"
    assert isinstance(user_code.configured_judge(), fieldwise.ModelJudge)
    assert asyncio.run(user_code.awaited()).score == 1.0
