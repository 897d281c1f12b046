"""Recorded answers: files and iterables of them, joined by id."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.agents import Ran
from fieldwise.evalsets.recorded import Recorded, read_recorded
from fieldwise.evalsets.spans import RecordedSpan

ABSENT = Ran("not_run", error="there is no recorded answer")


def one(record: dict[str, Any]) -> Ran:
    return read_recorded([{"id": "a", **record}]).ran("a", 0)


@pytest.mark.parametrize("output", [None, "", 0, False, [], {}, {"r": 1}, "text"])
@pytest.mark.parametrize("name", ["output", "outputs"])
def test_an_output_is_what_it_is(name: str, output: Any) -> None:
    assert one({name: output}) == Ran(output=output)


SPAN = {"name": "t", "start": 1, "end": 2, "status": "OK", "attributes": {"x": 1}, "id": "a", "parent": None}
RECORDS: tuple[tuple[dict[str, Any], Ran], ...] = (
    ({"output": 1, "spans": [SPAN]}, Ran(output=1, spans=(RecordedSpan.from_dict(SPAN),), traced=True)),
    ({"output": 1, "trace": [{"spanId": "x"}]}, Ran(output=1, spans=({"spanId": "x"},), traced=True)),
    ({"output": 1, "spans": []}, Ran(output=1, traced=True)),
    ({"output": 1, "spans": None}, Ran(output=1)),
    ({"error": "KeyError: 'x'"}, Ran("agent_error", error="KeyError: 'x'")),
    ({"output": None, "outcome": "timeout", "error": "late"}, Ran("timeout", error="late")),
    ({"output": None, "outcome": "agent_error"}, Ran("agent_error", error="it is not said why")),
    ({"output": 1, "outcome": "ok", "error": None}, Ran(output=1)),
    ({"output": 1, "error": "a warning"}, Ran(output=1)),
    ({"text": 1}, Ran("not_run", error="the recorded answer has no output; its keys: 'id', 'text'")),
)


@pytest.mark.parametrize(("record", "ran"), [pytest.param(*row, id=str(row[0])) for row in RECORDS])
def test_a_record_is_what_became_of_an_item(record: dict[str, Any], ran: Ran) -> None:
    assert one(record) == ran


def test_records_of_one_item_are_its_repeats() -> None:
    given = [{"id": "a", "output": 1}, {"item": "b", "output": 2}, {"id": "a", "output": 3}]
    found = read_recorded(given)
    assert [found.ran("a", n).output for n in (0, 1)] == [1, 3]
    assert (found.ran("a", 2), found.ran("b", 1), found.ran("c", 0)) == (ABSENT, ABSENT, ABSENT)


def test_records_may_say_which_repeat_they_are() -> None:
    found = read_recorded([{"id": "a", "repeat": n, "output": n} for n in (1, 0, 1)])
    assert [found.ran("a", n).output for n in (0, 1)] == [0, 1]
    assert found.problems == ["outputs[2]: answers item 'a', repeat 1, a second time"]


def test_a_mapping_has_an_output_for_each_id() -> None:
    assert read_recorded({"a": {"id": "b"}, "b": None}).ran("a", 0) == Ran(output={"id": "b"})


def test_numbers_are_ids() -> None:
    assert read_recorded([{"id": 7, "output": 1}]).ran("7", 0).output == 1


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
    assert [found.ran(f"i{n}", 0).output for n in (3, 0, 4, 1, 2)] == [
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
    assert [found.ran(name, 0).output for name in "ac"] == [1, 4]
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
