"""What a score is when the judge fails: the part of `behaviour` that asks about judges.

The same four replies go to everyone who has judges, in the form that one reads: a yes to all that is asked, a
yes to the first of two criteria, prose, and a model that cannot be reached. openevals and autoevals take
OpenAI's client; it asks a server of this process. LangChain's models are its own fakes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any, Final

from tests.benchmarks import peers

Form = Callable[[str, bool], Any]
"""`(what is said, whether it was asked for) -> the body of a response`."""

QUESTIONS: Final[Mapping[str, str]] = {
    "the judge says yes": "yes",
    "it leaves 1 of 2 criteria out": "half",
    "it answers in prose": "prose",
    "it cannot be reached": "down",
}
"""Question to the name of the reply."""
PROSE: Final = "I cannot say."
GIVEN: Final = ({"title": "a", "summary": "b"}, {"title": "c", "summary": "d"})
RUBRIC: Final[Mapping[str, Any]] = {
    "aggregator": "all",
    "rubric": {"title": "Same?", "summary": "Same?"},
    "use_reasoning": False,
}


def fieldwise(reply: str) -> Any:
    """All criteria of a record in one call, numbered."""
    from fieldwise import create_judge

    said = {"yes": '{"q1": true, "q2": true}', "half": '{"q1": true}'}
    judge = create_judge(chat_model(reply, said), max_retries=0)
    return peers.fieldwise(**RUBRIC, judge=judge)(*GIVEN)[0]["score"]


def openevals(reply: str) -> Any:
    """All criteria of a record in one call, by name."""
    said = {"yes": '{"title": true, "summary": true}', "half": '{"title": true}'}
    with openai_client(reply, said, chat_reply) as client:
        evaluate: Any = peers.openevals(**RUBRIC, judge=client, model="m")
        return evaluate(*GIVEN)[0]["score"]


def autoevals(reply: str) -> Any:
    """One criterion a classifier; it answers by calling a function."""
    from autoevals import LLMClassifier

    with openai_client(reply, {"yes": '{"choice": "yes", "reasons": ""}'}, function_reply) as client:
        classify = LLMClassifier("same", "{{output}} {{expected}}", {"yes": 1, "no": 0}, client=client)
        return classify.eval(output="a", expected="c").score


def langchain(reply: str) -> Any:
    """One criterion a chain; it answers with Y or N on the last line."""
    from langchain_classic.evaluation import load_evaluator

    model = chat_model(reply, {"yes": "They are.\n\nY"})
    chain: Any = load_evaluator("labeled_criteria", llm=model, criteria="correctness")
    return chain.evaluate_strings(prediction="a", reference="c", input="?")["score"]


JUDGED: Final[Mapping[str, Callable[[str], Any]]] = {
    "fieldwise": fieldwise,
    "openevals": openevals,
    "autoevals": autoevals,
    "langchain": langchain,
}
"""Column to how it asks a judge."""
ONE_CRITERION: Final = frozenset({"autoevals", "langchain"})
NEEDS: Final[Mapping[str, str]] = {"stickler": "strands"}
"""Column to what its judge needs that no extra of ours brings."""


def answer(name: str, reply: str, there: Mapping[str, Any], told: Callable[[Callable[[], Any]], str]) -> str:
    """Return the cell of one contestant."""
    if name not in there or name in NEEDS:
        return "absent"
    if name not in JUDGED or (reply == "half" and name in ONE_CRITERION):
        return "-"
    return told(partial(JUDGED[name], reply))


# ------------------------------------------------------------------------------------- fake models


def chat_model(reply: str, said: Mapping[str, str]) -> Any:
    """Return a chat model of LangChain that always replies the same, or cannot be reached."""
    from langchain_core.language_models.fake_chat_models import FakeListChatModel

    class Scripted(FakeListChatModel):
        def _call(self, *args: Any, **options: Any) -> str:
            if reply == "down":
                raise ConnectionError("the model cannot be reached")
            return super()._call(*args, **options)

    return Scripted(responses=[said.get(reply, PROSE)])


@contextmanager
def openai_client(reply: str, said: Mapping[str, str], form: Form) -> Iterator[Any]:
    """Open OpenAI's client, whose requests a server of this process answers."""
    from openai import OpenAI

    status = HTTPStatus.SERVICE_UNAVAILABLE if reply == "down" else HTTPStatus.OK
    body = json.dumps(form(said.get(reply, PROSE), reply in said)).encode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        try:
            with OpenAI(api_key="none", base_url=url, max_retries=0) as client:
                yield client
        finally:
            server.shutdown()


def chat_reply(text: str, _: bool) -> Any:
    """A chat completion, which is text either way."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice]}


def function_reply(text: str, called: bool) -> Any:
    """A response that calls the function it was given, or one that does not."""
    call = {"type": "function_call", "id": "1", "call_id": "1", "name": "select_choice", "arguments": text}
    content = [{"type": "output_text", "text": text, "annotations": []}]
    prose = {"type": "message", "id": "1", "role": "assistant", "status": "completed", "content": content}
    output = {"output": [call if called else prose], "parallel_tool_calls": False, "tool_choice": "auto"}
    return {"id": "1", "object": "response", "created_at": 0, "model": "m", "tools": [], **output}
