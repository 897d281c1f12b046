"""What the parser refuses, in which words, and what the caller may decide instead."""

import math
from decimal import Decimal
from typing import Any

import pytest

from fieldwise._types import MultipleJson
from fieldwise.core.equality import equal
from fieldwise.core.parse import Parsed, Unparsed, parse

FIX = '; allow the model more output tokens, or keep what was closed with truncated="closed_fields"'
CHOOSE = '; say which is meant with multiple_json="first" or "last"'
NO_JSON = "no JSON object or array in the text"

REFUSES = [
    ("nothing", "", "the text is empty", (), False),
    ("white space", " \n\t ", "the text is empty", (), False),
    ("plain text", "Hello there", NO_JSON, (), False),
    ("number", "5", NO_JSON, (), False),
    ("text that quotes JSON", '"see {\\"a\\": 1}"', NO_JSON, (), False),
    ("closers alone", "}}}", NO_JSON, (), False),
    ("citations", "Paris [1], London [2] [[3]].", NO_JSON, (), False),
    ("template", "Dear {name}, {0} [Enter] [x]", NO_JSON, (), False),
    ("leading note", "[Speaker 1] hi", NO_JSON, (), False),
    ("leading time", "[12:30] Bob: hi", NO_JSON, (), False),
    ("leading comprehension", "[x for x in y]", NO_JSON, (), False),
    ("check box", "[ ] buy milk", NO_JSON, (), False),
    ("fenced code", "```python\nd['a'](b)\n```", NO_JSON, (), False),
    ("open bracket in prose", "a smiley :[", NO_JSON, (), False),
    ("thinking without an answer", '<think>so {"a": 1}</think>ok', NO_JSON, ("thinking",), False),
    ("thinking without an end", '<think>so {"a": 1}',
     "the text ends inside its thinking block and holds no answer; allow more output tokens",
     ("thinking", "truncated"), False),
    # truncation
    ("cut in a string", '{"id": 7, "items": ["a", "b',
     "truncated: the text ends at line 1, column 28 inside a string in an array in an object" + FIX,
     ("truncated",), True),
    ("cut on the second line", '{"id":\n 7',
     "truncated: the text ends at line 2, column 3 inside an object" + FIX,
     ("truncated",), True),
    ("cut in a comment", '{"id": 7 /* an', "truncated: the text ends at line 1, column 15 "
     "inside a comment in an object" + FIX, ("truncated",), True),
    ("cut deep down", "[[[[[(1,", "truncated: the text ends at line 1, column 9 "
     "inside a tuple in an array in an array in 3 more" + FIX, ("truncated",), True),
    ("cut in Python", "{'a': 'b", "truncated: the text ends at line 1, column 9 "
     "inside a string in an object" + FIX, ("python_literal", "truncated"), True),
    ("cut after damage", '{"a": "x" "b": [1, 2', "truncated: the text ends at line 1, column 21 "
     "inside an array in an object" + FIX, ("truncated",), True),
    ("cut, then prose", '{"a": [1, 2\n\nSorry!', "truncated: the text ends at line 3, column 7 "
     "inside an array in an object" + FIX, ("truncated",), True),
    ("cut in a closed fence", '```json\n{"a": [1, 2\n```\nSorry!',
     "truncated: the text ends at line 3, column 1 "
     "inside an array in an object" + FIX, ("fenced", "prose", "truncated"), True),
    ("cut in an open fence", '```json\n{"a": "x', "truncated: the text ends at line 2, column 9 "
     "inside a string in an object" + FIX, ("fenced", "truncated"), True),
    ("cut in prose", 'Sure: {"a": 1, "b', "truncated: the text ends at line 1, column 18 "
     "inside a string in an object" + FIX, ("prose", "truncated"), True),
    # brackets
    ("crossed brackets", '{"a":1]', "']' at line 1, column 7 cannot close '{' from line 1, column 1", (),
     True),
    ("crossed brackets inside", '{"a": [1, 2}, "b": 3}',
     "'}' at line 1, column 12 cannot close '[' from line 1, column 7", (), True),
    ("crossed brackets in damage", '{"a": "x" "b": [1}',
     "'}' at line 1, column 18 cannot close '[' from line 1, column 16", (), True),
    ("closed too often", '{"a": 1}}', "'}' at line 1, column 9 comes after the end of the value", (), True),
    ("closed too early", '{"a": 1}, "b": 2}', "'\"' at line 1, column 11 comes after the end of the value",
     (), True),
    ("fence that fails, prose that does not", '```json\n{"a": 1]\n```\n{"b": 1}',
     "']' at line 2, column 8 cannot close '{' from line 2, column 1", ("fenced", "prose"), True),
    # damage with no plausible reading
    ("missing value", '{"a": , "b": 1}', "not JSON at line 1, column 7: expected a value, found ','", (),
     True),
    ("stray word", '{"a": true, NOTE "b": 1}',
     "not JSON at line 1, column 18: expected ':' after the name, found '\"b\"'", (), True),
    ("name without a value", '{"a": 1, "b"}',
     "not JSON at line 1, column 13: expected ':' after the name, found '}'", (), True),
    ("commas alone", "['x', [,]]", "not JSON at line 1, column 8: expected a value, found ','", (), True),
    ("set", "{'a', 'b'}", "not JSON at line 1, column 5: expected ':' after the name, found ','", (), True),
    ("bytes", "{'a': b'x'}", "not JSON at line 1, column 7: expected a value, found 'b'", (), True),
    ("complex", "{'a': 1j}", "not JSON at line 1, column 7: expected a value, found '1j'", (), True),
    ("leading zeros", '{"a": 007}', "not JSON at line 1, column 7: expected a value, found '007'", (), True),
    ("undefined", '{"a": 1, "b":}', "not JSON at line 1, column 14: expected a value, found '}'", (), True),
    ("apostrophe in single quotes", "{'key': 'it's'}",
     "not JSON at line 1, column 13: expected ',' or a closing bracket, found 's'", (), True),
    ("call", '{"a": date(2024, 1, 2)}', "not JSON at line 1, column 7: expected a value, found 'date'",
     (), True),
    ("list in an object", '{"a": [1], [2]}',
     "not JSON at line 1, column 12: expected a name in quotes, found '['", (), True),
    ("members in a list", '["a": 1]',
     "not JSON at line 1, column 5: expected ',' or a closing bracket, found ':'", (), True),
    ("long token", '{"a": ' + "x" * 30 + ', "b"}',
     f"not JSON at line 1, column 7: expected a value, found '{'x' * 19}…'", (), True),
    ("repeated name in damage", '{"a": "x" "a": 2}',
     "not JSON at line 1, column 11: expected ',' or a closing bracket, found '\"a\"'", (), True),
    # ambiguity
    ("two objects", '{"a": 1}\n{"a": 2}',
     "2 different JSON values in the text, the first at line 1, column 1, the last at line 2, column 1"
     + CHOOSE,
     ("multiple_json",), True),
    ("thinking that differs", '<think>maybe {"a": 2}</think>\n{"a": 1}',
     "2 different JSON values in the text, the first at line 1, column 14, the last at line 2, column 1"
     + CHOOSE,
     ("multiple_json", "thinking"), True),
    ("values in one fence", "```json\n[1]\n[2]\n[1]\n```",
     "2 different JSON values in the text, the first at line 2, column 1, the last at line 4, column 1"
     + CHOOSE,
     ("fenced", "multiple_json"), True),
    ("true and one", "[true] [1]{}{'a': 1} {'a': True}",
     "3 different JSON values in the text, the first at line 1, column 1, the last at line 1, column 22"
     + CHOOSE,
     ("multiple_json", "prose"), True),
    ("one that fails", '{"a": 1} {"b": 1]',
     "2 different JSON values in the text, the first at line 1, column 1, the last at line 1, column 10"
     + CHOOSE,
     ("multiple_json",), True),
    # limits
    ("long integer", '{"a": ' + "1" * 5000 + "}",
     "an integer of 5,000 digits, more than the 4,300 that are read, at line 1, column 7", (), True),
    ("long integer in a fence", "```\n[" + "1" * 5000 + "]\n```",
     "an integer of 5,000 digits, more than the 4,300 that are read, at line 2, column 2", ("fenced",), True),
    ("long integer in Python", "{'a': -" + "1" * 5000 + "}",
     "an integer of 5,000 digits, more than the 4,300 that are read, at line 1, column 7", (), True),
    ("long integer alone", "1" * 5000, NO_JSON, (), False),
    ("hopeless exponent", "[1e99999999999999999999]",
     "a number whose exponent is beyond what a decimal holds, at line 1, column 2", (), True),
    ("nesting", "[" * 100_000 + "]" * 100_000, "nested deeper than 1,000 levels", (), True),
    ("nesting in Python", "{'a':" * 2_000, "nested deeper than 1,000 levels", (), True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason", "ledger", "structured"), [row[1:] for row in REFUSES], ids=[row[0] for row in REFUSES]
)
def test_refuses(text: str, reason: str, ledger: tuple[str, ...], structured: bool) -> None:
    assert parse(text) == Unparsed(reason, ledger, structured)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ('<think>maybe {"a": 2}</think>\n{"a": 1}', {"a": 2}, {"a": 1}),
        ('{"a": 1}\n{"a": 2}\n{"a": 3}', {"a": 1}, {"a": 3}),
        ('```\n[1]\n```\n{"x": 0}\n```json\n[2]\n```', [1], [2]),
        ('see ["a"] and {"b": []}', ["a"], {"b": []}),
    ],
)
def test_the_caller_chooses_among_several(text: str, first: Any, last: Any) -> None:
    choices: dict[MultipleJson, Any] = {"first": first, "last": last}
    for multiple, value in choices.items():
        answer = parse(text, multiple=multiple)
        assert isinstance(answer, Parsed)
        assert answer.value == value
        assert "multiple_json" in answer.ledger


def test_a_failure_can_be_the_one_that_is_chosen() -> None:
    text = '{"a": 1} {"b": [1'
    assert parse(text, multiple="first") == Parsed({"a": 1}, ("multiple_json",))
    cut = "truncated: the text ends at line 1, column 18 inside an array in an object"
    assert parse(text, multiple="last") == Unparsed(cut + FIX, ("multiple_json", "truncated"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"id": 7, "items": ["a", "b', {"id": 7}),
        ('{"id": 7, "items": ["a"]', {"id": 7, "items": ["a"]}),
        ('{"id": 7, "items": ["a"], ', {"id": 7, "items": ["a"]}),
        ('{"id": 7, "name": "x"', {"id": 7}),
        ('{"id": 7, "na', {"id": 7}),
        ('{"id": 7, "name":', {"id": 7}),
        ('{"id": 7, "id": [8', None),
        ('{"": 1, "a": 12', {"": 1}),
        ("[1, 2, 3", [1, 2]),
        ("[[1], [2", [[1]]),
        ("{'a': True, 'b': {'c': 1}, 'd': tr", {"a": True, "b": {"c": 1}}),
        ('{"id": 7', None),
        ("{", None),
        ('```json\n{"a": 1, "b": [2\n```', {"a": 1}),
        ('Sure: {"a": 1, "b": [2', {"a": 1}),
    ],
)
def test_closed_fields_keeps_what_was_closed_and_nothing_else(text: str, value: Any) -> None:
    answer = parse(text, truncated="closed_fields")
    assert "truncated" in answer.ledger
    assert (answer.value if isinstance(answer, Parsed) else None) == value
    refused = parse(text)
    assert isinstance(refused, Unparsed)
    assert "truncated" in refused.ledger


STRICT = [
    ("plain text", "Hello", NO_JSON, (), False),
    ("fenced", '```json\n{"a": 1}\n```', "not strict JSON at line 1, column 1: expecting value", (), True),
    ("prose after", '{"a": 1} so', "not strict JSON at line 1, column 10: text after the value", (), True),
    ("trailing comma", '{"a": 1,}',
     "not strict JSON at line 1, column 9: expecting property name enclosed in double quotes", (), True),
    ("single quotes", "{'a': 1}",
     "not strict JSON at line 1, column 2: expecting property name enclosed in double quotes", (), True),
    ("mark", '\ufeff{"a": 1}', "not strict JSON: the text starts with a byte order mark (U+FEFF)", (), True),
    ("duplicate", '{"b": 1, "a": {"b": 2, "c": 3, "b": 4}}', "the name 'b' is repeated in one object",
     ("duplicate_keys",), True),
    ("non-finite", "[-Infinity, NaN]", "the literal -Infinity is not JSON", ("non_finite",), True),
    ("both", '{"a": NaN, "a": 1}', "the name 'a' is repeated in one object; the literal NaN is not JSON",
     ("duplicate_keys", "non_finite"), True),
    ("truncated", '{"a": "b',
     "truncated: the text ends at line 1, column 9 inside a string in an object" + FIX,
     ("truncated",), True),
    ("long integer", "[" + "1" * 5000 + "]",
     "an integer of 5,000 digits, more than the 4,300 that are read, at line 1, column 2", (), True),
    ("nesting", "[" * 100_000 + "]" * 100_000, "nested deeper than 1,000 levels", (), True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "reason", "ledger", "structured"), [row[1:] for row in STRICT], ids=[row[0] for row in STRICT]
)
def test_strict_says_why_not(text: str, reason: str, ledger: tuple[str, ...], structured: bool) -> None:
    assert parse(text, mode="strict") == Unparsed(reason, ledger, structured)


def test_strict_says_why_not_where_the_scanner_is_out_of_breath() -> None:
    deep = 995  # more than the interpreter's scanner reads below these frames, less than the limit
    text = "[" * deep + "1,]" + "]" * (deep - 1)
    assert parse(text, mode="strict") == Unparsed("not strict JSON: it takes trailing_comma")
    stray = "[" * deep + "x]" + "]" * (deep - 1)
    reason = "not JSON at line 1, column 996: expected a value, found 'x'"
    assert parse(stray, mode="strict") == Unparsed(reason)


def test_strict_keeps_closed_fields_on_request_only_of_strict_json() -> None:
    cut = parse('{"a": 1, "b": [', mode="strict", truncated="closed_fields")
    assert cut == Parsed({"a": 1}, ("truncated",))
    assert isinstance(parse("{'a': 1, 'b': [", mode="strict", truncated="closed_fields"), Unparsed)


SCALARS = [
    ("5\u00a0", 5, ("whitespace",)),
    ("5", 5, ()),
    (' "a" ', "a", ()),
    ("null", None, ()),
    ("True", True, ("python_literal",)),
    ("'a [1] b'", "a [1] b", ("python_literal",)),
    ("NaN", math.nan, ("non_finite",)),
    ("1e400", Decimal("1e400"), ()),
    ("\ufeff5", 5, ("bom",)),
    ("```json\n5\n```", 5, ("fenced",)),
    ("<think>so</think> 5", 5, ("thinking",)),
    ('so {"a": 1}', {"a": 1}, ("prose",)),
    ("[1]", [1], ()),
]


@pytest.mark.parametrize(("text", "value", "ledger"), SCALARS)
def test_scalars_count_where_they_are_asked_for(text: str, value: Any, ledger: tuple[str, ...]) -> None:
    answer = parse(text, scalars=True)
    assert isinstance(answer, Parsed)
    assert equal(answer.value, value)
    assert answer.ledger == ledger


@pytest.mark.parametrize(
    ("text", "reason", "ledger"),
    [
        ("", "the text is empty", ()),
        ("hello", "not JSON at line 1, column 1: expected a value, found 'hello'", ()),
        ("5 apples", "not JSON at line 1, column 3: text after the value", ()),
        ("]", "not JSON at line 1, column 1: expected a value, found ']'", ()),
        ('"abc', "truncated: the text ends at line 1, column 5 inside a string" + FIX, ("truncated",)),
        (
            "1" * 5000,
            "an integer of 5,000 digits, more than the 4,300 that are read, at line 1, column 1",
            (),
        ),
        ("[x] or [y]", "not JSON at line 1, column 2: expected a value, found 'x'", ()),
    ],
)
def test_text_that_is_no_scalar(text: str, reason: str, ledger: tuple[str, ...]) -> None:
    assert parse(text, scalars=True) == Unparsed(reason, ledger, structured=False)
