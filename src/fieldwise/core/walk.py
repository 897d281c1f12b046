"""Comparing two documents place by place.

The walk goes down only as far as somebody cares: to every leaf with `deep`, along the paths that the
policy has a word on, and under a comparator. Everything else is compared whole, by JSON equality. It
is iterative; only the pairing of nested lists looks ahead, as deep as lists are declared.

A place missing on one side is walked on the other alone, so each of its leaves counts as wrong: a
whole subtree gone never costs less than its leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.align import align
from fieldwise.core.compare import Comparator, Outcome, compare
from fieldwise.core.equality import equal, freeze
from fieldwise.core.select import join

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from fieldwise._types import Json, Missing, Path, Step
    from fieldwise.core.policy import Node

MAX_GRADES: Final = 250_000

Pair = "tuple[Step, Json | Missing, Json | Missing]"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk stands, and what it inherited on the way."""

    name: str
    where: Path
    expected: Json | Missing
    actual: Json | Missing
    node: Node | None
    comparator: Comparator | None
    weight: float


def walk(root: Place, *, deep: bool, null_is_missing: bool = False) -> list[Outcome]:
    """Compare everything at and below a place; one outcome for each leaf, in document order."""
    outcomes: list[Outcome] = []
    stack = [root]
    while stack:
        place = stack.pop()
        node = place.node
        if node is not None and node.rubric is not None:
            outcomes.append(_judged(place, node.rubric))
            continue
        children = list(_children(place, null_is_missing)) if _goes_down(place, deep) else []
        if children:
            stack.extend(_step(place, *child) for child in reversed(children))
        else:
            outcomes.append(_leaf(place))
    return outcomes


def _goes_down(place: Place, deep: bool) -> bool:  # noqa: FBT001
    node = place.node
    cares = deep or place.comparator is not None
    cares = cares or (node is not None and bool(node.members or node.every or node.lists))
    return cares and (_open(place.expected) or (place.expected is MISSING and _open(place.actual)))


def _open(value: Json | Missing) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _step(place: Place, step: Step, expected: Json | Missing, actual: Json | Missing) -> Place:
    node = place.node.child(step) if place.node is not None else None
    comparator, weight = place.comparator, place.weight
    if node is not None:
        comparator = node.comparator or comparator
        weight = weight if node.weight is None else node.weight
    return Place(join(place.name, step), (*place.where, step), expected, actual, node, comparator, weight)


def _children(place: Place, null_is_missing: bool) -> Iterator[tuple[Step, Json | Missing, Json | Missing]]:  # noqa: FBT001
    expected, actual = place.expected, place.actual
    if isinstance(expected, dict) or (expected is MISSING and isinstance(actual, dict)):
        wanted: Any = expected if isinstance(expected, dict) else {}
        came: Any = actual if isinstance(actual, dict) else {}
        absent: Any = None if null_is_missing and wanted is expected and came is actual else MISSING
        for name, value in wanted.items():
            yield name, value, came.get(name, absent)
        for name, value in came.items():
            if name not in wanted:
                yield name, absent, value
        return
    wanted_list: Any = expected if isinstance(expected, list) else []
    came_list: Any = actual if isinstance(actual, list) else []
    yield from _elements(place, wanted_list, came_list)


def _elements(
    place: Place, expected: list[Json], actual: list[Json]
) -> Iterator[tuple[Step, Json | Missing, Json | Missing]]:
    node = place.node
    mode = (node.lists if node is not None else None) or "ordered"
    each = node.every if node is not None else None
    grader = Grader(each, (each.comparator if each else None) or place.comparator)
    found = align(actual, expected, mode, deep=True, **grader.for_elements(expected, actual, mode))
    rows: list[tuple[int, Json | Missing, Json | Missing]] = [
        (at, expected[at], actual[came]) for came, at in found.same + found.pairs
    ]
    if mode != "subset":
        rows += [(at, expected[at], MISSING) for at in found.missing]
    rows.sort(key=lambda row: row[0])
    if mode != "superset":
        rows += [(at, MISSING, actual[at]) for at in sorted(found.invented)]
    yield from rows


def _judged(place: Place, criterion: str) -> Outcome:
    expected, actual = place.expected, place.actual
    score, _, reason = compare(None, expected, actual)
    outcome = Outcome(place.name, score, expected, actual, reason=reason, where=place.where, weight=place.weight)
    if score != 1.0 and expected is not MISSING and actual is not MISSING:
        outcome.score, outcome.criterion, outcome.comparator = None, criterion, "judge"
    return outcome


def _leaf(place: Place) -> Outcome:
    score, status, reason = compare(place.comparator, place.expected, place.actual)
    name = place.comparator.name if place.comparator is not None else "exact"
    return Outcome(
        place.name, score, place.expected, place.actual, status, reason, name, place.where, place.weight
    )


@dataclass(frozen=True, slots=True)
class Grader:
    """Grades members of list elements for pairing, where equality alone would not do.

    A judged member counts by the similarity of its text, any other by the mean of its leaves.
    """

    node: Node | None
    comparator: Comparator | None

    def for_elements(self, expected: Sequence[Json], actual: Sequence[Json], mode: str) -> dict[str, Any]:
        """The keyword arguments that make `align` use these grades; none when equality will do."""
        if mode == "ordered" or (self.comparator is None and self.node is None):
            return {}
        names = {name for element in (*expected, *actual) if isinstance(element, dict) for name in element}
        node = self.node
        if self.comparator is None and node is not None:
            graded = frozenset(name for name in names if _matters(node.child(name)))
        else:
            graded = frozenset(names)
        whole = self.comparator is not None
        if not graded and not whole:
            return {}
        return {"grade": lambda a, e: self._matrix(a, e, graded, whole=whole), "graded": graded}

    def _matrix(
        self, actual: Sequence[Json], expected: Sequence[Json], graded: frozenset[str], *, whole: bool
    ) -> list[list[float]]:
        total = [[0.0] * len(expected) for _ in actual]
        for name in sorted(graded):
            node = self.node.child(name) if self.node is not None else None
            comparator = (node.comparator if node is not None else None) or self.comparator
            came = [a.get(name, MISSING) if isinstance(a, dict) else MISSING for a in actual]
            wanted = [e.get(name, MISSING) if isinstance(e, dict) else MISSING for e in expected]
            _add(total, came, wanted, Place(name, (), None, None, node, comparator, 1.0))
        if whole:
            bare = [MISSING if isinstance(a, dict) else a for a in actual]
            wanted = [MISSING if isinstance(e, dict) else e for e in expected]
            _add(total, bare, wanted, Place("$", (), None, None, None, self.comparator, 1.0))
        return total


def _matters(node: Node | None) -> bool:
    return node is not None and (node.says("comparator") or node.says("rubric") or node.says("lists"))


def _add(
    total: list[list[float]], actual: Sequence[Json | Missing], expected: Sequence[Json | Missing], place: Place
) -> None:
    """Add the grade of one member to every pair; equal values and repeated pairs cost nothing more."""
    columns = [(at, value, freeze(value)) for at, value in enumerate(expected) if value is not MISSING]
    rows = [(at, value, freeze(value)) for at, value in enumerate(actual) if value is not MISSING]
    kinds = len({mark for _, _, mark in columns}) * len({mark for _, _, mark in rows})
    known: dict[tuple[Hashable, Hashable], float] = {}
    for row, came, mark in rows:
        cells = total[row]
        for column, wanted, other in columns:
            grade = known.get((mark, other))
            if grade is None:
                grade = _grade(place, wanted, came) if kinds <= MAX_GRADES else float(mark == other)
                known[mark, other] = grade
            cells[column] += grade


def _grade(place: Place, expected: Json, actual: Json) -> float:
    if equal(expected, actual):
        return 1.0
    if place.node is not None and place.node.rubric is not None:
        return _likeness(expected, actual)
    here = Place(place.name, (), expected, actual, place.node, place.comparator, place.weight)
    outcomes = walk(here, deep=place.comparator is not None)
    return sum(
        _likeness(outcome.expected, outcome.actual) if outcome.criterion else outcome.score or 0.0
        for outcome in outcomes
    ) / len(outcomes)


def _likeness(expected: Json | Missing, actual: Json | Missing) -> float:
    """How alike two texts read; other values are alike only when equal."""
    if not isinstance(expected, str) or not isinstance(actual, str):
        return 0.0
    from rapidfuzz.distance import Indel

    return Indel.normalized_similarity(expected, actual)
