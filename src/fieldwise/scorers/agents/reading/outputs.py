"""What a tool gave back, whatever it is wrapped in, and whether the tool reported an error.

| form | output |
|---|---|
| text that is a JSON object or array, or a Python one | that value |
| other text, a number alone included | the text |
| a tool's message: an object, a mapping, a dump of LangChain's, an Anthropic `tool_result` | its content |
| a list of blocks that are all text | their text, joined, read as above |
| anything else | its JSON value |

A message within a message's text is not looked for: a tool may well return one. `status` "error" and
`is_error` say that the tool failed; nothing is concluded from what a text says.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.parse import Parsed
from fieldwise.scorers.agents.reading.texts import whole_json

if TYPE_CHECKING:
    from fieldwise._types import Json, Missing

TEXT_BLOCKS: Final = ("text", "input_text", "output_text")
_TOOL_ROLES: Final = ("tool", "function", "tool_result", "function_call_output")
_CONTENT: Final = ("content", "output")


def read_output(raw: object) -> tuple[Json | Missing, bool]:
    """Return what a tool gave back, and whether it reported an error.

    Args:
        raw: text, blocks, a tool's message in any form, any value; MISSING: nothing came back.

    Raises:
        Unconvertible: for what has no JSON form, naming its type and place.

    >>> read_output('{"n": 1}'), read_output("8")
    (({'n': 1}, False), ('8', False))
    >>> read_output({"type": "tool", "data": {"content": "no such city", "status": "error"}})
    ('no such city', True)
    """
    if raw is MISSING:
        return MISSING, False
    if isinstance(raw, str):
        return _text(str.__str__(raw)), False
    message = tool_message(raw)
    if message is not None:
        content = next((message[key] for key in _CONTENT if key in message), None)
        return content_value(content), failed(message)
    return content_value(raw), False


def tool_message(raw: object) -> Mapping[str, Any] | None:
    """Return the fields of a tool's message in any form: an object, a mapping or a dump; None for others."""
    if isinstance(raw, Mapping):
        return _from_mapping(raw)
    if getattr(raw, "type", None) in _TOOL_ROLES and hasattr(raw, "content"):
        fields = ("content", "status", "tool_call_id", "name", "id")
        return {key: getattr(raw, key, None) for key in fields}
    return None


def _from_mapping(raw: Mapping[str, Any]) -> Mapping[str, Any] | None:
    kind = raw.get("type")
    if kind == "constructor":
        name = raw.get("id")
        built = isinstance(name, list) and name and name[-1] in ("ToolMessage", "FunctionMessage")
        inner = raw.get("kwargs")
        return inner if built and isinstance(inner, Mapping) else None
    if kind not in _TOOL_ROLES and raw.get("role") not in _TOOL_ROLES:
        return None
    inner = raw.get("data")
    if isinstance(inner, Mapping) and "content" in inner:
        return inner
    return raw if any(key in raw for key in _CONTENT) or "tool_use_id" in raw else None


def failed(message: Mapping[str, Any]) -> bool:
    """Whether the fields of a tool's message say that the tool failed."""
    return message.get("status") == "error" or message.get("is_error") is True


def joined_text(value: object) -> str | None:
    """Return the text of blocks that are all text, joined; None where there is another, or no block.

    >>> joined_text([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])
    'ab'
    """
    if not isinstance(value, list) or not any(isinstance(block, Mapping) for block in value):
        return None
    texts = [block if isinstance(block, str) else block_text(block) for block in value]
    return None if None in texts else "".join(text for text in texts if text)


def block_text(block: object) -> str | None:
    """Return the text of a text block; None for any other."""
    if not isinstance(block, Mapping) or block.get("type") not in TEXT_BLOCKS:
        return None
    text = block.get("text")
    return text if isinstance(text, str) else None


def content_value(content: object) -> Json:
    """Return the value of a tool message's content: of text and of text blocks what they hold.

    Raises:
        Unconvertible: as `read_output`.
    """
    if isinstance(content, str):
        return _text(str.__str__(content))
    text = joined_text(content)
    return to_json(content) if text is None else _text(text)


def _text(text: str) -> Json:
    """Return the object or array that a text is, else the text."""
    if text.lstrip()[:1] not in {"{", "["}:
        return text
    found = whole_json(text)
    return found.value if isinstance(found, Parsed) and isinstance(found.value, dict | list) else text
