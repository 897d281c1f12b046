"""Judges that are functions: `judge(request) -> Verdict | {question id: answer}`, plain or async.

They answer the request themselves: no prompt is written for them and no reply is read. A plain one serves
async evaluators from a daemon thread; an async one serves async evaluators only.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from fieldwise.core.flow import Verdict
from fieldwise.core.flow.desk import is_async, read
from fieldwise.errors import BudgetExceeded, JudgeError
from fieldwise.judges.clients.langchain import is_runnable
from fieldwise.judges.clients.openai import is_openai_shaped
from fieldwise.judges.loops import in_thread

if TYPE_CHECKING:
    from fieldwise.core.flow import JudgeRequest


def is_function(judge: object) -> bool:
    """Whether this answers requests itself: a callable that is no model, client or name."""
    return callable(judge) and not is_runnable(judge) and not is_openai_shaped(judge)


class FunctionClient:
    """A function that judges.

    Args:
        function: takes a `JudgeRequest`.
    """

    def __init__(self, function: Any) -> None:
        self._function = function
        self.awaits_only = is_async(function)

    def answer(self, request: JudgeRequest) -> Verdict:
        """Call it.

        Raises:
            JudgeError: it returned what is no verdict.
            Exception: whatever it raises.
        """
        return _checked(self._function(request))

    async def aanswer(self, request: JudgeRequest) -> Verdict:
        """Call it without blocking the loop.

        Raises:
            JudgeError: it returned what is no verdict.
            Exception: whatever it raises.
        """
        if self.awaits_only:
            given = self._function(request)
        else:
            given = await in_thread(lambda: self._function(request))
        return _checked(await given if inspect.isawaitable(given) else given)


def _checked(given: Any) -> Verdict:
    reply = read(given)
    if isinstance(reply, Verdict):
        return reply
    raise (BudgetExceeded if reply.status == "not_evaluated" else JudgeError)(reply.reason)
