"""Grading many values at once says what grading two says: to pair lists, and never for a score."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fieldwise import create_json_match_evaluator
from fieldwise.comparators import METRICS, number, numeric_diff, string_similarity
from fieldwise.core import walk
from fieldwise.core.align import grades
from fieldwise.core.compare import Comparator
from fieldwise.core.equality import equal
from fieldwise.core.policy import Policy, entry
from fieldwise.errors import Unreadable

ALL = [
    *(string_similarity(metric) for metric in METRICS),
    number(),
    number(absolute=0.1),
    number(relative=0.01),
    number(absolute=2, relative=0.5),
    numeric_diff(),
    numeric_diff(tolerance=0),
    numeric_diff(tolerance=0.5, relative_to="larger"),
    number(relative=1e308),
    numeric_diff(tolerance=1e308),
]
MANY = [one for one in ALL if one.many is not None]
NUMBERS = st.one_of(
    st.integers(-5, 5),
    st.sampled_from([0.0, -0.0, 0.1, 0.3, 1.0, 1.01, 1.1, 99, 100, 101, 1e-300, 1e300, 2**53 + 1]),
    st.floats(),
    st.integers(),
    st.sampled_from([Decimal("1.5"), Decimal("1e400")]),
)
VALUES = st.lists(st.none() | st.booleans() | st.text("abé", max_size=6) | NUMBERS, min_size=1, max_size=6)


def graded(comparator: Comparator, expected: Any, actual: Any) -> float:
    try:
        return float(comparator.grade(expected, actual))
    except Unreadable:
        return 0.0


def named(comparator: Comparator) -> str:
    return f"{comparator.name} {list(comparator.settings.values())}"


def test_only_what_takes_a_step_for_each_cell_has_no_such_form() -> None:
    assert [one.settings["metric"] for one in ALL if one.many is None] == ["damerau_levenshtein"]


@pytest.mark.parametrize("comparator", MANY, ids=named)
@given(expected=VALUES, actual=VALUES)
@example(expected=[100, 0, 1.0], actual=[101, 99, 0, 1.1, 1.01])
@example(expected=[1e300, 1.0, True, "1"], actual=[-1e300, 1, 2**70])
def test_many_grades_are_the_grades(comparator: Comparator, expected: Any, actual: Any) -> None:
    assert comparator.many is not None
    table = comparator.many(expected, actual)
    assert table.shape == (len(actual), len(expected))
    for row, came in enumerate(actual):
        for column, wanted in enumerate(expected):
            if not equal(wanted, came):
                assert table[row, column] == pytest.approx(graded(comparator, wanted, came), abs=1e-9)


TEXT = st.text("ab ", max_size=5)
ITEM = st.fixed_dictionaries({"t": TEXT | st.none(), "n": st.integers(0, 9)}, optional={"r": TEXT})
FLAT = st.lists(st.fixed_dictionaries({"t": TEXT | st.none(), "n": st.integers(0, 9)}), max_size=6)
ITEMS = st.lists(ITEM, max_size=6)


@given(FLAT, FLAT)
def test_lists_pair_alike_one_by_one_and_at_once(outputs: Any, reference: Any) -> None:
    evaluator: Any = create_json_match_evaluator(
        comparators={"t": "string_similarity", "n": "numeric_diff"},
        aggregator="average",
        list_aggregator="average",
    )

    def results(few: int) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(grades, "FEW", few)
            return evaluator(outputs=outputs, reference_outputs=reference)

    one_by_one, at_once = results(1_000), results(0)
    assert one_by_one[0]["score"] == pytest.approx(at_once[0]["score"])


@given(ITEMS, ITEMS)
def test_grades_are_alike_one_by_one_and_at_once(outputs: Any, reference: Any) -> None:
    options = [entry("t", "comparator", string_similarity()), entry("r", "rubric", "alike")]
    node = Policy(options).tree(())

    def scored(few: int) -> Any:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(grades, "FEW", few)
            found = walk.Grader(node, number()).for_elements(reference, outputs, "same_elements")
            return [cell for row in found["grade"](outputs, reference) for cell in row]

    assert scored(1_000) == pytest.approx(scored(0))


def test_more_is_graded_where_it_is_graded_at_once() -> None:
    reference = [{"t": f"name {n}", "k": n} for n in range(400)]
    outputs = [{"t": f"nameX {n}", "k": -n} for n in reversed(range(400))]
    evaluator: Any = create_json_match_evaluator(
        comparators={"t": "string_similarity"}, aggregator="average", list_aggregator="average"
    )
    (result,) = evaluator(outputs=outputs, reference_outputs=reference)
    assert "note" not in result["extra"]["pairing"]
    assert result["extra"]["pairing"]["pairs"][:2] == [[399, 0], [398, 1]]
