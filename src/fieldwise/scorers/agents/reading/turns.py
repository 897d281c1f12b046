"""The turns of a conversation: drafts while it is read, turns once somebody asks for them.

Most evaluators ask for the calls alone, and a turn costs as much as a call, so turns are made late. What was
read is all in the drafts by then: nothing can fail any more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from fieldwise.scorers.agents.calls import Turn

if TYPE_CHECKING:
    from fieldwise._types import Json
    from fieldwise.scorers.agents.calls import ToolCall


@dataclass(slots=True)
class TurnDraft:
    """A turn being read; see `Turn`. Its calls are those from `start` to `stop` of the conversation's."""

    role: str
    content: Json
    start: int = 0
    stop: int = 0
    call_id: str | None = None
    name: str | None = None
    blocks: Json = None

    def merge(self, more: TurnDraft) -> None:
        """Take in what the same speaker goes on to say."""
        if self.content is None:
            self.content = more.content
        elif isinstance(self.content, str) and isinstance(more.content, str):
            self.content += more.content
        elif more.content is not None:
            self.content = [*_as_list(self.content), *_as_list(more.content)]
        if more.blocks is not None:
            self.blocks = [*_as_list(self.blocks), *_as_list(more.blocks)]
        if more.stop > more.start:
            self.start = more.start if self.start == self.stop else self.start
            self.stop = more.stop


class Turns(Sequence[Turn]):
    """Turns in order, equal to a tuple of the same."""

    __slots__ = ("_calls", "_drafts", "_made")

    def __init__(self, drafts: Sequence[TurnDraft], calls: tuple[ToolCall, ...]) -> None:
        self._drafts = drafts
        self._calls = calls
        self._made: tuple[Turn, ...] | None = None

    def _all(self) -> tuple[Turn, ...]:
        if self._made is None:
            calls = self._calls
            self._made = tuple([
                Turn(one.role, one.content, calls[one.start : one.stop], one.call_id, one.name, one.blocks)
                for one in self._drafts
            ])  # fmt: skip
        return self._made

    def __len__(self) -> int:
        return len(self._drafts)

    @overload
    def __getitem__(self, at: int) -> Turn: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Turn, ...]: ...
    def __getitem__(self, at: int | slice) -> Turn | tuple[Turn, ...]:
        return self._all()[at]

    def __eq__(self, other: object) -> bool:
        return self._all() == (other._all() if isinstance(other, Turns) else other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


def _as_list(value: Json) -> list[Json]:
    if value is None:
        return []
    return value if isinstance(value, list) else [{"type": "text", "text": value}]
