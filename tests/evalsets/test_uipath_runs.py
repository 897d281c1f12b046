"""Runs of evaluation sets beside what the product made of them: equal, or a departure on purpose."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fieldwise.evalsets.load import load_set
from fieldwise.evalsets.runner import run_set
from tests.evalsets.sets import write

CASES = Path(__file__).parents[1] / "cases"
RUNS = json.loads((CASES / "uipath_runs.json").read_text(encoding="utf-8"))["cases"]
ROWS = json.loads((CASES / "departures_runtime.json").read_text(encoding="utf-8"))["rows"]
KINDS = {"agent_error", "case", "criteria_not_set", "same_name", "unknown_label", "zero_calls"}


class Agent:
    """An agent of the suite, as a Runnable: it gets the inputs whole."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def invoke(self, inputs: dict[str, Any]) -> Any:
        if self._kind in {"raise", "faulted"}:
            raise RuntimeError("agent broke")
        return "plain" if self._kind == "string" else inputs


def ours(case: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Scores by item and evaluator, and the score of each evaluator, as a run gives them."""
    for name in ("evaluators", "eval-sets"):
        (folder / name).mkdir()
    for spec in case["evaluators"]:
        write(folder / "evaluators" / f"{spec['id']}.json", spec)
    scores: dict[str, dict[str, Any]] = {}
    summary = run_set(
        load_set(write(folder / "eval-sets" / "set.json", case["eval_set"])),
        Agent(case["agent"]),
        on_result=lambda one: scores.update(
            {one.item: {name: found[0]["score"] for name, found in one.results.items()}}
        ),
    )
    return {"scores": scores, "aggregate": {name: one.score for name, one in summary.standings.items()}}


@pytest.mark.parametrize("case", [pytest.param(case, id=case["note"]) for case in RUNS])
def test_run_is_what_the_case_says(case: dict[str, Any], tmp_path: Path) -> None:
    assert ours(case, tmp_path) == case["ours"]


@pytest.mark.parametrize("case", [pytest.param(case, id=case["note"]) for case in RUNS])
def test_case_departs_exactly_where_it_says(case: dict[str, Any]) -> None:
    assert (case["ours"] == case["theirs"]) == (case["departs"] is None)


def test_every_departure_has_its_row_and_its_count() -> None:
    counted = Counter(case["departs"] for case in RUNS)
    assert {row["kind"]: row["cases"] for row in ROWS if row["kind"] in KINDS} == counted


def test_of_a_case_that_departs_the_rest_is_equal() -> None:
    equal = [
        (case["departs"], item, name)
        for case in RUNS
        for item, found in case["theirs"]["scores"].items()
        for name, score in found.items()
        if case["ours"]["scores"][item].get(name, "skipped") == score
    ]
    assert Counter(kind for kind, _, _ in equal) == {
        "criteria_not_set": 1,
        "unknown_label": 5,
        "zero_calls": 1,
        "same_name": 3,
    }
