"""What a tool's schema says of its arguments, in each form it comes in."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from fieldwise.errors import ConfigError
from fieldwise.scorers.agents.comparing.tool_schemas import tool_schema, tool_schemas
from tests.scorers.agents.call_forms import args_of, calls


class Filter(BaseModel):
    """What to look for."""

    lang: str = "en"
    year: int | None = None


class Search(BaseModel):
    """A search."""

    q: str
    page: int = 1
    filter: Filter | None = None
    filters: list[Filter] = []


GIVE = "give a JSON Schema, a pydantic model's class or a LangChain tool"
PLAIN = {"type": "object", "properties": {"q": {}, "page": {"default": 1}}}
FORMS = {
    "JSON Schema": PLAIN,
    "OpenAI": {"type": "function", "function": {"name": "s", "parameters": PLAIN}},
    "OpenAI Responses": {"type": "function", "name": "s", "parameters": PLAIN},
    "Anthropic": {"name": "s", "input_schema": PLAIN},
    "MCP": {"name": "s", "inputSchema": PLAIN},
}


@pytest.mark.parametrize("given", FORMS.values(), ids=FORMS)
def test_a_schema_is_read_in_every_form(given: Any) -> None:
    found = tool_schema("s", given)
    assert found.filled({"q": "x"}) == {"q": "x", "page": 1}
    assert found.unknown({"q": 1, "drop": 2}) == ["drop"]


def test_a_pydantic_model_fills_what_is_within_its_arguments_too() -> None:
    found = tool_schema("s", Search)
    assert found.filled({"q": "x", "filter": {"year": 1}, "filters": [{}]}) == {
        "q": "x",
        "filter": {"year": 1, "lang": "en"},
        "filters": [{"lang": "en", "year": None}],
        "page": 1,
    }
    assert found.filled({"q": "x"})["filter"] is None


def test_langchain_tools_are_read_one_by_one_or_as_a_list() -> None:
    from langchain_core.tools import tool

    @tool
    def get_weather(city: str, unit: str = "C") -> str:
        """The weather."""
        return f"{city} {unit}"

    for schemas in ([get_weather], {"get_weather": get_weather}):
        assert tool_schemas(schemas)["get_weather"].filled({"city": "Bern"}) == {"city": "Bern", "unit": "C"}
        made = calls(("get_weather", {"city": "Bern", "unit": "C"}))
        expected = calls(("get_weather", {"city": "Bern"}))
        assert args_of(made, expected, schemas=schemas)["score"] == 1.0


def test_a_default_is_copied_and_the_arguments_are_not_changed() -> None:
    found = tool_schema("s", {"properties": {"tags": {"default": []}}})
    args: dict[str, Any] = {}
    found.filled(args)["tags"].append(1)
    assert (args, found.filled({})) == ({}, {"tags": []})


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "additionalProperties": True, "properties": {"q": {}}},
        {"type": "object", "patternProperties": {"^x": {}}, "properties": {"q": {}}},
    ],
)
def test_a_tool_that_takes_anything_has_no_unknown_argument(schema: Any) -> None:
    assert tool_schema("s", schema).unknown({"drop": 1}) == []


def test_a_tool_without_arguments_knows_none_and_an_empty_schema_says_nothing() -> None:
    assert tool_schema("s", {"type": "object"}).unknown({"drop": 1}) == ["drop"]
    assert tool_schema("s", {}).unknown({"drop": 1}) == []


def test_references_that_lead_nowhere_or_into_themselves_fill_nothing() -> None:
    loop = {
        "$defs": {"A": {"$ref": "#/$defs/A"}, "N": {"properties": {"next": {"$ref": "#/$defs/N"}}}},
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/none"}, "n": {"$ref": "#/$defs/N"}},
    }
    args: dict[str, Any] = {"a": {}, "b": {}, "n": {"next": {"next": {}}}}
    assert tool_schema("s", loop).filled(args) == args


@pytest.mark.parametrize(
    ("schemas", "message"),
    [
        (7, "schemas=7: must be a mapping from tool to schema, or a list of tools"),
        ([7], "schemas: 7 has no name; write {'tool': its schema}"),
        (
            {"s": {"query": "text"}},
            f"schemas['s']: it has no 'properties'; {GIVE}",
        ),
        (
            {"s": 7},
            f"schemas['s']=7: {GIVE}",
        ),
        ({"s": {"properties": {"a": {"default": object}}}}, None),
    ],
)
def test_what_is_no_schema_is_refused(schemas: Any, message: str | None) -> None:
    with pytest.raises(ConfigError) as caught:
        tool_schemas(schemas)
    assert message is None or str(caught.value) == message
