"""One record through every form of json_match; the forms have to agree."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import fieldwise
from fieldwise._types import EvaluatorResult

_SHAPE = {"key", "score", "comment", "metadata", "extra"}


def evaluate(outputs: Any, reference: Any, **options: Any) -> list[EvaluatorResult]:
    """Results of the sync evaluator, once the async one and the string one gave the same."""
    sync: Any = fieldwise.create_json_match_evaluator(**options)
    results: list[EvaluatorResult] = sync(outputs=outputs, reference_outputs=reference)
    awaited: Any = fieldwise.create_async_json_match_evaluator(**options)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == results
    if reference is not None:  # to a string evaluator, None is no reference
        strings: Any = fieldwise.create_json_match_string_evaluator(**options)
        answer = strings.evaluate_strings(prediction=outputs, reference=reference)
        assert answer["results"] == results
        assert asyncio.run(strings.aevaluate_strings(prediction=outputs, reference=reference)) == answer
    check_shape(results)
    return results


def check_shape(results: list[EvaluatorResult]) -> None:
    """What holds for every answer: never empty, the stated keys, a score in range, plain JSON."""
    assert isinstance(results, list)
    assert results
    assert len({one["key"] for one in results}) == len(results)
    for one in results:
        assert one.keys() == _SHAPE
        assert one["score"] is None or (type(one["score"]) is float and 0.0 <= one["score"] <= 1.0)
        assert (one["score"] is None) == (one["extra"]["status"] not in {"graded", "invalid_output"})
        assert one["metadata"] == one["extra"]
    json.dumps(results, allow_nan=False).encode()


def named(results: list[EvaluatorResult]) -> dict[str, Any]:
    """Scores by key, without the `json_match:` that every key begins with."""
    assert all(one["key"].startswith("json_match:") for one in results)
    return {one["key"].removeprefix("json_match:"): one["score"] for one in results}


def scores(outputs: Any, reference: Any, **options: Any) -> dict[str, Any]:
    """The scores of one record by key, after `evaluate`."""
    return named(evaluate(outputs, reference, **options))
