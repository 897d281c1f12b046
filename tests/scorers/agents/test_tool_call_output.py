"""The outputs of tool calls: JSON where they hold it, text where they do not."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.comparators import fuzzy, text, within
from fieldwise.errors import ConfigError
from fieldwise.evaluators.arguments import create_tool_call_output_evaluator
from tests.scorers.agents.call_forms import output_of


def gave(*outputs: Any, name: str = "t") -> list[dict[str, Any]]:
    return [{"name": name, "args": {}, "output": one} for one in outputs]


def expects(*outputs: Any) -> dict[str, Any]:
    return {"toolOutputs": [{"name": "t", "output": one} for one in outputs]}


NEAR = within("numeric_diff", 0.9)
SEED = "{'temperature': 25.0, 'unit': 'fahrenheit'}"


@pytest.mark.parametrize(
    ("came", "wanted", "score"),
    [
        ('{"unit": "fahrenheit", "temperature": 25}', SEED, 1.0),
        ({"unit": "fahrenheit", "temperature": 25}, SEED, 1.0),
        (SEED, '{"temperature":25.0,"unit":"fahrenheit"}', 1.0),
        (SEED, {"temperature": 25, "unit": "fahrenheit"}, 1.0),
        ('{"unit": "celsius", "temperature": 25}', SEED, 0.0),
        ("[1, 2]", [1, 2], 1.0),
        ("[1, 2]", [2, 1], 0.0),
        ("ok", "ok", 1.0),
        ("ok ", "ok", 0.0),
        ("5", 5, 1.0),
        (5, "5", 1.0),
        ("5.0", 5, 1.0),
        ("1.10", "1.1", 0.0),
        ("true", True, 1.0),
        ("True", True, 1.0),
        (1, True, 0.0),
        ("None", None, 1.0),
        ("007", 7, 0.0),
        ('"abc"', "abc", 1.0),
        ("abc", "'abc'", 0.0),
        ("{oops", "{oops", 1.0),
        ("", "", 1.0),
        ("", None, 0.0),
        ("x", {"$any": True}, 1.0),
        ({"id": "9f", "n": 1}, {"id": {"$any": True}, "n": 1}, 1.0),
        ("b", {"$any_of": ["a", "b"]}, 1.0),
        ({"$any": True}, {"$literal": {"$any": True}}, 1.0),
    ],
)
def test_what_equals_what(came: Any, wanted: Any, score: float) -> None:
    found = output_of(gave(came), expects(wanted))
    assert (found["score"], found["extra"]["status"]) == (score, "graded")


def test_a_call_without_an_output_is_what_nothing_equals() -> None:
    found = output_of([{"name": "t", "args": {}}], expects(None))
    assert (found["score"], found["comment"]) == (0.0, "0 of 1 outputs right: call 0 (t): no output")


def test_outputs_pair_whatever_their_order_strict_or_not() -> None:
    for strict in (False, True):
        assert output_of(gave("a", "b"), expects("b", "a"), strict=strict)["score"] == 1.0
    assert output_of(gave("a", "c"), expects("b", "a"))["score"] == 0.5
    assert output_of(gave("a", "c"), expects("b", "a"), strict=True)["score"] == 0.0


@pytest.mark.parametrize(
    ("options", "came", "wanted", "score"),
    [
        ({"comparators": {"t": within(fuzzy(), 0.8)}}, "Write a greeting", "Write greeting", 1.0),
        (
            {"comparators": {"*": {"temp.c": NEAR}}},
            {"temp": {"c": 20}},
            {"temp": {"c": 21}},
            1.0,
        ),
        (
            {"comparators": {"*": {"$.temps[*]": NEAR}}},
            {"temps": [20]},
            {"temps": [21]},
            1.0,
        ),
        ({"comparators": {"*": {"a b": text(ignore_case=True)}}}, {"a b": "X"}, {"a b": "x"}, 1.0),
        ({"lists": {"t": "same_elements"}}, [2, 1], [1, 2], 1.0),
        ({"lists": {"*": {"ids": "same_elements"}}}, {"ids": [2, 1]}, {"ids": [1, 2]}, 1.0),
        ({"subset": True}, {"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, 1.0),
        ({"null_policy": "null_equals_missing"}, {"a": 1, "b": {"c": None}}, {"a": 1, "b": {}}, 1.0),
        ({"coerce": True}, {"a": "1"}, {"a": 1}, 1.0),
        ({"measure": "precision"}, "a", "a", 1.0),
    ],
)
def test_options(options: dict[str, Any], came: Any, wanted: Any, score: float) -> None:
    assert output_of(gave(came), expects(wanted), **options)["score"] == score


def test_a_judge_may_decide_on_an_output() -> None:
    asked: list[Any] = []

    def judge(request: Any) -> dict[str, bool]:
        asked.append([(one.expected, one.actual) for one in request.questions])
        return {one.id: True for one in request.questions}

    evaluate: Any = create_tool_call_output_evaluator(rubric={"t": "same meaning"}, judge=judge)
    result = evaluate(
        outputs=gave("queued 1 h", "same"), reference_outputs=expects("same", "queued for an hour")
    )
    assert (result["score"], asked) == (1.0, [[("queued for an hour", "queued 1 h")]])


def test_the_comment_names_the_call_the_place_expected_and_got() -> None:
    found = output_of(gave({"unit": "C", "value": 21}), expects({"unit": "C", "value": 20}))
    assert found["comment"] == "0 of 1 outputs right: call 0 (t), output.value: expected 20, got 21"
    missing = output_of(gave("a", name="u"), expects("a"))
    assert missing["comment"] == '0 of 1 outputs right: call 0 (t): not made; expected {"output":"a"}'


@pytest.mark.parametrize(
    ("outputs", "reference", "score", "status"),
    [
        ([], {"toolOutputs": []}, 1.0, "graded"),
        (gave("a"), {"toolOutputs": []}, 0.0, "graded"),
        ([], expects("a"), 0.0, "graded"),
        (7, expects("a"), 0.0, "invalid_output"),
        (gave("a"), [{"name": "t", "args": {}}], None, "invalid_reference"),
        (gave("a"), 7, None, "invalid_reference"),
        (gave("a"), {"tool_outputs": [{"name": "t", "output": "a"}]}, 1.0, "graded"),
        (gave("a"), [{"name": "t", "output": "a"}, {"name": "t", "args": {}}], 1.0, "graded"),
    ],
)
def test_both_sides_and_what_cannot_be_read(
    outputs: Any, reference: Any, score: float | None, status: str
) -> None:
    found = output_of(outputs, reference)
    assert (found["score"], found["extra"]["status"]) == (score, status)


def test_the_outputs_of_a_conversation_are_those_of_its_tools_messages() -> None:
    made = [
        {"role": "assistant", "content": "", "tool_calls": [{"name": "t", "args": {}, "id": "1"}]},
        {"role": "tool", "content": '{"n": 1}', "tool_call_id": "1"},
    ]
    assert output_of(made, expects({"n": 1}))["score"] == 1.0
    assert output_of(made, made)["score"] == 1.0
    assert output_of(made, tool_outputs=[{"name": "t", "output": {"n": 1}}])["score"] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"comparators": {"t": {"$..a": "id"}}},
            "comparators['t']: '$..a' searches; name a place with names, indices and [*]",
        ),
        (
            {"comparators": {"t": "idd"}},
            "comparators['t'][\"$['output']\"]='idd': there is no such comparator; did you mean 'id'?",
        ),
        ({"subset": 1}, "subset=1: must be True or False"),
        ({"measure": "x"}, "measure='x': must be one of 'recall', 'precision', 'f1'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        create_tool_call_output_evaluator(**options)
    assert str(caught.value) == message
