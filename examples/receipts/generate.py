"""Makes `receipts.jsonl`: invented receipts, and what an imagined model read from them.

    gold receipt -> printed text (inputs), gold (reference_outputs), a damaged copy (outputs)

The mistakes are in `corruptions.py`, the shops in `shops.py`; here are the gold receipts, the ways a reply
turns into text, and the plan of who gets which mistake. One seed decides everything: nothing reads the clock
or the order of a set, so the same bytes come out everywhere.

    python examples/receipts/generate.py [FILE]     (default: receipts.jsonl beside this script)
"""

from __future__ import annotations

import copy
import json
import re
import sys
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from corruptions import CORRUPTIONS, Receipt, apply, pick, printed, shuffled
from shops import NOTATIONS, SHOPS, Shop

if TYPE_CHECKING:
    from collections.abc import Callable

SEED, RECORDS, DAMAGED = 20260314, 80, 54
ITEM_COUNTS = (1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 10)
UNDAMAGED_TOO = {"items_shuffled"}


def make_rows(rng: Random, shop: Shop) -> list[tuple[str, int, int]]:
    """Return name, count and price of what was bought; long receipts name some things twice."""
    menu = shuffled(rng, shop.menu.items()) + shuffled(rng, shop.menu.items())
    return [(name, pick(rng, (1, 1, 1, 2, 2, 3)), price) for name, price in menu[: pick(rng, ITEM_COUNTS)]]


def make_receipt(rng: Random) -> Receipt:
    """Return one correct receipt; its sums add up."""
    shop = pick(rng, SHOPS)
    note = NOTATIONS[shop.currency]

    def amount(minor: int) -> float:
        return minor / 100 if note.decimals else minor

    rows = make_rows(rng, shop)
    subtotal = sum(qty * price for _, qty, price in rows)
    tax = subtotal * note.tax_percent // 100
    paid = -(-(subtotal + tax) // note.banknote) * note.banknote
    in_cash = pick(rng, (True, False))
    day = date(2026, 1, 2) + timedelta(days=int(rng.random() * 170))
    return {
        "merchant": {"name": shop.name, "phone": pick(rng, (None, f"555-01{int(rng.random() * 90) + 10}"))},
        "date": day.isoformat(),
        "currency": shop.currency,
        "items": [
            {"name": name, "qty": qty, "unit_price": amount(price), "total": amount(qty * price)}
            for name, qty, price in rows
        ],
        "subtotal": amount(subtotal),
        "tax": amount(tax),
        "total": amount(subtotal + tax),
        "payment": {
            "method": "cash" if in_cash else pick(rng, ("card", "mobile")),
            "cash": amount(paid) if in_cash else None,
            "change": amount(paid - subtotal - tax) if in_cash else None,
        },
    }


def print_receipt(gold: Receipt) -> str:
    """Return the receipt as its till printed it: what the model was given to read."""

    def money(holder: Receipt, key: str) -> str:
        return printed(holder[key], gold["currency"])

    merchant, pay = gold["merchant"], gold["payment"]
    lines = [merchant["name"].upper()]
    lines += [f"Tel {merchant['phone']}"] if merchant["phone"] else []
    lines += [f"{date.fromisoformat(gold['date']):%d/%m/%Y}"]
    lines += [f"{i['qty']}x {i['name']} @{money(i, 'unit_price')} {money(i, 'total')}" for i in gold["items"]]
    lines += [f"Subtotal {money(gold, 'subtotal')}", f"Tax {money(gold, 'tax')}"]
    lines += [f"TOTAL {NOTATIONS[gold['currency']].mark}{money(gold, 'total')}"]
    in_cash = pay["method"] == "cash"
    lines += (
        [f"Cash {money(pay, 'cash')}", f"Change {money(pay, 'change')}"]
        if in_cash
        else [f"Paid by {pay['method']}"]
    )
    return "\n".join(lines)


def dumps(value: object, indent: int | None = None) -> str:
    """Write JSON as people read it: no escapes beyond the necessary."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def fenced(out: Receipt) -> str:
    """Wrap the object in a fence, with a sentence before and after."""
    return f"Here is the receipt as JSON:\n\n```json\n{dumps(out, 2)}\n```\n\nShall I format it differently?"


def python_literal(out: Receipt) -> str:
    """Write the object as Python prints a dict: single quotes, None."""
    return repr(out)


def trailing_comma(out: Receipt) -> str:
    """Leave a comma after the last member of every object and list."""
    return re.sub(r"\n(\s*[}\]])", r",\n\1", dumps(out, 1))


def thinking(out: Receipt) -> str:
    """Think aloud before answering."""
    count = len(out["items"])
    return f"<think>\nI count {count} item lines. Do the sums agree? Yes.\n</think>\n{dumps(out)}"


def truncated(out: Receipt) -> str:
    """Stop at the token limit, in the middle of the object."""
    text = dumps(out, 1)
    return text[: len(text) * 3 // 5]


def refusal(_: Receipt) -> str:
    """Answer in prose and give nothing."""
    return "I cannot read the amounts on this receipt: the print is too faint. Please send a sharper scan."


def two_objects(out: Receipt) -> str:
    """Answer, then answer again."""
    draft = {**out, "tax": None}
    return f"{dumps(draft)}\n\nI left out the tax. Corrected:\n\n{dumps(out)}"


TEXT_FORMS: dict[str, Callable[[Receipt], str]] = {
    "text_fenced": fenced,
    "text_python_literal": python_literal,
    "text_trailing_comma": trailing_comma,
    "text_thinking": thinking,
    "text_truncated": truncated,
    "text_refusal": refusal,
    "text_two_objects": two_objects,
}


def damage(rng: Random, outputs: list[Receipt]) -> list[list[str]]:
    """Apply every corruption to its share of the receipts, in place; return what each one suffered.

    Only DAMAGED of the receipts suffer at all. Those hit seldom so far tend to be hit next, so that
    few of them escape and few are wrecked.
    """
    suffered: list[list[str]] = [[] for _ in outputs]
    everyone = range(len(outputs))
    unlucky = shuffled(rng, everyone)[:DAMAGED]
    for name, row in CORRUPTIONS.items():
        left = round(row.share * len(outputs))
        pool = everyone if name in UNDAMAGED_TOO else unlucky
        for at in sorted(pool, key=lambda at: len(suffered[at]) + 8 * rng.random()):
            if left and apply(name, rng, outputs[at]):
                suffered[at].append(name)
                left -= 1
    return suffered


def make_records(seed: int = SEED) -> list[dict[str, Any]]:
    """Return the records in order; the same seed gives the same records."""
    rng = Random(seed)
    gold = [make_receipt(rng) for _ in range(RECORDS)]
    outputs: list[Any] = copy.deepcopy(gold)
    suffered = damage(rng, outputs)
    for at, name in zip(shuffled(rng, range(RECORDS)), TEXT_FORMS, strict=False):
        outputs[at] = TEXT_FORMS[name](outputs[at])
        suffered[at].append(name)
    return [
        {
            "id": f"receipt-{at + 1:03}",
            "inputs": {"text": print_receipt(gold[at])},
            "outputs": outputs[at],
            "reference_outputs": gold[at],
            "metadata": {"corruptions": suffered[at]},
        }
        for at in range(RECORDS)
    ]


def main(argv: list[str]) -> None:
    """Write the records to the file named first, or beside this script."""
    target = Path(argv[0]) if argv else Path(__file__).with_name("receipts.jsonl")
    text = "".join(dumps(record) + "\n" for record in make_records())
    target.write_bytes(text.encode())


if __name__ == "__main__":
    main(sys.argv[1:])
