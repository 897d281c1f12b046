"""The receipts: the file is what its generator makes, and the generator does what its tables say."""

from __future__ import annotations

import ast
import copy
import importlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

EXAMPLE = Path(__file__).parents[2] / "examples" / "receipts"
FILE = EXAMPLE / "receipts.jsonl"
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
OCCURRENCES = Counter(name for record in RECORDS for name in record["metadata"]["corruptions"])
REFUSAL = "I cannot read the amounts on this receipt: the print is too faint. Please send a sharper scan."


@pytest.fixture(scope="module")
def corruptions() -> Iterator[Any]:
    """Import the generator's table as the script itself does: from its own directory."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLE))
        yield importlib.import_module("corruptions")
        for name in ("corruptions", "shops"):
            del sys.modules[name]


def gold_receipt() -> dict[str, Any]:
    """Return a small receipt on which every corruption finds something to damage."""
    return {
        "merchant": {"name": "Café Nulo", "phone": None},
        "date": "2026-03-14",
        "currency": "EUR",
        "items": [
            {"name": "Torta al limone", "qty": 2, "unit_price": 4.5, "total": 9.0},
            {"name": "Té (L)", "qty": 3, "unit_price": 2.25, "total": 6.75},
        ],
        "subtotal": 15.75,
        "tax": 1.57,
        "total": 17.32,
        "payment": {"method": "cash", "cash": 20.0, "change": 2.68},
    }


def undone(record: dict[str, Any]) -> dict[str, Any] | None:
    """Return the object in a record's outputs, None where the text holds no single one."""
    out = record["outputs"]
    forms = [name for name in record["metadata"]["corruptions"] if name.startswith("text_")]
    readers: dict[str, Callable[[str], Any]] = {
        "text_fenced": lambda text: json.loads(text.split("```")[1].removeprefix("json")),
        "text_python_literal": ast.literal_eval,
        "text_trailing_comma": lambda text: json.loads(re.sub(r",(\s*[}\]])", r"\1", text)),
        "text_thinking": lambda text: json.loads(text.partition("</think>")[2]),
    }
    if forms:
        out = readers[forms[0]](out) if forms[0] in readers else None
    found: dict[str, Any] | None = out
    return found


def in_one_order(receipt: dict[str, Any]) -> dict[str, Any]:
    """Return the receipt with its items sorted, so that their order cannot matter."""
    return {**receipt, "items": sorted(receipt["items"], key=json.dumps)}


@pytest.mark.parametrize("hash_seed", ["0", "4242"])
def test_the_generator_writes_the_committed_file_byte_for_byte(tmp_path: Path, hash_seed: str) -> None:
    target = tmp_path / "again.jsonl"
    command = [sys.executable, "-S", "-W", "error", str(EXAMPLE / "generate.py"), str(target)]
    subprocess.run(
        command, check=True, cwd=tmp_path, env={**os.environ, "PYTHONHASHSEED": hash_seed}, timeout=60
    )
    assert target.read_bytes() == FILE.read_bytes()


def test_there_are_enough_records_and_they_stay_small() -> None:
    assert len(RECORDS) >= 60
    assert FILE.stat().st_size < 150_000


def test_every_record_has_the_documented_fields_and_an_id_of_its_own() -> None:
    fields = ["id", "inputs", "outputs", "reference_outputs", "metadata"]
    assert [list(record) for record in RECORDS] == [fields] * len(RECORDS)
    assert len({record["id"] for record in RECORDS}) == len(RECORDS)


@pytest.mark.parametrize("gold", [pytest.param(r["reference_outputs"], id=r["id"]) for r in RECORDS])
def test_the_reference_adds_up(gold: dict[str, Any]) -> None:
    lines = [item["qty"] * item["unit_price"] for item in gold["items"]]
    assert [item["total"] for item in gold["items"]] == pytest.approx(lines)
    assert gold["subtotal"] == pytest.approx(sum(lines))
    assert gold["total"] == pytest.approx(gold["subtotal"] + gold["tax"])
    paid = gold["payment"]
    assert (paid["cash"] is None) == (paid["change"] is None) == (paid["method"] != "cash")
    if paid["cash"] is not None:
        assert paid["cash"] - paid["change"] == pytest.approx(gold["total"])


def test_each_corruption_reaches_exactly_its_share(corruptions: Any) -> None:
    stated = {name: round(row.share * len(RECORDS)) for name, row in corruptions.CORRUPTIONS.items()}
    counted = {name: n for name, n in OCCURRENCES.items() if not name.startswith("text_")}
    assert counted == stated
    assert min(counted.values()) >= 3


def test_shares_follow_what_was_counted_on_real_receipts(corruptions: Any) -> None:
    rows = {name: row for name, row in corruptions.CORRUPTIONS.items() if row.counted}
    far = {n: r for n, r in rows.items() if not 0.4 * r.counted <= 100 * r.share <= r.counted + 3}
    assert far == {}


def test_each_text_form_occurs_once_and_only_they_are_text() -> None:
    texts = {
        name: record["outputs"]
        for record in RECORDS
        for name in record["metadata"]["corruptions"]
        if name.startswith("text_")
    }
    assert sum(isinstance(record["outputs"], str) for record in RECORDS) == len(texts) == 7
    assert texts["text_refusal"] == REFUSAL
    assert texts["text_truncated"].startswith("{")
    assert texts["text_truncated"].count("{") > texts["text_truncated"].count("}")
    decoder = json.JSONDecoder()
    first, end = decoder.raw_decode(texts["text_two_objects"])
    second, _ = decoder.raw_decode(texts["text_two_objects"], texts["text_two_objects"].index("{", end))
    assert first == {**second, "tax": None}
    for text in texts.values():
        with pytest.raises(json.JSONDecodeError):
            json.loads(text)


def test_records_are_right_exactly_where_no_mistake_is_named() -> None:
    readable = [(record, undone(record)) for record in RECORDS]
    right = {
        r["id"] for r, out in readable if out and in_one_order(out) == in_one_order(r["reference_outputs"])
    }
    harmless = {
        "items_shuffled",
        "text_fenced",
        "text_python_literal",
        "text_trailing_comma",
        "text_thinking",
    }
    named = {record["id"] for record in RECORDS if set(record["metadata"]["corruptions"]) <= harmless}
    assert right == named
    assert 0.25 <= len(right) / len(RECORDS) <= 0.4


def seeded(seed: int) -> Random:
    """Return the source of a reproducible run."""
    return Random(seed)  # noqa: S311 (nothing secret)


def names(receipt: dict[str, Any]) -> list[str]:
    """Return the names of a receipt's items."""
    return [item["name"] for item in receipt["items"]]


def flat(value: Any) -> list[Any]:
    """Return the leaves of a JSON value in order."""
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return [leaf for part in parts for leaf in flat(part)]
    return [value]


def changes(out: Any, gold: Any) -> list[tuple[Any, Any]]:
    """Return the pairs of leaves that differ between two receipts of one shape."""
    return [(new, old) for new, old in zip(flat(out), flat(gold), strict=True) if new != old]


# What one corruption alone may do to `gold_receipt`: the result and the receipt in, right or wrong out.
EFFECTS: dict[str, Callable[[Any, Any], bool]] = {
    "item_missing": lambda out, gold: len(out["items"]) == 1 and out["items"][0] in gold["items"],
    "items_merged": lambda out, _: (
        names(out) == ["Torta al limone Té (L)"] and out["items"][0]["total"] == 15.75
    ),
    "item_split": lambda out, _: (
        names(out) in (["Torta al", "limone", "Té (L)"], ["Torta al limone", "Té", "(L)"])
    ),
    "items_shuffled": lambda out, gold: out["items"] == gold["items"][::-1],
    "head_field_missing": lambda out, gold: (
        len(flat(out)) == len(flat(gold)) - 1 and out["items"] == gold["items"]
    ),
    "item_field_missing": lambda out, gold: len(flat(out)) in (len(flat(gold)) - 1, len(flat(gold)) - 2),
    "head_field_invented": lambda out, gold: out.items() >= gold.items() and len(out) == len(gold) + 1,
    "item_field_invented": lambda out, gold: all(
        new.items() >= old.items() for new, old in zip(out["items"], gold["items"], strict=True)
    ),
    "columns_shifted": lambda out, gold: (
        len(changes(out, gold)) == 2 and sorted(map(str, flat(out))) == sorted(map(str, flat(gold)))
    ),
    "name_bounds": lambda out, gold: all(
        new in ("Torta al", "2 Torta al limone", "Té", "3 Té (L)") for new, _ in changes(out, gold)
    ),
    "name_spacing": lambda out, gold: changes(out, gold)[0][0] in ("Tortaal limone", "Té ( L )"),
    "name_slip": lambda out, gold: all(abs(len(new) - len(old)) <= 1 for new, old in changes(out, gold)),
    "merchant_case": lambda out, gold: changes(out, gold) == [("CAFÉ NULO", "Café Nulo")],
    "digit_slip": lambda out, gold: (
        sum(a != b for a, b in zip(*map(str, changes(out, gold)[0]), strict=True)) == 1
    ),
    "point_misread": lambda out, gold: (
        [new for new, _ in changes(out, gold)] == [round(old * 100) for _, old in changes(out, gold)]
    ),
    "amount_text": lambda out, _: out["total"] == "17,32" and out["items"][0]["unit_price"] == "4,50",
    "amount_notation": lambda out, _: out["total"] == "17.32" and out["items"][0]["unit_price"] == "4.50",
    "amount_mark": lambda out, gold: changes(out, gold) == [("EUR 17,32", 17.32)],
    "price_at": lambda out, gold: changes(out, gold) == [("@4,50", 4.5), ("@2,25", 2.25)],
    "qty_text": lambda out, gold: (
        [re.sub(r"(?i)[x ]", "", new) for new, _ in changes(out, gold)] == ["2", "3"]
    ),
    "date_style": lambda out, _: out["date"] in ("14/03/2026", "14.03.26", "03/14/2026"),
    "nulls_dropped": lambda out, _: out["merchant"] == {"name": "Café Nulo"},
    "null_text": lambda out, _: out["merchant"]["phone"] in ("", "N/A", "null"),
    "item_invented": lambda out, gold: (
        out["items"][:2] == gold["items"] and names(out)[2] in ("TAX", "SUBTOTAL")
    ),
}


def test_every_corruption_has_an_effect_stated_here(corruptions: Any) -> None:
    assert sorted(EFFECTS) == sorted(corruptions.CORRUPTIONS)


@pytest.mark.parametrize("name", EFFECTS)
def test_a_corruption_does_what_it_says_and_says_so(corruptions: Any, name: str) -> None:
    said = []
    for seed in range(30):
        gold = gold_receipt()
        out = copy.deepcopy(gold)
        said.append(corruptions.apply(name, seeded(seed), out))
        assert said[-1] == (out != gold)
        assert EFFECTS[name](out, gold) or out == gold, out
    assert any(said)


@pytest.mark.parametrize(
    ("value", "currency", "text"),
    [
        (1234.5, "EUR", "1.234,50"),
        (1234.5, "CHF", "1'234.50"),
        (1234.5, "USD", "1,234.50"),
        (60000, "IDR", "60.000"),
        (60000, "JPY", "60,000"),
        ("60,000", "IDR", "60,000"),
    ],
)
def test_amounts_are_printed_as_tills_do(corruptions: Any, value: object, currency: str, text: str) -> None:
    assert corruptions.printed(value, currency) == text


def test_an_amount_without_decimals_loses_its_thousands(corruptions: Any) -> None:
    receipt = {"currency": "IDR", "items": [], "total": 60000, "payment": {}}
    assert corruptions.apply("point_misread", seeded(1), receipt)
    assert receipt["total"] == 60
