"""Errors in replies whose status says that all is well: read, told and, where they may pass, tried again."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import httpx2
import openai
import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import AIMessage
from langchain_openai import ChatOpenAI

import fieldwise
from fieldwise import create_judge
from fieldwise.judges.clients.errors import hidden
from fieldwise.judges.clients.langchain import read as read_message
from fieldwise.judges.clients.openai import read
from fieldwise.judges.interfaces import ErrorReply, Reply
from tests.judges.fakes import Step
from tests.judges.oai_server import OpenAIServer

ANSWER = Step({"q1": {"reasoning": "because", "score": True}})


def with_response(error: Exception, status: int, body: Any) -> Exception:
    """An error that carries the response it is about; no body: what is no JSON."""
    content = b"<html>" if body is None else json.dumps(body).encode()
    error.response = httpx2.Response(status, content=content)  # type: ignore[attr-defined]
    return error


ERROR_REPLIES: tuple[tuple[str, Any, str, int | None], ...] = (
    ("object", {"error": {"message": "no credit", "code": 402}}, "no credit", 402),
    ("code-as-text", {"error": {"message": "busy", "code": "429"}, "choices": []}, "busy", 429),
    ("code-in-words", {"error": {"message": "over", "code": "quota"}}, "over", None),
    ("text", {"error": "overloaded\nlater"}, "overloaded later", None),
    ("odd", {"error": ["x"]}, "['x']", None),
    ("odd-code", {"error": {"message": "no", "code": [1]}}, "no", None),
    ("in-the-choice", {"choices": [{"error": {"message": "cut off"}, "message": {"content": ""}}]},
     "cut off", None),
    ("objects", SimpleNamespace(error=SimpleNamespace(message="no", code=500), choices=None), "no", 500),
)  # fmt: skip


@pytest.mark.parametrize(
    ("response", "message", "status"), [pytest.param(*row[1:], id=row[0]) for row in ERROR_REPLIES]
)
def test_an_error_in_place_of_a_reply(response: Any, message: str, status: int | None) -> None:
    with pytest.raises(ErrorReply) as raised:
        read(response)
    assert str(raised.value) == f"the judge's server replied with an error: {message}"
    assert raised.value.status_code == status


IN_EXCEPTIONS: tuple[tuple[str, Exception, str | None], ...] = (
    ("value", ValueError({"message": "no credit"}), "no credit"),
    ("words", ValueError("no credit"), None),
    ("nothing", ValueError(), None),
    ("no-error", with_response(TypeError("x"), 200, {"choices": []}), None),
    ("response", with_response(TypeError("x"), 200, {"error": {"message": "busy"}}), "busy"),
    ("status", with_response(TypeError("x"), 500, {"error": {"message": "busy"}}), None),
    ("no-json", with_response(TypeError("x"), 200, None), None),
)


@pytest.mark.parametrize(("error", "message"), [pytest.param(*row[1:], id=row[0]) for row in IN_EXCEPTIONS])
def test_an_error_over_which_a_library_stumbled(error: Exception, message: str | None) -> None:
    found = hidden(error)
    told = None if message is None else f"the judge's server replied with an error: {message}"
    assert (None if found is None else str(found)) == told


OVER_HTTP: dict[str, Any] = {
    "ChatOpenAI": (lambda **given: ChatOpenAI(model="m", **given), {}),
    "OpenAI": (openai.OpenAI, {"model": "m"}),
    "AsyncOpenAI": (openai.AsyncOpenAI, {"model": "m"}),
}


@pytest.mark.parametrize(("code", "score", "calls_made"), [(402, None, 1), (429, 1.0, 2)])
@pytest.mark.parametrize("name", OVER_HTTP)
def test_a_judge_whose_server_replies_with_an_error(
    name: str, code: int, score: float | None, calls_made: int
) -> None:
    make, options = OVER_HTTP[name]
    error = Step(status=200, error={"message": "no credit", "code": code})
    with OpenAIServer(error, ANSWER) as server:
        client = make(base_url=server.url, api_key="k", max_retries=0)
        judge = fieldwise.create_judge(client, max_retries=1, **options)
        evaluate: Any = fieldwise.create_json_match_evaluator(rubric={"a": "c"}, judge=judge)
        (found,) = evaluate(outputs={"a": 1}, reference_outputs={"a": 2})
        assert (found["score"], server.script.calls) == (score, calls_made)
    if score is None:
        assert found["extra"]["status"] == "judge_error"
        assert found["extra"]["reason"] == "the judge's server replied with an error: no credit"


@pytest.mark.parametrize("error", [None, "", {}])
def test_no_error_beside_a_reply_is_none(error: Any) -> None:
    response = {"error": error, "choices": [{"message": {"content": "a"}}]}
    assert read(response) == Reply("a")


def test_a_reply_beside_a_warning_counts() -> None:
    response = {"error": "slow", "choices": [{"message": {"content": "a"}}]}
    assert read(response) == Reply("a")


@pytest.mark.parametrize(
    "choice",
    [
        {"message": {"content": '{"score": 90}'}, "error": {"message": "upstream died", "code": 502}},
        {"message": {"content": '{"score": 90}'}, "finish_reason": "error"},
        {"message": {"content": '{"score": 90}', "error": {"message": "upstream died"}}},
    ],
    ids=["error", "finish", "message"],
)
def test_a_reply_that_an_error_broke_off_is_none(choice: dict[str, Any]) -> None:
    with pytest.raises(
        ErrorReply, match=r"^the judge.s server replied with an error: (upstream|the reply ended)"
    ):
        read({"choices": [choice]})


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"status": "failed"}, "the status of the reply is 'failed'"),
        ({"status": "cancelled"}, "the status of the reply is 'cancelled'"),
        ({"status": "failed", "error": {"message": "upstream died"}}, "upstream died"),
    ],
    ids=["failed", "cancelled", "error"],
)
def test_a_reply_of_a_call_that_failed_is_none(more: dict[str, Any], told: str) -> None:
    told = f"the judge's server replied with an error: {told}"
    with pytest.raises(ErrorReply) as raised:
        read({"choices": [{"message": {"content": '{"score": 90}'}}], **more})
    assert str(raised.value) == told
    with pytest.raises(ErrorReply) as raised:
        read_message(AIMessage('{"score": 90}', response_metadata=more))
    assert str(raised.value) == told


def test_the_status_of_a_reply_that_is_whole() -> None:
    response = {"choices": [{"message": {"content": "a", "error": None}}], "status": "completed"}
    assert read(response) == Reply("a")
    assert read_message(AIMessage("a", response_metadata={"status": "completed", "error": None})) == Reply(
        "a"
    )


def test_a_refusal_that_is_no_text_is_one() -> None:
    message = {"content": '{"score": 90}', "refusal": {"m": 1}}
    assert read({"choices": [{"message": message}]}).refusal == "{'m': 1}"


def test_an_answer_beside_an_error_is_none() -> None:
    judge = create_judge(FakeListChatModel(responses=['{"error": "overloaded", "score": 100}']))
    evaluate: Any = fieldwise.create_llm_judge_output_evaluator(judge=judge)
    result = evaluate(outputs="a", reference_outputs="b")
    assert (result["score"], result["extra"]["status"]) == (None, "judge_error")
    assert "has none of the keys it was asked for" in result["comment"]


@pytest.mark.parametrize(
    ("calls", "content"),
    [
        (['{"score": 90}'], '{"score": 90}'),
        (['{"score": 90}', '{"score": 90}'], '{"score": 90}'),
        (['{"score": 90}', '{"score": 10}'], '{"score": 90}\n{"score": 10}'),
    ],
    ids=["one", "same", "different"],
)
def test_calls_that_differ_are_no_reply(calls: list[str], content: str) -> None:
    tools = [{"function": {"arguments": one}} for one in calls]
    assert read({"choices": [{"message": {"content": None, "tool_calls": tools}}]}).content == content


ONE, OTHER = '{"score": 90}', '{"score": 10}'
CHOICES: tuple[tuple[str, list[Any], Reply], ...] = (
    ("same", [{"message": {"content": ONE}}, {"message": {"content": ONE}}], Reply(ONE)),
    ("different", [{"message": {"content": ONE}}, {"message": {"content": OTHER}}], Reply([ONE, OTHER])),
    ("one-is-empty", [{"message": {"content": None}}, {"message": {"content": ONE}}], Reply(ONE)),
    (
        "one-is-filtered",
        [
            {"message": {"content": ONE}, "finish_reason": "stop"},
            {"message": {"content": ""}, "finish_reason": "content_filter"},
        ],
        Reply(ONE, finish="stop"),
    ),
    (
        "one-refuses",
        [{"message": {"content": ONE}}, {"message": {"content": None, "refusal": "no"}}],
        Reply(ONE, "no"),
    ),
    (
        "one-is-cut",
        [
            {"message": {"content": ONE}, "finish_reason": "stop"},
            {"message": {"content": '{"sc'}, "finish_reason": "length"},
        ],
        Reply([ONE, '{"sc'], finish="length"),
    ),
)


@pytest.mark.parametrize(("choices", "reply"), [pytest.param(*row[1:], id=row[0]) for row in CHOICES])
def test_choices_that_differ_are_no_reply(choices: list[Any], reply: Reply) -> None:
    assert read({"choices": choices}) == reply


def test_an_error_in_any_choice_is_one() -> None:
    with pytest.raises(ErrorReply):
        read({"choices": [{"message": {"content": ONE}}, {"error": {"message": "cut off"}}]})


@pytest.mark.parametrize(
    ("second", "score"), [('{"q1": 85}', 0.85), (' {"q1": 85.0}', 0.85), ('{"q1": 20}', None)]
)
def test_a_judge_with_two_choices(second: str, score: float | None) -> None:
    contents = ['{"q1": 85}', second]
    reply = {"choices": [{"message": {"content": one}, "finish_reason": "stop"} for one in contents]}
    client = SimpleNamespace(chat=SimpleNamespace(completions=SimpleNamespace(create=lambda **_: reply)))
    judge = create_judge(client, model="m")
    evaluate: Any = fieldwise.create_llm_judge_output_evaluator(judge=judge)
    result = evaluate(outputs="a", reference_outputs="b")
    assert (result["score"], result["extra"]["status"]) == (score, "graded" if score else "judge_error")
