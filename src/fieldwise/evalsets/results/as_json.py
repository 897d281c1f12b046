"""Any value as JSON that every parser reads, for files of results.

Evaluators get what an agent answered as it is; a file gets this. JSON knows no NaN and no infinity: they are
written as text. What has no JSON form is shown, as Python shows it, in one line.
"""

from __future__ import annotations

import json
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.values import Unconvertible

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHOWN: Final = 1_000
_STRICT: Final = json.JSONEncoder(allow_nan=False)
_NO_JSON: Final = (TypeError, ValueError, RecursionError)
"""What encoding raises for what every parser would not read."""


def as_json(value: Any) -> Any:
    """Return a value as JSON.

    >>> as_json({"n": float("nan"), "who": ("Ada", None)}), as_json(len)
    ({'n': 'nan', 'who': ['Ada', None]}, '<built-in function len>')
    """
    try:
        converted = to_json(value)
    except Unconvertible:
        return shown(value, _SHOWN)
    try:
        _STRICT.encode(converted)
    except _NO_JSON:
        return _mended(converted, value)
    return converted


def each_as_json(values: Sequence[Any]) -> list[Any]:
    """Return every value as JSON: looked at together, which is quicker, and one by one where that fails.

    >>> each_as_json([(1, 2), len, {"a": 1}])
    [[1, 2], '<built-in function len>', {'a': 1}]
    """
    try:
        converted: list[Any] = to_json(list(values))  # type: ignore[assignment]
        _STRICT.encode(converted)
    except _NO_JSON:  # Unconvertible is one of them
        return [as_json(value) for value in values]
    return converted


def json_line(value: Any) -> bytes:
    r"""Return a value of JSON as one line of UTF-8; half of a surrogate pair keeps it ASCII.

    >>> json_line({"a": "é"})
    b'{"a": "\xc3\xa9"}\n'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False).encode("ascii") + b"\n"


def _mended(converted: Any, value: Any) -> Any:
    """Numbers that JSON lacks as text; if that does not help, the whole value as text."""
    try:
        text = json.dumps(converted, default=_number)
        found = json.loads(text, parse_constant=lambda name: name.lower().replace("infinity", "inf"))
        _STRICT.encode(found)
    except _NO_JSON:
        return shown(value, _SHOWN)
    return found


def _number(value: Any) -> Any:
    if not isinstance(value, Decimal):
        raise TypeError(f"{type(value).__name__} has no JSON form")
    number = float(value)
    return number if isfinite(number) and Decimal(repr(number)) == value else str(value)
