"""The calls that were made: which are of a tool, and which came before which.

Names are read as `names` has it: a name that no call has may be the id of one.

Calls of one group were made at once. With `parallel="unordered"` neither is before the other; with
"ordered" every call is a decision of its own.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from fieldwise.scorers.agents.names import call_keys, tool_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from fieldwise.scorers.agents.calls import ToolCall

Parallel: TypeAlias = Literal["unordered", "ordered"]
LISTED: Final = 100
"""How many names a list of them shows."""
_LONGEST: Final = 80


class Made:
    """The calls of one side."""

    __slots__ = ("_places", "calls", "decisions", "keys", "times")

    def __init__(
        self,
        calls: Sequence[ToolCall],
        parallel: Parallel = "unordered",
        expected: Collection[str] = (),
    ) -> None:
        """Look at calls that were made, `expected` being all names that are spoken of."""
        self.calls = calls
        self.keys = call_keys(calls, expected)[0]
        """The key of each call."""
        self.decisions = grouped(calls, parallel)
        """The calls of each decision, as positions."""
        self.times = [time for time, decision in enumerate(self.decisions) for _ in decision]
        """Of each call, the decision it was made in."""
        self._places: defaultdict[str | None, list[int]] = defaultdict(list)
        for at, key in enumerate(self.keys):
            self._places[key].append(at)

    def of(self, tool: str) -> list[int]:
        """Return the positions of the calls of a tool, or of the calls with that id, if it is spoken of.

        >>> from fieldwise.scorers.agents.calls import ToolCall
        >>> Made([ToolCall("get"), ToolCall("put"), ToolCall("get", group=1)]).of("get")
        [0, 2]
        """
        return self._places.get(tool_key(tool), [])

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
