"""Values as text: readable, exact, aligned with what was expected; spans as lines."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise._types import MISSING
from fieldwise.core.equality import equal
from fieldwise.evalsets.model import ItemResult
from fieldwise.report.html._sides import counterpart, expectation, sides
from fieldwise.report.html._spans import MAX_SPANS, timeline
from fieldwise.report.html._text import Room, aligned, embedded, plain, pretty

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=15
)

PRETTY: dict[str, tuple[Any, str]] = {
    "text is itself": ('a "b"\nc', 'a "b"\nc'),
    "a number": (1.0, "1"),
    "an integer of any size": (10**25, "1" + "0" * 25),
    "more digits than a float": (Decimal("0.10000000000000000000000001"), "10000000000000000000000001e-26"),
    "nothing": (None, "null"),
    "empty": ({"a": [], "b": {}}, '{\n  "a": [],\n  "b": {}\n}'),
    "numbers on one line": ([1, 2.5, None], "[1, 2.5, null]"),
    "texts on lines": (["a", "b"], '[\n  "a",\n  "b"\n]'),
    "not a number": (float("nan"), "NaN"),
}


@pytest.mark.parametrize(("value", "text"), PRETTY.values(), ids=PRETTY.keys())
def test_values_as_people_read_them(value: Any, text: str) -> None:
    assert pretty(value) == text


@given(VALUES.filter(lambda value: not isinstance(value, str)))
def test_text_is_the_same_json(value: Any) -> None:
    assert equal(json.loads(pretty(value)), value)


def test_deep_values_are_no_trouble() -> None:
    deep: Any = 1
    for _ in range(20_000):
        deep = [deep]
    assert pretty(deep).count("[") == 20_000
    assert aligned(deep, deep) is not None


def test_what_has_no_json_form_is_shown() -> None:
    assert plain({"a": object}) == "{'a': <class 'object'>}"


@given(VALUES, VALUES)
def test_aligning_changes_the_order_of_names_only(value: Any, model: Any) -> None:
    assert equal(aligned(value, model), value)


@given(VALUES)
def test_equal_values_read_the_same_once_aligned(value: Any) -> None:
    def turned(one: Any) -> Any:
        if isinstance(one, dict):
            return {name: turned(one[name]) for name in reversed(one)}
        return [turned(inner) for inner in one] if isinstance(one, list) else one

    assert pretty(aligned(turned(value), value)) == pretty(value)


@given(VALUES)
def test_embedded_data_is_json_without_markup(value: Any) -> None:
    text = embedded(value)
    assert json.loads(text) == value
    assert not set("<>&\u2028\u2029\n") & set(text)
    text.encode()


def test_room_runs_out() -> None:
    room = Room(left=10, roomy=6, tight=2)
    assert [room.cut("abcdef"), room.cut("abcdef"), room.cut("abcdef")] == [
        "abcdef",
        "abcdef",
        "ab\n… 4 more characters, left out of this page",
    ]


# ----------------------------------------------------------------------------------------------- sides

EXPECTED: dict[str, tuple[Any, Any, Any]] = {
    "an envelope": ({"expectedOutput": 5}, "x", 5),
    "in snake case": ({"expected_output": {"a": 1}}, None, {"a": 1}),
    "a class": ({"expectedClass": "spam"}, "ham", "spam"),
    "an object with a name of the output": ({"a": 1}, {"a": 2}, {"a": 1}),
    "an object of other names": ({"b": 1}, {"a": 2}, MISSING),
    "text to search for": ({"searchText": "x"}, "x", MISSING),
    "an order of calls": ({"toolCallsOrder": ["a"]}, {"toolCallsOrder": 1}, MISSING),
    "a behaviour": ({"expectedAgentBehavior": "does"}, "did", MISSING),
    "text for a text": ("Paris", "Rome", "Paris"),
    "text for a sole value": ("Paris", {"city": "Rome"}, "Paris"),
    "text for an object": ("Paris", {"city": "Rome", "n": 1}, MISSING),
    "a list for a text": (["a"], "a", MISSING),
}


@pytest.mark.parametrize(("criteria", "output", "expected"), EXPECTED.values(), ids=EXPECTED.keys())
def test_what_criteria_expect(criteria: Any, output: Any, expected: Any) -> None:
    assert expectation(criteria, output) == expected


def test_the_part_of_an_output_that_an_expected_value_is_of() -> None:
    assert counterpart({"a": 1}, {"a": 1}) == {"a": 1}
    assert counterpart({"a": [1]}, [1]) == [1]
    assert counterpart({"a": 1, "b": 2}, 1) == {"a": 1, "b": 2}


def test_equal_criteria_are_shown_once() -> None:
    one = ItemResult(
        "a", "A", output={"x": 1, "y": 2},
        criteria={
            "e": {"expectedOutput": {"y": 2, "x": 1}}, "f": {"expected_output": {"x": 1, "y": 2}},
            "g": {"searchText": "1"}, "h": {"searchText": "1"}, "i": None, "j": 5,
        },
    )  # fmt: skip
    found = sides(one)
    text = '{\n  "y": 2,\n  "x": 1\n}'
    assert found.compared == [(["e", "f"], text, text)]
    assert found.others == [(["g", "h"], '{\n  "searchText": "1"\n}'), (["j"], "5")]
    assert list(found.output) == ["y", "x"]


# ----------------------------------------------------------------------------------------------- spans


def span(name: str, id_: str, start: int | None, end: int | None, **more: Any) -> dict[str, Any]:
    return {"name": name, "id": id_, "start": start, "end": end, "status": "OK", "attributes": {}} | more


def test_spans_are_lines_below_what_they_are_part_of() -> None:
    spans = (
        span("late", "3", 3_000_000, None, parent="1"),
        span("all", "1", 1_000_000, 9_500_000),
        span("early", "2", 2_000_000, 2_500_000, parent="1", attributes={"a": 1}, status="ERROR"),
    )
    assert timeline(spans, Room()) == [
        ("all", 0, 0.0, 8.5, "", ""),
        ("early", 1, 1.0, 0.5, "an error without words", '{\n  "a": 1\n}'),
        ("late", 1, 2.0, None, "", ""),
    ]


def test_spans_as_opentelemetry_writes_them() -> None:
    written = {
        "name": "search", "context": {"span_id": "0x1"}, "parent_id": None, "status": {"status_code": "OK"},
        "start_time": "2025-01-01T00:00:00.000000Z", "end_time": "2025-01-01T00:00:00.250000Z",
        "attributes": {"tool.name": "search"},
    }  # fmt: skip
    assert timeline([written], Room()) == [("search", 0, 0.0, 250.0, "", '{\n  "tool.name": "search"\n}')]


def test_many_spans_are_counted() -> None:
    spans = [span(f"s{at}", f"id{at}", at, at + 1) for at in range(MAX_SPANS + 7)]
    found = timeline(spans, Room())
    assert (len(found), found[-1][0]) == (MAX_SPANS + 1, "and 7 more spans")


@pytest.mark.parametrize("spans", [(), ({},), ({"what": 1},)], ids=["none", "empty", "something else"])
def test_what_is_no_span_is_no_line(spans: Any) -> None:
    assert timeline(spans, Room()) == []
