"""The text evaluators over cases of the products they stand in for: the same score, or a named departure.

`tests/cases/departures_text.json` has a row for each kind of departure; the last test holds the two
together. A product that raised is met by whatever looks like no grade: a status, or an error when the
evaluator is created.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
import rapidfuzz.fuzz

import fieldwise
from tests.scorers.single_forms import evaluate, score

pytestmark = pytest.mark.filterwarnings("ignore:field_match is deprecated:DeprecationWarning")

_CASES: Final = Path(__file__).parents[1] / "cases"
_ERRORS: Final = {"ConfigError": fieldwise.ConfigError, "TypeError": fieldwise.ConfigError}


def cases(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((_CASES / name).read_text(encoding="utf-8"))["cases"]
    return found


AGENTA: Final = cases("agenta_text.json")
UIPATH: Final = cases("uipath_text.json")
LANGCHAIN: Final = cases("langchain_text.json")
PAIRS: Final = cases("string_similarity.json")
ROWS: Final[list[dict[str, Any]]] = json.loads((_CASES / "departures_text.json").read_text("utf-8"))["rows"]


def named(case: dict[str, Any]) -> str:
    return f"{case['id']}-{case.get('departure', 'same')}"


@pytest.mark.parametrize("case", [*AGENTA, *UIPATH], ids=named)
def test_agenta_and_uipath(case: dict[str, Any]) -> None:
    create = getattr(fieldwise, f"create_{case['evaluator']}_evaluator")
    ours, theirs = case.get("ours"), case["theirs"]
    if isinstance(ours, str):
        with pytest.raises(_ERRORS[ours]):
            create(**case["options"])
        return
    given = {"inputs": case.get("inputs"), "outputs": case["outputs"]}
    if "reference" in case:
        given["reference_outputs"] = case["reference"]
    if "raises" in theirs and "departure" not in case:
        assert not graded(create, case["options"], given)
        return
    result = create(**case["options"])(**given)
    if "departure" in case:
        assert result["score"] is ours if isinstance(ours, bool | None) else result["score"] == ours
        assert "raises" in theirs or result["score"] is None or result["score"] != theirs["score"]
        return
    assert result["score"] == theirs["score"]
    assert result["extra"]["passed"] is theirs.get("passed", bool(theirs["score"]))


def graded(create: Any, options: dict[str, Any], given: dict[str, Any]) -> bool:
    try:
        result = create(**options)(**given)
    except fieldwise.ConfigError:
        return False
    return bool(result["extra"]["status"] == "graded")


@pytest.mark.parametrize(
    "case", [case for case in UIPATH if case.get("departure") == "case" and case["id"].startswith("exact")]
)
def test_uipath_in_the_case_it_means(case: dict[str, Any]) -> None:
    options = {**case["options"], "ignore_case": True}
    found = score(case["evaluator"], case["outputs"], case["reference"], **options)
    assert found is bool(case["theirs"]["score"])


@pytest.mark.parametrize("case", LANGCHAIN, ids=named)
def test_langchain(case: dict[str, Any]) -> None:
    result = evaluate(case["evaluator"], case["outputs"], case["reference"], **case["options"])
    if "raises" in case["theirs"]:
        assert (result["score"], result["extra"]["status"]) == (None, "invalid_reference")
    elif case["evaluator"] != "string_similarity":
        assert result["score"] is bool(case["theirs"]["score"])
    else:
        distance = (1 - (result["score"] or 0.0)) * scale(case)
        assert distance == pytest.approx(case["theirs"]["score"], abs=1e-9)


def scale(case: dict[str, Any]) -> int:
    """What a distance is divided by to be a share."""
    metric, lengths = case["options"]["metric"], [len(case["outputs"]), len(case["reference"])]
    if case["normalized"] or metric.startswith("jaro"):
        return 1
    return sum(lengths) if metric == "indel" else max(lengths)


EDITS: Final = {"damerau": "damerau_levenshtein", "osa": "osa"}
SHARES: Final = {
    "levenshtein_norm_sim": "levenshtein",
    "indel_norm_sim": "indel",
    "jaro": "jaro",
    "jaro_winkler": "jaro_winkler",
}
RATIOS: Final = ("ratio", "partial_ratio", "token_sort_ratio", "token_set_ratio", "WRatio", "QRatio")


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: case["id"])
def test_string_similarity(case: dict[str, Any]) -> None:
    left, right = case["a"], case["b"]
    longest = max(len(left), len(right)) or 1
    expected = {metric: case["expected"][name] for name, metric in SHARES.items()}
    expected |= {metric: 1 - case["expected"][name] / longest for name, metric in EDITS.items()}
    expected["lcs"] = case["expected"]["lcsseq"] / longest if left or right else 1.0
    same = left == right
    expected |= {name: 1.0 if same else getattr(rapidfuzz.fuzz, name)(left, right) / 100 for name in RATIOS}
    found = {
        metric: fieldwise.create_string_similarity_evaluator(metric=metric)(
            outputs=left, reference_outputs=right
        )["score"]  # type: ignore[call-overload]
        for metric in expected
    }
    assert found == pytest.approx(expected, abs=1e-9)


def test_every_departure_has_its_row_and_the_row_its_count() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for product, suite in (("agenta", AGENTA), ("uipath", UIPATH), ("langchain", LANGCHAIN)):
        found.update((product, case["departure"]) for case in suite if "departure" in case)
    assert {(row["product"], row["kind"]): row["cases"] for row in ROWS} == found
    assert len(ROWS) == len(found)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['product']}-{row['kind']}")
def test_a_row_says_what_differs(row: dict[str, Any]) -> None:
    assert row.keys() == {"product", "kind", "theirs", "ours", "law", "cases"}
    assert row["law"] in {"results", "options", "seed"} or int(row["law"]) in range(1, 11)
    assert row["theirs"] != row["ours"]
