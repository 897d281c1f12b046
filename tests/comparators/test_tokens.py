"""Shared words: each counted once, in either order, case folded."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import token_set
from tests.comparators.grades import grade

CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "red, green", "Green red", 1.0),
    ({}, "red green blue", "blue green", 2 / 3),
    ({}, "red", "red red", 1.0),
    ({}, "red", "blue", 0.0),
    ({"ignore_case": False}, "red", "Red", 0.0),
    ({}, "+", "-", 0.0),
    ({}, "+", "red", 0.0),
    ({}, "", "red", 0.0),
    ({}, "stra\u00dfe 5", "STRASSE 5", 1.0),
    ({}, "red", 1, "1 is not text"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_token_set(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(token_set(**options), expected, actual) == wanted


words = st.lists(st.sampled_from("abcdef"), min_size=1)


@given(words, words)
def test_it_is_the_jaccard_index(expected: list[str], actual: list[str]) -> None:
    shared, either = set(expected) & set(actual), set(expected) | set(actual)
    assert token_set()(" ".join(expected), " ".join(actual)) == len(shared) / len(either)
