"""Files of results that were mended by hand: what is no result is refused, with its line and the fix."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fieldwise.errors import InputError
from fieldwise.evalsets.model import ItemResult
from fieldwise.evalsets.results.files import Writer
from fieldwise.evalsets.results.header import Header
from fieldwise.evalsets.results.lines import read_item
from fieldwise.evalsets.results.read import read_results
from fieldwise.evalsets.results.store import list_runs, load_run
from fieldwise.evalsets.runner import run_set
from tests.evalsets.sets import chosen, exact, store_run, sums

EXTRA: dict[str, Any] = {"status": "graded", "passed": True}


def row(**changed: Any) -> dict[str, Any]:
    return {"key": "E", "score": 1.0, "comment": None, "metadata": EXTRA, "extra": EXTRA} | changed


def line(*results: Any, **changed: Any) -> dict[str, Any]:
    return {"item": "a", "name": "a", "repeat": 0, "outcome": "ok", "results": {"E": list(results)}} | changed


NUMBER = "and must be a finite number, true, false or null"
OF_E = "item 'a': results of 'E': "
STATUSES = (
    "graded, invalid_output, invalid_reference, judge_error, not_applicable, not_evaluated, path_not_found"
)
BAD: tuple[tuple[Any, str], ...] = (
    (line(row(score=5)), f"{OF_E}score is 5, and must be from 0 to 1"),
    (line(row(score=-0.5)), f"{OF_E}score is -0.5, and must be from 0 to 1"),
    (
        line(row(score=-1, extra={"lower_is_better": True})),
        f"{OF_E}score is -1, and must be from 0",
    ),
    (line(row(score="1")), f'{OF_E}score is "1", {NUMBER}'),
    (line(row(score=[1])), f"{OF_E}score is [1], {NUMBER}"),
    (line(row(score=10**400)), f"{OF_E}score is 1"),
    (line(row(score=float("nan"))), "NaN is no finite number"),
    (line(row(), output={"x": float("inf")}), "Infinity is no finite number"),
    (line(row(score=None)), f"{OF_E}score is null, and must be a number where the status is graded"),
    (line(row(key=3)), f"{OF_E}key is 3, and must be text"),
    (line(row(comment=3)), f"{OF_E}comment is 3, and must be text or null"),
    (line(row(extra=[])), f"{OF_E}extra is [], and must be an object"),
    (line(row(extra={"status": "fine"})), f'{OF_E}status is "fine", and must be one of {STATUSES}'),
    (line(row(extra={"passed": 1})), f"{OF_E}passed is 1, and must be true, false or null"),
    (line({"key": "E", "extra": {}}), f"{OF_E}has no 'score'"),
    (line(3), f"{OF_E}is 3, and must be an object"),
    (line(), f"{OF_E}is [], and must be a list of results"),
    (line(results={"E": {}}), f"{OF_E}is {{}}, and must be a list of results"),
    (line(results=3), "item 'a': results is 3, and must be an object"),
    (
        line(results={}, criteria={"E": {}}),
        "item 'a': has criteria for 'E', and no results of it",
    ),
    (line(row(), repeat=-1), "item 'a': repeat is -1, and must be a whole number from 0"),
    (
        line(row(), outcome="fine"),
        "item 'a': outcome is \"fine\", and must be one of agent_error, not_run, ok, timeout",
    ),
    (line(row(), seconds="1"), "item 'a': seconds is \"1\", and must be a number from 0, or null"),
    (line(row(), spans=[3]), "item 'a': spans is [3], and must be a list of objects"),
    (line(row(), item=3), "item is 3, and must be text"),
    ({"results": {}}, "has no 'item'"),
    ([1], "is [1], and must be an object"),
)


def written(path: Path, *lines: Any) -> Header:
    header = Header.of(sums(2))
    with Writer.start(str(path), header):
        pass
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in lines)
    return header


@pytest.mark.parametrize(("bad", "fault"), [pytest.param(*one, id=one[1][-60:]) for one in BAD])
def test_a_line_that_is_not_right(bad: Any, fault: str, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    header = written(path, line(row(), item="b"), bad)
    with pytest.raises(InputError) as raised:
        list(read_results(str(path)))
    told = str(raised.value)
    assert told.startswith(f"{path}:3: {fault}")
    assert told.endswith("; mend the line, or remove it")
    writer, held = Writer.resume(str(path), header)
    with writer, pytest.raises(InputError) as raised:
        list(held)
    assert str(raised.value) == told


GOOD: tuple[Any, ...] = (
    line(row(score=True), row(score=0), row(score=0.5)),
    line(row(score=7.5, extra={"lower_is_better": True})),
    line(row(score=None, extra={"status": "judge_error"})),
    line(results={}),
    {"item": "a", "results": {}},
)


@pytest.mark.parametrize("good", GOOD)
def test_a_line_that_is_right(good: Any, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    written(path, good)
    assert list(read_results(str(path))) == [ItemResult.from_dict(good)]


HEADERS = (
    ({"items": "5"}, 'items is "5", and must be a whole number from 0'),
    ({"set": 3}, "set is 3, and must be text"),
    ({"evaluators": ["E"]}, 'evaluators is ["E"], and must be an object of objects'),
    ({"evaluators": {"E": 3}}, 'evaluators is {"E":3}, and must be an object of objects'),
    ({"made_with": None}, "made_with is null, and must be an object"),
    ({"digests": {"agent": 1}}, 'digests is {"agent":1}, and must be an object of texts'),
)


@pytest.mark.parametrize(("changed", "fault"), HEADERS)
def test_a_header_that_is_not_right(changed: dict[str, Any], fault: str, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    header = written(path)
    path.write_text(json.dumps({**header.to_dict(), **changed}) + "\n", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_results(str(path))
    assert str(raised.value) == f"{path}:1: the line of the run: {fault}; mend it, or begin the file anew"


def test_whatever_a_run_writes_is_right() -> None:
    found: list[ItemResult] = []

    def agent(a: int, b: int) -> Any:
        if a == 1:
            raise ValueError("no one")
        return {"r": a + b} if a else "text"

    several = [exact(), chosen("fieldwise-json-match", "F"), chosen("uipath-json-similarity", "S")]
    run_set(sums(3, *several), agent, on_result=found.append)
    assert [read_item(json.loads(json.dumps(one.to_dict()))) for one in found] == found


# ------------------------------------------------------------------------------------------ histories

STORED = (
    ("UPDATE items SET body = 'garbage'", "is stored wrongly: is no object of JSON"),
    ("UPDATE items SET body = '[]'", "is stored wrongly: is no object of JSON"),
    ("UPDATE items SET body = x'00ff'", "is stored wrongly: is no object of JSON"),
    ("UPDATE items SET body = 5", "is stored wrongly: is no object of JSON"),
    ("UPDATE results SET body = '{'", f"is stored wrongly: {OF_E}is null, and must be an object"),
)


@pytest.mark.parametrize(("change", "fault"), STORED)
def test_a_history_whose_items_are_broken(change: str, fault: str, tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    header = Header.of(sums(1))
    store_run(path, header, [ItemResult("a", "a", results={"E": [row()]})], {})  # type: ignore[list-item]
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(change)
    with pytest.raises(InputError) as raised:
        list(load_run(path))
    assert str(raised.value) == f"{path}: run {header.run!r}, item 'a': {fault}; store it anew"


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("header = 'garbage'", "is no object of JSON"),
        ("header = '{\"items\": NaN}'", "NaN is no finite number"),
        ("header = '{\"set\": 3}'", "set is 3, and must be text"),
        ("summary = 'garbage'", "is no object of JSON"),
    ],
)
def test_a_history_whose_runs_are_broken(change: str, fault: str, tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    store_run(path, Header.of(sums(1)), [], {})
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE runs SET {change}")  # noqa: S608 - of this file
    with pytest.raises(InputError) as raised:
        list_runs(path)
    assert str(raised.value) == f"{path}: what is stored of a run is broken: {fault}; name another file"
