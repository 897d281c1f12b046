"""Law 9 of json_match: every judged key is answered, asked about once more, or a judge_error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fieldwise.core.flow import JudgeRequest, Verdict
from tests.laws import strategies as some
from tests.laws.law import in_both_forms, results_of, scores_of
from tests.scorers.forms import named

JUDGED_KEYS = st.dictionaries(
    some.keys, st.sampled_from(["equal", "differs", "missing", "surplus"]), min_size=1
)


def _sides(fields: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any]]:
    outputs = {name: f"{name} 1" for name, kind in fields.items() if kind != "missing"}
    reference = {
        name: f"{name} 1" if kind == "equal" else f"{name} 2"
        for name, kind in fields.items()
        if kind != "surplus"
    }
    return outputs, reference


@given(JUDGED_KEYS, some.judges, st.sampled_from([None, "average", "all"]), st.booleans())
def test_9_every_judged_key_is_answered_or_a_judge_error(
    fields: dict[str, str], judge: some.ScriptedJudge, aggregator: str | None, plain: bool
) -> None:
    assume("output" not in fields)  # alone on one side, it is LangSmith's wrapper
    rubric = dict.fromkeys(fields, "same meaning")
    outputs, reference = _sides({**fields, "exact": "equal"})
    results = in_both_forms(
        outputs, reference, judge, rubric=rubric, aggregator=aggregator, use_reasoning=plain
    )
    wanted: dict[str, float | None] = {"exact": 1.0}
    for name, kind in fields.items():
        answer = judge.expected(name) if kind == "differs" else kind == "equal"
        wanted[name] = None if answer is None else float(answer)
    if aggregator is None:
        assert named(results) == wanted
        for one in results:
            assert one["extra"]["status"] == ("judge_error" if one["score"] is None else "graded")
        return
    (whole,) = results
    if None in wanted.values():
        assert (whole["score"], whole["extra"]["status"]) == (None, "judge_error")
        graded = [score for score in wanted.values() if score is not None]
        assert whole["extra"]["coverage"] == len(graded) / len(wanted)
        return
    given = [score for score in wanted.values() if score is not None]
    mean = sum(given) / len(given)
    assert whole["score"] == pytest.approx(mean if aggregator == "average" else float(mean == 1.0))


@given(JUDGED_KEYS, some.judges)
def test_9_only_open_questions_are_asked_and_at_most_twice(
    fields: dict[str, str], judge: some.ScriptedJudge
) -> None:
    assume("output" not in fields)  # alone on one side, it is LangSmith's wrapper
    outputs, reference = _sides(fields)
    results_of(outputs, reference, rubric=dict.fromkeys(fields, "same meaning"), judge=judge)
    differing = [name for name, kind in fields.items() if kind == "differs"]
    asked = [sorted(question.id for question in request.questions) for request in judge.asked]
    assert asked[:1] == ([sorted(differing)] if differing else [])
    assert len(asked) <= 2
    if len(asked) == 2:
        assert set(asked[1]) <= set(asked[0])
        assert asked[1] == sorted(judge.asked[1].problems)


RUBRIC = {"a": "same meaning", "b": "same meaning", "a#2": "same meaning"}
TEXT_RECORDS = st.lists(
    st.dictionaries(
        st.sampled_from(["a", "b", "a#2", "c"]), st.sampled_from(["one", "two", "three"]), max_size=4
    ),
    max_size=4,
)


@given(TEXT_RECORDS, TEXT_RECORDS, some.judges, some.options(comparators={}, exclude_keys=[]))
def test_9_lists_are_judged_place_by_place(
    outputs: Any, reference: Any, judge: some.ScriptedJudge, options: dict[str, Any]
) -> None:
    results = in_both_forms(outputs, reference, judge, rubric=RUBRIC, **options)
    for request in judge.asked:
        assert len({question.id for question in request.questions}) == len(request.questions)
    failed = any(judge.expected(one.id) is None for request in judge.asked for one in request.questions)
    if options["weights"] == {} and options["aggregator"] is not None:
        assert (results[0]["score"] is None) == failed
    if not judge.asked:
        assert all(one["score"] is not None or one["extra"]["status"] == "not_applicable" for one in results)


@given(TEXT_RECORDS, TEXT_RECORDS, st.booleans(), st.sampled_from(["average", "all"]))
def test_9_what_the_judge_says_is_what_counts(
    outputs: Any, reference: Any, verdict: bool, across: str
) -> None:
    """With a judge that always says yes, a judged field is right wherever both sides have it."""

    def judge(request: Any) -> dict[str, bool]:
        return {question.id: verdict for question in request.questions}

    found = scores_of(
        outputs, reference, rubric=RUBRIC, judge=judge, list_match_mode="ordered", list_aggregator=across
    )
    records = [
        (outputs[at] if at < len(outputs) else {}, reference[at] if at < len(reference) else {})
        for at in range(max(len(outputs), len(reference)))
    ]
    for name in RUBRIC:
        scores = [
            float(name in came and name in wanted and (verdict or came[name] == wanted[name]))
            for came, wanted in records
            if name in came or name in wanted
        ]
        if scores:
            mean = sum(scores) / len(scores)
            assert found[name] == pytest.approx(mean if across == "average" else float(mean == 1.0))


def yes(request: JudgeRequest) -> dict[str, bool]:
    return {question.id: question.field == "a" for question in request.questions}


def test_9_a_numbered_question_never_takes_the_name_of_another_field() -> None:
    outputs, reference = [{"a": 1, "a#2": 5}, {"a": 2}], [{"a": 3, "a#2": 6}, {"a": 4}]
    found = scores_of(outputs, reference, rubric=RUBRIC, judge=yes, list_match_mode="ordered")
    assert found == {"a": 1.0, "a#2": 0.0}


def test_9_the_empty_name_is_judged_under_its_own_name() -> None:
    document: dict[str, Any] = {"": "one", "$": "two"}
    other = {"": "three", "$": "four"}
    rubric = {"$['']": "same meaning", "/$": "same meaning"}
    judge = dict.fromkeys(document, True)
    assert scores_of(document, other, rubric=rubric, judge=lambda _: judge) == {"": 1.0, "$": 1.0}
    inside = {"$['']['x']": "same meaning"}
    found = scores_of({"": {"x": 1}, "x": 1}, {"": {"x": 2}, "x": 1}, rubric=inside, judge=lambda _: {})
    assert found == {"[''].x": None, "x": 1.0}


@pytest.mark.parametrize("usage", [[1], "many", 7, object()], ids=lambda usage: type(usage).__name__)
def test_9_usage_that_is_no_mapping_is_ignored(usage: Any) -> None:
    (one,) = results_of({"a": 1}, {"a": 2}, rubric={"a": "same"}, judge=lambda _: Verdict({"a": True}, usage))
    assert (one["score"], one["extra"]["usage"]) == (1.0, {"judge_calls": 1})
