"""How many tokens a model call used, read from where the libraries write it.

| source | place |
|---|---|
| OpenInference | the attributes `llm.token_count.prompt`, `.completion`, `.total` |
| GenAI semantic conventions | `gen_ai.usage.input_tokens`, `.output_tokens`, and the names they had before |
| LangSmith run | `prompt_tokens`, …; of a model also `usage_metadata` in outputs, metadata or message |
| output of a model's span | the message, response or generations that its `output.value` is the JSON of |
| message | `usage_metadata`; `response_metadata`'s `token_usage` or `usage`; `usage` |

A count is a whole number from 0 up, or the digits of one. What stands where a count should and is none is
kept as unread: somebody said how many, and nobody knows. A total that is not said is the sum of what is. Of
several places the first that can be read whole counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.scorers.agents.reading.loose import decoded, field, is_mapping, items

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

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
_DIGITS: Final = re.compile(r"\s*[0-9]{1,19}\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens by kind; None where nothing is said, or nothing that can be read.

    Attributes:
        unread: what cannot be read, kind and text for people.
    """

    input: int | None = None
    output: int | None = None
    total: int | None = None
    unread: tuple[tuple[str, str], ...] = ()

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
        return _sum((self.input, self.output))

    def gap(self, kind: Kind) -> str | None:
        """Return what was said of one kind and cannot be read, so that there may be more than `of` says.

        >>> Usage(output=1, unread=(("input", "input_tokens='many'"),)).gap("total")
        "input_tokens='many'"
        """
        total = kind == "total"
        whole = total and (self.total is not None or None not in (self.input, self.output))
        return None if whole else next((told for name, told in self.unread if total or name == kind), None)


_NOTHING: Final = Usage()


def run_usage(run: Any, *, model: bool) -> Usage:
    """Return what a LangSmith run says; `model`: whether it is one of a model."""
    own = _read(run, _NAMES)
    if not model:
        return own
    outputs, extra = field(run, "outputs"), field(run, "extra")
    places = (
        field(outputs, "usage_metadata"),
        field(field(extra, "metadata"), "usage_metadata"),
        field(field(outputs, "llm_output"), "token_usage"),
    )
    return _best((*(_read(one, _NAMES) for one in places), *map(message_usage, _generated(outputs)), own))


def span_usage(attributes: Any, *, model: bool) -> Usage:
    """Return what a span says; of a model's, what its output says where its attributes do not."""
    said = _read(attributes, _ATTRIBUTES)
    written = field(attributes, "output.value") if model and (not said or said.unread) else None
    return said if written is None else _best((said, written_usage(written)))


def written_usage(written: Any) -> Usage:
    """Return what a model's output says that a span has as JSON; of a stream, what its chunks add up to.

    Chunks of which several carry a provider's own `usage` say nothing: some give sums, others parts.

    >>> written_usage('{"content": "Hi", "usage_metadata": {"input_tokens": 2, "output_tokens": 3}}').output
    3
    """
    value = decoded(written)
    if not isinstance(value, list):
        return _best((message_usage(value), run_usage({"outputs": value}, model=True)))
    telling = [(chunk, said) for chunk in value if (said := message_usage(chunk))]
    if len(telling) > 1 and not all(field(chunk, "usage_metadata") for chunk, _ in telling):
        return _NOTHING
    unread = tuple(one for _, said in telling for one in said.unread)
    return Usage(**{kind: _sum(getattr(said, kind) for _, said in telling) for kind in _NAMES}, unread=unread)


def _best(said: Iterable[Usage]) -> Usage:
    """The first that says something and can be read whole; else the first that says something."""
    telling = [one for one in said if one]
    return next((one for one in telling if not one.unread), telling[0] if telling else _NOTHING)


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

    >>> message_usage({"usage_metadata": {"input_tokens": 2, "output_tokens": 3, "total_tokens": 5}}).total
    5
    """
    message = unpacked(message)
    response = field(message, "response_metadata")
    places = (
        field(message, "usage_metadata"),
        field(response, "token_usage"),
        field(response, "usage"),
        field(message, "usage"),
    )
    return _best(_read(one, _NAMES) for one in places)


def unpacked(message: Any) -> Any:
    """Return a message as LangChain serializes one without its wrapping; any other as it is."""
    inner = field(message, "kwargs") if is_mapping(message) else None
    return inner if is_mapping(inner) else message


def _read(holder: Any, names: Mapping[str, tuple[str, ...]]) -> Usage:
    if holder is None:
        return _NOTHING
    counts: dict[str, int] = {}
    unread: list[tuple[str, str]] = []
    for kind, known in names.items():
        said = [(name, value) for name in known if (value := field(holder, name)) is not None]
        count = next((found for _, value in said if (found := _count(value)) is not None), None)
        if count is not None:
            counts[kind] = count
        elif said:
            unread.append((kind, f"{said[0][0]}={shown(said[0][1], 40)}"))
    return Usage(**counts, unread=tuple(unread)) if counts or unread else _NOTHING


def _count(value: Any) -> int | None:
    try:
        plain = to_json(value)
    except Exception:  # noqa: BLE001 - whatever an object of someone else's raises, it is no count
        return None
    if isinstance(plain, str) and _DIGITS.fullmatch(plain):
        plain = int(plain)
    if isinstance(plain, bool) or not isinstance(plain, int | float) or not 0 <= plain < _MOST:
        return None
    return int(plain) if plain == int(plain) else None
