"""Calls compared with an order: how much of it is there, in order, and where they part."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fieldwise.core.display import shown
from fieldwise.scorers.agents.names import call_keys, tool_key
from fieldwise.scorers.agents.ordering.lcs import longest_common
from fieldwise.scorers.agents.ordering.made import LISTED, listed, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise.scorers.agents.ordering.lcs import Common
    from fieldwise.scorers.agents.ordering.made import Made
    from fieldwise.scorers.agents.ordering.plans import Order


@dataclass(frozen=True, slots=True)
class Compared:
    """What was found: a score, and what there is to say of it."""

    score: float
    comment: str
    extra: dict[str, Any]


def compared(expected: Order, made: Made, *, strict: bool) -> Compared:
    """Calls compared with an order."""
    names = [name for group in expected.groups for name in group]
    keys = made.keys if expected.by_id else call_keys(made.calls)[0]
    common = longest_common(
        [[tool_key(name) for name in group] for group in expected.groups],
        [[keys[at] for at in decision] for decision in made.decisions],
    )
    full = common.length == len(names) == len(keys)
    recall = common.length / len(names) if names else float(full)
    precision = common.length / len(keys) if keys else float(full)
    missing, unexpected = _differing(names, made, keys)
    extra = {
        "expected": _shown(expected.groups),
        "actual": shown_calls(made),
        "lcs": listed(names[at] for at, _ in common.pairs or ()),
        "precision": precision,
        "recall": recall,
        "missing": listed(missing),
        "unexpected": listed(unexpected),
    }
    if common.bounded:
        extra["bounded"] = "too many groups to look at every order: the score may be too low"
    comment = _comment(names, made, keys, common, strict=strict)
    return Compared(float(full) if strict else recall, comment, extra)


def _differing(names: list[str], made: Made, keys: list[str | None]) -> tuple[Iterable[str], Iterable[str]]:
    """The names that were expected more often than called, and those that were called more often."""
    called, expected = Counter(keys), Counter(tool_key(name) for name in names)
    missing, unexpected = [], []
    for name in names:
        if called[tool_key(name)] > 0:
            called[tool_key(name)] -= 1
        else:
            missing.append(name)
    for at, key in enumerate(keys):
        if key is not None and expected[key] > 0:
            expected[key] -= 1
        else:
            unexpected.append(made.calls[at].name or "")
    return missing, unexpected


def shown_calls(made: Made) -> list[Any]:
    """The names of the first calls that were made, those made at once in a list."""
    return _shown(
        [sorted(made.calls[at].name or "" for at in decision) for decision in made.decisions[:LISTED]]
    )


def _shown(groups: Sequence[Sequence[str]]) -> list[Any]:
    """The first groups, one name as itself."""
    return [short(group[0]) if len(group) == 1 else listed(group) for group in groups[:LISTED]]


def _comment(names: list[str], made: Made, keys: list[str | None], common: Common, *, strict: bool) -> str:
    """How much is in order, and where the first difference is."""
    if not names:
        return f"no calls are expected, and {_were(len(keys))} made" if keys else "no calls, as expected"
    said = f"{common.length} of {len(names)} expected calls in order"
    difference = None
    if common.pairs is not None and common.length < len(names):
        difference = _lost(names, made, keys, common.pairs)
    elif common.pairs is not None and strict and len(keys) > len(names):
        met = {at for _, at in common.pairs}
        at = next(at for at in range(len(keys)) if at not in met)
        difference = f"{shown(made.calls[at].name or '')} is not expected, {made.place(at)}"
    more = len(keys) - common.length
    tail = f"; the first difference: {difference}" if difference else _others(more)
    return said + tail


def _lost(names: list[str], made: Made, keys: list[str | None], pairs: Sequence[tuple[int, int]]) -> str:
    """Of the first call that is expected and not met: what became of it."""
    met, used = {at for at, _ in pairs}, {at for _, at in pairs}
    name = next(name for at, name in enumerate(names) if at not in met)
    key = tool_key(name)
    spare = next((at for at, made_key in enumerate(keys) if made_key == key and at not in used), None)
    if spare is not None:
        return f"{shown(name)} came out of order, {made.place(spare)}"
    calls = keys.count(key)
    times = sum(tool_key(one) == key for one in names)
    return f"{shown(name)} was called {calls} of {times} times" if calls else f"{shown(name)} was not called"


def _were(calls: int) -> str:
    return "1 was" if calls == 1 else f"{calls} were"


def _others(calls: int) -> str:
    return f"; {calls} other call{'s' * (calls > 1)}" if calls else ""
