"""What the template shows of a run: numbers as text, bars as coordinates.

A bar lies in a box 100 wide; scores past 1 make the box of their evaluator longer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import floor
from typing import TYPE_CHECKING, Final

from fieldwise.report.html._book import field_name
from fieldwise.report.html._pairs import pairs
from fieldwise.report.html._verdicts import VERDICTS
from fieldwise.report.words import NOTHING, mean, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fieldwise.core.statistics.spread import Bounds
    from fieldwise.report.html._book import Book, Evaluator, Measure
    from fieldwise.report.html._pairs import Pair
    from fieldwise.report.html._verdicts import Verdict

MAX_FIELDS: Final = 60
"""How many fields of an evaluator have a bar: those that cost most."""

_INNER: Final = 10
_METHODS: Final = {
    "wilson": "Wilson's interval of a share",
    "bootstrap": "a bootstrap over items",
    "normal": "the normal approximation over items",
}
_SMALL: Final = 0.001


@dataclass(frozen=True, slots=True)
class Change:
    """How a measure differs from the other run's."""

    other: str
    difference: str
    interval: str
    p: str
    better: int
    worse: int
    items: int
    direction: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A mean and its interval, in a box 100 wide."""

    x: float
    low: float | None
    high: float | None
    other: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A measure as a line of the table."""

    name: str
    mean: str
    interval: str
    method: str
    passed: str
    graded: int
    coverage: str
    bar: Bar | None
    change: Change | None = None
    lower: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """An evaluator and its fields, of which `more` are not shown; notes say what else it counts by."""

    whole: Line
    fields: list[Line]
    more: int
    notes: list[str]


@dataclass(frozen=True, slots=True)
class Bin:
    """A column of a histogram: which scores, how many, and how high out of 100."""

    label: str
    count: int
    height: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """How the scores of an evaluator are spread."""

    name: str
    bins: list[Bin]


def overall(book: Book, compared: dict[tuple[str, ...], Pair]) -> Line:
    """Return the line of the items as wholes; one that should have a score and has none did not pass."""
    return replace(_line(book.whole, compared.get(())), passed=percent(book.pass_rate))


def groups(book: Book, compared: dict[tuple[str, ...], Pair]) -> list[Group]:
    """Return the evaluators, the fields of each by what they cost."""
    return [_group(name, one, book, compared) for name, one in book.evaluators.items()]


def comparisons(book: Book, other: Book | None) -> dict[tuple[str, ...], Pair]:
    """Return what differs between two runs; nothing where there is one."""
    return {} if other is None else dict(pairs(book, other))


def verdicts(measure: Measure) -> list[tuple[Verdict, int, float, float]]:
    """Return each label with its count, and where its part of a bar 100 wide begins and how wide it is."""
    total = sum(measure.verdicts.values()) or 1
    found, x = [], 0.0
    for name in VERDICTS:
        wide = 100 * measure.verdicts[name] / total
        found.append((name, measure.verdicts[name], round(x, 3), round(wide, 3)))
        x += wide
    return found


def histograms(book: Book) -> list[Histogram]:
    """Return a histogram of each evaluator that has scores."""
    found = []
    for one in book.evaluators.values():
        scores = [score for some in one.whole.scores.values() for score in some]
        if scores:
            found.append(Histogram(one.whole.name, list(_bins(scores))))
    return found


def _bins(scores: Sequence[float]) -> Iterator[Bin]:
    """0 and 1 alone, tenths between; of other scores twelve equal parts of their range."""
    low, high = min(scores), max(scores)
    if low >= 0 and high <= 1:
        at = [0 if one == 0 else _INNER + 1 if one == 1 else 1 + floor(one * _INNER) for one in scores]
        labels = ["0", *(f"{k / _INNER:g} to {(k + 1) / _INNER:g}" for k in range(_INNER)), "1"]
    else:
        step = (high - low) / (_INNER + 2) or 1.0
        at = [min(_INNER + 1, floor((one - low) / step)) for one in scores]
        labels = [f"{low + k * step:.4g} to {low + (k + 1) * step:.4g}" for k in range(_INNER + 2)]
    counts = [at.count(k) for k in range(len(labels))]
    most = max(counts)
    for label, number in zip(labels, counts, strict=True):
        yield Bin(label, number, round(100 * number / most, 2))


def _group(name: str, one: Evaluator, book: Book, compared: dict[tuple[str, ...], Pair]) -> Group:
    rows = sorted(one.fields.items(), key=lambda pair: -_cost(pair[1]))
    fields = [_line(measure, compared.get((name, key))) for key, measure in rows[:MAX_FIELDS]]
    return Group(
        _line(one.whole, compared.get((name,))),
        fields,
        len(rows) - len(fields),
        list(_notes(name, book)),
    )


def _notes(name: str, book: Book) -> Iterator[str]:
    title = book.run.names.get(name)
    if title and title != name:
        yield title
    weight = book.run.weights.get(name, 1.0)
    if weight != 1:
        yield f"weight {weight:g}"
    yield from _threshold(name, book)
    summary = book.run.summaries.get(name)
    if summary:
        yield f"score {field_name(summary[0]['key'], name)} {mean(book.score_of(name))}"


def _threshold(name: str, book: Book) -> Iterator[str]:
    """What the score has to reach, and whether it does."""
    bar = book.run.thresholds.get(name)
    if bar is None:
        return
    score = book.score_of(name)
    lower = book.evaluators[name].whole.lower
    reached = score is not None and (score <= bar if lower else score >= bar)
    yield f"threshold {bar:g}, {'reached' if reached else 'not reached'}"


def _cost(measure: Measure) -> float:
    """How many points of 1 each the scores miss."""
    return sum(
        abs(score) if measure.lower else 1 - score for some in measure.scores.values() for score in some
    )


def _line(measure: Measure, pair: Pair | None) -> Line:
    value, bounds = measure.summed()
    return Line(
        name=measure.name,
        mean=mean(value),
        interval=_interval(bounds),
        method=_METHODS[bounds.method] if bounds else "",
        passed=percent(measure.pass_rate),
        graded=measure.graded,
        coverage=percent(measure.coverage),
        bar=None if value is None else _bar(value, bounds, measure, pair),
        change=None if pair is None else _change(pair, lower=measure.lower),
        lower=measure.lower,
    )


def _bar(value: float, bounds: Bounds | None, measure: Measure, pair: Pair | None) -> Bar:
    most = max(1.0, *(max(some) for some in measure.scores.values()), pair.other or 0 if pair else 0)

    def at(number: float | None) -> float | None:
        return None if number is None else round(100 * min(max(number / most, 0), 1), 2)

    low, high = (bounds.low, bounds.high) if bounds else (None, None)
    return Bar(at(value) or 0.0, at(low), at(high), at(pair.other) if pair else None)


def _change(pair: Pair, *, lower: bool) -> Change:
    found = pair.comparison
    value, bounds = found.difference, found.bounds
    reached = f"{signed(bounds.low)} to {signed(bounds.high)}" if bounds else NOTHING
    gain = (value or 0) * (-1 if lower else 1)
    direction = "better" if gain > 0 else "worse" if gain < 0 else "same"
    return Change(
        mean(pair.other),
        signed(value),
        reached,
        _p(found.p),
        found.better,
        found.worse,
        found.items,
        direction,
    )


def signed(value: float | None) -> str:
    """Return a difference with its sign; only none at all reads as 0.

    >>> signed(0.25), signed(0.00001), signed(0.0)
    ('+0.250', '+0.001', '0.000')
    """
    if value is None:
        return NOTHING
    size = f"{max(abs(value), _SMALL):.3f}" if value else "0.000"
    return ("\u2212" if value < 0 else "+" if value > 0 else "") + size


def _p(value: float | None) -> str:
    if value is None:
        return NOTHING
    return "below 0.001" if value < _SMALL else f"{value:.3f}"


def _interval(bounds: Bounds | None) -> str:
    return NOTHING if bounds is None else f"{mean(bounds.low)} to {mean(bounds.high)}"
