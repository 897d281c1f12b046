"""What a flow is: the requests it yields, the answers it is sent, and `together`, which makes one of many.

Frozen values and the two protocols of judges; what asks them is `desk`, what runs a flow is the package. A
merged flow advances its members one after the other and never through `yield from`, so that what they ask in
one round is asked at once: eight members that wait 50 ms each wait 50 ms together.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias, TypeVar

from fieldwise.core.display import cut, without_addresses
from fieldwise.errors import BudgetExceeded, JudgeError

if TYPE_CHECKING:
    from fieldwise._types import Json

T = TypeVar("T")

REASON_LIMIT: Final = 500
"""The most characters of a `JudgeFailure.reason`."""


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to be judged: whether `actual` meets `criterion`, given `expected`.

    Attributes:
        id: names the answer in `Verdict.answers`; unique within a request.
        field: the path of the field, for people.
        criterion: what makes an answer right, in words.
        expected: the reference's value.
        actual: the output's value.
        scale: what the answer is: a bool, a number from 0 to 1 or from 0 to 100, one of `choices`, or what
            `schema` says.
        choices: the answers there are, all text or all numbers.
        schema: a JSON schema as text, one of whose members has the question's id and is the answer.
    """

    id: str
    field: str
    criterion: str
    expected: Json
    actual: Json
    scale: Literal["boolean", "unit", "percent", "choice", "schema"] = "boolean"
    choices: tuple[str | float, ...] = ()
    schema: str | None = None


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One call of a judge.

    Attributes:
        questions: what is asked.
        attempt: 1, or higher when asked again.
        problems: question id to what was wrong with the previous answer, when asked again.
        reasoning: whether a reason is asked for beside each answer.
        prompt: how to ask, where the evaluator has words of its own; None: as the judge asks.
        first: the ids of what was asked at first, of which this asks some again.
    """

    questions: tuple[Question, ...]
    attempt: int = 1
    problems: Mapping[str, str] = field(default_factory=dict)
    reasoning: bool = True
    prompt: Any = None
    first: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """A valid answer to one question, on the question's own scale, and why."""

    score: Any
    reasoning: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a judge gave back: question id to answer, unchecked, and what the call used."""

    answers: Mapping[str, Any]
    usage: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class JudgeFailure:
    """A judge could not answer a request; `reason` is at most `REASON_LIMIT` characters.

    Its fields become `status`: a judge_error, or not_evaluated where a ceiling kept it from being asked.
    """

    reason: str
    status: Literal["judge_error", "not_evaluated"] = "judge_error"

    @classmethod
    def from_exception(cls, error: BaseException) -> JudgeFailure:
        """`TypeName: message`; of a JudgeError its text alone, for it is written to be read.

        Example:
            >>> JudgeFailure.from_exception(TimeoutError("after 30 s")).reason
            'TimeoutError: after 30 s'
        """
        name = type(error).__name__
        try:
            text = without_addresses(str(error))
        except Exception:  # noqa: BLE001 - a message that cannot be read is none
            text = ""
        whole = text if text and isinstance(error, JudgeError) else f"{name}: {text}" if text else name
        late = isinstance(error, BudgetExceeded)
        return cls(cut(whole, REASON_LIMIT), "not_evaluated" if late else "judge_error")


class Judge(Protocol):
    """Answers one request: a mapping of question id to answer, or a `Verdict`.

    An answer is a bool, or a mapping with `score` (bool) and optionally `reasoning` (text). Any
    exception it raises becomes a judge_error of the questions asked.
    """

    def __call__(self, request: JudgeRequest, /) -> Verdict | Mapping[str, Any]: ...  # noqa: D102 - as above


Reply: TypeAlias = Verdict | JudgeFailure
Flow: TypeAlias = Generator[Sequence[JudgeRequest], Sequence[Verdict | JudgeFailure], T]
"""Yields a batch, is sent as many answers in the same order, returns its result."""

AnyJudge: TypeAlias = Callable[
    [JudgeRequest], Verdict | Mapping[str, Any] | Awaitable[Verdict | Mapping[str, Any]]
]
"""A `Judge`, or one whose answer is awaited."""


# ----------------------------------------------------------------------------------------- together


def together(flows: Iterable[Flow[T]]) -> Flow[list[T]]:
    """Advance all flows at once: each round asks one merged batch and splits the answers back.

    A flow that ends early leaves. Linear in flows and requests. Lazy: nothing starts before the first
    `next`.

    Returns:
        The results, in the order of `flows`.

    Raises:
        ValueError: It was sent more or fewer answers than it asked for.
        BaseException: Whatever a flow raises; the others are closed first.

    Example:
        >>> from fieldwise.core.flow import JudgeRequest, Question, drive
        >>> def ask(name):
        ...     [verdict] = yield [JudgeRequest((Question(name, name, "same", 1, 2),))]
        ...     return verdict.answers[name]
        >>> drive(together([ask("a"), ask("b")]), lambda request: {request.questions[0].id: True})
        [True, True]
    """
    members = list(flows)
    results: list[Any] = [None] * len(members)
    turn: Iterable[tuple[int, Sequence[Reply] | None]] = [(index, None) for index in range(len(members))]
    try:
        while True:
            asking: list[tuple[int, Sequence[JudgeRequest]]] = []
            for index, answers in turn:
                try:
                    batch = advance(members[index], answers)
                except StopIteration as done:
                    results[index] = done.value
                else:
                    asking.append((index, batch))
            if not asking:
                return results
            replies = yield [request for _, batch in asking for request in batch]
            turn = _split(replies, asking)
    finally:
        close_all(members)


def advance(flow: Flow[T], answers: Sequence[Reply] | None) -> Sequence[JudgeRequest]:
    """Start a flow (`answers` None) or send it answers; StopIteration carries its result."""
    return next(flow) if answers is None else flow.send(answers)


def _split(
    replies: Sequence[Reply], asking: Sequence[tuple[int, Sequence[JudgeRequest]]]
) -> list[tuple[int, Sequence[Reply] | None]]:
    """Cut the replies to a merged batch back into those of each member."""
    asked = sum(len(batch) for _, batch in asking)
    if len(replies) != asked:
        raise ValueError(
            f"{asked} requests got {len(replies)} answers; send one answer per request, in order"
        )
    shares: list[tuple[int, Sequence[Reply] | None]] = []
    start = 0
    for index, batch in asking:
        shares.append((index, replies[start : start + len(batch)]))
        start += len(batch)
    return shares


def close_all(flows: Iterable[Flow[Any]]) -> None:
    """Close every flow, also when closing one of them raises; then the first such error propagates."""
    failed: BaseException | None = None
    for flow in flows:
        try:
            flow.close()
        except BaseException as error:  # noqa: BLE001 - the other flows must be closed first
            failed = failed or error
    if failed is not None:
        raise failed
