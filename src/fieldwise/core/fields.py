"""Two documents compared: which fields are equal, and what became of the others.

A document is one record (an object), a list of records, or any other value. Its fields are the
members of its records (`depth="keys"`) or their leaves (`depth="leaves"`); a value that is no object is
one field called `$`. Equal fields leave only their name behind, so what is right costs next to nothing.

At depth "keys" a member that the policy looks into is still one field: the mean of its leaves where a
comparator grades them, else all or nothing. A rubric below it is a field of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.align import Alignment, align
from fieldwise.core.compare import Outcome
from fieldwise.core.equality import equal
from fieldwise.core.policy import prune
from fieldwise.core.select import join
from fieldwise.core.values import ATOMS
from fieldwise.core.walk import Grader, Place, fold_leaves, walk

if TYPE_CHECKING:
    from fieldwise._types import Json, ListMode, Missing
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Comparator
    from fieldwise.core.policy import Node, Policy

ROOT: Final = "$"
_EMPTY: Final = join("", "")
"""How the member named "" is written in the path of a place below it."""


@dataclass(slots=True)
class Comparison:
    """How a record compared: the names of its equal fields, and the outcomes of the others.

    `times` is how many records of the document compared just so.
    """

    equal: list[str] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    times: int = 1


@dataclass(slots=True)
class Compared:
    """How two documents compared.

    Attributes:
        records: one comparison for each record that counts.
        alignment: how a list of records was paired; None for any other document.
    """

    records: list[Comparison] = field(default_factory=list)
    alignment: Alignment | None = None


@dataclass(frozen=True, slots=True)
class Fields:
    """How to compare two documents.

    Attributes:
        policy: what the options say about places.
        mode: how a top-level list pairs.
        deep: whether the leaves are the fields, not the members.
        null_is_missing: whether null and no value are the same.
    """

    policy: Policy
    mode: ListMode | ByKey = "same_elements"
    deep: bool = False
    null_is_missing: bool = False

    def compare(self, expected: Json, actual: Json) -> Compared:
        """Compare two documents of the same kind, or two values of any kind as the field `$`."""
        if type(expected) is dict and type(actual) is dict:
            node = self.policy.tree((expected, actual)) if self.policy.entries else None
            if node is None or not node.says("exclude"):
                return Compared([self._record(expected, actual, node)])
            return Compared([self._record(prune(expected, node), prune(actual, node), node)])
        if isinstance(expected, list) and isinstance(actual, list):
            return self._lists(expected, actual)
        node = self.policy.tree((expected, actual))
        return Compared([_single(expected, actual, node)])

    def _record(self, expected: Any, actual: Any, node: Node | None) -> Comparison:
        """Compare two objects member by member."""
        if node is not None and node.rubric is not None:
            return _folded(self._walk(ROOT, expected, actual, node), ROOT, deep=True, mean=True)
        members = node.members if node is not None else {}
        whole = self.deep or (node is not None and (node.comparator is not None or node.every is not None))
        if not whole and not members:
            return self._members(expected, actual)
        found = Comparison()
        absent: Any = None if self.null_is_missing else MISSING
        names = [*expected, *(name for name in actual if name not in expected)]
        for name in names:
            wanted, came = expected.get(name, absent), actual.get(name, absent)
            kind = type(wanted)
            if kind is type(came) and kind in ATOMS and wanted == came:
                found.equal.append(self._name(name))
                continue
            self._member(found, name, (wanted, came), node)
        return found

    def _members(self, expected: dict[str, Json], actual: dict[str, Json]) -> Comparison:
        """Compare two objects that no option looks into."""
        same: list[str] = []
        outcomes: list[Outcome] = []
        absent: Any = None if self.null_is_missing else MISSING
        shared = len(expected)
        for name, wanted in expected.items():
            came = actual.get(name, absent)
            kind = type(wanted)
            if came is wanted:
                same.append(name)
            elif came is MISSING:
                shared -= 1
                outcomes.append(Outcome(name, 0.0, wanted, came, "graded", "missing"))
            elif wanted == came if kind is type(came) and kind in ATOMS else equal(wanted, came):
                same.append(name)
            else:
                outcomes.append(Outcome(name, 0.0, wanted, came))
        if len(actual) != shared or absent is None:
            for name in [name for name in actual if name not in expected]:
                if absent is None and actual[name] is None:
                    same.append(name)
                else:
                    outcomes.append(Outcome(name, 0.0, MISSING, actual[name], "graded", "unexpected"))
        return Comparison(same, outcomes)

    def _member(self, found: Comparison, name: str, values: tuple[Any, Any], parent: Node | None) -> None:
        """Compare one member that the policy, or the depth, looks into."""
        child = parent.child(name) if parent is not None else None
        comparator = (child.comparator if child is not None else None) or (
            parent.comparator if parent is not None else None
        )
        weight = child.weight if child is not None and child.weight is not None else 1.0
        shown = self._name(name)
        place = Place(shown or _EMPTY, (name,), *values, child, comparator, weight)
        outcomes = walk(place, deep=self.deep, null_is_missing=self.null_is_missing)
        for outcome in outcomes if not shown else ():
            outcome.name = shown if outcome.name == _EMPTY else outcome.name
        mean = comparator is not None or (child is not None and child.compares(*values))
        part = _folded(outcomes, shown, deep=self.deep, mean=mean)
        found.equal += part.equal
        found.outcomes += part.outcomes

    def _walk(self, name: str, expected: Json, actual: Json, node: Node | None) -> list[Outcome]:
        comparator = node.comparator if node is not None else None
        place = Place("" if name == ROOT else name, (), expected, actual, node, comparator, 1.0)
        return walk(place, deep=self.deep, null_is_missing=self.null_is_missing)

    def _name(self, name: str) -> str:
        return join("", name) if self.deep else name

    def _lists(self, expected: list[Json], actual: list[Json]) -> Compared:
        """Pair two lists of elements and compare each pair."""
        node = None
        if self.policy.entries:
            node = self.policy.tree(tuple(one for one in (*expected, *actual) if isinstance(one, dict)))
            expected = [prune(element, node) for element in expected]
            actual = [prune(element, node) for element in actual]
        comparator = node.comparator if node is not None else None
        grader = Grader(node, comparator)
        grades = grader.for_elements(expected, actual, self.mode)
        found = align(actual, expected, self.mode, deep=self.deep, **grades)
        if grader.notes:
            found.note = "; ".join(filter(None, (found.note, *grader.notes)))
        records = self._same([expected[at] for _, at in found.same], node)
        for came, at in sorted(found.pairs, key=_by_expected):
            records.append(self._pair(expected[at], actual[came], node, at))
        if self.mode != "subset":
            records += [self._pair(expected[at], MISSING, node, at) for at in found.missing]
        if self.mode != "superset":
            records += [self._pair(MISSING, actual[came], node, came) for came in found.invented]
        return Compared(records, found)

    def _same(self, elements: list[Json], node: Node | None) -> list[Comparison]:
        """The comparisons of elements that are equal to their partners, alike ones once."""
        if node is not None and node.says("rubric"):
            return [self._pair(element, element, node, 0) for element in elements]
        if self.deep or set(map(type, elements)) != {dict}:
            return [Comparison(self._names(element)) for element in elements]
        shapes: Counter[tuple[str, ...]] = Counter(map(tuple, elements))  # type: ignore[arg-type]
        return [Comparison(list(names), [], times) for names, times in shapes.items()]

    def _names(self, element: Json) -> list[str]:
        """The fields of an element that is equal to its partner."""
        if not isinstance(element, dict):
            return [ROOT]
        if not self.deep:
            return list(element)
        return [outcome.name for outcome in self._walk(ROOT, element, element, None)] if element else []

    def _pair(self, expected: Any, actual: Any, node: Node | None, at: int) -> Comparison:
        """Compare two paired elements of any kind, or one that has no partner."""
        wanted, came = expected, actual
        if type(expected) is dict and type(actual) is not dict:
            came = {}
        elif expected is MISSING and type(actual) is dict:
            wanted = {}
        if type(wanted) is dict and type(came) is dict and (wanted or came):
            found = self._record(wanted, came, node)
        elif type(wanted) is dict and wanted is expected and came is actual:
            found = Comparison()
        else:
            found = _single(expected, actual, node)
        for outcome in found.outcomes:
            inside = outcome.where or (() if outcome.name == ROOT else (outcome.name,))
            outcome.where = (at, *inside)
        return found


def _by_expected(pair: tuple[int, int]) -> int:
    return pair[1]


def _single(expected: Json | Missing, actual: Json | Missing, node: Node | None) -> Comparison:
    """Compare two values as the one field `$`."""
    comparator: Comparator | None = node.comparator if node is not None else None
    place = Place("", (), expected, actual, node, comparator, 1.0)
    mean = comparator is not None
    return _folded(walk(place, deep=False), ROOT, deep=False, mean=mean)


def _folded(outcomes: list[Outcome], name: str, *, deep: bool, mean: bool) -> Comparison:
    """Make the leaves of one member into fields: each by itself when deep, else one, and one a rubric."""
    found = Comparison()
    own: list[Outcome] = []
    for outcome in outcomes:
        outcome.name = outcome.name or name
        if deep or outcome.judged:
            _keep(found, outcome)
        else:
            own.append(outcome)
    if len(own) == 1 and own[0].name == name:
        _keep(found, own[0])
    elif own:
        _keep(found, fold_leaves(own, name, mean=mean))
    return found


def _keep(found: Comparison, outcome: Outcome) -> None:
    if outcome.score == 1.0 and outcome.comparator == "exact":
        found.equal.append(outcome.name)
    else:
        found.outcomes.append(outcome)
