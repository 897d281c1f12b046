"""The documentation of judgeval's `Example`, block by block.

The blocks run as they stand but for one line: `from judgeval.data import Example` becomes
`from fieldwise import Example`; the application they import is a stub. Where the document itself is at
hand, its own blocks run the same way, and have the fields that ours have.
"""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest

import fieldwise

DOCUMENTS = Path(__file__).resolve().parents[2] / "shared" / "seeds"
REWRITE = ("from judgeval.data import Example", "from fieldwise import Example")
ANSWER = "Salt keeps food from spoiling."

WHY = "Why is salt added to food?"
TASTE = "For taste, and to keep it."
FOUND = ["Salt draws water out of food."]
TRAIN: dict[str, Any] = {
    "input": "When does the next train leave?",
    "actual_output": "At 10:15, from platform 3 – 25 °C outside.",
    "tools_called": ["timetable"],
}
FIELDS: list[dict[str, Any]] = [
    {
        "input": "Who wrote the report?",
        "actual_output": "Ada.",
        "expected_output": "Ada and Grace.",
        "retrieval_context": ["The report is by Ada and Grace."],
        "context": ["Ada writes reports."],
        "tools_called": ["find_report", "find_author"],
        "expected_tools": ["find_report", "find_author"],
        "additional_metadata": {"source": "archive"},
    },
    {"input": WHY},
    {"input": WHY, "actual_output": TASTE},
    {"input": WHY, "actual_output": TASTE, "expected_output": TASTE},
    {"input": WHY, "actual_output": TASTE, "expected_output": TASTE, "retrieval_context": FOUND},
    {
        "input": WHY,
        "actual_output": ANSWER,
        "expected_output": TASTE,
        "retrieval_context": FOUND,
        "context": ["Salt is a mineral."],
    },
    TRAIN,
    {**TRAIN, "expected_tools": ["timetable"]},
    {**TRAIN, "expected_tools": ["timetable"], "additional_metadata": {"source": "web", "confidence": 0.5}},
]


@pytest.fixture(autouse=True)
def modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand-ins for what the blocks import: an application, and an `Example` that is a plain dict."""
    stubs: dict[str, dict[str, Any]] = {
        "medical_chatbot": {"chat": lambda _: ANSWER},
        "judgeval": {},
        "judgeval.data": {"Example": dict},
    }
    for name, members in stubs.items():
        module = types.ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)


def ran(block: str) -> Any:
    """What a block made, under the name `example`."""
    space: dict[str, Any] = {"__name__": "seed"}
    exec(compile(block, "seed 004", "exec"), space)  # noqa: S102
    return space["example"]


def rewritten(block: str) -> str:
    assert block.count(REWRITE[0]) == 1
    return block.replace(*REWRITE)


def block_of(fields: dict[str, Any]) -> str:
    given = "".join(f"    {name}={value!r},\n" for name, value in fields.items())
    return f"{REWRITE[0]}\n\nexample = Example(\n{given})\n"


@pytest.mark.parametrize("fields", FIELDS, ids="-".join)
def test_blocks_of_ours(fields: dict[str, Any]) -> None:
    example = ran(rewritten(block_of(fields)))
    assert ran(block_of(fields)) == fields
    assert type(example) is fieldwise.Example
    assert {name: getattr(example, name) for name in fields} == fields
    assert example.to_dict() == fields


def test_the_blocks_of_the_document() -> None:
    found = sorted(DOCUMENTS.glob("004_*.txt"))
    if not found:
        pytest.skip("the document is not at hand: ../shared/seeds/004_*.txt")
    text = found[0].read_text(encoding="utf-8")
    blocks = re.findall(r"^(?:import \w+\n)?from judgeval\.data import .*?^(?:example = Example\(.*?\)$)",
                        text, re.DOTALL | re.MULTILINE)  # fmt: skip
    assert len(blocks) == text.count("from judgeval.data import Example")
    assert [list(ran(block)) for block in blocks] == [list(fields) for fields in FIELDS]
    assert [ran(rewritten(block)).to_dict() for block in blocks] == [ran(block) for block in blocks]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("input", ["text", {"key": [1, None]}, None]),
        ("actual_output", ["text", ["a", "b"], None]),
        ("expected_output", ["text", ["a", "b"], None]),
        ("retrieval_context", [["a"], [], None]),
        ("context", [["a"], [], None]),
        ("tools_called", [["a"], [], None]),
        ("expected_tools", [["a"], [], None]),
        ("additional_metadata", [{"any": object}, {}, None]),
    ],
)
def test_the_types_it_states(name: str, values: list[Any]) -> None:
    assert [getattr(fieldwise.Example(**{name: value}), name) for value in values] == values
