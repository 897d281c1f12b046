"""Finds the JSON values in a reply: in fences, in prose, in leaked thinking.

Theory of operation: one pass over the text. `_EVENT` finds the next thing of interest: a thinking
tag, a fence, an opening bracket. At a bracket one value is read, quotes and all, and the pass goes
on behind it, so that nothing inside a value is ever an event: neither backticks in a string nor a
tag. Rules of the module:

1. A value right after an opening fence, and followed by the closing one, is fenced. Fences for JSON
   (or without a tag) beat other fences, these beat prose. In prose, lists of whole numbers and
   objects without quotes give way to anything else.
2. Prose is full of brackets. In it `[1]`, `[]` and `{}` are values only after a colon or an equals
   sign, `items["a"]` and `["text"](link)` never; nor is anything that fails to be read, unless it
   opens as only JSON does: `{"name":`. An empty object or list may also open the text.
3. A value that opens the text or a fence as JSON does, and then fails, is a candidate too: its
   failure is the answer, or makes the answer ambiguous. It is never passed over in silence. A bracket
   that opens them otherwise and fails may be prose, `[12:30] Bob:`; it is told in `Scan.failed`, with
   its end, for what is inside it is no answer of its own.
4. A value that opens the text, and is followed by one more closing bracket, by a quote or by `, "`,
   was closed too early: what follows is a part of it, not prose, and the whole is refused.
5. Values inside `<think>`, `<thinking>` or `<reasoning>`, or before a closing tag without an opening
   one, are no answers, but an answer that differs from them is ambiguous. A block without an end
   lasts to the end of the text.
6. Failed reads are paid for out of one budget, so the pass takes linear time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import IntEnum
from json import JSONDecodeError
from typing import TYPE_CHECKING, Final

from fieldwise.core.parse.reader import Broken, Reading, read
from fieldwise.core.parse.repair import REPAIR_LIMIT, balance, repair
from fieldwise.core.parse.strict import Refused, decode
from fieldwise.core.parse.tokens import BLANK

if TYPE_CHECKING:
    from fieldwise._types import Json

BUDGET: Final = 500_000
"""Characters of failed reads, plus `_TOLL` for each bracket, before the search is given up."""
_TOLL: Final = 50
_ERROR_COST: Final = 500
"""The C scanner counts the lines before an error: so many characters cost as much as one read."""

_EVENT: Final = re.compile(
    r"""(?P<think><(?P<slash>/?)(?P<block>think|thinking|reasoning)>)
    |(?P<line>^[^\S\n]*+)?(?P<mark>`{3,}+|~{3,}+)[^\S\n]*+(?P<tag>[\w.+\#-]*+)
    |[\[{]""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_FENCE_LINE: Final = re.compile(r"^[^\S\n]*+(?:`{3,}+|~{3,}+)[^\S\n]*+$", re.MULTILINE)
_JSON_TAGS: Final = frozenset({"", "json", "json5", "jsonc", "jsonl", "ndjson"})
_OPENS_AS_JSON: Final = re.compile(
    r"""\{\s*+(?:["'“}]|[\w$]++\s*+:)
    |(?:\[\s*+){1,8}+(?:["'“\]]|\{\s*+["'“}]|(?:-?[\d.]++|true|false|null|None|True|False)\s*+(?:[,\]]|\Z))""",
    re.VERBOSE,
)
_ONLY_JSON: Final = re.compile(r"""(?:\[\s*+){0,8}+\{\s*+(?P<quote>["'])[^"'\\\n]*+(?P=quote)\s*+:""")
MEANT: Final = re.compile(
    r"""\{[^\[\]{}:]++: | \[\s*+[^\s\w\[\]{}"',:]*+\d[\d.]*+[^\s\w\[\]{}"',:]*+\s*+[,\]]""", re.VERBOSE
)
"""How a failed object or array begins, if it is one: with a name, or with a number and a symbol."""
_PROSE: Final = re.compile(rf"(?!{MEANT.pattern})(?:\{{[^\[\]{{}}]*+\}}|\[[^\[\]{{}}]*+\])", re.VERBOSE)
"""A bracket in which nothing is a value."""
_ANNOUNCED: Final = re.compile(r"[:=]\s*+\Z")
_ANNOUNCE_WIDTH: Final = 20
_ATTACHED: Final = re.compile(r"[\w\])]")
_OVERRUN: Final = re.compile(r"""\s*+(?:[}\]"]|,\s*+["'])""")
_STRICT: Final = frozenset({"duplicate_keys", "non_finite"})


class Rank(IntEnum):
    """How much a place speaks for a value; only the highest rank present answers."""

    WEAK = 0
    PROSE = 1
    FENCE = 2
    JSON_FENCE = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value in the text, or something that can only have been meant as one."""

    start: int
    outcome: Reading | Broken
    rank: Rank


class GaveUp(Exception):
    """The text has more brackets than a search in bounded time can look through."""


def read_at(text: str, at: int, end: int, allowance: int = 0) -> Reading | Broken:
    """Read the value at offset `at`: strictly, else with liberties, else repaired."""
    try:
        value, stop, notes = decode(text, at)
        if stop <= end:
            return Reading(value, stop, frozenset(notes))
    except Refused as refused:
        return refusal(text, refused, at, end)
    except (JSONDecodeError, RecursionError):
        pass
    outcome = read(text, at, end)
    if isinstance(outcome, Broken) and outcome.kind == "syntax" and allowance:
        return repair(text, outcome, at, end, allowance)
    return outcome


def refusal(text: str, refused: Refused, at: int, end: int) -> Broken:
    """The failure of a value with a number or a nesting beyond the limits."""
    place = (", at ", text.index(refused.token, at)) if refused.token else ()
    return Broken("limit", (refused.reason, *place), end)


@dataclass(slots=True)
class Scan:
    """The candidates of a text, and the stretches that are wrapping: thinking blocks and fence marks.

    `failed` are the brackets that open the text or a fence, and were not read, nor opened as JSON does.
    """

    text: str
    end: int
    tags: bool = True
    found: list[Candidate] = field(default_factory=list)
    failed: list[Candidate] = field(default_factory=list)
    thoughts: list[Candidate] = field(default_factory=list)
    blocks: list[tuple[int, int]] = field(default_factory=list)
    fences: list[tuple[int, int]] = field(default_factory=list)
    thought: bool = False
    cut_thinking: bool = False
    spent: int = 0
    allowance: int = REPAIR_LIMIT
    _lead: int = -1
    """Where a value would open the text, or the fence that is open."""
    _fence: str = ""
    _rank: Rank = Rank.PROSE

    def run(self, pos: int = 0) -> Scan:
        """Pass over the text from offset `pos`; raises `GaveUp`."""
        self._lead = self.after_blank(pos)
        while match := _EVENT.search(self.text, pos, self.end):
            if match["think"]:
                pos = self._on_tag(match) if self.tags else match.end()
            elif match["mark"]:
                pos = self._on_fence(match)
            else:
                pos = self._on_open(match.start())
        return self

    def after_blank(self, pos: int) -> int:
        """The first offset from `pos` on that is not white space."""
        blank = BLANK.match(self.text, pos, self.end)
        return blank.end() if blank else pos

    def _on_tag(self, match: re.Match[str]) -> int:
        self.thought, self._fence = True, ""
        if match["slash"]:
            self.thoughts += _values(self.found)
            self.found, self.failed = [], []
            self.blocks, self.fences = [(0, match.end())], []
            self._lead = self.after_blank(match.end())
            return match.end()
        closing = re.compile(f"</{match['block']}>", re.IGNORECASE).search(self.text, match.end(), self.end)
        stop, after = closing.span() if closing else (self.end, self.end)
        inner = Scan(self.text, stop, tags=False, spent=self.spent, allowance=self.allowance).run(match.end())
        self.spent, self.allowance = inner.spent, inner.allowance
        self.thoughts += _values(inner.found)
        self.cut_thinking |= closing is None
        self.blocks.append((match.start(), after))
        self._lead = self.after_blank(after)
        return after

    def _on_fence(self, match: re.Match[str]) -> int:
        mark, tag, at_line_start = match["mark"], match["tag"].lower(), match["line"] is not None
        if self._fence and not tag:
            if at_line_start and mark.startswith(self._fence):
                self._close_fence(match.span())
            return match.end()
        inside = self.after_blank(match.end())
        if at_line_start or self.text[inside : inside + 1] in {"[", "{"}:
            self._fence, self._lead = mark, inside
            self._rank = Rank.JSON_FENCE if tag in _JSON_TAGS else Rank.FENCE
            self.fences.append(match.span())
        return match.end()

    def _close_fence(self, span: tuple[int, int]) -> int:
        self._fence, self._lead = "", -1
        self.fences.append(span)
        return span[1]

    def _on_open(self, at: int) -> int:
        self.spent += _TOLL
        if self.spent > BUDGET:
            raise GaveUp
        if at == self._lead and self._fence:
            return self._on_fenced(at)
        leading = at == self._lead
        may_repair = (_OPENS_AS_JSON if leading else _ONLY_JSON).match(self.text, at, self.end)
        outcome = self._read(at, self.end, repairing=bool(may_repair))
        if isinstance(outcome, Broken):
            return self._on_broken(at, outcome, Rank.PROSE, self.end, leading=leading)
        if (leading or "repaired" in outcome.ledger) and (
            overrun := _OVERRUN.match(self.text, outcome.end, self.end)
        ):
            after = (f"{overrun[0][-1]!r} at ", overrun.end() - 1, " comes after the end of the value")
            broken = Broken("mismatch", after, self.end)
            return self._on_broken(at, broken, Rank.PROSE, self.end, leading=leading)
        rank = self._prose_rank(at, outcome, leading=leading)
        if rank is not None:
            self.found.append(Candidate(at, outcome, rank))
        return outcome.end

    def _on_fenced(self, at: int) -> int:
        outcome = self._read(at, self.end, repairing=False)
        if isinstance(outcome, Broken):
            line = _FENCE_LINE.search(self.text, at, self.end)
            stop = line.start() if line else self.end
            may_repair = _OPENS_AS_JSON.match(self.text, at, stop)
            outcome = self._read(at, stop, repairing=bool(may_repair))
            if isinstance(outcome, Broken):
                after = self._on_broken(at, outcome, self._rank, stop, leading=True)
                return max(after, stop if may_repair else 0)
        return self._after_fenced(at, outcome)

    def _after_fenced(self, at: int, reading: Reading) -> int:
        """Decide whether the value fills its fence: the closing mark, the end or a value follows."""
        follows = self.after_blank(reading.end)
        following = self.text[follows : follows + 1]
        if follows == self.end or following in {"{", "["}:
            self.found.append(Candidate(at, reading, self._rank))
            self._lead = follows
            return reading.end
        if self.text.startswith(self._fence, follows):
            self.found.append(Candidate(at, reading, self._rank))
            return self._close_fence((follows, follows + len(self._fence)))
        rank = self._prose_rank(at, reading, leading=False)
        if rank is not None:
            self.found.append(Candidate(at, reading, rank))
        return reading.end

    def _on_broken(self, at: int, broken: Broken, rank: Rank, stop: int, *, leading: bool) -> int:
        opens = _OPENS_AS_JSON.match(self.text, at, self.end)
        if _ONLY_JSON.match(self.text, at, self.end) or (
            leading and (opens or broken.kind in {"truncated", "limit"})
        ):
            if broken.kind == "limit":
                broken = replace(broken, end=self.end)
            self.found.append(Candidate(at, broken, rank))
            return max(broken.end, at + 1)
        self.spent += broken.end - at
        if leading and not _PROSE.match(self.text, at, stop):
            span = balance(self.text, at, stop)
            end = stop if isinstance(span, Broken) else span.end
            self.spent += end - at
            self.failed.append(Candidate(at, replace(broken, end=end), rank))
        return at + 1

    def _read(self, at: int, end: int, *, repairing: bool) -> Reading | Broken:
        outcome = read_at(self.text, at, end, self.allowance if repairing else 0)
        if isinstance(outcome, Broken) or not outcome.ledger <= _STRICT:
            self.spent += at // _ERROR_COST
        if repairing and ("repaired" in outcome.ledger or isinstance(outcome, Broken)):
            self.allowance = max(0, self.allowance - (outcome.end - at))
        return outcome

    def _prose_rank(self, at: int, reading: Reading, *, leading: bool) -> Rank | None:
        """What a value outside fences counts for; None for a bracket that belongs to the prose."""
        if leading and self.after_blank(reading.end) == self.end:
            return Rank.PROSE
        if leading and self.text[at : reading.end] in {"{}", "[]"}:
            return Rank.WEAK
        value = _unwrapped(reading.value)
        if not value or _is_citation(value):
            announced = _ANNOUNCED.search(self.text, max(0, at - _ANNOUNCE_WIDTH), at)
            return Rank.WEAK if announced else None
        if isinstance(value, list):
            return self._list_rank(at, reading.end, value)
        certain = reading.ledger <= _STRICT or _ONLY_JSON.match(self.text, at, self.end)
        return Rank.PROSE if certain else Rank.WEAK

    def _list_rank(self, at: int, end: int, value: list[Json]) -> Rank | None:
        if any(isinstance(item, dict | list) for item in value):
            return Rank.PROSE
        if _ATTACHED.match(self.text[max(0, at - 1) : at]) or self.text.startswith("(", end):
            return None
        return Rank.WEAK if all(type(item) is int for item in value) else Rank.PROSE


def _unwrapped(value: Json) -> Json:
    """What is inside lists of one list: `[[1]]` cites as `[1]` does."""
    while isinstance(value, list) and len(value) == 1 and isinstance(value[0], list):
        value = value[0]
    return value


def _values(found: list[Candidate]) -> list[Candidate]:
    return [item for item in found if isinstance(item.outcome, Reading)]


def _is_citation(value: Json) -> bool:
    return isinstance(value, list) and len(value) == 1 and type(value[0]) is int
