"""Folded text: what is folded, and that every span of it is a span of the original."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.scorers.folding import fold

PIECES = st.sampled_from(
    [*"aBéßİﬁЖй日ガ한ǰ“— \n\u00a0\u0301\u03451-\U0001f600", "e\u0301", "カ\u3099", "\u1112\u1161\u11ab", "  "]
)
TEXTS = st.one_of(st.lists(PIECES, max_size=12).map("".join), st.text(max_size=12))


@pytest.mark.parametrize(
    ("text", "case", "accents", "expected"),
    [
        ("A\t b\r\n\nc", False, False, "A b c"),
        ("STRASSE Straße", True, False, "strasse strasse"),
        ("Cafe\u0301 Café", False, False, "Café Café"),
        ("Café Ångström", True, True, "cafe angstrom"),
        ("aa\u0345a", True, True, "aaa"),  # the mark by itself folds to a letter
        ("ガ カ\u3099", False, True, "ガ ガ"),
        ("“a” ‘b’ «c» 3–5 −5", False, False, '"a" \'b\' "c" 3-5 -5'),
        ("\u1112\u1161\u11ab한", False, False, "한한"),
        ("", True, True, ""),
    ],
)
def test_fold(text: str, case: bool, accents: bool, expected: str) -> None:
    assert fold(text, ignore_case=case, ignore_accents=accents).text == expected


@given(TEXTS, st.booleans(), st.booleans(), st.data())
def test_every_span_is_one_of_the_original(text: str, case: bool, accents: bool, data: st.DataObject) -> None:
    folded = fold(text, ignore_case=case, ignore_accents=accents)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    begin, stop = folded.span(start, end)
    assert 0 <= begin < stop <= len(text)
    assert folded.text[start:end] in fold(text[begin:stop], ignore_case=case, ignore_accents=accents).text


@given(TEXTS, st.booleans())
def test_segments_cover_the_original(text: str, accents: bool) -> None:
    folded = fold(text, ignore_case=True, ignore_accents=accents)
    assert folded.origins == sorted(folded.origins)
    assert folded.starts == sorted(folded.starts)
    assert not text or folded.origins[0] == 0
    assert len(folded.starts) == len(folded.origins) == len(folded.flat)


@given(TEXTS)
def test_folding_twice_is_folding_once(text: str) -> None:
    once = fold(text, ignore_case=True).text
    assert fold(once, ignore_case=True).text == once


@given(TEXTS)
def test_how_accents_are_encoded_does_not_matter(text: str) -> None:
    forms = {fold(unicodedata.normalize(form, text)).text for form in ("NFC", "NFD")}
    assert len(forms) == 1


def test_endless_marks_take_no_time() -> None:
    started = time.process_time()
    fold("e" + "\u0301\u0316" * 50_000, ignore_case=True)
    assert time.process_time() - started < 30
