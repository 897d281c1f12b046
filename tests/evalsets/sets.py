"""Evaluation sets for the tests of runs: made in Python, or written as a project."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fieldwise.evalsets.model import Chosen, EvaluationSet, Item, ItemResult, Spec
from fieldwise.evalsets.results.header import Header
from fieldwise.evalsets.results.store import Store


def exact(name: str = "E", **options: Any) -> Chosen:
    return chosen("uipath-exact-match", name, **options)


def chosen(
    type_id: str,
    name: str,
    *,
    weight: float = 1.0,
    threshold: float | None = None,
    default: Any = None,
    **options: Any,
) -> Chosen:
    return Chosen(Spec(name, type_id, name, options=options, default=default), weight, threshold)


def item(name: str, inputs: dict[str, Any], **criterias: Any) -> Item:
    return Item(name, name, inputs, criterias)


def sums(number: int, *evaluators: Chosen) -> EvaluationSet:
    """A set of additions, `{"a": n, "b": 1}` each, whose evaluators all expect the sum under `r`."""
    named = evaluators or (exact(),)
    ids = [one.spec.id for one in named]
    items = [
        item(f"i{n}", {"a": n, "b": 1}, **{name: {"expectedOutput": {"r": n + 1}} for name in ids})
        for n in range(number)
    ]
    return EvaluationSet("sums", "Sums", named, tuple(items))


APP = '''
"""An agent that adds; the environment tells it at which number to wait for ever."""

import os
import time


def answer(a, b):
    while str(a) == os.environ.get("HOLD"): time.sleep(0.01)
    if a == 3:
        raise ValueError("no three")
    return {"result": a + b}


async def later(a, b):
    return answer(a, b)
'''


def project(folder: Path, number: int = 6, **config: Any) -> Path:
    """Write a project with an agent and a set of additions into a folder; return the set's file."""
    evaluators, sets = folder / "evaluations" / "evaluators", folder / "evaluations" / "eval-sets"
    evaluators.mkdir(parents=True)
    sets.mkdir()
    for name, type_id in (("Exact", "uipath-exact-match"), ("Similar", "uipath-json-similarity")):
        spec = {"version": "1.0", "id": name, "evaluatorTypeId": type_id, "description": ""}
        write(evaluators / f"{name}.json", {**spec, "evaluatorConfig": {"name": f"{name} result"}})
    items = [
        {
            "id": f"t{n}",
            "name": f"test {n}",
            "inputs": {"a": n, "b": 1},
            "evaluationCriterias": {
                "Exact": {"expectedOutput": {"result": n + 1 if n != 1 else 0}},
                "Similar": {"expectedOutput": {"result": n + 1}},
            },
        }
        for n in range(number)
    ]
    refs = config or {"evaluatorRefs": ["Exact", "Similar"]}
    (folder / "app.py").write_text(APP, encoding="utf-8")
    whole = {"version": "1.0", "id": "sums", "name": "Sums", **refs, "evaluations": items}
    return write(sets / "sums.json", whole)


def write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def store_run(path: str, header: Header, results: Iterable[ItemResult], summary: Mapping[str, Any]) -> None:
    """Put a run that is over into a history."""
    with Store(path, header) as store:
        for result in results:
            store.add(result)
        store.finish(summary)
