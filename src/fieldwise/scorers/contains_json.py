"""Does the output hold JSON: an object or an array, anywhere in its text?

The text is searched by the scanner of `core.parse`, in time linear in its length. It counts no brackets
that belong to prose, such as a citation `[1]`, nor JSON in leaked thinking, which is no answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.equality import preview
from fieldwise.core.parse.choose import NO_JSON
from fieldwise.core.parse.reader import Reading, where
from fieldwise.core.parse.scan import GaveUp, Scan
from fieldwise.scorers import options
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade
from fieldwise.scorers.text_checks import Common

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.scorers.plan import Plan

Strictness: TypeAlias = Literal["strict", "lenient"]

_GAVE_UP: Final = "too many brackets to find JSON among them"


def contains_json(
    *,
    parse: Strictness = "strict",
    negated: bool = False,
    target_output_key: str | Sequence[str] = "*",
    outputs_key: str | None = None,
    feedback_key: str = "contains_json",
) -> Plan:
    """Accept an output that holds an object or an array, anywhere in its text.

    There may be prose or fences around it. An output that is an object or array itself is accepted; to
    look into the text of a column, name it. There is no reference.

    Args:
        parse: "strict": what is found has to be JSON by RFC 8259, with unique names; "lenient": what
            fieldwise reads leniently counts as well: single quotes, trailing commas, comments, NaN, slips.
        negated: accept what holds none. An output without a value at the target, or null, is 0 either way.
        target_output_key: "*" for the whole, a path, or a list of paths.
        outputs_key: the key or path of the value to look at in the outputs.
        feedback_key: replaces `contains_json` as the key.

    Returns:
        One result with score True or False.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_contains_json_evaluator()
        >>> evaluate(outputs='Here you are: {"a": 1}. Anything else?')["score"]
        True
    """
    test = _Find(strict=options.one_of("parse", parse, Strictness) == "strict")
    common = Common(
        {"negated": negated, "target_output_key": target_output_key, "outputs_key": outputs_key},
        one_value=False,
        wanted=None,
    )
    return common.plan("contains_json", test, feedback_key)


@dataclass(frozen=True, slots=True)
class _Find:
    """Looks for JSON."""

    strict: bool

    def __call__(self, _: Any, came: Any) -> Grade:
        if came is None:
            raise Unfit("null is not text", "invalid_output")
        if isinstance(came, dict | list):
            return Grade(score=True, comment=f"it is JSON: {preview(came)}")
        if not isinstance(came, str):
            return Grade(score=False, comment=f"no object or array in {preview(came)}")
        scan, gave_up = Scan(came, len(came)), False
        try:
            scan.run()
        except GaveUp:
            gave_up = True
        for one in scan.found:
            if isinstance(one.outcome, Reading) and not (self.strict and one.outcome.ledger):
                return Grade(score=True, comment=f"it holds {preview(one.outcome.value)}")
        if gave_up:
            raise Unfit(_GAVE_UP, "invalid_output")
        return Grade(score=False, comment=_nothing(scan))


def _nothing(scan: Scan) -> str:
    """Say what came nearest to JSON, if anything did.

    Raises:
        Unfit: for what may well be JSON, but is beyond the limits of what is read.
    """
    for one in scan.found:
        outcome = one.outcome
        if isinstance(outcome, Reading):
            return f"no strict JSON: what is at {where(scan.text, one.start)} takes {_words(outcome)}"
        if outcome.kind == "limit":
            raise Unfit(outcome.explain(scan.text), "invalid_output")
        return f"no valid JSON: {outcome.explain(scan.text)}"
    return NO_JSON


def _words(reading: Reading) -> str:
    return ", ".join(sorted(reading.ledger))
