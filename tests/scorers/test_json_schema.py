"""JSON schema: its forms, its violations, and what it refuses."""

from __future__ import annotations

import json
from typing import Any, Final

import pydantic
import pytest

import fieldwise
from fieldwise import ConfigError
from tests.scorers.single_forms import evaluate, score, status


class Item(pydantic.BaseModel):
    sku: str
    qty: int = pydantic.Field(ge=1)


class Invoice(pydantic.BaseModel):
    number: str
    items: list[Item]


SCHEMA: Final = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "items": {"type": "array", "items": {"type": "string"}}},
    "required": ["n"],
}
GOOD: Final = {"number": "7", "items": [{"sku": "k", "qty": 1}]}
BAD: Final = {"items": [{"sku": "k", "qty": 0}, {"qty": "1"}]}

FORMS: Final[list[Any]] = [
    pytest.param(Invoice, id="a model"),
    pytest.param(Invoice.model_validate(GOOD), id="one of its instances"),
    pytest.param(Invoice.model_json_schema(), id="a dict"),
    pytest.param(json.dumps(Invoice.model_json_schema()), id="text"),
    pytest.param(f"```json\n{json.dumps(Invoice.model_json_schema())}\n```", id="fenced text"),
]


@pytest.mark.parametrize("schema", FORMS)
def test_every_form_of_schema_as_option_and_as_reference(schema: Any) -> None:
    for given in ({"schema": schema}, {"reference": schema}):
        assert score("json_schema", GOOD, **given) is True
        assert score("json_schema", json.dumps(BAD), **given) is False


@pytest.mark.parametrize(("schema", "right"), [(True, True), (False, False), ("true", True), ({}, True)])
def test_schemas_that_say_all_or_nothing(schema: Any, right: bool) -> None:
    assert score("json_schema", {"a": 1}, schema=schema) is right
    assert score("json_schema", {"a": 1}, schema) is right


def test_every_violation_is_listed_by_path() -> None:
    result = evaluate("json_schema", BAD, schema=Invoice)
    assert result["comment"] == (
        "4 violations: $: 'number' is a required property; items[0].qty: 0 is less than the minimum of 1; "
        "items[1]: 'sku' is a required property; items[1].qty: '1' is not of type 'integer'"
    )
    assert result["extra"]["violations"] == [
        {"path": "$", "keyword": "required", "message": "'number' is a required property"},
        {"path": "items[0].qty", "keyword": "minimum", "message": "0 is less than the minimum of 1"},
        {"path": "items[1]", "keyword": "required", "message": "'sku' is a required property"},
        {"path": "items[1].qty", "keyword": "type", "message": "'1' is not of type 'integer'"},
    ]
    assert result["extra"]["violated"] == 4


def test_what_is_shown_is_bounded() -> None:
    result = evaluate("json_schema", {"n": 1, "items": [7] * 5_000}, schema=SCHEMA)
    assert (len(result["extra"]["violations"]), result["extra"]["violated"]) == (50, 1_000)
    assert (result["comment"] or "").endswith("; and 995 more")


def test_text_that_is_no_object_or_array_is_text() -> None:
    assert score("json_schema", "hello", schema={"type": "string"}) is True
    assert score("json_schema", "113", schema={"type": "integer"}) is False
    assert score("json_schema", 113, schema={"type": "integer"}) is True
    assert status("json_schema", '{"n": 1', schema=SCHEMA) == (False, "invalid_output")
    assert status("json_schema", '{"n": 1, "items": ["', schema=SCHEMA, truncated="closed_fields") == (
        True,
        "graded",
    )
    assert score("json_schema", "{'n': 1,}", schema=SCHEMA) is True
    assert status("json_schema", "{'n': 1,}", schema=SCHEMA, parse="strict") == (False, "invalid_output")


def test_keys() -> None:
    assert score("json_schema", {"a": '{"n": 1}'}, schema=SCHEMA, outputs_key="a") is True
    assert score("json_schema", {"n": 1}, {"shape": SCHEMA}, correct_answer_key="shape") is True
    assert status("json_schema", {"n": 1}, {"shape": 1}, correct_answer_key="form") == (
        None,
        "invalid_reference",
    )
    assert score("json_schema", {"n": 1}, schema=SCHEMA, correct_answer_key="form") is True


WRAPPED: Final[list[Any]] = [
    pytest.param({"output": '{"n": 1}'}, SCHEMA, True, id="wrapped output"),
    pytest.param({"output": "[1]"}, {"output": '{"type": "array"}'}, True, id="both wrapped"),
    pytest.param({"output": "x"}, {"properties": {"output": {}}, "type": "object"}, True, id="a member"),
    pytest.param('{"output": "x"}', {"type": "object"}, True, id="text that only looks so"),
    pytest.param({"output": "hello"}, {"type": "object"}, False, id="wrapped text"),
    pytest.param(
        {"output": "x"},
        {"$ref": "#/$defs/M", "$defs": {"M": {"type": "object", "properties": {"output": True}}}},
        True,
        id="a member of what is referred to",
    ),
    pytest.param({"output": "x"}, "{broken", None, id="beside a broken schema"),
]  # fmt: skip


@pytest.mark.parametrize(("outputs", "schema", "right"), WRAPPED)
def test_the_wrapper_is_taken_off_unless_the_schema_knows_it(outputs: Any, schema: Any, right: Any) -> None:
    assert score("json_schema", outputs, schema) is right
    if right is not None and "output" not in schema:
        assert score("json_schema", outputs, schema=schema) is right


NO_SCHEMAS: Final[list[Any]] = [
    pytest.param({"type": "objekt"}, "type: 'objekt' is not valid under any of the given schemas", id="type"),
    pytest.param({"items": {"minimum": "1"}}, "items.minimum: '1' is not of type 'number'", id="inside"),
    pytest.param({"pattern": "("}, "pattern: '(' is not a 'regex'", id="pattern"),
    pytest.param(
        {"invoice": {"total": 5}, "typ": "object"},
        "it has no keyword of JSON Schema, so anything would fit; its keys: 'invoice', 'typ'",
        id="no keyword",
    ),
    pytest.param(5, "5 is no schema; give an object, true or false, or a pydantic model", id="number"),
    pytest.param([], "[] is no schema; give an object, true or false, or a pydantic model", id="list"),
    pytest.param({"$schema": 5}, "$schema: 5 is not text", id="$schema"),
    pytest.param("hello", "not JSON at line 1, column 1: expected a value, found 'hello'", id="text"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "why"), NO_SCHEMAS)
def test_what_is_no_schema(schema: Any, why: str) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_json_schema_evaluator(schema=schema)
    assert str(raised.value) == f"schema: {why}"
    result = evaluate("json_schema", {"a": 1}, schema)
    assert (result["score"], result["extra"]["status"]) == (None, "invalid_reference")
    assert result["comment"] == f"the reference is no JSON schema: {why}"


def test_a_model_without_a_schema_is_refused() -> None:
    class Holder(pydantic.BaseModel):
        @classmethod
        def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
            raise ValueError("no schema for that")

    with pytest.raises(ConfigError) as raised:
        fieldwise.create_json_schema_evaluator(schema=Holder)
    assert str(raised.value) == "schema: the model has no JSON schema: ValueError: no schema for that"
    assert status("json_schema", {}, Holder) == (None, "invalid_reference")
    assert status("json_schema", {"output": "[]"}, Holder) == (None, "invalid_reference")


def test_a_python_object_without_json_form_is_no_schema() -> None:
    with pytest.raises(ConfigError, match=r"^schema: type at \$ has no JSON form"):
        fieldwise.create_json_schema_evaluator(schema=object)


def deep(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels):
        value = {"not": value}
    return value


def test_a_schema_nested_too_deep_is_refused() -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_json_schema_evaluator(schema=deep(5_000))
    assert str(raised.value) == "schema: it is nested too deep to be checked"
    assert status("json_schema", {}, deep(5_000)) == (None, "invalid_reference")


def test_an_output_nested_too_deep_for_a_recursive_schema() -> None:
    schema = {"properties": {"not": {"$ref": "#"}}}
    result = evaluate("json_schema", deep(5_000), schema=schema)
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert result["comment"] == "the output is nested too deep for its schema to be applied"
    assert score("json_schema", deep(20), schema=schema) is True


def test_the_options_are_copied() -> None:
    schema: dict[str, Any] = {"type": "object"}
    evaluator: Any = fieldwise.create_json_schema_evaluator(schema=schema)
    schema["type"] = "array"
    assert evaluator(outputs={})["score"] is True


def test_nothing_is_fetched() -> None:
    schema = {"$ref": "http://127.0.0.1:9/schema"}
    result = evaluate("json_schema", {}, schema=schema)
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert "Unresolvable: http://127.0.0.1:9/schema" in (result["comment"] or "")
    assert status("json_schema", {}, schema) == (None, "invalid_reference")


def test_a_pattern_that_runs_over_its_time_is_not_evaluated() -> None:
    evaluator: Any = fieldwise.create_json_schema_evaluator(schema={"pattern": "(a|aa)+$"})
    result = evaluator(outputs="a" * 60 + "!")
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert "ran over its 1 s" in result["comment"]


def test_patterns() -> None:
    schema = {"properties": {"a": {"pattern": "^x"}}, "patternProperties": {"^n_": {"type": "number"}}}
    assert score("json_schema", {"a": "xy", "n_1": 2, "b": "z"}, schema=schema) is True
    result = evaluate("json_schema", {"a": "yx", "n_1": "2"}, schema=schema)
    assert result["comment"] == "2 violations: a: 'yx' does not match '^x'; n_1: '2' is not of type 'number'"
    assert score("json_schema", [1], schema=schema) is True


def test_formats_are_annotations() -> None:
    assert score("json_schema", {"a": "no date"}, schema={"properties": {"a": {"format": "date"}}}) is True


@pytest.mark.parametrize("number", [10**400, float("inf"), 1e308])
def test_hostile_numbers(number: Any) -> None:
    result = evaluate("json_schema", {"a": number}, schema={"properties": {"a": {"multipleOf": 1e-300}}})
    assert result["extra"]["status"] in {"graded", "not_evaluated"}


def test_another_draft_is_read_by_its_name() -> None:
    schema = {"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": True}
    assert (
        score("json_schema", {"a": 1}, schema={"properties": {"a": schema}, "$schema": schema["$schema"]})
        is False
    )


def test_the_reference_is_required_only_without_a_schema() -> None:
    assert fieldwise.create_json_schema_string_evaluator().requires_reference is True
    assert fieldwise.create_json_schema_string_evaluator(schema=SCHEMA).requires_reference is False
    assert status("json_schema", {}) == (None, "invalid_reference")
