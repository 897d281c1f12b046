"""Items answered several times: pass@k, all pass, consistency."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.statistics.intervals import wilson
from fieldwise.report.repeats import render_repeats
from fieldwise.run._repeats import Repeats


def result(score: float | None, key: str = "k", **extra: Any) -> Any:
    return {"key": key, "score": score, "comment": None, "metadata": extra, "extra": extra}


def repeats_of(rows: list[tuple[str, float | None]]) -> Repeats:
    found = Repeats()
    for item, score in rows:
        found.add(item, [result(score)])
    return found


ROWS: list[tuple[str, float | None]] = [
    *[("a", score) for score in (1.0, 1.0, 0.0)],
    *[("b", score) for score in (0.0, 0.0, 0.0)],
    *[("c", score) for score in (1.0, None, 1.0)],
    *[("d", score) for score in (None, None, None)],
]


@pytest.mark.parametrize(
    ("number", "k", "mean", "items"),
    [
        ("pass_at", 1, (2 / 3 + 0 + 1) / 3, 3),
        ("pass_at", 2, (1 + 0 + 1) / 3, 3),
        ("pass_at", 3, (1 + 0) / 2, 2),
        ("pass_at", 4, None, 0),
        ("all_pass", 1, (2 / 3 + 0 + 1) / 3, 3),
        ("all_pass", 2, (1 / 3 + 0 + 1) / 3, 3),
        ("all_pass", 3, 0.0, 2),
    ],
)
def test_over_items_with_enough_graded_answers(number: str, k: int, mean: float | None, items: int) -> None:
    found = getattr(repeats_of(ROWS), number)("k", k)
    assert (found.mean, found.items) == (mean if mean is None else pytest.approx(mean), items)


def test_consistency_is_of_scores() -> None:
    assert repeats_of(ROWS).consistency("k").mean == pytest.approx((1 / 3 + 1 + 1) / 3)
    assert repeats_of([("a", 1.0)]).consistency("k").mean is None


def test_a_threshold_decides_what_passes() -> None:
    repeats = Repeats()
    repeats.add("a", [result(0.75, passed=True)])
    repeats.add("a", [result(0.5, passed=False)])
    assert repeats.pass_at("k", 1).mean == 0.5


def test_the_interval_is_over_items() -> None:
    repeats = repeats_of([(str(at), float(at < 7)) for at in range(10) for _ in range(4)])
    bounds = repeats.pass_at("k", 1).bounds
    assert bounds is not None
    assert (bounds.low, bounds.high) == wilson(7, 10)


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([0.0, 0.5, 1.0, None])), max_size=20),
    st.randoms(use_true_random=False),
    st.integers(0, 20),
)
def test_neither_order_nor_split_matters(rows: list[Any], random: Any, cut: int) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    merged = repeats_of(shuffled[:cut])
    merged.merge(repeats_of(shuffled[cut:]))
    assert merged.to_dict() == repeats_of(rows).to_dict()
    assert json.loads(json.dumps(merged.to_dict(), allow_nan=False)) == merged.to_dict()


PLAIN = """\
repeats: up to 3 answers an item; items with fewer graded than k are left out

field              pass@1  pass@2  pass@3  all 3  consistent  items
k      0.556 [0.00, 1.00]   0.667   0.500  0.000       0.778      4
"""


def test_as_a_table() -> None:
    assert render_repeats(repeats_of(ROWS)) == PLAIN
    assert render_repeats(repeats_of([("a", 1.0), ("b", 1.0)])) == ""
