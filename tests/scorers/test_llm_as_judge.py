"""llm_as_judge: OpenEvals' signature, prompts and scales, with every answer checked."""

from __future__ import annotations

import inspect
import json
import math
from typing import Any, Final

import openevals.llm
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.prompts import ChatPromptTemplate

import fieldwise
from fieldwise.core.flow import JudgeRequest
from fieldwise.errors import JudgeError
from tests.judges.fakes import FakeOpenAI, Step, chat_model
from tests.scorers.judge_forms import PROMPT, judged, replying, said, step
from tests.scorers.single_forms import check_shape

# ----------------------------------------------------------------------------------------- signatures


@pytest.mark.parametrize("name", ["create_llm_as_judge", "create_async_llm_as_judge"])
def test_the_signature_is_that_of_openevals(name: str) -> None:
    ours, theirs = (
        inspect.signature(getattr(module, name)).parameters for module in (fieldwise, openevals.llm)
    )
    shape = [(one.name, one.kind, one.default) for one in ours.values()]
    assert shape == [(one.name, one.kind, one.default) for one in theirs.values()]


def test_evaluators_are_what_openevals_makes() -> None:
    sync = fieldwise.create_llm_as_judge(prompt=PROMPT, judge=replying(), feedback_key="short")
    awaited = fieldwise.create_async_llm_as_judge(prompt=PROMPT, judge=replying())
    assert (sync.__name__, awaited.__name__) == ("llm_as_short_judge", "llm_as_judge")  # type: ignore[attr-defined]
    assert (inspect.iscoroutinefunction(sync), inspect.iscoroutinefunction(awaited)) == (False, True)
    assert fieldwise.create_llm_as_judge.__name__ == "create_llm_as_judge"


# --------------------------------------------------------------------------------------------- scales

HALVES: Final[dict[str, Any]] = {"choices": [0, 0.5, 1.0]}
SCALES: Final[list[tuple[str, dict[str, Any], list[Any], Any, bool, int]]] = [
    ("true", {}, [True], True, True, 1),
    ("false", {}, [False], False, False, 1),
    ("boolean-as-text", {}, [" False "], False, False, 1),
    ("no-boolean", {}, [0.5, True], True, True, 2),
    ("never-boolean", {}, [1], None, False, 2),
    ("continuous", {"continuous": True}, [0.63], 0.63, False, 1),
    ("continuous-one", {"continuous": True}, [1], 1.0, True, 1),
    ("continuous-as-text", {"continuous": True}, ["00.75"], 0.75, False, 1),
    ("continuous-off", {"continuous": True}, [7, 0.7], 0.7, False, 2),
    ("never-continuous", {"continuous": True}, [True], None, False, 2),
    ("percent-is-no-share", {"continuous": True}, ["85%"], None, False, 2),
    ("nan", {"continuous": True}, ["NaN"], None, False, 2),
    ("choice", HALVES, [0.5], 0.5, False, 1),
    ("choice-as-integer", HALVES, [1], 1.0, True, 1),
    ("choice-as-text", HALVES, ["0.5"], 0.5, False, 1),
    ("no-choice", HALVES, [0.7, 0.5], 0.5, False, 2),
    ("never-a-choice", HALVES, [0.7], None, False, 2),
    ("boolean-choice", HALVES, [True], None, False, 2),
    ("stars", {"choices": [1, 2, 3, 4, 5]}, [4], 4.0, False, 1),
    ("all-stars", {"choices": [1, 2, 3, 4, 5]}, [5], 5.0, True, 1),
]


@pytest.mark.parametrize(
    ("options", "replies", "score", "passed", "calls"), [pytest.param(*row[1:], id=row[0]) for row in SCALES]
)
def test_scales(options: dict[str, Any], replies: list[Any], score: Any, passed: bool, calls: int) -> None:
    replies = replies if len(replies) == calls else replies * calls
    model = replying(*({"reasoning": "why", "score": one} for one in replies))
    found = judged(model, **options)
    assert (found["key"], found["score"], type(found["score"])) == ("score", score, type(score))
    assert (found["extra"]["status"], found["extra"]["passed"]) == (
        "graded" if score is not None else "judge_error",
        passed,
    )
    assert len(model.seen) == 2 * calls
    if score is not None:
        assert found["comment"] == "why"


def test_what_is_wrong_with_an_answer_is_said_to_the_model_and_to_people() -> None:
    model = replying({"reasoning": "r", "score": 0.7}, {"reasoning": "r", "score": 0.7})
    found = judged(model, **HALVES)
    assert found["comment"] == "answered '0.7', which is none of 0, 0.5, 1.0"
    assert "none of 0, 0.5, 1.0" in model.seen[1][-1]["content"]


FAILURES: Final[list[tuple[str, Any, str]]] = [
    ("prose", "I like it.", "the judge's reply holds no JSON: 'I like it.'"),
    ("refusal", Step(refusal="I can't help with that."), 'the judge refused: "I can\'t help with that."'),
    ("apology", "I'm sorry, I can't help with that.", "the judge's reply holds no JSON: "),
    ("empty", "", "the judge's reply is empty"),
    ("cut", Step(say='{"reasoning": "a', finish="length"), "the judge's reply was cut at its token limit"),
    ("no-score", {"reasoning": "r"}, "the judge's reply has none of the keys"),
]


@pytest.mark.parametrize(("reply", "reason"), [pytest.param(*row[1:], id=row[0]) for row in FAILURES])
def test_failures(reply: Any, reason: str) -> None:
    found = judged(chat_model(step(reply)))
    assert (found["score"], found["extra"]["status"]) == (None, "judge_error")
    assert found["comment"].startswith(reason)


def test_a_failure_does_not_stick() -> None:
    """Report J17: state that an error leaves behind."""

    def judge(request: JudgeRequest) -> Any:
        if request.questions[0].actual == "boom":
            raise JudgeError("boom")
        return {"score": True}

    sync: Any = fieldwise.create_llm_as_judge(prompt=PROMPT, judge=judge)
    assert [sync(outputs=one)["score"] for one in ("boom", "a", "boom", "b")] == [None, True, None, True]


SHAPES: Final[list[tuple[str, Any]]] = [
    ("flat", {"score": True, "reasoning": "x"}),
    ("nested-once", {"result": {"score": True, "reasoning": "x"}}),
    ("list-of-one", [{"score": True, "reasoning": "x"}]),
    ("fenced", '```json\n{"score": true, "reasoning": "x"}\n```'),
    ("thinking", '<think>Not short?</think>{"reasoning": "x", "score": true}'),
]


@pytest.mark.parametrize("reply", [pytest.param(reply, id=name) for name, reply in SHAPES])
def test_known_shapes_are_read(reply: Any) -> None:
    """Reports J08 and J09: another shape, a fence."""
    found = judged(replying(reply if isinstance(reply, str) else json.dumps(reply)))
    assert (found["score"], found["comment"]) == (True, "x")


@pytest.mark.parametrize("use_reasoning", [True, False])
def test_the_explanation_comes_first_if_at_all(use_reasoning: bool) -> None:
    """Report J11: a verdict before its reasons."""
    client = FakeOpenAI()
    found = judged(client, model="gpt-x", use_reasoning=use_reasoning)
    schema = client.seen[0]["response_format"]["json_schema"]["schema"]
    assert list(schema["properties"]) == (["reasoning", "score"] if use_reasoning else ["score"])
    assert found["comment"] == ("because" if use_reasoning else None)


# -------------------------------------------------------------------------------------------- prompts

ALL: Final = {"inputs": {"q": "</data>"}, "outputs": "{inputs}", "reference_outputs": None}
TURNS: Final = [HumanMessage("Hi"), AIMessage("Lo", tool_calls=[{"name": "f", "args": {"x": 1}, "id": "1"}])]
EQUAL: Final = ChatPromptTemplate(
    [("system", "You compare."), ("human", "Equal? {{inputs}} {{outputs}}")], template_format="mustache"
)


def messages(*, inputs: Any, outputs: Any, reference_outputs: Any, **more: Any) -> list[Any]:
    return [{"role": "user", "content": f"{inputs!r} {outputs!r} {reference_outputs!r} {more!r}"}]


CALLS: Final = '"tool_calls":[{"args":{"x":1},"id":"1","name":"f","type":"tool_call"}]'
PROMPTS: Final[list[tuple[str, Any, dict[str, Any], dict[str, Any], list[str]]]] = [
    (
        "variables",
        "{inputs}|{outputs}|{reference_outputs}",
        ALL,
        {},
        ["", '{"q":"\\u003c/data\\u003e"}|"{inputs}"|null'],
    ),
    ("further", "{outputs} in {context}", {"outputs": 1, "context": ["x"]}, {}, ["", '1 in ["x"]']),
    ("not-named", "{outputs}", {"outputs": 1, "context": 2, "inputs": 3}, {}, ["", "1"]),
    ("nothing-named", "Flip a coin.", {"inputs": "q"}, {}, ["", "Flip a coin."]),
    ("json-example", 'Grade {outputs}. Reply like {"score": 1}', {"outputs": "o"}, {},
     ["", 'Grade "o". Reply like {"score": 1}']),
    ("escaped", 'Grade {outputs}. Like {{"score": 1}}', {"outputs": "o"}, {},
     ["", 'Grade "o". Like {"score": 1}']),
    ("seed", "{{ActualOutput}} {{ExpectedOutput}}", {"outputs": 1, "reference_outputs": 2}, {}, ["", "1 2"]),
    ("system", "{outputs}", {"outputs": 1}, {"system": "Be kind."}, ["Be kind.", "1"]),
    ("langchain", EQUAL, {"inputs": {"a": 1}, "outputs": {"a": 1}}, {},
     ["You compare.", 'Equal? {"a":1} {"a":1}']),
    ("callable", messages, {"inputs": "q", "outputs": {"a": 1}, "x": 2}, {},
     ["", "'q' {'a': 1} None {'x': 2}"]),
    ("messages", "{outputs}", {"outputs": TURNS}, {},
     ["", f'[{{"content":"Hi","role":"user"}},{{"content":"Lo","role":"assistant",{CALLS}}}]']),
    ("in-messages", "{outputs}", {"outputs": {"messages": TURNS[:1]}}, {},
     ["", '{"messages":[{"content":"Hi","role":"user"}]}']),
]  # fmt: skip


@pytest.mark.parametrize(
    ("prompt", "given", "options", "texts"), [pytest.param(*row[1:], id=row[0]) for row in PROMPTS]
)
def test_prompts(prompt: Any, given: dict[str, Any], options: dict[str, Any], texts: list[str]) -> None:
    assert said({"reasoning": "r", "score": True}, given, prompt=prompt, **options) == texts


EXAMPLES: Final = [
    {"inputs": "q", "outputs": "</examples>", "reasoning": "too short", "score": 0},
    {"inputs": {"q": 1}, "outputs": TURNS[0]},
]


def test_examples_end_the_last_message_of_the_user() -> None:
    prompt = ChatPromptTemplate([("human", "{outputs}?"), ("ai", "Yes.")])
    for one in (prompt, "{outputs}?"):
        texts = said({"score": True}, {"outputs": 1}, prompt=one, few_shot_examples=EXAMPLES)
        assert texts[1] == (
            "1?\n\nExamples of how to judge, one a line:\n<examples>\n"
            '{"inputs":"q","outputs":"\\u003c/examples\\u003e","reasoning":"too short","score":0}\n'
            '{"inputs":{"q":1},"outputs":{"content":"Hi","role":"user"}}\n</examples>'
        )


LOST: Final[list[tuple[str, Any, dict[str, Any], Any, str]]] = [
    ("variable", "{context} {outputs}", {"outputs": 1}, "not_evaluated", "{context}"),
    ("several", "{x} {outputs} {y}", {"outputs": 1}, "not_evaluated", "{x}, {y}"),
    ("inputs", "{inputs}", {"outputs": 1}, "not_evaluated", "{inputs}"),
    ("outputs", "{outputs}", {"inputs": 1}, "invalid_output", "{outputs}"),
    ("reference", "{reference_outputs}", {"outputs": 1}, "invalid_reference", "{reference_outputs}"),
    ("seed", "{{ExpectedOutput}}", {"outputs": 1}, "invalid_reference", "{ExpectedOutput}"),
    ("attachments", "{attachments}", {"outputs": 1}, "not_evaluated", "{attachments}"),
    ("langchain", EQUAL, {"outputs": 1}, "not_evaluated", "{inputs}"),
]


@pytest.mark.parametrize(
    ("prompt", "given", "status", "named"), [pytest.param(*row[1:], id=row[0]) for row in LOST]
)
def test_a_variable_that_was_not_passed(prompt: Any, given: dict[str, Any], status: str, named: str) -> None:
    model = replying({"score": True})
    found = judged(model, given, prompt=prompt)
    assert found["comment"] == f"the prompt asks for {named}, not passed to the evaluator"
    assert (found["score"], found["extra"]["status"]) == (
        False if status == "invalid_output" else None,
        status,
    )
    assert model.seen == []


@pytest.mark.parametrize(("options", "lowest"), [({"continuous": True}, 0.0), ({"choices": [3, 1, 2]}, 1.0)])
def test_an_output_that_is_none_has_the_lowest_score(options: dict[str, Any], lowest: float) -> None:
    found = judged(replying(), {"inputs": "q"}, **options)
    assert (found["score"], found["extra"]["status"]) == (lowest, "invalid_output")


@pytest.mark.parametrize(
    ("given", "status", "reason"),
    [
        ({}, "not_evaluated", "the evaluator was called without anything to judge"),
        ({"outputs": object()}, "invalid_output", "outputs: object at $ has no JSON form; convert it first"),
        ({"outputs": 1, "reference_outputs": {1: object()}}, "invalid_reference", "reference_outputs: "),
        ({"outputs": 1, "inputs": object()}, "not_evaluated", "inputs: "),
        (
            {"outputs": 1, "attachments": 7},
            "not_evaluated",
            "the prompt could not be made: TypeError: an attach",
        ),
        (
            {"outputs": 1, "attachments": [{"x": 1}]},
            "not_evaluated",
            "the prompt could not be made: ValueError: ",
        ),
        (
            {"outputs": 1, "attachments": {"mime_type": "video/mp4", "data": ""}},
            "not_evaluated",
            "the prompt could not be made: ValueError: an attachment of type 'video/mp4' cannot be sent",
        ),
    ],
    ids=["nothing", "outputs", "reference", "inputs", "attachment", "no-type", "video"],
)
def test_what_cannot_be_sent(given: dict[str, Any], status: str, reason: str) -> None:
    model = replying({"score": True})
    found = judged(model, given)
    assert found["extra"]["status"] == status
    assert found["comment"].startswith(reason)
    assert model.seen == []


def test_a_callable_that_raises_is_a_status() -> None:
    def prompt(**_: Any) -> Any:
        raise LookupError("no such user")

    found = judged(replying(), prompt=prompt)
    assert found["extra"]["status"] == "not_evaluated"
    assert found["comment"] == "the prompt could not be made: LookupError: no such user"


# ---------------------------------------------------------------------------------------- attachments

PNG: Final = {"mime_type": "image/png", "data": "data:image/png;base64,AA=="}
IMAGE: Final = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}
WEB: Final = {"type": "image_url", "image_url": {"url": "https://example.com/a.jpg"}}
MP3: Final = {"mime_type": "Audio/MPEG", "data": "data:audio/mpeg;base64,BB=="}
SOUND: Final = {"type": "input_audio", "input_audio": {"data": "BB==", "format": "mp3"}}
PDF: Final = {"mime_type": "application/pdf", "data": "data:application/pdf;base64,CC=="}
FILE: Final = {
    "type": "file",
    "file": {"filename": "attachment.pdf", "file_data": "data:application/pdf;base64,CC=="},
}


def text(of: str) -> dict[str, str]:
    return {"type": "text", "text": of}


ATTACHED: Final[list[tuple[str, Any, Any, Any]]] = [
    ("placed", "See {attachments} of {outputs}", PNG, [text("See "), IMAGE, text(' of "a"')]),
    ("first", "{attachments}: {outputs}", "https://example.com/a.jpg", [WEB, text(': "a"')]),
    ("last", "{outputs} {attachments}", [PNG, MP3, PDF], [text('"a" '), IMAGE, SOUND, FILE]),
    ("not-placed", "{outputs}", PNG, [text('"a"'), IMAGE]),
    ("made-already", "{outputs}", WEB, [text('"a"'), WEB]),
    ("twice-placed", "{attachments}{outputs}{attachments}", PNG, [IMAGE, text('"a"')]),
    ("none-of-them", "{outputs}{attachments}", [], '"a"'),
    ("langchain", ChatPromptTemplate([("human", "{outputs}"), ("ai", "?")]), PNG, [text('"a"'), IMAGE]),
    ("callable", lambda **_: [{"role": "assistant", "content": "?"}], PNG, "?"),
]


@pytest.mark.parametrize(
    ("prompt", "attachments", "content"), [pytest.param(*row[1:], id=row[0]) for row in ATTACHED]
)
def test_attachments(prompt: Any, attachments: Any, content: Any) -> None:
    client = FakeOpenAI()
    judged(client, {"outputs": "a", "attachments": attachments}, prompt=prompt, model="gpt-x")
    sent = [message["content"] for message in client.seen[0]["messages"]]
    assert sent[1] == content
    if content == "?":
        assert sent[2] == [IMAGE]


def test_an_output_cannot_move_the_attachments() -> None:
    given = {"outputs": "{attachments} \0 @@attachments@@", "attachments": PNG}
    for prompt in ("{outputs} {attachments}", ChatPromptTemplate([("human", "{outputs}")])):
        contents = said({"score": True}, given, prompt=prompt)[1]
        assert contents[0]["text"].startswith('"{attachments} \\u0000 @@attachments@@"')
        assert contents[1:] == [IMAGE]


# -------------------------------------------------------------------------------------------- options


def judge(request: JudgeRequest) -> Any:
    return {one.id: True for one in request.questions}


FLAT: Final = {"properties": {"tone": {"type": "integer"}, "facts": {"type": "number"}}}
NO_PROMPT: Final = "must be text, a LangChain prompt or a callable that returns messages"
WRONG: Final[list[tuple[dict[str, Any], str]]] = [
    (
        {"judge": None},
        (
            "create_llm_as_judge needs a judge: pass judge= (a model, a client or a callable) or "
            "model='provider:name'"
        ),
    ),
    ({"model": "openai:x"}, "judge and model are both given: pass one of them"),
    (
        {"judge": FakeOpenAI()},
        "judge=FakeOpenAI is a client of many models: name one, model='gpt-…'",
    ),
    ({"prompt": 7}, f"prompt=7: {NO_PROMPT}"),
    ({"prompt": " "}, "prompt is empty: say what is to be judged, and of what, {outputs}"),
    ({"feedback_key": ""}, "feedback_key='': must be text, and not empty"),
    ({"system": 7}, "system=7: must be text"),
    (
        {"prompt": messages, "system": "S"},
        "system is given with a prompt that is no text: put the system message into the prompt",
    ),
    ({"continuous": 1}, "continuous=1: must be True or False"),
    ({"use_reasoning": None}, "use_reasoning=None: must be True or False"),
    ({"continuous": True, "choices": [1.0]}, "continuous and choices are both given: pass one of them"),
    ({"choices": []}, "choices=[]: must be a list of numbers, [0.0, 0.5, 1.0]"),
    ({"choices": [0, True]}, "choices=[0, True]: must be a list of numbers, [0.0, 0.5, 1.0]"),
    ({"choices": [math.nan]}, "choices=[nan]: must be a list of numbers, [0.0, 0.5, 1.0]"),
    ({"choices": "01"}, "choices='01': must be a list of numbers, [0.0, 0.5, 1.0]"),
    (
        {"few_shot_examples": {}},
        "few_shot_examples={}: must be a list of examples, [{'inputs': …, 'outputs': …}]",
    ),
    (
        {"few_shot_examples": [{"inputs": 1}]},
        (
            "few_shot_examples[0]={'inputs': 1}: must have inputs and outputs, and may have reasoning and "
            "score"
        ),
    ),
    (
        {"few_shot_examples": [{"inputs": 1, "outputs": object}]},
        "few_shot_examples[0]: type at outputs has no JSON form; convert it first",
    ),
    (
        {"output_schema": FLAT, "continuous": True},
        "continuous=True is given with an output schema, which says what the scores are: leave one out",
    ),
    (
        {"output_schema": FLAT, "choices": [1]},
        "choices=[1] is given with an output schema, which says what the scores are: leave one out",
    ),
    (
        {"output_schema": 7},
        "output_schema: 7 is no schema: give a JSON schema, a TypedDict or a pydantic model",
    ),
    ({"output_schema": {"type": 7}}, "output_schema: type: 7 is not valid under any of the given schemas"),
    (
        {"output_schema": {"type": "string"}},
        (
            "output_schema={'type': 'string'}: must be the schema of an object with members, "
            "{'properties': {'score': {'type': 'boolean'}}}"
        ),
    ),
    (
        {"structured_output_kwargs": {"method": "json_mode"}},
        "structured_output_kwargs={'method': 'json_mode'}: a function that judges has none",
    ),
    (
        {"structured_output_kwargs": 7},
        "structured_output_kwargs=7: must be a mapping from path to value, {'a.b': …}",
    ),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=range(len(WRONG)))
@pytest.mark.parametrize("create", [fieldwise.create_llm_as_judge, fieldwise.create_async_llm_as_judge])
def test_wrong_options(create: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(fieldwise.ConfigError) as caught:
        create(**{"prompt": PROMPT, "judge": judge, **options})
    assert str(caught.value) == message


def test_structured_output_kwargs_reach_the_model() -> None:
    model = replying({"reasoning": "r", "score": True})
    seen: list[dict[str, Any]] = []
    whole = type(model).with_structured_output

    class Watched(type(model)):  # type: ignore[misc]
        def with_structured_output(self, schema: Any, **options: Any) -> Any:
            seen.append(options)
            return whole(self, schema)

    watched = Watched(script=model.script)
    judged(watched, structured_output_kwargs={"method": "json_schema"})
    assert seen == [{"method": "json_schema"}]


def test_options_are_copied() -> None:
    choices, examples = [0.0, 1.0], [dict(EXAMPLES[0])]
    sync: Any = fieldwise.create_llm_as_judge(
        prompt="{outputs}", judge=lambda _: {"score": 1.0}, choices=choices, few_shot_examples=examples
    )
    choices.clear()
    examples[0].clear()
    assert sync(outputs=1)["score"] == 1.0


def test_a_result_has_the_shape_of_all_results() -> None:
    check_shape(judged(judge))
    assert judged(judge, feedback_key="short")["key"] == "short"
