"""Finding a value in texts: literally, by its number, or nearly; and where it stands.

A find is never part of a word or of a number: `12` is not in `2012`, `8` not in `1.8`, `5` not in `-5`. Of
scripts that put no space between words, any part is a find.

| a value is | looked for |
|---|---|
| text | folded, see `folding`; then as a number if it is written as one; then nearly, if that is asked for |
| a number | among the numbers in the texts, however they are written: `1234.5` is `1,234.50` |
| a boolean | as the word |

Nearly means: the texts hold words so like it that their similarity, 1 - edits / both lengths, reaches the
least that is asked for, and with the same numbers in them: `Invoice 1235` is never nearly `Invoice 1234`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from fieldwise.scorers.figures import LONGEST
from fieldwise.scorers.folding import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fieldwise.scorers.figures import Figures
    from fieldwise.scorers.folding import Folded

MAX_NEAR: Final = 500
"""How many characters a text may have to be looked for nearly."""

_TRIES: Final = 16
_MOST_READ: Final = 10**LONGEST
"""Integers from here on are looked for as they are written in JSON: as numerals they would not be read."""
_LONGEST_NUMBER: Final = 1_000_000
"""Integers of more bits are found nowhere: writing them takes too long."""
_NUMBERS: Final = re.compile(r"\d+(?:[.,]\d+)*")
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Japanese, Chinese; Korean, which adds endings to words."""

_OUTSIDE: Final = re.compile(rf"\W|{_UNSPACED.pattern}")
"""What a word ends before."""


class Find(NamedTuple):
    """Where a value was found: which text, from where to where, and how like it is what stands there."""

    document: int
    start: int
    end: int
    how: str
    similarity: float = 1.0


@dataclass(frozen=True, slots=True)
class Search:
    """How values are looked for.

    Attributes:
        ignore_case: whether case counts.
        ignore_accents: whether accents count.
        nearly: the least similarity of a near find; None: none is one.
        figures: reads the numbers in texts; None: numbers are looked for as they are written in JSON.
    """

    ignore_case: bool
    ignore_accents: bool
    nearly: float | None
    figures: Figures | None

    def fold(self, text: str) -> Folded:
        """Fold a text."""
        return fold(text, ignore_case=self.ignore_case, ignore_accents=self.ignore_accents)


@dataclass(slots=True)
class Passages:
    """Texts to look into.

    >>> from fieldwise.scorers.figures import Figures
    >>> passages = Passages(["Total: 1,234.50 EUR"], Search(True, False, 0.9, Figures(None)))
    >>> passages.find(1234.5)
    Find(document=0, start=7, end=15, how='number', similarity=1.0)
    """

    texts: Sequence[str]
    search: Search
    _folded: list[Folded] | None = field(default=None, init=False)
    _numbers: dict[Any, tuple[int, int, int]] | None = field(default=None, init=False)

    def find(self, value: Any) -> Find | None:
        """Return the first place of a value that is text, a number or a boolean; None when it is nowhere."""
        if isinstance(value, bool):
            return self._literal("true" if value else "false")
        if isinstance(value, int | float | Decimal):
            literal = self.search.figures is None or (isinstance(value, int) and abs(value) >= _MOST_READ)
            return self._literal(_written(value)) if literal else self._number(value)
        return self._literal(value) or self._number(value) or self._near(value)

    def _documents(self) -> list[Folded]:
        if self._folded is None:
            self._folded = [self.search.fold(text) for text in self.texts]
        return self._folded

    def _literal(self, value: str) -> Find | None:
        needle = self.search.fold(value).text.strip()
        for number, folded in enumerate(self._documents() if needle else ()):
            at = _find(folded.text, needle)
            if at is not None:
                return Find(number, *folded.span(at, at + len(needle)), "literal")
        return None

    def _number(self, value: Any) -> Find | None:
        figures = self.search.figures
        if figures is None:
            return None
        wanted = figures.of(value)
        if wanted and self._numbers is None:
            self._numbers = {}
            for number, text in enumerate(self.texts):
                for figure, start, end in figures.within(text):
                    self._numbers.setdefault(figure, (number, start, end))
        places = [self._numbers[one] for one in wanted if self._numbers and one in self._numbers]
        return Find(*min(places), "number") if places else None

    def _near(self, value: str) -> Find | None:
        """The most like of the near finds."""
        least, needle = self.search.nearly, self.search.fold(value).text.strip()
        if least is None or not needle or len(needle) > MAX_NEAR:
            return None
        best: Find | None = None
        for number, folded in enumerate(self._documents()):
            for similarity, start, end in _near(folded.text, needle, least):
                if best is None or similarity > best.similarity:
                    best = Find(number, *folded.span(start, end), "fuzzy", similarity)
        return best


def _written(value: float | Decimal) -> str:
    """A number in digits; Decimal writes integers that are longer than Python's limit on them."""
    if not isinstance(value, int):
        return str(value)
    return str(Decimal(value)) if value.bit_length() <= _LONGEST_NUMBER else ""


def bounded(text: str, start: int, end: int) -> bool:
    """Whether a part of a text begins and ends between words and numbers.

    >>> bounded("born in 2012", 8, 12), bounded("born in 2012", 10, 12)
    (True, False)
    """
    return not _is_inside(text, start) and not _is_inside(text, end)


def _is_inside(text: str, at: int) -> bool:
    """Whether a place in a text is within a word or a number, its sign included."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if _is_wordy(before) and _is_wordy(after):
        return not (_UNSPACED.match(before) or _UNSPACED.match(after))
    if after in ".,'" and before.isdigit():
        return text[at + 1 : at + 2].isdigit()
    if after.isdigit() and before in ".,'":
        return at > 1 and text[at - 2].isdigit()
    return (
        after.isdigit() and before == "-" and not (at > 1 and (text[at - 2].isalnum() or text[at - 2] == ")"))
    )


def _find(text: str, needle: str) -> int | None:
    """The first place of a text that is no part of a word or number."""
    at = text.find(needle)
    while at >= 0:
        if bounded(text, at, at + len(needle)):
            return at
        begun = at + 1
        if _is_inside(text, at):  # whatever begins in this word is part of it
            outside = _OUTSIDE.search(text, at)
            begun = len(text) if outside is None else max(outside.start(), begun)
        at = text.find(needle, begun)
    return None


def _is_wordy(character: str) -> bool:
    return character.isalnum() or character == "_"


# ---------------------------------------------------------------------------------------------- nearly


def _near(text: str, needle: str, least: float) -> Iterator[tuple[float, int, int]]:
    """Yield the most like near find: similarity, start, end. Where one will not do, some more are tried."""
    from rapidfuzz import fuzz

    numbers = _NUMBERS.findall(needle)
    cutoff = 100 * max(2 * least - 1, 0.0)  # a find that is longer is less like where it is cut to length
    ranges = [(0, len(text))]
    for _ in range(_TRIES):
        if not ranges:
            return
        low, high = ranges.pop(0)
        found = fuzz.partial_ratio_alignment(needle, text[low:high], score_cutoff=cutoff)
        if found is None or found.dest_end <= found.dest_start:
            continue
        start, end = low + found.dest_start, low + found.dest_end
        fits = [
            (similarity, first, last)
            for first, last in _on_words(text, start, end)
            if (similarity := fuzz.ratio(needle, text[first:last]) / 100) >= least
            and _NUMBERS.findall(text[first:last]) == numbers
        ]
        if fits:
            yield max(fits)
            return
        middle = (start + end) // 2
        ranges += [(low, middle), (middle, high)]


def _on_words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text nearest to one that begin and end with words: the same, or grown, or cut."""
    reach = end - start
    starts = {_moved(text, start, -1, max(start - reach, 0)), _moved(text, start, 1, end)}
    ends = {_moved(text, end, 1, min(end + reach, len(text))), _moved(text, end, -1, start)}
    for first in starts:
        for last in ends:
            begin, stop = first, last
            while begin < stop and text[begin] == " ":
                begin += 1
            while begin < stop and text[stop - 1] == " ":
                stop -= 1
            if begin < stop and bounded(text, begin, stop):
                yield begin, stop


def _moved(text: str, at: int, step: int, limit: int) -> int:
    """The next place from here, in the direction of `step`, that is not within a word."""
    while at != limit and _is_inside(text, at):
        at += step
    return at
