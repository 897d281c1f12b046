"""Documents changed before they are compared: `rebuilt`, and two optional readings of both sides.

- `coerce`: text that is a JSON number, `true`, `false` or `null` is that value, and a boolean is 1 or 0.
- `null_policy="empty_equals_null"`: `""`, `[]` and `{}` are null below the records. An empty document or
  record has nothing to compare, so it is null only beside another kind of nothing: see `settle`.
- `null_policy="null_equals_missing"`: members that are null are dropped below the records, where the
  walk compares them as missing.

A record is the document, or an object in a document that is a list.

With the defaults a document is returned as it is. The caller's objects are never changed, and nothing
recurses.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.equality import arrange
from fieldwise.core.values import UnorderedList, number

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json, NullPolicy

_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,3})?", re.ASCII)
_WORDS: Final[dict[str, Json]] = {"true": 1, "false": 0, "null": None}
_LONGEST: Final = 700


def rebuilt(document: Json, change: Callable[[Any, int], Any]) -> Json:
    """Return a copy of a document with `change(value, depth)` in place of each value, the outermost first.

    >>> rebuilt({"a": [1, 2]}, lambda value, depth: value * 10 if depth == 2 else value)
    {'a': [10, 20]}
    """
    holder: list[Any] = [document]
    stack: list[tuple[Any, Any, int]] = [(holder, 0, 0)]
    sets: list[UnorderedList] = []
    while stack:
        into, at, depth = stack.pop()
        value = change(into[at], depth)
        kind = type(value)
        if kind is dict:
            value = value.copy()
            stack += [(value, name, depth + 1) for name in value]
        elif kind is list or kind is UnorderedList:
            value = kind(value)
            stack += [(value, index, depth + 1) for index in range(len(value))]
            if isinstance(value, UnorderedList):
                sets.append(value)
        into[at] = value
    for one in reversed(sets):  # those inside others come first
        arrange(one)
    return holder[0]  # type: ignore[no-any-return]


def normalise(document: Json, *, coerce: bool = False, null_policy: NullPolicy = "distinct") -> Json:
    """Return the document as the two options read it.

    >>> normalise({"n": "12.50", "ok": True, "id": "007"}, coerce=True)
    {'n': 12.5, 'ok': 1, 'id': '007'}
    """
    if not coerce and null_policy == "distinct":
        return document
    empty_is_null, drops = null_policy == "empty_equals_null", null_policy == "null_equals_missing"
    top = 1 if isinstance(document, list) else 0

    def change(value: Any, depth: int) -> Any:
        if coerce:
            value = _coerced(value)
        if empty_is_null and _is_nothing(value) and depth > (top if isinstance(value, dict) else 0):
            return None
        if drops and depth > top and isinstance(value, dict):
            return {name: item for name, item in value.items() if not _is_null(item, coerce=coerce)}
        return value

    return rebuilt(document, change)


def settle(left: Json, right: Json) -> tuple[Json, Json]:
    """Return two documents with their empty records as `empty_equals_null` has them: null beside null.

    >>> settle({}, None), settle({}, {"a": 1}), settle([{}], [None])
    ((None, None), ({}, {'a': 1}), ([None], [None]))
    """
    if type(left) is not type(right) and _is_nothing(left) and _is_nothing(right):
        return None, None
    if isinstance(left, list) and isinstance(right, list) and (None in left or None in right):
        return _without_empty(left), _without_empty(right)
    return left, right


def _is_null(value: Any, *, coerce: bool) -> bool:
    return (_coerced(value) if coerce and isinstance(value, str) else value) is None


def _without_empty(records: list[Json]) -> list[Json]:
    return [None if isinstance(one, dict) and not one else one for one in records]


def _is_nothing(value: Any) -> bool:
    return value is None or (isinstance(value, str | list | dict) and not value)


def _coerced(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, str) or len(value) > _LONGEST:
        return value
    text = value.strip()
    if text in _WORDS:
        return _WORDS[text]
    found = _NUMBER.fullmatch(text)
    if not found:
        return value
    if found[1] is None and found[2] is None:
        return int(text)
    nearest = float(text)
    return nearest if nearest and math.isfinite(nearest) else number(Decimal(text))
