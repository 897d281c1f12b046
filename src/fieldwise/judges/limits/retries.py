"""Which failures of a call are worth another try, and after how long.

| worth another try | how it is recognised |
|---|---|
| a status of `STATUSES` | `status_code`, `status` or `code` of the error, or of its `response` |
| a time limit, a broken connection, a busy server without a status | a class of `NAMES` among its bases |

A status decides where there is one. Everything else fails at once, and so does a quota that is used up. No
client's package is imported: errors are known by the names of their classes, which openai, anthropic, httpx,
requests, aiohttp and Google's clients share.

How long: what the server asks for (`Retry-After` in seconds or as a date, `retry-after-ms`) and a little
more, so that a count of seconds is over when it says; else `FIRST` seconds, doubled each time, spread by
chance, and nothing after a time limit, which was wait enough. A server that asks for more than `LONGEST` is
not waited for.

A try that is turned away as one too many (429) counts against `max_retries` only where no other call got
through since: then the judge is alive, and others had the turn. `MOST` ends that, too.

tenacity, which could run such a loop, knows one caller: what is waited for here is shared (`gate`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import said
from fieldwise.core.flow import REASON_LIMIT
from fieldwise.errors import FieldwiseError, JudgeError
from fieldwise.judges.interfaces import ErrorReply

if TYPE_CHECKING:
    from fieldwise.judges.limits.clock import Clock

TOO_MANY: Final = 429
STATUSES: Final = frozenset({408, TOO_MANY, 500, 502, 503, 504, 529})
NAMES: Final = frozenset(
    {
        "TimeoutError", "APITimeoutError", "TimeoutException", "Timeout", "DeadlineExceeded",
        "ConnectionError", "APIConnectionError", "NetworkError", "RemoteProtocolError", "ProtocolError",
        "ChunkedEncodingError", "IncompleteRead", "ClientConnectionError", "ClientPayloadError",
        "GatewayTimeout", "RateLimitError", "TooManyRequests", "ResourceExhausted", "ThrottlingException",
        "InternalServerError", "ServiceUnavailable", "ServiceUnavailableError", "OverloadedError",
    }
)  # fmt: skip
FINAL_CODES: Final = frozenset({"insufficient_quota"})

FIRST: Final = 0.5
SLOWEST: Final = 30.0
LONGEST: Final = 300.0
MOST: Final = 50


class TooSlow(TimeoutError):
    """A call ran into the time limit."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s")


@dataclass(slots=True)
class Tries:
    """The tries of one call.

    Attributes:
        most: how many more than the first there may be.
        clock: for dates and chance.
        through: how many calls of all had got through when this one was last tried.
        made: how many tries failed.
    """

    most: int
    clock: Clock
    through: int = 0
    made: int = 0
    _counted: int = field(default=0)

    def after(self, error: Exception, through: int) -> Wait:
        """Return how long to wait before the next try.

        Raises:
            JudgeError: there is none, and why.
            FieldwiseError: the error, where it is one.
        """
        if isinstance(error, FieldwiseError):
            raise error
        if not is_passing(error):
            raise JudgeError(_reason(error)) from error
        self.made += 1
        turned_away = status_of(error) == TOO_MANY
        if not (turned_away and through > self.through):
            self._counted += 1
        self.through = through
        if self._counted > self.most or self.made > max(self.most, MOST) or self.most == 0:
            raise JudgeError(self._given_up(error)) from error
        asked = retry_after(error, self.clock.today())
        if asked is not None and asked > LONGEST:
            raise JudgeError(f"{_reason(error)}; it asks to wait {asked:.0f} s, which is too long") from error
        return self._wait(error, asked)

    def _wait(self, error: Exception, asked: float | None) -> Wait:
        if asked is not None:
            return Wait(asked * (1.1 + 0.15 * self.clock.chance()), asked * 1.1)
        if isinstance(error, TooSlow):
            return Wait(0.0, 0.0)
        backoff = min(SLOWEST, FIRST * 2.0 ** min(self.made - 1, 20))
        return Wait(backoff * (0.5 + self.clock.chance()), 0.0)

    def _given_up(self, error: Exception) -> str:
        return _reason(error) if self.made == 1 else f"{_reason(error)}; given up after {self.made} calls"


@dataclass(frozen=True, slots=True)
class Wait:
    """How long whoever failed waits, and how long everybody does."""

    own: float
    everybody: float


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, TooSlow | ErrorReply) else said(error, REASON_LIMIT)


# ------------------------------------------------------------------------------------ reading errors


def is_passing(error: BaseException) -> bool:
    """Whether a failure may have passed by the next try.

    >>> is_passing(ConnectionResetError("reset by peer")), is_passing(ValueError("no"))
    (True, False)
    """
    if getattr(error, "code", None) in FINAL_CODES:
        return False
    status = status_of(error)
    if status is not None:
        return status in STATUSES
    return any(kind.__name__ in NAMES for kind in type(error).__mro__)


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that an error stands for, if it stands for one."""
    for holder in (error, getattr(error, "response", None)):
        for name in ("status_code", "status", "code"):
            status = getattr(holder, name, None)
            if isinstance(status, int) and not isinstance(status, bool) and 100 <= status <= 599:  # noqa: PLR2004 - statuses
                return int(status)
    return None


def retry_after(error: BaseException, today: float) -> float | None:
    """Return the seconds that a server asks to wait, or None.

    Args:
        error: with the server's `headers`, its own or those of its `response`.
        today: seconds since 1970, which a date counts from.
    """
    headers = _headers(error)
    for name, scale in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        seconds = _number(headers.get(name))
        if seconds is not None:
            return seconds / scale
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - today)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _headers(error: BaseException) -> dict[str, str]:
    for holder in (getattr(error, "response", None), error):
        headers: Any = getattr(holder, "headers", None)
        if isinstance(headers, Mapping):
            return {str(name).lower(): str(value).strip() for name, value in headers.items()}
    return {}


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None
