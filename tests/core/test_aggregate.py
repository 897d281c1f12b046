"""Outcomes to scores: means, all or nothing, weights, and what withholds or is left out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.core.aggregate import (
    Score,
    Tally,
    fold,
    score_field,
    score_record,
    score_records,
    tallies,
)
from fieldwise.core.compare import Outcome
from fieldwise.core.fields import Comparison


def out(name: str, score: float | None, status: Any = "graded") -> Outcome:
    return Outcome(name, score, 1, 2, status)


OWED = out("o", None, "judge_error")
SKIPPED = out("s", None, "not_evaluated")
ABSENT = out("p", None, "path_not_found")


@pytest.mark.parametrize(
    ("scores", "average", "every"),
    [([1.0], 1.0, 1.0), ([1.0, 0.5], 0.75, 0.0), ([0.0, 0.0], 0.0, 0.0), ([1.0, 1.0], 1.0, 1.0)],
)
def test_fold(scores: list[float], average: float, every: float) -> None:
    assert (fold(scores, "average"), fold(scores, "all")) == (average, every)


def test_tallies_gather_the_places_of_a_field() -> None:
    records = [Comparison(["a", "b"], [out("c", 0.0)], 3), Comparison(["a"], [out("a", 0.5)])]
    found = tallies(records)
    assert {name: (tally.right, [one.score for one in tally.others]) for name, tally in found.items()} == {
        "c": (0, [0.0]),
        "a": (4, [0.5]),
        "b": (3, []),
    }
    assert found["a"].scores() == [1.0, 1.0, 1.0, 1.0, 0.5]


@pytest.mark.parametrize(
    ("tally", "how", "score"),
    [
        (Tally(1), None, Score(1.0, 1)),
        (Tally(0, [out("a", 0.5)]), None, Score(0.5, 1)),
        (Tally(1, [out("a", 0.5)]), "average", Score(0.75, 2)),
        (Tally(1, [out("a", 0.5)]), "all", Score(0.0, 2)),
        (Tally(2, [OWED]), "average", Score(None, 2, 1, OWED)),
        (Tally(0, [SKIPPED, OWED]), "all", Score(None, 0, 2, SKIPPED)),
        (Tally(0, [ABSENT]), None, Score(None, 0, 0, ABSENT)),
        (Tally(1, [ABSENT]), "average", Score(1.0, 1)),
    ],
)
def test_score_field(tally: Tally, how: Any, score: Score) -> None:
    assert score_field(tally, how) == score


@pytest.mark.parametrize(
    ("score", "status", "coverage"),
    [
        (Score(1.0, 3), "graded", 1.0),
        (Score(None, 3, 1, OWED), "judge_error", 0.75),
        (Score(None, 0, 2, SKIPPED), "not_evaluated", 0.0),
        (Score(None, 0, 0, ABSENT), "path_not_found", 1.0),
    ],
)
def test_status_and_coverage(score: Score, status: str, coverage: float) -> None:
    assert (score.status, score.coverage) == (status, coverage)


WEIGHTLESS = Outcome(
    "$", None, MISSING, MISSING, "not_applicable", "no field that was compared has a weight above 0"
)
MIXED = Comparison(["a", "b"], [out("c", 0.5), out("d", 0.0)])
RECORDS: list[tuple[str, Comparison, Any, Any, Any, Score | None]] = [
    ("mean", MIXED, "average", None, None, Score(0.625, 4)),
    ("all", MIXED, "all", None, None, Score(0.0, 4)),
    ("all right", Comparison(["a"]), "all", None, None, Score(1.0, 1)),
    ("no fields", Comparison(), "average", None, None, None),
    ("no fields, weighted", Comparison(), "average", None, {"a": 1.0}, None),
    ("weighted", MIXED, "average", None, {"a": 0.0, "d": 2.0}, Score(0.375, 3)),
    ("weights do not act in all", MIXED, "all", None, {"c": 0.0, "d": 0.0}, Score(0.0, 4)),
    ("all of weight 0", MIXED, "average", None, {"$": 0.0}, Score(None, 0, 0, WEIGHTLESS)),
    ("all of weight 0, and right", Comparison(["a"]), "average", None, {"$": 0.0}, Score(1.0, 0)),
    ("root weight for the rest", MIXED, "average", None, {"$": 0.0, "c": 5.0}, Score(0.5, 1)),
    ("owed", Comparison(["a"], [OWED]), "average", None, None, Score(None, 1, 1, OWED)),
    ("owed, all", Comparison(["a"], [OWED]), "all", None, None, Score(None, 1, 1, OWED)),
    ("owed of weight 0", Comparison(["a"], [OWED]), "average", None, {"o": 0.0}, Score(1.0, 1)),
    ("owed of weight 0, all", Comparison(["a"], [OWED]), "all", None, {"o": 0.0}, Score(None, 1, 1, OWED)),
    ("left out", Comparison(["a"], [ABSENT, out("c", 0.0)]), "average", None, None, Score(0.5, 2)),
    ("only left out", Comparison([], [ABSENT]), "average", None, None, None),
    ("places folded first", Comparison(["i[*].k"] * 2 + ["x"], [out("i[*].k", 0.0)]), "average", "all", None,
     Score(0.5, 2)),
    ("places averaged", Comparison(["i[*].k", "x"], [out("i[*].k", 0.0)]), "average", "average", None,
     Score(0.75, 2)),
    ("weight of a path above", Comparison(["a.b[*].c"], [out("a.x", 0.0)]), "average", "all", {"a.b": 3.0},
     Score(0.75, 2)),
    ("weight of the list above", Comparison(["a[*]"], [out("x", 0.0)]), "average", "all", {"a": 3.0},
     Score(0.75, 2)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "how", "folding", "weights", "score"), [pytest.param(*row[1:], id=row[0]) for row in RECORDS]
)
def test_score_record(record: Comparison, how: Any, folding: Any, weights: Any, score: Score | None) -> None:
    assert score_record(record, how, folding, weights) == score


@pytest.mark.parametrize(
    ("scores", "how", "score"),
    [
        ([], "average", Score(1.0, 0)),
        ([(Score(1.0, 2), 1), (Score(0.5, 2), 1)], "average", Score(0.75, 4)),
        ([(Score(1.0, 2), 3), (Score(0.0, 1), 1)], "average", Score(0.75, 7)),
        ([(Score(1.0, 2), 3), (Score(0.5, 1), 1)], "all", Score(0.0, 7)),
        ([(Score(1.0, 2), 3)], "all", Score(1.0, 6)),
        ([(Score(1.0, 2), 1), (Score(None, 1, 1, OWED), 2)], "average", Score(None, 4, 2, OWED)),
        ([(Score(None, 0, 1, SKIPPED), 1), (Score(None, 0, 1, OWED), 1)], "all", Score(None, 0, 2, SKIPPED)),
    ],
)
def test_score_records(scores: Any, how: Any, score: Score) -> None:
    assert score_records(scores, how) == score


@given(
    st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=1, max_size=6),
    st.lists(st.sampled_from([0.0, 1.0, 2.5]), min_size=6, max_size=6),
)
def test_scores_stay_in_range_and_equal_weights_are_no_weights(
    values: list[float], some: list[float]
) -> None:
    outcomes = [out(f"f{at}", value) for at, value in enumerate(values)]
    weights = {f"f{at}": weight for at, weight in enumerate(some)}
    plain = score_record(Comparison([], outcomes), "average", None, None)
    alike = score_record(Comparison([], outcomes), "average", None, {"$": 2.0})
    weighted = score_record(Comparison([], outcomes), "average", None, weights)
    assert plain is not None
    assert alike is not None
    assert alike.value == pytest.approx(plain.value)
    assert weighted is not None
    weightless = not any(some[: len(values)]) and any(value != 1.0 for value in values)
    assert (weighted.status == "not_applicable") is (weighted.value is None) is weightless
    assert weighted.value is None or 0.0 <= weighted.value <= 1.0
