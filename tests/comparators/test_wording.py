"""Text that is the same but for stated differences, and text within text."""

from __future__ import annotations

from typing import Any, Final

import pytest

from fieldwise.comparators import contains, text
from tests.comparators.grades import grade

PLAIN: Final[dict[str, Any]] = {"whitespace": "keep", "normal_form": None}
TEXT: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "a  b\n", "a b", 1.0),
    ({"whitespace": "keep"}, "a  b", "a b", 0.0),
    ({"whitespace": "remove"}, "ab", "a b", 1.0),
    ({}, "ab", "a b", 0.0),
    ({}, "caf\u00e9", "cafe\u0301", 1.0),
    (PLAIN, "caf\u00e9", "cafe\u0301", 0.0),
    ({}, "\ufb01n", "fin", 0.0),
    ({"normal_form": "NFKC"}, "\ufb01n\uff11", "fin1", 1.0),
    ({}, "Oslo", "oslo", 0.0),
    ({"ignore_case": True}, "STRASSE", "stra\u00dfe", 1.0),
    ({"ignore_case": True}, "\u01f0\u0323", "J\u0323\u030c", 1.0),
    ({}, "Hello, world!", "Hello world", 0.0),
    ({"ignore_punctuation": True}, "Hello, world!", "Hello world", 1.0),
    ({"ignore_punctuation": True}, "+", "-", 0.0),
    ({"ignore_punctuation": True}, "+", " + ", 1.0),
    ({"ignore_punctuation": True}, "!", "a!", 0.0),
    ({}, "", " ", 1.0),
    ({}, "a" + "\u0327\u0301" * 600, "b", "text with over 1000 combining marks in a row is not normalised"),
    ({}, "1", 1, "1 is not text"),
]
CONTAINS: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "Oslo", "in Oslo.", 1.0),
    ({}, "in Oslo.", "Oslo", 0.0),
    ({}, "oslo", "in Oslo.", 0.0),
    ({"ignore_case": True}, "oslo", "in Oslo.", 1.0),
    ({}, "a b", "x a\n b", 0.0),
    ({"whitespace": "collapse"}, "a b", "x a\n b", 1.0),
    ({"normal_form": "NFC"}, "\u00e9", "cafe\u0301", 1.0),
    ({}, "", "x", "an empty text is in every text"),
    ({"whitespace": "remove"}, " ", "x", "an empty text is in every text"),
    ({}, "x", ["x"], '["x"] is not text'),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), TEXT)
def test_text(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(text(**options), expected, actual) == wanted


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CONTAINS)
def test_contains(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(contains(**options), expected, actual) == wanted
