"""When two names mean the same tool.

Rules of this module:
1. Names are the same when they are equal, or equal once written as model APIs take them: white space is
   `_`, only ASCII letters, digits, `_` and `-` stay, 64 characters at most (UiPath's rule). An agent
   framework that sends "Get Weather" to a model records "Get_Weather".
2. A name of which that leaves no letter and no digit, 日本 for one, stays as it is: it is like itself only.
3. So sameness is equality of `tool_key`, whatever the side, and can be hashed.
4. What is expected may name a call by its id, `call_keys`. A name is the name of a tool first: it is an id
   only where no call is of a tool of that name, and then of those calls with that id of whose tool no name
   is expected. An id beside a name says nothing: every provider gives its calls ids, and no two runs the
   same.
5. A call that names no tool is like none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

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


def call_keys(
    calls: Sequence[ToolCall], expected: Collection[str] = ()
) -> tuple[list[str | None], dict[str, str]]:
    """Return the key of each call among the names that are expected, and the tools that ids stand for.

    The key of a call that names no tool is None; the tools are by the key of the id, each by its own key.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> calls = [ToolCall("search", id="c1"), ToolCall("open", id="c2"), ToolCall("c3", id="search")]
    >>> call_keys(calls)
    (['search', 'open', 'c3'], {})
    >>> call_keys(calls, {"c1", "open", "c2", "search"})
    (['search', 'open', 'c3'], {})
    >>> call_keys(calls, {"c1", "open"})
    (['c1', 'open', 'c3'], {'c1': 'search'})
    """
    keys = name_keys([call.name for call in calls])
    known = set(keys)
    wanted = dict(zip(expected, name_keys(expected), strict=True))
    ids = {name: key for name, key in wanted.items() if key is not None and key not in known}
    meant: dict[str, str] = {}
    if not ids:
        return keys, meant
    named = {*wanted.values()}
    for at, call in enumerate(calls):
        own, key = keys[at], ids.get(call.id) if call.id is not None else None
        if key is not None and own not in named:
            keys[at] = key
            if own is not None:
                meant[key] = min(own, meant.get(key, own))
    return keys, meant


def both_keys(
    expected: Sequence[ToolCall], actual: Sequence[ToolCall]
) -> tuple[tuple[list[str | None], list[str | None]], dict[str, str]]:
    """Return the keys of expected calls and of those that were made, and the tools that ids stand for.

    >>> from fieldwise.scorers.agents.calls import ToolCall
    >>> both_keys([ToolCall("an id"), ToolCall("c1")], [ToolCall("an_id"), ToolCall("open", id="c1")])
    ((['an_id', 'c1'], ['an_id', 'c1']), {'c1': 'open'})
    """
    names = [call.name or "" for call in expected]
    made, meant = call_keys(actual, names)
    return (name_keys(names), made), meant


def name_keys(names: Iterable[str | None]) -> list[str | None]:
    """Return the key of each name, None for no name or an empty one; each is looked at once.

    >>> name_keys(["get weather", None, "", "get weather"])
    ['get_weather', None, None, 'get_weather']
    """
    names = [*names]
    keys = {name: tool_key(name) if name else None for name in set(names)}
    return [keys[name] for name in names]
