"""What each installed peer returns where users say that scores go wrong: `make peers`.

A line for each question, a column for each contestant, with the score it gave, "no score", or what it raised;
"-" where it has no such thing, "absent" where it is not installed. Each is called as its own documentation
calls it, with the options that suit the question best. Where the same question is put in two orders and the
scores differ, both are shown.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from tests.benchmarks import data, peers

Scorer = Callable[[Any, Any], Any]
"""`(outputs, reference) -> a score, or None`."""

INVOICE: Final = data.invoices(1)[0][1]
ROWS: Final = [{"qty": 4, "sku": "k"}, {"qty": 4}, {"qty": 8}]
FENCED: Final = 'Here you are:\n```json\n{"total": 5}\n```'
CASES: Final[Mapping[str, Sequence[tuple[Any, Any]]]] = {
    "a record and itself": [(INVOICE, INVOICE)],
    "two empty objects": [({}, {})],
    "true where 1 is right": [({"flag": True}, {"flag": 1})],
    "3 rows, 2 came, in either order": [([{"qty": 4}, ROWS[0]], ROWS), ([ROWS[0], {"qty": 4}], ROWS)],
    "JSON in a fence, in prose": [(FENCED, {"total": 5})],
    "no output at all": [(None, {"total": 5})],
}
"""Question to the pairs (outputs, reference) that put it."""
REPLIES: Final[Mapping[str, Mapping[str, Any]]] = {
    "a judge leaves 1 of 2 criteria out": {"title": True},
    "a judge answers no criterion": {},
}
"""Question to what the judge answers where it should answer for a title and a summary."""


def fieldwise() -> Scorer:
    evaluate = peers.fieldwise(aggregator="average", list_aggregator="average")
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
    "langchain": ("langchain_classic", langchain),
}
"""Column to the module it needs, and what makes its scorer."""


def judged_fieldwise(reply: Mapping[str, Any]) -> Any:
    """The judge is a function, which answers by the number of a question."""

    def judge(request: Any) -> dict[str, Any]:
        return {
            one.id: reply[name] for name in reply for one in request.questions if one.criterion == f"{name}?"
        }

    return _aggregate(peers.fieldwise(**_RUBRIC, judge=judge))


def judged_openevals(reply: Mapping[str, Any]) -> Any:
    """The judge is a chat model, which answers as it is told to."""
    from langchain_core.language_models.fake_chat_models import FakeListChatModel
    from langchain_core.runnables import RunnableLambda

    class Scripted(FakeListChatModel):
        def with_structured_output(self, *_: Any, **__: Any) -> Any:
            return RunnableLambda(lambda _: dict(reply))

    return _aggregate(peers.openevals(**_RUBRIC, judge=Scripted(responses=[""])))


_RUBRIC: Final[Mapping[str, Any]] = {
    "aggregator": "all",
    "rubric": {"title": "title?", "summary": "summary?"},
    "use_reasoning": False,
}
JUDGED: Final[Mapping[str, Callable[[Mapping[str, Any]], Any]]] = {
    "fieldwise": judged_fieldwise,
    "openevals": judged_openevals,
}


def _aggregate(evaluate: Any) -> Any:
    return evaluate({"title": "a", "summary": "b"}, {"title": "c", "summary": "d"})[0]["score"]


def told(ask: Callable[[], Any]) -> str:
    """What came of a question, in a word or two."""
    try:
        score = ask()
    except Exception as error:  # noqa: BLE001 - whatever it raises is the answer
        return type(error).__name__
    return "no score" if score is None else f"{float(score):.3f}".rstrip("0").removesuffix(".")


def asked(pairs: Sequence[tuple[Any, Any]], score: Scorer) -> str:
    return " or ".join(dict.fromkeys(told(partial(score, *pair)) for pair in pairs))


def lines() -> Iterator[list[str]]:
    """The questions, each with the answer of every contestant."""
    there = {name: make() for name, (module, make) in CONTESTANTS.items() if peers.installed(module)}
    for question, pairs in CASES.items():
        yield [
            question,
            *(asked(pairs, there[name]) if name in there else "absent" for name in CONTESTANTS),
        ]
    for question, reply in REPLIES.items():
        cells = [
            told(partial(JUDGED[name], reply)) if name in JUDGED and name in there else "-"
            for name in CONTESTANTS
        ]
        yield [question, *cells]


def main() -> int:
    warnings.simplefilter("ignore")
    distributions = [{"langchain": "langchain-classic"}.get(name, name) for name in CONTESTANTS]
    print(", ".join(f"{one} {peers.version_of(one)}" for one in distributions))
    table = [["question", *CONTESTANTS], *lines()]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


if __name__ == "__main__":
    sys.exit(main())
