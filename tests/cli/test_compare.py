"""`fieldwise compare`, and `--executor` of `fieldwise score`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fieldwise.evalsets.model import ItemResult
from fieldwise.evalsets.results.files import Writer
from fieldwise.evalsets.results.header import Header
from tests.cli.calls import call


def test_files_with_metadata_and_without_are_the_same(tmp_path: Path) -> None:
    """Files of before have what is known of a result twice."""
    old, new = results(tmp_path / "old.jsonl", 30), tmp_path / "new.jsonl"
    lines = [json.loads(line) for line in old.read_text().splitlines()]
    for line in lines:
        for one in line["results"]:
            del one["metadata"]
    new.write_text("".join(json.dumps(line) + "\n" for line in lines))
    ended = call("compare", old, new, "--json", "--fail-on", "regression")
    found = json.loads(ended.out)
    assert (ended.code, found["items"]) == (0, {"both": 40, "only_a": 0, "only_b": 0})
    assert {one["difference"] for one in found["fields"].values()} == {0.0}


def result(key: str, score: float | None) -> dict[str, Any]:
    extra = {"status": "graded" if score is not None else "judge_error"}
    return {"key": key, "score": score, "comment": None, "metadata": extra, "extra": extra}


def results(path: Path, right: int, of: int = 40, prefix: str = "r") -> Path:
    lines = [
        {"id": f"{prefix}{at}", "results": [result("m:a", float(at < right)), result("m:b", at / of)]}
        for at in range(of)
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines))
    return path


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    return results(tmp_path / "a.jsonl", 38), results(tmp_path / "b.jsonl", 26)


PLAIN = """\
A: a.jsonl
B: b.jsonl

40 items in both runs

field A B B - A 95% interval p better worse items coverage
m:a 0.950 0.650 -0.300 [-0.45, -0.15] <0.001 0 12 40 100% worse
m:b 0.487 0.487 +0.000 1.000 0 0 40 100%

m:a, fell the most: r26 1.000 to 0.000, r27 1.000 to 0.000, r28 1.000 to 0.000, r29 1.000 to 0.000, r30 1.000 to 0.000
p: McNemar's exact test or a permutation test, corrected for 2 fields by Holm's method; significant below 0.05
"""  # noqa: E501 - as wide as the page


def test_two_runs_side_by_side(pair: tuple[Path, Path]) -> None:
    ended = call("compare", "a.jsonl", "b.jsonl")
    assert (ended.code, ended.err) == (0, "")
    assert re.sub(" +", " ", ended.out) == PLAIN


@pytest.mark.parametrize(
    ("order", "options", "code", "verdict"),
    [
        ("ab", ["--fail-on", "regression"], 1, "failed: m:a"),
        ("ba", ["--fail-on", "regression"], 0, "passed: no regression"),
        ("ab", ["--fail-on", "regression", "--alpha", "0.0001"], 0, "passed: no regression"),
        ("ab", ["--fail-on", "regression", "--alpha", "0.0001", "--max-drop", "0.2"], 1, "failed: m:a"),
        ("aa", ["--fail-on", "regression"], 0, "passed: no regression"),
        ("ab", [], 0, ""),
    ],
)
def test_exit_codes(pair: tuple[Path, Path], order: str, options: list[str], code: int, verdict: str) -> None:
    ended = call("compare", *(f"{one}.jsonl" for one in order), *options)
    assert ended.code == code
    assert ended.out.splitlines()[-1] == verdict or not verdict
    told = json.loads(call("compare", *(f"{one}.jsonl" for one in order), *options, "--json").out)
    assert (told["passed"], told["correction"]) == (not code, "holm")
    assert list(told["fields"]) == ["m:a", "m:b"]


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_lines_fit(pair: tuple[Path, Path], width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    lines = call("compare", "a.jsonl", "b.jsonl").out.splitlines()
    assert max(map(len, lines)) <= width
    assert not any("…" in line for line in lines[5:8])
    assert ("interval" in lines[5]) == (width >= 100)


def test_a_judge_that_was_down_is_a_regression(pair: tuple[Path, Path], tmp_path: Path) -> None:
    lines = [{"id": f"r{at}", "results": [result("m:a", None), result("m:b", at / 40)]} for at in range(40)]
    (tmp_path / "b.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    ended = call("compare", "a.jsonl", "b.jsonl", "--fail-on", "regression")
    assert (ended.code, ended.out.splitlines()[-1]) == (1, "failed: m:a (lost 40 of 40 items)")
    assert "100%/0%" in ended.out


def test_what_eval_wrote_is_read_too(tmp_path: Path) -> None:
    for name, right in (("a", 8), ("b", 0)):
        with Writer.start(str(tmp_path / f"{name}.jsonl"), Header("r", "s")) as writer:
            for at in range(8):
                for repeat in range(2):
                    graded: Any = [result("E", float(at < right))]
                    writer.write(ItemResult(str(at), str(at), repeat, results={"E": graded}))
    told = json.loads(call("compare", "a.jsonl", "b.jsonl", "--json").out)
    assert (told["items"]["both"], told["regressions"], told["fields"]["E"]["worse"]) == (8, ["E"], 8)


def mend(fault: str) -> str:
    return f"fieldwise: b.jsonl:1: {fault}; mend the line, or remove it\n"


APART = "fieldwise: nothing to compare: no item is in both files; a.jsonl has 'r0', 'r1', 'r10', b.jsonl has"
NO_LINE = (
    "fieldwise: b.jsonl:1: is no line of results; give what `fieldwise score --out` or "
    "`fieldwise eval --out` wrote\n"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"{APART} none\n"),
        ('{"id": "x", "results": []}\n', f"{APART} 'x'\n"),
        ("no json\n", NO_LINE),
        ("[]\n", NO_LINE),
        ('{"id": 3, "results": []}\n', NO_LINE),
        ('{"id": "r1", "results": [3]}\n', mend("item 'r1': is 3, and must be an object")),
        (
            '{"id": "r1", "results": [{"key": "k", "score": NaN, "extra": {}}]}\n',
            mend("NaN is no finite number"),
        ),
        (
            '{"id": "r1", "results": [{"key": "k", "score": "1", "extra": {}}]}\n',
            mend("item 'r1': score is \"1\", and must be a finite number, true, false or null"),
        ),
    ],
)
def test_unusable_files(pair: tuple[Path, Path], tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "b.jsonl").write_text(text)
    ended = call("compare", "a.jsonl", "b.jsonl")
    assert (ended.code, ended.out, ended.err) == (2, "", message)


def test_a_missing_file(pair: tuple[Path, Path]) -> None:
    ended = call("compare", "a.jsonl", "c.jsonl")
    assert (ended.code, ended.err) == (2, "fieldwise: c.jsonl: cannot be read: No such file or directory\n")


def test_a_torn_last_line_is_left_out_and_told(pair: tuple[Path, Path]) -> None:
    text = pair[1].read_text()
    pair[1].write_text(text[:-30])
    ended = call("compare", "a.jsonl", "b.jsonl", "--json")
    assert (ended.code, ended.err) == (0, "b.jsonl:40: was not written to its end; left out\n")
    assert json.loads(ended.out)["items"] == {"both": 39, "only_a": 1, "only_b": 0}


@pytest.mark.parametrize(
    ("kept", "options", "code", "verdict"),
    [
        (39, [], 1, "failed: m:a (lost 1 of 40 items), m:b (lost 1 of 40 items)"),
        (39, ["--max-lost", "0.025"], 0, "passed: no regression"),
        (36, ["--max-lost", "0.05"], 1, "failed: m:a (lost 4 of 40 items), m:b (lost 4 of 40 items)"),
    ],
)
def test_items_that_b_lacks(tmp_path: Path, kept: int, options: list[str], code: int, verdict: str) -> None:
    text = results(tmp_path / "a.jsonl", 38).read_text()
    (tmp_path / "b.jsonl").write_text("".join(text.splitlines(keepends=True)[:kept]))
    ended = call("compare", "a.jsonl", "b.jsonl", "--fail-on", "regression", *options)
    assert (ended.code, ended.out.splitlines()[-1]) == (code, verdict)
    assert f"m:a, lost in B: {40 - kept} of 40 items graded in A\n" in ended.out


@pytest.mark.parametrize("option", ["--max-drop", "--max-lost"])
def test_bars_that_decide_nothing(pair: tuple[Path, Path], option: str) -> None:
    ended = call("compare", "a.jsonl", "b.jsonl", option, "0.1")
    assert ended.code == 2
    assert ended.err.endswith(f"Error: {option} decides nothing alone; add --fail-on regression\n")


def test_what_is_not_the_same_in_both_is_told(tmp_path: Path) -> None:
    graded: Any = [result("E", 1.0)]
    for name, evaluators, digest in (
        ("a", {"E": {"type": "t", "digest": "1"}, "F": {}}, "x"),
        ("b", {"E": {"type": "t", "digest": "2"}}, "y"),
    ):
        header = Header("r", "s", digest=digest, evaluators=evaluators)
        with Writer.start(str(tmp_path / f"{name}.jsonl"), header) as writer:
            for at in range(8):
                criteria = {"E": {"expectedOutput": name if at < 6 else "both"}}
                writer.write(ItemResult(str(at), str(at), results={"E": graded}, criteria=criteria))
    ended = call("compare", "a.jsonl", "b.jsonl", "--json")
    warnings = [
        "the set 's' is not the same in A and B",
        "the evaluator 'E' has other options, or is another one",
        "the evaluator 'F' is only in A",
        "6 items with other inputs or criteria: '0', '1', '2', '3', '4', …",
    ]
    assert json.loads(ended.out)["warnings"] == warnings
    assert ended.err == "".join(f"warning: {one}\n" for one in warnings)
    assert (ended.code, call("compare", "a.jsonl", "a.jsonl").err) == (0, "")


# ----------------------------------------------------------------------------------------- executor


def test_score_with_processes_says_and_writes_the_same(tmp_path: Path) -> None:
    rows = [{"outputs": {"a": at % 3}, "reference_outputs": {"a": at % 2}} for at in range(60)]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(one) + "\n" for one in rows))
    alone, afar, silent = (
        call("score", "r.jsonl", "--evaluator", "json_match", "--json", *more)
        for more in (
            ["--out", "alone.out"],
            ["--out", "afar.out", "--executor", "processes:2"],
            ["--executor", "processes:2"],
        )
    )
    told = [{**json.loads(one.out), "elapsed": 0} for one in (alone, afar, silent)]
    assert told[0] == told[1] == told[2]
    assert (tmp_path / "alone.out").read_text() == (tmp_path / "afar.out").read_text()


def test_an_unknown_executor() -> None:
    ended = call("score", "r.jsonl", "--evaluator", "json_match", "--executor", "threads")
    assert ended.code == 2
    assert ended.err.endswith(
        "Error: Invalid value for '--executor': executor='threads': must be an Executor, \"processes\", "
        '"processes:4", or "dask://host:port"\n'
    )
