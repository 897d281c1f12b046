"""The calls that were made: which are of a tool, and which came before which.

Calls of one group were made at once. With `parallel="unordered"` neither is before the other; with
"ordered" every call is a decision of its own.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fieldwise.scorers.agents.names import tool_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise.scorers.agents.calls import ToolCall

Parallel: TypeAlias = Literal["unordered", "ordered"]
LISTED: Final = 100
"""How many names a list of them shows."""
_LONGEST: Final = 80


class Made:
    """The calls of one side."""

    __slots__ = ("_ids", "_keys", "calls", "decisions", "times")

    def __init__(self, calls: Sequence[ToolCall], parallel: Parallel = "unordered") -> None:
        self.calls = calls
        self.decisions = grouped(calls, parallel)
        """The calls of each decision, as positions."""
        self.times = [time for time, decision in enumerate(self.decisions) for _ in decision]
        """Of each call, the decision it was made in."""
        self._keys: defaultdict[str, list[int]] = defaultdict(list)
        self._ids: defaultdict[str, list[int]] = defaultdict(list)
        for at, call in enumerate(calls):
            if call.name:
                self._keys[tool_key(call.name)].append(at)
            if call.id is not None:
                self._ids[call.id].append(at)

    def of(self, tool: str) -> list[int]:
        """Return the positions of the calls of a tool, or of the call with that id.

        >>> from fieldwise.scorers.agents.calls import ToolCall
        >>> Made([ToolCall("get"), ToolCall("put"), ToolCall("get", group=1)]).of("get")
        [0, 2]
        """
        named, identified = self._keys.get(tool_key(tool), []), self._ids.get(tool, [])
        return sorted({*named, *identified}) if identified else named

    def place(self, at: int) -> str:
        """Where a call was found, for people."""
        return self.calls[at].at or f"call {at}"


def grouped(calls: Sequence[ToolCall], parallel: Parallel) -> list[list[int]]:
    """Return the positions of the calls, decision by decision.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> grouped([ToolCall("a"), ToolCall("b"), ToolCall("c", group=1)], "unordered")
    [[0, 1], [2]]
    """
    if parallel == "ordered":
        return [[at] for at in range(len(calls))]
    return [list(some) for _, some in groupby(range(len(calls)), key=lambda at: calls[at].group)]


def short(name: str) -> str:
    """Return a name, cut where it is long."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"


def listed(names: Iterable[str]) -> list[str]:
    """Return the first names of many, each cut."""
    return [short(name) for _, name in zip(range(LISTED), names, strict=False)]
