"""`--judge` of every command that has it: async judges work, and none ends the process as it likes."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fieldwise.__main__ import main as entry
from fieldwise.cli import main
from tests.cli.calls import call, jsonl

JUDGES = """
import asyncio
from fieldwise import create_judge

class Own(BaseException):
    pass

async def yes(request):
    await asyncio.sleep(0)
    return {one.id: True for one in request.questions}

async def score(request):
    return {one.id: 80 for one in request.questions}

class Object:
    async def __call__(self, request):
        return await yes(request)

an_object, made = Object(), create_judge(yes)

def own(request):
    raise Own("enough")

def ends(request):
    raise SystemExit(5)

def says(request):
    raise SystemExit("bye")

def closes(request):
    raise GeneratorExit

async def later(request):
    raise SystemExit(0)

def stops(request):
    raise KeyboardInterrupt
"""
RECORD = {"id": "r1", "outputs": {"a": "x"}, "reference_outputs": {"a": "y"}, "labels": {"a": True}}
SCORE = ("score", "r.jsonl", "--evaluator", "json_match", "--option", "rubric.a=alike", "--fail-under", "1")
CHECK = ("judge-check", "r.jsonl", "--rubric", "alike", "--min-coverage", "1")
EVAL = ("eval", "set.json", "--outputs", "r.jsonl", "--evaluators", ".", "--fail-under", "0.8")
SPEC = {
    "version": "1.0",
    "id": "Alike",
    "description": "",
    "evaluatorTypeId": "uipath-llm-judge-output-semantic-similarity",
    "evaluatorConfig": {"name": "Alike", "model": "none"},
}
SET = {
    "version": "1.0",
    "id": "set",
    "name": "Set",
    "evaluatorRefs": ["Alike"],
    "evaluations": [
        {"id": "r1", "name": "r1", "inputs": {}, "evaluationCriterias": {"Alike": {"expectedOutput": "y"}}}
    ],
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "judges_of_commands.py").write_text(JUDGES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "judges_of_commands", raising=False)
    jsonl(tmp_path / "r.jsonl", RECORD)
    return tmp_path


@pytest.mark.parametrize("name", ["yes", "an_object", "made"])
@pytest.mark.parametrize("command", [SCORE, CHECK], ids=["score", "judge-check"])
def test_an_async_judge_answers(command: tuple[str, ...], name: str) -> None:
    ended = call(*command, "--judge", f"judges_of_commands:{name}")
    assert (ended.code, ended.err) == (0, "")


def test_an_async_judge_answers_in_workers_too() -> None:
    ended = call(*SCORE, "--judge", "judges_of_commands:yes", "--executor", "processes:1")
    assert ended.code == 0
    assert "coverage 100%" in ended.out


def test_an_async_judge_of_an_evaluation_set(here: Path) -> None:
    (here / "alike.json").write_text(json.dumps(SPEC))
    (here / "set.json").write_text(json.dumps(SET))
    jsonl(here / "r.jsonl", {"id": "r1", "output": "x"})
    ended = call(*EVAL, "--judge", "judges_of_commands:score")
    assert (ended.code, ended.err) == (0, "")
    assert "score 0.800" in ended.out


ENDINGS = [
    ("own", "raised Own: enough"),
    ("ends", "called sys.exit(5)"),
    ("says", "called sys.exit('bye')"),
    ("closes", "raised GeneratorExit"),
    ("later", "called sys.exit(0)"),
]


@pytest.mark.parametrize(("name", "did"), ENDINGS)
@pytest.mark.parametrize("command", [SCORE, CHECK], ids=["score", "judge-check"])
def test_a_judge_that_ends_the_process(command: tuple[str, ...], name: str, did: str) -> None:
    definition = JUDGES.index(f"def {name}(")
    where = f"judges_of_commands.py:{JUDGES[:definition].count(chr(10)) + 2}"
    ended = call(*command, "--judge", f"judges_of_commands:{name}")
    told = f"fieldwise: {where} {did}, which ended the run; raise an Exception instead\n"
    assert (ended.code, ended.err) == (2, told)


def test_in_a_worker_too() -> None:
    ended = call(*SCORE, "--judge", "judges_of_commands:ends", "--executor", "processes:1")
    told = "fieldwise: a judge, a comparator or a worker called sys.exit(5), which ended the run; "
    assert (ended.code, ended.err) == (2, f"{told}raise an Exception instead\n")


@pytest.mark.parametrize("command", [SCORE, CHECK], ids=["score", "judge-check"])
def test_an_interruption_stays_one(command: tuple[str, ...]) -> None:
    assert call(*command, "--judge", "judges_of_commands:stops").code == 130


# ------------------------------------------------------------------------------------- the process


class Interrupted:
    """An import that is interrupted."""

    def __getattr__(self, name: str) -> Any:
        raise KeyboardInterrupt


def test_an_interruption_while_it_loads_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "fieldwise.cli", Interrupted())
    with pytest.raises(SystemExit) as ended:
        entry()
    assert (ended.value.code, capsys.readouterr()) == (130, ("", ""))


def test_a_fault_of_ours_is_no_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("fieldwise.cli.run", lambda _: 1 // 0)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err.endswith("ZeroDivisionError: integer division or modulo by zero\n")
