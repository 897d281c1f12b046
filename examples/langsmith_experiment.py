"""A LangSmith experiment over three records, offline: `python examples/langsmith_experiment.py`.

Shows that evaluators go into `langsmith.evaluate` as they are: one with a row for each field, one with a
single row. Nothing leaves the process; to keep the experiment in LangSmith, take out `upload_results=False`
and name a data set in place of the examples.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from langsmith import Client, evaluate
from langsmith.schemas import Example

from fieldwise import create_json_diff_evaluator, create_json_match_evaluator

MAILS = {
    "Table for 2 on Friday, Ada": {"name": "Ada", "guests": 2, "day": "Friday"},
    "We are 12, Sunday please. Grace": {"name": "Grace", "guests": 12, "day": "Sunday"},
    "Can we come Monday? Alan, alone": {"name": "Alan", "guests": 1, "day": "Monday"},
}


def extract(inputs: dict[str, Any]) -> dict[str, Any]:
    """Read a mail, as a program would that a model should replace."""
    words = inputs["mail"].replace(",", " ").replace(".", " ").replace("?", " ").split()
    numbers = [int(word) for word in words if word.isdigit()]
    days = [word for word in words if word.endswith("day")]
    return {"name": words[-1], "guests": numbers[0] if numbers else None, "day": days[0]}


def main() -> None:
    """Run the experiment and print its rows."""
    evaluators: list[Any] = [create_json_match_evaluator(), create_json_diff_evaluator()]
    experiment = evaluate(
        extract,
        data=[Example(id=uuid4(), inputs={"mail": mail}, outputs=right) for mail, right in MAILS.items()],
        evaluators=evaluators,
        upload_results=False,
        client=Client(auto_batch_tracing=False),
    )
    for row in experiment:
        print(row["example"].inputs["mail"] if row["example"].inputs else "")
        for one in row["evaluation_results"]["results"]:
            print(f"  {one.key:18} {one.score:.2f}  {one.comment or ''}")


if __name__ == "__main__":
    main()
