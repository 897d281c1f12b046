"""What `fieldwise score` writes, to a terminal, a pipe and a file; and which judges it asks."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import fieldwise
from fieldwise.cli import run
from tests.cli.calls import BAD, GOOD, Terminal, call, jsonl, score


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


@pytest.mark.parametrize("how", [[], ["--quiet"], ["--json"]], ids=str)
def test_an_option_that_names_nothing_is_warned_of_however_little_is_printed(
    tmp_path: Path, how: list[str]
) -> None:
    record = {"outputs": {"total": 1, "date": "x"}, "reference_outputs": {"total": 1, "date": "x"}}
    path = jsonl(tmp_path / "r.jsonl", record, record)
    ended = score(path, "--option", "exclude_keys=totl", "--option", "weights.dat=2", *how)
    assert (ended.code, ended.err.splitlines()) == (
        0,
        [
            "warning: exclude_keys: 'totl' named nothing in any record; did you mean 'total'?",
            "warning: weights: 'dat' named nothing in any record; did you mean 'date'?",
        ],
    )
    assert ("named nothing" in ended.out) is False


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


def test_out_says_what_is_known_of_a_result_once(half: Path, tmp_path: Path) -> None:
    """Results have it as `metadata` and as `extra`, for LangSmith; a line of a file has `extra`."""
    out = tmp_path / "out.jsonl"
    assert score(half, "--out", out).code == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    evaluate = fieldwise.create_json_match_evaluator()
    for line, record in zip(lines, (GOOD, BAD), strict=True):
        whole = evaluate(**record)
        assert [{**one, "metadata": one["extra"]} for one in line["results"]] == whole


def test_out_of_an_evaluator_with_metadata_of_its_own(half: Path, tmp_path: Path) -> None:
    from fieldwise.cli.score.out import Out
    from fieldwise.run import RecordResult

    results: Any = [{"key": "k", "score": 1.0, "comment": None, "metadata": {"mine": 1}, "extra": {}}]
    with Out(str(tmp_path / "out.jsonl"), str(half)) as out:
        out.write(RecordResult(1, "a", results))
    assert json.loads((tmp_path / "out.jsonl").read_text())["results"] == results


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


# ------------------------------------------------------------------------------------------- judges


JUDGE = """
def yes(request):
    return {question.id: True for question in request.questions}

def two(expected, actual):
    return True

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
        "judge_of_a_test.py:yes": "name the module, not its file: --judge judge_of_a_test:yes",
        "./sub/judge_of_a_test.py:yes": "name the module, not its file: --judge sub.judge_of_a_test:yes",
        "judge_of_a_test.py": "name the module, not its file: --judge judge_of_a_test:same_meaning",
        f"{half.parent}/sub/a.py:b": "name the module, not its file: --judge sub.a:b",
    }
    for given, message in cases.items():
        ended = score(half, *rubric, "--judge", given)
        assert (ended.code, ended.err) == (2, f"fieldwise: --judge {given!r}: {message}\n")
    ended = score(half, *rubric, "--judge", "judge_of_a_test:two")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("fieldwise: judge=two: a judge is called with one JudgeRequest, ")


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
