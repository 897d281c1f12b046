"""Agenta's json_multi_field_match, case by case: equal, or of a stated kind of departure."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

import fieldwise
from tests.scorers.field_forms import named
from tests.scorers.forms import check_shape

HERE: Final = Path(__file__).parents[1] / "cases"
CASES: Final[list[dict[str, Any]]] = json.loads(
    (HERE / "agenta_multi_field.json").read_text(encoding="utf-8")
)["cases"]
TABLE: Final[list[dict[str, str]]] = json.loads(
    (HERE / "departures_agenta.json").read_text(encoding="utf-8")
)["rows"]
COUNTS: Final = {
    None: 82,
    "neither_side": 13,
    "path_grammar": 13,
    "bad_reference": 6,
    "json_equality": 5,
    "list_reference": 5,
    "named_once": 3,
    "text": 3,
    "member_order": 2,
    "null_is_not_missing": 2,
    "null_reference": 2,
    "key_path": 1,
    "literal_name": 1,
    "one_place_each": 1,
}
SHARED: Final = Path(__file__).parents[3] / "shared" / "suites" / "agenta.json"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    options = {"correct_answer_key": "correct_answer", **case["options"]}
    if "error" in case["ours"]:
        with pytest.raises((fieldwise.ConfigError, TypeError)) as caught:
            fieldwise.create_multi_field_evaluator(**options)
        assert type(caught.value).__name__ == case["ours"]["error"]
        return
    given = {"inputs": case["inputs"], "outputs": case["outputs"]}
    sync: Any = fieldwise.create_multi_field_evaluator(**options)
    results = sync(**given)
    awaited: Any = fieldwise.create_async_multi_field_evaluator(**options)
    assert asyncio.run(awaited(**given)) == results
    check_shape(results)
    assert named(results) == case["ours"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_departs_exactly_when_it_says_so(case: dict[str, Any]) -> None:
    both_refuse = "error" in case["ours"] and "error" in case["agenta"]
    assert (case["departure"] is None) == (both_refuse or case["ours"] == case["agenta"])


def test_how_many_cases_depart_and_why() -> None:
    assert Counter(case["departure"] for case in CASES) == COUNTS
    assert {row["kind"] for row in TABLE} == COUNTS.keys() - {None}


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["kind"])
def test_a_row_says_what_differs(row: dict[str, str]) -> None:
    assert row.keys() == {"kind", "product", "agenta", "ours", "law"}
    assert row["law"] == "results" or int(row["law"]) in range(1, 11)
    assert row["product"] == "Agenta"
    assert row["agenta"] != row["ours"]


@pytest.mark.skipif(not SHARED.exists(), reason="the public suite is not beside this checkout")
def test_no_case_of_the_suite_is_left_out() -> None:
    suite = json.loads(SHARED.read_text(encoding="utf-8"))["cases"]
    theirs = {one["id"]: one for one in suite if one["evaluator"] == "json_multi_field_match"}
    assert theirs.keys() == {case["id"] for case in CASES}
    for case in CASES:
        one = theirs[case["id"]]
        assert (one["config"], one["outputs"], one["inputs"]) == (
            case["options"],
            case["outputs"],
            case["inputs"],
        )
        raised = "error" in one["expected"]
        assert ("error" in case["agenta"]) == raised
        assert raised or one["expected"]["result"] == case["agenta"]
