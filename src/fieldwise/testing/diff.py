"""What a failed assertion says: how much is wrong, then a line for each place.

The places are those of the tree of a record, see `fieldwise.report.tree`: the same steps as the score. Of
evaluators that have no such tree, and of what could not be read, the results say what there is to say.

Paths are the reference's; an element that came at another index than its partner has says where. All is
bounded: lines, and what is in them. Long values are shown from where they begin to differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum
from typing import TYPE_CHECKING, Any, Final

from fieldwise.report.branches import tree_of
from fieldwise.report.explain import value_text
from fieldwise.report.tree import FREE, OPEN, RIGHT, Twig
from fieldwise.report.words import aligned, clip, mean

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fieldwise._types import EvaluatorResult, Results
    from fieldwise.run import Examined

MAX_LINES: Final = 40
MAX_NOTES: Final = 10
_PATH: Final = 48
_VALUE: Final = 32
_HOW: Final = 200
_SIDE: Final = 200
_SAID: Final = 400
_LOOK: Final = 5_000
_BEFORE: Final = 8
_KEYS: Final = 5


def diff(found: Examined, failed: Results, bar: float | None = None) -> str:
    """Return what is wrong with a record, in lines.

    Args:
        found: the record, examined.
        failed: the results for which it fails, at least one.
        bar: what its score had to reach, where it had to.

    >>> from fieldwise import create_exact_match_evaluator
    >>> from fieldwise.run import examine
    >>> found = examine({"outputs": "no", "reference_outputs": "yes"}, create_exact_match_evaluator())
    >>> print(diff(found, found.results))
    exact_match: score 0.000, expected "yes", got "no"
    """
    tree = tree_of(found)
    spots = list(_spots(tree))
    if not spots:
        return "\n  ".join(_said(_head(found, {}, bar), found, failed))
    lines = [_head(found, tree.counts(), bar) + _cause(found), *_table(spots[:MAX_LINES])]
    if len(spots) > MAX_LINES:
        lines.append(f"and {len(spots) - MAX_LINES:,} more")
    notes = dict.fromkeys([*_hints(failed), *(note for spot in spots for note in spot.notes)])
    return "\n  ".join([*lines, *(clip(note, _HOW) for note in list(notes)[:MAX_NOTES])])


def whole(found: Examined) -> tuple[float | None, Mapping[str, Any]]:
    """Return the score of a record as a whole, and what else is known of it; None if part is not graded."""
    if found.card is not None:
        summary = found.card.summary()
        return (None if summary["score"] is None else float(summary["score"])), summary["extra"]
    scores = [one["score"] for one in found.results]
    lost = next((one["extra"] for one in found.results if one["score"] is None), None)
    if lost is not None:
        return None, lost
    return fsum(map(float, scores)) / len(scores), found.results[0]["extra"]  # type: ignore[arg-type]


def _head(found: Examined, counts: Mapping[str, int], bar: float | None) -> str:
    """The evaluator, how much is wrong, and the score."""
    score, _ = whole(found)
    parts = []
    graded = sum(number for verdict, number in counts.items() if verdict and verdict not in {FREE, OPEN})
    wrong = graded - counts.get(RIGHT, 0)
    if wrong:
        parts.append(f"{wrong:,} of {graded:,} values not right")
    if counts.get(OPEN):
        parts.append(f"{counts[OPEN]:,} not graded")
    parts.append("no score" if score is None else f"score {mean(score)}")
    if score is not None and bar is not None:
        parts.append(f"threshold {bar:g}")
    return clip(f"{found.name}: {', '.join(parts)}", _HOW)


def _cause(found: Examined) -> str:
    """Why the whole has no score."""
    score, extra = whole(found)
    if score is not None:
        return ""
    return clip(f", {': '.join(filter(None, (extra.get('status'), extra.get('reason'))))}", _HOW)


# ------------------------------------------------------------------------------------------ places


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place that is not right.

    Attributes:
        path: where it is, in the reference; in the output, if it is only there.
        came: where it is in the output.
        twig: the place.
        notes: how the lists on the way were paired.
    """

    path: str
    came: str
    twig: Twig
    notes: tuple[str, ...]


def _spots(top: Twig) -> Iterator[_Spot]:
    """The leaves that are not right, in the order of the tree."""
    stack = [_Spot("", "", top, ())]
    while stack:
        spot = stack.pop()
        twig = spot.twig
        if twig.verdict and twig.verdict not in (RIGHT, FREE):
            yield spot
        notes = spot.notes
        if twig.below and twig.how:
            notes = (*notes, f"{spot.path or '$'}: {twig.how}")
        for key, one in reversed(twig.below.items()):
            path, came = _steps(key, one.label)
            stack.append(_Spot(_joined(spot.path, path), _joined(spot.came, came), one, notes))


def _steps(key: Any, label: str) -> tuple[str, str]:
    """The step to a place, in the reference and in the output: of a list's elements their indices."""
    if not isinstance(key, tuple):
        return label, label
    first, second = key
    if first == "as":  # another field at the place it hangs on
        return "", ""
    if isinstance(first, str):
        return label, label
    at = second if first is None else first
    return f"[{at}]", f"[{at if second is None else second}]"


def _joined(path: str, step: str) -> str:
    return f"{path}.{step}" if path and step and not step.startswith("[") else path + step


def _hints(failed: Results) -> Iterator[str]:
    """Which fields are required; what may have been meant by those on neither side."""
    for one in failed:
        if one["extra"].get("required"):
            yield f"{one['extra'].get('path', one['key'])} is required"
        if one["extra"].get("status") == "path_not_found" and ";" in str(one["comment"]):
            yield str(one["comment"])


def _table(spots: Sequence[_Spot]) -> Iterator[str]:
    """A line for each place: path, expected and got to the right, then how that was found."""
    rows = [("path", "expected", "got", ""), *(_cells(spot) for spot in spots)]
    rows = [
        (clip(path, _PATH), clip(a, _VALUE), clip(b, _VALUE), clip(how, _HOW)) for path, a, b, how in rows
    ]
    return aligned(rows, ">>>")


def _cells(spot: _Spot) -> tuple[str, str, str, str]:
    twig = spot.twig
    expected, got = value_text(twig.expected, _LOOK), value_text(twig.actual, _LOOK)
    if min(len(expected), len(got)) > _VALUE:
        pairs = enumerate(zip(expected, got, strict=False))
        start = next((at for at, (a, b) in pairs if a != b), 0) - _BEFORE
        if start > 0:
            expected, got = f"…{expected[start:]}", f"…{got[start:]}"
    parts = [twig.verdict, "exact" if twig.comparator == "exact" else "", twig.how]
    parts.append(f"got at {spot.came}" if spot.came != spot.path else "")
    return spot.path or "$", expected, got, ", ".join(filter(None, parts))


# ----------------------------------------------------------------------------------------- results


def _said(head: str, found: Examined, failed: Results) -> Iterator[str]:
    """What the results say, those of several fields together where they say the same."""
    reasons: dict[str, list[str]] = {}
    for one in failed:
        reasons.setdefault(_reason(one), []).append(one["key"])
    if len(reasons) == 1:
        yield head + clip("".join(f", {text}" for text in reasons if text), _SAID)
    else:
        yield head
        yield from (
            clip(f"{_named(keys)}: {text or 'not right'}", _SAID)
            for text, keys in list(reasons.items())[:MAX_LINES]
        )
    yield from _sides(found, failed)


def _reason(one: EvaluatorResult) -> str:
    """Why a result is what it is, as far as it says."""
    extra, status = one["extra"], one["extra"].get("status", "graded")
    told = one["comment"] or extra.get("reason")
    if told is None and isinstance(extra.get("value"), str):
        told = f"value {value_text(extra['value'])}"
    return ": ".join(filter(None, (status if status != "graded" else "", told)))


def _named(keys: Sequence[str]) -> str:
    more = f" and {len(keys) - _KEYS:,} more" if len(keys) > _KEYS else ""
    return f"{', '.join(keys[:_KEYS])}{more}"


def _sides(found: Examined, failed: Results) -> Iterator[str]:
    """Both sides as they were given, where one of them could not be read."""
    if any(one["extra"].get("status", "graded").startswith("invalid") for one in failed):
        actual, expected = found.sides
        for name, side in (("expected", expected), ("got", actual)):
            yield clip(f"{name}: {value_text(side, _SIDE) or 'nothing'}", _SIDE)
