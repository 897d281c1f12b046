"""A gate for continuous integration: `python examples/ci_gate/gate.py records.jsonl [bar]`.

Shows how a build fails when answers get worse: exit code 0 when the bar is reached, 1 when it is not. The bar
is for the lower end of the 95 % interval, so that a few lucky records do not pass, and all records have to be
graded, so that nothing passes for not having been looked at. For such a bar on the mean no program is
needed: `fieldwise score records.jsonl --evaluator json_match --fail-under 0.9` (see `workflow.yml`).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fieldwise import create_json_match_evaluator, evaluate_records


def main(file: str, bar: str = "0.9") -> int:
    """Score the records of a file; return the exit code."""
    records = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines()]
    report = evaluate_records(records, create_json_match_evaluator(depth="leaves"))
    coverage = report.coverage or 0.0  # None: there was nothing to grade
    if coverage < 1:
        print(f"failed: {coverage:.0%} of {report.count} records were graded")
        return 1
    low = report.bounds.low if report.bounds else 0.0  # no interval: nothing is known
    passed = low >= float(bar)
    verdict = "passed" if passed else "failed"
    print(f"{verdict}: score {report.score or 0:.3f}, at least {low:.3f}, the bar is {bar}")
    for example in report.worst_records[:3]:
        if example.score < 1:
            print(f"  {example.id} {example.score:.2f}  {example.comment}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
