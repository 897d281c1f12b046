"""The text evaluators by example, one record a row: what it scores, and what is said of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from fieldwise import MISSING
from tests.scorers.single_forms import evaluate


@dataclass(frozen=True)
class Row:
    """One record, what it scores and what is said of it."""

    name: str
    outputs: Any
    reference: Any
    score: Any
    comment: str | None = None
    status: str = "graded"
    options: dict[str, Any] = field(default_factory=dict)


def check(row: Row) -> None:
    result = evaluate(row.name, row.outputs, row.reference, **row.options)
    assert (result["score"], result["comment"]) == (row.score, row.comment)
    assert type(result["score"]) is type(row.score)
    assert result["extra"]["status"] == row.status
    assert result["key"] == row.name
    if row.status != "graded":
        assert result["extra"]["reason"] == row.comment


INVALID: Final[dict[str, Any]] = {"status": "invalid_reference"}
X: Final = {"target_output_key": "x"}
NOT_X: Final = {**X, "negated": True}
XY: Final = {"target_output_key": ["x", "y.z"]}

ROWS: Final = [
    # exact_match: JSON equality, text as text
    Row("exact_match", "Paris", "Paris", True),
    Row("exact_match", "Paris", "paris", False, 'expected "paris", got "Paris" (they differ in case only)'),
    Row("exact_match", "Paris", "paris", True, options={"ignore_case": True}),
    Row("exact_match", "Paris", "paris", True, options={"case_sensitive": False}),
    Row("exact_match", "STRASSE", "straße", True, options={"ignore_case": True}),
    Row("exact_match", {"r": ["Yes"]}, {"r": ["yes"]}, True, options={"ignore_case": True}),
    Row(
        "exact_match",
        {"R": 1},
        {"r": 1},
        False,
        "2 of 2 values not right: r: expected 1, missing; R: got 1, not expected",
        options={"ignore_case": True},
    ),
    Row(
        "exact_match",
        {"a": 5, "b": {"c": "x"}},
        {"b": {"c": "y"}, "a": 5.0},
        False,
        '1 of 2 values not right: b.c: expected "y", got "x"',
    ),
    Row(
        "exact_match",
        [1, 2],
        [2, 1],
        False,
        "2 of 2 values not right: [0]: expected 2, got 1; [1]: expected 1, got 2",
    ),
    Row("exact_match", '{"a": 1}', {"a": 1}, False, 'expected {"a":1}, got "{\\"a\\": 1}"'),
    Row("exact_match", "8", 8, False, 'expected 8, got "8"'),
    Row("exact_match", "8", 8, True, options={"coerce": True}),
    Row("exact_match", {"a": {"b": None}}, {"a": {}}, True, options={"null_policy": "null_equals_missing"}),
    Row("exact_match", {"a": None}, {}, True, options={"null_policy": "null_equals_missing"}),
    Row(
        "exact_match",
        "caf\xe9",
        "cafe\u0301",
        False,
        'expected "cafe\u0301", got "caf\xe9" (they differ in Unicode normal form only)',
    ),
    Row("exact_match", "x ", "x", False, 'expected "x", got "x " (they differ in white space only)'),
    Row("exact_match", {"result": "8"}, {"expectedOutput": {"result": "8"}}, True),
    Row("exact_match", {"result": "8"}, {"expected_output": {"result": "8"}}, True),
    Row("exact_match", {"expectedOutput": 8}, {"expectedOutput": 8}, True),
    Row("exact_match", {"output": "x"}, "x", True),
    Row("exact_match", {"output": "x"}, {"a": "x", "b": 1}, True, options={"correct_answer_key": "a"}),
    Row("exact_match", "x", "x", False, 'both are "x"', options={"negated": True}),
    Row("exact_match", "x", "y", True, options={"negated": True}),
    Row("exact_match", "x", MISSING, None, "no reference_outputs were given", **INVALID),
    Row("exact_match", MISSING, "x", False, "no outputs were given", "invalid_output"),
    Row("exact_match", MISSING, "x", False, "no outputs were given", "invalid_output", {"negated": True}),
    # the target
    Row("exact_match", {"x": 1, "y": 2}, {"x": 1.0}, True, options=X),
    Row("exact_match", {"x": 1, "y": 2}, 1, True, options=X),
    Row("exact_match", {"y": 2}, {"x": 1}, False, "x: expected 1, missing", options=X),
    Row("exact_match", {"y": 2}, {"x": 1}, False, "x: expected 1, missing", options=NOT_X),
    Row("exact_match", {"y": 2}, {"x": None}, False, "x: expected null, missing", options=X),
    Row(
        "exact_match",
        {"x": 1},
        {"y": 1},
        None,
        "the reference has no 'x', which the output has",
        options=X,
        **INVALID,
    ),
    Row("exact_match", {"z": 1}, {"y": 1}, None, "neither side has 'x'", "path_not_found", X),
    Row("exact_match", {"x": 1}, {"output": 1}, True, options=X),
    Row("exact_match", {"x": 1, "y": {"z": 2, "u": 3}}, {"y": {"z": 2}, "x": 1, "v": 4}, True, options=XY),
    Row(
        "exact_match",
        {"x": 1, "y": {"z": 2}},
        {"y": {"z": 3}, "x": 1},
        False,
        "1 of 2 values not right: ['y.z']: expected 3, got 2",
        options=XY,
    ),
    Row("exact_match", {"x": 1}, {"y": {"z": 3}, "x": 1}, False, "missing in the output: 'y.z'", options=XY),
    Row(
        "exact_match",
        {"x": 1, "y": {"z": 3}},
        {"x": 1},
        None,
        "the reference has no 'y.z', which the output has",
        options=XY,
        **INVALID,
    ),
    Row(
        "exact_match",
        {"a.b": 1, "a": {"b": 2}},
        {"a": {"b": 1}, "a.b": 1},
        True,
        options={"target_output_key": "a.b"},
    ),
    Row(
        "exact_match",
        {"i": [{"n": "a"}, {"n": "b"}]},
        {"i": [{"n": "a"}, {"n": "b"}]},
        True,
        options={"target_output_key": "$.i[*].n"},
    ),
    # contains
    Row("contains", "Operation SUCCESSFUL", "success", True),
    Row(
        "contains",
        "Operation SUCCESSFUL",
        "success",
        False,
        '"success" is not in "Operation SUCCESSFUL"',
        options={"case_sensitive": True},
    ),
    Row("contains", "Hello", {"searchText": "hello"}, True),
    Row("contains", "Hello", {"search_text": "hello"}, True),
    Row("contains", "Hello", {"any column": "hello"}, True),
    Row("contains", {"output": "Hello"}, {"output": "hello"}, True),
    Row("contains", {"output": "Hello"}, {"output": "output"}, False, '"output" is not in "Hello"'),
    Row("contains", {"msg": 'it\'s "x"\n'}, 'it\'s "x"\n', True),
    Row("contains", {"id": 12345678901234567890, "ok": True}, '"id":12345678901234567890,"ok":true', True),
    Row("contains", {"a": "x"}, "'a'", False, '"\'a\'" is not in {"a":"x"}'),
    Row("contains", 8, "8", True),
    Row("contains", None, "null", False, "null is not text", "invalid_output"),
    Row("contains", None, "null", False, "null is not text", "invalid_output", {"negated": True}),
    Row("contains", "x", "y", True, options={"negated": True}),
    Row("contains", "xyz", "y", False, '"y" is in "xyz"', options={"negated": True}),
    Row("contains", "x", "", None, "an empty text is found everywhere", **INVALID),
    Row("contains", "", "", True),
    Row("contains", "x", 5, None, "the text to look for must be text, got 5", **INVALID),
    Row(
        "contains",
        "x",
        {"a": "x", "b": "y"},
        None,
        "reference_outputs has several columns and none is named: 'a', 'b'; name one with correct_answer_key",
        **INVALID,
    ),
    Row("contains", "x", {}, None, "reference_outputs has no columns", **INVALID),
    Row("contains", {"r": "x"}, "x", False, 'x: expected "x", missing', options=NOT_X),
    Row("contains", {"x": "A b", "y": {"z": "q"}}, {"searchText": "b"}, True, options=XY),
    Row("contains", {"x": "A b"}, {"searchText": "b"}, False, "missing in the output: 'y.z'", options=XY),
    # contains_any, contains_all
    Row("contains_any", "you get a refund", ["refund", "money"], True),
    Row("contains_any", "you get a Refund", ["refund", "money"], False, "0 of 2 texts found"),
    Row("contains_any", {"a": ["x"]}, {"any": ["y", "x"]}, True),
    Row("contains_all", "abc", ["a", "b"], True),
    Row("contains_all", "abc", ["a", "x", "y"], False, '1 of 3 texts found, not found: "x", "y"'),
    Row("contains_all", "abc", ["a", "x"], True, options={"negated": True}),
    Row("contains_any", "xax", [" a "], False, "0 of 1 texts found"),
    Row("contains_any", "x", [], None, "there is no text to look for", **INVALID),
    Row("contains_all", "x", "x", None, 'what to look for must be a list of texts, got "x"', **INVALID),
    Row("contains_all", "x", ["x", 5], None, "each text to look for must be text, got 5", **INVALID),
    Row("contains_all", "x", ["x", ""], None, "an empty text is found everywhere", **INVALID),
    # starts_with, ends_with
    Row("starts_with", "Hello Ada", "Hello", True),
    Row("starts_with", "Hello Ada", "hello", False, '"Hello Ada" does not start with "hello"'),
    Row("starts_with", "Hello Ada", "hello", True, options={"ignore_case": True}),
    Row("starts_with", {"letter": "Hello"}, "He", True),
    Row("starts_with", {"n": 42}, "4", True),
    Row("starts_with", "x", "x", False, '"x" starts with "x"', options={"negated": True}),
    Row("ends_with", "Hello world", "world", True),
    Row("ends_with", "0123456789" * 9, "x", False, '…"' + "0123456789" * 6 + '" does not end with "x"'),
    Row("ends_with", None, "x", False, "null is not text", "invalid_output"),
    Row("starts_with", {}, "x", False, "outputs is empty: there is no text in it", "invalid_output"),
    Row(
        "starts_with",
        {"a": "x", "b": 1},
        "x",
        None,
        "outputs has several columns and none is named: 'a', 'b'; "
        "name one with outputs_key or target_output_key",
        **INVALID,
    ),
    # regex_match
    Row("regex_match", "abc 123", r"\d{3}", True),
    Row("regex_match", "abc", r"\d", False, 'pattern "\\\\d" does not match "abc"'),
    Row("regex_match", "abc", "ABC", True, options={"ignore_case": True}),
    Row("regex_match", "abc", "b", False, 'pattern "b" does not match "abc"', options={"mode": "match"}),
    Row("regex_match", "abc", "ab", True, options={"mode": "match"}),
    Row(
        "regex_match", "abc", "ab", False, 'pattern "ab" does not match "abc"', options={"mode": "fullmatch"}
    ),
    Row("regex_match", "a\nB", "^b.?$", True, options={"flags": re.MULTILINE | re.IGNORECASE | re.DOTALL}),
    Row("regex_match", "é", r"\w", False, 'pattern "\\\\w" does not match "é"', options={"flags": re.ASCII}),
    Row("regex_match", {"n": 42}, r"^\d+$", True),
    Row("regex_match", "abc", "x", True, options={"negated": True}),
    Row("regex_match", "a", "(", None, 'pattern "(" does not parse: missing ) at position 1', **INVALID),
    Row("regex_match", "a", "", None, "an empty text is found everywhere", **INVALID),
    Row("regex_match", "a", 5, None, "the pattern must be text, got 5", **INVALID),
    # string_similarity
    Row(
        "string_similarity",
        "kitten",
        "sitting",
        0.5714285714285714,
        'expected "sitting", got "kitten" [levenshtein 0.5714]',
    ),
    Row(
        "string_similarity",
        "kitten",
        "sitting",
        1 - 0.5714285714285714,
        'expected "sitting", got "kitten" [levenshtein 0.5714]',
        options={"negated": True},
    ),
    Row("string_similarity", "Doe Jane", "Jane Doe", 1.0, options={"metric": "token_sort_ratio"}),
    Row("string_similarity", "ABC", "abc", 1.0, options={"ignore_case": True}),
    Row("string_similarity", "", "", 1.0),
    Row("string_similarity", "", "x", 0.0, 'expected "x", got "" [levenshtein 0]'),
    Row("string_similarity", None, "", 0.0, 'expected "", got null [levenshtein 0]'),
    Row("string_similarity", 5, "5", 0.0, 'expected "5", got 5 [levenshtein 0]'),
    Row(
        "string_similarity", {"a": [1, 2]}, {"b": [1, 3]}, 0.8, "expected [1,3], got [1,2] [levenshtein 0.8]"
    ),
    Row("string_similarity", {"output": "ab"}, {"answer": "ab"}, 1.0),
    # contains_json
    Row("contains_json", 'Sure: {"a": 1}. Done.', MISSING, True),
    Row("contains_json", "see [1] and items[0]", MISSING, False, "no JSON object or array in the text"),
    Row(
        "contains_json",
        '{"a": 1,}',
        MISSING,
        False,
        "no strict JSON: what is at line 1, column 1 takes trailing_comma",
    ),
    Row("contains_json", '{"a": 1,}', MISSING, True, options={"parse": "lenient"}),
    Row(
        "contains_json",
        '{"a": NaN}',
        MISSING,
        False,
        "no strict JSON: what is at line 1, column 1 takes non_finite",
    ),
    Row("contains_json", "{'a': 1} but {\"b\": 2}", MISSING, True),
    Row("contains_json", {"any": "object"}, MISSING, True),
    Row("contains_json", [], MISSING, True),
    Row("contains_json", {"output": "no"}, MISSING, False, "no JSON object or array in the text"),
    Row(
        "contains_json",
        {"text": "no"},
        MISSING,
        False,
        "no JSON object or array in the text",
        options={"outputs_key": "text"},
    ),
    Row(
        "contains_json",
        {"text": "no"},
        MISSING,
        False,
        "no JSON object or array in the text",
        options={"target_output_key": "text"},
    ),
    Row("contains_json", 5, MISSING, False, "no object or array in 5"),
    Row("contains_json", None, MISSING, False, "null is not text", "invalid_output"),
    Row("contains_json", '<think>{"a": 1}</think> no', MISSING, False, "no JSON object or array in the text"),
    Row(
        "contains_json",
        '{"a": [1',
        MISSING,
        False,
        "no valid JSON: truncated: the text ends at line 1, column 9 inside an array in an object; allow the "
        'model more output tokens, or keep what was closed with truncated="closed_fields"',
    ),
    Row(
        "contains_json",
        "[" * 2000 + "]" * 2000,
        MISSING,
        False,
        "nested deeper than 1,000 levels",
        "invalid_output",
    ),
    Row("contains_json", "x", "any reference", True, options={"negated": True}),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.outputs!r:.30}-{row.reference!r:.30}")
def test_what_it_scores_and_says(row: Row) -> None:
    check(row)
