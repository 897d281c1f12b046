"""What the messages somewhere inside a value ask of tools, and what tools answer in them.

A trace holds messages in many places: a model's reply, its history, the state of a graph, a command that
updates one. The walk finds them wherever they stand, by what each of them has:

| found | by |
|---|---|
| requests | `tool_calls` and `invalid_tool_calls` of a message; a part of type `tool_use`, `function_call`, `tool_call` |
| answers | `tool_call_id`, in every dump of a tool's message; `tool_result`, `function_call_output`, `tool_call_response` |

A message that has requests is not searched further: its parts repeat them. Of several answers with one
id, the last one counts. The walk is iterative, in the order of the document, and bounded.
"""  # noqa: E501 - a table

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.conversion.shapes import Kind, shape
from fieldwise.scorers.agents.reading.forms import FREE_TEXT
from fieldwise.scorers.agents.reading.loose import as_text

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_NODES: Final = 500_000
_ATOMS: Final = frozenset({str, int, float, bool, type(None)})
_ASKING: Final = frozenset({"tool_use", "function_call", "custom_tool_call", "tool_call"})
_ARGUMENTS: Final = ("arguments", "args", "input")


@dataclass(frozen=True, slots=True)
class Request:
    """A call that a model asked for.

    Attributes:
        given: the arguments, as they were written.
        refused: whether a framework has set it aside because it could not read them.
    """

    name: str | None
    given: object = None
    id: str | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """What was found: requests in order, and tools' messages by the id of the call that they answer."""

    requests: tuple[Request, ...] = ()
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def talk(payload: object) -> Talk:
    """Find the requests and answers in a value.

    >>> talk({"messages": [{"role": "tool", "tool_call_id": "c1", "content": "8"}]}).answers["c1"]["content"]
    '8'
    """
    requests: list[Request] = []
    answers: dict[str, Mapping[str, Any]] = {}
    stack: list[Any] = [payload]
    for _ in range(MOST_NODES):
        if not stack:
            break
        kind, plain = opened(stack.pop())
        if kind is Kind.ARRAY:
            stack += reversed(plain)
        if kind is not Kind.OBJECT:
            continue
        asked = _requests(plain)
        call, message = _answer(plain)
        requests += asked
        if call is not None:
            answers[call] = message
        if not asked and call is None:
            stack += reversed(list(plain.values()))
    return Talk(tuple(requests), answers)


def opened(node: Any) -> tuple[Kind | None, Any]:
    """Return whether a node is an array or an object, and its plain form; (None, None) for the rest."""
    if type(node) in _ATOMS:
        return None, None
    try:
        kind, plain = shape(node)
        if kind is Kind.OBJECT:
            return kind, dict(plain)
        return (kind, list(plain)) if kind is Kind.ARRAY else (None, None)
    except Exception:  # noqa: BLE001 - an object that refuses to be read holds no messages
        return None, None


def request(item: Any, *, refused: bool = False) -> Request | None:
    """Read one element of a message's `tool_calls`, in LangChain's form or OpenAI's; None for no object."""
    _, call = opened(item)
    if not isinstance(call, dict):
        return None
    _, inner = opened(call.get("function") or call.get("custom"))
    said = inner if isinstance(inner, dict) else call
    given = next((said[name] for name in _ARGUMENTS if said.get(name) is not None), None)
    if isinstance(given, str) and call.get("type") in FREE_TEXT:
        given = {"input": given}
    name, identity = _text(said.get("name")), _text(call.get("call_id")) or _text(call.get("id"))
    return Request(name, given, identity, refused)


def _requests(node: Mapping[str, Any]) -> list[Request]:
    kind = node.get("type")
    if isinstance(kind, str) and kind in _ASKING and isinstance(node.get("name"), str):
        found = [request(node)]
    else:
        found = [
            request(item, refused=refused)
            for name, refused in (("tool_calls", False), ("invalid_tool_calls", True))
            if isinstance(listed := node.get(name), list | tuple)
            for item in listed
        ]
    return [one for one in found if one is not None]


def _answer(node: Mapping[str, Any]) -> tuple[str | None, Mapping[str, Any]]:
    """Return the id of the call that a node answers, and the node as a tool's message."""
    kind = node.get("type")
    if kind == "tool_call_response":
        content = node.get("response", node.get("result"))
        return _text(node.get("id")), {"type": "tool", "content": content}
    if kind in ("function_call_output", "custom_tool_call_output"):
        return _text(node.get("call_id")), node
    if kind == "tool_result":
        return _text(node.get("tool_use_id")), node
    if "content" in node:
        return _text(node.get("tool_call_id")), {**node, "type": "tool"}
    return None, node


def _text(value: Any) -> str | None:
    return as_text(value) or None
