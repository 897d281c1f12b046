"""OpenTelemetry spans: objects as the SDK has them, its JSON, and OTLP's.

Everything a span may call its parts is in `span_names`; what calls they make up is in `assembly`. Here a
span becomes a step. Only tools that ran and models that replied matter; all others are kept for the
messages in them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.scorers.agents.reading import span_names as names
from fieldwise.scorers.agents.reading import wrapped
from fieldwise.scorers.agents.reading.assembly import assemble
from fieldwise.scorers.agents.reading.loose import (
    as_text,
    attributes,
    decoded,
    field,
    has,
    items,
    nanoseconds,
    text,
)
from fieldwise.scorers.agents.reading.steps import Step
from fieldwise.scorers.agents.reading.talk import Request, talk

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise.scorers.agents.calls import Trajectory

_ANY_OF: Final = ("start_time", "startTimeUnixNano", "context", "spanId", "name")
_ERRORS: Final = frozenset({"ERROR", "STATUS_CODE_ERROR", "2"})
_FINE: Final = frozenset({"OK", "STATUS_CODE_OK", "1"})


def is_spans(value: object) -> bool:
    """Whether a value is a list of spans: each has attributes, and a name, a start or an identity.

    >>> is_spans([{"name": "search", "attributes": {"tool.name": "search"}, "start_time": 1}])
    True
    >>> is_spans([]), is_spans([{"name": "search", "args": {}}])
    (False, False)
    """
    spans = listed_spans(value)
    return bool(spans) and all(
        has(span, "attributes") and any(has(span, name) for name in _ANY_OF) for span in spans
    )


def read_spans(spans: Any, *, decode_twice: bool = False) -> Trajectory:
    """Read the tool calls that spans record.

    Args:
        spans: a list in any order, or OTLP's `{"resourceSpans": […]}`; those that are neither of a tool nor
            of a model are passed over.
        decode_twice: whether arguments that are JSON text within JSON text are decoded once more.

    Returns:
        A trajectory without turns.

    >>> span = {"name": "t", "start_time": 1, "attributes": {"tool.name": "t", "input.value": '{"a": 1}'}}
    >>> read_spans([span]).calls[0].args
    {'a': 1}
    """
    read = [(span, attributes(field(span, "attributes"))) for span in listed_spans(spans)]
    declared: dict[str, str | None] = {}
    for _, said in read:
        declared.update(_declared(said))
    steps = [_step(number, span, said) for number, (span, said) in enumerate(read)]
    known = [replace(step, sole=step.sole or declared.get(step.name or "")) for step in steps]
    return assemble(known, "spans", decode_twice=decode_twice)


def listed_spans(value: Any) -> list[Any]:
    """The spans of a list; of OTLP's envelope, those of every scope of every resource."""
    if not has(value, "resourceSpans"):
        return items(value)
    scopes = [
        one
        for resource in items(field(value, "resourceSpans"))
        for one in items(field(resource, "scopeSpans"))
    ]
    return [span for scope in scopes for span in items(field(scope, "spans"))]


def _step(number: int, span: Any, said: Mapping[str, Any]) -> Step:
    kind, name = _kind(span, said)
    step = Step(
        kind,
        f"span {number}",
        start=nanoseconds(field(span, "start_time", "startTimeUnixNano")),
        end=nanoseconds(field(span, "end_time", "endTimeUnixNano")),
        key=key_of(span),
        parent=parent_of(span),
        failed=failed_span(span, said),
    )
    if kind == "tool":
        return _tool(step, name, said)
    if kind == "llm":
        told = (*_present(said, names.TOLD), _messages(said, names.PROMPT))
        return replace(step, asked=_asked(said), said=told)
    return replace(step, said=_present(said, names.RETURNED))


def _kind(span: Any, said: Mapping[str, Any]) -> tuple[names.Kind, str | None]:
    """Return what a span is, and the name of the tool."""
    kind = stated_kind(said)
    if kind == "llm":
        return kind, None
    named = [said[attribute] for attribute in names.TOOL if attribute in said]
    if said.get(names.SYNTHESIZED) or (named and not any(named)):
        return "other", None
    if named:
        return "tool", text(next(one for one in named if one))
    if kind == "tool":
        name = next((said[one] for one in names.TOOL_BY_KIND if said.get(one)), field(span, "name"))
        return kind, (text(name) or "").removeprefix("execute_tool ") or None
    return kind, None


def stated_kind(said: Mapping[str, Any]) -> names.Kind:
    """Return what a span says that it is."""
    for attribute, kinds in names.KINDS:
        if attribute in said:
            return kinds.get((text(said[attribute]) or "").lower(), "other")
    return "other"


def _tool(step: Step, name: str | None, said: Mapping[str, Any]) -> Step:
    call = text(next((said[one] for one in names.CALL_ID if said.get(one) is not None), None))
    given = next((one for one in names.ARGUMENTS if said.get(one) is not None), None)
    gave = next((one for one in names.OUTPUT if one in said), None)
    raw = MISSING if gave is None else said[gave]
    if gave in names.LANGSMITH:
        raw = wrapped.outputs(decoded(raw), failed=step.failed)
    if raw is not MISSING and not (gave == "output.value" and said.get(names.OUTPUT_TYPE) == "text/plain"):
        raw, call = wrapped.returned(raw, call)
    args = None if given is None else said[given]
    return replace(
        step,
        name=name,
        id=call,
        sole=next((one for key in names.PARAMETERS if (one := wrapped.sole_argument(said.get(key)))), None),
        given=wrapped.arguments(decoded(args)) if given in names.LANGSMITH else args,
        returned=raw,
    )


def _asked(said: Mapping[str, Any]) -> tuple[Request, ...]:
    """The requests in a model's reply, from the first attribute that has any."""
    for reply in (_messages(said, names.REPLY), *_present(said, names.REPLIES)):
        found = talk(decoded(reply)).requests
        if found:
            return found
    return ()


def _present(said: Mapping[str, Any], wanted: Sequence[str]) -> tuple[Any, ...]:
    return tuple(said[one] for one in wanted if one in said)


def _messages(said: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """The messages that OpenInference spreads over numbered attributes, as OpenAI has them."""
    return [
        {
            "role": flat.get("message.role"),
            "tool_call_id": flat.get("message.tool_call_id"),
            "content": flat.get("message.content") or _contents(flat),
            "tool_calls": [
                {
                    "id": call.get("tool_call.id"),
                    "name": call.get("tool_call.function.name"),
                    "arguments": call.get("tool_call.function.arguments"),
                }
                for call in _numbered(flat, "message.tool_calls")
            ],
        }
        for flat in _numbered(said, prefix)
    ]


def _contents(flat: Mapping[str, Any]) -> Any:
    texts = [part.get("message_content.text") for part in _numbered(flat, "message.contents")]
    return "".join(one for one in texts if isinstance(one, str)) if texts else flat.get("message.content")


def _declared(said: Mapping[str, Any]) -> dict[str, str | None]:
    """The only argument of each tool that a model was offered, by the tool's name; None for several."""
    found = {}
    schemas = [one.get("tool.json_schema") for one in _numbered(said, names.DECLARED)]
    for schema in [*schemas, *items(decoded(said.get(names.DEFINITIONS)))]:
        read = decoded(schema)
        name = field(read, "name") or field(field(read, "function"), "name")
        if isinstance(name, str):
            found[name] = wrapped.sole_argument(read)
    return found


def _numbered(said: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """What stands under `prefix.0.`, `prefix.1.` and so on, in that order."""
    found: dict[int, dict[str, Any]] = {}
    for name, value in said.items():
        if name.startswith(f"{prefix}."):
            number, _, rest = name[len(prefix) + 1 :].partition(".")
            if rest and number.isascii() and number.isdigit() and len(number) < _LONGEST:
                found.setdefault(int(number), {})[rest] = value
    return [found[number] for number in sorted(found)]


_LONGEST: Final = 10


def failed_span(span: Any, said: Mapping[str, Any]) -> bool:
    """Whether a span ended in an error: its status says so, or an exception and no status says otherwise."""
    status = field(span, "status")
    code = field(status, "status_code", "code")
    word = (text(field(code, "name")) or text(code) or "").upper().rpartition(".")[2]
    if word in _ERRORS:
        return True
    raised = any(as_text(field(event, "name")) == "exception" for event in items(field(span, "events")))
    return word not in _FINE and (raised or bool(said.get(names.ERROR)))


def key_of(span: Any) -> str | None:
    """Return the id of a span; None for none."""
    return _identity(field(span, "context"), field(span, "span_id", "spanId"))


def parent_of(span: Any) -> str | None:
    """Return the id of the span that a span is part of; None for none."""
    return _identity(field(span, "parent"), field(span, "parent_id", "parent_span_id", "parentSpanId"))


def _identity(context: Any, value: Any) -> str | None:
    """A span's id as text, from its context or as it stands; 0 and empty text are none."""
    found = (text(field(context, "span_id")), text(value))
    return next((one for one in found if one not in {"", "0", None}), None)
