"""What a caller left out, told in the caller's own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fieldwise.core.read import NO_REFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import EvaluatorResult

_LIKE_A_REFERENCE: Final = ("reference", "expected", "answer", "target", "truth", "label", "gold")


def misnamed(names: Iterable[str]) -> str | None:
    """Return how a reference under another name is told; None where no name looks like one.

    >>> misnamed(["inputs_of", "expected"])
    "no reference_outputs were given; 'expected' is not read"
    """
    close = [name for name in names if any(word in name.lower() for word in _LIKE_A_REFERENCE)]
    if not close:
        return None
    which = ", ".join(map(repr, close))
    return f"{NO_REFERENCE}; {which} {'is' if len(close) == 1 else 'are'} not read"


def retold(results: list[EvaluatorResult], lacks: str) -> list[EvaluatorResult]:
    """Return results that say `lacks` where they say that no reference was given."""
    return [_retold(one, lacks) for one in results]


def _retold(result: EvaluatorResult, lacks: str) -> EvaluatorResult:
    told = {name: text.replace(NO_REFERENCE, lacks) for name, text in _words(result) if NO_REFERENCE in text}
    if not told:
        return result
    extra = result["extra"] | ({"reason": told["reason"]} if "reason" in told else {})
    comment = told.get("comment", result["comment"])
    return {**result, "comment": comment, "extra": extra, "metadata": extra}


def _words(result: EvaluatorResult) -> list[tuple[str, str]]:
    found = [("comment", result["comment"]), ("reason", result["extra"].get("reason"))]
    return [(name, text) for name, text in found if isinstance(text, str)]
