"""`run_evaluator` with an async judge whose client keeps connections, called by many sync threads at once.

A connection belongs to the loop it was made on. Callers that each bring a loop of their own would find the
client's connections on another, which may be closed by then.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import openai
import pytest
from langsmith.schemas import Example

from fieldwise import JudgeRequest
from fieldwise.integrations.langsmith import run_evaluator
from fieldwise.judges.loops import on_own_loop
from tests.integrations.ls_runs import rows_of, run_in_loop, run_sync
from tests.judges.fakes import Step
from tests.judges.oai_server import OpenAIServer

RECORDS = 12


def judge_over(client: openai.AsyncOpenAI) -> Callable[[JudgeRequest], Any]:
    async def judge(request: JudgeRequest) -> dict[str, Any]:
        await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "?"}])
        return {one.id: True for one in request.questions}

    return judge


@pytest.mark.parametrize("concurrency", [0, 3, 16, None])
@pytest.mark.parametrize("run", [run_sync, run_in_loop])
def test_no_verdict_is_lost(run: Callable[..., Any], concurrency: int | None) -> None:
    data = [
        Example(id=uuid.uuid4(), inputs={"n": n}, outputs={"name": "Ada", "age": n}) for n in range(RECORDS)
    ]
    with OpenAIServer(Step(delay=0.01), keep_alive=True) as server:
        client = openai.AsyncOpenAI(base_url=server.url, api_key="k", max_retries=0)
        evaluator = run_evaluator("json_match", rubric={"name": "same"}, judge=judge_over(client))

        def target(inputs: dict[str, Any]) -> dict[str, Any]:
            return {"name": "A. L.", "age": inputs["n"]}

        rows = rows_of(run([evaluator], target, data, max_concurrency=concurrency))
        asked = len(server.bodies)
        on_own_loop(client.close())
    found = [(row.key, row.score, row.comment) for one in rows for row in one]
    assert found == [("json_match:age", 1.0, None), ("json_match:name", 1.0, None)] * RECORDS
    assert asked == RECORDS
