"""What is scored: seeded records as a model would return them, beside their references.

Values are of the kinds real extraction yields: text, numbers, booleans, null, dates as text. Mistakes are
those models make: a slip in a text, a wrong digit, a flipped boolean, null for a value, a field left out.
No mistake turns on `True == 1`, on emptiness or on list order, where peers give other scores by design.

Each side is parsed from its own JSON text, as it is in life: equal values are not the same objects, which
Python would compare for next to nothing.
"""

from __future__ import annotations

import json
import random
from typing import Any

Record = dict[str, Any]
Pair = tuple[Record, Record]
"""(outputs, reference_outputs) of one record."""
Lists = tuple[list[Record], list[Record]]

FLAT_FIELDS = 10
WRONG_FIELDS = 2
"""Of the ten fields of a flat record: 20 %."""
WRONG_ITEMS = 0.3
"""The share of list items that have one wrong field."""

INVOICE_ITEMS = 20
LETTERS = "abcdefghijklmnopqrstuvwxyz      "

FIRST = ("Marta", "Ilse", "Tomasz", "Aino", "Rafael", "Wen", "Zoë", "Bashir", "Noor", "Kwame")
LAST = ("Quint", "Okafor", "Lindqvist", "Moreau", "Tanaka", "Weiss", "Duarte", "Novak", "Haddad")
THINGS = (
    "steel bolt M8",
    "oak shelf",
    "desk lamp",
    "water filter",
    "USB cable 2 m",
    "linen towel",
    "seed mix",
)
CATEGORIES = ("hardware", "furniture", "lighting", "kitchen", "electronics", "textiles", "garden", "other")
CURRENCIES = ("EUR", "USD", "GBP", "SEK", "JPY")


def flat(count: int, seed: int = 11) -> list[Pair]:
    """Return `count` flat records of ten fields, two of them wrong in each."""
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
    pairs = []
    for number in range(count):
        reference = _invoice(rng, number)
        outputs = dict(reference)
        for name in rng.sample(sorted(reference), WRONG_FIELDS):
            if rng.random() < 0.15:
                del outputs[name]
            else:
                outputs[name] = _mistake(rng, reference[name])
        pairs.append((_parsed(outputs), _parsed(reference)))
    return pairs


def items(count: int, *, boolean: bool = False, seed: int = 23) -> Lists:
    """Return two lists of six-field items in different orders; 30 % have one wrong field.

    With `boolean` the sixth field is a boolean, otherwise a date as text.
    """
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
    reference = [_item(rng, number, boolean=boolean) for number in range(count)]
    outputs = [dict(item) for item in reference]
    for index in rng.sample(range(count), round(count * WRONG_ITEMS)):
        name = rng.choice(sorted(outputs[index]))
        outputs[index][name] = _mistake(rng, outputs[index][name])
    rng.shuffle(outputs)
    return _parsed(outputs), _parsed(reference)


def invoices(count: int, seed: int = 37) -> list[Pair]:
    """Return `count` flat records, one field of each wrong, with twenty items, one field of each wrong."""
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
    pairs = []
    for number in range(count):
        reference = _invoice(rng, number)
        outputs = dict(reference)
        name = rng.choice(sorted(reference))
        outputs[name] = _mistake(rng, reference[name])
        reference["items"] = [_item(rng, at, boolean=False) for at in range(INVOICE_ITEMS)]
        outputs["items"] = [dict(item) for item in reference["items"]]
        for item in outputs["items"]:
            name = rng.choice(sorted(item))
            item[name] = _mistake(rng, item[name])
        rng.shuffle(outputs["items"])
        pairs.append((_parsed(outputs), _parsed(reference)))
    return pairs


def texts(count: int, length: int, seed: int = 41) -> list[tuple[str, str]]:
    """Return pairs of texts of `length` characters that differ in 5 % of them."""
    rng = random.Random(seed)  # noqa: S311 - repeatable on purpose
    pairs = []
    for _ in range(count):
        signs = [rng.choice(LETTERS) for _ in range(length)]
        slips = list(signs)
        for at in rng.sample(range(length), length // 20):
            slips[at] = rng.choice(LETTERS)
        pairs.append(("".join(signs), "".join(slips)))
    return pairs


def _parsed(value: Any) -> Any:
    return json.loads(json.dumps(value))


def _invoice(rng: random.Random, number: int) -> Record:
    person = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
    return {
        "invoice_number": f"INV-2024-{number:05d}",
        "customer": person,
        "email": f"{person.lower().replace(' ', '.')}@example.com",
        "issued": _date(rng),
        "currency": rng.choice(CURRENCIES),
        "total": round(rng.uniform(5, 4_000), 2),
        "quantity": rng.randint(1, 40),
        "paid": rng.random() < 0.6,
        "discount": None if rng.random() < 0.7 else round(rng.uniform(1, 50), 2),
        "note": f"{rng.randint(1, 12)} x {rng.choice(THINGS)}, deliver before noon",
    }


def _item(rng: random.Random, number: int, *, boolean: bool) -> Record:
    item: Record = {
        "id": f"SKU-{number:05d}",
        "name": f"{rng.choice(THINGS)} no. {rng.randint(1, 60)}",
        "price": round(rng.uniform(1, 300), 2),
        "qty": rng.randint(1, 20),
        "category": rng.choice(CATEGORIES),
    }
    return {**item, "in_stock": rng.random() < 0.7} if boolean else {**item, "restock": _date(rng)}


def _date(rng: random.Random) -> str:
    return f"2024-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"


def _mistake(rng: random.Random, value: Any) -> Any:
    """Return a wrong value for a right one."""
    if isinstance(value, bool):
        return not value
    if value is None:
        return "n/a"
    if rng.random() < 0.1:
        return None
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 10))
    if isinstance(value, float):
        return round(value * rng.choice((0.1, 1.19, 10)) + 0.01, 2)
    at = rng.randrange(len(value))
    return f"{value[:at]}{'7' if value[at] != '7' else '1'}{value[at + 1 :]}"
