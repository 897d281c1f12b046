"""What an agent leaves behind, source by source: what is read of it, and what is a problem."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage, messages_to_dict

from fieldwise._types import MISSING
from fieldwise.core.read import Problem
from fieldwise.scorers.agents.calls import ToolCall, Trajectory, Turn
from fieldwise.scorers.agents.execution import AgentExecution
from fieldwise.scorers.agents.reading import read_trajectory

CALL = {"name": "find", "args": {"q": "x"}}
ASKS = {"role": "assistant", "content": None, "tool_calls": [{"id": "1", **CALL}]}


def read(value: Any, **options: Any) -> Trajectory:
    found = read_trajectory(value, **options)
    assert isinstance(found, Trajectory), found
    return found


def told(value: Any) -> list[tuple[Any, ...]]:
    return [(call.name, call.args, call.output, call.group) for call in read(value).calls]


SAME: dict[str, Any] = {
    "args": [CALL],
    "arguments": [{"name": "find", "arguments": {"q": "x"}}],
    "arguments as text": [{"name": "find", "arguments": '{"q": "x"}'}],
    "input": [{"name": "find", "input": {"q": "x"}}],
    "a tool's name": [{"tool_name": "find", "parameters": {"q": "x"}}],
    "DeepEval's": [SimpleNamespace(name="find", input_parameters={"q": "x"}, output=None)],
    "OpenAI's": [{"id": "1", "type": "function", "function": {"name": "find", "arguments": '{"q": "x"}'}}],
    "OpenAI's objects": [
        SimpleNamespace(id="1", function=SimpleNamespace(name="find", arguments='{"q": "x"}'))
    ],
    "LangChain's": [{**CALL, "id": "1", "type": "tool_call"}],
    "tool_calls": {"tool_calls": [CALL]},
    "toolCalls": {"toolCalls": [CALL]},
    "a tuple": (CALL,),
    "one": CALL,
    "text": json.dumps([CALL]),
    "a wrapper": {"output": [CALL]},
    "text in a wrapper": {"output": json.dumps({"tool_calls": [CALL]})},
    "one message": ASKS,
    "messages": [ASKS],
    "no role": [{"content": "", "tool_calls": [CALL]}],
    "a state": {"messages": [ASKS], "step": 3},
    "a state's object": SimpleNamespace(messages=[ASKS]),
    "a message's object": AIMessage("", tool_calls=[{"id": "1", **CALL}]),
    "a chat completion": {"choices": [{"message": ASKS}]},
    "a response": {"object": "response", "output": [{"type": "function_call", "call_id": "1", **CALL}]},
    "blocks": [
        {"type": "text", "text": "a"}, {"type": "tool_use", "id": "1", "name": "find", "input": {"q": "x"}},
    ],
    "a function_call": [{"role": "assistant", "function_call": {"name": "find", "arguments": '{"q": "x"}'}}],
    "kept aside": [{"type": "ai", "content": "", "additional_kwargs": {"tool_calls": [CALL]}}],
    "an execution's output": AgentExecution({}, {"messages": [ASKS]}),
}  # fmt: skip


@pytest.mark.parametrize("source", SAME)
def test_one_call_in_every_form(source: str) -> None:
    assert told(SAME[source]) == [("find", {"q": "x"}, MISSING, 0)]


@pytest.mark.parametrize("value", [[], (), {"messages": []}, {"messages": None}, {"output": []}, "[]"])
def test_nothing_is_a_conversation_in_which_nothing_was_said(value: object) -> None:
    assert read(value) == Trajectory((), (), "messages")


def test_no_calls() -> None:
    assert read({"tool_calls": None}) == read({"tool_calls": []}) == Trajectory((), None, "calls")


def test_names_are_calls_without_arguments() -> None:
    assert read(["search", "book"]).calls == (
        ToolCall("search", group=0, at="call 0"),
        ToolCall("book", group=1, at="call 1"),
    )


def test_a_group_is_marked_in_plain_calls() -> None:
    calls = [
        {"name": "a"},
        {"name": "b", "group": 1},
        {"name": "c", "group": 1},
        {"name": "d", "group": 2},
        {"name": "e"},
    ]
    assert [call.group for call in read(calls).calls] == [0, 1, 1, 2, 3]


@pytest.mark.parametrize(
    ("fields", "output", "failed"),
    [
        ({}, MISSING, False),
        ({"output": None}, None, False),
        ({"output": '{"n": 1}'}, {"n": 1}, False),
        ({"result": 8}, 8, False),
        ({"output": "no", "status": "error"}, "no", True),
        ({"error": "timeout"}, "timeout", True),
        ({"output": ToolMessage("no", tool_call_id="1", status="error")}, "no", True),
    ],
)
def test_the_output_of_a_plain_call(fields: dict[str, Any], output: object, failed: bool) -> None:
    call = read([{**CALL, **fields}]).calls[0]
    assert (call.output, call.failed) == (output, failed)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, "no messages, calls, spans or run, but None"),
        (MISSING, "no messages, calls, spans or run, but MISSING"),
        (3, "no messages, calls, spans or run, but 3"),
        ({}, "no messages, calls, spans or run, but an empty object"),
        ({"foo": 1, "bar": 2}, "no messages, calls, spans or run, but an object with the keys foo, bar"),
        ([1, 2], "no messages, calls, spans or run, but [1, 2]"),
        ([{}], "no messages, calls, spans or run, but [{}]"),
        ("hello", "no messages, calls, spans or run, but text: no JSON object or array in the text"),
        ({"tool_calls": 3}, "tool_calls is no list but 3"),
        ([CALL, {"foo": 1}], "call 1: no call but an object with the keys foo; give it a name"),
        ([CALL, None], "call 1: no call but None; give it a name"),
        ([{"name": 3}], "call 0: its name is no text but 3"),
        ([{"function": "find"}], "call 0: its function is no object but 'find'"),
        ([{"name": "f", "output": [object]}], "call 0: type at [0] has no JSON form; convert it first"),
        ([ASKS, 5], "message 1: no message but 5"),
        ([ASKS, {"foo": 1}], "message 1: no role in an object with the keys foo"),
        ([ASKS, CALL], "message 1: no role in an object with the keys name, args"),
        ([{"role": "assistant", "tool_calls": 3}], "message 0: tool_calls is no list but 3"),
        ([{"role": "assistant", "tool_calls": [None]}], "message 0, call 0: no call but None"),
        ([{"role": "user", "content": object}], "message 0: type at $ has no JSON form; convert it first"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_a_problem(value: object, reason: str) -> None:
    assert read_trajectory(value) == Problem("invalid_output", f"outputs: {reason}")


SPAN = {
    "name": "find", "start_time": 1, "attributes": {"tool.name": "find", "input.value": '{"q": "x"}'},
}  # fmt: skip
RUN = {"run_type": "tool", "name": "find", "inputs": {"q": "x"}}


@pytest.mark.parametrize(
    ("value", "source"),
    [
        ([SPAN], "spans"),
        ([SimpleNamespace(**SPAN)], "spans"),
        (RUN, "run"),
        ([RUN], "run"),
        (SimpleNamespace(**RUN), "run"),
        (AgentExecution({}, {"answer": 2}, [SPAN]), "spans"),
        (AgentExecution({}, {"messages": []}, (SPAN,)), "spans"),
        (SimpleNamespace(workload_output={}, workload_trace=[SPAN]), "spans"),
        (AgentExecution({}, [ASKS], [{**SPAN, "attributes": {}}]), "messages"),
    ],
)
def test_traces(value: object, source: str) -> None:
    found = read(value)
    assert found.source == source
    assert [(call.name, call.args) for call in found.calls] == [("find", {"q": "x"})]


def test_spans_without_calls_are_no_calls() -> None:
    found = read(AgentExecution({}, {"answer": 2}, [{**SPAN, "attributes": {}}]))
    assert (found.source, found.calls) == ("spans", ())


def test_an_execution_without_spans() -> None:
    assert read_trajectory(AgentExecution({}, {"answer": 2})) == Problem(
        "invalid_output",
        "outputs: an execution without spans, whose output has no messages, calls, spans or run, but an "
        "object with the keys answer",
    )


def test_the_reference_is_named() -> None:
    reason = "reference_outputs: no messages, calls, spans or run, but 3"
    assert read_trajectory(3, "reference_outputs") == Problem("invalid_reference", reason)


# ------------------------------------------------------------------------------- what users reported

T24 = [
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "..."},
            {"type": "tool_use", "id": "1", "name": "find", "input": {"q": "x"}},
        ],
    }
]


WITHIN = '"{\\"a\\":1}"'
CUT = "malformed arguments: truncated: the text ends at line 1, column 8 inside an object"
ARGUMENTS: list[tuple[str, Any, bool, dict[str, Any], str | None]] = [
    ("T12", "", False, {}, None),
    ("T12", None, False, {}, None),
    ("T12", {}, False, {}, None),
    ("T12", '{"x": 1', False, {}, CUT),
    ("T12", "[]", False, {}, "malformed arguments: an array, not an object: []"),
    ("T29", '{"a": 1, "b": [2]}', False, {"b": [2], "a": 1}, None),
    ("T29", WITHIN, True, {"a": 1}, None),
    ("T29", WITHIN, False, {}, "malformed arguments: JSON text within JSON text; decode_twice=True reads it"),
]


@pytest.mark.parametrize(("report", "arguments", "twice", "args", "problem"), ARGUMENTS)
def test_arguments_of_user_reports(
    report: str, arguments: Any, twice: bool, args: dict[str, Any], problem: str | None
) -> None:
    value = {"tool_calls": [{"function": {"name": "f", "arguments": arguments}}]}
    call = read(value, decode_twice=twice).calls[0]
    assert (call.name, call.args, call.problem) == ("f", args, problem)


def test_t24_blocks_of_a_provider_are_kept() -> None:
    found = read({"messages": T24})
    call = ToolCall("find", {"q": "x"}, id="1", at="message 0, call 0")
    assert found.turns == (Turn("assistant", None, (call,), blocks=T24[0]["content"]),)  # type: ignore[arg-type]


def test_t25_null_fields_of_calls() -> None:
    call = {"name": None, "args": None}
    found = read({"messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]})
    assert found.calls == (ToolCall(None, at="message 0, call 0"),)


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": None, "tool_calls": None},
        {"role": "assistant", "content": None},
        {"role": "assistant"},
        {"role": "assistant", "content": "", "tool_calls": []},
        AIMessage(""),
    ],
)
def test_t25_messages_without_calls(message: object) -> None:
    assert read([message]).turns == (Turn("assistant"),)


def test_t25_a_tool_message_without_id_is_a_turn() -> None:
    found = read([ASKS, {"role": "tool", "content": "8"}])
    assert found.calls[0].output == "8"
    assert found.turns is not None
    assert found.turns[1] == Turn("tool", "8")


# ---------------------------------------------------------------------------------------------- turns


@pytest.mark.parametrize(
    ("message", "role", "content"),
    [
        (HumanMessage("a"), "user", "a"),
        (messages_to_dict([HumanMessage("a")])[0], "user", "a"),
        (dumpd(HumanMessage("a")), "user", "a"),
        (("human", "a"), "user", "a"),
        (["ai", "a"], "assistant", "a"),
        ({"type": "AIMessageChunk", "content": "a"}, "assistant", "a"),
        ({"role": "developer", "content": "a"}, "system", "a"),
        ({"role": "critic", "content": "a"}, "critic", "a"),
        (
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
            "user",
            "ab",
        ),
        (
            {"role": "user", "content": [{"type": "image", "url": "u"}]},
            "user",
            [{"type": "image", "url": "u"}],
        ),
    ],
)
def test_roles_and_content(message: object, role: str, content: object) -> None:
    (turn,) = read([message, *[]]).turns or ()
    assert (turn.role, turn.content) == (role, content)


def test_text_among_messages_is_a_user_s() -> None:
    assert read(["hi", AIMessage("a")]).turns == (Turn("user", "hi"), Turn("assistant", "a"))
