"""What other processes import to take part in tests of runs: a set, answers to it, an agent, a judge."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from fieldwise.evalsets.model import Chosen, EvaluationSet, ItemResult
from fieldwise.evalsets.summary import Summary
from tests.evalsets.sets import chosen, exact, item

LABELS = ["even", "odd"]


def evaluators() -> tuple[Chosen, ...]:
    """Five: one with a path that names nothing, one with metrics over the data set."""
    return (
        exact("Exact", target_output_key="sum", threshold=0.5),
        chosen("uipath-contains", "Contains", target_output_key="text"),
        chosen("uipath-json-similarity", "Similar", weight=2.0),
        chosen("fieldwise-json-match", "Fields", exclude_keys=["smu"]),
        chosen("uipath-multiclass-classification", "Label", classes=LABELS, target_output_key="label"),
    )


def right(n: int) -> dict[str, Any]:
    return {"sum": n + 1, "text": f"it is {n + 1}", "label": LABELS[n % 2]}


def numbered(number: int) -> EvaluationSet:
    """A set of so many items, of which some skip an evaluator."""
    items = []
    for n in range(number):
        criterias: dict[str, Any] = {
            "Exact": {"expectedOutput": {"sum": n + 1}},
            "Contains": {"searchText": str(n + 1)},
            "Similar": {"expectedOutput": right(n)},
            "Fields": {"expectedOutput": right(n)},
            "Label": {"expectedClass": LABELS[n % 2]},
        }
        if n % 5 == 2:
            del criterias["Contains"]
        items.append(item(f"i{n}", {"n": n}, **criterias))
    return EvaluationSet("numbered", "Numbered", evaluators(), tuple(items))


def answers(number: int, repeat: int = 1) -> list[dict[str, Any]]:
    """Recorded answers, some wrong, some errors, some missing."""
    found: list[dict[str, Any]] = []
    for n in range(number):
        for time in range(repeat):
            said: dict[str, Any] = {"id": f"i{n}", "repeat": time, "output": right(n)}
            if (n + time) % 7 == 3:
                said["output"]["sum"] += 0.01 * n
            if n % 11 == 5:
                said = {"id": f"i{n}", "repeat": time, "error": "down"}
            if n % 13 != 6:
                found.append(said)
    return found


def agent(n: int) -> dict[str, Any]:
    if n % 11 == 5:
        raise ValueError(f"no {n}")
    return right(n) if n % 7 else {"sum": n}


async def later(n: int) -> dict[str, Any]:
    return agent(n)


def judge(request: Any) -> dict[str, Any]:
    return {one.id: 75 for one in request.questions}


class Deadly:
    """An agent that kills its process when it meets an item, `times` times in all."""

    def __init__(self, folder: Path, n: int, times: int) -> None:
        self.folder, self.n, self.times = str(folder), n, times

    def __call__(self, n: int) -> dict[str, Any]:
        if n == self.n:
            deaths = len(os.listdir(self.folder))  # noqa: PTH208 - as quick as it gets
            if deaths < self.times:
                Path(self.folder, str(deaths)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return agent(n)


def numbers(summary: Summary) -> dict[str, Any]:
    """All that a summary says but how long it took."""
    return {**summary.to_dict(), "elapsed": None, "agent_seconds": None}


def untimed(found: list[ItemResult]) -> list[dict[str, Any]]:
    return [{**one.to_dict(), "seconds": None} for one in found]
