"""Equality, stand-ins, canonical text and previews; and what they cost on hostile values."""

from __future__ import annotations

import copy
import sys
import time
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from hypothesis import given

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.equality import canonical, equal, freeze, preview
from fieldwise.core.values import NAN, UnorderedList
from tests.core.documents import (
    ATOMS,
    DEEP,
    VALUES,
    dag_bomb,
    mixed_copy,
    nested_lists,
    nested_objects,
)

HUGE = 10**5000
KINDS: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    1.5,
    "",
    "1",
    "true",
    "null",
    "1.5",
    [],
    [1],
    [True],
    ["list"],
    ["true"],
    {},
    {"1": 1},
    {"": None},
    [[]],
    [{}],
    NAN,
    "NaN",
    float("inf"),
    "Infinity",
    -float("inf"),
    Decimal("0.12345678901234567890"),
    HUGE,
    HUGE + 1,
    -HUGE,
    Decimal("1E+9000"),
    Decimal("1E-9000"),
    "\ud800",
    "\\ud800",
    "a\nb",
]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (0, -0.0),
        (10**22, 1e22),
        (HUGE, Decimal("1E+5000")),
        (Decimal("1E+1"), 10),
        (Decimal("1.5"), 1.5),
        (Decimal("1.10E+9000"), Decimal("11E+8999")),
        (NAN, NAN),
        ({"a": 1, "b": [2.0]}, {"b": [2], "a": 1.0}),
    ],
    ids=lambda value: repr(value)[:20] if not isinstance(value, int) else "int",
)
def test_two_forms_of_one_value(left: Any, right: Any) -> None:
    assert equal(left, right)
    assert equal(right, left)
    assert {freeze(left)} == {freeze(right)}
    assert canonical(left) == canonical(right)


@pytest.mark.parametrize("left", range(len(KINDS)))
def test_different_values_differ_in_every_way(left: int) -> None:
    for right, other in enumerate(KINDS):
        same = left == right
        assert equal(KINDS[left], copy.deepcopy(other)) is same
        assert ({freeze(KINDS[left])} == {freeze(other)}) is same
        assert (canonical(KINDS[left]) == canonical(other)) is same


@given(VALUES, VALUES)
def test_stand_ins_and_texts_are_equal_exactly_when_values_are(left: Any, right: Any) -> None:
    for one, other in product((left, mixed_copy(left)), (left, right, mixed_copy(right))):
        same = equal(one, other)
        assert equal(other, one) is same
        assert ({freeze(one)} == {freeze(other)}) is same
        assert (canonical(one) == canonical(other)) is same


@given(VALUES)
def test_a_value_equals_its_copy_in_another_order(value: Any) -> None:
    assert equal(value, mixed_copy(value))


@given(ATOMS, ATOMS)
def test_python_and_json_agree_on_atoms_but_for_booleans(left: Any, right: Any) -> None:
    same = (left is right or left == right) and isinstance(left, bool) == isinstance(right, bool)
    assert equal(left, right) is same


def test_a_member_more_and_a_member_of_another_name_are_unequal() -> None:
    assert not equal({"a": 1}, {"a": 1, "b": 2})
    assert not equal({"a": 1}, {"b": 1})
    assert not equal([1], [1, 2])
    assert not equal([1, 2], [2, 1])
    assert not equal({"a": 1}, [1])


def test_the_order_of_a_set_does_not_count_the_number_of_its_elements_does() -> None:
    found = to_json({"b", "a", 1})
    assert equal(found, ["a", "b", 1])
    assert equal(["b", 1, "a"], found)
    assert equal(found, to_json({1, "a", "b"}))
    assert not equal(found, ["a", "b"])
    assert not equal(found, ["a", "b", 2])
    assert freeze(found) == freeze(to_json({"a", 1, "b"}))


@pytest.mark.parametrize("build", [nested_lists, nested_objects], ids=["lists", "objects"])
def test_depth_is_no_limit(build: Any) -> None:
    left, right, other = build(DEEP), build(DEEP), build(DEEP, leaf=1)
    assert equal(left, right)
    assert not equal(left, other)
    marks = [freeze(one) for one in (left, right, other)]
    assert marks[0] == marks[1] != marks[2]
    assert hash(marks[0]) == hash(marks[1])
    assert canonical(left) == canonical(right)
    assert len(preview(left)) == 80


def test_a_low_limit_on_digits_is_no_limit_here() -> None:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        assert canonical(10**620) == canonical(Decimal("1E+620"))
        assert canonical([7 * HUGE]) == "[0x7e5000]"
        assert preview(HUGE).startswith("0x")
    finally:
        sys.set_int_max_str_digits(before)


@pytest.mark.parametrize(
    "value", [3**600_000, 10**100_000, Decimal("123E+999999")], ids=["odd", "round", "decimal"]
)
def test_huge_numbers_are_written_in_reasonable_time(value: Any) -> None:
    start = time.process_time()
    assert equal(value, copy.copy(value))
    assert canonical(value) == canonical(copy.copy(value))
    assert len(preview(value)) <= 80
    assert time.process_time() - start < 3


def test_freeze_refuses_what_is_no_json() -> None:
    with pytest.raises(TypeError, match=r"^tuple is not a JSON value$"):
        freeze((1,))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": [1, 2.5, None], "a": True}, '{"a":true,"b":[1,2.5,null]}'),
        ([], "[]"),
        ([{}], "[{}]"),
        ([False, NAN, float("inf"), -float("inf")], "[false,NaN,Infinity,-Infinity]"),
        ('say "hi"\n', '"say \\"hi\\"\\n"'),
        (1e300, "1" + repr(int(1e300))[1:]),
        (2**2001, f"{2**2001:#x}e0"),
        (Decimal("-0.12345678901234567890"), "-1234567890123456789e-19"),
        (Decimal("12.5"), "12.5"),
        (Decimal("NaN"), "NaN"),
        (UnorderedList([1, 2]), "[1,2]"),
    ],
    ids=lambda value: repr(value)[:20] if not isinstance(value, int) else "int",
)
def test_canonical_text(value: Any, expected: str) -> None:
    assert canonical(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (MISSING, "nothing"),
        (None, "null"),
        (7, "7"),
        (1.50, "1.5"),
        ("x" * 100, '"' + "x" * 78 + "…"),
        ("é\ud800", '"é\\ud800"'),
        (["x" * 10] * 50, ('["xxxxxxxxxx"' + ',"xxxxxxxxxx"' * 50)[:79] + "…"),
        ({"n" * 200: 1}, '{"' + "n" * 77 + "…"),
        ({"b": 1, "a": [{}]}, '{"a":[{}],"b":1}'),
        (Decimal("0.12345678901234567890"), "0.12345678901234567890"),
        (HUGE, hex(HUGE)[:79] + "…"),
    ],
    ids=lambda value: repr(value)[:20] if not isinstance(value, int) else "int",
)
def test_preview(value: Any, expected: str) -> None:
    assert preview(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        list(range(2_000_000)),
        {str(number): number for number in range(500_000)},
        "x" * 50_000_000,
        {"n" * 20_000_000: 0},
        dag_bomb(60),
        3**400_000,
    ],
    ids=["list", "object", "text", "name", "bomb", "integer"],
)
def test_a_preview_costs_the_same_whatever_the_size(value: Any) -> None:
    start = time.process_time()
    for _ in range(20):
        assert len(preview(value)) == 80
    assert time.process_time() - start < 0.5


class Unlike:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({3}, "{3}"),
        ({"a": {3}}, "{'a': {3}}"),
        ({1: 2, None: 3}, "{1: 2, None: 3}"),
        (b"x", "b'x'"),
        (range(3), "range(0, 3)"),
        ([Unlike()], "[a Unlike]"),
        (Unlike(), "a Unlike"),
        ({"a": b"x" * 100}, "{'a': b'" + "x" * 71 + "…"),
    ],
    ids=["set", "inner", "names", "bytes", "range", "list", "object", "long"],
)
def test_a_preview_of_what_is_no_json(value: Any, text: str) -> None:
    assert preview(value) == text
