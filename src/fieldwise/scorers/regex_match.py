"""Does the output match a regular expression?

Patterns are those of the `regex` package, nearly all of `re`. Its search can be stopped: a pattern that
runs over its time, as `(a+)+$` does, leaves the record not evaluated. Slowness is no wrong answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, Unpack

from fieldwise._types import MISSING
from fieldwise.comparators._patterns import MAX_SECONDS, compiled
from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.errors import ConfigError, Unreadable
from fieldwise.scorers import options
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade
from fieldwise.scorers.text_checks import TEXT, Common, empty_text, ignoring_case, named_text, sought, text_of

if TYPE_CHECKING:
    from fieldwise.scorers.plan import Plan
    from fieldwise.scorers.text_checks import TextOptions

Mode: TypeAlias = Literal["search", "match", "fullmatch"]

_LETTERS: Final = {
    re.ASCII: "a",
    re.IGNORECASE: "i",
    re.MULTILINE: "m",
    re.DOTALL: "s",
    re.UNICODE: "u",
    re.VERBOSE: "x",
}
_NAMES: Final = "re.ASCII, IGNORECASE, MULTILINE, DOTALL, UNICODE and VERBOSE"


@TEXT.named
def regex_match(
    *,
    pattern: str | None = None,
    mode: Mode = "search",
    flags: int = 0,
    timeout: float = 1.0,
    feedback_key: str = "regex_match",
    **looking: Unpack[TextOptions],
) -> Plan:
    r"""Accept an output that matches a regular expression.

    The pattern comes from `pattern`, else from the reference: the text itself or a sole column. The output
    is one value; of an object, its sole column. Where that is no text, its canonical JSON is looked at.

    Args:
        pattern: the pattern for every record; None: the reference says.
        mode: where it has to match, as the functions of `re` have it: "search" anywhere, "match" from the
            start on, "fullmatch" the whole.
        flags: those of `re`: ASCII, IGNORECASE, MULTILINE, DOTALL, UNICODE, VERBOSE.
        timeout: the seconds one match may take; above 0, a day at most.
        ignore_case: whether case does not count. False unless stated.
        looking: how text is looked at; see `text_checks.TextOptions`.
        feedback_key: replaces `regex_match` as the key.

    Returns:
        One result with score True or False. None where the reference holds no pattern, where a side has
        several columns and none is named, and (not_evaluated) where a match ran over its time.

    Raises:
        ConfigError: for a wrong option, a pattern that does not parse included, naming it and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_regex_match_evaluator(pattern=r"INV-\d{4}")
        >>> evaluate(outputs="Your invoice INV-2041 is due.")["score"]
        True
    """
    test = _Match(
        mode=options.one_of("mode", mode, Mode),
        prefix=_prefix(flags),
        timeout=_seconds(timeout),
        ignore_case=ignoring_case(looking),
    )
    common = Common(
        looking,
        envelopes=("pattern",),
        wanted=MISSING if pattern is None else named_text("pattern", pattern),
        option="pattern",
    )
    for option, given in (("flags", ""), ("pattern", pattern)):
        try:
            compiled(test.prefix + (given or ""), ignore_case=test.ignore_case)
        except Unreadable as error:
            raise ConfigError(f"{option}={shown(flags if option == 'flags' else pattern)}: {error}") from None
    return common.plan("regex_match", test, feedback_key)


def _prefix(flags: Any) -> str:
    """Write flags of `re` at the head of a pattern, where `regex` reads them as well."""
    known = sum(_LETTERS)
    if isinstance(flags, bool) or not isinstance(flags, int) or flags & ~known:
        raise ConfigError(f"flags={shown(flags)}: must be 0 or a combination of {_NAMES}")
    letters = "".join(letter for flag, letter in _LETTERS.items() if flags & flag)
    return f"(?{letters})" if letters else ""


def _seconds(timeout: Any) -> float:
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= MAX_SECONDS:
        fix = f"must be the seconds a match may take, above 0, at most {MAX_SECONDS:,}"
        raise ConfigError(f"timeout={shown(timeout)}: {fix}")
    return float(timeout)


@dataclass(frozen=True, slots=True)
class _Match:
    """Matches text within a time."""

    mode: Mode
    prefix: str
    timeout: float
    ignore_case: bool

    def __call__(self, wanted: Any, came: Any) -> Grade:
        pattern = sought("the pattern", wanted)
        text = text_of(came)
        if not pattern:
            return empty_text(text)
        try:
            found = compiled(self.prefix + pattern, ignore_case=self.ignore_case)
            matched = getattr(found, self.mode)(text, timeout=self.timeout) is not None
        except Unreadable as error:
            raise Unfit(str(error), "invalid_reference") from None
        except TimeoutError:
            reason = f"pattern {preview(pattern)} ran over its {self.timeout:g} s on {len(text):,} characters"
            raise Unfit(reason, "not_evaluated") from None
        word = "matches" if matched else "does not match"
        return Grade(matched, f"pattern {preview(pattern)} {word} {preview(came)}")
