"""What the messages that an agent left behind say of tokens, and which of them a model wrote.

Messages are a list, a state's `messages`, or one by itself, a provider's response among them. What is there
twice counts once: the same id that says the same. Chunks of a stream have one id, and one of them says it
all, or each a part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fieldwise.scorers.agents.reading.loose import field, has, items, text
from fieldwise.scorers.agents.reading.provider import message, role_of
from fieldwise.scorers.agents.spans.usage import Usage, message_usage, unpacked


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message.

    Attributes:
        name: for people.
        usage: what it says of tokens.
        model: whether a model wrote it.
    """

    name: str
    usage: Usage
    model: bool


def spoken(value: Any) -> list[Spoken]:
    """Return the messages that say something of tokens, and those that a model wrote and that do not.

    >>> said = {"role": "assistant", "content": "Hi", "usage": {"total_tokens": 3}}
    >>> [one.name for one in spoken([{"role": "user"}, said, {"role": "assistant"}])]
    ['message 1', 'message 2']
    """
    listed = items(field(value, "messages")) or items(value) or [value]
    read = [(text(field(unpacked(one), "id")), message_usage(one)) for one in listed]
    telling = {name for name, usage in read if name and usage}
    seen: set[tuple[str, Usage]] = set()
    found = []
    for at, (name, usage) in enumerate(read):
        if name and ((name, usage) in seen or (not usage and name in telling)):
            continue
        if name:
            seen.add((name, usage))
        one = Spoken(f"message {at}", usage, _of_model(listed[at]))
        if usage or one.model:
            found.append(one)
    return found


def _of_model(one: Any) -> bool:
    if has(one, "choices"):
        return True
    try:
        return role_of(message(one)) == "assistant"
    except Exception:  # noqa: BLE001 - it is no message, whatever it is
        return False
