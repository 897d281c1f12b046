"""The parser against public suites, read where they are: they are no part of this project."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from fieldwise.core.equality import equal
from fieldwise.core.parse import Parsed, Unparsed, parse

SUITES = Path(__file__).parents[4] / "shared" / "suites"


def load(name: str) -> list[Any]:
    path = SUITES / name
    return list(json.loads(path.read_text("utf-8"))["cases"]) if path.exists() else []


def absent(name: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(
        not (SUITES / name).exists(), reason=f"the public suite {name} is not on this machine"
    )


PARSING = "json_test_suite_parsing.json"
STRICTER = {"y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"}
"""RFC 8259 lets readers accept repeated names; a contradiction in an answer is refused here."""


def document(case: dict[str, Any]) -> str:
    if "repeat" in case:
        unit, count = case["repeat"]
        raw: bytes = (base64.b64decode(unit) * count)[: case["size"]]
    else:
        raw = base64.b64decode(case["bytes_b64"])
    return raw.decode("utf-8", "surrogateescape")


@absent(PARSING)
def test_strict_accepts_what_the_suite_accepts_and_refuses_what_it_refuses() -> None:
    wrong = []
    for case in load(PARSING):
        answer = parse(document(case), mode="strict", scalars=True)
        accepted = isinstance(answer, Parsed) or case["id"] in STRICTER
        if case["verdict"] != "i" and accepted != (case["verdict"] == "y"):
            wrong.append((case["id"], answer))
    assert wrong == []


@absent(PARSING)
def test_lenient_reads_strict_documents_alike_and_survives_the_others() -> None:
    for case in load(PARSING):
        text = document(case)
        strict, lenient = parse(text, mode="strict", scalars=True), parse(text, scalars=True)
        if isinstance(strict, Parsed):
            assert lenient == strict, case["id"]
        elif case["id"] in STRICTER:
            assert isinstance(lenient, Parsed)
            assert lenient.ledger == ("duplicate_keys",), case["id"]


REPAIR = "json_repair_cases.json"
DIFFERENT = {'{"key_1\n": "value"}': "the line feed is a part of the name"}
"""Where the tool of that suite answers otherwise, on purpose."""


def repaired(case: dict[str, Any]) -> Any:
    expected = case["expected"]
    if case["kwargs"].get("return_objects") or not isinstance(expected, str):
        return expected
    return json.loads(expected or '""')


@absent(REPAIR)
def test_what_is_repaired_is_repaired_as_the_public_tool_does_and_cuts_are_not() -> None:
    agreed = 0
    for case in load(REPAIR):
        if case["kwargs"].get("logging") or "schema" in case["kwargs"] or case["input"] in DIFFERENT:
            continue
        answer = parse(case["input"])
        if isinstance(answer, Parsed):
            assert equal(answer.value, repaired(case)), case["id"]
            agreed += 1
    assert agreed >= 90


OPEN = [
    '{"key": "value',
    "[1, 2, 3,",
    '{"key1": {"key2": [1, 2, 3',
    '["',
    "[",
    '{"employees":["John", "Anna", "Peter',
]
"""Inputs that the tool of that suite completes."""


@absent(REPAIR)
def test_the_completions_of_the_public_tool_are_refused_as_truncated() -> None:
    inputs = {case["input"] for case in load(REPAIR)}
    for text in OPEN[1:]:
        assert text in inputs
        answer = parse(text)
        assert isinstance(answer, Unparsed)
        assert answer.ledger == ("truncated",)


REPORTS = "user_reports.json"
READ: dict[str, tuple[list[str], dict[str, Any]]] = {
    "P01": (["fenced"], {}),
    "P02": (["fenced"], {}),
    "P03": (["fenced"], {}),
    "P05": (["trailing_comma"], {}),
    "P06": (["python_literal"], {}),
    "P13": (["duplicate_keys"], {}),
    "P21": (["multiple_json", "thinking"], {"multiple": "last"}),
}


@absent(REPORTS)
@pytest.mark.parametrize("report", READ)
def test_reported_outputs_are_read_and_refused_by_strict(report: str) -> None:
    case = next(case["minimal_input"] for case in load(REPORTS) if case["id"] == report)
    ledger, options = READ[report]
    assert parse(case["outputs"], **options) == Parsed(case["reference"], tuple(ledger))
    assert isinstance(parse(case["outputs"], mode="strict", scalars=True), Unparsed)


REFUSED = {
    "P09": ("lenient", ("truncated",)),
    "P12": ("strict", ("non_finite",)),
    "P21": ("lenient", ("multiple_json", "thinking")),
}


@absent(REPORTS)
@pytest.mark.parametrize("report", REFUSED)
def test_reported_outputs_are_refused_with_their_flag(report: str) -> None:
    case = next(case["minimal_input"] for case in load(REPORTS) if case["id"] == report)
    mode, ledger = REFUSED[report]
    answer = parse(case["outputs"], mode=mode)  # type: ignore[arg-type]
    assert isinstance(answer, Unparsed)
    assert answer.ledger == ledger


@absent(REPORTS)
def test_a_list_needs_no_schema_to_be_json() -> None:
    case = next(case["minimal_input"] for case in load(REPORTS) if case["id"] == "P16")
    assert parse(case["outputs"], mode="strict") == Parsed([1, {"a": None}])
