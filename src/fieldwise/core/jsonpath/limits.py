"""How much a JSONPath query may do on one document, whichever engine runs it.

`..` after `..`, and a query inside a filter, visit a document over and over. Every visit is counted, one
for a node looked at or made, so a query ends after `MAX_VISITS` of them, on any document. The patterns of
its filters share `MAX_SECONDS`. The counts are one for each thread: a compiled query may run in several.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Path, Step

MAX_VISITS: Final = 1_000_000
MAX_SECONDS: Final = 5.0
_STEPS_A_VISIT: Final = 16
"""Steps of a path written out that cost as much as a visit."""


class TooMuch(Exception):
    """A query that visits more than `MAX_VISITS` nodes of a document."""


class _Count(threading.local):
    """The visits made and the seconds spent on patterns since `begin`."""

    made = 0
    seconds = 0.0


_COUNT: Final = _Count()


def begin() -> None:
    """Begin with another document."""
    _COUNT.made = 0
    _COUNT.seconds = 0.0


def seconds_left() -> float:
    """Return what is left of the time for patterns; 0 or less: nothing."""
    return MAX_SECONDS - _COUNT.seconds


def spend(seconds: float) -> None:
    """Count time spent on a pattern."""
    _COUNT.seconds += seconds


def visit(nodes: int) -> None:
    """Count visits.

    Raises:
        TooMuch: there have been too many.
    """
    _COUNT.made = made = _COUNT.made + nodes
    if made > MAX_VISITS:
        raise TooMuch


def path_of(start: Path, upward: Sequence[Step]) -> Path:
    """Return the path of a node found, from the steps that lead from it up to the node at `start`.

    Raises:
        TooMuch: there have been too many visits.
    """
    path = (*start, *reversed(upward))
    visit(len(path) // _STEPS_A_VISIT)
    return path


def visit_all(value: object) -> None:
    """Count a value and everything in it.

    Raises:
        TooMuch: there have been too many visits.
    """
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict | list):
            visit(len(one) + 1)
            stack.extend(one.values() if isinstance(one, dict) else one)
