"""Runs to make pages of: invoices read by an agent, some wrong, some judged, some without an answer."""

from __future__ import annotations

from random import Random
from typing import Any

from fieldwise._types import EvaluatorResult
from fieldwise.evalsets.model import ItemResult
from fieldwise.report.html import Run

LABELS = ("invoice", "receipt", "order")
NAMES = {"fields": "Invoice fields", "judge": "Judge of the summary", "kind": "Kind of document"}
FIRST = 1_700_000_000_000_000_000
SUMMARY = "The supplier bills {n} boxes of paper and asks for payment within thirty days of delivery."


def graded(key: str, score: float | None, comment: str | None = None, **extra: Any) -> EvaluatorResult:
    """A result as evaluators give it."""
    status = "graded" if score is not None else "judge_error"
    found = {"status": status, "path": "$", "passed": score is not None and score >= 1, "support": 1} | extra
    return {"key": key, "score": score, "comment": comment, "metadata": found, "extra": found}


def sample(count: int = 120, *, skill: float = 0.8, title: str = "Prompt v2", seed: int = 7) -> Run:
    """A run of `count` items; `skill` is how often a field is right."""
    random = Random(seed)  # noqa: S311 - reproducible on purpose
    results = [_item(number, random, skill) for number in range(count)]
    return Run(
        results,
        title=title,
        set_name="Invoices",
        date="12 March 2025, 09:30",
        names=NAMES,
        weights={"fields": 2.0},
    )


def _item(number: int, random: Random, skill: float) -> ItemResult:
    name, item = f"Invoice {number + 1} of Brandt & Söhne", f"inv-{number:05}"
    inputs = {
        "document": f"Rechnung Nr. {4000 + number}\n12 Kartons Papier\nSumme 149,90 EUR",
        "language": "de",
    }
    if number % 41 == 17:
        return _failed(item, name, inputs)
    right = {slot: random.random() < skill for slot in ("number", "total", "lines", "kind", "summary")}
    wanted = _document(number, 149.9, "paper, A4", LABELS[number % 3])
    got = _document(
        number if right["number"] else number + 1,
        149.9 if right["total"] else 14.99,
        "paper, A4" if right["lines"] else "papers, A5",
        LABELS[number % 3] if right["kind"] else LABELS[(number + 1) % 3],
    )
    share = sum(right[slot] for slot in ("number", "total", "lines")) / 3
    fields = [
        graded(f"fields:{slot}", float(right[slot]), None if right[slot] else f"{slot}: not as expected")
        for slot in ("number", "total", "lines")
    ]
    comment = "" if share == 1 else f"{round(3 - 3 * share)} of 3 fields not right"
    judged = (
        None if number % 29 == 11 else 1.0 if right["summary"] else random.choice((0.0, 0.25, 0.4, 0.6, 0.7))
    )
    reason = (
        "The summary names the supplier and the sum." if judged == 1 else "The date of payment is left out."
    )
    return ItemResult(
        item,
        name,
        inputs=inputs,
        output=got,
        seconds=round(0.4 + random.random(), 2),
        spans=_spans(number, random),
        criteria={
            "fields": {"expectedOutput": wanted},
            "judge": {"expectedAgentBehavior": "Reads the document, then answers in one object."},
            "kind": {"expectedClass": wanted["kind"]},
        },
        results={
            "fields": [*fields, graded("fields:aggregate_score", share, comment)],
            "judge": [
                graded(
                    "judge",
                    judged,
                    reason if judged is not None else "the model gave no answer",
                    comparator="judge",
                )
            ],
            "kind": [
                graded(
                    "kind",
                    float(got["kind"] == wanted["kind"]),
                    expected_class=wanted["kind"],
                    predicted_class=got["kind"],
                )
            ],
        },
    )


def _failed(item: str, name: str, inputs: dict[str, Any]) -> ItemResult:
    error = "ValueError: no text in document"
    results = {
        key: [graded(key, None, f"the agent failed: {error}", status="not_evaluated")] for key in NAMES
    }
    return ItemResult(
        item, name, outcome="agent_error", inputs=inputs, error=error, seconds=0.4, results=results
    )


def _document(number: int, total: float, what: str, kind: str) -> dict[str, Any]:
    return {
        "number": f"{4000 + number}",
        "supplier": {"name": "Brandt & Söhne", "city": "Kiel"},
        "lines": [{"what": what, "count": 12, "price": 9.9}, {"what": "delivery", "count": 1, "price": 31.1}],
        "total": total,
        "kind": kind,
        "summary": SUMMARY.format(n=12),
    }


def _spans(number: int, random: Random) -> tuple[dict[str, Any], ...]:
    first = round(80 + 200 * random.random())
    last = round(first + 100 + 500 * random.random())
    failed = number % 13 == 5
    said = {"input.value": f'{{"query": "invoice {number}"}}', "tool.name": "search"}
    return (
        _span("agent", "1", (0, last + 30), {}),
        _span("search_documents", "2 in 1", (12, first), said, "ERROR" if failed else "OK"),
        _span("read_page", "3 in 2", (30, first - 20), {"page": 1}),
        _span(
            "chat gpt", "4 in 1", (first + 5, last), {"llm.model_name": "small", "llm.token_count.total": 812}
        ),
    )


def _span(
    name: str, place: str, ms: tuple[int, int], said: dict[str, Any], status: str = "OK"
) -> dict[str, Any]:
    """A span; its place is its id, then that of what it is part of."""
    id_, _, parent = place.partition(" in ")
    start, end = (FIRST + at * 1_000_000 for at in ms)
    found = {"name": name, "start": start, "end": end, "status": status, "attributes": said, "id": id_}
    return found | {"parent": parent or None}
