"""What a run took, read from its moments: milliseconds and tokens, and what of them is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core._say import shown
from fieldwise.core.select import nearest
from fieldwise.scorers.agents.execution import AgentExecution
from fieldwise.scorers.agents.planning import unwrapped
from fieldwise.scorers.agents.spans.bounds import names_of
from fieldwise.scorers.agents.spans.timeline import Moment, below, read_moments
from fieldwise.scorers.agents.spans.usage import Kind, message_usage, messages_of
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

Of: TypeAlias = Literal["slowest", "sum", "first"]

SAYING: Final = (
    "a model call's span says it in llm.token_count.total or gen_ai.usage.*, or has a message or response "
    "with its usage as output.value; a message in usage_metadata or usage"
)
"""Where tokens are read from, for people who have none."""
MOST_LISTED: Final = 100
"""How many spans `extra` lists."""


def matching(moments: list[Moment], pattern: re.Pattern[str], span: str) -> list[Moment]:
    """Return the moments of a name.

    Raises:
        Unfit: there are none.
    """
    found = [one for one in moments if pattern.match(one.name)]
    if not found:
        close = nearest(span, [one.name for one in moments])
        hint = f"; did you mean {shown(close)}?" if close else f"; the spans are {names_of(moments)}"
        raise Unfit(f"no span {shown(span)}{hint}", "not_evaluated")
    return found


def duration(moments: list[Moment], of: Of | None) -> tuple[float | None, str | None]:
    """Return how long moments took, and what of it is still open.

    `of` None: from the first start to the last end.
    """
    if of == "first":
        moments = moments[:1]
    backwards = next((one for one in moments if one.ms is not None and one.ms < 0), None)
    if backwards is not None:
        raise Unfit(f"span {shown(backwards.name)} ends before it starts", "not_evaluated")
    open_ = [one for one in moments if one.ms is None]
    reason = f"no start or no end: {names_of(open_)}" if open_ else None
    if of is None:
        starts = [one.start for one in moments if one.start is not None]
        ends = [one.end for one in moments if one.end is not None] + starts
        return (max(ends) - min(starts)) / 1_000_000 if starts else None, reason
    taken = [one.ms for one in moments if one.ms is not None]
    return (sum(taken) if of == "sum" else max(taken)) if taken else None, reason


def listed(moments: list[Moment]) -> dict[str, Any]:
    """Return moments as JSON, the first of them."""
    told = [{"name": one.name, "ms": one.ms} for one in moments[:MOST_LISTED]]
    return {"spans": told, "span_count": len(moments)}


def tokens_used(outputs: Any, kind: Kind) -> tuple[list[dict[str, Any]], int | None, list[Moment]]:
    """Return what each span or message says, the tokens in all, and the model calls that say nothing."""
    try:
        moments = read_moments(outputs)
    except Unfit:
        moments = []
    used, silent = _folded(moments, kind)
    if used is not None:
        told = [(one.name, one.usage.of(kind)) for one in moments]
    else:
        answer = unwrapped(outputs.agent_output if isinstance(outputs, AgentExecution) else outputs)
        counts = [message_usage(one).of(kind) for one in messages_of(answer)]
        told = [(f"message {at}", count) for at, count in enumerate(counts)]
        known = [count for count in counts if count is not None]
        used, silent = sum(known) if known else None, []
    return [{"name": name, "tokens": count} for name, count in told if count is not None], used, silent


def _folded(moments: list[Moment], kind: Kind) -> tuple[int | None, list[Moment]]:
    """The tokens of a tree: of each moment the greater of its own count and the sum of those below it."""
    tree = below(moments)
    totals: dict[str, int | None] = {}
    silent: list[Moment] = []
    waiting = [(root, False, False) for root in tree[""]]
    while waiting:
        here, covered, done = waiting.pop()
        own, inside = here.usage.of(kind), tree.get(here.id, [])
        if not done:
            waiting.append((here, covered, True))
            waiting += [(one, covered or own is not None, False) for one in inside]
            continue
        inner = _total(totals[one.id] for one in inside)
        total = totals[here.id] = inner if own is None else max(own, inner or 0)
        if here.model and here.error is None and not covered and total is None:
            silent.append(here)
    return _total(totals[root.id] for root in tree[""]), silent


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
