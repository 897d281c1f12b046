"""The summary as people see it: in a pipe, on a terminal, and whatever the data holds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from fieldwise import (
    Field,
    Report,
    create_json_diff_evaluator,
    create_json_edit_distance_evaluator,
    create_json_match_evaluator,
    create_multi_field_evaluator,
    evaluate_records,
)
from fieldwise.report import render, to_json
from fieldwise.report.table import headline, warnings_of
from fieldwise.run import RecordResult

RECORDS = [
    {
        "id": "one",
        "outputs": {"name": "Ada", "total": 12.5},
        "reference_outputs": {"name": "Ada", "total": 12.5},
    },
    {"id": "two", "outputs": {"name": "Bob", "total": "9"}, "reference_outputs": {"name": "Bob", "total": 9}},
    {"id": "three", "outputs": {"name": "Cy"}, "reference_outputs": {"name": "Cyd", "total": 7}},
    {"id": "four", "outputs": "no idea", "reference_outputs": {"name": "Dee", "total": 1}},
    {"id": "five", "outputs": {"name": "Eve"}},
]

PLAIN = """\
json_match: score 0.375 [0.00, 0.75], coverage 63.5%, 37.5% of 8 graded results passed; 5 records in 1.50 s
warning: exclude_keys: 'nme' named nothing in any record; did you mean 'name'?

field            mean  95% interval  graded  coverage  support  worst example
total           0.250  [0.04, 0.70]       4       80%        3  two: expected 9, got "9"
name            0.500  [0.15, 0.85]       4       80%        3  three: expected "Cyd", got "Cy"
(whole record)      -                     0        0%        0  five: no reference_outputs were given

worst records

record  score  its worst field
three   0.000  name: expected "Cyd", got "Cy"
four    0.000  expected an object, got text
two     0.500  total: expected 9, got "9"

invalid_output: 1 record, first four: expected an object, got text
invalid_reference: 1 record, first five: no reference_outputs were given
2 bad lines skipped
"""


def example() -> Report:
    report = evaluate_records(RECORDS, create_json_match_evaluator(exclude_keys=["nme"]))
    report.elapsed = 1.5
    report.add_error("x:1: bad")
    report.add_error("x:2: bad")
    return report


def test_warnings_given_elsewhere_are_not_repeated() -> None:
    text = render(example(), warned=True)
    assert "named nothing" not in text
    told = "exclude_keys: 'nme' named nothing in any record; did you mean 'name'?"
    assert list(warnings_of(example())) == [told]
    assert list(warnings_of(example(), named=True)) == [f"json_match: {told}"]


def squeezed(text: str) -> str:
    return re.sub(r" +", " ", text)


def test_plain() -> None:
    text = render(example())
    assert squeezed(text) == squeezed(PLAIN)
    assert text.isascii()
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_columns_are_aligned() -> None:
    lines = render(example()).splitlines()[3:7]
    ends = [
        line.index(word) + len(word)
        for line, word in zip(lines, ("coverage", "80%", "80%", " 0%"), strict=True)
    ]
    assert len(set(ends)) == 1


def test_of_distances_the_greatest_are_the_worst() -> None:
    rows = [("near", "abcx"), ("same", "abcd"), ("far", "xyz")]
    records = [{"id": id_, "outputs": {"a": came}, "reference_outputs": {"a": "abcd"}} for id_, came in rows]
    report = evaluate_records(records, create_json_edit_distance_evaluator())
    assert [one.id for one in report.worst_records] == ["far", "near", "same"]
    shown = render(report, worst=10).partition("worst records")
    assert "far: scored 0." in shown[0]
    assert [line.split()[0] for line in shown[2].splitlines()[3:]] == ["far", "near"]
    alone = render(evaluate_records(records[1:2], create_json_edit_distance_evaluator()))
    assert "same" not in alone


SIDES = [({"a": 1}, {"a": 1}), ({"a": 2}, {"a": 1})]


def scored(evaluator: Any, ids: str) -> Report:
    return evaluate_records(
        [
            {"id": id_, "outputs": came, "reference_outputs": wanted}
            for id_, (came, wanted) in zip(ids, SIDES, strict=True)
        ],
        evaluator,
    )


@pytest.mark.parametrize(
    ("evaluator", "said"),
    [
        (create_json_match_evaluator(), "50% of 2 graded results passed;"),
        (create_json_diff_evaluator(), "50% of 2 graded results passed (threshold 0.5);"),
        (create_json_diff_evaluator(threshold=1), "50% of 2 graded results passed;"),
        (create_json_edit_distance_evaluator(), "50% of 2 graded results passed (threshold 0);"),
        (
            [create_json_match_evaluator(), create_json_diff_evaluator(threshold=0.25)],
            "50% of 4 graded results passed (thresholds 0.25 to 1);",
        ),
        (
            create_multi_field_evaluator(fields=[Field("a", threshold=0.8)]),
            "50% of 4 graded results passed (thresholds 0.8 to 1);",
        ),
        (lambda outputs, reference_outputs: outputs == reference_outputs, "50% of 2 graded results passed;"),
    ],
)
def test_the_headline_says_at_which_threshold_results_passed(evaluator: Any, said: str) -> None:
    assert said in headline(scored(evaluator, "xy"))


def test_thresholds_merge_and_are_in_the_json() -> None:
    whole = scored(create_json_match_evaluator(), "xy")
    whole.merge(scored(create_json_diff_evaluator(), "xy"))
    assert whole.to_dict()["thresholds"] == [0.5, 1.0]


@pytest.mark.parametrize(
    ("ids", "note"),
    [
        ("xy", ""),
        (
            "xx",
            (
                "no interval: 1 record has the id of the one before; "
                "such records are one, answered several times\n"
            ),
        ),
    ],
)
def test_ids_that_cost_the_interval_are_told(ids: str, note: str) -> None:
    text = render(scored(create_json_match_evaluator(), ids))
    assert text.partition("no interval")[1:] == note.partition("no interval")[1:]


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("width", [80, 100, 104, 120, 160])
def test_an_example_is_cut_only_where_the_line_is_full(width: int, terminal: bool) -> None:
    sides = {"a": "y" * 300}, {"a": "z" * 300}
    record = {"id": "東京-1", "outputs": sides[0], "reference_outputs": sides[1]}
    text = render(evaluate_records([record], create_json_match_evaluator()), width=width, terminal=terminal)
    cut = [line for line in text.splitlines() if line.endswith("…")]
    assert [cell_len(line) for line in cut] == [width] * 2


def test_terminal_has_bars_and_no_codes_without_colour() -> None:
    text = render(example(), terminal=True)
    assert "━━━━━" in text
    assert "\x1b" not in text


def test_colour_says_how_good_a_field_is() -> None:
    text = render(example(), terminal=True, colour=True)
    assert "\x1b[31m0.250\x1b[0m" in text
    assert (
        re.sub(r"\x1b\[\d+m", "", text).replace("━", "").split()
        == render(example(), terminal=True).replace("━", "").split()
    )


def test_worst_records_are_limited() -> None:
    assert (
        "four" not in render(example(), worst=1).partition("worst records")[2].partition("invalid_output")[0]
    )
    assert "worst records" not in render(example(), worst=0)


def test_several_evaluators_keep_their_names() -> None:
    pair = [create_json_match_evaluator(feedback_key=key, aggregator="all") for key in ("one", "two")]
    text = render(evaluate_records(RECORDS, pair))
    assert text.startswith("score ")
    assert {"one:all", "two:all"} <= set(text.split())


def test_many_fields_end_with_how_many_more() -> None:
    report = Report()
    for number in range(700):
        extra = {"status": "graded"}
        report.add(
            RecordResult(
                number,
                str(number),
                [{"key": f"m:f{number}", "score": 0.0, "comment": None, "metadata": extra, "extra": extra}],
            )
        )
    text = render(report)
    assert "and 441 more; --json has all" in text
    assert "500 fields told apart; 200 results of further ones are (other fields)" in text


def test_empty_report() -> None:
    assert render(Report()) == "score -, coverage -, - of 0 graded results passed; 0 records in 0.00 s\n"


HOSTILE = [
    "[red]x[/red]",
    "[/]",
    "\x1b[2J",
    "a\nb",
    "\ud800",
    "\u202etxt",
    ":smile:",
    "東京" * 60,
    "x" * 5_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
@pytest.mark.parametrize("terminal", [False, True])
def test_data_prints_as_it_is_or_escaped(text: str, terminal: bool) -> None:
    record = {"id": text, "outputs": {text: text}, "reference_outputs": {text: "y"}}
    shown = render(evaluate_records([record], create_json_match_evaluator()), terminal=terminal, width=100)
    shown.encode()
    assert all(line.isprintable() for line in shown.splitlines())
    assert max(map(cell_len, shown.splitlines()[1:])) <= 100
    if text in ("[red]x[/red]", "[/]", ":smile:"):
        assert text in shown


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=5), st.integers(0, 200), st.booleans())
def test_any_text_renders(rows: list[tuple[str, str, str]], width: int, terminal: bool) -> None:
    report = Report()
    for position, (key, id_, comment) in enumerate(rows, start=1):
        extra: dict[str, Any] = {"status": "graded"}
        report.add(
            RecordResult(
                position,
                id_,
                [{"key": key, "score": 0.5, "comment": comment, "metadata": extra, "extra": extra}],
            )
        )
    shown = render(report, width=width, terminal=terminal, colour=terminal)
    assert shown.encode().decode() == shown
    assert shown.strip()


def test_json() -> None:
    text = to_json(example())
    assert text.isascii()
    found = json.loads(text)
    assert (found["score"], found["records"], found["errors"]["count"]) == (0.375, 5, 2)
    assert found["fields"]["json_match:total"]["worst"]["id"] == "two"
