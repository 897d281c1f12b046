"""Hand-written floors: what one would write for just this data, with none of the laws.

They compare with `==` (so True is 1), know the shape in advance, explain nothing and take no options. They
show how near the general evaluator is to what Python itself costs.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable
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
    """Pair two lists of items with the same names: equal rows by hash, the rest by most equal fields."""
    names = list(reference[0])
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    wanted = [tuple(item[name] for name in names) for item in reference]
    for index, row in enumerate(wanted):
        waiting[row].append(index)
    left = []
    for item in outputs:
        came = tuple(item[name] for name in names)
        if waiting.get(came):
            waiting[came].pop()
        else:
            left.append(came)
    rest = {index for indices in waiting.values() for index in indices}
    right = _leftovers(left, {index: wanted[index] for index in rest})
    return (len(outputs) - len(left) + right / len(names)) / max(len(outputs), len(reference))


def _leftovers(left: list[tuple[Any, ...]], wanted: dict[int, tuple[Any, ...]]) -> int:
    """Give each row the untaken one it shares most fields with; return how many fields are shared."""
    holders: dict[Hashable, list[int]] = defaultdict(list)
    for index, row in wanted.items():
        for field in enumerate(row):
            holders[field].append(index)
    taken: set[int] = set()
    right = 0
    for row in left:
        votes = Counter(index for field in enumerate(row) for index in holders.get(field, ()))
        best = next((index for index, _ in votes.most_common() if index not in taken), None)
        if best is not None:
            taken.add(best)
            right += votes[best]
    return right
