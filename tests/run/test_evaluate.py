"""Runs over records: what counts as a record, whose results are whose, and that nothing ends a run."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from typing import Any, ClassVar, Final

import openevals.json
import pandas as pd
import pytest
from openevals.exact import exact_match, exact_match_async

from fieldwise import (
    ConfigError,
    JudgeRequest,
    Report,
    Verdict,
    aevaluate_records,
    by_key,
    create_async_json_match_evaluator,
    create_json_match_evaluator,
    create_json_match_string_evaluator,
    evaluate_records,
)
from fieldwise.run import RecordResult
from fieldwise.scorers.plan import Plan

GOOD = {"outputs": {"a": 1, "b": 2}, "reference_outputs": {"a": 1, "b": 2}}
HALF = {"outputs": {"a": 1, "b": 2}, "reference_outputs": {"a": 1, "b": 3}}


def both(records: Any, evaluators: Any, **options: Any) -> Report:
    """The report of a run, once the sync run and the async one gave the same."""
    held = records if isinstance(records, pd.DataFrame) else list(records)
    report = evaluate_records(held, evaluators, **options)
    awaited = asyncio.run(aevaluate_records(held, evaluators, **options))
    assert {**awaited.to_dict(), "elapsed": 0} == {**report.to_dict(), "elapsed": 0}
    assert awaited.records == report.records
    json.dumps([one.to_dict() for one in report.records], allow_nan=False)
    return report


def scores(report: Report) -> list[dict[str, Any]]:
    return [{one["key"]: one["score"] for one in record.results} for record in report.records]


# ------------------------------------------------------------------------------------------ records


def test_scores_each_record() -> None:
    report = both([GOOD, HALF], create_json_match_evaluator())
    assert scores(report) == [
        {"json_match:a": 1.0, "json_match:b": 1.0},
        {"json_match:a": 1.0, "json_match:b": 0.0},
    ]
    assert (report.count, report.score, report.coverage) == (2, 0.75, 1.0)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        ({**GOOD, "id": "x"}, "x"),
        ({**GOOD, "id": 7}, "7"),
        ({**GOOD, "id": {"b": 1, "a": 2}}, '{"a":2,"b":1}'),
        ({**GOOD, "id": None}, "1"),
        (GOOD, "1"),
        ([], "1"),
    ],
    ids=repr,
)
def test_id(record: Any, expected: str) -> None:
    assert [one.id for one in both([record], create_json_match_evaluator()).records] == [expected]


@pytest.mark.parametrize(
    ("record", "aggregator", "key", "reason"),
    [
        (None, None, "json_match:$", "the record is NoneType, not a mapping"),
        ([1], None, "json_match:$", "the record is list, not a mapping"),
        ("text", "all", "json_match:all", "the record is str, not a mapping"),
        ({}, "average", "json_match:average", "the record has no outputs; its keys: none"),
        ({"output": 1}, None, "json_match:$", "the record has no outputs; its keys: 'output'"),
    ],
    ids=repr,
)
def test_what_is_no_record_is_not_evaluated(record: Any, aggregator: Any, key: str, reason: str) -> None:
    report = both([record, GOOD], create_json_match_evaluator(aggregator=aggregator))
    (result,) = report.records[0].results
    assert (result["key"], result["score"], result["comment"]) == (key, None, reason)
    assert result["extra"]["status"] == "not_evaluated"
    assert (report.coverage or 1.0) < 1.0 == report.score


def test_record_without_reference_is_the_evaluators_to_judge() -> None:
    report = both([{"outputs": {"a": 1}}, GOOD], create_json_match_evaluator(aggregator="all"))
    assert report.records[0].results[0]["extra"]["status"] == "invalid_reference"
    assert report.fields["json_match:all"].coverage == 0.5


@pytest.mark.parametrize(
    ("records", "kind"), [("file.jsonl", "str"), ({"outputs": 1}, "dict"), (3, "int"), (b"x", "bytes")]
)
def test_records_are_refused_at_once(records: Any, kind: str) -> None:
    message = (
        f"records is {kind}: pass an iterable of mappings with outputs and reference_outputs, "
        "or a DataFrame; the command `fieldwise score` reads files"
    )
    with pytest.raises(ConfigError) as raised:
        evaluate_records(records, create_json_match_evaluator())
    assert str(raised.value) == message


def test_data_frame() -> None:
    frame = pd.DataFrame(
        {
            "id": ["one", "two", "three"],
            "outputs": [{"a": 1}, {"a": float("nan")}, "plain"],
            "reference_outputs": [{"a": 1}, {"a": float("nan")}, float("nan")],
            "inputs": [1.5, None, None],
        }
    )
    report = both(frame, create_json_match_evaluator(aggregator="all"))
    assert [(one.id, one.results[0]["extra"]["status"], one.score) for one in report.records] == [
        ("one", "graded", 1.0),
        ("two", "graded", 1.0),
        ("three", "invalid_reference", None),
    ]


def test_records_are_pulled_as_results_are_taken() -> None:
    pulled = 0

    def endless() -> Iterator[Any]:
        nonlocal pulled
        while True:
            pulled += 1
            yield GOOD

    class Enough(Exception):
        pass

    def stop(result: RecordResult) -> None:
        if result.position == 100:
            raise Enough

    with pytest.raises(Enough):
        evaluate_records(endless(), create_json_match_evaluator(), on_result=stop, concurrency=2)
    assert 100 <= pulled <= 108


def test_results_come_in_the_order_of_the_records() -> None:
    release = threading.Event()

    def slow_first(*, outputs: int, **_: Any) -> bool:
        if outputs == 0:
            assert release.wait(10)
        elif outputs == 3:
            release.set()
        return True

    seen: list[str] = []
    records = [{"id": str(n), "outputs": n} for n in range(8)]
    evaluate_records(records, slow_first, on_result=lambda one: seen.append(one.id))
    assert seen == [str(n) for n in range(8)]


def test_interrupted_run_keeps_what_it_scored() -> None:
    def records() -> Iterator[Any]:
        yield from [GOOD, HALF]
        raise KeyboardInterrupt

    report, seen = Report(), list[str]()
    with pytest.raises(KeyboardInterrupt):
        evaluate_records(
            records(), create_json_match_evaluator(), report=report, on_result=lambda one: seen.append(one.id)
        )
    assert seen == ["1", "2"]
    assert (report.count, report.score) == (2, 0.75)


def test_report_goes_on_where_it_was() -> None:
    report = evaluate_records([GOOD], create_json_match_evaluator())
    evaluate_records([HALF], create_json_match_evaluator(), report=report)
    assert [one.position for one in report.records] == [1, 2]
    assert {**report.to_dict(), "elapsed": 0} == {
        **both([GOOD, {**HALF, "id": "1"}], create_json_match_evaluator()).to_dict(),
        "elapsed": 0,
    }


def test_async_on_result_is_awaited() -> None:
    seen: list[str] = []

    async def note(result: RecordResult) -> None:
        await asyncio.sleep(0)
        seen.append(result.id)

    asyncio.run(aevaluate_records([GOOD, HALF], create_json_match_evaluator(), on_result=note))
    assert seen == ["1", "2"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"concurrency": 0}, "concurrency=0: must be a whole number from 1 up"),
        ({"concurrency": True}, "concurrency=True: must be a whole number from 1 up"),
        ({"worst": -1}, "worst=-1: must be a whole number from 0 up"),
    ],
    ids=str,
)
def test_wrong_numbers(options: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        evaluate_records([], create_json_match_evaluator(), **options)
    assert str(raised.value) == message


# --------------------------------------------------------------------------------------- evaluators


@pytest.mark.parametrize(
    "evaluator",
    [
        pytest.param(create_json_match_evaluator(), id="sync"),
        pytest.param(create_async_json_match_evaluator(), id="async"),
        pytest.param(create_json_match_string_evaluator(), id="string"),
    ],
)
def test_every_form_of_ours_runs_by_its_plan(evaluator: Any) -> None:
    assert scores(both([HALF], evaluator)) == [{"json_match:a": 1.0, "json_match:b": 0.0}]


def test_several_evaluators() -> None:
    mine = create_json_match_evaluator(aggregator="average", feedback_key="mine")
    theirs = openevals.json.create_json_match_evaluator(aggregator="average")
    report = both([HALF, GOOD], {"mine": mine, "theirs": theirs, "same": exact_match})
    assert scores(report) == [
        {"mine:average": 0.5, "json_match:average": 0.5, "exact_match": False},
        {"mine:average": 1.0, "json_match:average": 1.0, "exact_match": True},
    ]
    assert report.fields["exact_match"].pass_rate == 0.5


def test_async_callable() -> None:
    report = asyncio.run(aevaluate_records([GOOD, HALF], [exact_match_async]))
    assert scores(report) == [{"exact_match": True}, {"exact_match": False}]


def test_async_callable_is_refused_in_a_sync_run() -> None:
    with pytest.raises(ConfigError) as raised:
        evaluate_records([GOOD], exact_match_async)
    assert str(raised.value) == (
        "evaluator 'exact_match_async' is async, which evaluate_records cannot await: use aevaluate_records"
    )


def test_hidden_awaitable_is_a_result_in_a_sync_run_and_awaited_in_an_async_one() -> None:
    def hidden(*, outputs: Any, reference_outputs: Any) -> Any:
        return exact_match_async(outputs=outputs, reference_outputs=reference_outputs)

    (result,) = evaluate_records([GOOD], hidden).records[0].results
    assert result["comment"] == "the evaluator returned an awaitable; use aevaluate_records"
    assert scores(asyncio.run(aevaluate_records([GOOD], hidden))) == [{"exact_match": True}]


class Length:
    """A LangChain string evaluator, by its shape."""

    evaluation_name = "length"
    seen: list[Any]

    def __init__(self) -> None:
        self.seen = []

    def evaluate_strings(
        self, *, prediction: str, reference: str | None = None, **rest: Any
    ) -> dict[str, Any]:
        self.seen.append((prediction, reference, rest))
        return {"score": len(prediction) == len(reference or ""), "reasoning": "counted"}


def test_string_evaluator_gets_text() -> None:
    evaluator = Length()
    records = [
        {"outputs": "abc", "reference_outputs": "xyz", "inputs": "q"},
        {"outputs": {"output": "wrapped"}, "reference_outputs": {"b": 1, "a": None}},
        {"outputs": {"é": object()}},
    ]
    report = evaluate_records(records, evaluator, concurrency=1)
    assert evaluator.seen == [("abc", "xyz", {"input": "q"}), ("wrapped", '{"b": 1, "a": null}', {})]
    first, second, third = (one.results[0] for one in report.records)
    assert (first["key"], first["score"], first["comment"]) == ("length", True, "counted")
    assert second["score"] is False
    assert third["comment"] is not None
    assert third["comment"].startswith("a dict is no text for a string evaluator: ")
    assert third["score"] is None


NO_SCORE: Final = "a finite number or a bool is one"
NO_TEXT = f"{NO_SCORE}; text goes to value"
FOREIGN: list[Any] = [
    pytest.param(True, [("name", True, "graded", None)], id="bool"),
    pytest.param(0.25, [("name", 0.25, "graded", None)], id="number"),
    pytest.param({"score": 1}, [("name", 1.0, "graded", None)], id="no-key"),
    pytest.param({"key": "k", "score": 0.5, "comment": "c"}, [("k", 0.5, "graded", "c")], id="openevals"),
    pytest.param(
        [{"key": "k", "score": 1}, {"key": "l", "score": 0}],
        [("k", 1.0, "graded", None), ("l", 0.0, "graded", None)],
        id="list",
    ),
    pytest.param(
        {"results": [{"key": "k", "score": 1}]}, [("k", 1.0, "graded", None)], id="langsmith-results"
    ),
    pytest.param(
        {"key": "k", "score": None, "comment": "why"}, [("k", None, "not_evaluated", "why")], id="none"
    ),
    pytest.param({"key": "k", "score": None}, [("k", None, "not_evaluated", None)], id="none-silent"),
    pytest.param(None, [("name", None, "not_evaluated", None)], id="nothing"),
    pytest.param([], [("name", None, "not_evaluated", "the evaluator gave no results")], id="empty"),
    pytest.param(
        "good",
        [("name", None, "not_evaluated", f'the evaluator gave "good" as score, which is str; {NO_TEXT}')],
        id="text",
    ),
    pytest.param(
        {"key": "k", "score": "0.75"},
        [("k", None, "not_evaluated", f'the evaluator gave "0.75" as score, which is str; {NO_TEXT}')],
        id="text-score",
    ),
    pytest.param(
        {"key": "k", "score": float("nan")},
        [("k", None, "not_evaluated", f"the evaluator gave NaN as score, which is float; {NO_SCORE}")],
        id="nan",
    ),
    pytest.param(
        {"key": "k", "label": "A"},
        [
            (
                "k",
                None,
                "not_evaluated",
                'the evaluator gave a result without score: {"key":"str","label":"str"}',
            )
        ],
        id="no-score",
    ),
]


@pytest.mark.parametrize(("given", "expected"), FOREIGN)
def test_what_a_foreign_evaluator_gives(given: Any, expected: list[Any]) -> None:
    report = both([GOOD], {"name": lambda outputs: given})
    found = [
        (one["key"], one["score"], one["extra"]["status"], one["comment"])
        for one in report.records[0].results
    ]
    assert found == expected


def test_foreign_object_with_numpy_score_and_odd_metadata() -> None:
    import numpy as np

    class Result:
        key = "k"
        score = np.float32(0.5)
        comment = None
        metadata: ClassVar = {"when": object()}

    (result,) = both([GOOD], {"name": lambda outputs: Result()}).records[0].results
    assert (result["key"], result["score"]) == ("k", 0.5)
    assert result["extra"]["metadata_error"].startswith("left out: ")


def test_foreign_failure_is_a_result_under_its_name() -> None:
    theirs = openevals.json.create_json_match_evaluator()
    records = [{"outputs": [1], "reference_outputs": {"a": 1}}, {"outputs": {"a": 1}}, GOOD]
    report = both(records, {"theirs": theirs})
    assert [[(one["key"], one["score"]) for one in record.results] for record in report.records] == [
        [("theirs", None)],
        [("theirs", None)],
        [("json_match:a", 1.0), ("json_match:b", 1.0)],
    ]
    assert report.records[0].results[0]["comment"] == (
        "ValueError: If outputs is a list, reference_outputs must also be a list"
    )
    assert report.coverage == 0.5


def test_foreign_is_given_what_it_takes() -> None:
    def takes(outputs: Any, inputs: Any) -> bool:
        return (outputs, inputs) == (1, 2)

    record = {"outputs": 1, "inputs": 2, "reference_outputs": 3, "id": 4}
    assert evaluate_records([record], takes).score == 1.0


def test_equal_names_are_told_apart() -> None:
    report = both([GOOD], [lambda outputs: True, lambda outputs: False])
    assert scores(report) == [{"<lambda>": True, "<lambda>#2": False}]


@pytest.mark.parametrize(
    ("evaluators", "message"),
    [
        (
            [create_json_match_evaluator(), create_json_match_evaluator(depth="leaves")],
            (
                "evaluators 'json_match' and 'json_match#2' both give results under the key 'json_match:$': "
                "create one of them with another name, feedback_key=…"
            ),
        ),
        ([], "evaluators is empty: pass at least one evaluator"),
        ({}, "evaluators is empty: pass at least one evaluator"),
        (3, "evaluators is int: pass an evaluator, a list or a mapping"),
        ("json_match", "evaluators: 'json_match' is no evaluator; pass what a create_…_evaluator returns"),
        (
            create_json_match_evaluator,
            (
                "evaluators: create_json_match_evaluator makes evaluators; pass what it returns, "
                "create_json_match_evaluator(…)"
            ),
        ),
    ],
    ids=["same-key", "empty-list", "empty-mapping", "number", "text", "factory"],
)
def test_wrong_evaluators(evaluators: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        evaluate_records([GOOD], evaluators)
    assert str(raised.value) == message


def test_same_key_found_in_the_results() -> None:
    theirs = openevals.json.create_json_match_evaluator()
    with pytest.raises(ConfigError) as raised:
        evaluate_records([GOOD], {"ours": create_json_match_evaluator(), "theirs": theirs})
    assert str(raised.value) == (
        "evaluators 'ours' and 'theirs' both give results under the key 'json_match:a': "
        "create one of them with another name, feedback_key=…"
    )


# -------------------------------------------------------------------------------------------- judges

JUDGED = [{"outputs": {"a": f"x{n}"}, "reference_outputs": {"a": "y"}} for n in range(3)]


class Counting:
    """A judge that says yes and counts what it is asked."""

    def __init__(self, barrier: threading.Barrier | None = None) -> None:
        self.asked: list[str] = []
        self._barrier = barrier

    def __call__(self, request: JudgeRequest) -> Verdict:
        if self._barrier is not None:
            self._barrier.wait(10)
        self.asked += [str(question.actual) for question in request.questions]
        return Verdict({question.id: True for question in request.questions}, {"tokens": 10})


def test_identical_questions_are_asked_once() -> None:
    judge = Counting()
    evaluator = create_json_match_evaluator(rubric={"a": "the same"}, judge=judge)
    report = evaluate_records(JUDGED * 20, evaluator)
    assert sorted(judge.asked) == ["x0", "x1", "x2"]
    assert (report.score, report.usage) == (1.0, {"judge_calls": 3, "tokens": 30})


def test_two_evaluators_share_what_one_judge_answered() -> None:
    judge = Counting()
    options: dict[str, Any] = {"rubric": {"a": "the same"}, "judge": judge}
    pair = [
        create_json_match_evaluator(**options),
        create_json_match_evaluator(**options, feedback_key="again"),
    ]
    assert evaluate_records(JUDGED, pair).usage["judge_calls"] == 3
    assert sorted(judge.asked) == ["x0", "x1", "x2"]


def test_questions_of_many_records_are_asked_at_once() -> None:
    judge = Counting(threading.Barrier(3))
    evaluator = create_json_match_evaluator(rubric={"a": "the same"}, judge=judge)
    assert evaluate_records(JUDGED, evaluator, concurrency=3).score == 1.0


def test_judge_option_overrides() -> None:
    mine, other = Counting(), Counting()
    evaluator = create_json_match_evaluator(rubric={"a": "the same"}, judge=mine)
    assert both(JUDGED, evaluator, judge=other).score == 1.0
    assert (mine.asked, sorted(set(other.asked))) == ([], ["x0", "x1", "x2"])


async def yes(request: JudgeRequest) -> dict[str, Any]:
    await asyncio.sleep(0)
    return {question.id: True for question in request.questions}


def test_async_judge_is_awaited_or_refused() -> None:
    evaluator = create_async_json_match_evaluator(rubric={"a": "the same"}, judge=yes)
    report = asyncio.run(aevaluate_records(JUDGED * 5, evaluator))
    assert (report.score, report.usage) == (1.0, {"judge_calls": 3})
    with pytest.raises(ConfigError) as raised:
        evaluate_records(JUDGED, evaluator)
    assert str(raised.value) == (
        "evaluator 'json_match' has an async judge, which evaluate_records cannot await: "
        "use aevaluate_records, or pass judge= a plain function"
    )


def test_sync_run_works_inside_a_running_loop() -> None:
    async def cell() -> Report:
        evaluator = create_json_match_evaluator(rubric={"a": "the same"}, judge=Counting())
        return evaluate_records(JUDGED, [evaluator, exact_match])

    assert asyncio.run(cell()).fields["json_match:a"].mean == 1.0


def test_plan_that_fails_costs_one_record() -> None:
    def flow(inputs: Any, outputs: Any, reference_outputs: Any) -> Any:
        if outputs == "bomb":
            raise ZeroDivisionError("boom")
        return (yield from create_json_match_evaluator().__fieldwise_plan__.flow(inputs, outputs, outputs))  # type: ignore[attr-defined]

    def broken(**_: Any) -> Any: ...

    broken.__fieldwise_plan__ = Plan("broken", flow)  # type: ignore[attr-defined]
    report = both([GOOD, {"outputs": "bomb"}, GOOD], broken)
    assert [one.score for one in report.records] == [1.0, None, 1.0]
    assert report.problems["not_evaluated"].reason == "ZeroDivisionError: boom"


def test_failing_judge_is_a_judge_error() -> None:
    def fails(request: JudgeRequest) -> Any:
        raise TimeoutError("after 30 s")

    report = both(JUDGED, create_json_match_evaluator(rubric={"a": "the same"}, judge=fails))
    assert (report.score, report.coverage) == (None, 0.0)
    assert {one.results[0]["extra"]["status"] for one in report.records} == {"judge_error"}
    assert report.problems["judge_error"].reason == "TimeoutError: after 30 s"
    assert not report.passed()


# --------------------------------------------------------------------------------------------- paths


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"exclude_keys": ["merchant.name"]}, []),
        ({"exclude_keys": ["merchant.nmae"]}, [("exclude_keys", "merchant.nmae", "merchant.name")]),
        ({"weights": {"totl": 2}}, [("weights", "totl", "total")]),
        ({"comparators": {"$": "number", "/items/0/price": "number"}}, []),
        (
            {"comparators": {"/items/0/pricee": "number"}},
            [("comparators", "/items/0/pricee", "items[*].price")],
        ),
        ({"lists": {"rows": "subset"}}, [("lists", "rows", None)]),
        ({"lists": {"items": by_key("price")}}, []),
        ({"lists": {"/items": by_key("price", "prise")}}, [("lists", "items[*].prise", "items[*].price")]),
        ({"list_match_mode": by_key("totl")}, [("list_match_mode", "totl", "total")]),
        ({"outputs_key": "answer", "correct_answer_key": "answer", "weights": {"total": 2}}, []),
    ],
    ids=str,
)
def test_unmatched_paths(options: Any, expected: list[Any]) -> None:
    document = {"merchant": {"name": "x"}, "items": [{"price": 1}], "total": 3}
    whole = {"answer": document} if "outputs_key" in options else document
    records = [{"outputs": whole, "reference_outputs": whole}] * 2
    found = both(records, create_json_match_evaluator(**options)).unmatched_paths
    assert [(one["option"], one["path"], one["nearest"]) for one in found] == expected


def test_path_that_matches_only_once_is_matched() -> None:
    evaluator = create_json_match_evaluator(exclude_keys=["c"])
    rare = {"outputs": {"a": 1, "c": 1}, "reference_outputs": {"a": 1}}
    assert both([GOOD, rare, GOOD], evaluator).unmatched_paths == []


def test_path_into_the_elements_of_a_top_level_list() -> None:
    evaluator = create_json_match_evaluator(exclude_keys=["id", "idd"])
    records = [{"outputs": [{"id": 1, "a": 1}], "reference_outputs": [{"id": 2, "a": 1}]}]
    assert [one["path"] for one in both(records, evaluator).unmatched_paths] == ["idd"]


def test_the_key_by_which_a_top_level_list_pairs() -> None:
    records = [{"outputs": [{"id": 1}], "reference_outputs": [{"id": 1}]}]
    assert both(records, create_json_match_evaluator(list_match_mode=by_key("id"))).unmatched_paths == []
    misspelt = both(records, create_json_match_evaluator(list_match_mode=by_key("idd"))).unmatched_paths
    assert [(one["path"], one["nearest"]) for one in misspelt] == [("idd", "id")]
