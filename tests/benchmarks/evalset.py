"""An evaluation set of recorded answers through the command: throughput and peak memory.

    python tests/benchmarks/evalset.py [ITEMS]

Makes a project in a temporary folder, 100,000 items unless told otherwise, each with criteria for five
evaluators (exact match, contains, JSON similarity, json_match, multiclass classification), and the answers
in another order than the items. Runs `fieldwise eval --outputs … --out …` in a process of its own and prints
what it took.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter
from typing import Any

ITEMS = 100_000
COMMAND = "from fieldwise.cli import main; main()"
CLASSES = ["spam", "ham", "news"]
EVALUATORS: dict[str, dict[str, Any]] = {
    "Exact": {"type": "uipath-exact-match", "targetOutputKey": "name"},
    "Contains": {"type": "uipath-contains", "targetOutputKey": "text"},
    "Similar": {"type": "uipath-json-similarity"},
    "Fields": {"type": "fieldwise-json-match", "aggregator": "average"},
    "Label": {"type": "uipath-multiclass-classification", "classes": CLASSES, "targetOutputKey": "label"},
}


def evaluator(name: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return the file of an evaluator."""
    config = {key: value for key, value in options.items() if key != "type"}
    return {
        "version": "1.0",
        "id": name,
        "evaluatorTypeId": options["type"],
        "description": "",
        "evaluatorConfig": {"name": name, **config},
    }


def expected(number: int) -> dict[str, Any]:
    """Return what is right for an item."""
    label = CLASSES[number % len(CLASSES)]
    return {"name": f"item {number}", "text": f"the total is {number}", "total": number, "label": label}


def item(number: int) -> dict[str, Any]:
    """Return an item of the set."""
    right = expected(number)
    return {
        "id": f"i{number}",
        "name": f"i{number}",
        "inputs": {"n": number},
        "expectedOutput": right,
        "evaluationCriterias": {
            "Exact": {"expectedOutput": {"name": right["name"]}},
            "Contains": {"searchText": str(number)},
            "Similar": None,
            "Fields": None,
            "Label": {"expectedClass": right["label"]},
        },
    }


def answer(number: int) -> dict[str, Any]:
    """Return what was answered: now and then something wrong."""
    said = expected(number)
    if number % 7 == 0:
        said |= {"total": number + 1, "label": CLASSES[0]}
    return {"id": f"i{number}", "output": said}


def make(folder: Path, items: int) -> tuple[Path, Path]:
    """Write the project; return the set and the answers."""
    evaluators, sets = folder / "evaluations" / "evaluators", folder / "evaluations" / "eval-sets"
    evaluators.mkdir(parents=True)
    sets.mkdir()
    for name, options in EVALUATORS.items():
        (evaluators / f"{name}.json").write_text(json.dumps(evaluator(name, options)), encoding="utf-8")
    whole = {"version": "1.0", "id": "bench", "name": "Bench", "evaluatorRefs": list(EVALUATORS)}
    set_file, answers = sets / "bench.json", folder / "answers.jsonl"
    with set_file.open("w", encoding="utf-8") as file:
        json.dump({**whole, "evaluations": [item(number) for number in range(items)]}, file)
    order = list(range(items))
    random.Random(1).shuffle(order)  # noqa: S311 - repeatable on purpose
    with answers.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(answer(number)) + "\n" for number in order)
    return set_file, answers


def main() -> None:
    """Make the project, run the command, print what it took."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    more = sys.argv[2:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        set_file, answers = make(folder, items)
        print(f"{items:,} items, {len(EVALUATORS)} evaluators; set {set_file.stat().st_size / 1e6:.0f} MB")
        out = folder / "results.jsonl"
        argv = ["eval", str(set_file), "--outputs", str(answers), "--out", str(out), "--quiet", *more]
        started = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", COMMAND, *argv], check=False, capture_output=True, text=True
        )
        elapsed = perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        print(done.stdout.strip(), done.stderr.strip(), f"exit code {done.returncode}", sep="\n")
        results = items * len(EVALUATORS)
        print(f"{elapsed:.1f} s, {items / elapsed:,.0f} items/s, {results / elapsed:,.0f} results/s")
        print(f"peak memory {peak:.0f} MB; results {out.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
