"""Arguments and outputs of a tool in the wrappers that traces put around them.

| | written | read |
|---|---|---|
| arguments | `{"input": {…}}`, `{"input": "{…}"}`, as LangChain's older tracers have them | the object |
| output | `{"output": …}`, a run's outputs | what is in it |
| output | an object with `content` and nothing but what a tool's message has | that message |
| output | a command that updates a state | the message in it that answers the call |
| output | JSON text of a text | the text |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.parse import Parsed
from fieldwise.scorers.agents.reading.loose import as_text
from fieldwise.scorers.agents.reading.outputs import tool_message
from fieldwise.scorers.agents.reading.talk import opened, talk
from fieldwise.scorers.agents.reading.texts import whole_json

if TYPE_CHECKING:
    from collections.abc import Mapping

_MESSAGE: Final = frozenset(
    {"content", "type", "role", "name", "id", "tool_call_id", "status", "artifact"}
    | {"additional_kwargs", "response_metadata"}
)
_NESTED: Final = ("function", "parameters", "input_schema", "inputSchema", "schema")


def arguments(value: Any) -> Any:
    """Take a run's inputs out of the sole key `input`, where an object is in it.

    >>> arguments({"input": {"q": "x"}}), arguments({"input": "x"})
    ({'q': 'x'}, {'input': 'x'})
    """
    _, plain = opened(value)
    if not isinstance(plain, dict) or plain.keys() != {"input"}:
        return value
    inner = plain["input"]
    text = as_text(inner)
    found = opened(inner)[1] if text is None else _parsed(text)
    return found if isinstance(found, dict) else value


def outputs(value: Any, *, failed: bool = False) -> Any:
    """Take a run's outputs out of the sole key `output`; none at all, or none of a failed run, are MISSING.

    >>> outputs({"output": 3}), outputs({}), outputs({}, failed=True)
    (3, {}, MISSING)
    """
    _, plain = opened(value)
    if failed and plain == {}:
        return MISSING
    if isinstance(plain, dict) and plain.keys() == {"output"}:
        return plain["output"]
    return MISSING if value is None else value


def returned(value: Any, call: str | None) -> tuple[Any, str | None]:
    """Return what a tool gave back, out of what a trace wraps it in, and the id of the call it answers.

    Args:
        value: as written: text or an object.
        call: the id of the call, where it is known.

    >>> returned('{"content": "8"}', None), returned('"abc"', None), returned("8", None)
    (({'content': '8', 'type': 'tool'}, None), ('abc', None), ('8', None))
    """
    written = as_text(value)
    read = value if written is None else _parsed(written)
    if written is not None and isinstance(read, str):
        return read, call
    _, plain = opened(read)
    if not isinstance(plain, dict):
        return value, call
    message = _message(plain)
    if message is not None:
        return message, _id(tool_message(message)) if call is None else call
    if "update" in plain:
        answers = talk(plain["update"]).answers
        for wanted in (call,) if call is not None else tuple(answers) if len(answers) == 1 else ():
            if wanted in answers:
                return answers[wanted], wanted
    return plain, call


def sole_argument(schema: Any) -> str | None:
    """Return the only argument that a tool's schema names, in the forms of its providers; else None.

    >>> sole_argument({"type": "function", "function": {"parameters": {"properties": {"city": {}}}}})
    'city'
    """
    text = as_text(schema)
    found = schema if text is None else _parsed(text)
    for name in _NESTED:
        if isinstance(found, dict) and isinstance(found.get(name), dict):
            found = found[name]
    if not isinstance(found, dict):
        return None
    properties = found.get("properties", {})
    return next(iter(properties)) if isinstance(properties, dict) and len(properties) == 1 else None


def bare(value: Any) -> str | None:
    """Return the text that an only argument was written as, without its name; None for no text.

    >>> bare("Paris"), bare('"Paris"'), bare({"city": "Paris"})
    ('Paris', 'Paris', None)
    """
    text = as_text(value)
    found = None if text is None else _parsed(text)
    return found if isinstance(found, str) else text


def _message(plain: dict[str, Any]) -> dict[str, Any] | None:
    if tool_message(plain) is not None:
        return plain
    return {**plain, "type": "tool"} if "content" in plain and plain.keys() <= _MESSAGE else None


def _id(message: Mapping[str, Any] | None) -> str | None:
    return None if message is None else as_text(message.get("tool_call_id")) or None


def _parsed(text: str) -> Any:
    """The object, array or text that a text is as JSON, or as a Python literal; else None."""
    if text.lstrip()[:1] not in {"{", "[", '"'}:
        return None
    found = whole_json(text)
    return found.value if isinstance(found, Parsed) else None
