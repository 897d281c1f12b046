"""Regular expressions from people and data, searched within a time limit.

They run on the `regex` package, whose search can be stopped. Compiling cannot, so a pattern that
repeats would unfold too far is refused before: its size is counted as if every `{n}` were written out.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fieldwise.comparators._readers import shown
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    import regex

MAX_PATTERN: Final = 20_000
MAX_SIZE: Final = 100_000
_TOKEN: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<open>\()|(?P<close>\))|\{(?P<low>[0-9]*)(?:,(?P<high>[0-9]*))?\}|.",
    re.DOTALL,
)
_REPEAT: Final = re.compile(r"\{([0-9]*)(?:,([0-9]*))?\}")
_RELAXED: Final = re.compile(r"\(\?[A-Za-z0-9-]*(?:x|V1)")
_MAX_COUNT_DIGITS: Final = 9


@lru_cache(maxsize=512)
def compiled(pattern: str, *, ignore_case: bool = False) -> regex.Pattern[str]:
    """Compile a pattern.

    Raises:
        Unreadable: for a pattern that does not parse, or is too long, too deep or too large unfolded.
    """
    import regex

    if len(pattern) > MAX_PATTERN or unfolded(pattern) > MAX_SIZE:
        raise Unreadable(f"pattern {shown(pattern)} is too large")
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
