"""Items kept as bytes: a sequence like any other."""

from __future__ import annotations

import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.evalsets.load.packed import PackedItems
from fieldwise.evalsets.model import Item
from tests.evalsets.folders import json_values


def items() -> st.SearchStrategy[list[Item]]:
    mappings = st.dictionaries(st.text(max_size=3), json_values(), max_size=2)
    expected: Any = st.just(MISSING) | json_values()
    made = st.builds(
        Item, st.text(max_size=3), st.text(max_size=3), mappings, mappings, expected, st.text(max_size=2),
        st.text(max_size=2), st.none() | st.integers(1, 9),
    )  # fmt: skip
    return st.lists(made, max_size=5)


@given(items(), st.slices(5))
def test_they_are_the_items(given_items: list[Item], part: slice) -> None:
    packed = PackedItems(given_items)
    assert list(packed) == given_items
    assert packed == tuple(given_items)
    assert packed[part] == given_items[part]
    assert pickle.loads(pickle.dumps(packed)) == packed  # noqa: S301 - our own
    assert [one.expected_output is MISSING for one in packed] == [
        one.expected_output is MISSING for one in given_items
    ]


def test_others_are_not_equal() -> None:
    one = Item("a", "A", {}, {})
    assert PackedItems([one]) != (one, one)
    assert PackedItems([one]) != (Item("b", "A", {}, {}),)
    assert PackedItems([one]) != {one.id}
    assert repr(PackedItems([one])) == f"PackedItems([{one!r}])"
