"""What people reported of evaluators of structured output, each with its right value.

The inputs are in `tests/cases/user_reports.json`; here each is said in json_match's options. A variant
replaces a side of the report to show the other half of its right value.
"""

from __future__ import annotations

import datetime as dt
import enum
import itertools
import json
import re
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

import pydantic
import pytest

import fieldwise
from fieldwise.comparators import exact, number, string_similarity
from fieldwise.core.flow import JudgeRequest
from fieldwise.core.parse import Parsed, Unparsed, parse
from fieldwise.core.select import compile_path, field_name
from tests.scorers.forms import evaluate, named, scores

CASES: Final[dict[str, Any]] = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "cases" / "user_reports.json").read_text("utf-8"))[
        "cases"
    ]
}


class Color(enum.Enum):
    RED = "red"


class Model(pydantic.BaseModel):
    sku: str


@dataclass
class Point:
    sku: str


class AsReported:
    """The type of AS_REPORTED."""

    def __repr__(self) -> str:
        return "AS_REPORTED"


AS_REPORTED: Final[Any] = AsReported()
PYTHON: Final[dict[str, Any]] = {
    "datetime.date(2025,1,2)": dt.date(2025, 1, 2),
    "decimal.Decimal('1.50')": Decimal("1.50"),
    "Color.RED": Color.RED,
    "Model(sku='x')": Model(sku="x"),
    "0.1+0.2": 0.1 + 0.2,
    "[{'id': i, 'v': 'a%d' % i} for i in range(2000)]": [{"id": i, "v": f"a{i}"} for i in range(2000)],
    "[{'id': i, 'v': 'b%d' % i} for i in reversed(range(2000))]": [
        {"id": i, "v": f"b{i}"} for i in reversed(range(2000))
    ],
}


@dataclass(frozen=True)
class Row:
    """One report, or a variant of it: options, scores by key, and what `extra` has to hold."""

    id: str
    scores: dict[str, float | None]
    options: dict[str, Any] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    outputs: Any = AS_REPORTED
    reference: Any = AS_REPORTED


AVERAGE: Final[dict[str, Any]] = {"aggregator": "average"}
ALL: Final[dict[str, Any]] = {"aggregator": "all"}
AVERAGES: Final[dict[str, Any]] = {"aggregator": "average", "list_aggregator": "average"}
INVALID: Final[dict[str, Any]] = {"status": "invalid_output"}
BIG: Final = 9007199254740993

ROWS: Final = [
    Row("P01", {"average": 1.0}, AVERAGE, {"parse": {"outputs": ["fenced"]}}),
    Row("P01", {"average": 0.0}, {**AVERAGE, "parse": "strict"}, INVALID),
    Row("P02", {"ok": 1.0}),
    Row("P02", {"ok": 1.0}, outputs="~~~\n{'ok': true}\n~~~"),
    Row("P02", {"ok": 1.0}, outputs='```jsonc\n{"ok": true} // yes\n```'),
    Row("P03", {"k": 1.0, "reply": 1.0}),
    Row("P05", {"label": 1.0, "tags": 1.0}, {}, {"parse": {"outputs": ["trailing_comma"]}}),
    Row("P05", {"label": 0.0, "tags": 0.0}, {"parse": "strict"}, INVALID),
    Row("P06", {"done": 1.0, "n": 1.0, "note": 1.0}, {}, {"parse": {"outputs": ["python_literal"]}}),
    Row("P06", {"average": 0.0}, {**AVERAGE, "parse": "strict"}, INVALID),
    Row("P09", {"id": 0.0, "items": 0.0}, {}, {**INVALID, "parse": {"outputs": ["truncated"]}}),
    Row("P09", {"id": 1.0, "items": 0.0}, {"truncated": "closed_fields"}),
    Row("P13", {"total": 1.0}, {}, {"parse": {"outputs": ["duplicate_keys"]}}),
    Row("P13", {"total": 0.0}, {"parse": "strict"}, INVALID),
    Row("P13", {"total": 0.0}, reference={"total": 10}),
    Row("P14", {"id": 0.0}),
    Row("P14", {"id": 0.0}, {"comparators": {"id": "number"}}),
    Row(
        "P14",
        {"id": 0.0},
        {"comparators": {"id": number(absolute=0.5)}, "coerce": True},
        reference={"id": 2.0**53},
    ),
    Row("P14", {"id": 1.0}, outputs={"id": BIG}, reference={"id": Decimal(BIG)}),
    Row("P18", {"a": 0.0}, {}, {**INVALID, "reason": "expected an object, got text"}),
    Row("P19", {"$": None}, {}, {"status": "invalid_reference"}),
    Row("P19", {"a": 0.0}, {}, INVALID, outputs="{broken", reference={"a": 1}),
    Row("P20", {"first": 1.0, "last": 1.0}),
    Row("P20", {"$": 0.0}, {"parse": "off"}),
    Row("P21", {"a": 1.0}, {"multiple_json": "last"}),
    Row("P21", {"a": 0.0}, {"multiple_json": "first"}, {"status": "graded"}),
    Row("P21", {"a": 0.0}, {}, INVALID),
    Row("P22", {"amount": 0.0}, {}, {**INVALID, "reason": "expected an object, got null"}),
    Row("P22", {"$": 0.0}, {}, {"status": "graded"}, outputs={"amount": 100}, reference=None),
    Row("P22", {"$": None}, {}, {"status": "invalid_reference"}, reference=fieldwise.MISSING),
    Row("L01", {"all": 1.0}, ALL),
    Row("L02", {"average": 2 / 3}, AVERAGES),
    Row("L03", {"all": 0.0}, ALL),
    Row("L03", {"all": 0.0}, ALL, outputs=[], reference=[{}]),
    Row("L03", {"all": 1.0}, ALL, outputs=[{}], reference=[{}]),
    Row("L04", {"average": 0.0}, {**AVERAGES, "list_match_mode": "superset"}),
    Row("L05", {"average": 0.5}, {**AVERAGE, "depth": "leaves", "exclude_keys": ["/addr/ts"]}),
    Row("L05", {"addr.city": 1.0, "addr.zip": 0.0}, {"depth": "leaves", "exclude_keys": ["addr.ts"]}),
    Row("L05", {"average": 0.0}, {**AVERAGE, "exclude_keys": ["/addr/ts"]}),
    Row("L09", {"s.__ref": 0.0}, {"depth": "leaves"}),
    Row("L09", {"s": 0.0}),
    Row("L11", {"k": 1.0, "v": 0.0}, {"list_aggregator": "average"}),
    Row("L13", {"cal": 1.0}, {"exclude_keys": ["cal[*].d[*].at"]}),
    Row(
        "L13",
        {"cal": 1.0},
        {
            "exclude_keys": ["$.cal[*].d[*].at"],
            "lists": {"cal": "same_elements", "cal[*].d": "same_elements"},
        },
        outputs={"cal": [{"d": [{"id": "p", "at": 1}, {"id": "q", "at": 2}]}, {"d": []}]},
        reference={"cal": [{"d": []}, {"d": [{"id": "q", "at": 1}, {"id": "p", "at": 2}]}]},
    ),
    Row("L14", {"rank": 0.0, "tags": 1.0}, {"lists": {"/rank": "ordered", "/tags": "same_elements"}}),
    Row("L14", {"rank": 0.0, "tags": 0.0}),
    Row("L18", {"rows[*].v": 2 / 3}, {"depth": "leaves", "list_aggregator": "average"}, {"passed": False}),
    Row("L18", {"all": 0.0}, {**ALL, "depth": "leaves"}, {"passed": False}),
    Row("L18", {"rows": 0.0}, {}, {"passed": False}),
    Row("L19", {"items[*].d": 1.0, "items[*].r": 0.5}, {"depth": "leaves", "list_aggregator": "average"}),
    Row("L20", {"kid": 1.0}),
    Row("L20", {"kid": 1.0}, outputs={"kid": Point("x")}),
    Row("L20", {"kid": 0.0}, outputs={"kid": Point("y")}),
    Row(
        "L22",
        {"a": 0.875},
        {"comparators": {"a": "string_similarity"}},
        {"comparator": "string_similarity", "passed": False},
    ),
    Row("L22", {"a": 0.875}, {"comparators": {"a": string_similarity()}, "threshold": 0.8}, {"passed": True}),
    Row("S01", {"v": 1.0}),
    Row("S01", {"v": 0.0}, reference={}),
    Row("S01", {"v": 1.0}, {"null_policy": "null_equals_missing"}, reference={}),
    Row("S05", {"average": 0.0}, AVERAGE),
    Row("S05", {"average": 1.0}, {**AVERAGE, "coerce": True}),
    Row("S06", {"a": 1.0, "b": 1.0}),
    Row("S07", {"m": 0.0}),
    Row("S07", {"m": 1.0}, {"comparators": {"m.v": number(relative=1e-9)}}),
    Row("S08", {"$": 1.0}, {"comparators": {"$": number(relative=0.01)}}),
    Row("S08", {"$": 0.0}, {"comparators": {"$": number(relative=0.0001)}}),
    Row("S10", {"part_no": 0.0}, {"comparators": {"part_no": exact()}}),
    Row("S22", {"op": 0.0}, {"comparators": {"op": "string_similarity"}}),
    Row("S23", {"note": 1.0}, {"comparators": {"note": "string_similarity"}}),
    Row("S23", {"note": 0.0}, {"comparators": {"note": "string_similarity"}}, reference={"note": "x"}),
    Row("S24", {"a": 0.0, "b": 0.0}, {"comparators": {"$": "string_similarity"}}),
    Row("S24", {"a": 1.0, "b": 1.0}, {"null_policy": "empty_equals_null"}),
    Row("S25", {"tel": 1.0}, {"comparators": {"tel": "number"}}),
    Row("S25", {"tel": 0.0}, {"comparators": {"tel": "number"}}, outputs={"tel": 311}),
    Row("S27", {"p": 0.0}, {"comparators": {"p": number(absolute=0.01)}}),
    Row("S27", {"p": 1.0}, {"comparators": {"p": number(relative=0.001)}}),
    Row("A02", {"average": 1.0}, AVERAGE),
    Row(
        "A02",
        {"average": 1.0},
        AVERAGE,
        outputs={"s": {"b", "a"}, "b": b"hi", "u": uuid.UUID(int=7)},
        reference={"s": ["b", "a"], "b": "aGk=", "u": "00000000-0000-0000-0000-000000000007"},
    ),
]


def python_of(value: Any) -> Any:
    """The value with each {"$py": …} replaced by the object it stands for."""
    if isinstance(value, dict):
        if value.keys() == {"$py"}:
            return PYTHON[value["$py"]]
        return {name: python_of(item) for name, item in value.items()}
    return [python_of(item) for item in value] if isinstance(value, list) else value


def sides(identity: str) -> tuple[Any, Any]:
    """The outputs and the reference of a report."""
    return python_of(CASES[identity]["outputs"]), python_of(CASES[identity]["reference"])


def labels() -> Iterator[str]:
    counts: dict[str, int] = {}
    for row in ROWS:
        counts[row.id] = counts.get(row.id, 0) + 1
        yield f"{row.id}-{counts[row.id]}"


@pytest.mark.parametrize("row", ROWS, ids=labels())
def test_right_value(row: Row) -> None:
    outputs, reference = sides(row.id)
    outputs = outputs if row.outputs is AS_REPORTED else row.outputs
    reference = reference if row.reference is AS_REPORTED else row.reference
    results = evaluate(outputs, reference, **row.options)
    assert named(results) == pytest.approx(row.scores)
    for one in results:
        assert {name: one["extra"].get(name) for name in row.extra} == row.extra


def test_every_report_has_a_test() -> None:
    tested = {name[5:8].upper() for name in globals() if re.match(r"test_[a-z]\d\d_", name)}
    assert {row.id for row in ROWS} | tested == CASES.keys()


def test_p12_non_finite_numbers_are_not_strict_json() -> None:
    text = CASES["P12"]["outputs"]
    assert parse(text, mode="strict") == Unparsed("the literal NaN is not JSON", ("non_finite",))
    read = parse(text)
    assert isinstance(read, Parsed)
    assert read.ledger == ("non_finite",)
    assert read.value["y"] == -float("inf")  # type: ignore[index, call-overload]
    assert read.value["x"] != read.value["x"]  # type: ignore[index, call-overload]


@pytest.mark.parametrize(
    ("text", "is_json"), [(CASES["P16"]["outputs"], True), ("", False), ("   ", False)], ids=repr
)
def test_p16_whether_text_is_json_needs_no_schema(text: str, is_json: bool) -> None:
    assert isinstance(parse(text, scalars=True), Parsed) is is_json


def test_p19_the_bad_side_is_named() -> None:
    outputs, reference = sides("P19")
    (bad_reference,) = evaluate(outputs, reference)
    assert bad_reference["extra"]["reason"].startswith("reference_outputs: ")
    (bad_output,) = evaluate(reference, outputs)
    assert bad_output["extra"]["reason"].startswith("outputs: ")


def test_l02_for_every_permutation() -> None:
    outputs, reference = sides("L02")
    sync: Any = fieldwise.create_json_match_evaluator(**AVERAGES)
    for came, wanted in itertools.product(itertools.permutations(outputs), itertools.permutations(reference)):
        (one,) = sync(outputs=list(came), reference_outputs=list(wanted))
        assert one["score"] == 2 / 3


def test_l11_pairing_is_shown() -> None:
    results = evaluate(*sides("L11"))
    assert results[0]["extra"]["pairing"]["pairs"] == [[1, 0], [0, 1]]


def test_l16_a_threshold_of_zero_is_refused() -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        fieldwise.create_json_match_evaluator(threshold=0.0)
    assert str(caught.value) == "threshold=0.0: must be a number above 0 and at most 1"
    outputs, reference = sides("L16")
    assert scores(outputs, reference, comparators={"tags": "exact"}) == {"tags": 0.0}


def test_l22_the_comment_explains() -> None:
    (one,) = evaluate(*sides("L22"), comparators={"a": "string_similarity"})
    assert one["comment"] == 'a: expected "Kivi Oyj", got "Kivi Oy" [string_similarity 0.875]'


def test_l24_long_lists_are_paired_quickly() -> None:
    outputs, reference = sides("L24")
    sync: Any = fieldwise.create_json_match_evaluator(**AVERAGES)
    start = time.process_time()
    (one,) = sync(outputs=outputs, reference_outputs=reference)
    assert one["score"] == 0.5
    assert time.process_time() - start < 10  # a busy machine; the benchmark measures it


@dataclass
class Scripted:
    """A judge that says the same thing each time and keeps what it was asked."""

    answers: dict[str, Any]
    asked: list[JudgeRequest] = field(default_factory=list)

    def __call__(self, request: JudgeRequest) -> dict[str, Any]:
        self.asked.append(request)
        return self.answers

    def ids(self) -> list[list[str]]:
        return [[question.id for question in request.questions] for request in self.asked]


def test_j07_an_omitted_criterion_is_no_pass() -> None:
    outputs, reference = sides("J07")
    judge = Scripted({})
    options: dict[str, Any] = {"rubric": {"desc": "same meaning"}, "judge": judge}
    sync: Any = fieldwise.create_json_match_evaluator(**options)
    results = sync(outputs=outputs, reference_outputs=reference)
    assert named(results) == {"desc": None, "n": 1.0}
    assert [one["extra"]["status"] for one in results] == ["judge_error", "graded"]
    assert judge.ids() == [["desc"], ["desc"]]
    (whole,) = evaluate(outputs, reference, aggregator="all", **options)
    assert whole["score"] is None
    assert whole["extra"]["status"] == "judge_error"
    assert whole["extra"]["coverage"] == 0.5


def test_j21_equal_values_are_not_sent_and_the_rest_is_one_call() -> None:
    outputs, reference = sides("J21")
    judge = Scripted({"e": False})
    rubric = {"d": "same meaning", "e": "same meaning"}
    sync: Any = fieldwise.create_json_match_evaluator(rubric=rubric, judge=judge)
    assert named(sync(outputs=outputs, reference_outputs=reference)) == {"d": 1.0, "e": 0.0}
    assert judge.ids() == [["e"]]


def found(path: str, document: Any) -> list[Any]:
    return [match.value for match in compile_path(path).find(document)]


@pytest.mark.parametrize("path", ["$['@acme/kind']", "/@acme~1kind"])
def test_d01_a_slash_in_a_key(path: str) -> None:
    outputs, reference = sides("D01")
    assert found(path, outputs) == ["A"]
    wrong = {"@acme/kind": "B"}
    assert scores(wrong, reference, exclude_keys=[path]) == {"$": 1.0}


def test_d01_a_path_that_does_not_parse_names_the_character() -> None:
    with pytest.raises(fieldwise.PathError) as caught:
        compile_path("$.@acme/kind")
    assert (caught.value.position, caught.value.hint) == (2, "$['@acme/kind']")
    assert str(caught.value).startswith("path '$.@acme/kind': expected a name")


@pytest.mark.parametrize("path", ["$['o.next']", "o.next"])
def test_d02_a_dot_in_a_key(path: str) -> None:
    outputs, reference = sides("D02")
    assert found(path, outputs) == ["p2"]
    assert scores(outputs, {**reference, "o": 1}, exclude_keys=[path]) == {"o": 0.0}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("$.m['41'].u", "x"),
        ("$.m['sp ace'].u", "y"),
        ("$.m['it\\'s'].u", "z"),
        ("$.m['é'].u", "w"),
        ("$.m[''].u", "v"),
    ],
)
def test_d03_unusual_keys_and_printed_paths_that_parse_back(path: str, value: str) -> None:
    outputs, _ = sides("D03")
    (match,) = compile_path(path).find(outputs)
    assert match.value == value
    assert found(field_name(match.path), outputs) == [value]


def test_d05_an_index_out_of_range_is_no_match() -> None:
    outputs, reference = sides("D05")
    assert found("$.r[-2]", outputs) == []
    assert found("$.r[-2]", reference) == ["only"]


@pytest.mark.parametrize(("path", "value"), [("/a~1b/c~0d", 1), ("/a~1b/~01", 2)])
def test_d06_pointer_escapes(path: str, value: int) -> None:
    outputs, reference = sides("D06")
    assert found(path, outputs) == [value]
    wrong = {"a/b": {**outputs["a/b"], str(compile_path(path).steps[1]): 9}}
    assert scores(wrong, reference) == {"a/b": 0.0}
    assert scores(wrong, reference, exclude_keys=[path]) == {"a/b": 1.0}
