"""Spans of every convention, one thing at a time: which calls they make up."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final

import pytest

from fieldwise._types import MISSING
from fieldwise.scorers.agents.calls import ToolCall, Trajectory
from fieldwise.scorers.agents.reading.spans import is_spans, read_spans


def span(
    name: str = "span", start: Any = None, end: Any = None, key: Any = None, parent: Any = None, **more: Any
) -> dict[str, Any]:
    """A span in the form of the SDK's JSON; `attributes` and others by name."""
    context = None if key is None else {"span_id": key, "trace_id": "0x1"}
    times = {"start_time": start, "end_time": end}
    return {"name": name, "attributes": {}, **times, "context": context, "parent_id": parent, **more}


def tool(name: str, start: Any = None, end: Any = None, given: Any = None, **more: Any) -> dict[str, Any]:
    """A tool's span; attributes of other names than `tool.name` and `input.value` in `said`."""
    said = {"openinference.span.kind": "TOOL", "tool.name": name, **more.pop("said", {})}
    said |= {} if given is None else {"input.value": given}
    return span(name, start, end, attributes=said, **more)


def model(start: Any, end: Any, *calls: tuple[str, str, str | None], **more: Any) -> dict[str, Any]:
    """A model's span whose reply has these calls: name, arguments as text, id."""
    said: dict[str, Any] = {"openinference.span.kind": "LLM", **more.pop("said", {})}
    for number, (name, given, identity) in enumerate(calls):
        at = f"llm.output_messages.0.message.tool_calls.{number}.tool_call"
        said |= {f"{at}.function.name": name, f"{at}.function.arguments": given}
        said |= {} if identity is None else {f"{at}.id": identity}
    return span("model", start, end, attributes=said, **more)


def told(start: int, *answers: tuple[str, str]) -> dict[str, Any]:
    """A model's span that is told what tools answered, as numbered attributes."""
    said: dict[str, Any] = {"openinference.span.kind": "LLM"}
    for number, (identity, text) in enumerate(answers):
        at = f"llm.input_messages.{number}.message"
        said |= {f"{at}.role": "tool", f"{at}.tool_call_id": identity, f"{at}.content": text}
    return span("model", start, start + 1, attributes=said)


def read(*spans: Any) -> Trajectory:
    assert is_spans(list(spans))
    return read_spans(list(spans))


def one(*spans: Any) -> ToolCall:
    (call,) = read(*spans).calls
    return call


def brief(found: Trajectory) -> list[tuple[Any, ...]]:
    return [(call.name, call.args, call.group) for call in found.calls]


# ------------------------------------------------------------------------------------- the conventions

GENAI: Final = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "search",
    "gen_ai.tool.call.id": "c1",
    "gen_ai.tool.call.arguments": '{"q": "x"}',
    "gen_ai.tool.call.result": '{"hits": 2}',
}
CONVENTIONS: Final[dict[str, dict[str, Any]]] = {
    "GenAI": GENAI,
    "GenAI, structured": {
        **GENAI,
        "gen_ai.tool.call.arguments": {"q": "x"},
        "gen_ai.tool.call.result": {"hits": 2},
    },
    "GenAI, no operation": {key: value for key, value in GENAI.items() if "operation" not in key},
    "OpenInference": {
        "openinference.span.kind": "TOOL",
        "tool.name": "search",
        "tool_call.id": "c1",
        "input.value": '{"q": "x"}',
        "output.value": '{"hits": 2}',
    },
    "OpenInference, LangChain's message": {
        "openinference.span.kind": "TOOL",
        "tool.name": "search",
        "input.value": '{"q": "x"}',
        "output.value": json.dumps(
            {"type": "tool", "data": {"content": '{"hits": 2}', "tool_call_id": "c1", "status": "success"}}
        ),
    },
    "UiPath": {
        "tool.name": "search",
        "tool.id": "c1",
        "input.value": "{'q': 'x'}",
        "output.value": '{"content": {"hits": 2}}',
    },
    "LangSmith": {
        "langsmith.span.kind": "tool",
        "gen_ai.operation.name": "execute_tool",
        "langsmith.trace.name": "search",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.prompt": '{"q": "x"}',
        "gen_ai.completion": json.dumps(
            {"output": {"content": '{"hits": 2}', "type": "tool", "tool_call_id": "c1"}}
        ),
    },
    "LangSmith, older inputs": {
        "langsmith.span.kind": "tool",
        "gen_ai.tool.name": "search",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.prompt": "{\"input\": \"{'q': 'x'}\"}",
        "gen_ai.completion": '{"hits": 2}',
    },
}


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_tool_in_every_convention(name: str) -> None:
    found = one(span("other", 1, 2, attributes=CONVENTIONS[name]))
    assert found == ToolCall("search", {"q": "x"}, None, "c1", {"hits": 2}, at="span 0")


@pytest.mark.parametrize(
    "said", [{"openinference.span.kind": "TOOL"}, {"gen_ai.operation.name": "execute_tool"}], ids=str
)
def test_the_spans_own_name_where_no_attribute_names_the_tool(said: dict[str, Any]) -> None:
    assert one(span("execute_tool search", 1, 2, attributes=said)).name == "search"


REPLIES: Final[dict[str, dict[str, Any]]] = {
    "GenAI": {
        "gen_ai.operation.name": "chat",
        "gen_ai.output.messages": json.dumps(
            [{"role": "assistant", "parts": [
                {"type": "text", "content": "let me see"},
                {"type": "tool_call", "id": "c1", "name": "search", "arguments": {"q": "x"}},
            ]}]
        ),
    },
    "LangSmith, of OpenAI": {
        "langsmith.span.kind": "llm",
        "gen_ai.completion": json.dumps(
            {"choices": [{"message": {"role": "assistant", "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "search", "arguments": '{"q": "x"}'}}
            ]}}]}
        ),
    },
    "OpenInference, Anthropic's reply": {
        "openinference.span.kind": "LLM",
        "output.value": json.dumps(
            {"role": "assistant", "content": [
                {"type": "tool_use", "id": "c1", "name": "search", "input": {"q": "x"}}
            ]}
        ),
    },
    "OpenInference, OpenAI's Responses": {
        "openinference.span.kind": "LLM",
        "output.value": json.dumps(
            {"output": [
                {"type": "reasoning"},
                {"type": "function_call", "call_id": "c1", "name": "search", "arguments": '{"q": "x"}'},
            ]}
        ),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", REPLIES)
def test_what_a_model_asked_for_in_every_convention(name: str) -> None:
    found = read(span("model", 1, 2, attributes=REPLIES[name]))
    assert found.calls == (ToolCall("search", {"q": "x"}, None, "c1", MISSING, at="span 0, call 0"),)
    assert found.notes == ("span 0, call 0: search was asked for and never ran",)


ANSWERS: Final[dict[str, dict[str, Any]]] = {
    "numbered attributes": told(9, ("c1", "no such city"))["attributes"],
    "numbered parts": {
        "openinference.span.kind": "LLM",
        "llm.input_messages.0.message.tool_call_id": "c1",
        "llm.input_messages.0.message.contents.0.message_content.text": "no such ",
        "llm.input_messages.0.message.contents.1.message_content.text": "city",
    },
    "GenAI": {
        "gen_ai.operation.name": "chat",
        "gen_ai.input.messages": json.dumps(
            [{"role": "tool", "parts": [
                {"type": "tool_call_response", "id": "c1", "response": "no such city"}
            ]}]
        ),
    },
    "OpenAI": {
        "langsmith.span.kind": "llm",
        "gen_ai.prompt": json.dumps(
            {"messages": [{"role": "tool", "tool_call_id": "c1", "content": "no such city"}]}
        ),
    },
    "Anthropic": {
        "openinference.span.kind": "LLM",
        "input.value": json.dumps([{"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "c1", "content": "no such city"}
        ]}]),
    },
    "a node of a graph": {
        "openinference.span.kind": "CHAIN",
        "output.value": json.dumps(
            {"messages": [{"type": "tool", "data": {"content": "no such city", "tool_call_id": "c1"}}]}
        ),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_what_a_failed_tool_does_not_say_a_message_says(name: str) -> None:
    spans = [
        model(1, 2, ("weather", '{"city": "Rom"}', "c1")),
        tool("weather", 3, 4, "Rom", status={"status_code": "ERROR"}),
        span("after", 5, 6, attributes=ANSWERS[name]),
    ]
    expected = ToolCall("weather", {"city": "Rom"}, None, "c1", "no such city", failed=True, at="span 1")
    assert one(*spans) == expected


def test_of_two_answers_with_one_id_the_nearer_one() -> None:
    failing = {"status": {"status_code": "ERROR"}}
    found = read(
        model(1, 2, ("a", "{}", "c1")), tool("a", 3, 4, "{}", **failing), told(5, ("c1", "first")),
        model(7, 8, ("a", "{}", "c1")), tool("a", 9, 10, "{}", **failing),
        told(11, ("c1", "first"), ("c1", "second")),
    )  # fmt: skip
    assert [call.output for call in found.calls] == ["first", "second"]


# ------------------------------------------------------------------------------------- arguments, outputs

SCHEMAS: Final[dict[str, Any]] = {
    "a schema": {"type": "object", "properties": {"city": {"type": "string"}}},
    "OpenAI's": {"type": "function", "function": {"name": "w", "parameters": {"properties": {"city": {}}}}},
    "Anthropic's": {"name": "w", "input_schema": {"properties": {"city": {}}}},
}


@pytest.mark.parametrize("attribute", ["tool.parameters", "tool.json_schema"])
@pytest.mark.parametrize("name", SCHEMAS)
@pytest.mark.parametrize("given", ["Paris", '"Paris"'])
def test_the_only_argument_gets_its_name_from_the_schema(name: str, attribute: str, given: str) -> None:
    found = one(tool("w", 1, 2, given, said={attribute: json.dumps(SCHEMAS[name])}))
    assert (found.args, found.problem) == ({"city": "Paris"}, None)


@pytest.mark.parametrize(
    "offered",
    [
        {"llm.tools.0.tool.json_schema": json.dumps(SCHEMAS["OpenAI's"])},
        {"gen_ai.tool.definitions": json.dumps([SCHEMAS["OpenAI's"]])},
    ],
    ids=["OpenInference", "GenAI"],
)
def test_or_from_what_the_model_was_offered(offered: dict[str, Any]) -> None:
    assert one(tool("w", 3, 4, "5"), model(1, 2, said=offered)).args == {"city": "5"}


def test_of_several_arguments_a_bare_text_is_none() -> None:
    schema: dict[str, Any] = {"properties": {"city": {}, "unit": {}}}
    found = one(tool("w", 1, 2, "Paris", said={"tool.parameters": json.dumps(schema)}))
    assert (found.args, found.problem) == ({}, "malformed arguments: text that is no JSON object: 'Paris'")


@pytest.mark.parametrize("text", ["Paris", '{"a": 1}', "5", "[]", "null", ""])
def test_the_request_says_what_a_bare_text_is(text: str) -> None:
    found = one(model(1, 2, ("w", json.dumps({"city": text}), "c1")), tool("w", 3, 4, text))
    assert (found.args, found.problem, found.id) == ({"city": text}, None, "c1")


def test_arguments_that_a_model_wrote_badly() -> None:
    found = one(model(1, 2, ("w", '{"city": ', "c1")), tool("w", 3, 4, "{}"))
    assert found.args == {}
    assert str(found.problem).startswith("malformed arguments: ")


OUTPUTS: Final[list[tuple[Any, Any]]] = [
    ('{"content": "8"}', "8"),
    ('{"content": 8}', 8),
    ('{"content": [], "status": "success"}', []),
    ('{"content": "x", "title": "y"}', {"content": "x", "title": "y"}),
    ('{"output": "3"}', {"output": "3"}),
    ('{"type": ["string", "null"], "role": []}', {"type": ["string", "null"], "role": []}),
    ('[{"type": ["string"]}]', [{"type": ["string"]}]),
    ('"abc"', "abc"),
    ("abc", "abc"),
    ("8", "8"),
    ("true", "true"),
    ("", ""),
    ({"content": {"a": 1}}, {"a": 1}),
    ({"graph": None, "update": {"messages": [{"type": "tool", "content": "8", "tool_call_id": "c"}]}}, "8"),
]


@pytest.mark.parametrize(("written", "output"), OUTPUTS, ids=[str(written) for written, _ in OUTPUTS])
def test_an_output_out_of_its_wrapper(written: Any, output: Any) -> None:
    assert one(tool("t", 1, 2, said={"output.value": written})).output == output


def test_a_plain_text_keeps_its_quotes() -> None:
    said = {"output.value": '"abc"', "output.mime_type": "text/plain"}
    assert one(tool("t", 1, 2, said=said)).output == '"abc"'


FAILURES: Final[dict[str, tuple[dict[str, Any], bool]]] = {
    "error": ({"status": {"status_code": "ERROR"}}, True),
    "error, by an enum": ({"status": SimpleNamespace(status_code=SimpleNamespace(name="ERROR"))}, True),
    "error, in OTLP": ({"status": {"code": 2}}, True),
    "error, in OTLP's words": ({"status": {"code": "STATUS_CODE_ERROR"}}, True),
    "exception": ({"events": [{"name": "exception"}]}, True),
    "exception, by an object": ({"events": (SimpleNamespace(name="exception"),)}, True),
    "exception, but fine": ({"events": [{"name": "exception"}], "status": {"status_code": "OK"}}, False),
    "error type": ({"said": {"error.type": "ValueError"}}, True),
    "message": ({"said": {"output.value": '{"type": "tool", "content": "x", "status": "error"}'}}, True),
    "unset": ({"status": {"status_code": "UNSET"}}, False),
    "nothing": ({}, False),
    "another event": ({"events": [{"name": "log"}, None]}, False),
}


@pytest.mark.parametrize("name", FAILURES)
def test_failed(name: str) -> None:
    more, failed = FAILURES[name]
    assert one(tool("t", 1, 2, **more)).failed is failed


# ---------------------------------------------------------------------------------------- order, groups


def test_by_start_then_end_then_as_listed() -> None:
    found = read(tool("d", 5, 6), tool("b", 1, 9), tool("a", 1, 2), tool("c", 1, 9), tool("e"), tool("f"))
    assert [call.name for call in found.calls] == ["a", "b", "c", "d", "e", "f"]


TIMES: Final[list[Any]] = [
    1_700_000_000_000_000_000,
    "1700000000000000000",
    "2023-11-14T22:13:20Z",
    "2023-11-14T23:13:20+01:00",
    datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
    datetime(2023, 11, 14, 22, 13, 20),  # noqa: DTZ001 - LangSmith's have no zone
]


@pytest.mark.parametrize("time", TIMES, ids=str)
def test_times_in_every_form(time: Any) -> None:
    before, after = 1_700_000_000_000_000_000 - 1_000, 1_700_000_000_000_000_000 + 1_000
    found = read(tool("c", after), tool("b", time), tool("a", before))
    assert [call.name for call in found.calls] == ["a", "b", "c"]


def test_one_reply_is_one_group_in_the_order_of_its_requests() -> None:
    found = read(
        tool("b", 7, 8, "{}", said={"tool.id": "c2"}),
        tool("a", 9, 10, "{}", said={"tool.id": "c1"}),
        model(1, 2, ("a", "{}", "c1"), ("b", "{}", "c2")),
        model(11, 12, ("a", "{}", "c3")),
        tool("a", 13, 14, "{}", said={"tool.id": "c3"}),
    )
    assert brief(found) == [("a", {}, 0), ("b", {}, 0), ("a", {}, 1)]


def test_without_requests_side_by_side_is_one_group() -> None:
    found = read(
        tool("a", 1, 5), tool("b", 2, 9), tool("c", 6, 7), tool("d", 9, 10), tool("e", 11), tool("f", 11)
    )
    assert brief(found) == [
        ("a", {}, 0),
        ("b", {}, 0),
        ("c", {}, 0),
        ("d", {}, 1),
        ("e", {}, 2),
        ("f", {}, 3),
    ]


def test_a_tool_within_a_tool_is_no_neighbour_of_it() -> None:
    found = read(
        tool("outer", 1, 9, key="0x1"),
        span("node", 2, 8, key="0x2", parent="0x1"),
        tool("left", 3, 6, parent="0x2"),
        tool("right", 4, 7, parent="0x2"),
        tool("beside", 5, 9),
    )
    assert brief(found) == [("outer", {}, 0), ("beside", {}, 0), ("left", {}, 1), ("right", {}, 1)]


def test_one_call_recorded_twice_is_one() -> None:
    outer = tool("search", 1, 9, '{"q": "x"}', key="0x1")
    inner = span("search", 2, 8, key="0x2", parent="0x1", attributes=GENAI)
    assert brief(read(outer, inner)) == [("search", {"q": "x"}, 0)]
    reply = model(0, 1, ("search", '{"q": "x"}', "c1"), key="0x3")
    again = span("chat", 0, 1, key="0x4", parent="0x3", attributes=REPLIES["GenAI"])
    found = read(reply, again, outer, inner)
    assert (brief(found), found.notes) == ([("search", {"q": "x"}, 0)], ())


def test_a_span_listed_twice_counts_once_as_it_ended() -> None:
    begun = tool("a", 1, None, key="0x1")
    ended = tool("a", 1, 2, key="0x1", said={"output.value": "done"})
    assert one(begun, ended, begun).output == "done"
    assert len(read(tool("a", 1, 2), tool("a", 1, 2)).calls) == 2


def test_attempts_at_one_call_are_one_call() -> None:
    failing = {"status": {"status_code": "ERROR"}}
    found = read(
        model(1, 2, ("a", '{"x": 1}', "c1"), ("a", '{"x": 2}', "c2")),
        tool("a", 3, 4, '{"x": 1}', **failing),
        tool("a", 3, 5, '{"x": 2}', **failing),
        tool("a", 6, 7, '{"x": 1}', **failing),
        tool("a", 8, 9, '{"x": 1}', said={"tool.id": "c1", "output.value": "ok"}),
    )
    assert [(call.id, call.output, call.failed) for call in found.calls] == [
        ("c1", "ok", False),
        ("c2", MISSING, True),
    ]
    assert found.notes == ("span 0, call 0: a ran 3 times; the last one counts",)


def test_arguments_that_were_changed_on_the_way_are_those_asked_for() -> None:
    found = one(model(1, 2, ("a", '{"x": 1}', "c1")), tool("a", 3, 4, '{"x": 1, "user": "me"}'))
    assert (found.args, found.id) == ({"x": 1}, "c1")


def test_a_tool_that_nobody_asked_for_is_a_call_of_its_own() -> None:
    found = read(
        model(3, 4, ("a", "{}", "c1")),
        tool("a", 5, 6, "{}"),
        tool("b", 1, 2),
        tool("a", 7, 8, '{"other": 1}'),
    )
    assert brief(found) == [("b", {}, 0), ("a", {}, 1), ("a", {"other": 1}, 2)]


def test_an_id_links_across_names_as_models_see_them() -> None:
    found = one(model(1, 2, ("Get_weather", "{}", "c1")), tool("Get weather", 3, 4, "{}"))
    assert (found.name, found.id) == ("Get_weather", "c1")


# ------------------------------------------------------------------------------- requests that never ran


def test_requests_beside_tools_that_ran() -> None:
    found = read(
        model(1, 2, ("a", "{}", "c1"), ("b", "{}", "c2")),
        tool("a", 3, 4, "{}"),
        model(5, 6, ("Answer", '{"x": 1}', "c3")),
        model(7, 8, ("c", "{}", "c4")),
        told(9, ("c4", "refused")),
    )
    assert [(call.name, call.output, call.group) for call in found.calls] == [
        ("a", MISSING, 0),
        ("b", MISSING, 0),
        ("c", "refused", 1),
    ]
    assert found.notes == (
        "span 0, call 1: b was asked for and never ran",
        "span 2, call 0: Answer was asked for, never ran or was answered; left out",
    )


# ----------------------------------------------------------------------------------- what spans look like


def test_attributes_of_other_spans_are_passed_over() -> None:
    spans = [span("http", 1, 2, attributes={"http.method": "GET"}), span("x", 1, 2, attributes=None)]
    assert read(*spans) == Trajectory((), None, "spans")


@pytest.mark.parametrize("named", ["", None, 0, False])
def test_a_tool_without_a_name_is_none(named: Any) -> None:
    assert (
        read(span("x", 1, 2, attributes={"tool.name": named, "openinference.span.kind": "TOOL"})).calls == ()
    )


def test_a_tool_that_was_made_up_is_none() -> None:
    assert read(tool("t", 1, 2, said={"tool.synthesized": True})).calls == ()


def test_objects_and_otlp_are_spans_as_well() -> None:
    thing = SimpleNamespace(
        name="t", attributes={"tool.name": "t", "input.value": "{}"}, start_time=1, end_time=2,
        context=SimpleNamespace(span_id=5), parent=None,
    )  # fmt: skip
    listed = {
        "name": "t", "spanId": "05", "startTimeUnixNano": "1", "endTimeUnixNano": "2",
        "attributes": [
            {"key": "tool.name", "value": {"stringValue": "t"}},
            {"key": "tool.id", "value": {"intValue": "7"}},
            {"key": "input.value", "value": {"kvlistValue": {"values": [
                {"key": "a", "value": {"arrayValue": {"values": [{"intValue": "1"}, {"boolValue": True}]}}}
            ]}}},
        ],
    }  # fmt: skip
    assert one(thing) == ToolCall("t", at="span 0")
    expected = ToolCall("t", {"a": [1, True]}, None, "7", at="span 0")
    assert one(listed) == expected
    envelope: Any = {"resourceSpans": [{"scopeSpans": [{"spans": [listed]}]}]}
    assert is_spans(envelope)
    assert read_spans(envelope).calls == (expected,)


@pytest.mark.parametrize(
    "value",
    [[], {}, None, "spans", 3, [{"name": "t", "args": {}}], [{"role": "user", "content": "x"}], [None],
     [{"attributes": {}}], [{"attributes": {}, "name": "x"}, 3], {"resourceSpans": []}],
    ids=str,
)  # fmt: skip
def test_not_spans(value: Any) -> None:
    assert not is_spans(value)


def test_no_order_of_the_list_matters() -> None:
    spans = [
        model(1, 2, ("a", '{"x": 1}', "c1"), ("a", '{"x": 2}', "c2"), key="0x1"),
        tool("a", 3, 5, '{"x": 2}', key="0x2"),
        tool("a", 4, 6, '{"x": 1}', key="0x3", status={"status_code": "ERROR"}),
        told(7, ("c1", "boom")),
        tool("b", 10, 12, key="0x4"),
        tool("c", 11, 13, key="0x5"),
    ]
    expected = [(call.id, call.output, call.group) for call in read(*spans).calls]
    for seed in range(20):
        random.Random(seed).shuffle(spans)  # noqa: S311
        assert [(call.id, call.output, call.group) for call in read(*spans).calls] == expected


def test_a_thousand_alike_calls_are_read_in_moments() -> None:
    spans = []
    for number in range(1_000):
        at = number * 10
        spans += [model(at, at + 1, ("a", "{}", None)), tool("a", at + 2, at + 3, "{}", key=f"0x{number:x}")]
    assert len(read(*spans).calls) == 1_000
