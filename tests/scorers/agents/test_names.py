"""When two names mean the same tool."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.scorers.agents.calls import ToolCall
from fieldwise.scorers.agents.names import both_keys, call_keys, name_keys, tool_key

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
    assert (name_keys([left]) == call_keys([ToolCall(right)])[0] != [None]) is same


@given(names)
def test_a_key_is_its_own_key(name: str) -> None:
    assert tool_key(tool_key(name)) == tool_key(name)


SEARCH, OPEN, NAMELESS = ToolCall("search", id="b"), ToolCall("open", id="c"), ToolCall(None, id="d")


@pytest.mark.parametrize(
    ("expected", "calls", "keys", "meant"),
    [
        pytest.param([], [SEARCH, OPEN], ["search", "open"], {}, id="nothing is expected"),
        pytest.param(["b"], [SEARCH], ["b"], {"b": "search"}, id="an id"),
        pytest.param(["b", "c"], [SEARCH, OPEN], ["b", "c"], {"b": "search", "c": "open"}, id="two ids"),
        pytest.param(["x"], [SEARCH], ["search"], {}, id="neither a name nor an id"),
        pytest.param(["search"], [SEARCH], ["search"], {}, id="a name"),
        pytest.param(["search", "b"], [SEARCH], ["search"], {}, id="its tool is named as well"),
        pytest.param(["sea rch", "b"], [ToolCall("sea_rch", id="b")], ["sea_rch"], {}, id="spelt otherwise"),
        pytest.param(
            ["b"], [SEARCH, ToolCall("b", id="e")], ["search", "b"], {}, id="a call is of a tool of that name"
        ),
        pytest.param(["b"], [SEARCH, SEARCH], ["b", "b"], {"b": "search"}, id="two calls with one id"),
        pytest.param(
            ["b"], [ToolCall("z", id="b"), SEARCH], ["b", "b"], {"b": "search"}, id="two tools with one id"
        ),
        pytest.param(["d"], [NAMELESS], ["d"], {}, id="the id of a call without a name"),
        pytest.param(["", "x"], [ToolCall("", id="")], [None], {}, id="no name and no id"),
    ],
)
def test_ids(
    expected: list[str], calls: list[ToolCall], keys: list[str | None], meant: dict[str, str]
) -> None:
    assert call_keys(calls, expected) == (keys, meant)
    assert call_keys(calls[::-1], expected[::-1]) == (keys[::-1], meant)
    assert both_keys([ToolCall(name) for name in expected], calls) == ((name_keys(expected), keys), meant)


def test_an_id_beside_a_name_says_nothing() -> None:
    expected = [ToolCall("open", id="b")]
    assert both_keys(expected, [SEARCH]) == ((["open"], ["search"]), {})


def test_a_call_without_a_name_has_no_key() -> None:
    assert call_keys([ToolCall(None), ToolCall(""), NAMELESS]) == ([None, None, None], {})
