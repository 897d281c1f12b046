"""How extraction went, counted: what was found, got wrong, missed and invented.

Every place of a field comes out in one of five ways, by whether a value was wanted and whether one came:

| | a value came, right | a value came, wrong | no value came |
|---|---|---|---|
| wanted | true_positive | false_discovery | false_negative |
| not wanted | - | false_alarm | true_negative |

null and no value both count as none here; whether they are *equal* is `null_policy`'s to say. Counts of
places add up, over places, fields, records and runs; `rates` turns them into what people quote:

- precision: right values / values that came
- recall: right values / values that were wanted
- f1: the harmonic mean of the two
- invention_rate: false alarms / places where no value was wanted
- omission_rate: false negatives / places where one was wanted

A rate with nothing to divide by is not graded: nobody knows the precision of a field that never came.
"""

from __future__ import annotations

from collections import Counter
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fieldwise._types import EvaluatorResult, Json, Missing

RIGHT: Final = "true_positive"
WRONG: Final = "false_discovery"
OMITTED: Final = "false_negative"
INVENTED: Final = "false_alarm"
NOTHING: Final = "true_negative"

OUTCOMES: Final = (INVENTED, OMITTED, WRONG, RIGHT, NOTHING)
"""The five, the worst first."""

_CAME: Final = {RIGHT: 1, WRONG: 1, INVENTED: 1}
_WANTED: Final = {RIGHT: 1, WRONG: 1, OMITTED: 1}

RATES: Final[dict[str, tuple[Mapping[str, int], Mapping[str, int], str]]] = {
    "precision": ({RIGHT: 1}, _CAME, "no value came"),
    "recall": ({RIGHT: 1}, _WANTED, "no value was wanted"),
    "f1": ({RIGHT: 2}, {RIGHT: 2, WRONG: 2, INVENTED: 1, OMITTED: 1}, "no value was wanted and none came"),
    "invention_rate": ({INVENTED: 1}, {INVENTED: 1, NOTHING: 1}, "a value was wanted everywhere"),
    "omission_rate": ({OMITTED: 1}, _WANTED, "no value was wanted"),
}
"""Rate to what is divided by what, each as a weighted sum of counts, and why there may be none."""

_AGGREGATE: Final = "aggregate_score"
_OWED: Final = ("judge_error", "not_evaluated", "invalid_reference")


def outcome_of(expected: Json | Missing, actual: Json | Missing, *, right: bool) -> str:
    """Name how a place came out, by whether a value was wanted, came, and was right.

    >>> outcome_of("Oslo", None, right=False)
    'false_negative'
    """
    wanted = expected is not MISSING and expected is not None
    came = actual is not MISSING and actual is not None
    if wanted and came:
        return RIGHT if right else WRONG
    if wanted:
        return OMITTED
    return INVENTED if came else NOTHING


def rates(counts: Mapping[str, int]) -> dict[str, float | None]:
    """Return every rate of some counts; None where there is nothing to divide by.

    >>> rates({"true_positive": 3, "false_discovery": 1})["precision"]
    0.75
    >>> rates({"true_negative": 2})["recall"] is None
    True
    """
    return {
        name: _sum(counts, above) / whole if (whole := _sum(counts, under)) else None
        for name, (above, under, _) in RATES.items()
    }


def add(results: Iterable[EvaluatorResult]) -> Counter[str]:
    """Return the counts of some results, each from its `extra["outcomes"]`, added up."""
    total: Counter[str] = Counter()
    for one in results:
        total.update(one["extra"].get("outcomes", {}))
    return total


def summarise(
    blank: list[EvaluatorResult], records: Iterable[list[EvaluatorResult]]
) -> list[EvaluatorResult]:
    """Sum up what multi_field found over records: the rates of each field, then micro and macro.

    The options are those of `create_multi_field_evaluator`. The evaluator is called with two lists,
    `outputs` and `reference_outputs`, and returns `{"results": [...]}` with `multi_field:<path>:<rate>`
    for each field, then `multi_field:micro:<rate>` (of all counts added up) and `multi_field:macro:<rate>`
    (the mean over the fields that have the rate). The rates are those of `RATES`, in 0..1: precision,
    recall, f1, and the lower the better invention_rate and omission_rate. A rate with nothing to divide by
    has no score and says why. Records that could not be graded are left out; `coverage` tells the share
    of the others, None where there was no record.

    Raises:
        ConfigError: for a field whose keys would be those of micro or macro.
    """
    # `blank`, the results of no record, names the fields; the aggregate comes last.
    fields, prefix = blank[:-1], blank[-1]["key"].removesuffix(f":{_AGGREGATE}")
    for one in fields:
        if one["key"] in {f"{prefix}:micro", f"{prefix}:macro"}:
            path = one["extra"]["path"]
            raise ConfigError(f"fields: {path!r} is the name of a mean over fields; write it as '/{path}'")
    counts: list[Counter[str]] = [Counter() for _ in fields]
    seen, owed = [0] * len(fields), [0] * len(fields)
    for results in records:
        for at, one in enumerate(results[: len(fields)]):
            counts[at].update(one["extra"].get("outcomes", {}))
            seen[at] += 1
            owed[at] += one["extra"]["status"] in _OWED
    coverage = [1 - late / all_ if all_ else None for late, all_ in zip(owed, seen, strict=True)]
    found: list[EvaluatorResult] = []
    for one, here, covered in zip(fields, counts, coverage, strict=True):
        found += _rows(one["key"], str(one["extra"]["path"]), here, covered)
    due = [one for one in coverage if one is not None]
    whole = fsum(due) / len(due) if due else None
    found += _rows(f"{prefix}:micro", "$", sum(counts, Counter()), whole)
    return found + _macro(f"{prefix}:macro", counts, whole)


def _rows(key: str, path: str, counts: Mapping[str, int], coverage: float | None) -> list[EvaluatorResult]:
    """The rates of one field, or of all together."""
    rows = []
    for name, value in rates(counts).items():
        above, under, why = RATES[name]
        whole = _sum(counts, under)
        shown = {word: counts[word] for word in OUTCOMES if counts.get(word)}
        more = {"outcomes": shown, "support": whole, "coverage": coverage}
        note = f"{_sum(counts, above)} of {whole}" if value is not None else why
        rows.append(_row(f"{key}:{name}", path, value, note, more))
    return rows


def _macro(key: str, counts: Sequence[Mapping[str, int]], coverage: float | None) -> list[EvaluatorResult]:
    rows = []
    for name in RATES:
        graded = [value for one in counts if (value := rates(one)[name]) is not None]
        value = fsum(graded) / len(graded) if graded else None
        note = f"the mean over {len(graded)} of {len(counts)} fields" if graded else "no field has it"
        rows.append(_row(f"{key}:{name}", "$", value, note, {"support": len(graded), "coverage": coverage}))
    return rows


def _row(key: str, path: str, value: float | None, note: str, more: Mapping[str, Any]) -> EvaluatorResult:
    status = "graded" if value is not None else "not_applicable"
    extra: dict[str, Any] = {"status": status, "path": path, **more}
    if value is None:
        extra["reason"] = note
    return {"key": key, "score": value, "comment": note, "metadata": extra, "extra": extra}


def _sum(counts: Mapping[str, int], weights: Mapping[str, int]) -> int:
    return sum(counts.get(name, 0) * weight for name, weight in weights.items())
