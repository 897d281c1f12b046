"""How many tokens a model call used, read from where the libraries write it.

| source | place |
|---|---|
| OpenInference | the attributes `llm.token_count.prompt`, `.completion`, `.total` |
| GenAI semantic conventions | `gen_ai.usage.input_tokens`, `.output_tokens`, and the names they had before |
| LangSmith run | `prompt_tokens`, …; of a model also `usage_metadata` in outputs, metadata or message |
| output of a model's span | the message, response or generations that its `output.value` is the JSON of |
| message | `usage_metadata`; `response_metadata`'s `token_usage` or `usage`; `usage` |

A count is a whole number from 0 up; what is none counts as not said. A total that is not said is the sum of
what is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.scorers.agents.reading.loose import decoded, field, items

if TYPE_CHECKING:
    from collections.abc import Iterable

Kind: TypeAlias = Literal["total", "input", "output"]

_ATTRIBUTES: Final = {
    "input": (
        "llm.token_count.prompt",
        "gen_ai.usage.input_tokens",
        "gen_ai.usage.prompt_tokens",
        "llm.usage.prompt_tokens",
    ),
    "output": (
        "llm.token_count.completion",
        "gen_ai.usage.output_tokens",
        "gen_ai.usage.completion_tokens",
        "llm.usage.completion_tokens",
    ),
    "total": ("llm.token_count.total", "gen_ai.usage.total_tokens", "llm.usage.total_tokens"),
}
_NAMES: Final = {
    "input": ("input_tokens", "prompt_tokens"),
    "output": ("output_tokens", "completion_tokens"),
    "total": ("total_tokens",),
}
_MOST: Final = 2**63


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by kind; None where nothing is said."""

    input: int | None = None
    output: int | None = None
    total: int | None = None

    def __bool__(self) -> bool:
        return self != _NOTHING

    def of(self, kind: Kind) -> int | None:
        """Return the tokens of one kind.

        >>> Usage(3, 4).of("total"), Usage(total=5).of("input")
        (7, None)
        """
        if kind != "total" or self.total is not None:
            found: int | None = getattr(self, kind)
            return found
        known = [one for one in (self.input, self.output) if one is not None]
        return sum(known) if known else None


_NOTHING: Final = Usage()


def attribute_usage(attributes: Any) -> Usage:
    """Return what a span's attributes say."""
    return _read(attributes, _ATTRIBUTES)


def run_usage(run: Any, *, model: bool) -> Usage:
    """Return what a LangSmith run says; `model`: whether it is one of a model."""
    if model:
        outputs, extra = field(run, "outputs"), field(run, "extra")
        places = (
            field(outputs, "usage_metadata"),
            field(field(extra, "metadata"), "usage_metadata"),
            field(field(outputs, "llm_output"), "token_usage"),
        )
        found = next(filter(None, (_read(one, _NAMES) for one in places)), None)
        found = found or next(filter(None, map(message_usage, _generated(outputs))), None)
        if found:
            return found
    return _read(run, _NAMES)


def written_usage(written: Any) -> Usage:
    """Return what a model's output says that a span has as JSON; of a stream, whose chunks add up, all of them.

    Chunks of which several carry a provider's own `usage` say nothing: some give sums, others parts.

    >>> written_usage('{"content": "Hi", "usage_metadata": {"input_tokens": 2, "output_tokens": 3}}')
    Usage(input=2, output=3, total=None)
    """
    value = decoded(written)
    if not isinstance(value, list):
        return message_usage(value) or run_usage({"outputs": value}, model=True)
    telling = [(chunk, said) for chunk in value if (said := message_usage(chunk))]
    if len(telling) > 1 and not all(field(chunk, "usage_metadata") for chunk, _ in telling):
        return _NOTHING
    return Usage(**{kind: _sum(getattr(said, kind) for _, said in telling) for kind in _NAMES})


def _sum(counts: Iterable[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _generated(outputs: Any) -> Iterable[Any]:
    """The messages in LangChain's generations, a list of lists."""
    for batch in items(field(outputs, "generations")):
        for one in items(batch):
            yield field(one, "message")


def message_usage(message: Any) -> Usage:
    """Return what a message, or a model's response, says.

    >>> message_usage({"usage_metadata": {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5}})
    Usage(input=2, output=3, total=5)
    """
    inner = field(message, "kwargs")
    if isinstance(message, Mapping) and isinstance(inner, Mapping):  # as LangChain serializes one
        message = inner
    response = field(message, "response_metadata")
    places = (
        field(message, "usage_metadata"),
        field(response, "token_usage"),
        field(response, "usage"),
        field(message, "usage"),
    )
    return next(filter(None, (_read(one, _NAMES) for one in places)), _NOTHING)


def messages_of(value: Any) -> list[Any]:
    """Return the messages there are: a list, a state's `messages`, or one message; each id once.

    >>> len(messages_of({"messages": [{"role": "user"}, {"role": "assistant"}]}))
    2
    """
    held = field(value, "messages")
    found = held if isinstance(held, list | tuple) else value
    listed = list(found) if isinstance(found, list | tuple) else [found]
    seen: set[str] = set()
    kept = []
    for one in listed:
        name = field(one, "id")
        if isinstance(name, str) and name:
            if name in seen:
                continue
            seen.add(name)
        kept.append(one)
    return kept


def _read(holder: Any, names: Mapping[str, tuple[str, ...]]) -> Usage:
    if holder is None:
        return _NOTHING
    counts = {
        kind: next((count for name in known if (count := _count(field(holder, name))) is not None), None)
        for kind, known in names.items()
    }
    return Usage(**counts)


def _count(value: Any) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < _MOST:
        return None
    return int(value) if value == int(value) else None
