"""Agreement of two raters: against tables made elsewhere, published examples, and what has to hold."""

from __future__ import annotations

import json
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.statistics.intervals import wilson
from fieldwise.scorers.agreement import Confusion, Consistency

CASES = json.loads((Path(__file__).parents[1] / "cases" / "wilson.json").read_text())["cases"]
TABLES = st.builds(Confusion, *[st.integers(0, 40)] * 4)


# ------------------------------------------------------------------------------------------ intervals


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_wilson(case: dict[str, Any]) -> None:
    found = wilson(case["successes"], case["trials"], case["level"])
    assert found == pytest.approx(case["wilson"], abs=1e-7)


def test_wilson_of_nothing_and_at_its_ends() -> None:
    assert wilson(0, 0) is None
    low, high = wilson(0, 10) or (1, 1)
    assert (low, round(high, 6)) == (0.0, 0.277533)
    low, high = wilson(10, 10) or (1, 1)
    assert (round(low, 6), high) == (0.722467, 1.0)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_share_and_mirrors(counts: tuple[int, int]) -> None:
    yes, n = counts
    low, high = wilson(yes, n) or (2, -1)
    assert 0 <= low <= yes / n <= high <= 1
    other_low, other_high = wilson(n - yes, n) or (2, -1)
    assert (1 - other_high, 1 - other_low) == pytest.approx((low, high))


# ---------------------------------------------------------------------------------------------- kappa

KAPPAS = (
    ("two readers of grant proposals", (20, 5, 10, 15), 0.7, 0.4),
    ("same accuracy, skewed margins", (45, 15, 25, 15), 0.6, 0.130434782608696),
    ("same accuracy, the margins apart", (25, 35, 5, 35), 0.6, 0.259259259259259),
    ("perfect", (3, 0, 0, 4), 1.0, 1.0),
    ("never", (0, 5, 5, 0), 0.0, -1.0),
    ("judge says yes always", (6, 4, 0, 0), 0.6, 0.0),
    ("both say yes always", (9, 0, 0, 0), 1.0, None),
    ("both say no always", (0, 0, 0, 9), 1.0, None),
    ("nothing", (0, 0, 0, 0), None, None),
)


@pytest.mark.parametrize(("counts", "accuracy", "kappa"), [pytest.param(*r[1:], id=r[0]) for r in KAPPAS])
def test_kappa(counts: tuple[int, int, int, int], accuracy: float | None, kappa: float | None) -> None:
    found = Confusion(*counts)
    assert found.accuracy == accuracy
    assert found.kappa == (None if kappa is None else pytest.approx(kappa, abs=1e-12))


@pytest.mark.parametrize(
    "counts", [(3, 0, 0, 4), (0, 5, 5, 0), (6, 4, 0, 0), (6, 0, 4, 0), (9, 0, 0, 0)], ids=str
)
def test_kappa_without_an_interval(counts: tuple[int, int, int, int]) -> None:
    assert Confusion(*counts).kappa_interval is None


def test_kappa_interval() -> None:
    """By hand for the first table: p = .4 .1 .2 .3, people .6, judge .5, chance .5, kappa .4."""
    same = 0.4 * (1 - 1.1 * 0.6) ** 2 + 0.3 * (1 - 0.9 * 0.6) ** 2
    other = 0.2 * (0.5 + 0.4) ** 2 + 0.1 * (0.5 + 0.6) ** 2
    error = sqrt((same + 0.36 * other - (0.4 - 0.5 * 0.6) ** 2) / 50) / 0.5
    found = Confusion(20, 5, 10, 15)
    assert found.kappa_error == pytest.approx(error)
    reach = 1.959963984540054 * error
    assert found.kappa_interval == pytest.approx((0.4 - reach, 0.4 + reach))


@given(TABLES)
def test_kappa_error_is_that_of_the_delta_method(table: Confusion) -> None:
    """The variance of a smooth function of multinomial shares, its slopes measured instead of derived."""
    if table.kappa is None or table.kappa_interval is None:
        return
    n = table.count
    shares = [one / n for one in (table.both_true, table.judge_only, table.people_only, table.both_false)]

    def kappa(a: float, b: float, c: float, d: float) -> float:
        whole = a + b + c + d
        chance = ((a + c) * (a + b) + (b + d) * (c + d)) / whole**2
        return ((a + d) / whole - chance) / (1 - chance)

    step = 1e-6
    slopes = []
    for at in range(4):
        up, down = ([s + sign * step * (i == at) for i, s in enumerate(shares)] for sign in (1, -1))
        slopes.append((kappa(*up) - kappa(*down)) / (2 * step))
    mean = sum(p * g for p, g in zip(shares, slopes, strict=True))
    variance = sum(p * (g - mean) ** 2 for p, g in zip(shares, slopes, strict=True)) / n
    assert table.kappa_error == pytest.approx(sqrt(variance), rel=1e-4, abs=1e-7)


@given(TABLES)
def test_kappa_has_its_range_and_knows_no_sides(table: Confusion) -> None:
    turned = Confusion(table.both_false, table.people_only, table.judge_only, table.both_true)
    assert turned.kappa == table.kappa
    if table.kappa is not None:
        assert -1 <= table.kappa <= 1
    if table.kappa_interval is not None and table.kappa is not None:
        low, high = table.kappa_interval
        assert -1 <= low <= table.kappa <= high <= 1


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_every_question_is_counted_once(said: list[tuple[bool, bool]]) -> None:
    found = Confusion()
    for people, judge in said:
        found.add(people=people, judge=judge)
    assert (found.both_true, found.judge_only, found.people_only, found.both_false) == tuple(
        said.count(pair) for pair in ((True, True), (False, True), (True, False), (False, False))
    )
    assert (found.count, found.agreed) == (len(said), sum(people == judge for people, judge in said))


# ---------------------------------------------------------------------------------------- consistency


def test_consistency() -> None:
    found = Consistency()
    for answers in ([True] * 3, [False] * 3, [True, False, True], [True], []):
        found.add(answers)
    assert found.to_dict() == {
        "questions": 3,
        "unanimous": 2,
        "share": 2 / 3,
        "interval": list(wilson(2, 3) or ()),
        "pairwise": pytest.approx((1 + 1 + 1 / 3) / 3),
    }


def test_consistency_of_nothing() -> None:
    nothing = {"questions": 0, "unanimous": 0, "share": None, "interval": None, "pairwise": None}
    assert Consistency().to_dict() == nothing


@given(st.lists(st.booleans(), min_size=2, max_size=8))
def test_pairwise_is_the_share_of_equal_pairs(answers: list[bool]) -> None:
    found = Consistency()
    found.add(answers)
    pairs = [one == other for one, other in combinations(answers, 2)]
    assert found.pairwise == pytest.approx(sum(pairs) / len(pairs))
    assert found.unanimous == all(pairs)
