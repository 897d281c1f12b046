"""What the messages around a call say of it, after it was made.

A tool that raises leaves a span without an output; what the agent was told instead stands in the message
that answers, in the reply of the node around it or in what the model is told next. Messages are looked for
only when something is missing, from the end of the call on, so that an id used twice means the nearer one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from fieldwise._types import MISSING
from fieldwise.scorers.agents.reading.loose import decoded
from fieldwise.scorers.agents.reading.talk import Talk, talk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fieldwise.scorers.agents.reading.steps import Step


class Answers:
    """What steps say, by the time at which they say it: a model's input at its start, the rest at the end."""

    def __init__(self, steps: Sequence[Step]) -> None:
        said = [(_when(step), step.position, payload) for step in steps for payload in step.said]
        said.sort(key=lambda one: one[:2])
        self._times = [time for time, _, _ in said]
        self._payloads: list[Any] = [payload for _, _, payload in said]
        self._talks: dict[int, Talk] = {}

    def of(self, call: str, after: tuple[int, int]) -> Any:
        """Return the first message that answers a call after a time; MISSING without one."""
        return next((talk.answers[call] for talk in self._after(after) if call in talk.answers), MISSING)

    def mention(self, call: str, after: tuple[int, int]) -> bool:
        """Whether a message after a time asks for a call or answers it."""
        return any(
            call in talk.answers or any(one.id == call for one in talk.requests)
            for talk in self._after(after)
        )

    def _after(self, after: tuple[int, int]) -> Iterator[Talk]:
        for at in range(bisect_left(self._times, after[0]), len(self._times)):
            if at not in self._talks:
                self._talks[at] = talk(decoded(self._payloads[at]))
            yield self._talks[at]


def _when(step: Step) -> float:
    time = step.start if step.kind == "llm" else step.end
    return math.inf if time is None else time
