"""LangSmith runs, one thing at a time: which calls they make up."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.types import Command
from langsmith.run_trees import RunTree

import fieldwise
from fieldwise._types import MISSING
from fieldwise.scorers.agents.calls import ToolCall
from fieldwise.scorers.agents.reading.runs import is_runs, read_runs


def run(kind: str, name: str, start: int = 0, **more: Any) -> dict[str, Any]:
    return {"run_type": kind, "name": name, "start_time": start, "end_time": start + 1, **more}


def one(value: Any) -> ToolCall:
    assert is_runs(value)
    (call,) = read_runs(value).calls
    return call


def test_run_trees_that_were_made_by_hand() -> None:
    root = RunTree(name="agent", run_type="chain", inputs={})
    made = root.create_child("add", run_type="tool", inputs={"a": 1})
    made.end(outputs={"output": 2})
    broken = root.create_child("sub", run_type="tool", inputs={"a": 1})
    broken.end(error="ValueError('no')")
    assert is_runs(root)
    assert [(call.name, call.args, call.output, call.failed) for call in read_runs(root).calls] == [
        ("add", {"a": 1}, 2, False),
        ("sub", {"a": 1}, MISSING, True),
    ]


OUTPUTS: list[tuple[Any, Any, bool]] = [
    ({"output": "8"}, "8", False),
    ({"output": {"a": 1}}, {"a": 1}, False),
    ({"a": 1}, {"a": 1}, False),
    ({}, {}, False),
    (None, MISSING, False),
    ({"output": ToolMessage("8", tool_call_id="c1")}, "8", False),
    ({"output": ToolMessage("no", tool_call_id="c1", status="error")}, "no", True),
    ({"output": Command(update={"messages": [ToolMessage("8", tool_call_id="c1")]})}, "8", False),
]


@pytest.mark.parametrize(("outputs", "output", "failed"), OUTPUTS, ids=[str(row[0]) for row in OUTPUTS])
def test_an_output(outputs: Any, output: Any, failed: bool) -> None:
    found = one(run("tool", "t", outputs=outputs))
    assert (found.output, found.failed) == (output, failed)


@pytest.mark.parametrize(
    ("inputs", "args"),
    [
        ({"a": 1}, {"a": 1}),
        ({"input": {"a": 1}}, {"a": 1}),
        ({"input": "{'a': 1}"}, {"a": 1}),
        ({"input": "Paris"}, {"input": "Paris"}),
        ({"input": 3}, {"input": 3}),
        ({}, {}),
        (None, {}),
    ],
    ids=str,
)
def test_arguments(inputs: Any, args: Any) -> None:
    found = one(run("tool", "t", inputs=inputs))
    assert (found.args, found.problem) == (args, None)


@pytest.mark.parametrize(
    "more",
    [
        {"extra": {"tool_call_id": "c1"}},
        {"extra": {"metadata": {"tool_call_id": "c1"}}},
        {"outputs": {"output": {"type": "tool", "content": "", "tool_call_id": "c1"}}},
    ],
    ids=str,
)
def test_the_id_of_a_call(more: dict[str, Any]) -> None:
    assert one(run("tool", "t", inputs={}, **more)).id == "c1"


def test_requests_and_answers_in_objects() -> None:
    asked = AIMessage("", tool_calls=[{"name": "a", "args": {"x": 1}, "id": "c1"}])
    answer = ToolMessage("boom", tool_call_id="c1", status="error")
    stranger: Any = SimpleNamespace(lock=object())
    root = run("chain", "graph", 0, outputs={"messages": [asked, answer], "kept": stranger}, child_runs=[
        run("llm", "model", 1, outputs={"generations": [[{"message": asked}]]}),
        run("tool", "a", 3, inputs={"x": 1}, outputs={}, error="ValueError('boom')"),
    ])  # fmt: skip
    root["end_time"] = 9
    assert one(root) == ToolCall("a", {"x": 1}, None, "c1", "boom", failed=True, at="run 2")


def test_a_call_whose_arguments_the_framework_could_not_read() -> None:
    bad = {"name": "a", "args": '{"x": 1', "id": "c1", "error": None}
    dict_like = {**bad, "args": {"x": 1}, "id": "c2"}
    reply = {"type": "ai", "content": "", "tool_calls": [], "invalid_tool_calls": [bad, dict_like]}
    found = read_runs(run("llm", "model", outputs={"message": reply})).calls
    assert [call.args for call in found] == [{}, {}]
    assert str(found[0].problem).startswith("malformed arguments: ")
    assert found[1].problem == "malformed arguments: the framework could not read them"


def test_a_forest_with_a_loop_ends() -> None:
    root = run("chain", "graph", child_runs=[run("tool", "t", 1)])
    root["child_runs"].append(root)
    assert one([root, root]).name == "t"


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        "run",
        {"run_type": "tool"},
        {"run_type": "tool", "name": ""},
        {"run_type": 3, "id": 1},
        {"run_type": "x", "name": "t", "args": {}},
        [{"name": "t"}],
    ],
    ids=str,
)
def test_not_runs(value: Any) -> None:
    assert not is_runs(value)


@pytest.mark.parametrize("wrap", [lambda it: it, lambda it: [it], lambda it: {"output": it}])
def test_a_run_with_a_name_alone_is_one_to_every_evaluator(wrap: Any) -> None:
    outputs = wrap(run("tool", "get", 5))
    evaluators: list[Any] = [
        fieldwise.create_tool_call_order_evaluator(order=["get"]),
        fieldwise.create_tool_call_count_evaluator(counts={"get": 1}),
        fieldwise.create_span_order_evaluator(order=["get"]),
        fieldwise.create_error_budget_evaluator(),
    ]
    assert [evaluate(outputs=outputs)["score"] for evaluate in evaluators] == [1.0, 1.0, 1.0, True]


def test_a_chat_model_of_langchains_own_tracer_asks_as_any_model_does() -> None:
    asked = {"tool_calls": [{"name": "add", "args": {"a": 1}, "id": "c1"}]}
    runs = [
        run("chat_model", "gpt", outputs={"generations": [[{"message": asked}]]}),
        run("tool", "add", 1, inputs={"a": 1}, outputs={"output": "2"}),
    ]
    assert (one(runs).id, one(runs).output) == ("c1", "2")
