"""Which calls were made at once, and which call an output answers."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage

from fieldwise._types import MISSING
from fieldwise.scorers.agents.calls import Trajectory, Turn
from fieldwise.scorers.agents.reading import read_trajectory


def read(messages: list[Any]) -> Trajectory:
    found = read_trajectory(messages)
    assert isinstance(found, Trajectory), found
    return found


def asks(*calls: tuple[str, str | None]) -> dict[str, Any]:
    return {"role": "assistant", "tool_calls": [{"name": name, "id": id_, "args": {}} for name, id_ in calls]}


def says(content: str, id_: str | None = None, name: str | None = None) -> dict[str, Any]:
    return {"role": "tool", "content": content, "tool_call_id": id_, "name": name}


AB = asks(("a", "1"), ("b", "2"))
ANSWERS: dict[str, tuple[list[Any], list[object], list[str]]] = {
    "by id": ([AB, says("B", "2"), says("A", "1")], ["A", "B"], []),
    "by place": ([AB, says("A"), says("B")], ["A", "B"], []),
    "by name": ([AB, says("B", name="b"), says("A", name="a")], ["A", "B"], []),
    "a name of no call": ([AB, says("A", name="z")], ["A", MISSING], []),
    "by id, then by place": ([AB, says("A", "1"), says("B")], ["A", "B"], []),
    "calls without ids": ([asks(("a", None), ("b", None)), says("A", "7"), says("B", "8")], ["A", "B"], []),
    "an id that is no call's": ([AB, says("A", "9")], [MISSING, MISSING], ["message 1: answers no call"]),
    "twice": ([AB, says("A", "1"), says("A2", "1")], ["A", MISSING], ["message 2: answers no call"]),
    "before any call": ([says("A"), AB], [MISSING, MISSING], ["message 0: answers no call"]),
    "an id again in a later group": (
        [asks(("a", "1")), says("A", "1"), asks(("b", "1")), says("B", "1")], ["A", "B"], [],
    ),
    "an id again, nearest first": (
        [asks(("a", "1")), asks(("b", "1")), says("B", "1"), says("A", "1")], ["A", "B"], [],
    ),
    "an id twice in a group": (
        [asks(("a", "1"), ("b", "1")), says("A", "1"), says("B", "1")], ["A", "B"], [],
    ),
    "a later group only": ([asks(("a", None)), asks(("b", None)), says("B")], [MISSING, "B"], []),
    "numbers as ids": (
        [asks(("a", 1), ("b", 2)), says("B", 2), says("A", 1)], ["A", "B"], [],  # type: ignore[arg-type]
    ),
    "older functions": (
        [
            {"role": "assistant", "function_call": {"name": "a", "arguments": "{}"}},
            {"role": "function", "name": "a", "content": "A"},
        ], ["A"], [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ANSWERS)
def test_which_call_an_output_answers(case: str) -> None:
    messages, outputs, notes = ANSWERS[case]
    found = read(messages)
    assert ([call.output for call in found.calls], list(found.notes)) == (outputs, notes)


def test_a_message_is_a_group() -> None:
    found = read([AB, says("A"), {"role": "user", "content": "go on"}, asks(("c", "3")), asks(("d", "4"))])
    assert [(call.name, call.group, call.at) for call in found.calls] == [
        ("a", 0, "message 0, call 0"),
        ("b", 0, "message 0, call 1"),
        ("c", 1, "message 3, call 0"),
        ("d", 2, "message 4, call 0"),
    ]


def item(name: str, id_: str) -> dict[str, Any]:
    return {"type": "function_call", "name": name, "arguments": "{}", "call_id": id_, "id": f"fc_{id_}"}


def gives(id_: str, output: str) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": id_, "output": output}


def test_items_up_to_an_output_are_one_turn_and_one_group() -> None:
    thought = {"type": "reasoning", "summary": []}
    text = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]}
    found = read([
        {"role": "user", "content": "hi"}, thought, text, item("a", "1"), item("b", "2"),
        gives("2", "B"), gives("1", "A"), item("c", "3"), gives("3", "C"),
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]},
    ])  # fmt: skip
    told = [(call.name, call.id, call.output, call.group) for call in found.calls]
    assert told == [("a", "1", "A", 0), ("b", "2", "B", 0), ("c", "3", "C", 1)]
    a, b, c = found.calls
    said = [(turn.role, turn.content, turn.calls) for turn in found.turns or ()]
    assert said == [
        ("user", "hi", ()),
        ("assistant", "I look.", (a, b)),
        ("tool", "B", ()),
        ("tool", "A", ()),
        ("assistant", None, (c,)),
        ("tool", "C", ()),
        ("assistant", "done", ()),
    ]
    assert (found.turns or ())[1].blocks == [thought, {"type": "output_text", "text": "I look."}]


def test_the_next_speaker_ends_a_group_of_items() -> None:
    found = read([item("a", "1"), {"role": "user", "content": "and?"}, item("b", "2")])
    assert [call.group for call in found.calls] == [0, 1]


def test_tools_that_run_at_the_provider() -> None:
    found = read([
        {"type": "mcp_call", "name": "a", "arguments": "{}", "output": "A", "id": "1"},
        {"type": "mcp_call", "name": "b", "arguments": "{}", "error": "down", "id": "2"},
        {"type": "web_search_call", "id": "3", "status": "completed"},
    ])  # fmt: skip
    told = [(call.name, call.output, call.failed) for call in found.calls]
    assert told == [("a", "A", False), ("b", "down", True)]
    assert found.notes == ("message 2: web_search_call is not read as a tool call",)


def test_free_text_to_a_tool_is_its_input() -> None:
    found = read([{"type": "custom_tool_call", "name": "sh", "input": "ls", "call_id": "1"}])
    assert found.calls[0].args == {"input": "ls"}


def test_results_in_a_user_s_message_are_tool_s_turns() -> None:
    uses = [{"type": "tool_use", "id": i, "name": name, "input": {}} for i, name in (("1", "a"), ("2", "b"))]
    results = [
        {"type": "tool_result", "tool_use_id": "2", "content": "no", "is_error": True},
        {"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": "[1]"}]},
    ]
    text = {"type": "text", "text": "go on"}
    found = read([{"role": "assistant", "content": uses}, {"role": "user", "content": [*results, text]}])
    assert [(call.name, call.output, call.failed) for call in found.calls] == [
        ("a", [1], False),
        ("b", "no", True),
    ]
    assert [(turn.role, turn.content, turn.call_id) for turn in found.turns or ()] == [
        ("assistant", None, None),
        ("tool", "no", "2"),
        ("tool", "[1]", "1"),
        ("user", "go on", None),
    ]
    only = read([{"role": "assistant", "content": uses}, {"role": "user", "content": results}])
    assert [turn.role for turn in only.turns or ()] == ["assistant", "tool", "tool"]


def test_results_of_a_provider_s_own_tools() -> None:
    found = read([{"role": "assistant", "content": [
        {"type": "server_tool_use", "id": "1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "1", "content": [{"type": "web", "url": "u"}]},
        {"type": "text", "text": "found"},
    ]}])  # fmt: skip
    assert [(call.name, call.output) for call in found.calls] == [
        ("web_search", [{"type": "web", "url": "u"}])
    ]
    assert [(turn.role, turn.content) for turn in found.turns or ()] == [("assistant", "found")]


def test_calls_in_blocks_and_in_tool_calls_are_counted_once() -> None:
    use = {"type": "tool_use", "id": "1", "name": "a", "input": {"x": 1}}
    server = {"type": "server_tool_use", "id": "2", "name": "web", "input": {}}
    message = AIMessage(
        [{"type": "text", "text": "t"}, use, server], tool_calls=[{"name": "a", "args": {"x": 1}, "id": "1"}]
    )
    assert [(call.name, call.id, call.group) for call in read([message]).calls] == [
        ("a", "1", 0),
        ("web", "2", 0),
    ]
    assert [call.name for call in read([AIMessage([use])]).calls] == ["a"]


@pytest.mark.parametrize(
    ("args", "name", "problem"),
    [
        ("{bad}", "a", "malformed arguments: text that is no JSON object: '{bad}'"),
        ("", "a", None),
        (None, None, None),
        ("{'x': 1}", "a", "malformed arguments: the framework could not read them"),
    ],
)  # fmt: skip
def test_calls_that_a_framework_could_not_read(
    args: str | None, name: str | None, problem: str | None
) -> None:
    invalid = {"type": "invalid_tool_call", "id": "2", "name": name, "args": args, "error": "not JSON"}
    message = AIMessage(
        "",
        tool_calls=[{"name": "b", "args": {}, "id": "1"}],
        invalid_tool_calls=[invalid],
    )
    _, call = read([message, ToolMessage("no", tool_call_id="2", status="error")]).calls
    assert (call.name, call.args, call.problem, call.output, call.failed) == (name, {}, problem, "no", True)
    assert call.at == "message 0, call 1"


def test_an_answer_is_a_turn_with_its_id_and_name() -> None:
    found = read([AB, ToolMessage('{"n": 1}', tool_call_id="1", name="a", artifact={"raw": 1})])
    assert (found.turns or ())[1] == Turn("tool", '{"n": 1}', call_id="1", name="a")
    assert found.calls[0].output == {"n": 1}
