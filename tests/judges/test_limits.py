"""The limits of a judge: time, ceilings, options, and what they mean for scores."""

from __future__ import annotations

import asyncio
import inspect
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import openai
import pytest

from fieldwise import create_async_json_match_evaluator, create_json_match_evaluator
from fieldwise.core.flow import JudgeRequest, Question
from fieldwise.errors import BudgetExceeded, ConfigError, JudgeError
from fieldwise.judges import limits as limits_module
from fieldwise.judges.limits import LIMITS, Limits
from fieldwise.judges.model import create_judge
from fieldwise.run import aevaluate_records, evaluate_records
from tests.judges.fakes import FakeChatModel, Script, Step, chat_model, raise_for
from tests.judges.limit_fakes import (
    OK,
    USED,
    Calls,
    Hours,
    Said,
    StatusError,
    awaited,
    both,
    forever,
    run_async,
    run_sync,
    told_by,
)

# -------------------------------------------------------------------------------------------- time limit


def test_a_call_that_never_ends_is_given_up() -> None:
    over = threading.Event()
    limits = Limits(timeout=0.05, max_retries=1)

    def silent() -> Said:
        over.wait(30)
        return OK

    async def asilent() -> Said:
        await asyncio.sleep(30)
        return OK

    begun = time.monotonic()
    try:
        told = "JudgeError: no answer within 0.05 s; given up after 2 calls"
        assert told_by(lambda: limits.run(silent)) == told
        assert told_by(lambda: asyncio.run(awaited(limits.arun(asilent)))) == told
        assert time.monotonic() - begun < 5
    finally:
        over.set()


def test_a_time_limit_of_its_own_is_the_calls_own() -> None:
    assert (
        both(lambda: Limits(max_retries=0), TimeoutError("mine"))
        == [("JudgeError: TimeoutError: mine", 1)] * 2
    )


def test_calls_left_behind_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "MOST_LEFT", 2)
    over = threading.Event()
    limits = Limits(timeout=0.02, max_retries=0)

    def silent() -> Said:
        over.wait(30)
        return OK

    for _ in range(2):
        with pytest.raises(JudgeError, match="no answer within"):
            limits.run(silent)
    expected = "JudgeError: 2 calls of the judge still run past their time limit, so it was not asked"
    assert told_by(lambda: limits.run(silent)) == expected
    over.set()
    deadline = time.monotonic() + 5
    while (found := told_by(lambda: limits.run(Calls(OK)))) != OK and time.monotonic() < deadline:
        time.sleep(0.01)
    assert found == OK


NEVER_ENDS = """
import threading
from fieldwise.judges.limits import Limits
try:
    Limits(timeout=0.1, max_retries=0).run(threading.Event().wait)
except Exception as error:
    print(error)
"""


def test_a_call_left_behind_keeps_no_process_from_exiting() -> None:
    run = subprocess.run(
        [sys.executable, "-c", NEVER_ENDS], capture_output=True, text=True, timeout=60, check=True
    )
    assert (run.stdout, run.stderr) == ("no answer within 0.1 s\n", "")


def test_the_callers_context_reaches_the_call() -> None:
    from contextvars import ContextVar

    name: ContextVar[str] = ContextVar("name", default="nobody")
    name.set("somebody")
    assert Limits().run(lambda: Said(name.get())) == Said("somebody")


# ---------------------------------------------------------------------------------------------- ceilings

PRICE = (2.0, 10.0)  # 11 and 7 tokens: 92 millionths
SILENT = (
    "max_total_tokens=36 cannot be kept (a reply did not say how many tokens it took), "
    "so the judge was not asked"
)
CEILINGS: tuple[tuple[str, dict[str, Any], Any, list[str]], ...] = (
    ("calls", {"max_calls": 2}, USED, ["ok", "ok", "max_calls=2 is reached, so the judge was not asked"]),
    ("tokens", {"max_total_tokens": 36}, USED,
     ["ok", "ok", "max_total_tokens=36 is reached (36 used), so the judge was not asked"]),
    ("cost", {"max_cost": 0.0001, "price": PRICE}, USED,
     ["ok", "ok", "max_cost=0.0001 is reached (0.000184 used), so the judge was not asked"]),
    ("untold-tokens", {"max_total_tokens": 36}, OK,
     ["ok", SILENT]),
    ("none", {}, OK, ["ok", "ok", "ok"]),
)  # fmt: skip


@pytest.mark.parametrize(
    ("options", "reply", "expected"), [pytest.param(*row[1:], id=row[0]) for row in CEILINGS]
)
def test_ceilings(options: dict[str, Any], reply: Said, expected: list[str]) -> None:
    for run in (run_sync, run_async):
        limits = Limits(**options)
        told = []
        for _ in expected:
            try:
                told.append(run(limits, Calls(reply)).text)
            except BudgetExceeded as error:
                told.append(str(error))
        assert told == expected


def test_tries_count_as_calls() -> None:
    hours = Hours()
    found = both(lambda: Limits(max_calls=2, clock=hours.clock), StatusError(500))
    assert found == [("BudgetExceeded: max_calls=2 is reached, so the judge was not asked", 2)] * 2


def test_time_in_all() -> None:
    hours = Hours()
    limits = Limits(max_seconds=10, clock=hours.clock)
    assert limits.run(Calls(OK)) == OK
    hours.time += 9
    told = "BudgetExceeded: max_seconds=10 are over, so the judge was not asked"
    assert told_by(lambda: limits.run(Calls(StatusError(429, {"retry-after": "100"})))) == told
    assert hours.slept == [1.0]


def test_time_in_all_cuts_a_call_short() -> None:
    limits = Limits(max_seconds=0.1)
    told = "BudgetExceeded: max_seconds=0.1 were over before the judge answered"
    assert told_by(lambda: asyncio.run(awaited(limits.arun(forever)))) == told


def test_a_ceiling_on_calls_is_exact_among_many() -> None:
    limits = Limits(max_calls=25, concurrency=8)
    calls = Calls(OK)
    lock = threading.Lock()

    def call() -> Said:
        with lock:
            said: Said = calls()
        return said

    with ThreadPoolExecutor(8) as pool:
        told = list(pool.map(lambda _: told_by(lambda: limits.run(call)), range(60)))
    assert (told.count(OK), calls.count, limits.used()["calls"]) == (25, 25, 25)


def test_what_was_used_is_told() -> None:
    limits = Limits(price={"input": 2.0, "output": 10.0})
    assert limits.run(Calls(USED)).usage == {**(USED.usage or {}), "cost": pytest.approx(92e-6)}
    limits.run(Calls(Said("ok", {"input_tokens": 1, "output_tokens": 2})))
    assert limits.used() == {
        "calls": 2,
        "input_tokens": 12,
        "output_tokens": 9,
        "total_tokens": 21,
        "cost": pytest.approx(114e-6),
    }


def test_a_ceiling_leaves_fields_not_evaluated() -> None:
    model = chat_model()
    judge = create_judge(model, max_calls=1)
    evaluator = create_json_match_evaluator(
        rubric={"d": "same meaning", "e": "same meaning"}, judge=judge, aggregator="average"
    )
    reference = {"d": "same", "e": "y"}
    first: Any = evaluator(outputs={"d": "same", "e": "x"}, reference_outputs=reference)
    assert (first[0]["score"], model.script.calls) == (1.0, 1)
    second: Any = evaluator(outputs={"d": "same", "e": "z"}, reference_outputs=reference)
    extra = second[0]["extra"]
    assert (second[0]["score"], extra["status"], model.script.calls) == (None, "not_evaluated", 1)
    assert "max_calls=1 is reached, so the judge was not asked" in extra["reason"]


def test_two_judges_share_limits() -> None:
    limits = Limits(max_calls=1)
    judges = [create_judge(chat_model(), limits=limits) for _ in range(2)]
    evaluators = [create_json_match_evaluator(rubric={"a": "same"}, judge=judge) for judge in judges]
    found: list[Any] = [one(outputs={"a": 1}, reference_outputs={"a": 2}) for one in evaluators]
    assert [results[0]["score"] for results in found] == [1.0, None]


class BusyAtFirst(FakeChatModel):
    """A model that turns calls away for its first 0.3 s."""

    _until: float | None = None

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        if self._until is None:
            self._until = time.monotonic() + 0.3
        if time.monotonic() < self._until:
            raise_for(Step(status=429, headers=(("retry-after", "0.1"),)))
        return super()._generate(*args, **kwargs)


def test_the_429_of_a_report_is_ridden_out() -> None:
    """J14: 429 at first with Retry-After, many rows, some at once: all are graded."""
    judge = create_judge(BusyAtFirst(script=Script()), concurrency=8, max_retries=3)
    evaluator = create_json_match_evaluator(rubric={"a": "same"}, judge=judge)

    def score(number: int) -> Any:
        return evaluator(outputs={"a": number}, reference_outputs={"a": "x"})

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(score, range(50)))
    assert [results[0]["score"] for results in found] == [1.0] * 50


# -------------------------------------------------------------------------------- said in one place


def test_a_judge_and_its_limits_have_the_same_defaults() -> None:
    parameters = inspect.signature(create_judge).parameters
    assert {name: parameters[name].default for name in LIMITS.defaults} == LIMITS.defaults


def test_an_option_that_there_is_not() -> None:
    with pytest.raises(TypeError) as raised:
        Limits(retries=3)  # type: ignore[call-arg]
    assert str(raised.value) == "Limits() got an unexpected keyword argument 'retries'"


LIMITED: tuple[tuple[str, dict[str, Any], float | None], ...] = (
    ("default", {}, 91.0),
    ("own", {"timeout": 4}, 7.0),
    ("shared", {"limits": Limits(timeout=300.0)}, 451.0),
)


@pytest.mark.parametrize(("options", "seconds"), [pytest.param(*row[1:], id=row[0]) for row in LIMITED])
def test_a_client_gives_up_after_the_judge(options: dict[str, Any], seconds: float) -> None:
    """So that it never cuts a call short, and the judge's reason is the one that is told."""
    client = openai.OpenAI(api_key="k", base_url="http://127.0.0.1:1")
    judge = create_judge(client, model="m", **options)
    assert judge._asker._client._client.timeout == seconds  # type: ignore[union-attr]


@pytest.mark.parametrize(("options", "seconds"), [pytest.param(*row[1:], id=row[0]) for row in LIMITED])
def test_so_does_a_model_by_its_name(
    options: dict[str, Any], seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    def init_chat_model(name: str, **settings: Any) -> Any:
        made.append(settings["timeout"])
        return chat_model(Step({"q1": True}))

    monkeypatch.setattr("langchain.chat_models.init_chat_model", init_chat_model)
    create_judge("openai:m", **options)(JudgeRequest((Question("a", "a", "c", 1, 2),)))
    assert made == [seconds]


def test_a_judge_without_a_time_limit_leaves_the_clients_own() -> None:
    client = openai.OpenAI(api_key="k", base_url="http://127.0.0.1:1", timeout=5)
    judge = create_judge(client, model="m", limits=Limits(timeout=None))
    assert judge._asker._client._client.timeout == 5  # type: ignore[union-attr]


# ------------------------------------------------------------------------------------------- frugality


def test_eight_keys_are_one_call_and_its_time() -> None:
    names = "abcdefgh"
    given: dict[str, Any] = {
        "outputs": dict.fromkeys(names, "x"),
        "reference_outputs": dict.fromkeys(names, "y"),
    }
    model = chat_model(Step(delay=0.05))
    judge = create_judge(model)
    rubric = dict.fromkeys(names, "same")
    evaluate: Any = create_json_match_evaluator(rubric=rubric, judge=judge)
    aevaluate: Any = create_async_json_match_evaluator(rubric=rubric, judge=judge)
    works: list[Callable[[], Any]] = [
        lambda: evaluate(**given),
        lambda: asyncio.run(aevaluate(**given)),
    ]
    for work in works:
        before, start = model.script.calls, time.perf_counter()
        assert [result["score"] for result in work()] == [1.0] * 8
        assert model.script.calls == before + 1
        assert time.perf_counter() - start < 1.0


def test_many_records_are_judged_as_many_at_once_as_there_are_places() -> None:
    records = [{"outputs": {"a": n}, "reference_outputs": {"a": -n}} for n in range(1, 201)]
    model = chat_model(Step(delay=0.02))
    judge = create_judge(model, concurrency=50)
    evaluator = create_json_match_evaluator(rubric={"a": "same"}, judge=judge)
    aevaluator = create_async_json_match_evaluator(rubric={"a": "same"}, judge=judge)
    runs: list[Callable[[], Any]] = [
        lambda: evaluate_records(records, evaluator, concurrency=50),
        lambda: asyncio.run(aevaluate_records(records, aevaluator, concurrency=50)),
    ]
    for run in runs:
        start = time.perf_counter()
        report = run()
        assert (report.score, report.usage["judge_calls"]) == (1.0, 200)
        assert time.perf_counter() - start < 200 * 0.02 / 2


def test_equal_values_are_never_sent() -> None:
    model = chat_model()
    evaluator = create_json_match_evaluator(rubric={"a": "same"}, judge=create_judge(model))
    records = [{"outputs": {"a": n}, "reference_outputs": {"a": n}} for n in range(50)]
    assert (evaluate_records(records, evaluator).score, model.script.calls) == (1.0, 0)


# ----------------------------------------------------------------------------------------------- options

WRONG: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("timeout", {"timeout": 0}, "timeout=0: must be a number of seconds above 0, or None"),
    ("timeout-bool", {"timeout": True}, "timeout=True: must be a number of seconds above 0, or None"),
    ("retries", {"max_retries": -1}, "max_retries=-1: must be a whole number from 0 up"),
    ("retries-none", {"max_retries": None}, "max_retries=None: must be a whole number from 0 up"),
    ("concurrency", {"concurrency": 0}, "concurrency=0: must be a whole number from 1 up"),
    ("pace", {"requests_per_minute": float("inf")},
     "requests_per_minute=inf: must be a number above 0, a LangChain rate limiter, or None"),
    ("calls", {"max_calls": 1.5}, "max_calls=1.5: must be a whole number from 1 up, or None"),
    ("tokens", {"max_total_tokens": 0}, "max_total_tokens=0: must be a whole number from 1 up, or None"),
    ("cost", {"max_cost": -1, "price": (1, 1)}, "max_cost=-1: must be a number above 0, or None"),
    ("cost-only", {"max_cost": 1},
     "max_cost=1: say what a million tokens cost, price=(input, output)"),
    ("seconds", {"max_seconds": "9"}, "max_seconds='9': must be a number of seconds above 0, or None"),
    ("price", {"price": 3}, "price=3: give what a million tokens cost, price=(input, output)"),
    ("price-key", {"price": {"input": 3}},
     "price={'input': 3}: give what a million tokens cost, price=(input, output)"),
    ("price-negative", {"price": (-1, 3)},
     "price=(-1, 3): give what a million tokens cost, price=(input, output)"),
)  # fmt: skip


@pytest.mark.parametrize(("options", "message"), [pytest.param(*row[1:], id=row[0]) for row in WRONG])
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Limits(**options)
    assert str(caught.value) == message
