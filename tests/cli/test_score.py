"""`fieldwise score`: what it prints and returns, for good input and for everything else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fieldwise
from tests.cli.calls import CORD, GOOD, RECEIPTS, call, jsonl, score


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


def test_a_field_that_was_never_scored_reaches_no_bar(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", GOOD, GOOD)
    argv = ("score", path, "--evaluator", "multi_field", "--option", 'fields=["a", "bb", "aa"]', "--quiet")
    ended = call(*argv, "--fail-under", "0.9")
    assert ended.code == 1
    assert ended.out.splitlines()[1:] == [
        "passed: score 1.000 reaches 0.900",
        "failed: fields: 'aa' named nothing in any record; did you mean 'a'?",
        "failed: fields: 'bb' named nothing in any record",
    ]
    assert call(*argv).code == 0
    assert json.loads(call(*argv[:-1], "--json", "--min-coverage", "0.1").out)["passed"] is False


UNCOVERED = "failed: coverage 33.3% is below 100%; --min-coverage allows less"


@pytest.mark.parametrize(
    ("argv", "code", "verdict"),
    [
        ([], 0, []),
        (["--fail-under", "0.9"], 1, ["passed: score 1.000 reaches 0.900", UNCOVERED]),
        (
            ["--fail-under", "0.9", "--min-coverage", "0.3"],
            0,
            ["passed: score 1.000 reaches 0.900", "passed: coverage 33.3% reaches 30%"],
        ),
        (["--min-coverage", "0.3"], 0, ["passed: coverage 33.3% reaches 30%"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("gap", ["no json", '{"outputs": {"a": 1}}'], ids=["bad line", "no reference"])
def test_a_bar_needs_full_coverage_unless_less_is_allowed(
    tmp_path: Path, gap: str, argv: list[str], code: int, verdict: list[str]
) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(f"{json.dumps(GOOD)}\n{gap}\n{gap}\n")
    ended = score(path, *argv, "--quiet")
    assert (ended.code, ended.out.splitlines()[1:]) == (code, verdict)
    found = json.loads(score(path, *argv, "--json").out)
    assert found["passed"] is (code == 0)
    assert found["min_coverage"] == (0.3 if "--min-coverage" in argv else 1.0 if argv else None)


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
            ["score", "x", "--evaluator", "json_match", "--option", "judge=jj:judge"],
            "--option 'judge=jj:judge': a judge is named by --judge module:function, or --model",
        ),
        (
            ["score", "x", "--evaluator", "json_mach"],
            "there is no evaluator 'json_mach'; did you mean 'json_match'?",
        ),
        (
            ["score", "x", "--evaluator", "zzz"],
            "there is no evaluator 'zzz'; `fieldwise list` has them all",
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
            (
                "--option 'number(absolut=1)': number has no option 'absolut'; did you mean 'absolute'? "
                "it takes: absolute, relative\n"
            ),
        ),
        (
            "comparators.a=mine:same",
            (
                "comparators['a']='mine:same': there is no such comparator; one of your own is given in "
                "Python, as the callable itself, and by name there are: exact, id, "
            ),
        ),
        (
            "comparators.a=within(numbr, 0.5)",
            "within(comparator)='numbr': there is no such comparator; did you",
        ),
    ],
)
def test_wrong_evaluator_option(good: Path, option: str, message: str) -> None:
    ended = score(good, "--option", option)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"fieldwise: {message}")


NOBODY = "--judge module:function, or --model provider:name"


@pytest.mark.parametrize(
    ("evaluator", "argv", "message"),
    [
        ("llm_judge_output", [], f"llm_judge_output needs a judge: {NOBODY}"),
        ("llm_judge_strict_json", [], f"llm_judge_strict_json needs a judge: {NOBODY}"),
        ("llm_judge_trajectory", [], f"llm_judge_trajectory needs a judge: {NOBODY}"),
        ("json_match", ["--option", "rubric.a=same"], f"rubric is given without a judge: {NOBODY}"),
        (
            "multi_field",
            ["--option", "fields=Field(a, rubric=same)"],
            f"Field(rubric=…) is given without a judge: {NOBODY}",
        ),
        (
            "json_match",
            ["--model", "openai:m"],
            (
                "--model is given without a rubric: say what it judges, "
                "--option rubric.path='what makes it right'"
            ),
        ),
        (
            "multi_field",
            ["--option", "fields=a", "--model", "openai:m"],
            (
                "--model is given without a rubric: say what it judges, "
                '--option "fields=Field(path, rubric=what makes it right)"'
            ),
        ),
    ],
)
def test_what_is_lacking_is_said_in_words_of_the_command_line(
    good: Path, evaluator: str, argv: list[str], message: str
) -> None:
    ended = call("score", good, "--evaluator", evaluator, *argv)
    assert (ended.code, ended.out, ended.err) == (2, "", f"fieldwise: {message}\n")


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
    ended = score(path)
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
