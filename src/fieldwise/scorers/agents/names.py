"""When two names mean the same tool.

Rules of this module:
1. Names are the same when they are equal, or equal once written as model APIs take them: white space is
   `_`, only ASCII letters, digits, `_` and `-` stay, 64 characters at most (UiPath's rule). An agent
   framework that sends "Get Weather" to a model records "Get_Weather".
2. A name of which that leaves no letter and no digit, 日本 for one, stays as it is: it is like itself only.
3. So sameness is equality of `tool_key`, whatever the side, and can be hashed.
4. What is expected may name a call by its id. An id that is expected beside a name has to be the call's,
   where the call has one; a call without an id is known by its name. Ids never get in the way of a name:
   every provider gives its calls ids, and no two runs the same.
5. A call that names no tool is like none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection

    from fieldwise.scorers.agents.calls import ToolCall

_DROPPED: Final = re.compile(r"[^a-zA-Z0-9_-]+")
_LONGEST: Final = 64


def tool_key(name: str) -> str:
    """Return what every spelling of a tool's name has in common.

    >>> tool_key("Get  Weather!"), tool_key("get_weather"), tool_key("日本")
    ('Get_Weather', 'get_weather', '日本')
    """
    written = _DROPPED.sub("", "_".join(name.split()))[:_LONGEST]
    return written if written.strip("_-") else name


def same_tool(expected: str, actual: ToolCall, *, id: str | None = None) -> bool:  # noqa: A002 - as in a call
    """Whether a call is of the tool that is expected.

    Args:
        expected: the name of a tool, or the id of a call.
        actual: the call.
        id: the id that is expected beside the name; None: any.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> call = ToolCall("get_weather", id="c1")
    >>> same_tool("get weather", call), same_tool("c1", call), same_tool("get_weather", call, id="c2")
    (True, True, False)
    """
    if id is not None and actual.id is not None:
        return actual.id == id
    return call_key(actual, (expected,)) == tool_key(expected)


def call_key(call: ToolCall, expected: Collection[str] = ()) -> str | None:
    """Return the key of a call among the names that are expected: of its id where that is one of them.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> call_key(ToolCall("search", id="c1")), call_key(ToolCall("search", id="c1"), {"c1"})
    ('search', 'c1')
    >>> call_key(ToolCall(None)) is None
    True
    """
    if call.id is not None and call.id in expected:
        return tool_key(call.id)
    return tool_key(call.name) if call.name else None
