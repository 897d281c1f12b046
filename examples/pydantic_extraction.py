"""Extraction into a pydantic model, scored by that model: `python examples/pydantic_extraction.py`.

Shows `fields_from_schema`: the fields to compare, and how, are read off the class that the extraction fills,
so they never drift apart. Annotations say what the type cannot: a price may be off by a cent, a note does not
count, lines are known by their article.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BaseModel

from fieldwise import Field, by_key, create_multi_field_evaluator, evaluate_records, fields_from_schema
from fieldwise.comparators import number


class Line(BaseModel):
    """A line of an invoice."""

    article: str
    price: Annotated[float, Field(comparator=number(absolute=0.01), weight=2)]


class Invoice(BaseModel):
    """What is extracted."""

    vendor: Annotated[str, Field(comparator="text")]
    due: date
    note: str | None = None
    lines: list[Line]


LINES = [Line(article="nails", price=4.2), Line(article="hammer", price=19.9)]
RIGHT = Invoice(vendor="Kiosk Sun", due=date(2026, 4, 3), note="paid", lines=LINES)
ANSWERS = [
    RIGHT.model_copy(update={"vendor": "KIOSK  SUN", "note": None, "lines": LINES[::-1]}),
    RIGHT.model_copy(update={"due": date(2026, 3, 4), "lines": [Line(article="nails", price=4.2051)]}),
    RIGHT.model_copy(update={"lines": [*LINES, Line(article="tax", price=4.58)]}),
]


def main() -> None:
    """Compare three answers with what is right."""
    fields = fields_from_schema(Invoice, overrides={"note": None})
    print("compared:", ", ".join(one.path for one in fields))
    evaluate = create_multi_field_evaluator(fields=fields, lists={"lines": by_key("article")})
    right = RIGHT.model_dump(mode="json")
    records = [{"outputs": one.model_dump(mode="json"), "reference_outputs": right} for one in ANSWERS]
    report = evaluate_records(records, evaluate)
    for key, tally in report.fields.items():
        print(f"{key:35} {tally.mean or 0:.2f}  {(tally.worst and tally.worst.comment) or ''}")
    rates = report.extraction["multi_field"].micro
    print(f"precision {rates['precision']:.2f}, recall {rates['recall']:.2f}")


if __name__ == "__main__":
    main()
