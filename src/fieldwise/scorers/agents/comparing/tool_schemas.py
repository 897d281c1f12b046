"""What a tool's own schema says of its arguments: which there are, and what they are by default.

| given | read |
|---|---|
| a JSON Schema of the arguments | as it is |
| a tool as OpenAI or Anthropic take it | its `parameters`, its `input_schema` |
| a LangChain tool | the schema that models see |
| a pydantic model's class | its JSON Schema |

`$ref` is followed inside the schema. A default that is declared is what an argument is when it is left out,
in objects and lists of objects within arguments as well. A schema that allows further properties in so many
words knows no unknown argument.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.values import Unconvertible, copied
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.agents.names import tool_key

_DEEPEST: Final = 40
_GIVE: Final = "give a JSON Schema, a pydantic model's class or a LangChain tool"
_PARAMETERS: Final = ("parameters", "input_schema", "inputSchema")


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """The schema of one tool's arguments.

    Attributes:
        root: the JSON Schema.
        known: the arguments there are; None: any.
    """

    root: Mapping[str, Any]
    known: frozenset[str] | None

    def filled(self, args: dict[str, Any]) -> dict[str, Any]:
        """Return arguments with what is left out and has a default.

        >>> tool_schema("search", {"properties": {"page": {"default": 1}}}).filled({"q": "x"})
        {'q': 'x', 'page': 1}
        """
        filled: dict[str, Any] = self._filled(args, self.root, 0)
        return filled

    def unknown(self, args: Mapping[str, Any]) -> list[str]:
        """Return the arguments that the tool does not have."""
        return [] if self.known is None else [name for name in args if name not in self.known]

    def _filled(self, value: Any, schema: Any, depth: int) -> Any:
        schema = self._resolved(schema)
        if depth > _DEEPEST or not isinstance(schema, Mapping):
            return value
        if isinstance(value, list):
            items = schema.get("items")
            return [self._filled(one, items, depth + 1) for one in value] if items else value
        properties = schema.get("properties")
        if not isinstance(value, dict) or not isinstance(properties, Mapping):
            return value
        found = {name: self._filled(one, properties.get(name), depth + 1) for name, one in value.items()}
        for name, one in properties.items():
            if name not in found and isinstance(one, Mapping) and "default" in one:
                found[name] = copied(one["default"])
        return found

    def _resolved(self, schema: Any) -> Any:
        """A schema with its references, sole `allOf` and "or null" taken off."""
        for _ in range(_DEEPEST):
            if not isinstance(schema, Mapping):
                return schema
            if isinstance(schema.get("$ref"), str):
                schema = _at(self.root, schema["$ref"])
                continue
            choices = schema.get("allOf") or schema.get("anyOf") or schema.get("oneOf") or ()
            left = [one for one in choices if not (isinstance(one, Mapping) and one.get("type") == "null")]
            if len(left) != 1:
                return schema
            schema = left[0]
        return None


def tool_schemas(value: Any) -> dict[str, ToolSchema]:
    """Check the option `schemas`: a mapping from tool to schema, or a list of LangChain tools.

    Raises:
        ConfigError: for anything else.
    """
    if value is None:
        return {}
    if isinstance(value, Sequence) and not isinstance(value, options.BYTES | str):
        for one in value:
            if not isinstance(getattr(one, "name", None), str):
                raise ConfigError(f"schemas: {shown(one)} has no name; write {{'tool': its schema}}")
        value = {one.name: one for one in value}
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise ConfigError(
            f"schemas={shown(value)}: must be a mapping from tool to schema, or a list of tools"
        )
    return {tool_key(name): tool_schema(name, one) for name, one in value.items()}


def tool_schema(name: str, value: Any) -> ToolSchema:
    """Read the schema of one tool.

    Raises:
        ConfigError: for what is none.
    """
    root = _schema_of(name, value)
    properties = root.get("properties")
    if not isinstance(properties, Mapping):
        if root.get("type") != "object" and root:
            raise ConfigError(f"schemas[{shown(name)}]: it has no 'properties'; {_GIVE}")
        properties = {}
    more = not root or root.get("additionalProperties") or root.get("patternProperties")
    return ToolSchema(root, None if more else frozenset(properties))


def _schema_of(name: str, value: Any) -> Mapping[str, Any]:
    given = value
    if isinstance(given, Mapping) and isinstance(given.get("function"), Mapping):
        given = given["function"]
    if isinstance(given, Mapping):
        given = next((given[key] for key in _PARAMETERS if isinstance(given.get(key), Mapping)), given)
    else:
        given = getattr(given, "tool_call_schema", None) or getattr(given, "args_schema", None) or given
    schema_of = getattr(given, "model_json_schema", None)
    if schema_of is not None:
        given = schema_of()
    if not isinstance(given, Mapping):
        raise ConfigError(f"schemas[{shown(name)}]={shown(value)}: {_GIVE}")
    try:
        read = to_json(given)
    except Unconvertible as error:
        raise ConfigError(f"schemas[{shown(name)}]: {error}") from None
    if not isinstance(read, dict):
        raise ConfigError(f"schemas[{shown(name)}]={shown(value)}: {_GIVE}")
    return copied(read)  # type: ignore[return-value]


def _at(root: Any, reference: str) -> Any:
    """What a reference inside the schema names, or None."""
    if not reference.startswith("#"):
        return None
    here = root
    for step in reference.lstrip("#/").split("/") if reference.strip("#/") else ():
        name = step.replace("~1", "/").replace("~0", "~")
        here = here.get(name) if isinstance(here, Mapping) else None
    return here
