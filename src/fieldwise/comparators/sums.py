"""Comparing amounts of money: the currency must agree, then the amount.

`$40` is not `EUR 40`. A sign that several currencies share, or no sign at all, is compared only with
the same on the other side, or by the currency the user states; it is never taken for a likely one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.comparators._currencies import CODES, currencies
from fieldwise.comparators._numerals import reader
from fieldwise.comparators._options import amount, is_known, refuse, settings
from fieldwise.comparators._readers import exact, is_number, plain, shown, text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

if TYPE_CHECKING:
    from fractions import Fraction

    from fieldwise.comparators._numerals import Reader

_MAX_LENGTH: Final = 100
_TRADED: Final = ("USD", "EUR", "JPY", "GBP", "CNY", "INR", "SEK")
"""Currencies to name as an example before any other."""
_PARTS: Final = re.compile(
    r"(?P<open>\()? ?(?P<sign>[+-])? ?(?P<before>[^0-9()+-]*?) ?(?P<late>[+-])? ?"
    r"(?P<digits>(?:(?<![^\W\d_])[.,]|(?<![.,])|(?<=[^\W\d_]\.))[0-9]"
    r"[0-9.,'\u066b\u066c ]*?(?:[eE][+-]?[0-9]{1,3})?) ?"
    r"(?P<after>[^0-9()+-]*?) ?(?P<last>-)? ?(?P<close>\))?"
)
"""A mark before the digits is a decimal mark in `$.50`, the end of an abbreviation in `Rs.50`."""


@dataclass(frozen=True, slots=True)
class _Sum:
    """An amount and the currencies it may be in; `written` is empty where none is written."""

    value: Fraction
    written: str
    currencies: frozenset[str]


def money(
    *,
    currency: str | None = None,
    locale: str | None = None,
    decimal: str | None = None,
    group: str | None = None,
    absolute: float = 0,
) -> Comparator:
    """Accept amounts of the same currency that differ by at most `absolute`; score 0 or 1.

    Reads JSON numbers and text such as `$1,250.40`, `EUR 40`, `40 euros`, `-3,50 kr`, `(75)`. Different
    currencies are 0. A sign that is not one currency (`$`), or none, against another is unreadable,
    and so 0, until `currency` states which it is.

    Args:
        currency: an ISO 4217 code: what amounts without a sign are in, and what a shared sign means.
        locale: a tag of `fieldwise.comparators.LOCALES`.
        decimal: the decimal mark, instead of a locale; with none stated, ambiguous text is flagged.
        group: the mark between groups of digits, with `decimal`.
        absolute: the greatest difference, at least 0.

    Raises:
        ConfigError: for a code or locale that does not exist, or a bad tolerance.

    >>> money()("$40", "EUR 40")
    0.0
    >>> money(currency="USD")("$2,150.00", 2150)
    1.0
    """
    read = reader("money", locale, decimal, group)
    widest = amount("money", "absolute", absolute)
    if currency is not None and not is_known(currency, CODES):
        raise refuse("money", "currency", currency, "give an ISO 4217 code such as 'EUR'")

    def grade(expected: Any, actual: Any) -> bool:
        wanted, came = (_sum(value, read, currency) for value in (expected, actual))
        return _agree(wanted, came) and abs(wanted.value - came.value) <= widest

    made = settings(
        currency=currency,
        locale=locale,
        decimal=decimal,
        group=group,
        absolute=absolute,
    )
    return Comparator("money", grade, made)


def _sum(value: Any, read: Reader, stated: str | None) -> _Sum:
    if is_number(value):
        return _Sum(exact(value), "", frozenset({stated} if stated else ()))
    text = " ".join(plain(text_of(value, _MAX_LENGTH)).split())
    found = _PARTS.fullmatch(text)
    if not found or bool(found["open"]) != bool(found["close"]):
        raise Unreadable(f"{shown(text)} is no amount of money")
    signs = [sign for sign in (found["sign"], found["late"], found["last"], found["open"]) if sign]
    if len(signs) > 1:
        raise Unreadable(f"{shown(text)} has more than one sign")
    number = read(found["digits"])
    written, known = _currency(found["before"].strip(), found["after"].strip(), stated)
    return _Sum(number if signs in ([], ["+"]) else -number, written, known)


def _currency(before: str, after: str, stated: str | None) -> tuple[str, frozenset[str]]:
    """What is written around the digits, and which currencies it may stand for."""
    names = [name for name in (before, after) if name]
    if not names:
        return "", frozenset({stated} if stated else ())
    known = [currencies(name) for name in names]
    if None in known:
        raise Unreadable(f"{shown(names[known.index(None)])} is no known currency")
    meant = frozenset.intersection(*[one for one in known if one is not None])
    if not meant:
        raise Unreadable(f"{before} and {after} are different currencies")
    if stated in meant and stated is not None:
        meant = frozenset({stated})
    return min(names).lower().strip(". "), meant


def _agree(wanted: _Sum, came: _Sum) -> bool:
    """Whether two sums are surely in the same currency; raises where it cannot be known."""
    one, other = wanted.currencies, came.currencies
    if one == other:
        return True
    if one and other and not one & other:
        return False
    unclear = wanted if len(one) != 1 else came
    what = "an amount names no currency"
    if unclear.written:
        what = f"{unclear.written!r} may be any of {len(unclear.currencies)} currencies"
    code = _likeliest(one & other or one | other)
    raise Unreadable(f"{what}; state currency, such as money(currency={code!r})")


def _likeliest(codes: frozenset[str]) -> str:
    """The code for an example: the most traded, else the first."""
    return next((code for code in _TRADED if code in codes), min(codes))
