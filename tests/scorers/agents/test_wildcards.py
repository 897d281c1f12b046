"""Markers in expected arguments: written out, settled, bounded."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise._types import MISSING
from fieldwise.scorers.agents.comparing.wildcards import (
    ANY,
    MAX_DEPTH,
    TooMany,
    alternatives,
    has_marker,
    settled,
)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"$any": True}, True),
        ({"$any": 1}, False),
        ({"$any": True, "b": 1}, False),
        ({"$any_of": []}, False),
        ({"$any_of": "ab"}, False),
        ({"$any_of": [1]}, True),
        ({"$literal": None}, True),
        ([{"a": {"$any": True}}], True),
        ("$any", False),
    ],
)
def test_what_is_a_marker(value: Any, found: bool) -> None:
    assert has_marker(value) is found


@pytest.mark.parametrize(
    ("value", "written_out"),
    [
        ({"a": 1}, [{"a": 1}]),
        ({"a": {"$any_of": [1, 2]}, "b": {"$any_of": [3]}}, [{"a": 1, "b": 3}, {"a": 2, "b": 3}]),
        ({"$any_of": [{"$any_of": [1, 2]}, {"$literal": {"$any": True}}]}, [1, 2, {"$any": True}]),
        ([{"$any_of": [1, 2]}, 0], [[1, 0], [2, 0]]),
    ],
)
def test_alternatives_are_written_out(value: Any, written_out: list[Any]) -> None:
    assert alternatives(value) == written_out


def test_a_wildcard_is_known_by_identity_and_a_literal_is_none() -> None:
    found: Any
    (found,) = alternatives({"a": {"$any": True}, "b": {"$literal": {"$any": True}}})
    assert (found["a"] is ANY, found["b"] is ANY) == (True, False)


def test_alternatives_are_bounded() -> None:
    many: Any = {"$any_of": list(range(60))}
    assert len(alternatives({"a": many})) == 60
    with pytest.raises(TooMany, match="more than 100 alternatives"):
        alternatives({"a": many, "b": many, "c": many})


@pytest.mark.parametrize(
    ("actual", "expected"),
    [
        ({"a": 5, "b": [1, 2]}, {"a": 5, "b": [0, 2]}),
        ({"b": [1]}, {"a": ANY, "b": [0, ANY]}),
        (MISSING, {"a": ANY, "b": [0, ANY]}),
        (7, {"a": ANY, "b": [0, ANY]}),
    ],
)
def test_a_wildcard_is_what_came_in_its_place(actual: Any, expected: Any) -> None:
    assert settled({"a": ANY, "b": [0, ANY]}, actual) == expected


def test_depth_is_bounded() -> None:
    deep: Any = {"$any": True}
    for _ in range(5_000):
        deep = {"k": deep}
    assert not has_marker(deep)
    assert alternatives({"a": deep}) == [{"a": deep}]
    near: Any = {"$any": True}
    for _ in range(MAX_DEPTH):
        near = {"k": near}
    assert has_marker(near)
