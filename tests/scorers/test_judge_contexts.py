"""`context` and `retrieval_context`: sections of their own in the prompts of judges, whoever wrote those."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

import pytest
from langchain_core.prompts import ChatPromptTemplate

import fieldwise
from fieldwise.core.flow import JudgeRequest
from tests.judges.test_injection import CORPUS, IDS
from tests.scorers.judge_forms import said

NAMES: Final = ("llm_judge_output", "llm_judge_strict_json")
BOTH: Final = pytest.mark.parametrize("name", NAMES)
C: Final = '\n\n## Context\n<Context>\n["c"]\n</Context>'
R: Final = '\n\n## Retrieval Context\n<RetrievalContext>\n"r"\n</RetrievalContext>'
SIDES: Final = "{outputs}|{reference_outputs}"
GIVEN: Final[dict[str, Any]] = {"context": ["c"], "retrieval_context": "r"}
PLAIN: Final = '{"a":1}|{"a":2}'


def judged(name: str, more: dict[str, Any], **options: Any) -> tuple[Any, list[str]]:
    """The result and the messages that were sent, the same from the async form."""
    seen: list[JudgeRequest] = []

    def judge(request: JudgeRequest) -> Any:
        seen.append(request)
        return {"output": 100, "a": "same"}

    given = {"outputs": {"a": 1}, "reference_outputs": {"a": 2}, **more}
    sync = getattr(fieldwise, f"create_{name}_evaluator")(judge=judge, **options)
    later = getattr(fieldwise, f"create_async_{name}_evaluator")(judge=judge, **options)
    found = sync(**given)
    assert asyncio.run(later(**given)) == found
    assert seen[1:] == seen[:1]
    return found, [message.content for one in seen[:1] for message in one.prompt.messages]


def with_context(outputs: Any, reference_outputs: Any, context: Any) -> str:
    return f"{outputs}{reference_outputs}{context}"


def without(outputs: Any, reference_outputs: Any) -> str:
    return f"{outputs}{reference_outputs}"


PROMPTS: Final[list[tuple[str, Any, dict[str, Any], list[str]]]] = [
    ("neither-given", SIDES, {}, [PLAIN]),
    ("other-keywords", SIDES, {"run": 1, "example": 2}, [PLAIN]),
    ("null", SIDES, {"context": None, "retrieval_context": fieldwise.MISSING}, [PLAIN]),
    ("not-named", SIDES, GIVEN, [f"{PLAIN}{C}{R}"]),
    ("one-not-named", SIDES, {"retrieval_context": "r"}, [f"{PLAIN}{R}"]),
    ("named", f"{{Context}}{{{{Context}}}}{{retrieval_context}}{SIDES}", GIVEN, [f'["c"]["c"]"r"{PLAIN}']),
    ("empty", SIDES, {"context": []}, [f"{PLAIN}{C}".replace('["c"]', "[]")]),
    ("langchain", ChatPromptTemplate([("human", f"{SIDES}{{context}}")]), GIVEN, [f'{PLAIN}["c"]{R}']),
    ("callable", with_context, GIVEN, [f"{{'a': 1}}{{'a': 2}}['c']{R}"]),
    ("callable-without", without, {"context": ["c"]}, [f"{{'a': 1}}{{'a': 2}}{C}"]),
]


@BOTH
@pytest.mark.parametrize(("prompt", "more", "texts"), [pytest.param(*row[1:], id=row[0]) for row in PROMPTS])
def test_prompts(name: str, prompt: Any, more: dict[str, Any], texts: list[str]) -> None:
    found, sent = judged(name, more, prompt=prompt)
    assert (found["score"], found["extra"]["status"], sent) == (1.0, "graded", texts)


@BOTH
def test_our_own_words(name: str) -> None:
    _, (system, plain) = judged(name, {})
    assert judged(name, GIVEN)[1] == [system, f"{plain}{C}{R}"]


@BOTH
@pytest.mark.parametrize("text", CORPUS, ids=IDS)
def test_a_context_is_data(name: str, text: str) -> None:
    _, (sent,) = judged(name, {"context": [text], "retrieval_context": {text: text}}, prompt=SIDES)
    first, second = sent.removeprefix(PLAIN).split("\n\n## Retrieval Context\n")
    context = first.removeprefix("\n\n## Context\n<Context>\n").removesuffix("\n</Context>")
    retrieved = second.removeprefix("<RetrievalContext>\n").removesuffix("\n</RetrievalContext>")
    assert (json.loads(context), json.loads(retrieved)) == ([text], {text: text})


@BOTH
@pytest.mark.parametrize(
    ("prompt", "more", "reason"),
    [
        (
            "{context} {{RetrievalContext}}",
            {},
            "the prompt asks for {Context}, {RetrievalContext}, not passed to the evaluator",
        ),
        (SIDES, {"context": object()}, "context: object at $ has no JSON form; convert it first"),
    ],
    ids=["not-passed", "no-json"],
)
def test_what_cannot_be_shown_is_not_sent(name: str, prompt: Any, more: dict[str, Any], reason: str) -> None:
    found, sent = judged(name, more, prompt=prompt)
    assert (found["score"], found["extra"]["status"], found["comment"]) == (None, "not_evaluated", reason)
    assert sent == []


def test_equal_values_are_not_sent_for_a_context() -> None:
    found, sent = judged("llm_judge_output", {"context": ["c"], "reference_outputs": {"a": 1}})
    assert (found["score"], sent) == (1.0, [])


@pytest.mark.parametrize("prompt", ["{{Context}}{{RetrievalContext}}", "{context}{retrieval_context}"])
def test_a_prompt_of_the_users_own_names_them_itself(prompt: str) -> None:
    given = {"outputs": 1, "context": ["c"], "retrieval_context": "r"}
    assert said(True, given, prompt=prompt)[-1] == '["c"]"r"'
    assert said(True, given, prompt="{outputs}")[-1] == "1"
