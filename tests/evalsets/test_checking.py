"""What values must be, by their schema: whole numbers as JSON has them."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.evalsets.registry.kinds import kind_of
from fieldwise.evalsets.schemas.checking import check, renamed
from fieldwise.evalsets.schemas.evaluator_shapes import config_schema, criteria_schema

COUNTS = criteria_schema(kind_of("uipath-tool-call-count"))


@pytest.mark.parametrize(
    ("given", "read"),
    [(["=", 1.0], ["=", 1]), ([">=", 2], [">=", 2]), (3.0, 3), (0, 0)],
)
def test_a_whole_number_may_be_written_with_a_point(given: Any, read: Any) -> None:
    value, faults = renamed({"tool_calls_count": {"search": given}}, COUNTS)
    assert (value, faults, check(value, COUNTS)) == ({"toolCallsCount": {"search": read}}, [], [])
    assert repr(value["toolCallsCount"]["search"]) == repr(read)


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (["=", 1.5], "must be a whole number, got 1.5"),
        (["=", True], "must be a whole number, got true"),
        (["=", -1.0], "must be at least 0, got -1"),
        (1e300 * 1e300, "must be a list or a whole number, got Infinity"),
    ],
)
def test_other_numbers_are_refused(given: Any, what: str) -> None:
    value, _ = renamed({"toolCallsCount": {"search": given}}, COUNTS)
    assert [fault for _, fault in check(value, COUNTS)] == [what]


def test_options_too() -> None:
    schema = config_schema(kind_of("uipath-llm-judge-output-semantic-similarity"))
    value, _ = renamed({"max_tokens": 50.0, "temperature": 1.0}, schema)
    assert repr(value) == "{'maxTokens': 50, 'temperature': 1.0}"
    assert check(value, schema) == []
