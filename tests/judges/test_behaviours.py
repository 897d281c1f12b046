"""All that a judge can do, by every client, in every mode: no row lost, no wrong score, the reason named."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import openai
import pytest
from langchain_openai import ChatOpenAI
from langsmith import Client, aevaluate, evaluate
from langsmith.schemas import Example

import fieldwise
from tests.judges.fakes import GOOD, NEVER, Step, chat_model
from tests.judges.oai_server import OpenAIServer

RUBRIC = {"a": "same meaning", "b": "same place"}
OUTPUTS = {"a": "x", "b": "y", "c": 1}
REFERENCE = {"a": "X", "b": "Y", "c": 1}
RIGHT, WRONG = {"reasoning": "r", "score": True}, {"reasoning": "w", "score": False}
FENCED = '```json\n{"q1": {"reasoning": "r", "score": true}, "q2": {"reasoning": "w", "score": false}}\n```'


@dataclass(frozen=True)
class Row:
    """A behaviour: its script, and for a and b the score, or what the reason says."""

    name: str
    steps: tuple[Step, ...]
    a: float | str = 1.0
    b: float | str = 1.0
    timeout: float = 20.0


def always(name: str, step: Step, *expected: float | str, **options: Any) -> Row:
    return Row(name, (step,), expected[0], expected[-1], **options)


def once(name: str, step: Step, **options: Any) -> Row:
    return Row(f"{name}-once", (step, GOOD), **options)


def first_of_two(schema: dict[str, Any]) -> Any:
    """Never answer the second question, nor when it is asked alone."""
    return {"q1": RIGHT} if len(schema["properties"]) == 2 else {}


def one_at_a_time(schema: dict[str, Any]) -> Any:
    """Answer the first question only."""
    return {next(iter(schema["properties"])): RIGHT}


PROSE = Step("I cannot say.")
BUSY = Step(status=429, headers=(("retry-after", "0.01"),))
BROKEN = Step(status=500)
SILENT = Step(delay=NEVER)

ROWS: tuple[Row, ...] = (
    always("good", Step({"q1": RIGHT, "q2": WRONG}), 1.0, 0.0),
    always("slow", Step(delay=0.05), 1.0),
    always("fenced", Step(FENCED), 1.0, 0.0),
    always("never-answering", SILENT, "0.2", timeout=0.2),
    once("never-answering", SILENT, timeout=0.3),
    always("refusing", Step(refusal="I will not."), "the judge refused: 'I will not.'"),
    always("prose", PROSE, "the judge's reply holds no JSON: 'I cannot say.'"),
    once("prose", PROSE),
    always("missing-key", Step(first_of_two), 1.0, "the judge's reply has none of the keys"),
    always("one-key-at-a-time", Step(one_at_a_time), 1.0),
    always("extra-key", Step({"q1": RIGHT, "q2": RIGHT, "q3": WRONG, "a": WRONG}), 1.0),
    always("other-keys", Step({"a": RIGHT, "b": RIGHT}), "none of the keys it was asked for"),
    always(
        "out-of-range", Step({"q1": 7, "q2": RIGHT}), "answered '7', which is int; a boolean was asked", 1.0
    ),
    always("wrong-type", Step({"q1": "yes", "q2": RIGHT}), "answered 'yes', which is str", 1.0),
    always("text-verdict", Step({"q1": "false", "q2": "True"}), 0.0, 1.0),
    always("empty", Step(""), "the judge's reply is empty"),
    once("empty", Step("")),
    always("filtered", Step("", finish="content_filter"), "stopped by a content filter"),
    always("token-limit", Step('{"q1": {"re', finish="length"), "cut at its token limit"),
    always("truncated", Step('{"q1": {"reasoning": "r", "sc'), "the judge's reply is truncated"),
    once("truncated", Step('{"q1": {"reasoning": "r", "sc')),
    always("429", BUSY, "429"),
    once("429", BUSY),
    always("500", BROKEN, "500"),
    once("500", BROKEN),
    always("reset", Step(reset=True), "onnection"),
    once("reset", Step(reset=True)),
    once("cut-in-transit", Step(cut=True)),
)


# ------------------------------------------------------------------------------------------- clients


@contextmanager
def over_http(row: Row, make: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    with OpenAIServer(*row.steps) as server:
        yield {"client": make(base_url=server.url, api_key="k", max_retries=0), "server": server}


@contextmanager
def in_process(row: Row, make: Callable[..., Any]) -> Iterator[dict[str, Any]]:
    yield {"client": make(*row.steps)}


CLIENTS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "chat-model": (in_process, chat_model, {}),
    "ChatOpenAI": (over_http, lambda **given: ChatOpenAI(model="m", **given), {}),
    "OpenAI": (over_http, openai.OpenAI, {"model": "m"}),
    "AsyncOpenAI": (over_http, openai.AsyncOpenAI, {"model": "m"}),
}


# ---------------------------------------------------------------------------------------------- modes

GIVEN: dict[str, Any] = {"outputs": OUTPUTS, "reference_outputs": REFERENCE}


def sync(judge: Any) -> list[Any]:
    return [fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=judge)(**GIVEN)]


def awaited(judge: Any) -> list[Any]:
    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=judge)
    return [asyncio.run(evaluator(**GIVEN))]


def inside_a_loop(judge: Any) -> list[Any]:
    async def run() -> list[Any]:
        return sync(judge)

    return asyncio.run(run())


def examples() -> dict[str, Any]:
    data = [Example(id=uuid.uuid4(), inputs={"n": n}, outputs=REFERENCE) for n in range(2)]
    client = Client(api_url="http://127.0.0.1:9", api_key="test", auto_batch_tracing=False)
    return {"data": data, "client": client, "upload_results": False}


def plain(rows: Any) -> list[Any]:
    return [[dict(result) for result in row["evaluation_results"]["results"]] for row in rows]


def langsmith_evaluate(judge: Any) -> list[Any]:
    evaluator: Any = fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=judge)
    rows = evaluate(lambda inputs: OUTPUTS, evaluators=[evaluator], max_concurrency=2, **examples())
    return plain(rows)


def langsmith_evaluate_async(judge: Any) -> list[Any]:
    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=judge)
    return plain(evaluate(lambda inputs: OUTPUTS, evaluators=[evaluator], **examples()))


def langsmith_aevaluate(judge: Any) -> list[Any]:
    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=judge)

    async def target(inputs: dict[str, Any]) -> Any:
        return OUTPUTS

    async def run() -> list[Any]:
        rows = await aevaluate(target, evaluators=[evaluator], max_concurrency=2, **examples())
        return [row async for row in rows]

    return plain(asyncio.run(run()))


MODES = (
    sync,
    awaited,
    inside_a_loop,
    langsmith_evaluate,
    langsmith_evaluate_async,
    langsmith_aevaluate,
)


# ---------------------------------------------------------------------------------------------- table


def shown(result: Any) -> Any:
    """A result's score, or its reason where it has none."""
    return result["extra"]["reason"] if result["score"] is None else result["score"]


@pytest.mark.parametrize("mode", [pytest.param(mode, id=mode.__name__) for mode in MODES])
@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("row", [pytest.param(row, id=row.name) for row in ROWS])
def test_a_judge_of_every_kind(row: Row, client: str, mode: Any) -> None:
    context, make, options = CLIENTS[client]
    with context(row, make) as made:
        judge = fieldwise.create_judge(made["client"], timeout=row.timeout, max_retries=1, **options)
        found = mode(judge)
    assert len(found) in {1, 2}
    for results in found:
        said = {result["key"]: shown(result) for result in results}
        assert said.keys() == {"json_match:a", "json_match:b", "json_match:c"}
        assert said["json_match:c"] == 1.0
        for key, expected in (("json_match:a", row.a), ("json_match:b", row.b)):
            if isinstance(expected, str):
                assert expected in str(said[key])
                assert isinstance(said[key], str)
            else:
                assert said[key] == expected
        errors = {result["key"] for result in results if result["extra"]["status"] == "judge_error"}
        assert errors == {f"json_match:{key}" for key in "ab" if isinstance(getattr(row, key), str)}
