"""Text folded for searching, and where each part of it stands in the original.

Always folded: how accents are encoded (NFC), the width of white space, the many quotation marks, dashes and
minus signs. If asked: case, by Unicode case folding, and accents on letters, as in Latin. So "CRÈME  Brûlée"
and "creme brulee" can be the same text, and `Folded.span` still says which characters of the original a find
is.

A folded text is made of segments. Most are folded character by character, so offsets within them are counted
on; the others, a run of white space or a letter that becomes two, stand for the original as a whole.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALIKE: Final = {
    **dict.fromkeys(map(ord, "\t\n\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"), " "),
    **dict.fromkeys(range(0x2000, 0x200B), " "),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032\u02bc\xb4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u2033\xab\xbb"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"), "-"),
}
_SPACES: Final = re.compile("  +")
_ACCENT: Final = re.compile("[\u0300-\u036f]")
_LONGEST: Final = 60
"""How many characters a letter with its marks may have to be normalised, which takes quadratic time."""


@dataclass(slots=True)
class Folded:
    """A folded text.

    Attributes:
        text: the text.
        size: how long the original is.
        starts: where each segment begins in the text.
        origins: where it begins in the original.
        flat: whether it was folded character by character.
    """

    text: str
    size: int
    starts: list[int] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    flat: list[bool] = field(default_factory=list)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the original a part of the text stands; the part is not empty.

        >>> fold("Straße  2", ignore_case=True).text
        'strasse 2'
        >>> fold("Straße  2", ignore_case=True).span(4, 6), "Straße  2"[4:5]
        ((4, 5), 'ß')
        """
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        begin = self.origins[first] + (start - self.starts[first] if self.flat[first] else 0)
        if self.flat[last]:
            return begin, self.origins[last] + end - self.starts[last]
        return begin, self.origins[last + 1] if last + 1 < len(self.origins) else self.size


def fold(text: str, *, ignore_case: bool = False, ignore_accents: bool = False) -> Folded:
    """Fold a text.

    >>> fold("CRÈME  Brûlée", ignore_case=True, ignore_accents=True).text
    'creme brulee'
    """
    alike = text.translate(_ALIKE)
    found = Folded("", len(text))
    parts: list[str] = []
    size = 0

    def add(at: int, part: str, *, flat: bool) -> None:
        nonlocal size
        found.starts.append(size)
        found.origins.append(at)
        found.flat.append(flat)
        parts.append(part)
        size += len(part)

    at = 0
    for run in _SPACES.finditer(alike):
        for place, part, flat in _segments(alike[at : run.start()], ignore_case, ignore_accents):
            add(at + place, part, flat=flat)
        add(run.start(), " ", flat=False)
        at = run.end()
    for place, part, flat in _segments(alike[at:], ignore_case, ignore_accents):
        add(at + place, part, flat=flat)
    found.text = "".join(parts)
    return found


def _segments(text: str, case: bool, accents: bool) -> Iterator[tuple[int, str, bool]]:  # noqa: FBT001
    """Yield the segments of a text without runs of white space: place, folded text, whether it is flat."""
    if not text:
        return
    flat = _flat(text, case, accents)
    if flat is not None:
        yield 0, flat, True
        return
    start, pending = 0, ""
    for at, letter in _letters(text):
        folded = _letter(letter, case, accents)
        if len(letter) == len(folded) == 1:
            start, pending = (start if pending else at), pending + folded
            continue
        if pending:
            yield start, pending, True
            pending = ""
        yield at, folded, False
    if pending:
        yield start, pending, True


def _flat(text: str, case: bool, accents: bool) -> str | None:  # noqa: FBT001
    """Return the folded text if each character is folded to one, else None."""
    folded = text.casefold() if case else text
    if text.isascii():
        return folded
    both = text + folded  # a mark may fold to a letter
    marked = accents and _ACCENT.search(unicodedata.normalize("NFD", both))
    if len(folded) != len(text) or marked:
        return None
    same = all(unicodedata.is_normalized("NFC", one) for one in (text, folded))
    return folded if same else None


def _letters(text: str) -> Iterator[tuple[int, str]]:
    """Yield each letter with the marks on it, and its place; what makes up a Korean syllable is one."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not (_is_mark(text[at]) or (_is_jamo(text[at - 1]) and _is_jamo(text[at]))):
            yield start, text[start:at]
            start = at


def _is_mark(character: str) -> bool:
    return character > "\x7f" and unicodedata.category(character)[0] == "M"


def _is_jamo(character: str) -> bool:
    return "\u1100" <= character <= "\u11ff"


def _letter(letter: str, case: bool, accents: bool) -> str:  # noqa: FBT001
    if letter.isascii():
        return letter.casefold() if case else letter
    if len(letter) > _LONGEST:
        return letter
    if accents:
        apart = unicodedata.normalize("NFD", letter)
        letter = _ACCENT.sub("", apart)
    letter = unicodedata.normalize("NFC", letter)
    return unicodedata.normalize("NFC", letter.casefold()) if case else letter
