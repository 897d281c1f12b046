"""Numbers as people write them: `1.250,40`, `1,250.40`, `1 250,40`, `1'250.40`, `(75)`, `75-`.

A convention is two marks: the decimal mark, and the marks that may part groups of digits. A stated one
is followed to the letter: a text that breaks it is unreadable, never read by another. With none stated,
a text is read only if every convention that fits it gives the same number: `1,250.40` is read,
`1.250` is ambiguous and flagged.

Exponents have at most three digits; how long a text may be is its reader's to say.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from fieldwise.comparators._options import refuse
from fieldwise.comparators._readers import plain, shown
from fieldwise.core.display import nearest
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable
    from fractions import Fraction


class Convention(NamedTuple):
    """The decimal mark, and the marks of which one may part groups of digits."""

    decimal: str
    groups: str


_CONVENTIONS: Final[dict[Convention, str]] = {
    Convention(
        ".", ","
    ): "en en-US en-GB en-AU en-CA en-IE en-IN en-NZ es-MX hi hi-IN he he-IL ja ja-JP ko ko-KR"
    " th th-TH zh zh-CN zh-HK zh-TW",
    Convention(
        ",", "."
    ): "de de-DE da da-DK el el-GR es es-AR es-ES hr hr-HR id id-ID it it-IT nl nl-BE nl-NL"
    " pt pt-BR ro ro-RO sl sl-SI sr tr tr-TR vi vi-VN",
    Convention(
        ",", " "
    ): "bg bg-BG cs cs-CZ et et-EE fi fi-FI fr fr-BE fr-CA fr-FR hu hu-HU lt lt-LT lv lv-LV"
    " nb nb-NO nn no pl pl-PL pt-PT ru ru-RU sk sk-SK sv sv-SE uk uk-UA",
    Convention(",", ". "): "de-AT",
    Convention(".", "'"): "de-CH de-LI it-CH",
    Convention("\u066b", "\u066c"): "ar-EG fa fa-IR",
}
LOCALES: Final = {tag: convention for convention, tags in _CONVENTIONS.items() for tag in tags.split()}
"""Locale tag to the convention that its region writes by."""

_ALL: Final = (*_CONVENTIONS, Convention(".", " "), Convention(",", "'"))
_MARKS: Final = frozenset(".,' \u066b\u066c")

Reader: TypeAlias = "Callable[[str], Fraction]"


def reader(factory: str, locale: str | None, decimal: str | None, group: str | None) -> Reader:
    """Return the function that reads number text by what was stated.

    Args:
        factory: whose options these are, for messages.
        locale: a tag of `LOCALES`.
        decimal: the decimal mark, instead of a locale.
        group: the mark between groups of digits; only with `decimal`. None: digits are not grouped.

    Raises:
        ConfigError: for an unknown locale or mark, or options that contradict each other.
    """
    if locale is not None:
        if decimal is not None or group is not None:
            raise refuse(factory, "locale", locale, "state a locale, or decimal and group, not both")
        return _by((_convention(factory, locale),))
    if decimal is None:
        if group is not None:
            raise refuse(factory, "group", group, "state decimal too")
        return _by(_ALL)
    marks: tuple[tuple[str, object], ...] = (("decimal", decimal), ("group", group))
    for option, mark in marks:
        if mark is not None and not (isinstance(mark, str) and mark in _MARKS):
            raise refuse(factory, option, mark, "a mark is one of . , ' a space, \u066b or \u066c")
    if decimal == group:
        raise refuse(factory, "group", group, "it must differ from decimal")
    return _by((Convention(decimal, group or ""),))


def _convention(factory: str, locale: object) -> Convention:
    tag = locale.replace("_", "-") if isinstance(locale, str) else ""
    if tag not in LOCALES:
        close = nearest(tag, LOCALES)
        hint = f"did you mean {close!r}?" if close else "state decimal and group instead"
        raise refuse(factory, "locale", locale, f"there is no such locale here; {hint}")
    return LOCALES[tag]


def _by(conventions: tuple[Convention, ...]) -> Reader:
    """A reader that accepts what all fitting conventions agree on."""

    def read(text: str) -> Fraction:
        negative, body = _sign(plain(text))
        if body.isdecimal():
            return _whole(body, negative=negative)
        readings = {found for one in conventions if (found := _read(one, body)) is not None}
        if not readings:
            fits = f" with decimal mark {conventions[0].decimal!r}" if len(conventions) == 1 else ""
            raise Unreadable(f"{shown(text)} is no number{fits}")
        if len(readings) > 1:
            raise Unreadable(f"{shown(text)} is ambiguous; state locale, or decimal and group")
        value = readings.pop()
        return -value if negative else value

    return read


def _whole(digits: str, *, negative: bool) -> Fraction:
    """Digits alone read the same by every convention."""
    from fractions import Fraction

    return Fraction(-int(digits) if negative else int(digits))


def _sign(text: str) -> tuple[bool, str]:
    """Take the sign off: in front, behind, or accounting brackets."""
    if text[:1] == "(" and text[-1:] == ")":
        return True, text[1:-1].strip()
    if text[:1] in {"+", "-"}:
        return text[0] == "-", text[1:].strip()
    return (True, text[:-1].strip()) if text[-1:] == "-" else (False, text)


def _read(convention: Convention, body: str) -> Fraction | None:
    from fractions import Fraction

    found = _pattern(convention).fullmatch(body)
    if not found:
        return None
    whole = "".join(filter(str.isdigit, found["whole"] or "0"))
    return Fraction(f"{whole}.{found['part'] or 0}{found['power'] or ''}")


@lru_cache(maxsize=64)
def _pattern(convention: Convention) -> re.Pattern[str]:
    """Digits, or groups of three after a first that is no 0 (or of two, as India does), and a part."""
    decimal, groups = re.escape(convention.decimal), re.escape(convention.groups)
    whole = "[0-9]+"
    if groups:
        whole += f"|[1-9][0-9]{{0,2}}(?:(?P<mark>[{groups}])[0-9]{{3}})(?:(?P=mark)[0-9]{{3}})*"
    if convention.groups == ",":
        whole += "|[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"
    part = rf"{decimal}(?P<part>[0-9]+)"
    power = "(?P<power>[eE][+-]?[0-9]{1,3})"
    return re.compile(rf"(?=[0-9]|{decimal})(?P<whole>{whole})?(?:{part})?{power}?")
