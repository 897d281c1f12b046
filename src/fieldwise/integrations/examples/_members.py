"""What the examples of other products hold, known by their attributes; and what of it is JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.values import Unconvertible
from fieldwise.errors import InputError
from fieldwise.example import CAMEL


def members(value: Any, what: str, place: str = "", also: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the members of a mapping or an object by name, those that are None left out.

    An object has them in its fields (pydantic, dataclasses), in its `__dict__`, or in those named `also`.

    Raises:
        InputError: for what has no members: it is not `what`.
    """
    if isinstance(value, Mapping):
        found = dict(value)
    else:
        kind = type(value)
        declared = getattr(kind, "model_fields", None) or getattr(kind, "__dataclass_fields__", None)
        names = list(declared or getattr(value, "__dict__", None) or ())
        found = {name: getattr(value, name, None) for name in names if not name.startswith("_")}
        for name in also:
            held = getattr(value, name, None)
            found |= held if isinstance(held, Mapping) else {}
        found = {name: one for name, one in found.items() if one is not None}
        if not found and not names:
            raise InputError(f"{place}{shown(value)} is not {what}, nor a mapping with its fields")
    return {CAMEL.get(str(name), str(name)): one for name, one in found.items() if one is not None}


def as_json(place: str, value: Any) -> Any:
    """Return a value as JSON.

    Raises:
        InputError: for what has no JSON form, with its place.
    """
    try:
        return to_json(value)
    except Unconvertible as error:
        raise InputError(f"{place}: {error}") from None
