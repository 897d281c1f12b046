"""Which of many argument objects lie within which others.

An object is the set of its features; one lies within another exactly when its features are a subset. Flat,
a feature is a member: its name and its whole value. Deep, it is a leaf: where it stands and what it is; an
object may then hold more members at any depth, a list has the same length and its elements lie within each
other one by one.

An index from features to the objects that hold them names the few that can be meant; nothing is compared
with everything. Where the inner objects hold atoms alone, `plain_holders` does the same without making
features.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.equality import SELF_FROZEN, equal, freeze

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from fieldwise._types import Json

_FEW: Final = 8
"""Up to so many holders of a feature are looked at one by one."""
_DEEPEST: Final = 60
"""What is nested deeper is compared whole."""
_ATOMS: Final = SELF_FROZEN | {bool}
_OBJECT: Final = ("object",)


def features(args: Mapping[str, Json], *, deep: bool) -> frozenset[Hashable]:
    """Return the features of arguments.

    >>> sorted(features({"a": 1, "b": 2}, deep=False))
    [('a', 1), ('b', 2)]
    """
    if not deep:
        return frozenset(
            [(name, value if type(value) in SELF_FROZEN else freeze(value)) for name, value in args.items()]
        )
    found: list[Hashable] = []
    stack: list[tuple[Hashable, Any, int]] = [((name, None), value, 0) for name, value in args.items()]
    while stack:
        where, value, depth = stack.pop()
        if isinstance(value, dict) and depth < _DEEPEST:
            found.append((where, _OBJECT))
            stack += [((name, where), item, depth + 1) for name, item in value.items()]
        elif isinstance(value, list) and depth < _DEEPEST:
            found.append((where, ("list", len(value))))
            stack += [((at, where), item, depth + 1) for at, item in enumerate(value)]
        else:
            found.append((where, freeze(value)))
    return frozenset(found)


def within(inner: Json, outer: Json) -> bool:
    """Whether a value lies within another, at every depth.

    >>> within({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}, "d": 3})
    True
    """
    return features({"": inner}, deep=True) <= features({"": outer}, deep=True)


def holders(inner: Sequence[frozenset[Hashable]], outer: Sequence[frozenset[Hashable]]) -> list[int]:
    """Return for each inner set the outer sets that hold it, as bits."""
    index: dict[Hashable, list[int]] = {}
    for at, held in enumerate(outer):
        for feature in held:
            index.setdefault(feature, []).append(at)
    masks: dict[Hashable, int] = {}
    every = (1 << len(outer)) - 1
    known: dict[frozenset[Hashable], int] = {}
    found = []
    for wanted in inner:
        mask = known.get(wanted)
        if mask is None:
            mask = known[wanted] = _holding(wanted, outer, index, masks, every)
        found.append(mask)
    return found


def _holding(
    wanted: frozenset[Hashable],
    outer: Sequence[frozenset[Hashable]],
    index: Mapping[Hashable, list[int]],
    masks: dict[Hashable, int],
    every: int,
) -> int:
    """The sets that hold every feature wanted: looked at one by one where few can, else by their masks."""
    rarest: list[int] | None = None
    for feature in wanted:
        here = index.get(feature)
        if here is None:
            return 0
        if rarest is None or len(here) < len(rarest):
            rarest = here
    if rarest is None:
        return every
    if len(rarest) <= _FEW:
        return sum([1 << at for at in rarest if wanted <= outer[at]])
    mask = every
    for feature in wanted:
        held = masks.get(feature)
        if held is None:
            held = masks[feature] = as_mask(index[feature], len(outer))
        mask &= held
    return mask


def plain_holders(
    inner: Sequence[Mapping[str, Json]], outer: Sequence[Mapping[str, Json]]
) -> list[int] | None:
    """Do what `holders` does for arguments of which the inner ones are atoms; None: they are not all.

    Nothing is made for a value that is held once, which of many calls most are.
    """
    index: dict[str, dict[Hashable, int | list[int]]] = {}
    for args in inner:
        if not _ATOMS.issuperset(map(type, args.values())):
            return None
        index.update({name: {} for name in args if name not in index})
    for at, args in enumerate(outer):
        for name, value in args.items():
            here = index.get(name)
            if here is None or type(value) not in _ATOMS:
                continue
            mark = _mark(value)
            held = here.get(mark)
            if held is None:
                here[mark] = at
            elif isinstance(held, int):
                here[mark] = [held, at]
            else:
                held.append(at)
    masks: dict[tuple[str, Hashable], int] = {}
    every = (1 << len(outer)) - 1
    return [_plainly_holding(args, outer, index, masks, every) for args in inner]


def _plainly_holding(
    wanted: Mapping[str, Json],
    outer: Sequence[Mapping[str, Json]],
    index: Mapping[str, Mapping[Hashable, int | list[int]]],
    masks: dict[tuple[str, Hashable], int],
    every: int,
) -> int:
    """As `_holding`, for arguments that are atoms."""
    rarest: Sequence[int] | None = None
    for name, value in wanted.items():
        held = index[name].get(_mark(value))
        if held is None:
            return 0
        if isinstance(held, int):
            rarest = (held,)
            break
        if rarest is None or len(held) < len(rarest):
            rarest = held
    if rarest is None:
        return every
    if len(rarest) <= _FEW:
        return sum([1 << at for at in rarest if _holds(outer[at], wanted)])
    mask = every
    for name, value in wanted.items():
        mark = _mark(value)
        if (name, mark) not in masks:
            masks[name, mark] = as_mask(index[name][mark], len(outer))  # type: ignore[arg-type]
        mask &= masks[name, mark]
    return mask


def _mark(atom: Any) -> Hashable:
    """The stand-in of an atom: itself, but of a boolean, which as a key would be a number."""
    return freeze(atom) if atom is True or atom is False else atom


def _holds(outer: Mapping[str, Json], wanted: Mapping[str, Json]) -> bool:
    """Whether an object has these members, all of them atoms."""
    for name, value in wanted.items():
        came = outer.get(name, MISSING)
        if value is not came and (came is MISSING or not equal(value, came)):
            return False
    return True


def as_mask(positions: Sequence[int], size: int) -> int:
    """Return an integer with these bits set, in time that does not grow with their number times size."""
    raw = bytearray((size >> 3) + 1)
    for at in positions:
        raw[at >> 3] |= 1 << (at & 7)
    return int.from_bytes(raw, "little")
