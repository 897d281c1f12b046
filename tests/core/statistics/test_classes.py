"""Values of scikit-learn on the same labels, and the rules for labels that a model invents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.statistics.classes import Confusion, ZeroDivision

SUITE = json.loads((Path(__file__).parents[2] / "cases" / "classification.json").read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=case["id"]) for case in SUITE["cases"]]
METRICS: Any = ("precision", "recall", "f-score")


def confusion(true: list[str], came: list[str], classes: list[str]) -> Confusion:
    found = Confusion(tuple(classes))
    for one, other in zip(true, came, strict=True):
        found.add(one, other)
    return found


def of_case(case: dict[str, Any]) -> tuple[Confusion, dict[str, Any]]:
    expected = case["expected"]
    return confusion(case["y_true"], case["y_pred"], expected["labels"]), expected


@pytest.mark.parametrize("case", CASES)
def test_counts_and_what_they_say_of_all_classes(case: dict[str, Any]) -> None:
    found, expected = of_case(case)
    assert found.matrix() == expected["confusion"]
    for name in ("accuracy", "balanced_accuracy", "mcc"):
        assert getattr(found, name) == pytest.approx(expected[name], abs=1e-9), name
    assert found.kappa == (
        None if expected["cohen_kappa"] is None else pytest.approx(expected["cohen_kappa"], abs=1e-9)
    )


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("zero", [0, 1])
def test_precision_recall_and_f_score(case: dict[str, Any], zero: ZeroDivision) -> None:
    found, expected = of_case(case)
    for averaging in ("micro", "macro", "weighted"):
        values = [found.average(metric, averaging, zero_division=zero) for metric in METRICS]
        assert values == pytest.approx(expected[f"{averaging}_zd{zero}"], abs=1e-9), averaging
    for label, (*values, support) in expected[f"per_class_zd{zero}"].items():
        mine = [found.one(label, metric, zero_division=zero) for metric in METRICS]
        assert mine == pytest.approx(values, abs=1e-9), label
        assert found.of(label).support == support


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("beta", [2, 0.5])
def test_other_weights_of_recall(case: dict[str, Any], beta: float) -> None:
    found, expected = of_case(case)
    value = found.average("f-score", "macro", beta)
    assert value == pytest.approx(expected[f"fbeta{beta}_macro_zd0"], abs=1e-9)


@pytest.mark.parametrize(("zero", "value"), [("exclude", 1 / 3), (0, 2 / 9), (1, 5 / 9)])
def test_report_m02_a_class_that_never_occurs(zero: ZeroDivision, value: float) -> None:
    found = confusion(["a", "b"], ["a", "a"], ["a", "b", "c"])
    assert found.average("f-score", "macro", zero_division=zero) == pytest.approx(value)


def test_an_invented_label_counts_against_the_true_class_and_for_none() -> None:
    found = confusion(["a", "a", "b"], ["a", "zebra", "b"], ["a", "b"])
    assert found.to_dict() == {
        "classes": ["a", "b"],
        "came": ["a", "b", "(other)"],
        "matrix": [[1, 0, 1], [0, 1, 0]],
    }
    assert (found.of("a").fn, found.of("a").fp, found.of("b").fp) == (1, 0, 0)
    assert found.average("precision", "micro") == 1.0
    assert found.average("recall", "micro") == pytest.approx(2 / 3)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcz"))), st.integers(1, 4))
def test_any_split_gives_the_same_counts(pairs: list[tuple[str, str]], parts: int) -> None:
    whole = confusion([one for one, _ in pairs], [other for _, other in pairs], ["a", "b", "c"])
    merged = Confusion(("a", "b", "c"))
    for part in range(parts):
        chunk = pairs[part::parts]
        merged.merge(confusion([one for one, _ in chunk], [other for _, other in chunk], ["a", "b", "c"]))
    assert merged == whole
