"""trajectory_match: OpenEvals' suite, where it is departed from, and what users report."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from openevals.trajectory.match import create_trajectory_match_evaluator as create_openevals

import fieldwise
from tests.scorers.agents.match_forms import MODES, asks, matched

CASES: Final = Path(__file__).parents[2] / "cases"


def table(name: str) -> Any:
    return json.loads((CASES / name).read_text(encoding="utf-8"))


SUITE: Final[list[dict[str, Any]]] = table("openevals_trajectory_match.json")["cases"]
ROWS: Final[list[dict[str, Any]]] = table("departures_trajectories.json")["rows"]
REPORTS: Final[dict[str, Any]] = {
    one["id"]: one["minimal_input"] for one in table("user_reports_trajectories.json")
}
KIND_OF: Final = {case: row["kind"] for row in ROWS for case in row["ids"]}
BEYOND: Final = {"trajectory_null_arguments": True, "trajectory_array_arguments": "error"}
"""The kinds of which the suite's own verdict is another, and ours."""


def verdict(case: dict[str, Any]) -> tuple[bool | str, str]:
    """Ours, 'error' where nothing was graded, and the status or 'ConfigError'."""
    try:
        found = matched(case["outputs"], case["reference_outputs"], **case["config"])
    except fieldwise.ConfigError:
        return "error", "ConfigError"
    status = found["extra"]["status"]
    return (found["score"] if status == "graded" else "error"), status


# ------------------------------------------------------------------------------------- OpenEvals' suite


def test_the_suite_is_whole() -> None:
    assert Counter(str(case["expected"]) for case in SUITE) == {"True": 256, "False": 134, "error": 16}
    assert len(SUITE) == 406


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in SUITE])
def test_suite(case: dict[str, Any]) -> None:
    """Every case has the verdict it should have, and openevals' own unless a row says otherwise."""
    kind = KIND_OF.get(case["id"])
    ours, status = verdict(case)
    assert ours == BEYOND.get(kind or "", case["expected"])
    theirs = case["openevals"].get("score", "error")
    at_creation = status == "ConfigError" and kind is None
    assert (ours == theirs and (ours != "error" or at_creation)) == (kind is None)


def test_departing_cases() -> None:
    assert Counter(KIND_OF.values()) == {
        "trajectory_roles": 7,
        "trajectory_null_side": 6,
        "trajectory_unusable": 6,
        "trajectory_pairing": 5,
        "trajectory_no_arguments": 4,
        "trajectory_null_arguments": 3,
        "trajectory_array_arguments": 3,
        "trajectory_options": 2,
        "trajectory_json_equality": 1,
    }


@pytest.mark.parametrize("case", [pytest.param(one, id=one["id"]) for one in SUITE if one["id"] in KIND_OF])
def test_openevals_still_does_that(case: dict[str, Any]) -> None:
    try:
        theirs: Any = create_openevals(**case["config"])
        found: Any = {
            "score": theirs(outputs=case["outputs"], reference_outputs=case["reference_outputs"])["score"]
        }
    except Exception as error:  # noqa: BLE001 - whatever it raises is what it does
        found = {"raises": type(error).__name__}
    assert found == {key: value for key, value in case["openevals"].items() if key != "key"}


def test_keys_are_openevals() -> None:
    given: dict[str, Any] = {"outputs": [], "reference_outputs": []}
    for mode in MODES:
        theirs: Any = create_openevals(trajectory_match_mode=mode)
        assert theirs(**given)["key"] == matched([], [], trajectory_match_mode=mode)["key"]


# ----------------------------------------------------------------------------------- further departures

CALL: Final = [asks(("Get Weather", {"at": {"city": "Rome"}, "a.b": 1}))]


def theirs_of(outputs: Any, reference: Any, **options: Any) -> Any:
    evaluate: Any = create_openevals(**options)
    return evaluate(outputs=outputs, reference_outputs=reference)["score"]


def test_tool_names() -> None:
    other = [asks(("Get_Weather", {"at": {"city": "Rome"}, "a.b": 1}))]
    assert theirs_of(CALL, other) is False
    assert matched(CALL, other)["score"] is True


@pytest.mark.parametrize(
    ("key", "theirs"), [("at.city", True), ("a.b", False), ("$.at.city", False), ("/at/city", False)]
)
def test_key_paths(key: str, theirs: bool) -> None:
    overrides = {"Get Weather": [key]}
    assert theirs_of(CALL, CALL, tool_args_match_overrides=overrides) is theirs
    assert matched(CALL, CALL, tool_args_match_overrides=overrides)["score"] is True


def test_what_a_matcher_raises() -> None:
    overrides: Any = {"Get Weather": lambda args, _: args["nothing"]}
    with pytest.raises(KeyError):
        theirs_of(CALL, CALL, tool_args_match_overrides=overrides)
    found = matched(CALL, CALL, tool_args_match_overrides=overrides)
    assert (found["score"], found["extra"]["status"]) == (None, "not_evaluated")
    assert found["comment"] == "tool_args_match_overrides: KeyError: 'nothing'"


def test_every_further_row_has_its_test() -> None:
    assert {row["kind"] for row in ROWS if not row["ids"]} == {
        "trajectory_tool_names",
        "trajectory_key_paths",
        "trajectory_matcher_raises",
    }


# ----------------------------------------------------------------------------------------- user reports


def reported(name: str, *, flip: bool = False, **options: Any) -> Any:
    given = REPORTS[name]
    sides = [given["outputs"], given["reference"]]
    return matched(*(reversed(sides) if flip else sides), **options)


def test_t07_the_same_tool_twice() -> None:
    assert reported("T07", trajectory_match_mode="unordered")["score"] is True
    once = {"tool_calls": REPORTS["T07"]["outputs"]["tool_calls"][:1]}
    found = matched(once, REPORTS["T07"]["reference"], trajectory_match_mode="superset", partial=True)
    assert (found["score"], found["comment"]) == (0.5, "step 1, tool search: missing")


def test_t12_no_arguments() -> None:
    assert reported("T12", trajectory_match_mode="unordered")["score"] is True


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ('{"x": 1', "malformed arguments: truncated: the text ends at line 1, column 8 inside an object"),
        ("[]", "malformed arguments: an array, not an object: []"),
    ],
)
def test_t12_malformed_arguments(arguments: str, reason: str) -> None:
    outputs = {"tool_calls": [{"function": {"name": "ping", "arguments": arguments}}]}
    for options in ({"trajectory_match_mode": "unordered"}, {}):
        found = matched(outputs, REPORTS["T12"]["reference"], **options)
        assert (found["score"], found["extra"]["status"]) == (False, "graded")
        assert found["comment"] == f"step 0, tool ping: {reason}"


def test_t23_optimal_pairing() -> None:
    options: Any = {"trajectory_match_mode": "unordered", "tool_args_match_mode": "superset"}
    assert reported("T23", **options)["score"] is True


@pytest.mark.parametrize("mode", MODES)
def test_t24_blocks_of_providers(mode: str) -> None:
    assert reported("T24", trajectory_match_mode=mode)["score"] is True


def test_t25_null_fields() -> None:
    found = reported("T25")
    assert (found["score"], found["comment"]) == (
        False,
        "step 0: tool call without name at message 0, call 0",
    )
    found = reported("T25", flip=True)
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")
    assert found["comment"] == "reference_outputs: tool call without name at message 0, call 0"


def test_t25_null_lists_and_contents() -> None:
    lists = [{"role": "assistant", "content": None, "tool_calls": None}, {"role": "tool", "content": None}]
    assert matched(lists, [{"role": "assistant"}, {"role": "tool", "content": "8"}])["score"] is True


@pytest.mark.parametrize("mode", MODES)
def test_t30_arguments_have_one_direction(mode: str) -> None:
    for flip, args_mode, score in (
        (False, "superset", True),
        (True, "superset", False),
        (False, "subset", False),
        (True, "subset", True),
    ):
        options = {"trajectory_match_mode": mode, "tool_args_match_mode": args_mode}
        assert reported("T30", flip=flip, **options)["score"] is score


def test_t31_a_reason() -> None:
    found = reported("T31", trajectory_match_mode="strict")
    assert (found["score"], found["comment"]) == (
        False,
        'step 0, tool web, argument q: expected "llamas 2024", got "llamas"',
    )
    assert found["extra"]["differences"] == [
        {
            "step": 0,
            "at": "call 0",
            "tool": "web",
            "argument": "q",
            "expected": "llamas 2024",
            "got": "llamas",
            "reason": found["comment"],
        }
    ]
    assert found["metadata"] == found["extra"]
