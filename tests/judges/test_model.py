"""`create_judge` and what evaluators make of their options: which judge, shared with whom, refused when."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import fieldwise
from fieldwise.core.flow import Answer, JudgeRequest, Question, Verdict
from fieldwise.core.prompts import Prompt, prompt_of
from fieldwise.errors import BudgetExceeded, ConfigError, JudgeError
from fieldwise.judges import _made, as_async_judge, as_judge, as_run_judge
from fieldwise.judges.clients.functions import FunctionClient
from fieldwise.judges.contract import MAX_QUESTIONS, Words
from fieldwise.judges.interfaces import Call, Reply
from fieldwise.judges.limits import Limits
from fieldwise.judges.model import ModelJudge, _Function, _Model
from fieldwise.scorers.judging import NoAnswer
from tests.judges.fakes import FakeOpenAI, Step, chat_model

GIVEN: dict[str, Any] = {"outputs": {"a": "x"}, "reference_outputs": {"a": "y"}}
RUBRIC = {"a": "same meaning"}
A, B = (Question(name, name, "same", "x", "y") for name in "ab")
SAID = {"q1": {"reasoning": "r", "score": True}}


def answers(request: JudgeRequest) -> dict[str, bool]:
    return {question.id: True for question in request.questions}


async def async_answers(request: JudgeRequest) -> dict[str, bool]:
    return answers(request)


class Scripted:
    """A client of ours that follows a function, and remembers its calls."""

    label = "scripted"
    awaits_only = False

    def __init__(self, say: Any = lambda call: Reply(SAID, usage={"total_tokens": 2})) -> None:
        self.say = say
        self.calls: list[Call] = []

    def ask(self, call: Call) -> Reply:
        self.calls.append(call)
        said: Reply = self.say(call)
        return said

    async def aask(self, call: Call) -> Reply:
        await asyncio.sleep(0)
        return self.ask(call)


def judge_of(client: Any, *, cache: Any = None, votes: Any = None, per_key: bool = False) -> ModelJudge:
    return ModelJudge(client, _Model(client, Words(), Limits(), cache, per_key=per_key), votes)


def both(judge: ModelJudge, request: JudgeRequest) -> list[Verdict]:
    return [judge(request), asyncio.run(judge.acall(request))]


# ------------------------------------------------------------------------------------------- options

CHAT, OPENAI = chat_model(), FakeOpenAI()
REFUSED: tuple[tuple[str, Any, dict[str, Any], str], ...] = (
    (
        "nothing",
        None,
        {},
        (
            "judge=NoneType: pass a LangChain model, an OpenAI client with model=, the name of a model, "
            "or a callable that takes a JudgeRequest"
        ),
    ),
    ("no-model", OPENAI, {}, "judge=FakeOpenAI is a client of many models: name one, model='gpt-…'"),
    (
        "chat-and-model",
        CHAT,
        {"model": "m"},
        "model='m': only an OpenAI client is told which model to ask; leave it out, or pass it as the client",
    ),
    (
        "function-model",
        answers,
        {"model": "m"},
        "model='m': a function that judges is sent no prompt; leave it out",
    ),
    (
        "function-prompt",
        answers,
        {"prompt": "p"},
        "prompt='p': a function that judges is sent no prompt; leave it out",
    ),
    (
        "judge",
        fieldwise.create_judge(CHAT),
        {},
        "client is a judge already: pass the client that it was made of",
    ),
    (
        "unknown-name",
        CHAT,
        {"prompt": "Grade {output}"},
        (
            "prompt asks for {output}, which is not known: it may ask for ActualOutput, Criteria, "
            "ExpectedOutput, criteria, outputs, questions, reference_outputs; for a literal brace use "
            "template_format='f-string' and write it twice"
        ),
    ),
    (
        "format",
        CHAT,
        {"prompt": "x", "template_format": "jinja2"},
        "template_format='jinja2': must be 'plain', 'f-string' or 'mustache'",
    ),
    ("votes", CHAT, {"votes": 0}, "votes=0: must be a whole number from 1 up"),
)


@pytest.mark.parametrize(
    ("client", "options", "message"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED]
)
def test_wrong_options_are_refused(client: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_judge(client, **options)
    assert str(raised.value) == message


def test_words_of_the_judge_reach_the_model() -> None:
    model = chat_model()
    judge = fieldwise.create_judge(model, prompt='Like {{"score": 1}}. {questions}', system="Be brief.")
    assert judge(JudgeRequest((A,))).answers == {"a": {"reasoning": "because", "score": True}}
    system, user = (message["content"] for message in model.seen[0])
    assert system.startswith("Be brief.\n\n")
    assert user.startswith('Like {"score": 1}. For each question')


# ------------------------------------------------------------------------------ options of evaluators


@pytest.mark.parametrize("option", [answers, len, async_answers])
def test_a_function_is_a_judge_as_it_is(option: Any) -> None:
    assert as_async_judge(option, None) is option


def two_values(expected: Any, actual: Any) -> bool:
    return bool(expected == actual)


async def two_values_later(expected: Any, actual: Any) -> bool:
    return bool(expected == actual)


class TwoValues:
    def __call__(self, expected: Any, actual: Any) -> bool:
        return bool(expected == actual)


MISFIT = (
    "judge={}: a judge is called with one JudgeRequest, which it does not take "
    "(missing a required argument: 'actual'); write judge(request) -> {{question.id: answer}} for "
    "request.questions"
)


@pytest.mark.parametrize(
    "judge", [two_values, two_values_later, TwoValues()], ids=["plain", "async", "object"]
)
def test_a_function_that_takes_no_request_is_refused_when_the_evaluator_is_made(judge: Any) -> None:
    name = getattr(judge, "__name__", "TwoValues")
    makers: list[Callable[[], Any]] = [
        lambda: fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=judge),
        lambda: fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=judge),
        lambda: fieldwise.create_json_match_string_evaluator(rubric=RUBRIC, judge=judge),
        lambda: fieldwise.create_llm_judge_output_evaluator(judge=judge),
        lambda: fieldwise.create_llm_as_judge(prompt="{outputs}", judge=judge),
        lambda: fieldwise.create_judge(judge),
        lambda: fieldwise.check_judge([], judge, rubric=RUBRIC),
        lambda: fieldwise.evaluate_records(
            [], fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=answers), judge=judge
        ),
    ]
    for make in makers:
        with pytest.raises(ConfigError) as raised:
            make()
        assert str(raised.value) == MISFIT.format(name)


@pytest.mark.parametrize("option", [CHAT, fieldwise.create_judge(CHAT), fieldwise.create_judge(answers)])
def test_what_is_made_of_a_client_serves_both_modes(option: Any) -> None:
    judge = as_judge(option, None)
    assert isinstance(judge, ModelJudge)
    assert as_async_judge(option, None) is judge.awaited
    assert as_run_judge(judge.awaited, None, awaits=False) is judge


def test_an_openai_client_is_given_beside_its_model() -> None:
    client = FakeOpenAI()
    evaluator: Any = fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=client, model="m")
    assert [(result["score"], result["comment"]) for result in evaluator(**GIVEN)] == [
        (1.0, 'a: expected "y", got "x" (because)')
    ]
    assert client.seen[0]["model"] == "m"


ASYNC_ONLY: dict[str, Any] = {
    "function": async_answers,
    "judge": fieldwise.create_judge(async_answers),
}


@pytest.mark.parametrize("name", ASYNC_ONLY)
def test_an_async_function_is_refused_where_nothing_awaits_it(name: str) -> None:
    with pytest.raises(ConfigError, match=r"is async: use the create_async_… factory"):
        fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=ASYNC_ONLY[name])
    evaluator: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, judge=ASYNC_ONLY[name])
    assert [result["score"] for result in asyncio.run(evaluator(**GIVEN))] == [1.0]


def test_calling_an_async_judge_says_what_to_do() -> None:
    with pytest.raises(ConfigError) as raised:
        fieldwise.create_judge(async_answers)(JudgeRequest((A,)))
    assert str(raised.value) == "this judge is async: await its acall, or use the create_async_… factory"


def test_a_model_beside_a_judge_that_has_one_is_refused() -> None:
    with pytest.raises(ConfigError) as raised:
        as_judge(fieldwise.create_judge(CHAT), "m")
    assert str(raised.value) == "model='m': the judge was made with its model; leave it out"


def test_one_client_is_one_judge_as_long_as_somebody_holds_it() -> None:
    client = chat_model()
    held = as_judge(client, None)
    assert as_judge(client, None) is held
    assert as_judge(chat_model(), None) is not held
    assert as_judge(None, "openai:m") is not None
    del held
    gc.collect()
    assert [judge for judge in _made.values() if judge.client is client] == []


def test_a_name_is_made_a_model_once_for_all_evaluators(monkeypatch: pytest.MonkeyPatch) -> None:
    import langchain.chat_models

    made: list[str] = []
    model = chat_model()

    def make(name: str, **_: Any) -> Any:
        made.append(name)
        return model

    monkeypatch.setattr(langchain.chat_models, "init_chat_model", make)
    sync: Any = fieldwise.create_json_match_evaluator(rubric=RUBRIC, model="fake:m")
    evaluate: Any = fieldwise.create_async_json_match_evaluator(rubric=RUBRIC, model="fake:m")
    string = fieldwise.create_json_match_string_evaluator(rubric=RUBRIC, model="fake:m")
    assert made == []
    for _ in range(2):
        assert sync(**GIVEN)[0]["score"] == 1.0
        assert asyncio.run(evaluate(**GIVEN))[0]["score"] == 1.0
        assert string.evaluate_strings(prediction='{"a": "x"}', reference='{"a": "y"}')["score"] == 1.0
    assert made == ["fake:m"]


def test_string_evaluators_refuse_a_wrong_judge_when_created() -> None:
    wrong: Any = 3
    with pytest.raises(ConfigError, match=r"^judge=int: pass a LangChain model"):
        fieldwise.create_json_match_string_evaluator(rubric=RUBRIC, judge=wrong)


@pytest.mark.parametrize("judge", [chat_model(), FakeOpenAI()])
def test_runs_take_clients(judge: Any) -> None:
    options: dict[str, Any] = {"rubric": RUBRIC, "judge": judge}
    options |= {"model": "m"} if isinstance(judge, FakeOpenAI) else {}
    evaluator = fieldwise.create_json_match_evaluator(**options)
    awaited = fieldwise.create_async_json_match_evaluator(**options)
    assert fieldwise.evaluate_records([GIVEN] * 3, evaluator).score == 1.0
    assert asyncio.run(fieldwise.aevaluate_records([GIVEN] * 3, awaited)).score == 1.0
    assert judge.script.calls == 2  # equal questions are asked once in a run


def test_a_run_passes_on_how_a_question_is_asked() -> None:
    seen: list[bool] = []

    def judge(request: JudgeRequest) -> Any:
        seen.append(request.reasoning)
        return answers(request)

    evaluator = fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=judge, use_reasoning=False)
    fieldwise.evaluate_records([GIVEN], evaluator)
    assert seen == [False]


# --------------------------------------------------------------------------------------------- calls


def test_a_request_is_one_call() -> None:
    client = Scripted(lambda call: Reply({"q1": True, "q2": False}, usage={"total_tokens": 2}))
    for verdict in both(judge_of(client), JudgeRequest((A, B))):
        assert verdict == Verdict({"a": True, "b": False}, {"total_tokens": 2})
    assert len(client.calls) == 2


def test_a_call_for_each_key() -> None:
    client = Scripted()
    for verdict in both(judge_of(client, per_key=True), JudgeRequest((A, B))):
        assert verdict.answers == {name: {"score": True, "reasoning": "r"} for name in "ab"}
        assert verdict.usage == {"judge_calls": 1, "total_tokens": 4}
    assert len(client.calls) == 4


def test_several_calls_are_made_at_once() -> None:
    barrier = threading.Barrier(3, timeout=10)

    def say(call: Call) -> Reply:
        barrier.wait()
        return Reply(SAID)

    request = JudgeRequest(tuple(Question(str(n), "f", "c", n, -n) for n in range(3)))
    assert len(judge_of(Scripted(say), per_key=True)(request).answers) == 3


def test_many_questions_are_answered_in_parts() -> None:
    def say(call: Call) -> Reply:
        return Reply(dict.fromkeys([f"q{n}" for n in range(1, MAX_QUESTIONS + 1)], True))

    request = JudgeRequest(tuple(Question(str(n), "f", "c", n, -n) for n in range(MAX_QUESTIONS + 1)))
    for verdict in both(judge_of(Scripted(say)), request):
        assert len(verdict.answers) == MAX_QUESTIONS + 1


def failing(*errors: Any) -> Scripted:
    left = list(errors)
    lock = threading.Lock()

    def say(call: Call) -> Reply:
        with lock:
            error = left.pop(0)
        if error is not None:
            raise error
        return Reply(SAID)

    return Scripted(say)


def test_a_part_that_fails_leaves_its_questions_without_an_answer() -> None:
    judge = judge_of(failing(None, JudgeError("down")), per_key=True)
    found = asyncio.run(judge.acall(JudgeRequest((A, B)))).answers
    assert found == {"a": {"score": True, "reasoning": "r"}, "b": NoAnswer("down")}


@pytest.mark.parametrize(
    ("errors", "kind"),
    [
        ((JudgeError("down"), JudgeError("down")), JudgeError),
        ((JudgeError("down"), BudgetExceeded("over")), BudgetExceeded),
    ],
)
def test_parts_that_all_fail_fail(errors: Any, kind: Any) -> None:
    with pytest.raises(kind):
        judge_of(failing(*errors), per_key=True)(JudgeRequest((A, B)))


class Stop(BaseException):
    """What no judge may hold up."""


def test_what_is_no_failure_of_a_judge_passes() -> None:
    with pytest.raises(Stop):
        judge_of(failing(Stop(), None), per_key=True)(JudgeRequest((A, B)))


def test_a_judge_that_blocks_does_not_hold_up_a_loop() -> None:
    def slow(request: JudgeRequest) -> Any:
        time.sleep(0.2)
        return answers(request)

    async def run() -> float:
        judge = ModelJudge(slow, _Function(FunctionClient(slow), Limits()))
        start = time.perf_counter()
        await asyncio.gather(*(judge.acall(JudgeRequest((A,))) for _ in range(5)))
        return time.perf_counter() - start

    assert asyncio.run(run()) < 0.8


# ------------------------------------------------------------------------------------------- the seams


class Remembering:
    """A cache."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, Call], Reply] = {}

    def get(self, label: str, call: Call) -> Reply | None:
        return self.kept.get((label, call))

    def put(self, label: str, call: Call, reply: Reply) -> None:
        self.kept[label, call] = reply


def test_a_reply_is_kept_and_takes_no_call_then() -> None:
    client = Scripted()
    judge = judge_of(client, cache=Remembering())
    first, *others = [judge(JudgeRequest((A,))), *both(judge, JudgeRequest((A,)))]
    assert first.usage == {"total_tokens": 2}
    for verdict in others:
        assert verdict == Verdict(first.answers, {"judge_calls": -1, "cached_calls": 1})
    assert len(client.calls) == 1


def test_a_reply_that_does_not_answer_is_not_kept() -> None:
    client = Scripted(lambda call: Reply({"q1": "maybe"}))
    judge = judge_of(client, cache=Remembering())
    both(judge, JudgeRequest((A,)))
    assert len(client.calls) == 2


def test_a_reply_of_the_evaluators_own_schema_is_kept_when_whole() -> None:
    client = Scripted(lambda call: Reply({"a": 4}))
    judge = judge_of(client, cache=Remembering())
    prompt = Prompt(prompt_of("Grade", {}).messages, '{"type": "object"}')
    for verdict in both(judge, JudgeRequest((A,), prompt=prompt)):
        assert verdict.answers == {"a": {"score": 4, "reasoning": None}}
    assert len(client.calls) == 1


class Twice:
    """Votes that ask twice, past the cache the second time."""

    def decide(self, request: JudgeRequest, ask: Any) -> Verdict:
        verdicts: list[Verdict] = [ask(request, fresh) for fresh in (False, True)]
        return verdicts[1]

    async def adecide(self, request: JudgeRequest, ask: Any) -> Verdict:
        verdicts: list[Verdict] = [await ask(request, fresh) for fresh in (False, True)]
        return verdicts[1]


def test_votes_ask_past_the_cache() -> None:
    client = Scripted()
    judge = judge_of(client, cache=Remembering(), votes=Twice())
    both(judge, JudgeRequest((A,)))
    assert len(client.calls) == 3


def test_the_second_round_asks_only_what_is_open_and_says_why() -> None:
    model = chat_model(Step({"q1": True, "q2": "maybe"}), Step({"q2": False}))
    evaluator: Any = fieldwise.create_json_match_evaluator(rubric={"a": "c", "b": "c"}, judge=model)
    found = evaluator(outputs={"a": 1, "b": 2}, reference_outputs={"a": 3, "b": 4})
    assert [result["score"] for result in found] == [1.0, 0.0]
    again = model.seen[1][1]["content"]
    assert '"field":"b"' in again
    assert '"field":"a"' not in again
    assert "q2: \"answered 'maybe', which is str; a boolean was asked for\"" in again


def test_an_error_of_one_record_does_not_stick() -> None:
    model = chat_model(Step(refusal="boom"), Step(SAID))
    evaluator: Any = fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=model)
    found = [evaluator(**GIVEN)[0] for _ in range(2)]
    assert [result["score"] for result in found] == [None, 1.0]
    assert [result["extra"]["status"] for result in found] == ["judge_error", "graded"]


def test_equal_values_take_no_call() -> None:
    model = chat_model()
    evaluator: Any = fieldwise.create_json_match_evaluator(rubric=RUBRIC, judge=model)
    assert evaluator(outputs={"a": 1}, reference_outputs={"a": 1})[0]["score"] == 1.0
    assert model.script.calls == 0


def test_answers_of_functions_may_be_answers() -> None:
    judge = fieldwise.create_judge(lambda request: {"a": Answer(True, "r")})
    assert judge(JudgeRequest((A,))).answers == {"a": Answer(True, "r")}
