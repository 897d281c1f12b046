"""UiPath's order and count of tool calls, case by case: the recorded score, or a row of the departures.

A synthesized call never reaches an evaluator: it is left out of what the agent left behind. Criteria of
null are the default ones.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from tests.scorers.agents.tool_forms import evaluate, said

FOLDER: Final = Path(__file__).parents[2] / "cases"
CASES: Final[list[dict[str, Any]]] = json.loads(
    (FOLDER / "uipath_tools_order_count.json").read_text("utf-8")
)["cases"]
ROWS: Final = json.loads((FOLDER / "departures_tools.json").read_text("utf-8"))["rows"]
EVALUATORS: Final = {
    "uipath-tool-call-order": "tool_call_order",
    "uipath-tool-call-count": "tool_call_count",
}
DEPARTURES: Final[dict[str, tuple[str, Any]]] = {
    "count-015": ("tool_count_zero", 1.0),
    "count-016": ("tool_count_zero", 1.0),
    "count-026": ("tool_count_number", 1.0),
    "count-022": ("tool_criteria", None),
    "order-030": ("tool_criteria", None),
    "order-022": ("tool_name_empty", 0.0),
    "count-029": ("tool_name_one_side", 1.0),
    "order-024": ("tool_call_id", 1.0),
    "count-032": ("tool_call_id", 0.0),
}
"""Id to kind and our score."""


def named(case: dict[str, Any]) -> str:
    return str(case["id"]).removeprefix("tool-call-")


def graded(case: dict[str, Any]) -> Any:
    config = dict(case["evaluatorConfig"])
    default = config.pop("defaultEvaluationCriteria", None)
    calls = [call for call in case["agent"]["tool_calls"] if not call.get("synthesized")]
    reference = case["criteria"] if case["criteria"] is not None else default
    return evaluate(EVALUATORS[case["evaluatorTypeId"]], {"tool_calls": calls}, reference, **config)


def test_the_suite_is_whole() -> None:
    kinds = Counter(case["evaluatorTypeId"] for case in CASES)
    assert kinds == {"uipath-tool-call-order": 21, "uipath-tool-call-count": 24}
    assert (len(CASES) - len(DEPARTURES), len(DEPARTURES)) == (36, 9)
    assert set(DEPARTURES) < {named(case) for case in CASES}


@pytest.mark.parametrize("case", [case for case in CASES if named(case) not in DEPARTURES], ids=named)
def test_the_score_is_the_recorded_one(case: dict[str, Any]) -> None:
    found = graded(case)
    assert (found["score"], found["extra"]["status"]) == (case["expected"]["score"], "graded")


@pytest.mark.parametrize("case", [case for case in CASES if named(case) in DEPARTURES], ids=named)
def test_where_ours_departs(case: dict[str, Any]) -> None:
    found, (_, right) = graded(case), DEPARTURES[named(case)]
    status = "graded" if right is not None else "invalid_reference"
    assert (found["score"], found["extra"]["status"]) == (right, status)
    assert found["score"] != case["expected"]["score"]


def test_calls_made_at_once_have_no_order() -> None:
    """`tool_parallel`, of which no recorded case is made."""
    reference = {"toolCallsOrder": ["b", "a"]}
    assert evaluate("tool_call_order", said("a b"), reference)["score"] == 1.0
    assert evaluate("tool_call_order", said("a b"), reference, parallel="ordered")["score"] == 0.5


def test_every_departure_has_its_row_and_every_row_its_test() -> None:
    shown = Counter(kind for kind, _ in DEPARTURES.values())
    rows = {row["kind"]: row["cases"] for row in ROWS}
    assert {kind: cases for kind, cases in rows.items() if cases} == dict(shown)
    assert {kind for kind, cases in rows.items() if not cases} == {"tool_parallel"}
