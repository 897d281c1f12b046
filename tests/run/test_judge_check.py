"""Checking a judge: what is asked, what is counted, and what goes wrong without costing anything."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from threading import Lock
from typing import Any

import numpy as np
import pytest
from langchain_core.caches import InMemoryCache

from fieldwise import (
    ConfigError,
    JudgeCheck,
    JudgeError,
    JudgeRequest,
    check_judge,
    create_judge,
)
from fieldwise.core.select import find_in_all
from fieldwise.run import _labelled
from fieldwise.run._judge_check import OTHER
from tests.judges.fakes import FakeChatModel, Script, Step

PAIR = {"outputs": {"a": "x", "b": "y"}, "reference_outputs": {"a": "x", "b": "z"}}
RUBRIC = {"a": "the same letter", "b": "a near letter"}


class Incomparable:
    """What cannot be compared with anything."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError

    def __repr__(self) -> str:
        return "<Incomparable object>"


class Judge:
    """Says what a function says of a question, and keeps what it was asked."""

    def __init__(self, say: Callable[[Any], Any] = lambda one: one.expected == one.actual) -> None:
        self._say, self._lock = say, Lock()
        self.requests: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> dict[str, Any]:
        with self._lock:
            self.requests.append(request)
        return {one.id: self._say(one) for one in request.questions}

    @property
    def asked(self) -> list[list[str]]:
        return [[one.id for one in request.questions] for request in self.requests]


def labelled(**labels: Any) -> dict[str, Any]:
    return {**PAIR, "labels": labels}


def counts(found: JudgeCheck, name: str) -> tuple[int, int, int, int]:
    one = found.criteria[name].confusion
    return one.both_true, one.judge_only, one.people_only, one.both_false


# -------------------------------------------------------------------------------------------- counting


def test_agreement_per_criterion_and_overall() -> None:
    records = [labelled(a=True, b=False), labelled(a=False, b=True), labelled(a=True)]
    found = check_judge(records, Judge(), rubric=RUBRIC)
    assert (counts(found, "a"), counts(found, "b")) == ((2, 1, 0, 0), (0, 0, 1, 1))
    assert found.overall.accuracy == 3 / 5
    assert (found.records, found.labels, found.overall.asked, found.overall.coverage) == (3, 5, 5, 1.0)
    assert (found.skipped, found.judge_errors, found.unused) == ({}, {}, [])


def test_equal_values_are_asked_and_one_request_serves_a_record() -> None:
    judge = Judge()
    check_judge([labelled(a=True, b=True)], judge, rubric=RUBRIC, order=False)
    assert judge.asked == [["a", "b"]]
    (request,) = judge.requests
    assert [(one.criterion, one.expected, one.actual) for one in request.questions] == [
        ("the same letter", "x", "x"),
        ("a near letter", "z", "y"),
    ]


def test_disagreements_say_where_and_why() -> None:
    judge = Judge(lambda one: {"score": False, "reasoning": f"{one.actual} it is"})
    found = check_judge([{**labelled(a=True, b=False), "id": "r1"}], judge, rubric=RUBRIC)
    assert found.to_dict()["disagreements"] == [
        {"id": "r1", "path": "a", "people": True, "judge": False, "reason": "x it is"}
    ]


RUBRICS: tuple[tuple[str, Any, dict[str, str]], ...] = (
    ("wildcard", {"items[*].n": "w"}, {"items[0].n": "w", "items[1].n": "w"}),
    ("first that covers", {"items[1].n": "one", "items[*].n": "w"}, {"items[0].n": "w", "items[1].n": "one"}),
    ("text for all", "t", {"items[0].n": "t", "items[1].n": "t", "a.b": "t"}),
    ("jsonpath", {"$..n": "q"}, {"items[0].n": "q", "items[1].n": "q"}),
    ("a name with a dot", {"a.b": "dot"}, {"a.b": "dot"}),
)


@pytest.mark.parametrize(("rubric", "criteria"), [pytest.param(*row[1:], id=row[0]) for row in RUBRICS])
def test_which_criterion_is_asked(rubric: Any, criteria: dict[str, str]) -> None:
    side = {"items": [{"n": 1}, {"n": 2}], "a.b": 3}
    record = {"outputs": side, "reference_outputs": side, "labels": dict.fromkeys(criteria, True)}
    judge = Judge()
    check_judge([record], judge, rubric=rubric, order=False)
    assert {one.id: one.criterion for one in judge.requests[0].questions} == criteria


def test_a_text_rubric_is_counted_by_place() -> None:
    side = {"items": [{"n": 1}, {"n": 2}]}
    labels = {"items[0].n": True, "items[1].n": True}
    found = check_judge(
        [{"outputs": side, "reference_outputs": side, "labels": labels}], Judge(), rubric="same"
    )
    assert {name: one.judged for name, one in found.criteria.items()} == {"items[*].n": 2}


def test_a_record_s_own_rubric_comes_first() -> None:
    judge = Judge()
    check_judge([{**labelled(a=True, b=True), "rubric": {"b": "own"}}], judge, rubric=RUBRIC, order=False)
    assert [one.criterion for one in judge.requests[0].questions] == ["the same letter", "own"]


def test_criteria_without_a_label_are_named() -> None:
    assert check_judge([labelled(a=True)], Judge(), rubric=RUBRIC).unused == ["b"]


# ------------------------------------------------------------------------------------ order and repeats


def test_what_is_asked_again() -> None:
    judge = Judge()
    found = check_judge([labelled(a=True, b=False)], judge, rubric=RUBRIC, repeat=3)
    assert sorted(judge.asked) == [["a", "b"], ["a", "b"], ["a", "b"], ["b", "a"]]
    assert (found.overall.repeats.questions, found.overall.repeats.unanimous) == (2, 2)
    assert found.usage == {"judge_calls": 4}


def test_one_question_has_no_order() -> None:
    judge = Judge()
    found = check_judge([labelled(a=True)], judge, rubric=RUBRIC)
    assert (judge.asked, found.overall.to_dict()["order"]) == ([["a"]], None)


def test_a_judge_that_heeds_the_order() -> None:
    def first_is_right(request: JudgeRequest) -> dict[str, bool]:
        return {one.id: at == 0 for at, one in enumerate(request.questions)}

    found = check_judge([labelled(a=True, b=False)], first_is_right, rubric=RUBRIC, repeat=2)
    assert found.overall.accuracy == 1.0
    assert (found.overall.order.share, found.overall.repeats.share) == (0.0, 1.0)


def test_a_judge_that_wavers() -> None:
    said = iter([True, False, True])
    found = check_judge(
        [labelled(a=True)], Judge(lambda _: next(said)), rubric=RUBRIC, repeat=3, concurrency=1
    )
    repeats = found.overall.repeats
    assert (repeats.questions, repeats.unanimous) == (1, 0)
    assert repeats.pairwise == pytest.approx(1 / 3)
    assert found.overall.judged == 1


def test_equal_records_are_asked_each() -> None:
    judge = Judge()
    found = check_judge([labelled(a=True)] * 3, judge, rubric=RUBRIC)
    assert (len(judge.requests), found.overall.judged) == (3, 3)


@pytest.mark.parametrize(("votes", "calls"), [(1, 3), (3, 6)])
def test_repeats_go_past_the_cache(votes: int, calls: int) -> None:
    """The first asking may be told from the cache, its repeats never; a judge with votes keeps them."""
    script = Script(Step(say={"q1": {"reasoning": "no", "score": False}}))
    model = FakeChatModel(script=script)
    judge = create_judge(model, cache=InMemoryCache(), votes=votes)
    check_judge([labelled(a=True)], judge, rubric=RUBRIC, repeat=3)
    assert script.calls == calls
    check_judge([labelled(a=True)], judge, rubric=RUBRIC, repeat=3)
    assert script.calls == 2 * calls - 1


# ----------------------------------------------------------------------------------------- what goes wrong


def test_what_the_judge_fails_at_is_no_disagreement() -> None:
    judge = Judge(lambda one: "maybe" if one.id == "b" else True)
    found = check_judge([labelled(a=True, b=True)], judge, rubric=RUBRIC, repeat=2)
    assert (found.overall.accuracy, found.overall.coverage, found.overall.repeats.questions) == (1.0, 0.5, 1)
    assert found.judge_errors == {"answered 'maybe', which is str; a boolean was asked for": 1}
    assert found.criteria["b"].to_dict()["accuracy"] is None


def test_a_judge_that_raises() -> None:
    def broken(request: JudgeRequest) -> Any:
        raise JudgeError("out of service")

    found = check_judge([labelled(a=True, b=True)], broken, rubric=RUBRIC)
    assert (found.judge_errors, found.overall.coverage) == ({"out of service": 2}, 0.0)
    assert not found.passed()


BAD_PATH = (
    "path 'a[': expected [*], [index] or ['name']; for filters and slices write a JSONPath, $… at position 1"
)
SKIPPED: tuple[tuple[str, Any, dict[str, int]], ...] = (
    ("no mapping", 7, {"the record is int, not a mapping": 1}),
    ("no labels", PAIR, {"the record has no labels": 1}),
    ("labels are a list", {**PAIR, "labels": [True]},
     {"labels is [True], not a mapping of paths to true or false": 1}),
    ("label is text", labelled(a="yes"), {"the label of 'a' is 'yes', not true or false": 1}),
    ("label is an array", labelled(a=np.array([1, 0])),
     {"the label of 'a' is array([1, 0]), not true or false": 1}),
    ("label compares with nothing", labelled(a=Incomparable()),
     {"the label of 'a' is <Incomparable object>, not true or false": 1}),
    ("read the same way in both",
     {"outputs": {"a": {"b": 1}}, "reference_outputs": {"a.b": 1}, "labels": {"a.b": True}},
     {"outputs has nothing at 'a.b'": 1}),
    ("no such place", labelled(q=True), {"reference_outputs has nothing at 'q'": 1}),
    ("not in the outputs", {**labelled(a=True), "outputs": {}}, {"outputs has nothing at 'a'": 1}),
    ("several places",
     {"outputs": {"t": [1, 2]}, "reference_outputs": {"t": [1, 2]}, "labels": {"t[*]": True}},
     {"'t[*]' names 2 places in reference_outputs; label each": 1}),
    ("no criterion",
     {"outputs": {"c": 1}, "reference_outputs": {"c": 1}, "labels": {"c": True}},
     {"no criterion covers 'c'": 1}),
    ("bad path", labelled(**{"a[": True}),
     {BAD_PATH: 1}),
    ("no reference", {"outputs": {"a": 1}, "labels": {"a": True, "b": True}},
     {"no reference_outputs were given": 2}),
    ("no outputs", {"reference_outputs": {"a": 1}, "labels": {"a": True}}, {"no outputs were given": 1}),
    ("own rubric", {**labelled(a=True), "rubric": {"a": ""}},
     {"rubric['a']='': say in words what makes a value right": 1}),
)  # fmt: skip


@pytest.mark.parametrize(("record", "reasons"), [pytest.param(*row[1:], id=row[0]) for row in SKIPPED])
def test_skipped(record: Any, reasons: dict[str, int]) -> None:
    found = check_judge([record, labelled(a=True)], Judge(), rubric=RUBRIC)
    assert (found.skipped, found.overall.judged, found.records) == (reasons, 1, 2)


def test_a_place_is_asked_about_once_however_it_is_called() -> None:
    """The first label counts, whatever the others say."""
    found = check_judge([labelled(**{"a": True, "$.a": False, "/a": True})], Judge(), rubric=RUBRIC)
    assert (found.overall.asked, found.overall.accuracy, found.labels) == (1, 1.0, 3)
    assert found.skipped == {
        "'$.a' is the place of 'a', which has a label": 1,
        "'/a' is the place of 'a', which has a label": 1,
    }


@pytest.mark.parametrize("label", [np.bool_(True), np.int64(1), Decimal(1), 1.0])
def test_a_label_of_any_kind_of_number(label: Any) -> None:
    found = check_judge([labelled(a=label)], Judge(), rubric=RUBRIC)
    assert (found.overall.accuracy, found.skipped) == (1.0, {})


def test_a_criterion_of_the_key_of_no_name_is_for_that_key() -> None:
    record = {
        "outputs": {"": 1, "a": 1},
        "reference_outputs": {"": 2, "a": 2},
        "labels": {"/": True, "a": True},
    }
    found = check_judge([record], Judge(), rubric={"/": "same", "/q": "same"})
    assert (list(found.criteria), found.unused) == (["/"], ["/q"])
    assert found.skipped == {"no criterion covers 'a'": 1}
    assert check_judge([record], Judge(), rubric={"": "same"}).unused == [""]


def test_a_judge_that_changes_what_it_is_shown_changes_nothing_of_the_records() -> None:
    def clears(request: JudgeRequest) -> dict[str, bool]:
        for question in request.questions:
            question.actual.clear()  # type: ignore[union-attr]
        return {question.id: True for question in request.questions}

    record: dict[str, Any] = {"outputs": {"a": [1]}, "reference_outputs": {"a": [2]}, "labels": {"a": True}}
    check_judge([record], clears, rubric=RUBRIC)
    assert record["outputs"] == {"a": [1]}


def test_many_labels_of_one_record_are_quick() -> None:
    """The places of a criterion are looked for once a record, not once a label."""
    finds = 0

    def counted(selector: Any, sides: Any) -> Any:
        nonlocal finds
        finds += 1
        return find_in_all(selector, sides)

    items = [{"n": str(number)} for number in range(200)]
    labels = {f"items[{number}].n": True for number in range(200)}
    record = {"outputs": {"items": items}, "reference_outputs": {"items": items}, "labels": labels}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_labelled, "find_in_all", counted)
        found = check_judge([record], Judge(), rubric={"q": "same", "items[*].n": "same"})
    assert (found.overall.asked, finds) == (200, 202)


def test_labels_as_a_file_may_have_them() -> None:
    records = [
        {"outputs": '{"a": 1}', "reference_outputs": '{"a": 2}', "labels": '{"a": false}'},
        {**PAIR, "labels": {"a": 1, "b": None}},
        {**PAIR, "labels": {"a": 0}},
    ]
    found = check_judge(records, Judge(), rubric=RUBRIC)
    assert (counts(found, "a"), found.labels, found.skipped) == ((1, 1, 0, 1), 3, {})


def test_reasons_are_bounded() -> None:
    side = {f"k{number}": 1 for number in range(150)}
    record = {"outputs": {}, "reference_outputs": side, "labels": dict.fromkeys(side, True)}
    found = check_judge([record], Judge(), rubric="same")
    assert (len(found.skipped), found.skipped[OTHER]) == (101, 50)


async def _async_judge(request: JudgeRequest) -> dict[str, bool]:
    return {}


NO_RECORDS = (
    "records is str: pass an iterable of mappings with outputs, reference_outputs and labels; of a "
    'DataFrame, frame.to_dict("records")'
)
BAD: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("no judge", {"judge": None}, "judge=None: pass the judge to check, or model= the name of a model"),
    ("async judge", {"judge": _async_judge},
     "judge=_async_judge is async, which check_judge cannot await: pass a plain function"),
    ("repeat", {"repeat": 0}, "repeat=0: must be a whole number from 1 up"),
    ("repeat without end", {"repeat": 10**9}, "repeat=1000000000: must be at most 1,000"),
    ("concurrency", {"concurrency": True}, "concurrency=True: must be a whole number from 1 up"),
    ("rubric", {"rubric": ["a"]},
     "rubric=['a']: pass a mapping of paths to criteria, or a criterion as text"),
    ("criterion", {"rubric": {"a": 1}}, "rubric['a']=1: say in words what makes a value right"),
    ("records", {"records": "r.jsonl"},
     NO_RECORDS),
)  # fmt: skip


@pytest.mark.parametrize(("options", "message"), [pytest.param(*row[1:], id=row[0]) for row in BAD])
def test_bad_options(options: dict[str, Any], message: str) -> None:
    given = {"records": [], "judge": Judge(), "rubric": RUBRIC, **options}
    with pytest.raises(ConfigError) as raised:
        check_judge(given.pop("records"), given.pop("judge"), **given)
    assert str(raised.value) == message


# ----------------------------------------------------------------------------------------------- bars


@pytest.mark.parametrize(
    ("bars", "passed"),
    [
        ({}, True),
        ({"min_accuracy": 0.75, "min_kappa": 0.5, "min_coverage": 1.0}, True),
        ({"min_accuracy": 0.76}, False),
        ({"min_kappa": 0.51}, False),
    ],
    ids=str,
)
def test_bars(bars: dict[str, float], passed: bool) -> None:
    records = [labelled(a=True, b=False), labelled(a=True, b=True)]
    assert check_judge(records, Judge(), rubric=RUBRIC).passed(**bars) is passed


def test_no_kappa_reaches_no_bar() -> None:
    found = check_judge([labelled(a=True)], Judge(), rubric=RUBRIC)
    assert (found.overall.accuracy, found.overall.kappa) == (1.0, None)
    assert (found.passed(min_kappa=-1), found.passed()) == (False, True)


def test_nothing_judged_passes_nothing() -> None:
    assert not check_judge([], Judge(), rubric=RUBRIC).passed()


# ------------------------------------------------------------------------------------- as it goes on


def test_what_was_found_so_far_and_one_to_add_to() -> None:
    seen: list[tuple[int, int]] = []
    check = JudgeCheck()
    for _ in range(2):
        found = check_judge(
            [labelled(a=True), labelled(b=False)],
            Judge(),
            rubric=RUBRIC,
            on_record=lambda now: seen.append((now.records, now.overall.judged)),
            check=check,
        )
        assert found is check
    assert seen == [(1, 1), (2, 2), (3, 3), (4, 4)]


def test_an_interruption_keeps_what_was_finished() -> None:
    def stop(now: JudgeCheck) -> None:
        if now.records == 2:
            raise KeyboardInterrupt

    check = JudgeCheck()
    with pytest.raises(KeyboardInterrupt):
        check_judge([labelled(a=True)] * 9, Judge(), rubric=RUBRIC, on_record=stop, check=check)
    assert (check.records, check.overall.judged) == (2, 2)
