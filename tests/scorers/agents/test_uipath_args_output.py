"""UiPath's arguments and outputs of tool calls, case by case: the recorded score, or a row of the departures.

Each case is read from its spans and, where its calls are written out, from those as well: both give the same.
Criteria of null are the default ones.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from tests.scorers.agents.call_forms import evaluate

FOLDER: Final = Path(__file__).parents[2] / "cases"
CASES: Final[list[dict[str, Any]]] = json.loads(
    (FOLDER / "uipath_tools_args_output.json").read_text("utf-8")
)["cases"]
ROWS: Final = json.loads((FOLDER / "departures_arguments.json").read_text("utf-8"))["rows"]
EVALUATORS: Final = {
    "uipath-tool-call-args": "tool_call_args",
    "uipath-tool-call-output": "tool_call_output",
}
DEPARTURES: Final[dict[str, tuple[str, float]]] = {
    "args-002": ("args_extra", 0.0),
    "args-013": ("args_extra", 0.0),
    "args-008": ("args_boolean", 0.0),
    "args-027": ("args_greedy", 1.0),
    "args-032": ("args_key", 1.0),
    "args-037": ("args_malformed", 0.0),
    "args-043": ("args_call_id", 1.0),
    "output-041": ("args_call_id", 1.0),
    "output-009": ("output_strict_order", 1.0),
    "output-020": ("output_json", 1.0),
    "output-022": ("output_json", 1.0),
    "output-024": ("output_content", 1.0),
    "output-025": ("output_content", 1.0),
    "output-031": ("output_content", 1.0),
    "output-032": ("output_falsy", 0.0),
    "output-033": ("output_falsy", 1.0),
    "output-034": ("output_falsy", 1.0),
    "output-037": ("output_falsy", 1.0),
    "output-043": ("output_native", 1.0),
    "output-044": ("output_native", 1.0),
}
"""Id to kind and our score."""


def named(case: dict[str, Any]) -> str:
    return str(case["id"]).removeprefix("tool-call-")


def spans(case: dict[str, Any]) -> list[Any]:
    """The spans of a case as objects, one after the other."""
    return [
        SimpleNamespace(name="tool", attributes=one["attributes"], start_time=at * 10, end_time=at * 10 + 5)
        for at, one in enumerate(case["agent"].get("spans", []))
    ]


def graded(case: dict[str, Any]) -> tuple[float | None, str]:
    """The score and status of a case, the same from whatever it is read."""
    config = dict(case["evaluatorConfig"])
    default = config.pop("defaultEvaluationCriteria", None)
    reference = case["criteria"] if case["criteria"] is not None else default
    made = case["agent"]["tool_calls"]
    sources: list[Any] = [spans(case)]
    if not any("raw_input" in call or "raw_output" in call for call in made):
        sources.append({"tool_calls": made})
    found = [evaluate(EVALUATORS[case["evaluatorTypeId"]], one, reference, **config) for one in sources]
    scores = {(one["score"], one["extra"]["status"]) for one in found}
    assert len(scores) == 1
    return scores.pop()


def test_the_suite_is_whole() -> None:
    kinds = Counter(case["evaluatorTypeId"] for case in CASES)
    assert kinds == {"uipath-tool-call-args": 31, "uipath-tool-call-output": 31}
    assert (len(CASES) - len(DEPARTURES), len(DEPARTURES)) == (42, 20)
    assert set(DEPARTURES) < {named(case) for case in CASES}


@pytest.mark.parametrize("case", [case for case in CASES if named(case) not in DEPARTURES], ids=named)
def test_the_score_is_the_recorded_one(case: dict[str, Any]) -> None:
    assert graded(case) == (case["expected"]["score"], "graded")


@pytest.mark.parametrize("case", [case for case in CASES if named(case) in DEPARTURES], ids=named)
def test_where_ours_departs(case: dict[str, Any]) -> None:
    right = DEPARTURES[named(case)][1]
    assert graded(case) == (right, "graded")
    assert right != case["expected"]["score"]


def test_every_departure_has_its_row_and_every_row_its_test() -> None:
    shown = Counter(kind for kind, _ in DEPARTURES.values())
    assert {row["kind"]: row["cases"] for row in ROWS} == dict(shown)
