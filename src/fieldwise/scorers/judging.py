"""What is asked of a judge, and what of its answers counts.

Every question asked ends as an `Answer` or as a reason. An answer that is missing, of the wrong type, out
of range or beside an `error` is asked for once more, that question alone, naming what was wrong; after that
it is a reason, and its field a judge_error. Answers nobody asked for are ignored. A judge that fails
altogether is not asked again here: its adapter has retried already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, shown
from fieldwise.core.equality import freeze
from fieldwise.core.flow import Answer, JudgeFailure, JudgeRequest, Question, Verdict
from fieldwise.core.values import Unconvertible, copied

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise._types import Status
    from fieldwise.core.compare import Outcome
    from fieldwise.core.flow import Flow


_MOST: Final = {"unit": 1, "percent": 100}
"""The end of each scale of numbers. A score of 1 on the longer one is read as the other's: nobody can say."""

_UNANSWERED: Final = "not answered"
_TOLD: Final = 5
"""How many ids that nobody asked about a reason lists."""

_QUOTED: Final = 60
"""Characters of an answer that a reason quotes."""

_PLAIN: Final = (str, Mapping, list, tuple, int, float, type(None))
"""What can be asked whether it is empty: an empty `error` is none."""

_MOST_USED: Final = 1e18
"""Amounts beyond this are no amounts; sums of the others stay finite."""


class Judged:
    """The answers to the questions asked, the reasons where there are none, and what the calls used."""

    __slots__ = ("answers", "asked", "reasons", "status", "usage")

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: set[str] = set()
        self.reasons: dict[str, str] = {}
        self.status: Status = "judge_error"
        self.usage: dict[str, float] = {"judge_calls": 0}

    def take(self, questions: Sequence[Question], reply: Verdict | JudgeFailure) -> None:
        """Read one reply: each question gets its answer or its reason."""
        kept_back = isinstance(reply, JudgeFailure) and reply.status == "not_evaluated"
        self.usage["judge_calls"] += not kept_back
        if isinstance(reply, JudgeFailure):
            self.reasons.update({question.id: reply.reason for question in questions})
            self.status = reply.status
            return
        if isinstance(reply.usage, Mapping):
            self._count(reply.usage)
        self.asked.update(question.id for question in questions)
        strange = [name for name in reply.answers if name not in self.asked]
        for question in questions:
            raw = reply.answers.get(question.id, _NONE)
            answer = _unanswered(question, strange) if raw is _NONE else read_answer(question, raw)
            if isinstance(answer, Answer):
                self.answers[question.id] = answer
                self.reasons.pop(question.id, None)
            else:
                self.reasons[question.id] = answer

    def _count(self, usage: Mapping[str, Any]) -> None:
        for name, amount in usage.items():
            if isinstance(amount, int | float) and not isinstance(amount, bool) and abs(amount) < _MOST_USED:
                self.usage[str(name)] = self.usage.get(str(name), 0) + amount


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """What a judge gives in place of an answer it knows to be none: why. The question is asked again."""

    reason: str


class _Nothing:
    """The type of _NONE: no answer at all, as opposed to null."""


_NONE = _Nothing()


def _unanswered(question: Question, strange: Sequence[Any]) -> str:
    """Why there is no answer; `strange` is what was answered and nobody asked."""
    if not strange:
        return _UNANSWERED
    came = one_line(", ".join(shown(name) for name in strange[:_TOLD]), 200)
    return f"not answered under its id, {shown(question.id)}; answers came under {came}"


def ask(questions: Sequence[Question], *, reasoning: bool = True, prompt: Any = None) -> Flow[Judged]:
    """Ask questions in one request, and those without a valid answer in a second one."""
    judged = Judged()
    request = JudgeRequest(tuple(questions), reasoning=reasoning, prompt=prompt)
    (reply,) = yield [request]
    judged.take(questions, reply)
    again = tuple(question for question in questions if question.id in judged.reasons)
    if again and not isinstance(reply, JudgeFailure):
        problems = {question.id: judged.reasons[question.id] for question in again}
        (reply,) = yield [some_of(request, again, attempt=2, problems=problems)]
        judged.take(again, reply)
    return judged


def some_of(request: JudgeRequest, questions: Iterable[Question], **changes: Any) -> JudgeRequest:
    """Return a request for some of its questions, which keep the numbers that they had in it.

    Args:
        request: what was asked.
        questions: some of its questions.
        changes: of its other attributes.

    >>> asked = [Question(name, name, "same person", "Ada", "A. L.") for name in ("a", "b")]
    >>> some_of(JudgeRequest(tuple(asked)), asked[1:], attempt=2).first
    ('a', 'b')
    """
    first = request.first or tuple(one.id for one in request.questions)
    return replace(request, questions=tuple(questions), first=first, **changes)


def judge_outcomes(asked: Sequence[Outcome], *, use_reasoning: bool = True) -> Flow[dict[str, float]]:
    """Have open outcomes judged: each gets its score, or becomes a judge_error with the reason.

    Equal questions are asked once; the id of a question is the name of its field, numbered where several
    places of one field are asked about.

    Args:
        asked: outcomes with a criterion, at least one; they are changed.
        use_reasoning: whether the judge's reasons are kept.

    Returns:
        What the calls used.
    """
    questions: dict[Any, Question] = {}
    names: dict[str, int] = {}
    keys = []
    for one in asked:
        key = (one.criterion, freeze(one.expected), freeze(one.actual))  # type: ignore[arg-type]
        keys.append(key)
        if key in questions:
            continue
        unique = _unique(one.name, names)
        sides: list[Any] = [copied(one.expected), copied(one.actual)]  # type: ignore[arg-type]
        questions[key] = Question(unique, one.name, one.criterion or "", *sides)
    judged = yield from ask(list(questions.values()), reasoning=use_reasoning)
    for one, key in zip(asked, keys, strict=True):
        answer = judged.answers.get(questions[key].id)
        if answer is None:
            one.status, one.reason = judged.status, judged.reasons[questions[key].id]
        else:
            one.score = float(answer.score)
            one.reason = answer.reasoning if use_reasoning else None
    return judged.usage


def _unique(name: str, taken: dict[str, int]) -> str:
    """The name, numbered from its second place on; never the name of another field's question."""
    found, count = name, taken.get(name, 0)
    while found in taken:
        count += 1
        found = f"{name}#{count}"
    taken[name] = max(count, 1)
    taken.setdefault(found, 1)
    return found


def read_answer(question: Question, raw: Any) -> Answer | str:
    """Return a valid answer, or what is wrong with it.

    >>> q = Question("name", "name", "same person", "Ada", "A. Lovelace")
    >>> read_answer(q, {"score": True, "reasoning": "the same"})
    Answer(score=True, reasoning='the same')
    >>> read_answer(q, "yes")
    "answered 'yes', which is str; a boolean was asked for"
    """
    if raw is _NONE:
        return _UNANSWERED
    if isinstance(raw, NoAnswer):
        return raw.reason
    reasoning = None
    if isinstance(raw, Answer):
        raw, reasoning = raw.score, raw.reasoning
    elif isinstance(raw, Mapping):
        error = raw.get("error")
        if not isinstance(error, _PLAIN) or error:
            told = error if isinstance(error, str) else shown(error)
            return f"answered with an error: {one_line(told, _QUOTED)}"
        if "score" not in raw:
            return "answered without a score"
        raw, reasoning = raw["score"], raw.get("reasoning")
    if hasattr(type(raw), "dtype"):  # numpy's own booleans and numbers
        raw = to_json(raw)
    problem = _PROBLEMS[question.scale](question, raw)
    if problem is not None:
        return f"answered {one_line(raw if isinstance(raw, str) else shown(raw), _QUOTED)!r}{problem}"
    if isinstance(raw, float) and raw == 0:
        raw = 0.0  # of either sign
    return Answer(raw, reasoning if isinstance(reasoning, str) else None)


def _no_boolean(_: Question, score: Any) -> str | None:
    if isinstance(score, bool):
        return None
    return f", which is {type(score).__name__}; a boolean was asked for"


def _no_choice(question: Question, score: Any) -> str | None:
    if isinstance(score, str | int | float) and not isinstance(score, bool) and score in question.choices:
        return None
    return f", which is none of {', '.join(map(repr, question.choices))}"


def _no_number(question: Question, score: Any) -> str | None:
    most = _MOST[question.scale]
    if isinstance(score, bool) or not isinstance(score, int | float):
        return f", which is {type(score).__name__}; a number from 0 to {most} was asked for"
    if not 0 <= score <= most:
        return f", which is not from 0 to {most}"
    if question.scale == "percent" and 0 < score <= 1:
        return ", which may be of a scale from 0 to 1; a number from 0 to 100 was asked for"
    return None


def _no_member(question: Question, value: Any) -> str | None:
    from fieldwise.scorers.json_schema import violation

    if isinstance(value, int | float | Decimal) and not _held(value):
        return ", which no finite float holds"
    try:
        found = violation(question.schema or "true", {question.id: to_json(value)})
    except Unconvertible as error:
        found = str(error)
    return None if found is None else f", which does not fit the schema: {found}"


def _held(number: float | Decimal) -> bool:
    try:
        return isfinite(number)
    except (OverflowError, ValueError):  # an int beyond all floats, a signaling NaN
        return False


_PROBLEMS: Final[dict[str, Callable[[Question, Any], str | None]]] = {
    "boolean": _no_boolean,
    "unit": _no_number,
    "percent": _no_number,
    "choice": _no_choice,
    "schema": _no_member,
}
"""Scale to what is wrong with an answer."""
