"""From an option's value to a comparator, or to a ConfigError that names the fix."""

from __future__ import annotations

import functools
import operator
from typing import Any

import pytest

from fieldwise import comparators
from fieldwise.comparators import COMPARATORS, exact, number, resolve
from fieldwise.core.compare import Comparator
from fieldwise.errors import ConfigError


def near(expected: float, actual: float) -> bool:
    return abs(expected - actual) < 1


class Near:
    def __call__(self, expected: float, actual: float) -> bool:
        return near(expected, actual)


async def later(_expected: Any, _actual: Any) -> float:
    return 1.0


class Later:
    async def __call__(self, _expected: Any, _actual: Any) -> float:
        return 1.0


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("number", "number"),
        (number(absolute=1), "number"),
        (number, "number"),
        (exact, "exact"),
        (near, "near"),
        (Near(), "Near"),
        (functools.partial(near), "partial"),
        (lambda a, b: a == b, "<lambda>"),
        (operator.eq, "eq"),
        (lambda *values: len(values) == 2, "<lambda>"),
        (max, "max"),
    ],
)
def test_resolves(value: Any, name: str) -> None:
    found = resolve("comparators['a']", value)
    assert isinstance(found, Comparator)
    assert found.name == name


def test_a_callable_grades() -> None:
    found = resolve("comparators['a']", near)
    assert [found(1, 1.5), found(1, 2)] == [1.0, 0.0]


def test_exact_never_grades_unequal_values_right() -> None:
    assert [exact()("QX-118", "qx 118"), exact()(1, 1.0), exact()(True, 1)] == [0.0, 1.0, 0.0]


FORM = "give a comparator, its name, or a callable(expected, actual)"
CALLABLE = "give a callable(expected, actual) -> float | bool"
OWN = (
    "there is no such comparator; one of your own is given in Python, as the callable itself, and by name "
    f"there are: {', '.join(COMPARATORS)}"
)
WRONG: list[tuple[Any, str]] = [
    ("numbr", "'numbr': there is no such comparator; did you mean 'number'?"),
    ("qqqq", f"'qqqq': there is no such comparator; known: {', '.join(COMPARATORS)}"),
    ("num(1)", "'num(1)': there is no such comparator; did you mean 'number'?"),
    ("number(absolute=1", "'number(absolute=1': number( is not called whole; write number(option=value, …)"),
    ("within", "'within': within is not called whole, as in within(number, 0.5)"),
    ("within(number", "'within(number': within is not called whole, as in within(number, 0.5)"),
    ("mine:same", f"'mine:same': {OWN}"),
    ("./mine.py:same", f"'./mine.py:same': {OWN}"),
    (3, f"3: {FORM}"),
    (None, f"None: {FORM}"),
    (["number"], f"['number']: {FORM}"),
    (later, f"later: it is async; {CALLABLE}"),
    (Later(), f"Later: it is async; {CALLABLE}"),
    (lambda only: only, f"<lambda>: it does not take two values (too many positional arguments); {CALLABLE}"),
    (len, f"len: it does not take two values (too many positional arguments); {CALLABLE}"),
    (
        lambda a, b, c: 1,
        f"<lambda>: it does not take two values (missing a required argument: 'c'); {CALLABLE}",
    ),
]


@pytest.mark.parametrize(("value", "message"), WRONG, ids=[message[:20] for _, message in WRONG])
def test_refuses(value: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        resolve("comparators['a']", value)
    assert str(caught.value) == f"comparators['a']={message}"


def test_the_table_is_what_the_module_exports_and_says() -> None:
    for name, factory in COMPARATORS.items():
        assert getattr(comparators, name) is factory
        assert f"| `{name}` |" in (comparators.__doc__ or "")
