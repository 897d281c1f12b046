"""Columns: names and paths of a record's parts, and what is said when they are missing."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.records import columns

ROW = {"outputs": 1, "reference_outputs": 2, "inputs": 3, "id": 4, "extra": 5}


@pytest.mark.parametrize(
    ("row", "named", "expected"),
    [
        (ROW, {}, {"outputs": 1, "reference_outputs": 2, "inputs": 3, "id": 4}),
        ({"outputs": None}, {}, {"outputs": None}),
        (
            {"pred": 1, "gold": 2},
            {"outputs": "pred", "reference_outputs": "gold"},
            {"outputs": 1, "reference_outputs": 2},
        ),
        ({"run": {"out": [7]}}, {"outputs": "run.out[0]"}, {"outputs": 7}),
        ({"run": {"out": [7, 8]}}, {"outputs": "run.out[*]"}, {"outputs": [7, 8]}),
        ({"run.out": 1, "run": {"out": 2}}, {"outputs": "run.out"}, {"outputs": 1}),
        ({"what?..": 1}, {"outputs": "what?.."}, {"outputs": 1}),
        (
            {**ROW, "pred": 9},
            {"outputs": "nope"},
            {"extra": 5, "pred": 9, "reference_outputs": 2, "inputs": 3, "id": 4},
        ),
    ],
    ids=repr,
)
def test_record(row: Any, named: Any, expected: Any) -> None:
    assert columns(**named).record("f:1", row) == expected


def test_empty_cells_are_gaps_but_for_outputs() -> None:
    row = {"outputs": "", "reference_outputs": "", "inputs": "", "id": ""}
    assert columns().record("f:1", row, gaps=True) == {"outputs": ""}
    assert columns().record("f:1", row) == row


def test_column_that_no_record_has() -> None:
    found = columns(reference_outputs="reference", id="nothing_like_it")
    found.record("f:1", {"outputs": 1, "refrence": 2})
    found.record("f:2", {"outputs": 1, "note": 2})
    assert found.missing() == [
        (
            "no record has 'reference' for reference_outputs; they have: 'outputs', 'refrence', 'note'; "
            "did you mean 'refrence'?"
        ),
        "no record has 'nothing_like_it' for id; they have: 'outputs', 'refrence', 'note'; name it with --id",
    ]
    assert found.lacks("outputs") is None
    assert found.lacks("inputs") is not None


def test_column_that_some_records_lack() -> None:
    found = columns(reference_outputs="gold")
    for number, row in enumerate(({"gold": 1}, {}, {}), start=1):
        found.record(f"f:{number}", row)
    assert found.missing() == []
    assert found.gaps_found() == ["2 of 3 records have no 'gold' for reference_outputs, first f:2"]


def test_nothing_is_missing_without_records() -> None:
    assert columns(outputs="x").missing() == []
