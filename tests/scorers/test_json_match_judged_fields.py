"""A nested rubric is a field of its own in every record, whoever decides; judges get copies."""

from __future__ import annotations

from typing import Any

import pytest

import fieldwise
from fieldwise.core.flow import JudgeRequest

REFERENCE = {"a": {"b": "x1", "c": 1}}


def scores(
    outputs: Any, reference: Any = REFERENCE, *, verdict: bool = True, **options: Any
) -> dict[str, Any]:
    def judge(request: JudgeRequest) -> dict[str, Any]:
        return {question.id: verdict for question in request.questions}

    made: dict[str, Any] = {"rubric": {"a.b": "the same"}, "judge": judge, **options}
    results: Any = fieldwise.create_json_match_evaluator(**made)(outputs=outputs, reference_outputs=reference)
    return {result["key"].removeprefix("json_match:"): result["score"] for result in results}


@pytest.mark.parametrize(
    ("outputs", "wanted"),
    [
        (REFERENCE, {"a": 1.0, "a.b": 1.0}),
        ({"a": {"b": "x2", "c": 1}}, {"a": 1.0, "a.b": 1.0}),
        ({"a": {"c": 1}}, {"a": 1.0, "a.b": 0.0}),
        ({"a": {"b": "x2", "c": 2}}, {"a": 0.0, "a.b": 1.0}),
        ({"a": 5}, {"a": 0.0, "a.b": 0.0}),
        ({}, {"a": 0.0, "a.b": 0.0}),
    ],
    ids=["equal", "judged", "missing", "other", "shape", "nothing"],
)
def test_a_nested_rubric_has_its_key_in_every_record(outputs: Any, wanted: dict[str, float]) -> None:
    assert scores(outputs) == wanted
    assert scores([outputs], [REFERENCE]) == wanted
    assert (
        scores([outputs, REFERENCE], [REFERENCE, REFERENCE], list_aggregator="average").keys()
        == wanted.keys()
    )


def test_breaking_a_judged_field_never_raises_the_average() -> None:
    right = scores({"a": {"b": "x1", "c": 2}}, aggregator="average")
    broken = scores({"a": {"b": "x2", "c": 2}}, aggregator="average", verdict=False)
    assert right == {"average": 0.5}
    assert broken == {"average": 0.0}


def test_a_judge_cannot_change_the_documents() -> None:
    def clearing(request: JudgeRequest) -> dict[str, Any]:
        for question in request.questions:
            for side in (question.expected, question.actual):
                assert isinstance(side, dict)
                side.clear()
        return {}

    outputs, reference = {"a": {"p": [1]}}, {"a": {"p": [2]}}
    evaluate: Any = fieldwise.create_json_match_evaluator(rubric={"a": "the same"}, judge=clearing)
    (result,) = evaluate(outputs=outputs, reference_outputs=reference)
    assert (outputs, reference) == ({"a": {"p": [1]}}, {"a": {"p": [2]}})
    assert result["comment"].startswith("a.p[0]: expected 2, got 1")


def test_a_nested_field_of_weight_0_withholds_nothing() -> None:
    def broken(_expected: Any, _actual: Any) -> float:
        raise ZeroDivisionError

    evaluate: Any = fieldwise.create_json_match_evaluator(
        comparators={"a.x": broken}, weights={"a.x": 0}, aggregator="average"
    )
    (result,) = evaluate(
        outputs={"a": {"x": 1, "y": 1}, "b": 1}, reference_outputs={"a": {"x": 2, "y": 1}, "b": 1}
    )
    assert result["score"] == 1.0


def test_no_order_shows_in_the_last_digit_of_a_score() -> None:
    reference = [{"k0": 0, "f0": 1}, {"k1": 1, "f0": 1, "f1": 1}, {"k2": 2, "f0": 1, "f1": 1}]
    reference.append({"k3": 3, "f0": 1, "f1": 1, "f2": 1, "f3": 1, "f4": 1})
    outputs = [{"k0": 0, "f0": 0}, {"k1": 1, "f0": 1, "f1": 0}, {"k2": 2, "f0": 0, "f1": 0}]
    outputs.append({"k3": 3, "f0": 1, "f1": 1, "f2": 1, "f3": 1, "f4": 0})
    evaluate: Any = fieldwise.create_json_match_evaluator(aggregator="average", list_aggregator="average")
    found = {
        evaluate(outputs=outputs[at:] + outputs[:at], reference_outputs=reference[at:] + reference[:at])[0][
            "score"
        ]
        for at in range(4)
    }
    assert len(found) == 1
