"""What a line of results must be: files are read by hand, mended by hand, and not believed.

1. A fault is one text, which says where in the line, what is there, and what must be.
2. Scores of evaluation sets go from 0 to 1, those of distances from 0; other results may have any number.
3. An evaluator that had criteria for an item gave results: leaving them out hides a score.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import inf, isfinite
from typing import Any, Final, NoReturn, TypeAlias, get_args

from fieldwise._types import Status
from fieldwise.core.display import one_line
from fieldwise.core.equality import preview
from fieldwise.evalsets.model import ItemResult, Outcome
from fieldwise.evalsets.results.header import Header

Check: TypeAlias = tuple[Callable[[Any], bool], str]
"""Whether a value is right, and what it must be."""

_STATUSES: Final = frozenset(get_args(Status))
_OUTCOMES: Final = frozenset(get_args(Outcome))


class BadLine(ValueError):
    """A line that was written whole and is no result; the message says why."""


def _number(value: Any) -> bool:
    return type(value) in (int, float) and -inf < value < inf


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _object(value: Any) -> bool:
    return isinstance(value, dict)


def _whole(value: Any) -> bool:
    return type(value) is int and value >= 0


TEXT: Final[Check] = (_text, "text")
OBJECT: Final[Check] = (_object, "an object")
_WHOLE: Final[Check] = (_whole, "a whole number from 0")
_WORDS: Final[Check] = (lambda value: value is None or _text(value), "text or null")
_ID: Final[Check] = (lambda value: _text(value) and bool(value), "text")
_HEADER: Final[Mapping[str, Check]] = {
    **dict.fromkeys(("run", "set", "name", "file", "digest", "started"), TEXT),
    "items": _WHOLE,
    "evaluators": (
        lambda value: _object(value) and all(map(_object, value.values())),
        "an object of objects",
    ),
    "made_with": OBJECT,
    "digests": (lambda value: _object(value) and all(map(_text, value.values())), "an object of texts"),
}
_ITEM: Final[Mapping[str, Check]] = {
    "item": _ID,
    "name": TEXT,
    "repeat": _WHOLE,
    "outcome": (lambda value: _text(value) and value in _OUTCOMES, f"one of {', '.join(sorted(_OUTCOMES))}"),
    "error": _WORDS,
    "seconds": (lambda value: value is None or (_number(value) and value >= 0), "a number from 0, or null"),
    "spans": (lambda value: isinstance(value, list) and all(map(_object, value)), "a list of objects"),
    "criteria": OBJECT,
    "results": OBJECT,
}
_RESULT: Final[Mapping[str, Check]] = {
    "key": _ID,
    "score": (
        lambda value: value is None or isinstance(value, bool) or _number(value),
        "a finite number, true, false or null",
    ),
    "comment": _WORDS,
    "metadata": OBJECT,
    "extra": OBJECT,
}
_EXTRA: Final[Mapping[str, Check]] = {
    "status": (lambda value: _text(value) and value in _STATUSES, f"one of {', '.join(sorted(_STATUSES))}"),
    "passed": (lambda value: value is None or isinstance(value, bool), "true, false or null"),
    "lower_is_better": (lambda value: isinstance(value, bool), "true or false"),
    "support": (_number, "a number"),
}
_OWN: Final = ("key", "score", "comment", "metadata", "extra")


# ------------------------------------------------------------------------------------------ as JSON


def parsed(line: bytes | str) -> Any:
    """Return a line of JSON; None for what is none.

    Raises:
        BadLine: it has a number that JSON lacks or no float holds.

    >>> parsed(b'{"a": 1}'), parsed(b'{"a": ')
    ({'a': 1}, None)
    """
    try:
        return _DECODER.decode(line if isinstance(line, str) else line.decode())
    except BadLine:
        raise
    except (ValueError, TypeError, RecursionError, AttributeError):
        return None


def _no_number(token: str) -> NoReturn:
    raise BadLine(f"{one_line(token, 40)} is no finite number")


def _finite(token: str) -> float:
    value = float(token)
    return value if isfinite(value) else _no_number(token)


_DECODER: Final = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)


# ----------------------------------------------------------------------------------------- checking


def read_header(line: Mapping[str, Any]) -> Header:
    """Return the header that a line is.

    Raises:
        BadLine: it is none.
    """
    _refuse(_fault(line, _HEADER), "")
    return Header.from_dict(line)


def read_item(line: Any) -> ItemResult:
    """Return the result that a line is.

    Raises:
        BadLine: it is none.

    >>> read_item({"item": "a", "results": {"E": []}})
    Traceback (most recent call last):
    fieldwise.evalsets.results.lines.BadLine: item 'a': results of 'E': is [], and must be a list of results
    """
    if not isinstance(line, dict):
        raise BadLine(f"is {preview(line)}, and must be an object")
    fault = _fault(line, _ITEM, needed=("item",))
    place = f"item {line['item']!r}: " if _text(line.get("item")) else ""
    _refuse(fault, place)
    results = line.get("results", {})
    for name in line.get("criteria", {}):
        if name not in results:
            raise BadLine(f"{place}has criteria for {name!r}, and no results of it")
    for name, given in results.items():
        _refuse(_results_fault(given), f"{place}results of {name!r}: ")
    return ItemResult.from_dict(line)


def _refuse(fault: str | None, place: str) -> None:
    if fault is not None:
        raise BadLine(place + fault)


def _results_fault(given: Any) -> str | None:
    if not isinstance(given, list) or not given:
        return f"is {preview(given)}, and must be a list of results"
    return next(filter(None, (result_fault(one) or _range_fault(one) for one in given)), None)


def result_fault(one: Any, needed: tuple[str, ...] = _OWN) -> str | None:
    """Say what is wrong with one result of an evaluator of any kind; None: nothing.

    >>> result_fault({"key": "k", "score": "high", "extra": {}}, ("key", "score", "extra"))
    'score is "high", and must be a finite number, true, false or null'
    """
    if not isinstance(one, dict):
        return f"is {preview(one)}, and must be an object"
    fault = _fault(one, _RESULT, needed)
    return _fault(one["extra"], _EXTRA) if fault is None else fault


def _range_fault(one: Mapping[str, Any]) -> str | None:
    score, lower = one["score"], one["extra"].get("lower_is_better")
    if score is None:
        graded = one["extra"].get("status") == "graded"
        return "score is null, and must be a number where the status is graded" if graded else None
    if score < 0 or (score > 1 and not lower):
        return f"score is {preview(score)}, and must be from 0{'' if lower else ' to 1'}"
    return None


def _fault(given: Mapping[str, Any], checks: Mapping[str, Check], needed: tuple[str, ...] = ()) -> str | None:
    for name in needed:
        if name not in given:
            return f"has no {name!r}"
    for name, (right, what) in checks.items():
        if name in given and not right(given[name]):
            return f"{name} is {preview(given[name])}, and must be {what}"
    return None
