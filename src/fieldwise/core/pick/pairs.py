"""Which element of one list, and which find of a query, answers which of the other side.

Elements are paired on what the picks look at and nothing else, and graded by what those say; keys of `by_key`
are read off the whole element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.core.align import Alignment, ByKey, align
from fieldwise.core.pick.tree import as_node, project
from fieldwise.core.select import compile_path
from fieldwise.core.walk import Grader

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json, ListMode, Missing
    from fieldwise.core.pick.tree import Standing
    from fieldwise.core.policy import Node
    from fieldwise.core.select import Match

Rows: TypeAlias = "list[tuple[int | None, int | None]]"

_KEY: Final = "k"
_PART: Final = "v"
_BY_KEY: Final = ByKey((compile_path(_KEY),))


def pair_elements(
    expected: list[Json],
    actual: list[Json],
    mode: ListMode | ByKey,
    *,
    spots: Standing,
    words: Node | None,
    plain: Callable[[Json | Missing], Any],
) -> tuple[Rows, str | None]:
    """Pair two lists.

    Args:
        expected: the elements that were wanted.
        actual: the elements that came.
        mode: how they pair.
        spots: where in an element the picks look.
        words: what is said about lists inside of elements.
        plain: what of a value counts.

    Returns:
        The index of every element on either side, and what was bounded.
    """
    if mode == "ordered":
        return _rows(align(actual, expected, mode)), None
    wanted, came = ([plain(project(one, spots)) for one in side] for side in (expected, actual))
    if isinstance(mode, ByKey):
        wanted = [_keyed(one, mode, part) for one, part in zip(expected, wanted, strict=True)]
        came = [_keyed(one, mode, part) for one, part in zip(actual, came, strict=True)]
        found = align(came, wanted, _BY_KEY)
        return _rows(found), found.note
    node = as_node(spots, words)
    grader = Grader(node, node.comparator)
    found = align(came, wanted, mode, deep=True, **grader.for_elements(wanted, came, mode))
    return _rows(found), "; ".join([note for note in (found.note, *grader.notes) if note]) or None


def _rows(found: Alignment) -> Rows:
    """Every element's index on either side: the expected list in its order, then what is new."""
    rows: Rows = [(at, came) for came, at in found.same + found.pairs]
    rows += [(at, None) for at in found.missing]
    rows.sort(key=lambda row: row[0] or 0)
    return rows + [(None, came) for came in sorted(found.invented)]


def _keyed(element: Json, mode: ByKey, part: Json | Missing) -> Json:
    """What pairs an element by its keys: they themselves, and what the picks look at where keys repeat."""
    found = mode.values(element)
    return {_PART: part} if found is None else {_PART: part, _KEY: found}  # type: ignore[dict-item]


def pair_finds(wanted: list[Match], came: list[Match]) -> list[tuple[Match | None, Match | None]]:
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
