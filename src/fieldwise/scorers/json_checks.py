"""Checks of whole JSON documents: are they equal, is a text JSON, how far apart are they as text.

Every text is parsed, a number or a literal alone included; text that is no JSON is the fault of its side.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, TypeAlias, Unpack

from fieldwise._types import MultipleJson
from fieldwise.core.compare import unfit
from fieldwise.core.conversion import to_json
from fieldwise.core.display import said, shown
from fieldwise.core.equality import canonical, equal
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError
from fieldwise.scorers import distances, options
from fieldwise.scorers.differences import differences
from fieldwise.scorers.rewrite import rewritten
from fieldwise.scorers.single import Grade, single

if TYPE_CHECKING:
    from fieldwise._types import ParseMode
    from fieldwise.core.read import Documents
    from fieldwise.scorers.plan import Plan

Operator: TypeAlias = Callable[[Any, Any], Any]


@options.READING.named
def json_equality(
    *,
    operator: Operator | None = None,
    feedback_key: str = "json_equality",
    threshold: float = 1.0,
    **reading: Unpack[options.Reading],
) -> Plan:
    """Check whether both sides are the same JSON document.

    Both are parsed first. Names may come in any order, elements may not; `true` is not 1, and 1 is 1.0.

    Args:
        operator: decides instead, `(output, reference) -> bool` or a number in 0..1, which is the score.
            When it raises, or returns anything else, nothing is graded.
        reading: how both sides are read; see `options.Reading`.
        feedback_key: replaces `json_equality` as the key.
        threshold: what the score of an operator has to reach to have passed; in (0, 1].

    Returns:
        One result with a score of True or False, or the operator's; None where the reference is no JSON.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_json_equality_evaluator()
        >>> evaluate(outputs='{"a": 1, "b": 2}', reference_outputs={"b": 2, "a": 1.0})["score"]
        True
    """
    if operator is not None:
        _takes_two("operator", operator, "a callable(output, reference) -> bool or a number in 0..1")
    reader = options.reader(**reading)
    drop = reader.null_policy == "null_equals_missing"

    def check(documents: Documents) -> Grade:
        expected, actual = _both(documents, drop=drop)
        if operator is not None:
            return _answer("operator", operator, actual, expected)
        same = equal(expected, actual)
        return Grade(same, None if same else differences(expected, actual).comment())

    return single(
        "json_equality",
        check,
        replace(reader, scalars=True),
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        worst=False,
    )


@options.READING.named
def json_edit_distance(
    *,
    string_distance: Callable[[str, str], float] | None = None,
    feedback_key: str = "json_edit_distance",
    threshold: float = 0.0,
    **reading: Unpack[options.Reading],
) -> Plan:
    """Measure how far apart two documents are as text: 0.0 is identical, lower is better.

    Both are written as canonical JSON: sorted names, no spaces, characters as they are, one form a number.
    The distance is Damerau-Levenshtein's over the length of the longer text. It is exact up to 6,300 x 6,300
    characters; longer texts are compared in pieces, which is an upper bound, and the comment says so. An
    output that is no JSON is 1.0.

    Args:
        string_distance: measures instead, `(output, reference) -> number` in 0..1 of the canonical texts.
            When it raises, or returns anything else, nothing is graded.
        reading: how both sides are read; see `options.Reading`.
        feedback_key: replaces `json_edit_distance` as the key.
        threshold: what the distance may be at most to have passed; in [0, 1).

    Returns:
        One result with a distance in 0..1; None where the reference is no JSON.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_json_edit_distance_evaluator()
        >>> evaluate(outputs='{"a": 1}', reference_outputs='{"a": 2}')["score"]
        0.14285714285714285
    """
    if string_distance is not None:
        _takes_two("string_distance", string_distance, "a callable(output, reference) -> a number in 0..1")
    allowed = _distance("threshold", threshold)
    reader = options.reader(**reading)
    drop = reader.null_policy == "null_equals_missing"

    def check(documents: Documents) -> Grade:
        expected, actual = (canonical(side) for side in _both(documents, drop=drop))
        if string_distance is not None:
            found = _answer("string_distance", string_distance, actual, expected)
            return replace(found, score=float(found.score)) if found.score is not None else found
        note = distances.note(actual, expected, distances.DAMERAU_CELLS)
        return Grade(distances.damerau_levenshtein(actual, expected), note)

    return single(
        "json_edit_distance",
        check,
        replace(reader, scalars=True),
        feedback_key=feedback_key,
        threshold=allowed,
        lower_is_better=True,
    )


TRANSPORT: Final = frozenset({"bom", "fenced", "thinking", "multiple_json", "duplicate_keys"})
"""What `parse` may have noted of a text that is JSON all the same: wrapping, and names given twice."""

_EXCUSED: Final[dict[str, str]] = {"prose": "fenced", "repeated_json": "thinking"}
"""What counts as wrapping only beside something else: prose around a fence, drafts in a thinking block."""

_WHY: Final[dict[str, str]] = {
    "non_finite": "NaN and Infinity are no JSON numbers",
    "prose": "there is text around the value",
    "repeated_json": "the value is written several times",
}


def json_validity(
    *,
    outputs_key: str | None = None,
    parse: ParseMode = "lenient",
    multiple_json: MultipleJson = "error",
    feedback_key: str = "json_validity",
) -> Plan:
    """Check whether an output is valid JSON; no reference is needed, and one that is given is ignored.

    A fence, a byte order mark and a thinking block are how JSON is sent, not part of it. Names given twice
    are legal and told in `extra["parse"]`. Anything that has to be repaired, completed or guessed is not
    valid, nor are NaN and Infinity. A value that is no text is JSON if it has a JSON form.

    Args:
        outputs_key: the key or path of the value to check in the outputs.
        parse: "lenient" as above; "strict": the text is JSON and nothing else, every name given once.
        multiple_json: which value counts when a text holds several that differ.
        feedback_key: replaces `json_validity` as the key.

    Returns:
        One result with a score of True or False.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_json_validity_evaluator()
        >>> evaluate(outputs='{"a": 1}')["score"], evaluate(outputs='{"a": 1,}')["comment"]
        (True, 'not JSON as it stands: trailing_comma')
    """
    mode = options.one_of("parse", parse, ("lenient", "strict"))
    multiple: MultipleJson = options.one_of("multiple_json", multiple_json, MultipleJson)

    def check(documents: Documents) -> Grade:
        from fieldwise.core.parse import Parsed, parse

        if not isinstance(documents.actual, str):
            return _finite(documents.actual)
        read = parse(documents.actual, mode=mode, multiple=multiple, scalars=True)  # type: ignore[arg-type]
        extra = {"parse": {"outputs": list(read.ledger)}} if read.ledger else {}
        if not isinstance(read, Parsed):
            return Grade(score=False, comment=read.reason.partition("; allow ")[0], extra=extra)
        notes = set(read.ledger)
        wrong = [
            note for note in read.ledger if note not in TRANSPORT and _EXCUSED.get(note, "") not in notes
        ]
        why = "; ".join(_WHY.get(note, note) for note in wrong)
        return Grade(not wrong, f"not JSON as it stands: {why}" if wrong else None, extra=extra)

    reader = options.reader(outputs_key=outputs_key, parse="off", multiple_json=multiple)
    return single(
        "json_validity",
        check,
        replace(reader, unwrap=False),
        feedback_key=feedback_key,
        requires_reference=False,
        worst=False,
        prepare=lambda outputs, _: (outputs if outputs_key is not None else unwrapped(outputs), None),
    )


def unwrapped(value: Any) -> Any:
    """Return what LangSmith wrapped: a sole key `output` whose value is no object.

    >>> unwrapped({"output": "[1]"}), unwrapped('{"output": 1}')
    ('[1]', '{"output": 1}')
    """
    if not issubclass(type(value), dict) or dict.keys(value) != {"output"}:  # whatever a subclass says
        return value
    inner = dict.get(value, "output")
    return value if issubclass(type(inner), dict) else inner


def _finite(value: Any) -> Grade:
    """Whether a value that is no text has a JSON text."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, float) and not math.isfinite(one):
            return Grade(score=False, comment=f"not JSON as it stands: {_WHY['non_finite']}")
        if isinstance(one, dict | list):
            stack.extend(one.values() if isinstance(one, dict) else one)
    return Grade(score=True)


def _both(documents: Documents, *, drop: bool) -> tuple[Any, Any]:
    expected: Any = documents.expected
    actual: Any = documents.actual
    return (rewritten(expected, drop=True), rewritten(actual, drop=True)) if drop else (expected, actual)


def _distance(option: str, value: Any) -> float:
    """Check a threshold of a distance: at 1 everything would pass."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1:
        raise ConfigError(f"{option}={shown(value)}: must be a distance of at least 0 and below 1")
    return float(value)


def _takes_two(option: str, value: Any, fix: str) -> None:
    """Check that an option is a plain callable of two values, as far as its signature tells."""
    problem = unfit(value) if callable(value) else "it cannot be called"
    if problem:
        raise ConfigError(f"{option}={shown(value)}: {problem}; give {fix}")


def _answer(option: str, function: Operator, actual: Any, expected: Any) -> Grade:
    """What a user's function says of both sides, if it is a bool or a number in 0..1."""
    try:
        score = function(actual, expected)
    except Exception as error:  # noqa: BLE001 - whatever a user's callable raises is a status
        return Grade(None, f"{option} raised {said(error)}", "not_evaluated")
    try:
        plain = to_json(score)
    except Unconvertible:
        plain = None
    if isinstance(plain, bool):
        return Grade(plain)
    if isinstance(plain, int | float | Decimal) and 0 <= plain <= 1:
        return Grade(float(plain))
    why = f"{option} returned {shown(score)}; it must be a bool or a number in 0..1"
    return Grade(None, why, "not_evaluated")
