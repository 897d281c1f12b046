"""Finding values in texts: what is a find, what is part of a word or number, and where it stands."""

from __future__ import annotations

import random
import string
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.scorers.figures import Figures
from fieldwise.scorers.folding import fold
from fieldwise.scorers.passages import Find, Passages, Search, bounded

EASY = Search(ignore_case=True, ignore_accents=False, nearly=0.9, figures=Figures(None))
PLAIN = Search(ignore_case=False, ignore_accents=False, nearly=None, figures=None)


def find(value: Any, *texts: str, search: Search = EASY) -> tuple[str, str] | None:
    """What stands where a value was found, and how it was."""
    found = Passages(texts, search).find(value)
    return None if found is None else (texts[found.document][found.start : found.end], found.how)


@pytest.mark.parametrize(
    ("value", "text", "expected"),
    [
        ("Acme Corp", "from ACME\n  corp.", ("ACME\n  corp", "literal")),
        ("  Acme ", "Acme", ("Acme", "literal")),
        ("12", "2012", None),
        ("12", "12th", ("12", "number")),
        ("8", "1.8", None),
        ("8", "8.5", None),
        ("8", "It has 8.", ("8", "literal")),
        (8, "1.8 and v8 and 8.5", None),
        (12, "2012", None),
        (5, "-5", None),
        ("5", "-5", None),
        ("5", "3-5", ("5", "literal")),
        (-5, "at -5 degrees", ("-5", "number")),
        (1234.5, "1,234.50 EUR", ("1,234.50", "number")),
        ("1,234.50", "it was 1234.5", ("1234.5", "number")),
        (0.45, "45%", ("45%", "number")),
        ("art", "part of the art", ("art", "literal")),
        ("a_b", "xa_b a_b", ("a_b", "literal")),
        ("東京", "我在東京工作", ("東京", "literal")),
        ("서울", "서울에서", ("서울", "literal")),
        ("C++", "in C++, C", ("C++", "literal")),
        ("-", "a - b", ("-", "literal")),
        ("Muller GmbH & Co", "by Müller GmbH & Co.", ("Müller GmbH & Co", "fuzzy")),
        ("Business Machines Ltd", "the Busines Machines Ltd Co", ("Busines Machines Ltd", "fuzzy")),
        ("Invoice number 1234", "Invoice number 1235", None),
        ("Invoice number 12", "Invoice number 13 or invoise number 12", ("invoise number 12", "fuzzy")),
        ("Price 1.5 per unit", "Price 15 per unit", None),
        ("Oslo", "Oslow", None),
        ("Genf", "Genua", None),
        (float("nan"), "nan", None),
        (True, "so it is true", ("true", "literal")),
        (False, "untrue falsehood", None),
    ],
    ids=repr,
)  # fmt: skip
def test_find(value: Any, text: str, expected: Any) -> None:
    assert find(value, text) == expected


def test_the_switches() -> None:
    assert find("acme", "Acme", search=PLAIN) is None
    assert find(1234.5, "1,234.5", search=PLAIN) is None
    assert find(1234.5, "is 1234.5", search=PLAIN) == ("1234.5", "literal")
    assert find("Acme Corporation", "Acme Corporatoin", search=PLAIN) is None
    accents = Search(ignore_case=False, ignore_accents=True, nearly=None, figures=None)
    assert find("Zurich", "in Zürich", search=accents) == ("Zürich", "literal")


def test_the_first_text_that_has_it_literally_counts() -> None:
    found = Passages(["Muller GmbH und Co", "Müller GmbH und Co"], EASY).find("Müller GmbH und Co")
    assert found == Find(1, 0, 18, "literal")
    near = Passages(["Mueller GmbH und Co", "Muller GmbH und Co"], EASY).find("Müller GmbH und Co")
    assert near is not None
    assert (near.document, near.how) == (1, "fuzzy")


def test_similarity_is_of_what_was_found() -> None:
    found = Passages(["abcd efgh ijkX"], EASY).find("abcd efgh ijkl")
    assert found is not None
    assert found[:4] == (0, 0, 14, "fuzzy")
    assert found.similarity == pytest.approx(26 / 28)


WORDS = st.lists(
    st.sampled_from(["Straße", "café", "cafe\u0301", "a", "12", "1.8", "日本", "-5", "A_b", "x'y", "§", "İ"]),
    min_size=1,
    max_size=5,
)


@given(WORDS, WORDS, WORDS, st.sampled_from([" ", "\n", " \t ", "\u00a0"]))
def test_a_literal_span_is_the_value(before: list[str], value: list[str], after: list[str], gap: str) -> None:
    text = gap.join([*before, *value, *after])
    found = Passages([text], EASY).find(" ".join(value))
    assert found is not None
    assert found.how == "literal"
    assert 0 <= found.start < found.end <= len(text)
    spanned = fold(text[found.start : found.end], ignore_case=True).text
    assert spanned == fold(" ".join(value), ignore_case=True).text


@given(st.text("ab1.- ", max_size=12), st.text("ab1.-", min_size=1, max_size=3))
def test_literal_finds_are_those_of_every_place(text: str, value: str) -> None:
    search = Search(ignore_case=True, ignore_accents=False, nearly=None, figures=None)
    folded = fold(text).text
    places = [
        at
        for at in range(len(folded))
        if folded.startswith(value, at) and bounded(folded, at, at + len(value))
    ]
    assert (Passages([text], search).find(value) is not None) == bool(places)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_a_number_is_never_found_in_another(one: int, other: int) -> None:
    for text in (f"{other}", f"a {other}.", f"({other})", f"{other}x", f"x{other}"):
        found = find(one, text)
        assert found is None or one == other


def test_fifty_values_in_a_hundred_thousand_characters() -> None:
    draw = random.Random(5)  # noqa: S311 - data, no secret
    words = ["".join(draw.choices(string.ascii_lowercase, k=draw.randint(2, 9))) for _ in range(3_000)]
    text = " ".join(draw.choices(words, k=17_000))[:100_000]
    values = [" ".join(draw.choices(words, k=draw.randint(1, 8))) for _ in range(40)]
    values += ["a" * 40, *(f"number {at}" for at in range(9))]
    for one in (text, "a" * 100_000, "number 123456 " * 7_000, "x " * 50_000, "1,2 " * 25_000):
        started = time.process_time()
        passages = Passages([one], EASY)
        for value in values:
            passages.find(value)
        assert time.process_time() - started < 30
