"""`fieldwise eval` where agents, evaluators and files misbehave: the verdict is there, and says so."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from fieldwise.evalsets.load import load_set
from fieldwise.evalsets.model import ItemResult
from fieldwise.evalsets.results.read import read_results
from fieldwise.evalsets.runner import run_set
from fieldwise.report.junit import junit
from tests.cli.calls import Ended, call
from tests.evalsets.sets import project, write

ROOT = Path(__file__).parents[2]
SET = "evaluations/eval-sets/sums.json"
PATIENCE = 60
APP = """
import os, subprocess, sys, time

def right(a, b):
    return {"result": a + b}

def prints(a, b):
    print("PRINTED", flush=True)
    os.write(1, b"WRITTEN\\n")
    subprocess.run([sys.executable, "-c", "print('CHILD')"], check=True)
    return right(a, b)

def closes(a, b):
    sys.stdout.close()
    return right(a, b)

def moves(a, b):
    os.makedirs("elsewhere", exist_ok=True)
    os.chdir(os.path.abspath("elsewhere"))
    return right(a, b)

def sometimes(a, b):
    if a < 3 and os.path.exists("down"):
        raise ConnectionError("down")
    return right(a, b)

def fails(a, b):
    raise ValueError(a)
"""
CUSTOM = """
import asyncio, sys, time
from fieldwise import BaseEvaluationCriteria, BaseEvaluator

class Criteria(BaseEvaluationCriteria):
    most: int = 3

class Small(BaseEvaluator[Criteria]):
    {kind} evaluate(self, agent_execution, criteria):
        {body}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    project(tmp_path, 8)
    (tmp_path / "app.py").write_text(APP, encoding="utf-8")
    whole = json.loads((tmp_path / SET).read_text(encoding="utf-8"))
    whole["evaluations"][1]["evaluationCriterias"]["Exact"] = {"expectedOutput": {"result": 2}}
    write(tmp_path / SET, whole)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    sys.modules.pop("app", None)
    yield tmp_path
    sys.modules.pop("app", None)


def run(*argv: str) -> Ended:
    return call("eval", SET, *argv)


def alone(*argv: str) -> tuple[int, str, str]:
    path = os.pathsep.join((str(ROOT), str(ROOT / "src")))
    ended = subprocess.run(
        [sys.executable, "-c", "from fieldwise import cli; cli.main()", "eval", SET, *argv],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    return ended.returncode, ended.stdout, ended.stderr


def custom(folder: Path, body: str, kind: str = "def") -> None:
    """Add an evaluator of code to the set."""
    evaluators = folder / "evaluations" / "evaluators"
    (evaluators / "custom").mkdir()
    code = CUSTOM.format(kind=kind, body=body)
    (evaluators / "custom" / "small.py").write_text(code, encoding="utf-8")
    spec = {"version": "1.0", "id": "Small", "evaluatorTypeId": "custom-small", "description": ""}
    config = {"name": "Small", "defaultEvaluationCriteria": {"most": 2}}
    spec |= {"evaluatorSchema": "file://small.py:Small", "evaluatorConfig": config}  # type: ignore[dict-item]
    write(evaluators / "small-evaluator.json", spec)
    whole = json.loads((folder / SET).read_text(encoding="utf-8"))
    whole["evaluatorRefs"].append("Small")
    for one in whole["evaluations"]:
        one["evaluationCriterias"]["Small"] = None
    write(folder / SET, whole)


def comments() -> set[Any]:
    return {one.results["Small"][0]["comment"] for one in read_results("r.jsonl")}


# ---------------------------------------------------------------------------------- what others print


def test_what_an_agent_prints_is_apart() -> None:
    code, out, err = alone("--agent", "app:prints", "--json", "--workers", "1")
    assert (code, json.loads(out)["score"]) == (0, 1.0)
    assert sorted(err.split()) == ["CHILD"] * 8 + ["PRINTED"] * 8 + ["WRITTEN"] * 8


def test_an_agent_that_closes_standard_output_closes_nothing_of_ours() -> None:
    code, out, _ = alone("--agent", "app:closes", "--json", "--workers", "1", "--min-coverage", "0")
    assert (code, json.loads(out)["outcomes"]) == (0, {"ok": 8})


def test_reports_may_go_to_standard_output() -> None:
    code, out, _ = alone("--agent", "app:prints", "--quiet", "--junit", "/dev/stdout")
    assert (code, out.startswith("<?xml"), "Sums: score 1.000" in out, "PRINTED" in out) == (
        0,
        True,
        True,
        False,
    )


# ------------------------------------------------------------------------------- what ends the program

ENDS = (
    ("def", "sys.exit(0)", "evaluator called sys.exit(0)"),
    ("async def", "sys.exit(0)", "evaluator called sys.exit(0)"),
    ("def", "raise KeyboardInterrupt", "evaluator raised KeyboardInterrupt"),
    ("async def", "raise GeneratorExit", "evaluator raised GeneratorExit"),
)


@pytest.mark.parametrize(
    ("kind", "body", "reason"), [pytest.param(*row, id=f"{row[0]} {row[1]}") for row in ENDS]
)
def test_an_evaluator_that_ends_the_program(tmp_path: Path, kind: str, body: str, reason: str) -> None:
    custom(tmp_path, body, kind)
    code, out, _ = run("--agent", "app:right", "--allow-code", "--json", "--out", "r.jsonl")
    found = json.loads(out)
    assert (code, found["passed"], found["items"]) == (1, False, 8)
    assert found["evaluators"]["Small"]["graded"] == 0
    assert comments() == {reason}


@pytest.mark.parametrize(
    ("kind", "body"), [("def", "time.sleep(30)"), ("async def", "await asyncio.sleep(30)")]
)
def test_an_evaluator_has_its_time(tmp_path: Path, kind: str, body: str) -> None:
    custom(tmp_path, body, kind)
    code, _, _ = run("--agent", "app:right", "--allow-code", "--out", "r.jsonl", "--timeout", "0.2")
    assert (code, comments()) == (1, {"no verdict within 0.2 s"})


# -------------------------------------------------------------------------------------- running again


def test_what_failed_is_run_again(tmp_path: Path) -> None:
    down = tmp_path / "down"
    down.touch()
    argv = ("--agent", "app:sometimes", "--out", "r.jsonl", "--store", "h.db", "--workers", "1")
    code, out, _ = run(*argv, "--json")
    first = json.loads(out)
    assert (code, first["outcomes"]) == (1, {"agent_error": 3, "ok": 5})
    code, out, err = run(*argv, "--resume", "--json")
    assert (code, err, json.loads(out)["outcomes"]) == (1, "", {"agent_error": 3, "ok": 5})
    down.unlink()
    code, out, err = run(*argv, "--resume", "--retry-errors", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "running 3 failed items again\n")
    assert (found["items"], found["outcomes"], found["score"]) == (8, {"ok": 8}, 1.0)
    for name in ("r.jsonl", "h.db"):
        kept = list(read_results(name))
        assert sorted(one.item for one in kept) == [f"t{n}" for n in range(8)], name
        assert {one.outcome for one in kept} == {"ok"}, name
    assert len((tmp_path / "r.jsonl").read_bytes().splitlines()) == 9


def test_repeats_that_are_run_again_are_of_their_item(tmp_path: Path) -> None:
    argv = ("--agent", "app:sometimes", "--repeat", "2", "--workers", "1", "--json")
    whole = json.loads(run(*argv)[1])["evaluators"]["Exact"]
    (tmp_path / "down").touch()
    run(*argv, "--out", "r.jsonl")
    lines = (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()
    (tmp_path / "down").unlink()
    run(*argv, "--out", "other.jsonl")
    kept = (tmp_path / "other.jsonl").read_text(encoding="utf-8").splitlines()
    # of each item that failed, the second answer alone is run again: it stands behind all other items
    mixed = [lines[0], *(kept[n] if n % 2 else lines[n] for n in range(1, len(lines)))]
    (tmp_path / "r.jsonl").write_text("\n".join(mixed) + "\n", encoding="utf-8")
    _, out, err = run(*argv, "--out", "r.jsonl", "--resume", "--retry-errors")
    found = json.loads(out)["evaluators"]["Exact"]
    assert err == "running 3 failed items again\n"
    assert (found["graded"], found["interval"]) == (16, whole["interval"])


def test_an_agent_that_has_changed_is_told_of(tmp_path: Path) -> None:
    argv = ("--agent", "app:right", "--out", "r.jsonl", "--resume", "--quiet")
    assert run(*argv)[2] == ""
    assert run(*argv)[2] == ""
    (tmp_path / "app.py").write_text(APP + "\n", encoding="utf-8")
    assert run(*argv)[2] == (
        "r.jsonl: --agent app:right has changed since it was begun; what is in it stays, "
        "--overwrite begins anew\n"
    )


def test_running_again_needs_a_file() -> None:
    code, _, err = run("--agent", "app:right", "--retry-errors", "--out", "r.jsonl")
    assert (code, "--retry-errors needs --resume and --out" in err) == (2, True)


# ---------------------------------------------------------------------------------------------- reports


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_reports_that_cannot_be_written_cost_no_summary() -> None:
    code, out, err = run("--agent", "app:right", "--quiet", "--junit", "/dev/full", "--html", "p.html")
    assert (code, out.startswith("Sums: score 1.000")) == (2, True)
    assert err == "fieldwise: --junit /dev/full: cannot be written: No space left on device\n"
    assert Path("p.html").exists()


def test_a_folder_that_is_not_there_is_said_before_the_run() -> None:
    code, out, err = run("--agent", "app:right", "--html", "gone/p.html")
    assert (code, out) == (2, "")
    assert err == "fieldwise: --html gone/p.html: cannot be written: there is no folder gone; make it first\n"


@pytest.mark.parametrize("out", [(), ("--out", "r.jsonl")])
def test_an_agent_that_moves_moves_no_report(tmp_path: Path, out: tuple[str, ...]) -> None:
    reports = ("--junit", "j.xml", "--html", "p.html", "--store", "h.db")
    code, _, err = alone("--agent", "app:moves", "--quiet", "--workers", "1", *reports, *out)
    assert (code, err) == (0, "")
    written = {one.name for one in tmp_path.iterdir() if one.is_file()}
    assert written == {"app.py", "j.xml", "p.html", "h.db", *out[1:]}


def test_a_run_that_was_stored_says_where() -> None:
    code, out, _ = run("--agent", "app:right", "--store", "h.db", "--out", "r.jsonl")
    header = json.loads(Path("r.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert (code, out.splitlines()[-1]) == (0, f"stored as h.db#{header['run']}")


def test_items_that_are_not_shown_are_counted() -> None:
    _, out, _ = run("--agent", "app:fails")
    assert "  and 3 more" in out.splitlines()


def test_an_evaluator_with_a_threshold_and_no_verdict(tmp_path: Path) -> None:
    whole = json.loads((tmp_path / SET).read_text(encoding="utf-8"))
    whole["evaluatorRefs"] = [{"ref": "Exact", "threshold": 0.5}, {"ref": "Similar"}]
    whole["evaluatorConfigs"] = whole.pop("evaluatorRefs")
    for one in whole["evaluations"]:
        del one["evaluationCriterias"]["Exact"]
    write(tmp_path / SET, whole)
    code, out, _ = run("--agent", "app:right")
    assert (code, out.splitlines()[-1]) == (1, "failed: Exact was not graded")
    (row,) = [line for line in out.splitlines() if line.startswith("Exact ")]
    assert "100%" not in row


# ------------------------------------------------------------------------------------- recorded answers


def test_several_answers_for_one_item_are_refused(tmp_path: Path) -> None:
    lines = [{"id": f"t{n}", "output": {"result": n + 1}} for n in (0, 1, 0)]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (tmp_path / "answers.jsonl").write_text(text, encoding="utf-8")
    assert run("--outputs", "answers.jsonl") == (
        2,
        "",
        (
            "fieldwise: answers.jsonl:1 and answers.jsonl:3: item 't0' has more than one: keep one of its "
            "answers, or say how often it was run, --repeat 2\n"
        ),
    )
    assert run("--outputs", "answers.jsonl", "--repeat", "2", "--quiet")[0] == 1


def test_cells_of_json(tmp_path: Path) -> None:
    rows: list[Any] = [f't{n},"{{""result"": {n + 1}}}"' for n in range(8)]
    (tmp_path / "answers.csv").write_text("\n".join(["id,output", *rows]), encoding="utf-8")
    code, out, err = run("--outputs", "answers.csv", "--json")
    assert (code, err, json.loads(out)["score"]) == (0, "", 1.0)


# ------------------------------------------------------------------------------------------------ JUnit


def test_junit_of_an_interrupted_run() -> None:
    whole = load_set(SET)
    found: list[ItemResult] = []
    run_set(whole, lambda a, b: {"result": a + b}, on_result=found.append)
    suite = ET.fromstring(junit(whole, found[:3], {}, 2))[0]  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("skipped")) == ("19", "13")
    assert [(one.get("name"), one.get("value")) for one in suite[0]] == [("interrupted", "true")]
    left = [one.find("skipped") for one in suite.iter("testcase")][-1]
    assert left is not None
    assert left.get("message") == "not run: the run was interrupted"
