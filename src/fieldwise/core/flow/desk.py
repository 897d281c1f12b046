"""Asking a judge: calling it, reading what it returns, and the desk of the sync drivers.

Rules. Whatever a judge does wrong comes back as a `JudgeFailure` that says how to put it right; only a
`BaseException` passes, and of those not asyncio's CancelledError: nobody cancels a plain call. The answers
inside a verdict stay unchecked: they are the scorer's. Loaded by a driver when a flow first asks. The desk
of the async drivers is in `async_desk`.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, wait
from contextvars import copy_context
from queue import SimpleQueue
from typing import TYPE_CHECKING

from fieldwise.core.flow.model import JudgeFailure, Verdict
from fieldwise.core.pool import DaemonPool
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.core.flow.model import AnyJudge, JudgeRequest, Reply
    from fieldwise.core.flow.window import Finished, Ticket

_RETURN = "return a Verdict or a mapping of question id to answer"
_AWAIT = "only an async evaluator awaits it; use the create_async_* factory"


def call(judge: AnyJudge | None, request: JudgeRequest) -> object:
    """What the judge returned, unread, or why it could not answer."""
    if judge is None:
        return JudgeFailure("no judge was given")
    try:
        return judge(request)
    except BaseException as error:
        if isinstance(error, Exception) or is_cancellation(error):
            return JudgeFailure.from_exception(error)
        raise


def is_cancellation(error: BaseException) -> bool:
    """Whether this is asyncio's CancelledError, which nobody raises who has not imported asyncio."""
    asyncio = sys.modules.get("asyncio")
    return asyncio is not None and isinstance(error, asyncio.CancelledError)


def read(given: object) -> Reply:
    """What a judge returned, as a reply. Mappings are copied: the judge may go on using its own."""
    try:
        if isinstance(given, Mapping):
            return Verdict(dict(given))
        if isinstance(given, JudgeFailure):
            return given
        if isinstance(given, Verdict):
            return _whole(given)
        advice = _AWAIT if _discarded(given) else _RETURN
    except Exception as error:  # noqa: BLE001 - what a judge made may fail even to be looked at
        return JudgeFailure.from_exception(error)
    return JudgeFailure(f"the judge returned a value of type {type(given).__name__}; {advice}")


def _whole(verdict: Verdict) -> Reply:
    answers: object = verdict.answers
    if isinstance(answers, Mapping):
        return verdict
    return JudgeFailure(
        f"the judge returned a Verdict with answers of type {type(answers).__name__}; "
        "give a mapping of question id to answer"
    )


def _discarded(given: object) -> bool:
    """Whether this is an awaitable. One that is gets closed or cancelled, for nobody will await it."""
    if not inspect.isawaitable(given):
        return False
    discard = getattr(given, "close", None) or getattr(given, "cancel", None)
    if discard is not None:
        discard()
    return True


def answer(judge: AnyJudge | None, request: JudgeRequest) -> Reply:
    """Call and read."""
    return read(call(judge, request))


def is_async(judge: object) -> bool:
    """Whether calling it makes a coroutine: a coroutine function, or an object whose `__call__` is one."""
    called = getattr(judge, "__call__", None)  # noqa: B004 - whether it is async, not whether it is callable
    return inspect.iscoroutinefunction(judge) or inspect.iscoroutinefunction(called)


def refuse_async(judge: object) -> None:
    """Raise ConfigError for an async judge."""
    if is_async(judge):
        name = getattr(judge, "__qualname__", type(judge).__qualname__)
        raise ConfigError(
            f"judge={name} is async, which a sync evaluator cannot await; "
            "create the evaluator with its create_async_* factory, or give a sync judge"
        )


class Desk:
    """Where the sync drivers have requests answered: a pool of daemon threads, at most `limit` calls."""

    def __init__(self, judge: AnyJudge | None, limit: int) -> None:
        refuse_async(judge)
        self._judge = judge
        self._pool = DaemonPool(limit)
        self.finished: SimpleQueue[tuple[Ticket, Finished]] = SimpleQueue()

    def answer_all(self, batch: Sequence[JudgeRequest]) -> list[Reply]:
        """Answer a batch; what is raised is raised at once, not when its turn in the batch comes."""
        if self._judge is None or len(batch) == 1:
            return [copy_context().run(answer, self._judge, request) for request in batch]
        replies = [self._pool.submit(answer, self._judge, request) for request in batch]
        done, _ = wait(replies, return_when=FIRST_EXCEPTION)
        for reply in done:
            reply.result()
        return [reply.result() for reply in replies]

    def post(self, ticket: Ticket, request: JudgeRequest) -> None:
        """Have a request answered; the answer arrives in `finished` under its ticket."""
        if self._judge is None:
            reply: Future[Reply] = Future()
            reply.set_result(answer(None, request))
        else:
            reply = self._pool.submit(answer, self._judge, request)
        reply.add_done_callback(lambda done: self.finished.put((ticket, done)))

    def close(self) -> None:
        """Cancel what is queued and abandon what is under way."""
        self._pool.close()
