"""The judges of trajectories: what they are shown, where it is taken from, and what becomes of the answer."""

from __future__ import annotations

import asyncio
import json
import math
import re
from typing import Any, Final

import openai
import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda

import fieldwise
from fieldwise.core.prompts import encode
from fieldwise.errors import BudgetExceeded, JudgeError
from fieldwise.scorers.agents.execution import AgentExecution
from fieldwise.scorers.agents.history import history
from fieldwise.scorers.agents.reading import read_trajectory
from tests.judges.fakes import FakeOpenAI, Step, chat_model
from tests.judges.oai_server import OpenAIServer
from tests.judges.test_injection import CORPUS, IDS
from tests.scorers.agents.runs import CALLS, NAME, SIMULATION, Judge, factories, judge_run, shown
from tests.scorers.agents.told import read, told

MISSING: Final = fieldwise.MISSING
BOTH: Final = pytest.mark.parametrize("name", [NAME, SIMULATION])
SPAN: Final = {
    "name": "add",
    "attributes": {"tool.name": "add", "input.value": '{"a": 5}', "output.value": "8"},
    "start_time": 1,
    "end_time": 2,
}
MESSAGES: Final = [
    HumanMessage("5+3?"),
    AIMessage("", tool_calls=[{"name": "add", "args": {"a": 5}, "id": "1"}]),
    ToolMessage("8", tool_call_id="1"),
    AIMessage("It is 8."),
]


def status(*args: Any, **options: Any) -> tuple[Any, str, str | None]:
    found = judge_run(*args, **{"judge": Judge(), **options})
    return found["score"], found["extra"]["status"], found["comment"]


def part(name: str, text: str) -> str:
    """What stands in the one section of that name."""
    (found,) = re.findall(rf"<{name}>\n(.*?)\n</{name}>", text, re.DOTALL)
    return str(found)


# ------------------------------------------------------------------------------------------ answers

SCALE: Final = "a number from 0 to 100 was asked for"
ELSE: Final = 'expected "It adds.", called add'
ANSWERS: Final[list[tuple[str, list[Any], Any, str | None, int]]] = [
    ("full", [100], 1.0, None, 1),
    ("none", [0], 0.0, ELSE, 1),
    ("part", [72.456], 0.72456, ELSE, 1),
    ("reason", [{"score": 40, "reasoning": "half"}], 0.4, "half", 1),
    ("again", [True, 30], 0.3, ELSE, 2),
    ("boolean", [True], None, f"answered 'True', which is bool; {SCALE}", 2),
    ("text", ["90"], None, f"answered '90', which is str; {SCALE}", 2),
    ("nan", [math.nan], None, "answered 'nan', which is not from 0 to 100", 2),
    ("too-high", [101], None, "answered '101', which is not from 0 to 100", 2),
    ("fraction", [0.85], None, f"answered '0.85', which may be of a scale from 0 to 1; {SCALE}", 2),
    ("no-score", [{"reasoning": "?"}], None, "answered without a score", 2),
    ("fails", [JudgeError("the judge refused: no")], None, "the judge refused: no", 1),
    ("raises", [TimeoutError("late")], None, "TimeoutError: late", 1),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(
    ("replies", "score", "comment", "calls"), [pytest.param(*row[1:], id=row[0]) for row in ANSWERS]
)
def test_answers(name: str, replies: list[Any], score: Any, comment: str | None, calls: int) -> None:
    found = judge_run(name=name, judge=Judge(*replies))
    assert (found["key"], found["score"], found["comment"]) == (name, score, comment)
    extra: dict[str, Any] = {"path": "$", "comparator": "judge", "usage": {"judge_calls": calls}}
    extra["history"] = {"tokens": 15, "cut": False}
    if score is None:
        extra |= {"status": "judge_error", "passed": False, "support": 0, "reason": comment}
    else:
        extra |= {"status": "graded", "passed": score >= 0.7, "support": 1}
    assert found["extra"] == extra


def test_a_ceiling_is_not_evaluated() -> None:
    assert status(judge=Judge(BudgetExceeded("4 calls made"))) == (None, "not_evaluated", "4 calls made")


def test_the_threshold_decides_what_passed_and_nothing_else() -> None:
    for threshold, passed in ((0.5, True), (0.6, True), (0.61, False)):
        found = judge_run(judge=Judge(60), threshold=threshold)
        assert (found["score"], found["extra"]["passed"]) == (0.6, passed)


def test_no_reason_where_none_is_wanted() -> None:
    judge = Judge({"score": 50, "reasoning": "half"})
    found = judge_run([], judge=judge, use_reasoning=False, feedback_key="behaved")
    assert (found["key"], found["comment"]) == ("behaved", 'expected "It adds.", called nothing')
    assert not judge.asked[0].reasoning


@BOTH
def test_the_question(name: str) -> None:
    judge = Judge()
    judge_run(name=name, judge=judge)
    (question,) = judge.asked[0].questions
    assert (question.id, question.field, question.scale) == ("trajectory", "$", "percent")
    assert (question.expected, question.actual) == ("It adds.", '{"call":1,"name":"add","arguments":{"a":5}}')


# ------------------------------------------------------------------------------------------ the parts


def test_the_words() -> None:
    system, user = shown(inputs={"q": "5+3?"})
    assert system == "You are a careful judge. You compare what an agent did with what was expected of it."
    assert part("ExpectedAgentBehavior", user) == '"It adds."'
    assert part("UserOrSyntheticInput", user) == '{"q":"5+3?"}'
    assert part("AgentRunHistory", user) == '{"call":1,"name":"add","arguments":{"a":5}}'
    assert "SimulationInstructions" not in user
    _, simulated = shown(inputs={"q": "5+3?"}, name=SIMULATION, simulation_instructions="add is right")
    assert part("SimulationInstructions", simulated) == '"add is right"'
    for name in ("ExpectedAgentBehavior", "UserOrSyntheticInput", "AgentRunHistory"):
        assert part(name, simulated) == part(name, user)


SOURCES: Final[dict[str, tuple[Any, Any]]] = {
    "messages": (MESSAGES, MISSING),
    "state": ({"messages": MESSAGES}, MISSING),
    "state-with-an-answer": ({"messages": MESSAGES, "structured_response": {"r": 8}}, {"r": 8}),
    "calls": (CALLS, MISSING),
    "calls-alone": ({"tool_calls": CALLS}, MISSING),
    "calls-and-an-answer": ({"tool_calls": CALLS, "answer": 8}, {"answer": 8}),
    "wrapped": ({"output": CALLS}, MISSING),
    "nothing": ([], MISSING),
    "execution-of-spans": (AgentExecution({"q": 1}, {"r": 8}, [SPAN]), {"r": 8}),
    "execution-without-an-answer": (AgentExecution({"q": 1}, None, [SPAN]), MISSING),
    "execution-with-an-empty-answer": (AgentExecution({"q": 1}, "", [SPAN]), ""),
    "execution-of-messages": (AgentExecution({"q": 1}, MESSAGES), MISSING),
    "another's-execution": ({"workload_trace": [SPAN], "workload_output": "8"}, "8"),
    "wrapped-execution": ({"output": AgentExecution({"q": 1}, {"r": 8}, [SPAN])}, {"r": 8}),
    "spans": ([SPAN], MISSING),
    "run": (
        {"run_type": "tool", "name": "add", "inputs": {"a": 5}, "outputs": {"output": "8"}},
        {"output": "8"},
    ),
}


@pytest.mark.parametrize(("outputs", "answer"), SOURCES.values(), ids=SOURCES)
def test_every_source_is_shown_with_its_final_answer(outputs: Any, answer: Any) -> None:
    text = part("AgentRunHistory", shown(outputs)[1])
    trajectory: Any = read_trajectory(outputs)
    assert text == history(trajectory, answer).text
    assert read(text) == told(trajectory, answer)


EXECUTION: Final = AgentExecution({"q": 1}, 8, [SPAN], "It executes.", "simulated so")
INPUTS: Final[list[tuple[str, Any, Any, str]]] = [
    ("inputs", {"a": [1]}, CALLS, '{"a":[1]}'),
    ("text", "5+3?", CALLS, '"5+3?"'),
    ("none", None, CALLS, "null"),
    ("execution", None, EXECUTION, '{"q":1}'),
    ("inputs-first", "5+3?", EXECUTION, '"5+3?"'),
    ("execution-without", None, AgentExecution(None, 8, [SPAN]), "null"),
]


@pytest.mark.parametrize(
    ("inputs", "outputs", "right"), [pytest.param(*row[1:], id=row[0]) for row in INPUTS]
)
def test_where_the_input_comes_from(inputs: Any, outputs: Any, right: str) -> None:
    assert part("UserOrSyntheticInput", shown(outputs, inputs=inputs)[1]) == right


OPTION: Final = {"expected_agent_behavior": "It opts."}
EXPECTED: Final[list[tuple[str, Any, Any, dict[str, Any], str]]] = [
    ("text", CALLS, "It adds.", {}, "It adds."),
    ("camel", CALLS, {"expectedAgentBehavior": "It adds."}, {}, "It adds."),
    ("snake", CALLS, {"expected_agent_behavior": "It adds."}, {}, "It adds."),
    ("among-others", CALLS, {"expectedOutput": 1, "expectedAgentBehavior": "It adds."}, {}, "It adds."),
    ("wrapped", CALLS, {"output": "It adds."}, {}, "It adds."),
    ("wrapped-object", CALLS, {"output": {"expectedAgentBehavior": "It adds."}}, {}, "It adds."),
    ("sole-column", CALLS, {"behaviour": "It adds."}, {}, "It adds."),
    ("key", CALLS, {"a": "It adds.", "b": 1}, {"correct_answer_key": "a"}, "It adds."),
    ("key-of-inputs", CALLS, {"b": 1}, {"correct_answer_key": "q", "inputs": {"q": "It asks."}}, "It asks."),
    ("execution", EXECUTION, MISSING, {}, "It executes."),
    ("execution-null", EXECUTION, None, {}, "It executes."),
    ("reference-first", EXECUTION, "It adds.", OPTION, "It adds."),
    ("execution-before-option", EXECUTION, MISSING, OPTION, "It executes."),
    ("option", CALLS, MISSING, OPTION, "It opts."),
    ("option-null", CALLS, None, OPTION, "It opts."),
    ("option-null-inside", CALLS, {"expectedAgentBehavior": None}, OPTION, "It opts."),
    ("option-no-columns", CALLS, {}, OPTION, "It opts."),
    ("option-execution-empty", AgentExecution(None, 8, [SPAN], ""), MISSING, OPTION, "It opts."),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(
    ("outputs", "reference", "options", "right"), [pytest.param(*row[1:], id=row[0]) for row in EXPECTED]
)
def test_where_the_expectation_comes_from(
    name: str, outputs: Any, reference: Any, options: dict[str, Any], right: str
) -> None:
    _, user = shown(outputs, reference, name=name, **options)
    assert part("ExpectedAgentBehavior", user) == json.dumps(right)


SAID: Final = {"simulation_instructions": "said"}
SIMULATIONS: Final[list[tuple[str, Any, Any, dict[str, Any], str]]] = [
    ("none", CALLS, "b", {}, "null"),
    ("option", CALLS, "b", SAID, '"said"'),
    ("keyword", CALLS, "b", {**SAID, "more": {"simulation_instructions": "called"}}, '"called"'),
    ("keyword-null", CALLS, "b", {**SAID, "more": {"simulation_instructions": None}}, '"said"'),
    ("execution", EXECUTION, "b", SAID, '"simulated so"'),
    ("reference", EXECUTION, {"expectedAgentBehavior": "b", "simulationInstructions": "r"}, SAID, '"r"'),
    ("snake", CALLS, {"expected_agent_behavior": "b", "simulation_instructions": "r"}, {}, '"r"'),
    ("beside-a-column", CALLS, {"b": "b", "simulation_instructions": "r"}, {}, '"r"'),
    ("data", CALLS, "b", {"more": {"simulation_instructions": ["</x>", 1]}}, '["\\u003c/x\\u003e",1]'),
]


@pytest.mark.parametrize(
    ("outputs", "reference", "options", "right"), [pytest.param(*row[1:], id=row[0]) for row in SIMULATIONS]
)
def test_where_the_simulation_comes_from(
    outputs: Any, reference: Any, options: dict[str, Any], right: str
) -> None:
    _, user = shown(outputs, reference, name=SIMULATION, **options)
    assert part("SimulationInstructions", user) == right
    assert part("ExpectedAgentBehavior", user) == '"b"'


# -------------------------------------------------------------------------------------------- faults

REFERENCE: Final = "invalid_reference"
OUTPUT: Final = "invalid_output"
SKIPPED: Final = "not_evaluated"
NEITHER: Final = "and nothing else says what was expected of the agent"
SAY_IT: Final = "pass expected_agent_behavior='…' when the evaluator is created"
NAME_IT: Final = f"name the column with correct_answer_key, or {SAY_IT}"
WORDLESS: Final = "which does not say in words what was expected of the agent"


def fails(_: str) -> int:
    raise ValueError("no tokens")


FORM: Final = "has no JSON form; convert it first"
FAULTS: Final[list[tuple[str, Any, Any, dict[str, Any], str, str]]] = [
    ("none", CALLS, MISSING, {}, REFERENCE, f"no reference_outputs were given, {NEITHER}"),
    ("null", CALLS, None, {}, REFERENCE, f"reference_outputs is null, {NEITHER}"),
    ("empty", CALLS, "", OPTION, REFERENCE, "the expected behaviour is empty"),
    ("blank", CALLS, {"expectedAgentBehavior": " \n"}, {}, REFERENCE, "the expected behaviour is empty"),
    ("number", CALLS, 7, {}, REFERENCE, f"reference_outputs is 7, {WORDLESS}; {SAY_IT}"),
    ("list", CALLS, ["It."], {}, REFERENCE, f"reference_outputs is ['It.'], {WORDLESS}; {SAY_IT}"),
    (
        "columns",
        CALLS,
        {"a": "x", "b": "y"},
        {},
        REFERENCE,
        f"reference_outputs has no expectedAgentBehavior: 'a', 'b'; {NAME_IT}",
    ),
    (
        "column",
        CALLS,
        {"a": 7},
        {},
        REFERENCE,
        f"reference_outputs has no expectedAgentBehavior: 'a'; {NAME_IT}",
    ),
    ("no-json", CALLS, {"a": object()}, {}, REFERENCE, f"reference_outputs: object at a {FORM}"),
    ("no-outputs", MISSING, "b", {}, OUTPUT, "no outputs were given"),
    (
        "no-run",
        {"foo": 1},
        "b",
        {},
        OUTPUT,
        "outputs: no messages, calls, spans or run, but an object with the keys foo",
    ),
    ("both", {"foo": 1}, MISSING, {}, REFERENCE, f"no reference_outputs were given, {NEITHER}"),
    ("no-json-answer", {"tool_calls": CALLS, "a": object()}, "b", {}, OUTPUT, f"outputs: object at a {FORM}"),
    ("no-json-inputs", CALLS, "b", {"inputs": {"a": object()}}, SKIPPED, f"inputs: object at a {FORM}"),
    ("no-json-context", CALLS, "b", {"more": {"context": object()}}, SKIPPED, f"context: object at $ {FORM}"),
    (
        "count",
        CALLS,
        "b",
        {"count_tokens": lambda _: None},
        SKIPPED,
        "count_tokens failed: TypeError: a number of tokens is None",
    ),
    (
        "count-raises",
        CALLS,
        "b",
        {"count_tokens": fails},
        SKIPPED,
        "count_tokens failed: ValueError: no tokens",
    ),
]


@BOTH
@pytest.mark.parametrize(
    ("given", "options", "state", "comment"),
    [pytest.param(row[1:3], *row[3:], id=row[0]) for row in FAULTS],
)
def test_faults_are_not_sent(
    name: str, given: tuple[Any, Any], options: dict[str, Any], state: str, comment: str
) -> None:
    judge = Judge()
    score = 0.0 if state == OUTPUT else None
    assert status(*given, name=name, judge=judge, **options) == (score, state, comment)
    assert judge.asked == []


class Hostile:
    """An object that raises whatever it is asked."""

    def __getattribute__(self, name: str) -> Any:
        if name.startswith("__"):
            return object.__getattribute__(self, name)
        raise RuntimeError(name)


def test_a_hostile_output_is_invalid() -> None:
    assert status(Hostile(), "b")[:2] == (0.0, "invalid_output")


# ------------------------------------------------------------------------------------------ the budget


@BOTH
def test_the_history_is_kept_within_its_budget(name: str) -> None:
    outputs = [{"role": "user", "content": "word " * 40_000}]
    judge = Judge()
    found = judge_run(outputs, judge=judge, name=name)
    assert found["extra"]["history"]["cut"]
    assert 7_900 < found["extra"]["history"]["tokens"] <= 8_000
    short = judge_run(outputs, judge=judge, name=name, max_history_tokens=100)
    assert short["extra"]["history"]["tokens"] <= 100
    words = judge_run(outputs, judge=judge, name=name, count_tokens=lambda text: len(text.split()))
    assert 7_500 < words["extra"]["history"]["tokens"] <= 8_000


# --------------------------------------------------------------------------------------------- prompts

H: Final = '{"call":1,"name":"add","arguments":{"a":5}}'
HISTORY: Final = f"\n\n## Agent Run History\n<AgentRunHistory>\n{H}\n</AgentRunHistory>"
WANTED: Final = (
    '\n\n## Expected Agent Behavior\n<ExpectedAgentBehavior>\n"It adds."\n</ExpectedAgentBehavior>'
)
CONTEXT: Final = '\n\n## Context\n<Context>\n["c"]\n</Context>'
RETRIEVED: Final = '\n\n## Retrieval Context\n<RetrievalContext>\n["r"]\n</RetrievalContext>'
GIVEN: Final = {"context": ["c"], "retrieval_context": ["r"]}


def two(agent_run_history: str, expected_agent_behavior: str) -> str:
    return f"{agent_run_history}|{expected_agent_behavior}"


def more(
    agent_run_history: str, expected_agent_behavior: str, simulation_instructions: Any, context: Any = None
) -> Any:
    return [("system", "S"), ("human", f"{expected_agent_behavior}{simulation_instructions}{context}")]


PROMPTS: Final[list[tuple[str, Any, dict[str, Any], list[str]]]] = [
    (
        "seed",
        "{{AgentRunHistory}}|{{ExpectedAgentBehavior}}|{{UserOrSyntheticInput}}|{{SimulationInstructions}}",
        {"more": {"simulation_instructions": "s"}},
        [f'{H}|"It adds."|"i"|"s"'],
    ),
    (
        "snake",
        "{agent_run_history}|{expected_agent_behavior}|{user_or_synthetic_input}|{simulation_instructions}",
        {"template_format": "f-string"},
        [f'{H}|"It adds."|"i"|null'],
    ),
    ("openevals", "{outputs}|{reference_outputs}|{inputs}", {}, [f'{H}|"It adds."|"i"']),
    ("mustache", "{{outputs}}|{{inputs}}", {"template_format": "mustache"}, [f'{H}|"i"{WANTED}']),
    ("none", "Judge this run.", {}, [f"Judge this run.{WANTED}{HISTORY}"]),
    ("one", "Judge {{AgentRunHistory}}", {}, [f"Judge {H}{WANTED}"]),
    ("json", 'Like {"a": {"b": 1}}: {outputs}', {}, [f'Like {{"a": {{"b": 1}}}}: {H}{WANTED}']),
    ("contexts", "Judge.", {"more": GIVEN}, [f"Judge.{WANTED}{HISTORY}{CONTEXT}{RETRIEVED}"]),
    ("context-null", "Judge.", {"more": {"context": None}}, [f"Judge.{WANTED}{HISTORY}"]),
    ("one-context", "{{Context}}", {"more": GIVEN}, [f'["c"]{WANTED}{HISTORY}{RETRIEVED}']),
    ("contexts-named", "{context}{retrieval_context}", {"more": GIVEN}, [f'["c"]["r"]{WANTED}{HISTORY}']),
    (
        "langchain",
        ChatPromptTemplate([("system", "S"), ("human", "{outputs}|{expected_agent_behavior}")]),
        {"more": {"context": ["c"]}},
        ["S", f'{H}|"It adds."{CONTEXT}'],
    ),
    (
        "runnable",
        RunnableLambda(lambda given: [("human", f"{given['outputs']}|{given['context']}")]),
        {"more": GIVEN},
        [f'{H}|["c"]{RETRIEVED}'],
    ),
    ("callable", two, {}, [f"{H}|It adds."]),
    ("callable-and-context", two, {"more": GIVEN}, [f"{H}|It adds.{CONTEXT}{RETRIEVED}"]),
    (
        "callable-that-takes-it",
        more,
        {"more": {**GIVEN, "simulation_instructions": "s"}},
        ["S", f"It adds.s['c']{RETRIEVED}"],
    ),
    ("callable-that-may-take-it", more, {}, ["S", "It adds.NoneNone"]),
    ("callable-of-all", lambda **given: ",".join(given), {"more": {"context": 1}}, [
        "expected_agent_behavior,agent_run_history,user_or_synthetic_input,simulation_instructions,context"
    ]),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(
    ("prompt", "options", "texts"), [pytest.param(*row[1:], id=row[0]) for row in PROMPTS]
)
def test_prompts(name: str, prompt: Any, options: dict[str, Any], texts: list[str]) -> None:
    assert shown(name=name, inputs="i", prompt=prompt, **options) == texts


NOT_PASSED: Final = "not passed to the evaluator"
UNMADE: Final[dict[str, tuple[Any, str]]] = {
    "text": (
        "{{Context}} {retrieval_context}",
        f"the prompt asks for {{Context}}, {{RetrievalContext}}, {NOT_PASSED}",
    ),
    "langchain": (
        ChatPromptTemplate([("human", "{context}")]),
        f"the prompt asks for {{Context}}, {NOT_PASSED}",
    ),
    "callable": (
        lambda **_: 7,
        (
            "the prompt could not be made: ConfigError: the prompt made int; it must make text or a list of "
            "messages"
        ),
    ),
    "parameters": (
        lambda agent_run_history: agent_run_history,
        (
            "the prompt could not be made: TypeError: <lambda>() got an unexpected keyword argument "
            "'expected_agent_behavior'"
        ),
    ),
}


@pytest.mark.parametrize(("prompt", "reason"), UNMADE.values(), ids=UNMADE)
def test_a_prompt_that_cannot_be_made(prompt: Any, reason: str) -> None:
    judge = Judge()
    assert status(judge=judge, prompt=prompt) == (None, "not_evaluated", reason)
    assert judge.asked == []


# ------------------------------------------------------------------------------------------- injection


@BOTH
@pytest.mark.parametrize("text", CORPUS, ids=IDS)
def test_nothing_that_is_judged_closes_a_section_or_is_expanded(name: str, text: str) -> None:
    call = {"id": text, "name": text or "t", "args": {text: [text]}}
    outputs = [
        {"role": "user", "content": text, "name": text},
        {"role": "assistant", "content": text, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": text, "content": text},
    ]
    options: dict[str, Any] = {"name": name, "inputs": {text: text}}
    options["more"] = {"context": [text], "simulation_instructions": text}
    _, user = shown({"messages": outputs, "structured_response": text}, text, **options)
    assert read(part("AgentRunHistory", user)) == told(read_trajectory(outputs), text)  # type: ignore[arg-type]
    parts = {"ExpectedAgentBehavior": text, "UserOrSyntheticInput": {text: text}, "Context": [text]}
    if name == SIMULATION:
        parts["SimulationInstructions"] = text
    for section, value in parts.items():
        assert json.loads(part(section, user)) == value
        assert part(section, user) == encode(value)


# -------------------------------------------------------------------------------------------- clients

REPLY: Final = Step(say={"reasoning": "good", "score": 85})


@BOTH
def test_a_chat_model(name: str) -> None:
    model = chat_model(REPLY)
    found = judge_run(MESSAGES, judge=model, name=name)
    assert (found["score"], found["comment"], found["extra"]["passed"]) == (0.85, "good", True)
    assert found["extra"]["usage"] == {
        "judge_calls": 1,
        "input_tokens": 11,
        "output_tokens": 7,
        "total_tokens": 18,
    }
    first, second = model.seen
    assert first == second
    assert read(part("AgentRunHistory", first[1]["content"])) == told(read_trajectory(MESSAGES))  # type: ignore[arg-type]


@BOTH
def test_a_client_of_many_models(name: str) -> None:
    client = FakeOpenAI(REPLY)
    found = judge_run(judge=client, model="gpt-x", temperature=0.5, max_tokens=99, name=name)
    assert (found["score"], found["comment"]) == (0.85, "good")
    assert {(one["model"], one["temperature"], one["max_tokens"]) for one in client.seen} == {
        ("gpt-x", 0.5, 99)
    }


@BOTH
def test_a_server(name: str) -> None:
    sync, later = factories(name)
    given = {"outputs": MESSAGES, "reference_outputs": "It adds."}
    with OpenAIServer(REPLY) as server:
        where: dict[str, Any] = {"base_url": server.url, "api_key": "k"}
        found = sync(judge=openai.OpenAI(**where), model="m")(**given)
        assert asyncio.run(later(judge=openai.AsyncOpenAI(**where), model="m")(**given)) == found
    assert (found["score"], found["comment"]) == (0.85, "good")
    first, second = (body["messages"] for body in server.bodies)
    assert first == second
    assert read(part("AgentRunHistory", first[1]["content"])) == told(read_trajectory(MESSAGES))  # type: ignore[arg-type]


@BOTH
def test_a_server_that_fails(name: str) -> None:
    sync, _ = factories(name)
    with OpenAIServer(Step(status=400)) as server:
        client = openai.OpenAI(base_url=server.url, api_key="k")
        found = sync(judge=client, model="m")(outputs=CALLS, reference_outputs="It adds.")
    assert (found["score"], found["extra"]["status"], found["extra"]["passed"]) == (
        None,
        "judge_error",
        False,
    )
    assert "scripted 400" in found["comment"]


def test_an_async_judge_serves_async_evaluators() -> None:
    async def judge(_: Any) -> Any:
        return {"trajectory": 40}

    sync, later = factories(NAME)
    assert asyncio.run(later(judge=judge)(outputs=CALLS, reference_outputs="b"))["score"] == 0.4
    with pytest.raises(fieldwise.ConfigError, match=r"^judge=judge is async: use the create_async_… factory"):
        sync(judge=judge)


# -------------------------------------------------------------------------------------------- options

KNOWN: Final = (
    "AgentRunHistory, Context, ExpectedAgentBehavior, RetrievalContext, SimulationInstructions, "
    "UserOrSyntheticInput, agent_run_history, context, expected_agent_behavior, inputs, outputs, "
    "reference_outputs, retrieval_context, simulation_instructions, user_or_synthetic_input"
)
WHOLE: Final = "must be a whole number from 100 up"
WRONG: Final[list[tuple[dict[str, Any], str]]] = [
    (
        {"judge": None},
        "{} needs a judge: pass judge= (a model, a client or a callable) or model='provider:name'",
    ),
    (
        {"prompt": "{{AgentRunHistory}} {{Other}} {output}"},
        (
            f"prompt asks for {{Other}}, {{output}}, which is not known: it may ask for {KNOWN}; for a "
            "literal brace use template_format='f-string' and write it twice"
        ),
    ),
    (
        {"prompt": ChatPromptTemplate([("human", "{thread}")])},
        f"prompt asks for thread, which is not known: it may ask for {KNOWN}",
    ),
    ({"prompt": 7}, "prompt=7: must be text, a LangChain prompt or a callable that returns messages"),
    ({"threshold": 1.5}, "threshold=1.5: must be a number above 0 and at most 1"),
    ({"max_history_tokens": 99}, f"max_history_tokens=99: {WHOLE}"),
    ({"max_history_tokens": True}, f"max_history_tokens=True: {WHOLE}"),
    ({"max_history_tokens": 1e4}, f"max_history_tokens=10000.0: {WHOLE}"),
    ({"count_tokens": 3}, "count_tokens=3: must be a function from a text to its number of tokens"),
    (
        {"count_tokens": pow},
        (
            "count_tokens=<built-in function pow>: it does not take one text (missing a required argument: "
            "'exp'); it must be a function from a text to its number of tokens"
        ),
    ),
    ({"expected_agent_behavior": ""}, "expected_agent_behavior='': must be text, and not empty"),
    ({"use_reasoning": 1}, "use_reasoning=1: must be True or False"),
    ({"temperature": -1}, "temperature=-1: must be a number from 0 up, or None for the model's own"),
    ({"feedback_key": ""}, "feedback_key='': must be text, and not empty"),
    ({"outputs_key": "$["}, "outputs_key: "),
]  # fmt: skip


@BOTH
@pytest.mark.parametrize(("wrong", "message"), WRONG, ids=range(len(WRONG)))
def test_wrong_options(name: str, wrong: dict[str, Any], message: str) -> None:
    for create in factories(name):
        with pytest.raises(fieldwise.ConfigError) as caught:
            create(**{"judge": Judge(), **wrong})
        said = str(caught.value)
        assert said.startswith(message) if message.endswith(": ") else said == message.replace("{}", name, 1)


def test_only_a_simulation_has_instructions() -> None:
    sync, _ = factories(NAME)
    with pytest.raises(fieldwise.ConfigError, match="there is no option 'simulation_instructions'"):
        sync(judge=Judge(), simulation_instructions="s")
    simulated, _ = factories(SIMULATION)
    with pytest.raises(
        fieldwise.ConfigError, match=r"^simulation_instructions='': must be text, and not empty$"
    ):
        simulated(judge=Judge(), simulation_instructions="")


# ----------------------------------------------------------------------------- tools as the reference


@pytest.mark.parametrize(
    "reference", [["add"], [], CALLS, {"toolCalls": CALLS}, {"a": "x", "b": "y"}, 7], ids=str
)
@pytest.mark.parametrize("name", ["llm_judge_trajectory", "llm_judge_trajectory_simulation"])
def test_a_reference_without_words_leaves_it_to_the_option(name: str, reference: Any) -> None:
    seen: list[Any] = []

    def judge(request: Any) -> dict[str, Any]:
        seen.append(request.questions[0].expected)
        return {"trajectory": {"score": 100, "reasoning": ""}}

    make: Any = getattr(fieldwise, f"create_{name}_evaluator")
    found = make(judge=judge, expected_agent_behavior="it adds")(outputs=CALLS, reference_outputs=reference)
    assert (found["score"], seen) == (1.0, ["it adds"])


def test_the_expected_tools_of_an_example_are_no_behaviour() -> None:
    example = fieldwise.Example(tools_called=["add"], expected_tools=["add"])
    silent: Any = fieldwise.create_llm_judge_trajectory_evaluator(judge=lambda _: {"trajectory": 100})
    (found,) = fieldwise.evaluate_example(example, silent)
    assert (found["score"], found["extra"]["status"]) == (None, REFERENCE)
    assert found["comment"] == f"reference_outputs is ['add'], {WORDLESS}; {SAY_IT}"
