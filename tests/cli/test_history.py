"""`fieldwise history`: what a history says of its runs, and that compare finds them by name."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fieldwise.cli.common.streams import Streams
from fieldwise.cli.history import history_command
from fieldwise.errors import InputError
from fieldwise.evalsets.model import EvaluationSet
from fieldwise.evalsets.results.header import Header
from fieldwise.evalsets.results.store import Store, load_run
from fieldwise.evalsets.runner import run_set
from tests.evalsets.sets import sums


def keep(path: Path, run: str, whole: EvaluationSet, *, wrong: int = 0, finished: bool = True) -> None:
    """Store a run over a set, so many of its answers wrong."""
    started = f"2026-01-0{run[-1]}T10:30:00+00:00"
    header = replace(Header.of(whole, {"agent": "app:answer"}), run=run, started=started)
    outputs = {one.id: {"r": n if n < wrong else n + 1} for n, one in enumerate(whole.items)}
    with Store(str(path), header) as store:
        summary = run_set(whole, outputs=outputs, on_result=store.add)
        if finished:
            store.finish(summary.to_dict())


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A history of two runs over one set, and one over another that was ended early."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    keep(tmp_path / "h.db", "run1", sums(4))
    keep(tmp_path / "h.db", "run2", replace(sums(2), id="others"), finished=False)
    keep(tmp_path / "h.db", "run3", sums(4), wrong=1)
    return "h.db"


def run(*argv: str) -> tuple[int, str]:
    out = io.StringIO()
    streams = Streams(io.StringIO(), out, io.StringIO())
    code = history_command.main(list(argv), standalone_mode=False, obj=streams)
    return code, out.getvalue()


TABLE = """\
run   set     date                  items  score  coverage  made with
run1  sums    2026-01-01 10:30 UTC      4  1.000      100%  agent app:answer
run2  others  2026-01-02 10:30 UTC      2      -         -  not finished, agent app:answer
run3  sums    2026-01-03 10:30 UTC      4  0.750      100%  agent app:answer

fieldwise compare h.db#run1 h.db#run3
"""


def test_the_runs_and_how_to_compare_the_last(history: str) -> None:
    assert run(history) == (0, TABLE)
    assert load_run("h.db#run1").header.run == "run1"


def test_as_json(history: str) -> None:
    code, out = run(history, "--json", "--last", "2")
    other: dict[str, Any] = {"name": "Sums", "made_with": {"agent": "app:answer"}}
    assert (code, json.loads(out)) == (
        0,
        [
            {
                "run": "run2",
                "set": "others",
                "date": "2026-01-02T10:30:00+00:00",
                "items": 2,
                "score": None,
                "coverage": None,
                "finished": False,
                **other,
            },
            {
                "run": "run3",
                "set": "sums",
                "date": "2026-01-03T10:30:00+00:00",
                "items": 4,
                "score": 0.75,
                "coverage": 1.0,
                "finished": True,
                **other,
            },
        ],
    )


CHOSEN: tuple[tuple[list[str], list[str], str], ...] = (
    (["--set", "sums"], ["run1", "run3"], "fieldwise compare h.db#run1 h.db#run3"),
    (["--set", "others"], ["run2"], "a run by name: h.db#run2"),
    (["--last", "1"], ["run3"], "a run by name: h.db#run3"),
)


@pytest.mark.parametrize(("argv", "runs", "last"), [pytest.param(*row, id=str(row[0])) for row in CHOSEN])
def test_only_some(history: str, argv: list[str], runs: list[str], last: str) -> None:
    code, out = run(history, *argv)
    lines = out.splitlines()
    assert (code, [line.split()[0] for line in lines[1:-2]], lines[-1]) == (0, runs, last)


def test_no_run(history: str) -> None:
    assert run(history, "--set", "none") == (0, "h.db: 0 runs of the set 'none'\n")
    assert run(history, "--set", "none", "--json") == (0, "[]\n")


def test_what_is_no_history(tmp_path: Path, history: str) -> None:
    (tmp_path / "x").write_text("text", encoding="utf-8")
    for name, reason in (("x", "cannot be read: file is not a database"), ("gone", "no such file")):
        with pytest.raises(InputError) as raised:
            run(name)
        assert str(raised.value) == f"{name}: {reason}"
