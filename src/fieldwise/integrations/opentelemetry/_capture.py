"""The spans of one run, told from those of every other run of the process.

A capture opens a root span, so a trace, of its own, and a processor of ours in the provider sorts what
starts and ends there. A span belongs to the capture of its trace; one that starts a new trace, to the
capture whose context it starts in. What belongs to a capture also belongs to those around it.

The root span is no part of `spans`. Where the provider samples it out, a root of our own provider stands
in, so that what follows its parent is recorded all the same.
"""

from __future__ import annotations

import weakref
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.metadata import version
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.core.once import once
from fieldwise.errors import ConfigError
from fieldwise.scorers import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.trace import Span, Tracer

_LIBRARY: Final = "fieldwise"
_SDK: Final = (
    "capture_spans needs the OpenTelemetry SDK, which is not installed: pip install 'fieldwise[otel]'"
)

_here: ContextVar[SpanCapture | None] = ContextVar("fieldwise_capture", default=None)
_traces: dict[int, SpanCapture] = {}
"""Which open capture a trace belongs to."""
_watched: dict[int, weakref.ref[Any]] = {}
"""The providers that have our processor, by `id`."""
_lock = Lock()


class SpanCapture:
    """The finished spans of one run; `capture_spans` makes it."""

    def __init__(self, outer: SpanCapture | None) -> None:
        self._outer = outer
        self._open = True
        self._ids: set[int] = set()
        self._started: dict[int, int] = {}
        self._found: list[ReadableSpan] = []
        self._root = 0
        self.tracer: Tracer | None = None

    @property
    def spans(self) -> list[ReadableSpan]:
        """Return the spans that have ended so far, by start; those of one moment as they were begun."""
        known = self._started
        return sorted(self._found, key=lambda span: (span.start_time or 0, known.get(_span_id(span), 0)))

    def __repr__(self) -> str:
        return f"SpanCapture({len(self._found)} spans)"

    def _begin(self, trace: int, span: int) -> None:
        """Note that a span started, and that its trace is one of ours."""
        if _traces.get(trace) is not self:
            with _lock:
                if not self._open:
                    return
                _traces[trace] = self
                self._ids.add(trace)
        one: SpanCapture | None = self
        while one is not None:
            one._started[span] = len(one._started)  # noqa: SLF001 - of the same class
            one = one._outer  # noqa: SLF001

    def _end(self, span: ReadableSpan) -> None:
        """Keep a span that ended, here and in the captures around, unless it is the root of one."""
        if _span_id(span) == self._root:
            return
        one: SpanCapture | None = self
        while one is not None:
            if one._open:  # noqa: SLF001
                one._found.append(span)  # noqa: SLF001
            one = one._outer  # noqa: SLF001

    def _close(self) -> None:
        with _lock:
            self._open = False
            for trace in self._ids:
                _traces.pop(trace, None)


def _span_id(span: Any) -> int:
    context = span.get_span_context()
    return 0 if context is None else int(context.span_id)


@contextmanager
def capture_spans(
    name: str = "fieldwise.run", *, provider: Any = None, install: bool = False
) -> Iterator[SpanCapture]:
    """Capture the spans of what runs inside, and of nothing else.

    Works in any number of tasks and threads at once. Spans of every library that uses the same provider
    are captured: of `traced` functions, of OpenInference, of LangSmith. Threads that the run starts without
    its context, so that their spans have no parent, are not seen.

    Args:
        name: of the root span, which an exporter of the provider gets too.
        provider: the SDK's TracerProvider whose spans are wanted; None: the one that is set for the process.
            Where none is set, `traced` functions record in one of our own, and others do not.
        install: whether one of our own is set for the process where none is, so that every library
            records. OpenTelemetry lets that be done once: a program may, a library had better not.

    Yields:
        An object whose `spans` are the finished ones so far, sorted by start.

    Raises:
        ConfigError: the SDK is not installed, or `provider` takes no span processors.

    Example:
        >>> from fieldwise.integrations.opentelemetry import capture_spans, traced
        >>> @traced(name="double")
        ... def double(x: int) -> int:
        ...     return 2 * x
        >>> with capture_spans() as run:
        ...     four = double(2)
        >>> [(span.name, span.attributes["output.value"]) for span in run.spans]
        [('double', '4')]
    """
    options.text("name", name)
    chosen = _watch(_provider(provider, install=options.flag("install", install)))
    from opentelemetry import trace

    capture = SpanCapture(_here.get())
    token = _here.set(capture)
    try:
        root = _open_root(capture, chosen, name)
        with trace.use_span(root, end_on_exit=True):
            yield capture
    finally:
        _here.reset(token)
        capture._close()  # noqa: SLF001 - of the same module


def current_tracer() -> Tracer | None:
    """Return the tracer of the capture around, or None outside any."""
    capture = _here.get()
    return None if capture is None or not capture._open else capture.tracer  # noqa: SLF001 - as above


def _open_root(capture: SpanCapture, chosen: Any, name: str) -> Span:
    """Start a trace; where the provider does not record it, in our own."""
    from opentelemetry import trace

    apart = trace.set_span_in_context(trace.INVALID_SPAN)
    for provider in (chosen, _own_provider()):
        tracer: Tracer = provider.get_tracer(_LIBRARY, version(_LIBRARY))
        capture.tracer = tracer
        root = tracer.start_span(name, context=apart)
        if root.is_recording():
            break
    context = root.get_span_context()
    capture._root = context.span_id  # noqa: SLF001 - as above
    capture._begin(context.trace_id, context.span_id)  # noqa: SLF001 - unseen by our processor if sampled out
    return root


# ----------------------------------------------------------------------------------------- providers


def _provider(given: Any, *, install: bool) -> Any:
    """The provider whose spans are captured."""
    try:
        import opentelemetry.sdk.trace  # noqa: F401 - whether it is there
        from opentelemetry import trace
    except ImportError:
        raise ConfigError(_SDK) from None
    if given is not None:
        if not hasattr(given, "add_span_processor"):
            raise ConfigError(f"provider={shown(given)}: must be a TracerProvider of the OpenTelemetry SDK")
        return given
    current = trace.get_tracer_provider()
    if isinstance(current, trace.ProxyTracerProvider) and install:
        trace.set_tracer_provider(_own_provider())
        current = trace.get_tracer_provider()
    return current if hasattr(current, "add_span_processor") else _own_provider()


@once
def _own_provider() -> Any:
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.sampling import ALWAYS_ON

    resource = Resource({"service.name": _LIBRARY})
    return _watch(TracerProvider(sampler=ALWAYS_ON, resource=resource, shutdown_on_exit=False))


def _watch(provider: Any) -> Any:
    """Add our processor to a provider that has it not."""
    with _lock:
        known = _watched.get(id(provider))
        if known is None or known() is not provider:
            provider.add_span_processor(_processor())
            _watched[id(provider)] = weakref.ref(provider)
    return provider


@once
def _processor() -> Any:
    from opentelemetry.sdk.trace import SpanProcessor

    class Sorter(SpanProcessor):
        """Tells every capture its spans."""

        def on_start(self, span: Any, parent_context: Any = None) -> None:  # noqa: ARG002 - the interface
            context = span.get_span_context()
            capture = _traces.get(context.trace_id) or _here.get()
            if capture is not None:
                capture._begin(context.trace_id, context.span_id)  # noqa: SLF001 - of the same module

        def on_end(self, span: ReadableSpan) -> None:
            context = span.get_span_context()
            capture = None if context is None else _traces.get(context.trace_id)
            if capture is not None:
                capture._end(span)  # noqa: SLF001

    return Sorter()
