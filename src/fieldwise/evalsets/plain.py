"""Any value as JSON that every parser reads, for files of results.

Evaluators get what an agent answered as it is; a file gets this. JSON knows no NaN and no infinity: they are
written as text. What has no JSON form is shown, as Python shows it, in one line.
"""

from __future__ import annotations

import json
from decimal import Decimal
from math import isfinite
from typing import Any, Final

from fieldwise.core._say import shown
from fieldwise.core.values import to_json

_SHOWN: Final = 1_000


def plain(value: Any) -> Any:
    """Return a value as JSON.

    >>> plain({"n": float("nan"), "who": ("Ada", None)}), plain(len)
    ({'n': 'nan', 'who': ['Ada', None]}, '<built-in function len>')
    """
    try:
        converted = to_json(value)
        json.dumps(converted, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return _mended(value)
    return converted


def line_of(value: Any) -> bytes:
    r"""Return a value of JSON as one line of UTF-8; half of a surrogate pair keeps it ASCII.

    >>> line_of({"a": "é"})
    b'{"a": "\xc3\xa9"}\n'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value, allow_nan=False).encode("ascii") + b"\n"


def _mended(value: Any) -> Any:
    """Numbers that JSON lacks as text; if that does not help, the whole value as text."""
    try:
        converted = to_json(value)
        text = json.dumps(converted, default=_number)
        found = json.loads(text, parse_constant=lambda name: name.lower().replace("infinity", "inf"))
        json.dumps(found, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return shown(value, _SHOWN)
    return found


def _number(value: Any) -> Any:
    if not isinstance(value, Decimal):
        raise TypeError(f"{type(value).__name__} has no JSON form")
    number = float(value)
    return number if isfinite(number) and Decimal(repr(number)) == value else str(value)
