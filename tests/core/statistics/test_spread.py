from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.statistics import paired
from fieldwise.core.statistics.repeats import all_pass, consistency, pass_at
from fieldwise.core.statistics.spread import MAX_KINDS, Spread

scores = st.floats(0, 1, allow_nan=False)
items = st.lists(st.lists(scores, max_size=3), max_size=30)


def spread_of(*given_items: list[float]) -> Spread:
    spread = Spread()
    for one in given_items:
        spread.add(one)
    return spread


@given(items, st.integers(1, 5), st.randoms(use_true_random=False))
def test_any_split_and_any_order_give_the_same_numbers(
    found: list[list[float]], parts: int, order: random.Random
) -> None:
    whole, merged = spread_of(*found), Spread()
    shuffled = found.copy()
    order.shuffle(shuffled)
    for part in range(parts):
        merged.merge(spread_of(*shuffled[part::parts]))
    assert merged == whole
    assert merged.mean == whole.mean
    assert merged.bounds() == whole.bounds()


@given(st.lists(scores, min_size=2, max_size=40))
def test_the_mean_lies_within_its_interval(found: list[float]) -> None:
    spread = spread_of(*([one] for one in found))
    bounds, mean = spread.bounds(), spread.mean
    assert mean is not None
    if bounds is not None and bounds.method == "wilson":
        assert bounds.low <= mean <= bounds.high
    elif bounds is not None:
        assert 0 <= bounds.low <= bounds.high <= 1


@pytest.mark.parametrize(
    ("found", "method"),
    [
        ([[1.0], [0.0], [1.0]], "wilson"),
        ([[1.0], [1.0]], "wilson"),
        ([[1.0, 1.0], [1.0, 1.0]], "wilson"),
        ([[1.0, 0.0], [1.0, 1.0]], "bootstrap"),
        ([[0.5], [1.0]], "bootstrap"),
        ([[0.5], [0.5]], None),
        ([[0.0, 1.0], [0.0, 1.0]], None),
        ([[]], None),
    ],
)
def test_the_data_decide_which_interval(found: list[list[float]], method: str | None) -> None:
    bounds = spread_of(*found).bounds()
    assert (None if bounds is None else bounds.method) == method


def test_items_of_the_same_scores_count_once_each() -> None:
    alone = spread_of([1.0], [1.0]).bounds()
    assert spread_of([1.0, 1.0, 1.0], [1.0, 1.0, 1.0]).bounds() == alone


def test_many_kinds_of_items_leave_moments() -> None:
    many = spread_of(*([one / MAX_KINDS] for one in range(MAX_KINDS + 1)))
    few = spread_of(*([one / (MAX_KINDS - 1)] for one in range(MAX_KINDS)))
    assert (many.kinds, few.kinds is None) == (None, False)
    normal, resampled = many.bounds(), few.bounds()
    assert normal is not None
    assert resampled is not None
    assert (normal.method, resampled.method) == ("normal", "bootstrap")
    assert (normal.low, normal.high) == pytest.approx((resampled.low, resampled.high), abs=2e-3)


def test_clusters_widen_the_interval_past_many_kinds() -> None:
    alone = spread_of(*([one / 3000] for one in range(3000)))
    copied = spread_of(*([one / 3000] * 4 for one in range(3000)))
    assert copied.mean == alone.mean
    first, second = alone.bounds(), copied.bounds()
    assert first is not None
    assert second is not None
    assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=1e-12)


def test_differences_of_two_runs() -> None:
    found = paired.compare([0, 1, 1, 0], [1, 1, 0, 1])
    assert found.to_dict() == {
        "items": 4,
        "difference": 0.25,
        "interval": [-0.5, 1.0],
        "p": 1.0,
        "test": "mcnemar",
        "better": 2,
        "worse": 1,
    }
    assert paired.compare([], []).to_dict() == {
        "items": 0,
        "difference": None,
        "interval": None,
        "p": None,
        "test": "mcnemar",
        "better": 0,
        "worse": 0,
    }
    assert paired.compare([0.5, 0.5], [0.5, 0.5]).p == 1.0


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=10))
def test_flipping_all_signs_is_counted_by_hand(differences: list[int]) -> None:
    nonzero = [one for one in differences if one]
    hits = sum(
        abs(sum(one if flips >> at & 1 else -one for at, one in enumerate(nonzero))) >= abs(sum(nonzero))
        for flips in range(2 ** len(nonzero))
    )
    assert paired.permutation([float(one) for one in differences]) == hits / 2 ** len(nonzero)


def test_drawn_signs_come_close_to_students_test() -> None:
    a = [(7 * at % 31) / 31 for at in range(60)]
    b = [min(1.0, one + (at % 3) / 40) for at, one in enumerate(a)]
    drawn = paired.permutation([right - left for left, right in zip(a, b, strict=True)])
    assert drawn == paired.compare(a, b).p
    assert drawn == pytest.approx(paired.paired_t(a, b), abs=1e-3)


def test_many_differences_take_the_normal_limit() -> None:
    few = [((7 * at) % 31 - 14.6) / 31 for at in range(paired.MANY)]
    many = [*few, few[-1]]
    assert paired.permutation(many) == pytest.approx(paired.permutation(few), abs=0.02)
    assert paired.permutation([1e-3] * (paired.MANY + 1)) < 1e-300


def test_a_split_of_many_items() -> None:
    from scipy.stats import binomtest

    for first, second in ((0, 0), (1, 1), (0, 7), (520, 480), (21_000, 20_500)):
        expected = binomtest(first, first + second).pvalue if first + second else 1.0
        assert paired.binomial(first, second) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("k", "right", "graded", "any_right", "all_right"),
    [
        (1, 1, 4, 0.25, 0.25),
        (2, 1, 4, 0.5, 0.0),
        (4, 1, 4, 1.0, 0.0),
        (2, 2, 2, 1.0, 1.0),
        (3, 1, 2, None, None),
    ],
)
def test_pass_at_k(k: int, right: int, graded: int, any_right: float | None, all_right: float | None) -> None:
    assert pass_at(k, right, graded) == any_right
    assert all_pass(k, right, graded) == all_right


@pytest.mark.parametrize(("answers", "share"), [("aaa", 1.0), ("ab", 0.0), ("aab", 1 / 3), ("a", None)])
def test_consistency(answers: str, share: float | None) -> None:
    assert consistency(answers) == share
