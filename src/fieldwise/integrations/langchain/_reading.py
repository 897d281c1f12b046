"""JSON out of a model's text, as far as LangChain's evaluators read it, by the one parser.

They read a fenced value with any text around it, or a text that begins with its value. Everything else is
an error, and so is what their own parser takes and no value can be told from: a bracket that closes
another one, several different values. A prediction that was cut off is not read either: it is wrong, and
why is said.

How it works. `core.parse` reads, and its ledger decides: what the text took beyond these rules makes it
unreadable. The error then is the one the `json` module gives for the text, or for what follows its first
fence; a note on it says what our parser found. Where that module finds none, it is a plain ValueError.
"""

from __future__ import annotations

import json
import re
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.parse import Parsed, Unparsed, parse

if TYPE_CHECKING:
    from fieldwise._types import Json

SPACE: Final = " \n\r\t"
_EDGES: Final = SPACE + "`"
_FENCE: Final = "```"
_FENCED: Final = re.compile(r"```(?:json)?(.*?)(?:```|\Z)", re.DOTALL)
_AFTER_FENCE: Final = re.compile(r"```(?:json)?(.*)", re.DOTALL)
_OPTIONS: Final = re.compile(r"(?:, or keep what was closed|; say which is meant) with .*", re.DOTALL)
_VALID: Final = frozenset({"duplicate_keys", "non_finite"})
_WRAPPING: Final = frozenset({"fenced", "prose", "repeated_json", "thinking"})


def read(text: str, *, strict: bool = False) -> Json:
    r"""Return the JSON value of a text.

    Args:
        text: what a model said.
        strict: whether the value has to be valid JSON by itself, alone in the text or in a fence;
            otherwise text may follow it, and its strings may hold raw control characters.

    Raises:
        JSONDecodeError: when there is none.
        ValueError: when it is deeper or a number longer than is read.

    >>> read('Here:\n```json\n{"a": 1}\n```')
    {'a': 1}
    """
    found = _look(text, strict=strict)
    if isinstance(found, Unparsed):
        raise _error(text, found.reason, strict=strict)
    return found.value


def read_prediction(given: Any) -> tuple[Any, str | None]:
    """Return the value of a prediction, an object as it is; or None and why it was cut off.

    Raises:
        JSONDecodeError: when it is text without a JSON value, unless it was cut off.

    >>> read_prediction('{"a": 1')[1].partition(";")[0]
    'truncated: the text ends at line 1, column 8 inside an object'
    """
    if not isinstance(given, str):
        return given, None
    found = _look(given, strict=False)
    if isinstance(found, Parsed):
        return found.value, None
    if "truncated" in found.ledger:
        return None, _without_options(found.reason)
    raise _error(given, found.reason, strict=False)


def _look(text: str, *, strict: bool) -> Parsed | Unparsed:
    body = text.removeprefix("\ufeff").strip() if _FENCE in text else text.strip(_EDGES)
    found = parse(body, scalars=True)
    fence = _FENCED.search(text) if isinstance(found, Unparsed) and not found.structured else None
    if fence is not None:  # a scalar, whose fence may stand in prose
        found = parse(fence[1].strip(_EDGES), scalars=True)
    surplus = set(found.ledger) - _allowed(body, found.ledger, strict=strict)
    if surplus and (isinstance(found, Parsed) or "truncated" in found.ledger):
        return Unparsed(f"not JSON as it stands: {', '.join(sorted(surplus))}")
    return found


def _allowed(body: str, ledger: tuple[str, ...], *, strict: bool) -> frozenset[str]:
    inside = _VALID | {"truncated"}
    if not strict:
        inside |= {"control_character"}
    begins = not strict and body.startswith(("{", "["))
    return inside | _WRAPPING if begins or "fenced" in ledger else inside


def _error(text: str, reason: str, *, strict: bool) -> ValueError:
    fence = _AFTER_FENCE.search(text)
    rest = (fence[1] if fence else text).strip(_EDGES)
    reason = _without_options(reason)
    try:
        json.loads(rest, strict=strict)
    except JSONDecodeError as error:
        error.add_note(reason)
        return error
    except (RecursionError, ValueError):  # deeper than the stack, an integer longer than Python reads
        pass
    return ValueError(reason)


def _without_options(reason: str) -> str:
    """Leave out the advice to set an option: the evaluators here have none for it."""
    return _OPTIONS.sub("", reason)
