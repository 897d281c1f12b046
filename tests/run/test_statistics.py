"""The statistics of a run: intervals, values that are no numbers, labels; and any split gives the same."""

from __future__ import annotations

import json
import pickle
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fieldwise
from fieldwise import Report, evaluate_records
from fieldwise.core.statistics.intervals import wilson
from fieldwise.run import RecordResult, _classes, _tally
from fieldwise.run._repeats import Repeats
from fieldwise.scorers.labels import Labels

CASES = Path(__file__).parents[1] / "cases" / "user_reports_statistics.json"
REPORTS: Final = {one["id"]: one["minimal_input"] for one in json.loads(CASES.read_text("utf-8"))["cases"]}
LABELS: Final = Labels(("a", "b"), None, "f-score", "macro", 1.0, 0)


def result(key: str, score: Any, status: str = "graded", **extra: Any) -> Any:
    full = {"status": status, **extra}
    return {"key": key, "score": score, "comment": None, "metadata": full, "extra": full}


def report_of(records: list[tuple[str, list[Any]]]) -> Report:
    report = Report()
    report.classify("label", LABELS)
    for position, (id_, results) in enumerate(records, start=1):
        report.add(RecordResult(position, id_, results))
    return report


# ----------------------------------------------------------------------------------------- any split

SCORES = st.sampled_from([0.0, 1.0, 0.25, 1 / 3])
RESULTS = st.one_of(
    st.builds(result, st.sampled_from(["k", "k:$"]), SCORES),
    st.builds(result, st.just("k"), st.none(), st.sampled_from(["not_evaluated", "not_applicable"])),
    st.builds(result, st.just("tone"), st.none(), value=st.sampled_from(["good", "bad"])),
    st.builds(
        lambda expected, came: result(
            "label", float(expected == came), expected_class=expected, predicted_class=came
        ),
        st.sampled_from("ab"),
        st.sampled_from(["a", "b", "zebra", None]),
    ),
)
RECORDS = st.lists(st.tuples(st.sampled_from("xyz"), st.lists(RESULTS, max_size=3)), max_size=15)


@given(RECORDS, st.lists(st.integers(0, 15), max_size=4))
def test_any_split_gives_the_same_statistics(records: list[Any], cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(records)]
    merged = Report()
    for low, high in pairwise(edges):
        merged.merge(pickle.loads(pickle.dumps(report_of(records[low:high]))))  # noqa: S301 - as workers do
    merged.merge(report_of([]))
    assert merged.to_dict() == report_of(records).to_dict()


# --------------------------------------------------------------------------------------- intervals


def test_every_mean_comes_with_its_interval() -> None:
    report = report_of([(f"r{at}", [result("k", at < 7), result("g", at / 9)]) for at in range(10)])
    found = report.to_dict()
    assert found["fields"]["k"]["interval"] == list(wilson(7, 10) or ())
    assert found["fields"]["k"]["interval_method"] == "wilson"
    low, high = found["fields"]["g"]["interval"]
    assert (found["fields"]["g"]["interval_method"], 0.25 < low < 0.5 < high < 0.75) == ("bootstrap", True)
    assert found["interval_method"] == "bootstrap"
    assert report.bounds == report.overall.bounds
    assert Report().to_dict()["interval"] is None


def test_answers_to_one_item_count_as_one_item() -> None:
    alone = report_of([(f"r{at}", [result("k", at % 2)]) for at in range(20)])
    copied = report_of([(f"r{at}", [result("k", at % 2)]) for at in range(20) for _ in range(5)])
    first, second = alone.fields["k"].bounds, copied.fields["k"].bounds
    assert first is not None
    assert second is not None
    assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=0.02)
    apart = report_of([(f"r{at}-{n}", [result("k", at % 2)]) for at in range(20) for n in range(5)])
    third = apart.fields["k"].bounds
    assert third is not None
    assert third.high - third.low < 0.5 * (second.high - second.low)


def test_fields_of_one_record_hang_together() -> None:
    report = report_of([(f"r{at}", [result(f"k{n}", at % 2) for n in range(10)]) for at in range(20)])
    one = report.fields["k0"].bounds
    assert one is not None
    assert report.bounds is not None
    assert report.bounds.high - report.bounds.low == pytest.approx(one.high - one.low, abs=0.04)


@pytest.mark.filterwarnings("error")
@given(st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=250))
def test_scores_of_any_size_have_an_interval_or_none(scores: list[float]) -> None:
    bounds = report_of([(str(at), [result("k", score)]) for at, score in enumerate(scores)]).bounds
    assert bounds is None or bounds.low <= bounds.high


# ------------------------------------------------------------------------------------------- labels


def test_a_classifier_gets_its_metrics_over_the_run() -> None:
    records = [
        {"outputs": came, "reference_outputs": true}
        for true, came in [("a", "a"), ("a", "b"), ("b", "b"), ("b", "zebra"), ("mouse", "a")]
    ]
    evaluator = fieldwise.create_multiclass_classification_evaluator(classes=["a", "b"])
    summary = fieldwise.create_multiclass_classification_summary_evaluator(classes=["a", "b"])
    report = evaluate_records(records, evaluator)
    outputs, references = zip(*((one["outputs"], one["reference_outputs"]) for one in records), strict=True)
    assert report.summaries == summary(outputs=list(outputs), reference_outputs=list(references))["results"]
    assert report.to_dict()["summaries"] == report.summaries
    assert report.summaries[0]["extra"]["matrix"] == [[1, 1, 0], [0, 1, 1]]


def test_invented_labels_take_no_room() -> None:
    report = report_of(
        [
            ("r", [result("label", 0.0, expected_class="a", predicted_class=f"new {at}")])
            for at in range(20_000)
        ]
    )
    assert report.classes["label"].pairs == {("a", None): 20_000}


def test_too_many_labels_are_no_classification(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_classes, "MAX_PAIRS", 10)
    free = Labels(None, "a", "precision", "micro", 1.0, 0)
    halves = []
    for half in (range(6), range(6, 12)):
        classes = _classes.Classes(free)
        for at in half:
            classes.add(result("label", 0.0, expected_class=str(at), predicted_class="a"))
        halves.append(classes)
    assert [len(one.results("label", 1.0)) for one in halves] == [4, 4]
    halves[0].merge(halves[1])
    assert (halves[0].pairs, halves[0].results("label", 1.0)) == (None, [])


# ------------------------------------------------------------------------------------- user reports


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)], ids=str)
@pytest.mark.parametrize("report_id", ["M05"])
def test_a_record_without_scores_lowers_the_coverage_alone(report_id: str, order: tuple[int, ...]) -> None:
    given_scores = REPORTS[report_id]["outputs"]
    records = [{"outputs": given_scores[at], "id": "same"} for at in order]
    report = evaluate_records(records, {"aggregate": lambda outputs: {"score": outputs}})
    for key in ("aggregate:a", "aggregate:b"):
        tally = report.fields[key]
        assert (tally.mean, tally.graded, report.field_coverage(key)) == (0.5, 2, 2 / 3)
    repeats = Repeats()
    for one in report.records:
        repeats.add(one.id, one.results)
    found = [repeats.pass_at("aggregate:a", k).mean for k in (1, 2, 3)]
    assert found == [0.5, 1.0, None]


@pytest.mark.parametrize("report_id", ["M05"])
def test_one_key_without_a_score_is_that_keys_alone(report_id: str) -> None:
    assert REPORTS[report_id]
    (record,) = evaluate_records(
        [{"outputs": 1}], {"f": lambda outputs: {"score": {"a": 1, "b": None}}}
    ).records
    told = [(one["key"], one["score"], one["extra"]["status"]) for one in record.results]
    assert told == [("f:a", 1.0, "graded"), ("f:b", None, "not_evaluated")]


CATEGORIES: Final = {
    "type": "categorical",
    "categories": [{"value": 1, "label": "good"}, {"value": 0, "label": "bad"}],
}


@pytest.mark.parametrize("report_id", ["M06"])
def test_categories_are_counted_and_have_no_mean(report_id: str) -> None:
    records = [{"outputs": one} for one in REPORTS[report_id]["outputs"]]
    report = evaluate_records(records, {"tone": lambda outputs: {"value": outputs}})
    found = report.to_dict()["fields"]["tone"]
    assert (found["values"], found["mean"], found["interval"]) == ({"bad": 1, "good": 2}, None, None)
    assert (found["coverage"], found["statuses"], report.problems) == (1.0, {"graded": 3}, {})
    mapped = evaluate_records(
        records, {"tone": lambda outputs: {"value": outputs, "feedback_config": CATEGORIES}}
    )
    assert mapped.fields["tone"].mean == 2 / 3


@pytest.mark.parametrize(
    ("value", "config", "score"),
    [
        ("good", {"categories": "none"}, None),
        ("good", {"categories": [None, {"label": "good", "value": "x"}]}, None),
        ("good", {"categories": [{"label": "good", "value": 0.5}]}, 0.5),
        ("else", CATEGORIES, None),
    ],
)
def test_a_mapping_says_what_a_category_is_worth(value: str, config: Any, score: float | None) -> None:
    (record,) = evaluate_records(
        [{"outputs": 1}], {"t": lambda outputs: {"value": value, "feedback_config": config}}
    ).records
    (one,) = record.results
    assert (one["score"], one["extra"]["status"], one["extra"]["value"]) == (score, "graded", value)


def test_a_missing_category_lowers_the_coverage() -> None:
    report = evaluate_records(
        [{"outputs": one} for one in ("good", None, "bad")],
        {"tone": lambda outputs: {"value": outputs, "score": None}},
    )
    assert report.fields["tone"].coverage == 2 / 3


def test_many_values_are_not_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_tally, "MAX_VALUES", 3)
    report = report_of([(str(at), [result("k", None, value=str(at))]) for at in range(5)])
    assert (report.fields["k"].told, report.to_dict()["fields"]["k"]["values"]) == (5, None)


@pytest.mark.parametrize(
    ("report_id", "reason"),
    [
        ("A05", 'the evaluator gave a result without score: {"Score":"int"}'),
        (
            "A06",
            (
                'the evaluator gave "not a dict" as score, which is str; a finite number or a bool is one; '
                "text goes to value"
            ),
        ),
    ],
)
def test_a_wrong_shape_is_a_status_with_a_reason(report_id: str, reason: str) -> None:
    (reply,) = REPORTS[report_id]["outputs"].values()
    returned = json.loads(reply) if reply.startswith("{") else reply
    report = evaluate_records([{"outputs": 1}], {"judge": lambda outputs: returned})
    (one,) = report.records[0].results
    assert (one["key"], one["score"], one["extra"]["status"], one["extra"]["reason"]) == (
        "judge",
        None,
        "not_evaluated",
        reason,
    )
    assert (report.coverage, report.passed()) == (0.0, False)


def test_a_number_as_value_is_no_value() -> None:
    (record,) = evaluate_records([{"outputs": 1}], {"k": lambda outputs: {"value": 4}}).records
    assert record.results[0]["comment"] == (
        "the evaluator gave int as value; text is one, numbers go to score"
    )
