"""Reports: what is counted, that merging splits loses nothing, and that the size is bounded."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise import Report
from fieldwise.core.statistics.exact import from_units, units
from fieldwise.run import RecordResult

STATUSES: Final = ("judge_error", "not_evaluated", "invalid_reference", "not_applicable", "path_not_found")


def result(key: str, score: float | None, status: str = "graded", **extra: Any) -> Any:
    full = {"status": status, "passed": score is not None and score >= 0.5, **extra}
    return {"key": key, "score": score, "comment": f"{key} {score}", "metadata": full, "extra": full}


def report_of(records: list[list[Any]], **options: Any) -> Report:
    report = Report(**options)
    for position, results in enumerate(records, start=1):
        report.add(RecordResult(position, f"r{position}", results))
    return report


def test_ungraded_results_are_left_out_and_shown_beside() -> None:
    report = report_of(
        [[result("a", 1.0)], [result("a", None, "judge_error", reason="why")], [result("a", 0.0)]]
    )
    assert (report.score, report.overall.graded, report.coverage) == (0.5, 2, 2 / 3)
    assert report.problems["judge_error"].id == "r2"
    assert [report.passed(0.5, coverage) for coverage in (None, 2 / 3, 0.7)] == [True, True, False]


def test_records_with_several_scores_and_a_gap() -> None:
    gap = [result("a", None, "not_evaluated"), result("b", None, "not_evaluated")]
    report = report_of([[result("a", 1.0), result("b", 0.0)], gap, [result("a", 0.0), result("b", 1.0)]])
    for key in ("a", "b"):
        tally = report.fields[key]
        assert (tally.mean, tally.graded, tally.total, tally.coverage) == (0.5, 2, 3, 2 / 3)


@pytest.mark.parametrize("status", STATUSES)
def test_coverage_by_status(status: str) -> None:
    due = status in {"judge_error", "not_evaluated", "invalid_reference"}
    report = report_of([[result("a", 1.0)], [result("a", None, status)]])
    assert report.fields["a"].coverage == (0.5 if due else 1.0)


def test_nothing_graded() -> None:
    report = report_of([[result("a", None, "judge_error")]])
    assert (report.score, report.coverage, report.overall.pass_rate, report.passed()) == (
        None,
        0.0,
        None,
        False,
    )


def test_where_nothing_was_due_there_is_no_coverage() -> None:
    unread, empty = report_of([]), report_of([])
    unread.add_error("line 1: no JSON")
    other = report_of([[result("a", None, "not_applicable")]])
    for report, coverage in ((empty, None), (other, None), (unread, 0.0)):
        found = report.to_dict()
        assert (report.coverage, found["coverage"]) == (coverage, coverage)
        assert (report.score, report.passed(), report.passed(min_coverage=0.0)) == (None, False, False)
    assert other.fields["a"].coverage is None
    assert repr(empty) == "<Report score=None, coverage=None, records=0, fields=0>"


def test_score_is_the_mean_of_results_not_of_fields() -> None:
    assert (
        report_of([[result("a", 1.0)], [result("a", 1.0)], [result("a", 1.0), result("b", 0.0)]]).score
        == 0.75
    )


def test_support_and_passed() -> None:
    report = report_of([[result("a", 0.5, support=4)], [result("a", 0.25, support=3)], [result("a", True)]])
    tally = report.fields["a"]
    assert (tally.support, tally.passed, tally.pass_rate, tally.lost) == (8, 2, 2 / 3, 1.25)


def test_worst_example_and_worst_records() -> None:
    scores = [0.5, 0.25, 1.0, 0.25, 0.75]
    report = report_of([[result("a", score)] for score in scores], worst=3)
    assert report.fields["a"].worst is not None
    assert report.fields["a"].worst.to_dict() == {"id": "r2", "score": 0.25, "comment": "a 0.25"}
    assert [(one.id, one.score) for one in report.worst_records] == [("r2", 0.25), ("r4", 0.25), ("r1", 0.5)]


def test_worst_record_shows_its_worst_result() -> None:
    report = report_of([[result("a", 1.0), result("b", 0.0), result("c", None, "judge_error")]])
    assert report.worst_records[0].to_dict() == {"id": "r1", "score": 0.5, "comment": "b 0.0"}


def test_no_worst_records_wanted() -> None:
    assert report_of([[result("a", 0.0)]], worst=0).worst_records == []


def test_usage_adds_up() -> None:
    report = Report()
    for usage in ({"judge_calls": 2, "cost": 0.1}, {"judge_calls": 1, "cost": 0.2}):
        report.add(RecordResult(1, "1", [result("a", 1.0)], usage))
    assert report.usage == {"cost": 0.30000000000000004, "judge_calls": 3}


def test_further_keys_are_counted_together() -> None:
    report = report_of([[result(f"k{n}", 0.0 if n < 500 else 1.0)] for n in range(600)])
    assert len(report.fields) == 501
    assert report.fields["(other fields)"].to_dict() | {"statuses": None} == {
        "mean": 1.0,
        "interval": [pytest.approx(0.963, abs=1e-4), 1.0],
        "interval_method": "wilson",
        "graded": 100,
        "total": 100,
        "statuses": None,
        "coverage": 1.0,
        "support": 100,
        "pass_rate": 1.0,
    }
    assert (report.folded, report.score) == (100, 1 / 6)


def test_merging_folds_further_keys_too() -> None:
    left = report_of([[result(f"k{n}", 0.0)] for n in range(400)])
    right = report_of([[result(f"k{n}", 1.0)] for n in range(300, 900)])
    merged = left.merge(right)
    assert (len(merged.fields), merged.folded, merged.overall.graded) == (501, 400, 1000)
    assert merged.fields["(other fields)"].mean == 1.0


def test_errors_are_bounded_and_counted() -> None:
    report = Report()
    for number in range(150):
        report.add_error(f"line {number}")
    assert (len(report.errors), report.errors[0], report.error_count) == (100, "line 0", 150)
    assert Report().merge(report).error_count == 150


def test_comments_in_a_report_are_bounded() -> None:
    long = {**result("a", 0.0), "comment": "x" * 10_000}
    report = report_of([[long]])
    assert [len(one.comment or "") for one in report.worst_records] == [500]
    assert len(report.fields["a"].worst.comment or "") == 500  # type: ignore[union-attr]


def test_results_are_kept_only_when_wanted() -> None:
    assert [one.id for one in report_of([[result("a", 1.0)]]).records] == ["r1"]
    assert report_of([[result("a", 1.0)]], keep_results=False).records == []


SCORES = st.one_of(
    st.sampled_from([0.0, 1.0, 0.1, 0.2, 1 / 3]),
    st.floats(-1e300, 1e300, allow_nan=False),
    st.booleans(),
)
RESULT = st.one_of(
    st.builds(result, st.sampled_from("abc"), SCORES, support=st.integers(0, 5)),
    st.builds(
        result, st.sampled_from("abc"), st.none(), st.sampled_from(STATUSES), reason=st.text(max_size=5)
    ),
)
RECORDS = st.lists(st.lists(RESULT, min_size=1, max_size=4), max_size=12)


@given(RECORDS, st.data())
def test_any_split_merges_to_the_same_report(records: list[list[Any]], data: st.DataObject) -> None:
    whole = report_of(records, worst=3)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(records)), max_size=3)))
    parts, start = [], 0
    for end in [*cuts, len(records)]:
        part = Report(worst=3)
        for position, results in enumerate(records[start:end], start=1):
            part.add(RecordResult(position, f"r{start + position}", results))
        parts.append(part)
        start = end
    merged = Report(worst=3)
    for part in pickle.loads(pickle.dumps(parts)):  # noqa: S301 - a worker process hands reports over so
        merged.merge(part)
    assert merged.to_dict() == whole.to_dict()
    assert merged.records == whole.records


@given(RECORDS, st.randoms())
def test_numbers_do_not_depend_on_order(records: list[list[Any]], random: Any) -> None:
    shuffled = list(records)
    random.shuffle(shuffled)
    one, other = report_of(records), report_of(shuffled)
    assert {key: tally.to_dict() for key, tally in sorted(one.fields.items())} == {
        key: tally.to_dict() for key, tally in sorted(other.fields.items())
    }
    assert (one.score, one.coverage, one.usage) == (other.score, other.coverage, other.usage)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_sums_are_exact(numbers: list[float]) -> None:
    mean = Fraction(sum(map(Fraction, numbers)), len(numbers))
    assert from_units(sum(map(units, numbers)), len(numbers)) == float(mean)


@given(RECORDS)
def test_a_report_is_json(records: list[list[Any]]) -> None:
    assert json.loads(json.dumps(report_of(records).to_dict(), allow_nan=False))["records"] == len(records)
