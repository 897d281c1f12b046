"""The classification evaluators: the suite of another product, its aggregates, and the rules of our own."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.errors import ConfigError
from fieldwise.evaluators import classification

CASES_DIR = Path(__file__).parents[1] / "cases"
SUITE = json.loads((CASES_DIR / "uipath_classification.json").read_text(encoding="utf-8"))
ROWS = json.loads((CASES_DIR / "departures_classification.json").read_text(encoding="utf-8"))["rows"]

NUMBERS, SPACE, LOST, REFERENCE, OPTIONS, AVERAGING = (row["kind"] for row in ROWS)
MULTI = "multiclass_classification"
DEPARTURES: dict[str, tuple[str, Any]] = {
    "binary-classification-011": (NUMBERS, 0.0),
    "multiclass-classification-009": (NUMBERS, 1.0),
    "binary-classification-007": (SPACE, 1.0),
    "binary-classification-008": (LOST, 0.0),
    "multiclass-classification-005": (LOST, 0.0),
    "error datapoint (missing key) is dropped -> recall 1.0": (LOST, 0.5),
    "OOV predictions silently dropped (micro) -> inflated vs ExactMatch aggregators": (LOST, 6 / 13),
    "binary-classification-018": (REFERENCE, None),
    "multiclass-classification-004": (REFERENCE, None),
    "binary-classification-014": (OPTIONS, "positive_class='': must be a label that is not blank"),
    "binary-classification-017": (
        OPTIONS,
        "create_binary_classification_evaluator: positive_class= has to be given",
    ),
    "binary-classification-016": (
        OPTIONS,
        "metric_type='accuracy': must be one of 'precision', 'recall', 'f-score'",
    ),
    "multiclass-classification-010": (OPTIONS, "classes=[]: must be a list of labels, at least one"),
    "duplicate class (case-insensitive) -> second copy always 0 in macro": (
        OPTIONS,
        "classes[1]='A': is 'a' again; case and white space around a label do not count",
    ),
    "multiclass-classification-008": (AVERAGING, 1.0),
}


def make(case: dict[str, Any], form: str = "create_{}_evaluator") -> Any:
    name = case["evaluatorTypeId"].removeprefix("uipath-").replace("-", "_")
    options = {
        re.sub(r"([A-Z])", r"_\1", key).lower(): value for key, value in case["evaluatorConfig"].items()
    }
    return getattr(classification, form.format(name))(**options)


def cases(kind: str, key: str) -> list[Any]:
    return [pytest.param(case, id=case[key]) for case in SUITE[kind]]


@pytest.mark.parametrize("case", cases("cases", "id"))
def test_single_records(case: dict[str, Any]) -> None:
    departs = DEPARTURES.get(case["id"])
    given: dict[str, Any] = {"outputs": case["agent"]["output"], "reference_outputs": case["criteria"]}
    if departs is not None and isinstance(departs[1], str):
        with pytest.raises(ConfigError, match=f"^{re.escape(departs[1])}$"):
            make(case)
        return
    result = make(case)(**given)
    assert result == asyncio.run(make(case, "create_async_{}_evaluator")(**given))
    if departs is None:
        assert case["expected"]["score_type"] == "numerical"
        assert result["score"] == case["expected"]["score"]
    else:
        assert result["score"] == departs[1]


@pytest.mark.parametrize("case", cases("aggregates", "note"))
def test_metrics_over_records(case: dict[str, Any]) -> None:
    departs = DEPARTURES.get(case["note"])
    form = "create_{}_summary_evaluator"
    if departs is not None and isinstance(departs[1], str):
        with pytest.raises(ConfigError, match=f"^{re.escape(departs[1])}$"):
            make(case, form)
        return
    points = case["datapoints"]
    summed = make(case, form)(
        outputs=[one["output"] for one in points], reference_outputs=[one["criteria"] for one in points]
    )
    expected = case["expected"]["reduced"] if departs is None else departs[1]
    assert summed["results"][0]["score"] == pytest.approx(expected, abs=1e-12)
    scores = [make(case)(outputs=one["output"], reference_outputs=one["criteria"])["score"] for one in points]
    wanted = case["expected"]["per_datapoint"]
    assert scores == [None if one is None else other for one, other in zip(scores, wanted, strict=True)]


def test_every_departure_has_its_cases() -> None:
    assert Counter(kind for kind, _ in DEPARTURES.values()) == {row["kind"]: row["cases"] for row in ROWS}


def test_the_summary_has_every_metric_the_matrix_and_the_classes() -> None:
    summarise = classification.create_multiclass_classification_summary_evaluator(
        classes=["A", "b"], averaging="weighted", feedback_key="kind"
    )
    found = summarise(outputs=["a", "zebra", "b", {"x": 1, "y": 2}], reference_outputs=["A", "a", "a", "B"])[
        "results"
    ]
    assert [[one["key"], one["score"], one["comment"]] for one in found] == [
        ["kind:f-score", pytest.approx(0.5), "weighted, over 3 records"],
        ["kind:precision", 1.0, "weighted, over 3 records"],
        ["kind:recall", pytest.approx(1 / 3), "weighted, over 3 records"],
        ["kind:accuracy", pytest.approx(1 / 3), "over 3 records"],
    ]
    assert found[0]["extra"] == {
        "status": "graded",
        "path": "$",
        "support": 3,
        "coverage": 0.75,
        "zero_division": 0,
        "classes": ["a", "b"],
        "came": ["a", "b", "(other)"],
        "matrix": [[1, 1, 1], [0, 0, 0]],
        "per_class": {
            "a": {"support": 3, "tp": 1, "fp": 0, "fn": 2, "precision": 1.0, "recall": 1 / 3, "f-score": 0.5},
            "b": {"support": 0, "tp": 0, "fp": 1, "fn": 0, "precision": 0.0, "recall": None, "f-score": 0.0},
        },
    }


def test_report_m04_three_keys_are_uploaded() -> None:
    summarise = classification.create_binary_classification_summary_evaluator(positive_class="y")
    found: list[Any] = summarise(outputs=["y", "n"], reference_outputs=["y", "y"])["results"]
    assert [(one["key"].partition(":")[2], one["score"]) for one in found] == [
        ("precision", 1.0),
        ("recall", 0.5),
        ("f-score", pytest.approx(2 / 3)),
        ("accuracy", 0.5),
    ]


@pytest.mark.parametrize(
    ("zero", "score", "comment"),
    [
        (0, 0.0, 'of "y", over 1 records'),
        (1, 1.0, 'of "y", over 1 records'),
        ("exclude", None, "precision divides by nothing"),
    ],
)
def test_dividing_by_nothing(zero: Any, score: float | None, comment: str) -> None:
    summarise = classification.create_binary_classification_summary_evaluator(
        positive_class="y", zero_division=zero
    )
    first = summarise(outputs=["n"], reference_outputs=["n"])["results"][0]
    assert (first["score"], first["comment"]) == (score, comment)


@pytest.mark.parametrize(
    ("create", "given", "message"),
    [
        (
            "binary",
            {"positive_class": "a", "classes": ["b", "c"]},
            "positive_class='a': must be one of classes, 'b', 'c'",
        ),
        (
            "binary",
            {"positive_class": "a", "classes": ["a", "b", "c"]},
            "classes=['a', 'b', 'c']: must be two; multiclass_classification takes any number",
        ),
        ("multiclass", {"classes": "ab"}, "classes='ab': must be a list of labels, at least one"),
        (
            "multiclass",
            {"classes": ["a", None]},
            "classes[1]=None: must be a label, text, a number or a boolean",
        ),
        ("multiclass", {"classes": ["a"], "f_value": -1}, "f_value=-1: must be a number from 0 to 1,000"),
        (
            "multiclass",
            {"classes": ["a"], "zero_division": True},
            "zero_division=True: must be 0, 1 or 'exclude'",
        ),
        (
            "multiclass",
            {"classes": ["a"], "target_output_key": ["a"]},
            "target_output_key=['a']: must be '*' or one path, the label's",
        ),
    ],
)
def test_wrong_options(create: str, given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=f"^{re.escape(message)}$"):
        getattr(classification, f"create_{create}_classification_evaluator")(**given)


labels = st.sampled_from(["a", " A", "b", "B ", "c", 1, 1.0, True])


@given(labels, labels)
def test_a_label_is_itself_and_the_order_of_sides_does_not_matter(one: Any, other: Any) -> None:
    evaluate: Any = classification.create_multiclass_classification_evaluator(
        classes=["a", "b", "c", 1, True]
    )
    assert evaluate(outputs=one, reference_outputs=one)["score"] == 1.0
    assert (
        evaluate(outputs=one, reference_outputs=other)["score"]
        == evaluate(outputs=other, reference_outputs=one)["score"]
    )
