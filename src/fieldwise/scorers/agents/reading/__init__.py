"""From whatever an agent leaves behind to one `Trajectory`.

A table of sources, tried in order: each has a test that recognises it and a reader. What none recognises
is a `Problem`, never an exception and never "no calls".

| source | recognised by |
|---|---|
| an execution | `agent_trace` or `workload_trace`; its spans where they hold tool calls, else its output |
| a LangSmith run, or a list of them | `run_type` |
| spans | a list of objects with `attributes`, or what else `spans` knows |
| a conversation | a list of messages; one message; a state with `messages`; a provider's response |
| calls | a list of mappings with a name, or of names; `{"tool_calls": […]}`; one call |
| nothing | an empty list: a conversation in which nothing was said |

Text is parsed first. LangSmith's wrapper, a sole key `output`, is taken off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, said
from fieldwise.core.parse import Unparsed, parse
from fieldwise.core.read import Problem
from fieldwise.core.values import Unconvertible
from fieldwise.scorers.agents.execution import RESULTS, TRACES
from fieldwise.scorers.agents.reading.forms import ARGS, NAMES, Odd, described, get, has
from fieldwise.scorers.agents.reading.loose import unwrapped
from fieldwise.scorers.agents.reading.messages import read_messages
from fieldwise.scorers.agents.reading.plain import is_call, read_calls
from fieldwise.scorers.agents.reading.provider import is_block, is_message

if TYPE_CHECKING:
    from fieldwise._types import Status
    from fieldwise.scorers.agents.calls import Trajectory

_LAYERS: Final = 8
"""How many wrappers, texts and states are taken off, one within the other."""
_CALL_LISTS: Final = ("tool_calls", "toolCalls")
_OPTIONS: Final = {"outputs": "outputs_key", "reference_outputs": "correct_answer_key"}
_LOOKED_AT: Final = 50
_TOLD: Final = 3
_KNOWN: Final = "no messages, calls, spans or run"

_Read: TypeAlias = "Callable[..., Trajectory]"


def read_trajectory(value: Any, side: str = "outputs", *, decode_twice: bool = False) -> Trajectory | Problem:
    """Read what an agent did.

    Args:
        value: one of the sources above.
        side: "outputs" or "reference_outputs": whose fault it is when it cannot be read.
        decode_twice: whether arguments that are JSON text within JSON text are decoded once more.

    >>> read_trajectory([{"name": "search", "args": {"q": "x"}}]).names
    ['search']
    >>> read_trajectory({"foo": 1}).reason
    'outputs: no messages, calls, spans or run, but an object with the keys foo'
    """
    status: Status = "invalid_output" if side == "outputs" else "invalid_reference"
    try:
        return _read(value, decode_twice=decode_twice)
    except (Odd, Unconvertible) as error:
        return Problem(status, one_line(f"{side}: {error}") + _held(value, side))
    except Exception as error:  # noqa: BLE001 - whatever an object of someone else's raises
        return Problem(status, one_line(f"{side}: cannot be read: {said(error)}"))


def _read(value: Any, *, decode_twice: bool) -> Trajectory:
    """Take off what the source is wrapped in, and read it by the first row of the table that knows it."""
    for _ in range(_LAYERS):
        for knows, reader in _SOURCES:
            if knows(value):
                return reader(value, decode_twice=decode_twice)
        inner = _inner(value)
        if inner is MISSING:
            break
        value = inner
    raise Odd(f"{_KNOWN}, but {described(value)}")


def _held(value: Any, side: str) -> str:
    """Where in an object there is what can be read, as the option that names it; "" for nowhere."""
    option, way = _OPTIONS.get(side), ""
    for _ in range(_LAYERS):
        inner = unwrapped(value)
        if inner is value:
            break
        value, way = inner, f"{way}output."
    if option is None or not isinstance(value, Mapping):
        return ""
    found = [name for name, one in islice(value.items(), _LOOKED_AT) if isinstance(name, str) and _knows(one)]
    places = " or ".join(f"{option}={way + name!r}" for name in found[:_TOLD])
    return f"; if that is what to read, pass {places}" if found else ""


def _knows(value: Any) -> bool:
    try:
        inside = any(unwrap(value) is not MISSING for unwrap in (_state, _response))
        return bool(value) and (inside or any(knows(value) for knows, _ in _SOURCES))
    except Exception:  # noqa: BLE001 - an object of someone else's is nothing that is known
        return False


def _inner(value: Any) -> Any:
    """Return what a value is only a wrapping of; MISSING where it is none."""
    if isinstance(value, str):
        found = parse(value)
        if isinstance(found, Unparsed):
            raise Odd(f"{_KNOWN}, but text: {found.reason.partition('; ')[0]}")
        return found.value
    if value is None or value is MISSING:
        return MISSING
    for unwrap in _WRAPPINGS:
        inner = unwrap(value)
        if inner is not MISSING:
            return inner
    return _as_json(value)


def _sole_output(value: Any) -> Any:
    inner = unwrapped(value)
    return MISSING if inner is value else inner


def _state(value: Any) -> Any:
    """The messages of a LangGraph state, or of a mapping that only holds them; null for none."""
    if not has(value, "messages"):
        return MISSING
    messages = get(value, "messages")
    return [] if messages is None else messages


def _response(value: Any) -> Any:
    """The messages of a provider's response: of OpenAI's first choice, the items of its Responses."""
    if get(value, "object") == "response" and isinstance(get(value, "output"), list):
        return get(value, "output")
    choices = get(value, "choices")
    if isinstance(choices, list) and choices and has(choices[0], "message"):
        return [get(choices[0], "message")]
    return MISSING


_WRAPPINGS: Final[tuple[Callable[[Any], Any], ...]] = (_sole_output, _state, _response)


def _as_json(value: Any) -> Any:
    """An object of someone else's as JSON, where that is something else than the object itself."""
    if isinstance(value, dict | list | int | float):
        return MISSING
    converted = to_json(value)
    return converted if isinstance(converted, dict | list) else MISSING


# ------------------------------------------------------------------------------------------- the sources


def _is_execution(value: Any) -> bool:
    return any(has(value, name) for name in TRACES) and any(has(value, name) for name in RESULTS)


def _execution(value: Any, *, decode_twice: bool) -> Trajectory:
    spans = next((get(value, name) for name in TRACES if has(value, name)), None)
    output = next((get(value, name) for name in RESULTS if has(value, name)), None)
    traced = _spans(list(spans), decode_twice=decode_twice) if spans else None
    if traced is not None and traced.calls:
        return traced
    try:
        return _read(output, decode_twice=decode_twice)
    except (Odd, Unconvertible) as error:
        if traced is not None:
            return traced
        raise Odd(f"an execution without spans, whose output has {error}") from None


def _is_run(value: Any) -> bool:
    if not has(_sample(value), "run_type"):
        return False
    from fieldwise.scorers.agents.reading.runs import is_runs

    return is_runs(value)


def _run(value: Any, *, decode_twice: bool) -> Trajectory:
    from fieldwise.scorers.agents.reading.runs import read_runs

    return read_runs(value, decode_twice=decode_twice)


def _is_spans(value: Any) -> bool:
    sample = _sample(value)
    if not (has(sample, "attributes") or has(sample, "resourceSpans") or has(sample, "resource_spans")):
        return False
    from fieldwise.scorers.agents.reading.spans import is_spans

    return is_spans(value)


def _spans(value: Any, *, decode_twice: bool) -> Trajectory:
    from fieldwise.scorers.agents.reading.spans import read_spans

    return read_spans(value, decode_twice=decode_twice)


def _is_conversation(value: Any) -> bool:
    if not isinstance(value, list | tuple):
        return not isinstance(value, str) and is_message(value)
    return not value or (not _is_names(value) and is_message(_sample(value)))


def _conversation(value: Any, *, decode_twice: bool) -> Trajectory:
    messages = value if isinstance(value, list | tuple) else [value]
    return read_messages(messages, decode_twice=decode_twice)


def _is_content(value: Any) -> bool:
    return isinstance(value, list | tuple) and is_block(_sample(value))


def _content(value: Any, *, decode_twice: bool) -> Trajectory:
    return read_messages([{"role": "assistant", "content": list(value)}], decode_twice=decode_twice)


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _is_calls(value: Any) -> bool:
    if isinstance(value, list | tuple):
        return _is_names(value) or is_call(_sample(value))
    return any(has(value, key) for key in _CALL_LISTS) or _is_one_call(value)


def _is_one_call(value: Any) -> bool:
    named = any(has(value, name) for name in NAMES) and any(has(value, name) for name in ARGS)
    return isinstance(value, Mapping) and (named or isinstance(value.get("function"), Mapping))


def _calls(value: Any, *, decode_twice: bool) -> Trajectory:
    listed = value
    if not isinstance(value, list | tuple):
        listed = next((get(value, key) for key in _CALL_LISTS if has(value, key)), [value])
    if listed is None:
        listed = []
    if not isinstance(listed, list | tuple):
        raise Odd(f"tool_calls is no list but {described(listed)}")
    return read_calls(listed, decode_twice=decode_twice)


def _sample(value: Any) -> Any:
    """The first entry of a list that is no text, by which the list is recognised; or the value itself."""
    if isinstance(value, list | tuple):
        return next((one for one in value if not isinstance(one, str)), None)
    return value


_SOURCES: Final[tuple[tuple[Callable[[Any], bool], _Read], ...]] = (
    (_is_execution, _execution),
    (_is_run, _run),
    (_is_spans, _spans),
    (_is_conversation, _conversation),
    (_is_content, _content),
    (_is_calls, _calls),
)
