"""What people reported of comparing values, each with its right value, through json_match.

A row names the report whose inputs it compares; the second table holds their other halves.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

import fieldwise
from fieldwise import comparators as c

INPUTS: Final[dict[str, tuple[dict[str, Any], dict[str, Any]]]] = {
    "P14": ({"id": 9007199254740993}, {"id": 9007199254740992}),
    "S05": ({"flag": True, "n": 0}, {"flag": 1, "n": False}),
    "S10": ({"part_no": "QX-118-04"}, {"part_no": "qx 118 04"}),
    "S14": ({"d1": "2 Jan 2025", "d2": "2025-01-02T00:00:00Z"}, {"d1": "2025-01-02", "d2": "2025-01-02"}),
    "S15": ({"d": "03/04/2025"}, {"d": "2025-04-03"}),
    "S16": ({"t1": "1.250,40", "t2": "$1,250.40", "t3": "(75)"}, {"t1": 1250.4, "t2": 1250.4, "t3": -75}),
    "S18": (
        {"end": "2023-05-09", "amt": "2150.00", "tel": "+12065550142"},
        {"end": "05/09/2023", "amt": "$2,150.00", "tel": "(206) 555-0142"},
    ),
    "S20": ({"x": -12}, {"x": 6}),
    "S22": ({"op": "+"}, {"op": "-"}),
    "S23": ({"note": ""}, {"note": ""}),
    "S24": ({"a": None, "b": ""}, {"a": "", "b": None}),
    "S25": ({"tel": "ext 311"}, {"tel": "ext 311"}),
    "S27": ({"p": 100.05}, {"p": 100.0}),
    "S28": ({"ref": "DOC-50018"}, {"ref": "DOC-50019"}),
    "L22": ({"a": "Kivi Oy"}, {"a": "Kivi Oyj"}),
}
"""What came and what was wanted, by report."""

Scores = dict[str, float]
LOOSE: Final = c.text(ignore_case=True, ignore_punctuation=True, whitespace="remove")
ROWS: Final[list[tuple[str, dict[str, Any], Scores]]] = [
    ("P14", {"id": "id"}, {"id": 0.0}),
    ("P14", {"id": c.id(integers=True)}, {"id": 0.0}),
    ("P14", {"id": "number_text"}, {"id": 0.0}),
    ("P14", {"id": c.numeric_diff(tolerance=0)}, {"id": 9007199254740991 / 9007199254740992}),
    ("S05", {"flag": "number_text", "n": "number_text"}, {"flag": 0.0, "n": 0.0}),
    ("S10", {"part_no": "exact"}, {"part_no": 0.0}),
    ("S10", {"part_no": "id"}, {"part_no": 0.0}),
    ("S10", {"part_no": c.id(ignore_case=True, separators="- ")}, {"part_no": 1.0}),
    ("S10", {"part_no": LOOSE}, {"part_no": 1.0}),
    ("S14", {"d1": "date", "d2": "date"}, {"d1": 1.0, "d2": 1.0}),
    ("S15", {"d": c.date(day_first=True)}, {"d": 1.0}),
    ("S15", {"d": c.date(day_first=False)}, {"d": 0.0}),
    ("S15", {"d": "date"}, {"d": 0.0}),
    (
        "S16",
        {"t1": c.number_text(decimal=",", group="."), "t2": c.money(currency="USD"), "t3": "number_text"},
        {"t1": 1.0, "t2": 1.0, "t3": 1.0},
    ),
    (
        "S16",
        {"t1": c.number_text(locale="en"), "t2": "number_text", "t3": "number"},
        {"t1": 0.0, "t2": 0.0, "t3": 0.0},
    ),
    (
        "S18",
        {"end": c.date(day_first=False), "amt": c.money(currency="USD"), "tel": c.phone(region="US")},
        {"end": 1.0, "amt": 1.0, "tel": 1.0},
    ),
    ("S20", {"x": "numeric_diff"}, {"x": 0.0}),
    ("S20", {"x": c.numeric_diff(relative_to="larger")}, {"x": 0.0}),
    ("S22", {"op": "fuzzy"}, {"op": 0.0}),
    ("S22", {"op": c.fuzzy(scorer="WRatio")}, {"op": 0.0}),
    ("S22", {"op": "token_set"}, {"op": 0.0}),
    ("S22", {"op": c.text(ignore_punctuation=True)}, {"op": 0.0}),
    ("S23", {"note": "fuzzy"}, {"note": 1.0}),
    ("S24", {"a": "fuzzy", "b": "fuzzy"}, {"a": 0.0, "b": 0.0}),
    ("S24", {"a": "text", "b": "text"}, {"a": 0.0, "b": 0.0}),
    ("S25", {"tel": c.phone(region="US")}, {"tel": 1.0}),
    ("S27", {"p": c.number_text(absolute=0.01)}, {"p": 0.0}),
    ("S27", {"p": c.number_text(relative=0.001)}, {"p": 1.0}),
    ("S28", {"ref": "id"}, {"ref": 0.0}),
    ("S28", {"ref": "string_similarity"}, {"ref": 8 / 9}),
    ("L22", {"a": c.fuzzy(clean=False)}, {"a": 14 / 15}),
    ("L22", {"a": c.within("fuzzy", 0.9)}, {"a": 1.0}),
]


def scores(comparators: dict[str, Any], outputs: Any, reference: Any) -> Scores:
    evaluator: Any = fieldwise.create_json_match_evaluator(comparators=comparators)
    results = evaluator(outputs=outputs, reference_outputs=reference)
    return {result["key"].removeprefix("json_match:"): result["score"] for result in results}


@pytest.mark.parametrize(("case", "comparators", "wanted"), ROWS)
def test_report(case: str, comparators: dict[str, Any], wanted: Scores) -> None:
    found = scores(comparators, *INPUTS[case])
    assert found == pytest.approx(wanted)


BESIDE: Final[list[tuple[str, Any, Any, Any, float]]] = [
    ("S15 the other day", "date", "03/04/2025", "2025-03-04", 0.0),
    ("S16 unclear", "number_text", "1.250", 1250, 0.0),
    ("S17 currencies", "money", "$40", "EUR 40", 0.0),
    ("S17 currencies by code", "money", "USD 40", "EUR 40", 0.0),
    ("S19 units", "quantity", "12000 kg", "12 t", 1.0),
    ("S12 full width", "number_text", "１２５０", 1250, 1.0),
    ("S13 composed", "text", "cafe\u0301", "café", 1.0),
    ("S20 both negative", "numeric_diff", -12, -12, 1.0),
    ("S20 zero", "numeric_diff", 0, 0, 1.0),
    ("S23 empty and not", "fuzzy", "", "x", 0.0),
    ("S25 one side parses", c.phone(region="US"), "ext 311", "+12065550142", 0.0),
]


@pytest.mark.parametrize(
    ("comparator", "output", "reference", "wanted"), [pytest.param(*row[1:], id=row[0]) for row in BESIDE]
)
def test_beside_a_report(comparator: Any, output: Any, reference: Any, wanted: float) -> None:
    assert scores({"v": comparator}, {"v": output}, {"v": reference}) == {"v": wanted}


def test_s15_an_ambiguous_date_is_flagged() -> None:
    evaluator: Any = fieldwise.create_json_match_evaluator(comparators={"d": "date"})
    outputs, reference = INPUTS["S15"]
    [result] = evaluator(outputs=outputs, reference_outputs=reference)
    assert result["comment"] == (
        'd: expected "2025-04-03", got "03/04/2025" (date could not read it: "03/04/2025" is ambiguous: '
        "2025-03-04 or 2025-04-03; state day_first)"
    )


def test_s08_a_graded_value_decides_the_pairing() -> None:
    found = scores({"v": c.numeric_diff(tolerance=0.01)}, [{"v": 1001}, {"v": 5}], [{"v": 5}, {"v": 1000}])
    assert found == {"v": 1.0}
