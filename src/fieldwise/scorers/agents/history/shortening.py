r"""Lines of JSON within a budget of tokens: long contents cut in their middle, then lines left out.

Rules of this module:
1. What is shortened is said in a member of ours, which no content can forge: a content that is cut stands as
   `<member>_cut` with its start, its end and how much is missing between them; lines that are left out
   become one line, `left_out`, with the names of the calls in them.
2. The longest contents are cut first, to one length; none below `LEAST` bytes, so the mark always fits.
3. Where that is not enough, lines are left out from the middle; both ends stay, the end first.
4. The name of no call is lost. Where even the names are too many in their order, they are counted by name;
   where that is too long as well, the text is longer than the budget.
5. Equal lines make equal text. Work is by bytes; a `count` of the user's is asked about whole texts only,
   a few times.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.core.display import shown
from fieldwise.core.prompts import encode

if TYPE_CHECKING:
    from fieldwise._types import Json

Count: TypeAlias = Callable[[str], int]

BYTES_PER_TOKEN: Final = 3
LEAST: Final = 160
NAME_LIMIT: Final = 200
"""Names, roles and ids of more characters than this are cut whatever the budget."""

_TRIES: Final = 8
_MOST_TOKENS: Final = 10**18


def estimate(text: str) -> int:
    """Return about how many tokens a text has, rather too many: one for every three bytes of UTF-8.

    >>> estimate("What is the weather in Rome?")
    10
    """
    return -(-_bytes(text) // BYTES_PER_TOKEN)


class Content:
    """A member of a line that may be long: `"key":value`.

    A text is cut as such, any other value as the JSON text it is written as.
    """

    __slots__ = ("_ends", "_key", "_raw", "size", "whole")

    def __init__(self, key: str, value: Json) -> None:
        written = encode(value)
        self.whole = f'"{key}":{written}'
        self.size = _bytes(self.whole)
        self._key = key
        self._raw, self._ends = (value, "") if isinstance(value, str) else (written, "json_")

    def within(self, size: int) -> str:
        """Return it in at most `size` bytes, which are at least `LEAST`."""
        if self.size <= size:
            return self.whole
        return f'"{self._key}_cut":{_cut(self._raw, size - len(self._key) - 7, self._ends)}'


def short(key: str, text: str | None) -> str:
    r"""Return a member that is a name or an id: whole, but for a monstrous one.

    >>> short("name", "search")
    '"name":"search"'
    """
    if text is None or len(text) <= NAME_LIMIT:
        return f'"{key}":{encode(text)}'
    return f'"{key}_cut":{_short(text)}'


def _short(text: str | None) -> str:
    return encode(text) if text is None or len(text) <= NAME_LIMIT else _cut(text, NAME_LIMIT, "")


def _cut(text: str, size: int, ends: str) -> str:
    """The start and the end of a text, in an object of at most `size` bytes."""
    marks = f'{{"{ends}start":"","left_out":"{len(text):,} characters","{ends}end":""}}'
    half = max(0, size - len(marks)) // 2
    start = _fitting(text, half, last=False)
    end = _fitting(text[len(start) :], half, last=True)
    left_out = len(text) - len(start) - len(end)
    return f'{{"{ends}start":{encode(start)},"left_out":"{left_out:,} characters","{ends}end":{encode(end)}}}'


def _fitting(text: str, room: int, *, last: bool) -> str:
    """The longest start or end of a text that is written in `room` bytes, or nearly."""
    keep = min(len(text), room)
    while keep > 0:
        part = text[len(text) - keep :] if last else text[:keep]
        size = _bytes(encode(part)) - 2
        if size <= room:
            return part
        keep = min(keep - 1, keep * room // size)
    return ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: text and contents in turn, and the names of the calls in it."""

    parts: tuple[str | Content, ...]
    calls: tuple[str | None, ...] = ()

    def text(self, size: int | None = None) -> str:
        """Return it, its contents whole or each in at most `size` bytes."""
        return "".join(
            part if isinstance(part, str) else part.whole if size is None else part.within(size)
            for part in self.parts
        )

    def contents(self) -> list[int]:
        """Return the sizes of its contents."""
        return [part.size for part in self.parts if isinstance(part, Content)]

    def frame(self) -> int:
        """Return how many bytes it has beside its contents, the end of the line included."""
        return 1 + sum(_bytes(part) for part in self.parts if isinstance(part, str))


@dataclass(frozen=True, slots=True)
class Shortened:
    """Lines as one text.

    Attributes:
        text: the lines.
        tokens: how many it has.
        cut: whether anything is missing.
    """

    text: str
    tokens: int
    cut: bool


def shortened(lines: Sequence[Line], budget: int, count: Count = estimate) -> Shortened:
    """Return lines as one text of at most `budget` tokens.

    Args:
        lines: at least one.
        budget: the most tokens.
        count: how many tokens a text has.

    Raises:
        TypeError: for a count that is no number.
    """
    whole = "\n".join(line.text() for line in lines)
    tokens = _counted(count, whole)
    if tokens <= budget:
        return Shortened(whole, tokens, cut=False)
    measured = _Measured(lines)
    aim = min(budget * _bytes(whole) // tokens, _bytes(whole) - 1)
    text = whole
    for _ in range(_TRIES):
        text = measured.within(aim)
        tokens = _counted(count, text)
        if tokens <= budget:
            break
        aim = min(aim * 31 // 32, aim * budget // tokens)
    return Shortened(text, tokens, cut=True)


def _counted(count: Count, text: str) -> int:
    found: object = count(text)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found <= _MOST_TOKENS:
        raise TypeError(f"a number of tokens is {shown(found)}")
    return math.ceil(found)


class _Measured:
    """Lines and their sizes, in bytes."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines
        self._frames = [line.frame() for line in lines]
        self._contents = [line.contents() for line in lines]
        self._least = [
            frame + sum(min(size, LEAST) for size in sizes)
            for frame, sizes in zip(self._frames, self._contents, strict=True)
        ]

    def within(self, aim: int) -> str:
        """Return the lines in at most `aim` bytes, if that can be."""
        if sum(self._least) <= aim:
            return self._joined(len(self._lines), len(self._lines), [], aim)
        gap = _gap(self._lines, in_order=True)
        in_order = _bytes(gap) <= aim // 3
        gap = gap if in_order else _gap(self._lines, in_order=False)
        head, tail = _ends(self._least, aim - _bytes(gap) - 1)
        return self._joined(head, tail, [_gap(self._lines[head:tail], in_order=in_order)], aim)

    def _joined(self, head: int, tail: int, gap: list[str], aim: int) -> str:
        """The lines before `head`, what stands for those between, and the lines from `tail` on."""
        kept = [*range(head), *range(tail, len(self._lines))]
        room = aim - sum(self._frames[at] for at in kept) - sum(_bytes(text) + 1 for text in gap)
        size = max(LEAST, _common([size for at in kept for size in self._contents[at]], room))
        texts = [self._lines[at].text(size) for at in kept]
        return "\n".join([*texts[:head], *gap, *texts[head:]])


def _common(sizes: Sequence[int], room: int) -> int:
    """The size to which all longer ones are cut, so that all together fit into `room`."""
    ordered = sorted(sizes)
    for at, size in enumerate(ordered):
        if size * (len(ordered) - at) > room:
            return room // (len(ordered) - at)
        room -= size
    return ordered[-1] if ordered else 0


def _ends(costs: Sequence[int], room: int) -> tuple[int, int]:
    """Where the kept start of a list ends and its kept end starts, taken from both ends in turn."""
    head, tail, stuck, last = 0, len(costs), 0, True
    while head < tail and stuck < 2:  # noqa: PLR2004 - there are two ends
        at = tail - 1 if last else head
        if costs[at] <= room:
            room -= costs[at]
            head, tail = (head, at) if last else (at + 1, tail)
            stuck = 0
        else:
            stuck += 1
        last = not last
    return head, tail


def _gap(lines: Sequence[Line], *, in_order: bool) -> str:
    """The line that stands for lines that are left out."""
    names = [name for line in lines for name in line.calls]
    counted: Any = ((name, len(list(same))) for name, same in groupby(names))
    if not in_order:
        counted = Counter(names).items()
    listed = ",".join(f"[{_short(name)},{number}]" for name, number in counted)
    how = "in_order" if in_order else "by_name"
    return f'{{"left_out":{{"lines":{len(lines)},"calls_{how}":[{listed}]}}}}'


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
