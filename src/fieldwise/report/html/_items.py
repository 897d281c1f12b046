"""What the script shows: the rows of the table at once, and for each what opening it shows.

Rows are columns of short codes. The details are an array with one element a line, so that the script reads
one line when one item is opened. Each detail is a list; `detail` says of what.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fieldwise.core.display import utf8
from fieldwise.evalsets.verdicts import aggregate_of
from fieldwise.report.html._book import field_name
from fieldwise.report.html._pairs import item_means
from fieldwise.report.html._sides import shown, sides
from fieldwise.report.html._spans import timeline
from fieldwise.report.html._text import Pool, Room, aligned, embedded, plain, pretty
from fieldwise.report.html._verdicts import VERDICTS, extra_of, mark_of, score_of
from fieldwise.report.words import seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import EvaluatorResult
    from fieldwise.evalsets.model import ItemResult
    from fieldwise.report.html._book import Book, Evaluator, Row


class Table:
    """A run as the script reads it, beside another one if there is one."""

    def __init__(self, book: Book, other: Book | None = None) -> None:
        self._book = book
        self._other = other
        self._evaluators = list(book.evaluators)
        self._statuses: dict[str, int] = {}
        self._there = _first(other.rows) if other else {}

    def rows(self) -> dict[str, Any]:
        """Return the columns of the table; verdicts and statuses are numbers of their lists."""
        rows = self._book.rows
        found = {
            "titles": [self._book.run.title, self._other.run.title if self._other else None],
            "verdicts": VERDICTS,
            "evaluators": [self._evaluator(name) for name in self._evaluators],
            "ids": [row.result.item for row in rows],
            "names": [row.result.name for row in rows],
            "repeated": any(row.result.repeat for row in rows),
            "repeats": [row.result.repeat for row in rows],
            "scores": [_short(row.mark.score) for row in rows],
            "marks": [VERDICTS.index(row.mark.verdict) for row in rows],
            "wrong": [[self._status(one) for one in row.statuses] for row in rows],
            "changes": self._changes(None),
        }
        return {**found, "statuses": [one.replace("_", " ") for one in self._statuses]}

    def details(self) -> str:
        """Return the details as JSON text, an element a line."""
        room = Room()
        return "[\n" + ",\n".join(embedded(self._detail(row, room)) for row in self._book.rows) + "\n]"

    def _evaluator(self, name: str) -> dict[str, Any]:
        one = self._book.evaluators[name]
        marks = [row.marks.get(name) for row in self._book.rows]
        return {
            "id": name,
            "name": one.whole.name,
            "lower": one.whole.lower,
            "scores": [None if mark is None else _short(mark.score) for mark in marks],
            "marks": [-1 if mark is None else VERDICTS.index(mark.verdict) for mark in marks],
            "changes": self._changes(one),
        }

    def _changes(self, one: Evaluator | None) -> list[float | None] | None:
        """How much better each row's item is than in the other run; None where either has no score."""
        other = self._other
        if other is None:
            return None
        same = other.whole if one is None else getattr(other.evaluators.get(one.id), "whole", None)
        here = item_means(self._book.whole if one is None else one.whole)
        there = {} if same is None else item_means(same)
        sign = -1 if one is not None and one.whole.lower else 1
        items = [row.result.item for row in self._book.rows]
        both = ((here.get(item), there.get(item)) for item in items)
        return [None if a is None or b is None else _short(sign * (a - b)) for a, b in both]

    def _status(self, name: str) -> int:
        return self._statuses.setdefault(name, len(self._statuses))

    def _detail(self, row: Row, room: Room) -> list[Any]:
        """Texts, outcome, error, time, inputs, output, sides, criteria, results, the other run, spans.

        Texts stand once; what says them has their places in the first list.
        """
        result, found, pool = row.result, sides(row.result), Pool(room)
        rest = [
            "" if result.outcome == "ok" else result.outcome.replace("_", " "),
            result.error or "",
            "" if result.seconds is None else seconds(result.seconds),
            pool.put(pretty(plain(result.inputs))),
            pool.put(found.shown),
            [(self._known(names), pool.put(a), pool.put(b)) for names, a, b in found.compared],
            [(self._known(names), pool.put(text)) for names, text in found.others],
            self._results(result, room),
            self._beside(result, found.output, pool),
            timeline(result.spans, room),
        ]
        return [pool.texts, *rest]

    def _results(self, result: ItemResult, room: Room) -> list[Any]:
        return [
            (at, self._all_told(name, found, room))
            for at, name in enumerate(self._evaluators)
            if (found := result.results.get(name))
        ]

    def _all_told(self, name: str, results: list[EvaluatorResult], room: Room) -> list[list[Any]]:
        """What stands for all comes first."""
        whole = aggregate_of(name, results)
        ranked = sorted(results, key=lambda one: one is not whole)
        return [self._told(name, one, room, whole=one is whole) for one in ranked]

    def _told(self, name: str, one: EvaluatorResult, room: Room, *, whole: bool) -> list[Any]:
        """Field, score, verdict, status, what is said, how it was compared."""
        extra = extra_of(one)
        status = str(extra.get("status", "graded")).replace("_", " ")
        return [
            "" if whole else field_name(one["key"], name),
            _short(score_of(one)),
            VERDICTS.index(mark_of(one).verdict),
            "" if status == "graded" else status,
            room.cut(_words(one)),
            str(extra.get("comparator") or ""),
        ]

    def _beside(self, result: ItemResult, output: Any, pool: Pool) -> list[Any] | None:
        """What the other run has of the item: outcome, error, output, the score of each evaluator."""
        there = self._there.get((result.item, result.repeat)) or self._there.get((result.item, 0))
        if there is None:
            return None
        marks = [there.marks.get(name) for name in self._evaluators]
        return [
            "" if there.result.outcome == "ok" else there.result.outcome.replace("_", " "),
            there.result.error or "",
            pool.put(shown(there.result, aligned(plain(there.result.output), output))),
            [None if mark is None else [_short(mark.score), VERDICTS.index(mark.verdict)] for mark in marks],
        ]

    def _known(self, names: Iterable[str]) -> list[str]:
        known = self._book.evaluators
        return [known[name].whole.name if name in known else name for name in names]


def _first(rows: Iterable[Row]) -> dict[tuple[str, int], Row]:
    found: dict[tuple[str, int], Row] = {}
    for row in rows:
        found.setdefault((row.result.item, row.result.repeat), row)
    return found


def _words(one: EvaluatorResult) -> str:
    """What is said of a result: its comment, and its reason where that is something else."""
    comment, reason = one.get("comment"), extra_of(one).get("reason")
    said = [str(text) for text in (comment, reason) if text]
    return utf8(said[0] if len(said) == 1 or (said and said[1] in said[0]) else "\n".join(said))


def _short(score: float | None) -> float | int | None:
    """A score in few characters; never rounded to 0 or 1."""
    if score is None or score in (0, 1):
        return score if score is None else int(score)
    short = float(f"{score:.6g}")
    return score if short in (0, 1) else short
