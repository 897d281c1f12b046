"""Arguments and results as the text of span attributes.

Text stays as it is, `text/plain`; everything else is JSON, `application/json`. What has no JSON form is
shown as text. Text longer than `LIMIT` is cut and the attribute `….truncated` says so.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown, utf8

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT: Final = 100_000
"""The most characters of an input or an output."""
_SHOWN: Final = 1_000
_OWNERS: Final = ("self", "cls")
_PLAIN: Final = (str, bool, int, float)


def described(side: str, value: Any) -> dict[str, Any]:
    """Return the attributes of an input or an output.

    >>> described("output", {"n": 1})
    {'output.value': '{"n": 1}', 'output.mime_type': 'application/json'}
    """
    if isinstance(value, str):
        text, kind = utf8(value[: LIMIT + 1]), "text/plain"
    else:
        text, kind = as_json(value), "application/json"
    found: dict[str, Any] = {f"{side}.value": text[:LIMIT], f"{side}.mime_type": kind}
    if len(text) > LIMIT:
        found[f"{side}.truncated"] = True
    return found


def as_json(value: Any) -> str:
    """Return a value as JSON; members that have no JSON form are shown as text.

    >>> as_json({"x": 1, "y": len})
    '{"x": 1, "y": "<built-in function len>"}'
    """
    try:
        return utf8(json.dumps(to_json(value), ensure_ascii=False, default=str))
    except Exception:  # noqa: BLE001 - a value of somebody's own class may raise anything
        if isinstance(value, Mapping):
            parts = (f"{json.dumps(str(key))}: {_member(one)}" for key, one in value.items())
            return f"{{{', '.join(parts)}}}"
        return _member(value)


def _member(value: Any) -> str:
    try:
        return utf8(json.dumps(to_json(value), ensure_ascii=False, default=str))
    except Exception:  # noqa: BLE001 - as above
        return json.dumps(shown(value, _SHOWN))


def attribute(value: Any) -> Any:
    """Return a value as OpenTelemetry takes one: text, a number, a bool, or JSON."""
    return utf8(value) if isinstance(value, str) else value if type(value) in _PLAIN else as_json(value)


def signature_of(function: Callable[..., Any]) -> inspect.Signature | None:
    """Return the signature, or None where there is none to see."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def arguments(signature: inspect.Signature | None, args: tuple[Any, ...], kwargs: Any) -> dict[str, Any]:
    """Return what a function was called with, by name, defaults and the object of a method left out.

    >>> arguments(inspect.signature(lambda self, a, *more, **named: None), ("me", 1, 2), {"b": 3})
    {'a': 1, 'more': [2], 'b': 3}
    """
    if signature is None:
        return {**({"args": list(args)} if args else {}), **kwargs}
    found: dict[str, Any] = {}
    for at, (name, value) in enumerate(signature.bind(*args, **kwargs).arguments.items()):
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            found.update(value)
        elif kind is inspect.Parameter.VAR_POSITIONAL:
            found[name] = list(value)
        elif at or name not in _OWNERS:
            found[name] = value
    return found
