"""Strict JSON at the speed of the C scanner, plus the three things it hides.

`json.loads` keeps the last of two equal names without a word, takes `NaN` and `Infinity` for JSON,
and turns `1e400` into infinity. Hooks that cost next to nothing notice all three; only a text that
has one of them is read a second time, with hooks that record. Rules of the module:

1. Nothing is repaired here: what RFC 8259 refuses raises `json.JSONDecodeError`.
2. A number a float would flatten to infinity or to zero is kept exactly, as a `Decimal`.
3. A number Python will not convert raises `Refused`, never a bare `ValueError`.
"""

from __future__ import annotations

import math
import sys
from decimal import Decimal, InvalidOperation
from itertools import chain
from json import JSONDecodeError, JSONDecoder
from typing import TYPE_CHECKING, Any, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json

MAX_DEPTH: Final = 1_000
"""Objects and arrays inside one another, at most."""

NON_FINITE: Final = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}
"""The one NaN object is `fieldwise.core.values.NAN`: containers compare by identity first."""


_CONTAINERS: Final = frozenset({dict, list})


class Refused(ValueError):
    """A text of valid shape that is not read: a number or a nesting beyond the limits.

    Attributes:
        reason: what is refused, for people; the place is added where the text is known.
        token: the number as written, or "" where it is the nesting.
    """

    def __init__(self, reason: str, token: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.token = token


class _Unusual(ValueError):
    """A fast hook met what only the recording hooks may read."""


def whole(token: str) -> int:
    """The integer `token` spells; `Refused` beyond the digits that Python converts."""
    try:
        return int(token)
    except ValueError:
        digits, limit = len(token.lstrip("+-")), sys.get_int_max_str_digits()
        message = f"an integer of {digits:,} digits, more than the {limit:,} that are read"
        raise Refused(message, token) from None


def real(token: str) -> float | Decimal:
    """The number `token` spells: a float, or a `Decimal` where a float would be infinite or zero."""
    value = float(token)
    if value and value * 0 == 0:
        return value
    if not value and not token.lower().partition("e")[0].strip("+-0._"):
        return value
    try:
        return Decimal(token)
    except InvalidOperation:
        raise Refused("a number whose exponent is beyond what a decimal holds", token) from None


def depth(value: Json) -> int:
    """How many objects and arrays are inside one another, counting the outermost; 0 for a scalar."""
    levels = 0
    layer: list[Any] = [value] if type(value) in _CONTAINERS else []
    while layer:
        levels += 1
        members = chain.from_iterable([item.values() if type(item) is dict else item for item in layer])
        layer = [member for member in members if type(member) in _CONTAINERS]
    return levels


def _may_go_deeper() -> bool:
    """Whether the interpreter's scanner reads more than `MAX_DEPTH` levels (its limit is not ours)."""
    return sys.version_info >= (3, 12) or sys.getrecursionlimit() > MAX_DEPTH


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _Unusual
    return members


def _unusual(_: str) -> NoReturn:
    raise _Unusual


_FAST_DECODER: Final = JSONDecoder(object_pairs_hook=_unique, parse_float=real, parse_constant=_unusual)
_FAST: Final[Callable[[str, int], tuple[Json, int]]] = _FAST_DECODER.scan_once  # type: ignore[attr-defined]


def _recording(notes: dict[str, str]) -> JSONDecoder:
    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        kept = dict(pairs)
        if len(kept) != len(pairs) and "duplicate_keys" not in notes:
            notes["duplicate_keys"] = repeated([name for name, _ in pairs])
        return kept

    def constant(literal: str) -> float:
        notes.setdefault("non_finite", literal)
        return NON_FINITE[literal]

    return JSONDecoder(object_pairs_hook=members, parse_float=real, parse_int=whole, parse_constant=constant)


def repeated(names: list[str]) -> str:
    """The first name that occurs a second time; there must be one."""
    seen: set[str] = set()
    return next(name for name in names if name in seen or seen.add(name))  # type: ignore[func-returns-value]


def decode(text: str, at: int) -> tuple[Json, int, dict[str, str]]:
    """Read the JSON value that starts exactly at offset `at`.

    Returns:
        The value, the offset after it, and what a plain reader would have hidden: the first
        repeated name under "duplicate_keys", the first literal under "non_finite".

    Raises:
        json.JSONDecodeError: no JSON value starts there.
        Refused: a number or the nesting is beyond the limits.
        RecursionError: too deep for the interpreter's scanner at this point of the stack.

    >>> decode('see {"a": 1, "a": NaN}', 4)
    ({'a': nan}, 22, {'non_finite': 'NaN', 'duplicate_keys': 'a'})
    """
    notes: dict[str, str] = {}
    try:
        value, end = _FAST(text, at)
    except StopIteration as stop:
        raise JSONDecodeError("Expecting value", text, stop.value) from None
    except (JSONDecodeError, Refused):
        raise
    except ValueError:  # _Unusual, or an integer too long to convert
        value, end = _recording(notes).raw_decode(text, at)
    if end - at > 2 * MAX_DEPTH and _may_go_deeper() and depth(value) > MAX_DEPTH:
        raise Refused(too_deep())
    return value, end, notes


def too_deep() -> str:
    """The reason given beyond `MAX_DEPTH`."""
    return f"nested deeper than {MAX_DEPTH:,} levels"
