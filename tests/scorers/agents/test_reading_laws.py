"""Laws of reading: one conversation is the same from every source, and nothing at all raises."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage, messages_to_dict

from fieldwise._types import MISSING
from fieldwise.core.read import Problem
from fieldwise.scorers.agents.calls import Trajectory
from fieldwise.scorers.agents.reading import read_trajectory
from tests.scorers.test_hostile_objects import METHODS, PLAIN, hostile, refuse

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(st.text("abcé", max_size=3), documents, max_size=3)


@dataclass(frozen=True)
class Made:
    """A call and what came back: text, or nothing."""

    name: str
    args: dict[str, Any]
    output: str | None
    failed: bool


outputs = st.none() | st.sampled_from(["8", "", "[1", "ok: {}"]) | documents.map(json.dumps)
made = st.builds(
    lambda name, args, output, failed: Made(name, args, output, failed and output is not None),
    st.sampled_from(["search", "book", "päy"]), objects, outputs, st.booleans(),
)  # fmt: skip
conversations = st.lists(st.lists(made, min_size=1, max_size=3), max_size=3)

Talk = list[list[Made]]
OpenTurn = list[tuple[str, Made]]


def numbered(talk: Talk) -> list[OpenTurn]:
    return [[(f"c{at}_{n}", one) for n, one in enumerate(step)] for at, step in enumerate(talk)]


def langchain(talk: Talk) -> list[BaseMessage]:
    messages: list[BaseMessage] = [HumanMessage("go")]
    for step in numbered(talk):
        messages.append(
            AIMessage("", tool_calls=[{"name": m.name, "args": m.args, "id": i} for i, m in step])
        )
        messages += [
            ToolMessage(m.output, tool_call_id=i, status="error" if m.failed else "success")
            for i, m in step
            if m.output is not None
        ]
    return messages


def chat(talk: Talk) -> list[dict[str, Any]]:
    """OpenAI's chat has no word for a tool that failed; `status` is LangChain's."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for step in numbered(talk):
        calls = [
            {"id": i, "type": "function", "function": {"name": m.name, "arguments": json.dumps(m.args)}}
            for i, m in step
        ]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages += [
            {
                "role": "tool",
                "tool_call_id": i,
                "content": m.output,
                **({"status": "error"} if m.failed else {}),
            }
            for i, m in reversed(step)
            if m.output is not None
        ]
    return messages


def responses(talk: Talk) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for step in numbered(talk):
        items.append({"type": "reasoning", "summary": []})
        items += [
            {"type": "function_call", "call_id": i, "name": m.name, "arguments": json.dumps(m.args)}
            for i, m in step
        ]
        answers = [
            {
                "type": "function_call_output",
                "call_id": i,
                "output": m.output,
                **({"status": "error"} if m.failed else {}),
            }
            for i, m in step
            if m.output is not None
        ]
        items += answers or [{"role": "user", "content": "go on"}]
    return items


def anthropic(talk: Talk) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for step in numbered(talk):
        uses = [{"type": "tool_use", "id": i, "name": m.name, "input": m.args} for i, m in step]
        messages.append({"role": "assistant", "content": [{"type": "thinking", "thinking": "…"}, *uses]})
        results = [
            {
                "type": "tool_result",
                "tool_use_id": i,
                "content": [{"type": "text", "text": m.output}],
                "is_error": m.failed,
            }
            for i, m in step
            if m.output is not None
        ]
        messages.append({"role": "user", "content": [*results, {"type": "text", "text": "go on"}]})
    return messages


def plain(talk: Talk) -> list[dict[str, Any]]:
    return [
        {"name": m.name, "args": m.args, "id": i, "group": at}
        | ({} if m.output is None else {"output": m.output})
        | ({"status": "error"} if m.failed else {})
        for at, step in enumerate(numbered(talk))
        for i, m in step
    ]


RENDERINGS: dict[str, Any] = {
    "langchain_dicts": lambda talk: messages_to_dict(langchain(talk)),
    "langchain_dumps": lambda talk: [message.model_dump() for message in langchain(talk)],
    "langchain_constructors": lambda talk: dumpd(langchain(talk)),
    "state": lambda talk: {"messages": langchain(talk)},
    "chat": chat,
    "responses": responses,
    "anthropic": anthropic,
    "plain": plain,
    "text": lambda talk: json.dumps(chat(talk)),
    "wrapper": lambda talk: {"output": chat(talk)},
}


def calls(value: Any) -> list[tuple[Any, ...]]:
    found = read_trajectory(value)
    assert isinstance(found, Trajectory), found
    assert found.notes == ()
    return [(c.name, c.args, c.problem, c.id, c.output, c.failed, c.group) for c in found.calls]


@pytest.mark.parametrize("rendering", RENDERINGS)
@given(talk=conversations)
def test_one_conversation_is_the_same_from_every_source(rendering: str, talk: Talk) -> None:
    expected = calls(langchain(talk))
    assert len(expected) == sum(map(len, talk))
    assert calls(RENDERINGS[rendering](talk)) == expected


@given(talk=conversations)
def test_the_calls_are_those_that_were_made(talk: Talk) -> None:
    told = [
        (name, args, group, failed, output is MISSING)
        for name, args, _, _, output, failed, group in calls(langchain(talk))
    ]
    assert told == [
        (m.name, m.args, at, m.failed, m.output is None) for at, step in enumerate(talk) for m in step
    ]  # fmt: skip


@given(talk=conversations)
def test_turns_are_the_same_in_openai_s_two_forms(talk: Talk) -> None:
    answered = [[Made(m.name, m.args, m.output or "x", m.failed) for m in step] for step in talk]
    one, other = read_trajectory(langchain(answered)), read_trajectory(responses(answered))
    assert isinstance(one, Trajectory)
    assert isinstance(other, Trajectory)
    assert [(t.role, t.content, t.call_id, len(t.calls)) for t in one.turns or ()] == [
        (t.role, t.content, t.call_id, len(t.calls)) for t in other.turns or ()
    ]


# --------------------------------------------------------------------------------------- nothing raises

WORDS = (
    "role", "type", "content", "tool_calls", "invalid_tool_calls", "name", "args", "arguments", "input", "id",
    "output", "call_id", "tool_call_id", "tool_use_id", "function", "function_call", "data", "kwargs", "lc",
    "messages", "status", "additional_kwargs", "is_error", "group", "error", "choices", "object", "result",
    "custom",
)  # fmt: skip
VALUES = (
    "assistant", "user", "tool", "ai", "human", "function_call", "function_call_output", "reasoning",
    "message", "text", "tool_use", "tool_result", "constructor", "AIMessage", "{}", "[", "{'a': 1}", '"{}"',
    "response", "mcp_call", "error", "web_search_call",
)  # fmt: skip
odd = st.recursive(
    scalars | st.sampled_from(VALUES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=5),
    max_leaves=20,
)


@given(value=odd, twice=st.booleans())
@example(value={"role": None, "type": [], "args": ""}, twice=False)
@example(value={"role": "tool", "content": {"type": [], "role": {}}}, twice=False)
@example(value={"role": "user", "content": [{"type": ["text"]}]}, twice=False)
def test_any_value_is_a_trajectory_or_a_problem(value: Any, twice: bool) -> None:
    for source in (
        value,
        [value],
        [value, value],
        {"messages": value},
        {"messages": [value, value]},
        {"tool_calls": [value]},
    ):
        found = read_trajectory(source, decode_twice=twice)
        if isinstance(found, Problem):
            assert found.reason.startswith("outputs: ")
            assert "cannot be read" not in found.reason, found.reason
        else:
            check(found)


def check(found: Trajectory) -> None:
    """What holds of every trajectory."""
    groups = [call.group for call in found.calls]
    assert groups == sorted(groups)
    assert set(groups) == set(range(len(set(groups))))
    assert all(not (call.problem and call.args) for call in found.calls)
    if found.turns is not None:
        assert [call for turn in found.turns for call in turn.calls] == list(found.calls)


@pytest.mark.parametrize("method", [*METHODS, "__class__", "__getattr__", "__hash__", "__str__"])
@pytest.mark.parametrize("kind", PLAIN)
def test_objects_that_raise_are_a_problem_or_read(kind: type, method: str) -> None:
    one = hostile(kind, method)
    if method == "__class__":
        one = type("Hostile", (object,), {"__class__": property(refuse)})()
    asks = {"role": "assistant", "content": "", "tool_calls": [{"name": "f", "args": one}]}
    for source in (
        one, [one], {"messages": one}, {"messages": [{"role": "user", "content": "a"}, one]}, asks,
        {"tool_calls": [one]},
        [{"role": "user", "content": one}], [{"role": one}], [{"name": "f", "output": one}], [{"name": one}],
        [asks, {"role": "tool", "content": one}], [asks, {"role": "tool", "tool_call_id": one}],
    ):  # fmt: skip
        assert isinstance(read_trajectory(source), Trajectory | Problem)


def test_a_message_that_raises_is_named() -> None:
    class Broken:
        type = "ai"

        @property
        def content(self) -> str:
            raise RuntimeError("no")

    found = read_trajectory([HumanMessage("a"), Broken()])
    assert found == Problem("invalid_output", "outputs: message 1: cannot be read: RuntimeError: no")


def test_reading_is_linear() -> None:
    """Outputs in reverse order, ids that repeat, and none at all: each is as quick as any other."""
    many = 20_000
    call = {"name": "f", "args": {}, "id": "same"}
    one = [{"role": "assistant", "content": "", "tool_calls": [call] * many}]
    for answer in (
        {"role": "tool", "content": "8", "tool_call_id": "same"},
        {"role": "tool", "content": "8"},
    ):
        found = read_trajectory(one + [answer] * many)
        assert isinstance(found, Trajectory)
        assert all(call.output == "8" for call in found.calls)


@pytest.mark.parametrize("around", [1, 2])
def test_a_wrapper_of_itself_ends(around: int) -> None:
    wrappers: list[dict[str, Any]] = [{} for _ in range(around)]
    for at, wrapper in enumerate(wrappers):
        wrapper["output"] = wrappers[at - 1]
    found = read_trajectory(wrappers[0])
    assert isinstance(found, Problem)
    assert found.status == "invalid_output"
    assert found.reason == ("outputs: no messages, calls, spans or run, but an object with the keys output")
