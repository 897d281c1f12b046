"""Arguments and outputs as agents write them: what is read, what is malformed, what a tool gave back."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from types import MappingProxyType
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import ToolMessage, messages_to_dict
from pydantic import BaseModel

from fieldwise._types import MISSING
from fieldwise.core.values import Unconvertible
from fieldwise.scorers.agents.reading.arguments import read_arguments, read_noted
from fieldwise.scorers.agents.reading.outputs import read_output


class City(BaseModel):
    name: str = "Bonn"


@pytest.mark.parametrize(
    "raw",
    [None, MISSING, "", " \n", {}, "{}", "null"],
    ids=["None", "MISSING", "''", "blank", "{}", "'{}'", "'null'"],
)
def test_no_arguments(raw: object) -> None:
    assert read_arguments(raw) == ({}, None)


@pytest.mark.parametrize(
    ("raw", "args"),
    [
        ({"q": "x"}, {"q": "x"}),
        ('{"q": "x"}', {"q": "x"}),
        (' {"q": [1, {"a": null}]}\n', {"q": [1, {"a": None}]}),
        (MappingProxyType({"q": (1, 2)}), {"q": [1, 2]}),
        (City(), {"name": "Bonn"}),
        ({"d": dt.date(2025, 1, 2), "n": Decimal("1.50")}, {"d": "2025-01-02", "n": 1.5}),
        ('{"a": "x\ny"}', {"a": "x\ny"}),
        ('{"a": NaN}', {"a": math.nan}),
    ],
)
def test_arguments(raw: object, args: dict[str, Any]) -> None:
    found, problem = read_arguments(raw)
    assert (found, problem) == (args, None) or math.isnan(found["a"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("raw", "args", "note"),
    [
        ("{'a': True, 'b': (1, None),}", {"a": True, "b": [1, None]}, "written as a Python literal"),
        ('{"a": 1, "a": 2}', {"a": 2}, "an object repeats a name; the last value counts"),
    ],
)
def test_unusual_arguments_leave_a_note(raw: str, args: dict[str, Any], note: str) -> None:
    assert read_noted(raw) == (args, None, (note,))


NO_NAME = "not strict JSON at line 1, column 9: expecting property name enclosed in double quotes"
TWO = "2 different JSON values in the text, the first at line 1, column 1, the last at line 1, column 10"


@pytest.mark.parametrize(
    ("raw", "problem"),
    [
        ('{"x": 1', "truncated: the text ends at line 1, column 8 inside an object"),
        ("[]", "an array, not an object: []"),
        ([], "an array, not an object: []"),
        (3, "a number, not an object: 3"),
        ("3", "a number, not an object: 3"),
        (False, "a boolean, not an object: False"),
        ("Paris", "text that is no JSON object: 'Paris'"),
        ('"Paris"', "a text, not an object: 'Paris'"),
        ('{"a": 1,}', NO_NAME),
        ('{"a": 1} {"b": 2}', TWO),
        ('```json\n{"a": 1}\n```', "not strict JSON at line 1, column 1: expecting value"),
        ('"{\\"a\\": 1}"', "JSON text within JSON text; decode_twice=True reads it"),
        (object, "type at $ has no JSON form; convert it first"),
    ],
)  # fmt: skip
def test_malformed_arguments_say_why(raw: object, problem: str) -> None:
    assert read_arguments(raw) == ({}, f"malformed arguments: {problem}")


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        ('"{\\"a\\": 1}"', ({"a": 1}, None)),
        ('{"a": 1}', ({"a": 1}, None)),
        ('""', ({}, None)),
        ('"Paris"', ({}, "malformed arguments: text that is no JSON object: 'Paris'")),
        ('"\\"{}\\""', ({}, "malformed arguments: JSON text within JSON text; decode_twice=True reads it")),
    ],
)
def test_decoded_once_more(raw: str, found: tuple[dict[str, Any], str | None]) -> None:
    assert read_arguments(raw, decode_twice=True) == found


@pytest.mark.parametrize(
    ("raw", "output"),
    [
        (MISSING, MISSING),
        (None, None),
        ("", ""),
        ("8", "8"),
        (8, 8),
        ('{"n": 1}', {"n": 1}),
        ("[1, 2]", [1, 2]),
        ("{'content': 'x'}", {"content": "x"}),
        ('see {"n": 1}', 'see {"n": 1}'),
        ("[1] of 3", "[1] of 3"),
        ('{"n": 1', '{"n": 1'),
        ({"content": "y"}, {"content": "y"}),
        (["a", "b"], ["a", "b"]),
        ([{"type": "text", "text": '{"n"'}, {"type": "text", "text": ": 1}"}], {"n": 1}),
        ([{"type": "image", "url": "u"}], [{"type": "image", "url": "u"}]),
        (ToolMessage("8", tool_call_id="1"), "8"),
        (dumpd(ToolMessage("[8]", tool_call_id="1")), [8]),
        (messages_to_dict([ToolMessage("8", tool_call_id="1")])[0], "8"),
        (ToolMessage("8", tool_call_id="1").model_dump(), "8"),
        ({"role": "tool", "content": "8"}, "8"),
        ({"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "8"}]}, "8"),
        ({"type": "tool_result", "tool_use_id": "1"}, None),
        ({"type": "function_call_output", "output": "8"}, "8"),
        ({"type": "tool", "price": 3}, {"type": "tool", "price": 3}),
    ],
)
def test_outputs(raw: object, output: object) -> None:
    assert read_output(raw) == (output, False)


@pytest.mark.parametrize(
    "raw",
    [
        ToolMessage("no", tool_call_id="1", status="error"),
        dumpd(ToolMessage("no", tool_call_id="1", status="error")),
        {"type": "tool", "data": {"content": "no", "status": "error"}},
        {"type": "tool_result", "content": "no", "is_error": True},
    ],
)
def test_failed(raw: object) -> None:
    assert read_output(raw) == ("no", True)


def test_an_output_with_no_json_form_is_refused() -> None:
    with pytest.raises(Unconvertible, match=r"object at \$ has no JSON form"):
        read_output(object())
