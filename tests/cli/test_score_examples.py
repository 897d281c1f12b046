"""`fieldwise score` over files of examples."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from fieldwise.example import Example
from fieldwise.integrations.examples import examples_to_jsonl
from tests.cli.calls import Ended, call, jsonl

EXAMPLES = [
    Example(
        input="Receipt 1",
        actual_output='{"shop": "Corner Café", "total": 12.5}',
        expected_output='{"shop": "Corner Café", "total": 12.50}',
        tools_called=["ocr", "extract"],
        expected_tools=["ocr", "extract"],
        retrieval_context=["CORNER CAFÉ\nTOTAL 12,50"],
    ),
    Example(
        input="Receipt 2",
        actual_output='{"shop": "Bakery", "total": 3}',
        expected_output='{"shop": "Bakery", "total": 4}',
        tools_called=["extract", "ocr"],
        expected_tools=["ocr", "extract"],
        retrieval_context=["Bakery\nTotal 4"],
    ),
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "examples.jsonl"
    examples_to_jsonl(EXAMPLES, path)
    return path


def score(path: Path, evaluator: str, *argv: object) -> Ended:
    return call("score", path, "--evaluator", evaluator, *argv)


def means(path: Path, evaluator: str, *argv: object) -> dict[str, Any]:
    ended = score(path, evaluator, "--json", *argv)
    assert (ended.code, ended.err) == (0, "")
    fields = json.loads(ended.out)["fields"]
    return {key: one["mean"] for key, one in fields.items()}


MEANS: list[tuple[str, dict[str, float]]] = [
    ("json_match", {"json_match:shop": 1.0, "json_match:total": 0.5}),
    ("exact_match", {"exact_match": 0.0}),
    ("tool_call_order", {"tool_call_order": 0.75}),
    (
        "grounded_fields",
        {
            "grounded_fields:aggregate_score": 0.75,
            "grounded_fields:shop": 1.0,
            "grounded_fields:total": 0.5,
        },
    ),
]


@pytest.mark.parametrize(("evaluator", "expected"), MEANS)
def test_fields_are_found_in_either_spelling(
    file: Path, tmp_path: Path, evaluator: str, expected: dict[str, float]
) -> None:
    camel = {
        "actualOutput": "actual_output",
        "expectedOutput": "expected_output",
        "toolsCalled": "tools_called",
        "expectedTools": "expected_tools",
        "retrievalContext": "retrieval_context",
    }
    rows = [{name: one.to_dict()[field] for name, field in camel.items()} for one in EXAMPLES]
    assert means(file, evaluator) == expected
    assert means(jsonl(tmp_path / "camel.jsonl", *rows), evaluator) == expected


def test_csv_of_examples(tmp_path: Path) -> None:
    path = tmp_path / "examples.csv"
    names = ["actual_output", "expected_output", "tools_called", "expected_tools", "retrieval_context"]
    with path.open("w", newline="") as handle:
        rows = csv.writer(handle)
        rows.writerow(names)
        for one in EXAMPLES:
            cells = [one.to_dict()[name] for name in names]
            rows.writerow([cell if isinstance(cell, str) else json.dumps(cell) for cell in cells])
    assert {name: means(path, name) for name, _ in MEANS[:3]} == dict(MEANS[:3])


def test_a_column_that_is_named_counts_before_a_field(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", {"actual_output": "a", "expected_output": "b", "truth": "a"})
    assert means(path, "exact_match", "--reference", "truth") == {"exact_match": 1.0}
    ended = score(path, "exact_match", "--outputs", "prediction")
    assert ended.code == 2
    assert "no record has 'prediction' for outputs; they have: 'actual_output'" in ended.err


def test_outputs_count_before_a_field(tmp_path: Path) -> None:
    record = {"outputs": "a", "actual_output": "b", "reference_outputs": "a", "expected_output": "b"}
    assert means(jsonl(tmp_path / "r.jsonl", record), "exact_match") == {"exact_match": 1.0}


def test_an_example_is_explained(file: Path) -> None:
    ended = score(file, "json_match", "--explain", "2")
    assert ended.code == 0
    assert "total" in ended.out
    assert "expected 4, got 3" in ended.out


def test_missing_output_is_told(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", {"input": "a", "expectedOutput": "b", "toolsCalled": ["t"]})
    ended = score(path, "exact_match")
    assert ended.code == 2
    assert (
        "no record has 'outputs' for outputs; they have: 'input', 'expectedOutput', 'toolsCalled'"
        in ended.err
    )


def test_the_tools_of_an_example_are_explained(file: Path) -> None:
    ended = score(file, "tool_call_order", "--explain", "2")
    assert (ended.code, ended.err) == (0, "")
    assert 'expected: ["ocr","extract"]' in ended.out
    assert 'got: [{"args":{},"name":"extract"},{"args":{},"name":"ocr"}]' in ended.out
    assert "Bakery" not in ended.out
