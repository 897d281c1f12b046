"""Patterns: matched within a time limit, refused when they would not fit in memory."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fieldwise
from fieldwise.comparators import regex
from fieldwise.comparators._patterns import MAX_SIZE, Literal, compiled, unfolded
from fieldwise.errors import Unreadable
from tests.comparators.grades import grade

TOO_LARGE: Final = "is too large: at most 20,000 characters, 100,000 with its repeats written out"
CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, r"INV-\d{4}", "INV-2041", 1.0),
    ({}, r"INV-\d{4}", "INV-20418", 0.0),
    ({"match": "search"}, r"INV-\d{4}", "see INV-20418", 1.0),
    ({}, "inv", "INV", 0.0),
    ({"ignore_case": True}, "inv", "INV", 1.0),
    ({"pattern": r"\p{Lu}+"}, "anything", "ÅSE", 1.0),
    ({"pattern": r"\p{Lu}+"}, 7, "Åse", 0.0),
    ({}, "(", "x", 'pattern "(" does not parse: missing ) at position 1'),
    ({}, "a{1000000000}", "a", f'pattern "a{{1000000000}}" {TOO_LARGE}'),
    ({}, "(" * 5000 + "a" + ")" * 5000, "a",
     f'pattern "{"(" * 38}… does not parse: maximum recursion depth exceeded'),
    ({}, "a" * 20_001, "a", f'pattern "{"a" * 38}… {TOO_LARGE}'),
    ({}, 7, "7", "7 is not text"),
    ({}, "7", 7, "7 is not text"),
]  # fmt: skip


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_regex(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    found = grade(regex(**options), expected, actual)
    assert found if isinstance(wanted, str) else True
    assert str(found).partition(" while calling")[0] == str(wanted)


SLOW: Final = "(a|aa)+$"
TEXT: Final = "a" * 60 + "b"


def test_a_pattern_that_runs_over_its_time_is_not_evaluated_and_named() -> None:
    evaluator: Any = fieldwise.create_json_match_evaluator(comparators={"a": regex(timeout=0.2)})
    start = time.process_time()
    [result] = evaluator(outputs={"a": TEXT}, reference_outputs={"a": SLOW})
    assert time.process_time() - start < 2
    assert (result["score"], result["extra"]["status"], result["extra"]["reason"]) == (
        None,
        "not_evaluated",
        'regex raised TimeoutError: pattern "(a|aa)+$" ran over its 0.2 s on a text of 61 characters',
    )


SIZES: Final = [
    ("abc", 3),
    ("a{3}b", 4),
    ("a{2,5}", 5),
    ("a{,5}", 5),
    ("a{5,}", 5),
    ("[abc]{3}", 3),
    (r"\d{3}\}", 4),
    ("(ab){3}", 12),
    ("((a{10}){10}){10}", 1220),
    ("[(]{3}", 3),
    ("a{0}", 1),
    ("a{00000000000000000007}", 7),
    ("(?x)a{30} # [\n b{30} ]", 900),
]


@pytest.mark.parametrize(("pattern", "size"), SIZES)
def test_unfolded_size(pattern: str, size: int) -> None:
    assert unfolded(pattern) == size


BOMBS: Final = [
    "a{100001}",
    "((((a{1000}){1000}){1000}){1000})",
    "(?:a{1,1000}){1000}",
    "[[]a{1000000}",
    "(?x)#[\n((a{1000}){1000}){1000}#]",
    "(?iV1)(a{1000}[a[b](]b){1000}",
    "a{999999999999999999999999}",
    "(?#[)((a{1000}){1000})]",
]


@pytest.mark.parametrize("pattern", BOMBS)
def test_a_pattern_that_would_unfold_too_far_is_never_compiled(pattern: str) -> None:
    assert unfolded(pattern) > MAX_SIZE
    with pytest.raises(Unreadable, match=f"{TOO_LARGE}$"):
        compiled(pattern)


@pytest.mark.parametrize("piece", ["[", "[^", "[\\", "(?#", "(", "(?", "{", "a{1", "\\"])
def test_what_nothing_closes_is_refused_at_once(piece: str) -> None:
    pattern = piece * (20_000 // len(piece))
    start = time.process_time()
    with pytest.raises(Unreadable):
        compiled(pattern)
    assert time.process_time() - start < 2


@given(st.text("ab(){}[]|*+?\\^$.-:=!<>PRVxi,&~0123456789#\n", max_size=25))
def test_any_pattern_compiles_or_is_unreadable(pattern: str) -> None:
    try:
        compiled(pattern)
    except Unreadable as error:
        assert "does not parse" in str(error) or "too large" in str(error)  # noqa: PT017 - either is right


PREPARED: Final[dict[str, str]] = {
    "one text": "a" * 1_000,
    "another": "ab" * 500,
    "after any text": ".*" + "a" * 998,
    "one of two": "(?:.*" + "a" * 990 + "|x)",
    "folded": "(?if)(?:.*" + "\u00df" * 333 + "x|y)",
}


@pytest.mark.parametrize("match", ["full", "search"])
@pytest.mark.parametrize("pattern", PREPARED.values(), ids=PREPARED)
def test_literal_text_is_prepared_for_within_the_time(pattern: str, match: Any) -> None:
    start = time.perf_counter()
    with suppress(TimeoutError):
        regex(match=match, timeout=0.5)(pattern, "b" * 100_000)
    assert time.perf_counter() - start < 5


TOO_LONG: Final = (
    "a" * 1_001 + ".",
    "x|y" + "a" * 3_000 + "|z",
    "(?i)" + "a" * 1_001,
    "(?if)" + "\u00df" * 501 + "x",
    "(?:" + "a" * 600 + ")(?:" + "a" * 600 + ")",
    "(?x)" + "a " * 1_001 + "# |",
    "|".join([f".*{'a' * 900}"] * 3),
)


@pytest.mark.parametrize("pattern", TOO_LONG, ids=range(len(TOO_LONG)))
def test_too_much_literal_text_is_refused(pattern: str) -> None:
    why = r"has too much literal text to be run within a time limit: at most 1,000 characters in one piece, "
    with pytest.raises(Unreadable, match=why + "fewer in several$"):
        compiled(pattern)


@pytest.mark.parametrize("pattern", ["|".join(["word"] * 3_000), r"[a-z]\d" * 1_000, "ab+" * 2_000])
def test_long_patterns_of_short_texts_run(pattern: str) -> None:
    assert compiled(pattern).search("no", timeout=1.0) is None


LONG: Final = "a, b" * 500


@pytest.mark.parametrize(
    ("method", "text", "found"),
    [
        ("search", f"x{LONG}y", True),
        ("search", LONG[1:], False),
        ("match", f"{LONG}y", True),
        ("match", f"x{LONG}", False),
        ("fullmatch", LONG, True),
        ("fullmatch", f"{LONG}y", False),
    ],
)
def test_text_without_operators_is_found_at_any_length(method: str, text: str, found: bool) -> None:
    assert isinstance(compiled(LONG), Literal)
    assert (getattr(compiled(LONG), method)(text, timeout=1.0) is not None) is found


def test_an_unknown_engine_makes_every_pattern_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from regex import _regex_core

    internals: Any = _regex_core
    monkeypatch.delattr(internals.OP, "STRING")
    compiled.cache_clear()
    with pytest.raises(Unreadable, match="too much literal text"):
        compiled("ab+" * 401)
    assert compiled("ab+" * 111).search("no", timeout=1.0) is None
    compiled.cache_clear()
