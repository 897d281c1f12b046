"""Grading text by the words it shares.

Formula (Jaccard): words in both / words in either, each counted once. A word is a run of letters,
digits and underscores, compared by Unicode case folding. Text without a word has none to share: two
such texts are compared as they are, so `+` is not `-`.
"""

from __future__ import annotations

import re
from typing import Any, Final

from fieldwise.comparators._options import flags
from fieldwise.comparators._readers import text_of
from fieldwise.core.compare import Comparator

_WORD: Final = re.compile(r"\w+")


def token_set(*, ignore_case: bool = True) -> Comparator:
    """Grade text in 0..1 by the share of its distinct words that both sides have. Symmetric.

    Neither order nor repetition counts, and a word too many costs as much as one too few: unlike
    RapidFuzz's `token_set_ratio` (see `fuzzy`), a subset is not 1.

    Args:
        ignore_case: compare words by case folding.

    Raises:
        ConfigError: for a switch that is no boolean.

    >>> token_set()("red, green, blue", "Blue green")
    0.6666666666666666
    """
    flags("token_set", ignore_case=ignore_case)

    def words(text: str) -> frozenset[str]:
        return frozenset(_WORD.findall(text.casefold() if ignore_case else text))

    def grade(expected: Any, actual: Any) -> float:
        wanted, came = words(text_of(expected)), words(text_of(actual))
        either = len(wanted | came)
        return len(wanted & came) / either if either else 0.0

    return Comparator("token_set", grade, {"ignore_case": ignore_case})
