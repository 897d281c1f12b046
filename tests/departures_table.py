"""The page of departures, made from the rows the tests check: `python tests/departures_table.py` writes it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "departures.md"
PRODUCTS: Final = {
    "OpenEvals": "OpenEvals 0.2.2",
    "agenta": "Agenta 0.113.0",
    "uipath": "UiPath 2.14.44",
    "langchain": "LangChain Classic 1.0.8",
}

HEAD: Final = """# Departures

`fieldwise` gives the answers of the products it stands in for, except where one breaks a law below, or the
product's own documentation. Each such kind is one row here, and each row has its tests, which check both
sides. Written by `python tests/departures_table.py` from `tests/cases/departures*.json`.

## The laws

| law | |
|---|---|
| 1 | A document compared with itself is fully right, whatever JSON it is. Nothing to compare is right, with support 0. |
| 2 | Scores stay in range; sync and async agree; the order of members never matters, the order of a list only where it is declared ordered. |
| 3 | JSON equality: `true` is not `1`, `1` is `1.0`, integers of any size are exact, `"1"` is not `1`, NaN equals NaN. |
| 4 | Missing is not null, unless `null_policy` says so. |
| 5 | Lists pair one to one, optimally, by content alone, within stated bounds. |
| 6 | Paths work wherever keys do. Judged fields help pairing. |
| 7 | One parser with a ledger. What cannot be read is `invalid_output` or `invalid_reference`; cut-off text is never completed. |
| 8 | Deep, large and hostile values are compared or refused with a reason; nothing raises, nothing hangs. |
| 9 | Every judged field is answered validly, asked about once more, or a `judge_error`. Equal values are not judged. |
| 10 | What is judged is data: it cannot pose as a part of the prompt. |
| results | The shape of a result: a status and a reason beside every score, no score for what was not graded. |
| seed | The product's own documentation says so. |
"""


def rows() -> list[dict[str, Any]]:
    """Return every row of every file, with `product` and `theirs`."""
    found = []
    for path in sorted((ROOT / "tests" / "cases").glob("departures*.json")):
        for row in json.loads(path.read_text(encoding="utf-8"))["rows"]:
            product = str(row.get("product", "OpenEvals"))
            product = next((one for one in PRODUCTS if product.lower().startswith(one.lower())), product)
            theirs = row.get("theirs") or row.get(product) or row.get(product.lower())
            found.append({**row, "product": product, "theirs": theirs})
    return found


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for product, title in PRODUCTS.items():
        lines = [
            f"| {row['kind']} | {row['theirs']} | {row['ours']} | {row['law']} |"
            for row in rows()
            if row["product"] == product
        ]
        head = f"\n## From {title}\n\n| kind | theirs | fieldwise | law |\n|---|---|---|---|\n"
        parts.append(head + "\n".join(lines) + "\n")
    return "".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
