"""Evaluators passed as they are into langsmith's evaluate and aevaluate, offline; then what is uploaded."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

import pytest
from langsmith import Client, evaluate
from langsmith.schemas import Example
from openevals.types import SimpleAsyncEvaluator, SimpleEvaluator

import fieldwise
from tests.integrations.ls_runs import (
    CONCURRENCY,
    RUNNERS,
    connected,
    rows_of,
    run_sync,
    unconnected,  # noqa: F401 - a fixture
)
from tests.integrations.ls_server import LangSmithServer

Row = dict[str, tuple[float | bool | None, str]]
"""One record: feedback key to score and status."""

REFERENCES: list[dict[str, Any]] = [{"a": n, "b": "x", "c": [n, {"d": n}]} for n in range(8)]
OUTPUTS: list[dict[str, Any]] = [
    {**reference, "b": "x" if n % 2 else "y"} if n % 3 else {"a": n} for n, reference in enumerate(REFERENCES)
]
SCORES = [
    {
        "json_match:a": 1.0,
        "json_match:b": float(n % 2 and n % 3 != 0),
        "json_match:c": float(n % 3 != 0),
    }
    for n in range(8)
]


# -------------------------------------------------------------------------------------------- helpers


def test_the_guard_sees_connections() -> None:
    connected.clear()
    with LangSmithServer() as server:
        Client(api_url=server.url, api_key="test", auto_batch_tracing=False).create_run("r", {}, "chain")
    assert "socket.connect" in {event for event, _ in connected}


def examples(references: list[dict[str, Any]]) -> list[Example]:
    return [
        Example(id=uuid.uuid4(), inputs={"n": n}, outputs=reference) for n, reference in enumerate(references)
    ]


def scores_of(results: Any) -> list[dict[str, Any]]:
    rows = rows_of(results)
    assert all(len({result.key for result in row}) == len(row) for row in rows)
    return [{result.key: result.score for result in row} for row in rows]


FACTORIES: dict[str, Any] = {
    "sync": fieldwise.create_json_match_evaluator,
    "async": fieldwise.create_async_json_match_evaluator,
}


@pytest.fixture(params=[pytest.param(name, id=name) for name in FACTORIES])
def create(request: pytest.FixtureRequest) -> Any:
    return FACTORIES[request.param]


# ---------------------------------------------------------------------------------------------- types


def test_factories_make_what_openevals_declares() -> None:
    """The annotations are the test: mypy checks them."""
    simple: SimpleEvaluator = fieldwise.create_json_match_evaluator(aggregator="average")
    simple_async: SimpleAsyncEvaluator = fieldwise.create_async_json_match_evaluator(aggregator="average")
    given: dict[str, Any] = {"outputs": {"a": 1}, "reference_outputs": {"a": 1}}
    assert simple(**given) == asyncio.run(simple_async(**given))


# ----------------------------------------------------------------------------------------- experiments


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("concurrency", CONCURRENCY)
@pytest.mark.parametrize("runner", RUNNERS)
def test_rows_are_records_times_fields(runner: str, concurrency: int | None, create: Any) -> None:
    results = RUNNERS[runner](
        [create()], lambda inputs: OUTPUTS[inputs["n"]], examples(REFERENCES), max_concurrency=concurrency
    )
    assert scores_of(results) == SCORES


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("runner", RUNNERS)
def test_an_aggregate_is_one_row_a_record(runner: str, create: Any) -> None:
    results = RUNNERS[runner](
        [create(aggregator="average")], lambda inputs: OUTPUTS[inputs["n"]], examples(REFERENCES)
    )
    means = [{"json_match:average": pytest.approx(sum(scores.values()) / 3)} for scores in SCORES]
    assert scores_of(results) == means


@pytest.mark.usefixtures("unconnected")
def test_results_keep_everything_langsmith_has_a_place_for(create: Any) -> None:
    """EvaluationResult forbids keys it does not know; none of ours is."""
    own = fieldwise.create_json_match_evaluator()(outputs=OUTPUTS[2], reference_outputs=REFERENCES[2])
    rows = rows_of(run_sync([create()], lambda _: OUTPUTS[2], examples(REFERENCES[2:3])))
    kept = [
        {name: getattr(result, name) for name in ("key", "score", "comment", "metadata", "extra")}
        for result in rows[0]
    ]
    assert kept == own
    assert [result.extra["status"] for result in rows[0] if result.extra] == ["graded"] * 3
    assert len({str(result.source_run_id) for result in rows[0]}) == 1


WRAPPED: tuple[tuple[str, dict[str, Any], Any, dict[str, Any]], ...] = (
    (
        "list",
        {"output": [{"a": 2}, {"a": 1}]},
        [{"a": 1}, {"a": 2}],
        {"json_match:a": 1.0},
    ),
    ("list-short", {"output": [{"a": 2}, {"a": 1}]}, [{"a": 1}], {"json_match:a": 0.0}),
    ("object-text", {"a": 1, "b": 2}, '{"a": 1, "b": 3}', {"json_match:a": 1.0, "json_match:b": 0.0}),
    ("fenced-text", {"a": 1}, 'Here:\n```json\n{"a": 1}\n```', {"json_match:a": 1.0}),
    ("list-text", {"output": [{"a": 1}]}, '[{"a": 1}]', {"json_match:a": 1.0}),
)


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize(
    ("reference", "output", "expected"), [pytest.param(*row[1:], id=row[0]) for row in WRAPPED]
)
def test_langsmiths_wrapper_is_undone(
    reference: dict[str, Any], output: Any, expected: dict[str, Any], create: Any
) -> None:
    assert scores_of(run_sync([create()], lambda _: output, examples([reference]))) == [expected]


def failing(inputs: dict[str, Any]) -> Any:
    if inputs["n"] == 1:
        raise TimeoutError("the model took too long")
    return OUTPUTS[inputs["n"]]


@pytest.mark.usefixtures("unconnected")
@pytest.mark.parametrize("runner", RUNNERS)
def test_a_target_that_raises_scores_zero_on_every_field(runner: str, create: Any) -> None:
    rows = rows_of(RUNNERS[runner]([create()], failing, examples(REFERENCES[:3])))
    graded = [{result.key: (result.score, (result.extra or {})["status"]) for result in row} for row in rows]
    assert graded[1] == {f"json_match:{key}": (0.0, "invalid_output") for key in "abc"}
    assert [{key: score for key, (score, _) in row.items()} for row in (graded[0], graded[2])] == [
        SCORES[0],
        SCORES[2],
    ]


@pytest.mark.usefixtures("unconnected")
def test_further_arguments_are_accepted(create: Any) -> None:
    evaluator = create()
    given: dict[str, Any] = {"outputs": {"a": 1}, "reference_outputs": {"a": 2}}

    def result(**more: Any) -> Any:
        returned = evaluator(**given, **more)
        return asyncio.run(returned) if asyncio.iscoroutine(returned) else returned

    assert result(inputs={"q": "?"}, run_name="r", feedback_key="k", attachments={}) == result()


@pytest.mark.usefixtures("unconnected")
def test_a_judge_is_asked_for_every_record_and_no_row_is_lost(create: Any) -> None:
    asked: list[str] = []

    def judge(request: fieldwise.JudgeRequest) -> dict[str, bool]:
        asked.extend(question.id for question in request.questions)
        return {question.id: True for question in request.questions}

    evaluator = create(rubric={"b": "any letter will do"}, judge=judge)
    results = run_sync(
        [evaluator], lambda inputs: OUTPUTS[inputs["n"]], examples(REFERENCES), max_concurrency=4
    )
    expected = [{**scores, "json_match:b": float(n % 3 != 0)} for n, scores in enumerate(SCORES)]
    assert scores_of(results) == expected
    assert len(asked) == sum(n % 3 != 0 and n % 2 == 0 for n in range(8))


# --------------------------------------------------------------------------------------------- uploads


def test_what_an_experiment_uploads(create: Any) -> None:
    """Every field of every record, its details in `extra`, linked to the run of its evaluation."""
    with LangSmithServer() as server:
        client = Client(api_url=server.url, api_key="test")
        stored = client.create_dataset("receipts")
        data = [
            Example(id=uuid.uuid4(), inputs={"n": n}, outputs=reference, dataset_id=stored.id)
            for n, reference in enumerate(REFERENCES[:3])
        ]
        evaluate(lambda inputs: OUTPUTS[inputs["n"]], data=data, evaluators=[create()], client=client)
        client.flush()
        runs = server.named("json_match_evaluator")
        assert server.wait(lambda: len(server.feedback) >= 9)
    assert sorted((item["key"], item["score"]) for item in server.feedback) == sorted(
        (key, score) for scores in SCORES[:3] for key, score in scores.items()
    )
    assert {item["extra"]["status"] for item in server.feedback} == {"graded"}
    assert len(runs) == 3
    linked = [item["feedback_source"]["metadata"]["__run"]["run_id"] for item in server.feedback]
    assert sorted(linked) == sorted([run["id"] for run in runs] * 3)
