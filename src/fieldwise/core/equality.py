"""JSON equality, identity and text of JSON values.

- `equal`: are two values the same JSON? `true` is not `1`, `1` is `1.0`, integers of any size are
  compared as integers, NaN equals NaN, the order of members never counts.
- `freeze`: a hashable stand-in; two values are `equal` exactly when their stand-ins are. (An
  `UnorderedList` is the one exception: it is equal to lists whose stand-in differs.)
- `canonical`: text in which equal values read the same; it orders elements where positions may not.
- `preview`: a short text for people.

All are iterative or bounded in depth: a value nested a million deep is compared, not refused.
"""

from __future__ import annotations

import math
from decimal import Decimal
from json.encoder import encode_basestring
from types import NoneType
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.values import UnorderedList

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from fieldwise._types import Json

_SAME_KIND: Final = frozenset({str, int, bool, NoneType, float, Decimal})
_NUMBERS: Final = frozenset({int, float, Decimal})
_MAX_FROZEN_DEPTH: Final = 60
_MAX_DIGITS: Final = 4_000
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
        elif kind is dict and type(b) is dict:
            if len(a) != len(b):
                return False
            for name, item in a.items():
                other = b.get(name, MISSING)
                if other is MISSING:
                    return False
                stack.append((item, other))
        elif isinstance(a, list) and isinstance(b, list):
            if len(a) != len(b):
                return False
            if kind is UnorderedList or type(b) is UnorderedList:
                a, b = sorted(a, key=canonical), sorted(b, key=canonical)
            stack.extend(zip(a, b, strict=True))
        elif kind in _NUMBERS and type(b) in _NUMBERS:
            if a != b:
                return False
        else:
            return False
    return True


def freeze(value: Json, depth: int = 0) -> Hashable:
    """Return a hashable value that is equal for exactly the equal JSON values.

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
    """Return text that is the same for equal values: sorted names, one form for each number.

    >>> canonical({"b": 1.0, "a": [True, None]})
    '{"a":[true,null],"b":1}'
    """
    return "".join(_tokens(value))


def preview(value: object, limit: int = 80) -> str:
    """Return a short text of a value for people; long values are cut with an ellipsis."""
    if value is MISSING:
        return "nothing"
    if type(value) is not str or len(value) < limit:
        short = _short(value)
        if short is not None and len(short) <= limit:
            return short
    parts: list[str] = []
    size = 0
    for token in _tokens(value, limit + 2):  # type: ignore[arg-type]
        parts.append(token)
        size += len(token)
        if size > limit:
            break
    text = "".join(parts)
    if not text.isascii():
        text = text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _short(value: object) -> str | None:
    """The text of an ordinary atom, or None for what has to be written with care."""
    if isinstance(value, str):
        return encode_basestring(value) if value.isascii() else None
    if value is None or isinstance(value, bool | float):
        return _atom(value)
    return None if isinstance(value, dict | list) else _atom(value)


def _tokens(root: Json, text_limit: int | None = None) -> Iterator[str]:
    """Write a value as tokens, without recursion; text is cut at `text_limit` characters."""
    stack: list[tuple[str, Any]] = [("", root)]
    while stack:
        before, value = stack.pop()
        if before:
            yield before
        if value is MISSING:
            continue
        if isinstance(value, dict):
            yield "{"
            stack.append(("}", MISSING))
            names = sorted(value)[:text_limit]
            for index in range(len(names) - 1, -1, -1):
                comma = "," if index else ""
                stack.append((f"{comma}{encode_basestring(names[index])}:", value[names[index]]))
        elif isinstance(value, list):
            yield "["
            stack.append(("]", MISSING))
            items = sorted(value, key=canonical) if type(value) is UnorderedList else value
            for index in range(len(items[:text_limit]) - 1, -1, -1):
                stack.append(("," if index else "", items[index]))
        else:
            yield _atom(value, text_limit)


def _atom(value: Any, text_limit: int | None = None) -> str:
    if value is None:
        return "null"
    if isinstance(value, str):
        return encode_basestring(value if text_limit is None else value[:text_limit])
    if value is True:
        return "true"
    if value is False:
        return "false"
    return _number(value)


def _number(value: float | Decimal) -> str:
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "Infinity" if value > 0 else "-Infinity"
        if not value.is_integer():
            return repr(value)
        value = int(value)
    if isinstance(value, Decimal):
        sign, digits, exponent = value.as_tuple()
        text = "".join(map(str, digits)).rstrip("0") or "0"
        return f"{'-' * sign}{text}e{exponent + len(digits) - len(text)}"  # type: ignore[operator]
    if value.bit_length() > 3 * _MAX_DIGITS:
        return hex(value)
    return str(value)
