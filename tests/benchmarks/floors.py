"""Hand-written floors: what one would write for just this data, with none of the laws.

They compare with `==` (so True is 1), know the shape in advance, explain nothing and take no options; that
of lists also relies on most items having a value of their own. They show how near the general evaluator is
to what Python itself costs.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import eq, itemgetter
from typing import Any

Record = dict[str, Any]
ABSENT = object()


def mean(outputs: Record, reference: Record) -> float:
    """The share of equal fields among those of either side."""
    right = 0
    for name, wanted in reference.items():
        if outputs.get(name, ABSENT) == wanted:
            right += 1
    extra = sum(name not in reference for name in outputs)
    return right / (len(reference) + extra)


def result_dicts(outputs: Record, reference: Record) -> list[Record]:
    """One small result dict for each field."""
    results: list[Record] = []
    for name, wanted in reference.items():
        came = outputs.get(name, ABSENT)
        right = came == wanted
        comment = None if right else f"{name}: expected {wanted!r}, got {came!r}"
        results.append({"key": f"json_match:{name}", "score": float(right), "comment": comment})
    results += [
        {"key": f"json_match:{name}", "score": 0.0, "comment": "not expected"}
        for name in outputs
        if name not in reference
    ]
    return results


def list_mean(outputs: list[Record], reference: list[Record]) -> float:
    """Pair two lists of items with the same names: equal rows by hash, the rest by values only one has."""
    row = itemgetter(*reference[0])
    wanted = list(map(row, reference))
    waiting: dict[Hashable, list[int]] = {}
    for index, values in enumerate(wanted):
        waiting.setdefault(values, []).append(index)
    left = []
    for values in map(row, outputs):
        if waiting.get(values):
            waiting[values].pop()
        else:
            left.append(values)
    rest = [wanted[index] for indices in waiting.values() for index in indices]
    right = len(outputs) - len(left) + _leftovers(left, rest) / len(reference[0])
    return right / max(len(outputs), len(reference))


def _leftovers(left: list[tuple[Any, ...]], rest: list[tuple[Any, ...]]) -> int:
    """Give each row the one that its own values point at most; return how many fields are equal."""
    holder: dict[Hashable, int] = {}
    for index, values in enumerate(rest):
        for field in enumerate(values):
            holder[field] = -1 if field in holder else index
    free = set(range(len(rest)))
    right = 0
    for values in left:
        pointed = free.intersection([holder.get(field, -1) for field in enumerate(values)]) or free
        equal, best = max((sum(map(eq, values, rest[at])), at) for at in pointed)
        free.discard(best)
        right += equal
    return right
