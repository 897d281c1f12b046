"""The mistakes: small named functions, each damaging a receipt in place, and the table CORRUPTIONS.

A row of the table states the share of records a mistake reaches, and beside it how often a real extraction
model made it: the percentage of receipts, counted on the 100 of the CORD v2 test split (None: those receipts
have nothing to count it on). Rare mistakes are rounded up, so that each occurs at least three times; the
most frequent are halved, so that about a third of the records stays right (there 13 % were). Another order of
items never occurred there; it is here because it must not matter. Nothing is copied from there.

The order of the table is the order of application: first what removes lines and fields, then what damages
values, so that no mistake erases an earlier one. A function that finds nothing to damage leaves the receipt
as it is; `apply` then says so.
"""

from __future__ import annotations

import copy
import json
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from shops import NOTATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from random import Random

AMOUNT_KEYS = ("unit_price", "total", "subtotal", "tax", "cash", "change")
OCR_SLIPS = (("rn", "m"), ("m", "rn"), ("l", "1"), ("o", "0"), ("S", "5"), ("B", "8"), ("é", "e"), ("ü", "u"))
LOOK_ALIKE = str.maketrans("0123456789", "8778965134")
OTHER_NOTATION = str.maketrans(",.'", ".,,")
GROUP = 1000  # digits are printed in groups of three

Receipt = dict[str, Any]
T = TypeVar("T")


def pick(rng: Random, options: Sequence[T]) -> T:
    """Return one of the options, each equally likely; only `random` is drawn, which Python keeps stable."""
    return options[int(rng.random() * len(options))]


def shuffled(rng: Random, values: Iterable[T]) -> list[T]:
    """Return the values in a random order."""
    return sorted(values, key=lambda _: rng.random())


def printed(value: object, currency: str) -> str:
    """Write an amount as a till of that currency prints it, 1.234,50 or 1,234.50; text stays as it is."""
    if not isinstance(value, int | float):
        return str(value)
    note = NOTATIONS[currency]
    return f"{value:,.{note.decimals}f}".translate(str.maketrans(",.", note.thousands + note.point))


def amounts(out: Receipt) -> list[tuple[Receipt, str]]:
    """Return every place that holds an amount as a number."""
    holders = [*out["items"], out, out["payment"]]
    return [(h, key) for h in holders for key in AMOUNT_KEYS if isinstance(h.get(key), int | float)]


def some_items(rng: Random, out: Receipt) -> list[Receipt]:
    """Return all items or one of them: a column goes wrong as a whole as often as in one line."""
    return pick(rng, (out["items"], [pick(rng, out["items"])]))


def item_missing(rng: Random, out: Receipt) -> None:
    """Overlook one line."""
    if len(out["items"]) > 1:
        del out["items"][int(rng.random() * len(out["items"]))]


def items_merged(rng: Random, out: Receipt) -> None:
    """Read two neighbouring lines as one item."""
    if len(out["items"]) > 1:
        at = int(rng.random() * (len(out["items"]) - 1))
        first, second = out["items"][at : at + 2]
        joined = {
            "name": f"{first['name']} {second['name']}",
            "total": round(first["total"] + second["total"], 2),
        }
        out["items"][at : at + 2] = [{**first, **joined}]


def item_split(rng: Random, out: Receipt) -> None:
    """Take the last word of a name for a free item of its own."""
    at = int(rng.random() * len(out["items"]))
    head, _, tail = out["items"][at]["name"].rpartition(" ")
    if head:
        free = {"name": tail, "qty": 1, "unit_price": 0, "total": 0}
        out["items"][at : at + 1] = [{**out["items"][at], "name": head}, free]


def items_shuffled(rng: Random, out: Receipt) -> None:
    """List the items in another order: right or wrong, as the evaluator is told."""
    out["items"] = shuffled(rng, out["items"])


def head_field_missing(rng: Random, out: Receipt) -> None:
    """Leave out one field of the receipt itself."""
    holder, key = pick(rng, [(out, "subtotal"), (out, "tax"), (out, "date"), (out["payment"], "method")])
    del holder[key]


def item_field_missing(rng: Random, out: Receipt) -> None:
    """Leave out a column."""
    key = pick(rng, ("unit_price", "unit_price", "qty", "total"))
    for item in some_items(rng, out):
        del item[key]


def head_field_invented(rng: Random, out: Receipt) -> None:
    """Add a field of the receipt that nobody asked for."""
    key, value = pick(
        rng, [("discount", 0), ("tip", 0), ("service_charge", 0), ("item_count", len(out["items"]))]
    )
    out[key] = value


def item_field_invented(rng: Random, out: Receipt) -> None:
    """Add a column that nobody asked for."""
    key, value = pick(rng, [("discount", 0), ("unit", "pcs"), ("vat", "10%"), ("code", None)])
    for item in some_items(rng, out):
        item[key] = value


def columns_shifted(rng: Random, out: Receipt) -> None:
    """Let two neighbouring columns change places."""
    item = pick(rng, out["items"])
    swaps = [(item, "qty", "unit_price"), (item, "unit_price", "total"), (out, "subtotal", "total")]
    holder, one, other = pick(rng, swaps)
    if one in holder and other in holder:
        holder[one], holder[other] = holder[other], holder[one]


def name_bounds(rng: Random, out: Receipt) -> None:
    """End a name too early, or take in the count beside it."""
    item = pick(rng, out["items"])
    shorter, longer = item["name"].rpartition(" ")[0], f"{item.get('qty', 1)} {item['name']}"
    item["name"] = pick(rng, (shorter or longer, longer))


def name_spacing(rng: Random, out: Receipt) -> None:
    """Read '(L)' as '( L )', or let two words grow together."""
    item = pick(rng, out["items"])
    spaced = item["name"].replace("(", "( ").replace(")", " )")
    item["name"] = spaced if "(" in item["name"] else item["name"].replace(" ", "", 1)


def name_slip(rng: Random, out: Receipt) -> None:
    """Misread one letter of one name as a look-alike, else lose one."""
    item = pick(rng, out["items"])
    old, new = pick(rng, OCR_SLIPS)
    at = int(rng.random() * len(item["name"]))
    lost = item["name"][:at] + item["name"][at + 1 :]
    item["name"] = item["name"].replace(old, new, 1) if old in item["name"] else lost


def merchant_case(_: Random, out: Receipt) -> None:
    """Copy the shop's name in the capitals it is printed in."""
    out["merchant"]["name"] = out["merchant"]["name"].upper()


def digit_slip(rng: Random, out: Receipt) -> None:
    """Read one digit of one amount as one that looks like it."""
    holder, key = pick(rng, amounts(out))
    text = str(holder[key])
    at = pick(rng, [i for i, char in enumerate(text) if char.isdigit()])
    holder[key] = json.loads(text[:at] + text[at].translate(LOOK_ALIKE) + text[at + 1 :])


def point_misread(rng: Random, out: Receipt) -> None:
    """Read 60.000 as sixty, 12,50 as twelve hundred and fifty."""
    holder, key = pick(rng, amounts(out))
    if NOTATIONS[out["currency"]].decimals:
        holder[key] = round(holder[key] * 100)
    elif holder[key] >= GROUP:
        holder[key] /= GROUP


def amount_text(_: Random, out: Receipt) -> None:
    """Copy every amount as printed."""
    for holder, key in amounts(out):
        holder[key] = printed(holder[key], out["currency"])


def amount_notation(_: Random, out: Receipt) -> None:
    """Write every amount as text in the notation of another country, 60,000 for 60.000."""
    for holder, key in amounts(out):
        holder[key] = printed(holder[key], out["currency"]).translate(OTHER_NOTATION)


def amount_mark(_: Random, out: Receipt) -> None:
    """Leave the currency mark before the total."""
    out["total"] = NOTATIONS[out["currency"]].mark + printed(out["total"], out["currency"])


def price_at(_: Random, out: Receipt) -> None:
    """Leave the @ before the unit prices."""
    for item in out["items"]:
        if "unit_price" in item:
            item["unit_price"] = "@" + printed(item["unit_price"], out["currency"])


def qty_text(rng: Random, out: Receipt) -> None:
    """Copy the counts with the x beside them, or as text."""
    style = pick(rng, ("{}x", "{}X", "x{}", "{} x", "{}"))
    for item in out["items"]:
        if isinstance(item.get("qty"), int):
            item["qty"] = style.format(item["qty"])


def date_style(rng: Random, out: Receipt) -> None:
    """Copy the date in a style of the street."""
    if "date" in out:
        day = date.fromisoformat(out["date"])
        out["date"] = day.strftime(pick(rng, ("%d/%m/%Y", "%d.%m.%y", "%m/%d/%Y")))


def nulls_dropped(_: Random, out: Receipt) -> None:
    """Leave out what the reference states to be null."""
    for key in ("merchant", "payment"):
        out[key] = {name: value for name, value in out[key].items() if value is not None}


def null_text(rng: Random, out: Receipt) -> None:
    """Write a word where the reference states null."""
    word = pick(rng, ("", "N/A", "null"))
    for key in ("merchant", "payment"):
        out[key] = {name: word if value is None else value for name, value in out[key].items()}


def item_invented(rng: Random, out: Receipt) -> None:
    """Take a line that is no item for one."""
    key = pick(rng, ("tax", "subtotal"))
    if key in out:
        out["items"].append({"name": key.upper(), "qty": 1, "unit_price": out[key], "total": out[key]})


class Corruption(NamedTuple):
    """One row: what it does, the share of records it reaches, the percentage counted on real receipts."""

    damage: Callable[[Random, Receipt], None]
    share: float
    counted: int | None


CORRUPTIONS = {
    "item_missing": Corruption(item_missing, 0.05, 3),
    "items_merged": Corruption(items_merged, 0.0375, 2),
    "item_split": Corruption(item_split, 0.0625, 5),
    "items_shuffled": Corruption(items_shuffled, 0.125, 0),
    "head_field_missing": Corruption(head_field_missing, 0.15, 27),
    "item_field_missing": Corruption(item_field_missing, 0.15, 24),
    "head_field_invented": Corruption(head_field_invented, 0.2, 44),
    "item_field_invented": Corruption(item_field_invented, 0.15, 26),
    "columns_shifted": Corruption(columns_shifted, 0.075, 7),
    "name_bounds": Corruption(name_bounds, 0.1125, 18),
    "name_spacing": Corruption(name_spacing, 0.075, 5),
    "name_slip": Corruption(name_slip, 0.1375, 13),
    "merchant_case": Corruption(merchant_case, 0.0375, None),
    "digit_slip": Corruption(digit_slip, 0.075, 6),
    "point_misread": Corruption(point_misread, 0.05, None),
    "amount_text": Corruption(amount_text, 0.0875, None),
    "amount_notation": Corruption(amount_notation, 0.075, 12),
    "amount_mark": Corruption(amount_mark, 0.05, 2),
    "price_at": Corruption(price_at, 0.0625, 6),
    "qty_text": Corruption(qty_text, 0.125, 17),
    "date_style": Corruption(date_style, 0.0625, None),
    "nulls_dropped": Corruption(nulls_dropped, 0.075, None),
    "null_text": Corruption(null_text, 0.0375, None),
    "item_invented": Corruption(item_invented, 0.0375, 2),
}


def apply(name: str, rng: Random, out: Receipt) -> bool:
    """Apply one corruption in place; return whether it changed anything."""
    before = copy.deepcopy(out)
    CORRUPTIONS[name].damage(rng, out)
    return out != before
