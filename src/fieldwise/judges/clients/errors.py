"""Errors in replies whose status says that all is well: `{"error": …}` in place of choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fieldwise.core.display import one_line, shown
from fieldwise.judges.interfaces import ErrorReply

_OK: Final = 200
FAILED: Final = ("failed", "cancelled", "error")
"""The status of a reply that came to nothing, whatever stands beside it."""


def error_reply(error: Any) -> ErrorReply:
    """Return the exception for such an error: text, or an object with a message and perhaps a code.

    >>> error_reply({"message": "busy", "code": "429"}).status_code
    429
    """
    message, code, param = (member(error, name) for name in ("message", "code", "param"))
    if isinstance(code, str) and code.isdecimal():
        code = int(code)
    told = message if isinstance(message, str) else error if isinstance(error, str) else shown(error)
    known = code if isinstance(code, int | str) and not isinstance(code, bool) else None
    return ErrorReply(one_line(told), known, param if isinstance(param, str) else None)


def hidden(error: Exception) -> ErrorReply | None:
    """Return what a server said, where a library stumbled over its reply; None where it said no such thing.

    langchain-openai raises the error as a ValueError, or whatever it met on the way and with it the response.

    >>> str(hidden(ValueError({"message": "no credit"})))
    "the judge's server replied with an error: no credit"
    """
    if isinstance(error, ValueError) and error.args and isinstance(error.args[0], Mapping):
        return error_reply(error.args[0])
    response = getattr(error, "response", None)
    if getattr(response, "status_code", None) != _OK:
        return None
    try:
        told = response.json()["error"]  # type: ignore[union-attr]
    except Exception:  # noqa: BLE001 - whatever it is, it is no such reply
        return None
    return error_reply(told) if told else None


def member(holder: Any, name: str) -> Any:
    """Return a member of an object or of a dict of its shape; None where there is none."""
    return holder.get(name) if isinstance(holder, Mapping) else getattr(holder, name, None)
