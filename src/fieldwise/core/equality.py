"""JSON equality, identity and text of JSON values.

- `equal`: are two values the same JSON? `true` is not `1`, `1` is `1.0`, integers of any size are
  compared as integers, NaN equals NaN, the order of members never counts.
- `freeze`: a hashable stand-in; two values are `equal` exactly when their stand-ins are the same key of
  a dict. (An `UnorderedList` is the one exception: it is equal to lists whose stand-in differs.)
- `canonical`: text in which equal values, and only they, read the same; it orders elements where
  positions may not.
- `preview`: a short text for people, at a cost that does not grow with the value.

All are iterative or bounded in depth: a value nested a million deep is compared, not refused. All
expect the values that `core.conversion.to_json` returns.
"""

from __future__ import annotations

import math
from decimal import Decimal
from itertools import islice
from json.encoder import encode_basestring
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.values import MAX_EXPONENT, number

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from fieldwise._types import Json
    from fieldwise.core.values import UnorderedList

_SAME_KIND: Final = frozenset({str, int, bool, NoneType, float, Decimal})
_NUMBERS: Final = frozenset({int, float, Decimal})
_MAX_FROZEN_DEPTH: Final = 60
_PRINTED_BITS: Final = 2_000
"""Longer integers are not printed digit by digit: Python refuses where its limit on digits is low."""

TRUE: Final = ("true",)
FALSE: Final = ("false",)
SELF_FROZEN: Final = frozenset({str, int, float, NoneType, Decimal})


def equal(left: Json, right: Json) -> bool:
    """Whether two JSON values are equal.

    >>> equal({"a": [1, True]}, {"a": [1.0, True]})
    True
    >>> equal(True, 1)
    False
    """
    stack: list[tuple[Any, Any]] = [(left, right)]
    while stack:
        a, b = stack.pop()
        if a is b:
            continue
        kind = type(a)
        if kind is type(b) and kind in _SAME_KIND:
            if a != b:
                return False
        elif not _opened(a, b, stack):
            return False
    return True


def _opened(a: Any, b: Any, stack: list[tuple[Any, Any]]) -> bool:
    """Whether two values may be equal; what is inside them is then on the stack."""
    kind, other = type(a), type(b)
    if kind is dict and other is dict:
        if a.keys() != b.keys():
            return False
        stack += zip(a.values(), map(b.__getitem__, a), strict=True)
        return True
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return False
        if kind is not other:
            a, b = sorted(a, key=canonical), sorted(b, key=canonical)
        stack += zip(a, b, strict=True)
        return True
    return kind in _NUMBERS and other in _NUMBERS and bool(a == b)


def freeze(value: Json, depth: int = 0) -> Hashable:
    """Return a hashable value that is the same dict key for exactly the equal JSON values.

    Below a fixed depth it is canonical text, because hashing deep tuples is recursive in C.
    """
    kind = type(value)
    if kind in SELF_FROZEN:
        return value  # type: ignore[return-value]
    if kind is bool:
        return TRUE if value else FALSE
    if depth > _MAX_FROZEN_DEPTH:
        return ("deep", canonical(value))
    if isinstance(value, dict):
        return frozenset([(name, freeze(item, depth + 1)) for name, item in value.items()])
    if isinstance(value, list):
        return ("list", *[freeze(item, depth + 1) for item in value])
    msg = f"{kind.__qualname__} is not a JSON value"
    raise TypeError(msg)


def canonical(value: Json) -> str:
    """Return text that is the same for exactly the equal values: sorted names, one form a number.

    >>> canonical({"b": 1.0, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    return "".join(tokens(value, _canonical))


def arrange(elements: UnorderedList) -> None:
    """Put the elements of a set into canonical order."""
    elements.sort(key=canonical)


def preview(value: object, limit: int = 80) -> str:
    """Return a short text of any object for people; long ones are cut with an ellipsis.

    What is not JSON reads as Python has it.

    >>> preview({"b": [1, 2, 3], "a": "long"}, limit=20)
    '{"a":"long","b":[1,…'
    >>> preview({3})
    '{3}'
    """
    try:
        return _previewed(value, limit)
    except Exception:  # noqa: BLE001 - whatever a value that is not JSON raises, it is shown in another way
        return shown(value, limit)


def _previewed(value: object, limit: int) -> str:
    """The short text of a JSON value."""
    kind = type(value)
    text = _READABLE[kind](value, limit + 2) if kind in _READABLE else None
    if text is not None and len(text) <= limit and text.isascii():
        return text
    if value is MISSING:
        return "nothing"
    text = text or (_text(value, limit + 2) if kind in _ATOMS else _outline(value, limit))
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _outline(value: object, limit: int) -> str:
    """The beginning of the text of a container, longer than `limit` if there is more."""
    parts: list[str] = []
    size = 0
    for token in tokens(value, lambda one: _text(one, limit + 2), limit + 2):
        parts.append(token)
        size += len(token)
        if size > limit:
            break
    return "".join(parts)


def tokens(root: object, atom: Callable[[Any], str], limit: int | None = None) -> Iterator[str]:
    """Write a value as tokens of JSON, names sorted, without recursion.

    Args:
        root: the value.
        atom: the text of a value that is no container, and of a name.
        limit: how many members or elements are written of a container; None: all.
    """
    stack: list[tuple[str, Any]] = [("", root)]
    while stack:
        before, value = stack.pop()
        yield before
        if isinstance(value, dict):
            stack.append(("}", MISSING))
            names = sorted(value if limit is None else islice(value, limit))
            labels = [f",{atom(name)}:" for name in names]
            stack += _joined("{", labels, [value[name] for name in names])
        elif isinstance(value, list):
            stack.append(("]", MISSING))
            stack += _joined("[", [","] * len(value[:limit]), value[:limit])
        elif value is not MISSING:
            yield atom(value)


def _joined(bracket: str, labels: list[str], values: list[Any]) -> list[tuple[str, Any]]:
    """The parts of a container, last first; commas stand before all but the first."""
    if not values:
        return [(bracket, MISSING)]
    labels[0] = bracket + labels[0][1:]
    return list(zip(reversed(labels), reversed(values), strict=True))


def _canonical(value: Any) -> str:
    return _ATOMS[type(value)](value)


def _text(value: Any, limit: int) -> str:
    """A value that is no container, in the form people read."""
    kind = type(value)
    return _READABLE[kind](value, limit) if kind in _READABLE else _ATOMS[kind](value)


def _float(value: float) -> str:
    if value.is_integer():
        return _int(int(value))
    return repr(value) if math.isfinite(value) else _NON_FINITE[str(value)]


def _int(value: int) -> str:
    return str(value) if value.bit_length() <= _PRINTED_BITS else _huge(value, 0)


def _decimal(value: Decimal) -> str:
    """Text that no float and no printed integer has, but the huge integers of the same value."""
    plain = number(value)
    if not isinstance(plain, Decimal):
        return _ATOMS[type(plain)](plain)
    sign, digits, exponent = plain.as_tuple()
    if plain.adjusted() > MAX_EXPONENT:
        return _huge(int(Decimal((sign, digits, 0))), int(exponent))
    text = "".join(map(str, digits)).rstrip("0")
    return f"{'-' * sign}{text}e{int(exponent) + len(digits) - len(text)}"


def _huge(value: int, zeros: int) -> str:
    """An integer as `value * 10**zeros`, the decimal zeros of `value` counted as well."""
    step = 1 << 24
    while step:
        if (value & -value).bit_length() > step and value % 10**step == 0:
            value //= 10**step
            zeros += step
        else:
            step //= 2
    return f"{value:#x}e{zeros}"


_NON_FINITE: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}
_ATOMS: Final[dict[type, Callable[[Any], str]]] = {
    NoneType: lambda _: "null",
    bool: lambda value: "true" if value else "false",
    str: encode_basestring,
    int: _int,
    float: _float,
    Decimal: _decimal,
}
_READABLE: Final[dict[type, Callable[[Any, int], str]]] = {
    str: lambda value, limit: encode_basestring(value[:limit]),
    int: lambda value, _: str(value) if value.bit_length() <= _PRINTED_BITS else hex(value),
    Decimal: lambda value, _: str(value),
}
