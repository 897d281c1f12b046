"""The rows measured in new processes: what an import costs, and how much memory a large list takes.

A process prints one JSON object. Its CPU time counts from its start, so that of a bare interpreter, run in
the same round, is taken off. Its peak memory is `VmHWM` where there is /proc: `ru_maxrss` of a child can
be its parent's.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from statistics import median
from typing import Any, Final

from tests.benchmarks import peers
from tests.benchmarks.rows import Row
from tests.benchmarks.table import Line, Note, duration, times, verdict

CPU: Final = "\nimport json, time; print(json.dumps({'cpu': time.process_time()}))"
FIRST_SCORE: Final = """
import fieldwise
evaluate = fieldwise.create_json_match_evaluator(aggregator="average")
reference = {"id": "A-17", "name": "Ada", "born": "1815-12-10", "total": 12.5, "qty": 3, "paid": True,
             "discount": None, "city": "London", "currency": "GBP", "note": "deliver before noon"}
results = evaluate(outputs={**reference, "qty": 4, "city": "Paris"}, reference_outputs=reference)
assert results[0]["score"] == 0.8, results
"""
IMPORT_TARGET: Final = 8.0


def first_score(row: str, repeats: int) -> Iterator[Line | Note]:
    """Import and a first flat score, against the import of the peer alone."""
    sources = {
        "bare": "",
        "fieldwise: import, first flat score": FIRST_SCORE,
        "fieldwise: import": "import fieldwise",
    }
    if peers.installed("openevals"):
        sources["openevals.json: import"] = "import openevals.json"
    else:
        yield Note(peers.missing("openevals"))
    yield Note("each in a new process, less the CPU time of a bare interpreter; warm bytecode and disk cache")
    rounds = [
        {name: run(source + CPU)["cpu"] for name, source in sources.items()} for _ in range(repeats + 1)
    ]
    net = {name: [one[name] - one["bare"] for one in rounds[1:]] for name in sources if name != "bare"}
    names = iter(net)
    ours = next(names)
    yield Line(row, ours, duration(median(net[ours])))
    for name in names:
        ratio = median(theirs / mine for theirs, mine in zip(net[name], net[ours], strict=True))
        aimed = name.startswith("openevals")
        target = f"{IMPORT_TARGET:g}x" if aimed else ""
        met = verdict(target, met=ratio >= IMPORT_TARGET) if aimed else ""
        yield Line(row, name, duration(median(net[name])), times(ratio), target, met)


LARGE: Final = """
import json, sys, time
import fieldwise
outputs, reference = {data}
evaluate = fieldwise.create_json_match_evaluator(aggregator="average", list_aggregator="average")
start = time.perf_counter()
score = evaluate(outputs=outputs, reference_outputs=reference)[0]["score"]
wall = time.perf_counter() - start
try:
    with open("/proc/self/status") as status:
        peak = next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(json.dumps({{"wall": wall, "peak": peak, "score": score}}))
"""
COUNT: Final = 2_000
CASES: Final = {
    "id and v": (
        f"[{{'id': i, 'v': f'a{{i}}'}} for i in range({COUNT})], "
        f"[{{'id': i, 'v': f'b{{i}}'}} for i in reversed(range({COUNT}))]"
    ),
    "group, kind, v": (
        f"[{{'group': i % 40, 'kind': i % 7, 'v': f'a{{i}}'}} for i in range({COUNT})], "
        f"[{{'group': i % 40, 'kind': i % 7, 'v': f'b{{i}}'}} for i in reversed(range({COUNT}))]"
    ),
}
MAX_SECONDS: Final = 2.0
MAX_BYTES: Final = 500e6


def large_list(row: str, repeats: int) -> Iterator[Line | Note]:
    """Two thousand records that all differ in one field: wall time and peak memory."""
    yield Note(
        f"{COUNT:,} records that all differ in `v`; wall time of the first call and peak memory, new process"
    )
    for case, source in CASES.items():
        runs = [run(LARGE.format(data=source)) for _ in range(min(repeats, 3))]
        wall, peak = (median(one[name] for one in runs) for name in ("wall", "peak"))
        met = verdict("2 s", met=wall < MAX_SECONDS)
        yield Line(row, f"{case}: wall, score {runs[0]['score']:.4g}", duration(wall), "", "< 2 s", met)
        met = verdict("500 MB", met=peak < MAX_BYTES)
        yield Line(row, f"{case}: peak memory", f"{peak / 1e6:.0f} MB", "", "< 500 MB", met)


def run(source: str) -> dict[str, Any]:
    """Run source in a new interpreter and return the JSON object on its last line."""
    done = subprocess.run([sys.executable, "-c", source], check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


ROWS: Final[dict[str, Row]] = {"first-score": first_score, "large-list": large_list}
