"""Two optional readings of a document, applied to both sides before anything is compared.

- `coerce`: text that is a JSON number, `true`, `false` or `null` is that value, and a boolean is 1 or 0.
- `null_policy="empty_equals_null"`: `""`, `[]` and `{}` are null.
- `null_policy="null_equals_missing"`: members that are null are dropped below the top, where the walk
  compares them as missing.

With the defaults a document is returned as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from fieldwise._types import Json, NullPolicy

_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?([eE][+-]?[0-9]{1,3})?", re.ASCII)
_WORDS: Final[dict[str, Json]] = {"true": 1, "false": 0, "null": None}


def normalise(document: Json, *, coerce: bool = False, null_policy: NullPolicy = "distinct") -> Json:
    """Return the document as the two options read it.

    >>> normalise({"n": "12.50", "ok": True, "id": "007"}, coerce=True)
    {'n': 12.5, 'ok': 1, 'id': '007'}
    """
    if not coerce and null_policy == "distinct":
        return document
    holder: list[Any] = [document]
    stack: list[tuple[Any, Any, int]] = [(holder, 0, 0)]
    while stack:
        parent, key, depth = stack.pop()
        value = _read(parent[key], coerce=coerce, empty_is_null=null_policy == "empty_equals_null")
        if isinstance(value, dict):
            drop = null_policy == "null_equals_missing" and depth > 0
            value = {name: item for name, item in value.items() if not (drop and item is None)}
            stack.extend((value, name, depth + 1) for name in value)
        elif isinstance(value, list):
            value = type(value)(value)
            stack.extend((value, index, depth) for index in range(len(value)))
        parent[key] = value
    return holder[0]  # type: ignore[no-any-return]


def _read(value: Any, *, coerce: bool, empty_is_null: bool) -> Any:
    if empty_is_null and value in ("", [], {}):
        return None
    if not coerce:
        return value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str):
        return _coerced(value.strip(), value)
    return value


def _coerced(text: str, original: str) -> Json:
    if text in _WORDS:
        return _WORDS[text]
    found = _NUMBER.fullmatch(text)
    if not found:
        return original
    return int(text) if found[1] is None and found[2] is None else float(text)
