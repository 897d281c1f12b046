"""Settings of a model call, and giving up those that a model refuses.

Models differ in what they take: some refuse a temperature, some call the token limit by another name, some
know no schema. A refusal is status 400, names the setting and says that it is not taken; the call is then
made without it, or with its other name. Only when that call has succeeded is the setting given up for good:
before, nobody knows that it was what kept the model from answering. Texts that are too long are no refusal,
though their errors name the token limit.
"""

from __future__ import annotations

import re
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

T = TypeVar("T")
_RENAMED: Final = {"max_tokens": "max_completion_tokens"}
_UNSUPPORTED: Final = ("unsupported_parameter", "unsupported_value", "unknown_parameter")
_TOO_LONG: Final = ("context_length_exceeded", "string_above_max_length")
_REFUSING: Final = re.compile(
    r"\b(un(supported|available|known|recogni[sz]ed|expected)|not (supported|allowed|permitted|available)"
    r"|deprecated"
    r"|(does not|doesn't|cannot) (support|accept)|extra (inputs|fields))\b",
    re.IGNORECASE,
)
_VALUE: Final = re.compile(
    r"\b(invalid|too (large|small|high|low|long)|above|below|at (most|least)|exceeds?|m(ax|in)imum|must)\b",
    re.IGNORECASE,
)
"""What is said of a setting that is taken, with a value that will not do."""
BAD_REQUEST: Final = 400


class Settings:
    """The optional settings of a client's calls, and those that its model was found to refuse.

    Safe to share between threads and loops.

    Args:
        settings: name to value; None: not sent.
    """

    def __init__(self, **settings: Any) -> None:
        self._given = {name: value for name, value in settings.items() if value is not None}
        self._refused: frozenset[str] = frozenset()
        self._lock = Lock()

    def call(self, send: Callable[[dict[str, Any]], T]) -> T:
        """Make a call, and again without each setting that it is refused for.

        Args:
            send: makes the call with some settings.

        Raises:
            Exception: what the call raised, where that refuses no setting.

        Example:
            >>> Settings(temperature=0.0, max_tokens=None).call(lambda settings: settings)
            {'temperature': 0.0}
        """
        refused = self._refused
        while True:
            settings = self._without(refused)
            try:
                given = send(settings)
            except Exception as error:  # noqa: BLE001 - raised again there, unless it refuses a setting
                refused |= {_refused(error, settings)}
            else:
                self._give_up(refused)
                return given

    async def acall(self, send: Callable[[dict[str, Any]], Awaitable[T]]) -> T:
        """As `call`, on an event loop.

        Raises:
            Exception: as `call`.
        """
        refused = self._refused
        while True:
            settings = self._without(refused)
            try:
                given = await send(settings)
            except Exception as error:  # noqa: BLE001 - raised again there, unless it refuses a setting
                refused |= {_refused(error, settings)}
            else:
                self._give_up(refused)
                return given

    def _without(self, refused: frozenset[str]) -> dict[str, Any]:
        """The settings but for those, which go by their other name where they have one."""
        named = ((_RENAMED.get(one, one) if one in refused else one, one) for one in self._given)
        return {name: self._given[one] for name, one in named if name not in refused}

    def _give_up(self, refused: frozenset[str]) -> None:
        if not refused <= self._refused:
            with self._lock:
                self._refused |= refused


def _refused(error: Exception, settings: Collection[str]) -> str:
    """The setting that an error refuses; any other error is raised again."""
    found = refused_setting(error, settings)
    if found is None:
        raise error
    return found


def refused_setting(error: Exception, used: Collection[str]) -> str | None:
    """Return which of the settings used an error refuses, if it refuses one."""
    code, param, said = getattr(error, "code", None), getattr(error, "param", None), str(error)
    if code not in _UNSUPPORTED:
        if getattr(error, "status_code", None) != BAD_REQUEST or code in _TOO_LONG:
            return None
        if not _REFUSING.search(said) and (param not in used or _VALUE.search(said)):
            return None
    return str(param) if param in used else next((name for name in used if name in said), None)
