"""Assertions on answers: what passes, what fails, and every word of what is said then."""

from __future__ import annotations

import asyncio
import doctest
import importlib
from typing import Any

import pytest
from hypothesis import given

import fieldwise
from fieldwise import Field
from fieldwise.testing import aassert_matches, assert_matches
from fieldwise.testing.listening import listening
from tests.core.documents import VALUES

REFERENCE = {
    "items": [{"sku": "A", "qty": 1}, {"sku": "B", "qty": 2}],
    "total": 12.5,
    "name": "Jon Smith",
    "note": "the quick brown fox jumps over the lazy dog, and then some",
}
OUTPUTS = {
    "items": [{"sku": "B", "qty": 3}, {"sku": "A", "qty": 1}, {"sku": "C", "qty": 9}],
    "name": "John Smith",
    "note": "the quick brown fox jumps over the lazy dog, and then more",
    "extra": [],
}


def late(request: Any) -> Any:
    raise TimeoutError("late")


async def late_async(request: Any) -> Any:
    raise TimeoutError("late")


def agrees(request: Any) -> dict[str, Any]:
    return {one.id: True for one in request.questions}


LEAVES = """\
json_match: 7 of 10 values not right, score 0.325
          path        expected             got
  items[1].qty               2               3  wrong, exact, got at items[0].qty
  items[2].sku                             "C"  not expected
  items[2].qty                               9  not expected
         total            12.5                  missing
          name     "Jon Smith"    "John Smith"  partly right, fuzzy 0.947
          note  …nd then some"  …nd then more"  wrong, exact
         extra                              []  not expected
  items: same_elements: 2 paired, 1 invented"""

FIELDS = """\
multi_field: 3 of 5 values not right, 1 not graded, score 0.427
          path  expected  got
  items[1].qty         2    3  wrong, exact, got at items[0].qty
  items[2].qty              9  not expected
         total      12.5       missing
        totall                 not graded, on neither side
  totall: on neither side; did you mean 'total'?
  items: same_elements: 2 paired, 1 invented
  items[1]: no match: nothing in common"""

UNREAD = """\
json_match: score 0.000, invalid_output: expected an object, got text
  expected: {"a":1,"b":2}
  got: "I am sorry\""""

NO_REFERENCE = """\
multi_field: no score, invalid_reference: reference_outputs: 5 is no object or array, so it has no fields
  expected: 5
  got: {"a":1}"""

UNJUDGED = """\
json_match: 1 not graded, no score, judge_error: TimeoutError: late
  path  expected  got
     a         2    1  not graded, judge_error: TimeoutError: late"""

RAISED = """\
json_match: 1 not graded, no score, not_evaluated: raises raised KeyError: 'x'
  path  expected  got
     a         2    1  not graded, not_evaluated: raises raised KeyError: 'x'"""

BELOW = """\
json_match: 1 of 2 values not right, score 0.500, threshold 0.6
  path  expected  got
     b         3    2  wrong, exact"""

REQUIRED = """\
multi_field: 1 of 2 values not right, score 0.500, threshold 0.5
  path  expected  got
     b         3    2  wrong, exact
  b is required"""

WEIGHTLESS = """\
multi_field: 1 of 1 values not right, no score, not_applicable: \
no field that was compared has a weight above 0
  path  expected  got
     b         3    2  wrong, exact"""

ESCAPED = """\
json_match: 1 of 1 values not right, score 0.000
  path      expected           got
     a  "東京タワー"  "\\u001b[31m"  wrong, exact"""

ROOT = """\
json_match: 1 of 1 values not right, score 0.000
  path  expected  got
     $         6    5  wrong, exact"""

SEVERAL = """\
several: score 0.450
  right_on: not right
  style, tone: too terse"""


def raises(expected: Any, actual: Any) -> float:
    raise KeyError("x")


def several(outputs: Any) -> list[dict[str, Any]]:
    rows = [("right_on", 0.5, None), ("style", 0.2, "too terse"), ("tone", 0.1, "too terse")]
    return [{"key": key, "score": score, "comment": note} for key, score, note in [*rows, ("x", 1.0, None)]]


def valued(outputs: Any) -> dict[str, Any]:
    return {"key": "mood", "score": None, "value": "bad"}


AB, AC = {"a": 1, "b": 2}, {"a": 1, "b": 3}

FAILURES: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "leaves": (
        OUTPUTS,
        REFERENCE,
        {"lists": {"items": "same_elements"}, "comparators": {"name": "fuzzy"}},
        LEAVES,
    ),
    "fields": (
        OUTPUTS,
        REFERENCE,
        {
            "fields": ["items[*].qty", "total", Field("name", "fuzzy", threshold=0.9), "totall"],
            "lists": {"items": "same_elements"},
        },
        FIELDS,
    ),
    "unread": ("I am sorry", AB, {}, UNREAD),
    "no-reference": ({"a": 1}, 5, {"fields": ["a"]}, NO_REFERENCE),
    "unjudged": ({"a": 1, "b": 1}, {"a": 2, "b": 1}, {"rubric": {"a": "near"}, "judge": late}, UNJUDGED),
    "unjudged-under-a-threshold": (
        {"a": 1, "b": 1},
        {"a": 2, "b": 1},
        {"rubric": {"a": "near"}, "judge": late, "threshold": 0.01},
        UNJUDGED,
    ),
    "comparator-raises": ({"a": 1}, {"a": 2}, {"comparators": {"a": raises}}, RAISED),
    "below-the-threshold": (AB, AC, {"threshold": 0.6}, BELOW),
    "required": (AB, AC, {"fields": ["a", Field("b", required=True)], "threshold": 0.5}, REQUIRED),
    "weightless": (AB, AC, {"fields": [Field("b", weight=0)], "threshold": 0.5}, WEIGHTLESS),
    "wide-and-escaped": ({"a": "\x1b[31m"}, {"a": "東京タワー"}, {}, ESCAPED),
    "root": (5, 6, {}, ROOT),
    "other-evaluator": (
        "no", "yes", {"evaluator": fieldwise.create_exact_match_evaluator()},
        'exact_match: score 0.000, expected "yes", got "no"',
    ),
    "several-results": ("x", "y", {"evaluator": several}, SEVERAL),
    "a-value-is-no-score": ("x", "y", {"evaluator": valued}, 'valued: no score, value "bad"'),
    "raising-evaluator": (
        "x", "y", {"evaluator": lambda outputs: 1 / 0},
        "<lambda>: no score, not_evaluated: ZeroDivisionError: division by zero",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", FAILURES)
def test_what_a_failure_says(case: str) -> None:
    outputs, reference, options, text = FAILURES[case]
    with pytest.raises(AssertionError) as failure:
        assert_matches(outputs, reference, **options)
    assert str(failure.value) == text


@pytest.mark.parametrize("case", FAILURES)
def test_async_says_the_same(case: str) -> None:
    outputs, reference, options, text = FAILURES[case]
    if options.get("judge") is late:
        options = {**options, "judge": late_async}
    with pytest.raises(AssertionError) as failure:
        asyncio.run(aassert_matches(outputs, reference, **options))
    assert str(failure.value) == text


PASSES: dict[str, tuple[Any, Any, dict[str, Any], list[float | None]]] = {
    "text-of-json": ('```json\n{"a": 1, "b": 2.0}\n```', AB, {}, [1.0, 1.0]),
    "both-empty": ({}, {}, {}, [1.0]),
    "field-threshold": ({"n": "Jon"}, {"n": "John"}, {"fields": [Field("n", "fuzzy", threshold=0.5)]},
                        [0.857, 0.857]),
    "threshold": (AB, AC, {"threshold": 0.5}, [1.0, 0.0]),
    "threshold-of-fields": (AB, AC, {"fields": [Field("a", weight=3), "b"], "threshold": 0.75},
                            [1.0, 0.0, 0.75]),
    "excluded": (AB, AC, {"exclude_keys": ["b"]}, [1.0]),
    "judged": ({"a": 1}, {"a": 2}, {"rubric": {"a": "near"}, "judge": agrees}, [1.0]),
    "evaluators-own-threshold": (
        AB, AC,
        {"evaluator": fieldwise.create_json_match_evaluator(aggregator="average", threshold=0.5)}, [0.5],
    ),
    "evaluator-and-threshold": ("abc", "abd", {"evaluator": fieldwise.create_string_similarity_evaluator(),
                                               "threshold": 0.6}, [0.667]),
    "distance-under-its-threshold": (
        AB, AC, {"evaluator": fieldwise.create_json_edit_distance_evaluator(), "threshold": 0.5}, [0.077],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PASSES)
def test_what_passes_returns_its_results(case: str) -> None:
    outputs, reference, options, scores = PASSES[case]
    expected = pytest.approx(scores, abs=1e-3)
    assert [one["score"] for one in assert_matches(outputs, reference, **options)] == expected
    found = asyncio.run(aassert_matches(outputs, reference, **options))
    assert [one["score"] for one in found] == expected


def test_a_distance_above_its_threshold_fails() -> None:
    evaluator = fieldwise.create_json_edit_distance_evaluator()
    with pytest.raises(AssertionError):
        assert_matches(AB, AC, evaluator=evaluator, threshold=0.05)


MATCH, NAMED = "create_json_match_evaluator", "create_multi_field_evaluator"
MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"threshold": 2}, "threshold=2: must be a number above 0 and at most 1"),
    ({"threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
    ({"depht": "keys"}, f"{MATCH}: there is no option 'depht'; did you mean 'depth'?"),
    ({"fields": "a"}, "fields='a': must be a list of paths or Fields, ['name', 'a.b']"),
    ({"fields": []}, "fields=[]: name at least one field"),
    (
        {"evaluator": fieldwise.create_exact_match_evaluator(), "fields": ["a"], "depth": "keys"},
        "evaluator and fields, depth are given: pass them where the evaluator is created",
    ),
]


@pytest.mark.parametrize(("options", "message"), MISTAKES)
def test_a_wrong_option_is_no_failed_assertion(options: dict[str, Any], message: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as mistake:
        assert_matches({}, {}, **options)
    assert str(mistake.value) == message
    with pytest.raises(fieldwise.ConfigError) as same:
        asyncio.run(aassert_matches({}, {}, **options))
    assert str(same.value) == message.replace("create_json", "create_async_json")


def test_an_async_judge_is_refused_where_nothing_awaits() -> None:
    with pytest.raises(fieldwise.ConfigError, match="create_async"):
        assert_matches({"a": 1}, {"a": 2}, rubric={"a": "near"}, judge=late_async)


def test_a_judge_stands_in_for_that_of_an_evaluator() -> None:
    evaluator = fieldwise.create_json_match_evaluator(rubric={"a": "near"}, judge=late)
    assert [
        one["score"] for one in assert_matches({"a": 1}, {"a": 2}, evaluator=evaluator, judge=agrees)
    ] == [1]


def test_inputs_reach_the_evaluator() -> None:
    def echoes(inputs: Any, outputs: Any) -> bool:
        return bool(inputs == outputs)

    assert assert_matches("hi", None, inputs="hi", evaluator=echoes)[0]["score"] is True


@given(VALUES)
def test_everything_matches_itself(value: Any) -> None:
    assert all(one["score"] == 1 for one in assert_matches(value, value))


@given(VALUES, VALUES)
def test_a_failure_is_bounded_and_plain_text(outputs: Any, reference: Any) -> None:
    try:
        assert_matches(outputs, reference)
    except AssertionError as failure:
        lines = str(failure).splitlines()
        assert len(lines) <= 60
        assert max(map(len, lines)) <= 600
        assert all(line.isprintable() for line in lines)


def test_many_wrong_places_are_cut() -> None:
    numbers = {str(at): at for at in range(1, 100)}
    with pytest.raises(AssertionError) as failure:
        assert_matches(numbers, dict.fromkeys(numbers, 0))
    head, _, *rows, last = str(failure.value).splitlines()
    assert (head, len(rows), last) == (
        "json_match: 99 of 99 values not right, score 0.000",
        40,
        "  and 59 more",
    )


def test_listeners_hear_of_passes_and_failures() -> None:
    heard: list[Any] = []
    with listening(heard.append):
        passed = assert_matches({"a": 1}, {"a": 1})
        with pytest.raises(AssertionError):
            assert_matches({"a": 1}, {"a": 2})
    assert heard[0] == passed
    assert [one["score"] for one in heard[1]] == [0.0]


def test_it_is_traced_where_langsmith_traces() -> None:
    from langsmith import tracing_context

    with tracing_context(enabled="local"):
        (result,) = assert_matches({"a": 1}, {"a": 1})
        (other,) = asyncio.run(aassert_matches({"a": 1}, {"a": 1}))
    assert result["source_run_id"] != other["source_run_id"]
    assert "source_run_id" not in assert_matches({"a": 1}, {"a": 1})[0]


@pytest.mark.parametrize("module", ["asserting", "diff", "listening", "scores"])
def test_the_examples_run(module: str) -> None:
    found = doctest.testmod(importlib.import_module(f"fieldwise.testing.{module}"))
    assert (found.failed, found.attempted > 0) == (0, True)
