"""Fields read off pydantic models and JSON Schemas."""

from __future__ import annotations

import dataclasses
import datetime as dt
import enum
import json
from typing import Annotated, Any, Final, Optional

import pydantic
import pytest
from typing_extensions import TypedDict

import fieldwise
from fieldwise import Field, fields_from_schema
from fieldwise.comparators import COMPARATORS, number
from fieldwise.scorers.schema_fields import FORMATS, TYPES
from tests.scorers.field_forms import scores


class Colour(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Address(pydantic.BaseModel):
    city: str
    zip: str | None = None


class Item(pydantic.BaseModel):
    sku: str
    price: Annotated[float, Field(comparator="numeric_diff", weight=2)]
    colours: list[Colour] = []


class Invoice(pydantic.BaseModel):
    id: Annotated[str, Field(required=True)]
    due: dt.date | None
    sent: dt.datetime
    site: pydantic.AnyUrl
    took: dt.timedelta
    colour: Colour
    paid: bool
    address: Address
    ship: Address | None = None
    items: list[Item]
    tags: set[str]
    rates: dict[str, float]
    note: str = pydantic.Field(json_schema_extra={"x-fieldwise": {"rubric": "same meaning"}})
    either: int | str
    tax: Optional[Annotated[float, Field(weight=3)]] = None  # noqa: UP045 - annotated inside
    vat: Annotated[float | None, Field(weight=3)] = None
    secret: Annotated[str, pydantic.Field(json_schema_extra={"x-fieldwise": False})] = ""
    renamed: str = pydantic.Field(alias="Unit price.")


def test_a_pydantic_model() -> None:
    assert fields_from_schema(Invoice) == [
        Field("id", required=True),
        Field("due", "date"),
        Field("sent", "datetime"),
        Field("site", "url"),
        Field("took", "duration"),
        Field("colour"),
        Field("paid"),
        Field("address.city"),
        Field("address.zip"),
        Field("ship.city"),
        Field("ship.zip"),
        Field("items[*].sku"),
        Field("items[*].price", "numeric_diff", weight=2),
        Field("items[*].colours"),
        Field("tags", list_match_mode="same_elements"),
        Field("rates[*]", "number"),
        Field("note", rubric="same meaning"),
        Field("either"),
        Field("tax", "number", weight=3),
        Field("vat", "number", weight=3),
        Field("['Unit price.']"),
    ]


def test_annotations_do_not_show_in_the_schema_that_others_read() -> None:
    fields_from_schema(Item)
    assert "x-fieldwise" not in json.dumps(Item.model_json_schema())


@dataclasses.dataclass
class Plain:
    a: int
    b: Annotated[str, Field("ignored", comparator="text")]


class Typed(TypedDict):
    a: int


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        (Plain, [Field("a"), Field("b", "text")]),
        (Typed, [Field("a")]),
        (list[Item], [Field("[*].sku"), Field("[*].price", "numeric_diff", weight=2), Field("[*].colours")]),
        (int, [Field("$")]),
    ],
)
def test_what_else_pydantic_understands(given: Any, fields: list[Field]) -> None:
    assert fields_from_schema(given) == fields


SCHEMA: Final = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "count": {"type": "integer"},
        "total": {"type": ["number", "null"], "x-fieldwise": {"weight": 2, "threshold": 0.9}},
        "kind": {"enum": ["a", 1]},
        "fixed": {"const": 1.5},
        "due": {"type": "string", "format": "date"},
        "at": {"anyOf": [{"type": "null"}, {"type": "string", "format": "date-time"}]},
        "mail": {"type": "string", "format": "email"},
        "a.b": {"type": "object", "properties": {"c/d": True, "": {}}},
        "owner": {"allOf": [{"$ref": "#/definitions/person"}], "description": "who"},
        "lines": {"type": "array", "items": {"$ref": "#/definitions/line"}},
        "grid": {"items": {"type": "array", "items": {"properties": {"x": {"type": "number"}}}}},
        "pair": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]},
        "codes": {"type": "array", "items": {"$ref": "#/definitions/code"}, "uniqueItems": True},
        "empty": {"type": "object"},
        "any": {"type": "array", "items": True},
        "some": {"items": {"anyOf": [{"type": "null"}, {"properties": {"x": {}}}]}},
        "odd": {"oneOf": [{"type": "string"}, {"type": "object", "properties": {"x": {}}}]},
    },
    "definitions": {
        "person": {"type": "object", "properties": {"name": {"type": "string"}}},
        "line": {
            "properties": {"sku": {"$ref": "#/definitions/code"}, "who": {"$ref": "#/definitions/person"}}
        },
        "code": {"type": "string", "x-fieldwise": {"comparator": "id"}},
    },
}


def test_a_json_schema() -> None:
    fields = fields_from_schema(SCHEMA)
    assert fields == [
        Field("id"),
        Field("count"),
        Field("total", "number", weight=2, threshold=0.9),
        Field("kind"),
        Field("fixed"),
        Field("due", "date"),
        Field("at", "datetime"),
        Field("mail"),
        Field("['a.b']['c/d']"),
        Field("['a.b']['']"),
        Field("owner.name"),
        Field("lines[*].sku", "id"),
        Field("lines[*].who.name"),
        Field("grid[*][*].x", "number"),
        Field("pair"),
        Field("codes", list_match_mode="same_elements"),
        Field("empty"),
        Field("any"),
        Field("some[*].x"),
        Field("odd"),
    ]
    document = {
        "id": "x", "count": 1, "total": None, "kind": "a", "fixed": 1.5, "due": "2025-01-02",
        "at": None, "mail": "m", "a.b": {"c/d": 1, "": 2}, "owner": {"name": "n"},
        "lines": [{"sku": "s", "who": {"name": "w"}}],
        "grid": [[{"x": 1}]], "pair": [1, 2], "codes": ["a", "b"], "empty": {}, "any": [1],
        "some": [{"x": 1}], "odd": "o",
    }  # fmt: skip
    assert set(scores(document, document, fields).values()) == {1.0}


def test_every_comparator_that_a_type_asks_for_is_there() -> None:
    assert {*FORMATS.values(), *TYPES.values()} <= COMPARATORS.keys()


def test_overrides() -> None:
    wide = number(relative=0.1)
    overrides: dict[str, Field | str | None] = {
        "total": Field("whatever", wide),
        "due": Field(weight=5),
        "id": "text",
        "lines[*].who": None,
        "grid": Field(list_match_mode="same_elements"),
        "owner": Field(),
        "['a.b']['']": None,
    }
    found = {one.path: one for one in fields_from_schema(SCHEMA, overrides)}
    assert found["total"] == Field("total", wide)
    assert found["due"] == Field("due", "date", weight=5)
    assert found["id"] == Field("id", "text")
    assert found["grid"] == Field("grid", list_match_mode="same_elements")
    assert found["owner"] == Field("owner")
    assert found.keys() & {"lines[*].who.name", "grid[*][*].x", "owner.name", "['a.b']['']"} == set()


class Node(pydantic.BaseModel):
    value: int
    left: Node | None = None
    kids: list[Node] = []


def test_a_schema_that_leads_into_itself_is_refused_until_it_is_said_what_is_there() -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        fields_from_schema(Node)
    assert str(caught.value) == (
        "fields_from_schema: '#/$defs/Node' leads into itself at 'left'; say what that is, "
        "overrides={'left': Field(…)}, or None for no field"
    )
    found = fields_from_schema(Node, {"left": None, "kids[*]": Field("", "text")})
    assert found == [Field("value"), Field("kids[*]", "text")]
    assert fields_from_schema(Node, {"left": Field(), "kids": None}) == [Field("value"), Field("left")]


def nested(depth: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"properties": {"a": schema}}
    return schema


@pytest.mark.parametrize(
    ("schema", "overrides", "message"),
    [
        (
            5,
            None,
            "fields_from_schema(5): pass a pydantic model's class or a JSON Schema as a mapping",
        ),
        ({}, {"$": None}, "fields_from_schema: the schema has no fields; name them, fields=['a', 'b.c']"),
        (
            {"properties": {"a": {"$ref": "#/$defs/x"}}},
            None,
            "fields_from_schema: '#/$defs/x' at 'a' leads nowhere in the schema",
        ),
        (
            {"$ref": "other.json"},
            None,
            "fields_from_schema: 'other.json' at '$' leads nowhere in the schema",
        ),
        (
            {"properties": {"a": {"items": {"$ref": "#"}}}},
            None,
            (
                "fields_from_schema: '#' leads into itself at 'a[*]'; say what that is, "
                "overrides={'a[*]': Field(…)}, or None for no field"
            ),
        ),
        (
            {"properties": {"a": {"x-fieldwise": {"wieght": 2}}}},
            None,
            "x-fieldwise at 'a': there is no 'wieght'; did you mean 'weight'?",
        ),
        (
            {"properties": {"a": {"x-fieldwise": "number"}}},
            None,
            "x-fieldwise at 'a'='number': must be an object, {'weight': 2}, or false for no field",
        ),
        (
            {"properties": {"name": {}}},
            {"nmae": None},
            "overrides['nmae']: the schema has no such place; did you mean 'name'?",
        ),
        (
            {"properties": {"name": {}}},
            {"name": 3},
            "overrides['name']=3: must be a Field, a comparator or None",
        ),
        (
            {"properties": {"name": {}}},
            ["name"],
            "overrides=['name']: must be a mapping from path to value, {'a.b': …}",
        ),
        (nested(300), None, "fields_from_schema: over 1000 fields, or deeper than 256"),
        (
            {"properties": {f"f{at}": {} for at in range(1001)}},
            None,
            "fields_from_schema: over 1000 fields, or deeper than 256",
        ),
    ],
)
def test_what_is_wrong_is_said(schema: Any, overrides: Any, message: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        fields_from_schema(schema, overrides)
    assert str(caught.value) == message


def test_what_pydantic_cannot_describe_is_said() -> None:
    class Opaque:
        __module__ = "m"
        __qualname__ = "Opaque"

    with pytest.raises(
        fieldwise.ConfigError, match=r"^fields_from_schema\(<class 'm\.Opaque'>\): Unable to generate"
    ):
        fields_from_schema(Opaque)


@pytest.mark.parametrize(
    ("given", "fix"),
    [
        ({"foo": 1}, "it is no JSON Schema, none of its keys says anything; write {'properties': {…}}"),
        (dict, "it names no fields; pass a pydantic model's class or a JSON Schema as a mapping"),
        (3, "pass a pydantic model's class or a JSON Schema as a mapping"),
    ],
)
def test_what_is_no_schema_is_refused(given: Any, fix: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        fields_from_schema(given)
    assert str(caught.value) == f"fields_from_schema({given!r}): {fix}"


@pytest.mark.parametrize("given", [{}, {"type": "object"}, {"title": "any"}])
def test_a_schema_without_fields_is_one_place(given: Any) -> None:
    assert fields_from_schema(given) == [Field("$")]
