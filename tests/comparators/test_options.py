"""Wrong options are refused when a comparator is made, by name, with the value and the fix."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

import numpy as np
import pytest

from fieldwise import comparators as c
from fieldwise.core.display import shown
from fieldwise.errors import ConfigError

SECONDS: Final = "give the seconds a match may take, above 0, at most 86,400"
FORMATS: Final = "give a list of strptime formats, such as ['%d.%m.%y']"
MARK: Final = "a mark is one of . , ' a space, \u066b or \u066c"
AMOUNT: Final = "give a finite number of at least 0"
SWITCH: Final = "a switch is True or False"
THRESHOLD: Final = "give a number above 0 and at most 1; at 0 all is right"
WHOLE_DATE: Final = "a strptime format holds year, month and day, such as '%d.%m.%y'"
ZONE: Final = "give an IANA name such as 'Europe/Oslo', or 'UTC'"
BAD: Final[list[tuple[Callable[..., Any], dict[str, Any], str, str]]] = [
    (c.id, {"strip": 1}, "strip", SWITCH),
    (c.id, {"separators": ["-"]}, "separators", "give the characters as one text, such as '- .'"),
    (c.text, {"ignore_case": "yes"}, "ignore_case", SWITCH),
    (c.text, {"whitespace": "colapse"}, "whitespace", "did you mean 'collapse'?"),
    (c.text, {"normal_form": "NFX"}, "normal_form", "did you mean 'NFC'?"),
    (c.text, {"normal_form": 7}, "normal_form", "give one of 'NFC', 'NFKC', None"),
    (c.contains, {"whitespace": None}, "whitespace", "give one of 'keep', 'collapse', 'remove'"),
    (c.regex, {"pattern": "("}, "pattern", 'pattern "(" does not parse: missing ) at position 1'),
    (c.regex, {"pattern": 7}, "pattern", "give the pattern as text"),
    (
        c.regex,
        {"pattern": "(a{999}){999}"},
        "pattern",
        (
            'pattern "(a{999}){999}" is too large: at most 20,000 characters, '
            "100,000 with its repeats written out"
        ),
    ),
    (c.regex, {"match": "whole"}, "match", "give one of 'full', 'search'"),
    (
        c.regex,
        {"pattern": "a" * 1_001 + "."},
        "pattern",
        (
            f'pattern "{"a" * 38}… has too much literal text to be run within a time limit: '
            "at most 1,000 characters in one piece, fewer in several"
        ),
    ),
    (c.regex, {"timeout": 0}, "timeout", SECONDS),
    (c.regex, {"timeout": 86_401}, "timeout", SECONDS),
    (c.regex, {"timeout": 10**400}, "timeout", AMOUNT),
    (c.number, {"absolute": 10**400}, "absolute", "a tolerance is a finite number of at least 0"),
    (c.money, {"currency": ["EUR"]}, "currency", "give an ISO 4217 code such as 'EUR'"),
    (c.datetime, {"zone": ["UTC"]}, "zone", ZONE),
    (c.money, {"absolute": Fraction(10**400, 3)}, "absolute", AMOUNT),
    (c.duration, {"relative": Decimal("1e999")}, "relative", AMOUNT),
    (c.date, {"within_days": 10**400}, "within_days", AMOUNT),
    (c.date, {"formats": 3}, "formats", FORMATS),
    (c.duration, {"decimal": {}}, "decimal", MARK),
    (c.regex, {"timeout": float("nan")}, "timeout", AMOUNT),
    (c.numeric_diff, {"tolerance": -1}, "tolerance", AMOUNT),
    (c.numeric_diff, {"tolerance": True}, "tolerance", AMOUNT),
    (c.numeric_diff, {"relative_to": "larger "}, "relative_to", "did you mean 'larger'?"),
    (c.number_text, {"locale": "de_DEE"}, "locale", "there is no such locale here; did you mean 'de-DE'?"),
    (
        c.number_text,
        {"locale": "xx"},
        "locale",
        "there is no such locale here; state decimal and group instead",
    ),
    (c.number_text, {"locale": 7}, "locale", "there is no such locale here; state decimal and group instead"),
    (
        c.number_text,
        {"locale": "de", "decimal": ","},
        "locale",
        "state a locale, or decimal and group, not both",
    ),
    (c.number_text, {"group": "."}, "group", "state decimal too"),
    (c.number_text, {"decimal": "x"}, "decimal", "a mark is one of . , ' a space, ٫ or ٬"),
    (c.number_text, {"decimal": ".", "group": "."}, "group", "it must differ from decimal"),
    (c.number_text, {"percent": "half"}, "percent", "give one of 'share', 'points'"),
    (c.number_text, {"absolute": float("inf")}, "absolute", AMOUNT),
    (c.money, {"currency": "usd"}, "currency", "give an ISO 4217 code such as 'EUR'"),
    (c.quantity, {"absolute": 5}, "absolute", "state the unit it is in, such as unit='kg'"),
    (c.quantity, {"unit": "blorp"}, "unit", "give a unit pint knows, such as 'kg' or 'm/s^2'"),
    (c.quantity, {"unit": 7}, "unit", "give a unit pint knows, such as 'kg' or 'm/s^2'"),
    (c.duration, {"unit": "kg"}, "unit", "give a unit of time, such as 's' or 'min'"),
    (c.date, {"formats": "%d.%m.%y"}, "formats", "give a list of strptime formats, such as ['%d.%m.%y']"),
    (c.date, {"formats": ["%d.%m."]}, "formats", WHOLE_DATE),
    (c.date, {"formats": ["%d.%m.%Q"]}, "formats", WHOLE_DATE),
    (c.date, {"day_first": "yes"}, "day_first", "give one of True, False, None"),
    (c.date, {"day_first": 1}, "day_first", "give one of True, False, None"),
    (
        c.datetime,
        {"formats": ["%Y-%m-%d"]},
        "formats",
        "a strptime format holds year, month, day and hour, such as '%d.%m.%y %H:%M'",
    ),
    (c.datetime, {"zone": "Mars/Olympus"}, "zone", ZONE),
    (c.datetime, {"zone": "../etc"}, "zone", ZONE),
    (c.phone, {"region": "us"}, "region", "give an ISO 3166 code in capitals, such as 'NO'"),
    (c.url, {"ignore_www": None}, "ignore_www", SWITCH),
    (c.fuzzy, {"scorer": "Ratio"}, "scorer", "did you mean 'WRatio'?"),
    (c.token_set, {"ignore_case": 0}, "ignore_case", SWITCH),
    (c.embedding, {}, "embeddings", "give a langchain-core Embeddings, in Python: no text stands for one"),
    (c.within, {"comparator": "fuzzy", "threshold": 0}, "threshold", THRESHOLD),
    (c.within, {"comparator": "fuzzy", "threshold": True}, "threshold", THRESHOLD),
]


@pytest.mark.parametrize(
    ("make", "options", "option", "fix"),
    [pytest.param(*row, id=f"{row[0].__name__}-{row[1]}") for row in BAD],
)
def test_refused(make: Callable[..., Any], options: dict[str, Any], option: str, fix: str) -> None:
    with pytest.raises(ConfigError) as caught:
        make(**options)
    value = options.get(option)
    value = value[0] if option == "formats" and isinstance(value, list) else value
    assert str(caught.value) == f"{make.__name__}({option}={shown(value)}): {fix}"


def test_a_tolerance_may_be_a_number_of_numpy() -> None:
    assert c.money(absolute=np.float64(0.5))("EUR 2.50", "EUR 2.00") == 1


def test_a_comparator_of_a_comparator_names_the_unknown_one() -> None:
    with pytest.raises(ConfigError) as caught:
        c.any_of(comparator="dat")
    assert str(caught.value) == "any_of(comparator)='dat': there is no such comparator; did you mean 'date'?"


MISSING: Final = [
    (c.quantity, "pint", "units"),
    (c.duration, "pint", "units"),
    (c.phone, "phonenumbers", "phone"),
]


@pytest.mark.parametrize(("make", "package", "extra"), MISSING)
def test_a_library_that_is_not_installed_is_named(
    make: Callable[..., Any], package: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == package else name)
    with pytest.raises(ConfigError) as caught:
        make()
    wanted = f"{make.__name__}() needs the package {package}: pip install 'fieldwise[{extra}]'"
    assert str(caught.value) == wanted


def test_every_row_of_the_table_is_a_factory_that_is_exported() -> None:
    assert {name: getattr(c, name) for name in c.COMPARATORS} == c.COMPARATORS
    assert set(c.COMPARATORS) <= set(c.__all__)


def test_every_row_is_named_in_the_docstring() -> None:
    assert [name for name in c.COMPARATORS if f"| `{name}` |" not in str(c.__doc__)] == []


def test_every_comparator_bears_the_name_of_its_row() -> None:
    rows = [name for name in c.COMPARATORS if name != "embedding"]
    assert [c.resolve("x", name).name for name in rows] == rows
