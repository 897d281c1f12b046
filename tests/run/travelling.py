"""What other processes import to take part in tests: records, evaluators, and a way to die."""

from __future__ import annotations

import os
import signal
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import fieldwise

LABELS = ("cat", "dog", "bird")


def records(number: int) -> list[dict[str, Any]]:
    """Records of which some are right, some are wrong, and some cannot be read; two in a row share an id."""
    found: list[dict[str, Any]] = []
    for at in range(number):
        record: dict[str, Any] = {
            "id": f"r{at // 2}",
            "outputs": {"name": f"n{at % 3}", "size": at * 1.01, "kind": LABELS[at % 3]},
            "reference_outputs": {"name": f"n{at % 2}", "size": float(at), "kind": LABELS[at % 2]},
        }
        if at % 11 == 5:
            del record["outputs"]
        if at % 13 == 7:
            record["outputs"] = "no object"
        if at % 3 == 1:
            del record["id"]
        found.append(record)
    return found


def evaluators() -> list[Any]:
    return [
        fieldwise.create_json_match_evaluator(exclude_keys=["nme"]),
        fieldwise.create_json_similarity_evaluator(),
        fieldwise.create_multiclass_classification_evaluator(classes=LABELS, target_output_key="kind"),
        grade,
    ]


def grade(outputs: Any) -> Any:
    """A foreign evaluator: a score for one, a value for another, an exception for what is no object."""
    if outputs["kind"] == "cat":
        return {"key": "tone", "value": outputs["name"]}
    return {"key": "grade", "score": len(outputs["name"]) / 3}


async def agrade(outputs: Any) -> Any:
    return grade(outputs)


def numbers(report: Any) -> dict[str, Any]:
    """All that a report says but how long it took."""
    return {**report.to_dict(), "elapsed": None}


class Inline(Executor):
    """Does at once what it is given, and tells nobody that it works in this process."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - as executors do
            future.set_exception(error)
        return future


class Deadly:
    """An evaluator that kills its process when it meets an output, `times` times in all."""

    def __init__(self, folder: Path, output: Any, times: int) -> None:
        self.folder, self.output, self.times = str(folder), output, times

    def __call__(self, outputs: Any) -> float:
        if outputs == self.output:
            deaths = len(os.listdir(self.folder))  # noqa: PTH208 - as quick as it gets
            if deaths < self.times:
                Path(self.folder, str(deaths)).touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return 1.0
