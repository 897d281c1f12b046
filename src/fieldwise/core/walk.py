"""Comparing two documents place by place.

The walk goes down only as far as somebody cares: to every leaf with `deep`, along the paths that the
policy has a word on, and under a comparator. Everything else is compared whole, by JSON equality. It
is iterative; only the pairing of nested lists looks ahead, as deep as lists are declared. Below
`MAX_DEPTH` everything is compared whole, so that names and places stay short.

Pairing grades elements by more than equality where a comparator or a rubric has a word on them. Past
`MAX_GRADES` comparisons (`MAX_AT_ONCE` where a comparator grades many at once) equality decides there as
well; like any bound of a pairing, that shows in the reason of the outcomes it may have decided.

A place missing on one side is walked on the other alone, so each of its leaves counts as wrong: a
whole subtree gone never costs less than its leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.align import align
from fieldwise.core.align.grades import Sums, Values, likeness, likenesses
from fieldwise.core.compare import Comparator, Outcome, compare
from fieldwise.core.equality import equal
from fieldwise.core.select import join
from fieldwise.core.values import ATOMS, UnorderedList
from fieldwise.core.weighted import weighted_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Json, ListMode, Missing, Path, Step
    from fieldwise.core.align import Alignment, ByKey
    from fieldwise.core.align.grades import Distinct
    from fieldwise.core.compare import ManyCallable
    from fieldwise.core.policy import Node

MAX_DEPTH: Final = 256
_LEAF_LENGTH: Final = 256
MAX_GRADES: Final = 100_000
MAX_AT_ONCE: Final = 2_000_000

_ONE_SIDED: Final = ("subset", "superset")

Row: TypeAlias = "tuple[Step, Json | Missing, Json | Missing]"


class Place(NamedTuple):
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
    notes: list[tuple[Path, str]] = []
    stack: list[Place | Outcome] = [root]
    while stack:
        place = stack.pop()
        if isinstance(place, Outcome):
            outcomes.append(place)
            continue
        node = place.node
        if node is not None and node.rubric is not None:
            outcomes.append(_judged(place, node.rubric))
            continue
        below = _below(place, null_is_missing, notes) if _goes_down(place, deep) else None
        if below:
            stack.extend(reversed(below))
        else:
            outcomes.append(_leaf(place) if below is None else _nothing_wrong(place))
    for where, note in notes:
        _explain(outcomes, where, note)
    return outcomes


def fold_leaves(leaves: Sequence[Outcome], name: str, *, mean: bool) -> Outcome:
    """Fold the leaves of a place into its one outcome; the worst leaf speaks for it, a graded one first.

    Args:
        leaves: at least one outcome.
        name: the name of the place.
        mean: whether the score is the weighted mean, not all or nothing.
    """
    heavy = [leaf for leaf in leaves if leaf.weight] if mean else leaves
    leaves = heavy or leaves
    worst = min(leaves, key=_speaks)
    score: float | None = None
    if worst.score is not None and mean:
        weights = [leaf.weight if heavy else 1.0 for leaf in leaves]
        scores = [leaf.score or 0.0 for leaf in leaves]
        score = weighted_mean(zip(weights, scores, strict=True))
    elif worst.score is not None:
        score = float(worst.score == 1.0)
    by = "mean" if score not in (None, 0.0, 1.0) and worst.comparator == "exact" else worst.comparator
    return Outcome(name, score, worst.expected, worst.actual, worst.status, worst.reason, by, worst.where)


def _speaks(leaf: Outcome) -> tuple[float, bool]:
    """The rank of a leaf among those of a place; the lowest speaks for it."""
    return (-1.0 if leaf.score is None else leaf.score, leaf.comparator == "exact")


def _goes_down(place: Place, deep: bool) -> bool:  # noqa: FBT001 - called for every place
    node = place.node
    if place.comparator is not None and place.comparator.whole:
        return False
    cares = deep or place.comparator is not None
    cares = cares or (node is not None and bool(node.members or node.every or node.lists))
    return cares and len(place.where) < MAX_DEPTH


def _below(
    place: Place,
    null_is_missing: bool,  # noqa: FBT001 - as above
    notes: list[tuple[Path, str]],
) -> list[Place | Outcome] | None:
    """The places below, of equal atoms their outcomes; None where there is nothing to go into."""
    shape = place.actual if place.expected is MISSING else place.expected
    if isinstance(shape, dict):
        rows = members(place, null_is_missing=null_is_missing)
    elif isinstance(shape, list):
        rows = _elements(place, notes)
    else:
        return None
    if shape and rows:
        size = len(shape) if isinstance(shape, list) else 0
        return [_equal_leaf(place, row, size) or step_to(place, row, size) for row in rows]
    both = isinstance(place.expected, list) and isinstance(place.actual, list)
    return [] if both and not rows and mode_of(place) in _ONE_SIDED else None


def _equal_leaf(place: Place, row: Row, size: int) -> Outcome | None:
    """The outcome of two equal atoms below a place, which most are; None for anything else, or judged."""
    step, expected, actual = row
    kind = type(expected)
    if kind is not type(actual) or kind not in ATOMS or expected != actual:
        return None
    node = place.node.child(step, size) if place.node is not None else None
    if node is not None and node.rubric is not None:
        return None
    weight = place.weight if node is None or node.weight is None else node.weight
    where = (*place.where, step)
    return Outcome(join(place.name, step), 1.0, expected, actual, where=where, weight=weight)


def step_to(place: Place, row: Row, size: int = 0) -> Place:
    """Return the place of a row below a place; `size` is the length of the list it is an element of."""
    step, expected, actual = row
    node = place.node.child(step, size) if place.node is not None else None
    comparator, weight = place.comparator, place.weight
    if node is not None:
        comparator = node.comparator or comparator
        weight = weight if node.weight is None else node.weight
    return Place(join(place.name, step), (*place.where, step), expected, actual, node, comparator, weight)


def members(place: Place, *, null_is_missing: bool = False) -> list[Row]:
    """Return the members of either side: name, expected and actual value."""
    expected, actual = place.expected, place.actual
    wanted: Any = expected if isinstance(expected, dict) else {}
    came: Any = actual if isinstance(actual, dict) else {}
    absent: Any = None if null_is_missing and wanted is expected and came is actual else MISSING
    rows: list[Row] = [(name, value, came.get(name, absent)) for name, value in wanted.items()]
    rows += [(name, absent, value) for name, value in came.items() if name not in wanted]
    return rows


def mode_of(place: Place) -> ListMode | ByKey:
    """Return how the list at a place pairs."""
    return list_mode(place.node, place.expected, place.actual)


def list_mode(node: Node | None, expected: object, actual: object) -> ListMode | ByKey:
    """Return how a list pairs: as the options say, else as a set if it was one, else by index."""
    said = node.lists if node is not None else None
    sets = UnorderedList in (type(expected), type(actual))
    return said or ("same_elements" if sets else "ordered")


def paired(place: Place) -> tuple[Alignment, list[str]]:
    """Pair the elements of both sides of a place; what is no list has none. Also what was bounded."""
    expected: Any = place.expected if isinstance(place.expected, list) else []
    actual: Any = place.actual if isinstance(place.actual, list) else []
    mode = mode_of(place)
    each = place.node.every if place.node is not None else None
    grader = Grader(each, (each.comparator if each else None) or place.comparator)
    found = align(actual, expected, mode, deep=True, **grader.for_elements(expected, actual, mode))
    return found, [note for note in (found.note, *grader.notes) if note]


def _elements(place: Place, notes: list[tuple[Path, str]]) -> list[Row]:
    """The paired elements of either side, and those without a partner that count."""
    expected: Any = place.expected if isinstance(place.expected, list) else []
    actual: Any = place.actual if isinstance(place.actual, list) else []
    mode = mode_of(place)
    found, bounded = paired(place)
    notes += [(place.where, note) for note in bounded]
    rows: list[Row] = [(at, expected[at], actual[came]) for came, at in found.same + found.pairs]
    if mode != "subset":
        rows += [(at, expected[at], MISSING) for at in found.missing]
    rows.sort(key=_first)
    if mode != "superset":
        rows += [(at, MISSING, actual[at]) for at in sorted(found.invented)]
    return rows


def _first(row: Row) -> Any:
    return row[0]


def _nothing_wrong(place: Place) -> Outcome:
    """A list that may hold less, or more, and does."""
    return Outcome(place.name, 1.0, place.expected, place.actual, where=place.where, weight=place.weight)


def _explain(outcomes: Sequence[Outcome], where: Path, note: str) -> None:
    """Say below a place how its pairing was bounded, where something is not right."""
    for outcome in outcomes:
        if outcome.score != 1.0 and outcome.where[: len(where)] == where:
            outcome.reason = f"{outcome.reason}; {note}" if outcome.reason else note


def _judged(place: Place, criterion: str) -> Outcome:
    expected, actual = place.expected, place.actual
    score, _, reason = compare(None, expected, actual)
    where, weight = place.where, place.weight
    outcome = Outcome(
        place.name, score, expected, actual, reason=reason, where=where, weight=weight, judged=True
    )
    if score != 1.0 and expected is not MISSING and actual is not MISSING:
        outcome.score, outcome.criterion, outcome.comparator = None, criterion, "judge"
    return outcome


def _leaf(place: Place) -> Outcome:
    expected, actual = place.expected, place.actual
    kind = type(expected)
    if kind is type(actual) and kind in ATOMS and expected == actual:
        return Outcome(place.name, 1.0, expected, actual, where=place.where, weight=place.weight)
    score, status, reason = compare(place.comparator, place.expected, place.actual)
    name = "exact"
    if place.comparator is not None and not (score == 1.0 and equal(place.expected, place.actual)):  # type: ignore[arg-type]
        name = place.comparator.name
    return Outcome(
        place.name, score, place.expected, place.actual, status, reason, name, place.where, place.weight
    )


@dataclass(slots=True)
class Grader:
    """Grades members of list elements for pairing, where equality alone would not do.

    A judged member counts by the similarity of its text, any other by the mean of its leaves.

    Attributes:
        node: what is said about the elements.
        comparator: what they inherit.
        notes: what was bounded.
    """

    node: Node | None
    comparator: Comparator | None
    notes: list[str] = field(default_factory=list)

    def for_elements(
        self, expected: Sequence[Json], actual: Sequence[Json], mode: ListMode | ByKey
    ) -> dict[str, Any]:
        """Return the keyword arguments that make `align` use these grades; none when equality will do."""
        if mode == "ordered" or (self.comparator is None and self.node is None):
            return {}
        names = {name for element in (*expected, *actual) if isinstance(element, dict) for name in element}
        whole = self.comparator is not None
        graded = frozenset(name for name in names if whole or _matters(self._child(name)))
        if not graded and not whole:
            return {}
        return {"grade": lambda a, e: self._matrix(a, e, graded, whole=whole), "graded": graded}

    def _child(self, name: str) -> Node | None:
        return self.node.child(name) if self.node is not None else None

    def _matrix(
        self, actual: Sequence[Json], expected: Sequence[Json], graded: frozenset[str], *, whole: bool
    ) -> list[list[float]]:
        total = Sums(len(actual), len(expected))
        for name in sorted(graded):
            node = self._child(name)
            comparator = (node.comparator if node is not None else None) or self.comparator
            came = [a.get(name, MISSING) if isinstance(a, dict) else MISSING for a in actual]
            wanted = [e.get(name, MISSING) if isinstance(e, dict) else MISSING for e in expected]
            self._add(total, came, wanted, Place(name, (), None, None, node, comparator, 1.0))
        if whole:
            bare = [MISSING if isinstance(a, dict) else a for a in actual]
            wanted = [MISSING if isinstance(e, dict) else e for e in expected]
            self._add(total, bare, wanted, Place("$", (), None, None, None, self.comparator, 1.0))
        return total.rows()

    def _add(
        self, total: Sums, actual: Sequence[Json | Missing], expected: Sequence[Json | Missing], place: Place
    ) -> None:
        """Add the grade of one member to every pair; equal values and repeated pairs cost nothing more."""
        came, wanted = Values.of(actual), Values.of(expected)
        if came.distinct and wanted.distinct:
            many = _many(place, came.distinct, wanted.distinct) if total.large else None
            total.add(self._table(place, came.distinct, wanted.distinct, many), came, wanted)

    def _table(self, place: Place, actual: Distinct, expected: Distinct, many: ManyCallable | None) -> Any:
        """Grade each distinct value with each, a row for each actual one."""
        if many is not None:
            table = many(list(expected.values()), list(actual.values()))
            columns = {mark: column for column, mark in enumerate(expected)}
            for row, mark in enumerate(actual):
                if mark in columns:
                    table[row, columns[mark]] = 1.0
            return table
        if _leaves(actual) * _leaves(expected) <= MAX_GRADES:
            return [[_grade(place, wanted, came) for wanted in expected.values()] for came in actual.values()]
        self.notes.append(f"{place.name}: paired by equality, too many values to compare each with each")
        return [[float((mark,) == (other,)) for other in expected] for mark in actual]


def _matters(node: Node | None) -> bool:
    return node is not None and (node.says("comparator") or node.says("rubric") or node.says("lists"))


def _many(place: Place, actual: Distinct, expected: Distinct) -> ManyCallable | None:
    """What grades these values all at once, if that can be and they are not too many."""
    many = place.comparator.many if place.comparator is not None else None
    if place.node is not None and place.node.rubric is not None:
        many = likenesses
    if many is None or not ATOMS.issuperset(map(type, (*actual.values(), *expected.values()))):
        return None
    return many if _length(actual) * _length(expected) <= MAX_AT_ONCE else None


def _length(values: Distinct) -> int:
    """How long some atoms are, in pieces of text that are compared at once."""
    return len(values) + sum([len(one) for one in values.values() if type(one) is str]) // 64


def _leaves(values: Distinct) -> int:
    return sum(map(_size, values.values()))


def _size(root: Json) -> int:
    """What a value costs to grade: its leaves, long text as several; a large value's is large enough."""
    if not isinstance(root, dict | list):
        return 1 + len(root) // _LEAF_LENGTH if isinstance(root, str) else 1
    leaves = 0
    stack: list[Json] = [root]
    while stack and leaves <= MAX_GRADES:
        value = stack.pop()
        if isinstance(value, dict | list) and value:
            stack.extend(value.values() if isinstance(value, dict) else value)
        else:
            leaves += 1 + len(value) // _LEAF_LENGTH if isinstance(value, str) else 1
    return leaves + len(stack)


def _grade(place: Place, expected: Json, actual: Json) -> float:
    if equal(expected, actual):
        return 1.0
    if place.node is not None and place.node.rubric is not None:
        return likeness(expected, actual)
    if not isinstance(expected, dict | list) and not isinstance(actual, dict | list):
        return compare(place.comparator, expected, actual)[0] or 0.0
    here = Place(place.name, (), expected, actual, place.node, place.comparator, place.weight)
    outcomes = walk(here, deep=place.comparator is not None)
    return sum(
        likeness(outcome.expected, outcome.actual) if outcome.criterion else outcome.score or 0.0
        for outcome in outcomes
    ) / len(outcomes)
