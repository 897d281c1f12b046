"""The examples: each runs as its docstring says, from any folder, and prints what it is there to show."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
GATE = EXAMPLES / "ci_gate"
TICKETS = EXAMPLES / "evaluation_set"
BETA = "ignore:'upload_runs' parameter is in beta:UserWarning"  # on any evaluate(upload_results=False)

# What holds for every test holds in an example's process: no tracing, loopback only.
GUARDED = """
import runpy, sys
import tests.conftest
sys.argv.pop(0)
run, name = (runpy.run_module, "fieldwise") if sys.argv[0] == "fieldwise" else (runpy.run_path, sys.argv[0])
run(name, run_name="__main__")
"""

# Example to what it has to say, in this order.
SAYS = {
    "langsmith_experiment.py": [
        'json_match:name    0.00  name: expected "Alan", got "alone"',
        'json_diff          0.33  2 of 3 leaves not right: name: expected "Alan", got "alone"',
    ],
    "langchain_chain.py": [
        "average 1.00",
        'average 0.50  1 of 2 fields not right: people: expected 2748109, got "many"',
        "json_schema True",
        "json_schema False  people: 'many' is not of type 'integer'",
    ],
    "tool_calling_agent.py": [
        "tool_call_order: 0.00\n  1 of 1 rules violated: at_most 'mail' 1: there are 2 calls",
        'call 0 (weather), argument unit: expected "celsius", got "kelvin"',
        "trajectory_strict_match: 0.00",
        "step 1, tool mail: not expected",
    ],
    "pydantic_extraction.py": [
        "compared: vendor, due, lines[*].article, lines[*].price",
        'due: expected "2026-04-03", got "2026-03-04"',
        "precision 0.78, recall 0.78",
    ],
}

RIGHT = {"city": "Oslo", "people": 717710}


def run(*argv: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `fieldwise` or a script by its path."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "110"}
    command = [sys.executable, "-W", "error", "-W", BETA, "-c", GUARDED, *argv]
    return subprocess.run(
        command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", check=False, timeout=120
    )


def answers(folder: Path, wrong: int, records: int = 40) -> None:
    """Write records of which the first are wrong."""
    lines = [
        {
            "id": f"r{at}",
            "outputs": {**RIGHT, "people": 0} if at < wrong else RIGHT,
            "reference_outputs": RIGHT,
        }
        for at in range(records)
    ]
    (folder / "answers.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


def test_every_example_is_tested() -> None:
    scripts = {file.name for file in EXAMPLES.glob("*.py")}
    folders = {file.name for file in EXAMPLES.iterdir() if file.is_dir()}
    assert (scripts, folders) == (set(SAYS), {"ci_gate", "evaluation_set", "receipts"})


@pytest.mark.parametrize("file", [*sorted(SAYS), "ci_gate/gate.py", "evaluation_set/agent.py"])
def test_an_example_is_short(file: str) -> None:
    assert len((EXAMPLES / file).read_text(encoding="utf-8").splitlines()) < 60


@pytest.mark.parametrize("file", SAYS)
def test_an_example_says_what_it_shows(file: str, tmp_path: Path) -> None:
    done = run(str(EXAMPLES / file), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    at = 0
    for said in SAYS[file]:
        assert said in done.stdout[at:], done.stdout
        at = done.stdout.index(said, at) + len(said)
    assert f"`python examples/{file}`" in (EXAMPLES / file).read_text(encoding="utf-8")


# ------------------------------------------------------------------------------------------ the set


def test_the_set_runs_as_its_readme_says() -> None:
    block = re.findall(r"```sh\n(.*?)```", (TICKETS / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    (line,) = block[0].splitlines()
    done = run(*shlex.split(line), cwd=TICKETS)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Tickets: score ")
    assert re.findall(r"^(\w+) +([01]\.\d{3})", done.stdout, re.MULTILINE) == [
        ("Topic", "0.778"),
        ("Order", "0.750"),
        ("Reply", "1.000"),
    ]


@pytest.mark.parametrize(("bar", "code"), [("0.8", 0), ("0.9", 1)])
def test_the_set_is_a_gate_as_well(bar: str, code: int) -> None:
    argv = ["eval", "evaluations/eval-sets/tickets.json", "--agent", "agent:answer", "--fail-under", bar]
    assert run("fieldwise", *argv, cwd=TICKETS).returncode == code


# ----------------------------------------------------------------------------------------- the gate


def steps() -> list[str]:
    """The commands of the workflow that may fail it."""
    workflow: Any = yaml.safe_load((GATE / "workflow.yml").read_text(encoding="utf-8"))
    found = [step["run"] for step in workflow["jobs"]["gate"]["steps"] if "name" in step]
    assert len(found) == 2
    return found


@pytest.mark.parametrize(("wrong", "code"), [(0, 0), (20, 1)])
@pytest.mark.parametrize("command", steps(), ids=lambda command: command.split()[0])
def test_a_step_ends_with_its_code(command: str, wrong: int, code: int, tmp_path: Path) -> None:
    answers(tmp_path, wrong)
    argv = shlex.split(command)
    if argv[0] == "python":
        argv = [str(ROOT / argv[1]), *argv[2:]]
    done = run(*argv, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, "")
    assert ("failed: " in done.stdout) == bool(code)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('{"outputs": {"a": 1}}', "failed: 0% of 1 records were graded\n"),
        (
            '{"outputs": {"a": 1}, "reference_outputs": {"a": 1}}',
            "failed: score 1.000, at least 0.207, the bar is 0.9\n",
        ),
    ],
    ids=["not graded", "too few to tell"],
)
def test_what_is_not_known_does_not_pass(lines: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(lines, encoding="utf-8")
    done = run(str(GATE / "gate.py"), "answers.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, said, "")
