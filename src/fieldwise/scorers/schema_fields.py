"""A list of fields read off a pydantic model or a JSON Schema.

| in the schema | becomes |
|---|---|
| object with properties | a field for each: `address.city` |
| array of objects | a field over many places for each: `items[*].sku` |
| object of like values (`additionalProperties`) | a field over its members: `prices[*]` |
| array of anything else, `anyOf` of several types, anything without a type | one field, compared whole |
| `type` and `format` of a leaf | its comparator, see `FORMATS` and `TYPES`; else JSON equality |
| null beside another type | that type |

What is said about a place beats what its type says: `"x-fieldwise": {"comparator": …, "weight": …, …}` in
the schema, a `Field` without path as an annotation of a pydantic model, and before both `overrides`. A
place of which something is said is one field, whatever is in it.

`$ref` is followed inside the schema. One that leads into itself is refused, unless an override says what
the place is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from fieldwise.core.display import nearest, one_line, shown
from fieldwise.core.select import MAX_STEPS, WILD, field_name
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.field import ANNOTATION, SHOWING, Field

if TYPE_CHECKING:
    from fieldwise.core.select import PathStep

FORMATS: Final[dict[str, str]] = {
    "date": "date",
    "date-time": "datetime",
    "duration": "duration",
    "uri": "url",
}
"""Format of a text to comparator."""

TYPES: Final[dict[str, str]] = {"number": "number"}
"""Type of a leaf to comparator; all others compare by JSON equality."""

_KEYWORDS: Final = frozenset(
    """
    $ref type properties additionalProperties patternProperties required items prefixItems enum const
    anyOf oneOf allOf not if format title description x-fieldwise
    """.split()  # noqa: SIM905 - a list of so many would take a page
)
"""What a schema of fields has one of."""
_GIVE: Final = "pass a pydantic model's class or a JSON Schema as a mapping"
_NO_SCHEMA: Final = "it is no JSON Schema, none of its keys says anything; write {'properties': {…}}"

MAX_FIELDS: Final = 1_000

_SETTINGS: Final = tuple(one.name for one in fields(Field) if one.name != "path")
_CHOICES: Final = ("anyOf", "oneOf")
_FOLLOWED: Final = frozenset({"$ref", "allOf", *_CHOICES})


@dataclass(frozen=True, slots=True)
class _Place:
    """A place of the schema: its steps, what is said about it, and the references on the way."""

    steps: tuple[PathStep, ...]
    schema: Any
    refs: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return field_name(self.steps)

    def down(self, step: PathStep, schema: Any) -> _Place:
        return _Place((*self.steps, step), schema, self.refs)


def fields_from_schema(
    model_or_schema: Any, overrides: Mapping[str, Field | str | None] | None = None
) -> list[Field]:
    """Return the fields that a pydantic model or a JSON Schema has, in its order.

    Args:
        model_or_schema: a pydantic model, a dataclass or TypedDict that pydantic understands, or a JSON
            Schema as a mapping.
        overrides: path, as the fields are named, to what the place is: a `Field` (its path does not count,
            and the comparator it leaves out is that of the type), the name of a comparator, or None for no
            field.

    Raises:
        ConfigError: for what is no schema; a reference that leads nowhere, out of the schema or into
            itself; an annotation with unknown names; an override of a path that is not there.

    >>> schema = {"properties": {"id": {"type": "string"}, "due": {"type": "string", "format": "date"}}}
    >>> [(one.path, one.comparator) for one in fields_from_schema(schema)]
    [('id', None), ('due', 'date')]
    """
    root = _schema_of(model_or_schema)
    chosen = _checked(overrides)
    found: list[Field] = []
    names: list[str] = []
    stack = [_Place((), root, ("#",))]
    while stack:
        place = _resolved(stack.pop(), root, chosen)
        names.append(place.path)
        said = chosen[place.path] if place.path in chosen else _annotation(place)
        below = _below(place, root) if said is None else []
        if below:
            stack.extend(reversed(below))
        elif said is not False:
            found.append(_filled(place, said or Field()))
        if len(found) > MAX_FIELDS or len(place.steps) > MAX_STEPS:
            raise ConfigError(f"fields_from_schema: over {MAX_FIELDS} fields, or deeper than {MAX_STEPS}")
    for path in chosen:
        if path not in names:
            close = nearest(path, names)
            hint = f"; did you mean {close!r}?" if close else ""
            raise ConfigError(f"overrides[{shown(path)}]: the schema has no such place{hint}")
    if not found:
        raise ConfigError("fields_from_schema: the schema has no fields; name them, fields=['a', 'b.c']")
    return found


def _filled(place: _Place, said: Field) -> Field:
    """A field of a place, with what it leaves out as the type has it."""
    typed = _by_type(place)
    judged = said.rubric is not None or said.comparator is not None
    return replace(
        said,
        path=place.path,
        comparator=said.comparator if judged else typed.comparator,
        list_match_mode=said.list_match_mode or typed.list_match_mode,
    )


# ------------------------------------------------------------------------------------------- reading


def _schema_of(given: Any) -> Mapping[str, Any]:
    if isinstance(given, Mapping):
        if given and not given.keys() & _KEYWORDS:
            raise ConfigError(f"fields_from_schema({shown(given)}): {_NO_SCHEMA}")
        return given
    if given is dict or given is Mapping:
        raise ConfigError(f"fields_from_schema({shown(given)}): it names no fields; {_GIVE}")
    if not isinstance(given, type) and not hasattr(given, "__origin__"):
        raise ConfigError(f"fields_from_schema({shown(given)}): {_GIVE}")
    from pydantic import TypeAdapter
    from pydantic.errors import PydanticUserError

    token = SHOWING.set(True)
    try:
        schema: Mapping[str, Any] = TypeAdapter(given).json_schema()
    except PydanticUserError as error:
        raise ConfigError(f"fields_from_schema({shown(given)}): {one_line(error.message)}") from None
    finally:
        SHOWING.reset(token)
    return schema


def _checked(overrides: Any) -> dict[str, Field | Literal[False]]:
    """The overrides as annotations say them: a Field, or False for no field."""
    found: dict[str, Field | Literal[False]] = {}
    for path, said in options.mapping("overrides", overrides).items():
        if said is not None and not isinstance(said, Field | str):
            raise ConfigError(
                f"overrides[{shown(path)}]={shown(said)}: must be a Field, a comparator or None"
            )
        found[path] = Field(comparator=said) if isinstance(said, str) else said or False
    return found


def _resolved(place: _Place, root: Mapping[str, Any], chosen: Mapping[str, Any]) -> _Place:
    """The place with its references followed, what stands beside them kept, and null left out."""
    while isinstance(place.schema, Mapping):
        schema = place.schema
        one = _only(schema)
        if "$ref" in schema:
            ref = schema["$ref"]
            if ref in place.refs:
                if place.path in chosen:
                    return place
                raise ConfigError(
                    f"fields_from_schema: {shown(ref)} leads into itself at {place.path!r}; say what that "
                    f"is, overrides={{{place.path!r}: Field(…)}}, or None for no field"
                )
            inner, refs = _at(root, ref, place.path), (*place.refs, str(ref))
        elif one is not None:
            inner, refs = one, place.refs
        else:
            return place
        beside = {key: value for key, value in schema.items() if key not in _FOLLOWED}
        merged = {**inner, **beside} if isinstance(inner, Mapping) else inner
        place = _Place(place.steps, merged, refs)
    return place


def _only(schema: Mapping[str, Any]) -> Any:
    """The one schema that a choice leaves once null is out, or that `allOf` consists of."""
    for key in _CHOICES:
        if isinstance(schema.get(key), list):
            rest = [one for one in schema[key] if one != {"type": "null"}]
            return rest[0] if len(rest) == 1 else None
    parts = schema.get("allOf")
    return parts[0] if isinstance(parts, list) and len(parts) == 1 else None


def _at(root: Mapping[str, Any], ref: Any, path: str) -> Any:
    """What a reference inside the schema leads to."""
    from fieldwise.core.select import compile_path

    if isinstance(ref, str) and ref.startswith("#"):
        found = compile_path(ref).find(dict(root))
        if found:
            return found[0].value
    raise ConfigError(f"fields_from_schema: {shown(ref)} at {path!r} leads nowhere in the schema")


def _annotation(place: _Place) -> Any:
    """What the schema says about a place: a Field, False for no field, or None."""
    if not isinstance(place.schema, Mapping):
        return None
    said = place.schema.get(ANNOTATION)
    if said is None or said is False or isinstance(said, Field):
        return said
    where = f"{ANNOTATION} at {place.path!r}"
    if not isinstance(said, Mapping):
        raise ConfigError(f"{where}={shown(said)}: must be an object, {{'weight': 2}}, or false for no field")
    for name in said:
        if name not in _SETTINGS:
            close = nearest(str(name), _SETTINGS)
            hint = f"did you mean {close!r}?" if close else f"known: {', '.join(_SETTINGS)}"
            raise ConfigError(f"{where}: there is no {name!r}; {hint}")
    return Field(**said)


# ------------------------------------------------------------------------------------------- choosing


def _below(place: _Place, root: Mapping[str, Any]) -> list[_Place]:
    """The places below one that has any; none for what is compared whole."""
    schema = place.schema
    if not isinstance(schema, Mapping) or any(isinstance(schema.get(key), list) for key in _CHOICES):
        return []
    properties = schema.get("properties")
    if isinstance(properties, Mapping) and properties:
        return [place.down(str(name), inner) for name, inner in properties.items()]
    for key in ("additionalProperties", "items"):
        inner = schema.get(key)
        if isinstance(inner, Mapping) and (key == "additionalProperties" or _has_fields(inner, root)):
            return [place.down(WILD, inner)]
    return []


def _has_fields(schema: Any, root: Mapping[str, Any]) -> bool:
    """Whether the elements of an array are objects, or arrays of such."""
    for _ in range(MAX_STEPS):
        if not isinstance(schema, Mapping):
            return False
        if "$ref" in schema:
            schema = _at(root, schema["$ref"], "items")
        elif _only(schema) is not None:
            schema = _only(schema)
        elif schema.get("type") == "array":
            schema = schema.get("items")
        else:
            break
    return schema.get("type") == "object" or "properties" in schema


def _by_type(place: _Place) -> Field:
    """The field that the type of a leaf asks for."""
    from fieldwise.comparators import COMPARATORS

    schema = place.schema if isinstance(place.schema, Mapping) else {}
    if "enum" in schema or "const" in schema:
        return Field()
    kind, form = schema.get("type"), schema.get("format")
    if isinstance(kind, list):
        kinds = [one for one in kind if one != "null"]
        kind = kinds[0] if len(kinds) == 1 else None
    name = FORMATS.get(str(form)) if kind == "string" and form is not None else TYPES.get(str(kind))
    lists = "same_elements" if kind == "array" and schema.get("uniqueItems") is True else None
    return Field(comparator=name if name in COMPARATORS else None, list_match_mode=lists)  # type: ignore[arg-type]
