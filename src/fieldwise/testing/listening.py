"""How scores reach whoever collects them: the innermost listener hears of them, if there is one.

A test run inside a test, as plugins are tested, has its own listener. It is no context variable: a test may
score in threads of its own.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fieldwise._types import Results

    Listener: TypeAlias = Callable[[Results], None]

_LISTENERS: Final[list[Listener]] = []


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a listener told of all scores meanwhile."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)


def tell(results: Results) -> None:
    """Tell of the results of one record.

    >>> with listening(print):
    ...     tell([])
    []
    """
    if _LISTENERS:
        _LISTENERS[-1](results)
