"""The row of the nested invoice: twenty shuffled line items, every one with some noise, graded and aligned.

Everyone grades text by Levenshtein similarity, pairs the items so that the sum of their grades is greatest
(deepdiff: in its own way), and reports field by field. The floor is what one would write with numpy and
RapidFuzz for just these invoices; its scores are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tests.benchmarks import data, peers
from tests.benchmarks.duel import Contestant, duel
from tests.benchmarks.table import Line, Note

Record = dict[str, Any]

INVOICES: Final = 20
TARGETS: Final = {"stickler": 200.0, "deepdiff": 20.0, "floor": 1 / 3}
TEXT: Final = ("id", "name", "category", "restock")
NUMBERS: Final = ("price", "qty")
TOP: Final = ("invoice_number", "customer", "email", "issued", "currency", "note")
SHOWN: Final = 5


def nested(row: str, repeats: int) -> Iterator[Line | Note]:
    """A nested invoice, graded, its items aligned, with a full report."""
    pairs = data.invoices(INVOICES)
    for name in ("stickler", "deepdiff"):
        if not peers.installed(name):
            yield Note(peers.missing(name))
    graded = {**dict.fromkeys((*TOP, *(f"items[*].{name}" for name in TEXT)), "string_similarity")}
    ours = peers.fieldwise(
        depth="leaves",
        lists={"items": "same_elements"},
        list_aggregator="average",
        comparators={**graded, **{f"items[*].{name}": "numeric_diff" for name in NUMBERS}},
    )
    rivals = [
        *_of(
            "deepdiff ignore_order", peers.deepdiff(), pairs, "deepdiff", "a list of differences, no scores"
        ),
        *_stickler(pairs),
        Contestant(
            "floor: numpy and RapidFuzz, aligned",
            lambda: [floor(*pair) for pair in pairs],
            len(pairs),
            lambda reports: [_rounded(one) for one in reports],
            target=TARGETS["floor"],
        ),
    ]
    mine = Contestant(
        "fieldwise None, leaves, graded",
        lambda: [ours(*pair) for pair in pairs],
        len(pairs),
        lambda reports: [_rounded(one) for one in reports],
    )
    yield from duel(row, mine, rivals, repeats)


def _of(name: str, evaluate: peers.Evaluate | None, pairs: Sequence[data.Pair], aim: str, why: str) -> Any:
    if evaluate is None:
        return []
    few = pairs[: max(1, len(pairs) // 5)]
    return [Contestant(name, lambda: [evaluate(*one) for one in few], len(few), why=why, target=TARGETS[aim])]


def _stickler(pairs: Sequence[data.Pair]) -> list[Contestant]:
    """Its models are made beforehand; only the comparison counts."""
    made = peers.stickler(TOP, TEXT, NUMBERS)
    if made is None:
        return []
    few = [(made(outputs), made(reference)) for outputs, reference in pairs[:2]]
    return [
        Contestant(
            "stickler compare_with",
            lambda: [reference.compare_with(outputs) for outputs, reference in few],
            len(few),
            why="it compares one field with a threshold of its own, so its scores are others",
            target=TARGETS["stickler"],
        )
    ]


def _rounded(results: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    return {one["key"]: round(float(one["score"]), 9) for one in results}


# -------------------------------------------------------------------------------------------- floor


def floor(outputs: Record, reference: Record) -> list[Record]:
    """A result for each field of one invoice, as ours but with nothing stated, checked or bounded."""
    import numpy as np
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cdist
    from scipy.optimize import linear_sum_assignment

    wanted, came = reference["items"], outputs["items"]
    tables: dict[str, Any] = {}
    for name in TEXT:
        sides = [[one[name] or "" for one in side] for side in (came, wanted)]
        tables[name] = cdist(*sides, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
    for name in NUMBERS:
        actual, expected = (
            np.array([np.nan if one[name] is None else one[name] for one in side], dtype=float)
            for side in (came, wanted)
        )
        apart = np.abs(actual[:, None] - expected[None, :]) / np.abs(expected)
        graded = np.where(apart <= 0.01, 1.0, np.maximum(0.0, 1.0 - apart))
        tables[name] = np.nan_to_num(graded)
    rows, columns = linear_sum_assignment(sum(tables.values()), maximize=True)
    pairs = sorted(zip(rows.tolist(), columns.tolist(), strict=True), key=lambda pair: pair[1])

    results = []
    for name, table in tables.items():
        grades = [float(table[row, column]) for row, column in pairs]
        lines = [
            f"items[{column}].{name}: wanted {wanted[column][name]!r}, got {came[row][name]!r} [{grade:.3g}]"
            for (row, column), grade in zip(pairs, grades, strict=True)
            if grade < 1
        ]
        note = f"{len(lines)} of {len(grades)} not right: {'; '.join(lines[:SHOWN])}" if lines else None
        key = f"json_match:items[*].{name}"
        results.append({"key": key, "score": sum(grades) / len(grades), "comment": note})
    for name, value in reference.items():
        if name != "items":
            results.append(_single(name, value, outputs.get(name)))
    return results


def _single(name: str, wanted: Any, came: Any) -> Record:
    from rapidfuzz.distance import Levenshtein

    score = float(came == wanted)
    if not score and name in TOP and isinstance(came, str):
        score = Levenshtein.normalized_similarity(wanted, came)
    note = None if score == 1 else f"{name}: expected {wanted!r}, got {came!r}"
    return {"key": f"json_match:{name}", "score": score, "comment": note}
