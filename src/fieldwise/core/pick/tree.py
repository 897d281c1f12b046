"""The paths of some picks as one tree, and how to go down it on two documents at once.

A `Spot` is a place in that tree. Where the descent stands, several spots may meet: `$.items[0].a`,
`items.0.b` and `/items/0/c` lead through the same element, so a `Standing` is a tuple of spots. Names and
indices are looked up on each side by itself (`[-1]` is the last one of either); `*` leaves open which
element of one list answers which of the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from fieldwise.core.policy import Node
from fieldwise.core.select import INDEX, Wildcard, element_index

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Json, ListMode, Missing, Step
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Comparator
    from fieldwise.core.select import PathStep

    Key: TypeAlias = str | int | tuple[str]

Standing: TypeAlias = "tuple[Spot, ...]"


@dataclass(frozen=True, slots=True)
class Say:
    """What a pick says about its places."""

    comparator: Comparator | None = None
    rubric: str | None = None
    lists: ListMode | ByKey | None = None


@dataclass(slots=True)
class Spot:
    """A place named by picks, or on the way to one.

    Attributes:
        picks: the picks that end here.
        below: the picks that end here or below.
        next: the places one step on; a name that never is an index is in a tuple.
        every: the place of every member or element.
        say: what the first pick that ends here says.
    """

    picks: list[int] = field(default_factory=list)
    below: list[int] = field(default_factory=list)
    next: dict[Key, Spot] = field(default_factory=dict)
    every: Spot | None = None
    say: Say | None = None


def plant(paths: Iterable[tuple[int, Sequence[PathStep], bool, Say]]) -> Spot:
    """Make the tree of some paths: the number of each, its steps, whether digits are indices, its say."""
    root = Spot()
    for at, steps, names_index, say in paths:
        spot = root
        spot.below.append(at)
        for step in steps:
            spot = _grown(spot, step, names_index=names_index)
            spot.below.append(at)
        spot.picks.append(at)
        spot.say = spot.say or say
    return root


def _grown(spot: Spot, step: PathStep, *, names_index: bool) -> Spot:
    if isinstance(step, Wildcard):
        spot.every = spot.every or Spot()
        return spot.every
    plain = isinstance(step, str) and not names_index and INDEX.fullmatch(step)
    key: Any = (step,) if plain else step
    return spot.next.setdefault(key, Spot())


def named_steps(
    here: Standing, expected: Json | Missing, actual: Json | Missing
) -> dict[tuple[Step | None, Step | None], Standing]:
    """Return what the names and indices lead to: the step on each side (None: not there), the spots.

    >>> spot = plant([(0, ("a", -1), True, Say())])
    >>> [*named_steps((spot,), {"a": [1]}, {})]
    [('a', None)]
    """
    found: dict[tuple[Step | None, Step | None], Standing] = {}
    for spot in here:
        for key, child in spot.next.items():
            steps = _step(expected, key), _step(actual, key)
            if steps != (None, None):
                found[steps] = (*found.get(steps, ()), child)
    return found


def _step(value: Json | Missing, key: Key) -> Step | None:
    """The member or element of a value that a key names, or None."""
    name = key[0] if isinstance(key, tuple) else key
    if isinstance(value, dict):
        return name if isinstance(name, str) and name in value else None
    if not isinstance(value, list) or isinstance(key, tuple):
        return None
    return element_index(name, len(value))


def every(here: Standing) -> Standing:
    """Return the spots of every member or element."""
    return tuple([spot.every for spot in here if spot.every is not None])


def below(here: Standing) -> list[int]:
    """Return the picks that end at or below a standing."""
    return sorted({at for spot in here for at in spot.below})


def project(root: Json, here: Standing) -> Json:
    """Return of a value what the picks look at; an object that they look at nowhere is empty."""
    holder: list[Any] = [root]
    stack: list[tuple[Any, Any, Standing]] = [(holder, 0, here)]
    while stack:
        into, at, here = stack.pop()
        value = into[at]
        if any(spot.picks for spot in here):
            continue
        kept: dict[str, Json] | list[Json] = [] if isinstance(value, list) else {}
        into[at] = kept
        for step, item, spots in _reached(value, here):
            if isinstance(kept, dict):
                kept[str(step)] = item
                stack.append((kept, step, spots))
            else:
                kept.append(item)
                stack.append((kept, len(kept) - 1, spots))
    return holder[0]  # type: ignore[no-any-return]


def _reached(value: Json, here: Standing) -> list[tuple[Step, Json, Standing]]:
    """The members or elements of a value that the picks look at."""
    if not isinstance(value, dict | list):
        return []
    named = {one: spots for (one, _), spots in named_steps(here, value, None).items()}
    rest = every(here)
    found: list[tuple[Step, Json, Standing]] = []
    items: Any = value.items() if isinstance(value, dict) else enumerate(value)
    for step, item in items:
        spots = (*named.get(step, ()), *rest)
        if spots:
            found.append((step, item, spots))
    return found


def as_node(root: Standing, words: Node | None) -> Node:
    """Return what is said about the places of a standing as a policy's tree; `words`: of their lists."""
    top = Node()
    stack: list[tuple[Node, Standing, Node | None]] = [(top, root, words)]
    while stack:
        node, here, words = stack.pop()
        say = next((spot.say for spot in here if spot.say is not None), Say())
        node.comparator, node.rubric = say.comparator, say.rubric
        node.lists = say.lists or (words.lists if words is not None else None)
        groups: dict[Step, Standing] = {}
        rest = every(here)
        for spot in here:
            for key, child in spot.next.items():
                step = key[0] if isinstance(key, tuple) else key
                groups[step] = (*groups.get(step, ()), child)
        for step, spots in groups.items():
            child_node = node.members[step] = Node()
            stack.append((child_node, (*spots, *rest), words.child(step) if words is not None else None))
        if rest:
            node.every = Node()
            stack.append((node.every, rest, words.every if words is not None else None))
    return top
