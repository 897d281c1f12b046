"""Calls of the command, in this process and in one of its own."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from fieldwise.cli import run
from tests.processes import started

ROOT = Path(__file__).resolve().parents[2]
RECEIPTS = ROOT / "examples" / "receipts" / "receipts.jsonl"
CORD = ROOT.parent / "shared" / "data" / "cord_receipts.jsonl"

GOOD = {"outputs": {"a": 1}, "reference_outputs": {"a": 1}}
BAD = {"outputs": {"a": 2}, "reference_outputs": {"a": 1}}


class Terminal(io.StringIO):
    """A stream that says a person reads it."""

    def isatty(self) -> bool:
        return True


class Ended(NamedTuple):
    """What a run of the command left behind."""

    code: int
    out: str
    err: str


def call(
    *argv: object, stdin: str = "", out: io.StringIO | None = None, err: io.StringIO | None = None
) -> Ended:
    out, err = out or io.StringIO(), err or io.StringIO()
    code = run([str(one) for one in argv], io.StringIO(stdin), out, err)
    return Ended(code, out.getvalue(), err.getvalue())


def score(source: object, *argv: object, **streams: Any) -> Ended:
    return call("score", source, "--evaluator", "json_match", *argv, **streams)


def jsonl(path: Path, *records: Any) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in records))
    return path


def process(*argv: object, **options: Any) -> AbstractContextManager[subprocess.Popen[str]]:
    return started([sys.executable, "-m", "fieldwise", *argv], **options)
