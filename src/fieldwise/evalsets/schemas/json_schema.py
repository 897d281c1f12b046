"""The JSON Schemas of evaluator files and evaluation sets, for editors.

They are what `load` checks (`shapes`, `evaluator_shapes`), put together: `evaluatorConfig` follows from
`evaluatorTypeId`. Keys in snake_case are patterns: editors accept and do not propose them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fieldwise.errors import ConfigError
from fieldwise.evalsets.files.spelling import snake
from fieldwise.evalsets.registry.kinds import Kind, kinds
from fieldwise.evalsets.registry.signatures import summary
from fieldwise.evalsets.schemas.evaluator_shapes import config_schema
from fieldwise.evalsets.schemas.shapes import CONFIG, SET, SPEC, Schema

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FileKind: TypeAlias = Literal["evaluator", "eval-set"]
CUSTOM: Final = "^(custom-|file://)"
"""The ids of evaluators that are code."""


def json_schema(kind: FileKind, only: Sequence[Kind] = ()) -> Schema:
    """Return the JSON Schema (2020-12) of a kind of file.

    Args:
        kind: "evaluator", or "eval-set".
        only: of evaluator files, which kinds of evaluators are in it; without, all.

    Raises:
        ConfigError: for another word.

    >>> json_schema("eval-set")["title"]
    'Evaluation set'
    """
    if kind not in _FILES:
        raise ConfigError(f"kind={kind!r}: must be 'evaluator' or 'eval-set'")
    title, body = _FILES[kind]
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    if kind == "eval-set":
        needed = [{"required": [key]} for key in ("evaluatorRefs", "evaluatorConfigs")]
        return {**head, **both_spelled({**body, "anyOf": needed})}
    return {**head, **_evaluator_schema(body, {one.type_id: one for one in only} or kinds())}


_FILES: Final[dict[str, tuple[str, Schema]]] = {
    "evaluator": ("Evaluator", SPEC),
    "eval-set": ("Evaluation set", SET),
}


def _evaluator_schema(body: Schema, known: Mapping[str, Kind]) -> Schema:
    type_id = {
        "anyOf": [{"enum": list(known)}, {"type": "string", "pattern": CUSTOM}],
        "description": body["properties"]["evaluatorTypeId"]["description"],
    }
    shape = both_spelled({**body, "properties": {**body["properties"], "evaluatorTypeId": type_id}})
    config = [_when(one.type_id) for one in known.values()]
    described = {
        one.type_id: {**both_spelled(config_schema(one)), "description": summary(one.factory)}
        for one in known.values()
    }
    needs = [_needs_config(one) for one in known.values() if config_schema(one).get("required")]
    return {**shape, "allOf": [*shape.get("allOf", ()), *config, *needs], "$defs": described}


def _is(type_id: str) -> Schema:
    """That a file is of an evaluator, and is no code."""
    spelled = [
        {"properties": {key: {"const": type_id}}, "required": [key]}
        for key in ("evaluatorTypeId", "evaluator_type_id")
    ]
    return {"anyOf": spelled}


def _when(type_id: str) -> Schema:
    of_it = {"$ref": f"#/$defs/{type_id}"}
    return {
        "if": _is(type_id),
        "then": {"properties": dict.fromkeys((CONFIG, snake(CONFIG)), of_it)},
    }


def _needs_config(kind: Kind) -> Schema:
    needed = [{"required": [key]} for key in (CONFIG, snake(CONFIG))]
    return {"if": _is(kind.type_id), "then": {"anyOf": needed}}


def both_spelled(schema: Schema) -> Schema:
    """Return a schema that takes its keys in snake_case as well.

    >>> both_spelled({"properties": {"aB": {"type": "null"}}})["patternProperties"]
    {'^a_b$': {'type': 'null'}}
    """
    found: Schema = {}
    for keyword, value in schema.items():
        if keyword in {"anyOf", "prefixItems"}:
            found[keyword] = [both_spelled(one) for one in value]
        elif keyword in {"items", "additionalProperties"} and isinstance(value, dict):
            found[keyword] = both_spelled(value)
        elif keyword == "properties":
            found[keyword] = {key: both_spelled(one) for key, one in value.items()}
        elif keyword != "required":
            found[keyword] = value
    twice = {key: one for key, one in found.get("properties", {}).items() if snake(key) != key}
    if twice:
        found["patternProperties"] = {f"^{snake(key)}$": one for key, one in twice.items()}
    required = schema.get("required", ())
    plain = [key for key in required if snake(key) == key]
    either = [
        {"anyOf": [{"required": [key]}, {"required": [snake(key)]}]} for key in required if key not in plain
    ]
    if plain:
        found["required"] = plain
    return {**found, "allOf": either} if either else found
