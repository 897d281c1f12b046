"""Whether a callable can be called as it will be, as its signature tells."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest

from fieldwise.core.callables import misfit


class Caller:
    def __call__(self, one: Any) -> Any:
        return one


class Silent:
    """As some builtins, it does not tell what it takes."""

    __signature__ = "nothing"

    def __call__(self) -> None: ...


CASES: list[tuple[str, Callable[..., Any], int, str | None]] = [
    ("one", lambda one: one, 1, None),
    ("any number", lambda *some: some, 1, None),
    ("a default", lambda one, two=2: one, 1, None),
    ("an object", Caller(), 1, None),
    ("a mock", Mock(), 1, None),
    ("a builtin that does not tell", dict, 1, None),
    ("an object that does not tell", Silent(), 1, None),
    ("two", lambda one, two: one, 1, "missing a required argument: 'two'"),
    ("none", lambda: None, 1, "too many positional arguments"),
    ("by name only", lambda *, one: one, 1, "too many positional arguments"),
    ("a class, not an object of it", Caller, 1, "too many positional arguments"),
    ("a partial", partial(lambda one, two: one, 1), 2, "too many positional arguments"),
]


@pytest.mark.parametrize(
    ("function", "count", "reason"), [pytest.param(*row[1:], id=row[0]) for row in CASES]
)
def test_a_callable_takes_so_many_values(
    function: Callable[..., Any], count: int, reason: str | None
) -> None:
    assert misfit(function, count) == reason
