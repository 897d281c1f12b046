"""Does the output hold a text, any of some texts, or all of them?

An output that is an object or an array is searched as a whole: its string values one by one, and its
canonical JSON, where names, numbers and structure are. A text is found when it is in one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise._types import MISSING
from fieldwise.core.display import one_line, shown
from fieldwise.core.equality import preview
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.sides import Unfit
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

_SHOWN: Final = 20


@TEXT.named
def contains(
    *,
    search_text: str | None = None,
    feedback_key: str = "contains",
    **looking: Unpack[TextOptions],
) -> Plan:
    """Accept an output that holds a text; in an object or array, anywhere in it.

    The text comes from `search_text`, else from the reference: the text itself, `{"searchText": text}`, or
    a sole column. An object's string values are searched, and its canonical JSON (`{"a":1}`). null holds
    nothing. A reference that is no text, or empty, is invalid.

    Args:
        search_text: what to look for in every record; None: the reference says.
        ignore_case: whether text is compared casefolded. True unless stated.
        looking: how text is looked at; see `text_checks.TextOptions`.
        feedback_key: replaces `contains` as the key.

    Returns:
        One result with score True or False; None where the reference holds no text.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_contains_evaluator(search_text="success")
        >>> evaluate(outputs={"msg": "Operation SUCCESSFUL"})["score"]
        True
    """
    wanted = MISSING if search_text is None else named_text("search_text", search_text)
    test = _One(ignore_case=ignoring_case(looking, default=True))
    common = Common(
        looking,
        envelopes=("searchText", "search_text"),
        one_value=False,
        wanted=wanted,
        option="search_text",
    )
    return common.plan("contains", test, feedback_key)


@TEXT.named
def contains_any(
    *,
    substrings: Sequence[str] | None = None,
    feedback_key: str = "contains_any",
    **looking: Unpack[TextOptions],
) -> Plan:
    """Accept an output that holds at least one of some texts.

    The texts come from `substrings`, else from the reference: a list, or a sole column that holds one.
    They are taken as they are, white space included. What is searched is as in `contains`.

    Args:
        substrings: what to look for in every record; None: the reference says.
        looking: how text is looked at; see `text_checks.TextOptions`.
        feedback_key: replaces `contains_any` as the key.

    Returns:
        One result with score True or False; `extra["found"]` lists the first twenty found. None where
        the reference is no list of texts, or one of them is empty.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_contains_any_evaluator(substrings=["refund", "money back"])
        >>> evaluate(outputs="You get a refund.")["extra"]["found"]
        ['refund']
    """
    return _several("contains_any", substrings, feedback_key, looking, every=False)


@TEXT.named
def contains_all(
    *,
    substrings: Sequence[str] | None = None,
    feedback_key: str = "contains_all",
    **looking: Unpack[TextOptions],
) -> Plan:
    """Accept an output that holds every one of some texts.

    The texts come from `substrings`, else from the reference: a list, or a sole column that holds one.
    They are taken as they are, white space included. What is searched is as in `contains`.

    Args:
        substrings: what to look for in every record; None: the reference says.
        looking: how text is looked at; see `text_checks.TextOptions`.
        feedback_key: replaces `contains_all` as the key.

    Returns:
        One result with score True or False; `extra["missing"]` lists the first twenty not found. None
        where the reference is no list of texts, or one of them is empty.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_contains_all_evaluator(substrings=["name", "date"])
        >>> evaluate(outputs="The name is Ada.")["comment"]
        '1 of 2 texts found, not found: "date"'
    """
    return _several("contains_all", substrings, feedback_key, looking, every=True)


def _several(name: str, substrings: Any, feedback_key: str, looking: TextOptions, *, every: bool) -> Plan:
    wanted = _named_texts(substrings)
    test = _Several(ignore_case=ignoring_case(looking), every=every)
    common = Common(looking, envelopes=("substrings",), one_value=False, wanted=wanted, option="substrings")
    return common.plan(name, test, feedback_key)


def _named_texts(value: Any) -> Any:
    """Check the option `substrings`; MISSING when it is not given."""
    if value is None:
        return MISSING
    if isinstance(value, options.BYTES | str) or not isinstance(value, Sequence):
        raise ConfigError(
            f"substrings={shown(value)}: must be a list of texts, for one write [{shown(value)}]"
        )
    if not value:
        raise ConfigError("substrings=[]: name at least one text to look for")
    return [named_text(f"substrings[{at}]", one) for at, one in enumerate(value)]


@dataclass(frozen=True, slots=True)
class _One:
    """Looks for one text."""

    ignore_case: bool

    def __call__(self, wanted: Any, came: Any) -> Grade:
        text = sought("the text to look for", wanted)
        places = _places(came, ignore_case=self.ignore_case)
        if not text:
            return empty_text(text_of(came))
        found = any(folded(text, ignore_case=self.ignore_case) in place for place in places)
        return Grade(found, f"{preview(text)} is {'' if found else 'not '}in {preview(came)}")


@dataclass(frozen=True, slots=True)
class _Several:
    """Looks for texts: for every one, or for one of them."""

    ignore_case: bool
    every: bool

    def __call__(self, wanted: Any, came: Any) -> Grade:
        _check(wanted)
        places = _places(came, ignore_case=self.ignore_case)
        found: list[str] = []
        missing: list[str] = []
        for text in wanted:
            here = any(folded(text, ignore_case=self.ignore_case) in place for place in places)
            (found if here else missing).append(text)
        named = "missing" if self.every else "found"
        rest = missing if self.every else found
        listed = one_line(", ".join([preview(one) for one in rest[:_SHOWN]]), 300)
        word = "not found" if self.every else "found"
        note = f"{len(found)} of {len(wanted)} texts found{f', {word}: {listed}' if rest else ''}"
        score = not missing if self.every else bool(found)
        return Grade(score, note, extra={named: [preview(one)[1:-1] for one in rest[:_SHOWN]]})


def _check(wanted: Any) -> None:
    """Refuse a reference that is no list of texts to look for."""
    if not isinstance(wanted, list):
        raise Unfit(f"what to look for must be a list of texts, got {preview(wanted)}", "invalid_reference")
    if not wanted:
        raise Unfit("there is no text to look for", "invalid_reference")
    for one in wanted:
        if not sought("each text to look for", one):
            raise Unfit("an empty text is found everywhere", "invalid_reference")


def _places(value: Any, *, ignore_case: bool) -> list[str]:
    """The texts of an output to search in: itself, or its string values and its canonical JSON."""
    whole = text_of(value)
    texts = [whole]
    stack = [value]
    while stack:
        here = stack.pop()
        if isinstance(here, dict):
            stack += here.values()
        elif isinstance(here, list):
            stack += here
        elif isinstance(here, str) and here is not whole:
            texts.append(here)
    return [folded(one, ignore_case=ignore_case) for one in texts]
