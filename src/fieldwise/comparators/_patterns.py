"""Regular expressions from people and data, searched within a time limit.

They run on the `regex` package, whose search can be stopped. Two things in it cannot, so that patterns
are refused for them before they run:

| what | limit |
|---|---|
| compiling a pattern whose repeats unfold | `MAX_SIZE`, counted as if every `{n}` were written out |
| preparing the search for literal text, cubic in its length | `MAX_LITERAL`, see `_literals` |

Text without any operator needs no engine: `Literal` looks for it, at any length.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from fieldwise.comparators._readers import shown
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterator

    import regex

MAX_PATTERN: Final = 20_000
MAX_SIZE: Final = 100_000
MAX_SECONDS: Final = 86_400
MAX_LITERAL: Final = 1_000
_SMALLER: Final = f"at most {MAX_PATTERN:,} characters, {MAX_SIZE:,} with its repeats written out"
_MAX_WORK: Final = 2 * MAX_LITERAL**3
_FOLDED: Final = 3
"""The characters that case folding makes of one, at most."""
_OPERATOR: Final = re.compile(r"[\\.^$*+?{}\[\]|()]")
_TOKEN: Final = re.compile(
    r"\\.|\(\?#[^)]*\)?|\[\^?\]?(?:\\.|[^\]\\])*(?:\]|\\?\Z)"
    r"|(?P<open>\()|(?P<close>\))|\{(?P<low>[0-9]*)(?:,(?P<high>[0-9]*))?\}|.",
    re.DOTALL,
)
"""Parts of a pattern. A comment or a set that nothing closes is all of the rest; none is read twice."""
_STRINGS: Final = ("STRING", "STRING_FLD", "STRING_FLD_REV", "STRING_IGN", "STRING_IGN_REV", "STRING_REV")
_REPEAT: Final = re.compile(r"\{([0-9]*)(?:,([0-9]*))?\}")
_RELAXED: Final = re.compile(r"\(\?[A-Za-z0-9-]*(?:x|V1)")
_MAX_COUNT_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class Literal:
    """A pattern that stands for itself, with the methods of a compiled one; it needs no time limit."""

    text: str

    def search(self, text: str, *, timeout: float) -> bool | None:  # noqa: ARG002
        """Whether it is anywhere in a text; None: it is not."""
        return self.text in text or None

    def match(self, text: str, *, timeout: float) -> bool | None:  # noqa: ARG002
        """Whether a text begins with it; None: it does not."""
        return text.startswith(self.text) or None

    def fullmatch(self, text: str, *, timeout: float) -> bool | None:  # noqa: ARG002
        """Whether it is a text; None: it is not."""
        return text == self.text or None


@lru_cache(maxsize=512)
def compiled(pattern: str, *, ignore_case: bool = False) -> regex.Pattern[str] | Literal:
    """Compile a pattern; a long one without operators is a `Literal`.

    Raises:
        Unreadable: for a pattern that does not parse, or is too long, too deep or too large unfolded, or
            holds too much literal text.
    """
    if len(pattern) > MAX_PATTERN or unfolded(pattern) > MAX_SIZE:
        raise Unreadable(f"pattern {shown(pattern)} is too large: {_SMALLER}")
    if len(pattern) * _FOLDED <= MAX_LITERAL:
        return _compiled(pattern, ignore_case=ignore_case)
    if not (ignore_case or _OPERATOR.search(pattern)):
        return Literal(pattern)
    found = _compiled(pattern, ignore_case=ignore_case)
    lengths = _literals(found)
    if max(lengths) > MAX_LITERAL or sum(length**3 for length in lengths) > _MAX_WORK:
        raise Unreadable(
            f"pattern {shown(pattern)} has too much literal text to be run within a time limit: "
            f"at most {MAX_LITERAL:,} characters in one piece, fewer in several"
        )
    return found


def _compiled(pattern: str, *, ignore_case: bool) -> regex.Pattern[str]:
    import regex

    try:
        return regex.compile(pattern, regex.IGNORECASE if ignore_case else 0)
    except (
        regex.error,
        RecursionError,
        OverflowError,
        ValueError,
        KeyError,
        IndexError,
        AttributeError,
    ) as error:
        raise Unreadable(f"pattern {shown(pattern)} does not parse: {error}") from None


def _literals(found: regex.Pattern[str]) -> list[int]:
    """The lengths of the literal texts in a compiled pattern, none left out.

    The engine's code, as it is pickled, has a text as its operator, flags, its length, and its characters.
    Where a later engine does not say its code in this form, the whole pattern counts as one text.
    """
    import copyreg

    try:
        from regex import _regex_core

        internals: Any = _regex_core
        operators = {getattr(internals.OP, name) for name in _STRINGS}
        pickled: Any = copyreg.dispatch_table[type(found)](found)
        packed = pickled[1][2]
        code = list(_unpacked(packed) if isinstance(packed, bytes) else packed)
        lengths = [
            code[at + 2]
            for at, one in enumerate(code[:-2])
            if one in operators and code[at + 2] <= len(code) - at - 3
        ]
    except (ImportError, AttributeError, KeyError, TypeError, IndexError):
        lengths = [len(found.pattern)]
    return lengths or [0]


def _unpacked(packed: bytes) -> Iterator[int]:
    """Numbers of seven bits to a byte, the lowest first, the eighth bit set in all but the last byte."""
    value = shift = 0
    for byte in packed:
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            yield value
            value = shift = 0


def matches(pattern: str, text: str, *, full: bool, ignore_case: bool, timeout: float) -> bool:
    """Whether a pattern matches the whole text, or is found in it.

    Raises:
        Unreadable: for a pattern that cannot be compiled.
        TimeoutError: when the search runs over its time; the message names the pattern.
    """
    found = compiled(pattern, ignore_case=ignore_case)
    try:
        return bool((found.fullmatch if full else found.search)(text, timeout=timeout))
    except TimeoutError:
        raise TimeoutError(
            f"pattern {shown(pattern)} ran over its {timeout:g} s on a text of {len(text)} characters"
        ) from None


def unfolded(pattern: str) -> int:
    """The size of a pattern with every counted repeat written out; an upper bound.

    >>> unfolded("(?:ab{3}){2}")
    16
    """
    if _RELAXED.search(pattern):  # where comments or nested sets hide what a bracket is, take the worst
        return math.prod(_count(*repeat) for repeat in _REPEAT.findall(pattern))
    levels = [0]
    last = 0
    for token in _TOKEN.finditer(pattern):
        if token["open"]:
            levels.append(1)
            last = 0
        elif token["close"]:
            last = levels.pop() + 1
            levels = levels or [0]
            levels[-1] += last
        elif token["low"] is not None:
            count = _count(token["low"], token["high"])
            levels[-1] += last * (count - 1)
            last *= count
        else:
            last = 1
            levels[-1] += 1
    return sum(levels)


def _count(low: str, high: str | None) -> int:
    """How often a repeat may come, 1 at least; a count of ten digits is as good as any larger one."""
    largest = max((low, high or ""), key=lambda digits: (len(digits.lstrip("0")), digits.lstrip("0")))
    digits = largest.lstrip("0")[: _MAX_COUNT_DIGITS + 1]
    return max(1, int(digits or "1"))
