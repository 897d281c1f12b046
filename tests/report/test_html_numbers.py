"""What a page counts: labels, means, coverage, spread, classes, two runs."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from fieldwise.core.statistics.paired import compare
from fieldwise.core.statistics.spread import Spread
from fieldwise.evalsets.model import Chosen, EvaluationSet, ItemResult, Spec
from fieldwise.evalsets.summary import Summary
from fieldwise.report.html import Run
from fieldwise.report.html._book import MAX_FIELDS, Book, counted
from fieldwise.report.html._classes import MAX_CLASSES, matrices
from fieldwise.report.html._items import Table
from fieldwise.report.html._pairs import pairs
from fieldwise.report.html._verdicts import Mark, evaluator_mark, item_mark, mark_of
from fieldwise.report.html._view import groups, histograms, overall, signed
from tests.report.html_runs import graded, sample


def book(*items: tuple[str, dict[str, list[Any]]], **more: Any) -> Book:
    return counted(
        Run([ItemResult(name, name, results=results) for name, results in items], title="t", **more)
    )


def scored(*scores: float | None, name: str = "e") -> Book:
    return book(*((f"i{at}", {name: [graded(name, score)]}) for at, score in enumerate(scores)))


# -------------------------------------------------------------------------------------------- verdicts

NO_SCORE = Mark(None, "not graded", owed=True)
RESULTS: dict[str, tuple[Any, Mark]] = {
    "right": (graded("e", 1.0), Mark(1.0, "pass")),
    "wrong": (graded("e", 0.0), Mark(0.0, "fail")),
    "partly": (graded("e", 0.9), Mark(0.9, "partial")),
    "above its own threshold": (graded("e", 0.9, passed=True), Mark(0.9, "pass")),
    "a boolean": ({**graded("e", 0), "score": True}, Mark(1.0, "partial")),
    "a boolean that passed": ({**graded("e", 1), "score": True}, Mark(1.0, "pass")),
    "a judge's error": (graded("e", None), NO_SCORE),
    "not applicable": (graded("e", None, status="not_applicable"), Mark()),
    "no status": ({"key": "e", "score": None}, NO_SCORE),
    "no number": ({**graded("e", 0), "score": float("nan")}, NO_SCORE),
    "unreadable": (graded("e", 0.0, status="invalid_output"), Mark(0.0, "fail")),
    "a short distance": (graded("e", 2.0, lower_is_better=True), Mark(2.0, "pass", lower=True)),
    "a long distance": (
        graded("e", 9.0, lower_is_better=True, passed=False), Mark(9.0, "fail", lower=True),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("result", "mark"), RESULTS.values(), ids=RESULTS.keys())
def test_the_label_of_a_result(result: Any, mark: Mark) -> None:
    assert mark_of(result) == mark


SEVERAL: dict[str, tuple[list[Any], float | None, Mark]] = {
    "above the set's threshold": ([graded("e", 0.9)], 0.8, Mark(0.9, "pass")),
    "below the set's threshold": ([graded("e", 0.9, passed=True)], 0.95, Mark(0.9, "partial")),
    "a distance": ([graded("e", 9.0, lower_is_better=True)], 3.0, Mark(9.0, "fail", lower=True)),
    "the aggregate counts": (
        [graded("e:a", 1.0), graded("e:aggregate_score", 0.25)], None, Mark(0.25, "partial"),
    ),
    "else the mean": ([graded("e:a", 1.0), graded("e:b", 0.0)], None, Mark(0.5, "partial")),
    "all passed": ([graded("e:a", 0.8, passed=True), graded("e:b", 1.0)], None, Mark(0.9, "pass")),
    "the mean against a threshold": ([graded("e:a", 0.9), graded("e:b", 0.7)], 0.8, Mark(0.8, "pass")),
    "what is owed withholds it": ([graded("e:a", 1.0), graded("e:b", None)], None, NO_SCORE),
    "what is not applicable does not": (
        [graded("e:a", 1.0), graded("e:b", None, status="path_not_found")], None, Mark(1.0, "pass"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("results", "threshold", "mark"), SEVERAL.values(), ids=SEVERAL.keys())
def test_the_label_of_an_evaluator(results: Any, threshold: float | None, mark: Mark) -> None:
    assert evaluator_mark("e", results, threshold) == mark


PASS, FAIL, PARTIAL = Mark(1.0, "pass"), Mark(0.0, "fail"), Mark(0.4, "partial")
ITEMS: dict[str, tuple[list[tuple[Mark, float]], Mark]] = {
    "all pass": ([(PASS, 1), (Mark(0.8, "pass"), 1)], Mark(0.9, "pass")),
    "all fail": ([(FAIL, 1), (FAIL, 2)], Mark(0.0, "fail")),
    "some of each": ([(PASS, 3), (FAIL, 1)], Mark(0.75, "partial")),
    "one is owed": ([(PASS, 1), (NO_SCORE, 1)], NO_SCORE),
    "one without weight is owed": ([(PASS, 1), (NO_SCORE, 0)], PASS),
    "nothing": ([], Mark()),
    "a distance is no part of the mean": (
        [(PASS, 1), (Mark(7.0, "fail", lower=True), 1)],
        Mark(1.0, "partial"),
    ),
    "a distance alone": ([(Mark(7.0, "pass", lower=True), 1)], Mark(None, "pass")),
}


@pytest.mark.parametrize(("marks", "mark"), ITEMS.values(), ids=ITEMS.keys())
def test_the_label_of_an_item(marks: list[tuple[Mark, float]], mark: Mark) -> None:
    assert item_mark(marks) == mark


# --------------------------------------------------------------------------------------------- numbers


def test_means_have_the_intervals_of_the_statistics() -> None:
    found = counted(sample(120))
    spread = Spread()
    for row in found.rows:
        score = row.marks["fields"].score
        spread.add([] if score is None else [score])
    bounds = spread.bounds()
    assert bounds is not None
    line = groups(found, {})[0].whole
    assert (line.mean, line.graded) == (f"{spread.mean:.3f}", 117)
    assert line.interval == f"{bounds.low:.3f} to {bounds.high:.3f}"
    assert line.method == "a bootstrap over items"
    kind = groups(found, {})[2].whole
    assert kind.method == "Wilson's interval of a share"


def test_runs_of_one_item_hang_together() -> None:
    one = ItemResult("a", "A", results={"e": [graded("e", 1.0)]})
    again = ItemResult("a", "A", repeat=1, results={"e": [graded("e", 0.0)]})
    found = counted(Run([one, again], title="t"))
    assert (found.items, len(found.rows)) == (1, 2)
    assert found.whole.scores == {"a": [1.0, 0.0]}
    line = overall(found, {})
    assert (line.mean, line.interval) == ("0.500", "-")


def test_coverage_counts_what_is_missing() -> None:
    found = scored(1.0, None, 1.0, 0.0)
    assert (found.coverage, found.evaluators["e"].whole.coverage) == (0.75, 0.75)
    found.add(ItemResult("z", "Z", outcome="timeout"))
    assert found.coverage == pytest.approx(0.6)
    assert found.failed == 1


def test_weights_and_thresholds_of_the_set_are_honoured() -> None:
    results = {"a": [graded("a", 0.8)], "b": [graded("b", 0.0)]}
    found = book(("i", results), weights={"a": 3.0}, thresholds={"a": 0.7})
    (row,) = found.rows
    assert row.mark == Mark(0.6000000000000001, "partial")
    assert row.marks["a"].verdict == "pass"
    assert [(one.notes, one.whole.passed) for one in groups(found, {})] == [
        (["weight 3", "threshold 0.7, reached"], "100%"),
        ([], "0%"),
    ]
    assert found.score == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("score", "extra", "bar", "note"),
    [
        (0.8, {}, 0.9, "threshold 0.9, not reached"),
        (0.9, {}, 0.9, "threshold 0.9, reached"),
        (3.0, {"lower_is_better": True}, 2.0, "threshold 2, not reached"),
        (1.0, {"lower_is_better": True}, 2.0, "threshold 2, reached"),
        (None, {}, 0.9, "threshold 0.9, not reached"),
    ],
)
def test_a_threshold_is_shown(score: float | None, extra: dict[str, Any], bar: float, note: str) -> None:
    found = book(("i", {"a": [graded("a", score, **extra)]}), thresholds={"a": bar})
    assert groups(found, {})[0].notes == [note]


def test_what_has_no_score_did_not_pass() -> None:
    found = scored(1.0, 1.0, None)
    found.add(ItemResult("z", "Z", outcome="agent_error"))
    assert overall(found, {}).passed == "50%"
    found.add(ItemResult("y", "Y"))  # which nothing is asked of
    assert overall(found, {}).passed == "50%"


def test_a_run_has_the_score_that_it_says_itself() -> None:
    found, run = counted(sample(120)), sample(120)
    chosen = (
        Chosen(Spec("fields", "fieldwise-json-match", "Fields"), weight=2.0),
        Chosen(Spec("judge", "uipath-llm-judge-output-semantic-similarity", "Judge")),
        Chosen(Spec("kind", "uipath-exact-match", "Kind")),
    )
    summary = Summary.of(EvaluationSet("s", "Invoices", chosen, ()))
    for result in run.results:
        summary.add(result)
    assert (found.score, found.coverage) == (summary.score, summary.coverage)


def test_a_classifiers_score_is_its_metric() -> None:
    summary = [graded("c:f-score", 0.8), graded("c:accuracy", 0.9)]
    found = book(("i", {"c": [graded("c", 1.0)], "d": [graded("d", 0.0)]}), summaries={"c": summary})
    assert (found.score, found.whole.mean) == (0.4, 0.5)
    assert groups(found, {})[0].notes == ["score f-score 0.800"]


def test_fields_come_by_what_they_cost_and_are_bounded() -> None:
    results = {
        "e": [*(graded(f"e:f{at}", 1 - at / 1000) for at in range(MAX_FIELDS + 5)), graded("e:all", 0.5)]
    }
    (group,) = groups(book(("i", results)), {})
    assert [line.name for line in group.fields[:2]] == [f"f{MAX_FIELDS - 1}", f"f{MAX_FIELDS - 2}"]
    assert (len(group.fields), group.more) == (60, MAX_FIELDS - 60)


HISTOGRAMS: dict[str, tuple[list[float], dict[str, int]]] = {
    "the ends stand alone": ([0, 0, 0.05, 0.95, 1, 1, 1], {"0": 2, "0 to 0.1": 1, "0.9 to 1": 1, "1": 3}),
    "nearly right is not right": ([0.9999999], {"0.9 to 1": 1}),
    "other ranges": ([0, 6, 12], {"0 to 1": 1, "6 to 7": 1, "11 to 12": 1}),
    "one value": ([5], {"5 to 6": 1}),
}


@pytest.mark.parametrize(("scores", "bins"), HISTOGRAMS.values(), ids=HISTOGRAMS.keys())
def test_a_histogram_counts_every_score_once(scores: list[float], bins: dict[str, int]) -> None:
    (found,) = histograms(scored(*scores))
    assert {one.label: one.count for one in found.bins if one.count} == bins
    assert max(one.height for one in found.bins) == 100


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "-"), (0.0, "0.000"), (0.25, "+0.250"), (-0.25, "−0.250"), (1e-9, "+0.001"), (-1e-9, "−0.001")],
)
def test_a_difference_is_never_rounded_away(value: float | None, text: str) -> None:
    assert signed(value) == text


# --------------------------------------------------------------------------------------------- classes


def labelled(*labels: tuple[str, str | None]) -> Book:
    items = [
        (f"i{at}", {"c": [graded("c", float(true == came), expected_class=true, predicted_class=came)]})
        for at, (true, came) in enumerate(labels)
    ]
    return book(*items)


def test_labels_make_a_confusion_matrix() -> None:
    (found,) = matrices(labelled(("a", "a"), ("a", "b"), ("b", "b"), ("b", "zebra")))
    assert (found.classes, found.came, found.count) == (["a", "b"], ["a", "b", "(other)"], 4)
    assert [[cell.count for cell in row] for row in found.rows] == [[1, 1, 0], [0, 1, 1]]
    assert [[cell.right for cell in row] for row in found.rows] == [
        [True, False, False],
        [False, True, False],
    ]
    assert [cell.shade for cell in found.rows[0]] == [5, 5, 0]
    assert found.metrics[0] == ("accuracy", 0.5)
    assert found.metrics[3][0] == "f-score, macro"
    assert found.metrics[3][1] == pytest.approx(0.5833333)


def test_a_summary_of_the_run_is_shown_instead() -> None:
    extra: dict[str, Any] = {"classes": ["x", "y"], "came": ["x", "y"], "matrix": [[4, 0], [1, 5]]}
    summary = [graded("c:recall", 0.9, **extra), graded("c:accuracy", 0.9)]
    (found,) = matrices(book(("i", {"c": [graded("c", 1.0)]}), summaries={"c": summary}))
    assert found.metrics == [("recall", 0.9), ("accuracy", 0.9)]
    assert [[cell.count for cell in row] for row in found.rows] == [[4, 0], [1, 5]]


def test_too_many_classes_are_counted_and_not_drawn() -> None:
    (found,) = matrices(labelled(*((f"c{at}", "c0") for at in range(MAX_CLASSES + 1))))
    assert (found.classes, found.count) == ([], MAX_CLASSES + 1)


# ------------------------------------------------------------------------------------------- two runs


def test_two_runs_are_compared_item_by_item() -> None:
    now, before = scored(1.0, 1.0, 0.0, 1.0, None), scored(0.0, 1.0, 1.0, 0.0, 1.0)
    found = dict(pairs(now, before))
    assert found["e",].comparison == compare([0.0, 1.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0])
    assert found["e",].other == 0.6
    assert Table(now, before).rows()["changes"] == [1, 0, -1, 1, None]


def test_less_of_a_distance_is_better() -> None:
    def distances(*scores: float) -> Book:
        results = ({"e": [graded("e", one, lower_is_better=True)]} for one in scores)
        return book(*((f"i{at}", one) for at, one in enumerate(results)))

    now, before = distances(1.0, 2.0, 9.0), distances(3.0, 5.0, 8.0)
    found = dict(pairs(now, before))["e",].comparison
    assert (found.better, found.worse) == (2, 1)
    assert found.difference == pytest.approx(-4 / 3)
    assert Table(now, before).rows()["evaluators"][0]["changes"] == [2, 3, -1]
    line = groups(now, dict(pairs(now, before)))[0].whole
    assert line.change is not None
    assert line.change.direction == "better"


def test_what_the_other_run_does_not_measure_has_no_difference() -> None:
    now, before = scored(1.0, name="new"), scored(1.0, name="old")
    found = dict(pairs(now, before))
    assert list(found) == [()]
    assert groups(now, found)[0].whole.change is None


def test_the_rows_are_those_of_the_run() -> None:
    found = Table(counted(sample(60))).rows()
    marks = Counter(found["verdicts"][mark] for mark in found["marks"])
    assert marks == counted(sample(60)).whole.verdicts
    assert [found["statuses"][one] for one in found["wrong"][17]] == ["agent error"]
    assert found["repeated"] is False
    assert found["changes"] is None
