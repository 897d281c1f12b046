"""What people reported of evaluators of text, and what their documentation shows, with right values."""

from __future__ import annotations

import datetime as dt
import enum
import json
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pytest

import fieldwise
from fieldwise import MISSING
from tests.scorers.single_forms import evaluate, score, status

REPORTS: Final[dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "cases" / "user_reports.json").read_text("utf-8"))[
        "cases"
    ]
}
TEXT: Final = (
    "exact_match", "contains", "contains_any", "contains_all", "starts_with", "ends_with", "regex_match",
    "string_similarity", "contains_json",
)  # fmt: skip
# ------------------------------------------------------------------------------------------ reports


class Color(enum.Enum):
    RED = "red"


REPORTED: Final = [
    ("P22", "exact_match", {}, (False, "graded")),
    ("S06", "exact_match", {}, (True, "graded")),
    ("S10", "exact_match", {}, (False, "graded")),
    ("S10", "string_similarity", {}, (5 / 9, "graded")),
    ("S05", "exact_match", {}, (False, "graded")),
    ("P14", "exact_match", {}, (False, "graded")),
    ("S01", "exact_match", {}, (True, "graded")),
    ("S23", "string_similarity", {}, (1.0, "graded")),
    ("S22", "string_similarity", {"metric": "token_set_ratio"}, (0.0, "graded")),
    ("P01", "contains_json", {}, (True, "graded")),
    ("P02", "contains_json", {}, (True, "graded")),
    ("P03", "contains_json", {}, (True, "graded")),
    ("P05", "contains_json", {}, (False, "graded")),
    ("P09", "contains_json", {"parse": "lenient"}, (False, "graded")),
    ("P12", "contains_json", {}, (False, "graded")),
    ("P12", "contains_json", {"parse": "lenient"}, (True, "graded")),
    ("P16", "contains_json", {}, (True, "graded")),
    ("P18", "contains_json", {}, (False, "graded")),
    ("P21", "contains_json", {}, (True, "graded")),
]


@pytest.mark.parametrize(("report", "name", "options", "right"), REPORTED, ids=str)
def test_what_people_reported(report: str, name: str, options: dict[str, Any], right: Any) -> None:
    case = REPORTS[report]
    assert status(name, case["outputs"], case["reference"], **options) == right


def test_p22_none_is_a_mismatch_on_either_side_and_absence_is_not() -> None:
    case = REPORTS["P22"]
    assert score("exact_match", case["reference"], case["outputs"]) is False
    assert status("exact_match", case["reference"], MISSING) == (None, "invalid_reference")


def test_s24_null_is_not_an_empty_text_in_either_order() -> None:
    for outputs, reference in ((None, ""), ("", None)):
        assert score("string_similarity", outputs, reference) == 0.0
        assert score("exact_match", outputs, reference) is False


def test_a02_python_values_are_their_json() -> None:
    outputs = {"d": dt.date(2025, 1, 2), "x": Decimal("1.50"), "e": Color.RED, "s": {2, 1}}
    assert score("exact_match", outputs, {"d": "2025-01-02", "x": 1.5, "e": "red", "s": {1, 2}}) is True
    assert score("contains", outputs, '"d":"2025-01-02"') is True
    assert score("starts_with", {"d": dt.date(2025, 1, 2)}, "2025") is True
    assert score("exact_match", {"s": {"a", "B"}}, {"s": {"b", "A"}}, ignore_case=True) is True


A04: Final = {"outputs": {"answer": "x", "sources": ["s"]}, "reference": {"answer": "x", "notes": "n"}}


@pytest.mark.parametrize(
    "name", ["exact_match", "string_similarity", "contains", "starts_with", "regex_match"]
)
def test_a04_the_columns_are_named(name: str) -> None:
    options = {"outputs_key": "answer", "correct_answer_key": "answer"}
    assert score(name, A04["outputs"], A04["reference"], **options) == 1.0
    assert score(name, A04["outputs"], A04["reference"], target_output_key="answer") == 1.0


@pytest.mark.parametrize("name", ["string_similarity", "contains", "starts_with", "ends_with", "regex_match"])
def test_a04_or_listed(name: str) -> None:
    result = evaluate(name, A04["outputs"], A04["reference"])
    assert (result["score"], result["extra"]["status"]) == (None, "invalid_reference")
    assert result["comment"] == (
        "reference_outputs has several columns and none is named: 'answer', 'notes'; "
        "name one with correct_answer_key"
    )


@pytest.mark.parametrize("name", TEXT[:-1])
def test_a_missing_column_is_listed(name: str) -> None:
    result = evaluate(name, "x", {"answer": "x", "notes": "n"}, correct_answer_key="anwser")
    assert (result["score"], result["extra"]["status"]) == (None, "invalid_reference")
    assert result["comment"] == (
        "reference_outputs has no key 'anwser'; its keys: 'answer', 'notes'; did you mean 'answer'?"
    )


# ------------------------------------------------------------------------------------ documentation


@pytest.mark.parametrize("answer", ["Paris", 5, {"a": 1}, None])
def test_documented_exact_match_takes_the_answer_from_a_column_of_the_test_set(answer: Any) -> None:
    sync: Any = fieldwise.create_exact_match_evaluator(correct_answer_key="correct_answer")
    assert sync(inputs={"q": "?", "correct_answer": answer}, outputs=answer)["score"] is True
    assert sync(inputs={"q": "?", "correct_answer": answer}, outputs="x")["score"] is False
    assert sync(inputs={"q": "?"}, outputs=answer)["extra"]["status"] == "invalid_reference"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('Here is the JSON: {"name": "Ada", "tags": ["x"]}', True),
        ("Here it is:\n```json\n[1, 2, 3]\n```", True),
        ("Here is the JSON: name = Ada", False),
        ('{"name": "Ada"', False),
    ],
)
def test_documented_contains_json(text: str, found: bool) -> None:
    assert score("contains_json", text) is found


def test_documented_criteria_of_the_output_based_evaluators() -> None:
    criteria = {"expectedOutput": {"result": "8"}}
    assert score("exact_match", {"result": "8"}, criteria) is True
    assert score("exact_match", {"result": "9"}, criteria) is False
    assert score("exact_match", {"result": "8", "steps": 2}, criteria, target_output_key="result") is True
    assert score("contains", {"message": "A great SUCCESS."}, {"searchText": "success"}) is True
    assert score("contains", {"message": "A failure."}, {"searchText": "success"}) is False
    found = score("contains", {"message": "A failure."}, {"searchText": "success"}, negated=True)
    assert found is True
