"""Which calls an evaluator looks at: F is a failed call, f one that worked; a digit is its argument."""

from __future__ import annotations

from typing import Any

import pytest

from fieldwise.errors import ConfigError
from fieldwise.scorers.agents.attempts import attempts
from fieldwise.scorers.agents.calls import ToolCall


def made(text: str) -> list[ToolCall]:
    """`"F1 f1,g2"`: decisions by space, calls at once by comma."""
    return [
        ToolCall(one[0].lower(), {"n": one[1:]}, failed=one[0].isupper(), group=group, at=f"{group}{one}")
        for group, decision in enumerate(text.split())
        for one in decision.split(",")
    ]


@pytest.mark.parametrize(
    ("failed_calls", "retries", "calls", "kept"),
    [
        ("count", "count", "F1 f1", "F1 f1"),
        ("ignore", "count", "F1 f1 G1", "f1"),
        ("count", "last", "F1 f1", "f1"),
        ("count", "last", "F1 F1 F1 f1", "f1"),
        ("count", "last", "F1 F1", "F1"),
        ("count", "last", "F1 g1 f1", "g1 f1"),
        ("count", "last", "F1 f2", "F1 f2"),
        ("count", "last", "F1 g1", "F1 g1"),
        ("count", "last", "f1 f1", "f1 f1"),
        ("count", "last", "F1 f1 f1", "f1 f1"),
        ("count", "last", "f1 F1", "f1 F1"),
        ("count", "last", "F1,f1", "F1 f1"),
        ("count", "last", "F1,F1 f1,f1", "f1 f1"),
        ("count", "last", "F1,F1 f1", "F1 f1"),
        ("ignore", "last", "F1 F1 g1", "g1"),
    ],
)
def test_kept(failed_calls: Any, retries: Any, calls: str, kept: str) -> None:
    found = attempts(failed_calls=failed_calls, retries=retries).of(made(calls))
    assert " ".join(call.at[1:] for call in found) == kept


def test_the_last_attempt_is_the_one_that_is_kept() -> None:
    assert [call.at for call in attempts(retries="last").of(made("F1 F1 f1"))] == ["2f1"]


def test_true_is_not_the_argument_1() -> None:
    calls = [ToolCall("f", {"n": True}, failed=True), ToolCall("f", {"n": 1}, group=1)]
    assert len(attempts(retries="last").of(calls)) == 2


def test_arguments_that_cannot_be_read_equal_none() -> None:
    calls = [ToolCall("f", problem="no JSON", failed=True), ToolCall("f", problem="no JSON", group=1)]
    assert len(attempts(retries="last").of(calls)) == 2


def test_many_failures_take_no_long() -> None:
    calls = [ToolCall("f", failed=True, group=at // 10_000) for at in range(20_000)]
    assert len(attempts(retries="last").of(calls)) == 10_000


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"failed_calls": "drop"}, "failed_calls='drop': must be one of 'count', 'ignore'"),
        ({"retries": "lats"}, "retries='lats': must be one of 'count', 'last'; did you mean 'last'?"),
    ],
)
def test_options(option: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        attempts(**option)
    assert str(caught.value) == message
