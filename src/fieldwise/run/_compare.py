"""Two runs over the same items: for each feedback key, is one better than the other?

Items are joined by id. What is compared are the items that both runs graded; an item answered several times
counts once, with the mean of its scores. The p-values of all keys are corrected for each other by Holm's
method, so that more keys do not mean more false alarms.

Nothing is better for being left out: a key is `lost` when B did not grade all items that A graded, be they
missing, failed, or failed more often when they were repeated. What B found not applicable is not lost. Keys
whose results say `lower_is_better` are distances; there, a fall is no regression.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from heapq import nsmallest
from math import fsum
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.statistics.paired import Comparison, compare
from fieldwise.core.statistics.several import holm
from fieldwise.errors import ConfigError
from fieldwise.run._tally import OWED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import EvaluatorResult

Row: TypeAlias = tuple[str, float, float]
"""An item's id, its score in A, and in B."""
Verdict: TypeAlias = Literal["better", "worse", "dropped", "lost", "same"]
"""How B stands: significantly better or worse, worse by more than allowed, fewer items, or none of these."""

REGRESSIONS: Final = ("worse", "dropped", "lost")
ALPHA: Final = 0.05
SHOWN: Final = 5


@dataclass(slots=True)
class Scores:
    """What a run graded, by feedback key and item.

    Attributes:
        ids: the items there are.
        graded: feedback key to item to its scores.
        owed: feedback key to item to how many results should have been graded and were not.
        excused: feedback key to the items that it does not apply to.
        lower: the keys whose scores are the better the lower they are.

    >>> scores = Scores()
    >>> result = {"key": "k", "score": 0.5, "comment": None, "metadata": {}, "extra": {"status": "graded"}}
    >>> scores.add("a", [result])
    >>> scores.mean("k", "a"), scores.coverage("k")
    (0.5, 1.0)
    """

    ids: set[str] = field(default_factory=set)
    graded: dict[str, dict[str, tuple[float, ...]]] = field(default_factory=dict)
    owed: dict[str, Counter[str]] = field(default_factory=dict)
    excused: dict[str, set[str]] = field(default_factory=dict)
    lower: set[str] = field(default_factory=set)

    def add(self, id_: str, results: Iterable[EvaluatorResult]) -> None:
        """Count the results of an item."""
        self.ids.add(id_)
        for result in results:
            key, score, extra = result["key"], result["score"], result["extra"]
            if score is None:
                self._ungraded(id_, key, extra.get("status"))
                continue
            items = self.graded.setdefault(key, {})
            items[id_] = (*items.get(id_, ()), float(score))
            if extra.get("lower_is_better"):
                self.lower.add(key)

    def _ungraded(self, id_: str, key: str, status: Any) -> None:
        if status in OWED:
            self.owed.setdefault(key, Counter())[id_] += 1
        else:
            self.excused.setdefault(key, set()).add(id_)

    def mean(self, key: str, id_: str) -> float:
        """Return the mean score of an item."""
        scores = self.graded[key][id_]
        return fsum(scores) / len(scores)

    def coverage(self, key: str) -> float | None:
        """Return the share of a key's results that were graded, of those that should have been, if any."""
        graded = sum(map(len, self.graded.get(key, {}).values()))
        due = graded + self.owed.get(key, Counter()).total()
        return graded / due if due else None

    def owes(self, key: str, id_: str) -> float:
        """Return which share of an item's results should have been graded and was not."""
        owed = self.owed.get(key, Counter())[id_]
        return owed / (owed + len(self.graded.get(key, {}).get(id_, ()))) if owed else 0.0

    def lacks(self, key: str, id_: str) -> bool:
        """Whether an item is not graded that should be."""
        return id_ not in self.graded.get(key, {}) and id_ not in self.excused.get(key, ())


@dataclass(frozen=True, slots=True)
class Compared:
    """How one feedback key came out in both runs.

    Attributes:
        key: the feedback key.
        found: the difference B - A over the items that both graded.
        means: of those items, in A and in B; None without any.
        p: the p-value, corrected; None without items.
        coverage: of the key in A and in B.
        only: how many items only A, and only B, graded.
        lower_is_better: whether a fall is an improvement.
        verdict: how B stands.
        worst: the items that fell the most: id, score in A, score in B.
        lost: how many of the items that A graded B did not grade, or not as often.
        of: how many items A graded.
    """

    key: str
    found: Comparison
    means: tuple[float | None, float | None]
    p: float | None
    coverage: tuple[float | None, float | None]
    only: tuple[int, int]
    lower_is_better: bool
    verdict: Verdict
    worst: tuple[Row, ...] = ()
    lost: int = 0
    of: int = 0

    @property
    def better(self) -> int:
        """On how many items B is better."""
        return self.found.worse if self.lower_is_better else self.found.better

    @property
    def worse(self) -> int:
        """On how many items B is worse."""
        return self.found.better if self.lower_is_better else self.found.worse

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {
            "verdict": self.verdict,
            "means": {"a": self.means[0], "b": self.means[1]},
            **self.found.to_dict(),
            "better": self.better,
            "worse": self.worse,
            "p_corrected": self.p,
            "lower_is_better": self.lower_is_better,
            "coverage": {"a": self.coverage[0], "b": self.coverage[1]},
            "only": {"a": self.only[0], "b": self.only[1]},
            "lost": self.lost,
            "worst": [{"id": id_, "a": a, "b": b} for id_, a, b in self.worst],
        }


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two runs compared.

    Attributes:
        fields: feedback key to how it came out, in the order of A, then what only B has.
        items: how many items both have.
        only: how many only A, and only B, has.
        alpha: below which corrected p-value a difference is significant.
        max_drop: by how much a mean may be worse; None: as long as that is not significant, by any amount.
        max_lost: which share of the items that A graded B may lack.
    """

    fields: dict[str, Compared]
    items: int
    only: tuple[int, int]
    alpha: float = ALPHA
    max_drop: float | None = None
    max_lost: float = 0.0

    @property
    def regressions(self) -> list[str]:
        """The keys in which B is worse."""
        return [key for key, one in self.fields.items() if one.verdict in REGRESSIONS]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {
            "items": {"both": self.items, "only_a": self.only[0], "only_b": self.only[1]},
            "alpha": self.alpha,
            "max_drop": self.max_drop,
            "max_lost": self.max_lost,
            "correction": "holm",
            "fields": {key: one.to_dict() for key, one in self.fields.items()},
            "regressions": self.regressions,
        }


def compare_scores(
    a: Scores, b: Scores, *, alpha: float = ALPHA, max_drop: float | None = None, max_lost: float = 0.0
) -> RunComparison:
    """Compare two runs.

    Args:
        a: the run to compare with.
        b: the run in question.
        alpha: below which corrected p-value a difference is significant; between 0 and 1.
        max_drop: by how much the mean of a key may be worse, significant or not.
        max_lost: which share of the items that A graded of a key B may lack.

    Raises:
        ConfigError: for a number out of range, naming it.

    >>> def run(*scores):
    ...     found = Scores()
    ...     for at, score in enumerate(scores):
    ...         extra = {"status": "graded"}
    ...         result = {"key": "k", "score": score, "comment": None, "metadata": extra, "extra": extra}
    ...         found.add(str(at), [result])
    ...     return found
    >>> compared = compare_scores(run(*[1.0] * 9), run(*[0.0] * 9))
    >>> compared.regressions, compared.fields["k"].p
    (['k'], 0.00390625)
    """
    _check("alpha", alpha)
    _check("max_lost", max_lost)
    if max_drop is not None:
        _check("max_drop", max_drop)
    keys = list(dict.fromkeys([*a.graded, *b.graded]))
    joined = {key: _joined(key, a, b) for key in keys}
    found = {key: compare([one[1] for one in rows], [one[2] for one in rows]) for key, rows in joined.items()}
    tested = {key: one.p for key, one in found.items() if one.p is not None}
    ps = dict(zip(tested, holm(list(tested.values())), strict=True))
    fields = {}
    for key, rows in joined.items():
        lower = key in a.lower or key in b.lower
        before = a.graded.get(key, {})
        lost = sum(b.lacks(key, id_) or b.owes(key, id_) > a.owes(key, id_) for id_ in before)
        verdict = _verdict(found[key], ps.get(key), alpha, max_drop, lower=lower)
        if verdict not in REGRESSIONS and before and lost / len(before) > max_lost:
            verdict = "lost"
        fields[key] = Compared(
            key,
            found[key],
            (_mean(one[1] for one in rows), _mean(one[2] for one in rows)),
            ps.get(key),
            (a.coverage(key), b.coverage(key)),
            (len(before) - len(rows), len(b.graded.get(key, {})) - len(rows)),
            lower,
            verdict,
            _fallen(rows, lower=lower),
            lost,
            len(before),
        )
    only = len(a.ids - b.ids), len(b.ids - a.ids)
    return RunComparison(fields, len(a.ids & b.ids), only, alpha, max_drop, max_lost)


def _check(option: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ConfigError(f"{option}={value!r}: must be a number from 0 to 1")


def _joined(key: str, a: Scores, b: Scores) -> list[Row]:
    """The items that both graded, in the order of A, each with its score in A and in B."""
    others = b.graded.get(key, {})
    return [(one, a.mean(key, one), b.mean(key, one)) for one in a.graded.get(key, {}) if one in others]


def _mean(values: Iterable[float]) -> float | None:
    scores = list(values)
    return fsum(scores) / len(scores) if scores else None


def _fallen(rows: list[Row], *, lower: bool) -> tuple[Row, ...]:
    """The items that fell the most; of distances, that rose."""
    sign = -1 if lower else 1
    fell = [(sign * (after - before), id_, before, after) for id_, before, after in rows]
    worst = nsmallest(SHOWN, (row for row in fell if row[0] < 0))
    return tuple((id_, before, after) for _, id_, before, after in worst)


def _verdict(
    found: Comparison, p: float | None, alpha: float, max_drop: float | None, *, lower: bool
) -> Verdict:
    if found.difference is None or p is None:
        return "same"
    change = -found.difference if lower else found.difference
    if p < alpha and change:
        return "better" if change > 0 else "worse"
    return "dropped" if max_drop is not None and -change > max_drop else "same"
