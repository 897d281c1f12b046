"""Damaged JSON: what takes a guess, guessed by json-repair and believed only when nothing changed.

How it works: `balance` finds where the damaged value ends, with quotes that tolerate quotes inside
a string. A value that does not end is truncated, one whose brackets cross is a mismatch: neither
is repaired. The rest goes to json-repair, which may also drop, add and rearrange. Its answer is
taken only when all of this holds (the rule of plausibility):

1. It has as many objects and as many arrays as the text has braces and brackets, outermost the same.
2. Its names, texts, numbers and literals spell, in order, exactly the letters and digits of the text.
3. It has no empty string that the text does not show as one, and none that begins or ends with a
   quote which, in the text, has no quote beside it.
4. Nothing in the text stands for a missing value (`[1,,2]`, `{"a":}`), and nothing is a value that JSON
   cannot say: complex numbers, bytes.

So missing commas, missing quotes and quotes inside strings are repaired; missing values, dropped
words, repeated names and sets are refused. json-repair needs time that is quadratic in the text:
`REPAIR_LIMIT` characters in all are given to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.parse.reader import CLOSER, SIZE_LIMIT, Broken, Reading, mismatch, truncated
from fieldwise.core.parse.tokens import unescape

if TYPE_CHECKING:
    from fieldwise._types import Json

REPAIR_LIMIT: Final = 8_000
"""Characters of damaged JSON that are repaired in one text."""

_PIECE: Final = re.compile(
    r"""(?P<text>"(?:[^"\\]++|\\.|"(?!\s*+(?:[,:}\])]|\Z)))*+"
        |(?<=[\[{(,:])\s*+'(?:[^'\\]++|\\.|'(?!\s*+(?:[,:}\])]|\Z)))*+')
    |(?P<quote>"|(?<=[\[{(,:])\s*+')|(?P<open>[\[{(])|(?P<close>[\]})])""",
    re.VERBOSE | re.DOTALL,
)
_LITERALS: Final = {"None": "null"}
_EMPTY_TEXT: Final = re.compile(r"""""|''""")
_FOREIGN: Final = re.compile(r"""[\d.][jJ]\b|\b[bB][rR]?["']""")
_MISSING: Final = re.compile(r"[\[{(,:]\s*+[,:]|:\s*+[}\])]")
_NUMBER: Final = re.compile(r"(?<![\d.])(?:0|[1-9]\d*+)(?:\.\d*+)?(?:[eE][+-]?\d++)?(?!\d)")
_QUOTES: Final = ('"', "'")


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
    source = text[at : span.end]
    if len(source) > allowance:
        excess = f"; it is over the {REPAIR_LIMIT:,} characters of damaged JSON that are repaired"
        return Broken("syntax", (*broken.reason, excess), span.end)
    value = _guess(source)
    if not _plausible(source, value, span):
        return Broken("syntax", broken.reason, span.end)
    return Reading(value, span.end, frozenset({"repaired"}))


def _guess(source: str) -> Json:
    from json_repair import repair_json

    try:
        return repair_json(source, return_objects=True, skip_json_loads=True)
    except Exception:  # noqa: BLE001 - heuristics over hostile text: any failure means no repair
        return None


def _plausible(source: str, value: Json, span: _Span) -> bool:
    if type(value) is not (dict if source[0] == "{" else list):
        return False
    bare = _PIECE.sub(lambda match: '""' if match["text"] else match[0], source)
    if _FOREIGN.search(bare) or _MISSING.search(bare):
        return False
    objects, arrays, empty, words = _shape(value)
    spelled = unescape(source)
    return (
        (objects, arrays) == (span.braces, span.brackets)
        and empty <= len(_EMPTY_TEXT.findall(source))
        and all(_keeps_quotes(word, spelled) for word in words)
        and _spelled(spelled) == _spelled(" ".join(words))
    )


def _keeps_quotes(word: str, source: str) -> bool:
    """Whether quotes at the ends of a text are its own, not those around it in the source."""
    if word.endswith(_QUOTES) and not any(word + quote in source for quote in _QUOTES):
        return False
    return not word.startswith(_QUOTES) or any(quote + word in source for quote in _QUOTES)


def _spelled(text: str) -> str:
    """The letters and digits of a text, every number in one form."""
    uniform = _NUMBER.sub(lambda match: repr(float(match[0])), text.replace("_", ""))
    return "".join(filter(str.isalnum, uniform)).casefold()


def _shape(value: Json) -> tuple[int, int, int, list[str]]:
    """How many objects, arrays and empty texts there are, and every word, in document order."""
    objects = arrays = empty = 0
    words: list[str] = []
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            objects += 1
            stack.extend(part for pair in reversed(item.items()) for part in reversed(pair))
        elif isinstance(item, list):
            arrays += 1
            stack.extend(reversed(item))
        else:
            empty += item == ""
            words.append(_LITERALS.get(str(item), str(item)))
    return objects, arrays, empty, words
