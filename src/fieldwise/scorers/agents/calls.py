"""The one model of what an agent did: tool calls, and the turns they were made in.

Rules of this module:
1. Arguments are always an object. `""`, null and `{}` are no arguments; what cannot be read as an object
   leaves `problem` behind, and such a call equals none, not even one that is written the same.
2. Calls of one `group` were made at once: in one message, or in spans that ran side by side under one
   decision. Their order means nothing. Groups are numbered from 0 in the order in which they were made.
3. `turns` is the conversation, where the source has one; `calls` are all its calls in order. A source
   without a conversation (spans, a plain list) has calls only.
4. Everything in it is JSON; nothing refers to a framework's object.
5. Nobody changes what was read. The classes of which there are thousands are not frozen all the same:
   making a frozen one takes five times as long.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

from fieldwise._types import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise._types import Json, Missing

Role: TypeAlias = Literal["system", "user", "assistant", "tool"] | str  # noqa: PYI051 - the usual ones are named


@dataclass(slots=True)
class ToolCall:
    """One call of a tool.

    Attributes:
        name: of the tool; None for a call that names none, which equals no other.
        args: what it was given, by name.
        problem: why the arguments cannot be read, or None.
        id: what links the call to its output, where the source has one.
        output: what came back, parsed where it is JSON text that holds an object or array; MISSING: nothing.
        failed: whether the tool reported an error.
        group: the number of the decision it was made in.
        at: where it was found, for people: "message 3, call 0".
    """

    name: str | None
    args: dict[str, Json] = field(default_factory=dict)
    problem: str | None = None
    id: str | None = None
    output: Json | Missing = MISSING
    failed: bool = False
    group: int = 0
    at: str = ""


@dataclass(slots=True)
class Turn:
    """One message of a conversation.

    Attributes:
        role: "system", "user", "assistant", "tool", or what else the source says.
        content: what it says: text, or JSON where it is not only text; None for nothing.
        calls: the tool calls it makes.
        call_id: in a tool's turn, which call it answers.
        name: who speaks, where that is said.
        blocks: the content as the provider wrote it, where it is a list of blocks; else None.
    """

    role: Role
    content: Json = None
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    name: str | None = None
    blocks: Json = None


@dataclass(frozen=True, slots=True)
class Trajectory:
    """What an agent did.

    Attributes:
        calls: every call, in the order in which they were made.
        turns: the conversation; None where the source has none.
        source: what it was read from: "messages", "calls", "spans", "run".
        notes: what was unusual in reading it, for people.
    """

    calls: tuple[ToolCall, ...] = ()
    turns: Sequence[Turn] | None = None
    source: str = "calls"
    notes: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """The names of the calls, in order; of a call that names no tool, "".

        >>> Trajectory((ToolCall("search"), ToolCall(None))).names
        ['search', '']
        """
        return [call.name or "" for call in self.calls]
