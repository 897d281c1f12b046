"""URLs: what RFC 3986 calls equivalent, and one switch for everything else."""

from __future__ import annotations

from typing import Any, Final

import pytest

from fieldwise.comparators import url
from tests.comparators.grades import grade

NO_URL: Final = "is no URL with a scheme and a host"
A: Final = "https://example.com/a"
CASES: Final[list[tuple[dict[str, Any], Any, Any, float | str]]] = [
    ({}, "http://example.com/~ada", "HTTP://Example.com:80/%7Eada", 1.0),
    ({}, "https://example.com", "https://example.com:443/", 1.0),
    ({}, "https://example.com:8443", "https://example.com", 0.0),
    ({}, "http://a.b/x/../y/./z", "http://a.b/y/z", 1.0),
    ({}, "http://a.b/x/..", "http://a.b/", 1.0),
    ({}, "http://a.b/../../y", "http://a.b/y", 1.0),
    ({}, "http://a.b/%c3%a9", "http://a.b/é", 1.0),
    ({}, "http://a.b/a%2Fb", "http://a.b/a/b", 0.0),
    ({}, "http://a.b/A", "http://a.b/a", 0.0),
    ({}, "http://münchen.de", "http://xn--mnchen-3ya.de/", 1.0),
    ({}, "http://a.b./", "http://a.b/", 1.0),
    ({}, "http://ada@a.b/", "http://a.b/", 0.0),
    ({}, A, "http://example.com/a", 0.0),
    ({"ignore_scheme": True}, A, "http://example.com/a", 1.0),
    ({"ignore_scheme": True}, A, "example.com/a", 1.0),
    ({"ignore_scheme": True}, "example.com:443", "https://example.com", 1.0),
    ({}, A, "example.com/a", f'"example.com/a" {NO_URL}'),
    ({}, A, "mailto:ada@example.com", f'"mailto:ada@example.com" {NO_URL}'),
    ({}, A, "https://www.example.com/a", 0.0),
    ({"ignore_www": True}, A, "https://www.example.com/a", 1.0),
    ({}, A, f"{A}/", 0.0),
    ({"ignore_trailing_slash": True}, A, f"{A}/", 1.0),
    ({}, f"{A}?x=1&y=2", f"{A}?y=2&x=1", 0.0),
    ({"ignore_query_order": True}, f"{A}?x=1&y=2", f"{A}?y=2&x=1", 1.0),
    ({"ignore_query_order": True}, f"{A}?x=1&x=2", f"{A}?x=2&x=1", 0.0),
    ({}, A, f"{A}?x=1", 0.0),
    ({"ignore_query": True}, A, f"{A}?x=1", 1.0),
    ({}, A, f"{A}#top", 0.0),
    ({"ignore_fragment": True}, A, f"{A}#top", 1.0),
    ({}, A, "http://[::1", '"http://[::1" is no URL: Invalid IPv6 URL'),
    ({}, A, "http://a:99999/", '"http://a:99999/" is no URL: Port out of range 0-65535'),
    ({}, A, "", f'"" {NO_URL}'),
    ({}, A, 7, "7 is not text"),
]


@pytest.mark.parametrize(("options", "expected", "actual", "wanted"), CASES)
def test_url(options: dict[str, Any], expected: Any, actual: Any, wanted: float | str) -> None:
    assert grade(url(**options), expected, actual) == wanted
