"""A reference that was given under another name is told in the result that lacks one."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import fieldwise


@pytest.mark.parametrize(
    ("given", "comment"),
    [
        (
            {"reference": 1},
            "no reference_outputs were given; 'reference' is not read",
        ),
        (
            {"expected": 1, "ground_truth": 1, "attachments": None},
            "no reference_outputs were given; 'expected', 'ground_truth' are not read",
        ),
        ({"attachments": None}, "no reference_outputs were given"),
        ({}, "no reference_outputs were given"),
    ],
    ids=str,
)
def test_a_reference_under_another_name(given: dict[str, Any], comment: str) -> None:
    sync: Any = fieldwise.create_exact_match_evaluator()
    awaited: Any = fieldwise.create_async_json_match_evaluator()
    results = [sync(outputs=1, **given), *asyncio.run(awaited(outputs=1, **given))]
    for one in results:
        assert (one["score"], one["extra"]["status"]) == (None, "invalid_reference")
        assert one["comment"] == one["extra"]["reason"] == one["metadata"]["reason"] == comment


def test_a_further_keyword_beside_a_reference_changes_nothing() -> None:
    sync: Any = fieldwise.create_exact_match_evaluator()
    assert sync(outputs=1, reference_outputs=1, reference=2) == sync(outputs=1, reference_outputs=1)
