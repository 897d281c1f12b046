"""Columns of files of examples: fields stand for parts where no column is named for them."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.records import columns

SNAKE = {"input": 1, "actual_output": 2, "expected_output": 3, "tools_called": ["a"], "other": 9}
CAMEL = {"actualOutput": 2, "expectedTools": ["b"], "retrievalContext": ["c"], "context": ["d"]}


@pytest.mark.parametrize(
    ("row", "named", "expected"),
    [
        (SNAKE, {}, {name: value for name, value in SNAKE.items() if name != "other"}),
        (CAMEL, {}, CAMEL),
        (
            {**SNAKE, "truth": 7},
            {"reference_outputs": "truth"},
            {"input": 1, "actual_output": 2, "reference_outputs": 7, "tools_called": ["a"]},
        ),
        (
            {**SNAKE, "outputs": 5},
            {},
            {"input": 1, "outputs": 5, "expected_output": 3, "tools_called": ["a"]},
        ),
        ({"actual_output": None, "expected_output": 1}, {}, {"actual_output": None, "expected_output": 1}),
        ({"tools_called": ["a"], "id": 4, "x": 1}, {}, {"tools_called": ["a"], "id": 4, "x": 1}),
        (SNAKE, {"outputs": "pred"}, {**SNAKE, "input": 1}),
    ],
    ids=repr,
)
def test_record(row: Any, named: Any, expected: Any) -> None:
    assert columns(**named).record("f:1", row) == expected


def test_fields_of_an_example_count_as_the_parts() -> None:
    found = columns()
    found.record("f:1", SNAKE)
    assert found.missing() == []
    assert [part for part in ("outputs", "reference_outputs", "inputs") if found.lacks(part)] == []


def test_empty_cells_are_gaps() -> None:
    row = {"actual_output": "", "expected_output": "", "tools_called": "", "context": "a"}
    assert columns().record("f:1", row, gaps=True) == {"actual_output": "", "context": "a"}
