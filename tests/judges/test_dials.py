"""Which errors refuse a setting, and which only speak of one."""

from __future__ import annotations

from typing import Any

import httpx2
import openai
import pytest

from fieldwise.judges._dials import refused_setting

USED = {"temperature": 0.0, "max_tokens": 9, "response_format": {}}
LONG = "maximum context length is 10 tokens; reduce the messages or max_tokens"
ERRORS: tuple[tuple[str, str, dict[str, Any], str | None], ...] = (
    ("param", "no", {"param": "temperature"}, "temperature"),
    ("unsupported", "Unsupported parameter: 'max_tokens'", {}, "max_tokens"),
    ("does-not-support", "this model does not support temperature", {}, "temperature"),
    ("deprecated", "`temperature` is deprecated for this model", {}, "temperature"),
    ("mentioned", LONG, {}, None),
    ("too-long", LONG, {"code": "context_length_exceeded", "param": "max_tokens"}, None),
    ("nothing-used", "Unsupported parameter: 'top_p'", {}, None),
)


@pytest.mark.parametrize(("text", "body", "refused"), [pytest.param(*row[1:], id=row[0]) for row in ERRORS])
def test_a_refusal_says_that_a_setting_is_not_taken(
    text: str, body: dict[str, Any], refused: str | None
) -> None:
    response = httpx2.Response(400, request=httpx2.Request("POST", "http://127.0.0.1"))
    assert refused_setting(openai.BadRequestError(text, response=response, body=body), USED) == refused
