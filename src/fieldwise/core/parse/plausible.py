"""Whether a repaired value is what its text says: believed only when nothing changed.

The rule of plausibility. All of this holds:

1. The value has as many objects and as many arrays as the text has braces and brackets, outermost the same.
2. Its names, texts, numbers and literals spell, in order, exactly the characters of the text, but for
   white space, quotes, commas, colons and brackets. So no sign or symbol is dropped: `<5` and `85%` are no
   numbers.
3. It has no empty string that the text does not show as one, and none that begins or ends with a
   quote which, in the text, has no quote beside it.
4. Nothing in the text stands for a missing value (`[1,,2]`, `{"a":}`), nothing is a value that JSON
   cannot say (complex numbers, bytes), and nothing is escaped outside of texts.
5. No colon is dropped (`[10:30]`), nor a quote after a number that cannot open a text (`5",`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.parse.strict import Refused, real
from fieldwise.core.parse.tokens import unescape

if TYPE_CHECKING:
    from fieldwise._types import Json

TEXT: Final = r"""(?P<text>"(?:[^"\\]++|\\.|"(?!\s*+(?:[,:}\])]|\Z)))*+"
        |(?<=[\[{(,:])\s*+'(?:[^'\\]++|\\.|'(?!\s*+(?:[,:}\])]|\Z)))*+')"""
"""A text in quotes that may hold quotes; for verbose patterns in which `.` is any character."""

_TEXT: Final = re.compile(TEXT, re.VERBOSE | re.DOTALL)
_EMPTY_TEXT: Final = re.compile(r"""""|''""")
_FOREIGN: Final = re.compile(r"""[jJbB](?:(?<=[\d.][jJ])\b|(?<=\b[bB])[rR]?["'])""")
_MISSING: Final = re.compile(r"[\[{(,:]\s*+[,:]|:\s*+[}\])]")
_ESCAPED: Final = re.compile(r"\\[0-7abfvxuU]")
_STRAY_QUOTE: Final = re.compile(
    r"""[-+.\d](?<![^\s\[(,:].)[-+.\deE_]*+(?:”|["'“]\s*+[\d.,}\])"'“”])""", re.VERBOSE
)
_NO_OPENING: Final = re.compile(r"""["']\s*+[\d.,}\])"']""")
_GROUPED: Final = re.compile(r"(?<=\d)_(?=\d)")
_REAL: Final = re.compile(r"(?<![\d.])(?:0|[1-9]\d*+)(?:\.\d*+(?:[eE][+-]?\d++)?|[eE][+-]?\d++)(?!\d)")
_BETWEEN: Final = re.compile(r"""[\s\ufeff\u200b"'“”,:\[\]{}()]++""")
_QUOTES: Final = ('"', "'")


def plausible(source: str, value: Json, braces: int, brackets: int) -> bool:
    """Whether a value is the only plausible reading of its source, which has so many of each.

    >>> plausible('{"a": 5 "b": -1}', {"a": 5, "b": -1}, 1, 0)
    True
    >>> plausible('{"a": <5}', {"a": 5}, 1, 0)
    False
    """
    if type(value) is not (dict if source[0] == "{" else list):
        return False
    bare = _TEXT.sub(_without_its_words, source)
    if any(pattern.search(bare) for pattern in (_FOREIGN, _MISSING, _ESCAPED, _STRAY_QUOTE)):
        return False
    objects, arrays, members, words = _shape(value)
    spelled = unescape(source)
    return (
        (objects, arrays) == (braces, brackets)
        and words.count("") <= len(_EMPTY_TEXT.findall(source))
        and spelled.count(":") <= members + sum(word.count(":") for word in words)
        and all(_keeps_quotes(word, spelled) for word in words)
        and _spelled(spelled) == _spelled(" ".join(words))
    )


def _without_its_words(text: re.Match[str]) -> str:
    """A text without its words; what a quote that opens nothing seems to open is shown as that quote."""
    return '"]' if _NO_OPENING.match(text[0].lstrip()) else '""'


def _keeps_quotes(word: str, source: str) -> bool:
    """Whether quotes at the ends of a text are its own, not those around it in the source."""
    if word.endswith(_QUOTES) and not any(word + quote in source for quote in _QUOTES):
        return False
    return not word.startswith(_QUOTES) or any(quote + word in source for quote in _QUOTES)


def _spelled(text: str) -> str:
    """What a text spells, without what stands between values; every number in one form."""
    uniform = _REAL.sub(_in_one_form, _GROUPED.sub("", text) if "_" in text else text)
    return _BETWEEN.sub("", uniform).casefold()


def _in_one_form(number: re.Match[str]) -> str:
    try:
        return str(real(number[0]))
    except Refused:
        return number[0]


def _shape(value: Json) -> tuple[int, int, int, list[str]]:
    """How many objects, arrays and members there are, and every word, in document order."""
    objects = arrays = members = 0
    words: list[str] = []
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            objects += 1
            members += len(item)
            stack.extend(part for pair in reversed(item.items()) for part in reversed(pair))
        elif isinstance(item, list):
            arrays += 1
            stack.extend(reversed(item))
        else:
            words.append("null" if item is None else str(item))
    return objects, arrays, members, words
