"""Where the OpenEvals functions of ours depart, both sides at work, a test or more for each listed kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import openevals.exact
import openevals.json
import openevals.string
import pytest

from fieldwise.integrations import openevals as ours

ROWS = json.loads(
    (Path(__file__).parents[1] / "cases" / "departures_openevals.json").read_text(encoding="utf-8")
)["rows"]
UPSTREAM: dict[str, Any] = {
    "exact_match": openevals.exact.exact_match,
    "json_match": openevals.json.create_json_match_evaluator(aggregator="average"),
    "levenshtein_distance": openevals.string.levenshtein_distance,
}
OURS: dict[str, Any] = {
    "exact_match": ours.exact_match,
    "json_match": ours.create_json_match_evaluator(aggregator="average"),
    "levenshtein_distance": ours.levenshtein_distance,
}
NO_JSON = object()

CASES: tuple[tuple[str, str, Any, Any, Any, Any], ...] = (
    # kind, evaluator, outputs, reference, (their score, comment), (ours)
    ("comments", "json_match", {"a": 1}, {"a": 2}, (0.0, None), (0.0, "a: expected 2, got 1")),
    ("exact_match_numbers", "exact_match", 5, 5.0, (False, None), (True, None)),
    ("exact_match_wrapper", "exact_match", {"output": "x"}, "x", (False, None), (True, None)),
    ("null_side", "exact_match", None, 1, ValueError, (False, None)),
    ("null_side", "exact_match", None, None, ValueError, (True, None)),
    ("null_side", "levenshtein_distance", None, "a", ValueError, (0.0, None)),
    ("null_side", "levenshtein_distance", None, None, ValueError, (1.0, None)),
    ("no_json", "exact_match", NO_JSON, 1, TypeError,
     (False, "outputs: object at $ has no JSON form; convert it first")),
    ("no_json", "levenshtein_distance", "a", NO_JSON, TypeError,
     (None, "reference_outputs: object at $ has no JSON form; convert it first")),
    ("levenshtein_members", "levenshtein_distance", {"b": 1, "a": 2}, {"a": 2, "b": 1},
     (0.75, None), (1.0, None)),
    ("levenshtein_escapes", "levenshtein_distance", ["é"], ["e"], (0.5, None), (0.8, None)),
)  # fmt: skip


def answer(evaluate: Any, came: Any, wanted: Any) -> Any:
    """Score and comment, or the type of what was raised."""
    try:
        found = evaluate(outputs=came, reference_outputs=wanted)
    except Exception as error:  # noqa: BLE001 - whichever it is, it is what is looked at
        return type(error)
    result = found[0] if isinstance(found, list) else found
    score = result["score"]
    return score if score is None or isinstance(score, bool) else pytest.approx(score), result["comment"]


@pytest.mark.parametrize(
    ("name", "came", "wanted", "theirs", "expected"),
    [pytest.param(*case[1:], id=f"{case[0]}-{number}") for number, case in enumerate(CASES)],
)
def test_both_sides(name: str, came: Any, wanted: Any, theirs: Any, expected: Any) -> None:
    assert answer(UPSTREAM[name], came, wanted) == theirs
    assert answer(OURS[name], came, wanted) == expected


def test_every_kind_has_its_test() -> None:
    assert {case[0] for case in CASES} == {row["kind"] for row in ROWS}
