"""The history: runs in, the same runs out, whatever happens between."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from fieldwise.errors import InputError
from fieldwise.evalsets.model import ItemResult
from fieldwise.evalsets.results.files import NotWritten
from fieldwise.evalsets.results.header import Header
from fieldwise.evalsets.results.read import read_results
from fieldwise.evalsets.results.store import Store, is_history, list_runs, load_run
from fieldwise.evalsets.runner import run_set
from tests.evalsets.sets import chosen, exact, store_run, sums


def ran(number: int = 3) -> tuple[Header, list[ItemResult], dict[str, Any]]:
    whole = sums(number, exact(), chosen("fieldwise-json-match", "F"))
    found: list[ItemResult] = []

    def agent(a: int, b: int) -> dict[str, Any]:
        if a == 1:
            raise ValueError("no one")
        return {"r": a + b, "more": "é\ud800"}

    summary = run_set(whole, agent, on_result=found.append)
    return Header.of(whole), found, summary.to_dict()


def test_what_is_stored_is_loaded(tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    header, found, summary = ran()
    store_run(path, header, found, summary)
    stored = load_run(path)
    assert (stored.header, list(stored), list(stored)) == (header, found, found)
    assert stored.summary is not None
    assert stored.summary["score"] == summary["score"]


def test_runs_are_listed_and_named(tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    runs = [ran(number) for number in (1, 2, 3)]
    for run in runs:
        store_run(path, *run)
    ids = [header.run for header, _, _ in runs]
    assert [one.header.run for one in list_runs(path)] == ids
    assert len(list(load_run(f"{path}#{ids[1]}"))) == 2
    assert read_results(path).header.run == ids[2]
    assert [one.item for one in read_results(f"{path}#{ids[0]}")] == ["i0"]


def test_storing_twice_changes_nothing(tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    run = ran()
    store_run(path, *run)
    store_run(path, *run)
    assert list(load_run(path)) == run[1]


def test_columns_can_be_asked(tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    store_run(path, *ran())
    asked = "SELECT item, key, score, status, passed FROM results WHERE evaluator = 'E' ORDER BY rowid"
    with sqlite3.connect(path) as connection:
        rows = connection.execute(asked).fetchall()
        failed = connection.execute("SELECT item, outcome FROM items WHERE error IS NOT NULL").fetchall()
    connection.close()
    assert rows == [
        ("i0", "E", 0.0, "graded", 0),
        ("i1", "E", None, "not_evaluated", 0),
        ("i2", "E", 0.0, "graded", 0),
    ]
    assert failed == [("i1", "agent_error")]


def add_and_stop(path: str, header: Header, result: ItemResult) -> None:
    with Store(path, header) as store:
        store.add(result)
        raise KeyboardInterrupt


def test_a_run_that_failed_keeps_what_it_stored(tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    header, found, _ = ran()
    with pytest.raises(KeyboardInterrupt):
        add_and_stop(path, header, found[0])
    stored = load_run(path)
    assert (list(stored), stored.summary) == (found[:1], None)


def test_a_history_is_known_by_its_content(tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    store_run(str(path), *ran())
    text = tmp_path / "r.jsonl"
    text.write_text("{}", encoding="utf-8")
    named = tmp_path / "odd#name.db"
    path.rename(named)
    names = (named, f"{named}#x", text, tmp_path / "none.db")
    assert [is_history(str(one)) for one in names] == [True, True, False, False]


def other_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t (x)")
    connection.close()


def other_version(path: Path) -> None:
    store_run(str(path), *ran(1))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def text_file(path: Path) -> None:
    path.write_text("remember the milk " * 100, encoding="utf-8")


FOREIGN = (
    (other_database, "is a database of something else; name another file"),
    (other_version, "was written by another version of fieldwise; name another file"),
    (text_file, "cannot be read: file is not a database"),
)


@pytest.mark.parametrize(("make", "message"), [pytest.param(*row, id=row[0].__name__) for row in FOREIGN])
def test_a_file_of_something_else_is_never_touched(make: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "h.db"
    make(path)
    before = path.read_bytes()
    for use in (lambda: Store(str(path), ran(1)[0]), lambda: list_runs(str(path))):
        with pytest.raises(InputError) as raised:
            use()
        assert str(raised.value) == f"{path}: {message}"
    assert path.read_bytes() == before


def test_a_history_that_was_begun_and_no_more(tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    connection = sqlite3.connect(path)
    connection.executescript("CREATE TABLE t (x); DROP TABLE t;")
    connection.close()
    run = ran(1)
    store_run(path, *run)
    assert list(load_run(path)) == run[1]


def test_what_is_not_there(tmp_path: Path) -> None:
    path = str(tmp_path / "h.db")
    with pytest.raises(InputError) as raised:
        load_run(path)
    assert str(raised.value) == f"{path}: no such file"
    header, found, summary = ran(1)
    store_run(path, header, found, summary)
    with pytest.raises(InputError) as raised:
        load_run(f"{path}#gone")
    assert str(raised.value) == f"{path}: holds no run 'gone'; its last runs: {header.run}"


def test_what_cannot_be_written(tmp_path: Path) -> None:
    path = str(tmp_path / "none" / "h.db")
    with pytest.raises(NotWritten) as raised:
        Store(path, ran(1)[0])
    folder = tmp_path / "none"
    assert str(raised.value) == f"{path}: cannot be written: there is no folder {folder}; make it first"
