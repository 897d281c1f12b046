"""JSON in the texts that agents pass around: read when the whole text is one value, never searched for.

What ran the call read the text with `json.loads` or as a Python literal, so what those two take is JSON
here as well. Everything else that the lenient parser could mend, prose, fences, cuts, comments, is not:
nobody mended it when the call was made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.core.parse import Parsed, Unparsed, parse
from fieldwise.core.parse.strict import decode

if TYPE_CHECKING:
    from fieldwise._types import Json

_TAKEN: Final = frozenset(
    {"control_character", "duplicate_keys", "non_finite", "python_literal", "whitespace"}
)
_TAKEN_IN_PYTHON: Final = _TAKEN | {"trailing_comma"}


def plain_object(text: str) -> dict[str, Json] | None:
    """Return the object of a text that is the strict JSON of one and no more; None for any other text.

    >>> plain_object('{"a": 1}'), plain_object("{'a': 1}")
    ({'a': 1}, None)
    """
    try:
        value, end, notes = decode(text, 0)
    except (ValueError, RecursionError):
        return None
    return value if type(value) is dict and end == len(text) and not notes else None


def whole_json(text: str) -> Parsed | Unparsed:
    """Read a text that is one JSON value, or one Python literal, and nothing else.

    >>> whole_json("{'a': True}")
    Parsed(value={'a': True}, ledger=('python_literal',))
    >>> whole_json('see {"a": 1}').structured
    False
    """
    found = parse(text, scalars=True)
    if not found.ledger or isinstance(found, Unparsed):
        return found
    if _TAKEN_IN_PYTHON.issuperset(found.ledger) and (
        "python_literal" in found.ledger or "trailing_comma" not in found.ledger
    ):
        return found
    refused = parse(text, mode="strict", scalars=True)
    if isinstance(refused, Unparsed):
        return refused
    return Unparsed(f"it takes {', '.join(found.ledger)} to read it", found.ledger)
