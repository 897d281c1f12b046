"""The decorator, for functions, coroutine functions, generators and async generators.

Each kind has one wrapper of its own kind, so that `inspect` says of the wrapper what it says of the
function. All four are the same `Recording` around the call.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final, ParamSpec, TypeVar, overload

from fieldwise.core.display import shown
from fieldwise.core.flow.desk import is_async
from fieldwise.errors import ConfigError
from fieldwise.integrations.opentelemetry._recording import Recipe, Recording
from fieldwise.integrations.opentelemetry._values import attribute, signature_of
from fieldwise.scorers import options

P = ParamSpec("P")
R = TypeVar("R")

_API: Final = "traced needs the OpenTelemetry API, which is not installed: pip install 'fieldwise[otel]'"
_KINDS: Final = frozenset(
    {
        "agent",
        "chain",
        "embedding",
        "evaluator",
        "guardrail",
        "llm",
        "prompt",
        "reranker",
        "retriever",
        "tool",
    }
)
"""The kinds of spans that OpenInference knows."""


@overload
def traced(name: Callable[P, R], /) -> Callable[P, R]: ...
@overload
def traced(
    name: str | None = None,
    *,
    span_type: str | None = None,
    attributes: Mapping[str, Any] | None = None,
    capture_input: bool = True,
    capture_output: bool = True,
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...
def traced(
    name: Any = None,
    *,
    span_type: str | None = None,
    attributes: Mapping[str, Any] | None = None,
    capture_input: bool = True,
    capture_output: bool = True,
) -> Any:
    """Record every call of a function as an OpenTelemetry span.

    The span is a child of the current one, and current while the function runs. Arguments are its attribute
    `input.value`, a JSON object by name without defaults; the result is `output.value`, text as it is and
    else JSON; either is cut at 100,000 characters. An exception is recorded, with status ERROR, and raised
    on. The span of a generator begins with its first item and ends when it is exhausted or closed; its
    output is the list of the first 1,000 items. Without a provider and outside `capture_spans`, nothing is
    recorded.

    Args:
        name: of the span; None: the function's. Used bare, `@traced`, it is the function.
        span_type: what the span stands for, the attribute `span_type`. One of OpenInference's kinds ("agent",
            "chain", "embedding", "evaluator", "guardrail", "llm", "prompt", "reranker", "retriever", "tool")
            is also `openinference.span.kind`; "tool" makes it a tool call: `tool.name` is the span's name.
        attributes: more of them; values that are no text, number or bool are recorded as JSON.
        capture_input: whether arguments are recorded.
        capture_output: whether results are recorded.

    Returns:
        A function of the same kind, with the same signature and types; used with arguments, a decorator.

    Raises:
        ConfigError: an option is of the wrong type, what is decorated is no function, or the OpenTelemetry
            API is not installed.

    Example:
        >>> from fieldwise.integrations.opentelemetry import capture_spans, traced
        >>> @traced(name="search", span_type="tool")
        ... def search(query: str) -> list[str]:
        ...     return [query.upper()]
        >>> with capture_spans() as run:
        ...     found = search("a")
        >>> run.spans[0].attributes["tool.name"], run.spans[0].attributes["input.value"]
        ('search', '{"query": "a"}')
    """
    _check_installed()
    if name is not None and not isinstance(name, str):
        return traced()(name)
    if name is not None:
        options.text("name", name)
    given = {**_kind(span_type), **{key: attribute(one) for key, one in _named(attributes).items()}}
    flags = (
        options.flag("capture_input", capture_input),
        options.flag("capture_output", capture_output),
    )

    def decorate(function: Any) -> Any:
        if not callable(function) or isinstance(function, type | staticmethod):
            raise ConfigError(
                f"traced: {shown(function)} is no function; put @traced next to `def`, "
                "below every other decorator"
            )
        called = str(name or getattr(function, "__name__", type(function).__name__))
        tool = {"tool.name": called} if span_type == "tool" else {}
        recipe = Recipe(called, {**tool, **given}, signature_of(function), *flags)
        return _wrapped(function, recipe)

    return decorate


def _check_installed() -> None:
    try:
        import opentelemetry.trace  # noqa: F401 - whether it is there
    except ImportError:
        raise ConfigError(_API) from None


def _kind(span_type: Any) -> dict[str, Any]:
    if span_type is None:
        return {}
    options.text("span_type", span_type)
    kind = {"openinference.span.kind": span_type.upper()} if span_type.lower() in _KINDS else {}
    return {"span_type": span_type, **kind}


def _named(attributes: Any) -> dict[str, Any]:
    if attributes is not None and not isinstance(attributes, Mapping):
        raise ConfigError(f"attributes={shown(attributes)}: must be a mapping from name to value")
    return {options.text("attributes", key): value for key, value in (attributes or {}).items()}


# ------------------------------------------------------------------------------------ the four kinds


def _wrapped(function: Any, recipe: Recipe) -> Any:
    if inspect.isasyncgenfunction(function):
        return _async_generator(function, recipe)
    if inspect.isgeneratorfunction(function):
        return _generator(function, recipe)
    return _coroutine(function, recipe) if is_async(function) else _plain(function, recipe)


def _plain(function: Any, recipe: Recipe) -> Any:
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with Recording(recipe, args, kwargs) as span:
            return span.returned(function(*args, **kwargs))

    return call


def _coroutine(function: Any, recipe: Recipe) -> Any:
    @functools.wraps(function)
    async def call(*args: Any, **kwargs: Any) -> Any:
        with Recording(recipe, args, kwargs) as span:
            return span.returned(await function(*args, **kwargs))

    return call


def _generator(function: Any, recipe: Recipe) -> Any:
    @functools.wraps(function)
    def generate(*args: Any, **kwargs: Any) -> Any:
        with Recording(recipe, args, kwargs) as span:
            inner = function(*args, **kwargs)
            step = functools.partial(next, inner)
            while True:
                try:
                    item = span.yielded(step())
                except StopIteration as stop:
                    return stop.value
                try:
                    with span.paused():
                        sent = yield item
                except GeneratorExit:
                    inner.close()
                    raise
                except BaseException as error:  # noqa: BLE001 - thrown in by the consumer: the inner one's to handle
                    step = functools.partial(inner.throw, error)
                else:
                    step = functools.partial(inner.send, sent)

    return generate


def _async_generator(function: Any, recipe: Recipe) -> Any:
    @functools.wraps(function)
    async def generate(*args: Any, **kwargs: Any) -> Any:
        with Recording(recipe, args, kwargs) as span:
            inner = function(*args, **kwargs)
            step = functools.partial(inner.__anext__)
            while True:
                try:
                    item = span.yielded(await step())
                except StopAsyncIteration:
                    return
                try:
                    with span.paused():
                        sent = yield item
                except GeneratorExit:
                    await inner.aclose()
                    raise
                except BaseException as error:  # noqa: BLE001 - as above
                    step = functools.partial(inner.athrow, error)
                else:
                    step = functools.partial(inner.asend, sent)

    return generate
