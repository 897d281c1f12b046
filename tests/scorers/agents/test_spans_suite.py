"""UiPath's spans, attribute by attribute: what its SDK reads of them, or a row of the departures."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from fieldwise._types import MISSING
from fieldwise.scorers.agents.calls import ToolCall
from fieldwise.scorers.agents.reading.spans import is_spans, read_spans

FOLDER: Final = Path(__file__).parents[2] / "cases"
CASES: Final = json.loads((FOLDER / "uipath_spans.json").read_text("utf-8"))["cases"]
ROWS: Final = json.loads((FOLDER / "departures_spans.json").read_text("utf-8"))["rows"]

BARE: Final = "malformed arguments: text that is no JSON object: 'Paris'"
QUOTED: Final = "malformed arguments: a text, not an object: 'Paris'"
LIST: Final = "malformed arguments: an array, not an object: [1, 2]"

DEPARTURES: Final[dict[str, tuple[set[str], dict[str, Any]]]] = {
    "null content -> ''": ({"span_output_null"}, {"output": None}),
    "bare string input": ({"span_arguments_no_object"}, {"problem": BARE}),
    "structured content -> python repr": ({"span_output_structured"}, {"output": [1, {"a": True}]}),
    "other key": ({"span_output_other_members"}, {"output": {"output": "3"}}),
    "list": ({"span_arguments_no_object", "span_output_structured"}, {"problem": LIST, "output": [1, 2]}),
    "json string": ({"span_arguments_no_object", "span_output_quotes"}, {"problem": QUOTED, "output": "q"}),
    "python repr: args parsed, output kept raw": ({"span_output_python"}, {"output": "x"}),
    "absent": ({"span_output_absent"}, {"output": MISSING}),
}
"""Note of the case to the kinds and to what ours says in place of theirs."""


def theirs(case: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {**call, "output": output["output"], "problem": None}
        for call, output in zip(case["tool_calls"], case["tool_outputs"], strict=True)
    ]


def shown(call: ToolCall) -> dict[str, Any]:
    return {
        "name": call.name,
        "args": call.args,
        "id": call.id,
        "output": call.output,
        "problem": call.problem,
    }


def read(case: dict[str, Any]) -> list[dict[str, Any]]:
    spans = [{"name": "span", "attributes": case["attributes"], "start_time": 1, "end_time": 2}]
    assert is_spans(spans)
    return [shown(call) for call in read_spans(spans).calls]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["note"]))
def test_as_recorded_or_a_departure(case: dict[str, Any]) -> None:
    _, ours = DEPARTURES.get(case["note"], (set(), {}))
    assert read(case) == [{**call, **ours} for call in theirs(case)]
    assert bool(ours) == (read(case) != theirs(case))


def test_the_rows_account_for_every_case_that_departs() -> None:
    counted = Counter(kind for kinds, _ in DEPARTURES.values() for kind in kinds)
    assert {row["kind"]: row["cases"] for row in ROWS} == counted
    assert DEPARTURES.keys() <= {case["note"] for case in CASES}
    assert (len(CASES), len(CASES) - len(DEPARTURES)) == (12, 4)
