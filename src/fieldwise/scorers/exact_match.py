"""Exact match: is the output the expected one, as JSON is equal? Text is compared as text.

Two documents are compared whole: `5` equals `5.0`, the order of members does not count, `"8"` is not `8`,
white space and Unicode normal forms count.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.equality import equal, preview
from fieldwise.core.explain import comment
from fieldwise.core.normalise import rebuilt
from fieldwise.core.select import place_name
from fieldwise.core.walk import Place, walk
from fieldwise.scorers.rewrite import rewritten
from fieldwise.scorers.single import Grade
from fieldwise.scorers.text_checks import VALUE, Common, ignoring_case

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise._types import Json
    from fieldwise.scorers.plan import Plan
    from fieldwise.scorers.text_checks import ValueOptions


@VALUE.named
def exact_match(
    *,
    feedback_key: str = "exact_match",
    **looking: Unpack[ValueOptions],
) -> Plan:
    """Accept an output that equals the reference: text as text, anything else as JSON.

    The reference is the value itself, or `{"expectedOutput": value}`. Text is never parsed, so JSON in
    text is not the object it describes.

    Args:
        ignore_case: whether text anywhere in the values is compared casefolded; names of members are
            not. False unless stated.
        negated: accept what differs instead. An output without a value at the target is 0 either way.
        looking: how text is looked at; see `text_checks.ValueOptions`.
        feedback_key: replaces `exact_match` as the key.

    Returns:
        One result with score True or False; None where there is no reference.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_exact_match_evaluator()
        >>> result = evaluate(outputs={"a": 5, "b": "x"}, reference_outputs={"b": "y", "a": 5.0})
        >>> result["score"], result["comment"]
        (False, '1 of 2 values not right: b: expected "y", got "x"')
    """
    ignore_case = ignoring_case(looking)
    common = Common(looking, envelopes=("expectedOutput", "expected_output"), one_value=False, mirrored=True)
    test = _Test(ignore_case=ignore_case, drop=common.sides().reader.null_policy == "null_equals_missing")
    return common.plan("exact_match", test, feedback_key)


_HINTED: Final = 2_000
_HINTS: Final[dict[str, Callable[[str], str]]] = {
    "case": str.casefold,
    "white space": lambda text: "".join(text.split()),
    "Unicode normal form": lambda text: unicodedata.normalize("NFC", text),
}


@dataclass(frozen=True, slots=True)
class _Test:
    """Compares two documents."""

    ignore_case: bool
    drop: bool

    def __call__(self, expected: Any, actual: Any) -> Grade:
        if self.drop:
            expected, actual = (rewritten(side, drop=True) for side in (expected, actual))
        if equal(expected, actual):
            return Grade(score=True, comment=f"both are {preview(expected)}")
        if self.ignore_case:
            expected, actual = casefolded(expected), casefolded(actual)
            if equal(expected, actual):
                return Grade(score=True, comment=f"both are {preview(expected)} but for case")
        return Grade(score=False, comment=_difference(expected, actual))


def _difference(expected: Json, actual: Json) -> str | None:
    """Say where two documents differ; of values without members, what they are."""
    alike = any(isinstance(expected, kind) and isinstance(actual, kind) for kind in (dict, list))
    if not alike:
        return f"expected {preview(expected)}, got {preview(actual)}{_hint(expected, actual)}"
    outcomes = walk(Place("", (), expected, actual, None, None, 1.0), deep=True)
    wrong = [one for one in outcomes if one.score != 1.0]
    for one in wrong:
        one.name = place_name(one.where)
    return comment(wrong, len(outcomes), "values")


def _hint(expected: Json, actual: Json) -> str:
    """Name a difference between two texts that is hard to see."""
    if not isinstance(expected, str) or not isinstance(actual, str) or len(expected + actual) > _HINTED:
        return ""
    for what, plain in _HINTS.items():
        if plain(expected) == plain(actual):
            return f" (they differ in {what} only)"
    return ""


def casefolded(document: Json) -> Json:
    """Return a document with the text of its values casefolded; names are kept.

    >>> casefolded({"Street": ["Große"]})
    {'Street': ['grosse']}
    """
    return rebuilt(document, lambda value, _: value.casefold() if isinstance(value, str) else value)
