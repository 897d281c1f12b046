"""Extraction over a run: rates of fields, micro and macro, in the report and in its merges."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fieldwise
from fieldwise import Report, evaluate_records
from fieldwise.report import render
from fieldwise.run import RecordResult
from fieldwise.scorers.extraction import RATES

FIELDS = ["a", "b[*].c", "d"]
VALUE = st.sampled_from([None, 1, 2, "x"])
SIDE = st.fixed_dictionaries(
    {}, optional={"a": VALUE, "d": VALUE, "b": st.lists(st.fixed_dictionaries({"c": VALUE}), max_size=3)}
)
OUTPUT = SIDE | st.sampled_from(["no JSON", "{"])
PAIRS = st.lists(st.tuples(OUTPUT, SIDE | st.just("{")), min_size=1, max_size=8)


def result(key: str, **outcomes: Any) -> Any:
    extra = {"status": "graded", "outcomes": outcomes}
    return {"key": key, "score": 0.5, "comment": None, "metadata": extra, "extra": extra}


def report_of(*records: list[Any]) -> Report:
    report = Report()
    for position, results in enumerate(records, start=1):
        report.add(RecordResult(position, str(position), results))
    return report


@given(PAIRS)
def test_the_rates_are_those_of_the_summary_evaluator(pairs: list[Any]) -> None:
    records = [{"outputs": came, "reference_outputs": wanted} for came, wanted in pairs]
    report = evaluate_records(records, fieldwise.create_multi_field_evaluator(fields=FIELDS))
    summarise = fieldwise.create_multi_field_summary_evaluator(fields=FIELDS)
    outputs, references = zip(*pairs, strict=True)
    summary = summarise(outputs=list(outputs), reference_outputs=list(references))
    wanted = {one["key"]: one["score"] for one in summary["results"]}
    found = report.extraction.get("multi_field")
    if found is None:
        assert set(wanted.values()) == {None}
        return
    told = {**found.to_dict()["fields"], "multi_field:micro": found.micro, "multi_field:macro": found.macro}
    for key, values in told.items():
        assert {name: values[name] for name in RATES} == {name: wanted[f"{key}:{name}"] for name in RATES}


@given(PAIRS, st.data())
def test_any_split_merges_to_the_same_rates(pairs: list[Any], data: st.DataObject) -> None:
    evaluator = fieldwise.create_multi_field_evaluator(fields=FIELDS)
    records = [{"outputs": came, "reference_outputs": wanted} for came, wanted in pairs]
    cut = data.draw(st.integers(0, len(records)))
    parts = [evaluate_records(some, evaluator) for some in (records[:cut], records[cut:])]
    whole = evaluate_records(records, evaluator)
    assert parts[0].merge(parts[1]).to_dict()["extraction"] == whole.to_dict()["extraction"]


def test_an_aggregate_counts_nothing_of_its_own() -> None:
    report = report_of([result("m:a", true_positive=3), result("m:aggregate_score", true_positive=3)])
    assert report.extraction["m"].counts == {"true_positive": 3}
    assert list(report.extraction["m"].fields) == ["m:a"]


def test_evaluators_are_told_apart_by_their_aggregates() -> None:
    keys = ["m:x:a", "m:x:aggregate_score", "m:b", "m:aggregate_score", "other:c", "plain"]
    found = report_of([result(key, false_alarm=1) for key in keys]).extraction
    assert {name: list(one.fields) for name, one in found.items()} == {
        "m:x": ["m:x:a"],
        "m": ["m:b"],
        "other": ["other:c"],
        "plain": ["plain"],
    }


@pytest.mark.parametrize(
    "outcomes",
    [None, 3, ["true_positive"], {"true_positive": "3"}, {"true_positive": True}, {"true_positive": -1}],
    ids=str,
)
def test_what_is_no_count_is_left_alone(outcomes: Any) -> None:
    one = result("m:a")
    one["extra"]["outcomes"] = outcomes
    assert report_of([one]).extraction == {}


def test_counts_of_unknown_names_do_not_pile_up() -> None:
    report = report_of([result("m:a", true_positive=1, **{f"k{n}": 1 for n in range(100)})])
    assert report.extraction["m"].counts == {"true_positive": 1}


TABLE = """\
extraction

field              precision  recall  F1     invention  omission  right  wrong  omitted  invented
b                  0.000      0.000   0.000  0.500      0.500     0      1      1        1
a                  1.000      1.000   1.000  -          0.000     3      0      0        0
micro, all places  0.600      0.600   0.600  0.500      0.200     3      1      1        1
macro, all fields  0.500      0.500   0.500  0.500      0.250
"""


def test_the_table() -> None:
    counts = {"false_discovery": 1, "false_negative": 1, "false_alarm": 1, "true_negative": 1}
    best = {**result("m:a", true_positive=3), "score": 1.0}
    report = report_of([best, result("m:b", **counts), result("m:aggregate_score", true_positive=9)])
    lines = [line.split() for line in render(report).splitlines()]
    start = lines.index(["extraction"])
    assert lines[start : start + 7] == [line.split() for line in TABLE.splitlines()]


def test_two_evaluators_have_a_table_each() -> None:
    text = render(report_of([result("m:a", true_positive=1), result("n:a", true_positive=1)]))
    assert [line for line in text.splitlines() if line.startswith("extraction")] == [
        "extraction, m",
        "extraction, n",
    ]


def test_without_counts_there_is_no_table() -> None:
    report = evaluate_records(
        [{"outputs": 1, "reference_outputs": 1}], fieldwise.create_json_match_evaluator()
    )
    assert "extraction" not in render(report)
    assert report.to_dict()["extraction"] == {}


def test_as_json() -> None:
    report = report_of([result("m:a", true_positive=1, false_discovery=1)])
    found = json.loads(json.dumps(report.to_dict(), allow_nan=False))["extraction"]["m"]
    assert found["fields"]["m:a"]["outcomes"] == {"false_discovery": 1, "true_positive": 1}
    assert found["micro"]["precision"] == found["macro"]["precision"] == 0.5
    assert found["micro"]["invention_rate"] is None
