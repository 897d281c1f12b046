"""What a custom evaluator returns, and how it is read.

1. Scores are numbers from 0 to 1; true is 1.0 and false 0.0.
2. An error has no score: `not_evaluated`, with the reason. So has whatever cannot be read as a score: a
   failure never looks like a low one.
3. A bare number or bool is a score, and so is a mapping or an object with a `score`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias, get_args

from fieldwise._types import Status
from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, said, shown
from fieldwise.core.equality import preview
from fieldwise.core.values import Unconvertible
from fieldwise.scorers.agents.reading.loose import as_text
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from fieldwise._types import Json

_WORDS: Final = ("details", "comment", "reasoning", "reason")
_SLACK: Final = 1e-9
_COMMENT: Final = 2_000
_DEEPEST: Final = 100
"""Details that are nested deeper are not kept as JSON: what writes it recurses."""


@dataclass(frozen=True, slots=True)
class NumericEvaluationResult:
    """A score.

    Attributes:
        score: from 0 to 1.
        details: why, for people: text, or anything with a JSON form.
        evaluation_time: how many seconds it took, if it matters.

    Example:
        >>> NumericEvaluationResult(score=0.5, details="half of it").score
        0.5
    """

    score: float
    details: Any = None
    evaluation_time: float | None = None


@dataclass(frozen=True, slots=True)
class BooleanEvaluationResult:
    """A yes or a no: 1.0 or 0.0.

    Attributes:
        score: which.
        details: why, for people: text, or anything with a JSON form.
        evaluation_time: how many seconds it took, if it matters.
    """

    score: bool
    details: Any = None
    evaluation_time: float | None = None


@dataclass(frozen=True, slots=True)
class ErrorEvaluationResult:
    """No score, because something kept the evaluator from giving one.

    Attributes:
        details: what.
        score: ignored: an error has none.
        evaluation_time: how many seconds it took, if it matters.
    """

    details: Any = None
    score: float | None = None
    evaluation_time: float | None = None


EvaluationResult: TypeAlias = NumericEvaluationResult | BooleanEvaluationResult | ErrorEvaluationResult
Returned: TypeAlias = EvaluationResult | float | bool | Mapping[str, Any]
"""What `evaluate` may return."""


def read_result(returned: Any) -> Grade:
    """Return the grade in what an evaluator returned.

    >>> read_result(True).score, read_result({"score": 0.25}).score
    (1.0, 0.25)
    >>> read_result(NumericEvaluationResult(7.5)).comment
    'evaluate gave the score 7.5; a score is a number from 0 to 1'
    """
    fields = _fields(returned)
    if fields is None:
        return _ungraded(f"evaluate returned {_kind(returned)}; return a NumericEvaluationResult(score=…)")
    comment, extra = _details(fields)
    if fields.get("error"):
        return Grade(None, comment or "the evaluator gave an error without details", "not_evaluated", extra)
    raw = fields["score"]
    if raw is None:
        return Grade(None, comment or "the evaluator gave no score", _status(fields), extra)
    score = _score(raw)
    if score is None:
        return _ungraded(f"evaluate gave the score {shown(raw)}; a score is a number from 0 to 1")
    return Grade(score, comment, extra=extra)


def _fields(returned: Any) -> Mapping[str, Any] | None:
    """The fields of a result of any form; None for what is none."""
    if isinstance(returned, bool | int | float) or _is_number(returned):
        return {"score": returned}
    if isinstance(returned, Mapping):
        return returned if "score" in returned else None
    if not hasattr(returned, "score"):
        return None
    words = {name: getattr(returned, name, None) for name in (*_WORDS, "evaluation_time")}
    error = type(returned).__name__ == ErrorEvaluationResult.__name__  # also of another library
    return {"score": returned.score, "error": error, **words}


def _is_number(value: Any) -> bool:
    return not isinstance(value, str | Mapping | list | tuple | None) and _score(value) is not None


def _score(raw: Any) -> float | None:
    """A number from 0 to 1, or None."""
    try:
        number = to_json(raw)
        if isinstance(number, str | list | dict | None):
            return None
        score = float(number)
    except (Unconvertible, OverflowError, TypeError, ValueError):
        return None
    if math.isnan(score) or not -_SLACK <= score <= 1 + _SLACK:
        return None
    return min(max(score, 0.0), 1.0)


def _status(fields: Mapping[str, Any]) -> Status:
    """Why there is no score, where a result of ours says so."""
    extra = fields.get("extra")
    status = extra.get("status") if isinstance(extra, Mapping) else None
    known = (
        isinstance(status, str) and status in get_args(Status) and status not in {"graded", "invalid_output"}
    )
    return status if known else "not_evaluated"  # type: ignore[return-value]


def _written(words: object) -> Json:
    """What is said as JSON that can be written.

    Raises:
        ValueError: for what cannot, as do `to_json` and `json.dumps`.
    """
    details = to_json(words)
    if _is_deep(details):
        raise ValueError(f"nested more than {_DEEPEST} levels deep")
    json.dumps(details)
    return details


def _details(fields: Mapping[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """What is said beside the score: the comment, and as JSON what is no text."""
    extra: dict[str, Any] = {}
    took = fields.get("evaluation_time")
    if isinstance(took, int | float) and math.isfinite(took):
        extra["evaluation_time"] = float(took)
    words = next((fields[name] for name in _WORDS if fields.get(name) is not None), None)
    if words is None or isinstance(words, str):
        return as_text(words), extra
    try:
        details = _written(words)
    except (Unconvertible, TypeError, ValueError) as error:
        return preview(words, _COMMENT), {**extra, "details_left_out": said(error)}
    return preview(details, _COMMENT), {**extra, "details": details}


def _is_deep(value: Json) -> bool:
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return bool(level)


def _ungraded(reason: str) -> Grade:
    return Grade(None, one_line(reason), "not_evaluated")


def _kind(returned: Any) -> str:
    if isinstance(returned, Mapping):
        return f"an object without score: {shown(returned)}"
    return "nothing" if returned is None else f"{shown(returned)}, which is no result"
