"""Identical questions are asked once in a run.

Two questions are identical when criterion, expected value, actual value and scale are, and the words they
are asked in. The first to ask owns the question; who asks meanwhile waits for it; who asks later is told.
Only valid answers are kept: what failed is asked again by the next one.

It serves judges of either kind, from threads and event loops: it locks and waits with threading and
`concurrent.futures` alone. An owner publishes before it waits for others, so nobody waits in a circle.
"""

from __future__ import annotations

import inspect
from concurrent.futures import Future
from dataclasses import dataclass, field
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.core.equality import canonical
from fieldwise.core.flow import Answer, JudgeFailure, JudgeRequest, Verdict
from fieldwise.core.flow.desk import call, read
from fieldwise.scorers.judging import read_answer, some_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping

    from fieldwise.core.flow import Question, Reply

Key: TypeAlias = bytes
_UNANSWERED: Final = object()
_INTERRUPTED: Final = JudgeFailure("the run was interrupted")
_NO_CALL: Final = {"judge_calls": -1}
"""Usage of a reply that took no call: whoever is answered counts one call a reply."""


@dataclass(slots=True)
class _Claim:
    """One request: what it has to ask itself, and where each of its answers will be."""

    answers: dict[str, Future[Any]] = field(default_factory=dict)
    own: list[tuple[Key, Question]] = field(default_factory=list)
    usage: Mapping[str, Any] | None = None


class Memo:
    """A judge that remembers; call it as the judge. For an async run it returns an awaitable."""

    def __init__(self, judge: Any, *, awaits: bool) -> None:
        self._judge = judge
        self._awaits = awaits
        self._lock = Lock()
        self._known: dict[Key, Future[Any]] = {}

    def __call__(self, request: JudgeRequest) -> Reply | Awaitable[Reply]:
        """Answer a request, asking only what nobody asked before."""
        claim = self._claim(request)
        try:
            if not claim.own:
                self._settle(claim, None)
            else:
                given = call(self._judge, self._open(request, claim))
                if self._awaits and inspect.isawaitable(given):
                    return self._later(claim, given)
                self._settle(claim, read(given))
        except BaseException:
            self._settle(claim, _INTERRUPTED)
            raise
        return _wait(claim) if self._awaits else _reply(claim)

    async def _later(self, claim: _Claim, given: Awaitable[Any]) -> Reply:
        try:
            reply = await _awaited(given)
        except BaseException:
            self._settle(claim, _INTERRUPTED)
            raise
        self._settle(claim, reply)
        return await _wait(claim)

    def _claim(self, request: JudgeRequest) -> _Claim:
        claim = _Claim()
        for question in request.questions:
            key = _key(question, request)
            with self._lock:
                future = self._known.get(key)
                if future is None:
                    future = self._known[key] = Future()
                    future.set_running_or_notify_cancel()  # from here on nobody can cancel it
                    claim.own.append((key, question))
            claim.answers[question.id] = future
        return claim

    def _open(self, request: JudgeRequest, claim: _Claim) -> JudgeRequest:
        questions = [question for _, question in claim.own]
        asked = {question.id for question in questions}
        problems = {name: text for name, text in request.problems.items() if name in asked}
        return some_of(request, questions, problems=problems)

    def _settle(self, claim: _Claim, reply: Reply | None) -> None:
        """Publish the answers to what this request asked; forget those that are none."""
        own, claim.own = claim.own, []
        claim.usage = reply.usage if isinstance(reply, Verdict) else _NO_CALL if reply is None else None
        for key, question in own:
            given: Any = reply
            if isinstance(reply, Verdict):
                given = reply.answers.get(question.id, _UNANSWERED)
                answer = read_answer(question, given)
                given = answer if isinstance(answer, Answer) else given
            if not isinstance(given, Answer):
                with self._lock:
                    self._known.pop(key, None)
            claim.answers[question.id].set_result(given)


async def _awaited(given: Awaitable[Any]) -> Reply:
    try:
        return read(await given)
    except Exception as error:  # noqa: BLE001 - whatever a judge raises is its failure to answer
        return JudgeFailure.from_exception(error)


async def _wait(claim: _Claim) -> Reply:
    import asyncio

    for future in claim.answers.values():
        await asyncio.shield(asyncio.wrap_future(future))
    return _reply(claim)


def _reply(claim: _Claim) -> Reply:
    """One reply of all the answers, waiting for those that others asked for."""
    answers = {name: future.result() for name, future in claim.answers.items()}
    failures = [answer for answer in answers.values() if isinstance(answer, JudgeFailure)]
    if failures and len(failures) == len(answers):
        return failures[0]
    good = {
        name: answer
        for name, answer in answers.items()
        if answer is not _UNANSWERED and not isinstance(answer, JudgeFailure)
    }
    return Verdict(good, claim.usage)


def _key(question: Question, request: JudgeRequest) -> Key:
    digest = blake2b(digest_size=16)
    sides = (canonical(question.expected), canonical(question.actual))
    manner = repr((request.reasoning, request.prompt, question.choices, question.schema))
    for part in (question.criterion, question.scale, *sides, manner):
        encoded = part.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "big"))
        digest.update(encoded)
    return digest.digest()
