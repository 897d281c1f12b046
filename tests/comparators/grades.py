"""What a comparator says of two values: its score, or why it cannot read them."""

from __future__ import annotations

from typing import Any

from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable


def grade(comparator: Comparator, expected: Any, actual: Any) -> float | str:
    """The score, or the reason that a value is unreadable."""
    try:
        return comparator(expected, actual)
    except Unreadable as error:
        return str(error)
