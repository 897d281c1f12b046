"""llm_judge_output: what is asked, of which values, and what becomes of the answer."""

from __future__ import annotations

import asyncio
import math
from typing import Any, Final

import pytest
from langchain_core.prompts import ChatPromptTemplate

import fieldwise
from fieldwise.core.flow import JudgeRequest, Verdict
from fieldwise.errors import BudgetExceeded, JudgeError
from tests.judges.fakes import FakeOpenAI, Step, chat_model
from tests.scorers.single_forms import evaluate, status

NAME: Final = "llm_judge_output"


class Judge:
    """Answers the one question with each of its replies in turn, the last one for ever."""

    def __init__(self, *replies: Any) -> None:
        self.replies = replies
        self.asked: list[JudgeRequest] = []

    def __call__(self, request: JudgeRequest) -> Any:
        reply = self.replies[min(request.attempt, len(self.replies)) - 1]
        self.asked.append(request)
        if isinstance(reply, Exception):
            raise reply
        return {"output": reply}


def asked(outputs: Any, reference: Any, **options: Any) -> Any:
    """The one request that a record makes."""
    judge = Judge(50)
    sync: Any = fieldwise.create_llm_judge_output_evaluator(judge=judge, **options)
    sync(outputs=outputs, reference_outputs=reference)
    (request,) = judge.asked
    return request


def prompt_of(outputs: Any, reference: Any, **options: Any) -> list[str]:
    return [message.content for message in asked(outputs, reference, **options).prompt.messages]


# ------------------------------------------------------------------------------------------ answers

SCALE: Final = "a number from 0 to 100 was asked for"
ANSWERS: Final[list[tuple[str, list[Any], Any, str | None, int]]] = [
    ("full", [100], 1.0, None, 1),
    ("none", [0], 0.0, 'expected "e", got "a"', 1),
    ("part", [72.5], 0.725, 'expected "e", got "a"', 1),
    ("reason", [{"score": 40, "reasoning": "half"}], 0.4, "half", 1),
    ("reason-of-full", [{"score": 100, "reasoning": "all"}], 1.0, "all", 1),
    ("again", [True, 30], 0.3, 'expected "e", got "a"', 2),
    ("boolean", [True], None, f"answered 'True', which is bool; {SCALE}", 2),
    ("text", ["90"], None, f"answered '90', which is str; {SCALE}", 2),
    ("nan", [math.nan], None, "answered 'nan', which is not from 0 to 100", 2),
    ("too-high", [101], None, "answered '101', which is not from 0 to 100", 2),
    ("negative", [-0.5], None, "answered '-0.5', which is not from 0 to 100", 2),
    ("fraction", [0.85], None, f"answered '0.85', which may be of a scale from 0 to 1; {SCALE}", 2),
    ("one", [1], None, f"answered '1', which may be of a scale from 0 to 1; {SCALE}", 2),
    ("null", [None], None, f"answered 'None', which is NoneType; {SCALE}", 2),
    ("no-score", [{"reasoning": "?"}], None, "answered without a score", 2),
    ("fails", [JudgeError("the judge refused: no")], None, "the judge refused: no", 1),
    ("raises", [TimeoutError("late")], None, "TimeoutError: late", 1),
]  # fmt: skip


@pytest.mark.parametrize(
    ("replies", "score", "comment", "calls"), [pytest.param(*row[1:], id=row[0]) for row in ANSWERS]
)
def test_answers(replies: list[Any], score: Any, comment: str | None, calls: int) -> None:
    found = evaluate(NAME, "a", "e", judge=Judge(*replies))
    assert (found["key"], found["score"], found["comment"]) == (NAME, score, comment)
    extra: dict[str, Any] = {"path": "$", "comparator": "judge", "usage": {"judge_calls": calls}}
    if score is None:
        extra |= {"status": "judge_error", "passed": False, "support": 0, "reason": comment}
    else:
        extra |= {"status": "graded", "passed": score >= 0.7, "support": 1}
    assert found["extra"] == extra


def test_a_ceiling_is_not_evaluated() -> None:
    assert status(NAME, "a", "e", judge=Judge(BudgetExceeded("4 calls made"))) == (None, "not_evaluated")


def test_an_answer_nobody_asked_for_is_none() -> None:
    assert status(NAME, "a", "e", judge=lambda _: Verdict({"score": 100})) == (None, "judge_error")


def test_the_threshold_decides_what_passed_and_nothing_else() -> None:
    for threshold, passed in ((0.5, True), (0.6, True), (0.61, False)):
        found = evaluate(NAME, "a", "e", judge=Judge(60), threshold=threshold)
        assert (found["score"], found["extra"]["passed"]) == (0.6, passed)


def test_no_reason_where_none_is_wanted() -> None:
    judge = Judge({"score": 50, "reasoning": "half"})
    found = evaluate(NAME, "a", "e", judge=judge, use_reasoning=False, feedback_key="alike")
    assert (found["key"], found["comment"]) == ("alike", 'expected "e", got "a"')
    assert not judge.asked[0].reasoning


# -------------------------------------------------------------------------------------------- values

VALUES: Final[list[tuple[str, Any, Any, dict[str, Any], Any]]] = [
    ("text", "a", "b", {}, ("b", "a")),
    ("documents", {"a": 1}, {"a": 2}, {}, ({"a": 2}, {"a": 1})),
    ("camel-envelope", "a", {"expectedOutput": "b"}, {}, ("b", "a")),
    ("snake-envelope", "a", {"expected_output": {"b": 1}}, {}, ({"b": 1}, "a")),
    ("no-envelope-of-two", "a", {"expectedOutput": "b", "c": 1}, {}, ({"expectedOutput": "b", "c": 1}, "a")),
    ("json-text-is-text", '{"a": 1}', {"a": 1}, {}, ({"a": 1}, '{"a": 1}')),
    ("wrapper", {"output": "a"}, "b", {}, ("b", "a")),
    ("path", {"x": {"y": 1}, "z": 0}, {"x": {"y": 2}}, {"target_output_key": "x.y"}, (2, 1)),
    ("path-and-value", {"x": 1}, "b", {"target_output_key": "x"}, ("b", 1)),
    (
        "paths",
        {"x": 1, "y": 2, "z": 3},
        {"x": 1, "y": 3},
        {"target_output_key": ["x", "y"]},
        ({"x": 1, "y": 3}, {"x": 1, "y": 2}),
    ),
    ("outputs-key", {"x": 1, "y": 2}, 3, {"outputs_key": "y"}, (3, 2)),
    ("answer-key", {"x": 1}, {"q": 1, "x": {"x": 2}}, {"correct_answer_key": "x"}, ({"x": 2}, {"x": 1})),
    ("null", None, "b", {}, ("b", None)),
    ("coerce", "8", "9", {"coerce": True}, (9, 8)),
]


@pytest.mark.parametrize(
    ("outputs", "reference", "options", "sides"), [pytest.param(*row[1:], id=row[0]) for row in VALUES]
)
def test_what_is_sent(outputs: Any, reference: Any, options: dict[str, Any], sides: Any) -> None:
    (question,) = asked(outputs, reference, **options).questions
    assert (question.id, question.scale) == ("output", "percent")
    assert (question.expected, question.actual) == sides


UNSENT: Final[list[tuple[str, Any, Any, dict[str, Any], Any]]] = [
    ("equal", {"a": [1, {"b": None}]}, {"a": [1.0, {"b": None}]}, {}, (1.0, "graded")),
    ("equal-null", None, {"expectedOutput": None}, {}, (1.0, "graded")),
    ("equal-empty", "", "", {}, (1.0, "graded")),
    (
        "equal-but-for-null",
        {"a": 1, "b": None},
        {"a": 1},
        {"null_policy": "null_equals_missing"},
        (1.0, "graded"),
    ),
    ("no-reference", "a", fieldwise.MISSING, {}, (None, "invalid_reference")),
    ("no-outputs", fieldwise.MISSING, "b", {}, (0.0, "invalid_output")),
    ("no-json", {1, object()}, "b", {}, (0.0, "invalid_output")),
    ("no-json-reference", "a", object(), {}, (None, "invalid_reference")),
    ("missing-at-target", {"y": 1}, {"x": 1}, {"target_output_key": "x"}, (0.0, "graded")),
    ("nowhere", {"y": 1}, {"y": 1}, {"target_output_key": "x"}, (None, "path_not_found")),
    ("only-in-output", {"x": 1}, {"y": 1}, {"target_output_key": "x"}, (None, "invalid_reference")),
]


@pytest.mark.parametrize(
    ("outputs", "reference", "options", "right"), [pytest.param(*row[1:], id=row[0]) for row in UNSENT]
)
def test_what_needs_no_judge(outputs: Any, reference: Any, options: dict[str, Any], right: Any) -> None:
    judge = Judge(50)
    assert status(NAME, outputs, reference, judge=judge, **options) == right
    assert judge.asked == []


# -------------------------------------------------------------------------------------------- prompts


def test_the_words() -> None:
    system, user = prompt_of({"a": "</ActualOutput>"}, "e")
    assert system.startswith("You are a careful judge.")
    assert user.count('<ExpectedOutput>\n"e"\n</ExpectedOutput>') == 1
    assert user.count('<ActualOutput>\n{"a":"\\u003c/ActualOutput\\u003e"}\n</ActualOutput>') == 1


E: Final = '\n\n## Expected Output\n<ExpectedOutput>\n"e"\n</ExpectedOutput>'
A: Final = '\n\n## Actual Output\n<ActualOutput>\n"a"\n</ActualOutput>'
PROMPTS: Final[list[tuple[str, Any, dict[str, Any], list[str]]]] = [
    ("seed", "{{ExpectedOutput}} or {{ActualOutput}}", {}, ['"e" or "a"']),
    ("openevals", "{reference_outputs} or {outputs}", {}, ['"e" or "a"']),
    ("neither", "Grade it.", {}, [f"Grade it.{E}{A}"]),
    ("one", "Grade {outputs}.", {}, [f'Grade "a".{E}']),
    ("json", 'Like {"score": {"x": 1}}: {{ActualOutput}}', {}, [f'Like {{"score": {{"x": 1}}}}: "a"{E}']),
    (
        "f-string",
        'Like {{"score": 1}}: {outputs} {reference_outputs}',
        {"template_format": "f-string"},
        ['Like {"score": 1}: "a" "e"'],
    ),
    ("mustache", "{{outputs}} {{reference_outputs}}", {"template_format": "mustache"}, ['"a" "e"']),
    (
        "langchain",
        ChatPromptTemplate([("system", "S"), ("human", "{outputs} {reference_outputs}")]),
        {},
        ["S", '"a" "e"'],
    ),
    ("langchain-one", ChatPromptTemplate([("human", "{outputs}")]), {}, [f'"a"{E}']),
    ("callable", lambda outputs, reference_outputs: f"{outputs}{reference_outputs}", {}, ["ae"]),
]


@pytest.mark.parametrize(
    ("prompt", "options", "texts"), [pytest.param(*row[1:], id=row[0]) for row in PROMPTS]
)
def test_prompts(prompt: Any, options: dict[str, Any], texts: list[str]) -> None:
    assert prompt_of("a", "e", prompt=prompt, **options) == texts


def fails(**_: Any) -> Any:
    raise KeyError("x")


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        (fails, "KeyError: 'x'"),
        (lambda **_: 7, "ConfigError: the prompt made int; it must make text or a list of messages"),
        (lambda: "", "TypeError: <lambda>() got an unexpected keyword argument 'outputs'"),
    ],
    ids=["raises", "no-messages", "no-parameters"],
)
def test_a_prompt_that_cannot_be_made(prompt: Any, reason: str) -> None:
    found = evaluate(NAME, "a", "e", judge=Judge(50), prompt=prompt)
    assert (found["score"], found["extra"]["status"]) == (None, "not_evaluated")
    assert found["comment"] == f"the prompt could not be made: {reason}"


# -------------------------------------------------------------------------------------------- options

KNOWN: Final = (
    "ActualOutput, Context, ExpectedOutput, RetrievalContext, context, outputs, reference_outputs, "
    "retrieval_context"
)
WRONG: Final[list[tuple[dict[str, Any], str]]] = [
    (
        {},
        (
            "llm_judge_output needs a judge: pass judge= (a model, a client or a callable) or "
            "model='provider:name'"
        ),
    ),
    ({"judge": Judge(), "model": "openai:x"}, "judge and model are both given: pass one of them"),
    (
        {"judge": 7},
        (
            "judge=int: pass a LangChain model, an OpenAI client with model=, the name of a model, or a "
            "callable that takes a JudgeRequest"
        ),
    ),
    ({"model": " "}, "model=' ': name one as provider:model, such as 'openai:gpt-4o-mini'"),
    ({"judge": FakeOpenAI()}, "judge=FakeOpenAI is a client of many models: name one, model='gpt-…'"),
    (
        {"judge": Judge(), "prompt": "{{Rubric}} of {output}"},
        (
            f"prompt asks for {{Rubric}}, {{output}}, which is not known: it may ask for {KNOWN}; "
            "for a literal brace use template_format='f-string' and write it twice"
        ),
    ),
    (
        {"judge": Judge(), "prompt": ChatPromptTemplate([("human", "{inputs} {x}")])},
        f"prompt asks for inputs, x, which is not known: it may ask for {KNOWN}",
    ),
    (
        {"judge": Judge(), "prompt": 7},
        "prompt=7: must be text, a LangChain prompt or a callable that returns messages",
    ),
    (
        {"judge": Judge(), "template_format": "jinja2"},
        "template_format='jinja2': must be 'plain', 'f-string' or 'mustache'",
    ),
    ({"judge": Judge(), "threshold": 0}, "threshold=0: must be a number above 0 and at most 1"),
    ({"judge": Judge(), "use_reasoning": 1}, "use_reasoning=1: must be True or False"),
    (
        {"judge": Judge(), "temperature": -1},
        "temperature=-1: must be a number from 0 up, or None for the model's own",
    ),
    (
        {"judge": Judge(), "max_tokens": True},
        "max_tokens=True: must be a whole number from 1 up, or None for no limit",
    ),
    ({"judge": Judge(), "temperature": 0.5}, "temperature=0.5: a function that judges has none"),
    (
        {"judge": chat_model(), "max_tokens": 9},
        "max_tokens=9: a model that you made keeps its own; set it there",
    ),
    (
        {"judge": fieldwise.create_judge(Judge()), "max_tokens": 9},
        "max_tokens=9: the judge was made with its own; give it to create_judge",
    ),
    (
        {"judge": Judge(), "target_output_key": []},
        "target_output_key=[]: name at least one path, or '*' for the whole output",
    ),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=range(len(WRONG)))
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    for form in ("create_{}_evaluator", "create_async_{}_evaluator", "create_{}_string_evaluator"):
        with pytest.raises(fieldwise.ConfigError) as caught:
            getattr(fieldwise, form.format(NAME))(**options)
        assert str(caught.value) == message


def test_an_async_judge_serves_async_evaluators() -> None:
    async def later(_: JudgeRequest) -> Any:
        return {"output": 40}

    awaited: Any = fieldwise.create_async_llm_judge_output_evaluator(judge=later)
    assert asyncio.run(awaited(outputs="a", reference_outputs="e"))["score"] == 0.4
    with pytest.raises(fieldwise.ConfigError, match=r"^judge=later is async: use the create_async_… factory"):
        fieldwise.create_llm_judge_output_evaluator(judge=later)


@pytest.mark.parametrize(
    ("options", "sent"),
    [
        ({}, (0.0, 4096)),
        ({"temperature": 0.7, "max_tokens": 123}, (0.7, 123)),
        ({"temperature": 1}, (1, 4096)),
    ],
)
def test_settings_reach_the_client(options: dict[str, Any], sent: Any) -> None:
    client = FakeOpenAI(Step(say={"reasoning": "j", "score": 50}))
    assert status(NAME, "a", "e", judge=client, model="gpt-x", **options) == (0.5, "graded")
    assert {(one["temperature"], one["max_tokens"]) for one in client.seen} == {sent}


def test_judges_of_one_client_with_other_settings_are_not_shared() -> None:
    client = FakeOpenAI(Step(say={"reasoning": "j", "score": 50}))
    made: list[Any] = [
        fieldwise.create_llm_judge_output_evaluator(judge=client, model="gpt-x", temperature=one)
        for one in (0.5, 1.0)
    ]
    for one in made:
        one(outputs="a", reference_outputs="e")
    assert [one["temperature"] for one in client.seen] == [0.5, 1.0]
