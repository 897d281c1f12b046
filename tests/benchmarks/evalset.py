"""An evaluation set of recorded answers through the command: throughput, memory, and the same numbers.

    python -m tests.benchmarks.evalset [ITEMS] [EXECUTOR ...]

Makes a project in a temporary folder, 100,000 items unless told otherwise, each with criteria for five
evaluators (exact match, contains, JSON similarity, json_match, multiclass classification), and the answers
in another order than the items. Runs `fieldwise eval --outputs … --out …` in a process of its own for each
executor: `none`, `processes:2`, or `dask`, a cluster of two workers one of which is killed half-way. Memory
is that of the command and of all processes below it together; of a cluster, also that of its workers and
scheduler.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

ITEMS = 100_000
EXECUTORS = ("none", "processes:1", "processes:2", "processes:7", "dask")
EVERY = 0.05
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


# ------------------------------------------------------------------------------------------ measuring


class Took(NamedTuple):
    """What a run took: seconds, seconds of CPU, and the most memory at one time, in MB."""

    seconds: float
    busy: float
    peak: float


def below(roots: set[int]) -> set[int]:
    """Return processes and all below them."""
    parents: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - names alone
        if name.isdecimal():
            with suppress(OSError, ValueError):
                text = Path("/proc", name, "stat").read_text(encoding="utf-8")
                parents.setdefault(int(text.rpartition(")")[2].split()[1]), []).append(int(name))
    found, queue = set(roots), list(roots)
    while queue:
        for child in parents.get(queue.pop(), ()):
            if child not in found:
                found.add(child)
                queue.append(child)
    return found


def resident(process: int) -> float:
    """Return the memory of a process, in MB; one that is gone has none."""
    with suppress(OSError, IndexError):
        pages = int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGESIZE") / 1e6
    return 0.0


def worked(process: int) -> float:
    """Return the seconds of CPU of a process."""
    with suppress(OSError, IndexError):
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def measured(running: subprocess.Popen[str], others: set[int], half: Any) -> Took:
    """Wait for a command and return what it took; `half` is called again and again meanwhile."""
    started, peak = perf_counter(), 0.0
    busy: dict[int, float] = {}
    before = {one: worked(one) for one in below(others)}
    while running.poll() is None:
        here = below({running.pid, *others})
        peak = max(peak, sum(map(resident, here)))
        busy |= {one: worked(one) for one in here if worked(one)}
        half()
        time.sleep(EVERY)
    spent = sum(seconds - before.get(one, 0.0) for one, seconds in busy.items())
    return Took(perf_counter() - started, spent, peak)


@contextmanager
def cluster() -> Iterator[tuple[str, list[int], set[int]]]:
    """Start a cluster of two workers: its address for the option, the workers, and all its processes."""
    import distributed

    dask: Any = distributed
    made = dask.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    with made, dask.Client(made) as client:
        workers = list(client.run(os.getpid).values())
        yield made.scheduler_address.replace("tcp://", "dask://"), workers, {os.getpid()}


def evaluated(argv: list[str], out: Path, items: int, executor: str) -> tuple[Took, Any]:
    """Run the command; return what it took and the summary it printed."""
    command = [sys.executable, "-c", COMMAND, *argv, "--out", str(out), "--json"]

    def start(*more: str) -> subprocess.Popen[str]:
        return subprocess.Popen([*command, *more], stdout=subprocess.PIPE, text=True)

    if executor != "dask":
        with start(*([] if executor == "none" else ["--executor", executor])) as running:
            took = measured(running, set(), lambda: None)
            assert running.stdout is not None
            return took, json.loads(running.stdout.read())
    with cluster() as (address, workers, others), start("--executor", address) as running:
        took = measured(running, others, lambda: kill(workers, out, items // 2))
        assert running.stdout is not None
        assert len(workers) == 1, "no worker was killed"
        return took, json.loads(running.stdout.read())


def kill(workers: list[int], out: Path, lines: int) -> None:
    """Kill one of two workers once so many results are there."""
    if len(workers) == 2 and out.exists():
        with out.open("rb") as file:
            if sum(1 for _ in file) > lines:
                os.kill(workers.pop(), signal.SIGKILL)


def main() -> int:
    """Make the project, run the command with each executor, print what it took; 1 if they disagree."""
    items = int(sys.argv[1]) if len(sys.argv) > 1 else ITEMS
    told: list[Any] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        set_file, answers = make(folder, items)
        print(f"{items:,} items, {len(EVALUATORS)} evaluators; set {set_file.stat().st_size / 1e6:.0f} MB")
        argv = ["eval", str(set_file), "--outputs", str(answers)]
        for executor in tuple(sys.argv[2:]) or EXECUTORS:
            out = folder / f"{executor.replace(':', '-')}.jsonl"
            took, summary = evaluated(argv, out, items, executor)
            with out.open("rb") as file:
                next(file)  # the header, which names the run
                lines = hashlib.file_digest(file, "sha256").hexdigest()
            changing = {"run": None, "elapsed": None}
            told.append(({**summary, **changing}, lines))
            rate, same = items / took.seconds, "same" if told[-1] == told[0] else "OTHER"
            print(
                f"{executor:12} {took.seconds:6.1f} s {rate:7,.0f} items/s "
                f"{rate * len(EVALUATORS):8,.0f} results/s, CPU {took.busy:5.1f} s, "
                f"{took.busy / took.seconds:.2f} cores, peak {took.peak:.0f} MB in all, {same} results",
                flush=True,
            )
            out.unlink()
    return int(any(one != told[0] for one in told))


if __name__ == "__main__":
    sys.exit(main())
