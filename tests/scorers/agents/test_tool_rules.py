"""tool_call_order with rules."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.errors import ConfigError
from fieldwise.evaluators.tools import create_tool_call_order_evaluator
from tests.scorers.agents.tool_forms import NONE, evaluate, said


def rules(decisions: str, reference: Any, **options: Any) -> Any:
    """`"a,b c"`: calls at once by comma."""
    outputs = said(*[one.replace(",", " ") for one in decisions.split()])
    found = evaluate("tool_call_order", outputs, reference, **options)
    fixed = evaluate("tool_call_order", outputs, NONE, rules=reference, **options)
    assert fixed == found
    return found


@pytest.mark.parametrize(
    ("rule", "holds", "violated"),
    [
        ({"before": [["a", "b"]]}, ["a b", "a x b b", "a b a"], ["b a", "b", "a", "", "a,b"]),
        ({"before": ["a", "b"]}, ["a b"], ["b a"]),
        ({"before": [["a", "b", "c"]]}, ["a b c", "a b x c"], ["a c b", "b a c", "a b"]),
        ({"before": [["a", "b"], ["a", "c"]]}, ["a c b", "a b,c"], ["b a c", "a,c b"]),
        ({"before": []}, ["", "a"], []),
        ({"never": ["a", "b"]}, ["", "c"], ["c a", "b"]),
        ({"never": "a"}, ["b"], ["a"]),
        ({"at_most": {"a": 1}}, ["", "a", "b b"], ["a a", "a,a"]),
        ({"max_calls": {"a": 0}}, ["b"], ["a"]),
        ({"maxCalls": {"*": 2}}, ["a b"], ["a b c"]),
        ({"atLeast": {"a": 1, "b": 2}}, ["a b b"], ["a b", "b b"]),
        ({"min_calls": {"a": "2"}}, ["a a"], ["a"]),
        ({"exactly": {"a": 1.0}}, ["a"], ["", "a a"]),
        ({"first": "a"}, ["a", "a b", "b,a c"], ["", "b a"]),
        ({"last": "a"}, ["a", "b a", "b a,c"], ["", "a b"]),
        ({"plan": ["a", "b"]}, ["a b", "a x b", "a,b"], ["b a", "a", ""]),
        ({"plan": []}, [""], ["a"]),
        ({"plan": ["a", "b"], "never": ["x"]}, ["a y b"], ["a x b", "b a"]),
        ({"toolCallsOrder": ["a", "b"], "never": ["x"]}, ["a y b"], ["a x b", "b a"]),
        ({"never": ["Get Weather"]}, ["get_weather"], ["Get_Weather"]),
        ({"never": ["c1"]}, ["a"], ["a a"]),
    ],
    ids=str,
)
def test_rules(rule: dict[str, Any], holds: list[str], violated: list[str]) -> None:
    scores = {decisions: rules(decisions, rule)["score"] for decisions in holds + violated}
    assert scores == dict.fromkeys(holds, 1.0) | dict.fromkeys(violated, 0.0)


def test_a_violated_rule_is_all_or_nothing_unless_partial() -> None:
    several = {"never": ["x"], "at_most": {"a": 1}, "before": [["a", "b"]], "plan": ["a", "b", "c", "d"]}
    assert rules("a b x", several)["score"] == 0.0
    assert rules("a b x", several, partial=True)["score"] == (0.0 + 1.0 + 1.0 + 0.5) / 4
    assert rules("a b c d", several, partial=True)["score"] == 1.0


@pytest.mark.parametrize(
    ("decisions", "score"), [("", 1.0), ("a", 1.0), ("b", 0.0), ("b a", 0.0), ("a b", 1.0)]
)
def test_before_may_hold_where_the_later_was_not_called(decisions: str, score: float) -> None:
    assert rules(decisions, {"before": [["a", "b"]]}, absent="satisfied")["score"] == score


@pytest.mark.parametrize(("decisions", "score"), [("a b", 1.0), ("a x b", 0.0)])
def test_strict_is_for_the_plan(decisions: str, score: float) -> None:
    assert rules(decisions, {"plan": ["a", "b"], "first": "a"}, strict=True)["score"] == score


def test_calls_at_once_may_be_ordered() -> None:
    assert rules("a,b", {"before": [["a", "b"]]}, parallel="ordered")["score"] == 1.0
    assert rules("b,a", {"first": "a"}, parallel="ordered")["score"] == 0.0


def test_every_violated_rule_is_named_with_its_place() -> None:
    found = rules(
        "b a,x",
        {
            "before": [["a", "b"], ["x", "a"], ["y", "a"], ["a", "z"]],
            "never": ["x"],
            "at_least": {"b": 2},
            "first": "a",
            "plan": ["b", "y"],
            "last": "a",
        },
    )
    reasons = {
        ("before", ("a", "b")): (
            "'a' and 'b' were called the other way round, message 3, call 0 and message 1, call 0"
        ),
        ("before", ("x", "a")): ("'x' and 'a' were called at once, message 3, call 1 and message 3, call 0"),
        ("before", ("y", "a")): "'y' was not called",
        ("before", ("a", "z")): "'z' was not called",
        ("never", ("x",)): "it was called, message 3, call 1",
        ("at_least", ("b",)): "there is 1 call",
        ("first", ("a",)): "it was 'b', message 1, call 0",
        ("plan", ()): "1 of 2 expected calls in order; the first difference: 'y' was not called",
    }
    told = {(one["rule"], tuple(one["tools"])): one["reason"] for one in found["extra"]["violated"]}
    assert told == reasons
    assert (found["extra"]["rules"], found["extra"]["actual"]) == (9, ["b", ["a", "x"]])
    assert found["comment"] == (
        "8 of 9 rules violated: "
        "before 'a', 'b': 'a' and 'b' were called the other way round, "
        "message 3, call 0 and message 1, call 0; "
        "before 'x', 'a': 'x' and 'a' were called at once, message 3, call 1 and message 3, call 0; "
        "before 'y', 'a': 'y' was not called; "
        "before 'a', 'z': 'z' was not called; "
        "never 'x': it was called, message 3, call 1; and 3 more"
    )


@pytest.mark.parametrize(
    ("decisions", "rule", "comment"),
    [
        ("a", {"never": ["x"]}, None),
        ("a", {"never": ["x", "y"]}, None),
        ("a a", {"at_most": {"a": 1}}, "1 of 1 rules violated: at_most 'a' 1: there are 2 calls"),
        ("", {"last": "a"}, "1 of 1 rules violated: last 'a': no tool was called"),
    ],
)
def test_comments(decisions: str, rule: Any, comment: str | None) -> None:
    assert rules(decisions, rule)["comment"] == comment


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ({"never": ["x"], "answer": 42},
         "reference_outputs: 'answer' is no rule; the rules: at_least, at_most, before, exactly, "  # noqa: ISC004
         "first, last, max_calls, min_calls, never, plan, tool_calls_order"),
        ({"never": ["x"], "at_mots": {}}, "reference_outputs: 'at_mots' is no rule; did you mean 'at_most'?"),
        ({"never": {"x": 1}}, 'reference_outputs.never: {"x":1} must be a list of names of tools'),
        ({"never": ["x", None]}, "reference_outputs.never[1]: null must be the name of a tool"),
        ({"before": [["a"]]},
         'reference_outputs.before[0]: ["a"] must name two tools, the earlier one first'),
        ({"before": {"a": "b"}},
         'reference_outputs.before: {"a":"b"} must be a list of pairs, [[\'confirm\', \'delete\']]'),
        ({"before": [1]}, "reference_outputs.before[0]: 1 must be a list of names of tools"),
        ({"first": ["a"]}, 'reference_outputs.first: ["a"] must be the name of a tool'),
        ({"at_most": ["a"]},
         "reference_outputs.at_most: [\"a\"] must be an object of names and numbers, {'lookup': 1}"),
        ({"at_most": {"a": True}},
         "reference_outputs.at_most['a']: true must be a whole number from 0 to 1,000,000,000"),
        ({"at_most": {"a": -1}},
         "reference_outputs.at_most['a']: -1 must be a whole number from 0 to 1,000,000,000"),
        ({"at_most": {"a": 1.5}},
         "reference_outputs.at_most['a']: 1.5 must be a whole number from 0 to 1,000,000,000"),
        ({"at_most": {"a": float("nan")}},
         "reference_outputs.at_most['a']: NaN must be a whole number from 0 to 1,000,000,000"),
        ({"plan": "a", "never": []},
         'reference_outputs.plan: "a" must be a list of names, for one write ["a"]'),
        ({"plan": [], "toolCallsOrder": []},
         "reference_outputs.toolCallsOrder: there is a plan already; give one"),
    ],
    ids=str,
)  # fmt: skip
def test_rules_that_cannot_be_read(reference: Any, reason: str) -> None:
    found = evaluate("tool_call_order", said("a"), reference)
    assert (found["score"], found["extra"]["status"], found["comment"]) == (None, "invalid_reference", reason)


@pytest.mark.parametrize(
    ("reference", "hint"),
    [
        ({"befor": [["a", "b"]]}, "'befor' is no rule, did you mean 'before'?"),
        ({"maxCall": {"a": 1}}, "'maxCall' is no rule, did you mean 'max_calls'?"),
        ({"x": 1, "y": 2}, "give a list of names, or rules"),
        (
            {"limits": {"never": ["a"]}},
            "the rules in 'limits' are read with correct_answer_key='limits'",
        ),
    ],
)
def test_a_misspelt_rule_in_a_reference_is_named(reference: Any, hint: str) -> None:
    found = evaluate("tool_call_order", said("a"), reference)
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")
    keys = ", ".join(reference)
    assert found["comment"] == (
        f"reference_outputs: no messages, calls, spans or run, but an object with the keys {keys}; {hint}"
    )


def test_an_order_that_is_in_a_column_is_found() -> None:
    found = evaluate("tool_call_order", said("a"), {"tools": ["a"]})
    assert found["comment"] == (
        "reference_outputs: no messages, calls, spans or run, but an object with the keys tools; "
        "if that is what to read, pass correct_answer_key='tools'; give a list of names, or rules"
    )


def test_no_rules_are_no_option() -> None:
    with pytest.raises(ConfigError) as caught:
        create_tool_call_order_evaluator(rules={})
    assert str(caught.value) == "rules={}: name at least one rule, {'never': ['delete']}"
