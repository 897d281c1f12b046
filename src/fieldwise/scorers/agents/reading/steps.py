"""The steps of a run: what spans and LangSmith runs are, as far as tool calls are concerned.

Steps are ordered by start, then by end, then as given. A step given twice counts once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from fieldwise._types import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise.scorers.agents.reading.talk import Request


@dataclass(slots=True, eq=False)
class Step:
    """A span or a run, as far as tool calls are concerned.

    Attributes:
        kind: a tool that ran, a model that replied, or anything else.
        at: where it was found, for people.
        start: in nanoseconds, as is `end`; None where it is not known.
        key: what others call it by; `parent` is the key of the step that it is a part of.
        name: of the tool, as are `id`, the id of its call, and `sole`, its only argument.
        given: the arguments, as written.
        returned: the output, as written; MISSING: none.
        failed: whether it ended in an error.
        asked: the calls that a model asked for.
        said: what messages may stand in: what a model was told, what anything else returned.
        position: its number among all steps, in order.
    """

    kind: Literal["tool", "llm", "other"]
    at: str
    start: int | None = None
    end: int | None = None
    key: str | None = None
    parent: str | None = None
    name: str | None = None
    id: str | None = None
    sole: str | None = None
    given: object = None
    returned: object = MISSING
    failed: bool = False
    asked: tuple[Request, ...] = ()
    said: tuple[object, ...] = ()
    position: int = 0


def in_order(steps: Iterable[Step]) -> list[Step]:
    """Return steps once each, numbered; a model that starts with a tool comes first; no start is last."""
    unique: dict[object, Step] = {}
    for step in steps:
        key = step.key if step.key is not None else step
        if key not in unique or (unique[key].end is None and step.end is not None):
            unique[key] = step
    ordered = sorted(
        unique.values(),
        key=lambda step: (
            step.start is None,
            step.start or 0,
            step.kind != "llm",
            step.end if step.end is not None else step.start or 0,
        ),
    )
    for position, step in enumerate(ordered):
        step.position = position
    return ordered
