"""What holds for every text and every value: round trips, wrappings, cuts, strictness."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MultipleJson
from fieldwise.core.equality import equal
from fieldwise.core.parse import Parsed, Unparsed, parse
from fieldwise.core.parse.reader import Reading, read

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


@given(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from("!<>=~$€%&|?*;^°±\u2013\u2014\u2260\u221a\u2030\u00a7"),
    st.sampled_from(["{0}{1}", "{1}{0}", "{0} {1}", "{1} {0}"]),
    st.sampled_from(['{{"a": {}}}', '{{"a": [1, {}]}}', '["x", {}, 2]', '{{"a": "x" "b": {}, "c": 1}}']),
)
def test_no_symbol_beside_a_value_is_left_out(value: Any, symbol: str, beside: str, around: str) -> None:
    text = around.format(beside.format(json.dumps(value), symbol))
    answer = parse(text)
    assert isinstance(answer, Unparsed) or symbol in str(answer.value)


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
