"""What ran, when, and how it ended: spans and LangSmith runs as one list of moments, by start.

| source | recognised by |
|---|---|
| an execution | `agent_trace`: its spans |
| spans | as `reading.spans` has them: OpenTelemetry's objects, its JSON, OTLP |
| captured spans | an object or mapping with `spans` |
| a LangSmith run, or a list of them | `run_type`; runs within runs are moments too |

A time that cannot be read is None, as is the end of what has not ended. Outputs without any of these are not
graded: that nothing was recorded says nothing of the agent.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import one_line, said, shown
from fieldwise.scorers.agents.execution import TRACES
from fieldwise.scorers.agents.reading import loose
from fieldwise.scorers.agents.reading.loose import unwrapped
from fieldwise.scorers.agents.reading.runs import has_failed, is_runs, kind_of, walked
from fieldwise.scorers.agents.reading.spans import (
    failed_span,
    is_spans,
    key_of,
    listed_spans,
    parent_of,
    stated_kind,
)
from fieldwise.scorers.agents.spans.usage import Usage, run_usage, span_usage
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_WORDLESS: Final = "an error without words"
_SPANS: Final = (
    "pass outputs={'messages': …, 'spans': run.spans} with what capture_spans() as run recorded, "
    "or an AgentExecution"
)
_MOST_TIME: Final = 10**24
_LAYERS: Final = 4
_TRIED: Final = 8
"""How many records of one id are looked at for one that a further record only adds to."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One span or run.

    Attributes:
        name: what it is called; "" if it is not.
        start: nanoseconds since 1970; None: unknown.
        end: the same; None: it has not ended, or nobody knows.
        error: what went wrong, or None.
        id: tells it from others.
        parent: the id of the one it is part of, or None.
        model: whether it is a call of a model.
        usage: what it says of tokens.
    """

    name: str
    start: int | None = None
    end: int | None = None
    error: str | None = None
    id: str = ""
    parent: str | None = None
    model: bool = False
    usage: Usage = field(default_factory=Usage)

    @property
    def ms(self) -> float | None:
        """How many milliseconds it took; None where that is unknown.

        >>> Moment("search", 0, 2_500_000).ms
        2.5
        """
        return None if self.start is None or self.end is None else (self.end - self.start) / 1_000_000


def read_moments(value: Any) -> list[Moment]:
    """Return the moments of a run of an agent, by start; of one instant, what is above before what is below.

    Those without a start are last.

    Raises:
        Unfit: there are none, with status not_evaluated.

    >>> [one.name for one in read_moments([{"name": "search", "start_time": 5, "attributes": {}}])]
    ['search']
    """
    try:
        found = _unique(_read(value))
    except Exception as error:  # noqa: BLE001 - whatever an object of someone else's raises
        raise Unfit(f"the spans cannot be read: {said(error)}", "not_evaluated") from None
    if not found:
        reason = f"nothing to measure: no spans and no LangSmith run in {shown(value)}; {_SPANS}"
        raise Unfit(reason, "not_evaluated")
    depths = _depths(found)
    return sorted(found, key=lambda one: _place(one, depths[one.id]))


def _place(one: Moment, depth: int) -> tuple[Any, ...]:
    """Where a moment stands in the order; those of one start and depth the longest first, then by name."""
    return (one.start is None, one.start or 0, depth, one.end is not None, -(one.end or 0), one.name)


def below(moments: Iterable[Moment]) -> dict[str, list[Moment]]:
    """Return those directly below each, by its id; those below none that is here are below "".

    Each is in it once. Of a ring, some that are each below the next, nobody knows which is above: all are
    below none.

    >>> tree = below([Moment("a", id="1"), Moment("b", id="2", parent="1")])
    >>> [[one.name for one in tree[name]] for name in ("", "1")]
    [['a'], ['b']]
    """
    parents = {one.id: one.parent for one in moments}
    reached: set[str] = set()
    tree: dict[str, list[Moment]] = defaultdict(list)
    for one in moments:
        above, path = parents[one.id], {one.id: 0}
        while above in parents and above not in path and above not in reached:
            path[above] = len(path)
            above = parents[above]
        if above is not None and above in path:
            parents |= dict.fromkeys([*path][path[above] :])
        reached |= path.keys()
        parent = parents[one.id]
        tree[parent if parent is not None and parent in parents else ""].append(one)
    return tree


def _depths(moments: list[Moment]) -> dict[str, int]:
    """How many moments each is below."""
    tree = below(moments)
    depths: dict[str, int] = {}
    waiting = [(one, 0) for one in tree[""]]
    while waiting:
        one, depth = waiting.pop()
        depths[one.id] = depth
        waiting += [(inner, depth + 1) for inner in tree.get(one.id, ())]
    return depths


# ------------------------------------------------------------------------------------------- the sources


def _read(value: Any) -> Iterator[Moment]:
    for _ in range(_LAYERS):
        if is_spans(value):
            yield from map(_span, listed_spans(value))
            return
        if is_runs(value):
            yield from (_run(*one) for one in walked(value))
            return
        value = _unwrapped(value)


def _unwrapped(value: Any) -> Any:
    inner = unwrapped(value)
    if inner is not value:
        return inner
    for name in (*TRACES, "spans"):
        held = loose.field(value, name)
        if held is not None:
            return held
    return None


def _unique(moments: Iterable[Moment]) -> list[Moment]:
    """Each once, with an id of its own; what has the id of another and contradicts it is one more."""
    found: dict[str, set[Moment]] = {}
    for number, one in enumerate(moments):
        found.setdefault(one.id or f"no id: {number}", set()).add(one)
    return [
        replace(one, id=f"{name}\0{at}" if at else name)
        for name, same in found.items()
        for at, one in enumerate(_told_apart(same))
    ]


def _told_apart(same: set[Moment]) -> list[Moment]:
    """What one id stands for, whatever the order in which it was recorded."""
    found: list[Moment] = []
    for one in sorted(same, key=repr) if len(same) > 1 else same:
        for at in range(max(0, len(found) - _TRIED), len(found)):
            both = _merged(found[at], one)
            if both is not None:
                found[at] = both
                break
        else:
            found.append(one)
    return found


def _merged(known: Moment, more: Moment) -> Moment | None:
    """Two that are one, recorded twice, perhaps before and after its end; None: they contradict."""
    both: dict[str, Any] = {}
    for one in fields(Moment):
        first, second = getattr(known, one.name), getattr(more, one.name)
        said = [value for value in (first, second) if value or type(value) is int]
        if len(said) > 1 and first != second:
            return None
        both[one.name] = said[0] if said else first
    return Moment(**both)


def _span(span: Any) -> Moment:
    said = loose.attributes(loose.field(span, "attributes"))
    model = stated_kind(said) == "llm"
    return Moment(
        loose.text(loose.field(span, "name")) or "",
        _time(span, "start_time", "startTimeUnixNano"),
        _time(span, "end_time", "endTimeUnixNano"),
        _wrong(span) if failed_span(span, said) else None,
        key_of(span) or "",
        parent_of(span),
        model,
        span_usage(said, model=model),
    )


def _wrong(span: Any) -> str:
    """What a span that failed says of it."""
    told = loose.text(loose.field(loose.field(span, "status"), "description", "message"))
    if told:
        return one_line(told)
    for event in loose.items(loose.field(span, "events")):
        said = loose.attributes(loose.field(event, "attributes"))
        message = said.get("exception.message") or said.get("exception.type")
        if isinstance(message, str):
            return one_line(message)
    return _WORDLESS


def _run(run: Any, key: str, parent: str | None) -> Moment:
    model = kind_of(run) == "llm"
    return Moment(
        loose.text(loose.field(run, "name")) or "",
        _time(run, "start_time"),
        _time(run, "end_time"),
        one_line(loose.text(loose.field(run, "error")) or _WORDLESS) if has_failed(run) else None,
        key,
        parent,
        model,
        run_usage(run, model=model),
    )


def _time(holder: Any, *names: str) -> int | None:
    found = loose.nanoseconds(loose.field(holder, *names))
    return found if found is not None and abs(found) < _MOST_TIME else None
