"""`make sizes`: what is long. Functions over 60 lines and files over 400 are listed, each with its reason.

There is one reason: a test module mirrors the module it tests, so the many cases of one stay in one file. No
other file may be long, and no function anywhere; `tests/test_architecture.py` holds `src` to that at once.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.test_architecture import sizes

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "examples", "notebooks", "docs")
REASON = "tests of one module, its cases together"


def found() -> list[tuple[str, bool]]:
    """Return what is long, one line each, and whether that has its reason."""
    files = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return [
        (one, path.name.startswith("test_") and one.split(":")[1] == "1")
        for path in files
        for one in sizes(str(path.relative_to(ROOT)), path.read_text("utf-8"))
    ]


def main() -> int:
    """Print the list; 1 when something in it has no reason."""
    rows = found()
    for one, excused in rows:
        print(f"{one}: {REASON if excused else 'NO REASON'}")
    unexcused = sum(not excused for _, excused in rows)
    print(f"{len(rows)} long, {unexcused} of them without a reason")
    return min(unexcused, 1)


if __name__ == "__main__":
    sys.exit(main())
