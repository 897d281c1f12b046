"""The words in which providers and frameworks write one and the same thing, and how a field is read.

Nothing here knows a framework: an entry is a mapping, or an object whose attributes have these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from fieldwise.core.display import said, shown
from fieldwise.core.values import Unconvertible
from fieldwise.scorers.agents.reading.loose import text

ROLES: Final = {
    "user": "user",
    "human": "user",
    "HumanMessageChunk": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
    "AIMessageChunk": "assistant",
    "tool": "tool",
    "function": "tool",
    "ToolMessageChunk": "tool",
    "FunctionMessageChunk": "tool",
    "system": "system",
    "developer": "system",
    "SystemMessageChunk": "system",
    "chat": "chat",
    "remove": "remove",
}
"""Roles and LangChain's types, and the role each stands for."""

CALL_BLOCKS: Final = frozenset({
    "tool_use", "server_tool_use", "mcp_tool_use",
    "tool_call", "tool_call_chunk", "invalid_tool_call", "server_tool_call",
    "function_call", "custom_tool_call",
})  # fmt: skip
THOUGHTS: Final = frozenset({"thinking", "redacted_thinking", "reasoning", "reasoning_content"})
ITEM_CALLS: Final = frozenset({"function_call", "custom_tool_call", "mcp_call"})
ITEM_OUTPUTS: Final = frozenset({"function_call_output", "custom_tool_call_output"})
_HOSTED_CALLS: Final = (
    "web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call", "computer_call",
    "local_shell_call", "shell_call", "apply_patch_call",
)  # fmt: skip
HOSTED: Final = frozenset({
    *_HOSTED_CALLS, *(f"{kind}_output" for kind in _HOSTED_CALLS),
    "mcp_list_tools", "mcp_approval_request", "mcp_approval_response", "item_reference", "compaction",
})  # fmt: skip
"""Items of OpenAI's Responses of tools that run at the provider, or about them."""

FREE_TEXT: Final = ("custom", "custom_tool_call")
"""Calls whose input may be text that is no JSON."""

NAMES: Final = ("name", "tool_name", "tool")
ARGS: Final = ("args", "arguments", "input", "input_parameters", "parameters", "tool_input")
OUTPUTS: Final = ("output", "result")
IDS: Final = ("call_id", "id", "tool_call_id", "tool_use_id")
ANSWERED: Final = ("tool_call_id", "call_id", "tool_use_id")
CALL_FIELDS: Final = (
    *NAMES, *ARGS, *OUTPUTS, *IDS, "function", "custom", "type", "group", "status", "is_error", "error",
)  # fmt: skip
MESSAGE_FIELDS: Final = (
    "role", "type", "content", "tool_calls", "invalid_tool_calls", "function_call", "additional_kwargs",
    "name", "id", "status", "is_error", *ANSWERED, "arguments", "input", "output", "error", "summary",
)  # fmt: skip


class Odd(ValueError):
    """What is wrong with an entry, and where; it becomes a `Problem`."""


def has(entry: object, name: str) -> bool:
    """Whether an entry has a field, as a member or as an attribute."""
    return name in entry if type(entry) is dict or isinstance(entry, Mapping) else hasattr(entry, name)


def get(entry: object, name: str) -> Any:
    """Return a field of an entry; None for one that it has not."""
    return entry.get(name) if isinstance(entry, Mapping) else getattr(entry, name, None)


def view(entry: object, names: Iterable[str]) -> Mapping[str, Any]:
    """Return an entry as a mapping: itself, or those of its attributes that there are and are not None."""
    if type(entry) is dict or isinstance(entry, Mapping):
        return entry
    if hasattr(type(entry), "__pydantic_fields__"):  # all it says is a field: no need to ask for each
        return {name: value for name, value in vars(entry).items() if value is not None}
    found = ((name, getattr(entry, name, None)) for name in names)
    return {name: value for name, value in found if value is not None}


def first(fields: Mapping[str, Any], names: Iterable[str], absent: Any = None) -> Any:
    """Return the first of several fields that is there and not null; null where all that are there are."""
    for name in names:
        if name in fields:
            value = fields[name]
            if value is not None:
                return value
            absent = None
    return absent


def identity(fields: Mapping[str, Any], names: Iterable[str]) -> str | None:
    """Return what links a call and its output: a text or a whole number as text; None for anything else."""
    return text(first(fields, names))


def odd(error: Exception, where: str) -> Odd:
    """Say where an entry stands that cannot be read, and why: whatever its reading raised."""
    if not isinstance(error, Odd | Unconvertible):
        return Odd(f"{where}: cannot be read: {said(error)}")
    text = str(error)
    return Odd(text if text.startswith(where) else f"{where}: {text}")


def described(entry: object) -> str:
    """Say what an entry that nothing recognises is, for people: its keys, or the value itself.

    >>> described({"foo": 1}), described(None)
    ('an object with the keys foo', 'None')
    """
    if not isinstance(entry, Mapping):
        return shown(entry)
    keys = [shown(key).strip("'") for key in list(entry)[:20]]
    return f"an object with the keys {', '.join(keys)}" if keys else "an empty object"
