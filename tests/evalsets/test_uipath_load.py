"""UiPath's loading of evaluation sets, case by case: what it refuses we refuse, saying what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from fieldwise.evalsets.load import FileErrors, load_set, load_spec
from tests.evalsets.folders import eval_set, project, spec

CASES_FOLDER: Final = Path(__file__).parents[1] / "cases"
CASES: Final[list[dict[str, Any]]] = json.loads((CASES_FOLDER / "uipath_load.json").read_text("utf-8"))[
    "cases"
]
ROWS: Final[list[dict[str, Any]]] = json.loads((CASES_FOLDER / "departures_files.json").read_text("utf-8"))[
    "rows"
]
VERSION: Final = 'version: must be "1.0", got {}; the version of the format, the text "1.0" in quotes'
OURS: Final[dict[str, tuple[str, str]]] = {
    "LOAD ERROR: evaluator version '1' (not exactly '1.0') -> parsed as legacy -> fails": (
        "evaluators/e0.json", VERSION.format('"1"')
    ),
    "LOAD ERROR: unknown evaluatorTypeId": (
        "evaluators/e0.json",
        "evaluatorTypeId: there is no evaluatorTypeId 'uipath-nope'; `fieldwise list` has them all",
    ),
    "LOAD ERROR: eval set version '2.0'": ("eval-sets/set.json", VERSION.format('"2.0"')),
    "LOAD ERROR: evaluatorRefs names a missing id": (
        "eval-sets/set.json",
        "evaluatorRefs[0]: there is no evaluator 'NOPE' in {evaluators}; the ids there are: 'EM'",
    ),
    "LOAD ERROR: eval set version 1.0 (number)": ("eval-sets/set.json", VERSION.format("1.0")),
    "LOAD ERROR: evaluatorRefs as objects": (
        "eval-sets/set.json",
        (
            'evaluatorRefs[0]: must be text, got {{"ref":"EM"}}; '
            "weights go into evaluatorConfigs, [{{ref, weight, threshold}}]"
        ),
    ),
    "LOAD ERROR: evaluationCriterias missing": (
        "eval-sets/set.json",
        (
            "evaluations[0]: needs 'evaluationCriterias': "
            "evaluator id to its criteria, null or {{}} for its default"
        ),
    ),
    "evaluator in evaluationCriterias but not in evaluatorRefs -> ignored": (
        "eval-sets/set.json",
        (
            "evaluations[0].evaluationCriterias.EM: the set names no evaluator 'EM'; "
            "name it in evaluatorRefs, or leave it out"
        ),
    ),
}  # fmt: skip
DEPARTING: Final = {
    "evaluator in evaluationCriterias but not in evaluatorRefs -> ignored": "files_unnamed_evaluator"
}


def test_the_suite_is_whole() -> None:
    assert {case["note"] for case in CASES} == OURS.keys()
    assert len(CASES) == 8
    refused = [case["note"] for case in CASES if "load_error" in case["expected"]]
    assert OURS.keys() - set(refused) == DEPARTING.keys()
    assert {row["kind"] for row in ROWS} == {*DEPARTING.values(), "files_unknown_key", "files_by_line"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["note"]))
def test_a_case(case: Any, tmp_path: Path) -> None:
    with pytest.raises(FileErrors) as caught:
        load_set(project(tmp_path, case["eval_set"], *case["evaluators"]))
    file, what = OURS[case["note"]]
    root = tmp_path / "evaluations"
    told = [str(one) for one in caught.value.faults]
    assert told == [f"{root / file}:1: {what.format(evaluators=root / 'evaluators')}"]


KEYS: Final[tuple[tuple[str, dict[str, Any], str], ...]] = (
    ("files_unknown_key", {"targetOutputkey": "a"},
     "targetOutputkey: there is no such key; did you mean 'targetOutputKey'?"),
    ("files_by_line", {"lineByLineEvaluator": True},
     ("lineByLineEvaluator: must be false, got true; lines are not evaluated one by one: "
      "make an item of each, or expect a list of them")),
    ("files_by_line", {"aggregators": []},
     "aggregators: exact match counts no classes: use uipath-multiclass-classification"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "config", "what"), [pytest.param(*row, id=f"{row[0]}-{[*row[1]]}") for row in KEYS]
)
def test_what_theirs_takes_and_ours_tells(kind: str, config: Any, what: str, tmp_path: Path) -> None:
    assert any(row["kind"] == kind for row in ROWS)
    file = project(tmp_path, eval_set(["E"], []), spec(**config))
    with pytest.raises(FileErrors) as caught:
        load_set(file)
    evaluator = tmp_path / "evaluations/evaluators/e0.json"
    assert str(caught.value) == f"{evaluator}:1: evaluatorConfig.{what}"


def test_by_line_may_be_off_as_their_templates_have_it() -> None:
    assert load_spec(spec(lineByLineEvaluator=False, lineDelimiter="\n")).options == {}
