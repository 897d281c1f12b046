"""Which of an agent's calls an evaluator looks at: failed ones, and those made again.

A call is a retry when it is of the same tool, with equal arguments, in a later decision, and the call of
that kind before it failed. Other calls may stand between. After a success nothing is a retry: calling
once more is a new call. Arguments that cannot be read equal none, so such a call is never a retry. An
evaluator that fills in defaults, or reads arguments otherwise, compares them so here as well.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, TypedDict, Unpack

from fieldwise.core.equality import freeze
from fieldwise.core.shared_options import Shared
from fieldwise.scorers import options
from fieldwise.scorers.agents.names import tool_key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from fieldwise.scorers.agents.calls import ToolCall

    Read: TypeAlias = Callable[[ToolCall], dict[str, Any]]

FailedCalls: TypeAlias = Literal["count", "ignore"]
Retries: TypeAlias = Literal["count", "last"]


class AttemptOptions(TypedDict, total=False):
    """Which calls are looked at.

    Attributes:
        failed_calls: "count" failed calls like any other, or "ignore" them.
        retries: "count" every attempt, or only the "last" one of a call that failed and was made again
            with the same arguments.
    """

    failed_calls: FailedCalls
    retries: Retries


ATTEMPTS: Final = Shared[AttemptOptions](AttemptOptions, {"failed_calls": "count", "retries": "count"})


@dataclass(frozen=True, slots=True)
class Attempts:
    """Which calls are looked at; see `AttemptOptions`."""

    failed_calls: FailedCalls = "count"
    retries: Retries = "count"

    def of(self, calls: Sequence[ToolCall], read: Read | None = None) -> tuple[ToolCall, ...]:
        """Return the calls that are looked at, in order; `read` gives the arguments that are compared.

        >>> from fieldwise.scorers.agents.calls import ToolCall
        >>> calls = [ToolCall("get", failed=True), ToolCall("get", group=1), ToolCall("get", group=2)]
        >>> [call.group for call in Attempts(retries="last").of(calls)]
        [1, 2]
        """
        kept = _last_attempts(calls, read) if self.retries == "last" else tuple(calls)
        return tuple(call for call in kept if not call.failed) if self.failed_calls == "ignore" else kept


def attempts(**given: Unpack[AttemptOptions]) -> Attempts:
    """Check the two options.

    Raises:
        ConfigError: for a word that is not one of theirs.
    """
    chosen = Attempts(**ATTEMPTS.complete(given))
    options.one_of("failed_calls", chosen.failed_calls, FailedCalls)
    options.one_of("retries", chosen.retries, Retries)
    return chosen


def _last_attempts(calls: Sequence[ToolCall], read: Read | None) -> tuple[ToolCall, ...]:
    """The calls without those that were made again after they had failed."""
    dropped: set[int] = set()
    failures: dict[Hashable, deque[int]] = {}
    for at, call in enumerate(calls):
        if not call.name or call.problem is not None:
            continue
        args = call.args if read is None else read(call)
        waiting = failures.setdefault((tool_key(call.name), freeze(args)), deque())
        if waiting and calls[waiting[0]].group != call.group:
            dropped.add(waiting.popleft())
        if call.failed:
            waiting.append(at)
    return tuple(call for at, call in enumerate(calls) if at not in dropped)
