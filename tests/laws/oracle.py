"""What json_match has to answer, found the slow and obvious way.

Recursive equality, every pairing of two lists tried, and nothing of the package used. Where several
pairings are equally good, every answer that one of them gives is acceptable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from math import isclose
from typing import Any, TypeAlias

Scores: TypeAlias = dict[str, float]
Pairing: TypeAlias = list[tuple[int | None, int | None]]

ABSENT: Any = object()


def same(left: Any, right: Any) -> bool:
    """JSON equality: true is not 1, 1 is 1.0, NaN is NaN."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right or (left != left and right != right)  # noqa: PLR0124
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[name], right[name]) for name in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


def fields(expected: Any, actual: Any) -> Scores:
    """The fields of two elements, or of one without a partner, each 1 or 0."""
    if isinstance(expected, dict) and (expected or isinstance(actual, dict)):
        wanted, came = expected, actual if isinstance(actual, dict) else {}
    elif expected is ABSENT and isinstance(actual, dict) and actual:
        wanted, came = {}, actual
    else:
        return {"$": float(expected is not ABSENT and actual is not ABSENT and same(expected, actual))}
    names = {**wanted, **came}
    return {name: float(name in wanted and name in came and same(wanted[name], came[name])) for name in names}


def hits(expected: Any, actual: Any) -> int:
    """How many fields of a pair are equal; elements without members are one field."""
    if same(expected, actual) and not (isinstance(expected, dict) and expected):
        return 1
    return int(sum(fields(expected, actual).values()))


def pairings(outputs: Sequence[Any], reference: Sequence[Any], mode: str) -> Iterator[Pairing]:
    """Every pairing that has the most equal fields and, of those, the most equal elements."""
    if mode == "ordered":
        most = max(len(outputs), len(reference))
        yield [(at if at < len(outputs) else None, at if at < len(reference) else None) for at in range(most)]
        return
    found = list(_one_to_one(len(outputs), len(reference)))
    worth = [_worth(pairs, outputs, reference) for pairs in found]
    for pairs, worthy in zip(found, worth, strict=True):
        if worthy == max(worth):
            yield _with_rest(pairs, len(outputs), len(reference), mode)


def most_hits(outputs: Sequence[Any], reference: Sequence[Any]) -> int:
    """The most equal fields that any one-to-one pairing reaches."""
    return max(_worth(pairs, outputs, reference)[0] for pairs in _one_to_one(len(outputs), len(reference)))


def acceptable(
    outputs: Any,
    reference: Any,
    *,
    aggregator: str | None = None,
    list_aggregator: str = "all",
    list_match_mode: str = "same_elements",
    exclude_keys: Sequence[str] = (),
) -> list[Scores]:
    """Every answer that the laws allow, without the prefix of the keys."""
    left, right = _without(outputs, exclude_keys), _without(reference, exclude_keys)
    for kind in (dict, list):
        if isinstance(right, kind) and not isinstance(left, kind):
            return [_misfit(right, aggregator)]
    if not (isinstance(left, list) and isinstance(right, list)):
        return [_fold([fields(right, left)], aggregator, None)]
    answers: list[Scores] = []
    for pairs in pairings(left, right, list_match_mode):
        records = [
            fields(ABSENT if at is None else right[at], ABSENT if came is None else left[came])
            for came, at in pairs
            if not _both_empty(left, right, came, at)
        ]
        answer = _fold(records, aggregator, list_aggregator)
        if answer not in answers:
            answers.append(answer)
    return answers


def agrees(scores: dict[str, Any], answers: Sequence[Scores]) -> bool:
    """Whether the scores are one of the acceptable answers, but for rounding."""
    return any(
        scores.keys() == answer.keys()
        and all(scores[key] is not None and isclose(scores[key], answer[key]) for key in answer)
        for answer in answers
    )


def _one_to_one(rows: int, columns: int) -> Iterator[list[tuple[int, int]]]:
    if rows <= columns:
        for chosen in permutations(range(columns), rows):
            yield list(enumerate(chosen))
    else:
        for chosen in permutations(range(rows), columns):
            yield [(row, column) for column, row in enumerate(chosen)]


def _worth(
    pairs: Sequence[tuple[int, int]], outputs: Sequence[Any], reference: Sequence[Any]
) -> tuple[int, int]:
    total = sum(hits(reference[at], outputs[came]) for came, at in pairs)
    return total, sum(same(reference[at], outputs[came]) for came, at in pairs)


def _with_rest(pairs: Sequence[tuple[int, int]], rows: int, columns: int, mode: str) -> Pairing:
    whole: Pairing = list(pairs)
    if mode != "subset":
        whole += [(None, at) for at in range(columns) if at not in {column for _, column in pairs}]
    if mode != "superset":
        whole += [(came, None) for came in range(rows) if came not in {row for row, _ in pairs}]
    return whole


def _without(document: Any, names: Sequence[str]) -> Any:
    if isinstance(document, dict):
        return {name: value for name, value in document.items() if name not in names}
    if isinstance(document, list):
        return [_without(one, names) if isinstance(one, dict) else one for one in document]
    return document


def _both_empty(left: Sequence[Any], right: Sequence[Any], came: int | None, at: int | None) -> bool:
    return came is not None and at is not None and left[came] == {} and right[at] == {}


def _misfit(reference: Any, aggregator: str | None) -> Scores:
    if aggregator is not None:
        return {aggregator: 0.0}
    records = reference if isinstance(reference, list) else [reference]
    names = {name for one in records if one != {} for name in fields(one, one)}
    return dict.fromkeys(names or {"$"}, 0.0)


def _fold(records: Sequence[Scores], aggregator: str | None, across: str | None) -> Scores:
    if aggregator is not None:
        scores = [_folded(list(one.values()), aggregator) for one in records if one]
        return {aggregator: _folded(scores, across or "average") if scores else 1.0}
    names = {name for one in records for name in one}
    found = {name: [one[name] for one in records if name in one] for name in names}
    folded = {name: _folded(scores, across or "average") for name, scores in found.items()}
    return folded or {"$": 1.0}


def _folded(scores: Sequence[float], how: str) -> float:
    return float(all(score == 1 for score in scores)) if how == "all" else sum(scores) / len(scores)
