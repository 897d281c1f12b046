"""Comparing telephone numbers by what they dial, read by phonenumbers (extra `phone`).

A number without a country code belongs to no country until `region` states one.
"""

from __future__ import annotations

from typing import Any, Final

from fieldwise.comparators._options import installed, is_known, refuse
from fieldwise.comparators._readers import shown, text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

_MAX_LENGTH: Final = 100
_MAX_DIGITS: Final = 17


def phone(*, region: str | None = None) -> Comparator:
    """Accept the same telephone number, extension included, in any notation; score 0 or 1.

    Integers are read as their digits. Symmetric. Needs `pip install 'fieldwise[phone]'`.

    Args:
        region: the ISO 3166 code of the country whose numbers are written without a country code; with
            None only numbers with one (`+1 …`) are read.

    Raises:
        ConfigError: for an unknown region, or phonenumbers missing.

    >>> phone(region="US")("(206) 555-0142", "+12065550142")
    1.0
    """
    installed("phone", "phonenumbers", "phone")
    if region is not None:
        _check_region(region)

    def grade(expected: Any, actual: Any) -> bool:
        return _read(expected, region) == _read(actual, region)

    return Comparator("phone", grade, {"region": region})


def _check_region(region: object) -> None:
    import phonenumbers

    if not is_known(region, phonenumbers.SUPPORTED_REGIONS):
        raise refuse("phone", "region", region, "give an ISO 3166 code in capitals, such as 'NO'")


def _read(value: Any, region: str | None) -> tuple[int | None, str, str]:
    """Country code, national number with its leading zeros, and extension."""
    import phonenumbers

    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**_MAX_DIGITS:
        value = str(value)
    text = text_of(value, _MAX_LENGTH)
    try:
        number = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException as error:
        missing = error.error_type == phonenumbers.NumberParseException.INVALID_COUNTRY_CODE
        why = (
            "names no known country code; state region"
            if missing and region is None
            else "is no phone number"
        )
        raise Unreadable(f"{shown(text)} {why}") from None
    if not phonenumbers.is_possible_number(number):
        raise Unreadable(f"{shown(text)} is no possible phone number")
    return number.country_code, phonenumbers.national_significant_number(number), number.extension or ""
