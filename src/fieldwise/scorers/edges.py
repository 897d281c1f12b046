"""Does the output begin, or end, with a text?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise._types import MISSING
from fieldwise.core.equality import preview
from fieldwise.scorers.single import Grade
from fieldwise.scorers.text_checks import (
    TEXT,
    Common,
    empty_text,
    folded,
    ignoring_case,
    named_text,
    sought,
    text_of,
)

if TYPE_CHECKING:
    from fieldwise.scorers.plan import Plan
    from fieldwise.scorers.text_checks import TextOptions

_TAIL: Final = 60


@TEXT.named
def starts_with(
    *,
    prefix: str | None = None,
    feedback_key: str = "starts_with",
    **looking: Unpack[TextOptions],
) -> Plan:
    """Accept an output that begins with a text.

    The text comes from `prefix`, else from the reference: the text itself or a sole column. The output is
    one value; of an object, its sole column. Where that is no text, its canonical JSON is looked at.

    Args:
        prefix: what every output has to begin with; None: the reference says.
        looking: how text is looked at; see `text_checks.TextOptions`.
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
    return _edge("starts_with", "prefix", prefix, feedback_key, looking, end=False)


@TEXT.named
def ends_with(
    *,
    suffix: str | None = None,
    feedback_key: str = "ends_with",
    **looking: Unpack[TextOptions],
) -> Plan:
    """Accept an output that ends with a text.

    The text comes from `suffix`, else from the reference: the text itself or a sole column. The output is
    one value; of an object, its sole column. Where that is no text, its canonical JSON is looked at.

    Args:
        suffix: what every output has to end with; None: the reference says.
        looking: how text is looked at; see `text_checks.TextOptions`.
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
    return _edge("ends_with", "suffix", suffix, feedback_key, looking, end=True)


def _edge(name: str, option: str, stated: Any, feedback_key: str, looking: TextOptions, *, end: bool) -> Plan:
    wanted = MISSING if stated is None else named_text(option, stated)
    test = _Edge(ignore_case=ignoring_case(looking), end=end)
    return Common(looking, envelopes=(option,), wanted=wanted, option=option).plan(name, test, feedback_key)


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
