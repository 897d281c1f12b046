"""Comparing two documents at named places only.

Each pick is one path. A path without wildcard names one place on either side; one with wildcards names
many, paired by the pairing of the lists it passes through; any other query (`$..price`) names what it
finds on each side, paired in order. A place on neither side leaves no outcome.

Lists pass through aligned on what the picks look at and nothing else, so a member nobody asked for never
decides which element answers which.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.core.compare import Outcome
from fieldwise.core.policy import Entry, Policy
from fieldwise.core.select import WILD, Selector, follow, resolve
from fieldwise.core.walk import Place, fold_leaves, steps_down, walk

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Json, ListMode, Missing
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Comparator
    from fieldwise.core.policy import Node


@dataclass(frozen=True, slots=True)
class Pick:
    """One place to compare, or many by wildcard.

    Attributes:
        name: the path as given.
        selector: the compiled path.
        comparator: grades it; leaves inherit it.
        rubric: what makes it right, for a judge.
        lists: how it pairs when it is a list.
    """

    name: str
    selector: Selector
    comparator: Comparator | None = None
    rubric: str | None = None
    lists: ListMode | ByKey | None = None


@dataclass(slots=True)
class Picked:
    """What became of one pick: an outcome for each of its places."""

    pick: Pick
    outcomes: list[Outcome] = field(default_factory=list)


class Picker:
    """Compares documents at the places of some picks."""

    __slots__ = ("_picks", "_spread")

    def __init__(self, picks: Sequence[Pick], lists: Sequence[Entry] = ()) -> None:
        """Sort the picks by how their places are found; `lists` says how lists on the way pair."""
        self._picks = tuple(picks)
        spread = [(at, pick) for at, pick in enumerate(picks) if _is_spread(pick.selector)]
        entries = [*lists]
        for at, pick in spread:
            entries.append(Entry(pick.name, pick.selector, "pick", at))
            if pick.comparator is not None:
                entries.append(Entry(pick.name, pick.selector, "comparator", pick.comparator))
            if pick.rubric is not None:
                entries.append(Entry(pick.name, pick.selector, "rubric", pick.rubric))
        self._spread = Policy(entries) if spread else None

    def compare(self, expected: Json, actual: Json) -> list[Picked]:
        """Compare two documents; one entry for each pick, in the order given."""
        found = [Picked(pick) for pick in self._picks]
        for one in found:
            if not _is_spread(one.pick.selector):
                one.outcomes = self._single(one.pick, expected, actual)
        if self._spread is not None:
            self._many(found, expected, actual)
        return found

    def _single(self, pick: Pick, expected: Json, actual: Json) -> list[Outcome]:
        selector = pick.selector
        if selector.query is None:
            steps = resolve(selector, (expected, actual))
            wanted = follow(steps, expected, names_index=selector.syntax != "jsonpath")
            came = follow(steps, actual, names_index=selector.syntax != "jsonpath")
        else:
            wanted, came = selector.find(expected), selector.find(actual)
        return [
            _score(
                pick,
                wanted[at].path if at < len(wanted) else came[at].path,
                wanted[at].value if at < len(wanted) else MISSING,
                came[at].value if at < len(came) else MISSING,
            )
            for at in range(max(len(wanted), len(came)))
        ]

    def _many(self, found: list[Picked], expected: Json, actual: Json) -> None:
        """Walk the tree of the wildcard picks over both documents at once."""
        policy = self._spread
        tree = policy.tree((expected, actual)) if policy is not None else None
        stack = [Place("", (), _project(expected, tree), _project(actual, tree), tree, None, 1.0)]
        while stack:
            place = stack.pop()
            if place.node is None:
                continue
            for at in place.node.pick or ():
                one = found[at]
                one.outcomes.append(_score(one.pick, place.where, place.expected, place.actual))
            if place.node.members or place.node.every:
                stack.extend(reversed([step for step in steps_down(place) if step.node is not None]))


def _is_spread(selector: Selector) -> bool:
    return selector.query is None and WILD in selector.steps


def _score(pick: Pick, where: Any, expected: Json | Missing, actual: Json | Missing) -> Outcome:
    from fieldwise.core.policy import Node

    node = Node(rubric=pick.rubric, lists=pick.lists)
    place = Place(pick.name, where, expected, actual, node, pick.comparator, 1.0)
    leaves = walk(place, deep=False)
    if len(leaves) == 1:
        leaves[0].name = pick.name
        return leaves[0]
    folded = fold_leaves(leaves, pick.name, mean=True)
    return folded


def _project(document: Json | Missing, node: Node | None) -> Json | Missing:
    """Return of a document what the picks below `node` look at; what they do not is dropped."""
    if node is None or node.pick or not (node.members or node.every):
        return document
    if isinstance(document, dict):
        return {
            name: _project(value, child)  # type: ignore[misc]
            for name, value in document.items()
            if (child := node.child(name)) is not None
        }
    if isinstance(document, list):
        return [_project(value, node.child(at)) for at, value in enumerate(document)]  # type: ignore[misc]
    return MISSING
