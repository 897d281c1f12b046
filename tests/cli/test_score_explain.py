"""`fieldwise score --explain`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.calls import BAD, GOOD, Terminal, jsonl, score


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


def test_explain_warns_of_an_option_that_names_nothing_in_the_record(tmp_path: Path) -> None:
    excluded = ("--option", "exclude_keys=aa", "--option", "exclude_keys=a")
    ended = score(named(tmp_path), "--explain", "rec-2", *excluded)
    assert ended.err == "warning: exclude_keys: 'aa' named nothing in this record; did you mean 'a'?\n"
    assert "\nnot compared: a\n" in ended.out
    assert score(named(tmp_path), "--explain", "rec-2", "--option", "exclude_keys=a").err == ""


def test_explain_with_a_bar_needs_full_coverage(tmp_path: Path) -> None:
    sides = {"outputs": {"a": 1, "b": "a" * 40 + "b"}, "reference_outputs": {"a": 1, "b": "(a|aa)+"}}
    path = jsonl(tmp_path / "r.jsonl", {"id": "x", **sides})
    odd = ["--option", "comparators.b=regex(timeout=0.01)"]
    ended = score(path, "--explain", "x", "--fail-under", "0.9", *odd)
    assert (ended.code, ended.out.splitlines()[-2:]) == (
        1,
        [
            "passed: score 1.000 reaches 0.900",
            "failed: coverage 50% is below 100%; --min-coverage allows less",
        ],
    )


def test_explain_as_json_and_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    found = json.loads(score(named(tmp_path), "--explain", "rec-2", "--json", "--out", out).out)
    assert (found["id"], found["verdicts"], found["passed"]) == ("rec-2", {"wrong": 1}, True)
    for one in found["results"]:
        assert one.pop("metadata") == one["extra"]
    assert json.loads(out.read_text())["results"] == found["results"]


def test_explain_has_colours_on_a_terminal_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m!  a" in score(named(tmp_path), "--explain", "rec-2", out=Terminal()).out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in score(named(tmp_path), "--explain", "rec-2", out=Terminal()).out
