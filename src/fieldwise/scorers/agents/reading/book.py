"""Calls as they are found, and what links an output to the call that it answers.

Rules of this module:
1. An output with an id answers the call of that id: of several, one in the nearest group before it that is
   unanswered, and within a group the first.
2. An output without an id, or one whose calls have none, answers in the latest group: the first unanswered
   call of the tool it names, else the first unanswered call.
3. An output that answers no call leaves a note. A call is answered once.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING

from fieldwise._types import MISSING
from fieldwise.scorers.agents.calls import ToolCall

if TYPE_CHECKING:
    from fieldwise._types import Json, Missing


@dataclass(slots=True)
class Draft:
    """A call being read; see `ToolCall`."""

    name: str | None
    args: dict[str, Json]
    problem: str | None
    id: str | None
    at: str
    output: Json | Missing = MISSING
    failed: bool = False
    answered: bool = False
    group: int = 0

    def call(self) -> ToolCall:
        """Return the call."""
        return ToolCall(
            self.name, self.args, self.problem, self.id, self.output, self.failed, self.group, self.at
        )


class Book:
    """The calls of a source in order, in groups, and what was unusual about them.

    Calls are sought by id only once there is an output, so `_waiting` holds those before `_sought`: for each
    id a stack, the latest group on top, and in a group the first call. `_first` is the place of the first
    call of the latest group that may be unanswered.
    """

    __slots__ = ("_first", "_group", "_sought", "_waiting", "drafts", "notes")

    def __init__(self) -> None:
        self.drafts: list[Draft] = []
        self.notes: list[str] = []
        self._group = -1
        self._first = 0
        self._sought = 0
        self._waiting: dict[str, list[Draft]] = {}

    def open_group(self) -> None:
        """Begin the next group: what is added from here on was decided at once."""
        self._group += 1
        self._first = len(self.drafts)

    def add(self, draft: Draft) -> None:
        """Take up a call into the latest group."""
        draft.group = self._group
        self.drafts.append(draft)

    def answer(
        self, identity: str | None, name: object, output: Json | Missing, at: str, *, failed: bool
    ) -> None:
        """Give an output to the call that it answers."""
        draft = self._by_id(identity) if identity else None
        if draft is None:
            draft = self._by_place(name, without_id=bool(identity))
        if draft is None:
            self.notes.append(f"{at}: answers no call")
            return
        draft.output, draft.failed, draft.answered = output, failed, True

    def _by_id(self, identity: str) -> Draft | None:
        if self._sought < len(self.drafts):
            self._seek()
        stack = self._waiting.get(identity)
        while stack:
            draft = stack.pop()
            if not draft.answered:
                return draft
        return None

    def _seek(self) -> None:
        """Let outputs find by their ids the calls that were added since the last output."""
        added = self.drafts[self._sought :]
        self._sought = len(self.drafts)
        if len(added) > 1:
            added.reverse()
            added.sort(key=attrgetter("group"))
        for draft in added:
            if draft.id:
                self._waiting.setdefault(draft.id, []).append(draft)

    def _by_place(self, name: object, *, without_id: bool) -> Draft | None:
        """The call that an output answers by its place; one with an id answers calls without ids only."""
        drafts = self.drafts
        while self._first < len(drafts) and drafts[self._first].answered:
            self._first += 1
        fallback = None
        for at in range(self._first, len(drafts)):
            draft = drafts[at]
            if draft.answered or (without_id and draft.id):
                continue
            if not name or draft.name == name:
                return draft
            fallback = fallback or draft
        return fallback

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the calls."""
        return tuple([draft.call() for draft in self.drafts])
