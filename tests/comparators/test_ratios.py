"""RapidFuzz scorers: exactly theirs, over 100, and bounded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
import rapidfuzz.fuzz
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import SCORERS, fuzzy
from tests.comparators.grades import grade

SUITE: Final = Path(__file__).parents[3] / "shared" / "suites" / "string_similarity.json"
TOO_LONG: Final = "texts of {} and {} characters are too long for {}"
CASES: Final[list[tuple[dict[str, Any], Any, Any, Any]]] = [
    ({}, "Kivi Oyj", "KIVI  OYJ.", pytest.approx(0.941, abs=1e-3)),
    ({}, "Kivi Oyj", "kivi-oyj!", 1.0),
    ({"clean": False}, "Kivi", "KIVI", 0.25),
    ({"scorer": "token_sort_ratio"}, "Doe, Jane", "Jane Doe", 1.0),
    ({"scorer": "token_set_ratio"}, "Jane Doe", "Jane van Doe", 1.0),
    ({}, "+", "-", 0.0),
    ({}, "", "x", 0.0),
    ({}, "", "!", 0.0),
    ({}, "a" * 200_000, "b" * 200_000, TOO_LONG.format(200000, 200000, "ratio")),
    ({"scorer": "partial_ratio"}, "a" * 4_000, "b" * 4_000, TOO_LONG.format(4000, 4000, "partial_ratio")),
    ({"scorer": "WRatio"}, "a" * 4_000, "b" * 8_000, TOO_LONG.format(4000, 8000, "WRatio")),
    ({"scorer": "WRatio"}, "a" * 4_000, "b" * 4_000, 0.0),
    ({}, "a", None, "null is not text"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_fuzzy(options: dict[str, Any], expected: Any, actual: Any, wanted: Any) -> None:
    assert grade(fuzzy(**options), expected, actual) == wanted


@pytest.mark.parametrize("scorer", SCORERS)
@given(expected=st.text("ab ,", max_size=8), actual=st.text("ab ,", max_size=8))
def test_it_is_the_scorer_of_rapidfuzz(scorer: str, expected: str, actual: str) -> None:
    wanted = 1.0 if expected == actual else getattr(rapidfuzz.fuzz, scorer)(expected, actual) / 100
    assert fuzzy(scorer=scorer, clean=False)(expected, actual) == wanted


def test_scorers_are_all_that_rapidfuzz_has() -> None:
    assert set(SCORERS) == set(vars(rapidfuzz.fuzz)["__all__"]) - {"partial_ratio_alignment"}


@pytest.mark.skipif(
    not SUITE.exists(), reason="the public suite string_similarity.json is not beside the project"
)
def test_public_suite() -> None:
    suite = json.loads(SUITE.read_text("utf-8"))
    wrong = [
        (case["id"], name)
        for case in suite["cases"]
        for name, wanted in case["expected"].items()
        if name in SCORERS and case["a"] != case["b"]
        and abs(fuzzy(scorer=name, clean=False)(case["a"], case["b"]) - wanted / 100) > suite["tolerance"]
    ]  # fmt: skip
    assert wrong == []
