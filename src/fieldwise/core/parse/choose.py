"""Chooses the answer among the values found in a text, and names the wrapping around it.

Rules of the module: the highest rank present answers; equal values are one value; several
different ones are ambiguous until the caller says which is meant. Values in leaked thinking answer
nothing, but they do make an answer ambiguous that differs from them. A failure that was meant as
JSON counts as a value of its own. A bracket that opens the text or a fence and fails is such a failure
as soon as a value is inside it, unless that is all there is inside: `{{"a": 1}}`, `[note: {"a": 1}]`. So
is one that begins as an object or array of values, and is all there is in the text or fence:
`{first name: "Ada"}`, `[$5, 6]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fieldwise._types import MISSING, MultipleJson, Truncated
from fieldwise.core.equality import freeze
from fieldwise.core.parse.reader import CLOSER, Broken, Reading, read
from fieldwise.core.parse.scan import MEANT, Candidate, Rank, Scan
from fieldwise.core.parse.tokens import BLANK, JSON_SPACE

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

NO_JSON: Final = "no JSON object or array in the text"
_BEFORE: Final = re.compile(r"\{\s*+|\[\s*+[^\W\d_][\w ]*+:\s*+")
_MARKS: Final = ("```", "~~~")
_CUT_THINKING: Final = "the text ends inside its thinking block and holds no answer; allow more output tokens"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the text amounts to, and the ledger of its wrapping."""

    outcome: Reading | Broken
    wrapping: frozenset[str]
    structured: bool = True


def closed_fields(outcome: Reading | Broken, truncated: Truncated) -> Reading | Broken:
    """Turn a cut value into what was closed before the cut, where the caller wants that."""
    if isinstance(outcome, Broken) and outcome.closed is not MISSING and truncated == "closed_fields":
        return Reading(outcome.closed, outcome.end, outcome.ledger)
    return outcome


def choose(scan: Scan, multiple: MultipleJson, truncated: Truncated, *, scalars: bool) -> Choice:
    """Choose the one outcome of a searched text."""
    pool = _pool(scan)
    if not pool:
        return _without_answer(scan, scalars=scalars)
    chosen = pool[-1 if multiple == "last" else 0]
    wrapping = set(_around(scan, pool, chosen))
    distinct = {_identity(item): item for item in reversed(pool)}
    if len(distinct) > 1:
        wrapping.add("multiple_json")
        if multiple == "error":
            return Choice(_ambiguous(scan, pool, len(distinct)), frozenset(wrapping))
    elif len(pool) > 1:
        wrapping.add("repeated_json")
    return Choice(closed_fields(chosen.outcome, truncated), frozenset(wrapping))


def _pool(scan: Scan) -> list[Candidate]:
    """The candidates among which to choose, in the order of the text; empty without an answer."""
    found = _whole(scan) if scan.failed else scan.found
    if not found:
        return []
    answer = max(item.rank for item in found)
    answers = [item for item in found if item.rank == answer]
    thoughts = [item for item in scan.thoughts if item.rank >= min(answer, Rank.PROSE)]
    return sorted([*thoughts, *answers], key=lambda item: item.start)


def _whole(scan: Scan) -> list[Candidate]:
    """What was found, but for what is inside a bracket that failed: there it is the failure.

    Lists of whole numbers, `[see pages [1, 2]]`, are no answer and stay what they are.
    """
    kept: list[Candidate] = []
    outer: Candidate | None = None
    failed = [item for item in scan.failed if _is_closed(scan, item) or _begins_as_json(scan, item)]
    opened = {item.start: item for item in failed}
    for item in sorted([*scan.found, *failed], key=lambda item: item.start):
        inside = outer is not None and item.start < outer.outcome.end and Rank.WEAK < item.rank <= outer.rank
        if item.start in opened:
            outer = outer if inside else item
        elif outer is None or not inside or _is_all_inside(scan, outer, item):
            kept.append(item)
        elif not kept or kept[-1] is not outer:
            kept.append(outer)
    return kept or [item for item in scan.failed if _is_meant(scan, item)][:1]


def _is_meant(scan: Scan, item: Candidate) -> bool:
    """Whether what failed was meant as JSON: it begins so, and is all there is in the text or fence."""
    follows = scan.after_blank(item.outcome.end)
    alone = follows == scan.end or (item.rank >= Rank.FENCE and scan.text.startswith(_MARKS, follows))
    return alone and _begins_as_json(scan, item)


def _begins_as_json(scan: Scan, item: Candidate) -> bool:
    return MEANT.match(scan.text, item.start, item.outcome.end) is not None


def _is_closed(scan: Scan, item: Candidate) -> bool:
    return scan.text[item.outcome.end - 1] == CLOSER[scan.text[item.start]]


def _is_all_inside(scan: Scan, outer: Candidate, item: Candidate) -> bool:
    """Whether a bracket has nothing else inside: doubled braces, a note before the value."""
    end = outer.outcome.end - 1
    before = _BEFORE.fullmatch(scan.text, outer.start, item.start)
    return _is_closed(scan, outer) and before is not None and scan.after_blank(item.outcome.end) == end


def _identity(item: Candidate) -> Hashable:
    outcome = item.outcome
    return freeze(outcome.value) if isinstance(outcome, Reading) else ("broken", item.start)


_AMBIGUOUS_FIX: Final = '; say which is meant with multiple_json="first" or "last"'


def _ambiguous(scan: Scan, pool: list[Candidate], count: int) -> Broken:
    found, fix = f"{count:,} different JSON values in the text, the first at ", _AMBIGUOUS_FIX
    return Broken("syntax", (found, pool[0].start, ", the last at ", pool[-1].start, fix), scan.end)


def _gaps(scan: Scan, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The stretches that are neither thinking nor among `spans`, white space aside."""
    covered = sorted([*scan.blocks, *spans])
    pos = 0
    for start, end in [*covered, (scan.end, scan.end)]:
        pos = scan.after_blank(pos)
        if pos < start:
            yield pos, start
        pos = max(pos, end)


def _around(scan: Scan, pool: list[Candidate], chosen: Candidate) -> Iterator[str]:
    """The ledger of the wrapping; marks of fences that hold no answer are prose."""
    fenced = chosen.rank >= Rank.FENCE
    spans = [(item.start, scan.end if _is_open_end(item) else item.outcome.end) for item in pool]
    if scan.thought:
        yield "thinking"
    if fenced:
        yield "fenced"
    if any(True for _ in _gaps(scan, [*spans, *(scan.fences if fenced else ())])):
        yield "prose"


def _is_open_end(item: Candidate) -> bool:
    """Whether nobody can say where a failed value would have ended."""
    return isinstance(item.outcome, Broken) and item.rank < Rank.FENCE


def _without_answer(scan: Scan, *, scalars: bool) -> Choice:
    thinking = frozenset({"thinking"} if scan.thought else ())
    if scan.cut_thinking:
        broken = Broken("truncated", (_CUT_THINKING,), scan.end, ledger=frozenset({"truncated"}))
        return Choice(broken, thinking, structured=False)
    gaps = list(_gaps(scan, scan.fences)) if scalars else []
    if len(gaps) != 1:
        return Choice(Broken("syntax", (NO_JSON,), scan.end), thinking, structured=False)
    outcome = read_scalar(scan.text, *gaps[0])
    return Choice(outcome, thinking | ({"fenced"} if scan.fences else set()), structured=False)


def read_scalar(text: str, start: int, end: int) -> Reading | Broken:
    """Read a text, number or literal that fills a stretch of the text."""
    outcome = read(text, start, end)
    if isinstance(outcome, Broken):
        return outcome
    blank = BLANK.match(text, outcome.end, end)
    if blank and blank.end() < end:
        return Broken("syntax", ("not JSON at ", blank.end(), ": text after the value"), end)
    if text[outcome.end : end].strip(JSON_SPACE):
        return Reading(outcome.value, end, outcome.ledger | {"whitespace"})
    return outcome
