"""The pytest plugin in runs of its own: table, fixture, options, workers, and silence when unused."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

TESTS = """
import pytest
import fieldwise
from fieldwise.testing import aassert_matches, assert_matches

def late(request):
    raise TimeoutError("late")

@pytest.mark.parametrize("b", [1, 2, 3, 4])
def test_pair(b):
    assert_matches({"a": 1, "b": b}, {"a": 1, "b": 2}, threshold=0.5)

def test_async():
    import asyncio
    asyncio.run(aassert_matches({"a": 1}, {"a": 1}))

def test_judged(fieldwise_record):
    evaluator = fieldwise.create_json_match_evaluator(rubric={"b": "near"}, judge=late)
    results = evaluator(outputs={"a": 0, "b": 1}, reference_outputs={"a": 1, "b": 2})
    assert fieldwise_record(results) == results
    assert fieldwise_record(0.25, key="speed")[0]["key"] == "speed"
"""

TABLE = [
    "*= fieldwise scores =*",
    "key            mean  graded  coverage  worst test",
    "json_match:b  0.250       4       80%  0.000 test_scores.py::test_pair[[]1]",
    "json_match:a  0.833       6      100%  0.000 test_scores.py::test_judged",
    "speed         0.250       1      100%  0.250 test_scores.py::test_judged",
    "",
    "score 0.568 over 11 graded results, coverage 91.7%, 7 records in 6 tests",
    "judge_error 1",
    "FAILED: score 0.568182 is below --fieldwise-fail-under=0.6",
]
REPORT = {
    "score": 0.5681818181818182,
    "coverage": 0.9166666666666666,
    "pass_rate": 0.5454545454545454,
    "graded": 11,
    "total": 12,
    "statuses": {"graded": 11, "judge_error": 1},
    "tests": 6,
    "records": 7,
}
FIELD_B = {
    "mean": 0.25,
    "graded": 4,
    "total": 5,
    "statuses": {"graded": 4, "judge_error": 1},
    "coverage": 0.8,
    "support": 4,
    "pass_rate": 0.25,
    "worst": {"id": "test_scores.py::test_pair[1]", "score": 0.0, "comment": "b: expected 2, got 1"},
}

FAILING = """
from fieldwise.testing import assert_matches

def test_wrong():
    assert_matches({"a": 1, "b": 2}, {"a": 1, "b": 3})

def test_right():
    assert_matches([1], [1])
"""


def run(pytester: pytest.Pytester, *options: str, text: str = TESTS, code: int = 0) -> pytest.RunResult:
    pytester.makepyfile(test_scores=text)
    result = pytester.runpytest_inprocess("-p", "no:cacheprovider", "-W", "error", *options)
    assert result.ret == code, result.outlines + result.errlines
    return result


def test_pytest_finds_the_plugin_by_itself() -> None:
    (entry,) = entry_points(group="pytest11", name="fieldwise")
    assert entry.value == "fieldwise.testing.plugin"


@pytest.mark.parametrize("workers", [0, 2])
def test_the_table_the_file_and_the_bar(pytester: pytest.Pytester, workers: int) -> None:
    options = ["--fieldwise-report=out/scores.json", "--fieldwise-fail-under=0.6", f"-n{workers}"]
    result = run(pytester, *options, code=1)
    result.stdout.fnmatch_lines(TABLE, consecutive=True)
    found = json.loads((pytester.path / "out/scores.json").read_text(encoding="utf-8"))
    fields = found.pop("fields")
    assert found == REPORT
    assert list(fields) == ["json_match:a", "json_match:b", "speed"]
    assert fields["json_match:b"] == FIELD_B


def test_a_bar_that_is_reached_changes_nothing(pytester: pytest.Pytester) -> None:
    result = run(pytester, "--fieldwise-fail-under=0.5")
    assert [line for line in result.outlines if line.startswith("FAILED")] == []


def test_a_bar_is_missed_where_nothing_was_graded(pytester: pytest.Pytester) -> None:
    options = ["--fieldwise-fail-under=0.5"]
    result = run(pytester, *options, text="def test_nothing(): pass", code=1)
    result.stdout.fnmatch_lines(["FAILED: nothing was graded, which fails --fieldwise-fail-under=0.5"])
    run(pytester, *options, "--collect-only", text="def test_nothing(): pass")


@pytest.mark.parametrize(
    ("value", "message"), [("80", "'80' is not from 0 to 1"), ("high", "'high' is no number from 0 to 1")]
)
def test_a_bar_out_of_range_is_refused(pytester: pytest.Pytester, value: str, message: str) -> None:
    result = run(pytester, f"--fieldwise-fail-under={value}", code=4)
    result.stderr.fnmatch_lines([f"*--fieldwise-fail-under: {message}"])


def test_a_file_that_cannot_be_written_fails_the_run(pytester: pytest.Pytester) -> None:
    pytester.mkdir("folder")
    result = run(pytester, "--fieldwise-report=folder", code=1)
    result.stdout.fnmatch_lines(["FAILED: --fieldwise-report=folder cannot be written: Is a directory"])


def test_a_file_is_written_where_nothing_was_scored(pytester: pytest.Pytester) -> None:
    run(pytester, "--fieldwise-report=scores.json", text="def test_nothing(): pass")
    found = json.loads((pytester.path / "scores.json").read_text(encoding="utf-8"))
    assert (found["score"], found["tests"], found["fields"]) == (None, 0, {})


def test_a_failure_shows_the_test_and_the_places_alone(pytester: pytest.Pytester) -> None:
    result = run(pytester, text=FAILING, code=1)
    start = next(at for at, line in enumerate(result.outlines) if "test_wrong ___" in line)
    assert result.outlines[start + 1 : start + 9] == [
        "",
        "    def test_wrong():",
        '>       assert_matches({"a": 1, "b": 2}, {"a": 1, "b": 3})',
        "E       AssertionError: json_match: 1 of 2 values not right, score 0.500",
        "E         path  expected  got",
        "E            b         3    2  wrong, exact",
        "",
        "test_scores.py:4: AssertionError",
    ]
    result.stdout.fnmatch_lines(["json_match:b  0.000       1      100%  0.000 test_scores.py::test_wrong"])


def test_a_run_that_scores_nothing_says_nothing(pytester: pytest.Pytester) -> None:
    assert "fieldwise scores" not in run(pytester, text="def test_nothing(): pass").stdout.str()


def test_it_can_be_left_out(pytester: pytest.Pytester) -> None:
    result = run(pytester, "-p", "no:fieldwise", text=FAILING, code=1)
    assert "fieldwise scores" not in result.stdout.str()
    result.assert_outcomes(passed=1, failed=1)


def test_a_crashed_worker_is_told_of(pytester: pytest.Pytester) -> None:
    crash = "\ndef test_crash():\n    import os\n    os._exit(1)\n"
    result = run(pytester, "-n1", "--fieldwise-report=x.json", text=TESTS + crash, code=1)
    result.stdout.fnmatch_lines(["workers that crashed, their scores missing: 1"])


def test_a_run_inside_a_test_keeps_its_scores(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_outer=f"""
        pytest_plugins = ["pytester"]
        from fieldwise.testing import assert_matches

        def test_outer(pytester):
            pytester.makepyfile(test_inner={FAILING!r})
            pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1, failed=1)
            assert_matches({{"own": 1}}, {{"own": 1}})
        """
    )
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["score 1.000 over 1 graded result, coverage 100%, 1 record in 1 test"])


UNUSED = """
import sys
import pytest
before = set(sys.modules)
import fieldwise.testing.plugin
print(*sorted(name for name in set(sys.modules) - before))
"""


def test_the_plugin_costs_nothing_unused() -> None:
    found = subprocess.run([sys.executable, "-c", UNUSED], capture_output=True, text=True, check=True)
    loaded = set(found.stdout.split())
    ours = {name for name in loaded if name.startswith("fieldwise")}
    assert ours == {
        "fieldwise",
        "fieldwise._exports",
        "fieldwise.testing",
        "fieldwise.testing.asserting",
        "fieldwise.testing.listening",
        "fieldwise.testing.plugin",
    }
    assert loaded - ours <= sys.stdlib_module_names | {"contextlib"}


def test_it_is_declared_where_packages_declare_plugins() -> None:
    declared = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert '[project.entry-points.pytest11]\nfieldwise = "fieldwise.testing.plugin"\n' in declared
