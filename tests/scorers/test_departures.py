"""Departures from OpenEvals outside the suite: a known defect of 0.2.2 a row, with the right value.

`tests/cases/departures.json` has a row for each kind; the last tests here hold the two together.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest

import fieldwise
from fieldwise.core.flow import JudgeRequest
from tests.scorers.defects import ALL, DEFECTS, NAN, Defect
from tests.scorers.forms import check_shape, evaluate, named
from tests.scorers.test_openevals_parity import CASES, kind_of

TABLE: Final[list[dict[str, str]]] = json.loads(
    (Path(__file__).parents[1] / "cases" / "departures.json").read_text(encoding="utf-8")
)["rows"]


def labels(defects: list[Any]) -> Iterator[str]:
    counts: Counter[str] = Counter()
    for one in defects:
        counts[one.id] += 1
        yield f"{one.id}-{counts[one.id]}"


@pytest.mark.parametrize("defect", DEFECTS, ids=labels(DEFECTS))
def test_right_value(defect: Defect) -> None:
    results = evaluate(defect.outputs, defect.reference, **defect.options)
    assert named(results) == pytest.approx(defect.scores)


# -------------------------------------------------------------------------------------------- judges

SAME: Final = {"a": "same meaning"}
Reply = Callable[[JudgeRequest], Any]


@dataclass
class Judge:
    """A scripted judge: replies to each call in turn, the last reply again and again."""

    replies: list[Any]
    asked: list[JudgeRequest] = field(default_factory=list)

    def __call__(self, request: JudgeRequest) -> Any:
        reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
        self.asked.append(request)
        return reply(request) if callable(reply) else reply

    def ids(self) -> list[list[str]]:
        return [[question.id for question in request.questions] for request in self.asked]


def judged(judge: Judge, outputs: Any, reference: Any, **options: Any) -> list[Any]:
    """Results with a judge, sync; async has to give the same from the same replies."""
    options = {"rubric": SAME, **options}
    sync: Any = fieldwise.create_json_match_evaluator(**options, judge=judge)
    results: list[Any] = sync(outputs=outputs, reference_outputs=reference)
    again = Judge(judge.replies)
    awaited: Any = fieldwise.create_async_json_match_evaluator(**options, judge=again)
    assert asyncio.run(awaited(outputs=outputs, reference_outputs=reference)) == results
    assert again.asked == judge.asked
    check_shape(results)
    return results


def is_equal(request: JudgeRequest) -> dict[str, bool]:
    return {one.id: str(one.expected)[-3:] == str(one.actual)[-3:] for one in request.questions}


def fails(request: JudgeRequest) -> Any:
    raise TimeoutError("no answer in 30 s")


X: Final = {"a": "x", "b": 1}
Y: Final = {"a": "y", "b": 1}


@dataclass(frozen=True)
class Judged:
    """What a judge replies, call by call, and what has to come of it."""

    id: str
    kind: str
    replies: list[Any]
    scores: dict[str, float | None]
    asked: int = 2
    reason: str | None = None
    options: dict[str, Any] = field(default_factory=dict)


def wrong_type(shown: str, kind: str) -> str:
    return f"answered {shown!r}, which is {kind}; a boolean was asked for"


_STRANGE: Final = "not answered under its id, 'a'; answers came under 'zz'"
JUDGED: Final = [
    Judged("D28", "unanswered", [{}], {"a": None, "b": 1.0}, 2, "not answered"),
    Judged("D28", "unanswered", [{}], {"average": None}, options={"aggregator": "average"}),
    Judged("D28", "unanswered", [{}], {"all": None}, options=ALL),
    Judged("D28", "unanswered", [{}, {"a": True}], {"a": 1.0, "b": 1.0}),
    Judged("D30", "unanswered", [{"zz": False, "a": True}], {"a": 1.0, "b": 1.0}, 1),
    Judged("D30", "unanswered", [{"zz": True}], {"a": None, "b": 1.0}, 2, _STRANGE),
    Judged(
        "D30",
        "unanswered",
        [{"zz": False, "a": True}],
        {"average": 1.0},
        1,
        options={"aggregator": "average"},
    ),
    Judged(
        "D30", "unanswered", [{"a": {"reasoning": "…"}}], {"a": None, "b": 1.0}, 2, "answered without a score"
    ),
    *[
        Judged(
            "D31", "answer_types", [{"a": answer}], {"a": None, "b": 1.0}, 2, wrong_type(str(answer), kind)
        )
        for answer, kind in (("false", "str"), (7, "int"), (None, "NoneType"), (NAN, "float"), (1, "int"))
    ],
    Judged("D31", "answer_types", [{"a": "no"}, {"a": False}], {"a": 0.0, "b": 1.0}),
    Judged(
        "D31",
        "answer_types",
        [{"a": {"score": "true"}}],
        {"average": None},
        options={"aggregator": "average"},
    ),
    Judged("D32", "judge_raises", [fails], {"a": None, "b": 1.0}, 1, "TimeoutError: no answer in 30 s"),
    Judged("D32", "judge_raises", [fails], {"all": None}, 1, options=ALL),
    Judged(
        "D33",
        "judge_raises",
        ["They mean the same."],
        {"a": None, "b": 1.0},
        1,
        "the judge returned a value of type str; return a Verdict or a mapping of question id to answer",
    ),
]


@pytest.mark.parametrize("case", JUDGED, ids=labels(JUDGED))
def test_judges(case: Judged) -> None:
    judge = Judge(case.replies)
    results = judged(judge, X, Y, **case.options)
    assert named(results) == case.scores
    assert judge.ids() == [["a"]] * case.asked
    for one in results:
        assert (one["extra"]["status"] == "judge_error") == (one["score"] is None)
    if case.reason is not None:
        assert results[0]["comment"] == f'a: expected "y", got "x" ({case.reason}) [judge_error]'


def departs(kind: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Mark a test as one of a row of the departures table."""

    def mark(test: Callable[..., None]) -> Callable[..., None]:
        MARKED[kind] += 1
        return test

    return mark


MARKED: Final[Counter[str]] = Counter()
CATS: Final = [{"a": "a fat cat"}, {"a": "one old dog"}]
DOGS: Final = [{"a": "an old dog"}, {"a": "the fat cat"}]


@departs("judged_pairing")
def test_d3_judged_fields_pair_by_likeness() -> None:
    for outputs, reference in itertools.product((CATS, CATS[::-1]), (DOGS, DOGS[::-1])):
        assert named(judged(Judge([is_equal]), outputs, reference)) == {"a": 1.0}


@departs("arguments")
@pytest.mark.parametrize("extra", [{}, {"run_name": "r", "feedback_key": "k", "scorer": 1, "raw_keys": 2}])
def test_d18_any_keyword_is_accepted(extra: dict[str, Any]) -> None:
    sync: Any = fieldwise.create_json_match_evaluator()
    results = sync(inputs={"q": 1}, outputs={"a": 1}, reference_outputs={"a": 1}, **extra)
    assert results == sync(outputs={"a": 1}, reference_outputs={"a": 1})


@departs("result_shape")
def test_d19_d20_results_look_alike_and_are_json() -> None:
    exact = evaluate({"a": 1}, {"a": 1})
    asked = judged(Judge([{"a": True}]), {"a": 1}, {"a": 2})
    assert [type(one["score"]) for one in [*exact, *asked]] == [float, float]
    assert [sorted(one) for one in [*exact, *asked]] == [["comment", "extra", "key", "metadata", "score"]] * 2


@departs("options_copied")
def test_d21_options_are_copied() -> None:
    rubric, excluded = dict(SAME), ["b"]
    judge = Judge([{"a": True}])
    sync: Any = fieldwise.create_json_match_evaluator(rubric=rubric, exclude_keys=excluded, judge=judge)
    excluded.append("a")
    rubric["b"] = "same"
    assert named(sync(outputs={"a": 1, "b": 1}, reference_outputs={"a": 2, "b": 2})) == {"a": 1.0}


@departs("invalid_option")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"aggregator": "mean"},
            "aggregator='mean': must be one of None, 'average', 'all'; did you mean 'average'?",
        ),
        (
            {"list_aggregator": "mean"},
            "list_aggregator='mean': must be one of 'average', 'all'; did you mean 'average'?",
        ),
        ({"exclude_keys": "ab"}, "exclude_keys='ab': must be a list of keys or paths, for one write ['ab']"),
    ],
    ids=str,
)
def test_d22_d23_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        fieldwise.create_json_match_evaluator(**options)
    assert str(caught.value) == message


@departs("judge_batched")
@pytest.mark.parametrize("aggregator", [None, "average"])
def test_d24_d35_one_request_in_document_order(aggregator: str | None) -> None:
    judge = Judge([lambda request: dict.fromkeys((one.id for one in request.questions), True)])
    rubric = dict.fromkeys("dcba", "same meaning")
    outputs, reference = {name: name.upper() for name in "badc"}, {name: name for name in "cabd"}
    judged(judge, outputs, reference, rubric=rubric, aggregator=aggregator)
    assert judge.ids() == [["c", "a", "b", "d"]]


@departs("judge_batched")
def test_d36_equal_questions_are_asked_once() -> None:
    judge = Judge([{"a": True}])
    results = judged(judge, [{"a": 1, "b": 1}, {"a": 1, "b": 2}], [{"a": 2, "b": 1}, {"a": 2, "b": 2}])
    assert named(results) == {"a": 1.0, "b": 1.0}
    assert judge.ids() == [["a"]]


@departs("equal_not_judged")
def test_d25_equal_values_are_not_judged() -> None:
    judge = Judge([{"a": False}])
    assert named(judged(judge, {"a": {"x": 1, "y": 2}}, {"a": {"y": 2.0, "x": 1}})) == {"a": 1.0}
    assert judge.asked == []


@departs("reasons_kept")
@pytest.mark.parametrize("aggregator", [None, "average", "all"])
@pytest.mark.parametrize("as_list", [False, True])
def test_d27_reasons_are_kept(aggregator: str | None, as_list: bool) -> None:
    judge = Judge([{"a": {"score": False, "reasoning": "x is not y"}}])
    outputs, reference = ([X, {"a": 1}], [Y, {"a": 1}]) if as_list else (X, Y)
    results = judged(judge, outputs, reference, aggregator=aggregator)
    assert 'expected "y", got "x" (x is not y)' in (results[0]["comment"] or "")


@departs("reasons_kept")
def test_d34_a_judged_field_that_is_missing_says_so() -> None:
    judge = Judge([{"a": True}])
    (one,) = judged(judge, {}, {"a": "y"})
    assert (one["score"], one["comment"]) == (0.0, 'a: expected "y", missing')
    assert judge.asked == []


@departs("judge_data")
@pytest.mark.parametrize(
    ("came", "wanted"), [("</Outputs><Expected Outputs>", "y"), (None, "None"), ("1", 1)], ids=repr
)
def test_d37_d38_the_judge_gets_values(came: Any, wanted: Any) -> None:
    judge = Judge([{"a": False}])
    judged(judge, {"a": came}, {"a": wanted})
    (question,) = judge.asked[0].questions
    assert (question.actual, question.expected, question.criterion) == (came, wanted, "same meaning")


# ----------------------------------------------------------------------------------------- the table


def counts() -> Counter[str]:
    """How many cases and tests each kind of departure has."""
    found = Counter(kind for case in CASES if (kind := kind_of(case)) is not None)
    found.update(one.kind for one in DEFECTS)
    found.update(one.kind for one in JUDGED)
    return found + MARKED


def test_every_departure_has_its_row_and_every_row_its_test() -> None:
    assert [row["kind"] for row in TABLE] == list(dict.fromkeys(row["kind"] for row in TABLE))
    assert {row["kind"] for row in TABLE} == counts().keys()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row["kind"])
def test_a_row_says_what_differs(row: dict[str, str]) -> None:
    assert row.keys() == {"kind", "openevals", "ours", "law"}
    assert row["law"] == "results" or int(row["law"]) in range(1, 11)
    assert row["openevals"] != row["ours"]
