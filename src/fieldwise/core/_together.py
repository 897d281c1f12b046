"""Composing flows: one batch for all, the answers split back. Public as `flow.together`.

Advances its members one after the other and never through `yield from`, so that what they ask in one
round is asked at once: eight members that wait 50 ms each wait 50 ms together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise.core.flow import Flow, JudgeRequest, Reply

T = TypeVar("T")


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
