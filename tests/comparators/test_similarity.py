"""String similarity: against RapidFuzz's published values, and what every metric has in common."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import METRICS, string_similarity
from fieldwise.core.compare import compare
from fieldwise.errors import ConfigError, Unreadable

CASES = Path(__file__).resolve().parent.parent / "cases"
MEASURED = json.loads((CASES / "string_similarity.json").read_text(encoding="utf-8"))["cases"]


def longest(case: dict[str, Any]) -> int:
    return max(len(case["a"]), len(case["b"])) or 1


SIMILARITIES: dict[str, Any] = {
    "levenshtein": lambda case: case["expected"]["levenshtein_norm_sim"],
    "damerau_levenshtein": lambda case: 1 - case["expected"]["damerau"] / longest(case),
    "osa": lambda case: 1 - case["expected"]["osa"] / longest(case),
    "indel": lambda case: case["expected"]["indel_norm_sim"],
    "jaro": lambda case: case["expected"]["jaro"],
    "jaro_winkler": lambda case: case["expected"]["jaro_winkler"],
    "lcs": lambda case: case["expected"]["lcsseq"] / longest(case),
}


@pytest.mark.parametrize("metric", SIMILARITIES)
def test_measured_values(metric: str) -> None:
    comparator = string_similarity(metric)
    for case in MEASURED:
        expected = 1.0 if case["a"] == case["b"] else SIMILARITIES[metric](case)
        assert comparator(case["a"], case["b"]) == pytest.approx(expected, abs=1e-9), case["id"]


@pytest.mark.parametrize(
    ("metric", "left", "right", "score"),
    [
        ("levenshtein", "kitten", "sitting", 4 / 7),
        ("hamming", "abcd", "abxd", 0.75),
        ("hamming", "abc", "abcd", 0.75),
        ("prefix", "prefix", "present", 3 / 7),
        ("postfix", "reading", "sing", 3 / 7),
        ("levenshtein", "", "abc", 0.0),
        ("levenshtein", "\ud800a", "\ud800b", 0.5),
        ("levenshtein", "É", "e", 0.0),
    ],
)
def test_known_values(metric: str, left: str, right: str, score: float) -> None:
    assert string_similarity(metric)(left, right) == pytest.approx(score)


@pytest.mark.parametrize("metric", METRICS)
@given(left=st.text(max_size=12), right=st.text(max_size=12))
def test_every_metric_is_symmetric_in_range_and_full_on_equal_text(
    metric: str, left: str, right: str
) -> None:
    comparator = string_similarity(metric)
    assert comparator.symmetric
    score = comparator(left, right)
    assert 0.0 <= score <= 1.0
    assert score == pytest.approx(comparator(right, left))
    assert comparator(left, left) == 1.0


@pytest.mark.parametrize(
    ("expected", "actual", "reason"),
    [
        (1, "a", "1 is not text"),
        ("a", None, "null is not text"),
        ("a", ["a"], '["a"] is not text'),
        (True, "true", "true is not text"),
        ("a" * 20_000, "b" * 20_001, "20,000 x 20,001 characters are too many to compare"),
    ],
)
def test_what_it_cannot_read_is_wrong_with_the_reason(expected: Any, actual: Any, reason: str) -> None:
    with pytest.raises(Unreadable) as caught:
        string_similarity()(expected, actual)
    assert str(caught.value) == reason
    outcome = compare(string_similarity(), expected, actual)
    assert outcome == (0.0, "graded", f"string_similarity could not read it: {reason}")


@pytest.mark.parametrize("metric", METRICS)
def test_the_longest_texts_are_compared_in_bounded_time(metric: str) -> None:
    start = time.process_time()
    string_similarity(metric)("ab" * 10_000, "ba" * 9_999 + "c")
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ("levenstein", "metric='levenstein'): there is no such metric; did you mean 'levenshtein'?"),
        ("xyz", f"metric='xyz'): there is no such metric; known: {', '.join(METRICS)}"),
        (3, f"metric=3): there is no such metric; known: {', '.join(METRICS)}"),
    ],
)
def test_a_metric_is_checked_when_it_is_named(metric: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        string_similarity(metric)
    assert str(caught.value) == f"string_similarity({message}"


def test_it_says_how_it_was_made() -> None:
    made = string_similarity("jaro")
    assert (made.name, made.settings) == ("string_similarity", {"metric": "jaro"})
