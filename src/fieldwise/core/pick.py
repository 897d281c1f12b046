"""Comparing two documents at named places only.

Each pick is one path. Names and indices name one place on either side. A wildcard names many: the elements
of a list pair as `lists` says, by index unless it says otherwise, and all picks below a list share its one
pairing. Any other query (`$..price`) names what it finds on each side; finds that have the same names on
their way pair in order. A place on neither side leaves nothing behind.

Lists are paired on what the picks look at and nothing else, so a member nobody asked for never decides
which element answers which.

How it works: the paths are one tree (`_spots`), walked down on both documents at once. It is iterative.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.core._spots import Say, as_node, below, every, named_steps, plant, project
from fieldwise.core.align import Alignment, ByKey, align
from fieldwise.core.compare import Outcome
from fieldwise.core.normalise import normalise
from fieldwise.core.policy import Node, Policy
from fieldwise.core.select import Selector, compile_path, resolve
from fieldwise.core.values import UnorderedList
from fieldwise.core.walk import Grader, Place, fold_leaves, walk
from fieldwise.errors import PathError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, ListMode, Missing, Path, Step
    from fieldwise.core._spots import Spot, Standing
    from fieldwise.core.policy import Entry
    from fieldwise.core.select import Match, PathStep


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
    """What is at one place of a pick on each side, and how it compared."""

    expected: Json | Missing
    actual: Json | Missing
    outcome: Outcome


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


@dataclass(slots=True)
class Picked:
    """What became of one pick: what was found at each of its places, and the pairings they rest on."""

    pick: Pick
    found: list[Found] = field(default_factory=list)
    pairings: list[Pairing] = field(default_factory=list)


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
            _explain(pairing)
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
        found = Found(here.expected, here.actual, self._score(picked.pick, here))
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
        mode = _mode(here)
        alignment, notes = self._align(here, spots, mode, expected, actual)
        pairing = Pairing(here.where, str(mode), note="; ".join(notes) or None)
        steps = []
        for at, came in _rows(alignment):
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

    def _align(
        self, here: _Here, spots: Standing, mode: ListMode | ByKey, expected: list[Json], actual: list[Json]
    ) -> tuple[Alignment, list[str]]:
        if mode == "ordered":
            return align(actual, expected, mode), []
        sides = [[self._plain(project(one, spots)) for one in side] for side in (expected, actual)]
        if isinstance(mode, ByKey):
            wanted, came = (
                [_keyed(one, mode, part) for one, part in zip(side, parts, strict=True)]
                for side, parts in zip((expected, actual), sides, strict=True)
            )
            found = align(came, wanted, _BY_K)
            return found, [found.note] if found.note else []
        words = here.words.every if here.words is not None else None
        node = as_node(spots, words)
        grader = Grader(node, node.comparator)
        wanted, came = sides  # type: ignore[assignment]
        found = align(came, wanted, mode, deep=True, **grader.for_elements(wanted, came, mode))
        return found, [note for note in (found.note, *grader.notes) if note]

    def _query(
        self, picked: Picked, expected: Json, actual: Json | Missing, words: Node | None
    ) -> None:
        """Pair what a query finds on each side."""
        pick = picked.pick
        try:
            came = [] if actual is MISSING else pick.selector.find(actual)
            rows = _in_order(pick.selector.find(expected), came)
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
                _words_at(words, where),
            )
            self._note(picked, here)


_K, _V = "k", "v"
_BY_K = ByKey((compile_path(_K),))


def _named(here: _Here) -> list[_Here]:
    """The places that names and indices lead to."""
    found = []
    for (at, came), spots in named_steps(here.spots, here.expected, here.actual).items():
        step = at if at is not None else came
        if step is None:
            continue
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


def _mode(here: _Here) -> ListMode | ByKey:
    """How a list pairs: as the options say, else as a set if it was one, else by index."""
    said = here.words.lists if here.words is not None else None
    sets = UnorderedList in (type(here.expected), type(here.actual))
    return said or ("same_elements" if sets else "ordered")


def _rows(found: Alignment) -> list[tuple[int | None, int | None]]:
    """Every element's index on either side: the expected list in its order, then what is new."""
    rows: list[tuple[int | None, int | None]] = [(at, came) for came, at in found.same + found.pairs]
    rows += [(at, None) for at in found.missing]
    rows.sort(key=lambda row: row[0] or 0)
    return rows + [(None, came) for came in sorted(found.invented)]


def _keyed(element: Json, mode: ByKey, part: Json | Missing) -> Json:
    """What pairs an element by its keys: they themselves, and what the picks look at where keys repeat."""
    found = [key.find(element) for key in mode.keys]
    keyed: dict[str, Any] = {_V: part}
    if all(found):
        keyed[_K] = [match.value for matches in found for match in matches]
    return keyed


def _in_order(wanted: list[Match], came: list[Match]) -> list[tuple[Match | None, Match | None]]:
    """Pair finds whose ways have the same names, in the order of the query.

    The names are those of members; so a member of another object never answers, and the order of members
    does not count.
    """
    groups: dict[tuple[str | None, ...], tuple[list[Match], list[Match]]] = {}
    for side, matches in enumerate((wanted, came)):
        for match in matches:
            names = tuple([step if isinstance(step, str) else None for step in match.path])
            groups.setdefault(names, ([], []))[side].append(match)
    rows: list[tuple[Match | None, Match | None]] = []
    for some, others in groups.values():
        both = min(len(some), len(others))
        rows += zip(some[:both], others[:both], strict=True)
        rows += [(one, None) for one in some[both:]]
        rows += [(None, one) for one in others[both:]]
    return rows


def _words_at(words: Node | None, where: Path) -> Node | None:
    for step in where:
        words = words.child(step) if words is not None else None
    return words


def _explain(pairing: Pairing) -> None:
    """Say below a list how its pairing was bounded, where something is not right."""
    if pairing.note is None:
        return
    for element in pairing.elements:
        for found in element.found:
            outcome = found.outcome
            if outcome.score != 1.0:
                outcome.reason = f"{outcome.reason}; {pairing.note}" if outcome.reason else pairing.note
