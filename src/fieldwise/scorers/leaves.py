"""Every leaf of two documents, by path.

A leaf is a value that is no container, or an empty one. It has a path of names and indices, so a name
never meets an index: `{"a": [1]}` and `{"a": {"0": 1}}` have no leaf in common. Leaves at the same path
come together; a leaf at the path of a container comes beside it, and what is in the container comes
alone. Lists pair by index unless the policy says otherwise; what a set became pairs by content.

The walk is iterative and keeps no paths: a place is a chain of steps back to the root.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.align import align
from fieldwise.core.display import shown
from fieldwise.core.policy import entry
from fieldwise.core.select import place_name
from fieldwise.core.values import UnorderedList
from fieldwise.scorers import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise._types import Json, ListMode, Missing, Step
    from fieldwise.core.align import Alignment, ByKey
    from fieldwise.core.policy import Entry, Node

Link: TypeAlias = "tuple[Link, Step] | None"
"""A place: the chain of its last step, the step before it, and so on to the root."""

SHOWN_STEPS: Final = 40
SHOWN_PAIRS: Final = 100
SHOWN_LISTS: Final = 20


def list_entries(lists: Any, *, fold: bool = False) -> list[Entry]:
    """Check a `lists` option; `fold`: its paths are casefolded.

    Raises:
        ConfigError: for anything but a mapping from path to a way of pairing.
    """
    return [
        entry(key.casefold() if fold else key, "lists", options.list_mode(f"lists[{shown(key)}]", mode))
        for key, mode in options.mapping("lists", lists).items()
    ]


class Leaf(NamedTuple):
    """One path at which there is a leaf on at least one side."""

    link: Link
    expected: Json | Missing
    actual: Json | Missing


class _Stand(NamedTuple):
    link: Link
    expected: Json | Missing
    actual: Json | Missing
    node: Node | None


def leaves(
    expected: Json, actual: Json, tree: Node | None = None, pairings: dict[str, Any] | None = None
) -> Iterator[Leaf]:
    """Yield the leaves of both documents, in document order, the reference's members first.

    Args:
        expected: the reference.
        actual: the output.
        tree: what the policy says about lists.
        pairings: receives how lists were paired, by path.

    >>> [(where(one.link), one.expected, one.actual) for one in leaves({"a": 1}, {"a": 2, "b": 3})]
    [('a', 1, 2), ('b', MISSING, 3)]
    """
    stack = [_Stand(None, expected, actual, tree)]
    while stack:
        here = stack.pop()
        rows = _together(here, pairings)
        if rows is not None:
            stack.extend(reversed(rows))
            if not rows:  # a list that may hold less, or more, and does
                yield Leaf(here.link, here.expected, here.expected)
            continue
        opened, came = _is_open(here.expected), _is_open(here.actual)
        if came:
            stack.append(_Stand(here.link, MISSING, here.actual, None))
        if opened:
            stack.append(_Stand(here.link, here.expected, MISSING, None))
        if not opened and here.expected is not MISSING:
            yield Leaf(here.link, here.expected, here.actual)
        elif not came and here.actual is not MISSING:
            yield Leaf(here.link, MISSING, here.actual)


def where(link: Link) -> str:
    """Return a place as a path; of a very deep one, the beginning.

    >>> where(((None, "a b"), 0))
    "['a b'][0]"
    """
    steps: list[Step] = []
    while link is not None:
        link, step = link
        steps.append(step)
    steps.reverse()
    return place_name(tuple(steps[:SHOWN_STEPS])) + ("…" if len(steps) > SHOWN_STEPS else "")


def _is_open(value: Json | Missing) -> bool:
    return isinstance(value, dict | list) and bool(value)


def _together(here: _Stand, pairings: dict[str, Any] | None) -> list[_Stand] | None:
    """The places one step further down, where both sides or the only one has them; else None."""
    expected, actual, node = here.expected, here.actual, here.node
    if isinstance(expected, list) and isinstance(actual, list):
        return _elements(here, expected, actual, pairings)
    if expected is MISSING or actual is MISSING:
        if not (_is_open(expected) or _is_open(actual)):
            return None
        node = None
    elif not (isinstance(expected, dict) and isinstance(actual, dict) and expected and actual):
        return None
    wanted, came = _members(expected), _members(actual)
    names = [*wanted, *[name for name in came if name not in wanted]]
    return [
        _Stand(
            (here.link, name),
            wanted.get(name, MISSING),
            came.get(name, MISSING),
            None if node is None else node.child(name),
        )
        for name in names
    ]


def _members(value: Any) -> dict[Step, Any]:
    """The members of an object, or the elements of a list that stands alone."""
    if value is MISSING:
        return {}
    return dict(enumerate(value)) if isinstance(value, list) else value


def _elements(
    here: _Stand, expected: list[Any], actual: list[Any], pairings: dict[str, Any] | None
) -> list[_Stand] | None:
    """The paired elements of two lists, and those without a partner that count."""
    mode: ListMode | ByKey = (here.node.lists if here.node is not None else None) or "ordered"
    if mode == "ordered" and UnorderedList in (type(expected), type(actual)):
        mode = "same_elements"
    if not (expected and actual) and (mode not in ("subset", "superset") or not (expected or actual)):
        return None
    found = align(actual, expected, mode, deep=True)
    if mode != "ordered" and pairings is not None and len(pairings) < SHOWN_LISTS:
        pairings[where(here.link)] = _shown(mode, found)
    rows = [(at, expected[at], actual[came]) for came, at in sorted(found.same + found.pairs, key=_second)]
    if mode != "subset":
        rows += [(at, expected[at], MISSING) for at in sorted(found.missing)]
    if mode != "superset":
        rows += [(at, MISSING, actual[at]) for at in sorted(found.invented)]
    size, node = len(expected), here.node
    return [
        _Stand((here.link, at), wanted, came, None if node is None else node.child(at, size))
        for at, wanted, came in rows
    ]


def _second(pair: tuple[int, int]) -> int:
    return pair[1]


def _shown(mode: ListMode | ByKey, found: Alignment) -> dict[str, Any]:
    """How a list was paired: the first pairs of output and reference indices."""
    pairs = sorted(found.same + found.pairs, key=_second)
    words: dict[str, Any] = {
        "mode": str(mode),
        "missing": len(found.missing),
        "invented": len(found.invented),
        "pairs": [list(pair) for pair in pairs[:SHOWN_PAIRS]],
    }
    return words if found.note is None else {**words, "note": found.note}
