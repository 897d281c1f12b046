"""Every public evaluator in experiments of LangSmith that upload nothing: a row for every result, none lost.

All evaluators of one form run over records of every shape at once. What each must give is what it gives when
it is called by hand with the outputs that LangSmith makes of what a target returned.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import warnings
from typing import Any

import pytest
from langsmith import aevaluate, evaluate

import fieldwise
from fieldwise.integrations.langsmith import run_evaluator
from tests.integrations.every_evaluator import (
    EVALUATORS,
    NAMES,
    RECORDS,
    ajudge,
    atarget,
    examples,
    factory,
    target,
)
from tests.integrations.ls_runs import (
    CONCURRENCY,
    RUNNERS,
    offline,
    rows_of,
    run_in_loop,
    unconnected,  # noqa: F401 - a fixture
)

pytestmark = pytest.mark.usefixtures("unconnected")

INPUTS = {"question": "Who is Ada, 36?"}
FORMS = ("plain", "async", "run", "run-async-judge")
Row = tuple[str, Any, str, str | None]
"""Key, score, status and comment."""


@functools.cache
def made(form: str) -> tuple[Any, ...]:
    return tuple(make(name, form) for name in EVALUATORS)


def make(name: str, form: str) -> Any:
    options = EVALUATORS[name]
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # field_match
        if form in {"plain", "async"}:
            return factory(name, "async_" if form == "async" else "")(**options)
        if form == "run-async-judge" and "judge" in options:
            options = {**options, "judge": ajudge}
        return run_evaluator(name, **options)


@functools.cache
def expected() -> list[list[Row]]:
    return [[row for one in made("plain") for row in by_hand(one, name)] for name in NAMES]


def by_hand(evaluate: Any, name: str) -> list[Row]:
    record = RECORDS[name]
    failed = isinstance(record.what, Exception)
    found = evaluate(inputs=INPUTS, **record.given)
    results = found if isinstance(found, list) else [found]
    raised = "; the run failed: TimeoutError('the model took too long')" if failed else ""
    return [
        (
            one["key"],
            one["score"],
            one["extra"]["status"],
            f"{one['comment']}{raised}" if one["extra"]["status"] != "graded" else one["comment"],
        )
        for one in results
    ]


def row(result: Any) -> Row:
    return result.key, result.score, result.extra["status"], result.comment


def rows(results: Any) -> list[list[Row]]:
    return [[row(one) for one in found] for found in rows_of(results)]


def test_the_table_has_every_public_evaluator() -> None:
    public = {name for name in fieldwise.__all__ if name.startswith("create_async_")}
    assert {factory(name, "async_").__name__ for name in EVALUATORS} == public


@pytest.mark.parametrize("name", EVALUATORS)
def test_every_evaluator_grades_a_record(name: str) -> None:
    """Else the comparisons below would compare refusals."""
    evaluate = made("plain")[list(EVALUATORS).index(name)]
    graded = [row for record in NAMES for row in by_hand(evaluate, record) if row[2] == "graded"]
    assert any(score for _, score, _, _ in graded), graded


@pytest.mark.parametrize(
    ("runner", "concurrency"),
    [*itertools.product(("evaluate", "aevaluate"), CONCURRENCY), ("client", 0)],
)
@pytest.mark.parametrize("form", FORMS)
def test_rows_are_what_each_evaluator_gives(form: str, runner: str, concurrency: int | None) -> None:
    found = RUNNERS[runner](list(made(form)), target, examples(), max_concurrency=concurrency)
    assert rows(found) == expected()


@pytest.mark.parametrize("form", ["plain", "run", "run-async-judge"])
def test_a_notebook_loses_no_row(form: str) -> None:
    """There a loop runs already, and a function that is async has nothing to run on."""
    assert rows(run_in_loop(list(made(form)), target, examples())) == expected()


SUMMARIES: dict[str, dict[str, Any]] = {
    "binary_classification": EVALUATORS["binary_classification"],
    "multi_field": EVALUATORS["multi_field"],
    "multiclass_classification": EVALUATORS["multiclass_classification"],
}


def test_every_summary_evaluator_is_in_the_table() -> None:
    public = {name for name in fieldwise.__all__ if name.endswith("_summary_evaluator")}
    assert {f"create_{name}_summary_evaluator" for name in SUMMARIES} == public


def summary_sync(summarise: Any) -> Any:
    return evaluate(
        target, data=examples(), summary_evaluators=[summarise], client=offline(), upload_results=False
    )


def summary_async(summarise: Any) -> Any:
    return asyncio.run(
        aevaluate(
            atarget, data=examples(), summary_evaluators=[summarise], client=offline(), upload_results=False
        )
    )


@pytest.mark.parametrize("run", [summary_sync, summary_async])
@pytest.mark.parametrize("name", SUMMARIES)
def test_summaries_are_what_each_gives(name: str, run: Any) -> None:
    summarise = getattr(fieldwise, f"create_{name}_summary_evaluator")(**SUMMARIES[name])
    found = run(summarise)._summary_results["results"]
    records = RECORDS.values()
    wanted = summarise(
        outputs=[one.seen for one in records],
        reference_outputs=[one.reference or {} for one in records],  # what LangSmith makes of none
    )
    assert [(one.key, one.score, one.comment, one.extra) for one in found] == [
        (one["key"], one["score"], one["comment"], one["extra"]) for one in wanted["results"]
    ]
    assert any(one.score for one in found)
