"""Examples to and from files and other products: what goes comes back, and what they mean is kept."""

from __future__ import annotations

import io
import json
import uuid
from dataclasses import dataclass, field, make_dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langsmith import Client
from langsmith.schemas import Example as LangSmithExample
from pydantic import BaseModel, Field

from fieldwise.errors import InputError
from fieldwise.example import Example
from fieldwise.integrations.examples import (
    examples_from_jsonl,
    examples_to_jsonl,
    from_deepeval,
    from_judgeval,
    from_langsmith,
    to_deepeval,
    to_judgeval,
    to_langsmith,
)
from tests.integrations.ls_server import LangSmithServer
from tests.test_example import EXAMPLES

FULL = Example(
    input="What does the hotel cost?",
    actual_output='{"total": 120.5}',
    expected_output='{"total": 120.50}',
    retrieval_context=["The hotel costs 120.50 a night."],
    context=["Prices are in euros."],
    tools_called=["find_hotel", "get_price"],
    expected_tools=["find_hotel", "get_price"],
    additional_metadata={"source": "a page", "confidence": 0.5},
)


class Colour(Enum):
    RED = "red"


# --------------------------------------------------------------------------------------- JSON Lines


@given(st.lists(EXAMPLES, max_size=4))
def test_jsonl_round_trip(examples: list[Example]) -> None:
    try:
        json.dumps([one.to_dict() for one in examples], allow_nan=False)
    except ValueError:  # infinity, which JSON has not
        with pytest.raises(InputError, match=r"^example [0-9]: Out of range float values"):
            examples_to_jsonl(examples, io.StringIO())
        return
    text, raw = io.StringIO(), io.BytesIO()
    assert examples_to_jsonl(examples, text) == examples_to_jsonl(iter(examples), raw) == len(examples)
    assert raw.getvalue().decode() == text.getvalue()
    assert examples_from_jsonl(io.StringIO(text.getvalue())) == examples
    assert examples_from_jsonl(io.BytesIO(raw.getvalue())) == examples


def test_jsonl_file(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    assert examples_to_jsonl([FULL, Example(input="né")], path) == 2
    assert path.read_text(encoding="utf-8").endswith('{"input": "né"}\n')
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes() + b"\n")
    assert examples_from_jsonl(str(path)) == [FULL, Example(input="né")]


def test_a02_what_has_a_json_form_is_written_in_it() -> None:
    """Dates, decimals and enums in metadata do not break what logs or writes them."""
    metadata = {"d": date(2025, 1, 2), "x": Decimal("1.50"), "e": Colour.RED, "s": {"b", "a"}}
    written = io.StringIO()
    examples_to_jsonl([Example(additional_metadata=metadata)], written)
    wanted = {"d": "2025-01-02", "x": 1.5, "e": "red", "s": ["a", "b"]}
    assert json.loads(written.getvalue()) == {"additional_metadata": wanted}
    assert to_langsmith([Example(additional_metadata=metadata)])[0]["metadata"] == wanted


@pytest.mark.parametrize(
    ("example", "message"),
    [
        ({"input": "a"}, "example 1 is dict, not an Example"),
        (
            Example(additional_metadata={"a": [object()]}),
            "example 1: object at additional_metadata.a[0] has no JSON form; convert it first",
        ),
    ],
)
def test_what_cannot_be_written(example: Any, message: str) -> None:
    with pytest.raises(InputError) as raised:
        examples_to_jsonl([example], io.StringIO())
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{]", "not JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[1]", "an Example is made of a mapping from field to value, not of a list"),
        ('{"inptu": 1}', "Example has no field 'inptu'; did you mean 'input'?"),
        ('{"context": "a"}', "context='a': must be a list of texts, not text; for one write ['a']"),
    ],
)
def test_lines_that_are_no_examples(line: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        examples_from_jsonl(io.StringIO(f"{{}}\n{line}\n"))
    assert str(raised.value) == f"<examples>:2: {message}"


def test_file_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    with pytest.raises(InputError) as raised:
        examples_from_jsonl(path)
    assert str(raised.value) == f"{path}: cannot be opened: No such file or directory"


def test_halves_of_characters_are_escaped() -> None:
    written = io.BytesIO()
    examples_to_jsonl([Example(input="a\ud800")], written)
    assert written.getvalue() == b'{"input": "a\\ud800"}\n'


# ----------------------------------------------------------------------------------------- judgeval


@dataclass(slots=True)
class JudgevalOne:
    """judgeval's Example since version 1: properties of any name."""

    example_id: str = "7"
    created_at: str = "2025-01-01"
    name: str | None = None
    _properties: dict[str, Any] = field(default_factory=dict)
    trace: Any = None

    @property
    def properties(self) -> dict[str, Any]:
        return self._properties.copy()


class Tool(BaseModel):
    tool_name: str
    parameters: dict[str, Any] | None = None


class JudgevalZero(BaseModel):
    """judgeval's Example before version 1: expected tools are objects."""

    input: Any = None
    actual_output: Any = None
    expected_output: Any = None
    context: list[str] | None = None
    retrieval_context: list[str] | None = None
    additional_metadata: dict[str, Any] | None = None
    tools_called: list[str] | None = None
    expected_tools: list[Tool] | None = None
    name: str | None = None
    example_id: str = "7"
    example_index: int | None = 3
    created_at: str | None = "2025-01-01"
    trace_id: str | None = None


@given(EXAMPLES)
def test_judgeval_round_trip(example: Example) -> None:
    fields = to_judgeval(example)
    assert from_judgeval(fields) == example
    assert from_judgeval({**fields, "example_id": "7", "created_at": "now", "trace_id": None}) == example
    assert from_judgeval(JudgevalOne(_properties=fields)) == example
    tools = fields.pop("expected_tools", None)
    typed = None if tools is None else [Tool(tool_name=one) for one in tools]
    assert from_judgeval(JudgevalZero(**fields, expected_tools=typed)) == example


def test_what_judgeval_has_beside_is_metadata() -> None:
    made = JudgevalOne(name="first", _properties={"input": "a", "tone": "kind"})
    assert from_judgeval(made) == Example(input="a", additional_metadata={"name": "first", "tone": "kind"})


# ----------------------------------------------------------------------------------------- DeepEval


class ToolCall(BaseModel):
    name: str
    description: str | None = None
    input_parameters: dict[str, Any] | None = Field(default=None, serialization_alias="inputParameters")


class Retrieved(BaseModel):
    context: str
    source: str


class LLMTestCase(BaseModel):
    """DeepEval's test case, as far as examples go."""

    input: str
    actual_output: str | None = Field(default=None, serialization_alias="actualOutput")
    expected_output: str | None = Field(default=None, serialization_alias="expectedOutput")
    context: list[str] | None = None
    retrieval_context: list[str | Retrieved] | None = Field(
        default=None, serialization_alias="retrievalContext"
    )
    metadata: dict[str, Any] | None = None
    tools_called: list[ToolCall] | None = Field(default=None, serialization_alias="toolsCalled")
    expected_tools: list[ToolCall] | None = Field(default=None, serialization_alias="expectedTools")
    token_cost: float | None = Field(default=None, serialization_alias="tokenCost")
    flaky: bool = False
    multimodal: bool = False


def test_deepeval_round_trip() -> None:
    case = LLMTestCase(**to_deepeval(FULL))
    assert case.tools_called == [ToolCall(name="find_hotel"), ToolCall(name="get_price")]
    assert from_deepeval(case) == FULL
    assert from_deepeval(case.model_dump(by_alias=True)) == FULL
    assert from_deepeval(case.model_dump()) == FULL
    assert from_deepeval(SimpleNamespace(**dict(case))) == FULL


def test_deepeval_takes_text_alone() -> None:
    example = Example(input={"né": Decimal("1.5")}, actual_output=["a", "b"], expected_output="c")
    assert to_deepeval(example) == {
        "input": '{"né": 1.5}',
        "actual_output": '["a", "b"]',
        "expected_output": "c",
    }


def test_what_deepeval_has_beside_is_metadata() -> None:
    case = LLMTestCase(
        input="a",
        token_cost=0.5,
        metadata={"m": 1},
        retrieval_context=["b", Retrieved(context="c", source="s")],
    )
    assert from_deepeval(case) == Example(
        input="a", retrieval_context=["b", "c"], additional_metadata={"token_cost": 0.5, "m": 1}
    )


@pytest.mark.parametrize("read", [from_judgeval, from_deepeval])
def test_what_is_no_example(read: Any) -> None:
    with pytest.raises(InputError, match=r"^'text' is not (judgeval's Example|DeepEval's LLMTestCase), nor"):
        read("text")
    with pytest.raises(InputError, match=r"^tools_called\[0\]=3: must be text, not a number$"):
        read({"tools_called": [3]})


def test_dataclass_of_the_same_fields() -> None:
    kind = make_dataclass("Case", [(name, Any) for name in FULL.to_dict()])
    assert from_judgeval(kind(**FULL.to_dict())) == FULL


# ---------------------------------------------------------------------------------------- LangSmith


def test_langsmith_shape() -> None:
    (made,) = to_langsmith([FULL])
    assert made == {
        "inputs": {"input": "What does the hotel cost?"},
        "reference_outputs": {
            "output": '{"total": 120.50}',
            "expected_tools": ["find_hotel", "get_price"],
            "context": ["Prices are in euros."],
            "retrieval_context": ["The hotel costs 120.50 a night."],
        },
        "metadata": {
            "source": "a page",
            "confidence": 0.5,
            "fieldwise": {
                "actual_output": '{"total": 120.5}',
                "tools_called": ["find_hotel", "get_price"],
            },
        },
    }


@given(st.lists(EXAMPLES, max_size=3))
def test_langsmith_round_trip(examples: list[Example]) -> None:
    made = to_langsmith(examples)
    stored = [
        LangSmithExample(
            id=uuid.uuid4(),
            inputs=one["inputs"],
            outputs=one["reference_outputs"],
            metadata={**(one["metadata"] or {}), "dataset_split": ["base"]},
        )
        for one in made
    ]
    assert from_langsmith(made) == examples
    assert from_langsmith(stored) == examples


@pytest.mark.parametrize("name", ["reference_outputs", "outputs"])
def test_outputs_are_named_as_the_installed_langsmith_does(name: str, monkeypatch: Any) -> None:
    model = make_dataclass("ExampleCreate", [])
    model.model_fields = {"inputs": None, name: None}  # type: ignore[attr-defined]
    monkeypatch.setattr("langsmith.schemas.ExampleCreate", model)
    assert name in to_langsmith([Example(expected_output="a")])[0]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"inputs": {"q": "a"}, "outputs": {"answer": "b"}}, Example(input={"q": "a"}, expected_output="b")),
        ({"inputs": {"input": "a"}, "outputs": {}}, Example(input="a")),
        ({"inputs": {"input": "a"}, "outputs": {"n": 1, "é": [None]}},
         Example(input="a", expected_output='{"n": 1, "é": [null]}')),
        ({"outputs": {"output": {"a": 1}}}, Example(expected_output='{"output": {"a": 1}}')),
        ({"outputs": {"context": "not a list"}}, Example(expected_output="not a list")),
        ({"inputs": "q", "outputs": "text", "metadata": []}, Example(input="q", expected_output="text")),
        ({"inputs": {}, "metadata": {"dataset_split": ["test"]}},
         Example(additional_metadata={"dataset_split": ["test"]})),
    ],
    ids=repr,
)  # fmt: skip
def test_examples_that_langsmith_has_from_elsewhere(given: Any, expected: Example) -> None:
    assert from_langsmith([given]) == [expected]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: to_langsmith([Example(), Example(additional_metadata={"fieldwise": 1})]),
            "example 2: additional_metadata has the key 'fieldwise'; name it otherwise",
        ),
        (
            lambda: from_langsmith([{"inputs": [1]}]),
            "example 1: input=[1]: must be text or a dict with text keys, not a list",
        ),
        (
            lambda: from_langsmith([{"metadata": {"fieldwise": {"inptu": 1}}}]),
            "example 1: Example has no field 'inptu'; did you mean 'input'?",
        ),
        (
            lambda: from_langsmith([3]),
            "example 1: 3 is not a LangSmith example, nor a mapping with its fields",
        ),
    ],
)
def test_langsmith_refusals(call: Any, message: str) -> None:
    with pytest.raises(InputError) as raised:
        call()
    assert str(raised.value) == message


def test_the_real_client_stores_them_and_gives_them_back() -> None:
    examples = [FULL, Example(), Example(input={"input": "text"}), Example(input="a", expected_output="b")]
    info = {"instance_flags": {"dataset_examples_multipart_enabled": True}}
    with LangSmithServer() as server:
        client = Client(api_url=server.url, api_key="test", info=info)
        stored = client.create_dataset("examples")
        response = client.create_examples(dataset_id=stored.id, examples=to_langsmith(examples))
        assert response["count"] == 4
        listed = list(client.list_examples(dataset_id=stored.id))
    assert [type(one) for one in listed] == [LangSmithExample] * 4
    assert from_langsmith(listed) == examples
