"""Options of `create_judge` that are wrong, or would do nothing: refused when the judge is made."""

from __future__ import annotations

from typing import Any

import pytest

import fieldwise
from fieldwise.core.flow import JudgeRequest, Verdict
from fieldwise.errors import ConfigError
from fieldwise.judges.limits import Limits
from tests.judges.fakes import chat_model


def answers(request: JudgeRequest) -> Verdict:
    return Verdict({one.id: True for one in request.questions})


_TEMPERATURE = "must be a finite number of at least 0, or None for the model's own"
_TOKENS = "must be a whole number from 1 up, or None"
_SYSTEM = "must be text, and not empty; None for the words of the judge"
_CACHE = "names no file: pass a path, True for a cache in memory, or leave it out"
WRONG: tuple[tuple[str, Any, str], ...] = (
    (
        "structured_output_kwargs",
        5,
        "structured_output_kwargs=5: must be a mapping of text to value, {'method': 'json_schema'}",
    ),
    (
        "structured_output_kwargs",
        {1: 2},
        "structured_output_kwargs={1: 2}: must be a mapping of text to value, {'method': 'json_schema'}",
    ),
    ("limits", 5, "limits=5: must be a Limits, limits=Limits(max_calls=100)"),
    ("limits", False, "limits=False: must be a Limits, limits=Limits(max_calls=100)"),
    ("prompt", 5, "prompt=5: must be text, a LangChain prompt or a callable that returns messages"),
    ("temperature", "hot", f"temperature='hot': {_TEMPERATURE}"),
    ("temperature", float("nan"), f"temperature=nan: {_TEMPERATURE}"),
    ("temperature", -5, f"temperature=-5: {_TEMPERATURE}"),
    ("temperature", True, f"temperature=True: {_TEMPERATURE}"),
    ("max_tokens", -1, f"max_tokens=-1: {_TOKENS}"),
    ("max_tokens", "x", f"max_tokens='x': {_TOKENS}"),
    ("max_tokens", True, f"max_tokens=True: {_TOKENS}"),
    ("system", 5, f"system=5: {_SYSTEM}"),
    ("system", "", f"system='': {_SYSTEM}"),
    ("per_key", "no", "per_key='no': must be True or False"),
    ("cache", "", f"cache='': {_CACHE}"),
)


@pytest.mark.parametrize(
    ("option", "value", "message"), [pytest.param(*row, id=f"{row[0]}-{row[1]}") for row in WRONG]
)
def test_a_wrong_value_is_refused(option: str, value: Any, message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_judge(chat_model(), **{option: value})
    assert str(raised.value) == message


BESIDE: tuple[tuple[str, Any], ...] = (
    ("timeout", None),
    ("timeout", 5),
    ("max_retries", 0),
    ("concurrency", 4),
    ("requests_per_minute", 60),
    ("max_calls", 10),
    ("max_total_tokens", 10),
    ("max_cost", 1.0),
    ("max_seconds", 1.0),
    ("price", (1, 2)),
)


@pytest.mark.parametrize(("option", "value"), BESIDE)
def test_options_beside_limits_are_refused(option: str, value: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_judge(chat_model(), limits=Limits(), **{option: value})
    assert str(raised.value) == (
        f"{option}={value!r} is given beside limits, which stand in its place: "
        f"write limits=Limits({option}={value!r}), or leave limits out"
    )


OF_CALLS: tuple[tuple[str, Any], ...] = (
    ("temperature", 0.7),
    ("temperature", None),
    ("max_tokens", 10),
    ("per_key", True),
    ("structured_output_kwargs", {"method": "json_schema"}),
)


@pytest.mark.parametrize(("option", "value"), OF_CALLS)
def test_a_function_takes_no_options_of_calls(option: str, value: Any) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_judge(answers, **{option: value})
    assert str(raised.value).startswith(f"{option}=")
    assert str(raised.value).endswith(": a function that judges is called as it is; leave it out")


RIGHT: tuple[dict[str, Any], ...] = (
    {"limits": Limits(), "timeout": 60, "max_retries": 3},
    {"temperature": None, "max_tokens": None, "system": None},
    {"temperature": 1, "max_tokens": 1, "per_key": True, "system": "Be brief."},
    {"structured_output_kwargs": {"method": "json_schema"}},
)


@pytest.mark.parametrize("given", RIGHT)
def test_right_values_are_taken(given: dict[str, Any]) -> None:
    assert fieldwise.create_judge(chat_model(), **given).awaits_only is False


def test_choices_that_are_named_twice_are_refused() -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_llm_as_judge(prompt="{outputs}", judge=answers, choices=[0, 1, 1.0])
    assert str(raised.value) == "choices=[0, 1, 1.0]: holds 1.0 twice; name each score once"
