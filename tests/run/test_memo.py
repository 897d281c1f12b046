"""Identical questions are asked once: when they come after each other, at once, and when asking fails."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from fieldwise.core.flow import Answer, JudgeFailure, JudgeRequest, Question, Verdict
from fieldwise.run._memo import Memo


def question(id_: str, actual: Any = 1, **other: Any) -> Question:
    given: dict[str, Any] = {"field": id_, "criterion": "same", "expected": 0, "actual": actual, **other}
    return Question(id_, **given)


def request(*questions: Question) -> JudgeRequest:
    return JudgeRequest(questions)


class Judge:
    """Answers as told, once each, then yes; remembers what it was asked."""

    def __init__(self, *replies: Any) -> None:
        self.replies = list(replies)
        self.requests: list[JudgeRequest] = []

    def __call__(self, asked: JudgeRequest) -> Any:
        self.requests.append(asked)
        reply = (
            self.replies.pop(0) if self.replies else dict.fromkeys([one.id for one in asked.questions], True)
        )
        if isinstance(reply, BaseException):
            raise reply
        return reply


def test_second_time_is_told_without_a_call() -> None:
    judge = Judge(Verdict({"a": {"score": True, "reasoning": "r"}}, {"tokens": 5}))
    memo: Any = Memo(judge, awaits=False)
    assert memo(request(question("a"))) == Verdict({"a": Answer(True, "r")}, {"tokens": 5})
    assert memo(request(question("b"))) == Verdict({"b": Answer(True, "r")}, {"judge_calls": -1})
    assert len(judge.requests) == 1


def test_only_what_is_new_is_asked() -> None:
    judge = Judge()
    memo: Any = Memo(judge, awaits=False)
    memo(request(question("a", 1)))
    reply = memo(JudgeRequest((question("x", 1), question("y", 2)), 2, {"x": "p", "y": "q"}))
    assert reply == Verdict({"x": Answer(True), "y": Answer(True)}, None)
    assert judge.requests[1] == JudgeRequest((question("y", 2),), 2, {"y": "q"})
    assert judge.requests[1].first == ("x", "y")


@pytest.mark.parametrize(
    "other",
    [{"criterion": "equal"}, {"expected": "0"}, {"actual": "1"}, {"actual": True}, {"scale": "unit"}],
    ids=str,
)
def test_what_makes_questions_differ(other: dict[str, Any]) -> None:
    judge = Judge({"a": True}, {"a": True})
    memo: Any = Memo(judge, awaits=False)
    memo(request(question("a")))
    memo(request(question("a", **other)))
    assert len(judge.requests) == 2


@pytest.mark.parametrize("other", [{"field": "elsewhere"}, {"actual": 1.0}], ids=str)
def test_what_does_not(other: dict[str, Any]) -> None:
    judge = Judge()
    memo: Any = Memo(judge, awaits=False)
    memo(request(question("a")))
    memo(request(question("a", **other)))
    assert len(judge.requests) == 1


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        (TimeoutError("late"), JudgeFailure("TimeoutError: late")),
        ({"a": "yes"}, Verdict({"a": "yes"})),
        ({}, Verdict({})),
        (Verdict({}, {"tokens": 3}), Verdict({}, {"tokens": 3})),
    ],
    ids=["raised", "invalid", "unanswered", "unanswered-usage"],
)
def test_failures_are_not_kept(first: Any, expected: Any) -> None:
    judge = Judge(first, {"a": False})
    memo: Any = Memo(judge, awaits=False)
    assert memo(request(question("a"))) == expected
    assert memo(request(question("a"))) == Verdict({"a": Answer(False)})


def test_one_failing_part_leaves_the_known_part_answered() -> None:
    judge = Judge({"a": True}, RuntimeError("no"))
    memo: Any = Memo(judge, awaits=False)
    memo(request(question("a", 1)))
    assert memo(request(question("a", 1), question("b", 2))) == Verdict({"a": Answer(True)}, None)


def test_interrupted_owner_frees_the_question() -> None:
    judge = Judge(KeyboardInterrupt())
    memo: Any = Memo(judge, awaits=False)
    with pytest.raises(KeyboardInterrupt):
        memo(request(question("a")))
    assert memo(request(question("a"))) == Verdict({"a": Answer(True)})


def test_same_question_twice_in_one_request() -> None:
    judge = Judge()
    memo: Any = Memo(judge, awaits=False)
    assert memo(request(question("a"), question("b"))) == Verdict({"a": Answer(True), "b": Answer(True)})
    assert [one.id for one in judge.requests[0].questions] == ["a"]


def test_threads_ask_once_and_share() -> None:
    asked, started, release = 0, threading.Event(), threading.Event()

    def slow(given: JudgeRequest) -> dict[str, bool]:
        nonlocal asked
        asked += 1
        started.set()
        assert release.wait(10)
        return {one.id: True for one in given.questions}

    memo: Any = Memo(slow, awaits=False)
    replies: list[Any] = []
    threads = [
        threading.Thread(target=lambda: replies.append(memo(request(question("a"))))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    assert started.wait(10)
    release.set()
    for thread in threads:
        thread.join(10)
    assert asked == 1
    assert [reply.answers for reply in replies] == [{"a": Answer(True)}] * 5
    assert sorted(str(reply.usage) for reply in replies) == ["None"] + ["{'judge_calls': -1}"] * 4


def test_crossed_requests_do_not_wait_for_each_other_in_a_circle() -> None:
    gate = threading.Barrier(2)

    def judge(given: JudgeRequest) -> dict[str, bool]:
        gate.wait(10)
        return {one.id: True for one in given.questions}

    memo: Any = Memo(judge, awaits=False)
    pair = [(question("a", 1), question("b", 2)), (question("b", 2), question("a", 1))]
    # A question of its own makes each thread call the judge, whoever claimed the two they share.
    replies: list[Any] = []
    threads = [
        threading.Thread(
            target=lambda extra=extra, two=two: replies.append(memo(request(question(extra, extra), *two)))
        )
        for extra, two in zip("cd", pair, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert [set(reply.answers) >= {"a", "b"} for reply in replies] == [True, True]


def test_tasks_ask_an_async_judge_once() -> None:
    asked = 0

    async def judge(given: JudgeRequest) -> dict[str, bool]:
        nonlocal asked
        asked += 1
        await asyncio.sleep(0.01)
        return {one.id: True for one in given.questions}

    async def main() -> list[Any]:
        memo: Any = Memo(judge, awaits=True)
        return await asyncio.gather(*(memo(request(question("a"))) for _ in range(5)))

    assert [reply.answers for reply in asyncio.run(main())] == [{"a": Answer(True)}] * 5
    assert asked == 1


def test_cancelled_task_frees_the_question() -> None:
    calls = 0

    async def judge(given: JudgeRequest) -> dict[str, bool]:
        nonlocal calls
        calls += 1
        await asyncio.sleep(0 if calls > 1 else 60)
        return {one.id: True for one in given.questions}

    async def main() -> Any:
        memo: Any = Memo(judge, awaits=True)
        first = asyncio.ensure_future(memo(request(question("a"))))
        await asyncio.sleep(0.01)
        waiting = asyncio.ensure_future(memo(request(question("a"))))
        await asyncio.sleep(0.01)
        first.cancel()
        return await waiting, await memo(request(question("a")))

    shared, again = asyncio.run(main())
    assert shared == JudgeFailure("the run was interrupted")
    assert again == Verdict({"a": Answer(True)})


def test_async_judge_that_raises() -> None:
    async def judge(given: JudgeRequest) -> Any:
        raise TimeoutError("late")

    memo: Any = Memo(judge, awaits=True)

    async def main() -> Any:
        return await memo(request(question("a")))

    assert asyncio.run(main()) == JudgeFailure("TimeoutError: late")


def test_no_judge() -> None:
    memo: Any = Memo(None, awaits=False)
    assert memo(request(question("a"))) == JudgeFailure("no judge was given")
