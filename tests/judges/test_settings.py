"""Which errors refuse a setting, and which only speak of one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx2
import openai
import pytest

from fieldwise.judges.clients.settings import Settings, refused_setting


def bad_request(text: str, body: Any = None) -> Exception:
    response = httpx2.Response(400, request=httpx2.Request("POST", "http://127.0.0.1"))
    return openai.BadRequestError(text, response=response, body=body)


USED = {"temperature": 0.0, "max_tokens": 9, "response_format": {}}
LONG = "maximum context length is 10 tokens; reduce the messages or max_tokens"
ERRORS: tuple[tuple[str, str, dict[str, Any], str | None], ...] = (
    ("param", "no", {"param": "temperature"}, "temperature"),
    ("unsupported", "Unsupported parameter: 'max_tokens'", {}, "max_tokens"),
    ("does-not-support", "this model does not support temperature", {}, "temperature"),
    ("deprecated", "`temperature` is deprecated for this model", {}, "temperature"),
    ("mentioned", LONG, {}, None),
    ("too-long", LONG, {"code": "context_length_exceeded", "param": "max_tokens"}, None),
    ("too-high", "Invalid 'temperature': decimal above maximum value", {"param": "temperature"}, None),
    ("too-large", "max_tokens is too large: 500000", {"param": "max_tokens"}, None),
    ("schema", "Invalid schema for response_format 'verdict'", {"param": "response_format"}, None),
    ("value", "no", {"code": "unsupported_value", "param": "temperature"}, "temperature"),
    ("nothing-used", "Unsupported parameter: 'top_p'", {}, None),
)


@pytest.mark.parametrize(("text", "body", "refused"), [pytest.param(*row[1:], id=row[0]) for row in ERRORS])
def test_a_refusal_says_that_a_setting_is_not_taken(
    text: str, body: dict[str, Any], refused: str | None
) -> None:
    assert refused_setting(bad_request(text, body), USED) == refused


# --------------------------------------------------------------------------------------------- giving up


class Model:
    """Refuses some settings; else does what comes next: raises it, or returns it."""

    def __init__(self, *refused: str, then: Any = ()) -> None:
        self.refused = refused
        self.then = list(then)
        self.seen: list[dict[str, Any]] = []

    def __call__(self, settings: dict[str, Any]) -> Any:
        self.seen.append(settings)
        for name in self.refused:
            if name in settings:
                raise bad_request(f"Unsupported parameter: '{name}'")
        came = self.then.pop(0) if self.then else "reply"
        if isinstance(came, Exception):
            raise came
        return came


def sync(settings: Settings, model: Model) -> Any:
    return settings.call(model)


def awaited(settings: Settings, model: Model) -> Any:
    async def send(given: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        return model(given)

    return asyncio.run(settings.acall(send))


@pytest.fixture(params=[sync, awaited])
def call(request: pytest.FixtureRequest) -> Callable[[Settings, Model], Any]:
    found: Callable[[Settings, Model], Any] = request.param
    return found


def test_what_is_refused_is_left_out_or_goes_by_its_other_name(call: Any) -> None:
    settings, model = Settings(temperature=0.0, max_tokens=9, seed=None), Model("temperature", "max_tokens")
    assert [call(settings, model) for _ in range(2)] == ["reply", "reply"]
    left = {"max_completion_tokens": 9}
    assert model.seen == [
        {"temperature": 0.0, "max_tokens": 9},
        {"max_tokens": 9},
        left,
        left,
    ]


def test_a_token_limit_that_is_refused_under_either_name_is_left_out(call: Any) -> None:
    settings, model = Settings(max_tokens=9), Model("max_tokens", "max_completion_tokens")
    assert [call(settings, model) for _ in range(2)] == ["reply", "reply"]
    assert model.seen == [{"max_tokens": 9}, {"max_completion_tokens": 9}, {}, {}]


def test_a_setting_is_given_up_only_when_the_call_without_it_succeeds(call: Any) -> None:
    settings = Settings(temperature=0.0)
    with pytest.raises(ConnectionResetError):
        call(settings, Model("temperature", then=[ConnectionResetError("by peer")]))
    model = Model()
    assert call(settings, model) == "reply"
    assert model.seen == [{"temperature": 0.0}]


def test_an_error_that_refuses_nothing_is_raised_after_one_call(call: Any) -> None:
    model = Model(then=[bad_request("maximum context length is 10 tokens")])
    with pytest.raises(openai.BadRequestError):
        call(Settings(temperature=0.0), model)
    assert model.seen == [{"temperature": 0.0}]


def test_calls_at_once_that_are_refused_each_get_through() -> None:
    settings = Settings(temperature=0.0)
    model = Model("temperature")

    async def send(given: dict[str, Any]) -> Any:
        await asyncio.sleep(0.001)
        return model(given)

    async def several() -> list[Any]:
        return list(await asyncio.gather(*(settings.acall(send) for _ in range(4))))

    assert asyncio.run(several()) == ["reply"] * 4
    assert [len(one) for one in model.seen] == [1] * 4 + [0] * 4
