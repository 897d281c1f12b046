"""Values checked against a JSON Schema, in words for people.

The schemas are those that editors get (`schema`), so that both say the same of a file. The part of the
language that they use is checked here, with a table of keywords; beyond it:

1. A key may be in camelCase, as the schema has it, or in snake_case; `renamed` makes it camelCase.
2. The text of a misspelt key names the nearest, and the key it was meant for does not count as missing.
3. The `description` of a schema says what is asked for where the keyword does not (`const`, `required`).
"""

from __future__ import annotations

import json
import operator
import re
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.equality import preview
from fieldwise.evalsets.files.faults import close_to, meant
from fieldwise.evalsets.files.spelling import camel

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fieldwise._types import Path

    Faults = list[tuple[Path, str]]
    Schema = Mapping[str, Any]


def _is_whole(value: Any) -> bool:
    """JSON has one kind of number: 1.0 is 1."""
    return type(value) is int or (type(value) is float and value.is_integer())


_CLAUSE: Final = re.compile(r"[.;:](?: |$)")
_KINDS: Final[dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "string": ("text", lambda value: isinstance(value, str)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "integer": ("a whole number", _is_whole),
    "number": ("a number", lambda value: isinstance(value, int | float) and not isinstance(value, bool)),
    "object": ("an object", lambda value: isinstance(value, dict)),
    "array": ("a list", lambda value: isinstance(value, list)),
    "null": ("null", lambda value: value is None),
}


def check(value: Any, schema: Schema, path: Path = ()) -> Faults:
    """Return what is wrong with a value whose keys are in camelCase, each with its path.

    >>> check({"a": "1"}, {"type": "object", "properties": {"a": {"type": "number"}}})
    [(('a',), 'must be a number, got "1"')]
    """
    faults: Faults = []
    _check(value, schema, path, faults)
    return list(dict.fromkeys(faults)) if faults else faults


def renamed(value: Any, schema: Schema) -> tuple[Any, Faults]:
    """Return a value with the keys that the schema knows in camelCase, and those that are given twice.

    Where the schema wants a whole number, 1.0 becomes 1.

    >>> renamed({"a_b": 1.0}, {"properties": {"aB": {"type": "integer"}}})
    ({'aB': 1}, [])
    """
    faults: Faults = []
    return _renamed(value, schema, (), faults), faults


def _renamed(value: Any, schema: Schema, path: Path, faults: Faults) -> Any:
    if isinstance(value, list):
        first, rest = schema.get("prefixItems", ()), schema.get("items", {})
        inner = [*first, *[rest] * (len(value) - len(first))]
        return (
            [
                _renamed(one, inner[at], (*path, at), faults) if inner[at] else one
                for at, one in enumerate(value)
            ]
            if first or rest
            else _branch(value, schema, path, faults)
        )
    if not isinstance(value, dict):
        return int(value) if type(value) is float and _wants_whole(value, schema) else value
    if "properties" not in schema:
        others = schema.get("additionalProperties")
        if isinstance(others, dict):
            return {key: _renamed(one, others, (*path, key), faults) for key, one in value.items()}
        objects = [one for one in schema.get("anyOf", ()) if "properties" in one]
        return _renamed(value, objects[0], path, faults) if objects else value
    properties = schema["properties"]
    members: dict[str, Any] = {}
    for key, one in value.items():
        name = key if key in properties or camel(key) not in properties else camel(key)
        if name in members:
            faults.append(((*path, key), f"is given twice, also in its other spelling; keep {name!r}"))
        inner = properties.get(name)
        members[name] = _renamed(one, inner, (*path, key), faults) if inner else one
    return members


def _branch(value: list[Any], schema: Schema, path: Path, faults: Faults) -> Any:
    """A list as the first of several schemas has it that is of lists."""
    lists = (one for one in schema.get("anyOf", ()) if one.get("type") == "array")
    inner = next(lists, None)
    return value if inner is None else _renamed(value, inner, path, faults)


def _wants_whole(value: float, schema: Schema) -> bool:
    """Whether a schema, or one of several, is of whole numbers, and none of others."""
    kinds = {kind for one in (schema, *schema.get("anyOf", ())) for kind in _kinds(one)}
    return "integer" in kinds and "number" not in kinds and value.is_integer()


def _check(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    if not _fits(value, schema):
        what = " or ".join(_KINDS[kind][0] for kind in _kinds(schema))
        faults.append((path, f"must be {what}, got {preview(value)}{_fix(value, schema)}"))
        return
    for keyword in schema:
        rule = _RULES.get(keyword)
        if rule is not None:
            rule(value, schema, path, faults)


def _kinds(schema: Schema) -> list[str]:
    kinds = schema.get("type", [])
    return [kinds] if isinstance(kinds, str) else list(kinds)


def _fits(value: Any, schema: Schema) -> bool:
    """Whether a value is of a kind that a schema allows."""
    kinds = schema.get("type")
    if isinstance(kinds, str):
        return _KINDS[kinds][1](value)
    return kinds is None or any(_KINDS[kind][1](value) for kind in kinds)


def _fix(value: Any, schema: Schema) -> str:
    """How to write what was meant, where a slip is plain."""
    if schema.get("type") == "array" and isinstance(value, str):
        return f"; for one write [{preview(value)}]"
    if schema.get("type") == "boolean" and isinstance(value, str) and value.lower() in {"true", "false"}:
        return f"; write {value.lower()} without quotes"
    return _because(schema) if "pattern" in schema else ""


def _const(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    if not _same(value, schema["const"]):
        what = f"must be {json.dumps(schema['const'])}, got {_got(value)}{_because(schema)}"
        faults.append((path, what))


def _got(value: Any) -> str:
    """A value as it is written: 1.0 is not the number 1 where it should have been text."""
    return repr(value) if isinstance(value, float) else preview(value)


def _enum(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    allowed = schema["enum"]
    if not any(_same(value, one) for one in allowed):
        words = [one for one in allowed if isinstance(one, str)]
        close = close_to(value, words) if isinstance(value, str) else None
        hint = f"; did you mean {json.dumps(close)}?" if close else ""
        listed = ", ".join(map(json.dumps, allowed))
        faults.append((path, f"must be one of {listed}, got {_got(value)}{hint}"))


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _not(_: Any, schema: Schema, path: Path, faults: Faults) -> None:
    faults.append((path, str(schema["description"])))


def _because(schema: Schema) -> str:
    return f"; {schema['description']}" if "description" in schema else ""


def _any_of(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    """None of several: what is wrong by the first that has the kind of the value, else what they are."""
    branches = schema["anyOf"]
    near: Faults = []
    for one in branches:
        tried = check(value, one, path)
        if not tried:
            return
        near = near or (tried if _fits(value, one) else [])
    words = " or ".join(dict.fromkeys(_KINDS[kind][0] for one in branches for kind in _kinds(one)))
    faults += near or [(path, f"must be {words}, got {preview(value)}")]


def _properties(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    if not isinstance(value, dict):
        return
    known, closed = schema["properties"], schema.get("additionalProperties") is False
    taken = set()
    for key, one in value.items():
        inner = known.get(key)
        if inner:
            _check(one, inner, (*path, key), faults)
        elif inner is None and closed:
            taken.add(close_to(key, known))
            faults.append(((*path, key), f"there is no such key; {meant(key, _useful(known), 'keys')}"))
    for key in schema.get("required", ()):
        if key not in value and key not in taken:
            said = _CLAUSE.split(known[key].get("description", ""))[0]
            faults.append((path, f"needs {key!r}: {said}" if said else f"needs {key!r}"))


def _useful(known: Mapping[str, Schema]) -> list[str]:
    """The keys that are worth naming: not those that are known in order to be refused."""
    return [key for key, schema in known.items() if "not" not in schema]


def _additional(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    others = schema["additionalProperties"]
    if isinstance(value, dict) and isinstance(others, dict):
        known = schema.get("properties", ())
        for key, one in value.items():
            if key not in known:
                _check(one, others, (*path, key), faults)


def _items(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    first = schema.get("prefixItems", ())
    if isinstance(value, list):
        for at, one in enumerate(value):
            _check(one, first[at] if at < len(first) else schema.get("items", {}), (*path, at), faults)


def _length(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    if isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        if not least <= len(value) <= most:
            many = f"{least} elements" if least == most else f"{least} elements or more"
            faults.append((path, f"must have {many}, got {preview(value)}{_because(schema)}"))


def _pattern(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    if isinstance(value, str) and not value.strip():
        faults.append((path, f"must not be blank{_because(schema)}"))


def _bounds(value: Any, schema: Schema, path: Path, faults: Faults) -> None:
    if not _KINDS["number"][1](value):
        return
    bounds = [(*_BOUNDS[word], schema[word]) for word in _BOUNDS if word in schema]
    if not all(within(value, bound) for _, within, bound in bounds):
        told = " and ".join(f"{words} {bound:g}" for words, _, bound in bounds)
        faults.append((path, f"must be {told}, got {preview(value)}"))


_BOUNDS: Final[dict[str, tuple[str, Callable[[Any, Any], bool]]]] = {
    "minimum": ("at least", operator.ge),
    "exclusiveMinimum": ("above", operator.gt),
    "maximum": ("at most", operator.le),
}
BLANK: Final = r"\S"
"""The one `pattern` there is: text that is not blank."""

_RULES: Final[dict[str, Callable[[Any, Schema, Path, Faults], None]]] = {
    "not": _not,
    "const": _const,
    "enum": _enum,
    "anyOf": _any_of,
    "properties": _properties,
    "additionalProperties": _additional,
    "prefixItems": _items,
    "items": _items,
    "minItems": _length,
    "pattern": _pattern,
    "minimum": _bounds,
    "exclusiveMinimum": _bounds,
}
"""Each rule once for a schema, by the keyword that it cannot do without."""
