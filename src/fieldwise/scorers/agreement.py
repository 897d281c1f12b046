"""How far two raters agree on yes-or-no questions, and how far one agrees with itself: counts and formulas.

Rules. Everything here is a pure function of counts. A share of nothing is None, never 0 or 1. An interval is
of 95 % unless told otherwise, and None where its formula has nothing to say. Questions that a rater did not
answer are not in these counts: they are no disagreement.

| what | formula |
|---|---|
| interval of a share | Wilson's score interval: E. B. Wilson, JASA 22 (1927) 209-212 |
| kappa | J. Cohen, Educational and Psychological Measurement 20 (1960) 37-46 |
| its standard error | the large-sample one of J. L. Fleiss, J. Cohen, B. S. Everitt, Psychological Bulletin 72 (1969) 323-327, for a kappa that is not 0 |
| pairwise agreement over repeats | the mean over questions of J. L. Fleiss, Psychological Bulletin 76 (1971) 378-382 |
"""  # noqa: E501 - a table

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.statistics.intervals import LEVEL, wilson, z_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_NOISE: Final = 1e-15
"""A variance that is rounding and nothing else."""


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None


@dataclass(slots=True)
class Confusion:
    """What people and a judge said of the same questions.

    Attributes:
        both_true: both said yes.
        judge_only: the judge said yes, people no.
        people_only: people said yes, the judge no.
        both_false: both said no.

    >>> found = Confusion(both_true=20, judge_only=5, people_only=10, both_false=15)
    >>> found.accuracy, round(found.kappa, 9)
    (0.7, 0.4)
    """

    both_true: int = 0
    judge_only: int = 0
    people_only: int = 0
    both_false: int = 0

    def add(self, *, people: bool, judge: bool) -> None:
        """Count one question."""
        if people and judge:
            self.both_true += 1
        elif judge:
            self.judge_only += 1
        elif people:
            self.people_only += 1
        else:
            self.both_false += 1

    @property
    def count(self) -> int:
        """How many questions both answered."""
        return self.both_true + self.judge_only + self.people_only + self.both_false

    @property
    def agreed(self) -> int:
        """Of how many they said the same."""
        return self.both_true + self.both_false

    @property
    def accuracy(self) -> float | None:
        """The share of questions of which both said the same."""
        return _share(self.agreed, self.count)

    @property
    def accuracy_interval(self) -> tuple[float, float] | None:
        """Wilson's interval of the accuracy."""
        return wilson(self.agreed, self.count)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa, from -1 to 1: agreement beyond chance, 0 being chance.

        None where chance alone would agree always: both said one and the same thing of everything.
        """
        n = self.count
        chance = self._people * self._judge + (n - self._people) * (n - self._judge)  # times n squared
        return None if chance == n * n else (n * self.agreed - chance) / (n * n - chance)

    @property
    def kappa_interval(self) -> tuple[float, float] | None:
        """Kappa more or less 1.96 standard errors, within -1 and 1.

        None where the standard error is 0, which is no certainty: the large-sample formula knows none when
        the two agree always, or when one of them said the same of everything.
        """
        kappa, error = self.kappa, self.kappa_error
        if kappa is None or not error:
            return None
        reach = z_of(LEVEL) * error
        return max(-1.0, kappa - reach), min(1.0, kappa + reach)

    @property
    def kappa_error(self) -> float | None:
        """The large-sample standard error of kappa (Fleiss, Cohen, Everitt 1969); None without a kappa."""
        kappa, n = self.kappa, self.count
        if kappa is None:
            return None
        people, judge = self._people / n, self._judge / n
        chance = people * judge + (1 - people) * (1 - judge)
        rest = 1 - kappa
        same = (self.both_true / n) * (1 - (people + judge) * rest) ** 2
        same += (self.both_false / n) * (1 - (2 - people - judge) * rest) ** 2
        # Of p_ij with i != j the weight is (judge's share of i + people's share of j) squared.
        other = (self.people_only / n) * (judge + 1 - people) ** 2
        other += (self.judge_only / n) * (1 - judge + people) ** 2
        variance = same + rest**2 * other - (kappa - chance * rest) ** 2
        return sqrt(variance / n) / (1 - chance) if variance > _NOISE else 0.0

    @property
    def _people(self) -> int:
        return self.both_true + self.people_only

    @property
    def _judge(self) -> int:
        return self.both_true + self.judge_only

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and all that follows from them, as JSON values."""
        return {
            "accuracy": self.accuracy,
            "accuracy_interval": _pair(self.accuracy_interval),
            "kappa": self.kappa,
            "kappa_interval": _pair(self.kappa_interval),
            "confusion": {
                "both_true": self.both_true,
                "judge_only": self.judge_only,
                "people_only": self.people_only,
                "both_false": self.both_false,
            },
        }


@dataclass(slots=True)
class Consistency:
    """How far a rater agrees with itself on questions that were asked several times.

    Attributes:
        questions: how many got at least two answers.
        unanimous: of how many all answers are the same.
        pairs: the sum over questions of the share of pairs of answers that are the same.

    >>> found = Consistency()
    >>> found.add([True, True, True])
    >>> found.add([True, True, False])
    >>> found.share, round(found.pairwise, 3)
    (0.5, 0.667)
    """

    questions: int = 0
    unanimous: int = 0
    pairs: float = 0.0

    def add(self, answers: Sequence[bool]) -> None:
        """Count the answers to one question; fewer than two say nothing."""
        n = len(answers)
        if n < 2:  # noqa: PLR2004
            return
        yes = sum(answers)
        no = n - yes
        self.questions += 1
        self.unanimous += not (yes and no)
        self.pairs += (yes * (yes - 1) + no * (no - 1)) / (n * (n - 1))

    @property
    def share(self) -> float | None:
        """The share of questions whose answers are all the same."""
        return _share(self.unanimous, self.questions)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval of the share."""
        return wilson(self.unanimous, self.questions)

    @property
    def pairwise(self) -> float | None:
        """How likely two answers to one question are the same, on average over the questions."""
        return _share(self.pairs, self.questions)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        return {
            "questions": self.questions,
            "unanimous": self.unanimous,
            "share": self.share,
            "interval": _pair(self.interval),
            "pairwise": self.pairwise,
        }


def _pair(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)
