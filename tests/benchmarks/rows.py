"""The rows measured in this process. A row is a function `(name, repeats) -> lines and notes`.

Add a row: write the function, add it to `ROWS`. Ours is created by its public factory with the options the
peer has too, nothing else.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import Any, Final

from tests.benchmarks import data, floors, peers
from tests.benchmarks.duel import Contestant, duel, race
from tests.benchmarks.table import Line, Note, duration, verdict

Row = Callable[[str, int], Iterator[Line | Note]]
DIGITS: Final = 9


def flat(row: str, repeats: int) -> Iterator[Line | Note]:
    """A flat record of ten fields, two wrong: one mean, then a result for each field."""
    pairs = data.flat(100)
    ours, theirs = peers.fieldwise(aggregator="average"), peers.openevals(aggregator="average")
    grades = "grades text and numbers by distance, so its scores are others"
    rivals = [
        *_rival("openevals average", theirs, pairs, _score, target=10),
        *_rival("autoevals JSONDiff(preserve_strings)", peers.autoevals(), pairs, target=2.5, why=grades),
        _over("floor: mean of ==", floors.mean, pairs, _number),
    ]
    yield from _absent("openevals", "autoevals")
    yield from duel(row, _over("fieldwise average", ours, pairs, _score), rivals, repeats)

    ours, theirs = peers.fieldwise(aggregator=None), peers.openevals(aggregator=None)
    rivals = [
        *_rival("openevals None", theirs, pairs, _by_key, target=80),
        _over("floor: == and a dict for each field", floors.result_dicts, pairs, _by_key),
    ]
    yield from duel(row, _over("fieldwise None", ours, pairs, _by_key), rivals, repeats)


LIST_TARGETS: Final = {10: 8.0, 100: 30.0, 1000: 150.0}


def lists(row: str, repeats: int) -> Iterator[Line | Note]:
    """Shuffled lists of six-field items, 30 % with one wrong field."""
    yield from _absent("openevals")
    yield from _lists(row, repeats, boolean=False)


def lists_with_boolean(row: str, repeats: int) -> Iterator[Line | Note]:
    """The same with a boolean among the six fields, which no hash may take for 1 or 0."""
    yield from _absent("openevals")
    yield from _lists(row, repeats, boolean=True)


def _lists(row: str, repeats: int, *, boolean: bool) -> Iterator[Line | Note]:
    options = {"aggregator": "average", "list_aggregator": "average"}
    ours, theirs = peers.fieldwise(**options), peers.openevals(**options)
    greedy = "it pairs greedily in the order of the list, ours pairs optimally"
    for count, target in LIST_TARGETS.items():
        pairs = [data.items(count, boolean=boolean, seed=seed) for seed in range(max(1, 200 // count))]
        aim = None if boolean else target
        rivals = [
            *_rival("openevals average", theirs, pairs, _score, target=aim, why=greedy),
            _over("floor: hash bucket and leftovers", floors.list_mean, pairs, _number),
        ]
        label = f"{row} n={count}"
        yield from duel(label, _over("fieldwise average", ours, pairs, _score), rivals, repeats)


TRACING_BUDGET: Final = 3e-6


def tracing(row: str, repeats: int) -> Iterator[Line | Note]:
    """What an evaluation costs at the least, and what of it is the check whether to trace."""
    from fieldwise.integrations.tracing import wanted

    yield from _absent("openevals")
    pairs = [({"name": "Ada"}, {"name": "Ada"})] * 100
    ours, theirs = peers.fieldwise(aggregator="average"), peers.openevals(aggregator="average")
    rivals = _rival("openevals average, 1 field", theirs, pairs, _score)
    yield from duel(row, _over("fieldwise average, 1 field", ours, pairs, _score), rivals, repeats)

    def check() -> None:
        for _ in range(1_000):
            wanted()

    spent = median(race([Contestant("check", check, 1_000)], repeats)[0])
    where = "imported" if "langsmith" in sys.modules else "not imported"
    met = verdict("3 us", met=spent < TRACING_BUDGET)
    yield Line(row, f"fieldwise: check alone, langsmith {where}", duration(spent), "", "< 3 us", met)


RECORDS: Final = 10_000
SAMPLE: Final = 500


def records(row: str, repeats: int) -> Iterator[Line | Note]:
    """Many flat records in a loop, every result kept."""
    yield from _absent("openevals")
    pairs = data.flat(RECORDS)
    yield Note(
        f"{RECORDS:,} records, all results kept; openevals: {SAMPLE} of them. Times are for one record."
    )
    contestants = [
        _over("fieldwise None", peers.fieldwise(aggregator=None), pairs, _by_key),
        _over("floor: == and a dict for each field", floors.result_dicts, pairs, _by_key),
        *_rival("openevals None", peers.openevals(aggregator=None), pairs[:SAMPLE], _by_key, target=30),
    ]
    yield from duel(row, contestants[0], contestants[1:], min(repeats, 5))


CHARACTERS: Final = 1_000


def comparator(row: str, repeats: int) -> Iterator[Line | Note]:
    """One comparison of long unequal texts, against RapidFuzz itself."""
    from rapidfuzz.distance import Levenshtein

    from fieldwise.comparators import string_similarity

    pairs = data.texts(50, CHARACTERS)
    yield Note(f"texts of {CHARACTERS:,} characters, 5 % of them other ones; at most 1.5 times its time")
    ours = _over("fieldwise string_similarity", string_similarity(), pairs, _number)
    theirs = _over("RapidFuzz Levenshtein", Levenshtein.normalized_similarity, pairs, _number, target=1 / 1.5)
    yield from duel(row, ours, [theirs], repeats)


def _over(
    name: str,
    evaluate: Callable[[Any, Any], Any],
    pairs: Sequence[tuple[Any, Any]],
    read: Callable[[Any], Any] | None = None,
    *,
    target: float | None = None,
    why: str = "",
) -> Contestant:
    """A contestant that evaluates all pairs; `read` makes a result comparable."""

    def work() -> list[Any]:
        return [evaluate(outputs, reference) for outputs, reference in pairs]

    answers = None if read is None else lambda results: [read(one) for one in results]
    return Contestant(name, work, len(pairs), answers, why, target)


def _rival(
    name: str,
    evaluate: Callable[[Any, Any], Any] | None,
    pairs: Sequence[tuple[Any, Any]],
    read: Callable[[Any], Any] | None = None,
    *,
    target: float | None = None,
    why: str = "",
) -> list[Contestant]:
    """The peer as a contestant; none when it is not installed."""
    return [] if evaluate is None else [_over(name, evaluate, pairs, read, target=target, why=why)]


def _absent(*names: str) -> Iterator[Note]:
    yield from (Note(peers.missing(name)) for name in names if not peers.installed(name))


def _number(score: float) -> float:
    return round(float(score), DIGITS)


def _score(results: list[dict[str, Any]]) -> float:
    return _number(results[0]["score"])


def _by_key(results: list[dict[str, Any]]) -> dict[str, float]:
    return {result["key"]: _number(result["score"]) for result in results}


ROWS: Final[dict[str, Row]] = {
    "flat": flat,
    "lists": lists,
    "lists-boolean": lists_with_boolean,
    "tracing": tracing,
    "records": records,
    "comparator": comparator,
}
