"""Damage that is not repaired: symbols that would be left out, members that would pass for the whole."""

from typing import Any

import pytest

from fieldwise.core.parse import Parsed, Unparsed, parse

SYMBOLS = [
    *("\u20135", "\u20145", "++5", "\u00b15", "<5", ">5", "=5", "\u22605", "\u22655", "~5", "\u221a4"),
    *("|5", "*5*", "_5", "$85", "85€", "85%", "5\u2030", "5\u00b0", "5-", "5+", "5!", "5;", "5\u2212"),
    *("5_", "5__0", "00", "!true", "-true", "\u2212true", "¬true", "~false", "?null", "-null", "-NaN"),
    *("-x", "\u2212x", "!x", "@x", "<x>"),
]
"""What is no value: a sign or symbol beside a number, a literal or a word, which cannot be left out."""


@pytest.mark.parametrize("symbol", SYMBOLS)
@pytest.mark.parametrize(
    ("around", "column"), [('{{"a": {}}}', 7), ('{{"a": [{}]}}', 8), ('```json\n{{"a": {}}}\n```', 7)]
)
def test_no_sign_or_symbol_is_left_out(symbol: str, around: str, column: int) -> None:
    answer = parse(around.format(symbol))
    assert isinstance(answer, Unparsed)
    line = 1 + around.startswith("`")
    assert answer.reason == f"not JSON at line {line}, column {column}: expected a value, found {symbol!r}"
    assert answer.structured


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_no_sign_or_symbol_is_left_out_of_damage(symbol: str) -> None:
    answer = parse(f'{{"a": "x" "b": {symbol}, "c": [1, {symbol}]}}')
    place = "not JSON at line 1, column 11: expected ',' or a closing bracket, found '\"b\"'"
    assert answer == Unparsed(place)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ('{"a": 5 %}', 9),
        ('{"a": 5 - "b": 6}', 9),
        ('{"a": 5, - "b": 6}', 10),
        ('{"a": "b"; "c": 5}', 10),
        ('{"a": {"b": 1}-}', 15),
        ('{"a": !{"b": 1}}', 7),
        ('{"a": \u2212[1]}', 7),
        ('{"a": \u2212 5}', 7),
        ("[1, 2, ...]", 8),
        ('{"a": 1, …}', 10),
        ('{"a": 5", "b": 1}', 8),
        ('{"a": 5" "b": 1}', 8),
        ('{"a": 5\', "b": 1}', 8),
        ('{"a": 5”, "b": 1}', 7),
        ('{"a": 1”2.5, "b": 1}', 7),
        ('["x", 10:30]', 9),
        ('{"a": 5: "b": 6}', 8),
        (r'{"a": 12.\50, "b": 1}', 7),
        (r'{"a": \false}', 7),
    ],
)
def test_nothing_is_left_out_between_values(text: str, column: int) -> None:
    answer = parse(text)
    assert isinstance(answer, Unparsed)
    assert answer.reason.startswith(f"not JSON at line 1, column {column}: ")
    assert answer.structured


FAILED = [
    ('{first name: "Ada", "seller": {"name": "Bo"}}', 8, "':' after the name", "name"),
    ('[$5, {"name": "Bo"}]', 2, "a value", "$5"),
    ('{@type: {"name": "Bo"}}', 2, "a name in quotes", "@type"),
    ('{-a: {"b": 2}}', 2, "a name in quotes", "-a"),
    ('[1:2, {"b": 2}]', 3, "',' or a closing bracket", ":"),
    ('[[½], {"b": 2}]', 3, "a value", "½"),
    ('[x, {"b": 2}]', 2, "a value", "x"),
    ('[note: {"a": 1}, {"b": 2}]', 2, "a value", "note"),
    ("[Call(args={'a': 1}), Call(args={})]", 2, "a value", "Call"),
    ('{{"a": 1}, "b": {}}', 2, "a name in quotes", "{"),
    ('{first name: "Ada"}', 8, "':' after the name", "name"),
    ('{first name: "Ada", "x": 5', 8, "':' after the name", "name"),
    ("{\u2018a\u2019: 5}", 2, "a name in quotes", "\u2018a\u2019"),
    ("[$5, 6]", 2, "a value", "$5"),
    ("[85%]", 2, "a value", "85%"),
]
"""Brackets that open a text, and are neither JSON nor prose; column, what was expected and what was found."""


NOTES = [
    "[based on pages [1, 2]] {}",
    "[Sources: [1, 2] and [3]] {}",
    "{see [1, 2] there} {}",
    "[see [1]] {}",
    "[Assistant: {}",
    "[12:30 {}",
    "```json\n[Sure! {}\n```",
]
"""Notes before an answer, and brackets that never close: prose, which swallows nothing."""


@pytest.mark.parametrize("note", NOTES)
def test_a_note_in_brackets_swallows_no_answer(note: str) -> None:
    found = parse(note.replace("{}", '{"a": 1}'))
    assert isinstance(found, Parsed)
    assert found.value == {"a": 1}


WRAPPED: dict[str, Any] = {
    "text": ("{}", 1, 0, ()),
    "bom": ("\ufeff \n{}\n", 2, 0, ("bom",)),
    "fence": ("```json\n{}\n```", 2, 0, ("fenced",)),
    "fence in prose": ("See:\n```json\n{}\n```\nGood?", 3, 0, ("fenced", "prose")),
    "open fence": ("```\n{}", 2, 0, ("fenced",)),
    "thinking": ("<think>so</think>{}", 1, 17, ("thinking",)),
}
"""Where it stands: the line, by how much the column is shifted, the ledger."""


@pytest.mark.parametrize("failed", FAILED, ids=[row[0] for row in FAILED])
@pytest.mark.parametrize("wrapped", WRAPPED.values(), ids=WRAPPED)
def test_what_opens_a_text_or_fence_and_fails_is_the_answer(failed: Any, wrapped: Any) -> None:
    text, column, wanted, found = failed
    around, line, shift, ledger = wrapped
    place = f"line {line}, column {column + shift}"
    reason = f"not JSON at {place}: expected {wanted}, found {found!r}"
    assert parse(around.replace("{}", text)) == Unparsed(reason, ledger, structured=True)


@pytest.mark.parametrize("text", ["[12:30]", "[x, y]", "[5 of 6]", "{name}", "[Speaker [x]] hi"])
def test_a_bracket_that_opens_a_text_may_be_prose(text: str) -> None:
    assert parse(text) == Unparsed("no JSON object or array in the text", structured=False)


def test_what_follows_a_bracket_that_failed_makes_it_ambiguous() -> None:
    answer = parse('[$5, {"a": 1}] {"b": 2}')
    assert answer.ledger == ("multiple_json",)
    assert parse('[$5, {"a": 1}] {"b": 2}', multiple="last") == Parsed({"b": 2}, ("multiple_json",))
    assert isinstance(parse('[$5, {"a": 1}] {"b": 2}', multiple="first"), Unparsed)
