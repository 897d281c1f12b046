"""Does the output begin, or end, with a text?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.equality import preview
from fieldwise.scorers.single import Grade
from fieldwise.scorers.text_checks import (
    Common,
    empty_text,
    folded,
    ignoring_case,
    named_text,
    sought,
    text_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.scorers.plan import Plan

_TAIL: Final = 60


def starts_with(
    *,
    prefix: str | None = None,
    ignore_case: bool | None = None,
    case_sensitive: bool | None = None,
    negated: bool = False,
    target_output_key: str | Sequence[str] = "*",
    outputs_key: str | None = None,
    correct_answer_key: str | None = None,
    feedback_key: str = "starts_with",
) -> Plan:
    """Accept an output that begins with a text.

    The text comes from `prefix`, else from the reference: the text itself or a sole column. The output is
    one value; of an object, its sole column. Where that is no text, its canonical JSON is looked at.

    Args:
        prefix: what every output has to begin with; None: the reference says.
        ignore_case: whether text is compared casefolded. False unless stated.
        case_sensitive: the opposite of `ignore_case`; pass one of them.
        negated: accept what begins otherwise. An output without a value at the target, or without text,
            is 0 either way.
        target_output_key: "*" for the whole, a path, or a list of paths; the same in a reference that is
            an object.
        outputs_key: the key or path of the value in the outputs.
        correct_answer_key: the key or path of the text in the reference outputs, else the inputs.
        feedback_key: replaces `starts_with` as the key.

    Returns:
        One result with score True or False; None where the reference holds no text, or where either side
        has several columns and none is named.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_starts_with_evaluator(prefix="Dear")
        >>> evaluate(outputs={"letter": "Hello Ada"})["comment"]
        '"Hello Ada" does not start with "Dear"'
    """
    return _edge(
        "starts_with",
        "prefix",
        prefix,
        _Edge(ignore_case=ignoring_case(ignore_case, case_sensitive), end=False),
        feedback_key,
        negated=negated,
        target_output_key=target_output_key,
        outputs_key=outputs_key,
        correct_answer_key=correct_answer_key,
    )


def ends_with(
    *,
    suffix: str | None = None,
    ignore_case: bool | None = None,
    case_sensitive: bool | None = None,
    negated: bool = False,
    target_output_key: str | Sequence[str] = "*",
    outputs_key: str | None = None,
    correct_answer_key: str | None = None,
    feedback_key: str = "ends_with",
) -> Plan:
    """Accept an output that ends with a text.

    The text comes from `suffix`, else from the reference: the text itself or a sole column. The output is
    one value; of an object, its sole column. Where that is no text, its canonical JSON is looked at.

    Args:
        suffix: what every output has to end with; None: the reference says.
        ignore_case: whether text is compared casefolded. False unless stated.
        case_sensitive: the opposite of `ignore_case`; pass one of them.
        negated: accept what ends otherwise. An output without a value at the target, or without text,
            is 0 either way.
        target_output_key: "*" for the whole, a path, or a list of paths; the same in a reference that is
            an object.
        outputs_key: the key or path of the value in the outputs.
        correct_answer_key: the key or path of the text in the reference outputs, else the inputs.
        feedback_key: replaces `ends_with` as the key.

    Returns:
        One result with score True or False; None where the reference holds no text, or where either side
        has several columns and none is named.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_ends_with_evaluator(suffix="world", ignore_case=True)
        >>> evaluate(outputs="Hello World")["score"]
        True
    """
    return _edge(
        "ends_with",
        "suffix",
        suffix,
        _Edge(ignore_case=ignoring_case(ignore_case, case_sensitive), end=True),
        feedback_key,
        negated=negated,
        target_output_key=target_output_key,
        outputs_key=outputs_key,
        correct_answer_key=correct_answer_key,
    )


def _edge(name: str, option: str, stated: Any, test: _Edge, feedback_key: Any, **given: Any) -> Plan:
    wanted = MISSING if stated is None else named_text(option, stated)
    return Common(**given, envelopes=(option,), wanted=wanted, option=option).plan(name, test, feedback_key)


@dataclass(frozen=True, slots=True)
class _Edge:
    """Looks at one end of a text."""

    ignore_case: bool
    end: bool

    def __call__(self, wanted: Any, came: Any) -> Grade:
        edge = sought("the text to look for", wanted)
        text = text_of(came)
        if not edge:
            return empty_text(text)
        edge, text = (folded(one, ignore_case=self.ignore_case) for one in (edge, text))
        found = text.endswith(edge) if self.end else text.startswith(edge)
        verb = "ends" if self.end else "starts"
        said = verb if found else f"does not {verb[:-1]}"
        return Grade(found, f"{self._shown(came)} {said} with {preview(wanted)}")

    def _shown(self, came: Any) -> str:
        text = text_of(came)
        if self.end and len(text) > _TAIL:
            return f"…{preview(text[-_TAIL:])}"
        return preview(text)
