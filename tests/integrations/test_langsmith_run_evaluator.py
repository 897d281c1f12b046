"""`run_evaluator`: what it is made of, the keys it announces, and the rows it has whatever goes wrong."""

from __future__ import annotations

import asyncio
import gc
import inspect
import linecache
import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from langsmith.evaluation import RunEvaluator
from langsmith.evaluation.evaluator import DynamicRunEvaluator
from langsmith.schemas import Example, Run

import fieldwise
from fieldwise import JudgeRequest
from fieldwise.errors import ConfigError
from fieldwise.integrations import langsmith
from fieldwise.integrations.langsmith import run_evaluator
from tests.integrations.every_evaluator import EVALUATORS, ajudge
from tests.integrations.test_langsmith_every import make

REFUSED: tuple[tuple[Any, dict[str, Any], str], ...] = (
    (
        "json_mach",
        {},
        "run_evaluator: there is no evaluator 'json_mach'; did you mean 'json_match'?",
    ),
    (
        "async_json_match",
        {},
        "run_evaluator: there is no evaluator 'async_json_match'; did you mean 'json_match'?",
    ),
    (
        5,
        {},
        f"run_evaluator: there is no evaluator 5; there are {', '.join(sorted(EVALUATORS))}",
    ),
    (
        "json_match",
        {"agregator": "average"},
        "create_async_json_match_evaluator: there is no option 'agregator'; did you mean 'aggregator'?",
    ),
    (
        "llm_as_judge",
        {},
        "create_async_llm_as_judge: prompt= has to be given",
    ),
)


@pytest.mark.parametrize(("name", "options", "message"), REFUSED)
def test_what_is_wrong_is_refused(name: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        run_evaluator(name, **options)
    assert str(caught.value) == message


KEYS: dict[str, list[str]] = {name: [name] for name in EVALUATORS} | {
    "grounded_fields": ["grounded_fields:aggregate_score"],
    "json_match": [],  # those of the record
    "llm_as_judge": ["score"],
    "multi_field": ["multi_field:name", "multi_field:age", "multi_field:aggregate_score"],
    "trajectory_match": ["trajectory_strict_match"],
}


@pytest.mark.parametrize("name", EVALUATORS)
def test_it_announces_its_keys(name: str) -> None:
    evaluator = make(name, "run")
    assert isinstance(evaluator, RunEvaluator)
    assert evaluator.feedback_keys == KEYS[name]
    assert "fieldwise" in repr(evaluator)


@pytest.mark.parametrize("form", ["plain", "async"])
@pytest.mark.parametrize("name", EVALUATORS)
def test_a_function_announces_its_keys_too(name: str, form: str) -> None:
    """Where they are those of the record, its name."""
    evaluator = make(name, form)
    assert DynamicRunEvaluator(evaluator).feedback_keys == (KEYS[name] or [name])
    assert inspect.iscoroutinefunction(evaluator) is (form == "async")
    assert list(inspect.signature(evaluator).parameters)[:3] == ["inputs", "outputs", "reference_outputs"]


def test_what_announces_keys_ends_with_its_evaluator() -> None:
    gc.collect()
    before = set(linecache.cache)
    evaluator = make("exact_match", "plain")
    assert "return {\"results\": [{'key': 'exact_match'}]}" in inspect.getsource(evaluator)
    assert len(set(linecache.cache) - before) == 1
    linecache.checkcache()
    assert "exact_match" in inspect.getsource(evaluator)
    del evaluator
    gc.collect()
    assert set(linecache.cache) <= before


@pytest.mark.parametrize("feedback_key", ["for", "a b", "'"])
def test_any_key_is_announced(feedback_key: str) -> None:
    evaluator: Any = fieldwise.create_exact_match_evaluator(feedback_key=feedback_key)
    assert DynamicRunEvaluator(evaluator).feedback_keys == [feedback_key]


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ({"aggregator": "average"}, ["json_match:average"]),
        ({"aggregator": "all", "feedback_key": "invoice"}, ["invoice:all"]),
        ({"feedback_key": "invoice"}, []),
        ({"name": "multi_field", "fields": ["$"]}, ["multi_field:$", "multi_field:aggregate_score"]),
    ],
)
def test_options_decide_the_keys(options: dict[str, Any], keys: list[str]) -> None:
    name = options.get("name", "json_match")
    given = {one: value for one, value in options.items() if one != "name"}
    assert run_evaluator(name, **given).feedback_keys == keys


# ----------------------------------------------------------------------------------------------- rows


def run_of(outputs: Any, error: str | None = None) -> Run:
    return Run(
        id=uuid.uuid4(),
        name="target",
        start_time=datetime.now(UTC),
        run_type="chain",
        inputs={"q": "?"},
        outputs=outputs,
        error=error,
    )


def example_of(outputs: Any) -> Example:
    return Example(id=uuid.uuid4(), inputs={"q": "?"}, outputs=outputs)


def both(evaluator: Any, run: Run, example: Example | None) -> list[Any]:
    """The rows, which are the same either way."""
    found = evaluator.evaluate_run(run, example)["results"]
    assert asyncio.run(evaluator.aevaluate_run(run, example))["results"] == found
    assert evaluator(run, example)["results"] == found
    return list(found)


def test_columns_are_chosen_by_options() -> None:
    evaluator = run_evaluator("exact_match", outputs_key="answer", correct_answer_key="gold")
    (row,) = both(
        evaluator, run_of({"answer": "yes", "log": "…"}), example_of({"gold": "yes", "note": "easy"})
    )
    assert (row.key, row.score) == ("exact_match", True)


def test_without_an_example_there_is_no_reference() -> None:
    (row,) = both(run_evaluator("exact_match"), run_of({"output": "yes"}), None)
    assert (row.score, row.extra["status"]) == (None, "invalid_reference")
    (valid,) = both(run_evaluator("json_validity"), run_of({"output": "{}"}), None)
    assert valid.score is True


def test_inputs_are_the_examples_else_the_runs() -> None:
    evaluator = run_evaluator("llm_as_judge", prompt="{inputs} {outputs}", judge=ajudge)
    for example in (None, example_of({"a": 1})):
        (row,) = both(evaluator, run_of({"a": 1}), example)
        assert row.extra["status"] == "graded"


@pytest.mark.parametrize("outputs", [None, {"output": None}, {}])
def test_a_run_that_failed_has_a_row_for_each_key(outputs: Any) -> None:
    rows = both(
        run_evaluator("json_match"),
        run_of(outputs, "TimeoutError('late')\n\nTraceback …"),
        example_of({"a": 1, "b": 2}),
    )
    assert [(row.key, row.score, row.extra["status"]) for row in rows] == [
        ("json_match:a", 0.0, "invalid_output"),
        ("json_match:b", 0.0, "invalid_output"),
    ]
    assert all(row.comment.endswith("; the run failed: TimeoutError('late')") for row in rows)


def test_what_came_before_a_run_failed_is_graded() -> None:
    (row,) = both(run_evaluator("json_match"), run_of({"a": 1}, "late"), example_of({"a": 1}))
    assert (row.score, row.comment) == (1.0, None)


def test_an_evaluator_that_breaks_leaves_a_row_for_each_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of ours raises; should one do so, no row is lost."""

    def broken(**_: Any) -> Any:
        raise RuntimeError("a fault of ours")

    async def abroken(**_: Any) -> Any:
        return broken()

    evaluator: Any = run_evaluator("json_match")
    monkeypatch.setattr(evaluator, "_both", langsmith._Both(evaluator._both.plan, broken, abroken))
    rows = both(evaluator, run_of({"a": 1}), example_of({"a": 1, "b": 2}))
    assert [(row.key, row.score, row.comment) for row in rows] == [
        ("json_match:a", None, "RuntimeError: a fault of ours"),
        ("json_match:b", None, "RuntimeError: a fault of ours"),
    ]
    assert [(row.extra["status"], row.extra["error"]) for row in rows] == [("not_evaluated", True)] * 2


def test_it_takes_what_a_feedback_needs_and_no_more() -> None:
    (row,) = both(run_evaluator("exact_match"), run_of({"a": 1}), example_of({"a": 2}))
    assert row.comment == "a: expected 2, got 1"
    assert row.extra == row.metadata
    assert row.source_run_id is None
    assert row.evaluator_info == {"status": "graded", "path": "$", "passed": False}


# -------------------------------------------------------------------------------------------- functions


def test_a_keyword_of_the_callers_own_stays_theirs() -> None:
    """`run` and `example` are LangSmith's only where LangSmith's objects come under them."""
    asked: list[JudgeRequest] = []

    def judge(request: JudgeRequest) -> dict[str, Any]:
        asked.append(request)
        return {one.id: True for one in request.questions}

    evaluate: Any = fieldwise.create_llm_as_judge(prompt="{run} {example} {outputs}", judge=judge)
    assert evaluate(outputs="x", run="fast", example="Berlin")["score"] is True
    assert '"fast" "Berlin" "x"' in str(asked)


@pytest.mark.parametrize(
    ("run", "example", "status"),
    [
        (run_of({}), example_of({}), "graded"),
        (run_of(None), example_of({}), "invalid_output"),
        (run_of({"output": None}, "late"), example_of({}), "invalid_output"),
        (run_of({}), example_of(None), "invalid_reference"),
    ],
)
def test_nothing_is_told_from_empty_by_the_run_and_its_example(
    run: Run, example: Example, status: str
) -> None:
    evaluate: Any = fieldwise.create_json_similarity_evaluator()
    given = {"outputs": run.outputs or {}, "reference_outputs": example.outputs or {}}
    assert evaluate(**given, run=run, example=example)["extra"]["status"] == status
