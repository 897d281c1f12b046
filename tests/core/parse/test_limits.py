"""The parser against hostile text: bounded time, bounded depth, and repairs that invent nothing."""

import json
import sys
import time
from typing import Any

import pytest

from fieldwise.core.parse import Parsed, Unparsed, parse, strict
from fieldwise.core.parse import repair as repair_module


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
    assert strict.depth(value) == levels


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
    word = "x" * repair_module.REPAIR_LIMIT
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
