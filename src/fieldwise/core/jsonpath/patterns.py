r"""I-Regexp (RFC 9485), the patterns of match() and search(), on the regex module.

A pattern is read by the grammar of the RFC and rewritten for the regex module: `.` is any character but a
line's end, `$` the very end (`^` and `$` are anchors, as in the compliance suite); all else is the
same there. What the grammar refuses matches nothing. Large patterns are not run, and none runs for more
than `MAX_SECONDS`, nor all of a query for more than those of `limits`: each is `Unrunnable`,
never a guess.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any, Final

import regex

from fieldwise.core.display import shown
from fieldwise.core.jsonpath import limits as work

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_SECONDS: Final = 1.0
MAX_PATTERN: Final = 1_000
MAX_GROUPS: Final = 50
MAX_REPEATS: Final = 10_000

_REPEATED: Final = re.compile(r"\{([0-9]+)(?:,([0-9]*))?\}", re.ASCII)
_ESCAPE: Final = r"\\[()*+\-.?\[\\\]^nrt{|}]"
_CATEGORY: Final = r"\\[pP]\{(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|Z[lps]?|S[ckmo]?|C[cfno]?)\}"
_MEMBER: Final = rf"(?:[^\-\[\\\]\ud800-\udfff]|{_ESCAPE})"
_INSIDE: Final = rf"(?:{_MEMBER}(?:-{_MEMBER})?|{_CATEGORY})"
_CLASS: Final = rf"\[\^?(?:-|{_INSIDE}){_INSIDE}*-?\]"
_NORMAL: Final = r"[^()*+.?\[\\\]{|}\ud800-\udfff]"
_PART: Final = re.compile(
    rf"(?P<bar>\|)|(?P<open>\()|(?:(?P<close>\))|(?P<atom>\.|{_NORMAL}|{_ESCAPE}|{_CATEGORY}|{_CLASS}))"
    r"(?P<many>[*+?]|\{[0-9]+(?:,[0-9]*)?\})?",
    re.ASCII,
)
_REWRITTEN: Final = {".": r"[^\n\r]", "$": r"\Z", "[^]": r"\^"}


class Unrunnable(Exception):
    """A pattern that is not run to its end; the text says which and why."""


def finder(method: Callable[..., object]) -> Callable[[object, object], bool]:
    r"""Return the test whether a pattern is found, by `regex.fullmatch` or `regex.search`.

    >>> finder(regex.fullmatch)("B2", r"\p{Lu}[0-9]"), finder(regex.search)("B2", r"\d")
    (True, False)
    """

    def found(text: object, pattern: object) -> bool:
        if not (isinstance(text, str) and isinstance(pattern, str)):
            return False
        check_size(pattern)
        rewritten = _rewrite(pattern)
        if work.seconds_left() <= 0:
            raise Unrunnable(f"all patterns together run for more than {work.MAX_SECONDS:g} s")
        try:
            return rewritten is not None and _run(method, rewritten, text)
        except TimeoutError:
            raise Unrunnable(f"the pattern {shown(pattern)} runs for more than {MAX_SECONDS:g} s") from None

    return found


def _run(method: Callable[..., Any], pattern: str, text: str) -> bool:
    began = time.perf_counter()
    try:
        return bool(method(pattern, text, regex.VERSION0, timeout=MAX_SECONDS))
    except regex.error:  # a range from high to low, which holds nothing
        return False
    finally:
        work.spend(time.perf_counter() - began)


def check_size(pattern: str) -> None:
    """Refuse what would fill the memory or the stack before it runs.

    Raises:
        Unrunnable: naming the limit.
    """
    if len(pattern) > MAX_PATTERN:
        raise Unrunnable(f"the pattern {shown(pattern)} is longer than {MAX_PATTERN:,} characters")
    if pattern.count("(") > MAX_GROUPS:
        raise Unrunnable(f"the pattern {shown(pattern)} has more than {MAX_GROUPS} groups")
    repeats = 1
    for low, high in _REPEATED.findall(pattern):
        repeats *= max(int(low), int(high or 0), 1)
        if repeats > MAX_REPEATS:
            raise Unrunnable(f"the pattern {shown(pattern)} repeats more than {MAX_REPEATS:,} times")


def _rewrite(pattern: str) -> str | None:
    """The pattern as the regex module writes it; None if it is no I-Regexp."""
    at, depth, parts = 0, 0, []
    while at < len(pattern):
        part = _PART.match(pattern, at)
        if not part:
            return None
        depth += (part["open"] is not None) - (part["close"] is not None)
        if depth < 0:
            return None
        atom = part["atom"]
        parts.append(_REWRITTEN[atom] + (part["many"] or "") if atom in _REWRITTEN else part[0])
        at = part.end()
    return None if depth else "".join(parts)
