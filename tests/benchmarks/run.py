"""Print ratios of CPU time against installed peers: what `make bench` runs.

    python tests/benchmarks/run.py [--row NAME]... [--repeats N]

Reading order: `data` (what is scored), `floors` and `peers` (who else scores it), `duel` (how they are
measured), `rows`, `nested` and `calls` (in this process), `fresh` (in new ones) and `judging` (wall times),
`table` (how it prints). The exit status is 0 whatever the figures are: this shows them, it is no gate.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
TRACING = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")


def main() -> int:
    prepare()
    from tests.benchmarks import calls, fresh, judging, nested, rows, table

    known: dict[str, rows.Row] = {
        **rows.ROWS,
        "nested": nested.nested,
        **calls.ROWS,
        **fresh.ROWS,
        **judging.ROWS,
    }
    asked = arguments(list(known))
    print(table.heading(asked.repeats))
    for name in asked.row or known:
        print(f"\n{table.columns()}")
        for part in known[name](name, asked.repeats):
            print(table.show(part), flush=True)
    return 0


def prepare() -> None:
    """Make the project importable, numpy single-threaded, and tracing off for every contestant."""
    sys.path[0] = str(ROOT)
    os.environ.update(dict.fromkeys(ONE_THREAD, "1"))
    for name in TRACING:
        os.environ.pop(name, None)


def arguments(names: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="CPU time of fieldwise and its peers, side by side.")
    parser.add_argument("--row", action="append", choices=names, help="only this row; may be repeated")
    parser.add_argument("--repeats", type=positive, default=7, help="rounds; figures are medians (7)")
    return parser.parse_args()


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is below 1")
    return number


if __name__ == "__main__":
    sys.exit(main())
