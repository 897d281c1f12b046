"""What a run took, read from its moments: milliseconds and tokens, and what of them is not known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.display import nearest, one_line, shown
from fieldwise.scorers.agents.execution import AgentExecution
from fieldwise.scorers.agents.reading.loose import unwrapped
from fieldwise.scorers.agents.spans.bounds import NAMES, names_of
from fieldwise.scorers.agents.spans.messages import spoken
from fieldwise.scorers.agents.spans.timeline import Moment, below, read_moments
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable

    from fieldwise.scorers.agents.spans.usage import Kind, Usage

    Gap = tuple[str, str | None]
    """A moment or message whose tokens are not known, and what it says of them that cannot be read."""

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
        hint = (
            f"; did you mean {shown(close)}?"
            if close
            else f"; the spans are {names_of(one.name for one in moments)}"
        )
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
    reason = f"no start or no end: {names_of(one.name for one in open_)}" if open_ else None
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


def tokens_used(outputs: Any, kind: Kind) -> tuple[list[dict[str, Any]], int | None, str | None]:
    """Return what each span or message says, the tokens in all, and what of them is not known, for people."""
    try:
        moments = read_moments(outputs)
    except Unfit:
        moments = []
    used, gaps = _folded(moments, kind)
    said = [(one.name, one.usage) for one in moments]
    if used is None:
        ran = issubclass(type(outputs), AgentExecution)
        messages = spoken(unwrapped(outputs.agent_output if ran else outputs))
        used = _total(one.usage.of(kind) for one in messages)
        found = [(one.name, one.usage.gap(kind)) for one in messages if not _known(one.usage, kind)]
        gaps = found if used is not None else [one for one in (*gaps, *found) if one[1] is not None]
        said = [(one.name, one.usage) for one in messages]
    told = [{"name": name, "tokens": count} for name, usage in said if (count := usage.of(kind)) is not None]
    return told, used, _untold(gaps)


def _known(usage: Usage, kind: Kind) -> bool:
    return usage.of(kind) is not None and usage.gap(kind) is None


def _untold(gaps: list[Gap]) -> str | None:
    """What of the tokens is not known, for people; None: nothing."""
    if not gaps:
        return None
    silent = names_of(name for name, unread in gaps if unread is None)
    unread = one_line(
        ", ".join(f"{shown(name)} has {count}" for name, count in gaps if count is not None), NAMES
    )
    parts = [f"counts that cannot be read: {unread}"] if unread else []
    parts += [f"model calls that say nothing of their tokens: {silent}; {SAYING}"] if silent else []
    return "; ".join(parts)


def _folded(moments: list[Moment], kind: Kind) -> tuple[int | None, list[Gap]]:
    """The tokens of a tree: of each moment the greater of its own count and the sum of those below it."""
    tree = below(moments)
    totals: dict[str, int | None] = {}
    gaps: list[Gap] = []
    waiting = [(root, False, False) for root in tree[""]]
    while waiting:
        here, covered, done = waiting.pop()
        own, unread, inside = here.usage.of(kind), here.usage.gap(kind), tree.get(here.id, [])
        if not done:
            waiting.append((here, covered, True))
            waiting += [(one, covered or _known(here.usage, kind), False) for one in inside]
            continue
        inner = _total(totals[one.id] for one in inside)
        totals[here.id] = inner if own is None else max(own, inner or 0)
        silent = own is None and here.model and here.error is None
        if not covered and inner is None and (silent or unread is not None):
            gaps.append((here.name, unread))
    return _total(totals[root.id] for root in tree[""]), gaps


def _total(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None
