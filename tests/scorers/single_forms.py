"""One record through every form of an evaluator with one result; the forms have to agree."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import fieldwise
from fieldwise._types import EvaluatorResult

_SHAPE = {"key", "score", "comment", "metadata", "extra"}


def evaluate(name: str, outputs: Any, reference: Any = fieldwise.MISSING, **options: Any) -> EvaluatorResult:
    """The result of the sync evaluator, once the async one and the string one gave the same."""
    given = {"outputs": outputs, "reference_outputs": reference}
    sync = getattr(fieldwise, f"create_{name}_evaluator")(**options)
    result: EvaluatorResult = sync(**given)
    awaited = getattr(fieldwise, f"create_async_{name}_evaluator")(**options)
    assert asyncio.run(awaited(**given)) == result
    if reference is not None:  # to a string evaluator, None is no reference
        strings = getattr(fieldwise, f"create_{name}_string_evaluator")(**options)
        asked = {"prediction": outputs}
        if reference is not fieldwise.MISSING:
            asked["reference"] = reference
        answer = strings.evaluate_strings(**asked)
        assert answer["results"] == [result]
        assert answer["score"] == result["score"]
        assert asyncio.run(strings.aevaluate_strings(**asked)) == answer
    check_shape(result)
    return result


def check_shape(result: EvaluatorResult) -> None:
    """What holds for every answer: the stated keys, a score in range, plain JSON."""
    assert result.keys() == _SHAPE
    score, status = result["score"], result["extra"]["status"]
    assert score is None or (type(score) in (float, bool) and 0 <= score <= 1)
    assert (score is None) == (status not in {"graded", "invalid_output"})
    assert type(result["extra"]["passed"]) is bool
    assert type(result["extra"]["support"]) is int
    assert result["metadata"] == result["extra"]
    json.dumps(result, allow_nan=False).encode()


def score(name: str, outputs: Any, reference: Any = fieldwise.MISSING, **options: Any) -> Any:
    """The score of one record, after `evaluate`."""
    return evaluate(name, outputs, reference, **options)["score"]


def status(name: str, outputs: Any, reference: Any = fieldwise.MISSING, **options: Any) -> tuple[Any, str]:
    """Score and status of one record, after `evaluate`."""
    result = evaluate(name, outputs, reference, **options)
    return result["score"], result["extra"]["status"]
