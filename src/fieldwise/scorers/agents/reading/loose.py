"""Fields of objects that may be anything: a framework's class, its dump, one of many spellings, a trap.

Nothing here raises. A field that is not there, that is None or that refuses to be read is None; an
attribute that has no JSON form is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.equality import canonical

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def field(holder: Any, *names: str) -> Any:
    """Return the first of the named fields that is not None, of an object or a mapping.

    >>> field({"parentSpanId": "a"}, "parent_id", "parentSpanId")
    'a'
    """
    for name in names:
        try:
            found = holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
        except Exception:  # noqa: BLE001 - an object that refuses to be asked has no such field
            found = None
        if found is not None:
            return found
    return None


def has(holder: Any, name: str) -> bool:
    """Whether an object or a mapping has a field, whatever it holds.

    >>> has({"attributes": None}, "attributes"), has(3, "attributes")
    (True, False)
    """
    try:
        return name in holder if isinstance(holder, Mapping) else hasattr(holder, name)
    except Exception:  # noqa: BLE001 - as above
        return False


def items(value: Any) -> list[Any]:
    """Return the elements of a list or tuple; of anything else, none."""
    try:
        return list(value) if isinstance(value, list | tuple) else []
    except Exception:  # noqa: BLE001 - as above
        return []


def text(value: Any) -> str | None:
    """Return what identifies something as text: an integer in digits, a UUID as it is written; else None.

    >>> text(0), text(""), text(None), text([])
    ('0', '', None, None)
    """
    try:
        plain = to_json(value)
    except Exception:  # noqa: BLE001 - as above
        return None
    if isinstance(plain, bool):
        return None
    if isinstance(plain, int):
        return canonical(plain)
    return plain if isinstance(plain, str) else None


def unwrapped(value: Any) -> Any:
    """Return what is in LangSmith's wrapper, a sole key `output`, or a value that is in none itself.

    >>> unwrapped({"output": 3}), unwrapped({"output": 3, "n": 1})
    (3, {'output': 3, 'n': 1})
    """
    try:
        return value["output"] if isinstance(value, Mapping) and value.keys() == {"output"} else value
    except Exception:  # noqa: BLE001 - as above
        return value


def is_mapping(value: Any) -> bool:
    """Whether a value is a mapping, by its class and not by what it says of that."""
    return issubclass(type(value), Mapping)


def as_text(value: Any) -> str | None:
    """Return a text as a plain one, whatever its class; None for anything else.

    >>> as_text("a"), as_text(3)
    ('a', None)
    """
    return str.__str__(value) if issubclass(type(value), str) else None


def attributes(value: Any) -> dict[str, Any]:
    """Return attributes as a dict of JSON values: a mapping, or OTLP's list of keys and tagged values.

    >>> attributes([{"key": "n", "value": {"intValue": "3"}}])
    {'n': 3}
    """
    found: dict[str, Any] = {}
    try:
        pairs = list(value.items()) if isinstance(value, Mapping) else _tagged_pairs(value)
    except Exception:  # noqa: BLE001 - as above
        return found
    for name, one in pairs:
        try:
            found[str.__str__(name)] = to_json(one)
        except Exception:  # noqa: BLE001, S112 - it has no JSON form
            continue
    return found


def _tagged_pairs(value: Any) -> list[tuple[Any, Any]]:
    return [
        (field(pair, "key"), _untagged(field(pair, "value"), 0)) for pair in items(value) if has(pair, "key")
    ]


def _untagged(value: Any, depth: int) -> Any:
    """The value that OTLP's JSON tags with its type."""
    if not isinstance(value, dict) or len(value) != 1 or depth > _DEEPEST:
        return value
    ((tag, inner),) = value.items()
    if tag == "intValue":
        return _integer(inner)
    if tag == "arrayValue":
        return [_untagged(one, depth + 1) for one in items(field(inner, "values"))]
    if tag == "kvlistValue":
        pairs = items(field(inner, "values"))
        return {field(pair, "key"): _untagged(field(pair, "value"), depth + 1) for pair in pairs}
    return inner if tag in {"stringValue", "boolValue", "doubleValue", "bytesValue"} else value


def _integer(written: Any) -> Any:
    """The integer that OTLP's JSON writes as text; what is none as it is, for it spoils nothing beside it."""
    try:
        return int(written)
    except (ValueError, TypeError, OverflowError):
        return written


_DEEPEST: Final = 32


def nanoseconds(value: Any) -> int | None:
    """Return a time since 1970 in nanoseconds: a number is that already; a date without a zone is in UTC.

    >>> nanoseconds("1970-01-01T00:00:01Z"), nanoseconds("5"), nanoseconds("soon")
    (1000000000, 5, None)
    """
    try:
        if isinstance(value, str):
            value = int(value) if value.isdecimal() else datetime.fromisoformat(value)
        if isinstance(value, datetime):
            aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
            return (aware - _EPOCH) // timedelta(microseconds=1) * 1_000
        return None if isinstance(value, bool) or not isinstance(value, int | float) else int(value)
    except Exception:  # noqa: BLE001 - as above
        return None


def decoded(value: Any) -> Any:
    """Return what a JSON text says; any other value, and text that is no JSON, as it is.

    >>> decoded('{"a": 1}'), decoded("Paris")
    ({'a': 1}, 'Paris')
    """
    written = as_text(value)
    if written is None:
        return value
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written
