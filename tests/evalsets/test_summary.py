"""Summaries: what they say of results, and that any split of the items says the same."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fieldwise.evalsets.model import EvaluationSet, ItemResult
from fieldwise.evalsets.runner import run_set
from fieldwise.evalsets.summary import Summary
from fieldwise.evalsets.verdicts import verdict
from tests.evalsets.sets import chosen, item

LABELS = ("a", "b", "c")
WHOLE = EvaluationSet(
    "s",
    "S",
    (
        chosen("uipath-exact-match", "Exact", weight=2.0, target_output_key="n"),
        chosen("uipath-json-similarity", "Similar", weight=0.5, threshold=0.9),
        chosen("uipath-multiclass-classification", "Label", classes=list(LABELS), target_output_key="label"),
        chosen("fieldwise-json-match", "Fields"),
        chosen("fieldwise-json-edit-distance", "Distance", threshold=0.2),
    ),
    tuple(
        item(
            f"i{n}",
            {"n": n, "label": LABELS[n % 3]},
            Exact={"expectedOutput": {"n": n - n % 2}},
            Similar={"expectedOutput": {"n": n + 1}},
            Label={"expectedClass": LABELS[n % 2]},
            Fields={"expectedOutput": {"n": n, "label": LABELS[0]}},
            **({"Distance": {"expectedOutput": {"n": n, "label": LABELS[0]}}} if n % 5 else {}),
        )
        for n in range(14)
    ),
)


def fails_at_four(n: int, label: str) -> Any:
    if n == 4:
        raise ValueError("no four")
    return {"n": n, "label": label}


def results() -> list[ItemResult]:
    found: list[ItemResult] = []
    run_set(WHOLE, fails_at_four, on_result=found.append, workers=1)
    return [replace(one, seconds=0.25) for one in found]


RESULTS = results()


def summed(found: Sequence[ItemResult]) -> Summary:
    summary = Summary.of(WHOLE)
    for one in found:
        summary.add(one)
    return summary


def test_scores_weights_and_thresholds() -> None:
    summary = summed(RESULTS)
    scores = {name: one.score for name, one in summary.standings.items()}
    assert scores["Exact"] == pytest.approx(6 / 13)
    labels = scores["Label"]
    assert labels is not None
    weighted = 2 * 6 / 13 + 0.5 * (scores["Similar"] or 0) + labels + (scores["Fields"] or 0)
    assert summary.score == pytest.approx(weighted / 4.5)  # of the distance there is no part
    assert {name: one.passed for name, one in summary.standings.items()} == {
        "Exact": None,
        "Similar": False,
        "Label": None,
        "Fields": None,
        "Distance": True,
    }
    assert summary.missed == ["Similar"]
    assert summary.standings["Similar"].labels == {"fail": 1, "partial": 7, "pass": 5}
    assert summary.standings["Distance"].skipped == 3


@given(st.permutations(range(3 * len(RESULTS))), st.integers(0, 3 * len(RESULTS)))
@settings(max_examples=25)
def test_answers_to_an_item_are_of_it_wherever_they_stand(order: list[int], cut: int) -> None:
    several = [replace(one, repeat=n) for one in RESULTS for n in range(3)]
    in_order, mixed, rest = (Summary.of(WHOLE, repeat=3) for _ in range(3))
    for one in several:
        in_order.add(one)
    for at, n in enumerate(order):
        (mixed if at < cut else rest).add(several[n])
    mixed.merge(rest)
    for name, standing in in_order.standings.items():
        assert mixed.standings[name].tally.bounds == standing.tally.bounds, name
    for key, tally in in_order.report.fields.items():
        assert mixed.report.fields[key].bounds == tally.bounds, key
    assert mixed.report.bounds == in_order.report.bounds


def test_a_score_over_items_is_their_mean() -> None:
    asked = {"Similar": {"expectedOutput": {"a": 100}}}
    items = tuple(item(f"i{n}", {}, **asked) for n in range(3))
    answers = {f"i{n}": {"a": 100 - 50 * n} for n in range(3)}
    similar = chosen("uipath-json-similarity", "Similar")
    assert run_set(EvaluationSet("s", "S", (similar,), items), outputs=answers).score == 0.5


def test_a_threshold_that_nothing_graded_reaches_is_missed() -> None:
    strict = EvaluationSet("s", "S", (chosen("uipath-exact-match", "E", threshold=0.5),), ())
    assert Summary.of(strict).missed == ["E"]


@pytest.mark.parametrize("asked", [{}, {"E": {"expectedOutput": 1}}], ids=["skipped", "no items"])
def test_nothing_to_grade_has_no_coverage_and_passes_no_bar(asked: dict[str, Any]) -> None:
    items = () if asked else (item("i", {}),)
    summary = run_set(EvaluationSet("s", "S", (chosen("uipath-exact-match", "E"),), items), outputs={"i": 1})
    found = summary.to_dict()
    assert (summary.coverage, found["coverage"], found["evaluators"]["E"]["coverage"]) == (None, None, None)
    bars: list[dict[str, float]] = [{}, {"fail_under": 0.0}, {"min_coverage": 0.0}]
    assert [summary.passed(**one) for one in bars] == [False, False, False]


HALF = [{"id": f"i{n}", "output": n % 2 if n < 2 else 7} for n in range(4)]
"""Answers to four items, the first two of them right."""

BARS: tuple[tuple[int, dict[str, float], float | None, bool], ...] = (
    (4, {}, None, True),
    (4, {}, 0.5, True),
    (4, {}, 0.51, False),
    (4, {"fail_under": 0.5}, None, True),
    (4, {"fail_under": 0.51}, None, False),
    (4, {"fail_under": 0.5}, 0.51, False),
    (3, {"min_coverage": 0.75}, None, True),
    (3, {"min_coverage": 0.76}, None, False),
    (3, {"fail_under": 0.6, "min_coverage": 0.7}, None, True),
)


@pytest.mark.parametrize(
    ("answers", "bars", "threshold", "passed"), [pytest.param(*row, id=str(row)) for row in BARS]
)
def test_bars(answers: int, bars: dict[str, float], threshold: float | None, passed: bool) -> None:
    one = chosen("uipath-exact-match", "E", threshold=threshold)
    items = tuple(item(f"i{n}", {}, E={"expectedOutput": n % 2}) for n in range(4))
    summary = run_set(EvaluationSet("s", "S", (one,), items), outputs=HALF[:answers])
    assert (summary.score, summary.coverage) == (2 / answers, answers / 4)
    assert summary.passed(**bars) == passed


def test_nothing_graded_is_not_passed() -> None:
    one = chosen("uipath-exact-match", "E")
    whole = EvaluationSet("s", "S", (one,), (item("a", {}, E={"expectedOutput": 1}),))
    summary = run_set(whole, outputs={})
    assert (summary.score, summary.coverage, summary.passed()) == (None, 0.0, False)


def told(summary: Summary) -> dict[str, Any]:
    return {name: value for name, value in summary.to_dict().items() if name != "elapsed"}


TOLD = told(summed(RESULTS))


@given(st.lists(st.integers(0, len(RESULTS)), max_size=6))
def test_any_split_of_the_items_gives_the_same_numbers(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(RESULTS)]
    whole = Summary.of(WHOLE)
    for start, end in pairwise(edges):
        part = pickle.loads(pickle.dumps(summed(RESULTS[start:end])))  # noqa: S301 - our own
        whole.merge(part)
    assert told(whole) == TOLD


@given(st.permutations(RESULTS))
def test_the_order_of_the_items_does_not_change_a_score(found: list[ItemResult]) -> None:
    names = ("score", "coverage", "pass_rate", "graded", "outcomes", "agent_seconds")
    mine = told(summed(found))
    assert {name: mine[name] for name in names} == {name: TOLD[name] for name in names}


# --------------------------------------------------------------------------------------------- verdicts


def row(score: float | None, key: str = "e:a", **extra: Any) -> Any:
    told = {"status": "graded" if score is not None else "not_applicable", **extra}
    return {"key": key, "score": score, "comment": f"c{score}", "metadata": told, "extra": told}


VERDICTS: tuple[tuple[list[Any], float | None, tuple[Any, ...]], ...] = (
    ([row(0.8, passed=False)], None, (0.8, "c0.8", False)),
    ([row(0.8, passed=False)], 0.8, (0.8, "c0.8", True)),
    ([row(0.8, passed=True)], 0.9, (0.8, "c0.8", False)),
    ([row(True, passed=True)], None, (True, "cTrue", True)),
    ([row(0.1, lower_is_better=True, passed=False)], 0.1, (0.1, "c0.1", True)),
    ([row(0.2, lower_is_better=True, passed=True)], 0.1, (0.2, "c0.2", False)),
    ([row(None, status="judge_error")], 0.5, (None, "cNone", False)),
    ([row(1.0, passed=True), row(0.5, passed=False)], None, (0.75, "c0.5", False)),
    ([row(1.0, passed=True), row(0.5, passed=False)], 0.7, (0.75, "c0.5", True)),
    ([row(1.0, passed=True), row(1.0, passed=True)], None, (1.0, None, True)),
    ([row(1.0, passed=True), row(None)], None, (1.0, None, True)),
    ([row(1.0, passed=True), row(None, status="judge_error")], None, (None, "cNone", None)),
    ([row(None), row(None)], None, (None, "cNone", None)),
    ([row(0.0), row(0.3, "e:aggregate_score", passed=False)], None, (0.3, "c0.3", False)),
    ([row(0.0), row(0.3, "e:average", passed=False)], 0.2, (0.3, "c0.3", True)),
)


@pytest.mark.parametrize(
    ("rows", "threshold", "expected"), [pytest.param(*one, id=str(n)) for n, one in enumerate(VERDICTS)]
)
def test_verdict(rows: list[Any], threshold: float | None, expected: tuple[Any, ...]) -> None:
    found = verdict("e", rows, threshold)
    assert (found["score"], found["comment"], found["extra"].get("passed")) == expected
    assert found["key"] == "e"
