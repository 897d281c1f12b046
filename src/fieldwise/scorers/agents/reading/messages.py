"""A conversation: messages and items in, turns and calls out.

Rules of this module:
1. The calls of one message are one group, whether they stand in `tool_calls`, in blocks of its content, or in
   both: then they are the same calls, told apart by their ids.
2. What OpenAI's Responses lists item by item, reasoning, text and calls, up to the next output or the next
   speaker, is one turn of the assistant, and its calls are one group.
3. A tool's message, a `function_call_output` and a `tool_result` block are each a tool's turn. What else a
   user says beside results is a turn of its own after them.
4. An entry that cannot be read is `Odd`, with its index.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fieldwise.core.conversion import to_json
from fieldwise.scorers.agents.calls import Trajectory
from fieldwise.scorers.agents.reading.book import Book
from fieldwise.scorers.agents.reading.forms import (
    ANSWERED,
    HOSTED,
    IDS,
    ITEM_CALLS,
    ITEM_OUTPUTS,
    ROLES,
    Odd,
    described,
    identity,
    odd,
)
from fieldwise.scorers.agents.reading.loose import as_text
from fieldwise.scorers.agents.reading.outputs import content_value, failed
from fieldwise.scorers.agents.reading.plain import read_call, refused
from fieldwise.scorers.agents.reading.provider import content_of, message, role_of
from fieldwise.scorers.agents.reading.turns import TurnDraft, Turns

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_messages(entries: Sequence[Any], *, decode_twice: bool) -> Trajectory:
    """Read a conversation.

    Raises:
        Odd: naming the message that cannot be read, and why.
    """
    reading = _Conversation(decode_twice=decode_twice)
    at = 0
    try:
        for at, entry in enumerate(entries):
            reading.take(entry, f"message {at}")
    except Exception as error:
        raise odd(error, f"message {at}") from error
    return reading.trajectory()


class _Conversation:
    """A conversation being read; `_open`: the assistant's turn that further items belong to."""

    def __init__(self, *, decode_twice: bool) -> None:
        self._twice = decode_twice
        self._book = Book()
        self._turns: list[TurnDraft] = []
        self._open: TurnDraft | None = None

    def take(self, entry: Any, at: str) -> None:
        """Read the next entry."""
        fields = entry if type(entry) is dict and type(entry.get("role")) is str else message(entry)
        role = fields.get("role")
        if type(role) is str:
            role = ROLES.get(role, role)
        else:
            kind = fields.get("type")
            taken = isinstance(kind, str) and self._take_item(kind, fields, at)
            if taken:
                return
            role = role_of(fields)
        if role == "tool":
            self._answer(fields, fields.get("content"), at)
        else:
            self._message(role, fields, at)

    def _take_item(self, kind: str, fields: Mapping[str, Any], at: str) -> bool:
        """Read an item of OpenAI's Responses that is no message; return whether it is one."""
        if kind in ITEM_CALLS:
            self._item_call(fields, at)
        elif kind in ITEM_OUTPUTS:
            self._answer(fields, fields.get("output"), at)
        elif kind == "reasoning" or kind in HOSTED:
            self._item(fields, at)
        else:
            return False
        return True

    def trajectory(self) -> Trajectory:
        """Return what was read."""
        calls = self._book.calls()
        return Trajectory(calls, Turns(self._turns, calls), "messages", tuple(self._book.notes))

    def _message(self, role: str, fields: Mapping[str, Any], at: str) -> None:
        content, blocks = fields.get("content"), None
        calls: list[Any] = []
        results: list[Any] = []
        if not (content is None or type(content) is str):
            found = content_of(content)
            content, blocks, calls, results = found.said, found.blocks, found.calls, found.results
        start = len(self._book.drafts)
        self._calls(fields, calls, at)
        stop = len(self._book.drafts)
        for result in results:
            answer = self._take_output if role == "assistant" else self._answer
            answer(result, result.get("content", result.get("output")), at)
        if results and content is None and start == stop and role != "assistant":
            return
        name = as_text(fields.get("name"))
        turn = TurnDraft(role, content or None, start, stop, None, name, blocks)
        assists = role == "assistant"
        if assists and self._open is not None and fields.get("type") == "message":
            self._open.merge(turn)
        else:
            self._turns.append(turn)
            self._open = turn if assists else None

    def _calls(self, fields: Mapping[str, Any], blocks: list[Any], at: str) -> None:
        """Take up the calls of a message as one group."""
        listed = _listed(fields, "tool_calls", at) if "tool_calls" in fields else ()
        invalid = _listed(fields, "invalid_tool_calls", at) if "invalid_tool_calls" in fields else ()
        if not (listed or invalid):
            listed = _older(fields, at)
        elif blocks:
            known = {identity(one, IDS) for one in (*listed, *invalid) if isinstance(one, Mapping)}
            blocks = [block for block in blocks if identity(block, IDS) not in {None, *known}]
        if not (listed or invalid or blocks):
            return
        book, number = self._book, 0
        book.open_group()
        for call in (*listed, *blocks) if blocks else listed:
            book.add(read_call(call, f"{at}, call {number}", book.notes, decode_twice=self._twice))
            number += 1
        for further, call in enumerate(invalid, number):
            book.add(refused(call, f"{at}, call {further}", book.notes))

    def _item_call(self, fields: Mapping[str, Any], at: str) -> None:
        turn = self._assistant()
        if turn.start == turn.stop:
            self._book.open_group()
            turn.start = len(self._book.drafts)
        self._book.add(read_call(fields, at, self._book.notes, decode_twice=self._twice))
        turn.stop = len(self._book.drafts)

    def _item(self, fields: Mapping[str, Any], at: str) -> None:
        """Keep an item that is no call of ours as a block of the assistant's turn."""
        turn = self._assistant()
        block = to_json(dict(fields))
        turn.blocks = [*turn.blocks, block] if isinstance(turn.blocks, list) else [block]
        if fields.get("type") != "reasoning":
            self._book.notes.append(f"{at}: {fields['type']} is not read as a tool call")

    def _assistant(self) -> TurnDraft:
        """The assistant's turn that is open, or a new one."""
        if self._open is None:
            here = len(self._book.drafts)
            self._open = TurnDraft("assistant", None, here, here)
            self._turns.append(self._open)
        return self._open

    def _answer(self, fields: Mapping[str, Any], content: Any, at: str) -> None:
        """Take a tool's turn, and give its output to the call that it answers."""
        link, name = self._take_output(fields, content, at)
        blocks = None
        if type(content) is not str:
            found = content_of(content)
            content, blocks = found.said, found.blocks
        self._turns.append(TurnDraft("tool", content, 0, 0, link, name, blocks))
        self._open = None

    def _take_output(self, fields: Mapping[str, Any], content: Any, at: str) -> tuple[str | None, str | None]:
        """Give an output to the call that it answers; return the id and the name that it bears."""
        link, name = fields.get("tool_call_id"), as_text(fields.get("name"))
        if type(link) is not str:
            link = identity(fields, ANSWERED)
        self._book.answer(link, name, content_value(content), at, failed=failed(fields))
        return link, name


def _listed(fields: Mapping[str, Any], key: str, at: str) -> Sequence[Any]:
    """Return the calls that a message lists under a key; none where it is null or absent."""
    listed = fields.get(key)
    if not listed:
        return ()
    if isinstance(listed, list | tuple):
        return listed
    raise Odd(f"{at}: {key} is no list but {described(listed)}")


def _older(fields: Mapping[str, Any], at: str) -> Sequence[Any]:
    """Return the calls of a message in the forms of older versions: `function_call`, `additional_kwargs`."""
    kept = fields.get("additional_kwargs")
    for source in (fields, kept) if isinstance(kept, Mapping) else (fields,):
        listed = _listed(source, "tool_calls", at)
        if listed:
            return listed
        called = source.get("function_call")
        if called is not None:
            return (called,)
    return ()
