"""Asking more than once: `votes=n`, where a single verdict is not to be relied on.

Rules.
1. Only what is in doubt is asked again: a boolean that came out false, a number below nine tenths of its
   scale, a choice that is not the highest number. So a pass costs one call. `Votes(n, always=True)` asks
   everything n times.
2. A vote goes past every cache. One that is invalid or fails is none; so is one that a ceiling forbids. The
   first verdict stands where there are no others.
3. A boolean is true when more than half of its votes are: a tie is no majority. It is asked no more once
   that is settled, unless `always`. A number is the median of its votes, the lower of
   two in the middle, so that it is always one of them; anything else is the most frequent.
4. The answer carries its reason from a vote that agrees with it, and how many did. `usage` counts `votes` and
   `agreeing_votes` of what was asked more than once; their quotient is the agreement, also of a whole run. A
   vote agrees with a number when it is at most a tenth of the scale away.
"""

from __future__ import annotations

from statistics import median_low
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.equality import canonical
from fieldwise.core.flow import Answer, Verdict
from fieldwise.errors import ConfigError
from fieldwise.scorers.judging import NoAnswer, read_answer, some_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from fieldwise.core.flow import JudgeRequest, Question

MAX_VOTES: Final = 1_000
_TOP: Final = {"unit": 1.0, "percent": 100.0}
"""The end of each scale of numbers."""
_SURE: Final = 0.9
_CLOSE: Final = 0.1
_ANY: Final = False
_FRESH: Final = True


class Votes:
    """Asks up to `count` times.

    Args:
        count: the most votes on a question.
        always: ask also what passed.

    Raises:
        ConfigError: `count` is no whole number from 1 to `MAX_VOTES`.
    """

    def __init__(self, count: Any, *, always: bool = False) -> None:
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise ConfigError(f"votes={shown(count)}: must be a whole number from 1 up")
        if count > MAX_VOTES:
            raise ConfigError(f"votes={shown(count)}: must be at most {MAX_VOTES:,}")
        self._count = count
        self._always = always

    def decide(self, request: JudgeRequest, ask: Callable[[JudgeRequest, bool], Verdict], /) -> Verdict:
        """Ask for a verdict, and again where it is in doubt.

        Raises:
            Exception: what the first call raised.
        """
        poll = _Poll(request, ask(request, _ANY))
        while again := poll.open(self._count, always=self._always):
            try:
                poll.take(again, ask(again, _FRESH))
            except Exception:  # noqa: BLE001 - a vote that fails is none, and the rest would fail too
                break
        return poll.verdict()

    async def adecide(
        self, request: JudgeRequest, ask: Callable[[JudgeRequest, bool], Awaitable[Verdict]], /
    ) -> Verdict:
        """As `decide`, awaiting.

        Raises:
            Exception: what the first call raised.
        """
        poll = _Poll(request, await ask(request, _ANY))
        while again := poll.open(self._count, always=self._always):
            try:
                poll.take(again, await ask(again, _FRESH))
            except Exception:  # noqa: BLE001 - as above
                break
        return poll.verdict()


class _Poll:
    """The votes on the questions of one request."""

    def __init__(self, request: JudgeRequest, first: Verdict) -> None:
        self._request = request
        self._first = first
        self._rounds = 0
        self._usage: dict[str, Any] = {"judge_calls": -1}  # whoever is answered counts one
        self._votes: dict[str, list[Answer]] = {one.id: [] for one in request.questions}
        self.take(request, first)

    def take(self, request: JudgeRequest, verdict: Verdict) -> None:
        """Count the votes of a verdict, and what it used."""
        self._rounds += 1
        self._usage["judge_calls"] += 1
        for name, amount in (verdict.usage or {}).items():
            if isinstance(amount, int | float):
                self._usage[name] = self._usage.get(name, 0) + amount
        for question in request.questions:
            answer = read_answer(question, verdict.answers.get(question.id, _NO_VOTE))
            if isinstance(answer, Answer):
                self._votes[question.id].append(answer)

    def open(self, most: int, *, always: bool) -> JudgeRequest | None:
        """Return a request for another vote on what needs one, or None."""
        if self._rounds >= most:
            return None
        questions = [
            one for one in self._request.questions if _is_open(one, self._votes[one.id], most, always=always)
        ]
        return some_of(self._request, questions) if questions else None

    def verdict(self) -> Verdict:
        """The first verdict, with what several votes decided in place of what one did."""
        answers = dict(self._first.answers)
        for question in self._request.questions:
            votes = self._votes[question.id]
            if len(votes) > 1:
                answers[question.id], agreeing = settled(question, votes)
                self._usage["votes"] = self._usage.get("votes", 0) + len(votes)
                self._usage["agreeing_votes"] = self._usage.get("agreeing_votes", 0) + agreeing
        return Verdict(answers, self._usage)


_NO_VOTE: Final = NoAnswer("no vote")


def _is_open(question: Question, votes: list[Answer], most: int, *, always: bool) -> bool:
    """Whether another vote is wanted. What had no valid answer at first is the scorer's to ask again."""
    if not votes:
        return False
    if always:
        return True
    if not _is_doubtful(question, votes[0].score):
        return False
    yes = sum(vote.score is True for vote in votes)
    no = sum(vote.score is False for vote in votes)
    return not (2 * yes > most or 2 * no >= most)


def _is_doubtful(question: Question, score: Any) -> bool:
    """Whether one answer is no pass. Of text and objects nobody can say, so they are in doubt."""
    if isinstance(score, bool):
        return not score
    numbers = [one for one in question.choices if not isinstance(one, str)]
    top = max(numbers, default=None) if question.scale == "choice" else _TOP.get(question.scale)
    if top is None or not isinstance(score, int | float):
        return True
    return score < (top if numbers else _SURE * top)


def settled(question: Question, votes: list[Answer]) -> tuple[Answer, int]:
    """Return what votes decide, at least one, and how many of them agree.

    >>> from fieldwise.core.flow import Question
    >>> question = Question("name", "name", "same person", "Ada", "A. Lovelace")
    >>> settled(question, [Answer(False, "initials"), Answer(True, "the same"), Answer(True)])
    (Answer(score=True, reasoning='the same (2 of 3 votes)'), 2)
    """
    top = _TOP.get(question.scale)
    if top is not None:
        score: Any = float(median_low(vote.score for vote in votes))
        agreeing = [vote for vote in votes if abs(vote.score - score) <= _CLOSE * top]
    else:
        score, agreeing = _most_frequent(votes)
    reason = next((vote.reasoning for vote in agreeing if vote.reasoning), None)
    count = f"{len(agreeing)} of {len(votes)} votes"
    return Answer(score, count if reason is None else f"{reason} ({count})"), len(agreeing)


def _most_frequent(votes: list[Answer]) -> tuple[Any, list[Answer]]:
    """The answer with the most votes, false or else the earlier one in a tie."""
    alike: dict[str, list[Answer]] = {}
    for vote in sorted(votes, key=lambda vote: vote.score is not False):
        alike.setdefault(canonical(to_json(vote.score)), []).append(vote)
    agreeing = max(alike.values(), key=len)
    return agreeing[0].score, agreeing
