"""The tree of a whole record, by the card that its results were rendered from.

Add a kind of card: write a function `(examined) -> Twig`, add its row to `_TREES`. A card without a row,
or a record that could not be read, has the tree of the differences its results list, or none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.compare import Outcome
from fieldwise.core.pick import words_at
from fieldwise.core.policy import Node, Policy, prune
from fieldwise.core.select import place_name
from fieldwise.core.walk import Place
from fieldwise.report.tree import (
    OPEN,
    Twig,
    element_label,
    grow,
    hang,
    how_of,
    leaf,
    mark_matches,
    pairing_words,
)
from fieldwise.scorers.cards import MatchCard
from fieldwise.scorers.field_cards import FieldsCard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fieldwise._types import Path
    from fieldwise.core.pick.model import Element, Found, Pairing, Picked
    from fieldwise.core.pick.tree import Say
    from fieldwise.run import Examined
    from fieldwise.scorers.field import Field


def tree_of(examined: Examined) -> Twig:
    """Return the tree of a record; without anything below it when there is none to show."""
    card: Any = examined.card
    make = _TREES.get(type(card))
    top = Twig("$")
    if make is not None and card.problem is None:
        top = make(examined)
        mark_matches(top)
    return top if top.below or top.verdict else _differences(examined)


def _differences(examined: Examined) -> Twig:
    """The differences that results list, each by its path."""
    top = Twig("$")
    listed = [one for result in examined.results for one in result["extra"].get("differences", ())]
    for at, one in enumerate(listed):
        wanted = MISSING if one["kind"] == "unexpected" else one["expected"]
        came = MISSING if one["kind"] == "missing" else one["got"]
        reason = "of another type" if one["kind"] == "type" else one.get("reason")
        outcome = Outcome(
            one["path"], one.get("score", 0.0), wanted, came, "graded", reason, one.get("comparator", "exact")
        )
        leaf(top.below.setdefault(at, Twig(one["path"])), outcome)
    return top


# ---------------------------------------------------------------------------------------- json_match


def _match(examined: Examined) -> Twig:
    """Every leaf of the two documents."""
    card: Any = examined.card
    plan: Any = examined.plan
    policy = Policy(plan.entries)
    expected: Any = examined.documents.expected
    actual: Any = examined.documents.actual
    outcomes = [one for record in card.compared.records for one in record.outcomes]
    judged = {one.where: one for one in outcomes if one.comparator == "judge"}
    null_is_missing = plan.reader.null_policy == "null_equals_missing"
    top = Twig("$")
    found = card.compared.alignment
    if found is None:
        node = policy.tree((expected, actual))
        root = _place((), prune(expected, node), prune(actual, node), node)
        grow(top, root, judged, null_is_missing=null_is_missing, down=True)
        return top
    node = policy.tree(tuple(one for one in (*expected, *actual) if isinstance(one, dict)))
    wanted, came = ([prune(one, node) for one in side] for side in (expected, actual))
    every = Node(every=node, lists=card.style.mode)
    notes = [found.note] if found.note else []
    for step, twig in hang(_place((), wanted, came, every), top, found, str(card.style.mode), notes):
        root = _place(step.where, *_as_records(step.expected, step.actual), node)
        grow(twig, root, judged, null_is_missing=null_is_missing, down=True)
        twig.expected, twig.actual = step.expected, step.actual
    return top


def _as_records(expected: Any, actual: Any) -> tuple[Any, Any]:
    """Two elements; where one is a record and the other none, each member of the record counts."""
    if isinstance(expected, dict) and expected and not isinstance(actual, dict):
        return expected, {}
    if expected is MISSING and isinstance(actual, dict) and actual:
        return {}, actual
    return expected, actual


def _place(where: Path, expected: Any, actual: Any, node: Node | None) -> Place:
    comparator = node.comparator if node is not None else None
    return Place("", where, expected, actual, node, comparator, 1.0)


# --------------------------------------------------------------------------------------- multi_field


def _fields(examined: Examined) -> Twig:
    """Every place of the fields, in the documents they are in."""
    card: Any = examined.card
    plan: Any = examined.plan
    documents = examined.documents
    lists = Policy([one for one in plan.entries if one.aspect == "lists"])
    words = lists.tree((documents.expected, documents.actual))
    top = Twig("$")
    stations = _stations(card.picked)
    for named, picked in zip(card.fields, card.picked, strict=True):
        if not picked.found:
            top.below["on neither side", named.path] = Twig(named.path, OPEN, how="on neither side")
        for found in picked.found:
            twig = _way(top, found, stations.get(id(found), {}))
            if not found.where or twig.verdict or twig.below:  # another field is here, or below
                twig = twig.below.setdefault(("as", named.path), Twig(f"as {named.path}"))
            here = words_at(words, found.where)
            _put(twig, named, picked.pick.say, found, here, null_is_missing=card.null_is_missing)
    return top


def _stations(picked: Sequence[Picked]) -> dict[int, dict[int, tuple[Pairing, Element]]]:
    """For each found place the paired elements on its way, by how many steps lead to their list."""
    stations: dict[int, dict[int, tuple[Pairing, Element]]] = {}
    pairings = {id(pairing): pairing for one in picked for pairing in one.pairings}
    for pairing in pairings.values():
        for element in pairing.elements:
            for found in element.found:
                stations.setdefault(id(found), {})[len(pairing.where)] = (pairing, element)
    return stations


def _way(top: Twig, found: Found, stations: Mapping[int, tuple[Pairing, Element]]) -> Twig:
    """The twig of a found place, and those on the way to it."""
    twig = top
    for depth, step in enumerate(found.where):
        key: Any = step
        label = place_name((step,))
        if depth in stations:
            pairing, element = stations[depth]
            key = (element.expected, element.actual)
            label = element_label(*key)
            twig.how = twig.how or _paired(pairing)
        twig = twig.below.setdefault(key, Twig(label))
    return twig


def _paired(pairing: Pairing) -> str:
    sides = [(one.expected is None, one.actual is None) for one in pairing.elements]
    missing, invented = sides.count((False, True)), sides.count((True, False))
    if pairing.mode == "ordered" and not missing and not invented:
        return ""
    said = pairing_words(pairing.mode, sides.count((False, False)), missing, invented)
    return f"{said}; {pairing.note}" if pairing.note else said


def _put(
    twig: Twig, named: Field, say: Say, found: Found, words: Node | None, *, null_is_missing: bool
) -> None:
    """Show what was found at a place of a field: its leaves if it has some, else itself."""
    outcome = found.outcome
    opened = isinstance(found.expected, dict | list) and isinstance(found.actual, dict | list)
    whole = say.rubric is not None or (say.comparator is not None and say.comparator.whole)
    if not opened or whole:
        leaf(twig, replace(outcome, expected=found.expected, actual=found.actual), named.threshold)
        return
    node = Node(
        lists=say.lists or (words.lists if words is not None else None),
        members=words.members if words is not None else {},
        every=words.every if words is not None else None,
    )
    place = Place("", found.where, found.expected, found.actual, node, say.comparator, 1.0)
    grow(twig, place, {}, null_is_missing=null_is_missing)
    twig.how = "; ".join(filter(None, (twig.how, how_of(outcome, named.threshold))))


_TREES: Final[dict[type, Callable[[Examined], Twig]]] = {MatchCard: _match, FieldsCard: _fields}
