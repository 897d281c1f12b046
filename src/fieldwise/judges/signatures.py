"""What a function that judges has to take: one request. Any other would fail at every record."""

from __future__ import annotations

from typing import Any

from fieldwise.core.callables import misfit
from fieldwise.errors import ConfigError


def name_of(judge: Any) -> str:
    """Return what a judge is called in messages."""
    return str(getattr(judge, "__name__", type(judge).__name__))


def refuse_misfit(judge: Any) -> None:
    """Refuse a function that cannot be called with a request.

    Raises:
        ConfigError: naming it and the fix.

    >>> refuse_misfit(lambda request: {question.id: True for question in request.questions})
    """
    reason = misfit(judge, 1)
    if reason is not None:
        raise ConfigError(
            f"judge={name_of(judge)}: a judge is called with one JudgeRequest, which it does not take "
            f"({reason}); write judge(request) -> {{question.id: answer}} for request.questions"
        )
