"""Record files: the three formats, telling them apart, and what is said of lines that are no records."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from fieldwise.errors import InputError
from fieldwise.records import RecordFile, open_records


def read(content: bytes | str, format_: Any = None) -> tuple[list[Any], list[str]]:
    """The records with their places, and the bad lines."""
    data = content.encode() if isinstance(content, str) else content
    bad: list[str] = []
    file = RecordFile("f", io.BytesIO(data), format_, on_bad=bad.append)
    return list(file), bad


def refusal(content: bytes | str, format_: Any = None) -> str:
    with pytest.raises(InputError) as raised:
        read(content, format_)
    return str(raised.value)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ('{"outputs": 1}\n{"outputs": 2}\n', [("f:1", {"outputs": 1}), ("f:2", {"outputs": 2})]),
        ('\ufeff{"outputs": 1}\r\n\r\n \n{"outputs": 2}', [("f:1", {"outputs": 1}), ("f:4", {"outputs": 2})]),
        ('{"a": NaN, "a": 1}', [("f:1", {"a": 1})]),
        ('{"a": "line\u2028separator"}\n{}', [("f:1", {"a": "line\u2028separator"}), ("f:2", {})]),
        ('\n[{"a": 1},\n {"a": 2}]', [("f: record 1", {"a": 1}), ("f: record 2", {"a": 2})]),
        ('{"records": [{"a": 1}]}', [("f: record 1", {"a": 1})]),
        ('{\n "meta": 1,\n "examples": [{"a": 1}]\n}', [("f: record 1", {"a": 1})]),
        ('{"outputs": 1, "records": []}', [("f:1", {"outputs": 1, "records": []})]),
        ("outputs,id\n1,x\n", [("f:2", {"outputs": "1", "id": "x"})]),
        (
            '\ufeffoutputs,id\r\n"{""a"": 1}","x\ny"\r\n\r\nz,2',
            [("f:3", {"outputs": '{"a": 1}', "id": "x\ny"}), ("f:5", {"outputs": "z", "id": "2"})],
        ),
        ("outputs;id\n1,5;x", [("f:2", {"outputs": "1,5", "id": "x"})]),
        ("outputs\tid\n1\tx", [("f:2", {"outputs": "1", "id": "x"})]),
    ],
)
def test_formats_are_told_from_the_content(content: str, expected: list[Any]) -> None:
    assert read(content) == (expected, [])


BAD_LINES: list[tuple[bytes, str]] = [
    (b"{", "f:2: not JSON: Expecting property name enclosed in double quotes at column 2"),
    (b'{"a": 1} x', "f:2: not JSON: Extra data at column 10"),
    (b"[1]", "f:2: a record is an object, this is an array"),
    (b"null", "f:2: a record is an object, this is null"),
    (b"true", "f:2: a record is an object, this is true"),
    (b'"{}"', "f:2: a record is an object, this is text"),
    (b"1.5", "f:2: a record is an object, this is a number"),
    (b'{"a": "\xff"}', "f:2: not UTF-8: byte 8 of the line is 0xff"),
    (b"[" * 200_000, "f:2: nested too deep to be read"),
    (b'{"a": ' + b"9" * 5_000 + b"}", "f:2: a number of more than 4,300 digits"),
]


@pytest.mark.parametrize(("line", "message"), BAD_LINES, ids=[message[5:40] for _, message in BAD_LINES])
def test_bad_line_is_reported_and_the_reading_goes_on(line: bytes, message: str) -> None:
    records, bad = read(b'{"a": 1}\n' + line + b'\n{"a": 2}\n')
    assert records == [("f:1", {"a": 1}), ("f:3", {"a": 2})]
    assert bad == [message]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1\n1,2\n1,2,3\n", ["f:2: 1 cells, the header has 2", "f:4: 3 cells, the header has 2"]),
        ('[{"a": 1}, 2]', ["f: record 2: a record is an object, this is a number"]),
    ],
)
def test_bad_records_of_other_formats(content: str, message: list[str]) -> None:
    records, bad = read(content)
    assert (len(records), bad) == (1, message)


@pytest.mark.parametrize(
    ("content", "format_", "message"),
    [
        (b"", None, "f: is empty; a record is an object with outputs and reference_outputs"),
        (b" \n\n", None, "f: is empty; a record is an object with outputs and reference_outputs"),
        (b"\xef\xbb\xbf", None, "f: is empty; a record is an object with outputs and reference_outputs"),
        (b"\xff\xfe{\0", None, "f: is UTF-16, not UTF-8; save it as UTF-8"),
        (b"x\ny\n", "jsonl", "f: no usable record: 2 bad lines and nothing else"),
        (b"[]", None, "f: no usable record: nothing to score in it"),
        (b"a,b\n", None, "f: no usable record: nothing to score in it"),
        (b"3", "json", "f: holds a number, not a list of records"),
        (b'[{"a": 1},\n{"a" 2}]', None, "f:2: not JSON: Expecting ':' delimiter at column 6"),
        (
            b'{"a": 1}\n{"a": 2}',
            "json",
            (
                "f:2: not JSON: Extra data at column 1; it looks like JSON Lines: rename it to .jsonl, "
                "or pass --format jsonl"
            ),
        ),
        (
            b"id,outputs\n1,2\n",
            "json",
            (
                "f:1: not JSON: Expecting value at column 1; it looks like CSV: rename it to .csv, "
                "or pass --format csv"
            ),
        ),
        (b"x\ny", "json", "f:1: not JSON: Expecting value at column 1"),
        (b'["\n\xff"]', None, "f:2: not UTF-8: byte 1 of the line is 0xff; save the file as UTF-8"),
        (b"a,b\n1,\xe9\n", None, "f:2: not UTF-8: byte 3 of the line is 0xe9; save the file as UTF-8"),
        (b"[" * 200_000, None, "f: nested too deep to be read"),
        (b"[" + b"9" * 5_000 + b"]", None, "f: holds a number of more than 4,300 digits"),
    ],
)
def test_unusable_file(content: bytes, format_: Any, message: str) -> None:
    assert refusal(content, format_) == message


SEVERAL = "f: is JSON over several lines, not a record a line; rename it to .json, or pass --format json"
ARRAY = "f: is one JSON array, not a record a line; rename it to .json, or pass --format json"
TABLE = "f: looks like CSV, not like a record a line; rename it to .csv, or pass --format csv"


@pytest.mark.parametrize(
    ("content", "format_", "message"),
    [
        ('[\n{"a": 1},\n{"a": 2}\n]', "jsonl", SEVERAL),
        ('\n[{"a": 1},\n\n{"a": 2}]', "jsonl", SEVERAL),
        ('{\n  "a": 1\n}\n', "jsonl", SEVERAL),
        ('{"a": 1,\n "b": 2}', "jsonl", SEVERAL),
        ('{"records": [\n{"a": 1}\n]}', "jsonl", SEVERAL),
        ('{"records":\n{"a": 1}\n}', "jsonl", SEVERAL),
        ('[{"a": 1}, {"a": 2}]\n', "jsonl", ARRAY),
        ("id,outputs\n1,2\n", "jsonl", TABLE),
        ('"id";"outputs"\n1;2\n', "jsonl", TABLE),
        (
            '{"a": 1}\n{"a": 2}\n',
            "csv",
            "f: is JSON Lines, not CSV; rename it to .jsonl, or pass --format jsonl",
        ),
        ('[\n{"a": 1}]', "csv", "f: is JSON, not CSV; rename it to .json, or pass --format json"),
        ('{\n"a": 1}', "csv", "f: is JSON, not CSV; rename it to .json, or pass --format json"),
    ],
)
def test_a_file_of_another_format_is_refused_in_one_message(content: str, format_: Any, message: str) -> None:
    assert refusal(content, format_) == message


@pytest.mark.parametrize(
    "line",
    ["{", '{"a": 1', '{"a', '{"a": 1} x', "[1]", "x, y", "[" * 200_000, '[{"a": ' + "9" * 5_000 + "}]"],
)
def test_a_bad_first_line_of_json_lines_costs_one_record(line: str) -> None:
    records, bad = read(f'{line}\n{{"a": 1}}\n', "jsonl")
    assert records == [("f:2", {"a": 1})]
    assert [one[:4] for one in bad] == ["f:1:"]


def test_what_was_read_before_damage_is_kept() -> None:
    file = RecordFile("f", io.BytesIO(b"a\n1\n\xff\n"), "csv")
    records = iter(file)
    assert next(records) == ("f:2", {"a": "1"})
    with pytest.raises(InputError):
        next(records)


def test_bytes_and_totals_for_progress() -> None:
    file = RecordFile("f", io.BytesIO(b'{"a": 1}\n{"a": 2}\n'))
    records = iter(file)
    next(records)
    assert (file.read, file.total) == (9, None)
    listed = RecordFile("f", io.BytesIO(b'[{"a": 1}, {}]'))
    next(iter(listed))
    assert listed.total == 2


def test_open(tmp_path: Path) -> None:
    path = tmp_path / "records.NDJSON"
    path.write_text('{"a": 1}\n')
    file = open_records(str(path))
    assert (file.format, file.size, list(file)) == ("jsonl", 9, [(f"{path}:1", {"a": 1})])
    file.close()
    assert file.stream.closed


@pytest.mark.parametrize("name", ["README.md", "records.jsonl.gz", "answers.TXT"])
def test_a_suffix_of_no_known_format_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text('{"a": 1}\n')
    with pytest.raises(InputError) as raised:
        open_records(str(path))
    assert str(raised.value) == (
        f"{path}: what a {path.suffix.lower()} file holds is not known; known: .jsonl, .ndjson, .json, .csv, "
        ".tsv; rename it, or pass --format"
    )
    file = open_records(str(path), format="jsonl")
    assert list(file) == [(f"{path}:1", {"a": 1})]
    file.close()


@pytest.mark.parametrize("content", ['{"a": 1}\n', '[{"a": 1}]', "a\n1\n"])
def test_a_name_without_a_suffix_leaves_it_to_the_content(tmp_path: Path, content: str) -> None:
    path = tmp_path / "records"
    path.write_text(content)
    file = open_records(str(path))
    assert len(list(file)) == 1
    file.close()


def test_open_stdin() -> None:
    file = open_records("-", io.StringIO('{"a": "\ud800"}\n{"a": 2}'))
    assert list(file) == [("<stdin>:2", {"a": 2})]
    assert file.bad == 1
    file.close()
    assert not file.stream.closed


def test_what_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "records.jsonl").touch()
    wrong, odd = tmp_path / "record.jsonl", tmp_path / "zzz"
    cases = {
        str(wrong): f"{wrong}: no such file; did you mean {tmp_path / 'records.jsonl'}?",
        str(odd): f"{odd}: no such file",
        str(tmp_path): f"{tmp_path}: is a directory; name a file of records in it",
        str(tmp_path / "records.jsonl" / "x"): f"{tmp_path}/records.jsonl/x: cannot be read: Not a directory",
        str(tmp_path / "no" / "x"): f"{tmp_path}/no/x: no such file",
    }
    for path, message in cases.items():
        with pytest.raises(InputError) as raised:
            open_records(path)
        assert str(raised.value) == message
