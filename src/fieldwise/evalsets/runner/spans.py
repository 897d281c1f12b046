"""Spans as JSON, for files of results, and back as objects that custom evaluators can read.

A span of OpenTelemetry becomes name, start and end in nanoseconds, status, attributes, id and parent; what
has no JSON form is left out. Read back it is a `RecordedSpan`, with the names the SDK has for the same
things. A span that somebody else recorded, in a form of their own, stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fieldwise.evalsets.results.as_json import as_json
from fieldwise.scorers.agents.reading import loose

_OURS: Final = ("name", "start", "attributes")
_UNSET: Final = "UNSET"


@dataclass(frozen=True, slots=True)
class StatusCode:
    """How a span ended: "UNSET", "OK" or "ERROR"."""

    name: str = _UNSET


@dataclass(frozen=True, slots=True)
class SpanStatus:
    """How a span ended, as the SDK nests it."""

    status_code: StatusCode = field(default_factory=StatusCode)


@dataclass(frozen=True, slots=True)
class RecordedSpan:
    """A span that was read from a file.

    >>> RecordedSpan.from_dict({"name": "search", "start": 1, "end": 5, "attributes": {}}).end_time
    5
    """

    name: str
    start_time: int | None = None
    end_time: int | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    status: SpanStatus = field(default_factory=SpanStatus)
    span_id: str | None = None
    parent_id: str | None = None

    @classmethod
    def from_dict(cls, span: Mapping[str, Any]) -> RecordedSpan:
        """Read what `span_dict` made."""
        return cls(
            name=str(span["name"]),
            start_time=span.get("start"),
            end_time=span.get("end"),
            attributes=span.get("attributes") or {},
            status=SpanStatus(StatusCode(str(span.get("status") or _UNSET))),
            span_id=span.get("id"),
            parent_id=span.get("parent"),
        )


def span_dict(span: Any) -> dict[str, Any]:
    """Return a span as JSON; one that is JSON already as it is.

    >>> span_dict(RecordedSpan("search", 1, 5, {"tool.name": "search"}))["attributes"]
    {'tool.name': 'search'}
    """
    if isinstance(span, Mapping):
        found: dict[str, Any] = as_json(dict(span))
        return found
    code = loose.field(loose.field(span, "status"), "status_code")
    return {
        "name": loose.as_text(loose.field(span, "name")) or "",
        "start": loose.nanoseconds(loose.field(span, "start_time")),
        "end": loose.nanoseconds(loose.field(span, "end_time")),
        "status": loose.as_text(loose.field(code, "name")) or _UNSET,
        "attributes": as_json(loose.attributes(loose.field(span, "attributes"))),
        "id": _identity(loose.field(span, "context"), loose.field(span, "span_id")),
        "parent": _identity(loose.field(span, "parent"), loose.field(span, "parent_id")),
    }


def read_span(span: Any) -> Any:
    """Return a span of a file as evaluators read it."""
    ours = isinstance(span, Mapping) and all(name in span for name in _OURS)
    return RecordedSpan.from_dict(span) if ours else span


def _identity(context: Any, own: Any) -> str | None:
    number = loose.field(context, "span_id")
    if isinstance(number, int):
        return f"{number:016x}"
    return own if isinstance(own, str) else None
