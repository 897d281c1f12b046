"""Precision, recall, F1, invention and omission: from outcomes to rates, over places, fields and records."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fieldwise
from fieldwise import Field
from fieldwise._types import MISSING
from fieldwise.scorers.extraction import OUTCOMES, RATES, add, outcome_of, rates
from tests.laws import strategies as some
from tests.scorers.field_forms import evaluate, summary

counts = st.fixed_dictionaries({}, optional={word: st.integers(0, 9) for word in OUTCOMES})


@pytest.mark.parametrize("none", [None, MISSING])
def test_outcomes(none: Any) -> None:
    assert outcome_of("x", "x", right=True) == "true_positive"
    assert outcome_of("x", "y", right=False) == "false_discovery"
    assert outcome_of("x", none, right=False) == "false_negative"
    assert outcome_of(none, "y", right=False) == "false_alarm"
    assert outcome_of(none, none, right=True) == "true_negative"
    assert outcome_of(False, 0, right=False) == "false_discovery"


def test_rates_by_hand() -> None:
    found = rates(
        {"true_positive": 6, "false_discovery": 2, "false_negative": 4, "false_alarm": 1, "true_negative": 3}
    )
    precision, recall = 6 / 9, 6 / 12
    assert found == {
        "precision": precision,
        "recall": recall,
        "f1": pytest.approx(2 * precision * recall / (precision + recall)),
        "invention_rate": 1 / 4,
        "omission_rate": 4 / 12,
    }


@given(counts)
def test_rates_are_in_range_and_f1_is_the_harmonic_mean(some_counts: dict[str, int]) -> None:
    found = rates(some_counts)
    assert found.keys() == RATES.keys()
    for value in found.values():
        assert value is None or 0.0 <= value <= 1.0
    precision, recall = found["precision"], found["recall"]
    if precision and recall:
        assert found["f1"] == pytest.approx(2 * precision * recall / (precision + recall))
    right = some_counts.get("true_positive", 0)
    assert (found["f1"] in {0.0, None}) == (right == 0)


@given(counts)
def test_one_more_fault_never_raises_a_rate_of_the_right(some_counts: dict[str, int]) -> None:
    before = rates(some_counts)
    for word in ("false_discovery", "false_negative", "false_alarm"):
        after = rates({**some_counts, word: some_counts.get(word, 0) + 1})
        for name in ("precision", "recall", "f1"):
            if before[name] is not None:
                assert after[name] is not None
                assert after[name] <= before[name]  # type: ignore[operator]


def test_counts_of_results_add_up() -> None:
    results = evaluate({"a": 1, "b": 2}, {"a": 1, "c": 3}, ["a", "b", "c", "d"])
    assert add(results[:-1]) == {
        "true_positive": 1,
        "false_alarm": 1,
        "false_negative": 1,
        "true_negative": 1,
    }
    assert add(results[-1:]) == add(results[:-1])


# ------------------------------------------------------------------------------------------ summary

OUTPUTS: Final = [
    {"name": "Ada", "tel": "1", "fax": None},
    {"name": "Bo", "tel": "9"},
    '{"name": "Cy", "fax": "7"}',
    "no JSON",
    {"name": "Eve"},
]
REFERENCE: Final = [
    {"name": "Ada", "tel": "1"},
    {"name": "Bob", "tel": "2"},
    {"name": "Cy", "tel": "3"},
    {"name": "Di", "tel": "4"},
    fieldwise.MISSING,
]


def test_summary_by_hand() -> None:
    assert summary(OUTPUTS, REFERENCE, ["name", "tel", "fax"]) == {
        "name:precision": 2 / 3,
        "name:recall": 2 / 4,
        "name:f1": pytest.approx(4 / 7),
        "name:invention_rate": None,
        "name:omission_rate": 1 / 4,
        "tel:precision": 1 / 2,
        "tel:recall": 1 / 4,
        "tel:f1": pytest.approx(1 / 3),
        "tel:invention_rate": None,
        "tel:omission_rate": 2 / 4,
        "fax:precision": 0.0,
        "fax:recall": None,
        "fax:f1": 0.0,
        "fax:invention_rate": 1 / 4,
        "fax:omission_rate": None,
        "micro:precision": 3 / 6,
        "micro:recall": 3 / 8,
        "micro:f1": pytest.approx(3 / 7),
        "micro:invention_rate": 1 / 4,
        "micro:omission_rate": 3 / 8,
        "macro:precision": pytest.approx((2 / 3 + 1 / 2) / 3),
        "macro:recall": 3 / 8,
        "macro:f1": pytest.approx((4 / 7 + 1 / 3) / 3),
        "macro:invention_rate": 1 / 4,
        "macro:omission_rate": 3 / 8,
    }


def test_a_rate_says_what_it_rests_on() -> None:
    evaluator = fieldwise.create_multi_field_summary_evaluator(fields=["name", "tel"])
    results = {one["key"]: one for one in evaluator(outputs=OUTPUTS, reference_outputs=REFERENCE)["results"]}
    assert results["multi_field:name:recall"]["comment"] == "2 of 4"
    assert results["multi_field:name:recall"]["extra"] == {
        "status": "graded",
        "path": "name",
        "outcomes": {"false_negative": 1, "false_discovery": 1, "true_positive": 2},
        "support": 4,
        "coverage": 0.8,
    }
    none = results["multi_field:name:invention_rate"]
    assert (none["score"], none["comment"]) == (None, "a value was wanted everywhere")
    assert none["extra"]["status"] == "not_applicable"
    assert results["multi_field:macro:f1"]["comment"] == "the mean over 2 of 2 fields"
    assert results["multi_field:macro:invention_rate"]["comment"] == "no field has it"


def test_places_of_a_wildcard_are_counted_one_by_one() -> None:
    reference = [{"l": [{"x": 1}, {"x": 2}]}, {"l": []}]
    outputs = [{"l": [{"x": 2}]}, {"l": [{"x": 3}]}]
    found = summary(outputs, reference, ["l[*].x"], lists={"l": "same_elements"})
    assert (found["l[*].x:precision"], found["l[*].x:recall"]) == (1 / 2, 1 / 2)
    assert (found["l[*].x:invention_rate"], found["l[*].x:omission_rate"]) == (1.0, 1 / 2)


def test_a_threshold_decides_what_is_right() -> None:
    reference, outputs = [{"a": "Kivi Oyj"}], [{"a": "Kivi Oy"}]
    strict, lax = Field("a", "string_similarity"), Field("a", "string_similarity", threshold=0.8)
    assert summary(outputs, reference, [strict])["a:precision"] == 0.0
    assert summary(outputs, reference, [lax])["a:precision"] == 1.0


def test_judged_fields_are_counted_once_they_are_judged() -> None:
    def judge(request: Any) -> dict[str, bool]:
        return {one.id: one.actual == "x" for one in request.questions if one.actual != "?"}

    field = Field("a", rubric="same meaning")
    outputs, reference = [{"a": "x"}, {"a": "z"}, {"a": "?"}], [{"a": "y"}] * 3
    evaluator = fieldwise.create_multi_field_summary_evaluator(fields=[field], judge=judge)
    results = evaluator(outputs=outputs, reference_outputs=reference)["results"]
    assert (results[0]["key"], results[0]["score"]) == ("multi_field:a:precision", 0.5)
    assert results[0]["extra"]["coverage"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("outputs", "reference", "recall"),
    [
        ([], [], None),
        ([{"a": 1}], [], None),
        ([], [{"a": 1}], 0.0),
        ({"a": 1}, {"a": 1}, 1.0),
        (None, [{"a": 1}], 0.0),
        (({"a": 1},), ({"a": 1},), 1.0),
        (7, object(), None),
    ],
)
def test_whatever_comes_has_a_summary(outputs: Any, reference: Any, recall: float | None) -> None:
    assert summary(outputs, reference, ["a"])["a:recall"] == recall


@given(st.lists(some.anything, max_size=3), st.lists(some.anything, max_size=3))
def test_any_records_have_a_summary(outputs: Any, reference: Any) -> None:
    assert len(summary(outputs, reference, ["a", "b[*].a"])) == 4 * len(RATES)


@given(st.lists(st.tuples(some.small_records, some.small_records), max_size=4))
def test_micro_is_of_all_counts_and_the_order_of_records_never_counts(records: Any) -> None:
    outputs, reference = [one for one, _ in records], [one for _, one in records]
    found = summary(outputs, reference, ["a", "b"])
    assert summary(outputs[::-1], reference[::-1], ["a", "b"]) == found
    total: Counter[str] = Counter()
    for came, wanted in records:
        total += add(evaluate(came, wanted, ["a", "b"])[-1:])
    assert {name: found[f"micro:{name}"] for name in RATES} == rates(total)


@pytest.mark.parametrize("name", ["micro", "macro"])
def test_a_field_named_like_a_mean_is_refused(name: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        fieldwise.create_multi_field_summary_evaluator(fields=["a", name])
    assert str(caught.value) == f"fields: '{name}' is the name of a mean over fields; write it as '/{name}'"
    assert summary([{name: 1}], [{name: 1}], [f"/{name}"])[f"/{name}:recall"] == 1.0


def test_langsmith_takes_it_and_its_results() -> None:
    from langsmith.evaluation.evaluator import EvaluationResult, _normalize_summary_evaluator

    evaluator = fieldwise.create_multi_field_summary_evaluator(fields=["name", "tel"])
    assert str(inspect.signature(evaluator)).startswith("(*, outputs: ")
    assert list(inspect.signature(evaluator).parameters) == ["outputs", "reference_outputs"]
    assert not inspect.iscoroutinefunction(evaluator)
    runs: Any = [SimpleNamespace(outputs={"name": "Ada"}, end_time=datetime.now(UTC))]
    examples: Any = [SimpleNamespace(inputs={}, outputs={"name": "Ada", "tel": "1"})]
    found: Any = _normalize_summary_evaluator(evaluator)(runs, examples)
    taken = [EvaluationResult(**one) if isinstance(one, dict) else one for one in found["results"]]
    assert {one.key: one.score for one in taken}["multi_field:micro:recall"] == 0.5
    json.dumps([one.extra for one in taken])


def test_of_no_record_there_is_no_coverage() -> None:
    evaluator = fieldwise.create_multi_field_summary_evaluator(fields=["name"])
    found = evaluator(outputs=[], reference_outputs=[])["results"]
    assert {(one["score"], one["extra"]["coverage"]) for one in found} == {(None, None)}
