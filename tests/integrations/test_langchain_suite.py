"""The suite of langchain-classic 1.0.8: every case the same dict or error, or a departure with its value."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.integrations.lc_forms import SURROUNDINGS, evaluated, made, typed

SUITE = Path(__file__).parents[1] / "cases" / "langchain_classic.json"
CASES: list[dict[str, Any]] = json.loads(SUITE.read_text(encoding="utf-8"))["cases"]
OURS: dict[str, tuple[str, dict[str, Any]]] = {
    "lc-ed-054": ("truncated", {"score": 1.0}),
    "lc-ed-071": ("truncated", {"score": 1.0}),
    "lc-ed-090": ("truncated", {"score": 1.0}),
    "lc-ed-119": ("truncated", {"score": 1.0}),
    "lc-eq-050": ("truncated", {"score": False}),
    "lc-eq-057": ("truncated", {"score": False}),
    "lc-eq-119": ("truncated", {"score": False}),
    "lc-js-050": ("truncated", {"score": False}),
    "lc-js-057": ("truncated", {"score": False}),
    "lc-js-119": ("truncated", {"score": False}),
}
"""The cases that depart: the row of the table they belong to, and the right value."""


def test_the_suite_is_whole() -> None:
    assert len(CASES) == 452
    assert Counter(kind for kind, _ in OURS.values()) == {"truncated": 10}


@pytest.mark.parametrize("surrounding", SURROUNDINGS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_same_dict_or_error(case: dict[str, Any], surrounding: str) -> None:
    evaluator = made(case["fn"], surrounding)(**case.get("kwargs", {}))
    found = evaluated(evaluator, case["prediction"], reference=case["reference"])
    expected = OURS[case["id"]][1] if case["id"] in OURS else case["expected"]
    assert typed({name: found[name] for name in found if name != "reasoning"}) == typed(expected)
    assert "reasoning" in found or case["id"] not in OURS


def test_a_departure_is_none_where_langchain_is_right() -> None:
    expected = {case["id"]: case["expected"] for case in CASES}
    assert [one for one, (_, ours) in OURS.items() if typed(ours) == typed(expected[one])] == []
