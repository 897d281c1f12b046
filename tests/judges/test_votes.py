"""Votes: what is asked again, what several answers amount to, and what that costs."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise import create_json_match_evaluator
from fieldwise.core.flow import Answer, JudgeRequest, Question, Verdict
from fieldwise.errors import BudgetExceeded, ConfigError, JudgeError
from fieldwise.judges.model import create_judge
from fieldwise.judges.votes import MAX_VOTES, Votes, settled
from fieldwise.scorers.judging import NoAnswer, read_answer
from tests.judges.fakes import Step, chat_model


def question(scale: Any = "boolean", name: str = "a", choices: tuple[Any, ...] = ()) -> Question:
    return Question(name, name, "same", "x", "y", scale, choices)


class Asked:
    """A judge that gives one verdict after the other, and remembers what it was asked."""

    def __init__(self, *steps: Any) -> None:
        self._steps = iter(steps)
        self.requests: list[tuple[tuple[str, ...], bool]] = []

    def __call__(self, request: JudgeRequest, fresh: bool) -> Verdict:
        self.requests.append((tuple(one.id for one in request.questions), fresh))
        step = next(self._steps)
        if isinstance(step, Exception):
            raise step
        answers = step if isinstance(step, dict) else {"a": step}
        return Verdict(answers, {"input_tokens": 5})

    async def later(self, request: JudgeRequest, fresh: bool) -> Verdict:
        return self(request, fresh)


def decided(votes: Votes, request: JudgeRequest, *steps: Any) -> tuple[Verdict, list[Any]]:
    """What votes make of these verdicts, the same sync and async."""
    sync, awaited = Asked(*steps), Asked(*steps)
    found = votes.decide(request, sync)

    async def run() -> Verdict:
        return await votes.adecide(request, awaited.later)

    assert asyncio.run(run()) == found
    assert sync.requests == awaited.requests
    return found, sync.requests


# ------------------------------------------------------------------------------------- what is asked again

T, F = Answer(True, "yes"), Answer(False, "no")
DECISIONS: tuple[tuple[str, int, bool, Any, list[Any], Any, str | None], ...] = (
    ("a-pass-costs-one-call", 3, False, question(), [T], True, "yes"),
    ("a-fail-is-confirmed", 3, False, question(), [F, F], False, "no (2 of 2 votes)"),
    ("a-fail-is-overruled", 3, False, question(), [F, T, T], True, "yes (2 of 3 votes)"),
    ("a-fail-stays", 3, False, question(), [F, T, F], False, "no (2 of 3 votes)"),
    ("the-report", 3, True, question(), [T, F, T], True, "yes (2 of 3 votes)"),
    ("a-tie-is-no-majority", 2, False, question(), [F], False, "no"),
    ("a-tie-when-all-are-asked", 2, True, question(), [T, F], False, "no (1 of 2 votes)"),
    ("five", 5, False, question(), [F, T, F, T, T], True, "yes (3 of 5 votes)"),
    ("five-soon", 5, False, question(), [F, F, F], False, "no (3 of 3 votes)"),
    ("four-of-which-two-say-no", 4, False, question(), [F, T, F], False, "no (2 of 3 votes)"),
    ("a-number-near-the-top", 3, False, question("unit"), [0.9], 0.9, None),
    ("a-number", 3, False, question("unit"), [0.4, 0.9, 0.5], 0.5, "2 of 3 votes"),
    ("a-number-of-two", 2, False, question("unit"), [0.4, 0.6], 0.4, "1 of 2 votes"),
    ("percent-of-two", 2, False, question("percent"), [0, 2], 0.0, "2 of 2 votes"),
    ("percent", 3, False, question("percent"), [80, 70, 20], 70.0, "2 of 3 votes"),
    ("percent-near-the-top", 3, False, question("percent"), [95], 95, None),
    ("choice-at-the-top", 3, False, question("choice", choices=(1, 2, 3)), [3], 3, None),
    ("choice", 3, False, question("choice", choices=(1, 2, 3)), [1, 3, 3], 3, "2 of 3 votes"),
    ("choice-of-text", 3, False, question("choice", choices=("x", "y")), [*"yxy"], "y", "2 of 3 votes"),
    ("choice-all-differ", 3, False, question("choice", choices=(1, 2, 3)), [2, 1, 3], 2, "1 of 3 votes"),
    ("one-vote", 1, False, question(), [F], False, "no"),
)  # fmt: skip


@pytest.mark.parametrize("row", [pytest.param(row[1:], id=row[0]) for row in DECISIONS])
def test_what_votes_decide(row: tuple[Any, ...]) -> None:
    count, always, one, steps, score, reason = row
    verdict, requests = decided(Votes(count, always=always), JudgeRequest((one,)), *steps)
    answer = verdict.answers["a"]
    answer = answer if isinstance(answer, Answer) else Answer(answer)
    assert (answer, type(answer.score)) == (Answer(score, reason), type(score))
    assert requests == [(("a",), place > 0) for place in range(len(steps))]


def test_only_what_is_open_is_asked_again() -> None:
    request = JudgeRequest(tuple(question(name=name) for name in "abcd"))
    steps = ({"a": T, "b": F, "c": F, "d": NoAnswer("empty")}, {"b": F, "c": T}, {"c": T})
    verdict, requests = decided(Votes(3), request, *steps)
    assert requests == [(("a", "b", "c", "d"), False), (("b", "c"), True), (("c",), True)]
    assert {name: getattr(answer, "score", answer) for name, answer in verdict.answers.items()} == {
        "a": True,
        "b": False,
        "c": True,
        "d": NoAnswer("empty"),
    }
    assert verdict.usage == {"judge_calls": 2, "input_tokens": 15, "votes": 5, "agreeing_votes": 4}


@pytest.mark.parametrize("error", [JudgeError("down"), BudgetExceeded("max_calls=1"), ValueError("odd")])
def test_a_vote_that_fails_is_none(error: Exception) -> None:
    verdict, requests = decided(Votes(5), JudgeRequest((question(),)), F, error)
    assert (verdict.answers, len(requests)) == ({"a": F}, 2)
    assert verdict.usage == {"judge_calls": 0, "input_tokens": 5}


def test_an_invalid_vote_is_none() -> None:
    verdict, _ = decided(Votes(3), JudgeRequest((question(),)), F, "perhaps", T)
    assert verdict.answers == {"a": Answer(False, "no (1 of 2 votes)")}


def test_a_first_call_that_fails_fails() -> None:
    with pytest.raises(JudgeError, match="down"):
        Votes(3).decide(JudgeRequest((question(),)), Asked(JudgeError("down")))


# ---------------------------------------------------------------------------------------------- the laws


@given(st.lists(st.booleans(), min_size=1, max_size=9))
def test_a_boolean_is_what_more_than_half_say(votes: list[bool]) -> None:
    answer, agreeing = settled(question(), [Answer(vote) for vote in votes])
    assert answer.score is (2 * sum(votes) > len(votes))
    assert agreeing == votes.count(bool(answer.score))


@given(st.lists(st.booleans(), min_size=9, max_size=9), st.integers(1, 9))
def test_stopping_early_changes_no_verdict(votes: list[bool], count: int) -> None:
    votes[0] = False
    asked = Asked(*map(Answer, votes))
    verdict = Votes(count).decide(JudgeRequest((question(),)), asked)
    assert verdict.answers["a"].score is (2 * sum(votes[:count]) > count)
    assert len(asked.requests) <= count


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9))
def test_a_number_is_one_of_its_votes(votes: list[float]) -> None:
    answer, agreeing = settled(question("unit"), [Answer(vote) for vote in votes])
    assert answer.score in votes
    assert 1 <= agreeing <= len(votes)


@given(st.lists(st.just(0.0) | st.floats(1, 100, exclude_min=True), min_size=1, max_size=9))
def test_valid_votes_settle_on_a_valid_answer(votes: list[float]) -> None:
    one = question("percent")
    assert isinstance(read_answer(one, settled(one, [Answer(vote) for vote in votes])[0]), Answer)


# --------------------------------------------------------------------------------------- in an evaluator


def says(*scores: bool) -> list[Step]:
    return [Step({"q1": {"reasoning": str(score), "score": score}}) for score in scores]


def test_a_flipping_judge_is_overruled_and_agreement_is_told() -> None:
    """J19: the verdict of a judge that flips is the majority's, with its agreement."""
    model = chat_model(*says(False, True, True))
    judge = create_judge(model, votes=3, cache=True)
    evaluator = create_json_match_evaluator(rubric={"a": "same"}, judge=judge)
    found: Any = evaluator(outputs={"a": 1, "b": 2}, reference_outputs={"a": 3, "b": 2})
    usage = found[0]["extra"]["usage"]
    assert [result["score"] for result in found] == [1.0, 1.0]
    assert "True (2 of 3 votes)" in found[0]["comment"]
    assert round(usage["agreeing_votes"] / usage["votes"], 3) == 0.667
    assert (usage["judge_calls"], model.script.calls) == (3, 3)


def test_every_verdict_can_be_voted_on() -> None:
    model = chat_model(*says(True, False, True))
    judge = create_judge(model, votes=Votes(3, always=True))
    verdict = judge(JudgeRequest((question(),)))
    assert verdict.answers["a"] == Answer(True, "True (2 of 3 votes)")
    assert verdict.usage is not None
    assert (verdict.usage["votes"], verdict.usage["agreeing_votes"]) == (3, 2)


def test_votes_are_not_kept_by_a_cache() -> None:
    model = chat_model(*says(False, True, True, True, True))
    judge = create_judge(model, votes=3, cache=True)
    request = JudgeRequest((question(),))
    assert [judge(request).answers["a"].score for _ in range(2)] == [True, True]
    assert model.script.calls == 5


@pytest.mark.parametrize("votes", [0, 1.0, True, "3", None])
def test_wrong_counts(votes: Any) -> None:
    with pytest.raises(ConfigError) as caught:
        create_judge(chat_model(), votes=votes)
    assert str(caught.value) == f"votes={votes!r}: must be a whole number from 1 up"


def test_the_most_votes() -> None:
    create_judge(chat_model(), votes=MAX_VOTES)
    for votes in (MAX_VOTES + 1, 10**9):
        with pytest.raises(ConfigError) as caught:
            create_judge(chat_model(), votes=votes)
        assert str(caught.value) == f"votes={votes}: must be at most 1,000"
