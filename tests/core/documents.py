"""JSON values for the tests of the core: strategies, and documents of a hostile depth."""

from __future__ import annotations

import copy
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from fieldwise.core.values import NAN

DEEP = 100_000

NUMBERS: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from([0, -0.0, 1, 1.0, True, False, 10**400, 10.0**22, 10**22, NAN, float("inf"), 0.1]),
    st.integers(),
    st.floats(allow_nan=False),
    st.sampled_from([Decimal("1E+5000"), Decimal("0.12345678901234567890"), Decimal("-7E-5000")]),
)
NAMES = st.one_of(
    st.sampled_from(["", "a", "b", "a.b", "0", "['x']", "é", "\ud800", "\n"]), st.text(max_size=4)
)
ATOMS: st.SearchStrategy[Any] = st.one_of(st.none(), st.booleans(), NUMBERS, NAMES)
VALUES: st.SearchStrategy[Any] = st.recursive(
    ATOMS,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)


def nested_lists(depth: int, leaf: Any = 0) -> Any:
    value = leaf
    for _ in range(depth):
        value = [value]
    return value


def nested_objects(depth: int, leaf: Any = 0) -> Any:
    value = leaf
    for _ in range(depth):
        value = {"a": value}
    return value


def dag_bomb(levels: int) -> Any:
    """Few objects that unfold into 2**levels containers."""
    value: Any = [0]
    for _ in range(levels):
        value = [value, value]
    return value


def mixed_copy(value: Any) -> Any:
    """An equal value: copied, members in another order, whole numbers as floats."""
    if isinstance(value, dict):
        return {name: mixed_copy(value[name]) for name in reversed(list(value))}
    if isinstance(value, list):
        return [mixed_copy(one) for one in value]
    if type(value) is int and abs(value) < 2**53:
        return float(value)
    return copy.copy(value)
