"""Comparison inside JSONPath filters (RFC 9535 section 2.3.5.2.2), on the equality of fieldwise.

Every engine compares with these functions, so a filter and a score never disagree on what is equal.
MISSING stands for "nothing": equal to itself only. Numbers and texts are ordered, each among
themselves; for everything else `<=` and `>=` say no more than `==`.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.equality import equal
from fieldwise.core.jsonpath.limits import visit_all

if TYPE_CHECKING:
    from collections.abc import Callable

_NUMBERS: Final = (int, float, Decimal)


def same(left: Any, right: Any) -> bool:
    """Whether two operands are equal.

    >>> same(1, 1.0), same(True, 1), same(MISSING, None), same(MISSING, MISSING)
    (True, False, False, True)
    """
    if left is MISSING or right is MISSING:
        return left is right
    if isinstance(left, dict | list) and isinstance(right, dict | list) and len(left) == len(right):
        visit_all(left)
    return equal(left, right)


def less(left: Any, right: Any) -> bool:
    """Whether the left operand comes before the right one.

    >>> less(1, 1.5), less("a", "b"), less(1, "b"), less(False, True)
    (True, True, False, False)
    """
    if isinstance(left, str) and isinstance(right, str):
        return left < right
    if not (_is_number(left) and _is_number(right)):
        return False
    return bool(left < right)


def _is_number(value: Any) -> bool:
    """NaN is no number: it comes before nothing, and a Decimal refuses to be ordered with it."""
    return isinstance(value, _NUMBERS) and not isinstance(value, bool) and bool(value == value)  # noqa: PLR0124


COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": same,
    "!=": lambda left, right: not same(left, right),
    "<": less,
    ">": lambda left, right: less(right, left),
    "<=": lambda left, right: less(left, right) or same(left, right),
    ">=": lambda left, right: less(right, left) or same(left, right),
}
