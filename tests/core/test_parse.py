"""The parser: what it reads, what it says it did, what it refuses and in which words."""

import json
import math
import re
import sys
import time
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MultipleJson
from fieldwise.core import _repair, _strict
from fieldwise.core._reader import Reading, read
from fieldwise.core.equality import equal
from fieldwise.core.parse import Parsed, Unparsed, parse

FIX = '; allow the model more output tokens, or keep what was closed with truncated="closed_fields"'
CHOOSE = '; say which is meant with multiple_json="first" or "last"'
NO_JSON = "no JSON object or array in the text"

READS = [
    ("odd space around", '\u00a0{"a": 1}', {"a": 1}, ("whitespace",)),
    ("strict", '{"a": [1, -2.5e3, "é", null, true, {}]}', {"a": [1, -2500.0, "é", None, True, {}]}, ()),
    ("strict in white space", '\n {"a": 1}\r\n\t', {"a": 1}, ()),
    ("byte order mark", '\ufeff{"a": 1}', {"a": 1}, ("bom",)),
    ("odd space between tokens", '{"a":\u00a01}', {"a": 1}, ("whitespace",)),
    # fences
    ("fence", '```json\n{"city": "Oslo", "n": 3}\n```', {"city": "Oslo", "n": 3}, ("fenced",)),
    ("fence tag in capitals", '```JSON\n{"ok": true}\n```', {"ok": True}, ("fenced",)),
    ("fence json5", "```json5\n{ok: true}\n```", {"ok": True}, ("fenced", "unquoted_key")),
    ("fence jsonc", '```jsonc\n{"a": 1 /* x */}\n```', {"a": 1}, ("comment", "fenced")),
    ("fence without tag", "```\n[1]\n```", [1], ("fenced",)),
    ("fence of tildes", "~~~\n[1]\n~~~", [1], ("fenced",)),
    ("fence of four marks", '````json\n{"a": 1}\n````', {"a": 1}, ("fenced",)),
    ("fence without end", '```json\n{"a": 1}', {"a": 1}, ("fenced",)),
    ("fence on one line", '```json {"a": 1} ```', {"a": 1}, ("fenced",)),
    ("fence in a line", 'so ```json {"a": 1} ``` it is', {"a": 1}, ("fenced", "prose")),
    ("fence in prose", 'Here:\n```json\n{"a": 1}\n```\nDone.', {"a": 1}, ("fenced", "prose")),
    ("escaped fence in a string", '```json\n{"r": "a\\n```sh\\nls\\n```\\nb"}\n```',
     {"r": "a\n```sh\nls\n```\nb"}, ("fenced",)),
    ("raw fence in a string", '```json\n{"r": "a\n```sh\nls\n```\nb"}\n```',
     {"r": "a\n```sh\nls\n```\nb"}, ("control_character", "fenced")),
    ("fence before prose", '{"a": 2} or\n```json\n{"a": 1}\n```', {"a": 1}, ("fenced", "prose")),
    ("fence for JSON before other fences", '```json\n{"a": 1}\n```\n```python\n{"a": 2}\n```', {"a": 1},
     ("fenced", "prose")),
    ("fence for JSON inside an open fence", '```\ncode\n\n```json\n{"a": 1}\n```', {"a": 1},
     ("fenced", "prose")),
    ("value after a fence of code", '```\nls\n```\n{"a": 1}', {"a": 1}, ("prose",)),
    ("value within a fence of code", '```python\nx = {"a": 1}\n```', {"a": 1}, ("prose",)),
    ("value used in a fence of code", '```python\n{"a": 1}.get("a")\n```', {"a": 1}, ("prose",)),
    ("marks of a line in a fence", '```json\n``` {"a": 1}\n```', {"a": 1}, ("prose",)),
    ("marks in prose", 'three ``` marks, {"a": 1}', {"a": 1}, ("prose",)),
    ("value cut by the closing tag", '<think>{"a": "</think> x"}{"a": 1}', {"a": 1}, ("prose", "thinking")),
    ("list of one number in a fence of code", "```python\n[1].pop()\n```\n{'b': 2}", {"b": 2},
     ("prose", "python_literal")),
    # prose
    ("object in prose", 'Sure! {"a": 1} Hope it helps.', {"a": 1}, ("prose",)),
    ("quotes in prose", 'It\'s "this": {"a": 1}', {"a": 1}, ("prose",)),
    ("citation beside an object", '[1] see {"a": 1}', {"a": 1}, ("prose",)),
    ("citations beside an object", 'As in [1, 2], {"a": 1}', {"a": 1}, ("prose",)),
    ("template name beside an object", 'Dear {name}: {"a": 1}', {"a": 1}, ("prose",)),
    ("bracketed note around an object", '[note: {"a": 1}]', {"a": 1}, ("prose",)),
    ("placeholder beside an object", 'use {} for {"a": 1}', {"a": 1}, ("prose",)),
    ("index beside an object", "d['a'] = {'b': 1}", {"b": 1}, ("prose", "python_literal")),
    ("link beside an object", '["x"](http://y) {"a": 1}', {"a": 1}, ("prose",)),
    ("set notation beside an object", '{x: 1} then {"a": 1}', {"a": 1}, ("prose",)),
    ("list of texts in prose", 'I found ["x", "y"].', ["x", "y"], ("prose",)),
    ("list of numbers in prose", "I found [1, 2].", [1, 2], ("prose",)),
    ("list of objects in prose", 'items[{"a": 1}]', [{"a": 1}], ("prose",)),
    ("announced empty list", "Answer: []", [], ("prose",)),
    ("announced list of one number", "Answer = [5]", [5], ("prose",)),
    ("leading empty object", "{}\n\nThere were no fields.", {}, ("prose",)),
    ("doubled braces", '{{"a": 1}}', {"a": 1}, ("prose",)),
    ("one value twice", '{"a": 1} {"a": 1.0}', {"a": 1}, ("repeated_json",)),
    # thinking
    ("thinking", '<think>hm [1]</think>\n{"a": 1}', {"a": 1}, ("thinking",)),
    ("thinking in capitals", '<THINKING>x</Thinking>{"a": 1}', {"a": 1}, ("thinking",)),
    ("reasoning and prose", '<reasoning>x</reasoning>so {"a": 1}', {"a": 1}, ("prose", "thinking")),
    ("closing tag alone", 'hm {"a": 1}?</think>{"a": 1}', {"a": 1}, ("repeated_json", "thinking")),
    ("thinking that breaks off", '<think>{"a": [</think>{"a": 1}', {"a": 1}, ("thinking",)),
    ("thinking after the answer", '{"a": 1}<think>and', {"a": 1}, ("thinking",)),
    ("tags in thinking", '<think><think> x</think>{"a": 1}', {"a": 1}, ("thinking",)),
    ("tag in a string", '{"a": "<think>", }', {"a": "<think>"}, ("trailing_comma",)),
    # names and numbers
    ("duplicate names", '{"total": 10, "total": 99}', {"total": 99}, ("duplicate_keys",)),
    ("duplicate names in Python", "{'a': 1, 'a': 2}", {"a": 2}, ("duplicate_keys", "python_literal")),
    ("non-finite", '{"x": Infinity, "y": -Infinity}', {"x": math.inf, "y": -math.inf}, ("non_finite",)),
    ("NaN", '{"x": NaN}', {"x": math.nan}, ("non_finite",)),
    ("both", '[{"a": NaN, "a": NaN}]', [{"a": math.nan}], ("duplicate_keys", "non_finite")),
    ("non-finite in Python", "[nan, inf, -inf]", [math.nan, math.inf, -math.inf],
     ("non_finite", "python_literal")),
    ("overflow", "[1e400, -1e400]", [Decimal("1e400"), Decimal("-1e400")], ()),
    ("underflow", "[1e-400, 0.0e-400, -0.0]", [Decimal("1e-400"), 0.0, -0.0], ()),
    ("astronomical exponent", "[1e999999999]", [Decimal("1e999999999")], ()),
    ("zero with a hopeless exponent", "[0e99999999999999999999]", [0.0], ()),
    ("big integer", "[123456789012345678901234567890]", [123456789012345678901234567890], ()),
    # Python literals
    ("Python literal", "{'done': True, 'note': None, 'n': 2}", {"done": True, "note": None, "n": 2},
     ("python_literal",)),
    ("Python words in double quotes", '{"a": False}', {"a": False}, ("python_literal",)),
    ("tuples", "[(1, 2), (1,), (), (1)]", [[1, 2], [1], [], 1], ("python_literal",)),
    ("Python numbers", "[1_000, 0x1F, .5, 5., +1, -.5e1, 1_0.5]", [1000, 31, 0.5, 5.0, 1, -5.0, 10.5],
     ("python_literal",)),
    ("Python names", "{1: 'a', None: 'b', True: 'c', False: 'd', 1.5: 'e'}",
     {"1": "a", "null": "b", "true": "c", "false": "d", "1.5": "e"}, ("python_literal",)),
    ("Python escapes", r"['\x41\101\'\U0001F600\ud83d\ude00\a\v\q']", ["AA'😀😀\a\v\\q"],
     ("python_literal",)),
    ("triple quotes", '{"a": """x "y"\n"""}', {"a": 'x "y"\n'}, ("python_literal",)),
    ("single triple quotes", "{'a': '''it's'''}", {"a": "it's"}, ("python_literal",)),
    ("single quotes beside JSON words", "{'a': true, 'b': null}", {"a": True, "b": None}, ("single_quotes",)),
    ("both kinds of words", "{'a': true, 'b': None}", {"a": True, "b": None},
     ("python_literal", "single_quotes")),
    # other liberties
    ("trailing commas", '{"label": "A", "tags": ["x", "y",],}', {"label": "A", "tags": ["x", "y"]},
     ("trailing_comma",)),
    ("comments", '{"a": 1, // one\n # two\n "b": /* b */ 2}', {"a": 1, "b": 2}, ("comment",)),
    ("address in a string", '{"a": "http://x", }', {"a": "http://x"}, ("trailing_comma",)),
    ("control characters", '{"t": "a\tb\nc\x00"}', {"t": "a\tb\nc\x00"}, ("control_character",)),
    ("unquoted keys", "{name: 'x', $a-b: 12.50}", {"name": "x", "$a-b": 12.5},
     ("python_literal", "unquoted_key")),
    ("backslashes", '{"p": "C:\\dir it\\\'s"}', {"p": "C:\\dir it's"}, ("invalid_escape",)),
    ("words in capitals", '{"a": TRUE, "b": Null}', {"a": True, "b": None}, ("repaired",)),
    # damage
    ("missing comma", '{"a": "x" "b": 2}', {"a": "x", "b": 2}, ("repaired",)),
    ("missing comma in a list", '["a" "b"]', ["a", "b"], ("repaired",)),
    ("quotes in a string", '{"key": "v"alu"e"}', {"key": 'v"alu"e'}, ("repaired",)),
    ("quoted end of a string", '{"key": "say "hi""}', {"key": 'say "hi"'}, ("repaired",)),
    ("text without quotes", '{"name": John Smith, "age": 30}', {"name": "John Smith", "age": 30},
     ("repaired",)),
    ("fraction", '{"x": 1/3}', {"x": "1/3"}, ("repaired",)),
    ("numbers in damage", '{"n": 1e10 "m": 12.50 "k": null}', {"n": 1e10, "m": 12.5, "k": None},
     ("repaired",)),
    ("slanted quotes", "{“a”: “b”}", {"a": "b"}, ("repaired",)),
    ("damage in prose", 'so {"a": "x" "b": 2} it is', {"a": "x", "b": 2}, ("prose", "repaired")),
    ("damage in a fence", '```json\n{"a": "x" "b": []}\n```', {"a": "x", "b": []}, ("fenced", "repaired")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value", "ledger"), [row[1:] for row in READS], ids=[row[0] for row in READS]
)
def test_reads(text: str, value: Any, ledger: tuple[str, ...]) -> None:
    answer = parse(text)
    assert isinstance(answer, Parsed), answer
    assert equal(answer.value, value), answer
    assert answer.ledger == ledger


@pytest.mark.parametrize("text", [row[1] for row in READS if row[3]], ids=[row[0] for row in READS if row[3]])
def test_strict_refuses_whatever_has_a_ledger(text: str) -> None:
    assert isinstance(parse(text, mode="strict", scalars=True), Unparsed)


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


# ------------------------------------------------------------------------------------ limits and hostility


def nested(levels: int) -> str:
    return "[" * levels + "]" * levels


def test_the_limit_on_nesting_does_not_depend_on_the_stack(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers() -> list[bool]:
        return [isinstance(parse(nested(levels)), Parsed) for levels in (999, 1_000, 1_001)]

    assert answers() == [True, True, False]
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)  # now the interpreter's own scanner goes deeper than we do
    try:
        assert answers() == [True, True, False]
        assert parse(nested(1_001)) == Unparsed("nested deeper than 1,000 levels")
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize(("value", "levels"), [(1, 0), ([], 1), ({"a": [1, {"b": {}}], "c": []}, 4)])
def test_depth(value: Any, levels: int) -> None:
    assert _strict.depth(value) == levels


MEGA = 1_000_000
RECORDS = json.dumps([{"id": index, "name": "Ada", "tags": ["x"]} for index in range(40_000)])
HOSTILE = {
    "brackets": "[" * MEGA,
    "spaced brackets": "x " + "[ " * MEGA,
    "braces": "{" * MEGA,
    "braces in prose": "x {" * MEGA,
    "open names": '{"' * MEGA,
    "open members": ' {"a": "' * MEGA,
    "nested members": 'x {"a":' * MEGA,
    "damaged members": ' {"a": b' * MEGA,
    "single quotes": "[' " * MEGA,
    "backticks": "`" * MEGA,
    "fences": "```\n" * MEGA,
    "fences that fail": '```json\n{"a": b c d, "e": f}\n```\n' * (MEGA // 5),
    "fences cut short": '```json\n{"a": [1\n```\n' * (MEGA // 5),
    "tags": "{<think>" * MEGA,
    "closing tags": '<think>{"a": 1}</think> {"a": 2} </think>' * (MEGA // 10),
    "quotes": '["' * MEGA,
    "doubled quotes": '[""" ' * MEGA,
    "backslashes": '["' + "\\" * MEGA,
    "slashes": "[/*" + "*" * MEGA,
    "digits": "[" + "1" * MEGA + ",]",
    "exponents": "[1e" + "9" * MEGA + "]",
    "spaces": ("x [" + " " * 1_000) * (MEGA // 1_000),
    "links": "[text](http://x) " * (MEGA // 2),
    "citations": "word [1]. " * MEGA,
    "lines of objects": '{"a": 1}\n' * MEGA,
    "prose": "lorem ipsum dolor sit amet, " * (MEGA // 3),
    "cut records": RECORDS[: 2 * MEGA - 10],
    "records with a trailing comma": RECORDS[:-1] + ",]",
    "quoted quotes": '["' + '"a ' * 2_500 + '"]',
    "apostrophes": "[" + "'it's'," * 1_000 + "]",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text_is_answered_in_bounded_time(text: str) -> None:
    started = time.process_time()
    answer = parse(text, truncated="closed_fields")
    assert time.process_time() - started < 5
    assert isinstance(answer, Parsed | Unparsed)


def test_long_texts_are_read_when_they_are_strict_and_refused_when_they_need_work() -> None:
    records = json.loads(RECORDS)
    text = json.dumps(records * 2)
    assert len(text) > 2 * MEGA
    assert parse(f"so\n```json\n{text}\n```") == Parsed(records * 2, ("fenced", "prose"))
    reason = "not strict JSON, and over the 2,000,000 characters that are repaired"
    assert parse(text[:-1] + ",]") == Unparsed(reason)
    damaged = "damaged, and over the 2,000,000 characters that are repaired"
    assert parse('{"a": b ' + " " * 2 * MEGA + "}") == Unparsed(damaged)


def test_too_many_brackets_are_given_up_not_searched_for_ever() -> None:
    gave_up = "too many brackets to find one JSON value among them"
    assert parse("[x] " * MEGA) == Unparsed(gave_up, (), structured=False)
    assert parse('{"a": 1}' + "[x] " * MEGA) == Unparsed(gave_up, (), structured=True)


def test_repair_has_an_allowance() -> None:
    word = "x" * _repair.REPAIR_LIMIT
    excess = "; it is over the 8,000 characters of damaged JSON that are repaired"
    found = "not JSON at line 1, column 11: expected ',' or a closing bracket, found '\"b\"'"
    assert parse(f'{{"a": "y" "b": "{word}"}}') == Unparsed(found + excess)
    short = '{"a": "y" "b": 1}\n'
    assert parse(short * 3) == Parsed({"a": "y", "b": 1}, ("repaired", "repeated_json"))
    assert isinstance(parse(short * 1_000), Unparsed)


def test_a_repair_that_fails_is_no_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    def explode(*args: object, **kwargs: object) -> object:
        raise RecursionError

    monkeypatch.setattr("json_repair.repair_json", explode)
    answer = parse('{"a": "x" "b": 2}')
    assert answer == Unparsed(
        "not JSON at line 1, column 11: expected ',' or a closing bracket, found '\"b\"'"
    )


@pytest.mark.parametrize(
    "guess", [{"a": "x", "b": 2, "c": ""}, {"a": ["x"], "b": 2}, {"a": "x"}, ["a", "x", "b", 2]]
)
def test_a_repair_that_invents_is_refused(guess: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("json_repair.repair_json", lambda *_, **__: guess)
    assert isinstance(parse('{"a": "x" "b": 2}'), Unparsed)


# ------------------------------------------------------------------------------------------------- laws

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)
structures = st.lists(values) | st.dictionaries(st.text(), values)
filled = st.lists(values, min_size=2) | st.dictionaries(st.text(), values, min_size=1)


@given(structures, st.sampled_from([None, 2]), st.booleans())
def test_round_trip(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text) == parse(text, mode="strict") == Parsed(value)
    outcome = read(text, 0, len(text))
    assert isinstance(outcome, Reading)
    assert outcome.value == value
    assert outcome.ledger == set()


@given(
    filled, st.sampled_from(["json", "JSON", "", "json5", "python"]), st.sampled_from(["```", "~~~", "````"])
)
def test_a_fence_adds_only_itself(value: Any, tag: str, mark: str) -> None:
    text = json.dumps(value, indent=1)
    assert parse(f"{mark}{tag}\n{text}\n{mark}") == Parsed(value, ("fenced",))
    assert parse(f"Here:\n{mark}{tag}\n{text}\n{mark}\nDone.") == Parsed(value, ("fenced", "prose"))


@given(st.dictionaries(st.text(), values, min_size=1))
def test_prose_adds_only_itself(value: Any) -> None:
    text = json.dumps(value)
    assert parse(f"It's this: {text} Right?") == Parsed(value, ("prose",))
    assert parse(f"<think>hm</think>{text}") == Parsed(value, ("thinking",))


@given(structures)
def test_the_Python_spelling_is_the_same_value(value: Any) -> None:  # noqa: N802
    answer = parse(repr(value))
    assert isinstance(answer, Parsed)
    assert equal(answer.value, value)
    assert set(answer.ledger) <= {"python_literal", "invalid_escape", "single_quotes"}


def closed(value: Any) -> list[Any]:
    """Every sub-document a cut may leave: the leading members of the outermost value."""
    if isinstance(value, dict):
        return [dict(list(value.items())[:count]) for count in range(1, len(value) + 1)]
    return [value[:count] for count in range(1, len(value) + 1)]


@given(structures, st.data())
def test_a_cut_is_never_completed(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    text = text[: data.draw(st.integers(1, len(text) - 1))]
    refused = parse(text)
    assert isinstance(refused, Unparsed)
    assert refused.ledger == ("truncated",)
    kept = parse(text, truncated="closed_fields")
    assert kept.ledger == ("truncated",)
    assert isinstance(kept, Unparsed) or kept.value in closed(value)


tokens = [
    *"{}[](),:\"'#x \n\\“",
    *(
        '"a"',
        "'b'",
        "1",
        "-2.5",
        "1e400",
        "1_0",
        "0x1",
        "007",
        "true",
        "None",
        "NaN",
        "b'x'",
        '{"a": 1}',
        '{"a":',
    ),
    *("```", "```json\n", "~~~", "<think>", "</think>", "//", "/*", "*/", '""', '"""', "\\u00e9"),
    *("\ufeff", "\u00a0", "\x00", "\ud800"),
]
jsonish = st.lists(st.sampled_from(tokens), max_size=25).map("".join)


@given(st.text() | jsonish, st.booleans(), st.sampled_from(["error", "closed_fields"]))
def test_any_text_is_answered(text: str, with_scalars: bool, truncated: Any) -> None:
    options: list[MultipleJson] = ["error", "first", "last"]
    for multiple in options:
        answer = parse(text, multiple=multiple, truncated=truncated, scalars=with_scalars)
        assert list(answer.ledger) == sorted(set(answer.ledger))
        if isinstance(answer, Unparsed):
            assert answer.reason
            assert "\n" not in answer.reason
        elif not with_scalars:
            assert isinstance(answer.value, dict | list)


@given(st.text() | jsonish)
def test_an_empty_ledger_means_strict_json(text: str) -> None:
    strict = parse(text, mode="strict", scalars=True)
    lenient = parse(text, scalars=True)
    if isinstance(lenient, Parsed) and not lenient.ledger:
        assert strict == lenient
    if isinstance(strict, Parsed):
        assert strict.ledger == ()
        assert equal(strict.value, json.loads(text)) or "e400" in text
        assert lenient == strict


@given(jsonish)
def test_the_reader_knows_strict_json(text: str) -> None:
    outcome = read(text, 0, len(text))
    if isinstance(outcome, Reading) and not outcome.ledger:
        assert isinstance(parse(text[: outcome.end], mode="strict", scalars=True), Parsed)


def test_every_identifier_is_explained() -> None:
    module = sys.modules[parse.__module__]
    table = set(
        re.findall(
            r"[a-z_]+", " ".join(re.findall(r"^\| ([a-z_, ]+) \|", module.__doc__ or "", re.MULTILINE))
        )
    )
    used = {note for row in READS for note in row[3]} | {"truncated", "multiple_json"}
    assert used <= table
    assert table - used <= {"ledger"}
