"""Comparing two documents at named places only.

Each pick is one path. Names and indices name one place on either side. A wildcard names many: the elements
of a list pair as `lists` says, by index unless it says otherwise, and all picks below a list share its one
pairing. Any other query (`$..price`) names what it finds on each side; finds that have the same names on
their way pair in order. A place on neither side leaves nothing behind.

Lists are paired on what the picks look at and nothing else, so a member nobody asked for never decides
which element answers which.

How it works: the paths are one tree (`tree`), walked down on both documents at once, without recursion.
Lists are paired by `pairs`; what picks are and what is left behind is in `model`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.compare import Outcome
from fieldwise.core.equality import equal
from fieldwise.core.normalise import normalise
from fieldwise.core.pick.model import Element, Found, Pairing, Pick, Picked
from fieldwise.core.pick.pairs import pair_elements, pair_finds
from fieldwise.core.pick.tree import Say, below, every, named_steps, plant
from fieldwise.core.policy import Node, Policy
from fieldwise.core.select import resolve
from fieldwise.core.walk import Place, fold_leaves, list_mode, walk
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, Missing, Path, Step
    from fieldwise.core.pick.tree import Spot, Standing
    from fieldwise.core.policy import Entry
    from fieldwise.core.select import PathStep

__all__ = ["Pick", "Picked", "Picker"]

_PLAIN: Final = Say()


@dataclass(frozen=True, slots=True)
class _Here:
    """Where the descent stands."""

    where: Path
    expected: Json | Missing
    actual: Json | Missing
    spots: Standing
    words: Node | None
    elements: tuple[Element, ...] = ()


class Picker:
    """Compares documents at the places of some picks.

    >>> from fieldwise.core.select import compile_path
    >>> picker = Picker([Pick("items[*].n", compile_path("items[*].n"))])
    >>> (picked,) = picker.compare({"items": [{"n": 1}, {"n": 2}]}, {"items": [{"n": 1}]})
    >>> [one.outcome.score for one in picked.found]
    [1.0, 0.0]
    """

    __slots__ = ("_kept", "_lists", "_null_is_missing", "_picks", "_readings")

    def __init__(
        self, picks: Sequence[Pick], lists: Iterable[Entry] = (), *, null_is_missing: bool = False
    ) -> None:
        """Make the tree of the picks; `lists` says how lists pair, on the way and in what is compared."""
        self._picks = tuple(picks)
        self._lists = Policy(lists)
        self._null_is_missing = null_is_missing
        self._readings = tuple([one.selector.steps for one in picks])
        self._kept = self._plant(self._readings)

    @property
    def null_is_missing(self) -> bool:
        """Whether null and no value are the same."""
        return self._null_is_missing

    def compare(self, expected: Json, actual: Json | Missing) -> list[Picked]:
        """Compare two documents; one entry for each pick, in the order given.

        `actual` MISSING: there is no such document, so nothing of it came.
        """
        picked = [Picked(pick) for pick in self._picks]
        words = self._lists.tree((expected, actual))
        stack = [_Here((), expected, actual, (self._tree(expected, actual),), words)]
        pairings: list[Pairing] = []
        while stack:
            here = stack.pop()
            for at in [at for spot in here.spots for at in spot.picks]:
                self._note(picked[at], here)
            stack.extend(reversed([*_named(here), *self._every(here, picked, pairings)]))
        for one in picked:
            if one.pick.selector.query is not None:
                self._query(one, expected, actual, words)
        for pairing in pairings:
            pairing.explain()
        return picked

    def _plant(self, readings: Sequence[tuple[PathStep, ...]]) -> Spot:
        return plant(
            (at, steps, pick.selector.syntax != "jsonpath", pick.say)
            for at, (pick, steps) in enumerate(zip(self._picks, readings, strict=True))
            if pick.selector.query is None
        )

    def _tree(self, expected: Json, actual: Json | Missing) -> Spot:
        """The tree as these documents read the paths, which is nearly always the one kept."""
        readings = tuple([resolve(pick.selector, (expected, actual)) for pick in self._picks])
        return self._kept if readings == self._readings else self._plant(readings)

    def _note(self, picked: Picked, here: _Here) -> None:
        """Compare one place of a pick."""
        found = Found(here.expected, here.actual, self._score(picked.pick, here), here.where)
        picked.found.append(found)
        for element in here.elements:
            element.found.append(found)

    def _score(self, pick: Pick, here: _Here) -> Outcome:
        say, where = pick.say, here.where
        expected, actual = self._plain(here.expected), self._plain(here.actual)
        name = say.comparator.name if say.comparator is not None else "exact"
        if expected is MISSING or actual is MISSING:
            nothing = self._null_is_missing and (expected is None or actual is None)
            if nothing:
                return Outcome(pick.name, 1.0, expected, actual, where=where)
            reason = "missing" if actual is MISSING else "unexpected"
            return Outcome(pick.name, 0.0, expected, actual, reason=reason, comparator=name, where=where)
        words = here.words
        if words is None and say == _PLAIN:
            return Outcome(pick.name, float(equal(expected, actual)), expected, actual, where=where)
        node = Node(
            rubric=say.rubric,
            lists=say.lists or (words.lists if words is not None else None),
            members=words.members if words is not None else {},
            every=words.every if words is not None else None,
        )
        place = Place(pick.name, where, expected, actual, node, say.comparator, 1.0)
        leaves = walk(place, deep=False, null_is_missing=self._null_is_missing)
        if len(leaves) == 1 and leaves[0].name == pick.name:
            return leaves[0]
        return fold_leaves(leaves, pick.name, mean=say.comparator is not None)

    def _plain(self, value: Json | Missing) -> Json | Missing:
        """A value without the members that are null, where null is no value."""
        if not self._null_is_missing or not isinstance(value, dict | list):
            return value
        below_records: Any = [[value]]
        wrapped: Any = normalise(below_records, null_policy="null_equals_missing")
        return wrapped[0][0]  # type: ignore[no-any-return]

    def _every(self, here: _Here, picked: Sequence[Picked], pairings: list[Pairing]) -> list[_Here]:
        """The members or paired elements of what a wildcard stands for."""
        spots = every(here.spots)
        if not spots:
            return []
        found = _members(here, spots)
        if not (isinstance(here.expected, list) or isinstance(here.actual, list)):
            return found
        pairing, steps = self._elements(here, spots)
        pairings.append(pairing)
        for at in below(spots):
            picked[at].pairings.append(pairing)
        return found + steps

    def _elements(self, here: _Here, spots: Standing) -> tuple[Pairing, list[_Here]]:
        """Pair the elements of two lists; return how, and what of it is to be compared."""
        expected: Any = here.expected if isinstance(here.expected, list) else []
        actual: Any = here.actual if isinstance(here.actual, list) else []
        mode = list_mode(here.words, here.expected, here.actual)
        words = here.words.every if here.words is not None else None
        rows, note = pair_elements(expected, actual, mode, spots=spots, words=words, plain=self._plain)
        pairing = Pairing(here.where, str(mode), note=note)
        steps = []
        for at, came in rows:
            element = Element(at, came)
            pairing.elements.append(element)
            if (at is None and mode == "superset") or (came is None and mode == "subset"):
                continue
            index = came if at is None else at
            step = _Here(
                (*here.where, index if index is not None else 0),
                MISSING if at is None else expected[at],
                MISSING if came is None else actual[came],
                spots,
                here.words.child(index or 0, len(expected if at is not None else actual))
                if here.words is not None
                else None,
                (*here.elements, element),
            )
            steps.append(step)
        return pairing, steps

    def _query(self, picked: Picked, expected: Json, actual: Json | Missing, words: Node | None) -> None:
        """Pair what a query finds on each side."""
        pick = picked.pick
        try:
            came = [] if actual is MISSING else pick.selector.find(actual)
            rows = pair_finds(pick.selector.find(expected), came)
        except PathError as error:
            status, reason = "not_evaluated", str(error)
            outcome = Outcome(pick.name, None, MISSING, MISSING, status, reason)  # type: ignore[arg-type]
            picked.found.append(Found(MISSING, MISSING, outcome))
            return
        for wanted, got in rows:
            where = wanted.path if wanted is not None else got.path if got is not None else ()
            here = _Here(
                where,
                MISSING if wanted is None else wanted.value,
                MISSING if got is None else got.value,
                (),
                words_at(words, where),
            )
            self._note(picked, here)


def _named(here: _Here) -> list[_Here]:
    """The places that names and indices lead to."""
    found = []
    for (at, came), spots in named_steps(here.spots, here.expected, here.actual).items():
        step: Any = at if at is not None else came
        words = None
        if here.words is not None:
            size = len(here.expected if at is not None else here.actual)  # type: ignore[arg-type]
            words = here.words.child(step, size if isinstance(step, int) else 0)
        expected, actual = _at(here.expected, at), _at(here.actual, came)
        found.append(_Here((*here.where, step), expected, actual, spots, words, here.elements))
    return found


def _members(here: _Here, spots: Standing) -> list[_Here]:
    """The members of either side, by name."""
    wanted: Any = here.expected if isinstance(here.expected, dict) else {}
    came: Any = here.actual if isinstance(here.actual, dict) else {}
    names = [*wanted, *(name for name in came if name not in wanted)]
    return [
        _Here(
            (*here.where, name),
            wanted.get(name, MISSING),
            came.get(name, MISSING),
            spots,
            here.words.child(name) if here.words is not None else None,
            here.elements,
        )
        for name in names
    ]


def _at(value: Any, step: Step | None) -> Json | Missing:
    return MISSING if step is None else value[step]


def words_at(words: Node | None, where: Path) -> Node | None:
    """Return what is said about a place, of what is said about the documents."""
    for step in where:
        words = words.child(step) if words is not None else None
    return words
