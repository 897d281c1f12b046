"""`output_schema` of `llm_as_judge`: which members a reply has, which of them are scores, and which explain.

A schema is an object's: a TypedDict, a pydantic model, a JSON schema or OpenAI's form of one. Members that
are numbers or booleans are scores, a result each. Text explains: a member whose name begins with that of a
score explains that one, any other text those scores that have none of their own.

What the model is shown is closed: every object without further members, every member required, as strict
structured output wants it. What it replies is checked member by member by the schema as given.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, said, shown
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError
from fieldwise.scorers.json_schema import BadSchema, check_schema

_SCORES: Final = frozenset({"number", "integer", "boolean"})
_SHARED: Final = ("$schema", "$defs", "definitions")
_OF_SCHEMAS: Final = ("properties", "$defs", "definitions")
_OF_LISTS: Final = ("anyOf", "oneOf", "prefixItems")
_MOST_STEPS: Final = 50


@dataclass(frozen=True, slots=True)
class OutputSchema:
    """A checked schema.

    Attributes:
        shown: what the model is shown, JSON text.
        check: what its members are checked by, JSON text.
        members: their names, in order.
        scores: the names of those that are scores, and what each has to reach to have passed.
    """

    shown: str
    check: str
    members: tuple[str, ...]
    scores: Mapping[str, float]

    def comment(self, score: str, texts: Mapping[str, str]) -> str | None:
        """Return what explains a score.

        >>> schema = OutputSchema("", "", ("tone", "facts"), {"tone": 1, "facts": 1})
        >>> schema.comment("tone", {"tone_reason": "Curt.", "overall": "Fine."})
        'Curt.'
        """
        own = {name: text for name, text in texts.items() if self._of(name) == score}
        told = own or {name: text for name, text in texts.items() if self._of(name) is None}
        if len(told) < 2:  # noqa: PLR2004 - a text alone needs no name
            return next(iter(told.values()), None)
        return "; ".join(f"{name}: {text}" for name, text in told.items())

    def _of(self, text: str) -> str | None:
        """The score that a text explains by its name; of several the one with the longest name."""
        return max((one for one in self.scores if text.startswith(f"{one}_")), key=len, default=None)


def output_schema(given: Any) -> OutputSchema:
    """Read an `output_schema`.

    Raises:
        ConfigError: for what is no schema of an object with members.
    """
    try:
        schema = _as_schema(given)
        check_schema(schema)
    except (BadSchema, Unconvertible) as error:
        raise ConfigError(f"output_schema: {error}") from None
    top: Any = _followed(schema, schema)
    members = top.get("properties") if isinstance(top, Mapping) else None
    if not isinstance(members, dict) or not members:
        raise ConfigError(
            f"output_schema={shown(given)}: must be the schema of an object with members, "
            "{'properties': {'score': {'type': 'boolean'}}}"
        )
    shared: dict[str, Any] = {name: schema[name] for name in _SHARED if name in schema}
    scores = {
        name: _bar(_followed(member, schema))
        for name, member in members.items()
        if _SCORES >= (_kinds(member, schema) - {"null"}) > set()
    }
    whole: dict[str, Any] = {"title": "verdict", **shared, **top}
    told = _closed(whole)
    check = {**shared, "properties": members}
    return OutputSchema(json.dumps(told), json.dumps(check), tuple(members), scores)


def _bar(member: Any) -> float:
    most = member.get("maximum", 1) if isinstance(member, Mapping) else 1
    return float(most)


# --------------------------------------------------------------------------------------------- reading


def _as_schema(given: Any) -> dict[str, Any]:
    if isinstance(given, Mapping):
        inner = given.get("json_schema", given)
        if isinstance(inner, Mapping) and isinstance(inner.get("schema"), Mapping):  # OpenAI's form
            given = inner["schema"]
        found = to_json(given)
    elif isinstance(given, type) or hasattr(given, "__origin__"):
        found = _of_type(given)
    else:
        found = None
    if isinstance(found, dict):
        return found
    raise BadSchema(f"{shown(given)} is no schema: give a JSON schema, a TypedDict or a pydantic model")


def _of_type(given: Any) -> Any:
    from pydantic import TypeAdapter

    try:
        return TypeAdapter(_as_pydantic_has_it(given)).json_schema()
    except Exception as error:
        raise BadSchema(f"{shown(given)} has no JSON schema: {said(error)}") from error


def _as_pydantic_has_it(given: Any) -> Any:
    """A TypedDict of `typing` as one of `typing_extensions`; before Python 3.12 it tells too little."""
    import typing_extensions as later

    if not later.is_typeddict(given) or type(given).__module__ == "typing_extensions":
        return given
    hints = later.get_type_hints(given, include_extras=True)
    optional = given.__optional_keys__
    fields = {name: later.NotRequired[hint] if name in optional else hint for name, hint in hints.items()}
    make: Any = later.TypedDict
    return make(given.__name__, fields)


def _followed(schema: Any, root: Mapping[str, Any]) -> Any:
    """A schema with the reference it consists of followed inside its document."""
    for _ in range(_MOST_STEPS):
        ref = schema.get("$ref") if isinstance(schema, Mapping) else None
        if not isinstance(ref, str):
            break
        schema = _at(root, ref)
    return schema


def _at(root: Mapping[str, Any], ref: str) -> Any:
    from fieldwise.core.select import compile_path

    found = compile_path(ref).find(dict(root)) if ref.startswith("#") else []
    return found[0].value if found else None


def _kinds(schema: Any, root: Mapping[str, Any]) -> set[str]:
    """The JSON types that a schema allows, as far as it says."""
    kinds: set[str] = set()
    stack = [schema]
    for _ in range(_MOST_STEPS):
        if not stack:
            return kinds
        one = _followed(stack.pop(), root)
        if not isinstance(one, Mapping):
            return {"anything"}
        choices = one.get("anyOf", one.get("oneOf"))
        if isinstance(choices, list):
            stack += choices
        elif "enum" in one or "const" in one:
            kinds |= {_kind(value) for value in one.get("enum", [one.get("const")])}
        else:
            kind = one.get("type", "anything")
            kinds |= {kind} if isinstance(kind, str) else set(kind)
    return {"anything"}


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if value is None:
        return "null"
    return "number" if isinstance(value, int | float) else "string" if isinstance(value, str) else "anything"


def _closed(schema: Any) -> Any:
    """A copy whose objects have no further members, and all of theirs required."""
    if not isinstance(schema, Mapping):
        return schema
    found = {name: part for name, part in schema.items() if name != "default"}
    for name in _OF_SCHEMAS:
        if isinstance(found.get(name), Mapping):
            found[name] = {key: _closed(part) for key, part in found[name].items()}
    for name in _OF_LISTS:
        if isinstance(found.get(name), Sequence):
            found[name] = [_closed(part) for part in found[name]]
    if "items" in found:
        found["items"] = _closed(found["items"])
    if isinstance(found.get("properties"), Mapping):
        found["required"] = list(found["properties"])
        found.setdefault("additionalProperties", False)
    return found


def plain(value: Any) -> Any:
    """Return a value if it can be written as JSON, else a line about it.

    >>> plain({"a": [1]}), plain(float("nan"))
    ({'a': [1]}, 'nan')
    """
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return one_line(shown(value))
    return value
