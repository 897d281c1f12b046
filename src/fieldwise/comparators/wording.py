"""Comparing text where stated differences do not count, and finding text in text.

The switches apply in one order: normal form, case, punctuation, white space. Where dropping
punctuation leaves nothing of either text, it is kept in both: `+` is not `-`.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.comparators._options import flags, one_of, settings
from fieldwise.comparators._readers import text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

NormalForm: TypeAlias = Literal["NFC", "NFKC"]
Whitespace: TypeAlias = Literal["keep", "collapse", "remove"]

_MAX_MARKS: Final = 1_000


def text(
    *,
    ignore_case: bool = False,
    whitespace: Whitespace = "collapse",
    normal_form: NormalForm | None = "NFC",
    ignore_punctuation: bool = False,
) -> Comparator:
    r"""Accept text that is the same but for what the switches name; score 0 or 1.

    By default only what cannot be seen does not count: how accents are encoded, and how wide white
    space is. Symmetric.

    Args:
        ignore_case: compare by Unicode case folding, so "STRASSE" is "straße".
        whitespace: "keep" it; "collapse" runs into one space and strip the ends; "remove" all.
        normal_form: "NFC" for canonical equivalence, "NFKC" for compatibility (full-width letters,
            ligatures, superscripts), None for code points as they are.
        ignore_punctuation: drop all characters of the Unicode categories P (punctuation) and S (symbols).

    Raises:
        ConfigError: for a value that a switch does not have.

    >>> text()("caf\u00e9  au lait", "cafe\u0301 au lait")
    1.0
    >>> text(ignore_case=True, ignore_punctuation=True)("Hello, world!", "hello world")
    1.0
    """
    flags("text", ignore_case=ignore_case, ignore_punctuation=ignore_punctuation)
    one_of("text", "whitespace", whitespace, ("keep", "collapse", "remove"))
    one_of("text", "normal_form", normal_form, ("NFC", "NFKC", None))
    spaced = _SPACING[whitespace]

    def grade(expected: Any, actual: Any) -> bool:
        pair = [_folded(text_of(value), normal_form, ignore_case=ignore_case) for value in (expected, actual)]
        if ignore_punctuation:
            bare = [_without_punctuation(one) for one in pair]
            pair = bare if all(one.strip() for one in bare) else pair
        return spaced(pair[0]) == spaced(pair[1])

    made = settings(
        ignore_case=ignore_case,
        whitespace=whitespace,
        normal_form=normal_form,
        ignore_punctuation=ignore_punctuation,
    )
    return Comparator("text", grade, made)


def contains(
    *, ignore_case: bool = False, whitespace: Whitespace = "keep", normal_form: NormalForm | None = None
) -> Comparator:
    """Accept actual text that holds the expected text; score 0 or 1. Not symmetric.

    An expected text that is empty is in every text and so says nothing: unreadable.

    Args:
        ignore_case: compare by Unicode case folding.
        whitespace: "keep", "collapse" or "remove", as in `text`.
        normal_form: "NFC", "NFKC" or None.

    Raises:
        ConfigError: for a value that a switch does not have.

    >>> contains()("Oslo", "Oslo, Norway")
    1.0
    >>> contains()("Oslo, Norway", "Oslo")
    0.0
    """
    flags("contains", ignore_case=ignore_case)
    one_of("contains", "whitespace", whitespace, ("keep", "collapse", "remove"))
    one_of("contains", "normal_form", normal_form, ("NFC", "NFKC", None))
    spaced = _SPACING[whitespace]

    def grade(expected: Any, actual: Any) -> bool:
        wanted, came = (
            spaced(_folded(text_of(value), normal_form, ignore_case=ignore_case))
            for value in (expected, actual)
        )
        if not wanted:
            raise Unreadable("an empty text is in every text")
        return wanted in came

    made = settings(
        ignore_case=ignore_case,
        whitespace=whitespace,
        normal_form=normal_form,
    )
    return Comparator("contains", grade, made, symmetric=False)


_SPACING: Final[dict[str, Callable[[str], str]]] = {
    "keep": lambda value: value,
    "collapse": lambda value: " ".join(value.split()),
    "remove": lambda value: "".join(value.split()),
}


def _folded(value: str, normal_form: NormalForm | None, *, ignore_case: bool) -> str:
    """Fold case between two normalisations: folding may undo the first."""
    if value.isascii():
        return value.casefold() if ignore_case else value
    if normal_form is not None:
        _refuse_marks(value)
        value = unicodedata.normalize(normal_form, value)
    if ignore_case:
        value = value.casefold()
        value = value if normal_form is None else unicodedata.normalize(normal_form, value)
    return value


def _refuse_marks(value: str) -> None:
    """Refuse endless runs of combining marks: putting them in order takes quadratic time."""
    if len(value) <= _MAX_MARKS:
        return
    run = 0
    for character in value:
        run = run + 1 if unicodedata.combining(character) else 0
        if run > _MAX_MARKS:
            raise Unreadable(f"text with over {_MAX_MARKS} combining marks in a row is not normalised")


def _without_punctuation(value: str) -> str:
    """Drop the Unicode categories P and S, looking each character up once."""
    dropped = {ord(one): None for one in set(value) if unicodedata.category(one)[0] in "PS"}
    return value.translate(dropped)
