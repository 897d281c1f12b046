"""What picks are, and what became of them: places found, elements paired."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fieldwise.core.pick.tree import Say

if TYPE_CHECKING:
    from fieldwise._types import Json, Missing, Path
    from fieldwise.core.compare import Outcome
    from fieldwise.core.select import Selector


@dataclass(frozen=True, slots=True)
class Pick:
    """One place to compare, or many.

    Attributes:
        name: the path as given.
        selector: the compiled path.
        say: how it is compared: by JSON equality unless a comparator or a rubric is named; how it pairs
            when it is a list.
    """

    name: str
    selector: Selector
    say: Say = field(default_factory=Say)


@dataclass(slots=True)
class Found:
    """What is at one place of a pick on each side, how it compared, and where that place is."""

    expected: Json | Missing
    actual: Json | Missing
    outcome: Outcome
    where: Path = ()


@dataclass(slots=True)
class Element:
    """One element of a paired list: its index on each side, None where it has no partner, what is in it."""

    expected: int | None
    actual: int | None
    found: list[Found] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """How it came out: a pair with nothing right in it is no match."""
        if self.expected is None:
            return "invented"
        if self.actual is None:
            return "missing"
        scores = [one.outcome.score for one in self.found]
        return "matched" if not scores or any(score is None or score > 0 for score in scores) else "unmatched"


@dataclass(slots=True)
class Pairing:
    """How the elements of one list were paired.

    Attributes:
        where: the place of the list.
        mode: how, in the words of the option.
        elements: pairs in the order of the expected list, then what has no partner.
        note: what was bounded, or None.
    """

    where: Path
    mode: str
    elements: list[Element] = field(default_factory=list)
    note: str | None = None

    def explain(self) -> None:
        """Say of what is not right below the list how its pairing was bounded."""
        wrong = [one.outcome for each in self.elements for one in each.found if one.outcome.score != 1.0]
        for outcome in wrong if self.note is not None else ():
            outcome.reason = f"{outcome.reason}; {self.note}" if outcome.reason else self.note


@dataclass(slots=True)
class Picked:
    """What became of one pick: what was found at each of its places, and the pairings they rest on."""

    pick: Pick
    found: list[Found] = field(default_factory=list)
    pairings: list[Pairing] = field(default_factory=list)
