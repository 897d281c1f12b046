"""One message, in whatever form it comes, as a mapping with a role; and what its content holds.

| form | recognised by |
|---|---|
| OpenAI chat, Anthropic, OpenEvals | a mapping with `role` |
| LangChain's messages, SDK objects | attributes `content` and `type` or `role` |
| their dumps | `{"type": "ai", …}`, `{"type": "ai", "data": {…}}`, `{"lc": 1, "id": […], "kwargs": {…}}` |
| pairs, as LangChain takes them | `("user", "text")` |
| an item of OpenAI's Responses | `type`: "message", "function_call", "function_call_output", "reasoning", … |

Content that is a list is a list of blocks: text, calls, results, thoughts, and others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion import to_json
from fieldwise.scorers.agents.reading.forms import (
    CALL_BLOCKS,
    HOSTED,
    ITEM_CALLS,
    ITEM_OUTPUTS,
    MESSAGE_FIELDS,
    ROLES,
    THOUGHTS,
    Odd,
    described,
    get,
    has,
    view,
)
from fieldwise.scorers.agents.reading.loose import as_text
from fieldwise.scorers.agents.reading.outputs import block_text

if TYPE_CHECKING:
    from fieldwise._types import Json

_PAIR: Final = 2
_ITEMS: Final = ITEM_CALLS | ITEM_OUTPUTS | HOSTED | {"message", "reasoning"}
_BLOCKS: Final = (THOUGHTS - _ITEMS) | {"tool_use", "server_tool_use", "mcp_tool_use", "text", "tool_result"}


def is_message(entry: object) -> bool:
    """Whether an entry is a message by its form."""
    if isinstance(entry, tuple | list):
        return _is_pair(entry)
    if isinstance(entry, Mapping) and _class_name(entry) is not None:
        return True
    if isinstance(get(entry, "role"), str):
        return True
    kind = get(entry, "type")
    if isinstance(kind, str) and kind in _ITEMS:
        return True
    if any(has(entry, name) for name in ("content", "data")):
        listed = any(has(entry, name) for name in ("tool_calls", "tool_call_id"))
        return listed or (isinstance(kind, str) and kind in ROLES) or _is_unsigned(entry)
    return isinstance(kind, str) and kind in ROLES and has(entry, "tool_calls")


def _is_unsigned(entry: object) -> bool:
    """Whether an entry is a message that does not say whose: it has content, and nothing else but a name."""
    return isinstance(entry, Mapping) and "content" in entry and entry.keys() <= {"content", "name", "id"}


def is_block(entry: object) -> bool:
    """Whether an entry is a block of a message's content: the list it is in is one message."""
    kind = get(entry, "type")
    return isinstance(kind, str) and kind in _BLOCKS and not has(entry, "role")


def message(entry: Any) -> Mapping[str, Any]:
    """Return the fields of a message in one mapping.

    Raises:
        Odd: for what is no message.
    """
    if isinstance(entry, str):
        return {"role": "user", "content": entry}
    if isinstance(entry, Mapping):
        name = _class_name(entry)
        if name is not None:
            return {"type": name.removesuffix("Chunk").removesuffix("Message").lower(), **entry["kwargs"]}
        data = entry.get("data")
        if isinstance(data, Mapping) and "role" not in entry and "content" not in entry:
            return {**data, "type": entry.get("type")}
        return entry
    if isinstance(entry, tuple | list) and _is_pair(entry):
        return {"role": entry[0], "content": entry[1]}
    fields = view(entry, MESSAGE_FIELDS)
    if "content" in fields or "type" in fields:
        return fields
    raise Odd(f"no message but {described(entry)}")


def role_of(fields: Mapping[str, Any]) -> str:
    """Return the role of a message under the usual name; "" for one that does not say whose it is.

    Raises:
        Odd: for an entry that is no message.
    """
    role = fields.get("role")
    if isinstance(role, str):
        role = str.__str__(role)
        return ROLES.get(role, role)
    kind = fields.get("type")
    if isinstance(kind, str) and kind in ROLES:
        return ROLES[kind]
    if kind == "message" or fields.get("tool_calls") or fields.get("function_call"):
        return "assistant"
    if fields.get("tool_call_id") is not None:
        return "tool"
    if _is_unsigned(fields):
        return ""
    raise Odd(f"no role in {described(fields)}")


@dataclass(slots=True)
class Content:
    """What the content of a message holds.

    `said` is its text, or what is neither text nor call, result or thought as JSON; None for nothing.
    """

    said: Json = None
    blocks: Json = None
    calls: list[dict[str, Any]] = field(default_factory=list)
    results: list[dict[str, Any]] = field(default_factory=list)


def content_of(content: Any) -> Content:
    """Take content apart.

    Raises:
        Unconvertible: for content with no JSON form.
    """
    if content is None or isinstance(content, str):
        return Content(as_text(content) or None)
    found = Content(to_json(content))
    if not isinstance(found.said, list):
        return found
    found.blocks, rest = found.said, []
    for block in found.said:
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(block, dict) and isinstance(kind, str):
            if kind in CALL_BLOCKS:
                found.calls.append(block)
                continue
            if kind.endswith("tool_result"):
                found.results.append(block)
                continue
            if kind in THOUGHTS:
                continue
        rest.append(block)
    texts = [block if isinstance(block, str) else block_text(block) for block in rest]
    found.said = rest if None in texts else "".join(text for text in texts if text) or None
    return found


def _is_pair(entry: tuple[Any, ...] | list[Any]) -> bool:
    return len(entry) == _PAIR and isinstance(entry[0], str) and entry[0] in ROLES


def _class_name(entry: Mapping[str, Any]) -> str | None:
    """Return the class that a dump of LangChain's names; None for what is no dump of a message."""
    where = entry.get("id")
    if not (isinstance(where, list) and where and isinstance(entry.get("kwargs"), Mapping)):
        return None
    name = where[-1]
    return name if isinstance(name, str) and name.endswith(("Message", "MessageChunk")) else None
