"""What people reported of evaluators of tool arguments, and the one argument that a judge decides on."""

from __future__ import annotations

from typing import Any

import pytest

import fieldwise
from fieldwise.comparators import fuzzy, regex, within
from fieldwise.errors import ConfigError
from fieldwise.evaluators.arguments import create_tool_call_args_evaluator
from tests.scorers.agents.call_forms import args_of, calls, evaluate

T13 = [{"name": "list", "args": {"status": "Q"}}]
T15 = (calls(("add", {"a": 1, "b": 2, "mode": "fast"})), calls(("add", {"a": 1, "b": 2})))
T17 = (
    calls(("plan", {"kind": "a", "summary": "Write a greeting", "n": 1.0})),
    calls(("plan", {"kind": "a", "summary": "Write greeting", "n": 1})),
)
T18 = calls(("call", {"token": {"$any": True}, "q": "x"}))
FUZZY = {"*": {"summary": within(fuzzy(), 0.8)}}
IGNORED = {"page": 1, "page_size": 5}


def function(name: str, arguments: Any) -> list[dict[str, Any]]:
    return [{"function": {"name": name, "arguments": arguments}}]


def listed(**args: Any) -> list[dict[str, Any]]:
    return calls(("list", {"status": "Q", **args}))


REPORTS: dict[str, tuple[Any, Any, dict[str, Any], float]] = {
    "T03 key order": (
        calls(("find", {"filter": {"lang": "de", "year": 2021}})),
        calls(("find", {"filter": {"year": 2021, "lang": "de"}})),
        {},
        1.0,
    ),
    "T03 text is no number": (calls(("f", {"n": "1"})), calls(("f", {"n": 1})), {}, 0.0),
    "T07 twice": (calls(*[("search", {"q": "x"})] * 2), calls(*[("search", {"q": "x"})] * 2), {}, 1.0),
    "T07 once of two": (calls(("search", {"q": "x"})), calls(*[("search", {"q": "x"})] * 2), {}, 0.5),
    "T12 no arguments": (function("ping", ""), calls(("ping", {})), {}, 1.0),
    "T12 broken": (function("ping", '{"x": 1'), calls(("ping", {})), {}, 0.0),
    "T12 a list": (function("ping", "[]"), calls(("ping", {})), {}, 0.0),
    "T13 invented": (listed(page=1, drop_all=True), T13, {"ignore_if": IGNORED}, 0.0),
    "T13 default": (listed(page=1), T13, {"ignore_if": IGNORED}, 1.0),
    "T13 another value": (listed(page=2), T13, {"ignore_if": IGNORED}, 0.0),
    "T13 left out": (T13, listed(page=1), {"ignore_if": IGNORED}, 1.0),
    "T15 exact": (*T15, {}, 0.0),
    "T15 recall": (*T15, {"scoring": "graded"}, 1.0),
    "T15 precision": (*T15, {"scoring": "graded", "measure": "precision"}, 2 / 3),
    "T17 fuzzy": (*T17, {"comparators": FUZZY}, 1.0),
    "T17 graded": (*T17, {"scoring": "graded"}, 2 / 3),
    "T17 both": (*T17, {"scoring": "graded", "comparators": FUZZY}, 1.0),
    "T18 any": (calls(("call", {"token": "9f2", "q": "x"})), T18, {}, 1.0),
    "T18 absent": (calls(("call", {"q": "x"})), T18, {}, 0.0),
    "T18 optional": (calls(("call", {"q": "x"})), T18, {"optional": {"call": ["token"]}}, 1.0),
    "T18 literal": (
        calls(("call", {"token": {"$any": True}})),
        calls(("call", {"token": {"$literal": {"$any": True}}})),
        {},
        1.0,
    ),
    "T18 literal is no wildcard": (
        calls(("call", {"token": "9f2"})),
        calls(("call", {"token": {"$literal": {"$any": True}}})),
        {},
        0.0,
    ),
    "T20 no regex": (
        calls(("open", {"port": 8080, "kinds": ["nodes"]})),
        calls(("open", {"port": 80, "kinds": ["namespaces"]})),
        {},
        0.0,
    ),
    "T20 regex, whole": (
        calls(("open", {"id": "ab12"})),
        calls(("open", {"id": "[a-z]+"})),
        {"comparators": {"open": {"id": "regex"}}},
        0.0,
    ),
    "T20 regex": (
        calls(("open", {"id": "ab12"})),
        calls(("open", {"id": "[a-z0-9]+"})),
        {"comparators": {"open": {"id": regex()}}},
        1.0,
    ),
    "T23 a valid assignment": (
        calls(("s", {"q": "x", "n": 5}), ("s", {"q": "x"})),
        calls(("s", {"q": "x"}), ("s", {"q": "x", "n": 5})),
        {"subset": True},
        1.0,
    ),
    "T29 text and object": (function("f", '{"a": 1, "b": [2]}'), calls(("f", {"b": [2], "a": 1})), {}, 1.0),
    "T29 twice encoded": (
        function("f", '"{\\"a\\":1}"'),
        calls(("f", {"a": 1})),
        {"decode_twice": True},
        1.0,
    ),
}


@pytest.mark.parametrize(("outputs", "reference", "options", "score"), REPORTS.values(), ids=REPORTS)
def test_what_people_reported(outputs: Any, reference: Any, options: dict[str, Any], score: float) -> None:
    found = args_of(outputs, reference, **options)
    assert found["score"] == pytest.approx(score)
    assert found["extra"]["status"] == "graded"


class Judge:
    """Answers every question alike, and counts the requests."""

    def __init__(self, answer: Any = True) -> None:
        self.answer, self.requests = answer, 0

    def __call__(self, request: Any) -> dict[str, Any]:
        self.requests += 1
        return {one.id: self.answer for one in request.questions}


RUBRIC = {"note": {"reason": "same meaning"}}
NOTES = calls(
    ("note", {"id": 7, "reason": "queued for one hour"}), ("note", {"id": 8, "reason": "sent back"})
)


def judged(made: Any, reference: Any, judge: Judge, **options: Any) -> Any:
    """The result of the sync evaluator: two forms would ask twice."""
    return create_tool_call_args_evaluator(rubric=RUBRIC, judge=judge, **options)(
        outputs=made, reference_outputs=reference
    )


@pytest.mark.parametrize(("answer", "score"), [(True, 1.0), (False, 0.0)])
def test_t19_one_free_text_is_judged(answer: bool, score: float) -> None:
    judge = Judge(answer)
    found = judged(calls(("note", {"id": 7, "reason": "queued for 1 hour"})), NOTES[:1], judge)
    assert (found["score"], judge.requests, found["extra"]["usage"]) == (score, 1, {"judge_calls": 1})


def test_t19_a_wrong_id_asks_nobody() -> None:
    judge = Judge()
    found = judged(calls(("note", {"id": 9, "reason": "queued for 1 hour"})), NOTES[:1], judge)
    assert (found["score"], judge.requests) == (0.0, 0)
    assert found["comment"] == "0 of 1 calls right: call 0 (note), argument id: expected 7, got 9"


def test_all_texts_of_a_record_are_asked_about_at_once_each_with_the_likest() -> None:
    judge = Judge()
    same = calls(
        ("note", {"id": 1, "reason": "queued for one hour"}), ("note", {"id": 1, "reason": "sent back"})
    )
    made = calls(
        ("note", {"id": 1, "reason": "sent it back"}), ("note", {"id": 1, "reason": "queued one hour"})
    )
    found = judged(made, same, judge)
    assert (found["score"], judge.requests) == (1.0, 1)
    assert [row["by"] for row in found["extra"]["report"]] == ["call 1", "call 0"]


def test_equal_texts_and_hopeless_records_are_not_judged() -> None:
    judge = Judge()
    assert judged(NOTES, NOTES, judge)["score"] == 1.0
    made = calls(("note", {"id": 7, "reason": "queued"}), ("note", {"id": 9, "reason": "sent back"}))
    assert judged(made, NOTES, judge, strict=True)["score"] == 0.0
    assert judge.requests == 0


def test_a_judge_that_does_not_answer_withholds_the_score() -> None:
    found = judged(calls(("note", {"id": 7, "reason": "queued"})), NOTES[:1], Judge("perhaps"))
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")
    assert found["comment"] == (
        'judge_error: reason: expected "queued for one hour", got "queued" '
        "(answered 'perhaps', which is str; a boolean was asked for) [judge_error]"
    )


def broken(_expected: Any, _actual: Any) -> float:
    raise RuntimeError("no network")


def test_a_comparison_that_fails_withholds_the_score_where_it_matters() -> None:
    options: dict[str, Any] = {"comparators": {"*": {"q": broken}}}
    made = calls(("s", {"q": "y", "n": 1}))
    found = args_of(made, calls(("s", {"q": "x", "n": 1})), **options)
    assert (found["score"], found["extra"]["status"]) == (None, "not_evaluated")
    assert args_of(made, calls(("s", {"q": "x", "n": 2})), **options)["score"] == 0.0
    assert args_of(made, calls(("s", {"q": "y", "n": 1})), **options)["score"] == 1.0


# ------------------------------------------------------------------------- what need not be spoken of

WEATHER = {"weather": {"unit": "C"}}


@pytest.mark.parametrize(
    ("ignore_if", "made", "score"),
    [
        ({"unit": "C"}, ("weather", {"q": 1, "unit": "C"}), 1.0),
        ({"*": {"unit": "C"}}, ("weather", {"q": 1, "unit": "C"}), 1.0),
        (WEATHER, ("weather", {"q": 1, "unit": "C"}), 1.0),
        (WEATHER, ("weather", {"q": 1, "unit": "F"}), 0.0),
        (WEATHER, ("other", {"q": 1, "unit": "C"}), 0.0),
        ({"Weather Now": {"unit": "C"}}, ("Weather_Now", {"q": 1, "unit": "C"}), 1.0),
        ({"*": {"unit": "F"}, **WEATHER}, ("weather", {"q": 1, "unit": "C"}), 1.0),
        ({"page": 1, **WEATHER}, ("weather", {"q": 1, "unit": "C", "page": 1}), 1.0),
        ({"page": 1, **WEATHER}, ("other", {"q": 1, "page": 1}), 1.0),
        (WEATHER, ("other", {"q": 1, "weather": {"unit": "C"}}), 1.0),
        ({"*": WEATHER}, ("other", {"q": 1, "weather": {"unit": "C"}}), 1.0),
        ({"*": WEATHER}, ("weather", {"q": 1, "unit": "C"}), 0.0),
    ],
)
def test_a_value_is_ignored_of_any_tool_or_of_one(ignore_if: Any, made: Any, score: float) -> None:
    found = args_of(calls(made), calls((made[0], {"q": 1})), ignore_if=ignore_if)
    assert found["score"] == score


@pytest.mark.parametrize(("mode", "sides"), [("superset", (0, 1)), ("subset", (1, 0))])
def test_what_is_ignored_may_be_left_out_in_every_mode(mode: str, sides: tuple[int, int]) -> None:
    both = calls(("weather", {"q": 1})), calls(("weather", {"q": 1, "unit": "C"}))
    made, expected = (both[side] for side in sides)
    assert args_of(made, expected, mode=mode, ignore_if=WEATHER)["score"] == 1.0
    assert args_of(made, expected, mode=mode, ignore_if={"other": {"unit": "C"}})["score"] == 0.0


def test_what_is_filled_in_is_no_unknown_argument() -> None:
    made = calls(("weather", {"q": 1, "unit": "C", "drop": 1}))
    schema = {"weather": {"type": "object", "properties": {"q": {}}}}
    for mode in ("superset", "exact"):
        found = args_of(
            made, calls(("weather", {"q": 1})), mode=mode, schemas=schema, ignore_if={"page": 1, **WEATHER}
        )
        unknown = [{"tool": "weather", "by": "call 0", "argument": "drop"}]
        assert found["extra"]["unknown_arguments"] == unknown, mode


def test_any_tool_needs_a_mapping() -> None:
    with pytest.raises(ConfigError) as caught:
        create_tool_call_args_evaluator(ignore_if={"*": 1})
    assert str(caught.value) == (
        "ignore_if['*']=1: must be a mapping from argument to value; for an argument of any tool write "
        "ignore_if={'argument': value}"
    )


# ------------------------------------------------------------------------------------------- retries

PAGED = {"f": {"type": "object", "properties": {"q": {}, "page": {"default": 1}}}}


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, 0.5),
        ({"schemas": PAGED}, 1.0),
        ({"schemas": PAGED, "subset": True}, 1.0),
        ({"schemas": PAGED, "mode": "subset"}, 1.0),
        ({"ignore_if": {"page": 1}}, 1.0),
        ({"ignore_if": {"f": {"page": 1}}}, 1.0),
        ({"ignore_if": {"g": {"page": 1}}}, 0.5),
    ],
)
def test_a_retry_has_the_same_arguments_as_the_options_read_them(
    options: dict[str, Any], score: float
) -> None:
    made = [
        {"name": "f", "args": {"q": "x"}, "error": "down"},
        {"name": "f", "args": {"q": "x", "page": 1}, "output": "ok"},
    ]
    expected = calls(("f", {"q": "x", "page": 1}))
    found = args_of(made, expected, retries="last", measure="precision", **options)
    assert found["score"] == score


# --------------------------------------------------------------------------------------- the nearest


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize(
    ("made", "expected", "options", "fault"),
    [
        (
            [{"q": 1, "n": 3, "z": 1, "y": 1}, {"q": 2, "n": 9}],
            [{"q": 1, "n": 9}],
            {},
            "call 0 (s), argument q: expected 1, got 2",
        ),
        (
            [{"q": 1, "z": 2}, {}],
            [{"q": 1, "n": 9}],
            {"subset": True},
            "call 0 (s), argument n: expected 9, missing",
        ),
        (
            [{"q": "zebra", "n": 3}, {"q": "LLAMAS", "n": 3}],
            [{"q": "llamas", "n": 9}],
            {"comparators": {"*": {"q": lambda wanted, came: wanted == came.lower()}}},
            "call 0 (s), argument n: expected 9, got 3",
        ),
        (
            [{"a": 1, "b": 1, "c": 1}, {"a": 2, "b": 3}],
            [{"a": {"$any": True}, "b": 2}],
            {},
            "call 0 (s), argument b: expected 2, got 3",
        ),
    ],
)
def test_what_is_wrong_is_told_of_the_call_with_the_fewest_faults(
    made: list[Any], expected: list[Any], options: dict[str, Any], fault: str, order: int
) -> None:
    outputs = calls(*[("s", one) for one in made[::order]])
    found = args_of(outputs, calls(*[("s", one) for one in expected]), **options)
    assert found["comment"] == f"0 of 1 calls right: {fault}"


# ------------------------------------------------------------------------------- misspelt wildcards

LITERAL = 'If it is the value, write {"$literal": …} around it'
SLIPS = [
    ({"$anyof": [1]}, f'{{"$anyof":[1]}} is no wildcard; did you mean "$any_of"? {LITERAL}'),
    ({"$any": False}, f'{{"$any":false}} is no wildcard; write {{"$any": true}} by itself. {LITERAL}'),
    ({"$any_of": []}, f'{{"$any_of":[]}} is no wildcard; write {{"$any_of": [x, y]}} by itself. {LITERAL}'),
    (
        {"$any": True, "b": 1},
        f'{{"$any":true,"b":1}} is no wildcard; write {{"$any": true}} by itself. {LITERAL}',
    ),
    ([{"$any_of": [{"$Any": 1}]}], f'{{"$Any":1}} is no wildcard; did you mean "$any"? {LITERAL}'),
    (
        {"$anythingbutthis": 1},
        (
            '{"$anythingbutthis":1} is no wildcard; there are {"$any": true}, {"$any_of": [x, y]}, '
            f'{{"$literal": x}}. {LITERAL}'
        ),
    ),
]


@pytest.mark.parametrize(("value", "slip"), SLIPS, ids=[str(value) for value, _ in SLIPS])
@pytest.mark.parametrize(
    ("declared", "option", "part"),
    [("tool_call_args", "tool_calls", "args"), ("tool_call_output", "tool_outputs", "output")],
)
def test_a_misspelt_wildcard_is_never_a_value(
    value: Any, slip: str, declared: str, option: str, part: str
) -> None:
    expected = [{"name": "f", part: {"q": value}}]
    found = evaluate(declared, [{"name": "f", part: {"q": 2}}], expected)
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")
    assert found["comment"] == f"reference_outputs: call 0: {slip}"
    assert evaluate(declared, expected, expected)["score"] == 1.0
    escaped = [{"name": "f", part: {"q": {"$literal": value}}}]
    assert evaluate(declared, expected, escaped)["score"] == 1.0
    with pytest.raises(ConfigError) as caught:
        getattr(fieldwise, f"create_{declared}_evaluator")(**{option: expected})
    assert str(caught.value) == f"{option}: call 0: {slip}"


def test_too_many_alternatives_of_an_output_are_the_references_fault() -> None:
    many = {"$any_of": list(range(60))}
    expected = [{"name": "f", "output": {"a": many, "b": many}}]
    found = evaluate("tool_call_output", [{"name": "f", "output": {"a": 1, "b": 2}}], expected)
    assert (found["score"], found["extra"]["status"]) == (None, "invalid_reference")
    assert found["comment"] == "reference_outputs: call 0: more than 100 alternatives"
