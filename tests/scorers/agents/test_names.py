"""When two names mean the same tool."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.scorers.agents.calls import ToolCall
from fieldwise.scorers.agents.names import call_key, same_tool, tool_key

names = st.one_of(st.text(), st.text(alphabet="aZ9_- \t日é!.", max_size=6))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ("search", "search", True),
        ("search", "Search", False),
        ("Get Weather", "Get_Weather", True),
        ("get \t weather", "get_weather", True),
        ("get weather!", "get_weather", True),
        ("get.weather", "getweather", True),
        ("x" * 70, "x" * 64, True),
        ("x" * 63, "x" * 64, False),
        ("日本", "日本", True),
        ("日本", "本日", False),
        ("日 本", "本 日", False),
        ("日本", "", False),
        ("!", "?", False),
        ("_", "日 本", False),
        ("café", "caf", True),
    ],
)
def test_names(left: str, right: str, same: bool) -> None:
    assert (tool_key(left) == tool_key(right)) is same
    assert same_tool(left, ToolCall(right)) is same


@given(names)
def test_a_key_is_its_own_key(name: str) -> None:
    assert tool_key(tool_key(name)) == tool_key(name)


@pytest.mark.parametrize(
    ("expected", "beside", "call", "same"),
    [
        ("search", None, ToolCall("search", id="c1"), True),
        ("c1", None, ToolCall("search", id="c1"), True),
        ("c2", None, ToolCall("search", id="c1"), False),
        ("search", "c1", ToolCall("search", id="c1"), True),
        ("search", "c2", ToolCall("search", id="c1"), False),
        ("search", "c2", ToolCall("search"), True),
        ("find", "c1", ToolCall("search", id="c1"), True),
        ("", None, ToolCall(""), False),
        ("search", None, ToolCall(None), False),
    ],
)
def test_ids(expected: str, beside: str | None, call: ToolCall, same: bool) -> None:
    assert same_tool(expected, call, id=beside) is same


def test_a_call_without_a_name_has_no_key() -> None:
    assert call_key(ToolCall(None)) is None
    assert call_key(ToolCall("")) is None
    assert call_key(ToolCall(None, id="c1"), {"c1"}) == "c1"
