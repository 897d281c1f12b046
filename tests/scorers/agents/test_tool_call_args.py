"""The arguments of tool calls: the options one by one, and what is said of the calls."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.comparators import fuzzy, text, within
from fieldwise.evaluators.arguments import create_tool_call_args_evaluator
from fieldwise.scorers.agents.comparing import pairs as _comparing
from tests.scorers.agents.call_forms import args_of, calls, output_of

SCHEMA = {
    "type": "object",
    "properties": {
        "q": {"type": "string"},
        "page": {"type": "integer", "default": 1},
        "filter": {"$ref": "#/$defs/Filter"},
    },
    "$defs": {"Filter": {"type": "object", "properties": {"lang": {"default": "en"}, "year": {}}}},
}


@pytest.mark.parametrize(
    ("made", "expected", "options", "score"),
    [
        ({"q": "x", "page": 1}, {"q": "x"}, {}, 1.0),
        ({"q": "x"}, {"q": "x", "page": 1}, {}, 1.0),
        ({"q": "x", "page": 2}, {"q": "x"}, {}, 0.0),
        ({"q": "x", "filter": {"year": 1}}, {"q": "x", "filter": {"year": 1, "lang": "en"}}, {}, 1.0),
        ({"q": "x", "page": 2}, {"q": "x"}, {"subset": True}, 1.0),
        ({"q": "x"}, {"q": "x", "page": 1}, {"subset": True}, 1.0),
        ({"q": "x", "page": 2}, {"q": "x", "page": 1}, {"subset": True}, 0.0),
        ({"q": "x", "page": 1}, {"q": "x"}, {"mode": "subset"}, 1.0),
        ({"q": "x", "page": 2}, {"q": "x"}, {"mode": "subset"}, 0.0),
        ({"q": "x"}, {"q": {"$any": True}, "page": 1}, {}, 1.0),
        ({"q": "x", "drop": True}, {"q": "x", "drop": True}, {}, 1.0),
        ({"q": "x", "drop": True}, {"q": "x", "drop": True}, {"unknown_arguments": "forbid"}, 0.0),
    ],
)
def test_defaults_of_a_schema_are_what_was_left_out(
    made: Any, expected: Any, options: dict[str, Any], score: float
) -> None:
    found = args_of(calls(("s", made)), calls(("s", expected)), schemas={"s": SCHEMA}, **options)
    assert found["score"] == score


def test_arguments_that_a_tool_has_not_are_listed() -> None:
    made = calls(("s", {"q": "x", "drop": True}))
    unknown = [{"tool": "s", "by": "call 0", "argument": "drop"}]
    assert args_of(made, made, schemas={"s": SCHEMA})["extra"]["unknown_arguments"] == unknown
    quiet = args_of(made, made, schemas={"s": SCHEMA}, unknown_arguments="allow")
    assert "unknown_arguments" not in quiet["extra"]
    refused = args_of(made, made, schemas={"s": SCHEMA}, unknown_arguments="forbid")
    assert refused["comment"] == "0 of 1 calls right: call 0 (s): the tool has no argument 'drop'"


@pytest.mark.parametrize(
    ("made", "expected", "options", "score"),
    [
        ({"unit": "F"}, {"unit": {"$any_of": ["C", "F"]}}, {}, 1.0),
        ({"unit": "K"}, {"unit": {"$any_of": ["C", "F"]}}, {}, 0.0),
        ({"query": "x"}, {"$any_of": [{"q": "x"}, {"query": "x"}]}, {}, 1.0),
        ({"q": "x", "query": "x"}, {"$any_of": [{"q": "x"}, {"query": "x"}]}, {}, 0.0),
        ({"a": {"b": [1, {"c": 2}]}}, {"a": {"b": [1, {"$any": True}]}}, {}, 1.0),
        ({"a": {"b": [1]}}, {"a": {"b": [1, {"$any": True}]}}, {}, 0.0),
        ({"a": 1, "t": 5, "z": 9}, {"a": 1, "t": {"$any": True}}, {"subset": True}, 1.0),
        ({"a": 2, "t": 5}, {"a": 1, "t": {"$any": True}}, {"subset": True}, 0.0),
        ({"a": "1", "t": 5}, {"a": 1, "t": {"$any": True}}, {"coerce": True}, 1.0),
        (
            {"name": "Ada L.", "t": 1},
            {"name": "ada l.", "t": {"$any": True}},
            {"comparators": {"f": {"name": "id"}}},
            0.0,
        ),
        ({"$any_of": [1]}, {"$any_of": [1]}, {}, 1.0),
        ({"a": {"$literal": 1}}, {"a": {"$literal": 1}}, {}, 1.0),
        ({"a": {"$anyof": [1]}}, {"a": {"$anyof": [1]}}, {}, 1.0),
    ],
)
def test_what_may_stand_in_place_of_a_value(
    made: Any, expected: Any, options: dict[str, Any], score: float
) -> None:
    assert args_of(calls(("f", made)), calls(("f", expected)), **options)["score"] == score


def test_wildcards_pair_so_that_the_most_fit() -> None:
    expected = calls(("s", {"q": {"$any": True}}), ("s", {"q": "x"}), ("s", {"q": {"$any_of": ["y", "z"]}}))
    for made in (["x", "y", "w"], ["w", "x", "y"], ["y", "w", "x"]):
        assert args_of(calls(*[("s", {"q": one}) for one in made]), expected)["score"] == 1.0


def test_too_many_alternatives_are_a_fault_of_the_reference() -> None:
    many = {name: {"$any_of": list(range(11))} for name in "abc"}
    found = args_of(calls(("f", {})), calls(("f", many)))
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")
    assert found["comment"] == "reference_outputs: call 0: more than 100 alternatives"


@pytest.mark.parametrize(
    ("made", "expected", "options", "score"),
    [
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"subset": True}, 1.0),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1}}, {"mode": "superset"}, 1.0),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, {"mode": "subset"}, 1.0),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, {"subset": True}, 0.0),
        ({"a": 1}, {"b": 2}, {"mode": "ignore"}, 1.0),
        ({"a": None}, {}, {}, 0.0),
        ({"a": None}, {}, {"null_policy": "null_equals_missing"}, 1.0),
        ({"a": ""}, {"a": None}, {"null_policy": "empty_equals_null"}, 1.0),
        ({"a": "5"}, {"a": 5}, {"coerce": True}, 1.0),
        ({"a": True}, {"a": 1}, {}, 0.0),
        ({"t": [2, 1]}, {"t": [1, 2]}, {}, 0.0),
        ({"t": [2, 1]}, {"t": [1, 2]}, {"lists": {"*": {"t": "same_elements"}}}, 1.0),
        ({"t": [2, 1, 3]}, {"t": [1, 2]}, {"lists": {"f": {"t": "superset"}}}, 1.0),
        ({"a": {"n": "10"}}, {"a": {"n": 10.2}}, {"comparators": {"f": {"a.n": "number_text"}}}, 0.0),
        (
            {"a": {"n": 10}},
            {"a": {"n": 10.2}},
            {"comparators": {"f": {"a.n": within("numeric_diff", 0.9)}}},
            1.0,
        ),
        (
            {"a": "X"},
            {"a": "x"},
            {"comparators": {"*": {"a": within(fuzzy(), 0.01)}, "f": {"a": "exact"}}},
            0.0,
        ),
        ({"a": 1, "b": 2}, {"a": 1, "b": 9, "c": 3}, {"scoring": "graded"}, 1 / 3),
        ({"a": 1, "b": 2}, {"a": 1, "b": 9, "c": 3}, {"scoring": "graded", "measure": "f1"}, 2 / 5),
        ({"a": 1, "b": 2}, {"a": 1, "b": 9}, {"scoring": "graded", "strict": True}, 0.0),
        ({"a": 1, "z": 2}, {"a": 1}, {"scoring": "graded", "measure": "precision", "subset": True}, 1.0),
    ],
)
def test_options(made: Any, expected: Any, options: dict[str, Any], score: float) -> None:
    found = args_of(calls(("f", made)), calls(("f", expected)), **options)
    assert found["score"] == pytest.approx(score)


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, 0.5),
        ({"strict": True}, 0.0),
        ({"measure": "precision"}, 1 / 3),
        ({"measure": "f1"}, 2 / 5),
        ({"measure": "f1", "strict": True}, 0.0),
    ],
)
def test_the_score_is_a_share_of_calls(options: dict[str, Any], score: float) -> None:
    made = calls(("a", {"x": 1}), ("b", {"y": 3}), ("c", {}))
    found = args_of(made, calls(("a", {"x": 1}), ("b", {"y": 2})), **options)
    assert found["score"] == pytest.approx(score)
    assert found["extra"]["calls"] == {
        "expected": 2,
        "actual": 3,
        "right": 1,
        "precision": pytest.approx(1 / 3),
        "recall": 0.5,
        "f1": pytest.approx(0.4),
    }
    assert found["extra"]["arguments"] == {
        "expected": 2,
        "actual": 2,
        "right": 1,
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
    }


def test_the_report_says_what_became_of_each_call_and_argument() -> None:
    made = calls(("find", {"q": "x", "lang": "en", "drop": True}), ("ping", {}), ("go", "{"), ("more", {}))
    expected = calls(("find", {"q": "x", "lang": "de", "n": 5}), ("ping", {}), ("go", {}), ("stop", {}))
    found = args_of(made, expected)
    problem = "malformed arguments: truncated: the text ends at line 1, column 2 inside an object"
    assert found["comment"] == (
        '1 of 4 calls right: call 0 (find), argument lang: expected "de", got "en"; and 2 more'
    )
    assert found["extra"]["report"] == [
        {
            "call": 0,
            "tool": "find",
            "verdict": "wrong",
            "by": "call 0",
            "faults": [
                {"argument": "lang", "verdict": "wrong", "expected": '"de"', "got": '"en"'},
                {"argument": "n", "verdict": "missing", "expected": "5"},
                {"argument": "drop", "verdict": "hallucinated", "got": "true"},
            ],
        },
        {"call": 1, "tool": "ping", "verdict": "matched", "by": "call 1"},
        {"call": 2, "tool": "go", "verdict": "malformed", "by": "call 2", "reason": problem},
        {"call": 3, "tool": "stop", "verdict": "missing"},
    ]
    assert [one["tool"] for one in found["extra"]["unexpected_calls"]] == ["find", "go", "more"]


@pytest.mark.parametrize(
    ("made", "expected", "comment"),
    [
        (
            calls(("f", {"a": {"b": [1, 2]}})),
            calls(("f", {"a": {"b": [1, 3]}})),
            "argument a.b[1]: expected 3, got 2",
        ),
        (calls(("f", {})), calls(("f", {"a": 1})), "argument a: expected 1, missing"),
        (calls(("f", {"a": 1})), calls(("f", {})), "argument a: got 1, not expected"),
    ],
)
def test_the_comment_names_call_tool_argument_expected_and_got(
    made: Any, expected: Any, comment: str
) -> None:
    assert args_of(made, expected)["comment"] == f"0 of 1 calls right: call 0 (f), {comment}"


def test_a_call_that_was_not_made_is_named() -> None:
    found = args_of(calls(("g", {})), calls(("f", {"a": 1})))
    assert found["comment"] == '0 of 1 calls right: call 0 (f): not made; expected {"a":1}'


@pytest.mark.parametrize(
    ("made", "expected", "score", "comment"),
    [
        ([], [], 1.0, None),
        ([], calls(("f", {})), 0.0, "1 call was expected, none was made"),
        (calls(("f", {})), [], 0.0, "no calls were expected, 1 made"),
    ],
)
def test_nothing(made: Any, expected: Any, score: float, comment: str | None) -> None:
    found = args_of(made, expected)
    assert (found["score"], found["comment"]) == (score, comment)


@pytest.mark.parametrize(
    ("reference", "options"),
    [
        ([{"name": "f", "arguments": {"a": 1}}], {}),
        ({"toolCalls": [{"name": "f", "args": {"a": 1}}]}, {}),
        ({"tool_calls": [{"name": "f", "arguments": '{"a": 1}'}]}, {}),
        ({"output": [{"name": "f", "args": {"a": 1}}]}, {}),
        (
            [
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [{"name": "f", "args": {"a": 1}, "id": "z"}],
                }
            ],
            {},
        ),
        ({"plan": [{"name": "f", "args": {"a": 1}}], "other": 1}, {"correct_answer_key": "plan"}),
        (None, {"tool_calls": [{"name": "f", "args": {"a": 1}}]}),
        ([{"name": "F  ".strip().lower(), "args": {"a": 1}}], {}),
    ],
)
def test_forms_of_what_is_expected(reference: Any, options: dict[str, Any]) -> None:
    made = [{"role": "assistant", "content": "", "tool_calls": [{"name": "f", "args": {"a": 1}, "id": "c1"}]}]
    assert args_of(made, reference, **options)["score"] == 1.0


@pytest.mark.parametrize(
    "reference", [7, "no plan", {"x": 1}, None, [{"args": {}}], [{"name": "f", "args": "{"}]]
)
def test_what_cannot_be_expected_is_a_fault_of_the_reference(reference: Any) -> None:
    found = args_of(calls(("f", {})), reference)
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")


def test_an_output_that_is_no_trajectory_is_zero() -> None:
    found = args_of(7, calls(("f", {})))
    assert (found["score"], found["extra"]["status"]) == (0.0, "invalid_output")
    assert args_of(calls(("f", {})))["extra"]["status"] == "invalid_reference"


def test_failed_and_repeated_calls_count_or_do_not() -> None:
    made = [
        {"name": "f", "args": {"a": 1}, "output": "boom", "error": "boom"},
        {"name": "f", "args": {"a": 1}, "output": "fine"},
    ]
    expected = calls(("f", {"a": 1}), ("f", {"a": 1}))
    assert args_of(made, expected)["score"] == 1.0
    assert args_of(made, expected, failed_calls="ignore")["score"] == 0.5
    assert args_of(made, expected, retries="last")["score"] == 0.5


def test_options_are_copied_when_the_evaluator_is_made() -> None:
    expected: list[Any] = [{"name": "f", "args": {"a": 1}}]
    evaluate: Any = create_tool_call_args_evaluator(tool_calls=expected)
    expected[0]["args"]["a"] = 2
    assert evaluate(outputs=calls(("f", {"a": 1})))["score"] == 1.0


def test_comparing_one_by_one_is_bounded_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_comparing, "MAX_COMPARED", 30)
    near: dict[str, Any] = {"comparators": {"*": {"q": within(fuzzy(), 0.8)}}}
    expected = calls(*[("s", {"q": f"number {at}", "n": at}) for at in range(10)])
    made = calls(*[("s", {"q": f"Number {at}", "n": at}) for at in reversed(range(10))])
    assert args_of(made, expected, **near)["comment"] is None
    alike = [{**call, "args": {"q": call["args"]["q"]}} for call in expected]
    found = args_of(made, alike, subset=True, **near)
    assert found["comment"] == "s: of 100 pairs that may fit, 3 for each call were compared"
    assert found["extra"]["pairing"] == found["comment"]


DELETED: list[dict[str, Any]] = [{"name": "delete_all", "args": {}, "output": "ok", "id": "call_1"}]


@pytest.mark.parametrize("of", [args_of, output_of])
@pytest.mark.parametrize(
    ("expected", "score"),
    [
        ({"name": "list_all", "id": "call_1"}, 0.0),
        ({"name": "list_all"}, 0.0),
        ({"name": "delete_all", "id": "call_9"}, 1.0),
        ({"name": "call_1"}, 1.0),
        ({"name": "call_1", "id": "call_2"}, 1.0),
        ({"name": "call_9", "id": "call_1"}, 0.0),
    ],
)
def test_an_id_stands_for_a_call_only_in_the_place_of_a_name(
    of: Any, expected: dict[str, Any], score: float
) -> None:
    assert of(DELETED, [{"args": {}, "output": "ok", **expected}])["score"] == score


def test_what_is_said_of_a_tool_holds_for_a_call_that_is_expected_by_its_id() -> None:
    made = [{"name": "get", "args": {"city": "PARIS"}, "id": "c1"}, {"name": "get", "args": {}, "id": "c2"}]
    expected = [{"name": "c1", "args": {"city": "paris"}}]
    options: dict[str, Any] = {"comparators": {"get": {"city": text(ignore_case=True)}}}
    assert args_of(made, expected, **options)["score"] == 1.0
    assert args_of(made[:1], [{"name": "c2", "args": {"city": "paris"}}], **options)["score"] == 0.0
    assert args_of(made, [{"name": "c2", "args": {"city": "paris"}}], **options)["score"] == 0.0
