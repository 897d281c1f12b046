"""The text evaluators on data that is large, slow or strange: answered for in bounded time."""

from __future__ import annotations

import time
from typing import Any, Final

import pytest

import fieldwise
from tests.scorers.single_forms import evaluate, score, status

TEXT: Final = (
    "exact_match", "contains", "contains_any", "contains_all", "starts_with", "ends_with", "regex_match",
    "string_similarity", "contains_json",
)  # fmt: skip
LISTED: Final = ("contains_any", "contains_all")


HOSTILE: Final = {
    "one word": "a" * 10_000_000,
    "braces": "{" * 10_000_000,
    "brackets": "[" * 10_000_000,
    "names": '{"a":' * 2_000_000,
    "fences": "```json\n" * 1_250_000,
    "tags": "<think>" * 1_400_000,
    "quotes": '{"' * 5_000_000,
    "names of members": "{a} " * 2_500_000,
    "zeros": "\x00" * 10_000_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("parse", ["strict", "lenient"])
def test_ten_megabytes_are_searched_in_linear_time(text: str, parse: Any) -> None:
    sync: Any = fieldwise.create_contains_json_evaluator(parse=parse)
    start = time.perf_counter()
    assert sync(outputs=text)["score"] is False
    assert time.perf_counter() - start < 20


def test_json_at_the_end_of_ten_megabytes_is_found() -> None:
    assert score("contains_json", "word " * 2_000_000 + '{"a": 1}') is True
    assert score("contains_json", "it is: [" + "1, " * 3_000_000 + "1]") is True


def test_a_pattern_that_runs_over_its_time_is_not_evaluated() -> None:
    start = time.perf_counter()
    sync: Any = fieldwise.create_regex_match_evaluator(pattern=r"(a+)+$", timeout=0.2)
    result = sync(outputs="a" * 5_000 + "b")
    assert time.perf_counter() - start < 10
    assert (result["score"], result["extra"]["status"]) == (None, "not_evaluated")
    assert result["comment"] == 'pattern "(a+)+$" ran over its 0.2 s on 5,001 characters'


def test_texts_too_long_for_a_metric_are_not_evaluated() -> None:
    left, right = "ab" * 50_000, "ba" * 50_000 + "c"
    found = status("string_similarity", left, right, metric="damerau_levenshtein")
    assert found == (None, "not_evaluated")
    assert status("string_similarity", left, left, metric="damerau_levenshtein") == (1.0, "graded")


def test_by_levenshtein_they_are_compared_in_pieces_and_that_is_told() -> None:
    result = evaluate("string_similarity", "ab" * 60_000, "ba" * 60_000 + "c")
    assert result["score"] == pytest.approx(1, abs=0.01)
    assert "compared in pieces" in (result["comment"] or "")


@pytest.mark.parametrize("name", TEXT)
@pytest.mark.parametrize("text", ["\ud800", "\x00", "a\ud800\x00b", "𝕏" * 100])
def test_any_characters(name: str, text: str) -> None:
    wanted: Any = [text] if name in LISTED else text
    found = score(name, text, wanted)
    assert found == (0.0 if name == "contains_json" else 1.0)


SLOW_PATH: Final = "$.a[?search(@.t, @.p)].t"
SLOW_DATA: Final = {"a": [{"t": "x", "p": "a" * 1_000_000}]}


@pytest.mark.parametrize("name", TEXT)
def test_a_path_that_cannot_be_run_on_the_data_is_not_evaluated(name: str) -> None:
    pytest.importorskip("jsonpath_rfc9535", reason="search() needs the extra rfc9535")
    wanted: Any = ["x"] if name in LISTED else "x"
    assert status(name, SLOW_DATA, wanted, target_output_key=SLOW_PATH) == (None, "not_evaluated")


def test_nor_is_such_a_field() -> None:
    pytest.importorskip("jsonpath_rfc9535", reason="search() needs the extra rfc9535")
    with pytest.warns(DeprecationWarning, match="field_match"):
        sync: Any = fieldwise.create_field_match_evaluator(json_field=SLOW_PATH)
    assert sync(outputs=SLOW_DATA, reference_outputs="x")["extra"]["status"] == "not_evaluated"
