"""tool_call_order with an order: what is read as one, scores, comments, options."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fieldwise.errors import ConfigError
from fieldwise.evaluators.tools import create_tool_call_order_evaluator
from fieldwise.scorers.agents.ordering import lcs
from tests.scorers.agents.tool_forms import NONE, evaluate, said

NAMES = ["a", "b", "c"]


def order(outputs: Any, reference: Any = NONE, **options: Any) -> Any:
    return evaluate("tool_call_order", outputs, reference, **options)


@pytest.mark.parametrize(
    ("decisions", "expected", "loose", "strict"),
    [
        ("a b c", NAMES, 1.0, 1.0),
        ("a x b y c", NAMES, 1.0, 0.0),
        ("a c b", NAMES, 2 / 3, 0.0),
        ("c b a", NAMES, 1 / 3, 0.0),
        ("a b", NAMES, 2 / 3, 0.0),
        ("x", NAMES, 0.0, 0.0),
        ("", NAMES, 0.0, 0.0),
        ("a", [], 0.0, 0.0),
        ("", [], 1.0, 1.0),
        ("a", ["a", "a"], 0.5, 0.0),
        ("a,b c", NAMES, 1.0, 1.0),
        ("b,a c", NAMES, 1.0, 1.0),
        ("a b,c", ["a", {"parallel": ["c", "b"]}], 1.0, 1.0),
        ("a b c", ["a", {"parallel": ["c", "b"]}], 1.0, 1.0),
        ("a c b", ["a", {"parallel": ["c", "b"]}], 1.0, 1.0),
        ("b a c", ["a", {"parallel": ["c", "b"]}], 2 / 3, 0.0),
        ("a b c x", ["a", {"parallel": ["c", "b"]}], 1.0, 0.0),
        ("a", [{"parallel": ["a"]}, {"parallel": []}], 1.0, 1.0),
        ("a b", [{"name": "a"}, "b"], 1.0, 1.0),
    ],
)
def test_scores(decisions: str, expected: Any, loose: float, strict: float) -> None:
    outputs = said(*[one.replace("+", " ") for one in decisions.replace(",", "+").split()])
    assert order(outputs, expected)["score"] == loose
    assert order(outputs, expected, strict=True)["score"] == strict


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param(NAMES, id="names"),
        pytest.param(tuple(NAMES), id="tuple"),
        pytest.param(json.dumps(NAMES), id="text"),
        pytest.param({"toolCallsOrder": NAMES}, id="camel"),
        pytest.param({"tool_calls_order": NAMES}, id="snake"),
        pytest.param({"toolCallsOrder": tuple(NAMES), "answer": "42"}, id="beside other columns"),
        pytest.param(json.dumps({"toolCallsOrder": NAMES}), id="text of an object"),
        pytest.param({"output": NAMES}, id="wrapper"),
        pytest.param({"output": {"toolCallsOrder": NAMES}}, id="wrapped"),
        pytest.param([{"name": name, "args": {}} for name in NAMES], id="calls"),
        pytest.param({"tool_calls": [{"name": name} for name in NAMES]}, id="tool_calls"),
        pytest.param(said("a", "b", "c"), id="messages"),
        pytest.param({"messages": said("a", "b", "c")}, id="state"),
        pytest.param({"plan": NAMES}, id="plan"),
        pytest.param(said("a", "b c"), id="at once"),
    ],
)
def test_what_is_read_as_an_order(reference: Any) -> None:
    assert order(said("a", "b", "c"), reference)["score"] == 1.0
    assert order(said("a", "c"), reference)["score"] == (2 / 3 if "plan" not in reference else 0.0)


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        (NONE, "no reference_outputs were given"),
        (
            None,
            "reference_outputs: no messages, calls, spans or run, but None; give a list of names, or rules",
        ),
        (
            "a, b",
            'reference_outputs: "a, b" is text and holds no JSON: no JSON object or array in the text',
        ),
        (
            {"toolCallsOrder": "a"},
            'reference_outputs.toolCallsOrder: "a" must be a list of names, for one write ["a"]',
        ),
        (
            ["a", 1],
            "reference_outputs[1]: 1 must be the name of a tool, or {'parallel': [names]}",
        ),
        (
            ["a", ["b", "c"]],
            'reference_outputs[1]: ["b","c"] must be the name of a tool, or {\'parallel\': [names]}',
        ),
        (
            ["a", {"parallel": "b"}],
            'reference_outputs[1].parallel: "b" must be a list of names, for one write ["b"]',
        ),
        (
            ["a", ""],
            "reference_outputs[1]: \"\" must be the name of a tool, or {'parallel': [names]}",
        ),
        (
            [{"name": None}],
            "reference_outputs: call 0: null must be the name of a tool",
        ),
    ],
)
def test_a_reference_that_cannot_be_used(reference: Any, reason: str) -> None:
    found = order(said("a"), reference)
    assert (found["score"], found["extra"]["status"], found["comment"]) == (None, "invalid_reference", reason)


def test_an_output_that_cannot_be_read_is_no_call() -> None:
    found = order({"answer": 42}, [])
    assert (found["score"], found["extra"]["status"]) == (0.0, "invalid_output")


@pytest.mark.parametrize(
    ("decisions", "expected", "options", "comment"),
    [
        (["a", "b"], ["a", "b"], {}, None),
        (["a", "x", "b"], ["a", "b"], {}, None),
        ([], [], {}, None),
        (["a"], [], {}, "no calls are expected, and 1 was made"),
        (
            ["a"],
            ["a", "b"],
            {},
            "1 of 2 expected calls in order; the first difference: 'b' was not called",
        ),
        (
            ["a"],
            ["a", "a"],
            {},
            "1 of 2 expected calls in order; the first difference: 'a' was called 1 of 2 times",
        ),
        (
            ["c", "a", "b"],
            ["a", "b", "c"],
            {},
            "2 of 3 expected calls in order; the first difference: 'c' came out of order, message 1, call 0",
        ),
        (
            ["a", "x", "b"],
            ["a", "b"],
            {"strict": True},
            "2 of 2 expected calls in order; the first difference: 'x' is not expected, message 3, call 0",
        ),
    ],
)
def test_comments(decisions: list[str], expected: Any, options: Any, comment: str | None) -> None:
    assert order(said(*decisions), expected, **options)["comment"] == comment


def test_extra() -> None:
    found = order(said("a", "x y", "c"), ["a", {"parallel": ["b", "d"]}, "c"])
    assert {name: found["extra"][name] for name in found["extra"] if name not in {"path", "support"}} == {
        "status": "graded",
        "passed": False,
        "expected": ["a", ["b", "d"], "c"],
        "actual": ["a", ["x", "y"], "c"],
        "lcs": ["a", "c"],
        "precision": 0.5,
        "recall": 0.5,
        "missing": ["b", "d"],
        "unexpected": ["x", "y"],
    }


def test_lists_are_bounded() -> None:
    found = order([f"{at}{'x' * 100}" for at in range(300)], [f"t{at}" for at in range(200)])["extra"]
    assert [len(found[name]) for name in ("expected", "actual", "missing", "unexpected")] == [100] * 4
    assert max(map(len, found["unexpected"])) == 80


def test_a_bound_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lcs, "MOST_WORK", 1)
    found = order(said("a b", "c"), said("c", "b a"))
    assert found["extra"]["bounded"] == "too many groups to look at every order: the score may be too low"


@pytest.mark.parametrize(
    ("outputs", "expected", "options", "score"),
    [
        (said("a b"), ["b", "a"], {"parallel": "ordered"}, 0.5),
        (said("a b"), said("b a"), {"parallel": "ordered"}, 0.5),
        (said("a b"), said("b a"), {}, 1.0),
        (said("a b"), [{"parallel": ["b", "a"]}], {"parallel": "ordered"}, 1.0),
        (said("a", "b", fails=["c0"]), ["a", "b"], {"failed_calls": "ignore"}, 0.5),
        (said("a", "a", fails=["c0"]), ["a"], {"strict": True}, 0.0),
        (said("a", "a", fails=["c0"]), ["a"], {"strict": True, "retries": "last"}, 1.0),
        (said("a", "a", fails=["c0"]), ["a"], {"strict": True, "failed_calls": "ignore"}, 1.0),
        (said("a", "a", fails=["c0"]), said("a", "a", fails=["c0"]), {"retries": "last"}, 1.0),
    ],
)
def test_options(outputs: Any, expected: Any, options: Any, score: float) -> None:
    assert order(outputs, expected, **options)["score"] == score


def test_an_order_for_every_record() -> None:
    assert order(said("a", "b"), order=["a", "b"])["score"] == 1.0
    assert order(said("a", "b"), {"answer": 42}, order=["b"], feedback_key="k")["score"] == 1.0
    assert order(said("a", "b"), order=said("b", "a"))["score"] == 0.5


def test_columns() -> None:
    outputs = {"trace": said("a"), "answer": 42}
    reference = {"tools": ["a", "b"], "answer": 42}
    found = order(outputs, reference, outputs_key="trace", correct_answer_key="tools", threshold=0.5)
    assert (found["score"], found["extra"]["passed"]) == (0.5, True)


def test_ids_of_a_recorded_run_mean_nothing() -> None:
    calls = [{"name": "a", "id": "b"}, {"name": "b", "id": "a"}]
    assert order(calls, calls)["score"] == 1.0
    assert order(calls, ["b", "a"])["score"] == 0.5  # names are names, whatever is an id


def test_an_id_never_gets_in_the_way_of_a_name() -> None:
    calls = [{"name": "search", "id": "b"}]
    found = order(calls, ["search", "b"])
    said = "1 of 2 expected calls in order; the first difference: 'b' was not called"
    assert (found["score"], found["comment"]) == (0.5, said)
    assert order(calls, ["b"])["score"] == 1.0
    assert order(calls, {"first": "search", "never": ["b"]})["score"] == 1.0
    assert order(calls, {"plan": ["search"], "never": ["b"]})["score"] == 1.0
    assert order(calls, {"never": ["b"]})["score"] == 0.0
    assert order(calls, {"plan": ["b"], "exactly": {"b": 1}})["score"] == 1.0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strict": 1}, "strict=1: must be True or False"),
        ({"order": "a"}, 'order: "a" is text and holds no JSON: no JSON object or array in the text'),
        ({"order": ["a", 1]}, "order[1]: 1 must be the name of a tool, or {'parallel': [names]}"),
        (
            {"order": ["a"], "rules": {"never": ["b"]}},
            "order and rules are both given: put the order into rules, as 'plan'",
        ),
        (
            {"order": ["a"], "correct_answer_key": "k"},
            "correct_answer_key is given beside order or rules: pass one of them",
        ),
        (
            {"strict": True, "partial": True},
            "strict and partial are both given: strict is all or nothing, pass one of them",
        ),
        (
            {"parallel": "order"},
            "parallel='order': must be one of 'unordered', 'ordered'; did you mean 'ordered'?",
        ),
        ({"absent": True}, "absent=True: must be one of 'violated', 'satisfied'"),
        ({"threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
        ({"rules": {"nevr": []}}, "rules: 'nevr' is no rule; did you mean 'never'?"),
        ({"rules": ["a"]}, "rules: [\"a\"] must be an object of rules, {'never': [name], …}"),
    ],
)  # fmt: skip
def test_wrong_options(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        create_tool_call_order_evaluator(**given)
    assert str(caught.value) == message
