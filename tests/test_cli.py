"""The command: what it prints and returns, for good input and for everything else."""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

import fieldwise
from fieldwise.cli import run
from fieldwise.cli._options import evaluator_options
from fieldwise.cli._registry import EVALUATORS
from tests.processes import started

ROOT = Path(__file__).resolve().parents[1]
RECEIPTS = ROOT / "examples" / "receipts" / "receipts.jsonl"
CORD = ROOT.parent / "shared" / "data" / "cord_receipts.jsonl"

GOOD = {"outputs": {"a": 1}, "reference_outputs": {"a": 1}}
BAD = {"outputs": {"a": 2}, "reference_outputs": {"a": 1}}


class Terminal(io.StringIO):
    """A stream that says a person reads it."""

    def isatty(self) -> bool:
        return True


class Ended:
    """What a run of the command left behind."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


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


@pytest.fixture
def good(tmp_path: Path) -> Path:
    return jsonl(tmp_path / "records.jsonl", GOOD, GOOD)


@pytest.fixture
def half(tmp_path: Path) -> Path:
    return jsonl(tmp_path / "records.jsonl", GOOD, BAD)


# ---------------------------------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("argv", "code", "verdict"),
    [
        ([], 0, []),
        (["--fail-under", "0.5"], 0, ["passed: score 0.500 reaches 0.500"]),
        (["--fail-under", "0.51"], 1, ["failed: score 0.500 is below 0.510"]),
        (["--min-coverage", "1"], 0, ["passed: coverage 100% reaches 100%"]),
        (
            ["--fail-under", "0.9", "--min-coverage", "1.0"],
            1,
            ["failed: score 0.500 is below 0.900", "passed: coverage 100% reaches 100%"],
        ),
    ],
    ids=str,
)
def test_bars(half: Path, argv: list[str], code: int, verdict: list[str]) -> None:
    ended = score(half, *argv)
    assert (ended.code, ended.err) == (code, "")
    assert [line for line in ended.out.splitlines() if line.startswith(("passed", "failed"))] == verdict


def test_coverage_below_its_bar(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", GOOD, {"outputs": {"a": 1}}, {"reference_outputs": {"a": 1}})
    ended = score(path, "--min-coverage", "0.9", "--fail-under", "0.9", "--quiet")
    assert ended.code == 1
    assert "failed: coverage 33.3% is below 90%" in ended.out
    assert "passed: score 1.000 reaches 0.900" in ended.out


def test_nothing_graded(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", {"outputs": {"a": 1}, "reference_outputs": '{"a": '})
    ended = score(path)
    assert (ended.code, ended.out.splitlines()[-1]) == (1, "failed: nothing was graded")


# ------------------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["score"], "Missing argument 'RECORDS'."),
        (["score", "x"], "Missing option '--evaluator'."),
        (["scor"], "No such command 'scor'."),
        (
            ["score", "x", "--evaluator", "json_mach"],
            "there is no evaluator 'json_mach'; did you mean 'json_match'?",
        ),
        (
            ["score", "x", "--evaluator", "zzz"],
            f"there is no evaluator 'zzz'; known: {', '.join(sorted(EVALUATORS))}",
        ),
        (
            ["score", "x", "--evaluator", "json_match", "--fail-under", "90"],
            "'90' is not from 0 to 1; write 0.9",
        ),
        (["score", "x", "--evaluator", "json_match", "--fail-under", "nan"], "'nan' is not from 0 to 1"),
        (
            ["score", "x", "--evaluator", "json_match", "--min-coverage", "all"],
            "'all' is no number from 0 to 1",
        ),
        (["score", "x", "--evaluator", "json_match", "--limit", "0"], "0 is not in the range x>=1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_usage_errors(argv: list[str], message: str) -> None:
    ended = call(*argv)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (
            "agregator=all",
            "--option 'agregator=all': json_match has no option 'agregator'; did you mean 'aggregator'?",
        ),
        ("aggregator", "--option 'aggregator': write key=value, as in --option aggregator=average"),
        ("weights.=1", "--option 'weights.=1': write key=value, as in --option aggregator=average"),
        ("aggregator=al", "aggregator='al': must be one of None, 'average', 'all'; did you mean 'all'?"),
        ("weights.a=heavy", "weights['a']='heavy': must be a finite number of at least 0"),
        (
            "comparators.a=number(absolut=1)",
            "--option 'number(absolut=1)': number() got an unexpected keyword argument 'absolut'",
        ),
    ],
)
def test_wrong_evaluator_option(good: Path, option: str, message: str) -> None:
    ended = score(good, "--option", option)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"fieldwise: {message}")


def test_option_given_twice(good: Path) -> None:
    for pair in (
        ("aggregator=all", "aggregator=average"),
        ("weights.a=1", "weights.a=2"),
        ("weights.a=1", "weights=2"),
    ):
        ended = score(good, "--option", pair[0], "--option", pair[1])
        assert (ended.code, ended.err) == (2, f"fieldwise: --option {pair[1]!r}: given twice\n")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["aggregator=all"], {"json_match:all": 0.0}),
        (["weights.a=3", "weights.d=0", "aggregator=average"], {"json_match:average": 3 / 5}),
        (["exclude_keys=b", "exclude_keys=d"], {"json_match:a": 1.0, "json_match:n": 0.0}),
        (['exclude_keys=["b", "d"]'], {"json_match:a": 1.0, "json_match:n": 0.0}),
        (
            ["exclude_keys=b", "exclude_keys=d", "comparators.n=number(absolute=1)"],
            {"json_match:a": 1.0, "json_match:n": 1.0},
        ),
        (
            [
                "exclude_keys=b",
                'comparators={"n": "number"}',
                "comparators.d.e=string_similarity",
                "exclude_keys=n",
            ],
            {"json_match:a": 1.0, "json_match:d": 0.0},
        ),
        (
            ["lists.b=by_key(k)", "exclude_keys=d", "exclude_keys=n"],
            {"json_match:a": 1.0, "json_match:b": 1.0},
        ),
        (
            ["coerce=True", "exclude_keys=b", "exclude_keys=d", "feedback_key=mine"],
            {"mine:a": 1.0, "mine:n": 0.0},
        ),
    ],
    ids=str,
)
def test_options_reach_the_evaluator(tmp_path: Path, options: list[str], expected: dict[str, float]) -> None:
    record = {
        "outputs": {"a": 1, "b": [{"k": 1}, {"k": 2}], "d": {"e": "x"}, "n": 10},
        "reference_outputs": {"a": 1, "b": [{"k": 2}, {"k": 1}], "d": {"e": "y"}, "n": 11},
    }
    path, out = jsonl(tmp_path / "r.jsonl", record), tmp_path / "out.jsonl"
    argv = [part for option in options for part in ("--option", option)]
    assert score(path, *argv, "--out", out).err == ""
    (line,) = out.read_text().splitlines()
    assert {one["key"]: one["score"] for one in json.loads(line)["results"]} == pytest.approx(expected)


def test_help_and_version() -> None:
    assert call("--version").out == f"fieldwise, version {fieldwise.__version__}\n"
    ended = call("score", "--help")
    assert ended.code == 0
    assert "--fail-under" in ended.out
    assert "Exit codes: 0 passed" in ended.out


# --------------------------------------------------------------------------------------------- input


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("r.jsonl", '{"id": 7, "outputs": {"a": 1}, "reference_outputs": {"a": 1}}\n'),
        ("r.json", '[{"id": 7, "outputs": {"a": 1}, "reference_outputs": {"a": 1}}]'),
        ("r.csv", 'id,outputs,reference_outputs\n7,"{""a"": 1}","{""a"": 1.0}"\n'),
        ("-", '{"id": 7, "outputs": {"a": 1}, "reference_outputs": {"a": 1}}\n'),
        ("-", '[{"id": 7, "outputs": {"a": 1}, "reference_outputs": {"a": 1}}]'),
        ("-", 'id,outputs,reference_outputs\n7,"{""a"": 1}","{""a"": 1.0}"\n'),
    ],
)
def test_formats(tmp_path: Path, name: str, content: str) -> None:
    source, out = name if name == "-" else tmp_path / name, tmp_path / "out.jsonl"
    if isinstance(source, Path):
        source.write_text(content)
    ended = score(source, "--out", out, "--fail-under", 1, stdin=content)
    assert (ended.code, ended.err) == (0, "")
    line = json.loads(out.read_text())
    assert line["id"] == "7"
    assert [(one["key"], one["score"]) for one in line["results"]] == [("json_match:a", 1.0)]


def test_csv_gap_in_the_reference_is_no_reference(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("outputs,reference_outputs\nx,\n,y\nz,z\n")
    found = json.loads(score(path, "--json").out)
    assert found["statuses"] == {"graded": 2, "invalid_reference": 1}


def test_bad_lines_are_reported_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(f"{json.dumps(GOOD)}\nnot json\n\n[]\n{json.dumps(GOOD)}\n\xff\n".encode("latin-1"))
    ended = score(path, "--fail-under", 1)
    assert ended.code == 0
    assert ended.err.splitlines() == [
        f"{path}:2: not JSON: Expecting value at column 1",
        f"{path}:4: a record is an object, this is an array",
        f"{path}:6: not UTF-8: byte 1 of the line is 0xff",
    ]
    assert "3 bad lines skipped" in ended.out


def test_many_bad_lines_are_not_all_shown(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text("x\n" * 150 + json.dumps(GOOD))
    lines = score(path).err.splitlines()
    assert (len(lines), lines[-1]) == (101, f"{path}: and 50 more bad lines")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty; a record is an object with outputs and reference_outputs"),
        ("x\n", "no usable record: 1 bad lines and nothing else"),
        (
            '{"a": 1}',
            (
                "no record has 'outputs' for outputs; they have: 'a'; name it with --outputs; "
                "no record has 'reference_outputs' for reference_outputs; they have: 'a'; "
                "name it with --reference"
            ),
        ),
        (
            '{"outputs": 1, "reference": 1}',
            (
                "no record has 'reference_outputs' for reference_outputs; "
                "they have: 'outputs', 'reference'; did you mean 'reference'?"
            ),
        ),
    ],
)
def test_unusable_records(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(content)
    ended = score(path)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.splitlines()[-1] == f"fieldwise: {path}: {message}"


def test_unusable_files(tmp_path: Path) -> None:
    assert score(tmp_path).err == f"fieldwise: {tmp_path}: is a directory; name a file of records in it\n"
    missing = score(tmp_path / "r.jsonl")
    assert (missing.code, missing.err) == (2, f"fieldwise: {tmp_path / 'r.jsonl'}: no such file\n")


def test_columns(tmp_path: Path) -> None:
    rows = [
        {"name": "x", "run": {"answer": {"a": 1}}, "gold": {"a": 1}},
        {"name": "y", "run": {}, "gold": {"a": 1}},
        {"name": "z", "run": {"answer": {"a": 1}}},
    ]
    path, out = jsonl(tmp_path / "r.jsonl", *rows), tmp_path / "out.jsonl"
    named = ["--outputs", "run.answer", "--reference", "gold", "--id", "name"]
    ended = score(path, *named, "--out", out)
    assert ended.err.splitlines() == [
        f"{path}: 1 of 3 records have no 'run.answer' for outputs, first {path}:2",
        f"{path}: 1 of 3 records have no 'gold' for reference_outputs, first {path}:3",
    ]
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(one["id"], one["results"][0]["extra"]["status"]) for one in lines] == [
        ("x", "graded"),
        ("y", "not_evaluated"),
        ("z", "invalid_reference"),
    ]
    assert (
        lines[1]["results"][0]["comment"]
        == "the record has no outputs; its keys: 'name', 'run', 'gold', 'reference_outputs', 'id'"
    )
    wrong = score(path, *named, "--inputs", "question")
    assert (wrong.code, wrong.err) == (
        2,
        (
            f"fieldwise: {path}: no record has 'question' for inputs; "
            "they have: 'name', 'run', 'gold'; name it with --inputs\n"
        ),
    )


def test_limit(half: Path) -> None:
    assert json.loads(score(half, "--limit", 1, "--json").out)["records"] == 1


# -------------------------------------------------------------------------------------------- output


def test_json_report(half: Path) -> None:
    ended = score(half, "--json", "--fail-under", 0.9, "--option", "exclude_keys=c")
    found = json.loads(ended.out)
    assert ended.code == 1
    assert (found["score"], found["passed"], found["fail_under"], found["interrupted"]) == (
        0.5,
        False,
        0.9,
        False,
    )
    assert found["unmatched_paths"] == [
        {"evaluator": "json_match", "option": "exclude_keys", "path": "c", "nearest": None}
    ]


def test_quiet_is_one_line(half: Path) -> None:
    ended = score(half, "--quiet")
    assert ended.out.startswith("json_match: score 0.500 [0.09, 0.91], coverage 100%, ")
    assert len(ended.out.splitlines()) == 1


def test_pipe_is_plain_and_terminal_is_not(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    assert score(half).out.isascii()
    shown = score(half, out=Terminal()).out
    assert "\x1b[" in shown
    assert "━" in shown
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in score(half, out=Terminal()).out


def test_progress_is_for_terminals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.report.progress._EVERY", 0)
    path = jsonl(tmp_path / "r.jsonl", *[GOOD] * 50)
    assert score(path).err == ""
    shown = score(path, err=Terminal()).err
    assert "/s" in shown
    assert " left" in shown
    assert shown.endswith("\r\x1b[K")
    assert score(path, "--quiet", err=Terminal()).err == ""


def test_out_has_every_record_in_order(tmp_path: Path) -> None:
    records = [{**(GOOD if n % 2 else BAD), "id": f"é{n}\ud800"} for n in range(20)]
    path, out = jsonl(tmp_path / "r.jsonl", *records), tmp_path / "out.jsonl"
    assert score(path, "--out", out).code == 0
    assert [json.loads(line)["id"] for line in out.read_text("utf-8").splitlines()] == [
        f"é{n}\ud800" for n in range(20)
    ]


def test_out_is_not_the_input(good: Path) -> None:
    before = good.read_bytes()
    link = good.parent / "link"
    link.symlink_to(good)
    for path in (good, link):
        ended = score(good, "--out", path)
        assert (ended.code, ended.err) == (
            2,
            f"fieldwise: --out {path}: is the file the records come from; name another one\n",
        )
    assert good.read_bytes() == before


def test_out_that_cannot_be_opened(good: Path, tmp_path: Path) -> None:
    path = tmp_path / "no" / "out.jsonl"
    ended = score(good, "--out", path)
    assert (ended.code, ended.err) == (
        2,
        f"fieldwise: --out {path}: cannot be written: there is no folder {path.parent}; make it first\n",
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_full_disk(good: Path) -> None:
    ended = score(good, "--out", "/dev/full")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == "fieldwise: --out /dev/full: cannot be written: No space left on device\n"
    with open("/dev/full", "w") as full:  # noqa: PTH123
        code = run(
            ["score", str(good), "--evaluator", "json_match"], io.StringIO(), full, err := io.StringIO()
        )
        assert (code, err.getvalue()) == (
            2,
            "fieldwise: standard output: cannot be written: No space left on device\n",
        )
        with contextlib.suppress(OSError):
            full.close()


def test_narrow_encoding_gets_escapes(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", {**BAD, "id": "東京"})
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii", write_through=True)
    assert run(["score", str(path), "--evaluator", "json_match"], io.StringIO(), stream, io.StringIO()) == 0
    assert b"\\u6771\\u4eac" in raw.getvalue()


# -------------------------------------------------------------------------------------------- judges

JUDGE = """
def yes(request):
    return {question.id: True for question in request.questions}

async def later(request):
    return {}

number = 3
"""


def test_judge_is_imported_from_the_working_directory(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (half.parent / "judge_of_a_test.py").write_text(JUDGE)
    monkeypatch.chdir(half.parent)
    monkeypatch.setattr(sys, "path", list(sys.path))
    rubric = ["--option", "rubric.a=about the same"]
    assert score(half, *rubric, "--judge", "judge_of_a_test:yes", "--fail-under", 1).code == 0
    cases = {
        "judge_of_a_test:yess": "there is no 'yess' in it; did you mean 'yes'?",
        "judge_of_a_test:number": ("is int, not a callable that takes a JudgeRequest, nor a model or client"),
        "judge_of_a_test": "write module:object, as in --judge judges:same_meaning",
        "no_such_module:x": "ModuleNotFoundError: No module named 'no_such_module'",
    }
    for given, message in cases.items():
        ended = score(half, *rubric, "--judge", given)
        assert (ended.code, ended.err) == (2, f"fieldwise: --judge {given!r}: {message}\n")
    ended = score(half, *rubric, "--judge", "judge_of_a_test:later")
    assert ended.code == 2
    assert ended.err.startswith("fieldwise: judge=later is async: ")


def test_a_model_is_named(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from langchain import chat_models

    from tests.judges.fakes import chat_model

    made: list[tuple[str, dict[str, Any]]] = []

    def init(name: str, **settings: Any) -> Any:
        made.append((name, settings))
        return chat_model()

    monkeypatch.setattr(chat_models, "init_chat_model", init)
    rubric = ["--option", "rubric.a=about the same"]
    assert score(half, *rubric, "--model", "openai:some", "--fail-under", 1).code == 0
    assert [name for name, _ in made] == ["openai:some"]
    output = ["--evaluator", "llm_judge_output", "--model", "openai:some", "--option", "max_tokens=50"]
    assert call("score", half, *output, "--fail-under", 1).code == 0
    assert made[1][1]["max_tokens"] == 50


def test_a_model_beside_a_function_is_refused(half: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (half.parent / "judge_of_a_test.py").write_text(JUDGE)
    monkeypatch.chdir(half.parent)
    monkeypatch.setattr(sys, "path", list(sys.path))
    rubric = ["--option", "rubric.a=about the same"]
    ended = score(half, *rubric, "--judge", "judge_of_a_test:yes", "--model", "openai:some")
    assert (ended.code, ended.err) == (2, "fieldwise: judge and model are both given: pass one of them\n")


@pytest.mark.parametrize("option", ["--model", "--judge"])
def test_an_evaluator_that_asks_nobody_takes_no_judge(half: Path, option: str) -> None:
    ended = call("score", half, "--evaluator", "exact_match", option, "openai:some")
    assert ended.code == 2
    assert ended.err.endswith(f"Error: exact_match asks no judge; leave {option} out\n")


# ------------------------------------------------------------------------------------- as a process


def process(*argv: object, **options: Any) -> AbstractContextManager[subprocess.Popen[str]]:
    return started([sys.executable, "-m", "fieldwise", *argv], **options)


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
    from fieldwise.cli import _score

    class Stops(_score._Out):
        def write(self, result: Any) -> None:
            if result.position == 2:
                raise KeyboardInterrupt

    monkeypatch.setattr(_score, "_Out", Stops)
    path = tmp_path / name
    path.write_text(content)
    ended = score(path, "--json")
    assert (ended.code, ended.err) == (130, message.format(path))
    assert json.loads(ended.out)["interrupted"] is True


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


# --------------------------------------------------------------------------------------- real input


def test_example_receipts_show_where_the_model_is_wrong() -> None:
    ended = score(RECEIPTS, "--option", "depth=leaves", "--option", "list_aggregator=average")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("json_match: score 0.")
    assert " 80 records in " in ended.out
    assert {"items[*].unit_price", "total", "date", "receipt-034"} <= set(ended.out.split())
    assert max(map(len, ended.out.splitlines())) <= 120


@pytest.mark.skipif(
    not CORD.exists(), reason=f"needs the real receipts, {CORD}, which are no part of the project"
)
def test_real_receipts_agree_with_a_count_by_hand() -> None:
    records = [json.loads(line) for line in CORD.read_text("utf-8").splitlines()]
    found = json.loads(score(CORD, "--option", "depth=leaves", "--json").out)
    assert (found["records"], found["errors"]["count"]) == (len(records), 0) == (100, 0)
    for group, name in (("total", "total_price"), ("sub_total", "tax_price")):
        sides = [
            [one[side].get(group, {}).get(name) for side in ("outputs", "reference_outputs")]
            for one in records
        ]
        there = [(came, wanted) for came, wanted in sides if came is not None or wanted is not None]
        right = sum(came == wanted for came, wanted in there)
        field = found["fields"][f"json_match:{group}.{name}"]
        assert (field["graded"], field["mean"]) == (len(there), right / len(there))


# ----------------------------------------------------------------------------------- one record explained


def named(path: Path) -> Path:
    return jsonl(path / "named.jsonl", {"id": "rec-1", **GOOD}, {"id": "rec-2", **BAD}, {"id": 7, **BAD}, BAD)


EXPLAINED = """\
record rec-2: json_match

result        score
json_match:a  0.000  failed  a: expected 1, got 2

   field  expected  got
!  a      1         2    wrong

1 wrong
"""


def test_explain_prints_one_record(tmp_path: Path) -> None:
    ended = score(named(tmp_path), "--explain", "rec-2")
    assert (ended.code, ended.out, ended.err) == (0, EXPLAINED, "")


@pytest.mark.parametrize(
    ("id_", "head"),
    [("rec-1", "record rec-1: json_match"), ("7", "record 7: json_match"), ("4", "record 4: json_match")],
)
def test_explain_finds_a_record_by_what_a_report_calls_it(tmp_path: Path, id_: str, head: str) -> None:
    assert score(named(tmp_path), "--explain", id_).out.startswith(f"{head}\n")


@pytest.mark.parametrize(
    ("id_", "hint"),
    [("rec2", "did you mean 'rec-2'?"), ("zzz", "ids: 'rec-1', 'rec-2', '7', '4'")],
)
def test_explain_of_an_unknown_id(tmp_path: Path, id_: str, hint: str) -> None:
    path = named(tmp_path)
    ended = score(path, "--explain", id_)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"fieldwise: --explain {id_!r}: {path} has no record of this id; {hint}\n"


def test_explain_finds_the_nearest_of_many_ids(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", *({"id": f"receipt-{n:05}", **GOOD} for n in range(3_000)))
    assert "did you mean 'receipt-00042'?" in score(path, "--explain", "reciept-00042").err


@pytest.mark.parametrize(
    ("argv", "code", "last"),
    [
        (["--fail-under", "0.5"], 1, "failed: score 0.000 is below 0.500"),
        (["--min-coverage", "1"], 0, "passed: coverage 100% reaches 100%"),
    ],
)
def test_explain_with_a_bar(tmp_path: Path, argv: list[str], code: int, last: str) -> None:
    ended = score(named(tmp_path), "--explain", "rec-2", *argv)
    assert (ended.code, ended.out.splitlines()[-1]) == (code, last)


def test_explain_as_json_and_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    found = json.loads(score(named(tmp_path), "--explain", "rec-2", "--json", "--out", out).out)
    assert (found["id"], found["verdicts"], found["passed"]) == ("rec-2", {"wrong": 1}, True)
    assert json.loads(out.read_text())["results"] == found["results"]


def test_explain_has_colours_on_a_terminal_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m!  a" in score(named(tmp_path), "--explain", "rec-2", out=Terminal()).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in score(named(tmp_path), "--explain", "rec-2", out=Terminal()).out


# ------------------------------------------------------------------------------------- the evaluators


def test_every_public_factory_is_known_by_its_name() -> None:
    factories = {name for name in fieldwise.__all__ if name.startswith("create_") and "_async_" not in name}
    forms = ("_string_evaluator", "_summary_evaluator", "_judge")
    assert set(EVALUATORS.values()) == {
        name for name in factories if name.endswith("_evaluator") and not name.endswith(forms)
    }
    assert all(made == f"create_{name}_evaluator" for name, made in EVALUATORS.items())


def test_evaluators_are_listed() -> None:
    lines = call("evaluators").out.splitlines()
    assert [line.split()[0] for line in lines[: len(EVALUATORS)]] == sorted(EVALUATORS)
    assert lines[-1] == f"{len(EVALUATORS)} evaluators; `fieldwise evaluators NAME` lists the options of one"
    assert max(map(len, lines)) <= 110


@pytest.mark.parametrize("name", sorted(EVALUATORS))
def test_the_options_of_an_evaluator_are_told(name: str) -> None:
    text = call("evaluators", name).out
    options = inspect.signature(getattr(fieldwise, EVALUATORS[name])).parameters
    told = [line.split()[0] for line in text.splitlines() if re.match(r"  \w+  \(", line)]
    assert told == list(options)
    silent = re.findall(r"^  (\w+)  \(.*\)\n(?!      )", text, re.MULTILINE)
    assert silent == []


def test_an_unknown_evaluator_is_not_told_of() -> None:
    ended = call("evaluators", "json_mach")
    assert (ended.code, ended.out) == (2, "")
    assert "there is no evaluator 'json_mach'; did you mean 'json_match'?" in ended.err


def test_what_an_evaluator_needs(half: Path) -> None:
    ended = call("score", half, "--evaluator", "multi_field")
    wanted = "multi_field needs fields: --option fields=…; `fieldwise evaluators multi_field` says what it is"
    assert (ended.code, ended.err) == (2, f"fieldwise: {wanted}\n")


@pytest.mark.parametrize(
    ("name", "options", "expected"),
    [
        ("multi_field", ["fields=a", "fields=b"], {"fields": ["a", "b"]}),
        ("multi_field", ['fields=["a", "b.c"]'], {"fields": ["a", "b.c"]}),
        (
            "multi_field",
            ["fields=Field($.a[?@.b == 'x,y'].c, weight=2, rubric=\"one, two\")"],
            {"fields": [fieldwise.Field("$.a[?@.b == 'x,y'].c", weight=2, rubric="one, two")]},
        ),
        ("multi_field", ["fields=5"], {"fields": ["5"]}),
        ("starts_with", ["prefix=5"], {"prefix": "5"}),
        ("starts_with", ["prefix=None", "negated=true"], {"prefix": None, "negated": True}),
        ("starts_with", ["target_output_key=a"], {"target_output_key": "a"}),
        ("starts_with", ["target_output_key=a", "target_output_key=b"], {"target_output_key": ["a", "b"]}),
        ("regex_match", ['pattern="a+"'], {"pattern": '"a+"'}),
    ],
    ids=str,
)
def test_texts_of_options(name: str, options: list[str], expected: dict[str, Any]) -> None:
    assert evaluator_options(name, getattr(fieldwise, EVALUATORS[name]), options) == expected


def test_a_comparator_inside_a_field() -> None:
    text = "fields=Field(items[*].total, comparator=number(absolute=0.01), threshold=0.5)"
    (field,) = evaluator_options("multi_field", fieldwise.create_multi_field_evaluator, [text])["fields"]
    assert (field.path, field.comparator.settings, field.threshold) == (
        "items[*].total",
        {"absolute": 0.01, "relative": 0},
        0.5,
    )


@pytest.mark.parametrize("name", sorted(EVALUATORS))
def test_every_evaluator_scores_a_file(half: Path, name: str) -> None:
    needed = {
        "multi_field": ["--option", "fields=a"],
        "field_match": ["--option", "json_field=a"],
        "json_schema": ["--option", 'schema={"type": "object"}'],
        "regex_match": ["--option", "pattern=1"],
        "contains_any": ["--option", "substrings=1"],
        "contains_all": ["--option", "substrings=1"],
        "binary_classification": ["--option", "positive_class=1"],
        "multiclass_classification": ["--option", "classes=1", "--option", "classes=2"],
    }
    asked = ["--judge", "tests.test_cli:nobody"] if name.startswith("llm_judge") else []
    warned = (
        pytest.warns(DeprecationWarning, match="use multi_field")
        if name == "field_match"
        else contextlib.nullcontext()
    )
    with warned:
        ended = call("score", half, "--evaluator", name, *needed.get(name, []), *asked)
    assert (ended.code in (0, 1), " 2 records in " in ended.out) == (True, True), ended.err


def nobody(request: Any) -> dict[str, Any]:
    return {}
