"""`coerce` and each null policy, at every depth; the caller's documents stay as they are."""

from __future__ import annotations

import copy
from collections.abc import Callable
from decimal import Decimal
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import NullPolicy
from fieldwise.core.conversion import to_json
from fieldwise.core.equality import equal
from fieldwise.core.normalise import normalise, rebuilt, settle
from fieldwise.core.values import UnorderedList
from tests.core.documents import DEEP, VALUES, nested_lists, nested_objects

COERCED: list[tuple[Any, Any]] = [
    ("12", 12),
    ("-0", 0),
    ("12.50", 12.5),
    (" 7 ", 7),
    ("1e3", 1000),
    ("1E-2", 0.01),
    ("0.0", 0),
    ("true", 1),
    ("false", 0),
    ("null", None),
    (True, 1),
    (False, 0),
    ("1e999", 10**999),
    ("1e-999", Decimal("1e-999")),
    ("0e-999", 0),
    ("9" * 301, int("9" * 301)),
    ("9" * 302, "9" * 302),
    ("007", "007"),
    ("+1", "+1"),
    ("1.", "1."),
    (".5", ".5"),
    ("1e1000", "1e1000"),
    ("١", "١"),
    ("True", "True"),
    ("NaN", "NaN"),
    ("Infinity", "Infinity"),
    ("1_000", "1_000"),
    ("0x10", "0x10"),
    ("", ""),
    ("-", "-"),
    (None, None),
    (1.5, 1.5),
]


@pytest.mark.parametrize(("value", "expected"), COERCED, ids=[repr(row[0])[:12] for row in COERCED])
def test_coerce(value: Any, expected: Any) -> None:
    wraps: list[Callable[[Any], Any]] = [lambda one: one, lambda one: [one], lambda one: {"a": {"b": [one]}}]
    for wrap in wraps:
        found = normalise(wrap(value), coerce=True)
        assert equal(found, wrap(expected))
        assert repr(found) == repr(wrap(expected)) or not isinstance(expected, str | None)


def test_coerce_reads_no_name() -> None:
    assert normalise({"1": "1", "true": "true"}, coerce=True) == {"1": 1, "true": 1}


NULLS: list[tuple[NullPolicy, Any, Any]] = [
    ("empty_equals_null", {"a": "", "b": [], "c": {}, "d": 0}, {"a": None, "b": None, "c": None, "d": 0}),
    ("empty_equals_null", {"a": False}, {"a": False}),
    ("empty_equals_null", {"a": {"b": [{"c": ""}, {}, []]}}, {"a": {"b": [{"c": None}, None, None]}}),
    ("empty_equals_null", {"a": [[]]}, {"a": [None]}),
    ("empty_equals_null", [{}, "", [], {"a": {}}], [{}, None, None, {"a": None}]),
    ("empty_equals_null", "", ""),
    ("empty_equals_null", [], []),
    ("empty_equals_null", {}, {}),
    ("null_equals_missing", {"a": None, "b": {"c": None, "d": 1}}, {"a": None, "b": {"d": 1}}),
    ("null_equals_missing", [{"a": None, "b": {"c": None}}], [{"a": None, "b": {}}]),
    ("null_equals_missing", [[{"a": None}]], [[{}]]),
    ("null_equals_missing", {"a": [{"b": None}, None]}, {"a": [{}, None]}),
    ("null_equals_missing", None, None),
    ("distinct", {"a": None, "b": ""}, {"a": None, "b": ""}),
]  # fmt: skip


@pytest.mark.parametrize(("policy", "value", "expected"), NULLS)
def test_null_policy(policy: NullPolicy, value: Any, expected: Any) -> None:
    assert normalise(value, null_policy=policy) == expected


def test_both_options_at_once() -> None:
    document: Any = {"a": {"b": "null", "c": " "}}
    assert normalise(document, coerce=True, null_policy="null_equals_missing") == {"a": {"c": " "}}
    assert normalise({"a": "null"}, coerce=True, null_policy="empty_equals_null") == {"a": None}


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ({}, {}, ({}, {})),
        ({}, None, (None, None)),
        ("", [], (None, None)),
        ({}, {"a": 1}, ({}, {"a": 1})),
        (None, {"a": 1}, (None, {"a": 1})),
        (None, 0, (None, 0)),
        ([{}], [{"a": 1}], ([{}], [{"a": 1}])),
        ([{}, 1], [None, 1], ([None, 1], [None, 1])),
        ([None], [{}, {"a": 1}], ([None], [None, {"a": 1}])),
    ],
)
def test_settle(left: Any, right: Any, expected: Any) -> None:
    assert settle(left, right) == expected
    assert settle(right, left) == tuple(reversed(expected))


@given(VALUES, st.booleans(), st.sampled_from(get_args(NullPolicy)))
def test_the_document_stays_as_it_is_and_is_read_once(value: Any, coerce: bool, policy: NullPolicy) -> None:
    before = copy.deepcopy(value)
    once = normalise(value, coerce=coerce, null_policy=policy)
    assert equal(value, before)
    assert equal(normalise(once, coerce=coerce, null_policy=policy), once)


def test_defaults_copy_nothing() -> None:
    document: Any = {"a": [1]}
    assert normalise(document) is document


def test_sets_stay_sets_in_order() -> None:
    found = normalise(to_json({"a": {("10", frozenset({"2", "03"})), "1"}}), coerce=True)
    assert found == to_json({"a": {(10, frozenset({2, "03"})), 1}})
    assert isinstance(found, dict)
    assert type(found["a"]) is UnorderedList


@pytest.mark.parametrize("build", [nested_lists, nested_objects], ids=["lists", "objects"])
def test_depth_is_no_limit(build: Any) -> None:
    for policy in get_args(NullPolicy):
        found = normalise(build(DEEP // 3, leaf="5"), coerce=True, null_policy=policy)
        assert equal(found, build(DEEP // 3, leaf=5))


def test_rebuilding_changes_a_copy_and_puts_sets_in_order_again() -> None:
    document: Any = {"a": [{"b": 1}], "set": UnorderedList([1, UnorderedList([2, 3])])}
    kept = copy.deepcopy(document)
    found = rebuilt(document, lambda value, _: -value if isinstance(value, int) else value)
    assert found == {"a": [{"b": -1}], "set": [-1, [-2, -3]]}
    assert document == kept


def test_rebuilding_goes_from_the_outside_in() -> None:
    seen = []

    def change(value: Any, depth: int) -> Any:
        seen.append((depth, value))
        return value["in"] if depth == 1 else value

    assert rebuilt([{"in": [7]}], change) == [[7]]
    assert seen == [(0, [{"in": [7]}]), (1, {"in": [7]}), (2, 7)]
