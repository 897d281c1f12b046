"""Adding up what pairs are worth: small and large sums agree, equal values are graded once."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.core.align.grades import Sums, Values
from fieldwise.core.equality import equal, freeze

COLUMN = st.lists(
    st.sampled_from([MISSING, None, True, 1, 1.0, 2, "1", [1], [1.0], {"a": 1}]), min_size=1, max_size=6
)


@given(COLUMN)
def test_each_element_has_its_value(column: list[Any]) -> None:
    found = Values.of(column)
    distinct = list(found.distinct.values())
    assert found.holders == [at for at, value in enumerate(column) if value is not MISSING]
    for holder, kind in zip(found.holders, found.kinds, strict=True):
        assert equal(distinct[kind], column[holder])
    assert len(set(map(freeze, distinct))) == len(distinct)


@given(st.lists(st.tuples(COLUMN, COLUMN), max_size=3))
def test_small_and_large_sums_are_the_same(columns: list[tuple[list[Any], list[Any]]]) -> None:
    small, large = Sums(6, 6), Sums(8, 8)
    for left, right in columns:
        sides = Values.of(left), Values.of(right)
        rows, columns_ = (range(len(side.distinct)) for side in sides)
        table = [[(row + 1) / (column + 3) for column in columns_] for row in rows]
        if table and table[0]:
            small.add(table, *sides)
            large.add(table, *sides)
    assert [row[:6] for row in large.rows()[:6]] == small.rows()


def test_a_large_sum_of_every_element() -> None:
    sums = Sums(10, 10)
    sides = Values.of([str(n) for n in range(10)]), Values.of(list(range(10)))
    table = [[float(row == column) for column in range(10)] for row in range(10)]
    sums.add(table, *sides)
    sums.add(table, *sides)
    assert sums.rows() == [[2.0 * cell for cell in row] for row in table]
