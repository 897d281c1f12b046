"""What the laws share: results whose shape is checked, scores by key, places in documents."""

from __future__ import annotations

import asyncio
import copy
from typing import Any

import pytest

import fieldwise
from tests.laws import strategies as some
from tests.scorers.forms import check_shape, named

UNORDERED = ("same_elements", "subset", "superset")


def results_of(outputs: Any, reference: Any, **options: Any) -> list[Any]:
    """The results of the sync evaluator alone, their shape checked."""
    sync: Any = fieldwise.create_json_match_evaluator(**options)
    results: list[Any] = sync(outputs=outputs, reference_outputs=reference)
    check_shape(results)
    return results


def scores_of(outputs: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return named(results_of(outputs, reference, **options))


def score_of(outputs: Any, reference: Any, **options: Any) -> float:
    (one,) = scores_of(
        outputs, reference, aggregator="average", list_aggregator="average", **options
    ).values()
    assert one is None or isinstance(one, float)
    return one or 0.0  # where every field weighs nothing there is no score, and so none that is higher


def roughly(scores: dict[str, Any]) -> Any:
    """Equal but for the rounding of a sum taken in another order."""
    return {
        name: None if score is None else pytest.approx(score, rel=1e-9, abs=1e-12)
        for name, score in scores.items()
    }


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place below the root."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for step, item in inside for place in ((*above, step), *places(item, (*above, step)))]


def with_value(document: Any, place: tuple[Any, ...], value: Any) -> Any:
    """A copy of the document with another value at a place."""
    changed = copy.deepcopy(document)
    holder = changed
    for step in place[:-1]:
        holder = holder[step]
    holder[place[-1]] = value
    return changed


def in_both_forms(outputs: Any, reference: Any, judge: some.ScriptedJudge, **options: Any) -> list[Any]:
    """Results with a judge, sync and async the same."""
    other = judge.again()
    awaited: Any = fieldwise.create_async_json_match_evaluator(judge=other, **options)
    results = results_of(outputs, reference, judge=judge, **options)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == results
    assert other.asked == judge.asked
    return results
