"""The spans of an item as lines of a timeline: when each began, how long it took, what it is part of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.report.html._text import plain, pretty
from fieldwise.scorers.agents.spans.timeline import below, read_moments
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fieldwise.report.html._text import Room
    from fieldwise.scorers.agents.spans.timeline import Moment

MAX_SPANS: Final = 300
_DEPTH: Final = 12
_LONG: Final = {"start": "start_time", "end": "end_time", "id": "span_id", "parent": "parent_id"}
Line: TypeAlias = tuple[str, int, float | None, float | None, str, str]
"""Name, depth, milliseconds from the first start, milliseconds it took, error, attributes."""


def timeline(spans: Iterable[Mapping[str, Any]], room: Room) -> list[Line]:
    """Return a line for each span, what is below one after it; none where nothing can be read.

    Times that are unknown are None. Past `MAX_SPANS` the last line says how many more there are.
    """
    listed = [_spelled(one) for one in spans]
    try:
        moments = read_moments(listed)
    except Unfit:
        return []
    said = {str(_id(one)): one["attributes"] for one in listed if _id(one)}
    first = min((one.start for one in moments if one.start is not None), default=0)
    lines: list[Line] = []
    for moment, depth in _walk(moments)[:MAX_SPANS]:
        start = None if moment.start is None else (moment.start - first) / 1_000_000
        took = moment.ms
        text = room.cut(pretty(plain(said[moment.id]))) if said.get(moment.id) else ""
        lines.append(
            (moment.name, min(depth, _DEPTH), _rounded(start), _rounded(took), moment.error or "", text)
        )
    if len(moments) > MAX_SPANS:
        lines.append((f"and {len(moments) - MAX_SPANS:,} more spans", 0, None, None, "", ""))
    return lines


def _walk(moments: list[Moment]) -> list[tuple[Moment, int]]:
    tree = below(moments)
    found: list[tuple[Moment, int]] = []
    waiting = [(one, 0) for one in reversed(tree[""])]
    while waiting:
        one, depth = waiting.pop()
        found.append((one, depth))
        waiting += [(inner, depth + 1) for inner in reversed(tree.get(one.id, []))]
    return found


def _spelled(span: Mapping[str, Any]) -> dict[str, Any]:
    """A span in the spelling of OpenTelemetry; a results file has short names."""
    found = {_LONG.get(name, name): value for name, value in span.items()}
    if isinstance(found.get("status"), str):
        found["status"] = {"status_code": found["status"]}
    return {**found, "attributes": found.get("attributes") or {}}


def _id(span: Mapping[str, Any]) -> Any:
    context = span.get("context")
    inner = context.get("span_id") if isinstance(context, dict) else None
    return inner or span.get("span_id") or span.get("spanId")


def _rounded(ms: float | None) -> float | None:
    return None if ms is None else round(ms, 3)
