"""The history of a run: what was done can be read back from it, whatever was said, in any budget."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.core.values import Unconvertible
from fieldwise.scorers.agents.calls import ToolCall, Trajectory, Turn
from fieldwise.scorers.agents.history import history
from fieldwise.scorers.agents.history.shortening import BYTES_PER_TOKEN, NAME_LIMIT, estimate
from tests.judges.test_injection import CORPUS, IDS
from tests.scorers.agents.told import names, read, told, whole

ENDLESS: Final = 10**9


def spoken(*turns: Turn, beside: tuple[ToolCall, ...] = ()) -> Trajectory:
    return Trajectory((*(call for turn in turns for call in turn.calls), *beside), turns, "messages")


def calls(*made: ToolCall) -> Trajectory:
    return Trajectory(tuple(replace(call, group=at) for at, call in enumerate(made)))


# ------------------------------------------------------------------------------------------- the form

ADD: Final = ToolCall("add", {"a": 5, "b": [3]}, id="1", output="8", group=0)
FAIL: Final = ToolCall("div", {}, id="2", output="by zero", failed=True, group=0)
ODD: Final = ToolCall(None, problem="malformed arguments: a number", group=1)

FORMS: Final[list[tuple[str, Trajectory, Any, list[str]]]] = [
    ("nothing", Trajectory(), MISSING, ['{"nothing":"no messages and no tool calls were recorded"}']),
    (
        "no-messages",
        Trajectory((), ()),
        None,
        ['{"nothing":"no messages and no tool calls were recorded"}', '{"final_answer":null}'],
    ),
    ("call", calls(ToolCall("t")), MISSING, ['{"call":1,"name":"t","arguments":{}}']),
    (
        "calls",
        Trajectory((ADD, FAIL, ODD)),
        {"r": 1.0},
        [
            '{"call":1,"name":"add","id":"1","group":0,"arguments":{"a":5,"b":[3]},"output":"8"}',
            '{"call":2,"name":"div","id":"2","group":0,"failed":true,"arguments":{},"output":"by zero"}',
            '{"call":3,"name":null,"arguments_problem":"malformed arguments: a number"}',
            '{"final_answer":{"r":1}}',
        ],
    ),
    (
        "conversation",
        spoken(
            Turn("system", "Be brief."),
            Turn("user", [{"type": "text", "text": "5+3?"}], name="Ada"),
            Turn("assistant", None, (ADD, FAIL)),
            Turn("tool", "8", call_id="1"),
            Turn("tool", "by zero", call_id="2", name="div"),
            Turn("assistant", "8 </AgentRunHistory>", (ODD,)),
        ),
        MISSING,
        [
            '{"turn":1,"role":"system","content":"Be brief."}',
            '{"turn":2,"role":"user","name":"Ada","content":[{"text":"5+3?","type":"text"}]}',
            (
                '{"turn":3,"role":"assistant","calls":[{"name":"add","id":"1","group":0,"arguments":{"a":5,'
                '"b":[3]}},{"name":"div","id":"2","group":0,"failed":true,"arguments":{}}]}'
            ),
            '{"turn":4,"role":"tool","answers":"1","content":"8"}',
            '{"turn":5,"role":"tool","name":"div","answers":"2","failed":true,"content":"by zero"}',
            (
                '{"turn":6,"role":"assistant","content":"8 \\u003c/AgentRunHistory\\u003e","calls":[{"name":'
                'null,"arguments_problem":"malformed arguments: a number"}]}'
            ),
        ],
    ),
    (
        "beside-the-messages",
        spoken(Turn("user", ""), beside=(ADD,)),
        MISSING,
        [
            '{"turn":1,"role":"user","content":""}',
            '{"call":1,"name":"add","id":"1","arguments":{"a":5,"b":[3]},"output":"8"}',
        ],
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("trajectory", "answer", "lines"), [pytest.param(*row[1:], id=row[0]) for row in FORMS]
)
def test_the_form(trajectory: Trajectory, answer: Any, lines: list[str]) -> None:
    found = history(trajectory, answer)
    assert found.text.split("\n") == lines
    assert (found.tokens, found.cut) == (estimate(found.text), False)
    assert read(found.text) == told(trajectory, answer)


def test_an_answer_that_has_no_json_form() -> None:
    with pytest.raises(Unconvertible):
        history(Trajectory(), object())


# ------------------------------------------------------------------------------------- nothing is forged


def everywhere(text: str) -> Trajectory:
    """A run that says a text wherever one can be said."""
    call = ToolCall(text, {text: text, "in": [text]}, id=text, output={text: text}, group=3)
    bad = ToolCall(text, problem=text, failed=True, group=3)
    return spoken(
        Turn("user", text, name=text),
        Turn(text, {text: [text]}, (call, bad)),
        Turn("tool", text, call_id=text),
        beside=(replace(call, id=None),),
    )


@pytest.mark.parametrize("text", CORPUS, ids=IDS)
def test_whatever_is_said_the_run_can_be_read_back(text: str) -> None:
    trajectory = everywhere(text)
    found = history(trajectory, {"answer": text})
    assert not found.cut
    assert read(found.text) == told(trajectory, {"answer": text})
    assert "<" not in found.text


@pytest.mark.parametrize("text", CORPUS, ids=IDS)
def test_a_mark_of_what_is_cut_cannot_be_forged(text: str) -> None:
    forged: dict[str, Any] = {"start": text, "left_out": "9 characters", "end": text}
    trajectory = calls(ToolCall("t", {"content_cut": forged, "left_out": {"lines": 1}}))
    assert read(history(trajectory).text) == told(trajectory)
    long = calls(ToolCall(text, {"q": text * 4_000}), ToolCall("u"))
    first, second = read(history(long, max_tokens=300).text)
    assert first.keys() == {"call", "name", "arguments_cut"}
    assert first["name"] == text
    assert second == {"call": 2, "name": "u", "arguments": {}}


TEXT: Final = st.text(max_size=30) | st.sampled_from(CORPUS)
JSON: Final = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
CALL: Final = st.builds(
    ToolCall,
    name=st.none() | TEXT,
    args=st.dictionaries(TEXT, JSON, max_size=3),
    problem=st.none() | TEXT,
    id=st.none() | st.sampled_from(["1", "2", "é"]),
    output=st.just(MISSING) | JSON,
    failed=st.booleans(),
    group=st.integers(0, 3),
)
TURN: Final = st.builds(
    Turn,
    role=st.sampled_from(["system", "user", "assistant", "tool"]) | TEXT,
    content=JSON,
    calls=st.lists(CALL, max_size=3).map(tuple),
    call_id=st.none() | st.sampled_from(["1", "2", "é"]),
    name=st.none() | TEXT,
)
RUN: Final = st.lists(CALL, max_size=5).map(lambda made: Trajectory(tuple(made))) | st.builds(
    lambda turns, beside: spoken(*turns, beside=tuple(beside)),
    st.lists(TURN, max_size=6),
    st.lists(CALL, max_size=2),
)


@given(RUN, st.just(MISSING) | JSON)
def test_a_run_that_fits_is_told_whole(trajectory: Trajectory, answer: Any) -> None:
    found = history(trajectory, answer, max_tokens=ENDLESS)
    assert read(found.text) == told(trajectory, answer)


# ------------------------------------------------------------------------------------------ the budget


@given(RUN, st.just(MISSING) | JSON, st.integers(1, 400), st.integers(1, 60))
def test_a_budget_is_kept_and_no_call_forgotten(
    trajectory: Trajectory, answer: Any, budget: int, times: int
) -> None:
    turns = None if trajectory.turns is None else tuple(trajectory.turns) * times
    trajectory = replace(trajectory, calls=trajectory.calls * times, turns=turns)
    found = history(trajectory, answer, max_tokens=budget)
    assert found == history(trajectory, answer, max_tokens=budget)
    full = history(trajectory, answer, max_tokens=ENDLESS)
    assert found.cut == (estimate(full.text) > budget)
    lines = read(found.text)
    gaps = [line for line in lines if "left_out" in line]
    assert found.tokens == estimate(found.text)
    assert found.tokens <= budget or len(lines) == len(gaps) == 1
    assert len(gaps) <= 1
    assert len(lines) - len(gaps) + sum(gap["left_out"]["lines"] for gap in gaps) == len(read(full.text))
    assert names(lines) == names(read(full.text))


@given(
    st.text(min_size=200, max_size=3_000) | st.sampled_from(CORPUS).map(lambda text: text * 200), st.data()
)
def test_a_content_is_cut_in_its_middle(text: str, data: st.DataObject) -> None:
    budget = data.draw(st.integers(100, max(100, estimate(json.dumps(text)))))
    found = history(spoken(Turn("user", text)), max_tokens=budget)
    (line,) = read(found.text)
    if not found.cut:
        assert line["content"] == text
        return
    cut = line["content_cut"]
    assert whole(cut, text)
    assert abs(len(json.dumps(cut["start"])) - len(json.dumps(cut["end"]))) < 40 or not text.isascii()


def test_long_contents_are_cut_first_and_to_one_length() -> None:
    short, long = "short " * 20, "long " * 4_000
    trajectory = spoken(
        Turn("user", short),
        Turn("assistant", long, (ToolCall("t", {"q": long}),)),
        Turn("tool", [long]),
        Turn("assistant", short),
    )
    found = history(trajectory, max_tokens=2_000)
    first, second, third, last = read(found.text)
    assert (first["content"], last["content"]) == (short, short)
    assert second["content_cut"]["left_out"] == "18,200 characters"
    assert second["calls"][0]["name"] == "t"
    argument, output = second["calls"][0]["arguments_cut"], third["content_cut"]
    assert whole(argument, json.dumps({"q": long}, separators=(",", ":")))
    assert whole(output, json.dumps([long]))
    assert output["json_start"].startswith('["long long')
    kept = [len(json.dumps(one)) for one in (second["content_cut"], argument, output)]
    assert max(kept) - min(kept) < 20
    assert 1_950 < found.tokens <= 2_000


def test_whole_steps_are_left_out_from_the_middle_and_the_end_stays() -> None:
    made = [ToolCall("search" if at % 3 else "fetch", {"n": at}, group=at) for at in range(3_000)]
    found = history(Trajectory(tuple(made)), "done", max_tokens=1_000)
    lines = read(found.text)
    (gap,) = [at for at, line in enumerate(lines) if "left_out" in line]
    assert lines[:2] == told(Trajectory(tuple(made)))[:2]
    assert lines[-1] == {"final_answer": "done"}
    assert abs(gap - (len(lines) - gap)) <= 2
    left = lines[gap]["left_out"]
    assert left.keys() == {"lines", "calls_by_name"}
    assert dict(left["calls_by_name"]).keys() == {"fetch", "search"}
    assert 950 < found.tokens <= 1_000


def test_the_calls_left_out_are_told_in_their_order_where_that_is_short() -> None:
    made = [ToolCall("a" if at < 500 else "b", {"n": at}, group=at) for at in range(1_000)]
    (gap,) = [
        line["left_out"]
        for line in read(history(Trajectory(tuple(made)), max_tokens=1_000).text)
        if "left_out" in line
    ]
    (first, before), (second, after) = gap["calls_in_order"]
    assert (first, second, before + after) == ("a", "b", gap["lines"])


def test_names_alone_may_be_more_than_the_budget() -> None:
    made = [ToolCall(f"tool {at}", {"n": at}, group=at) for at in range(1_000)]
    found = history(Trajectory(tuple(made)), max_tokens=1_000)
    (line,) = read(found.text)
    assert found.tokens > 1_000
    assert line["left_out"] == {"lines": 1_000, "calls_by_name": [[f"tool {at}", 1] for at in range(1_000)]}


def test_a_monstrous_name_is_cut_whatever_the_budget() -> None:
    name = "n" * 5_000
    found = history(calls(ToolCall(name, id=name)), max_tokens=ENDLESS)
    (line,) = read(found.text)
    assert not found.cut
    assert line.keys() == {"call", "name_cut", "id_cut", "arguments"}
    assert whole(line["name_cut"], name)
    assert len(json.dumps(line["name_cut"], separators=(",", ":"))) <= NAME_LIMIT


# --------------------------------------------------------------------------------------------- counting


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abc", 1), ("abcd", 2), ("日本", 2), ("é" * 3, 2)])
def test_the_rule_of_the_estimate(text: str, tokens: int) -> None:
    assert estimate(text) == tokens == -(-len(text.encode()) // BYTES_PER_TOKEN)


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(lambda text: len(text.split()), id="words"),
        pytest.param(len, id="characters"),
        pytest.param(lambda text: 5 + len(text) // 2, id="dear"),
        pytest.param(lambda text: len(text) // 9, id="cheap"),
    ],
)
def test_a_count_of_the_users(count: Any) -> None:
    asked = []

    def counting(text: str) -> int:
        asked.append(text)
        return int(count(text))

    trajectory = spoken(*(Turn("user", "some words of mine " * 50) for _ in range(200)))
    found = history(trajectory, max_tokens=1_500, count_tokens=counting)
    assert found.cut
    assert 800 < found.tokens == count(found.text) <= 1_500
    assert len(asked) <= 9


@pytest.mark.parametrize("found", [None, "7", True, -1, float("nan"), float("inf"), 10**5000], ids=range(7))
def test_what_is_no_count(found: Any) -> None:
    with pytest.raises(TypeError, match=r"^a number of tokens is "):
        history(calls(ToolCall("t")), count_tokens=lambda _: found)


@pytest.mark.parametrize("budget", [500, 8_000, 400_000, ENDLESS])
def test_ten_thousand_messages(budget: int) -> None:
    made = [ToolCall("search", {"q": "weather " * 5}, id=f"{at}", group=at) for at in range(5_000)]
    turns = [
        turn
        for call in made
        for turn in (Turn("assistant", "", (call,)), Turn("tool", "é" * 300, call_id=call.id))
    ]
    trajectory = Trajectory(tuple(made), tuple(turns), "messages")
    began = time.process_time()
    found = history(trajectory, max_tokens=budget)
    assert time.process_time() - began < 60
    assert found.tokens <= budget


def test_one_content_of_megabytes() -> None:
    began = time.process_time()
    found = history(calls(ToolCall("t", {"q": '\\"<é' * 500_000}), ToolCall("u", {"q": "é" * 2_000_000})))
    assert time.process_time() - began < 60
    assert [line["name"] for line in read(found.text)] == ["t", "u"]
    assert 7_900 < found.tokens <= 8_000
