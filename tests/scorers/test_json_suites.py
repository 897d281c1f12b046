"""The JSON evaluators over cases of the products they stand in for: the same score, or a named departure.

`tests/cases/departures_json.json` has a row for each kind of departure; the last test holds the two
together. Departures that the cases do not show are shown here one by one.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

import fieldwise
from tests.scorers.single_forms import evaluate, score, status

_CASES: Final = Path(__file__).parents[1] / "cases"


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((_CASES / name).read_text(encoding="utf-8"))["cases"]
    return found


AGENTA: Final = cases("agenta_json.json")
UIPATH: Final = cases("uipath_json_similarity.json")
LANGCHAIN: Final = cases("langchain_json.json")
ROWS: Final[list[dict[str, Any]]] = json.loads((_CASES / "departures_json.json").read_text("utf-8"))["rows"]


def test_the_cases_are_all_there() -> None:
    assert (len(AGENTA), len(UIPATH), len(LANGCHAIN)) == (94, 46, 329)


def named(case: dict[str, Any]) -> str:
    return f"{case['id']}-{case['departure'] or 'same'}"


def agenta(case: dict[str, Any], **changed: Any) -> Any:
    """A case of JSON diff; its reference is a column of its inputs."""
    options = {**case["options"], "correct_answer_key": case["correct_answer_key"], **changed}
    sync: Any = fieldwise.create_json_diff_evaluator(**options)
    return sync(inputs=case["inputs"], outputs=case["outputs"])


@pytest.mark.parametrize("case", AGENTA, ids=named)
def test_agenta_json_diff(case: dict[str, Any]) -> None:
    if case["status"] == "ConfigError":
        with pytest.raises(fieldwise.ConfigError):
            agenta(case)
        return
    result = agenta(case)
    assert result["score"] == pytest.approx(case["score"])
    assert result["extra"]["status"] == case["status"]
    same = case["theirs"] is not None and case["score"] == pytest.approx(case["theirs"])
    assert same == (case["departure"] is None)


@pytest.mark.parametrize(
    "case", [case for case in AGENTA if case["departure"] == "flag_direction"], ids=named
)
def test_agenta_json_diff_the_other_way_round(case: dict[str, Any]) -> None:
    turned = agenta(case, predict_keys=not case["options"].get("predict_keys", False))
    mended = {"132": 0.5}  # by the release that folds the reference's keys as well
    assert turned["score"] == pytest.approx(mended.get(case["id"], case["theirs"]))


@pytest.mark.parametrize("case", UIPATH, ids=named)
def test_uipath_json_similarity(case: dict[str, Any]) -> None:
    target = case["config"].get("targetOutputKey", "*")
    found = score("json_similarity", case["outputs"], case["criteria"], target_output_key=target)
    assert found == pytest.approx(case["score"], abs=1e-12)
    assert (found == pytest.approx(case["theirs"], abs=1e-12)) == (case["departure"] is None)


@pytest.mark.parametrize(
    "case", [case for case in UIPATH if case["departure"] == "number_tolerance"], ids=named
)
def test_uipath_json_similarity_without_a_tolerance(case: dict[str, Any]) -> None:
    found = score("json_similarity", case["outputs"], case["criteria"], number_tolerance=0)
    assert found == pytest.approx(case["theirs"])


@pytest.mark.parametrize("case", LANGCHAIN, ids=named)
def test_langchain_json(case: dict[str, Any]) -> None:
    reference = case["reference"] if case["evaluator"] != "json_validity" else fieldwise.MISSING
    found = evaluate(case["evaluator"], case["prediction"], reference)
    assert found["score"] == pytest.approx(case["score"])
    assert (found["score"] == pytest.approx(case["theirs"])) == (case["departure"] is None)
    if case["departure"] == "truncated":
        assert found["extra"]["status"] == "invalid_output"


@pytest.mark.parametrize(
    "case", [case for case in LANGCHAIN if case["departure"] == "ascii_escapes"], ids=named
)
def test_langchain_distance_with_characters_written_as_escapes(case: dict[str, Any]) -> None:
    from rapidfuzz.distance import DamerauLevenshtein

    def escaped(left: str, right: str) -> float:
        sides = [
            json.dumps(json.loads(side), separators=(",", ":"), sort_keys=True) for side in (left, right)
        ]
        return float(DamerauLevenshtein.normalized_distance(*sides))

    found = score("json_edit_distance", case["prediction"], case["reference"], string_distance=escaped)
    assert found == pytest.approx(case["theirs"])


# ------------------------------------------------------------------------- beyond the cases, by kind

EXACT: Final[dict[str, Any]] = {"comparators": {"$": "exact"}}
SAME_A: Final[dict[str, Any]] = {"operator": lambda left, right: left["a"] == right["a"]}
BEYOND: Final[list[tuple[str, str, str, Any, Any, dict[str, Any], Any]]] = [
    ("uipath", "large_integers", "json_similarity", 2**53 + 1, 2**53, {}, (1.0, "graded")),
    ("uipath", "large_integers", "json_similarity", 10**40 + 1, 10**40, EXACT, (0.0, "graded")),
    ("langchain", "list_order", "json_equality", "[1, 2]", "[2, 1]", {}, (False, "graded")),
    ("langchain", "list_order", "json_equality", '[{"b":2,"a":1}]', '[{"a":1,"b":2}]', {}, (True, "graded")),
    ("langchain", "json_equality", "json_equality", "true", "1", {}, (False, "graded")),
    ("langchain", "json_equality", "json_equality", "NaN", "NaN", {}, (True, "graded")),
    ("langchain", "raises", "json_equality", "no idea", "1", {}, (False, "invalid_output")),
    ("langchain", "raises", "json_equality", "1", "no idea", {}, (None, "invalid_reference")),
    ("langchain", "raises", "json_edit_distance", "no idea", "1", {}, (1.0, "invalid_output")),
    ("langchain", "raises", "json_edit_distance", "1", "no idea", {}, (None, "invalid_reference")),
    ("langchain", "raises", "json_equality", "{}", "{}", SAME_A, (None, "not_evaluated")),
    ("langchain", "not_json", "json_validity", '{"x": NaN}', None, {}, (False, "graded")),
    ("langchain", "not_json", "json_validity", '{"a": 1} trailing', None, {}, (False, "graded")),
    ("langchain", "not_json", "json_validity", '{"a": 1]', None, {}, (False, "graded")),
    ("langchain", "not_json", "json_equality", "}}}", "]['", {}, (None, "invalid_reference")),
    ("langchain", "null_output", "json_validity", None, None, {}, (True, "graded")),
]  # fmt: skip


@pytest.mark.parametrize("row", BEYOND, ids=[f"{row[0]}-{row[1]}-{at}" for at, row in enumerate(BEYOND)])
def test_beyond_the_cases(row: tuple[str, str, str, Any, Any, dict[str, Any], Any]) -> None:
    _, _, name, outputs, reference, options, right = row
    assert status(name, outputs, reference, **options) == right


def test_agenta_too_deep() -> None:
    document: Any = 1
    for _ in range(3_000):
        document = {"a": document}
    assert status("json_diff", document, document) == (1.0, "graded")


def test_every_departure_has_its_row_and_every_row_its_test() -> None:
    shown = Counter(
        (product, case["departure"])
        for product, some in (("agenta", AGENTA), ("uipath", UIPATH), ("langchain", LANGCHAIN))
        for case in some
        if case["departure"] is not None
    )
    assert {(row["product"], row["kind"]): row["cases"] for row in ROWS if row["cases"]} == dict(shown)
    beyond = {row[:2] for row in BEYOND} | {("agenta", "too_deep")}
    assert {(row["product"], row["kind"]) for row in ROWS if not row["cases"]} == beyond - shown.keys()
