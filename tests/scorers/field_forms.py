"""One record through every form of multi_field; the forms have to agree."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import fieldwise
from fieldwise._types import EvaluatorResult
from tests.scorers.forms import check_shape


def evaluate(outputs: Any, reference: Any, fields: Any, **options: Any) -> list[EvaluatorResult]:
    """Results of the sync evaluator, once the async one, the string one and the summary gave the same."""
    sync: Any = fieldwise.create_multi_field_evaluator(fields=fields, **options)
    results: list[EvaluatorResult] = sync(outputs=outputs, reference_outputs=reference)
    awaited: Any = fieldwise.create_async_multi_field_evaluator(fields=fields, **options)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == results
    if reference is not None:  # to a string evaluator, None is no reference
        strings: Any = fieldwise.create_multi_field_string_evaluator(fields=fields, **options)
        answer = strings.evaluate_strings(prediction=outputs, reference=reference)
        assert answer["results"] == results
        assert answer["score"] == results[-1]["score"]
        assert asyncio.run(strings.aevaluate_strings(prediction=outputs, reference=reference)) == answer
    check_shape(results)
    assert results[-1]["key"].endswith(":aggregate_score")
    return results


def named(results: list[EvaluatorResult]) -> dict[str, Any]:
    """Scores by key, without the `multi_field:` that every key begins with."""
    return {one["key"].removeprefix("multi_field:"): one["score"] for one in results}


def scores(outputs: Any, reference: Any, fields: Any, **options: Any) -> dict[str, Any]:
    """The scores of one record by key, after `evaluate`."""
    return named(evaluate(outputs, reference, fields, **options))


def summary(outputs: list[Any], reference: list[Any], fields: Any, **options: Any) -> dict[str, Any]:
    """The rates of some records by key; their shape is checked."""
    evaluator = fieldwise.create_multi_field_summary_evaluator(fields=fields, **options)
    found = evaluator(outputs=outputs, reference_outputs=reference)
    assert found.keys() == {"results"}
    results = found["results"]
    assert len({one["key"] for one in results}) == len(results) > 0
    for one in results:
        assert one.keys() == {"key", "score", "comment", "metadata", "extra"}
        assert one["score"] is None or 0.0 <= one["score"] <= 1.0
        assert (one["score"] is None) == (one["extra"]["status"] == "not_applicable")
        assert ("reason" in one["extra"]) == (one["score"] is None)
    json.dumps(found, allow_nan=False)
    return named(results)
