"""Exact match and regular expression match of text, never parsed.

A pattern runs on the `regex` package, whose search can be stopped, after `re` has compiled it: errors are
`re`'s. One that runs over its time, or is too large to be compiled in time, gives no score and says so.
"""

from __future__ import annotations

import re
import string
from typing import Any, Final

from fieldwise.comparators._patterns import MAX_PATTERN, MAX_SIZE, unfolded
from fieldwise.core.display import shown
from fieldwise.errors import ConfigError
from fieldwise.integrations.langchain._base import Strings
from fieldwise.scorers import options

_FLAGS: Final = ("ASCII", "DOTALL", "IGNORECASE", "LOCALE", "MULTILINE", "UNICODE", "VERBOSE")
_OTHERWISE_IN_REGEX: Final = re.compile(r"\[:|\{[0-9<=,+]*[eids]")
"""POSIX classes and fuzzy counts, which `re` takes literally. Such a pattern runs without a limit."""

_INPUT_KEYS: Final = ("reference", "prediction")
TIMEOUT: Final = 5.0
"""Seconds a pattern may run."""


class ExactMatchStringEvaluator(Strings):
    """Whether prediction and reference are the same text: 1 or 0.

    Args:
        ignore_case: whether both are lowered first.
        ignore_punctuation: whether ASCII punctuation is left out.
        ignore_numbers: whether the digits 0 to 9 are left out.

    Raises:
        ConfigError: for an option that is not a bool.

    Example:
        >>> ExactMatchStringEvaluator(ignore_case=True).evaluate_strings("QX-7", reference="qx-7")
        {'score': 1}
    """

    _name = "exact_match"

    def __init__(
        self, *, ignore_case: bool = False, ignore_punctuation: bool = False, ignore_numbers: bool = False
    ) -> None:
        self.ignore_case = options.flag("ignore_case", ignore_case)
        self.ignore_punctuation = options.flag("ignore_punctuation", ignore_punctuation)
        self.ignore_numbers = options.flag("ignore_numbers", ignore_numbers)

    @property
    def input_keys(self) -> list[str]:
        """The arguments it compares."""
        return list(_INPUT_KEYS)

    def _evaluate_strings(self, *, prediction: Any, reference: Any = None, **_: Any) -> dict[str, Any]:
        return {"score": int(self._read(prediction) == self._read(reference))}

    def _read(self, text: Any) -> Any:
        if self.ignore_case:
            text = text.lower()
        left_out = string.punctuation * self.ignore_punctuation + string.digits * self.ignore_numbers
        return text.translate(str.maketrans("", "", left_out)) if left_out else text


class RegexMatchStringEvaluator(Strings):
    r"""Whether the prediction begins with a match of the reference, a pattern: 1 or 0.

    Args:
        flags: flags of the `re` module, combined with `|`.

    Raises:
        ConfigError: for flags that are no integer.

    Example:
        >>> import re
        >>> RegexMatchStringEvaluator(flags=re.IGNORECASE).evaluate_strings("QX-7", reference=r"qx-\d")
        {'score': 1}
    """

    _name = "regex_match"

    def __init__(self, *, flags: int = 0) -> None:
        if isinstance(flags, bool) or not isinstance(flags, int):
            raise ConfigError(f"flags={shown(flags)}: must be flags of the re module, re.IGNORECASE")
        self.flags = flags

    @property
    def input_keys(self) -> list[str]:
        """The arguments it compares."""
        return list(_INPUT_KEYS)

    def _evaluate_strings(self, *, prediction: Any, reference: Any = None, **_: Any) -> dict[str, Any]:
        re.compile(reference, self.flags)
        if not (isinstance(prediction, str) and isinstance(reference, str)):
            return {"score": int(bool(re.match(reference, prediction, flags=self.flags)))}
        if len(reference) > MAX_PATTERN or unfolded(reference) > MAX_SIZE:
            return {"score": None, "reasoning": f"pattern {shown(reference)} is too large"}
        try:
            return {"score": int(_matches(reference, prediction, self.flags))}
        except TimeoutError:
            what = f"{shown(reference)} ran over its {TIMEOUT:g} s on a text of {len(prediction)} characters"
            return {"score": None, "reasoning": f"pattern {what}"}


def _matches(pattern: str, text: str, flags: int) -> bool:
    import regex

    if _OTHERWISE_IN_REGEX.search(pattern):
        return bool(re.match(pattern, text, flags))
    theirs = sum(int(getattr(regex, name)) for name in _FLAGS if flags & getattr(re, name))
    return bool(regex.compile(pattern, theirs).match(text, timeout=TIMEOUT))
