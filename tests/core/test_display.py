"""One bounded line for anything, whatever its `__repr__` and `__str__` do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.display import one_line, said, shown, utf8, utf8_json, utf8_name
from fieldwise.core.flow import JudgeFailure


class Silent(Exception):
    def __repr__(self) -> str:
        raise RuntimeError

    def __str__(self) -> str:
        raise RuntimeError


class Lines:
    def __repr__(self) -> str:
        return "two\n  lines"


@pytest.mark.parametrize(
    ("value", "text"),
    [("a  b", "'a  b'"), (Lines(), "two lines"), (Silent(), "a Silent"), ("x" * 20, "'xxxxxxxx…"), (1, "1")],
)
def test_shown(value: Any, text: str) -> None:
    assert shown(value, 10) == text


class Text(str):
    """What a `__repr__` may return in the place of text."""

    __slots__ = ()

    def __len__(self) -> int:
        raise RuntimeError


class Named:
    def __repr__(self) -> str:
        return Text("named")


def nested(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (object(), "<object object>"),
        ([object()], "[<object object>]"),
        (nested, "<function nested>"),
        (nested(100_000), "[" * 17 + "…" + "]" * 17),
        ((1,), "(1,)"),
        ([{}, (), []], "[{}, (), []]"),
        ([7] * 1_000_000, "[" + "7, " * 26 + "…"),
        ("a" * 1_000_000, "'" + "a" * 78 + "…"),
    ],
    ids=["object", "in a list", "function", "deep", "tuple", "empty", "long", "text"],
)
def test_neither_addresses_nor_the_stack_nor_size_show(value: Any, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (10**5000, "an integer of 16,610 bits"),
        ({"a": 10**5000}, "{'a': an integer of 16,610 bits}"),
        (Named(), "named"),
    ],
    ids=["integer", "dict", "text"],
)
def test_what_python_does_not_write_is_named(value: Any, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("a\nb"), "ValueError: a b"),
        (ValueError(), "ValueError"),
        (ValueError(" \n"), "ValueError"),
        (Silent(), "Silent"),
        (ValueError("x" * 20), "ValueError: xx…"),
        (KeyError(object()), "KeyError: <obj…"),
    ],
)
def test_said(error: Exception, text: str) -> None:
    assert said(error, 15) == text


def test_equal_failures_are_told_alike() -> None:
    errors = [ValueError(f"{object()} and {[object()]}") for _ in range(2)]
    assert str(errors[0]) != str(errors[1])
    told = "ValueError: <object object> and [<object object>]"
    assert [said(one) for one in errors] == [told, told]
    assert [JudgeFailure.from_exception(one).reason for one in errors] == [told, told]


@given(st.text(max_size=60), st.integers(2, 20))
def test_one_line_is_one_line_of_at_most_so_many_characters(text: str, limit: int) -> None:
    line = one_line(text, limit)
    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert line == " ".join(text.split()) or line.endswith("…")


@pytest.mark.parametrize(
    ("text", "told"),
    [("a", "a"), ("\u00e9", "\u00e9"), ("a\ud800\u00e9", "a\\ud800\u00e9"), ("\U0001f600", "\U0001f600")],
)
def test_utf8(text: str, told: str) -> None:
    assert utf8(text) == told
    assert one_line(text) == told


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("a", "a"),
        ("\u00e9", "\u00e9"),
        ("\\ud800", "\\ud800"),
        ("\ud800", "['\\ud800']"),
        ("\\\ud800'", "['\\\\\\ud800\\'']"),
    ],
)
def test_utf8_name(name: str, told: str) -> None:
    assert utf8_name(name) == told


def test_utf8_json() -> None:
    assert utf8_json({"\ud800": ["\udfff", 1, None, {"a": ("b",)}]}) == {
        "['\\ud800']": ["\\udfff", 1, None, {"a": ["b"]}]
    }


@given(st.text(st.characters()))
def test_what_is_told_can_be_encoded(text: str) -> None:
    for told in (utf8(text), utf8_name(text), one_line(text)):
        assert told.encode("utf-8").decode("utf-8") == told
