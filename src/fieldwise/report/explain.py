"""One record as people see it: its results, then its tree, expected beside got.

A mark stands before every leaf that is not right, so that they are found in a pipe as well; on a terminal
they also have colours. A tree of more than `MAX_ROWS` lines leaves out what is right, then the end.

| mark | verdict |
|---|---|
| `!` | wrong |
| `~` | partly right |
| `-` | missing |
| `+` | not expected |
| `?` | not graded |
| `.` | not counted |
"""

from __future__ import annotations

from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.report.branches import tree_of
from fieldwise.report.tree import EXTRA, FREE, GONE, OPEN, PARTLY, RIGHT, WRONG, Twig
from fieldwise.report.words import NOTHING, clip, count, mean, safe, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fieldwise._types import EvaluatorResult
    from fieldwise.run import Examined

MAX_ROWS: Final = 500
MAX_RESULTS: Final = 100
MIN_WIDTH: Final = 60
_VALUE: Final = 300
_GAPS: Final = 9
_MARKS: Final = {WRONG: "!", PARTLY: "~", GONE: "-", EXTRA: "+", OPEN: "?", FREE: "."}
_COLOURS: Final = {WRONG: 31, PARTLY: 33, GONE: 31, EXTRA: 35, OPEN: 36, FREE: 2}
_HEADING: Final = 1


def explain(examined: Examined, *, width: int = 120, colour: bool = False) -> str:
    """Return a record's results and its tree.

    Args:
        examined: what `fieldwise.run.examine` returned.
        width: how many columns a line may have, at least 60.
        colour: ANSI colours.

    >>> from fieldwise import create_json_match_evaluator
    >>> from fieldwise.run import examine
    >>> record = {"id": "a", "outputs": {"n": 1, "u": "kg"}, "reference_outputs": {"n": 2, "u": "kg"}}
    >>> print(explain(examine(record, create_json_match_evaluator(aggregator="average"))))
    record a: json_match
    <BLANKLINE>
    result              score
    json_match:average  0.500  failed  1 of 2 fields not right: n: expected 2, got 1
    <BLANKLINE>
       field  expected  got
    !  n      2         1     wrong
       u      "kg"      "kg"  right
    <BLANKLINE>
    1 right, 1 wrong
    <BLANKLINE>
    """
    page = _Page(max(width, MIN_WIDTH), colour=colour)
    name = f": {safe(examined.name)}"
    page.write(clip(f"record {clip(examined.record.id, page.width // 2)}{name}", page.width))
    page.write(*_results(examined.results, page))
    page.write(*(clip(line, page.width) for line in _notes(examined)))
    tree = tree_of(examined)
    if tree.below or tree.verdict:
        page.write(*_tree(tree, page))
        page.write(", ".join(f"{number:,} {verdict}" for verdict, number in tree.counts().items()))
    else:
        page.write(*(part for line in _sides(examined) for part in _wrapped(line, page.width)))
    return page.text()


def explained(examined: Examined) -> dict[str, Any]:
    """Return the same as JSON; values of the tree as text, cut where they are long."""
    tree = tree_of(examined)
    rows = [(0, tree)] if tree.verdict else list(tree.rows())
    return {
        "id": examined.record.id,
        "evaluator": examined.name,
        "results": examined.results,
        "tree": [
            {
                "depth": depth,
                "label": one.label,
                "verdict": one.verdict or None,
                "expected": value_text(one.expected) or None,
                "got": value_text(one.actual) or None,
                "how": one.how or None,
            }
            for depth, one in rows
        ],
        "verdicts": tree.counts(),
    }


# ------------------------------------------------------------------------------------------- results


def _results(results: Sequence[EvaluatorResult], page: _Page) -> Iterator[str]:
    """A line for each result: key, score, whether it passed, and what is to be said of it."""
    some = results[:MAX_RESULTS]
    keys = [clip(one["key"], page.width // 2) for one in some]
    wide = max(map(width_of, ["result", *keys]))
    yield page.styled(f"{_pad('result', wide)}  score", _HEADING)
    for key, one in zip(keys, some, strict=True):
        score, extra = one["score"], one["extra"]
        status = extra.get("status", "graded")
        passed = "passed" if extra.get("passed") else "failed"
        verdict = passed if status == "graded" else status
        number = NOTHING if score is None else mean(float(score))
        line = f"{_pad(key, wide)}  {number:<5}  {verdict}"
        note = f"  {one['comment']}" if one["comment"] else ""
        code = None if score == 1 else _COLOURS[OPEN if score is None else WRONG if score == 0 else PARTLY]
        yield page.styled(clip(line + note, page.width), code)
    if len(results) > len(some):
        yield f"and {count(len(results) - len(some), 'more result')}; --json has all"


def _notes(examined: Examined) -> Iterator[str]:
    """How the two sides were read, what was left out, and what judging used."""
    for side, words in examined.documents.ledger.items():
        yield f"{side} read with: {', '.join(words)}"
    entries = examined.plan.entries if examined.plan is not None else ()
    nowhere = {path["path"] for path in examined.unmatched_paths if path["option"] == "exclude_keys"}
    excluded = [one.key for one in entries if one.aspect == "exclude" and one.key not in nowhere]
    if excluded:
        yield f"not compared: {', '.join(excluded)}"
    usage = examined.results[0]["extra"].get("usage") if examined.results else None
    if usage:
        yield f"judging used: {', '.join(f'{name} {amount:,}' for name, amount in usage.items())}"


def _sides(examined: Examined) -> Iterator[str]:
    """Both sides as they were given, where there is no tree of them."""
    actual, expected = examined.sides
    for name, side in (("expected", expected), ("got", actual)):
        yield safe(f"{name}: {value_text(side) or 'nothing'}")


def _wrapped(line: str, width: int) -> list[str]:
    """A line in lines; letters that take two columns are counted so."""
    return wrap(line, width) if line.isascii() else wrap(line, width // 2)


# ---------------------------------------------------------------------------------------------- tree


def _tree(tree: Twig, page: _Page) -> Iterator[str]:
    """The lines of a tree, in columns."""
    rows = [(0, tree)] if tree.verdict else list(tree.rows())
    shown_rows, left_out = _chosen(rows)
    cells = [
        ("  " * depth + one.label, *_values(one), ", ".join(filter(None, (one.verdict, one.how))))
        for depth, one in shown_rows
    ]
    lines = [("field", "expected", "got", ""), *cells]
    widths = _widths([[width_of(safe(cell[:_VALUE])) for cell in line] for line in lines], page.width)
    for at, line in enumerate(lines):
        verdict = "" if at == 0 else shown_rows[at - 1][1].verdict
        columns = [_pad(clip(cell, wide), wide) for cell, wide in zip(line, widths, strict=True)]
        text = f"{_MARKS.get(verdict, ' ')}  {'  '.join(columns)}".rstrip()
        yield page.styled(text, _HEADING if at == 0 else _COLOURS.get(verdict))
    if left_out:
        yield left_out


def _chosen(rows: list[tuple[int, Twig]]) -> tuple[list[tuple[int, Twig]], str]:
    """The rows to show, and in words what was left out."""
    if len(rows) <= MAX_ROWS:
        return rows, ""
    wrong = list(_not_right(rows))
    right = sum(one.verdict == RIGHT for _, one in rows)
    said = f"{right:,} right not shown"
    if len(wrong) > MAX_ROWS:
        said += f", and {len(wrong) - MAX_ROWS:,} more lines"
    return wrong[:MAX_ROWS], f"({said})"


def _not_right(rows: list[tuple[int, Twig]]) -> Iterator[tuple[int, Twig]]:
    """The leaves that are not right, each below the places on its way."""
    way: list[tuple[int, Twig]] = []
    told = 0
    for depth, one in rows:
        del way[depth:]
        told = min(told, depth)
        way.append((depth, one))
        if one.verdict and one.verdict != RIGHT:
            yield from way[told:]
            told = len(way)


def _values(one: Twig) -> tuple[str, str]:
    """What a row shows of each side; of containers with rows of their own only how they differ in kind."""
    if one.below and type(one.expected) is type(one.actual):
        return "", ""
    return value_text(one.expected), value_text(one.actual)


def value_text(value: Any, limit: int = _VALUE) -> str:
    """Return a value as text of at most `limit` characters; nothing for no value.

    >>> value_text({"a": [1, 2, 3]}, 8)
    '{"a":[1…'
    """
    if value is MISSING:
        return ""
    try:
        return preview(value, limit)
    except (TypeError, KeyError, AttributeError):  # what is no JSON value
        return shown(value, limit)


def _widths(cells: Sequence[Sequence[int]], width: int) -> list[int]:
    """How wide each column is: as wide as it has to be, the values sharing what is left."""
    label, expected, actual, _ = (max(column) for column in zip(*cells, strict=True))
    room = width - _GAPS
    label = min(label, room * 2 // 5)
    verdict = min(max(line[-1] for line in cells), room * 3 // 10)
    left = room - label - verdict
    if expected + actual > left:
        half = left // 2
        expected = max(left - actual, min(expected, half))
        actual = left - expected
    return [label, expected, actual, room - label - expected - actual]


def _pad(text: str, width: int) -> str:
    return text + " " * (width - width_of(safe(text)))


class _Page:
    """Lines and paragraphs, with or without colours."""

    def __init__(self, width: int, *, colour: bool) -> None:
        self.width = width
        self._colour = colour
        self._parts: list[str] = []

    def styled(self, text: str, code: int | None) -> str:
        """Return text in a colour, if there is one and colours are wanted."""
        return f"\x1b[{code}m{text}\x1b[0m" if self._colour and code is not None else text

    def write(self, *lines: str) -> None:
        """Add a paragraph; nothing for none."""
        if lines:
            self._parts.append("\n".join(lines))

    def text(self) -> str:
        """Return everything, paragraphs apart."""
        return "\n\n".join(self._parts) + "\n"
