"""Files of results: written line by line, read, gone on with; killed, full, torn."""

from __future__ import annotations

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fieldwise.errors import InputError
from fieldwise.evalsets.model import EvaluationSet, ItemResult
from fieldwise.evalsets.results.files import NotWritten, Results, Writer
from fieldwise.evalsets.results.header import Header
from fieldwise.evalsets.results.read import read_results
from tests.evalsets.sets import chosen, exact, sums
from tests.processes import started

GRADED: dict[str, Any] = {"status": "graded", "passed": True}
ROW: Any = {"key": "E", "score": 1.0, "comment": None, "metadata": GRADED, "extra": GRADED}


def result(name: str, repeat: int = 0, **more: Any) -> ItemResult:
    return ItemResult(name, name, repeat, output={"r": "é\ud800"}, results={"E": [ROW]}, **more)


def header(evaluation_set: EvaluationSet | None = None, **made_with: Any) -> Header:
    return Header.of(sums(3) if evaluation_set is None else evaluation_set, made_with)


def write(path: Path, *results: ItemResult) -> Header:
    first = header()
    with Writer.start(str(path), first) as writer:
        for one in results:
            writer.write(one)
    return first


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    results = [result("a"), result("b", seconds=0.5, error="x", outcome="timeout"), result("a", 1)]
    first = write(path, *results)
    read = read_results(str(path))
    assert (read.header, list(read), list(read)) == (first, results, results)
    assert len(path.read_bytes().splitlines()) == 4
    assert all(json.loads(line) for line in path.read_bytes().splitlines())


def test_each_line_is_there_at_once(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    with Writer.start(str(path), header()) as writer:
        for number in range(3):
            writer.write(result(f"i{number}"))
            assert len(list(read_results(str(path)))) == number + 1


def test_the_header_says_what_a_report_needs() -> None:
    similar = chosen("uipath-json-similarity", "S", weight=2.0, threshold=0.7)
    found = header(sums(2, exact(), similar), agent="app:answer", model=None)
    assert (found.set, found.name, found.items) == ("sums", "Sums", 2)
    assert found.made_with == {"agent": "app:answer"}
    kept = ("name", "type", "weight", "threshold")
    assert {id_: tuple(one[name] for name in kept) for id_, one in found.evaluators.items()} == {
        "E": ("E", "uipath-exact-match", 1.0, None),
        "S": ("S", "uipath-json-similarity", 2.0, 0.7),
    }


# ------------------------------------------------------------------------------------------- torn lines


@pytest.mark.parametrize("cut", [1, 2, 20, 100])
def test_a_torn_last_line_is_left_out_and_cut_off(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "r.jsonl"
    first = write(path, result("a"), result("b"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    kept = ["a", "b"] if cut == 1 else ["a"]  # of a line that lacks its end alone nothing is lost
    assert [one.item for one in read_results(str(path))] == kept
    writer, held = Writer.resume(str(path), first)
    with writer:
        assert [one.item for one in held] == kept
        if cut > 1:
            writer.write(result("b"))
        writer.write(result("c"))
    assert [one.item for one in read_results(str(path))] == ["a", "b", "c"]
    assert path.read_bytes().startswith(whole)


def test_a_file_of_a_torn_header_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    first = write(path)
    whole = path.read_bytes()
    for end in (0, 1, 5, 40, len(whole) - 2):
        path.write_bytes(whole[:end])
        writer, held = Writer.resume(str(path), first)
        with writer:
            assert list(held) == []
            writer.write(result("a"))
        assert [one.item for one in read_results(str(path))] == ["a"]


def test_a_header_without_the_end_of_its_line_stays(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    first = write(path)
    path.write_bytes(path.read_bytes().rstrip())
    writer, held = Writer.resume(str(path), replace(first, run="another"))
    with writer:
        assert list(held) == []
        writer.write(result("a"))
    assert read_results(str(path)).header == first


def test_a_line_that_is_no_result_is_refused_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    first = write(path, result("a"), result("b"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"item": \n', *lines[2:]]))
    message = f"{path}:3: is no result, and not the last line; remove it"
    with pytest.raises(InputError) as raised:
        list(read_results(str(path)))
    assert str(raised.value) == message
    writer, held = Writer.resume(str(path), first)
    with writer, pytest.raises(InputError) as raised:
        list(held)
    assert str(raised.value) == message


def test_a_result_that_is_there_twice_is_read_once(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    write(path, result("a"), result("b"), result("a", error="again"))
    assert [(one.item, one.error) for one in read_results(str(path))] == [("a", None), ("b", None)]


# --------------------------------------------------------------------------------------------- refusals


def test_a_file_of_something_else_is_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for text in ("remember the milk", "remember\nthe milk\n", '{"item": "a"}\n', "[1, 2]"):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(InputError) as raised:
            Writer.resume(str(path), header())
        assert str(raised.value) == (
            f"{path}: is no file of results: it does not begin with the line of a run"
        )
        with pytest.raises(NotWritten) as refused:
            Writer.start(str(path), header())
        assert str(refused.value) == (f"{path}: has something in it already; resume it, or overwrite it")
        assert path.read_text(encoding="utf-8") == text


OTHERS: tuple[tuple[Any, dict[str, Any], str], ...] = (
    (replace(sums(3), id="other"), {}, "of the set 'sums', this run is of 'other'"),
    (sums(4), {}, "of the set 'sums' with other items, 3 then and 4 now"),
    (sums(3, exact(ignore_case=True)), {}, "of 'E' with other options"),
    (sums(3), {"agent": "app:b"}, "made with agent 'app:a', this run has 'app:b'"),
    (sums(3), {"agent": "app:a", "model": "m"}, "made with model None, this run has 'm'"),
)


@pytest.mark.parametrize(
    ("other", "made_with", "difference"), [pytest.param(*row, id=row[2]) for row in OTHERS]
)
def test_results_of_another_run_are_refused(
    tmp_path: Path, other: EvaluationSet, made_with: dict[str, Any], difference: str
) -> None:
    path = tmp_path / "r.jsonl"
    with Writer.start(str(path), header(agent="app:a")) as writer:
        writer.write(result("i0"))
    before = path.read_bytes()
    with pytest.raises(InputError) as raised:
        Writer.resume(str(path), Header.of(other, {"agent": "app:a", **made_with}))
    assert str(raised.value) == (
        f"{path}: holds results {difference}; name another file, or begin this one anew"
    )
    assert path.read_bytes() == before


def test_evaluators_that_came_or_went_are_named() -> None:
    small, large = header(sums(3)), header(replace(sums(3), evaluators=(exact(), exact("F"))))
    assert large.differs(small) == "without the evaluator 'F'"
    assert small.differs(large) == "also of the evaluator 'F', which this run has not"


def test_weights_and_thresholds_may_change() -> None:
    assert header(sums(3, exact(weight=3.0))).differs(header(sums(3))) is None


def test_two_runs_never_write_to_one_file(tmp_path: Path) -> None:
    path = str(tmp_path / "r.jsonl")
    first = header()
    with Writer.start(path, first):
        for begin in (lambda: Writer.start(path, first, overwrite=True), lambda: Writer.resume(path, first)):
            with pytest.raises(NotWritten) as raised:
                begin()
            assert str(raised.value) == (
                f"{path}: another run is writing to it; wait for it, or name another file"
            )


UNREADABLE = (
    ("missing.jsonl", "cannot be read: No such file or directory"),
    (".", "cannot be read: Is a directory"),
)


@pytest.mark.parametrize(("name", "message"), UNREADABLE)
def test_what_cannot_be_read(tmp_path: Path, name: str, message: str) -> None:
    path = str(tmp_path / name)
    with pytest.raises(InputError) as raised:
        read_results(path)
    assert str(raised.value) == f"{path}: {message}"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none" / "r.jsonl"
    with pytest.raises(NotWritten) as raised:
        Writer.start(str(path), header())
    assert str(raised.value) == (
        f"{path}: cannot be written: there is no folder {path.parent}; make it first"
    )


# ------------------------------------------------------------------------------------------- full disks


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_said() -> None:
    with pytest.raises(NotWritten) as raised:
        Writer.start("/dev/full", header())
    assert str(raised.value) == "/dev/full: cannot be written: No space left on device"


def fill(writer: Writer) -> None:
    for number in range(100):
        writer.write(result(f"i{number}"))


def test_a_limit_on_the_size_of_files_leaves_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # the limit would cut compiled modules short
    path = tmp_path / "r.jsonl"
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, hard))
        with Writer.start(str(path), header()) as writer, pytest.raises(NotWritten) as raised:
            fill(writer)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)
    assert str(raised.value) == f"{path}: cannot be written: File too large"
    assert path.read_bytes().endswith(b"\n")
    kept = [one.item for one in read_results(str(path))]
    assert kept == [f"i{number}" for number in range(writer.written)]
    assert 3 < len(kept) < 100
    again, held = Writer.resume(str(path), header())
    with again:
        assert len(list(held)) == len(kept)
        again.write(result("more"))
    assert len(list(read_results(str(path)))) == len(kept) + 1


# ----------------------------------------------------------------------------------------------- killed

POINTS = 20
ITEMS = 60
RUNS = f"""
import os, sys, time
from fieldwise.evalsets.results.header import Header
from fieldwise.evalsets.results.files import Writer
from fieldwise.evalsets.runner import run_set
from fieldwise.evalsets.results.store import Store
from tests.evalsets.sets import exact, sums

def tell(*words):
    os.write(1, " ".join(map(str, words)).encode() + b"\\n")

def agent(a, b):
    tell("running")
    time.sleep(0.004)
    if a % 7 == 3:
        raise ValueError("no")
    return {{"r": a + b if a % 5 else 0, "long": "x" * 3_000}}

def run(path, history):
    whole = sums({ITEMS}, exact(target_output_key="r"), exact("F"))
    writer, held = Writer.resume(path, Header.of(whole))
    tell("begun", os.getpid())
    with writer, Store(history, writer.header) as store:
        def done():
            for one in held:
                store.add(one)
                yield one
        def noted(one):
            writer.write(one)
            store.add(one)
        summary = run_set(whole, agent, done=done(), on_result=noted, workers=2, repeat=2)
        store.finish(summary.to_dict())

for line in sys.stdin:
    child = os.fork()
    if not child:
        try:
            run(*line.split())
        except BaseException as error:
            tell("failed", repr(error))
            os._exit(1)
        os._exit(0)
    tell("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
"""Runs on demand, each a process of its own, whose start costs next to nothing."""


class Runner:
    """Runs that go on with a file, and may be killed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout

    def run(self, path: Path, lines: int | None = None, pause: float = 0.0) -> int:
        """Run, and kill what runs after so many lines of its output; return how it ended."""
        self._in.write(f"{path} {path.with_suffix('.db')}\n")
        self._in.flush()
        begun, said = self._out.readline().split()
        assert begun == "begun", said
        for _ in range(-1 if lines is None else lines):
            if (line := self._out.readline()).startswith("ended"):
                return int(line.split()[1])
        if lines is not None:
            time.sleep(pause)
            os.kill(int(said), signal.SIGKILL)
        while not (line := self._out.readline()).startswith("ended"):
            assert line, "the runner is gone"
        return int(line.split()[1])


@pytest.fixture
def runner() -> Iterator[Runner]:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", RUNS]
    path = f"{root}{os.pathsep}{root / 'src'}"
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    with started(command, env=environment, stderr=None) as process:
        yield Runner(process)


def comparable(results: Any) -> list[ItemResult]:
    return [replace(one, seconds=None, spans=()) for one in results]


def test_killed_at_random_and_gone_on_with_gives_the_same_results(tmp_path: Path, runner: Runner) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    assert runner.run(whole) == 0
    chance, kills = random.Random(7), 0  # noqa: S311 - repeatable on purpose
    sizes: set[int] = set()
    for attempt in range(10 * POINTS):  # how far a process comes before it is killed is up to the machine
        if kills >= POINTS and len(sizes) > POINTS // 2:
            break
        if broken.exists() and len(list(read_results(str(broken)))) >= 2 * ITEMS:
            broken.unlink()
            broken.with_suffix(".db").unlink(missing_ok=True)
        lines = (
            0 if attempt % 5 == 0 else chance.randrange(1, 12)
        )  # now and then while it reads what is there
        kills += runner.run(broken, lines, chance.uniform(0, 0.004)) == -signal.SIGKILL
        sizes.add(broken.stat().st_size)
    assert (kills >= POINTS, len(sizes) > POINTS // 2) == (True, True)
    assert runner.run(broken) == 0
    expected, found = read_results(str(whole)), read_results(str(broken))
    assert comparable(found) == comparable(expected)
    assert len(broken.read_bytes().splitlines()) == 1 + 2 * ITEMS
    histories = [read_results(str(path.with_suffix(".db"))) for path in (whole, broken)]
    assert comparable(histories[1]) == comparable(histories[0]) == comparable(expected)
    assert isinstance(found, Results)
