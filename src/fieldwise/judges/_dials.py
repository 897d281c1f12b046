"""Settings of a model call, and giving up those that a model refuses.

Models differ in what they take: some refuse a temperature, some call the token limit by another name, some
know no schema. A refusal is status 400, names the setting and says that it is not taken; it is then left
out, or renamed, for good. Texts that are too long are no refusal, though their errors name the token limit.
"""

from __future__ import annotations

import re
from typing import Any, Final

_RENAMED: Final = {"max_tokens": "max_completion_tokens"}
_TOO_LONG: Final = ("context_length_exceeded", "string_above_max_length")
_REFUSING: Final = re.compile(
    r"\b(un(supported|known|recogni[sz]ed|expected)|not (supported|allowed|permitted|available)|deprecated"
    r"|(does not|doesn't|cannot) (support|accept)|extra (inputs|fields))\b",
    re.IGNORECASE,
)
BAD_REQUEST: Final = 400


class Dials:
    """The optional settings of calls, by name.

    Example:
        >>> Dials(temperature=0.0, max_tokens=None).settings()
        {'temperature': 0.0}
    """

    def __init__(self, **settings: Any) -> None:
        self._settings = {name: value for name, value in settings.items() if value is not None}
        self._refused: frozenset[str] = frozenset()

    def settings(self) -> dict[str, Any]:
        """Return the settings that are left."""
        return dict(self._settings)

    def takes(self, name: str) -> bool:
        """Whether no model has refused a setting so far."""
        return name not in self._refused

    def adapt(self, error: Exception, used: dict[str, Any]) -> bool:
        """Change what a model refused; whether the call is worth making again."""
        refused = refused_setting(error, used)
        if refused is None:
            return False
        settings = dict(self._settings)
        value = settings.pop(refused, None)
        if refused in _RENAMED and value is not None:
            settings[_RENAMED[refused]] = value
        self._settings = settings
        self._refused |= {refused}
        return True


def refused_setting(error: Exception, used: dict[str, Any]) -> str | None:
    """Return which of the settings used an error refuses, if it refuses one."""
    if getattr(error, "status_code", None) != BAD_REQUEST:
        return None
    if getattr(error, "code", None) in _TOO_LONG:
        return None
    param = getattr(error, "param", None)
    if param in used:
        return str(param)
    said = str(error)
    if not _REFUSING.search(said):
        return None
    return next((name for name in used if name in said), None)
