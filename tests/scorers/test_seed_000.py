"""The documentation of the JSON Multi-Field Match evaluator, value by value."""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.scorers.field_forms import evaluate, scores

TRUTH: Final = {
    "name": "John Doe",
    "email": "john@example.com",
    "address": {"city": "New York", "zip": "10001"},
}
OUTPUT: Final = {
    "name": "John Doe",
    "email": "jane@example.com",
    "address": {"city": "New York", "zip": "10002"},
}
RESULTS: Final = {"name": 1.0, "email": 0.0, "address.city": 1.0, "address.zip": 0.0, "aggregate_score": 0.5}
FIELDS: Final = ["name", "email", "address.city", "address.zip"]


def test_multi_field_example() -> None:
    assert scores(OUTPUT, TRUTH, FIELDS) == RESULTS
    results = evaluate(OUTPUT, TRUTH, FIELDS)
    assert [one["key"] for one in results] == [f"multi_field:{name}" for name in RESULTS]


@pytest.mark.parametrize("outputs_as_text", [False, True])
@pytest.mark.parametrize("reference_as_text", [False, True])
def test_multi_field_parses_both_sides(outputs_as_text: bool, reference_as_text: bool) -> None:
    import json

    outputs: Any = json.dumps(OUTPUT) if outputs_as_text else OUTPUT
    reference: Any = json.dumps(TRUTH) if reference_as_text else TRUTH
    assert scores(outputs, reference, FIELDS) == RESULTS


def test_multi_field_correct_answer_key() -> None:
    import fieldwise

    evaluator: Any = fieldwise.create_multi_field_evaluator(
        fields=FIELDS, correct_answer_key="correct_answer"
    )
    from_inputs = evaluator(inputs={"country": "US", "correct_answer": TRUTH}, outputs=OUTPUT)
    from_reference = evaluator(outputs=OUTPUT, reference_outputs={"correct_answer": TRUTH, "id": 7})
    assert from_inputs == from_reference
    assert {one["key"].removeprefix("multi_field:"): one["score"] for one in from_inputs} == RESULTS


@pytest.mark.parametrize(
    ("path", "right", "wrong"),
    [
        ("user.address.city", {"user": {"address": {"city": "x"}}}, {"user": {"address": {"city": "y"}}}),
        ("items.0.name", {"items": [{"name": "x"}]}, {"items": [{"name": "y"}, {"name": "x"}]}),
        ("$.user.address.city", {"user": {"address": {"city": "x"}}}, {"user": {"address": {}}}),
        ("$.items[0].name", {"items": [{"name": "x"}]}, {"items": []}),
        ("/user/address/city", {"user": {"address": {"city": "x"}}}, {"user": {"address": {"city": None}}}),
        ("/items/0/name", {"items": [{"name": "x"}]}, {"items": [{"nom": "x"}]}),
        ("user.email", {"user": {"email": "x"}}, {"user": "x"}),
    ],
)
def test_multi_field_path_formats(path: str, right: Any, wrong: Any) -> None:
    assert scores(right, right, [path]) == {path: 1.0, "aggregate_score": 1.0}
    assert scores(wrong, right, [path]) == {path: 0.0, "aggregate_score": 0.0}
