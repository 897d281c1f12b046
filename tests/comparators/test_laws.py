"""The laws of every comparator: equal is 1, in range, symmetric unless stated, unreadable or graded.

A comparator that is added to the table is tested here by being there; one that is not symmetric, or
reads a new kind of text, gets a text of that kind in `TEXTS`.
"""

from __future__ import annotations

import json
import time
from decimal import Decimal
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding

from fieldwise.comparators import (
    COMPARATORS,
    Comparator,
    any_of,
    contains,
    date,
    datetime,
    duration,
    embedding,
    fuzzy,
    id,  # noqa: A004
    money,
    number_text,
    numeric_diff,
    phone,
    quantity,
    regex,
    text,
    url,
    within,
)
from fieldwise.comparators.ratios import SCORERS
from tests.comparators.grades import grade
from tests.laws.strategies import leaves

FAKE: Final = DeterministicFakeEmbedding(size=8)
ROWS: Final[dict[str, Comparator]] = {
    **{name: make() for name, make in COMPARATORS.items() if name != "embedding"},
    "embedding": embedding(embeddings=FAKE),
    "id with all switches": id(ignore_case=True, separators="- .", integers=True),
    "text with all switches": text(
        ignore_case=True, whitespace="remove", normal_form="NFKC", ignore_punctuation=True
    ),
    "contains with all switches": contains(ignore_case=True, whitespace="collapse", normal_form="NFKC"),
    "regex search": regex(match="search", ignore_case=True),
    "numeric_diff of the larger": numeric_diff(relative_to="larger"),
    "number_text de": number_text(locale="de", percent="points", absolute=1),
    "number_text relative": number_text(relative=0.1),
    "money USD": money(currency="USD", absolute=0.5),
    "quantity kg": quantity(unit="kg", relative=0.1),
    "duration s": duration(unit="s", within_seconds=60),
    "date by day": date(day_first=True, formats=["%d.%m.%y"], within_days=1),
    "datetime in UTC": datetime(zone="UTC", day_first=False, within_seconds=1),
    "phone NO": phone(region="NO"),
    "url with all switches": url(
        ignore_scheme=True,
        ignore_www=True,
        ignore_trailing_slash=True,
        ignore_query_order=True,
        ignore_query=False,
        ignore_fragment=True,
    ),
    **{f"fuzzy {name}": fuzzy(scorer=name) for name in SCORERS},
    "any_of dates": any_of(comparator="date"),
    "within": within("token_set", 0.5),
}
EACH: Final = [pytest.param(comparator, id=name) for name, comparator in ROWS.items()]

TEXTS: Final = [
    "1.250,40", "1,250.40", "1.250", "(75)", "75-", "\u2212 75", "\uff11\uff12\u3002", "45%", "1e400", "٣",
    "$40", "EUR 40", "40 €", "Rs.500", "kr", "US$ -3,50", "($1)", "2025-01-02", "03/04/2025", "25/12/2025",
    "2 Jan 2025", "Thu, 02 Jan 2025 10:00:00 +0000", "2025-01-02T00:00:00Z", "2025-01-02 13:00", "02.01.25",
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00", "99/99/9999", "PT1H30M", "90 min", "1h30m",
    "P1M", "30 days", "1:30", "12 t", "12000 kg", "-5 °C", "3 m", "1 m/s^9", "kg", "+12065550142",
    "(206) 555-0142", "ext 311", "22 33 44 55", "http://a.b/?x=1&y=2", "HTTP://A.b:80/%7e?y=2&x=1#f",
    "www.a.b/", "http://[::1", "//a:999999", "http://münchen.de", "http://\ud800/", "(a+)+$", "[", "a{2}",
    "\\",     "red green", "Green, red!", "+", "-", "", " ", "\x00", "\ud800", "cafe\u0301", "café", "ﬁ",
    "STRASSE", "straße", "İ", "ǰ\u0323", "QX-118-04", "qx 118 04", "7", "007",
]  # fmt: skip

texts = st.one_of(
    st.sampled_from(TEXTS), st.text(max_size=12), st.text("0123456789.,-/: +()$kmhT%", max_size=9)
)
values = st.one_of(
    texts, leaves, st.lists(texts, max_size=3), st.fixed_dictionaries({"any_of": st.lists(texts, max_size=3)})
)


@pytest.mark.parametrize("comparator", EACH)
@given(value=values)
def test_equal_values_are_one(comparator: Comparator, value: Any) -> None:
    assert comparator(value, value) == 1.0


@pytest.mark.parametrize("comparator", EACH)
@given(expected=values, actual=values)
def test_a_score_is_in_range_or_the_value_unreadable(
    comparator: Comparator, expected: Any, actual: Any
) -> None:
    found = grade(comparator, expected, actual)
    assert found if isinstance(found, str) else 0.0 <= found <= 1.0


@pytest.mark.parametrize("comparator", [param for param in EACH if ROWS[str(param.id)].symmetric])
@given(expected=values, actual=values)
def test_swapping_the_sides_changes_nothing(comparator: Comparator, expected: Any, actual: Any) -> None:
    found, swapped = grade(comparator, expected, actual), grade(comparator, actual, expected)
    if isinstance(found, str) or isinstance(swapped, str):
        assert type(found) is type(swapped)
    else:
        assert found == pytest.approx(swapped, abs=1e-12)


ONE_WAY: Final = {
    "contains": ("a", "ab"),
    "contains with all switches": ("a", "ab"),
    "regex": ("a.", "ab"),
    "regex search": ("a.", "ab"),
    "numeric_diff": (100, 50),
    "number_text relative": ("10", "9"),
    "quantity kg": ("10 kg", "9 kg"),
    "any_of": (["a", "b"], "a"),
    "any_of dates": (["2025-01-02", "x"], "2 Jan 2025"),
}


def test_comparators_that_are_not_symmetric_are_known() -> None:
    assert {name for name, comparator in ROWS.items() if not comparator.symmetric} == ONE_WAY.keys()


@pytest.mark.parametrize("name", ONE_WAY)
def test_a_stated_asymmetry_is_real(name: str) -> None:
    expected, actual = ONE_WAY[name]
    assert grade(ROWS[name], expected, actual) != grade(ROWS[name], actual, expected)


MEGA: Final = 1_000_000
HOSTILE: Final[list[Any]] = [
    "a" * MEGA, "b" * MEGA, "(" * MEGA, "9" * MEGA, " " * MEGA, "a b " * (MEGA // 4), "-" * MEGA, "é" * MEGA,
    "a" + "\u0327\u0301" * (MEGA // 2), "/" * MEGA, "http://a/" + "../" * 300_000, "%41" * 300_000,
    "1" + ",000" * 250_000, "P" + "1D" * 400_000, "\x00" * MEGA, "\ud800" * MEGA, "(" * 99,
    " ." * 49, "-+" * 49, "1 " * 49, "1 a " * 24, ".,'" * 33, "kg" * 49, "a^9" * 30, "1" + "°" * 98,
    "1:" * 40,
    10**5000, -(10**5000), 10**5000 + 1, 1e308, 5e-324, Decimal("1e999999"), Decimal("-1e-999999"),
    float("inf"), float("nan"),
]  # fmt: skip


@pytest.mark.parametrize("comparator", EACH)
def test_hostile_values_neither_hang_nor_crash(comparator: Comparator) -> None:
    start = time.process_time()
    for expected, actual in zip(HOSTILE, HOSTILE[1:] + HOSTILE[:1], strict=True):
        found = grade(comparator, expected, actual)
        assert found if isinstance(found, str) else 0.0 <= found <= 1.0
    assert time.process_time() - start < 20


@pytest.mark.parametrize("comparator", EACH)
def test_settings_are_json_of_its_options(comparator: Comparator) -> None:
    assert json.loads(json.dumps(dict(comparator.settings))) == comparator.settings
