"""`fieldwise eval`: a project in a folder, through the command."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from fieldwise.evalsets.results.read import read_results
from tests.cli.calls import Ended, call
from tests.evalsets.sets import project, write
from tests.processes import started

ROOT = Path(__file__).parents[2]
SET = "evaluations/eval-sets/sums.json"
PATIENCE = 120
"""How many seconds a process may take on a machine that has others to serve."""
COMMAND = """
import os, resource
from fieldwise import cli

resource.setrlimit(resource.RLIMIT_FSIZE, (int(os.environ.get("LIMIT", "-1")), resource.RLIM_INFINITY))
cli.main()
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project as the working directory, and nothing of it imported before."""
    project(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    for name in ("app", "judges"):
        sys.modules.pop(name, None)
    yield tmp_path
    for name in ("app", "judges"):
        sys.modules.pop(name, None)


def run(*argv: str, name: str = SET) -> Ended:
    return call("eval", name, *argv)


def summary(*argv: str) -> Any:
    code, out, err = run(*argv, "--json")
    assert (code in (0, 1), err) == (True, "")
    return json.loads(out)


def test_a_set_and_an_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "98")
    code, out, err = run("--agent", "app:answer", "--min-coverage", "0.8")
    assert (code, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0].startswith("Sums: score 0.900, coverage 83.3%, 90% of 10 verdicts passed; 6 items in ")
    assert lines[2:5] == [
        "evaluator  score  95% interval  weight  threshold  graded  coverage  passed  worst example",
        "Exact      0.800  [0.37, 0.97]       1          -       5     83.3%     80%  t1: result: expected…",
        "Similar    1.000  [0.56, 1.00]       1          -       5     83.3%    100%",
    ]
    assert lines[6:] == [
        "the agent failed on 1 item",
        "  t3: ValueError: no three (app.py:11)",
        "not_evaluated: 1 record, first t3: the agent raised ValueError: no three (app.py:11)",
        "",
        "passed: coverage 83.3% reaches 80%",
    ]


@pytest.mark.parametrize("agent", ["app:answer", "app:later"])
def test_the_summary_as_json(agent: str) -> None:
    found = summary("--agent", agent, "--fail-under", "0.5")
    numbers = ("score", "coverage", "items", "outcomes", "passed", "interrupted", "fail_under")
    assert found["min_coverage"] == 1.0
    assert summary("--agent", agent, "--min-coverage", "0.8")["passed"] is True
    assert {name: found[name] for name in numbers} == {
        "score": 0.9,
        "coverage": 5 / 6,
        "items": 6,
        "outcomes": {"agent_error": 1, "ok": 5},
        "passed": False,
        "interrupted": False,
        "fail_under": 0.5,
    }


@pytest.mark.parametrize("how", [[], ["--quiet"], ["--json"]], ids=str)
def test_an_option_that_names_nothing_is_warned_of_however_little_is_printed(
    here: Path, how: list[str]
) -> None:
    config = {"name": "Similar", "comparators": {"resulte": "number"}}
    spec = {"version": "1.0", "id": "Similar", "evaluatorTypeId": "uipath-json-similarity"}
    write(here / "evaluations" / "evaluators" / "Similar.json", {**spec, "evaluatorConfig": config})
    _, out, err = run("--agent", "app:answer", *how)
    told = "Similar: comparators: 'resulte' named nothing in any record; did you mean 'result'?"
    assert err == f"warning: {told}\n"
    assert "named nothing" not in out


UNCOVERED = "failed: coverage 83.3% is below 100%; --min-coverage allows less"
BARS: tuple[tuple[list[str], int, list[str]], ...] = (
    ([], 1, [UNCOVERED]),
    (["--fail-under", "0.9"], 1, ["passed: score 0.900 reaches 0.900", UNCOVERED]),
    (["--fail-under", "0.95"], 1, ["failed: score 0.900 is below 0.950", UNCOVERED]),
    (["--min-coverage", "0"], 0, ["passed: coverage 83.3% reaches 0%"]),
    (["--min-coverage", "0.8"], 0, ["passed: coverage 83.3% reaches 80%"]),
    (["--min-coverage", "0.9"], 1, ["failed: coverage 83.3% is below 90%"]),
)


@pytest.mark.parametrize(("argv", "code", "said"), [pytest.param(*row, id=str(row[0])) for row in BARS])
def test_bars_make_the_exit_code(argv: list[str], code: int, said: list[str]) -> None:
    ended, out, _ = run("--agent", "app:answer", "--quiet", *argv)
    assert (ended, out.splitlines()[1:]) == (code, said)


@pytest.mark.parametrize(
    ("threshold", "code", "said"),
    [(0.8, 0, "passed: Exact 0.800 reaches 0.8"), (0.81, 1, "failed: Exact 0.800 is below 0.81")],
)
def test_weights_and_thresholds_of_the_set(tmp_path: Path, threshold: float, code: int, said: str) -> None:
    configs = [{"ref": "Exact", "weight": 3, "threshold": threshold}, {"ref": "Similar", "weight": 1}]
    name = str(project(tmp_path / "other", evaluatorConfigs=configs))
    ended, out, _ = run("--agent", "app:answer", "--quiet", "--min-coverage", "0.8", name=name)
    assert (ended, out.splitlines()[1:]) == (code, [said, "passed: coverage 83.3% reaches 80%"])
    assert out.startswith("Sums: score 0.850,")


def test_nothing_graded_fails(tmp_path: Path) -> None:
    write(tmp_path / "answers.json", [{"id": "t0", "error": "down"}])
    code, out, _ = run("--outputs", "answers.json", "--quiet")
    assert (code, out.splitlines()[-1]) == (1, "failed: nothing was graded")


def test_recorded_answers(tmp_path: Path) -> None:
    answers = [{"id": f"t{n}", "output": {"result": n + 1}} for n in (0, 2)]
    write(tmp_path / "answers.json", [*answers, {"id": "t9", "output": 1}, {"output": 2}])
    code, out, err = run("--outputs", "answers.json", "--quiet")
    assert (code, err.splitlines()) == (
        1,
        [
            "answers.json: record 4: has no id; its keys: 'output'",
            "answers.json: 1 answer to no item of the set, the first 't9'; items: 't0', 't1', 't2', …",
        ],
    )
    assert out.startswith("Sums: score 1.000, coverage 33.3%, 100% of 4 verdicts passed; 6 items in ")


def test_answers_to_another_set_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "answers.json", [{"id": "test-t1", "output": 1}])
    assert run("--outputs", "answers.json") == (
        2,
        "",
        (
            "fieldwise: --outputs answers.json: 1 answer to no item of the set, the first 'test-t1'; items: "
            "'t0', 't1', 't2', …\n"
        ),
    )


def test_repeats() -> None:
    found = summary("--agent", "app:answer", "--repeat", "3", "--out", "r.jsonl")
    assert (found["items"], found["graded"], found["score"]) == (18, 30, 0.9)
    assert found["evaluators"]["Exact"]["interval_method"] == "bootstrap"  # of 6 items, not of 18
    assert [(one.item, one.repeat) for one in read_results("r.jsonl")] == [
        (f"t{n}", repeat) for n in range(6) for repeat in range(3)
    ]
    assert run("--agent", "app:answer", "--repeat", "1", "--out", "r.jsonl", "--resume") == (
        2,
        "",
        (
            "fieldwise: r.jsonl: holds results made with repeat 3, this run has 1; name another file, or "
            "begin this one anew\n"
        ),
    )


# ---------------------------------------------------------------------------------------------- results


def test_results_are_written_and_gone_on_with(tmp_path: Path) -> None:
    first = summary("--agent", "app:answer", "--out", "r.jsonl", "--store", "h.db")
    whole = (tmp_path / "r.jsonl").read_bytes()
    lines = whole.splitlines(keepends=True)
    assert len(lines) == 7
    (tmp_path / "r.jsonl").write_bytes(b"".join(lines[:4]) + lines[4][:30])
    again = summary("--agent", "app:answer", "--out", "r.jsonl", "--store", "h.db", "--resume")
    changing = {"elapsed", "agent_seconds"}
    assert {k: v for k, v in again.items() if k not in changing} == {
        k: v for k, v in first.items() if k not in changing
    }
    assert [one.item for one in read_results("r.jsonl")] == [f"t{n}" for n in range(6)]
    assert len(list(read_results(f"h.db#{first['run']}"))) == 6


def test_results_are_not_lost_to_a_second_run(tmp_path: Path) -> None:
    run("--agent", "app:answer", "--out", "r.jsonl")
    before = (tmp_path / "r.jsonl").read_bytes()
    assert run("--agent", "app:answer", "--out", "r.jsonl") == (
        2,
        "",
        (
            "fieldwise: --out r.jsonl: has something in it already; --resume goes on with it, "
            "--overwrite begins anew\n"
        ),
    )
    assert (tmp_path / "r.jsonl").read_bytes() == before
    assert run("--agent", "app:answer", "--out", "r.jsonl", "--overwrite")[0] == 1
    assert (tmp_path / "r.jsonl").read_bytes() != before


def test_results_of_another_agent_are_refused() -> None:
    run("--agent", "app:answer", "--out", "r.jsonl")
    assert run("--agent", "app:later", "--out", "r.jsonl", "--resume") == (
        2,
        "",
        (
            "fieldwise: r.jsonl: holds results made with agent 'app:answer', this run has 'app:later'; "
            "name another file, or begin this one anew\n"
        ),
    )


def test_reports(tmp_path: Path) -> None:
    assert run("--agent", "app:answer", "--junit", "j.xml", "--html", "p.html", "--quiet")[0] == 1
    suite = ET.parse(tmp_path / "j.xml").getroot()  # noqa: S314 - our own
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "12",
        "failures": "1",
        "errors": "2",
        "skipped": "0",
    }
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert '<li class="is-fail"><strong>failed</strong>: coverage ' in page
    assert re.findall(r'<tr class="whole"><th scope="row">(\w+) <span class="note">(.+?)<', page) == [
        ("Exact", "Exact result"),
        ("Similar", "Similar result"),
    ]
    assert sorted(one.name for one in tmp_path.iterdir() if one.is_file()) == ["app.py", "j.xml", "p.html"]


# --------------------------------------------------------------------------------------- code and judges

CUSTOM = """
from fieldwise import BaseEvaluationCriteria, BaseEvaluator

class Criteria(BaseEvaluationCriteria):
    most: int = 3

class Small(BaseEvaluator[Criteria]):
    async def evaluate(self, agent_execution, criteria):
        return agent_execution.agent_output["result"] <= criteria.most
"""


def test_code_runs_with_consent_only(tmp_path: Path) -> None:
    folder = tmp_path / "evaluations" / "evaluators"
    (folder / "custom").mkdir()
    (folder / "custom" / "small.py").write_text(CUSTOM, encoding="utf-8")
    write(
        folder / "small-evaluator.json",
        {
            "version": "1.0",
            "id": "Small",
            "evaluatorTypeId": "custom-small",
            "evaluatorSchema": "file://small.py:Small",
            "description": "",
            "evaluatorConfig": {"name": "Small", "defaultEvaluationCriteria": {"most": 2}},
        },
    )
    whole = json.loads((tmp_path / SET).read_text(encoding="utf-8"))
    whole["evaluatorRefs"].append("Small")
    for one in whole["evaluations"]:
        one["evaluationCriterias"]["Small"] = None
    write(tmp_path / SET, whole)
    code, out, err = run("--agent", "app:answer")
    assert (code, out) == (2, "")
    assert "--allow-code" in err
    code, out, err = run("--agent", "app:answer", "--allow-code", "--json")
    assert (code, err) == (
        1,
        f"running the code of Small in {Path('evaluations/evaluators/custom/small.py')}\n",
    )
    assert json.loads(out)["evaluators"]["Small"]["score"] == 2 / 5


def test_a_judge_by_name(tmp_path: Path) -> None:
    (tmp_path / "judges.py").write_text(
        "def kind(request):\n    return {one.id: 90 for one in request.questions}\n", encoding="utf-8"
    )
    spec: dict[str, Any] = json.loads(
        (tmp_path / "evaluations" / "evaluators" / "Similar.json").read_text(encoding="utf-8")
    )
    spec["evaluatorTypeId"] = "uipath-llm-judge-output-semantic-similarity"
    write(tmp_path / "evaluations" / "evaluators" / "Similar.json", spec)
    found = summary("--agent", "app:answer", "--judge", "judges:kind")
    assert found["evaluators"]["Similar"]["score"] == 1.0
    code, _, err = run("--agent", "app:answer")
    assert code == 2
    assert "model" in err


# --------------------------------------------------------------------------------- executors, repeats


def unchanging(found: dict[str, Any]) -> dict[str, Any]:
    return {key: one for key, one in found.items() if key not in ("run", "elapsed", "agent_seconds")}


@pytest.mark.parametrize("argv", [("--outputs", "answers.json"), ("--agent", "app:answer", "--repeat", "2")])
@pytest.mark.parametrize("store", [(), ("--store", "h.db")], ids=["lines", "store"])
def test_an_executor_gives_the_same(tmp_path: Path, argv: tuple[str, ...], store: tuple[str, ...]) -> None:
    write(tmp_path / "answers.json", [{"id": f"t{n}", "output": {"result": n + 1}} for n in range(5)])
    alone = summary(*argv, "--out", "a.jsonl")
    found = summary(*argv, "--out", "b.jsonl", "--executor", "processes:1", *store)
    assert unchanging(found) == unchanging(alone)
    results = [[replace(one, seconds=None) for one in read_results(f"{name}.jsonl")] for name in "ab"]
    assert results[0] == results[1]
    if store:
        assert len(list(read_results("h.db"))) == found["items"]


def test_an_executor_goes_on_with_what_there_is(tmp_path: Path) -> None:
    argv = ("--agent", "app:answer", "--out", "r.jsonl")
    alone = summary(*argv)
    lines = (tmp_path / "r.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "r.jsonl").write_bytes(b"".join(lines[:3]) + lines[3][:9])
    assert unchanging(summary(*argv, "--resume", "--executor", "processes:1")) == unchanging(alone)
    assert [one.item for one in read_results("r.jsonl")] == [f"t{n}" for n in range(6)]


JUDGES = """
import threading

class Kind:
    def __init__(self):
        self.lock = threading.Lock()  # no process can be sent this

    def __call__(self, request):
        return {one.id: 90 for one in request.questions}

kind = Kind()
"""


def test_a_judge_goes_to_workers_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "judges.py").write_text(JUDGES, encoding="utf-8")
    file = tmp_path / "evaluations" / "evaluators" / "Similar.json"
    spec: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    write(file, {**spec, "evaluatorTypeId": "uipath-llm-judge-output-semantic-similarity"})
    whole = json.loads((tmp_path / SET).read_text(encoding="utf-8"))
    for one in whole["evaluations"]:
        one["evaluationCriterias"]["Similar"] = {"expectedOutput": {"result": "some"}}
    write(tmp_path / SET, whole)
    found = summary("--agent", "app:answer", "--judge", "judges:kind", "--executor", "processes:1")
    assert found["evaluators"]["Similar"]["score"] == 0.9


def test_an_executor_that_is_none() -> None:
    code, _, err = run("--agent", "app:answer", "--executor", "thread")
    assert (code, err.splitlines()[-1]) == (
        2,
        (
            "Error: Invalid value for '--executor': executor='thread': must be an Executor, \"processes\", "
            '"processes:4", or "dask://host:port"'
        ),
    )


REPEATED = """\
repeats: up to 2 answers an item; items with fewer graded than k are left out

field                pass@1  pass@2  all 2  consistent  items
Exact    0.800 [0.37, 0.97]   0.800  0.800       1.000      6
Similar  1.000 [0.56, 1.00]   1.000  1.000       1.000      6
"""


def test_repeats_are_shown_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    _, out, _ = run("--agent", "app:answer", "--repeat", "2")
    assert REPEATED in out
    found = summary("--agent", "app:answer", "--repeat", "2")["repeats"]
    assert {name: (one["items"], one["answers"], one["graded"]) for name, one in found.items()} == {
        "Exact": (6, 12, 10),
        "Similar": (6, 12, 10),
    }
    assert [found["Exact"]["pass_at"][k]["mean"] for k in "12"] == [0.8, 0.8]
    assert summary("--agent", "app:answer")["repeats"] is None


def test_every_score_has_its_interval() -> None:
    found = summary("--agent", "app:answer")["evaluators"]
    assert {name: (one["interval_method"], len(one["interval"])) for name, one in found.items()} == {
        "Exact": ("wilson", 2),
        "Similar": ("wilson", 2),
    }


# -------------------------------------------------------------------------------------------- unusable

USAGE: tuple[tuple[list[str], str], ...] = (
    ([], "--agent or --outputs: neither was given; say what is to be run, or what it answered"),
    (
        ["--agent", "app:answer", "--outputs", "x"],
        "--agent or --outputs: both were given; say what is to be run, or what it answered",
    ),
    (["--agent", "app:answer", "--resume"], "--resume needs --out, the file of results"),
    (["--agent", "app:answer", "--overwrite"], "--overwrite needs --out, the file of results"),
    (
        ["--agent", "app:answer", "--out", "r.jsonl", "--resume", "--overwrite"],
        "--resume goes on with the results of --out, --overwrite begins them anew: give one of them",
    ),
    (
        ["--agent", "app:answer", "--workers", "0"],
        "Invalid value for '--workers': 0 is not in the range x>=1.",
    ),
    (
        ["--agent", "app:answer", "--timeout", "0"],
        "Invalid value for '--timeout': 0.0 is not in the range x>0.",
    ),
)


@pytest.mark.parametrize(("argv", "message"), [pytest.param(*row, id=row[1]) for row in USAGE])
def test_wrong_options(argv: list[str], message: str) -> None:
    code, out, err = run(*argv)
    assert (code, out, err.splitlines()[-1]) == (2, "", f"Error: {message}")


UNUSABLE: tuple[tuple[list[str], str], ...] = (
    (["--agent", "app"], "--agent 'app': write module:object, as in --agent app:answer"),
    (
        ["--agent", "app:answr"],
        "--agent 'app:answr': there is no 'answr' in it; did you mean 'answer'?",
    ),
    (["--agent", "gone:x"], "--agent 'gone:x': ModuleNotFoundError: No module named 'gone'"),
    (
        ["--agent", "os:sep"],
        "--agent 'os:sep': is str, not a function of the inputs, nor a Runnable",
    ),
    (["--outputs", "gone.jsonl"], "gone.jsonl: no such file"),
    (
        ["--agent", "app:answer", "--out", SET],
        f"--out {SET}: is also the evaluation set; name another file",
    ),
    (
        ["--agent", "app:answer", "--out", "x", "--junit", "./x"],
        "--junit ./x: is also --out; name another file",
    ),
    (
        ["--agent", "app:answer", "--junit", "none/x"],
        "--junit none/x: cannot be written: there is no folder none; make it first",
    ),
    (
        ["--agent", "app:answer", "--out", "none/x"],
        "--out none/x: cannot be written: there is no folder none; make it first",
    ),
)


@pytest.mark.parametrize(("argv", "message"), [pytest.param(*row, id=row[1]) for row in UNUSABLE])
def test_what_is_unusable(argv: list[str], message: str) -> None:
    assert run(*argv) == (2, "", f"fieldwise: {message}\n")


def test_a_module_that_ends_the_program_is_said(tmp_path: Path) -> None:
    (tmp_path / "app.py").write_text("raise SystemExit('bye')", encoding="utf-8")
    assert run("--agent", "app:answer") == (2, "", "fieldwise: --agent 'app:answer': SystemExit: bye\n")


# --------------------------------------------------------------------------------- processes of their own


def process(*argv: str, **environment: str) -> AbstractContextManager[subprocess.Popen[str]]:
    """The command on its own; it leaves no compiled modules, which a limit on sizes would cut short."""
    path = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    return started(
        [sys.executable, "-c", COMMAND, "eval", SET, *argv],
        env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", **environment},
    )


def wait_for(path: Path, lines: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if path.exists() and path.read_bytes().count(b"\n") >= lines:
            return
        time.sleep(0.01)
    raise AssertionError(f"{path} has not got {lines} lines")


@pytest.mark.parametrize("executor", [(), ("--executor", "processes:1")], ids=["here", "processes"])
def test_an_interruption_keeps_what_there_is(tmp_path: Path, executor: tuple[str, ...]) -> None:
    argv = ("--agent", "app:answer", "--out", "r.jsonl", "--workers", "1", *executor)
    with process(*argv, "--json", HOLD="4") as running:
        wait_for(tmp_path / "r.jsonl", 5)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, err) == (130, "interrupted: 4 of 6 items evaluated; go on with --resume\n")
    assert (json.loads(out)["items"], json.loads(out)["interrupted"]) == (4, True)
    assert [one.item for one in read_results("r.jsonl")] == [f"t{n}" for n in range(4)]
    with process(*argv, "--resume", "--quiet") as running:
        assert running.communicate(timeout=PATIENCE)[0].startswith("Sums: score 0.900, coverage 83.3%")
    assert [one.item for one in read_results("r.jsonl")] == [f"t{n}" for n in range(6)]


def test_a_limit_on_the_size_of_files_loses_nothing() -> None:
    argv = ("--agent", "app:answer", "--out", "r.jsonl", "--quiet")
    with process(*argv, LIMIT="4000") as running:
        out, err = running.communicate(timeout=PATIENCE)
    kept = len(list(read_results("r.jsonl")))
    assert (running.returncode, out, err) == (
        2,
        "",
        (
            f"fieldwise: r.jsonl: cannot be written: File too large; {kept} items evaluated and kept in "
            "r.jsonl: make room and go on with --resume\n"
        ),
    )
    assert 1 < kept < 6
    with process(*argv, "--resume") as running:
        assert running.communicate(timeout=PATIENCE)[0].startswith("Sums: score 0.900, coverage 83.3%")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("option", ["--out", "--junit", "--html"])
def test_a_full_disk_is_said(option: str) -> None:
    code, out, err = run("--agent", "app:answer", option, "/dev/full", "--quiet")
    assert (code, out.startswith("Sums: score 0.900")) == (2, option != "--out")  # a report costs no summary
    assert err == f"fieldwise: {option} /dev/full: cannot be written: No space left on device\n"
