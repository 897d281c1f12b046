"""One span around one call: started, made current, filled, ended. Nothing it does raises.

A span that nobody records is made current only where it carries a trace on, as one that was sampled out
does. A generator's span is current while the generator runs, and not between: see `paused`.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import said
from fieldwise.integrations.opentelemetry._capture import current_tracer
from fieldwise.integrations.opentelemetry._values import arguments, described

if TYPE_CHECKING:
    import inspect
    from collections.abc import Iterator, Mapping
    from contextvars import Token
    from types import TracebackType
    from typing import Self

MOST_ITEMS: Final = 1_000
"""How many items of a generator are recorded."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the calls of one function are recorded.

    Attributes:
        name: of the span.
        attributes: that every span has.
        signature: of the function.
        capture_input: whether arguments are recorded.
        capture_output: whether results are recorded.
    """

    name: str
    attributes: Mapping[str, Any]
    signature: inspect.Signature | None
    capture_input: bool
    capture_output: bool


@dataclass(slots=True)
class Recording:
    """A span around one call, as a context manager."""

    recipe: Recipe
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    _span: Any = None
    _token: Token[Any] | None = None
    _items: list[Any] = field(default_factory=list)

    def __enter__(self) -> Self:
        from opentelemetry import trace

        tracer = current_tracer() or trace.get_tracer("fieldwise")
        span = tracer.start_span(self.recipe.name, record_exception=False, set_status_on_exception=False)
        if span.is_recording():
            with _quietly():
                span.set_attributes(dict(self.recipe.attributes))
            if self.recipe.capture_input:
                with _quietly():
                    given = arguments(self.recipe.signature, self.args, self.kwargs)
                    span.set_attributes(described("input", given))
        elif not span.get_span_context().is_valid:
            return self
        self._span = span
        self.resume()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        span, self.args, self.kwargs = self._span, (), {}
        if span is None:
            return
        self.pause()
        if error is not None and not isinstance(error, GeneratorExit):
            from opentelemetry.trace import Status, StatusCode

            with _quietly():
                span.set_status(Status(StatusCode.ERROR, said(error)))
            with _quietly():
                span.record_exception(error)
        if self._items:
            self._record(self._items)
        with _quietly():
            span.end()

    def returned(self, value: Any) -> Any:
        """Record what the call returned, and return it."""
        self._record(value)
        return value

    def yielded(self, item: Any) -> Any:
        """Note an item of a generator, and return it."""
        if self._span is not None and self.recipe.capture_output and len(self._items) < MOST_ITEMS:
            self._items.append(item)
        return item

    def resume(self) -> None:
        """Make the span the current one."""
        if self._span is not None:
            from opentelemetry import context, trace

            self._token = context.attach(trace.set_span_in_context(self._span))

    def pause(self) -> None:
        """Make the span before it the current one again."""
        token, self._token = self._token, None
        if token is not None:
            from opentelemetry import context

            context.detach(token)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Step out of the span while a generator waits for its consumer."""
        self.pause()
        try:
            yield
        finally:
            self.resume()

    def _record(self, value: Any) -> None:
        span = self._span
        if span is not None and self.recipe.capture_output and span.is_recording():
            with _quietly():
                span.set_attributes(described("output", value))


@contextmanager
def _quietly() -> Iterator[None]:
    try:
        yield
    except Exception as error:  # noqa: BLE001 - tracing never costs a call
        import logging

        logging.getLogger("fieldwise").warning("recording a span failed: %r", error)
