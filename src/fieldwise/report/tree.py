"""A record as a tree of places: expected beside got, a verdict for each leaf, how lists were paired.

What belongs here: the tree, and growing it below one place by the same steps as the score, so that a leaf
is right here exactly when it is there. `branches` makes the tree of a whole record; `explain` prints it.

It is bounded: past `MAX_TWIGS` places, and below `MAX_DEPTH` steps, what is left of a value is one leaf that
says how much of it is not right.

| verdict | a leaf is |
|---|---|
| right | equal, or granted in full by its comparator or a judge |
| partly right | graded between 0 and 1 |
| wrong | of another value |
| missing, not expected | on one side only |
| not graded | without a score; the status says why |
| not counted | on one side only, where the list may hold less, or more |
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.select import join
from fieldwise.core.walk import Place, members, mode_of, paired, step_to, walk

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fieldwise._types import Json, Missing, Path, Step
    from fieldwise.core.align import Alignment
    from fieldwise.core.compare import Outcome

MAX_DEPTH: Final = 40
MAX_TWIGS: Final = 10_000

RIGHT: Final = "right"
PARTLY: Final = "partly right"
WRONG: Final = "wrong"
GONE: Final = "missing"
EXTRA: Final = "not expected"
OPEN: Final = "not graded"
FREE: Final = "not counted"
VERDICTS: Final = (RIGHT, PARTLY, WRONG, GONE, EXTRA, OPEN, FREE)
_IN_COMMON: Final = frozenset({RIGHT, PARTLY, OPEN})

_FREE_SIDES: Final = {"subset": "missing", "superset": "invented"}


@dataclass(slots=True)
class Twig:
    """One place.

    Attributes:
        label: what it is called where it hangs: a name, an index.
        verdict: one of `VERDICTS`; "" for a place that has others below it.
        expected: the value wanted, or MISSING.
        actual: the value that came, or MISSING.
        how: how it was compared or paired, for people.
        comparator: the name of what compared a leaf; "" where nothing did.
        below: the places below it, by what tells them apart.
    """

    label: str
    verdict: str = ""
    expected: Json | Missing = MISSING
    actual: Json | Missing = MISSING
    how: str = ""
    comparator: str = ""
    below: dict[Any, Twig] = field(default_factory=dict)

    def rows(self) -> Iterator[tuple[int, Twig]]:
        """Yield what is below, each with its depth, in order."""
        stack = [(0, one) for one in reversed(self.below.values())]
        while stack:
            depth, twig = stack.pop()
            yield depth, twig
            stack += [(depth + 1, one) for one in reversed(twig.below.values())]

    def counts(self) -> dict[str, int]:
        """Return how many leaves at and below it have each verdict."""
        found = Counter(one.verdict for _, one in self.rows())
        found[self.verdict] += 1
        return {verdict: found[verdict] for verdict in VERDICTS if found[verdict]}


# -------------------------------------------------------------------------------------------- leaves


def leaf(twig: Twig, outcome: Outcome, threshold: float = 1.0) -> None:
    """Make a twig a leaf, as it was scored; right from `threshold` on."""
    twig.expected, twig.actual = outcome.expected, outcome.actual
    twig.verdict, twig.how = verdict_of(outcome, threshold), how_of(outcome, threshold)
    twig.comparator = outcome.comparator if outcome.score is not None and _both(outcome) else ""


def verdict_of(outcome: Outcome, threshold: float = 1.0) -> str:
    """Return how a leaf came out."""
    score = outcome.score
    if score is None:
        return OPEN
    if score >= threshold:
        return RIGHT
    if outcome.actual is MISSING:
        return GONE
    if outcome.expected is MISSING:
        return EXTRA
    return PARTLY if score > 0 else WRONG


def how_of(outcome: Outcome, threshold: float = 1.0) -> str:
    """Return in words what graded a leaf, the grade, and why."""
    parts = []
    if outcome.comparator == "judge":
        parts.append("judged" if outcome.score is not None else "")
    elif outcome.comparator != "exact" and outcome.score is not None and _both(outcome):
        parts.append(f"{outcome.comparator} {outcome.score:.3f}")
    if threshold < 1 and outcome.score is not None and outcome.score < 1 and _both(outcome):
        parts.append(f"threshold {threshold:g}")
    if outcome.weight != 1:
        parts.append(f"weight {outcome.weight:g}")
    said = ", ".join(filter(None, parts))
    status = outcome.status if outcome.score is None else ""
    reason = outcome.reason if outcome.reason not in ("missing", "unexpected") else None
    return ": ".join(filter(None, (said, status, reason)))


def _both(outcome: Outcome) -> bool:
    return outcome.expected is not MISSING and outcome.actual is not MISSING


# ------------------------------------------------------------------------------------------- growing


def grow(
    top: Twig,
    root: Place,
    judged: Mapping[Path, Outcome],
    *,
    null_is_missing: bool = False,
    down: bool = False,
) -> None:
    """Grow what is at and below a place.

    Args:
        top: what to grow it on.
        root: the place.
        judged: the outcomes that a judge decided, by where they are.
        null_is_missing: whether null and no value are the same.
        down: whether the place is a record, whose members are compared each by itself.
    """
    stack = [(root, top, 0)]
    grown = 0
    while stack:
        place, twig, depth = stack.pop()
        outcome = _decided(place, judged)
        if outcome is None and (depth >= MAX_DEPTH or grown >= MAX_TWIGS):
            _sum_up(place, twig, null_is_missing=null_is_missing)
        elif outcome is None and _goes_down(place, record=down and place is root):
            steps = _below(place, twig, null_is_missing=null_is_missing)
            grown += len(steps)
            stack += [(child, one, depth + 1) for child, one in reversed(steps)]
        else:
            leaf(twig, outcome or walk(place, deep=True, null_is_missing=null_is_missing)[0])


def _decided(place: Place, judged: Mapping[Path, Outcome]) -> Outcome | None:
    """What a judge was asked about a place, or would have been."""
    if place.node is None or place.node.rubric is None:
        return None
    return judged.get(place.where) or walk(place, deep=False)[0]


def _goes_down(place: Place, *, record: bool) -> bool:
    if record and (isinstance(place.expected, dict) or place.expected is MISSING):
        return any(isinstance(side, dict) and side for side in (place.expected, place.actual))
    if place.comparator is not None and place.comparator.whole:
        return False
    shape, other = place.expected, place.actual
    if shape is MISSING:
        shape, other = other, shape
    if isinstance(shape, list) and not isinstance(other, list):
        lone = "missing" if shape is place.expected else "invented"
        return bool(shape) and _FREE_SIDES.get(str(mode_of(place))) != lone
    return isinstance(shape, dict | list) and bool(shape)


def _below(place: Place, twig: Twig, *, null_is_missing: bool) -> list[tuple[Place, Twig]]:
    """The places one step down, hung on a twig."""
    shape = place.actual if place.expected is MISSING else place.expected
    twig.expected, twig.actual = place.expected, place.actual
    if isinstance(shape, list):
        found, notes = paired(place)
        return hang(place, twig, found, str(mode_of(place)), notes)
    steps = []
    for row in members(place, null_is_missing=null_is_missing):
        name = str(row[0])
        one = twig.below[name] = Twig(join("", name) or "''")
        steps.append((step_to(place, row), one))
    return steps


def hang(
    place: Place, twig: Twig, found: Alignment, mode: str, notes: Sequence[str] = ()
) -> list[tuple[Place, Twig]]:
    """Hang the elements of two paired lists on a twig; return those to be compared.

    Args:
        place: the place of the lists.
        twig: the twig of that place.
        found: how they were paired.
        mode: how, in the words of the option.
        notes: what was bounded.
    """
    expected: Any = place.expected if isinstance(place.expected, list) else []
    actual: Any = place.actual if isinstance(place.actual, list) else []
    twig.how = how_paired(found, mode, notes)
    rows: list[tuple[int | None, int | None]] = [(at, came) for came, at in found.same + found.pairs]
    rows += [(at, None) for at in found.missing]
    rows.sort(key=lambda row: row[0] or 0)
    rows += [(None, came) for came in sorted(found.invented)]
    steps = []
    for at, came in rows:
        one = twig.below[at, came] = Twig(element_label(at, came))
        wanted = MISSING if at is None else expected[at]
        got = MISSING if came is None else actual[came]
        side = "missing" if came is None else "invented" if at is None else ""
        if side and _FREE_SIDES.get(mode) == side:
            one.verdict, one.expected, one.actual, one.how = FREE, wanted, got, mode
            continue
        step: Step = at if at is not None else came or 0
        steps.append((step_to(place, (step, wanted, got), len(expected)), one))
    return steps


def element_label(at: int | None, came: int | None) -> str:
    """Name an element by its index in the reference, and in the output where that is another.

    >>> element_label(0, 0), element_label(0, 2), element_label(1, None), element_label(None, 3)
    ('[0]', '[0] got [2]', '[1]', 'got [3]')
    """
    if at is None:
        return f"got [{came}]"
    return f"[{at}]" if came in (None, at) else f"[{at}] got [{came}]"


def how_paired(found: Alignment, mode: str, notes: Sequence[str] = ()) -> str:
    """Say how lists were paired; nothing of two that pair by index and have the same length."""
    if mode == "ordered" and not found.missing and not found.invented:
        return ""
    said = pairing_words(mode, len(found.same) + len(found.pairs), len(found.missing), len(found.invented))
    return "; ".join([said, *notes])


def pairing_words(mode: str, pairs: int, missing: int, invented: int) -> str:
    """Say how many elements of two lists found a partner.

    >>> pairing_words("same_elements", 2, 0, 1)
    'same_elements: 2 paired, 1 invented'
    """
    parts = (
        (pairs, "paired"),
        (missing, "missing"),
        (invented, "invented"),
    )
    return f"{mode}: " + (", ".join(f"{number} {word}" for number, word in parts if number) or "empty")


def mark_matches(top: Twig) -> None:
    """Say of each pair of elements with nothing right in it that it is no match."""
    for _, twig in [(0, top), *top.rows()]:
        for key, one in twig.below.items():
            if (
                one.below
                and isinstance(key, tuple)
                and None not in key
                and not _IN_COMMON & one.counts().keys()
            ):
                one.how = "; ".join(filter(None, (one.how, "no match: nothing in common")))


def _sum_up(place: Place, twig: Twig, *, null_is_missing: bool) -> None:
    """Make what is at and below a place one leaf."""
    outcomes = walk(place, deep=True, null_is_missing=null_is_missing)
    wrong = [one for one in outcomes if one.score != 1.0]
    twig.expected, twig.actual = place.expected, place.actual
    twig.verdict = verdict_of(wrong[0]) if len(outcomes) == len(wrong) == 1 else WRONG if wrong else RIGHT
    if len(outcomes) > 1:
        twig.how = f"{len(outcomes) - len(wrong):,} of {len(outcomes):,} leaves right"
