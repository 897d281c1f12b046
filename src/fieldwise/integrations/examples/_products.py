"""Examples to and from judgeval's and DeepEval's, as keyword arguments of their classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from fieldwise.example import FIELDS, Example
from fieldwise.integrations.examples._members import as_json, members

_TOOLS: Final = ("tools_called", "expected_tools")
_TOOL_NAMES: Final = ("name", "tool_name")
_JUDGEVAL_KEPT: Final = frozenset(
    {"example_id", "example_index", "created_at", "timestamp", "trace_id", "trace", "dataset_id"}
)


def to_judgeval(example: Example) -> dict[str, Any]:
    """Return an example as keyword arguments of judgeval's `Example`, or of its `Example.create`.

    >>> to_judgeval(Example(input="1+1", expected_tools=["add"]))
    {'input': '1+1', 'expected_tools': ['add']}
    """
    return example.to_dict()


def from_judgeval(example: Any) -> Example:
    """Make an example of one of judgeval's, or of its dict form.

    Raises:
        InputError: for what is none, and for a field of a type that an `Example` has not.

    >>> from_judgeval({"input": "1+1", "expected_tools": [{"tool_name": "add"}], "example_id": "7"})
    Example(input='1+1', expected_tools=['add'])
    """
    given = members(example, "judgeval's Example", also=("properties", "_properties"))
    return _made(given, _JUDGEVAL_KEPT)


_DEEPEVAL_KEPT: Final = frozenset({"flaky", "multimodal"})


def to_deepeval(example: Example) -> dict[str, Any]:
    """Return an example as keyword arguments of DeepEval's `LLMTestCase`.

    DeepEval takes text alone for input and outputs: what is none becomes its JSON text. Tools are
    `{"name": …}`, for `ToolCall(**tool)`.

    >>> to_deepeval(Example(input={"n": 1}, actual_output="2", tools_called=["add"]))
    {'input': '{"n": 1}', 'actual_output': '2', 'tools_called': [{'name': 'add'}]}
    """
    made = example.to_dict()
    for name in ("input", "actual_output", "expected_output"):
        if name in made and not isinstance(made[name], str):
            made[name] = json.dumps(as_json(name, made[name]), ensure_ascii=False, default=float)
    for name in _TOOLS:
        if name in made:
            made[name] = [{"name": one} for one in made[name]]
    if "additional_metadata" in made:
        made["metadata"] = made.pop("additional_metadata")
    return made


def from_deepeval(case: Any) -> Example:
    """Make an example of DeepEval's `LLMTestCase`, or of its dict form.

    Raises:
        InputError: for what is none, and for a field of a type that an `Example` has not.

    >>> from_deepeval({"input": "1+1", "toolsCalled": [{"name": "add", "inputParameters": {"a": 1}}]})
    Example(input='1+1', tools_called=['add'])
    """
    given = members(case, "DeepEval's LLMTestCase")
    metadata = given.pop("metadata", None)
    if metadata is not None and given.get("additional_metadata") is None:
        given["additional_metadata"] = metadata
    return _made(given, _DEEPEVAL_KEPT)


# ------------------------------------------------------------------------------------------ fields


def _made(given: dict[str, Any], kept: frozenset[str]) -> Example:
    """Make an example of another product's members; those it has no field for are metadata."""
    fields = {name: given.pop(name) for name in FIELDS if name in given}
    for name in _TOOLS:
        if isinstance(fields.get(name), list):
            fields[name] = [_tool_name(one) for one in fields[name]]
    if isinstance(fields.get("retrieval_context"), list):
        fields["retrieval_context"] = [_passage(one) for one in fields["retrieval_context"]]
    more = {name: one for name, one in given.items() if name not in kept}
    if more:
        fields["additional_metadata"] = {**more, **(fields.get("additional_metadata") or {})}
    return Example(**fields)


def _tool_name(tool: Any) -> Any:
    """The name of a tool, be it text, an object or a mapping."""
    for name in _TOOL_NAMES:
        found = tool.get(name) if isinstance(tool, Mapping) else getattr(tool, name, None)
        if isinstance(found, str):
            return found
    return tool


def _passage(one: Any) -> Any:
    """A retrieved text, be it text or DeepEval's text with its source."""
    context = one.get("context") if isinstance(one, Mapping) else getattr(one, "context", None)
    return context if isinstance(context, str) else one
