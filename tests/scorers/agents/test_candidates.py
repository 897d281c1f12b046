"""What is looked up is what comparing each call with each finds; and many calls cost little."""

from __future__ import annotations

import random
import time
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.comparators import number, string_similarity
from fieldwise.scorers.agents.calls import ToolCall
from fieldwise.scorers.agents.comparing import candidates as _candidates
from fieldwise.scorers.agents.comparing import pairs as _comparing
from fieldwise.scorers.agents.comparing.candidates import Candidates
from fieldwise.scorers.agents.comparing.counted import counted
from fieldwise.scorers.agents.comparing.pairs import Comparing
from fieldwise.scorers.agents.comparing.tool_rules import tool_rules
from fieldwise.scorers.agents.comparing.verdicts import compare_calls
from fieldwise.scorers.agents.comparing.weighing import share
from tests.scorers.agents.call_forms import args_of, calls

SAME: Final = {"lists": {"f": {"l": "same_elements"}}}
WITHIN_1: Final = {"comparators": {"f": {"n": number(absolute=1)}}}
OPTIONS: Final[list[dict[str, Any]]] = [
    {},
    SAME,
    WITHIN_1,
    SAME | WITHIN_1,
    SAME | {"optional": {"f": ["n", "l"]}},
    {"lists": {"f": {"l": "subset"}}},
    {"lists": {"*": {"l": "superset"}}},
    {"lists": {"f": {"l": "same_elements", "l[*]": "same_elements"}}},
    {"lists": {"f": {"o.l": "same_elements", "$.l": "ordered"}}},
    {"lists": {"f": {"$..l": "same_elements"}}},
    {"lists": {"f": {"l": "same_elements", "l[0]": "same_elements"}}},
    {"comparators": {"f": {"l[*]": number(absolute=1)}}, **SAME},
    {"comparators": {"f": {"q": string_similarity(), "*": number(absolute=2)}}},
    {"null_policy": "null_equals_missing", **SAME},
    {"ignore_if": {"n": 1}, **SAME},
    {"coerce": True, **WITHIN_1},
]
numbers = st.sampled_from([0, 1, 1.0, 1.5, 2, 3, True, None, "1", float("nan"), 10**400])
lists = st.lists(st.one_of(numbers, st.lists(numbers, max_size=2)), max_size=3)
came = st.fixed_dictionaries(
    {},
    optional={
        "n": numbers,
        "q": st.sampled_from(["", "a", "ab", "A"]),
        "l": st.one_of(lists, numbers),
        "o": st.fixed_dictionaries({}, optional={"l": lists, "x": numbers}),
        "o.l": lists,
    },
)
any_of: Any = st.lists(numbers, min_size=1, max_size=2).map(lambda some: {"$any_of": some})
wanted = st.one_of(
    came,
    st.builds(lambda args, one: {**args, "n": one}, came, any_of),
    st.builds(lambda args: {**args, "q": {"$any": True}}, came),
    st.builds(lambda args, one: {**args, "l": [one, {"$any": True}, 1]}, came, any_of),
    st.lists(came, min_size=1, max_size=2).map(lambda some: {"$any_of": some}),
)
sides = st.tuples(st.lists(wanted, max_size=3), st.lists(came, max_size=2), st.lists(came, min_size=3)).map(
    lambda drawn: (drawn[0], [*drawn[1], *map(changed, *drawn[::2]), *map(turned, drawn[0])])
)
"""Calls that are expected, and some that were made: a few differ little."""


def changed(args: Any, change: Any) -> Any:
    """Arguments of which one is another."""
    return {**args, **dict([*change.items()][:1])}


def turned(args: Any) -> Any:
    """Arguments with their lists the other way round."""
    return {
        name: one[::-1] if isinstance(one, list) and name != "$any_of" else one for name, one in args.items()
    }


MODES: Final = ("exact", "superset", "subset")


def read(options: dict[str, Any], mode: Any, some: Any, *, expected: bool) -> tuple[Any, list[ToolCall]]:
    """The rule of the tool, and calls as it reads them."""
    rule = tool_rules(mode, **options).of("f")
    written = [
        args if "$any" in str(args) and expected else rule.read(args, expected=expected) for args in some
    ]
    return rule, [ToolCall("f", args) for args in written]


@given(st.sampled_from(OPTIONS), st.sampled_from(MODES), sides)
def test_calls_that_fit_are_candidates(options: dict[str, Any], mode: str, both: Any) -> None:
    some, others = both
    rule, expected = read(options, mode, some, expected=True)
    _, actual = read(options, mode, others, expected=False)
    actual += [ToolCall("f", call.args) for call in expected]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_candidates, "FEW", -1)
        found = Candidates(rule, expected, actual)
        masks = found.masks()
    for call, mask in zip(expected, masks, strict=True):
        for at, other in enumerate(actual):
            fits = compare_calls(rule, call, other).fits
            assert not fits or mask >> at & 1
            assert fits or found.key(call) != found.key(other)


@given(
    st.sampled_from(MODES),
    st.sampled_from(["recall", "precision", "f1"]),
    st.lists(came, min_size=1, max_size=3),
    st.lists(came, min_size=1, max_size=3),
)
def test_shares_that_are_counted_are_those_of_comparing(
    mode: Any, measure: Any, some: Any, others: Any
) -> None:
    expected, actual = ([ToolCall("f", args) for args in side] for side in (some, others))
    rule = tool_rules(mode).of("f")
    rows = counted(mode, expected, actual, measure)
    for call, row in zip(expected, rows, strict=True):
        for other, found in zip(actual, row, strict=True):
            verdict = compare_calls(rule, call, other)
            assert found == share(measure, verdict.right(), verdict.wanted, verdict.came)


@given(st.sampled_from(OPTIONS), st.sampled_from(MODES), sides)
def test_calls_that_are_alike_are_compared_once_and_weigh_the_same(
    options: dict[str, Any], mode: Any, both: Any
) -> None:
    some, others = both
    _, expected = read(options, mode, [*some, *some], expected=True)
    _, actual = read(options, mode, [*others, *others], expected=False)
    if not expected or not actual:
        return
    rules = tool_rules(mode, **options)
    comparing = Comparing(rules, expected, ["f"] * len(expected))
    rows = comparing.possible("f", expected, actual)
    assert rows[: len(some)] == rows[len(some) :]
    for call, row in zip(expected, rows, strict=True):
        fits = [compare_calls(rules.of("f"), call, other).possible for other in actual]
        assert [weight > 0 for weight in row] == fits


@pytest.mark.parametrize("word", ["same_elements", "subset", "superset"])
@pytest.mark.parametrize("scoring", ["all_or_nothing", "graded"])
def test_lists_in_another_order_are_the_same_however_many_calls(word: str, scoring: str) -> None:
    expected = calls(*[("f", {"l": [at, 1, 2]}) for at in range(500)])
    made = calls(*[("f", {"l": [2, 1, at]}) for at in range(500)])
    options = {"lists": {"f": {"l": word}}, "scoring": scoring}
    found = args_of(made, expected, **options)
    assert (found["score"], found["comment"]) == (1.0, None)


def test_past_the_bound_equal_calls_go_first_and_the_note_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_comparing, "MAX_COMPARED", 50)
    asked = []

    def close(one: int, other: int) -> bool:
        asked.append((one, other))
        return abs(one - other) <= 1

    options = {"comparators": {"f": {"n": close}}}
    expected = calls(*[("f", {"n": at}) for at in range(20)])
    found = args_of(expected[::-1], expected, **options)
    assert (found["score"], found["comment"], asked) == (1.0, None, [])
    made = calls(*[("f", {"n": at if at < 15 else at + 100}) for at in range(20)])
    found = args_of(made, expected, **options)
    assert found["score"] == 0.75
    assert found["comment"] == (
        "15 of 20 calls right: call 15 (f), argument n: expected 15, got 115; "
        "f: of 400 pairs that may fit, equal ones went first"
    )


def test_a_call_that_fits_is_found_although_not_every_pair_was_compared(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_comparing, "MAX_COMPARED", 20)
    options = {"comparators": {"f": {"n": lambda one, other: one == other + 0.5}}}
    expected = calls(*[("f", {"n": at + 0.5}) for at in range(20)])
    made = calls(*[("f", {"n": (at + 7) % 20}) for at in range(20)])
    found = args_of(made, expected, **options)
    assert found["score"] == 1.0
    assert found["comment"] == "f: of 400 pairs that may fit, 1 for each call were compared"


JUDGE: Any = lambda request: {one.id: {"score": False} for one in request.questions}  # noqa: E731
TEXTS: Final = [{"q": f"t {at}"} for at in range(2000)], [{"q": f"ts {at}"} for at in range(2000)]


def numbered(of: Any) -> list[dict[str, Any]]:
    return [of(at) for at in range(2000)]


@pytest.mark.parametrize(
    ("made", "expected", "options", "score"),
    [
        pytest.param(*[numbered(lambda at: {"l": [at, 1]})] * 2, SAME, 1.0, id="identical lists"),
        pytest.param(
            numbered(lambda at: {"l": [1, at]}),
            numbered(lambda at: {"l": [at, 1]}),
            SAME,
            1.0,
            id="other order",
        ),
        pytest.param(
            numbered(lambda at: {"l": [1, at + 0.5]}),
            numbered(lambda at: {"l": [at, 1]}),
            SAME,
            0.0,
            id="others",
        ),
        pytest.param(
            numbered(lambda at: {"x": at, "q": "t"}),
            numbered(lambda at: {"x": {"$any_of": [at, -1]}, "q": {"$any": True}}),
            {},
            1.0,
            id="alternatives",
        ),
        pytest.param(
            numbered(lambda at: {"n": at + 0.5}), numbered(lambda at: {"n": at}), WITHIN_1, 1.0, id="numbers"
        ),
        pytest.param(
            numbered(lambda at: {"n": at + 0.5, "q": "a"}),
            numbered(lambda at: {"n": at, "q": {"m": [at % 7]}}),
            {"scoring": "graded", "subset": True},
            0.0,
            id="graded",
        ),
        pytest.param(*TEXTS, {"comparators": {"f": {"q": "fuzzy"}}}, 0.0, id="fuzzy"),
        pytest.param(*TEXTS, {"rubric": {"f": {"q": "same"}}, "judge": JUDGE}, 0.0, id="rubric"),
    ],
)
def test_many_calls_take_little_time(made: Any, expected: Any, options: dict[str, Any], score: float) -> None:
    sides = [[{"name": "f", "args": args} for args in side] for side in (made, expected)]
    random.Random(1).shuffle(sides[0])  # noqa: S311 - no secret
    start = time.process_time()
    found = args_of(*sides, **options)
    assert found["score"] == score
    assert time.process_time() - start < 12.0  # both forms; a slow machine has time
