"""Values of statsmodels, scipy, scikit-learn and krippendorff on the same data."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import fsum
from pathlib import Path
from typing import Any

import pytest

from fieldwise.core.statistics import agreement, intervals, paired
from fieldwise.core.statistics.spread import Spread

SUITE = json.loads((Path(__file__).parents[2] / "cases" / "statistics.json").read_text(encoding="utf-8"))


def _is(kind: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in SUITE["cases"] if case["kind"] == kind]


@pytest.mark.parametrize("case", _is("proportion_ci"))
@pytest.mark.parametrize("method", ["wilson", "clopper_pearson"])
def test_intervals_of_a_share(case: dict[str, Any], method: str) -> None:
    found = getattr(intervals, method)(case["successes"], case["trials"], case["level"])
    if case["expected"] == {"undefined": True}:
        assert found is None
        return
    assert found == pytest.approx(case["expected"][method], abs=1e-7)


@pytest.mark.parametrize("case", _is("mean_ci"))
def test_intervals_of_a_mean(case: dict[str, Any]) -> None:
    values = case["values"]
    assert fsum(values) / len(values) == pytest.approx(case["expected"]["mean"], abs=1e-12)
    assert intervals.t_interval(values) == pytest.approx(case["expected"]["t95"], abs=1e-7)


@pytest.mark.parametrize("case", _is("mean_ci"))
def test_an_interval_by_resampling_is_about_students_or_narrower(case: dict[str, Any]) -> None:
    spread = Spread()
    for value in case["values"]:
        spread.add([value])
    found = spread.bounds()
    assert found is not None
    assert found.method == "bootstrap"
    low, high = case["expected"]["t95"]
    assert low - 0.01 <= found.low <= case["expected"]["mean"] <= found.high <= high + 0.01


PAIRED: dict[str, tuple[str, Callable[..., Any]]] = {
    "mcnemar_exact_p": ("", paired.mcnemar),
    "sign_test_p": ("", paired.sign_test),
    "paired_t_p": ("scores_", paired.paired_t),
    "wilcoxon_p": ("scores_", paired.wilcoxon),
}


@pytest.mark.parametrize("case", _is("paired"))
@pytest.mark.parametrize("test", PAIRED)
def test_two_runs_over_the_same_items(case: dict[str, Any], test: str) -> None:
    prefix, function = PAIRED[test]
    found = function(case[f"{prefix}a"], case[f"{prefix}b"])
    assert found == pytest.approx(case["expected"][test], abs=1e-7)


@pytest.mark.parametrize("case", _is("agreement"))
@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_krippendorffs_alpha(case: dict[str, Any], level: agreement.Level) -> None:
    found = agreement.alpha(case["ratings"], level)
    assert found == pytest.approx(case["expected"][f"krippendorff_{level}"], abs=1e-7)


@pytest.mark.parametrize(
    "case", [one for one in _is("agreement") if "quadratic_kappa" in one.values[0]["expected"]]
)
def test_weighted_kappa(case: dict[str, Any]) -> None:
    first, second = case["ratings"]
    found = agreement.kappa(first, second, "quadratic")
    assert found == pytest.approx(case["expected"]["quadratic_kappa"], abs=1e-7)
