"""Several right answers, and a bar that makes a grade right or wrong."""

from __future__ import annotations

from typing import Any, Final

import pytest

import fieldwise
from fieldwise.comparators import any_of, numeric_diff, within
from fieldwise.core.compare import Comparator
from tests.comparators.grades import grade


def boom(expected: Any, actual: Any) -> float:
    raise RuntimeError(f"{expected}/{actual}")


ANY: Final[list[tuple[Any, Any, Any, float | str]]] = [
    ("exact", ["Oslo", "Christiania"], "Christiania", 1.0),
    ("exact", ["Oslo", "Christiania"], "Bergen", 0.0),
    ("exact", {"any_of": ["Oslo", 7]}, 7.0, 1.0),
    ("exact", {"any_of": [["a", "b"], ["b", "a"]]}, ["b", "a"], 1.0),
    ("exact", {"any_of": ["a"], "note": 1}, "a", 0.0),
    ("exact", "Oslo", "Oslo", 1.0),
    ("exact", "Oslo", "Bergen", 0.0),
    ("exact", ["a", "b"], ["a", "b"], 1.0),
    ("exact", [True], 1, 0.0),
    ("numeric_diff", [50, 100], 90, 0.9),
    ("date", ["2025-01-02", "someday"], "2 Jan 2025", 1.0),
    ("date", ["someday", "2025-01-03"], "2 Jan 2025", 0.0),
    ("date", ["someday", "never"], "2 Jan 2025", '"someday" is no date in a known form; state formats'),
    (boom, ["a", "b"], "a", 1.0),
    ("exact", [], "a", "the list of right answers is empty"),
    ("exact", {"any_of": []}, "a", "the list of right answers is empty"),
    ("exact", {"any_of": "a"}, "a", 'any_of holds "a", not the list of right answers'),
]


@pytest.mark.parametrize(("comparator", "expected", "actual", "wanted"), ANY)
def test_any_of(comparator: Any, expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(any_of(comparator=comparator), expected, actual) == wanted


def test_what_its_comparator_raises_is_raised() -> None:
    with pytest.raises(RuntimeError, match=r"^a/b$"):
        any_of(comparator=boom)(["a"], "b")


def test_it_remembers_what_it_was_made_with() -> None:
    made = any_of(comparator=numeric_diff(tolerance=0.1))
    assert (made.name, made.settings, made.symmetric) == (
        "any_of",
        {"comparator": "numeric_diff", "tolerance": 0.1, "relative_to": "expected"},
        False,
    )


WITHIN: Final[list[tuple[Any, float, Any, Any, float | str]]] = [
    ("numeric_diff", 0.9, 100, 90, 1.0),
    ("numeric_diff", 0.91, 100, 90, 0.0),
    ("token_set", 1, "a b", "B a", 1.0),
    (lambda _e, _a: 0.7, 0.7, 1, 2, 1.0),
    ("numeric_diff", 0.5, 100, "90", '"90" is not a number'),
]


@pytest.mark.parametrize(("comparator", "threshold", "expected", "actual", "wanted"), WITHIN)
def test_within(comparator: Any, threshold: float, expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(within(comparator, threshold), expected, actual) == wanted


def test_within_keeps_name_settings_and_symmetry() -> None:
    inner = Comparator("mine", boom, {"x": 1}, symmetric=False)
    made = within(inner, 0.8)
    assert (made.name, made.settings, made.symmetric) == (
        "mine at least 0.8",
        {"comparator": "mine", "x": 1, "threshold": 0.8},
        False,
    )


RECORDS: Final[list[tuple[dict[str, Any], Any, Any, dict[str, float]]]] = [
    ({"comparators": {"a": any_of()}}, {"a": "y"}, {"a": ["x", "y"]}, {"a": 1.0}),
    ({"comparators": {"a": any_of()}}, {"a": "z"}, {"a": ["x", "y"]}, {"a": 0.0}),
    ({"comparators": {"a": any_of()}, "depth": "leaves"}, {"a": "z"}, {"a": ["x", "y"]}, {"a": 0.0}),
    (
        {"comparators": {"a": within(any_of(comparator="date"), 1)}},
        {"a": "2 Jan 2025"},
        {"a": {"any_of": ["2025-01-02", "2025-01-03"]}},
        {"a": 1.0},
    ),
    ({"comparators": {"t[*]": any_of()}}, {"t": ["b", "x"]}, {"t": [["a", "b"], ["q", "r"]]}, {"t": 0.5}),
    (
        {"comparators": {"t[*]": any_of()}, "lists": {"t": "same_elements"}},
        {"t": ["q", "b"]},
        {"t": [["a", "b"], ["q", "r"]]},
        {"t": 1.0},
    ),
    (
        {"comparators": {"v": any_of()}},
        [{"v": "q"}, {"v": "b"}],
        [{"v": ["a", "b"]}, {"v": ["q", "r"]}],
        {"v": 1.0},
    ),
]


@pytest.mark.parametrize(("options", "outputs", "reference", "wanted"), RECORDS)
def test_the_right_answers_of_a_record_are_not_its_elements(
    options: dict[str, Any], outputs: Any, reference: Any, wanted: dict[str, float]
) -> None:
    evaluator: Any = fieldwise.create_json_match_evaluator(**options)
    results = evaluator(outputs=outputs, reference_outputs=reference)
    assert {result["key"].removeprefix("json_match:"): result["score"] for result in results} == wanted
