"""`fieldwise score` as a process: interrupted, its streams closed, its memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from fieldwise.cli.score.out import Out
from tests.cli.calls import GOOD, jsonl, process, score

AHEAD = """
import threading, time

reached = threading.Barrier(12)

def stops(request):
    n = request.questions[0].actual
    if n < 4:
        return {one.id: True for one in request.questions}
    reached.wait(60)
    time.sleep(0.5)  # for the answers before to be counted
    raise KeyboardInterrupt
"""


def test_module_is_the_command(half: Path) -> None:
    with process("score", half, "--evaluator", "json_match", "--fail-under", 0.9) as child:
        out, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (1, "")
    assert "failed: score 0.500 is below 0.900" in out


def test_interrupted_run_keeps_and_reports_what_it_scored(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    with process("score", "-", "--evaluator", "json_match", "--out", out, "--format", "jsonl") as child:
        assert child.stdin is not None
        for _ in range(3):
            child.stdin.write(json.dumps(GOOD) + "\n")
        child.stdin.flush()
        deadline = time.monotonic() + 60
        while not out.exists() or out.read_text().count("\n") < 3:
            assert child.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        shown, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (130, "interrupted: 3 records scored\n")
    assert shown.startswith("json_match: score 1.000 [0.43, 1.00], ")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("r.json", json.dumps([GOOD] * 40), "interrupted: 2 of 40 scored\n"),
        ("r.jsonl", (json.dumps(GOOD) + "\n") * 40, "interrupted: 2 records scored, about 5% of {}\n"),
    ],
)
def test_how_far_an_interrupted_run_came(
    tmp_path: Path, name: str, content: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:

    def stops(_: Out, result: Any) -> None:
        if result.position == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(Out, "write", stops)
    path = tmp_path / name
    path.write_text(content)
    ended = score(path, "--json")
    assert (ended.code, ended.err) == (130, message.format(path))
    assert json.loads(ended.out)["interrupted"] is True


def test_what_was_read_ahead_is_not_scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first records wait for their judge, the whole file has been read."""
    (tmp_path / "judges_ahead.py").write_text(AHEAD)
    monkeypatch.syspath_prepend(str(tmp_path))
    records = [{"id": str(n), "outputs": {"a": n}, "reference_outputs": {"a": -1}} for n in range(40)]
    path = jsonl(tmp_path / "r.jsonl", *records)
    ended = score(path, "--option", "rubric.a=alike", "--judge", "judges_ahead:stops", "--concurrency", "16")
    assert (ended.code, ended.err) == (130, f"interrupted: 4 records scored, about 10% of {path}\n")


@pytest.mark.parametrize(("shell", "code"), [("<&-", 2), (">&-", 0), ("2>&-", 0)])
def test_closed_streams(half: Path, shell: str, code: int) -> None:
    source = "-" if shell == "<&-" else half
    command = f'"{sys.executable}" -m fieldwise score "{source}" --evaluator json_match {shell}'
    child = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    told = "fieldwise: standard input is closed; name a file, or pipe records in\n"
    assert (child.returncode, child.stderr) == (code, told if code else "")


def test_closed_pipe_is_no_error(half: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with process("score", half, "--evaluator", "json_match", stdout=writer) as child:
        os.close(writer)
        _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, "")


MEMORY = """
import resource, sys
from fieldwise.cli import run
small, large = sys.argv[1:]
argv = ["--evaluator", "json_match", "--quiet", "--out"]
def peak(path):
    assert run(["score", path, *argv, path + ".out"], sys.stdin, sys.stdout, sys.stderr) == 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak(small)
print(peak(large) - before)
"""


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    record = {"outputs": {"a": "x" * 200, "b": [1, 2]}, "reference_outputs": {"a": "y" * 200, "b": [1, 2]}}
    small = jsonl(tmp_path / "small.jsonl", *[record] * 500)
    large = jsonl(tmp_path / "large.jsonl", *[record] * 20_000)
    child = subprocess.run(
        [sys.executable, "-c", MEMORY, small, large], capture_output=True, text=True, check=True
    )
    assert large.stat().st_size > 9_000_000
    assert int(child.stdout.splitlines()[-1]) < 4_000  # KiB
