"""The JSON Schema of what an option takes, of the text of its annotation.

What has no form in JSON, a callable, a client, is left out of a union; an option of nothing else has no form.
A comparator in a file is its name, or a call of it as Python writes it, `number(absolute=0.01)`, and so are
`by_key("sku")` and the elements of `fields`, which may also be objects (`values`).
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema = dict[str, Any]

_SCALARS: Final[dict[str, Schema]] = {
    "str": {"type": "string"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "None": {"type": "null"},
    "Any": {},
    "Comparator": {"type": "string"},
    "ByKey": {"type": "string"},
}
FIELD: Final[Schema] = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "dotted, JSONPath or JSON Pointer"},
        "comparator": {"type": "string", "description": "a comparator, number or number(absolute=0.01)"},
        "weight": {"type": "number", "minimum": 0, "default": 1},
        "threshold": {"type": "number", "exclusiveMinimum": 0, "maximum": 1, "default": 1},
        "rubric": {"type": "string", "description": "what makes it right, for a judge"},
        "required": {"type": "boolean", "default": False},
        "listMatchMode": {
            "type": "string",
            "description": "ordered, same_elements, subset, superset or by_key(key)",
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}
_LISTS: Final = frozenset({"Sequence", "list"})
_OBJECTS: Final = frozenset({"Mapping", "dict"})


def form(annotation: str, names: Mapping[str, Any]) -> Schema | None:
    """Return the schema of what an annotation stands for; None: no JSON does.

    >>> form("str | Sequence[str] | None", {})
    {'anyOf': [{'type': ['string', 'null']}, {'type': 'array', 'items': {'type': 'string'}}]}
    """
    parts = _parts(ast.parse(annotation, mode="eval").body, names)
    return _union(parts) if any(part != _SCALARS["None"] for part in parts) else None


def _parts(node: ast.expr, names: Mapping[str, Any]) -> list[Schema]:
    """The schemas of the alternatives, those without a form left out."""
    if isinstance(node, ast.BinOp):
        return [*_parts(node.left, names), *_parts(node.right, names)]
    if isinstance(node, ast.Constant):
        return [_SCALARS["None"]] if node.value is None else []
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        return _container(node.value.id, node.slice, names)
    return _named(node.id, names) if isinstance(node, ast.Name) else []


def _container(name: str, inner: ast.expr, names: Mapping[str, Any]) -> list[Schema]:
    if name in _LISTS:
        return [_with("array", "items", _parts(inner, names))]
    if name == "Literal":
        return [
            {
                "enum": list(ast.literal_eval(inner))
                if isinstance(inner, ast.Tuple)
                else [ast.literal_eval(inner)]
            }
        ]
    if name in _OBJECTS and isinstance(inner, ast.Tuple):
        return [_with("object", "additionalProperties", _parts(inner.elts[1], names))]
    return []


def _with(kind: str, keyword: str, parts: list[Schema]) -> Schema:
    inner = _union(parts) if parts else {}
    return {"type": kind, keyword: inner} if inner else {"type": kind}


def _named(name: str, names: Mapping[str, Any]) -> list[Schema]:
    if name in _SCALARS:
        return [_SCALARS[name]]
    if name == "Field":
        return [FIELD]
    value = names.get(name)
    if isinstance(value, str):  # an alias of what exists for type checkers only
        return _parts(ast.parse(value, mode="eval").body, names)
    return [{"enum": list(get_args(value))}] if get_origin(value) is Literal else []


def _union(parts: list[Schema]) -> Schema:
    """One schema of several: anything if one is, words as text where text is allowed anyhow, null last."""
    if {} in parts:
        return {}
    if {"type": "string"} in parts:
        parts = [one for one in parts if not all(isinstance(word, str) for word in one.get("enum", [0]))]
    unique = [one for at, one in enumerate(parts) if one not in parts[:at]]
    null = _SCALARS["None"] in unique
    scalars = [one["type"] for one in unique if one.keys() == {"type"} and one["type"] != "null"]
    rest = [one for one in unique if one.keys() != {"type"}]
    if scalars:
        rest.insert(0, {"type": scalars[0] if len(scalars) == 1 else scalars})
    if null:
        rest[0] = _nullable(rest[0])
    return rest[0] if len(rest) == 1 else {"anyOf": rest}


def _nullable(schema: Schema) -> Schema:
    """The same or null."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    kinds = schema["type"]
    return {**schema, "type": [*([kinds] if isinstance(kinds, str) else kinds), "null"]}
