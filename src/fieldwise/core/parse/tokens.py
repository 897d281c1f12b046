"""What the tokens of JSON, and of its Python and JavaScript look-alikes, spell.

Rules of the module: one regular expression cuts the text, linear whatever the text is (every
repetition is possessive); one function per kind of token says which value it spells and adds the
identifiers of the liberties taken to `notes`. Nothing here knows where in a document a token is.

Two identifiers are private, because only the whole text decides what they mean: `SINGLE` (a string
in single quotes) and `JSON_WORD` (`true`, `false`, `null`). Together they are "single_quotes",
alone the former is "python_literal".
"""

from __future__ import annotations

import re
from typing import Final

from fieldwise._types import MISSING, Json, Missing
from fieldwise.core.parse.strict import NON_FINITE, real, whole

SINGLE: Final = "_single"
JSON_WORD: Final = "_json_word"

TOKEN: Final = re.compile(
    r"""[ \t\n\r]*+(?:
      (?P<string>  "{3}(?:[^"\\]++|\\.|"(?!""))*+"{3} | "(?:[^"\\]++|\\.)*+"
                 | '{3}(?:[^'\\]++|\\.|'(?!''))*+'{3} | '(?:[^'\\]++|\\.)*+' )
    | (?P<comma>   , )
    | (?P<colon>   : )
    | (?P<word>    [^\s\ufeff\u200b\[\]{}(),:"'/\#`]++ )
    | (?P<open>    [\[{(] )
    | (?P<close>   [\]})] )
    | (?P<comment> //[^\n]*+ | /\*(?:[^*]++|\*(?!/))*+\*/ | \#[^\n]*+ )
    | (?P<space>   [\s\ufeff\u200b]++ )
    | (?P<other>   . )
    )""",
    re.VERBOSE | re.DOTALL,
)
JSON_SPACE: Final = " \t\n\r"
BLANK: Final = re.compile(r"[\s\ufeff\u200b]*+")

_CONTROL: Final = re.compile(r"[\x00-\x1f]")
_JSON_ESCAPE: Final = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_ESCAPE: Final = re.compile(
    r"\\(?:(?P<pair>u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u(?P<u>[0-9a-fA-F]{4})|U(?P<U>000[0-9a-fA-F]{5}|0010[0-9a-fA-F]{4})|x(?P<x>[0-9a-fA-F]{2})"
    r"|(?P<octal>[0-7]{1,3})|(?P<one>.))",
    re.DOTALL,
)
_SIMPLE: Final = {
    '"': '"', "'": "'", "\\": "\\", "/": "/", "\n": "", "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r",
    "t": "\t", "v": "\v",
}  # fmt: skip
_JSON_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*+)(?P<real>(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?)")
_PYTHON_NUMBER: Final = re.compile(
    r"[+-]?(?:(?P<hex>0[xX][0-9a-fA-F]++)"
    r"|(?:(?:0|[1-9][0-9]*+(?:_[0-9]++)*+)(?P<real>(?:\.[0-9]*+)?(?:[eE][+-]?[0-9]++)?)"
    r"|(?P<point>\.[0-9]++(?:[eE][+-]?[0-9]++)?)))"
)
_IDENTIFIER: Final = re.compile(r"(?:[^\W\d]|\$)[\w$-]*+")
_WORDS: Final[dict[str, tuple[Json, tuple[str, ...]]]] = {
    "true": (True, (JSON_WORD,)),
    "false": (False, (JSON_WORD,)),
    "null": (None, (JSON_WORD,)),
    "True": (True, ("python_literal",)),
    "False": (False, ("python_literal",)),
    "None": (None, ("python_literal",)),
    "TRUE": (True, ("repaired",)),
    "FALSE": (False, ("repaired",)),
    "NULL": (None, ("repaired",)),
    "Null": (None, ("repaired",)),
    "NaN": (NON_FINITE["NaN"], ("non_finite",)),
    "Infinity": (NON_FINITE["Infinity"], ("non_finite",)),
    "-Infinity": (NON_FINITE["-Infinity"], ("non_finite",)),
    "nan": (NON_FINITE["NaN"], ("non_finite", "python_literal")),
    "inf": (NON_FINITE["Infinity"], ("non_finite", "python_literal")),
    "-inf": (NON_FINITE["-Infinity"], ("non_finite", "python_literal")),
}
_MINUS: Final = "\u2212"
"""The minus sign of typography, which can be nothing else; dashes can."""
_PYTHON_NAMES: Final = {"True": "true", "False": "false", "None": "null"}


def unescape(text: str) -> str:
    r"""Replace backslash escapes by what they stand for; an unknown escape keeps its backslash.

    >>> unescape(r"\u00e9 \x41 \d")
    'é A \\d'
    """
    return _ESCAPE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    kind, spelled = match.lastgroup, match[match.lastgroup or 0]
    if kind == "one":
        return _SIMPLE.get(spelled, match[0])
    if kind == "octal":
        return chr(int(spelled, 8))
    if kind == "pair":
        high, low = int(spelled[1:5], 16), int(spelled[7:11], 16)
        return chr(0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF))
    return chr(int(spelled, 16))


def string(token: str, notes: set[str]) -> str:
    """The text a quoted token spells."""
    quotes = 3 if len(token) > 5 and token[:3] in {'"""', "'''"} else 1  # noqa: PLR2004
    inner = token[quotes:-quotes]
    if token[0] == "'":
        notes.add(SINGLE)
    if quotes != 1:
        notes.add("python_literal")
    elif _CONTROL.search(inner):
        notes.add("control_character")
    if "\\" not in inner:
        return inner
    if token[0] == '"' and "\\" in _JSON_ESCAPE.sub("", inner):
        notes.add("invalid_escape")
    return unescape(inner)


def scalar(word: str, notes: set[str]) -> Json | Missing:
    """The value a bare word spells, `MISSING` where it spells none; `Refused` beyond the limits."""
    if known := _WORDS.get(word):
        notes.update(known[1])
        return known[0]
    if number := _JSON_NUMBER.fullmatch(word):
        return real(word) if number["real"] else whole(word)
    number = _PYTHON_NUMBER.fullmatch(word)
    if number is None:
        return _with_minus(word, notes) if _MINUS in word else MISSING
    notes.add("python_literal")
    if number["hex"]:
        return int(word, 16)
    digits = word.replace("_", "")
    return real(digits) if number["real"] or number["point"] else whole(digits)


def _with_minus(word: str, notes: set[str]) -> Json | Missing:
    """The number that a word spells whose minus is no hyphen."""
    value = scalar(word.replace(_MINUS, "-"), notes)
    if value is not MISSING:
        notes.add("repaired")
    return value


def name(word: str, notes: set[str]) -> str | None:
    """The member name a bare word spells: an identifier, or what Python's json makes of a literal."""
    if _PYTHON_NUMBER.fullmatch(word):
        notes.add("python_literal")
        return str(scalar(word, notes))
    if word in _PYTHON_NAMES:
        notes.add("python_literal")
        return _PYTHON_NAMES[word]
    if _IDENTIFIER.fullmatch(word):
        notes.add("unquoted_key")
        return word
    return None


def settled(notes: set[str]) -> frozenset[str]:
    """The public ledger of one value."""
    public = notes - {SINGLE, JSON_WORD}
    if SINGLE in notes:
        public.add("single_quotes" if JSON_WORD in notes else "python_literal")
    return frozenset(public)
