"""The parser: what it reads, what it says it did, what it refuses and in which words."""

import math
import re
import sys
from decimal import Decimal
from typing import Any

import pytest

from fieldwise.core.equality import equal
from fieldwise.core.parse import Parsed, Unparsed, parse

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
    ("note before an object", '[12:30] Bob: {"a": 1}', {"a": 1}, ("prose",)),
    ("note with brackets before an object", '[Speaker [x]] {"a": 1}', {"a": 1}, ("prose",)),
    ("braces before an object", '{see below} {"a": 1}', {"a": 1}, ("prose",)),
    ("price before an object", '[$5] is the price: {"a": 1}', {"a": 1}, ("prose",)),
    ("brackets around a fence", '[Here:\n```json\n{"a": 1}\n```\n]', {"a": 1}, ("fenced", "prose")),
    ("doubled braces in a fence", '```json\n{{"a": 1}}\n```', {"a": 1}, ("prose",)),
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
    ("minus of typography", '{"a": \u22125, "b": [\u22121.5, \u22121e400, 5e\u22123], "c": \u2212Infinity}',
     {"a": -5, "b": [-1.5, Decimal("-1e400"), 0.005], "c": -math.inf}, ("non_finite", "repaired")),
    ("minus of typography in a list", '[\u22121, {"b": 2}]', [-1, {"b": 2}], ("repaired",)),
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
    ("numbers beyond floats in damage", '{"a": 1e400 "b": [-1e400, 1e-400]}',
     {"a": Decimal("1e400"), "b": [Decimal("-1e400"), Decimal("1e-400")]}, ("repaired",)),
    ("minus of typography in damage", '{"a": \u22125 "b": "\u22125"}', {"a": -5, "b": "\u22125"},
     ("repaired",)),
    ("words of Python in damage", '{"a": None "b": [0x1F, +1, .5, -0, 1_000], "c": True}',
     {"a": None, "b": [31, 1, 0.5, 0, 1000], "c": True}, ("python_literal", "repaired")),
    ("non-finite in damage", '{"a": NaN "b": -Infinity}', {"a": math.nan, "b": -math.inf},
     ("non_finite", "repaired")),
    ("escapes in damage", r'{"a": "\ud83d\ude00 a\/b C:\\/" "b": "x\ny"}', {"a": "😀 a/b C:\\/", "b": "x\ny"},
     ("repaired",)),
    ("symbols in texts of damage", '{"a": "-$5 (85%) <b>" "b": a+b=c}', {"a": "-$5 (85%) <b>", "b": "a+b=c"},
     ("repaired",)),
    ("colons in damage", '{"a": "10:30" "b": http://x.y}', {"a": "10:30", "b": "http://x.y"}, ("repaired",)),
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
