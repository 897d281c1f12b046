"""tool_call_count: what is read as counts, scores, comments, options."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from fieldwise.errors import ConfigError
from fieldwise.evaluators.tools import create_tool_call_count_evaluator
from tests.scorers.agents.tool_forms import NONE, evaluate, said

LIMITS = "must be a whole number from 0 to 1,000,000,000"


def count(decisions: str, reference: Any = NONE, **options: Any) -> Any:
    return evaluate("tool_call_count", said(*decisions.split()), reference, **options)


@pytest.mark.parametrize(
    ("sign", "right"),
    [
        ("=", [2]),
        ("==", [2]),
        ("!=", [0, 1, 3]),
        (">", [3]),
        ("<", [0, 1]),
        (">=", [2, 3]),
        ("<=", [0, 1, 2]),
        (" >= ", [2, 3]),
    ],
)
def test_operators(sign: str, right: list[int]) -> None:
    found = [calls for calls in range(4) if count("s " * calls, {"s": [sign, 2]})["score"] == 1.0]
    assert found == right


@pytest.mark.parametrize(
    "reference",
    [
        pytest.param({"a": ["=", 2]}, id="pair"),
        pytest.param({"a": ("=", 2)}, id="tuple"),
        pytest.param({"a": 2}, id="number"),
        pytest.param({"a": 2.0}, id="float"),
        pytest.param({"a": Decimal(2)}, id="decimal"),
        pytest.param({"a": "2"}, id="digits"),
        pytest.param({"toolCallsCount": {"a": ["=", 2]}}, id="camel"),
        pytest.param({"tool_calls_count": {"a": 2}}, id="snake"),
        pytest.param({"toolCallsCount": {"a": 2}, "answer": "42"}, id="beside other columns"),
        pytest.param({"toolCallsCount": json.dumps({"a": 2})}, id="text within"),
        pytest.param(json.dumps({"toolCallsCount": {"a": ["=", 2]}}), id="text"),
        pytest.param({"output": {"a": 2}}, id="wrapper"),
        pytest.param({"*": 2}, id="every call"),
        pytest.param({"c0": 1, "c1": 1, "c2": 0}, id="ids"),
    ],
)
def test_what_is_read_as_counts(reference: Any) -> None:
    assert count("a a", reference)["score"] == 1.0
    assert count("a", reference)["score"] == (0.0 if len(reference) != 3 else 2 / 3)


@pytest.mark.parametrize(
    ("decisions", "expected", "loose", "strict"),
    [
        ("", {}, 1.0, 1.0),
        ("a", {}, 0.0, 0.0),
        ("", {"a": 0}, 1.0, 1.0),
        ("", {"a": ["<=", 3], "b": ["!=", 1]}, 1.0, 1.0),
        ("", {"a": 1}, 0.0, 0.0),
        ("a x y", {"a": 1}, 1.0, 1.0),
        ("a b b", {"a": 1, "b": 1, "c": 0, "*": 3}, 0.75, 0.0),
        ("My_Tool", {"My Tool": 1}, 1.0, 1.0),
    ],
)
def test_scores(decisions: str, expected: Any, loose: float, strict: float) -> None:
    assert count(decisions, expected)["score"] == loose
    assert count(decisions, expected, strict=True)["score"] == strict


@pytest.mark.parametrize(
    ("decisions", "score"), [("a", 1.0), ("a x x", 1 / 2), ("a x y y", 1 / 3), ("x", 0.0), ("", 0.0)]
)
def test_others_may_be_forbidden(decisions: str, score: float) -> None:
    assert count(decisions, {"a": 1}, others="forbid")["score"] == score
    assert count(decisions, {"a": 1}, others="forbid", strict=True)["score"] == float(score == 1)


def test_what_does_not_hold_is_told() -> None:
    found = count("a a x", {"a": ["<", 2], "b": [">=", 1], "c": 0}, others="forbid")
    assert found["comment"] == (
        "1 of 4 counts hold; 'a': expected < 2, got 2; 'b': expected >= 1, got 0; "
        "'x': expected no calls, got 1"
    )
    assert found["extra"]["violated"] == [
        {"tool": "a", "expected": "< 2", "got": 2},
        {"tool": "b", "expected": ">= 1", "got": 0},
        {"tool": "x", "expected": "no calls", "got": 1},
    ]
    assert found["extra"]["actual"] == {"a": 2, "x": 1}


@pytest.mark.parametrize(
    ("decisions", "expected", "comment"),
    [
        ("", {}, None),
        ("a", {}, "no counts are asked for, and 1 call was made"),
        ("a b", {}, "no counts are asked for, and 2 calls were made"),
        ("a", {"a": 1}, None),
        (
            "",
            dict.fromkeys("abcdefg", 1),
            "0 of 7 counts hold; " + "; ".join(f"'{name}': expected = 1, got 0" for name in "abcde")
            + "; and 2 more",
        ),
    ],
)  # fmt: skip
def test_comments(decisions: str, expected: Any, comment: str | None) -> None:
    assert count(decisions, expected)["comment"] == comment


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, 0.0),
        ({"failed_calls": "ignore"}, 1.0),
        ({"retries": "last"}, 1.0),
    ],
)
def test_failed_calls_and_retries(options: Any, score: float) -> None:
    outputs = said("a", "a", "b", fails=["c0"])
    assert evaluate("tool_call_count", outputs, {"a": 1}, **options)["score"] == score


def test_counts_for_every_record() -> None:
    assert count("a", counts={"a": 1})["score"] == 1.0
    assert count("a", {"answer": 42}, counts={"toolCallsCount": {"a": ["=", 2]}})["score"] == 0.0


def test_columns() -> None:
    found = evaluate(
        "tool_call_count",
        {"trace": said("a")},
        {"tools": {"a": 1, "b": 1}},
        outputs_key="trace",
        correct_answer_key="tools",
        threshold=0.5,
        feedback_key="k",
    )
    assert (found["key"], found["score"], found["extra"]["passed"]) == ("k", 0.5, True)


WRONG: list[tuple[Any, str]] = [
    (["a"], ': ["a"] must be an object of tools and counts, {"search": ["=", 1]}'),
    (
        {"toolCallsCount": [1]},
        '.toolCallsCount: [1] must be an object of tools and counts, {"search": ["=", 1]}',
    ),
    ({"a": ["~", 1]}, '[\'a\']: the operator "~" must be one of =, ==, !=, >, <, >=, <='),
    ({"a": [1, "="]}, "['a']: the operator 1 must be one of =, ==, !=, >, <, >=, <="),
    ({"a": ["="]}, "['a']: [\"=\"] must be an operator and a number, ['=', 1]"),
    ({"a": ["=", 1, 2]}, "['a']: [\"=\",1,2] must be an operator and a number, ['=', 1]"),
    ({"a": ["=", True]}, f"['a']: true {LIMITS}"),
    ({"a": ["=", 1.5]}, f"['a']: 1.5 {LIMITS}"),
    ({"a": ["=", None]}, f"['a']: null {LIMITS}"),
    ({"a": ["=", "x"]}, f"['a']: \"x\" {LIMITS}"),
    ({"a": ["=", -1]}, f"['a']: -1 {LIMITS}"),
    ({"a": ["=", 10**400]}, f"['a']: 1{'0' * 78}… {LIMITS}"),
    ({"a": ["=", float("inf")]}, f"['a']: Infinity {LIMITS}"),
    ({"a": ["=", Decimal("NaN")]}, f"['a']: NaN {LIMITS}"),
    ({"": 1}, "['']: \"\" must be the name of a tool"),
]  # fmt: skip


@pytest.mark.parametrize(("reference", "reason"), WRONG, ids=[reason[:40] for _, reason in WRONG])
def test_counts_that_cannot_be_used(reference: Any, reason: str) -> None:
    found = count("a", reference)
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")
    assert found["comment"] == f"reference_outputs{reason}"
    with pytest.raises(ConfigError) as caught:
        create_tool_call_count_evaluator(counts=reference)
    assert str(caught.value) == f"counts{reason}"


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        (NONE, "no reference_outputs were given"),
        (None, 'reference_outputs: null must be an object of tools and counts, {"search": ["=", 1]}'),
        (
            "one",
            'reference_outputs: "one" is text and holds no JSON: no JSON object or array in the text',
        ),
    ],
)
def test_no_counts(reference: Any, reason: str) -> None:
    found = count("a", reference)
    assert (found["score"], found["comment"]) == (None, reason)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"strict": "yes"}, "strict='yes': must be True or False"),
        ({"others": "deny"}, "others='deny': must be one of 'allow', 'forbid'"),
        (
            {"counts": {"a": 1}, "correct_answer_key": "k"},
            "counts and correct_answer_key are both given: pass one of them",
        ),
        ({"failed_calls": 1}, "failed_calls=1: must be one of 'count', 'ignore'"),
    ],
)
def test_wrong_options(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        create_tool_call_count_evaluator(**given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("counts", "score"), [({"search": 1, "b": 0}, 1.0), ({"search": 1, "b": 1}, 0.5), ({"b": 1}, 1.0)]
)
def test_an_id_counts_only_where_its_tool_is_not_named(counts: dict[str, int], score: float) -> None:
    assert evaluate("tool_call_count", [{"name": "search", "id": "b"}], counts)["score"] == score


def test_counts_that_are_in_a_column_are_found() -> None:
    inner = "['a']: {\"b\":1} must be an operator and a number, ['=', 1]"
    found = count("b", {"a": {"b": 1}})
    assert (
        found["comment"] == f"reference_outputs{inner}; if the counts are in it, pass correct_answer_key='a'"
    )
    assert count("b", {"a": {"b": 1}}, correct_answer_key="a")["score"] == 1.0
    with pytest.raises(ConfigError) as caught:
        create_tool_call_count_evaluator(counts={"a": {"b": 1}})
    assert str(caught.value) == f"counts{inner}"
