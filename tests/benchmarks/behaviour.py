"""What each installed peer returns where users say that scores go wrong: `make peers`.

A line for each question, a column for each contestant, with the score it gave, "no score", or "raises"; "-"
where it has no such thing, "absent" where it, or what that needs, is not installed. Each is called as its own
documentation calls it, for equality of values, with the options that suit the question best. Where the same
question is put in two orders and the scores differ, both are shown. The last line is a time; `make bench` has
more of those. Below the table stands what a peer has that fieldwise has not, found in it by name.

`failing_judges` asks what a judge that fails does to a score; the other questions are here.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any, Final

from tests.benchmarks import data, failing_judges, peers
from tests.benchmarks.duel import Contestant, race

Scorer = Callable[[Any, Any], Any]
"""`(outputs, reference) -> a score, or None`."""

REPEATS: Final = 5
ROWS: Final = [{"qty": 4, "sku": "k"}, {"qty": 4}, {"qty": 8}]
FENCED: Final = 'Here you are:\n```json\n{"total": 5}\n```'
SHUFFLED: Final = data.invoices(1)[0]
CASES: Final[Mapping[str, Sequence[tuple[Any, Any]]]] = {
    "an invoice and itself": [(SHUFFLED[1], SHUFFLED[1])],
    "two empty objects": [({}, {})],
    "true where 1 is right": [({"flag": True}, {"flag": 1})],
    "3 right rows in another order": [(ROWS[::-1], ROWS)],
    "2 of 3 rows, in either order": [([{"qty": 4}, ROWS[0]], ROWS), ([ROWS[0], {"qty": 4}], ROWS)],
    "JSON in a fence, in prose": [(FENCED, {"total": 5})],
    "no output at all": [(None, {"total": 5})],
}
"""Question to the pairs (outputs, reference) that put it."""
TIMED: Final = "20 shuffled line items, ms"


def fieldwise() -> Scorer:
    options: dict[str, Any] = {"depth": "leaves", "lists": {"items": "same_elements"}}
    evaluate = peers.fieldwise(aggregator="average", list_aggregator="average", **options)
    return lambda outputs, reference: evaluate(outputs, reference)[0]["score"]


def openevals() -> Scorer:
    evaluate: Any = peers.openevals(aggregator="average", list_aggregator="average")
    return lambda outputs, reference: evaluate(outputs, reference)[0]["score"]


def autoevals() -> Scorer:
    from autoevals import JSONDiff

    return lambda outputs, reference: JSONDiff().eval(output=outputs, expected=reference).score


def deepdiff() -> Scorer:
    """It has a distance, 0 for equal, of which this is the complement."""
    from deepdiff import DeepDiff

    def score(outputs: Any, reference: Any) -> float:
        found = DeepDiff(reference, outputs, ignore_order=True, get_deep_distance=True)
        return 1.0 - float(found.get("deep_distance", 0.0))

    return score


def stickler() -> Scorer:
    """Its `compare_json`, which wants a model; a list at the top is a field of one."""
    from stickler import compare_json

    models: dict[str, Any] = {}

    def score(outputs: Any, reference: Any) -> Any:
        if isinstance(reference, list):
            outputs, reference = {"rows": outputs}, {"rows": reference}
        name = json.dumps(reference)
        if name not in models:
            models[name] = peers.stickler_model(reference or {"total": None})
        return compare_json(reference, outputs, models[name])["overall_score"]

    return score


def langchain() -> Scorer:
    """Its evaluator of equality: of text, as all of its evaluators."""
    from langchain_classic.evaluation import JsonEqualityEvaluator

    def score(outputs: Any, reference: Any) -> Any:
        prediction = outputs if isinstance(outputs, str) else json.dumps(outputs)
        found = JsonEqualityEvaluator().evaluate_strings(
            prediction=prediction, reference=json.dumps(reference)
        )
        return found["score"]

    return score


CONTESTANTS: Final[Mapping[str, tuple[str, Callable[[], Scorer]]]] = {
    "fieldwise": ("fieldwise", fieldwise),
    "openevals": ("openevals", openevals),
    "autoevals": ("autoevals", autoevals),
    "deepdiff": ("deepdiff", deepdiff),
    "stickler": ("stickler", stickler),
    "langchain": ("langchain_classic", langchain),
}
"""Column to the module it needs, and what makes its scorer."""

ELSEWHERE: Final[Mapping[str, Sequence[str]]] = {
    "openevals": (
        "openevals.simulators:run_multiturn_simulation",
        "openevals.code.pyright",
        "openevals.prompts",
    ),
    "autoevals": ("autoevals:Factuality", "autoevals:Moderation", "autoevals:Battle", "autoevals:Sql"),
    "deepdiff": ("deepdiff:Delta", "deepdiff:DeepHash", "deepdiff:DeepSearch"),
    "stickler": ("stickler:BBoxIoUComparator", "stickler:ANLSStarComparator", "stickler.doc_split"),
    "langchain": ("langchain_classic.evaluation:PairwiseStringEvalChain",),
}
"""Column to what is only there: `module`, or `module:name`."""


def told(ask: Callable[[], Any]) -> str:
    """What came of a question, in a word or two."""
    try:
        score = ask()
    except Exception:  # noqa: BLE001 - that it raises is the answer
        return "raises"
    return "no score" if score is None else f"{float(score):.2f}".rstrip("0").removesuffix(".")


def asked(pairs: Sequence[tuple[Any, Any]], score: Scorer) -> str:
    return " or ".join(dict.fromkeys(told(partial(score, *pair)) for pair in pairs))


def installed() -> dict[str, Scorer]:
    return {name: make() for name, (module, make) in CONTESTANTS.items() if peers.installed(module)}


def lines() -> Iterator[list[str]]:
    """The questions, each with the answer of every contestant."""
    there = installed()
    for question, pairs in CASES.items():
        yield [question, *(asked(pairs, there[one]) if one in there else "absent" for one in CONTESTANTS)]
    for question, reply in failing_judges.QUESTIONS.items():
        yield [question, *(failing_judges.answer(one, reply, there, told) for one in CONTESTANTS)]


def times() -> list[str]:
    """The last line: the CPU time of one invoice of which each line item has a slip."""
    there = installed()
    racers = [Contestant(name, partial(score, *SHUFFLED)) for name, score in there.items()]
    spent = dict(zip(there, race(racers, REPEATS), strict=True))
    return [TIMED, *(f"{1000 * median(spent[one]):.2g}" if one in spent else "absent" for one in CONTESTANTS)]


def elsewhere() -> Iterator[str]:
    """What a peer has that fieldwise has not, as far as it is there."""
    for name, places in ELSEWHERE.items():
        found = [place for place in places if _is_there(place)]
        if found:
            yield f"{name:10} {', '.join(found)}"


def _is_there(place: str) -> bool:
    module, _, member = place.partition(":")
    if not peers.installed(module.partition(".")[0]) or find_spec(module) is None:
        return False
    return not member or hasattr(import_module(module), member)


def heading() -> str:
    """The versions, in the order of the columns."""
    return ", ".join(f"{peers.DISTRIBUTIONS.get(one, one)} {peers.version_of(one)}" for one in CONTESTANTS)


def shown(table: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    padded = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in table)
    return "\n".join(padded)


def main() -> int:
    warnings.simplefilter("ignore")
    print(heading())
    print(shown([["question", *CONTESTANTS], *lines(), times()]))
    print("\nwhat a peer has and fieldwise has not")
    print(*elsewhere(), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
