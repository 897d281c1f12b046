"""Comparing text with a pattern: the expected value is the pattern, or one is stated for all records.

Patterns run within a time limit; one that runs over it raises, so the field is not evaluated, with a
reason that names the pattern. Slowness is no wrong answer.
"""

from __future__ import annotations

from typing import Any, Literal

from fieldwise.comparators._options import amount, flags, one_of, refuse, settings
from fieldwise.comparators._patterns import MAX_SECONDS, compiled, matches
from fieldwise.comparators._readers import text_of
from fieldwise.core.compare import Comparator
from fieldwise.errors import Unreadable


def regex(
    *,
    pattern: str | None = None,
    match: Literal["full", "search"] = "full",
    ignore_case: bool = False,
    timeout: float = 1.0,
) -> Comparator:
    r"""Accept actual text that matches a pattern; score 0 or 1. Not symmetric.

    Args:
        pattern: the pattern, whatever is expected; None: the expected value is the pattern.
        match: the whole text must match ("full"), or any part of it ("search").
        ignore_case: match in upper and lower case alike.
        timeout: seconds a match may take, above 0, a day at most.

    Raises:
        ConfigError: for a pattern that does not parse, or another bad option.

    The comparator itself raises TimeoutError, naming the pattern, when a match runs over its time.

    >>> regex()(r"INV-\d{4}", "INV-2041")
    1.0
    """
    one_of("regex", "match", match, ("full", "search"))
    flags("regex", ignore_case=ignore_case)
    if not 0 < amount("regex", "timeout", timeout) <= MAX_SECONDS:
        fix = f"give the seconds a match may take, above 0, at most {MAX_SECONDS:,}"
        raise refuse("regex", "timeout", timeout, fix)
    if pattern is not None:
        _check(pattern, ignore_case=ignore_case)

    def grade(expected: Any, actual: Any) -> bool:
        wanted = text_of(expected) if pattern is None else pattern
        came = text_of(actual)
        return matches(wanted, came, full=match == "full", ignore_case=ignore_case, timeout=timeout)

    made = settings(
        pattern=pattern,
        match=match,
        ignore_case=ignore_case,
        timeout=timeout,
    )
    return Comparator("regex", grade, made, symmetric=False)


def _check(pattern: object, *, ignore_case: bool) -> None:
    if not isinstance(pattern, str):
        raise refuse("regex", "pattern", pattern, "give the pattern as text")
    try:
        compiled(pattern, ignore_case=ignore_case)
    except Unreadable as error:
        raise refuse("regex", "pattern", pattern, str(error)) from None
