"""JSON diff: its description point by point, its options, and what a result shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

import fieldwise
from fieldwise import ConfigError, by_key
from fieldwise.core.conversion import to_json
from fieldwise.scorers.leaves import leaves
from fieldwise.scorers.rewrite import rewritten
from tests.scorers.single_forms import evaluate, score, status

RECORD: Final = {
    "name": "John Doe",
    "address": {"city": "New York", "zip": "10001"},
    "hobbies": ["reading", "swimming"],
}
REPORTS: Final[dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "cases" / "user_reports.json").read_text("utf-8"))[
        "cases"
    ]
}


def report(name: str, **options: Any) -> Any:
    return evaluate("json_diff", REPORTS[name]["outputs"], REPORTS[name]["reference"], **options)


def kinds(result: Any) -> list[tuple[str, str]]:
    return [(one["path"], one["kind"]) for one in result["extra"]["differences"]]


# ------------------------------------------------------------------------------- the description

FOLDED: Final = {"predict_keys": True, "case_insensitive_keys": True}
DESCRIBED: Final[list[Any]] = [
    pytest.param(RECORD, {}, 1.0, id="every pair matches"),
    pytest.param({**RECORD, "name": "john doe"}, {}, 4 / 5, id="the mean over pairs"),
    pytest.param({**RECORD, "hobbies": ["swimming", "reading"]}, {}, 3 / 5, id="indices are keys"),
    pytest.param({**RECORD, "name": "Jane"}, {"compare_schema_only": True}, 1.0, id="schema: not values"),
    pytest.param({**RECORD, "name": 7}, {"compare_schema_only": True}, 4 / 5, id="schema: types"),
    pytest.param({**RECORD, "age": 1}, {"predict_keys": True}, 1.0, id="predict: theirs alone"),
    pytest.param({**RECORD, "age": 1}, {"predict_keys": False}, 5 / 6, id="else the keys of both"),
    pytest.param({"name": "John Doe"}, {"predict_keys": True}, 1 / 5, id="predict: a missing key is wrong"),
    pytest.param({"NAME": "John Doe"}, {"predict_keys": True}, 0.0, id="names are case-sensitive"),
    pytest.param({"NAME": "John Doe"}, FOLDED, 1 / 5, id="or are not"),
]  # fmt: skip


@pytest.mark.parametrize(("outputs", "options", "right"), DESCRIBED)
def test_description(outputs: Any, options: dict[str, Any], right: float) -> None:
    assert score("json_diff", outputs, RECORD, **options) == pytest.approx(right)


def test_correct_answer_key_names_a_column() -> None:
    evaluator: Any = fieldwise.create_json_diff_evaluator(correct_answer_key="answer")
    assert evaluator(inputs={"answer": '{"a": 1}'}, outputs={"a": 1})["score"] == 1.0
    assert evaluator(outputs={"a": 1}, reference_outputs={"answer": {"a": 2}})["score"] == 0.0
    missing = evaluator(outputs={"a": 1}, reference_outputs={"anser": 1})
    assert (missing["score"], missing["comment"]) == (
        None,
        "reference_outputs has no key 'answer'; its keys: 'anser'; did you mean 'anser'?",
    )


@pytest.mark.parametrize(("given", "passed"), [(0.5, True), (0.51, False), (1, False)])
def test_the_threshold_sets_passed_and_nothing_else(given: float, passed: bool) -> None:
    result = evaluate("json_diff", {"a": 1, "b": 2}, {"a": 1, "b": 3}, threshold=given)
    assert (result["score"], result["extra"]["passed"]) == (0.5, passed)


# ---------------------------------------------------------------------------------------- leaves

LEAVES: Final[list[Any]] = [
    pytest.param({"a": [1]}, {"a": {"0": 1}}, 0.0, id="an index is no name"),
    pytest.param({"a": {"b": 1}}, {"a.b": 1}, 0.0, id="nor is a dotted name nested"),
    pytest.param({"": {"a": 1}}, {"a": 1}, 0.0, id="nor does an empty name vanish"),
    pytest.param({"a": {}}, {"a": []}, 0.0, id="empty containers are of two kinds"),
    pytest.param({"a": {}, "b": 1}, {"a": {}, "b": 1}, 1.0, id="and are leaves"),
    pytest.param({"a": {"x": 1}, "b": 1}, {"a": {}, "b": 1}, 1 / 3, id="which content is beside"),
    pytest.param({"a": {}, "b": 1}, {"a": {"x": 1}, "b": 1}, 1 / 3, id="on either side"),
    pytest.param({"a": None}, {"a": None}, 1.0, id="null equals null"),
    pytest.param({}, {"a": None}, 0.0, id="and is not missing"),
    pytest.param({"a": True}, {"a": 1}, 0.0, id="true is not 1"),
    pytest.param({"a": 1.0}, {"a": 1}, 1.0, id="1 is 1.0"),
    pytest.param({"a": float("nan")}, {"a": float("nan")}, 1.0, id="NaN is NaN"),
    pytest.param(5, 5.0, 1.0, id="a scalar is one leaf"),
    pytest.param("x", 5, 0.0, id="whatever it is"),
    pytest.param({"a": 1}, "text", 0.0, id="an object beside text"),
    pytest.param({"a": {1, 2}}, {"a": [2, 1]}, 1.0, id="a set has no order"),
]  # fmt: skip


@pytest.mark.parametrize(("outputs", "reference", "right"), LEAVES)
def test_leaves(outputs: Any, reference: Any, right: float) -> None:
    assert score("json_diff", outputs, reference) == pytest.approx(right)


def test_leaves_come_in_document_order() -> None:
    found = [(one.expected, one.actual) for one in leaves({"a": [1, {}], "b": 2}, {"b": {"c": 3}, "a": 4})]
    missing = fieldwise.MISSING
    assert found == [(missing, 4), (1, missing), ({}, missing), (2, {"c": 3}), (missing, 3)]


# ---------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("outputs", "reference", "right"),
    [
        ({"a": 1.5}, {"a": 2}, 1.0),
        ({"a": None}, {"a": 0}, 0.0),
        ({"a": None}, {"a": None}, 1.0),
        ({"a": {}}, {"a": []}, 0.0),
        ({"a": [1, "x"]}, {"a": [2, 3]}, 0.5),
        ({"a": "x", "b": 1}, {"a": "y"}, 0.5),
    ],
)
def test_schema_only(outputs: Any, reference: Any, right: float) -> None:
    assert score("json_diff", outputs, reference, compare_schema_only=True) == right


def test_schema_only_says_which_types() -> None:
    result = evaluate("json_diff", {"a": "1"}, {"a": 1}, compare_schema_only=True)
    assert result["comment"] == 'a: expected "number", got "string"'


@pytest.mark.parametrize(
    ("outputs", "reference", "right"),
    [
        ({"USER": {"Name": "x"}}, {"user": {"nAME": "x"}}, 1.0),
        ({"STRASSE": 1}, {"straße": 1}, 1.0),
        ({"a": "X"}, {"A": "x"}, 0.0),
        ({"A": 1, "a": 2}, {"a": 2}, 0.5),
        ({"A": 1, "a": 2}, {"a": 2, "A": 1}, 1.0),
        ({"B": 1, "b": 2}, {"b": 1}, 0.0),
    ],
)
def test_case_insensitive_keys(outputs: Any, reference: Any, right: float) -> None:
    assert score("json_diff", outputs, reference, case_insensitive_keys=True) == right


def test_names_that_collide_are_told() -> None:
    result = evaluate("json_diff", {"A": 1, "a": 2}, {"a": 2}, case_insensitive_keys=True)
    assert result["extra"]["collisions"] == ["names that differ only in case: 'A', 'a'"]
    assert kinds(result) == [("A", "unexpected")]


def test_a_path_of_lists_is_folded_as_well() -> None:
    options = {"case_insensitive_keys": True, "lists": {"Tags": "same_elements"}}
    assert score("json_diff", {"TAGS": ["x", "y"]}, {"tags": ["y", "x"]}, **options) == 1.0


@pytest.mark.parametrize(
    ("policy", "outputs", "reference", "right"),
    [
        ("distinct", {"a": 1, "b": None}, {"a": 1}, 0.5),
        ("null_equals_missing", {"a": 1, "b": None}, {"a": 1}, 1.0),
        ("null_equals_missing", {"a": 1, "b": {"c": None}}, {"a": 2, "b": {}}, 0.5),
        ("empty_equals_null", {"a": "", "b": []}, {"a": None, "b": None}, 1.0),
        ("distinct", {"a": "", "b": []}, {"a": None, "b": None}, 0.0),
    ],
)
def test_null_policy(policy: str, outputs: Any, reference: Any, right: float) -> None:
    assert score("json_diff", outputs, reference, null_policy=policy) == right


def test_coerce() -> None:
    assert score("json_diff", {"a": "1", "b": True}, {"a": 1, "b": 1}) == 0.0
    assert score("json_diff", {"a": "1", "b": True}, {"a": 1, "b": 1}, coerce=True) == 1.0


PAIRS: Final[list[Any]] = [
    ("ordered", [2, 1], [1, 2], 0.0),
    ("same_elements", [2, 1], [1, 2], 1.0),
    ("same_elements", [2, 1, 3], [1, 2], 2 / 3),
    ("superset", [2, 1, 3], [1, 2], 1.0),
    ("subset", [2], [1, 2], 1.0),
    ("subset", [], [1, 2], 1.0),
    ("superset", [1], [], 1.0),
    ("same_elements", [], [1], 0.0),
    (by_key("k"), [{"k": 2, "v": 0}, {"k": 1, "v": 1}], [{"k": 1, "v": 1}, {"k": 2, "v": 2}], 0.75),
]


@pytest.mark.parametrize(("mode", "outputs", "reference", "right"), PAIRS)
def test_lists(mode: Any, outputs: Any, reference: Any, right: float) -> None:
    assert score("json_diff", outputs, reference, lists={"$": mode}) == pytest.approx(right)
    assert score("json_diff", {"a": [outputs]}, {"a": [reference]}, lists={"a[*]": mode}) == pytest.approx(
        right
    )


# ---------------------------------------------------------------------------------------- results


def test_every_kind_of_difference_in_words_and_as_data() -> None:
    result = evaluate(
        "json_diff", {"a": 1, "b": 2, "c": {"d": "x"}}, {"a": 1, "b": "2", "c": {"d": "y", "e": None}}
    )
    assert result["comment"] == (
        '3 of 4 leaves not right: b: expected "2", got 2; c.d: expected "y", got "x"; '
        "c.e: expected null, missing"
    )
    assert result["extra"]["differences"] == [
        {"path": "b", "kind": "type", "expected": "2", "got": 2},
        {"path": "c.d", "kind": "value", "expected": "y", "got": "x"},
        {"path": "c.e", "kind": "missing", "expected": None, "got": None},
    ]
    assert result["extra"]["leaves"] == {"right": 1, "total": 4}
    assert result["extra"]["support"] == 4


def test_what_is_shown_is_bounded() -> None:
    outputs = {f"k{at}": "x" * 10_000 for at in range(1_000)}
    result = evaluate("json_diff", outputs, {f"k{at}": 10**5_000 for at in range(1_000)})
    assert len(result["extra"]["differences"]) == 50
    assert len(json.dumps(result)) < 40_000
    assert (result["comment"] or "").endswith("; and 995 more")


def test_values_that_are_no_plain_json_are_shown_as_text() -> None:
    result = evaluate("json_diff", {"a": float("inf"), "b": "\ud800", "c": [1]}, {"a": 1, "b": 1, "c": 1})
    assert [one["got"] for one in result["extra"]["differences"]] == ["Infinity", '"\\ud800"', "[1]", 1]


def test_a_deep_place_is_named_by_its_beginning() -> None:
    deep: Any = 1
    for _ in range(50_000):
        deep = [deep]
    (one,) = evaluate("json_diff", deep, [deep[0][0]], predict_keys=True)["extra"]["differences"][:1]
    assert one["path"] == "[0]" * 39 + "[0…"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"predict_keys": "false"}, "predict_keys='false': must be True or False"),
        ({"compare_schema_only": 1}, "compare_schema_only=1: must be True or False"),
        ({"case_insensitive_keys": None}, "case_insensitive_keys=None: must be True or False"),
        ({"threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
        ({"lists": ["a"]}, "lists=['a']: must be a mapping from path to value, {'a.b': …}"),
        ({"feedback_key": ""}, "feedback_key='': must be text, and not empty"),
    ],
)
def test_wrong_options(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_json_diff_evaluator(**given)
    assert str(raised.value) == message


def test_the_feedback_key_replaces_the_name() -> None:
    assert evaluate("json_diff", 1, 1, feedback_key="receipt")["key"] == "receipt"


# ------------------------------------------------------------------------------- what people reported


def test_p18_an_output_that_is_no_json() -> None:
    result = report("P18")
    assert (result["score"], result["extra"]["status"]) == (0.0, "invalid_output")
    assert result["comment"] == "expected an object, got text"


def test_p19_a_broken_reference_is_not_a_broken_output() -> None:
    result = report("P19")
    assert (result["score"], result["extra"]["status"]) == (None, "invalid_reference")
    assert result["comment"].startswith("reference_outputs: truncated")
    assert status("json_diff", "{broken", {"a": 1}) == (0.0, "invalid_output")


def test_p20_text_that_holds_json_is_parsed() -> None:
    result = report("P20")
    assert (result["score"], result["extra"]["differences"]) == (1.0, [])
    assert score("json_diff", REPORTS["P20"]["outputs"], REPORTS["P20"]["reference"], parse="off") == 0.0


def test_p22_null_is_a_value_and_no_reference_is_none() -> None:
    assert status("json_diff", None, {"amount": 100}) == (0.0, "invalid_output")
    assert status("json_diff", {"amount": 100}, None) == (0.0, "graded")
    assert status("json_diff", {"amount": 100}) == (None, "invalid_reference")


def test_l09_keys_have_no_magic_meaning() -> None:
    result = report("L09")
    assert kinds(result) == [("s.__ref", "value")]


@pytest.mark.parametrize("siblings", [0, 1, 3])
def test_l10_changes_do_not_depend_on_how_many_siblings_there_are(siblings: int) -> None:
    more = dict.fromkeys("bcd"[:siblings], 1)
    lists = {"a.z": "same_elements", "a.z[*].a": "same_elements", "a.z[*].b": "same_elements"}
    outputs = {"a": {"z": [{"a": ["1"], "b": ["2"]}]}, **more}
    result = evaluate("json_diff", outputs, {"a": {"z": [{"a": ["3"], "b": ["2"]}]}}, lists=lists)
    assert kinds(result) == [("a.z[0].a[0]", "value"), *[(name, "unexpected") for name in more]]


def test_l11_elements_pair_by_what_is_equal_in_them() -> None:
    result = report("L11", lists={"$": "same_elements"})
    assert kinds(result) == [("[0].v", "value"), ("[1].v", "value")]
    assert result["extra"]["pairing"] == {
        "$": {"mode": "same_elements", "missing": 0, "invented": 0, "pairs": [[1, 0], [0, 1]]}
    }


# ------------------------------------------------------------------------------------- the parts


def test_rewriting_leaves_the_document_alone() -> None:
    document: Any = {"A": [1, {"B": None}], "c": None}
    assert rewritten(document, fold=True, kinds=True, drop=True) == {"a": ["number", {}]}
    assert document == {"A": [1, {"B": None}], "c": None}
    assert rewritten(document) is document


def test_rewriting_keeps_sets_in_order() -> None:
    document = to_json({"A": {frozenset({10, 9}), "x"}})
    assert rewritten(document, kinds=True) == {"A": ["string", ["number", "number"]]}
    lower, upper = to_json({"a", "b"}), to_json({"b", "a"})
    assert rewritten(lower, fold=True) == rewritten(upper, fold=True)
