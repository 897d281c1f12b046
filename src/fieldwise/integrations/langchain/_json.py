"""JSON validity, equality and edit distance.

Text is parsed; any other object is taken as the JSON value it stands for. Values are equal as JSON is:
true is not 1, NaN is NaN, and the order of members never counts. A prediction that was cut off gets the
worst score, and the reason.
"""

from __future__ import annotations

import json
import re
from operator import eq
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.equality import canonical, equal
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError
from fieldwise.integrations.langchain._base import Strings
from fieldwise.integrations.langchain._reading import SPACE, read, read_prediction

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json

_NOT_ASCII: Final = re.compile(r"[^ -~]")


class JsonValidityEvaluator(Strings):
    """Whether a prediction is valid JSON, by itself or in a fence: 1, or 0 with the reason.

    Example:
        >>> JsonValidityEvaluator().evaluate_strings('{"a": 1,}')["score"]
        0
    """

    _name = "json_validity"
    _needs_reference = False

    def _evaluate_strings(self, *, prediction: Any, **_: Any) -> dict[str, Any]:
        try:
            read(prediction.strip(SPACE), strict=True)
        except (AttributeError, TypeError, ValueError) as error:  # no text, or no JSON
            return {"score": 0, "reasoning": str(error)}
        return {"score": 1}


class JsonEqualityEvaluator(Strings):
    """Whether a prediction and a reference are equal as JSON; the order of a top-level list never counts.

    Args:
        operator: compares the two values instead: `operator(prediction, reference)`. Its answer is the
            score. Top-level lists reach it sorted by canonical JSON.

    Raises:
        ConfigError: for an operator that cannot be called.

    Example:
        >>> same_total = lambda got, expected: got["total"] == expected["total"]
        >>> evaluator = JsonEqualityEvaluator(operator=same_total)
        >>> evaluator.evaluate_strings('{"total": 5, "n": 1}', reference='{"total": 5}')
        {'score': True}
    """

    _name = "parsed_equality"

    def __init__(self, operator: Callable[[Any, Any], Any] | None = None) -> None:
        self.operator = _function("operator", operator) or _equal

    def _evaluate_strings(self, *, prediction: Any, reference: Any = None, **_: Any) -> dict[str, Any]:
        (parsed, cut), label = read_prediction(prediction), _value(reference)
        if cut is not None:
            return {"score": False, "reasoning": cut}
        if isinstance(label, list):
            if not isinstance(parsed, list):
                return {"score": 0}
            parsed, label = sorted(parsed, key=_order), sorted(label, key=_order)
        return {"score": self.operator(parsed, label)}


class JsonEditDistanceEvaluator(Strings):
    """The distance between two JSON documents as text, 0.0 for equal ones: lower is better.

    Args:
        string_distance: the distance of two texts; by default the Damerau-Levenshtein distance over the
            longer length, in 0..1, by RapidFuzz.
        canonicalize: what writes a value as text; by default compact ASCII JSON with sorted names.

    Raises:
        ConfigError: for an option that cannot be called.

    Example:
        >>> JsonEditDistanceEvaluator().evaluate_strings('{"a":1}', reference='{"a":2}')["score"]
        0.14285714285714285
    """

    _name = "json_edit_distance"

    def __init__(
        self,
        string_distance: Callable[[str, str], float] | None = None,
        canonicalize: Callable[[Any], Any] | None = None,
    ) -> None:
        self._string_distance = _function("string_distance", string_distance) or _damerau_levenshtein
        self._canonicalize = _function("canonicalize", canonicalize)
        self._worst = 1.0 if string_distance is None else None  # of any other distance nobody knows it

    def _evaluate_strings(self, *, prediction: Any, reference: Any = None, **_: Any) -> dict[str, Any]:
        (parsed, cut), label = read_prediction(prediction), _value(reference)
        if cut is not None:
            return {"score": self._worst, "reasoning": cut}
        if self._canonicalize is not None:
            texts = self._canonicalize(parsed), self._canonicalize(label)
        else:
            texts = _texts(to_json(parsed), to_json(label))
        return {"score": self._string_distance(*texts)}


def _function(option: str, value: Any) -> Any:
    if value is None or callable(value):
        return value
    raise ConfigError(f"{option}={shown(value)}: must be a function, or None for the default")


def _value(given: Any) -> Any:
    return read(given) if isinstance(given, str) else given


def _equal(left: Any, right: Any) -> bool:
    try:
        return equal(to_json(left), to_json(right))
    except Unconvertible:  # an object that JSON has no form for equals what it says it does
        return bool(eq(left, right))


def _order(value: Any) -> str:
    try:
        return canonical(to_json(value))
    except Unconvertible:
        return str(value)


def _texts(parsed: Json, label: Json) -> tuple[str, str]:
    """Write both values; equal ones have one text, however their numbers are spelled."""
    try:
        written = [json.dumps(value, separators=(",", ":"), sort_keys=True) for value in (parsed, label)]
    except (RecursionError, TypeError, ValueError):  # deeper, or a larger number, than `json` writes
        written = [
            _NOT_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], canonical(value))
            for value in (parsed, label)
        ]
    if equal(parsed, label):
        written[0] = written[1]
    return written[0], written[1]


def _damerau_levenshtein(parsed: str, label: str) -> float:
    from rapidfuzz.distance import DamerauLevenshtein

    return float(DamerauLevenshtein.normalized_distance(parsed, label))
