"""`fieldwise score --field`: the records in which one field is not right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fieldwise.core.equality import preview
from tests.cli.calls import GOOD, RECEIPTS, call, jsonl, score

LONG = "a total that takes more than the width of one line of a terminal to be written out"
LEAVES = ("--option", "depth=leaves")


def invoice(id_: str, total: Any, *prices: int) -> dict[str, Any]:
    rows = [{"price": price} for price in prices or (1,)]
    return {
        "id": id_,
        "outputs": {"total": total, "rows": rows},
        "reference_outputs": {"total": 3, "rows": [{"price": 1}] * len(rows)},
    }


@pytest.fixture
def invoices(tmp_path: Path) -> Path:
    return jsonl(
        tmp_path / "r.jsonl",
        invoice("right", 3),
        invoice("text", LONG),
        {"id": "unread", "outputs": "no idea", "reference_outputs": {"total": 3}},
        {"id": "no-reference", "outputs": {"total": 3}},
        invoice("off", 4, 1, 2),
    )


TOTAL = f"""\
total: not right in 3 of 4 records

record  score  what is not right
text    0.000  expected 3, got {preview(LONG)}
off     0.000  expected 3, got 4
unread  0.000  expected an object, got text
"""


def after_the_headline(text: str) -> str:
    return text.partition("\n\n")[2]


@pytest.mark.parametrize("columns", ["60", "200"])
def test_all_records_of_a_field_are_shown_and_comments_are_not_cut(
    invoices: Path, columns: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    ended = score(invoices, *LEAVES, "--field", "total")
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.startswith("json_match: score ")
    assert after_the_headline(ended.out) == TOTAL


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("rows[*].price", "rows[*].price: not right in 1 of 3 records"),
        ("json_match:rows[*].price", "json_match:rows[*].price: not right in 1 of 3 records"),
        ("(whole record)", "(whole record): nothing graded"),
        ("$", "$: nothing graded"),
    ],
)
def test_a_field_is_named_as_the_table_or_the_results_have_it(invoices: Path, name: str, head: str) -> None:
    first, _, rest = after_the_headline(score(invoices, *LEAVES, "--field", name).out).partition("\n")
    assert first == head
    if "price" in name:
        assert "off     0.000  1 of 2 places not right: rows[1].price: expected 1, got 2" in rest
    else:
        assert rest == "\nnot graded in 1 record, first no-reference: no reference_outputs were given\n"


def test_a_key_without_a_colon_is_a_field(invoices: Path) -> None:
    ended = call("score", invoices, "--evaluator", "exact_match", "--field", "exact_match", "--worst", 0)
    assert after_the_headline(ended.out) == (
        "exact_match: not right in 3 of 4 records\n\n"
        "and 3 more; --worst 3 shows them all\n"
        "not graded in 1 record, first no-reference: no reference_outputs were given\n"
    )


def test_of_distances_the_greatest_is_the_worst(tmp_path: Path) -> None:
    rows = [("near", "abcx"), ("same", "abcd"), ("far", "xyz")]
    records = [{"id": id_, "outputs": {"a": came}, "reference_outputs": {"a": "abcd"}} for id_, came in rows]
    key = "json_edit_distance"
    ended = call("score", jsonl(tmp_path / "r.jsonl", *records), "--evaluator", key, "--field", key)
    shown = after_the_headline(ended.out).splitlines()
    assert shown[0] == f"{key}: not right in 2 of 3 records"
    assert [line.split()[0] for line in shown[3:]] == ["far", "near"]


def test_only_so_many_are_shown_and_the_rest_counted(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", *(invoice(f"r{n}", n) for n in range(30)))
    lines = score(path, "--field", "total").out.splitlines()
    assert (len(lines), lines[-1]) == (27, "and 9 more; --worst 29 shows them all")
    lines = score(path, "--field", "total", "--worst", 29).out.splitlines()
    assert (len(lines), lines[-1]) == (34, "r29     0.000  expected 3, got 29")


def test_nothing_is_wrong(tmp_path: Path) -> None:
    path = jsonl(tmp_path / "r.jsonl", GOOD, GOOD)
    assert after_the_headline(score(path, "--field", "a").out) == "a: right in all of 2 records\n"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("totl", "did you mean 'total'?"), ("zzz", "fields: 'rows[*].price', 'total', '(whole record)'")],
)
def test_no_record_has_the_field(invoices: Path, name: str, hint: str) -> None:
    ended = score(invoices, *LEAVES, "--field", name)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"fieldwise: --field {name!r}: no record has this field; {hint}\n"


def test_many_fields_are_not_all_listed(tmp_path: Path) -> None:
    sides = {f"f{n}": n for n in range(30)}
    path = jsonl(tmp_path / "r.jsonl", {"outputs": sides, "reference_outputs": sides})
    assert score(path, "--field", "zzz").err.endswith("'f25', 'f26', …\n")


def test_bars_hold_for_the_run_and_quiet_is_one_line(invoices: Path) -> None:
    argv = ("--field", "rows[*].price", "--fail-under", "0.9", "--min-coverage", "0.5")
    ended = score(invoices, *LEAVES, *argv, "--quiet")
    assert (ended.code, ended.out.splitlines()[0]) == (1, "rows[*].price: not right in 1 of 3 records")
    assert ended.out.splitlines()[1].startswith("failed: score ")
    assert score(invoices, *LEAVES, *argv).out.splitlines()[-2:] == ended.out.splitlines()[1:]


def test_json(invoices: Path) -> None:
    ended = score(invoices, *LEAVES, "--field", "total", "--json", "--worst", 1)
    found = json.loads(ended.out)
    (record,) = found.pop("records")
    assert (record["id"], record["score"], record["comment"][:23]) == ("text", 0.0, "total: expected 3, got ")
    assert found == {
        "field": "json_match:total",
        "graded": 4,
        "not_right": 3,
        "not_graded": 0,
        "fail_under": None,
        "min_coverage": None,
        "passed": True,
        "interrupted": False,
    }


def test_an_executor_finds_the_same(invoices: Path) -> None:
    argv = (*LEAVES, "--field", "total")
    alone, shared = (
        after_the_headline(score(invoices, *argv, *more).out) for more in ((), ("--executor", "processes:2"))
    )
    assert alone == shared


def test_a_field_and_a_record_are_not_shown_at_once(invoices: Path) -> None:
    ended = score(invoices, "--field", "total", "--explain", "off")
    assert (ended.code, ended.out) == (2, "")
    assert "--field is about one field, --explain about one record; give one of them" in ended.err


def test_data_cannot_draw_on_the_terminal(tmp_path: Path) -> None:
    side = {"\x1b[31m": "a\nb"}
    record = {"id": "\x1b[2J", "outputs": side, "reference_outputs": {"\x1b[31m": "\u202ec"}}
    ended = score(jsonl(tmp_path / "r.jsonl", record), "--field", "\x1b[31m")
    assert all(line.isprintable() for line in ended.out.splitlines())
    assert "not right in 1 of 1 record" in ended.out


def test_the_receipts() -> None:
    ended = score(RECEIPTS, *LEAVES, "--field", "total", "--worst", 100)
    rows = ended.out.splitlines()[5:]
    assert "total: not right in 21 of 80 records" in ended.out
    assert len(rows) == 21
    assert 'receipt-071  0.000  expected 10.43, got "$975.00"' in rows
