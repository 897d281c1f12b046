"""A long run on one process, on several, and on a Dask cluster: throughput, memory, and the same numbers.

    python -m tests.benchmarks.workers [RECORDS] [EXECUTOR ...]

An executor is `none`, `processes:2`, or `dask`, a cluster of two workers one of which is killed half-way.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import Any, Final

import fieldwise
from fieldwise import Report, evaluate_records

RECORDS: Final = 100_000
EXECUTORS: Final = ("none", "processes:1", "processes:2", "processes:7", "dask")


def records(number: int) -> Iterator[dict[str, Any]]:
    for at in range(number):
        came = {"name": f"Ada {at % 97}", "total": at * 1.01, "items": [{"n": at % 5}], "note": f"a {at}"}
        wanted = {"name": f"Ada {at % 89}", "total": at, "items": [{"n": at % 7}], "note": "a 7"}
        yield {"id": f"r{at}", "outputs": came, "reference_outputs": wanted}


def evaluators() -> list[Any]:
    return [
        fieldwise.create_json_match_evaluator(),
        fieldwise.create_json_similarity_evaluator(),
        fieldwise.create_json_diff_evaluator(),
        fieldwise.create_string_similarity_evaluator(target_output_key="note"),
        fieldwise.create_exact_match_evaluator(target_output_key="name"),
    ]


def local(number: int, executor: str) -> Report:
    given = None if executor == "none" else executor
    return evaluate_records(records(number), evaluators(), executor=given, keep_results=False)


def cluster(number: int) -> Report:
    import distributed

    dask: Any = distributed
    made = dask.LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    with made, dask.Client(made) as client:
        victim, seen = next(iter(client.run(os.getpid).values())), 0

        def kill(_: object) -> None:
            nonlocal seen
            seen += 1
            if seen == number // 2:
                os.kill(victim, signal.SIGKILL)

        return evaluate_records(
            records(number), evaluators(), executor=client.get_executor(), on_result=kill, keep_results=False
        )


def peak(who: int) -> int:
    """The most memory that a process took, in MB."""
    return resource.getrusage(who).ru_maxrss // 1024


def busy() -> float:
    """How long this process and those that it has ended worked, in seconds."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def main(number: int, executors: tuple[str, ...]) -> int:
    """Print a line for each executor; return 1 if they disagree."""
    told: list[dict[str, Any]] = []
    for executor in executors:
        started, before = perf_counter(), busy()
        report = cluster(number) if executor == "dask" else local(number, executor)
        taken = perf_counter() - started
        told.append({**report.to_dict(), "elapsed": None})
        print(
            f"{executor:12} {taken:7.1f} s {number / taken:9,.0f} records/s, CPU {busy() - before:.1f} s, "
            f"peak {peak(resource.RUSAGE_SELF)} MB here and {peak(resource.RUSAGE_CHILDREN)} MB in a worker, "
            f"{'same' if told[-1] == told[0] else 'OTHER'} numbers",
            flush=True,
        )
    return int(any(one != told[0] for one in told))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS, tuple(sys.argv[2:]) or EXECUTORS))
