"""Async judges on a command line, which awaits nothing: they run on the loop that all judges share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fieldwise.core.flow.desk import is_async


@dataclass(frozen=True, slots=True)
class Blocking:
    """A judge that blocks until an async one has answered; it may be called from any thread."""

    judge: Any

    def __call__(self, request: Any) -> Any:
        """Return what the judge answers, or raise what it raises."""
        from fieldwise.judges.loops import on_own_loop

        return on_own_loop(self.judge(request))


def blocking(judge: Any) -> Any:
    """Return a judge that need not be awaited; most need not as they are.

    >>> async def same(request):
    ...     return {one.id: one.actual == one.expected for one in request.questions}
    >>> blocking(same).judge is same, blocking(len) is len
    (True, True)
    """
    awaited = judge.awaited if getattr(judge, "awaits_only", False) is True else judge
    return Blocking(awaited) if is_async(awaited) else judge
