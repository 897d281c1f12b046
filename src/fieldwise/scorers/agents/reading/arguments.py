"""The arguments of a call: an object, or the text of one.

Rules of this module:
1. `""`, blank text, null and `{}` are no arguments, as objects and as text.
2. Text is JSON, or a Python literal, as some spans hold it. JSON text within JSON text is decoded once more
   only when that is asked for.
3. An array, a scalar, other text, and what has no JSON form are malformed arguments: a reason, never an
   exception, and never "no arguments".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, shown
from fieldwise.core.parse import Unparsed
from fieldwise.core.values import Unconvertible
from fieldwise.scorers.agents.reading.texts import plain_object, whole_json

if TYPE_CHECKING:
    from fieldwise._types import Json

MALFORMED: Final = "malformed arguments"
_KINDS: Final = ((list, "an array"), (bool, "a boolean"), (str, "a text"))
_NOTES: Final = {
    "python_literal": "written as a Python literal",
    "duplicate_keys": "an object repeats a name; the last value counts",
}


def read_arguments(raw: object, *, decode_twice: bool = False) -> tuple[dict[str, Json], str | None]:
    """Return the arguments by name, and why they cannot be read, or None.

    Args:
        raw: an object, the text of one, or nothing: None, "", MISSING.
        decode_twice: whether JSON text within JSON text is decoded once more.

    >>> read_arguments('{"q": "x"}'), read_arguments(""), read_arguments(None)
    (({'q': 'x'}, None), ({}, None), ({}, None))
    >>> read_arguments("[]")
    ({}, 'malformed arguments: an array, not an object: []')
    """
    args, problem, _ = read_noted(raw, decode_twice=decode_twice)
    return args, problem


def read_noted(
    raw: object, *, decode_twice: bool = False
) -> tuple[dict[str, Json], str | None, tuple[str, ...]]:
    """As `read_arguments`, and what was unusual in reading them.

    >>> read_noted("{'a': True}")
    ({'a': True}, None, ('written as a Python literal',))
    """
    if isinstance(raw, str):
        plain = plain_object(raw)
        return _from_text(raw, decode_twice=decode_twice) if plain is None else (plain, None, ())
    if raw is None or raw is MISSING:
        return {}, None, ()
    args, problem = _from_value(raw)
    return args, problem, ()


def _from_text(text: str, *, decode_twice: bool) -> tuple[dict[str, Json], str | None, tuple[str, ...]]:
    found = whole_json(text)
    if isinstance(found, Unparsed):
        if not text.strip():
            return {}, None, ()
        reason = _reason(found) if found.structured else f"text that is no JSON object: {shown(text)}"
        return {}, one_line(f"{MALFORMED}: {reason}"), ()
    if isinstance(found.value, str):
        if decode_twice:
            return _from_text(found.value, decode_twice=False)
        if not isinstance(whole_json(found.value), Unparsed):
            return {}, f"{MALFORMED}: JSON text within JSON text; decode_twice=True reads it", ()
    args, problem = _from_value(found.value)
    return args, problem, tuple(_NOTES[note] for note in found.ledger if note in _NOTES)


def _reason(found: Unparsed) -> str:
    """Why a text is no JSON, without the advice on options that there are not for arguments."""
    return found.reason.partition("; ")[0]


def _from_value(raw: object) -> tuple[dict[str, Json], str | None]:
    try:
        value = to_json(raw)
    except Unconvertible as error:
        return {}, one_line(f"{MALFORMED}: {error}")
    if isinstance(value, dict):
        return value, None
    if value is None:
        return {}, None
    kind = next((name for known, name in _KINDS if isinstance(value, known)), "a number")
    return {}, f"{MALFORMED}: {kind}, not an object: {shown(value)}"
