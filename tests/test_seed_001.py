"""The published description of UiPath's evaluators: its tool call and trajectory parts, run as they stand.

The rewrite: a block of JSON is a member of an object, `"NameEvaluator": {…}`, so braces are put around it,
and the name becomes ours: `create_<name>_evaluator`. Nothing else is changed. The document is read where it
lies beside the project; where it does not, criteria in our own words stand in.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

import fieldwise

DOCUMENT: Final = next(
    iter((Path(__file__).parents[2] / "shared" / "seeds").glob("001_*.txt")), Path("no document")
)
PART: Final = re.compile(
    r"^## Trajectory & Tool Call Evaluators$(?P<part>.*?)^---$", re.MULTILINE | re.DOTALL
)
BLOCK: Final = re.compile(r"^```(?P<kind>json|python)\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)

CALCULATED: Final = [{"name": "calculator", "args": {"a": 5, "b": 3, "operation": "add"}, "output": 8}]
SHOPPED: Final[list[dict[str, Any]]] = [
    {"name": name, "args": {}} for name in ("search_products", "compare_prices", "format_result")
]
COUNTED: Final[list[dict[str, Any]]] = [{"name": name, "args": {}} for name in ("search", "format", "format")]
MEASURED: Final = [
    {"name": "get_temperature", "args": {}, "output": '{"unit": "fahrenheit", "temperature": 25}'}
]
RUNS: Final[dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]]] = {
    "LLMJudgeTrajectoryEvaluator": (CALCULATED, SHOPPED),
    "LLMJudgeTrajectorySimulationEvaluator": (SHOPPED, CALCULATED),
    "ToolCallOrderEvaluator": (SHOPPED, SHOPPED[::-1]),
    "ToolCallArgsEvaluator": (CALCULATED, SHOPPED),
    "ToolCallCountEvaluator": (COUNTED, COUNTED[:2]),
    "ToolCallOutputEvaluator": (MEASURED, CALCULATED),
}
"""Evaluator to a run that its criteria accept, and one that they do not."""
OWN: Final[dict[str, dict[str, Any]]] = {
    "LLMJudgeTrajectoryEvaluator": {"expectedAgentBehavior": "One call of the calculator, then the sum."},
    "LLMJudgeTrajectorySimulationEvaluator": {"expectedAgentBehavior": "Search, compare, the cheapest."},
    "ToolCallOrderEvaluator": {"toolCallsOrder": ["search_products", "compare_prices", "format_result"]},
    "ToolCallArgsEvaluator": {
        "toolCalls": [{"name": "calculator", "arguments": {"a": 5, "b": 3, "operation": "add"}}]
    },
    "ToolCallCountEvaluator": {"toolCallsCount": {"search": ["=", 1], "format": ["=", 2]}},
    "ToolCallOutputEvaluator": {
        "toolOutputs": [{"name": "get_temperature", "output": "{'temperature': 25.0, 'unit': 'fahrenheit'}"}]
    },
}


def blocks(kind: str) -> list[str]:
    if not DOCUMENT.exists():
        pytest.skip(f"the document is not beside the project: {DOCUMENT}")
    part = PART.search(DOCUMENT.read_text(encoding="utf-8"))
    assert part is not None
    return [block["code"] for block in BLOCK.finditer(part["part"]) if block["kind"] == kind]


def judge(request: Any) -> dict[str, Any]:
    """Accept a run whose history has the tool that the expected behaviour is about."""
    (asked,) = request.questions
    tool = "calculator" if "calculator" in asked.expected else "search_products"
    return {asked.id: {"score": 100 * (tool in str(asked.actual)), "reasoning": "seen"}}


def make(name: str, form: str = "create_{}_evaluator") -> Any:
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.removesuffix("Evaluator").replace("LLM", "llm_")).lower()
    options = {"judge": judge} if "llm" in words else {}
    return getattr(fieldwise, form.format(words))(**options)


def check(name: str, criteria: dict[str, Any]) -> None:
    accepted, refused = RUNS[name]
    for run, scores in ((accepted, {1.0}), (refused, {0.0, 1 / 3, 0.5})):
        given: dict[str, Any] = {"outputs": run, "reference_outputs": criteria}
        result = make(name)(**given)
        assert result["score"] in scores, result
        assert asyncio.run(make(name, "create_async_{}_evaluator")(**given)) == result


def test_every_block_of_criteria_is_met_and_missed() -> None:
    found: dict[str, Any] = {}
    for block in blocks("json"):
        found |= json.loads(f"{{{block}}}")
    assert found.keys() == RUNS.keys()
    for name, criteria in found.items():
        check(name, criteria)


def test_there_is_no_python_in_that_part() -> None:
    assert blocks("python") == []


@pytest.mark.parametrize("name", RUNS)
def test_the_same_criteria_in_our_own_words(name: str) -> None:
    check(name, OWN[name])
