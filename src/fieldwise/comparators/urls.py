"""Comparing URLs as RFC 3986 lets them be compared without a request, plus stated switches.

Always the same: the case of scheme and host, a default port, an empty path and `/`, `%7E` and `~`, the
case of `%c3`, dot segments, an international host and its `xn--` form. Everything else counts until a
switch says that it does not.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple
from urllib.parse import SplitResult, quote, unquote, urlsplit

from fieldwise.comparators._options import flags
from fieldwise.comparators._readers import shown, text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable

_MAX_LENGTH: Final = 20_000
_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21}
_ESCAPE: Final = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED: Final = re.compile(r"[A-Za-z0-9._~-]", re.ASCII)
_SAFE: Final = "".join(map(chr, range(0x21, 0x7F)))
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class _Url(NamedTuple):
    """The parts that are compared."""

    scheme: str
    user: str
    host: str
    port: int | None
    path: str
    query: str | tuple[str, ...]
    fragment: str


def url(
    *,
    ignore_scheme: bool = False,
    ignore_www: bool = False,
    ignore_trailing_slash: bool = False,
    ignore_query_order: bool = False,
    ignore_query: bool = False,
    ignore_fragment: bool = False,
) -> Comparator:
    """Accept URLs that name the same resource by RFC 3986 and the switches; score 0 or 1. Symmetric.

    Args:
        ignore_scheme: `http` is `https`, and text without a scheme is read too.
        ignore_www: a `www.` in front of the host does not count.
        ignore_trailing_slash: a `/` at the end of the path does not count.
        ignore_query_order: the order of `a=1&b=2` does not count; repeated names keep theirs.
        ignore_query: the whole query does not count.
        ignore_fragment: what follows `#` does not count.

    Raises:
        ConfigError: for a switch that is no boolean.

    >>> url()("HTTP://Example.com:80/%7Eada", "http://example.com/~ada")
    1.0
    >>> url()("https://example.com/a", "https://example.com/a/")
    0.0
    """
    settings = {
        "ignore_scheme": ignore_scheme, "ignore_www": ignore_www,
        "ignore_trailing_slash": ignore_trailing_slash, "ignore_query_order": ignore_query_order,
        "ignore_query": ignore_query, "ignore_fragment": ignore_fragment,
    }  # fmt: skip
    flags("url", **settings)

    def read(value: Any) -> _Url:
        found = _read(text_of(value, _MAX_LENGTH).strip(), bare=ignore_scheme)
        host = found.host.removeprefix("www.") if ignore_www else found.host
        path = (found.path.rstrip("/") or "/") if ignore_trailing_slash else found.path
        query: str | tuple[str, ...] = "" if ignore_query else found.query
        if isinstance(query, str) and ignore_query_order:
            query = tuple(sorted(query.split("&"), key=lambda part: part.partition("=")[0]))
        return _Url(
            "" if ignore_scheme else found.scheme, found.user, host, found.port, path,
            query, "" if ignore_fragment else found.fragment,
        )  # fmt: skip

    def grade(expected: Any, actual: Any) -> bool:
        return read(expected) == read(actual)

    return Comparator("url", grade, settings)


def _read(text: str, *, bare: bool) -> _Url:
    """Split and normalise; `bare` reads text without a scheme too."""
    try:
        parts = urlsplit(f"//{text}" if bare and not _SCHEME.match(text) and text[:2] != "//" else text)
        if not parts.hostname or not (parts.scheme or bare):
            raise Unreadable(f"{shown(text)} is no URL with a scheme and a host")
        return _normal(parts)
    except ValueError as error:
        raise Unreadable(f"{shown(text)} is no URL: {error}") from None


def _normal(parts: SplitResult) -> _Url:
    scheme = parts.scheme.lower()
    host = (parts.hostname or "").rstrip(".")
    if not host.isascii():
        host = host.encode("idna").decode("ascii")
    defaults = (_PORTS.get(scheme), None) if scheme else (80, 443, None)
    port = None if parts.port in defaults else parts.port
    path = _without_dots(_escaped(parts.path)) or "/"
    user = parts.netloc.rpartition("@")[0]
    return _Url(scheme, user, host.lower(), port, path, _escaped(parts.query), _escaped(parts.fragment))


def _escaped(text: str) -> str:
    """One spelling for every character: unreserved ones plain, escapes in capitals, the rest escaped."""
    return quote(_ESCAPE.sub(_plainer, text), safe=_SAFE)


def _plainer(found: re.Match[str]) -> str:
    character = unquote(found[0])
    return character if _UNRESERVED.fullmatch(character) else found[0].upper()


def _without_dots(path: str) -> str:
    """Resolve `.` and `..` as RFC 3986, 5.2.4 does."""
    if "." not in path:
        return path
    kept: list[str] = []
    parts = path.split("/")
    for part in parts:
        if part == "..":
            if len(kept) > 1:
                kept.pop()
        elif part != ".":
            kept.append(part)
    if parts[-1] in {".", ".."}:
        kept.append("")
    return "/".join(kept)
