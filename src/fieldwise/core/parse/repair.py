"""Damaged JSON: what takes a guess, guessed by json-repair and believed only when nothing changed.

How it works. `balance` finds where the damaged value ends, with quotes that tolerate quotes inside a string.
A value that does not end is truncated, one whose brackets cross is a mismatch: neither is repaired. The rest
goes to json-repair, which may also drop, add and rearrange; `plausible` says whether its answer is taken. So
missing commas, missing quotes and quotes inside strings are repaired; missing values, dropped words, signs
and symbols, repeated names and sets are refused.

json-repair reads few of the words that `tokens` reads, and some escapes not at all. Before it sees them, such
escapes are written out, and a whole number stands in for each such word: `1e400`, `NaN`, `0x1F`. It needs
time that is quadratic in the text: `REPAIR_LIMIT` characters in all are given to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.parse.plausible import TEXT, plausible
from fieldwise.core.parse.reader import CLOSER, SIZE_LIMIT, Broken, Reading, mismatch, truncated
from fieldwise.core.parse.strict import Refused
from fieldwise.core.parse.tokens import scalar, settled, unescape

if TYPE_CHECKING:
    from fieldwise._types import Json

REPAIR_LIMIT: Final = 8_000
"""Characters of damaged JSON that are repaired in one text."""

_PIECE: Final = re.compile(
    TEXT + r"""|(?P<quote>"|(?<=[\[{(,:])\s*+')|(?P<open>[\[{(])|(?P<close>[\]})])""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE: Final = re.compile(r"\\\\|\\(?:/|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})")
"""An escape that json-repair cannot read; or a backslash that is escaped, and escapes nothing."""
_ENDS: Final = r"""(?=\s*+(?:[,}\])"']|\Z))"""
_ALIKE: Final = r"(?:true|false|null|0|(?:-?0(?=\.)|-?[1-9][0-9]{0,99}+)(?:\.[0-9]{1,99}+)?)"
_WORD: Final = (
    r"""(?<=[\[(,:])\s*+(?P<word>(?!"""
    + _ALIKE
    + _ENDS
    + r""")[^\s\ufeff\u200b\[\]{}(),:"'/\#`]++)"""
    + _ENDS
)
"""A word that is a value of its own, and that json-repair may not read as we do."""
_HAS_WORDS: Final = re.compile(_WORD)
_WORDS: Final = re.compile(f"{TEXT}|{_WORD}", re.VERBOSE | re.DOTALL)
_STAND_IN: Final = 739_218_640_000


@dataclass(frozen=True, slots=True)
class _Span:
    end: int
    braces: int
    brackets: int


def balance(text: str, at: int, end: int) -> _Span | Broken:
    """Find the end of the damaged value that opens at offset `at`."""
    stack: list[tuple[str, int]] = []
    opened = {"{": 0, "[": 0, "(": 0}
    pos, limit = at, min(end, at + SIZE_LIMIT)
    while match := _PIECE.search(text, pos, limit):
        pos, kind, token = match.end(), match.lastgroup, match[0]
        if kind == "quote":
            return _cut(end, stack, "a string")
        if kind == "open":
            stack.append((token, match.start()))
            opened[token] += 1
        elif kind == "close":
            opener, opened_at = stack.pop()
            if CLOSER[opener] != token:
                return Broken("mismatch", mismatch(token, match.start(), opener, opened_at), pos)
            if not stack:
                return _Span(pos, opened["{"], opened["["] + opened["("])
    if limit < end:
        return Broken("limit", (f"damaged, and over the {SIZE_LIMIT:,} characters that are repaired",), limit)
    return _cut(end, stack)


def _cut(end: int, stack: list[tuple[str, int]], inside: str = "") -> Broken:
    reason = truncated(end, [opener for opener, _ in stack], inside)
    return Broken("truncated", reason, end, ledger=frozenset({"truncated"}))


def repair(text: str, broken: Broken, at: int, end: int, allowance: int) -> Reading | Broken:
    """Repair the value that opens at offset `at`, where the reader met `broken`.

    Returns:
        The repaired value with the ledger {"repaired"}, or why there is none: truncated, a
        mismatch, or `broken` with the end of the damaged value.
    """
    span = balance(text, at, end)
    if isinstance(span, Broken):
        return span
    source = _ESCAPE.sub(_written_out, text[at : span.end])
    if len(source) > allowance:
        excess = f"; it is over the {REPAIR_LIMIT:,} characters of damaged JSON that are repaired"
        return Broken("syntax", (*broken.reason, excess), span.end)
    notes = {"repaired"}
    words: list[Json] = []
    if _HAS_WORDS.search(source):
        source = _WORDS.sub(lambda match: _stand_in(match, words, notes), source)
    value = _guess(source)
    if not plausible(source, value, span.braces, span.brackets) or not _put_back(value, words):
        return Broken("syntax", broken.reason, span.end)
    return Reading(value, span.end, settled(notes))


def _written_out(escape: re.Match[str]) -> str:
    return escape[0] if escape[0] == r"\\" else unescape(escape[0])


def _stand_in(found: re.Match[str], words: list[Json], notes: set[str]) -> str:
    """What json-repair sees of a word that is a value: a number in its place."""
    if found["text"]:
        return found[0]
    word, taken = found["word"], set[str]()
    try:
        value = scalar(word, taken)
    except Refused:
        value = MISSING
    if value is MISSING:
        return found[0]
    notes |= taken
    words.append(value)
    return found[0].replace(word, str(_STAND_IN + len(words) - 1))


def _put_back(value: Any, words: list[Json]) -> bool:
    """Put words in the places of the numbers that stand for them; false where these are not all there."""
    count, stack = 0, [value] if words else []
    while stack:
        item = stack.pop()
        for key, member in item.items() if isinstance(item, dict) else enumerate(item):
            if type(member) is int and 0 <= member - _STAND_IN < len(words):
                item[key] = words[member - _STAND_IN]
                count += 1
            elif isinstance(member, dict | list):
                stack.append(member)
    return count == len(words)


def _guess(source: str) -> Json:
    from json_repair import repair_json

    try:
        return repair_json(source, return_objects=True, skip_json_loads=True)
    except Exception:  # noqa: BLE001 - heuristics over hostile text: any failure means no repair
        return None
