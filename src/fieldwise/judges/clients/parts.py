"""Contents in parts, `[{"type": "text", "text": …}]`, and contents that should all say the same."""

from __future__ import annotations

from typing import Any, Final

from fieldwise.judges.clients.errors import member

_THOUGHTS: Final = frozenset({"reasoning", "thinking"})


def text_of(content: Any) -> tuple[Any, str | None]:
    """Return the text of a content in parts, dicts or objects, and its refusal; any other content is itself.

    >>> text_of([{"type": "text", "text": "a"}, {"type": "reasoning"}, "b"])
    ('ab', None)
    >>> text_of({"q1": True})
    ({'q1': True}, None)
    """
    if not isinstance(content, list) or not all(map(_is_part, content)):
        return content, None
    refusals = [member(part, "refusal") for part in content]
    return "".join(map(_text, content)), next((one for one in refusals if isinstance(one, str) and one), None)


def _is_part(one: Any) -> bool:
    return isinstance(one, str) or isinstance(member(one, "type"), str)


def _text(part: Any) -> str:
    if member(part, "type") in _THOUGHTS:
        return ""
    text = part if isinstance(part, str) else member(part, "text")
    text = text if isinstance(text, str) else member(text, "value")
    return text if isinstance(text, str) else ""


def agreed(contents: list[Any]) -> Any:
    """Return the one content of several, or all that differ: which of these is meant, no one can say.

    >>> agreed(["a", "", "a"]), agreed(["a", "b"]), agreed([])
    ('a', ['a', 'b'], None)
    """
    distinct = list({repr(content): content for content in contents if content}.values())
    if len(distinct) > 1:
        return distinct
    return (distinct or contents or [None])[0]
