"""The laws over trajectory_match: what never changes a score, and what is always full."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.scorers.agents.match_forms import MODES, matched, plain, talk

ARGS: Final = ("exact", "subset", "superset", "ignore")

VALUES: Final[st.SearchStrategy[Any]] = st.sampled_from(
    [None, True, 1, 1.0, "1", [], {}, {"u": [True]}, {"u": [1]}, float("nan")]
)
CALLS: Final = st.tuples(
    st.sampled_from(["a", "b"]), st.dictionaries(st.sampled_from(["x", "y", "z"]), VALUES, max_size=3)
)
DECISIONS: Final = st.lists(st.lists(CALLS, min_size=1, max_size=3), max_size=4)
OPTIONS: Final = st.fixed_dictionaries(
    {
        "trajectory_match_mode": st.sampled_from(MODES),
        "tool_args_match_mode": st.sampled_from(ARGS),
        "partial": st.booleans(),
    }
)
RUNS: Final = settings(max_examples=50, deadline=None)


def scored(outputs: Any, reference: Any, **options: Any) -> Any:
    return matched(talk(*outputs), talk(*reference), **options)["score"]


@RUNS
@given(DECISIONS, OPTIONS)
def test_itself_is_full(decisions: Any, options: dict[str, Any]) -> None:
    found = matched(talk(*decisions), talk(*decisions), **options)
    assert (found["score"], found["comment"]) == (1, None)


@RUNS
@given(DECISIONS, DECISIONS, OPTIONS, st.randoms(use_true_random=False))
def test_parallel_calls_have_no_order(
    outputs: Any, reference: Any, options: dict[str, Any], rng: random.Random
) -> None:
    score = scored(outputs, reference, **options)
    for side in (outputs, reference):
        for calls in side:
            rng.shuffle(calls)
        assert scored(outputs, reference, **options) == score


@RUNS
@given(DECISIONS, DECISIONS, OPTIONS, st.randoms(use_true_random=False))
def test_decisions_have_no_order_unless_strict(
    outputs: Any, reference: Any, options: dict[str, Any], rng: random.Random
) -> None:
    if options["trajectory_match_mode"] == "strict":
        options["trajectory_match_mode"] = "unordered"
    score = scored(outputs, reference, **options)
    for side in (outputs, reference):
        rng.shuffle(side)
        assert scored(outputs, reference, **options) == score


@RUNS
@given(DECISIONS, DECISIONS, OPTIONS)
def test_the_share_is_full_exactly_where_the_verdict_is_true(
    outputs: Any, reference: Any, options: dict[str, Any]
) -> None:
    share = scored(outputs, reference, **options | {"partial": True})
    assert 0 <= share <= 1
    assert (share == 1) == scored(outputs, reference, **options | {"partial": False})


@RUNS
@given(DECISIONS, DECISIONS, OPTIONS)
def test_subset_is_superset_from_the_other_side(
    outputs: Any, reference: Any, options: dict[str, Any]
) -> None:
    turned = {"subset": "superset", "superset": "subset"}
    flipped = {key: turned.get(value, value) for key, value in options.items()}
    assert scored(outputs, reference, **options) == scored(reference, outputs, **flipped)


@RUNS
@given(DECISIONS, DECISIONS, OPTIONS)
def test_unordered_is_both(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    """As many calls on both sides, and one side's all have partners: then so do the other's."""
    both = {
        mode: scored(outputs, reference, **options | {"trajectory_match_mode": mode, "partial": False})
        for mode in MODES
    }
    assert both["unordered"] == (both["subset"] and both["superset"])
    assert not both["strict"] or both["unordered"]


@RUNS
@given(DECISIONS, DECISIONS, OPTIONS)
def test_every_false_has_its_reasons(outputs: Any, reference: Any, options: dict[str, Any]) -> None:
    found = matched(talk(*outputs), talk(*reference), **options)
    reasons = found["extra"].get("differences", [])
    assert bool(reasons) == (found["score"] != 1)
    assert all(one["reason"] for one in reasons)


@RUNS
@given(DECISIONS, DECISIONS, st.sampled_from(["unordered", "subset", "superset"]), st.sampled_from(ARGS))
def test_calls_alone_and_conversations_score_the_same(
    outputs: Any, reference: Any, mode: str, args: str
) -> None:
    options = {"trajectory_match_mode": mode, "tool_args_match_mode": args}
    calls = {"tool_calls": plain(*(call for calls in outputs for call in calls))}
    assert matched(calls, talk(*reference), **options)["score"] == scored(outputs, reference, **options)


@pytest.mark.parametrize("mode", MODES)
def test_the_most_calls_find_partners(mode: str) -> None:
    """Against every assignment, on small inputs."""
    rng = random.Random(5)  # noqa: S311 - a repeatable sample
    keys = ["x", "y", "z"]
    for _ in range(150):
        sides = [
            [("s", {key: rng.randint(0, 1) for key in rng.sample(keys, rng.randint(0, 3))}) for _ in range(4)]
            for _ in range(2)
        ]
        outputs, reference = sides
        options: dict[str, Any] = {"trajectory_match_mode": mode, "tool_args_match_mode": "superset"}
        found = matched(talk(outputs), talk(reference), **options)
        assert found["extra"]["matched"] == most(outputs, reference)


def most(outputs: list[Any], reference: list[Any]) -> int:
    if not reference:
        return 0
    (_, wanted), *rest = reference
    skipped = most(outputs, rest)
    taken = (
        1 + most(outputs[:at] + outputs[at + 1 :], rest)
        for at, (_, came) in enumerate(outputs)
        if wanted.items() <= came.items()
    )
    return max([skipped, *taken])
