"""Values as text for people, and data as text that a page can hold.

Numbers are written here, not by the script: in JavaScript an integer past 2**53 is another number.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.display import shown
from fieldwise.core.equality import canonical
from fieldwise.core.values import Unconvertible

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINE: Final = 72
"""How long a list of scalars may be to stand on one line."""

_DEEP: Final = 40
"""Below this depth a value is one line."""

_UNSAFE: Final = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def embedded(data: Any) -> str:
    r"""Return JSON that is the same text in HTML as anywhere, of characters that UTF-8 has.

    >>> print(embedded("</script>"))
    "\u003c/script\u003e"
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def plain(value: Any) -> Any:
    """Return a value as JSON; what has no JSON form as the text Python shows of it."""
    try:
        return to_json(value)
    except Unconvertible:
        return shown(value)


def pretty(value: Any) -> str:
    """Return JSON in lines, as people read it; text at the top is itself.

    >>> print(pretty({"b": 1.0, "a": ["x", {}]}))
    {
      "b": 1,
      "a": [
        "x",
        {}
      ]
    }
    """
    return value if isinstance(value, str) else "".join(_tokens(value))


def _tokens(root: Any) -> Iterator[str]:
    """Write a value without recursion: a stack of texts, and of values with their depth."""
    stack: list[tuple[str, Any, int]] = [("", root, 0)]
    while stack:
        before, value, depth = stack.pop()
        yield before
        if value is MISSING:
            continue
        if not isinstance(value, dict | list) or not value or depth > _DEEP or _short(value):
            yield _one_line(value)
            continue
        inner, outer = "\n" + "  " * (depth + 1), "\n" + "  " * depth
        named = isinstance(value, dict)
        labels = [f"{canonical(name)}: " for name in value] if named else [""] * len(value)
        parts = [*(value.values() if isinstance(value, dict) else value)]
        opening, closing = "{}" if named else "[]"
        stack.append((outer + closing, MISSING, 0))
        for at in range(len(parts) - 1, -1, -1):
            comma = "," if at else opening
            stack.append((comma + inner + labels[at], parts[at], depth + 1))


def _short(value: Any) -> bool:
    """Whether a value is a list of scalars that fits one line."""
    if not isinstance(value, list) or len(value) > _LINE // 2:
        return False
    scalars = not any(isinstance(one, dict | list | str) for one in value)
    return scalars and len(canonical(value)) <= _LINE


def _one_line(value: Any) -> str:
    return canonical(value).replace(",", ", ") if _short(value) else canonical(value)


def aligned(value: Any, model: Any, depth: int = 0) -> Any:
    """Return a value whose objects have their names in the order of the model's, further ones last.

    >>> aligned({"x": 0, "b": {"d": 1, "c": 2}, "a": 3}, {"a": 3, "b": {"c": 2, "d": 1}})
    {'a': 3, 'b': {'c': 2, 'd': 1}, 'x': 0}
    """
    if depth > _DEEP:
        return value
    if isinstance(value, dict) and isinstance(model, dict):
        names = [*(name for name in model if name in value), *(name for name in value if name not in model)]
        return {name: aligned(value[name], model.get(name), depth + 1) for name in names}
    if isinstance(value, list) and isinstance(model, list):
        same = min(len(value), len(model))
        return [aligned(value[at], model[at], depth + 1) for at in range(same)] + value[same:]
    return value


@dataclass(slots=True)
class Room:
    """How much text a page holds; once most of it is used, what comes gets less.

    Attributes:
        left: how many characters there is room for.
    """

    left: int = 24_000_000
    roomy: int = 20_000
    tight: int = 600

    def cut(self, text: str) -> str:
        r"""Return text, cut where it is too long, saying so in a line of its own.

        >>> Room(left=0, tight=3).cut("abcdef")
        'abc\n… 3 more characters, left out of this page'
        """
        most = self.roomy if self.left > 0 else self.tight
        self.left -= min(len(text), most)
        if len(text) <= most:
            return text
        return f"{text[:most]}\n… {len(text) - most:,} more characters, left out of this page"


@dataclass(slots=True)
class Pool:
    """The texts of one item, each once.

    >>> pool = Pool(Room())
    >>> [pool.put(text) for text in ("a", "b", "a")], pool.texts
    ([0, 1, 0], ['a', 'b'])
    """

    room: Room
    texts: list[str] = field(default_factory=list)
    _places: dict[str, int] = field(default_factory=dict)

    def put(self, text: str) -> int:
        """Return the place of a text."""
        if text not in self._places:
            self._places[text] = len(self.texts)
            self.texts.append(self.room.cut(text))
        return self._places[text]
