"""Recorded answers: files and iterables of them, joined by id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.runner.agents import AgentRun
from fieldwise.evalsets.runner.recorded import Recorded, ran_of, read_recorded
from fieldwise.evalsets.runner.spans import RecordedSpan


def ran(recorded: Recorded, item: str, repeat: int = 0) -> AgentRun:
    return ran_of(recorded.answer(item, repeat))


def one(record: dict[str, Any]) -> AgentRun:
    return ran(read_recorded([{"id": "a", **record}]), "a")


@pytest.mark.parametrize("output", [None, "", 0, False, [], {}, {"r": 1}, "text"])
@pytest.mark.parametrize("name", ["output", "outputs"])
def test_an_output_is_what_it_is(name: str, output: Any) -> None:
    assert one({name: output}) == AgentRun(output=output)


SPAN = {"name": "t", "start": 1, "end": 2, "status": "OK", "attributes": {"x": 1}, "id": "a", "parent": None}
RECORDS: tuple[tuple[dict[str, Any], AgentRun], ...] = (
    ({"output": 1, "spans": [SPAN]}, AgentRun(output=1, spans=(RecordedSpan.from_dict(SPAN),), traced=True)),
    ({"output": 1, "trace": [{"spanId": "x"}]}, AgentRun(output=1, spans=({"spanId": "x"},), traced=True)),
    ({"output": 1, "spans": []}, AgentRun(output=1, traced=True)),
    ({"output": 1, "spans": None}, AgentRun(output=1)),
    ({"error": "KeyError: 'x'"}, AgentRun("agent_error", error="KeyError: 'x'")),
    ({"output": None, "outcome": "timeout", "error": "late"}, AgentRun("timeout", error="late")),
    ({"output": None, "outcome": "agent_error"}, AgentRun("agent_error", error="it is not said why")),
    ({"output": 1, "outcome": "ok", "error": None}, AgentRun(output=1)),
    ({"output": 1, "error": "a warning"}, AgentRun(output=1)),
    ({"text": 1}, AgentRun("not_run", error="the recorded answer has no output; its keys: 'id', 'text'")),
)


@pytest.mark.parametrize(("record", "found"), [pytest.param(*row, id=str(row[0])) for row in RECORDS])
def test_a_record_is_what_became_of_an_item(record: dict[str, Any], found: AgentRun) -> None:
    assert one(record) == found


def test_records_of_one_item_are_its_repeats() -> None:
    given = [{"id": "a", "output": 1}, {"item": "b", "output": 2}, {"id": "a", "output": 3}]
    found = read_recorded(given)
    assert [ran(found, "a", n).output for n in (0, 1)] == [1, 3]


MISSING: tuple[tuple[tuple[int, ...], int, str], ...] = (
    ((), 0, "there is no recorded answer; add a record with the item's id"),
    ((), 2, "there is no recorded answer; add a record with the item's id"),
    ((0,), 1, "there is only 1 recorded answer: add more, or pass --repeat 1"),
    ((0, 1), 2, "there are only 2 recorded answers: add more, or pass --repeat 2"),
    ((0, 1), 4, "there are only 2 recorded answers: add more, or pass --repeat 2"),
    ((0, 2), 1, "there is only 1 recorded answer: add more, or pass --repeat 1"),
    ((0, 2), 3, "there is no recorded answer for repeat 3; add it"),
)


@pytest.mark.parametrize(("repeats", "repeat", "error"), MISSING)
def test_what_is_not_recorded_says_what_to_do(repeats: tuple[int, ...], repeat: int, error: str) -> None:
    found = read_recorded([{"id": "a", "repeat": n, "output": n} for n in repeats])
    assert ran(found, "a", repeat) == AgentRun("not_run", error=error)


def test_records_may_say_which_repeat_they_are() -> None:
    found = read_recorded([{"id": "a", "repeat": n, "output": n} for n in (1, 0, 1)])
    assert [ran(found, "a", n).output for n in (0, 1)] == [0, 1]
    assert found.problems == ["outputs[2]: answers item 'a', repeat 1, a second time"]


def test_a_mapping_has_an_output_for_each_id() -> None:
    assert ran(read_recorded({"a": {"id": "b"}, "b": None}), "a") == AgentRun(output={"id": "b"})


def test_numbers_are_ids() -> None:
    assert ran(read_recorded([{"id": 7, "output": 1}]), "7").output == 1


def test_what_is_no_record_is_said() -> None:
    found = read_recorded([{"output": 1}, {}, 3, {"id": "a", "output": 1}])
    assert found.problems == [
        "outputs[0]: has no id; its keys: 'output'",
        "outputs[1]: has no id; its keys: none",
        "outputs[2]: is int, not a mapping",
    ]
    assert found.strangers(["b"]) == ["a"]


# ------------------------------------------------------------------------------------------------ files


def texts(answers: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    lines = [json.dumps(answer, ensure_ascii=False) for answer in answers]
    yield "lines.jsonl", "\n".join(lines)
    yield "ended.jsonl", "\n".join(lines) + "\n"
    yield "gaps.jsonl", "\n\n" + " \n\n".join(lines) + "\n\n"
    yield "mark.jsonl", "\ufeff" + "\n".join(lines)
    yield "returns.jsonl", "\r\n".join(lines)
    yield "list.json", json.dumps(answers)


ANSWERS = [{"id": f"i{n}", "output": {"text": "é" * n, "n": n}} for n in range(5)]


@pytest.mark.parametrize(("name", "text"), [pytest.param(*row, id=row[0]) for row in texts(ANSWERS)])
def test_files_are_read_alike(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode())
    found = read_recorded(str(path))
    assert [ran(found, f"i{n}", 0).output for n in (3, 0, 4, 1, 2)] == [
        ANSWERS[n]["output"] for n in (3, 0, 4, 1, 2)
    ]
    assert (found.count, found.problems) == (5, [])
    found.close()


def test_of_lines_only_places_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": "a", "output": "x" * 100_000}), encoding="utf-8")
    found = read_recorded(str(path))
    assert found.answers == {("a", 0): (0, path.stat().st_size)}
    found.close()


def test_a_bad_line_is_said_and_the_rest_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "a", "output": 1}\n{"id": "b"\n{"output": 3}\n{"id": "c", "output": 4}', "utf-8")
    found: Recorded = read_recorded(str(path))
    assert found.problems == [
        f"{path}:2: not JSON: Expecting ',' delimiter at column 11",
        f"{path}:3: has no id; its keys: 'output'",
    ]
    assert [ran(found, name, 0).output for name in "ac"] == [1, 4]
    found.close()


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        read_recorded(str(tmp_path / "answer.jsonl"))
    assert str(raised.value) == (
        f"{tmp_path}/answer.jsonl: no such file; did you mean {tmp_path}/answers.jsonl?"
    )


def test_what_holds_no_answers() -> None:
    with pytest.raises(ConfigError) as raised:
        read_recorded(3)
    assert str(raised.value) == (
        "outputs is int: pass a path, an iterable of records, or a mapping of item id to output"
    )
