"""Calls by tool, by class, in an order of content, in blocks; and whether the arguments of two are equal.

Nothing here says which calls fit; `matching` and `weighing` do that.
"""

from __future__ import annotations

import json
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.equality import canonical, equal, freeze

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from fieldwise.scorers.agents.calls import ToolCall

    Names: TypeAlias = tuple[Sequence[str | None], Sequence[str | None]]

_ENCODE: Final = json.JSONEncoder(sort_keys=True).encode
_ATOMS: Final = frozenset({str, int, float, bool})


def by_tool(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    names: Names | None = None,
    *,
    readable: bool = True,
    within: tuple[Sequence[int], Sequence[int]] | None = None,
) -> dict[str, tuple[list[int], list[int]]]:
    """Return the indices of expected and of actual calls, by tool.

    Args:
        expected: the calls that were wanted.
        actual: the calls that came.
        names: of the tool of each expected and of each actual call, where they are not the calls' own.
        readable: whether calls with arguments that cannot be read are left out.
        within: the indices to look at on each side; None: all.
    """
    groups: dict[str, tuple[list[int], list[int]]] = {}
    for side, calls in enumerate((expected, actual)):
        chosen: Iterable[int] = range(len(calls)) if within is None else within[side]
        for at in chosen:
            name = calls[at].name if names is None else names[side][at]
            if name is None or (readable and calls[at].problem):
                continue
            held = groups.get(name)
            if held is None:
                held = groups[name] = ([], [])
            held[side].append(at)
    return groups


def by_content(calls: Sequence[ToolCall], indices: Sequence[int]) -> list[int]:
    """Return indices in an order that only the arguments decide."""
    return sorted(indices, key=lambda at: content(calls[at].args))


def content(args: Mapping[str, Any]) -> str:
    """Return text that is the same for arguments that are written the same; fast."""
    try:
        return _ENCODE(args)
    except (TypeError, ValueError, RecursionError):
        return canonical(dict(args))


def in_blocks(
    wanted: list[int], came: list[int], most: int
) -> tuple[list[tuple[list[int], list[int]]], str | None]:
    """Cut calls in an order of content into even blocks of at most so many possible pairs in all.

    Returns:
        The blocks, and what to say about it when there are several.
    """
    count = -(-len(wanted) * len(came) // most)
    if count <= 1:
        return [(wanted, came)], None
    cuts = [[len(side) * block // count for block in range(count + 1)] for side in (wanted, came)]
    edges = zip(*map(pairwise, cuts), strict=True)
    note = f"{len(wanted):,} x {len(came):,} calls: paired in {count} blocks of the order of their arguments"
    return [(wanted[start:end], came[first:last]) for (start, end), (first, last) in edges], note


def frozen_args(call: ToolCall) -> Hashable:
    """Return a stand-in for the arguments of a call: equal arguments have the same."""
    return freeze(call.args)


def pair_alike(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    wanted: Sequence[int],
    came: Sequence[int],
    pairs: list[tuple[int, int]],
    *,
    mark: Callable[[ToolCall], Hashable] = frozen_args,
    fits: Callable[[ToolCall], Hashable] | None = None,
) -> tuple[list[int], list[int]]:
    """Pair calls of the same class; return the indices of those that are left.

    Args:
        expected: the calls that were wanted.
        actual: the calls that came.
        wanted: the indices to look at.
        came: the same of those that came.
        pairs: (actual index, expected index) of calls that pair are added to it.
        mark: names the class of a call, None for none; equal arguments, unless stated.
        fits: is None for a call that pairs with none of its class.
    """
    waiting: dict[Hashable, list[int]] = {}
    for at in reversed(came):
        waiting.setdefault(mark(actual[at]), []).append(at)
    left = []
    for at in wanted:
        one = mark(expected[at])
        alike = waiting.get(one) if one is not None else None
        if alike and (fits is None or fits(expected[at]) is not None):
            pairs.append((alike.pop(), at))
        else:
            left.append(at)
    return left, [at for held in waiting.values() for at in held]


def same_args(expected: dict[str, Any], actual: dict[str, Any]) -> bool:
    """Whether arguments are equal, member by member: what is asked about every pair of calls."""
    if expected.keys() != actual.keys():
        return False
    for name, wanted in expected.items():
        came = actual[name]
        kind = type(wanted)
        if wanted is came or (kind is type(came) and kind in _ATOMS and wanted == came):
            continue
        if not equal(wanted, came):
            return False
    return True
