"""json_match and OpenEvals' evaluator of that name, on what OpenEvals 0.2.2 answered to random inputs.

Where its answer depends neither on list order, nor on `True == 1`, nor on emptiness, ours is the same.
Everywhere else ours is one of the answers that the laws allow, which `tests.laws.oracle` finds by trying
every pairing. The kinds of departure are the rows of `tests/cases/departures.json`.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import fieldwise
from tests.laws.oracle import acceptable, agrees
from tests.scorers.forms import evaluate, named, scores

SUITE = Path(__file__).parents[1] / "cases" / "openevals_json_match.json"
CASES: list[dict[str, Any]] = json.loads(SUITE.read_text(encoding="utf-8"))["cases"]
WRONG_OPTIONS = {
    "oe-1500": "rubric is given without a judge: pass judge= (a callable) or model= as well",
    "oe-1501": "model is given without a rubric: say what it judges, rubric={'path': '…'}",
    "oe-1502": "aggregator='bogus': must be one of None, 'average', 'all'",
    "oe-1503": "list_aggregator='bogus': must be one of 'average', 'all'",
    "oe-1504": ("list_match_mode='bogus': must be one of 'ordered', 'same_elements', 'subset', 'superset'"),
}


def kind_of(case: dict[str, Any]) -> str | None:
    """The row of the departures table that a case belongs to; None: the same scores are required."""
    if case["id"] in WRONG_OPTIONS:
        return (
            None
            if "raises" in case["openevals"] and "rubric" in WRONG_OPTIONS[case["id"]]
            else "invalid_option"
        )
    if case["openevals"].get("scores") == {}:
        return "nothing_to_compare"
    if case["departure"] != "openevals_raises":
        return case["departure"]  # type: ignore[no-any-return]
    both = case["outputs"], case["reference_outputs"]
    return "list_elements" if all(isinstance(side, list) for side in both) else "document_shapes"


SCORED = [case for case in CASES if case["id"] not in WRONG_OPTIONS]
PARITY = [case for case in SCORED if kind_of(case) is None]
DEPARTURES = [case for case in SCORED if kind_of(case) is not None]


def test_the_suite_is_whole() -> None:
    assert len(CASES) == 1053
    assert (len(PARITY), len(DEPARTURES), len(WRONG_OPTIONS)) == (663, 385, 5)


@pytest.mark.parametrize("case", PARITY, ids=lambda case: case["id"])
def test_same_keys_and_scores(case: dict[str, Any]) -> None:
    results = evaluate(case["outputs"], case["reference_outputs"], **case["config"])
    assert {one["key"]: one["score"] for one in results} == pytest.approx(case["openevals"]["scores"])


@pytest.mark.parametrize("case", PARITY, ids=lambda case: case["id"])
def test_the_oracle_agrees_with_openevals(case: dict[str, Any]) -> None:
    """What the laws are said to be is checked, too: they allow OpenEvals' answer in each of these cases."""
    answers = acceptable(case["outputs"], case["reference_outputs"], **case["config"])
    theirs = {key.removeprefix("json_match:"): score for key, score in case["openevals"]["scores"].items()}
    assert agrees(theirs, answers)


@pytest.mark.parametrize("case", DEPARTURES, ids=lambda case: case["id"])
def test_the_value_the_laws_give(case: dict[str, Any]) -> None:
    found = scores(case["outputs"], case["reference_outputs"], **case["config"])
    answers = acceptable(case["outputs"], case["reference_outputs"], **case["config"])
    assert agrees(found, answers), (found, answers)


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["id"])
def test_order_counts_only_where_it_is_declared(case: dict[str, Any]) -> None:
    outputs, reference = case["outputs"], case["reference_outputs"]
    if case["config"].get("list_match_mode") == "ordered" or not isinstance(outputs, list):
        outputs, reference = _reversed_names(outputs), _reversed_names(reference)
    else:
        source = random.Random(case["id"])  # noqa: S311 - a seed for shuffling
        outputs = source.sample(outputs, len(outputs))
        if isinstance(reference, list):
            reference = source.sample(reference, len(reference))
    sync: Any = fieldwise.create_json_match_evaluator(**case["config"])
    before = named(sync(outputs=case["outputs"], reference_outputs=case["reference_outputs"]))
    assert named(sync(outputs=outputs, reference_outputs=reference)) == pytest.approx(before)


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["id"])
def test_a_document_is_right_against_itself(case: dict[str, Any]) -> None:
    sync: Any = fieldwise.create_json_match_evaluator(**case["config"])
    for document in (case["outputs"], case["reference_outputs"]):
        found = named(sync(outputs=document, reference_outputs=document))
        assert set(found.values()) == {1.0}


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case["id"])
def test_json_text_scores_as_what_it_holds(case: dict[str, Any]) -> None:
    outputs, reference = case["outputs"], case["reference_outputs"]
    sync: Any = fieldwise.create_json_match_evaluator(**case["config"])
    results = sync(outputs=outputs, reference_outputs=reference)
    texts = [json.dumps(side) if isinstance(side, dict | list) else side for side in (outputs, reference)]
    assert sync(outputs=texts[0], reference_outputs=texts[1]) == results


@pytest.mark.parametrize(
    "case", [case for case in CASES if case["id"] in WRONG_OPTIONS], ids=lambda case: case["id"]
)
def test_wrong_options_are_refused(case: dict[str, Any]) -> None:
    for create in (
        fieldwise.create_json_match_evaluator,
        fieldwise.create_async_json_match_evaluator,
        fieldwise.create_json_match_string_evaluator,
    ):
        with pytest.raises(fieldwise.ConfigError) as caught:
            create(**case["config"])
        assert str(caught.value) == WRONG_OPTIONS[case["id"]]


def _reversed_names(document: Any) -> Any:
    """The same document, the members of every object written in reverse."""
    if isinstance(document, dict):
        return {name: _reversed_names(document[name]) for name in reversed(document)}
    return [_reversed_names(one) for one in document] if isinstance(document, list) else document
