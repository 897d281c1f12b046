"""JSON equality, validity and edit distance: examples as published, options, and what a result shows."""

from __future__ import annotations

import inspect
from typing import Any, Final

import numpy as np
import pytest

import fieldwise
from fieldwise import ConfigError
from fieldwise.scorers import distances
from tests.scorers.single_forms import evaluate, score, status

# --------------------------------------------------------------------------------------- equality


def by_a(left: Any, right: Any) -> Any:
    return left["a"] == right["a"]


@pytest.mark.parametrize("operator", [None, by_a])
@pytest.mark.parametrize(("reference", "right"), [('{"a": 1}', True), ('{"a": 2}', False)])
def test_the_published_examples(operator: Any, reference: str, right: bool) -> None:
    strings: Any = fieldwise.create_json_equality_string_evaluator(operator=operator)
    assert strings.evaluate_strings(prediction='{"a": 1}', reference=reference)["score"] is right
    assert strings.requires_reference is True
    assert strings.requires_input is False


EQUAL: Final[list[Any]] = [
    ('{"a": 1, "b": [1, 2]}', {"b": [1, 2], "a": 1.0}, True),
    ("[1, 2]", "[2, 1]", False),
    ("1", 1, True),
    ("null", None, True),
    ('"x"', '```\n"x"\n```', True),
    (True, 1, False),
    (2**53 + 1, float(2**53), False),
    ("NaN", float("nan"), True),
    ([1], {"a": 1}, False),
]  # fmt: skip


@pytest.mark.parametrize(("outputs", "reference", "right"), EQUAL)
def test_equality(outputs: Any, reference: Any, right: bool) -> None:
    assert score("json_equality", outputs, reference) is right


@pytest.mark.parametrize(
    "fence", ["```JSON\n{}\n```", "```json5\n{}\n```", "```jsonc\n{}\n```", "```\n{}\n```", "~~~\n{}\n~~~"]
)
def test_p02_fences_of_every_tag(fence: str) -> None:
    assert score("json_equality", fence.replace("{}", '{"ok": true}'), {"ok": True}) is True
    assert status("json_equality", fence, {}, parse="strict") == (False, "invalid_output")


def test_s06_numbers_are_equal_as_numbers_and_members_in_any_order() -> None:
    assert (
        score("json_equality", {"a": 5, "b": {"x": 1.0, "y": 2}}, {"b": {"y": 2.0, "x": 1}, "a": 5.0}) is True
    )


def test_unequal_documents_are_told_apart() -> None:
    result = evaluate("json_equality", {"a": 1, "b": 2}, {"a": 1, "b": 3, "c": 4})
    assert result["comment"] == "2 of 3 leaves not right: b: expected 3, got 2; c: expected 4, missing"


def test_text_is_json_or_the_fault_of_its_side() -> None:
    result = evaluate("json_equality", "no idea", "1")
    assert (result["score"], result["extra"]["status"]) == (False, "invalid_output")
    assert result["comment"] == "outputs: not JSON at line 1, column 1: expected a value, found 'no'"
    result = evaluate("json_equality", "1", "no idea")
    assert (result["score"], result["extra"]["status"]) == (None, "invalid_reference")
    assert score("json_equality", "no idea", "no idea", parse="off") is True


def test_equality_reads_as_it_is_told() -> None:
    assert score("json_equality", {"a": "1"}, {"a": 1}, coerce=True) is True
    assert score("json_equality", {"a": None}, {}, null_policy="null_equals_missing") is True
    assert score("json_equality", "1 2", "2", multiple_json="last") is False
    assert score("json_equality", '{"a": 1} {"a": 2}', {"a": 2}, multiple_json="last") is True
    assert score("json_equality", '{"a": 1, "b": [1', {"a": 1}, truncated="closed_fields") is True
    assert (
        evaluate("json_equality", {"x": "1"}, {"y": 1}, outputs_key="x", correct_answer_key="y")["score"]
        is True
    )


UNUSED: Final = (None, "not_evaluated")
MUST: Final = "it must be a bool or a number in 0..1"
OPERATORS: Final[list[Any]] = [
    (lambda left, right: True, (True, "graded"), None),
    (lambda left, right: 0.25, (0.25, "graded"), None),
    (lambda left, right: 1, (1.0, "graded"), None),
    (lambda left, right: np.bool_(False), (False, "graded"), None),
    (lambda left, right: np.float32(0.5), (0.5, "graded"), None),
    (lambda left, right: 7, UNUSED, f"operator returned 7; {MUST}"),
    (lambda left, right: None, UNUSED, f"operator returned None; {MUST}"),
    (lambda left, right: float("nan"), UNUSED, f"operator returned nan; {MUST}"),
    (lambda left, right: object, UNUSED, f"operator returned <class 'object'>; {MUST}"),
    (lambda left, right: left["z"], UNUSED, "operator raised KeyError: 'z'"),
]  # fmt: skip


@pytest.mark.parametrize(("operator", "right", "comment"), OPERATORS)
def test_operator(operator: Any, right: Any, comment: str | None) -> None:
    result = evaluate("json_equality", '{"a": 1}', {"a": 1}, operator=operator)
    assert (result["score"], result["extra"]["status"]) == right
    assert type(result["score"]) is type(right[0])
    assert result["comment"] == comment


def test_an_operator_is_given_the_output_first() -> None:
    assert score("json_equality", 2, 3, operator=lambda left, right: left < right) is True


def test_the_threshold_says_which_score_of_an_operator_passes() -> None:
    result = evaluate("json_equality", 1, 2, operator=lambda left, right: 0.5, threshold=0.5)
    assert result["extra"]["passed"] is True


async def slow(left: Any, right: Any) -> bool:
    return True


@pytest.mark.parametrize(
    ("name", "option", "fix"),
    [
        ("json_equality", "operator", "a callable(output, reference) -> bool or a number in 0..1"),
        ("json_edit_distance", "string_distance", "a callable(output, reference) -> a number in 0..1"),
    ],
)
def test_callables_are_checked_when_created(name: str, option: str, fix: str) -> None:
    create = getattr(fieldwise, f"create_{name}_evaluator")
    with pytest.raises(ConfigError) as raised:
        create(**{option: "equal"})
    assert str(raised.value) == f"{option}='equal': it cannot be called; give {fix}"
    with pytest.raises(ConfigError, match=rf"^{option}=<function slow>: it is async; give "):
        create(**{option: slow})
    with pytest.raises(ConfigError, match="it does not take two values"):
        create(**{option: lambda one: one})
    create(**{option: max})


# --------------------------------------------------------------------------------------- validity

VALID: Final[list[Any]] = [
    ('{"a": 1}', True, None),
    ('[1, {"a": null}]', True, None),
    ("5", True, None),
    ('"x"', True, None),
    ("```json\n[]\n```", True, None),
    ("Here you are:\n```json\n[]\n```\nBye.", True, None),
    ("<think>maybe {}</think>\n[]", True, None),
    ("<think>[]</think>\n[]", True, None),
    ("\ufeff{}", True, None),
    ('{"a": 1, "a": 2}', True, None),
    ("1e999", True, None),
    ({"a": [1]}, True, None),
    (None, True, None),
    ({"output": "[1]"}, True, None),
    ('{"output": "x"}', True, None),
    ("", False, "the text is empty"),
    ("   ", False, "the text is empty"),
    ("Sure: []", False, "not JSON as it stands: there is text around the value"),
    ('{"a": 1}\n{"a": 1}', False, "not JSON as it stands: the value is written several times"),
    ("[1,]", False, "not JSON as it stands: trailing_comma"),
    ("{'a': True}", False, "not JSON as it stands: python_literal"),
    ('{"x": NaN, "y": -Infinity}', False, "not JSON as it stands: NaN and Infinity are no JSON numbers"),
    ({"a": [float("inf")]}, False, "not JSON as it stands: NaN and Infinity are no JSON numbers"),
    ('{"a": 1', False, "truncated: the text ends at line 1, column 8 inside an object"),
    ({"output": "[1"}, False, "truncated: the text ends at line 1, column 3 inside an array"),
    ("I could not find it.", False, "not JSON at line 1, column 1: expected a value, found 'I'"),
]


@pytest.mark.parametrize(("outputs", "right", "comment"), VALID)
def test_validity(outputs: Any, right: bool, comment: str | None) -> None:
    result = evaluate("json_validity", outputs)
    assert (result["score"], result["comment"], result["extra"]["status"]) == (right, comment, "graded")
    assert evaluate("json_validity", outputs, {"output": 1}) == result
    assert evaluate("json_validity", outputs, "{broken") == result


@pytest.mark.parametrize(
    ("outputs", "right"),
    [("5", True), ("[] ", True), ("```\n[]\n```", False), ('{"a": 1, "a": 2}', False), ("NaN", False)],
)
def test_strict_validity(outputs: str, right: bool) -> None:
    assert score("json_validity", outputs, parse="strict") is right


def test_validity_of_a_part() -> None:
    assert score("json_validity", {"a": "[1]", "b": "x"}, outputs_key="a") is True
    assert score("json_validity", {"a": "[1]", "b": "x"}, outputs_key="b") is False
    assert score("json_validity", "1 2", multiple_json="last") is False
    assert score("json_validity", '```\n{"a":1}\n```\n```\n{"a":2}\n```', multiple_json="last") is True


def test_what_has_no_json_form_is_not_valid() -> None:
    assert status("json_validity", {"a": object()}) == (False, "invalid_output")
    assert status("json_validity", fieldwise.MISSING) == (False, "invalid_output")


def test_validity_needs_no_reference() -> None:
    assert fieldwise.create_json_validity_string_evaluator().requires_reference is False
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_json_validity_evaluator(parse="off")
    assert str(raised.value) == "parse='off': must be one of 'lenient', 'strict'"


# --------------------------------------------------------------------------------- edit distance

DISTANCES: Final[list[Any]] = [
    ('{"a": 1}', {"a": 1}, 0.0),
    ('{"b": 2, "a": 1}', '{"a": 1.0,\n"b": 2}', 0.0),
    ('{"a": 1}', '{"a": 2}', 1 / 7),
    ('"ab"', '"ba"', 1 / 4),
    ('"é"', '"e"', 1 / 3),
    ("1", "22", 1.0),
    ("{}", "[]", 1.0),
]


@pytest.mark.parametrize(("outputs", "reference", "right"), DISTANCES)
def test_edit_distance(outputs: Any, reference: Any, right: float) -> None:
    assert score("json_edit_distance", outputs, reference) == pytest.approx(right)
    assert score("json_edit_distance", reference, outputs) == pytest.approx(right)


def test_an_output_that_is_no_json_is_as_far_away_as_can_be() -> None:
    assert status("json_edit_distance", "no idea", {"a": 1}) == (1.0, "invalid_output")
    assert status("json_edit_distance", '{"a": 1', {"a": 1}) == (1.0, "invalid_output")
    assert status("json_edit_distance", {"a": 1}, "no idea") == (None, "invalid_reference")


@pytest.mark.parametrize(("given", "passed"), [(0, False), (0.1, False), (0.15, True)])
def test_the_threshold_is_what_the_distance_may_be(given: float, passed: bool) -> None:
    result = evaluate("json_edit_distance", {"a": 1}, {"a": 2}, threshold=given)
    assert result["score"] == pytest.approx(1 / 7)
    assert result["extra"]["passed"] is passed
    assert evaluate("json_edit_distance", 1, 1)["extra"]["passed"] is True


@pytest.mark.parametrize("value", [1, -0.1, True, None])
def test_what_is_no_distance(value: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_json_edit_distance_evaluator(threshold=value)
    assert str(raised.value) == f"threshold={value!r}: must be a distance of at least 0 and below 1"


def test_string_distance_measures_the_canonical_texts() -> None:
    seen = []

    def distance(left: str, right: str) -> float:
        seen.append((left, right))
        return 0.5

    evaluator: Any = fieldwise.create_json_edit_distance_evaluator(string_distance=distance)
    assert evaluator(outputs='{"b": 1.0, "a": "é"}', reference_outputs=[True])["score"] == 0.5
    assert seen == [('{"a":"é","b":1}', "[true]")]
    assert score("json_edit_distance", 1, 1, string_distance=lambda left, right: left != right) == 0.0
    assert status("json_edit_distance", 1, 2, string_distance=lambda left, right: 2) == (
        None,
        "not_evaluated",
    )


def test_long_documents_are_compared_in_pieces_and_say_so() -> None:
    outputs, reference = [at * 7919 for at in range(8_000)], [at * 7907 for at in range(8_000)]
    result = evaluate("json_edit_distance", outputs, reference)
    assert 0 < (result["score"] or 0) < 1
    assert (result["comment"] or "").endswith(
        "characters were compared in pieces: a bound, not the exact value"
    )
    assert score("json_edit_distance", outputs, [*outputs[:-1], 1]) < 0.001


def test_two_empty_texts_are_identical() -> None:
    assert (distances.levenshtein("", ""), distances.damerau_levenshtein("", "")) == (1.0, 0.0)


# ------------------------------------------------------------------------------------- everywhere

NAMES: Final = [
    "json_diff",
    "json_similarity",
    "json_equality",
    "json_validity",
    "json_schema",
    "json_edit_distance",
]


@pytest.mark.parametrize("name", NAMES)
def test_factories_keep_signature_and_description(name: str) -> None:
    for form in (
        f"create_{name}_evaluator",
        f"create_async_{name}_evaluator",
        f"create_{name}_string_evaluator",
    ):
        create = getattr(fieldwise, form)
        assert create.__name__ == form
        assert "Example:" in (create.__doc__ or "")
        parameters = inspect.signature(create).parameters.values()
        assert {one.kind for one in parameters} == {inspect.Parameter.KEYWORD_ONLY}
        assert all(
            f"        {one.name}: " in inspect.cleandoc(create.__doc__).replace("    ", "        ")
            for one in parameters
        )


@pytest.mark.parametrize("name", NAMES)
def test_unknown_options_are_refused(name: str) -> None:
    with pytest.raises(fieldwise.ConfigError, match="there is no option 'tolerence'"):
        getattr(fieldwise, f"create_{name}_evaluator")(tolerence=1)


@pytest.mark.parametrize("name", NAMES)
def test_evaluators_take_further_keywords_and_return_one_dict(name: str) -> None:
    evaluator = getattr(fieldwise, f"create_{name}_evaluator")()
    result = evaluator(inputs={}, outputs={"a": 1}, reference_outputs={"a": 1}, attachments=None)
    assert result["key"] == name
