"""Traces of any make, down to objects that refuse to be read: calls or none, never an exception."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.read import Problem
from fieldwise.scorers.agents.calls import Trajectory
from fieldwise.scorers.agents.reading import read_trajectory
from fieldwise.scorers.agents.reading import span_names as names
from fieldwise.scorers.agents.reading.runs import is_runs, read_runs
from fieldwise.scorers.agents.reading.spans import is_spans, read_spans

IDS: Final = st.sampled_from(["c1", "c2", "", None, 0, 7])
TEXTS: Final = st.sampled_from([
    "", "Paris", "{}", '{"a": 1}', "{'a': True}", '{"content": "x"}', '{"content": null, "status": "error"}',
    "[1", '"q"', "null", '{"output": {"type": "tool", "content": [], "tool_call_id": "c1"}}',
    '{"update": {"messages": [{"tool_call_id": "c1", "content": "x"}]}}', "[" * 500, "\ud800", "1" * 500,
    json.dumps({"tool_calls": [{"name": "a", "args": {"a": 1}, "id": "c1"}, 3, {"function": 3}]}),
    json.dumps([{"type": "tool_use"}, {"type": ["x"]}, {"type": "tool_call", "name": "a", "id": 3}]),
])  # fmt: skip
LEAVES: Final = st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.text(max_size=5)
VALUES: Final = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "type", "id", "name", "args", "update", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)
KEYS: Final = sorted(
    {
        *(key for key, _ in names.KINDS), *names.TOOL, *names.TOOL_BY_KIND, names.SYNTHESIZED, *names.CALL_ID,
        *names.ARGUMENTS, *names.OUTPUT, *names.PARAMETERS, names.ERROR, *names.REPLIES, *names.TOLD,
        names.DEFINITIONS, "llm.tools.0.tool.json_schema",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.name",
        "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments",
        "llm.output_messages.0.message.tool_calls.0.tool_call.id",
        "llm.output_messages.².message.tool_calls.0.tool_call.id",
        "llm.input_messages.0.message.tool_call_id", "llm.input_messages.0.message.content",
    }
)  # fmt: skip
KINDS: Final = st.sampled_from(["TOOL", "LLM", "tool", "llm", "chat", "execute_tool", "CHAIN", 3])
SAID: Final = st.dictionaries(st.sampled_from(KEYS), VALUES | KINDS | IDS, max_size=8)
SPANS: Final = st.fixed_dictionaries(
    {"attributes": SAID | st.none() | st.lists(VALUES, max_size=2), "name": LEAVES},
    optional={
        "start_time": st.integers(0, 20) | LEAVES,
        "end_time": st.integers(0, 20) | LEAVES,
        "context": st.fixed_dictionaries({"span_id": IDS}) | LEAVES,
        "parent_id": IDS,
        "status": st.fixed_dictionaries({"status_code": st.sampled_from(["ERROR", "OK", 2, None])}) | LEAVES,
        "events": st.lists(st.fixed_dictionaries({"name": LEAVES}), max_size=2) | LEAVES,
    },
)
RUNS: Final = st.recursive(
    st.fixed_dictionaries(
        {"run_type": st.sampled_from(["tool", "llm", "chain"]), "inputs": VALUES, "outputs": VALUES},
        optional={
            "id": IDS, "parent_run_id": IDS, "name": LEAVES, "error": LEAVES, "status": LEAVES,
            "extra": VALUES, "start_time": st.integers(0, 20) | LEAVES,
            "end_time": st.integers(0, 20) | LEAVES,
        },
    ),
    lambda inner: st.builds(
        lambda run, below: {**run, "child_runs": below}, inner, st.lists(inner, max_size=3)
    ),
    max_leaves=5,
)  # fmt: skip


def check(found: Trajectory) -> None:
    """Groups are numbered in order from 0, and each call says where it was found."""
    groups = [call.group for call in found.calls]
    assert groups == sorted(groups)
    assert set(groups) == set(range(len(set(groups))))
    assert all(call.at for call in found.calls)
    assert found.turns is None


@given(st.lists(SPANS, min_size=1, max_size=6), st.booleans())
def test_any_spans(spans: list[Any], twice: bool) -> None:
    assert is_spans(spans)
    check(read_spans(spans, decode_twice=twice))
    check(read_spans([SimpleNamespace(**span) for span in spans], decode_twice=twice))


@given(st.lists(RUNS, min_size=1, max_size=4), st.booleans())
def test_any_runs(runs: list[Any], twice: bool) -> None:
    assert is_runs(runs)
    check(read_runs(runs, decode_twice=twice))


@given(VALUES | st.lists(SPANS | RUNS | VALUES, max_size=3))
def test_anything(value: Any) -> None:
    assert is_spans(value) in (True, False)
    assert is_runs(value) in (True, False)
    assert isinstance(read_trajectory(value), Trajectory | Problem)


@given(st.lists(SPANS, min_size=1, max_size=5))
def test_ordered_spans_are_read_alike_as_json(spans: list[Any]) -> None:
    for at, span in enumerate(spans):
        span |= {"start_time": at, "end_time": at + 1, "context": {"span_id": f"{at + 1}"}}
    assert read_spans(spans[::-1]).names == read_spans(spans).names


METHODS: Final = (
    "__contains__", "__getitem__", "__len__", "__iter__", "keys", "items", "values", "get", "__eq__",
    "__hash__", "__repr__", "__bool__", "__getattribute__",
)  # fmt: skip
PLAIN: Final[dict[type, Any]] = {dict: {"content": 1}, list: [1], str: "x", object: None}


def refuse(*_: Any) -> Any:
    raise RuntimeError("no")


def hostile(kind: type, method: str) -> Any:
    made = type("Hostile", (kind,), {method: refuse})
    return made() if kind is object else made(PLAIN[kind])


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("method", METHODS)
def test_an_object_that_refuses(kind: type, method: str) -> None:
    trap = hostile(kind, method)
    assert {ask(one) for ask in (is_spans, is_runs) for one in (trap, [trap])} <= {True, False}
    said = {
        "tool.name": "t",
        "input.value": trap,
        "output.value": trap,
        "tool.id": trap,
        "llm.tools.0.x": trap,
    }
    spans: list[Any] = [
        [{"name": trap, "attributes": said, "start_time": trap, "context": trap, "status": trap}],
        [{"name": "t", "attributes": trap}, trap],
    ]
    runs: list[Any] = [
        [{"run_type": "tool", "name": trap, "inputs": trap, "outputs": trap, "extra": trap, "error": trap}],
        [{"run_type": "llm", "outputs": {"a": [trap]}, "start_time": trap, "child_runs": trap}],
        [{"run_type": trap, "id": trap}, trap],
    ]
    for found in (*map(read_spans, spans), *map(read_runs, runs)):
        assert isinstance(found, Trajectory)


def test_deep_and_large_values() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    tool = {"run_type": "tool", "name": "t", "inputs": {"a": deep}, "outputs": {"output": deep}}
    assert read_runs([tool]).names == ["t"]
    others = [{"run_type": "chain", "name": "t", "outputs": deep}, {"run_type": "llm", "outputs": deep}]
    assert read_runs(others).names == []
    text = "[" * 100_000
    span = {"name": "t", "attributes": {"tool.name": "t", "input.value": text, "output.value": text}}
    assert read_spans([span]).names == ["t"]


def test_a_long_chain_of_parents() -> None:
    spans = [
        {"name": "t", "attributes": {"tool.name": f"t{at}"}, "start_time": at, "end_time": 9_999 - at,
         "context": {"span_id": str(at + 1)}, "parent_id": str(at)}
        for at in range(2_000)
    ]  # fmt: skip
    assert len(read_spans(spans).calls) == 2_000
