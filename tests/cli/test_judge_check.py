"""`fieldwise judge-check`: what it prints and returns, for good input and for everything else."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fieldwise.cli import run
from fieldwise.report.words import count
from fieldwise.run._judge_check import JudgeCheck
from tests.cli.calls import Ended, Terminal, jsonl

JUDGES = """
def exact(request):
    return {one.id: {"score": one.expected == one.actual, "reasoning": "read"} for one in request.questions}

def broken(request):
    raise ValueError("no line")

def partial(request):
    return {one.id: one.id == "a" for one in request.questions}

def silent(request):
    return {one.id: True for one in request.questions if one.id == "a"}

def impatient(request):
    if request.questions[0].id == "b":
        raise KeyboardInterrupt
    return {one.id: True for one in request.questions}
"""
SIDES = {"outputs": {"a": "x", "b": "y"}, "reference_outputs": {"a": "x", "b": "z"}}
RECORDS = (
    {**SIDES, "labels": {"a": True, "b": False}, "id": "r1"},
    {**SIDES, "labels": {"a": True, "b": True}, "id": "r2"},
)
JUDGE = ("--judge", "judges_of_check:exact")
RUBRIC = '{"a": "the same letter", "b": "a near letter"}'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "judges_of_check.py").write_text(JUDGES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "judges_of_check", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path


@pytest.fixture
def source(here: Path) -> Path:
    return jsonl(here / "labelled.jsonl", *RECORDS)


def check(
    source: object,
    *argv: object,
    judge: str = "exact",
    rubric: str | None = RUBRIC,
    stdin: str = "",
    out: io.StringIO | None = None,
) -> Ended:
    out, err = out or io.StringIO(), io.StringIO()
    given = [] if rubric is None else ["--rubric", rubric]
    whole = ["judge-check", source, *given, "--judge", f"judges_of_check:{judge}", *argv]
    code = run([str(one) for one in whole], io.StringIO(stdin), out, err)
    return Ended(code, out.getvalue(), err.getvalue())


# ------------------------------------------------------------------------------------------- reports

PLAIN = """\
accuracy 0.750 (0.30 to 0.95), kappa 0.500 (-0.23 to 1.00), coverage 100%; 4 verdicts on 2 records

criterion  accuracy           95%  kappa            95%  judged  coverage
a             1.000  0.34 to 1.00      -              -       2      100%
b             0.500  0.09 to 0.91  0.000              -       2      100%
(all)         0.750  0.30 to 0.95  0.500  -0.23 to 1.00       4      100%

criterion  both yes  judge only  people only  both no  again  reversed
a                 2           0            0        0   100%      100%
b                 0           0            1        1   100%      100%
(all)             2           0            1        1   100%      100%

where the judge says something else than people

record  place  people  judge  its reason
r2      b      yes     no     read

again: 4 of 4 questions got the same answer, 100% (0.51 to 1.00); any two answers agree 100% of the time
reversed: 4 of 4 questions got the same answer, 100% (0.51 to 1.00) with a record's questions reversed
judging used: judge_calls 6
"""


def test_plain(source: Path) -> None:
    ended = check(source, "--repeat", 2)
    assert (ended.code, ended.out, ended.err) == (0, PLAIN, "")


def test_a_terminal_gets_colour_and_the_same_words(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    ended = check(source, "--repeat", 2, out=Terminal())
    assert "\x1b[" in ended.out
    monkeypatch.setenv("NO_COLOR", "1")
    assert check(source, "--repeat", 2, out=Terminal()).out == PLAIN


def test_json(source: Path) -> None:
    ended = check(source, "--json", "--min-accuracy", 0.8, "--no-order")
    found = json.loads(ended.out)
    assert (ended.code, ended.err) == (1, "")
    assert list(found) == [
        *JudgeCheck().to_dict(),
        "bad_lines",
        "min_accuracy",
        "min_kappa",
        "min_coverage",
        "passed",
        "interrupted",
    ]
    assert found["overall"]["confusion"] == {
        "both_true": 2,
        "judge_only": 0,
        "people_only": 1,
        "both_false": 1,
    }
    assert (found["criteria"]["a"]["kappa"], found["overall"]["order"]) == (None, None)
    assert (found["min_accuracy"], found["passed"], found["usage"]) == (0.8, False, {"judge_calls": 2})


def test_notes(source: Path, here: Path) -> None:
    jsonl(here / "more.jsonl", *RECORDS, {**SIDES, "labels": {"a": True, "q": True}})
    ended = check(here / "more.jsonl", "--disagreements", 0, judge="partial", rubric='{"a": "A", "c": "C"}')
    assert (ended.code, ended.err) == (0, "warning: rubric: 'c' is the criterion of no label\n")
    assert ended.out.splitlines()[-5:] == [
        "",
        "kappa: none, for people and judge gave one and the same answer everywhere",
        "skipped: 2 labels: no criterion covers 'b'",
        "skipped: 1 label: reference_outputs has nothing at 'q'",
        "judging used: judge_calls 3",
    ]
    assert "where the judge" not in ended.out


def test_data_cannot_draw_on_the_terminal(here: Path) -> None:
    side = {"\x1b[31m": 1}
    record = {"outputs": side, "reference_outputs": side, "labels": {"/\x1b[31m": False}}
    ended = check(jsonl(here / "l.jsonl", record), rubric="same")
    assert ended.code == 0
    assert "\x1b" not in ended.out
    assert "\\x1b[31m" in ended.out


# ---------------------------------------------------------------------------------------- exit codes


@pytest.mark.parametrize(
    ("argv", "code", "verdict"),
    [
        ([], 0, []),
        (["--min-accuracy", "0.75"], 0, ["passed: accuracy 0.750 reaches 0.750"]),
        (["--min-accuracy", "0.76"], 1, ["failed: accuracy 0.750 is below 0.760"]),
        (["--min-kappa", "0.6", "--min-coverage", "1"], 1,
         ["failed: kappa 0.500 is below 0.600", "passed: coverage 100% reaches 100%"]),
        (["--min-kappa", "-0.5"], 0, ["passed: kappa 0.500 reaches -0.500"]),
    ],
    ids=str,
)  # fmt: skip
def test_bars(source: Path, argv: list[str], code: int, verdict: list[str]) -> None:
    ended = check(source, *argv)
    assert (ended.code, ended.err) == (code, "")
    assert [line for line in ended.out.splitlines() if line.startswith(("passed", "failed"))] == verdict


@pytest.mark.parametrize(
    ("argv", "code", "verdict"),
    [
        ([], 0, []),
        (["--min-accuracy", "0.1"], 1,
         ["passed: accuracy 1.000 reaches 0.100",
          "failed: coverage 66.7% is below 100%; --min-coverage allows less"]),
        (["--min-accuracy", "0.1", "--min-coverage", "0.5"], 0,
         ["passed: accuracy 1.000 reaches 0.100", "passed: coverage 66.7% reaches 50%"]),
    ],
    ids=str,
)  # fmt: skip
def test_a_bar_needs_full_coverage(here: Path, argv: list[str], code: int, verdict: list[str]) -> None:
    records = [{**SIDES, "labels": {"a": True, "b": True}}, {**SIDES, "labels": {"a": True}}]
    ended = check(jsonl(here / "l.jsonl", *records), *argv, judge="silent")
    assert ended.code == code
    assert [line for line in ended.out.splitlines() if line.startswith(("passed", "failed"))] == verdict


def test_no_kappa_is_below_any_bar(here: Path) -> None:
    path = jsonl(here / "l.jsonl", {**SIDES, "labels": {"a": True}})
    ended = check(path, "--min-kappa", "0.1")
    assert (ended.code, ended.out.splitlines()[-1]) == (1, "failed: there is no kappa to compare with 0.100")


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (["a"], "labels is ['a'], not a mapping of paths to true or false"),
        ("yes", "labels is 'yes', not a mapping of paths to true or false"),
        (None, "the record has no labels"),
        ({}, "they are empty"),
        ({"a": None}, "they are empty"),
    ],
    ids=str,
)
def test_a_column_without_any_verdict(here: Path, labels: Any, reason: str) -> None:
    ended = check(jsonl(here / "l.jsonl", {**SIDES, "labels": labels}))
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"fieldwise: {here / 'l.jsonl'}: no record has a verdict in 'labels': {reason}\n"


def test_a_judge_that_fails(source: Path) -> None:
    ended = check(source, judge="broken")
    assert ended.code == 1
    assert "not judged: 4 questions: ValueError: no line" in ended.out.splitlines()
    assert ended.out.splitlines()[-1] == "failed: nothing was judged"


def test_interrupted(here: Path) -> None:
    first, second = ({**SIDES, "labels": {name: True}} for name in "ab")
    ended = check(jsonl(here / "l.jsonl", first, second), "--json", "--concurrency", 1, judge="impatient")
    found = json.loads(ended.out)
    assert (ended.code, ended.err) == (130, f"interrupted: {count(found['records'], 'record')} checked\n")
    assert (found["passed"], found["interrupted"]) == (False, True)


USAGE = """\
Usage: fieldwise judge-check [OPTIONS] LABELLED
Try 'fieldwise judge-check --help' for help.

Error: """
NO_UTF8 = "'utf-8' codec can't decode byte 0xe9 in position 0: unexpected end of data"
COLUMNS = "they have: 'outputs', 'reference_outputs', 'labels', 'id'"
NO_LABEL = f"no record has a verdict in 'label' for labels; {COLUMNS}; did you mean 'labels'?"
UNUSABLE: tuple[tuple[str, list[str], str], ...] = (
    ("no judge", [],
     f"{USAGE}name the judge to check with --judge module:object or --model provider:name"),
    ("rubric is no JSON", [*JUDGE, "--rubric", '{"a": '],
     """fieldwise: --rubric '{"a": ': is no JSON: Expecting value: line 1 column 7 (char 6)"""),
    ("no rubric file", [*JUDGE, "--rubric", "gone.json"],
     "fieldwise: --rubric gone.json: cannot be read: No such file or directory"),
    ("rubric file is no text", [*JUDGE, "--rubric", "latin.json"],
     f"fieldwise: --rubric latin.json: is no UTF-8 text: {NO_UTF8}"),
    ("words beside others", [*JUDGE, "--rubric", "same", "--rubric", "like"],
     "fieldwise: --rubric 'same': is for every place; give it alone, or as JSON by path"),
    ("twice", [*JUDGE, "--rubric", '{"a": "x"}', "--rubric", '{"a": "y"}'],
     "fieldwise: --rubric: 'a' is given twice"),
    ("twice in one", [*JUDGE, "--rubric", '{"a": "x", "b": "y", "a": "z"}'],
     """fieldwise: --rubric '{"a": "x", "b": "y", "a": "z"}': 'a' is given twice"""),
    ("empty rubric", [*JUDGE, "--rubric", "{}"],
     "fieldwise: --rubric '{}': must be a JSON object of path to criterion"),
    ("no labels", [*JUDGE, "--label", "label"], f"fieldwise: labelled.jsonl: {NO_LABEL}"),
    ("no such column", [*JUDGE, "--outputs", "answer"],
     f"fieldwise: labelled.jsonl: no record has 'answer' for outputs; {COLUMNS}; name it with --outputs"),
    ("kappa out of range", [*JUDGE, "--min-kappa", "2"],
     f"{USAGE}Invalid value for '--min-kappa': '2' is not from -1 to 1"),
    ("kappa is not a number", [*JUDGE, "--min-kappa", "nan"],
     f"{USAGE}Invalid value for '--min-kappa': 'nan' is not from -1 to 1"),
    ("kappa is text", [*JUDGE, "--min-kappa", "good"],
     f"{USAGE}Invalid value for '--min-kappa': 'good' is no number from -1 to 1"),
)  # fmt: skip


@pytest.mark.parametrize(("argv", "message"), [pytest.param(*row[1:], id=row[0]) for row in UNUSABLE])
def test_unusable(source: Path, here: Path, argv: list[str], message: str) -> None:
    (here / "latin.json").write_bytes(b"\xe9")
    out, err = io.StringIO(), io.StringIO()
    code = run(["judge-check", source.name, *argv], io.StringIO(), out, err)
    assert (code, out.getvalue(), err.getvalue()) == (2, "", f"{message}\n")


def test_no_such_file() -> None:
    ended = check("gone.jsonl")
    assert (ended.code, ended.out, ended.err) == (2, "", "fieldwise: gone.jsonl: no such file\n")


# --------------------------------------------------------------------------------- files and columns


def test_a_rubric_file(source: Path, here: Path) -> None:
    (here / "rubric.json").write_text(RUBRIC)
    assert check(source, "--repeat", 2, rubric="rubric.json").out == PLAIN


def test_a_record_s_own_rubric(here: Path) -> None:
    path = jsonl(here / "l.jsonl", {**SIDES, "labels": {"a": True}, "rubric": {"a": "own"}})
    found = json.loads(check(path, "--json", rubric=None).out)
    assert (found["overall"]["judged"], list(found["criteria"])) == (1, ["a"])


def test_named_columns(here: Path) -> None:
    record = {"got": {"a": 1}, "want": {"a": 1}, "people": {"verdicts": {"a": True}}, "key": 7}
    path = jsonl(here / "l.jsonl", record, {**record, "people": {"verdicts": {"a": False}}})
    columns = ("--outputs", "got", "--reference", "want", "--label", "people.verdicts", "--id", "key")
    found = json.loads(check(path, "--json", *columns).out)
    assert (found["overall"]["accuracy"], found["disagreements"][0]["id"]) == (0.5, "7")


def test_csv_from_standard_input() -> None:
    text = 'outputs,reference_outputs,labels,rubric\n"{""a"": 1}","{""a"": 1}","{""a"": true}",\n'
    found = json.loads(check("-", "--format", "csv", "--json", stdin=text).out)
    assert (found["overall"]["judged"], found["skipped"]) == (1, {})


def test_bad_lines_are_noted_and_cost_nothing_else(here: Path) -> None:
    path = jsonl(here / "l.jsonl", *RECORDS)
    path.write_text(path.read_text() + "{\n")
    ended = check(path, "--json")
    assert ended.code == 0
    assert ended.err.startswith(f"{path}:3: ")
    assert (json.loads(ended.out)["bad_lines"], json.loads(ended.out)["records"]) == (1, 2)


def test_only_so_many_bad_lines_are_noted(here: Path) -> None:
    path = jsonl(here / "l.jsonl", *RECORDS)
    path.write_text(path.read_text() + "{\n" * 102)
    ended = check(path, "--json")
    assert (len(ended.err.splitlines()), json.loads(ended.out)["bad_lines"]) == (101, 102)
    assert ended.err.splitlines()[-1] == f"{path}: and 2 more bad lines"


def test_a_label_column_that_is_no_path(here: Path) -> None:
    path = jsonl(here / "l.jsonl", {**SIDES, "a[": {"a": True}}, {**SIDES})
    found = json.loads(check(path, "--json", "--label", "a[").out)
    assert (found["overall"]["judged"], found["skipped"]) == (1, {"the record has no labels": 1})


def test_as_a_process(source: Path, here: Path) -> None:
    argv = [source.name, "--rubric", RUBRIC, "--judge", "judges_of_check:exact", "--repeat", "2"]
    ended = subprocess.run(
        [sys.executable, "-m", "fieldwise", "judge-check", *argv],
        cwd=here,
        env={**os.environ, "COLUMNS": "120"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, PLAIN, "")
