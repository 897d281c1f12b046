"""Where the parts of a model judge meet: what one call is, what comes back, and who stands in between.

    request --contract--> Call --cache--> limits --client--> Reply --contract--> Verdict      (votes around)

A client knows one kind of model and makes one call, once. It raises whatever its library raises; which of
that is worth another try, and what becomes of it, is the limits' business. The contract alone knows what
the texts mean. Nothing here does anything: these are the shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from fieldwise.core.flow import JudgeRequest, Verdict
    from fieldwise.core.prompts import Message


class Used(Protocol):
    """What a call returned: it says what the call used, `input_tokens`, `output_tokens`, `total_tokens`."""

    @property
    def usage(self) -> Mapping[str, Any] | None:
        """Amounts by name; None: it does not say."""
        ...


T = TypeVar("T", bound=Used)


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a model. Equal calls are asked in equal words: a cache may take one for the other.

    Attributes:
        messages: what the model reads.
        schema: the JSON schema of the reply, as JSON text.
    """

    messages: tuple[Message, ...]
    schema: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, in no client's own terms.

    Attributes:
        content: its text, or an object where the client hands one out; a list of several that differ; None:
            it said nothing.
        refusal: its refusal, where the protocol has one.
        finish: why it stopped, in the provider's word.
        usage: what the call used.
    """

    content: Any
    refusal: str | None = None
    finish: str | None = None
    usage: Mapping[str, Any] = field(default_factory=dict)


class ErrorReply(Exception):
    """A server's error in place of a reply, under a status that says all is well. It speaks for itself.

    Attributes:
        status_code: the HTTP status that the error names, if it names one.
        code: its code, if that is text.
        param: the parameter it is about.
    """

    def __init__(self, message: str, code: int | str | None = None, param: str | None = None) -> None:
        super().__init__(f"the judge's server replied with an error: {message}")
        self.status_code = code if isinstance(code, int) else None
        self.code = code if isinstance(code, str) else None
        self.param = param


class Client(Protocol):
    """One kind of model client."""

    @property
    def label(self) -> str:
        """Which model with which settings, for a cache's key and for messages."""
        ...

    @property
    def awaits_only(self) -> bool:
        """Whether it has no way to answer a sync evaluator."""
        ...

    def ask(self, call: Call) -> Reply:
        """Make one call, blocking."""
        ...

    async def aask(self, call: Call) -> Reply:
        """Make one call from an event loop, which it never blocks."""
        ...


class Limiter(Protocol):
    """Concurrency, rate, time limit, retries and ceilings of a judge's calls.

    Both return what the call returned, or raise a `JudgeError` whose text is the reason: `BudgetExceeded`
    where a ceiling forbids the call.
    """

    def run(self, call: Callable[[], T], /) -> T:
        """Make a call, blocking."""
        ...

    async def arun(self, call: Callable[[], Awaitable[T]], /) -> T:
        """Make a call on an event loop."""
        ...


class Cache(Protocol):
    """Remembers replies. `label` is the client's: the same words mean another model's reply elsewhere."""

    def get(self, label: str, call: Call, /) -> Reply | None:
        """Return the reply that a call had, or None."""
        ...

    def put(self, label: str, call: Call, reply: Reply, /) -> None:
        """Keep a reply."""
        ...


class Votes(Protocol):
    """Asks more than once where a verdict is in doubt.

    `ask(request, fresh)` asks the model; fresh: past the cache.
    """

    def decide(self, request: JudgeRequest, ask: Callable[[JudgeRequest, bool], Verdict], /) -> Verdict:
        """Return a verdict, asking as often as it takes."""
        ...

    async def adecide(
        self, request: JudgeRequest, ask: Callable[[JudgeRequest, bool], Awaitable[Verdict]], /
    ) -> Verdict:
        """As `decide`, on an event loop."""
        ...
