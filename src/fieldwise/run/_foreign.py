"""Evaluators that are not ours: called with what they take, and their answers read.

A foreign evaluator is any callable of the OpenEvals or LangSmith kind, or a LangChain string evaluator. It
takes whatever it names of `inputs`, `outputs` and `reference_outputs`, and gives a result, a list of
results, `{"results": [...]}`, or a bare score. Whatever else it does is a `not_evaluated` result under
its name, with the reason: one row never costs a run.

A score that is a mapping is a score for each of its keys. Text is no score: it stands under `value`, is
counted, and has a number only where the result's own `feedback_config` gives its categories one.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.equality import preview
from fieldwise.core.values import Unconvertible
from fieldwise.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import EvaluatorResult
    from fieldwise.run._records import Record

_SIDES: Final = ("inputs", "outputs", "reference_outputs")
_WRAPPER: Final = "output"
_LARGEST: Final = 1e300


class Malformed(ValueError):
    """What an evaluator gave is no result; the text says what it was."""


def not_evaluated(key: str, reason: str) -> EvaluatorResult:
    """Return a result that is none.

    >>> not_evaluated("judge", "KeyError: 'x'")["extra"]
    {'status': 'not_evaluated', 'passed': False, 'support': 0, 'reason': "KeyError: 'x'"}
    """
    extra = {"status": "not_evaluated", "passed": False, "support": 0, "reason": reason}
    return {"key": key, "score": None, "comment": reason, "metadata": extra, "extra": extra}


# ----------------------------------------------------------------------------------------- calling


def caller(evaluator: Any, *, awaits: bool) -> Callable[[Record], Any]:
    """Return how to call an evaluator with a record; of a string evaluator, its async form when awaited."""
    if hasattr(evaluator, "evaluate_strings"):
        return _string_caller(evaluator, awaits=awaits)
    takes = _parameters(evaluator)
    return lambda record: evaluator(
        **{
            side: value
            for side in _SIDES
            if (value := getattr(record, side)) is not MISSING and (takes is None or side in takes)
        }
    )


def _parameters(evaluator: Any) -> frozenset[str] | None:
    """The sides it names as parameters; None: any, because it names none and takes all."""
    try:
        parameters = inspect.signature(evaluator).parameters.values()
    except (TypeError, ValueError):
        return None
    named = frozenset(one.name for one in parameters if one.name in _SIDES)
    takes_all = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters)
    return None if takes_all and not named else named


def _string_caller(evaluator: Any, *, awaits: bool) -> Callable[[Record], Any]:
    evaluate = getattr(evaluator, "aevaluate_strings", None) if awaits else None
    evaluate = evaluate or evaluator.evaluate_strings

    def call(record: Record) -> Any:
        given = {"input": record.inputs, "reference": record.reference_outputs}
        texts = {
            name: _text(value) for name, value in given.items() if value is not MISSING and value is not None
        }
        return evaluate(prediction=_text(record.outputs), **texts)

    return call


def _text(value: Any) -> str:
    """A value as the text a string evaluator takes; LangSmith's sole key `output` is taken off."""
    if isinstance(value, Mapping) and len(value) == 1 and isinstance(value.get(_WRAPPER), str):
        return str(value[_WRAPPER])
    if isinstance(value, str):
        return value
    try:
        return json.dumps(to_json(value), ensure_ascii=False)
    except (Unconvertible, TypeError, ValueError, RecursionError) as error:
        raise JudgeError(f"a {type(value).__name__} is no text for a string evaluator: {error}") from None


# ----------------------------------------------------------------------------------------- reading


def read_results(name: str, given: Any) -> list[EvaluatorResult]:
    """Return what an evaluator gave as results; `name` is the key of those without one.

    >>> [(one["key"], one["score"]) for one in read_results("same", True)]
    [('same', True)]
    """
    if isinstance(given, Mapping) and isinstance(given.get("results"), list | tuple) and "score" not in given:
        given = given["results"]
    found = list(given) if isinstance(given, list | tuple) else [given]
    if not found:
        return [not_evaluated(name, "the evaluator gave no results")]
    return [result for one in found for result in _split(name, one)]


def _split(name: str, given: Any) -> list[EvaluatorResult]:
    """The results in one that an evaluator gave: as many as its score has keys."""
    fields = _fields(given)
    scores = None if fields is None else fields.get("score")
    if fields is None or not isinstance(scores, Mapping) or not scores:
        return [_read_result(_key(name, fields), given, fields)]
    key = _key(name, fields)
    return [
        _read_result(f"{key}:{part}", score, {**fields, "score": score, "value": None})
        for part, score in scores.items()
    ]


def _key(name: str, fields: Mapping[str, Any] | None) -> str:
    key = None if fields is None else fields.get("key")
    return key if isinstance(key, str) and key else name


def _read_result(key: str, given: Any, fields: Mapping[str, Any] | None) -> EvaluatorResult:
    if fields is not None and fields.get("score") is None and fields.get("value") is not None:
        return _valued(key, fields)
    try:
        score = _score(given if fields is None else fields["score"])
    except KeyError:
        shown = {str(one): type(value).__name__ for one, value in list(given.items())[:10]}
        return not_evaluated(key, f"the evaluator gave a result without score: {preview(shown)}")
    except Malformed as error:
        return not_evaluated(key, f"the evaluator gave {error}")
    return _result(key, score, fields or {})


def _fields(given: Any) -> Mapping[str, Any] | None:
    """The fields of a result, be it a mapping or an object that has them; None for a bare score."""
    if isinstance(given, Mapping):
        return given
    if hasattr(given, "score") and hasattr(given, "key"):
        names = ("key", "score", "value", "feedback_config", "comment", "metadata", "extra")
        return {name: getattr(given, name, None) for name in names}
    return None


def _score(raw: Any) -> float | None:
    if raw is None:
        return None
    try:
        score = to_json(raw)
    except Unconvertible as error:
        raise Malformed(f"no score: {error}") from None
    if isinstance(score, bool):
        return score
    if not isinstance(score, int | float) or not math.isfinite(score) or abs(score) > _LARGEST:
        fix = "a finite number or a bool is one" + ("; text goes to value" if isinstance(raw, str) else "")
        raise Malformed(f"{preview(score)} as score, which is {type(raw).__name__}; {fix}")
    return float(score)


def _valued(key: str, fields: Mapping[str, Any]) -> EvaluatorResult:
    """The result of a value instead of a score: graded, with the number that its category has, if any."""
    value = fields["value"]
    if not isinstance(value, str):
        return not_evaluated(
            key, f"the evaluator gave {type(value).__name__} as value; text is one, numbers go to score"
        )
    found = _result(key, _category(value, fields.get("feedback_config")), {**fields, "score": None})
    found["extra"]["value"] = value
    return found


def _category(value: str, config: Any) -> float | None:
    """The number that a category has, by what LangSmith calls its configuration; None: it has none."""
    categories = config.get("categories") if isinstance(config, Mapping) else None
    for one in categories if isinstance(categories, list) else ():
        if isinstance(one, Mapping) and one.get("label") == value:
            with suppress(Malformed):
                return _score(one.get("value"))
    return None


def _result(key: str, score: float | None, fields: Mapping[str, Any]) -> EvaluatorResult:
    comment = fields.get("comment") or fields.get("reasoning")
    comment = None if comment is None else str(comment)
    extra = {**_json(fields.get("metadata")), **_json(fields.get("extra"))}
    if score is None and not isinstance(fields.get("value"), str):
        reason = extra.get("reason") or comment or "the evaluator gave no score"
        extra = {"status": "not_evaluated", "reason": reason, **extra}
    extra.setdefault("status", "graded")
    return {"key": key, "score": score, "comment": comment, "metadata": extra, "extra": extra}


def _json(metadata: Any) -> dict[str, Any]:
    """Metadata that serializes for certain; what does not is left out, saying so."""
    if metadata is None:
        return {}
    try:
        value = to_json(metadata)
        json.dumps(value, allow_nan=False)
    except (Unconvertible, TypeError, ValueError, RecursionError) as error:
        return {"metadata_error": f"left out: {error}"}
    return value if isinstance(value, dict) else {"metadata": value}
