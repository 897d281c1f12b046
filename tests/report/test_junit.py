"""JUnit XML: well formed whatever comes, of the structure that continuous integration reads."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.evalsets.model import EvaluationSet, ItemResult
from fieldwise.report.junit import junit
from tests.evalsets.sets import chosen, exact

SET = EvaluationSet("s", "Set", (exact("E"), chosen("uipath-json-similarity", "S", threshold=0.5)), ())
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"properties", "testcase"},
    "testcase": {"properties", "failure", "error", "skipped"},
    "properties": {"property"},
}
NEEDED = {
    "testsuites": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "time"},
    "property": {"name", "value"},
    "failure": {"message", "type"},
    "error": {"message", "type"},
    "skipped": {"message"},
}


def row(score: Any, comment: str | None = None, **extra: Any) -> list[Any]:
    told = {"status": "graded" if score is not None else "not_evaluated", "passed": score == 1, **extra}
    return [{"key": "k", "score": score, "comment": comment, "metadata": told, "extra": told}]


def parsed(*results: ItemResult, summary: dict[str, Any] | None = None) -> ET.Element:
    root = ET.fromstring(junit(SET, list(results), summary or {}))  # noqa: S314 - our own
    check(root)
    return root


def check(element: ET.Element) -> None:
    """See to it that an element and what is in it have the structure of JUnit's schema."""
    assert NEEDED.get(element.tag, set()) <= set(element.keys())
    for child in element:
        assert child.tag in CHILDREN.get(element.tag, set()), f"{child.tag} in {element.tag}"
        check(child)
    cases = list(element.iter("testcase"))
    if element.tag in {"testsuites", "testsuite"}:
        assert element.get("tests") == str(len(cases))
        for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
            assert element.get(name) == str(len(list(element.iter(tag))))


RESULTS: tuple[tuple[list[Any], list[tuple[str, str | None, str | None]]], ...] = (
    (row(1.0), []),
    (row(True), []),
    (row(0.25, "r: expected 1, got 2"), [("failure", "r: expected 1, got 2", "score 0.25")]),
    (row(None, "the agent raised X"), [("error", "the agent raised X", "not_evaluated")]),
    (row(None, "it broke", status="judge_error"), [("error", "it broke", "judge_error")]),
    (row(None, None, status="invalid_reference", reason="bad"), [("error", "bad", "invalid_reference")]),
    (row(None, "no such path", status="path_not_found"), [("skipped", "no such path", "path_not_found")]),
    (row(0.0, "a\nb\nc"), [("failure", "a", "score 0")]),
)


@pytest.mark.parametrize(
    ("results", "notes"), [pytest.param(*one, id=str(n)) for n, one in enumerate(RESULTS)]
)
def test_a_verdict_is_a_test_case(
    results: list[Any], notes: list[tuple[str, str | None, str | None]]
) -> None:
    root = parsed(ItemResult("a", "Item A", seconds=1.5, results={"E": results}))
    (case,) = root.iter("testcase")
    assert (case.get("classname"), case.get("name"), case.get("time")) == ("s.a", "Item A: E", "1.500")
    found = [(one.tag, one.get("message"), one.get("type")) for one in case if one.tag != "properties"]
    assert found == notes


def test_the_threshold_of_the_set_decides() -> None:
    root = parsed(
        ItemResult("a", "A", results={"S": row(0.5)}), ItemResult("b", "B", results={"S": row(0.4)})
    )
    assert [[one.tag for one in case][1:] for case in root.iter("testcase")] == [[], ["failure"]]
    values = [
        {one.get("name"): one.get("value") for one in case.iter("property")} for case in root.iter("testcase")
    ]
    assert values[0] == {"status": "graded", "score": "0.5", "threshold": "0.5"}


def test_repeats_and_items_that_ask_nothing() -> None:
    root = parsed(ItemResult("a", "A", 1, results={"E": row(1.0)}), ItemResult("b", "B"))
    assert [case.get("name") for case in root.iter("testcase")] == ["A (repeat 1): E", "B"]
    assert [one.get("message") for one in root.iter("skipped")] == ["the item asks no evaluator"]


def test_the_suite_has_the_scores() -> None:
    summary = {"score": 0.5, "coverage": 1.0, "pass_rate": None, "evaluators": {"E": {"score": 0.25}}}
    (properties,) = parsed(summary=summary).iter("properties")
    assert {one.get("name"): one.get("value") for one in properties} == {
        "score": "0.5",
        "coverage": "1.0",
        "score.E": "0.25",
    }


def test_what_xml_cannot_hold_is_escaped() -> None:
    text = "a\x00b\x1b[31m\ud800<&>\"'\ufffe]]>"
    root = parsed(ItemResult(text, text, results={"E": row(0.0, text)}))
    (failure,) = root.iter("failure")
    assert failure.get("message") == failure.text == "a\\x00b\\x1b[31m\\ud800<&>\"'\\ufffe]]>"


@given(st.text(alphabet=st.characters(), max_size=30))
def test_any_text_makes_xml(text: str) -> None:
    root = parsed(ItemResult(text, text, results={"E": row(0.0, text), "S": row(None, text)}))
    assert len(list(root.iter("testcase"))) == 2
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f]", ET.tostring(root, encoding="unicode"))
