"""Calls as plain data: a list of `{"name", "args", "output"}`, of OpenAI's tool calls, or of names.

Rules of this module:
1. A call has a name, or arguments, or both: under any of the usual words for them (`forms`).
2. Each is a decision of its own, so a list is a sequence; neighbours with the same `group` are one decision.
3. A call without a name is a call: its name is None.
4. An output that is null was given; one that is absent was not. `error` stands for an output, of a tool that
   failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.scorers.agents.calls import Trajectory
from fieldwise.scorers.agents.reading.arguments import MALFORMED, read_noted
from fieldwise.scorers.agents.reading.book import Book, Draft
from fieldwise.scorers.agents.reading.forms import (
    ARGS,
    CALL_FIELDS,
    FREE_TEXT,
    IDS,
    NAMES,
    OUTPUTS,
    Odd,
    described,
    first,
    get,
    has,
    identity,
    odd,
    view,
)
from fieldwise.scorers.agents.reading.loose import as_text
from fieldwise.scorers.agents.reading.outputs import failed, read_output

if TYPE_CHECKING:
    from collections.abc import Sequence

_CARRIED: Final = frozenset({*OUTPUTS, "error"})
_UNGROUPED: Final = object()


def is_call(entry: object) -> bool:
    """Whether an entry is a call by its fields: a name and arguments, or a function in it."""
    if has(entry, "function") or has(entry, "custom"):
        return True
    return any(has(entry, name) for name in NAMES)


def read_calls(entries: Sequence[Any], *, decode_twice: bool) -> Trajectory:
    """Read a list of calls, one after the other.

    Raises:
        Odd: naming the call that cannot be read, and why.
    """
    book = Book()
    group: object = _UNGROUPED
    at = 0
    try:
        for at, entry in enumerate(entries):
            told = None if isinstance(entry, str) else get(entry, "group")
            if told is None or told != group:
                book.open_group()
            group = _UNGROUPED if told is None else told
            book.add(_listed_call(entry, f"call {at}", book.notes, decode_twice=decode_twice))
    except Exception as error:
        raise odd(error, f"call {at}") from error
    return Trajectory(book.calls(), None, "calls", tuple(book.notes))


def _listed_call(entry: Any, at: str, notes: list[str], *, decode_twice: bool) -> Draft:
    plain = type(entry) is dict and "name" in entry
    if plain or isinstance(entry, str) or is_call(entry) or any(has(entry, key) for key in ARGS):
        return read_call(entry, at, notes, decode_twice=decode_twice)
    raise Odd(f"{at}: no call but {described(entry)}; give it a name")


def read_call(entry: Any, at: str, notes: list[str], *, decode_twice: bool) -> Draft:
    """Read one call in any of its forms; what is unusual in it goes into `notes`.

    Raises:
        Odd: for what is no call, or has a name that is not text.
    """
    if isinstance(entry, str):
        return Draft(as_text(entry) or None, {}, None, None, at)
    fields = view(entry, CALL_FIELDS)
    if not fields and not isinstance(entry, Mapping):
        raise Odd(f"{at}: no call but {described(entry)}")
    inner = fields.get("function") or fields.get("custom")
    called = view(inner, CALL_FIELDS) if inner else fields
    if inner and not called:
        raise Odd(f"{at}: its function is no object but {described(inner)}")
    raw = called.get("arguments")
    if raw is None:
        raw = first(called, ARGS, MISSING)
    if isinstance(raw, str) and (fields.get("type") in FREE_TEXT):
        raw = {"input": raw}
    args, problem, found = read_noted(raw, decode_twice=decode_twice)
    if found:
        notes.extend(f"{at}: arguments: {note}" for note in found)
    named = fields.get("id") if "call_id" not in fields else None
    link = named if type(named) is str else identity(fields, IDS)
    draft = Draft(_name(called, at), args, problem, link, at)
    if not _CARRIED.isdisjoint(fields):
        _inline_output(draft, fields)
    return draft


def refused(entry: Any, at: str, notes: list[str]) -> Draft:
    """Read a call that a framework has set aside because it could not read its arguments.

    One whose arguments are blank is a call without arguments; of any other they are malformed.
    """
    draft = read_call(entry, at, notes, decode_twice=False)
    draft.output, draft.failed, draft.answered = MISSING, False, False
    if draft.problem is None and draft.args:
        draft.args, draft.problem = {}, f"{MALFORMED}: the framework could not read them"
    return draft


def _name(called: Mapping[str, Any], at: str) -> str | None:
    name = called.get("name")
    if type(name) is str and name:
        return name
    name = first(called, NAMES)
    if name is None or isinstance(name, str):
        return as_text(name) or None
    raise Odd(f"{at}: its name is no text but {described(name)}")


def _inline_output(draft: Draft, fields: Mapping[str, Any]) -> None:
    """Give a call the output that it carries itself."""
    error = fields.get("error")
    raw = first(fields, OUTPUTS, MISSING)
    if raw is MISSING and not error:
        return
    draft.output, reported = read_output(error if (raw is MISSING or raw is None) and error else raw)
    draft.failed = reported or bool(error) or failed(fields)
    draft.answered = True
