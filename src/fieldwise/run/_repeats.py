"""Items answered several times: how often an evaluator passes them, and how steady it finds them.

For each feedback key and each k up to the number of repeats, over items:

| number | of an item |
|---|---|
| pass@k | the chance that at least one of k answers passes |
| all pass | the chance that all k do |
| consistency | the chance that two answers get the same score |

An item counts where it has enough graded answers, and `items` says how many do: an answer that was not graded
is neither a pass nor a fail, so with fewer than k graded there is no pass@k. Which answer came first never
matters.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise.core.statistics.items import spread_of
from fieldwise.core.statistics.repeats import all_pass, consistency, pass_at
from fieldwise.run._tally import interval

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fieldwise._types import EvaluatorResult
    from fieldwise.core.statistics.spread import Bounds


@dataclass(frozen=True, slots=True)
class OverItems:
    """The mean over items of a number that each of them has, or has not.

    Attributes:
        mean: over the items that have it; None where none has.
        bounds: its 95 % interval.
        items: how many items have it.
    """

    mean: float | None
    bounds: Bounds | None
    items: int

    @classmethod
    def of(cls, values: Iterable[float | None]) -> OverItems:
        """Return it of the values of all items."""
        spread = spread_of(values)
        return cls(spread.mean, spread.bounds(), spread.items)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON."""
        return {"mean": self.mean, **interval(self.bounds), "items": self.items}


@dataclass(slots=True)
class Answers:
    """The answers to one item, as one feedback key saw them.

    Attributes:
        total: how many there are.
        passed: how many passed.
        scores: score to how many got it.
    """

    total: int = 0
    passed: int = 0
    scores: Counter[float] = field(default_factory=Counter)

    @property
    def graded(self) -> int:
        """How many have a score."""
        return self.scores.total()

    def add(self, result: EvaluatorResult) -> None:
        """Count one answer."""
        self.total += 1
        score = result["score"]
        if score is not None:
            self.scores[float(score)] += 1
            self.passed += bool(result["extra"].get("passed", score >= 1))

    def merge(self, other: Answers) -> None:
        """Count what `other` counted."""
        self.total += other.total
        self.passed += other.passed
        self.scores.update(other.scores)


@dataclass(slots=True)
class Repeats:
    """Results of items that were answered several times; a state that merges.

    Attributes:
        keys: feedback key to item to its answers.

    >>> def result(score):
    ...     return {"key": "k", "score": score, "comment": None, "metadata": {}, "extra": {}}
    >>> repeats = Repeats()
    >>> for score in (1.0, 0.0, None):
    ...     repeats.add("item", [result(score)])
    >>> [repeats.pass_at("k", k).mean for k in (1, 2, 3)], repeats.consistency("k").mean
    ([0.5, 1.0, None], 0.0)
    """

    keys: dict[str, dict[str, Answers]] = field(default_factory=dict)

    def add(self, item: str, results: Iterable[EvaluatorResult]) -> None:
        """Count the results of one answer to an item."""
        for result in results:
            self.keys.setdefault(result["key"], {}).setdefault(item, Answers()).add(result)

    def merge(self, other: Repeats) -> None:
        """Count what `other` counted; answers to one item may be on both sides."""
        for key, items in other.keys.items():
            mine = self.keys.setdefault(key, {})
            for item, answers in items.items():
                mine.setdefault(item, Answers()).merge(answers)

    @property
    def most(self) -> int:
        """How many answers there are to the item that has the most."""
        return max((one.total for items in self.keys.values() for one in items.values()), default=0)

    def pass_at(self, key: str, k: int) -> OverItems:
        """Return the chance that at least one of `k` answers passes."""
        return self._of(key, lambda one: pass_at(k, one.passed, one.graded))

    def all_pass(self, key: str, k: int) -> OverItems:
        """Return the chance that all of `k` answers pass."""
        return self._of(key, lambda one: all_pass(k, one.passed, one.graded))

    def consistency(self, key: str) -> OverItems:
        """Return the chance that two answers to an item get the same score."""
        return self._of(key, lambda one: consistency(list(one.scores.elements())))

    def _of(self, key: str, number: Callable[[Answers], float | None]) -> OverItems:
        return OverItems.of(map(number, self.keys.get(key, {}).values()))

    def to_dict(self) -> dict[str, Any]:
        """Return all numbers as JSON; k is text there, as JSON wants it."""
        ks = range(1, self.most + 1)
        return {
            key: {
                "items": len(items),
                "answers": sum(one.total for one in items.values()),
                "graded": sum(one.graded for one in items.values()),
                "pass_at": {str(k): self.pass_at(key, k).to_dict() for k in ks},
                "all_pass": {str(k): self.all_pass(key, k).to_dict() for k in ks},
                "consistency": self.consistency(key).to_dict(),
            }
            for key, items in sorted(self.keys.items())
        }
