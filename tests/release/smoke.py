"""What a fresh installation must do, run by its own interpreter: `python -I smoke.py [EXTRA ...]`.

Nothing of the checkout is on its path. Each extra that is named must work; each that is not must say how to
install it, where its package is absent.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import json
import subprocess
import sys
import tempfile
from importlib import resources
from pathlib import Path
from typing import Any

RECORD: dict[str, Any] = {"id": "r1", "outputs": {"a": 1, "b": 2}, "reference_outputs": {"a": 1, "b": 3}}
SPEC = {
    "version": "1.0",
    "id": "exact",
    "evaluatorTypeId": "uipath-exact-match",
    "evaluatorConfig": {"name": "exact"},
}


def command(*argv: str, code: int = 0) -> str:
    """Run the installed command, and return what it prints."""
    program = Path(sys.executable).parent / "fieldwise"
    done = subprocess.run([program, *argv], capture_output=True, text=True, check=False)
    assert done.returncode == code, (argv, done.returncode, done.stdout, done.stderr)
    return done.stdout


def imports() -> None:
    """Every public name is there, and is the installed one."""
    import fieldwise

    assert "site-packages" in str(fieldwise.__file__), fieldwise.__file__
    assert all(hasattr(fieldwise, name) for name in fieldwise.__all__)
    assert resources.files("fieldwise").joinpath("py.typed").is_file()
    assert command("--version").strip() == f"fieldwise, version {fieldwise.__version__}"


def scores() -> None:
    """One score in each form."""
    fieldwise: Any = importlib.import_module("fieldwise")
    sides: dict[str, Any] = {side: RECORD[side] for side in ("outputs", "reference_outputs")}
    (one,) = fieldwise.create_json_match_evaluator(aggregator="average")(**sides)
    assert one["score"] == 0.5, one
    found = asyncio.run(fieldwise.create_async_json_diff_evaluator()(**sides))
    assert found["score"] == 0.5, found
    text = fieldwise.create_string_similarity_string_evaluator()
    assert text.evaluate_strings(prediction="ab", reference="ab")["score"] == 1.0
    assert fieldwise.evaluate_records([RECORD], fieldwise.create_json_match_evaluator()).score == 0.5


def langsmith_takes_it() -> None:
    """An evaluator in an experiment that sends nothing."""
    from uuid import uuid4

    from langsmith import Client, evaluate
    from langsmith.schemas import Example

    from fieldwise import create_json_match_evaluator

    made: Any = create_json_match_evaluator(aggregator="all")
    found = evaluate(
        lambda inputs: {"a": inputs["a"]},
        data=[Example(id=uuid4(), inputs={"a": 1}, outputs={"a": 1})],
        evaluators=[made],
        upload_results=False,
        client=Client(auto_batch_tracing=False, api_key="none"),
    )
    assert [one.score for row in found for one in row["evaluation_results"]["results"]] == [True]


def command_works(folder: Path) -> None:
    """A file through `fieldwise score`, above and below the bar, and the other commands."""
    records = folder / "records.jsonl"
    records.write_text(json.dumps(RECORD) + "\n")
    report = json.loads(command("score", str(records), "--evaluator", "json_match", "--json"))
    assert report["score"] == 0.5, report
    command("score", str(records), "--evaluator", "json_match", "--fail-under", "0.9", code=1)
    command("score", str(records), "--evaluator", "no_such", code=2)
    for argv in (("list",), ("list", "json_match"), ("schema", "eval-set"), ("completion", "bash")):
        assert command(*argv)
    command("add", "evaluator", "my_metric", "--root", str(folder))  # from a template in the wheel


def evaluation_set(folder: Path, *, html: bool) -> None:
    """An evaluation set over recorded answers, and with jinja2 its page."""
    evaluators, sets = folder / "evaluations" / "evaluators", folder / "evaluations" / "eval-sets"
    for one in (evaluators, sets):
        one.mkdir(parents=True, exist_ok=True)
    (evaluators / "exact.json").write_text(json.dumps(SPEC))
    item = {
        "id": "i1",
        "name": "one",
        "inputs": {},
        "evaluationCriterias": {"exact": {"expectedOutput": {"a": 1}}},
    }
    made = {"version": "1.0", "id": "set", "name": "set", "evaluatorRefs": ["exact"], "evaluations": [item]}
    (sets / "set.json").write_text(json.dumps(made))
    (folder / "answers.jsonl").write_text(json.dumps({"id": "i1", "output": {"a": 1}}) + "\n")
    page = folder / "page.html"
    argv = ["eval", str(sets / "set.json"), "--outputs", str(folder / "answers.jsonl")]
    command(*argv, *(["--html", str(page)] if html else []))
    assert page.exists() is html


EXTRAS = {
    "dask": "distributed",
    "html": "jinja2",
    "langchain": "langchain_classic",
    "otel": "opentelemetry.sdk",
    "pandas": "pandas",
    "phone": "phonenumbers",
    "rfc9535": "jsonpath_rfc9535",
    "units": "pint",
    "yaml": "yaml",
}


def extra_works(name: str) -> None:
    """One use of what an extra brings."""
    from fieldwise import comparators

    fieldwise: Any = importlib.import_module("fieldwise")

    def match(comparator: Any, expected: Any, actual: Any) -> Any:
        evaluate = fieldwise.create_json_match_evaluator(comparators={"x": comparator})
        return evaluate(outputs={"x": actual}, reference_outputs={"x": expected})[0]["score"]

    if name == "phone":
        assert match(comparators.phone(region="GB"), "+44 20 7946 0958", "020 7946 0958") == 1.0
    elif name == "units":
        assert match(comparators.quantity(), "1 km", "1000 m") == 1.0
    elif name == "pandas":
        import pandas as pd

        assert fieldwise.evaluate_records(
            pd.DataFrame([RECORD]), fieldwise.create_json_match_evaluator()
        ).score
    elif name == "langchain":
        from langchain_classic.evaluation import StringEvaluator

        from fieldwise.integrations.langchain import JsonEqualityEvaluator

        assert isinstance(JsonEqualityEvaluator(), StringEvaluator)
    elif name == "otel":
        with fieldwise.capture_spans() as spans:
            fieldwise.traced(len)([])
        assert spans
    elif name == "rfc9535":
        evaluate = fieldwise.create_multi_field_evaluator(fields=["$.x[?@.y > 1].y"])
        assert evaluate(outputs={"x": [{"y": 2}]}, reference_outputs={"x": [{"y": 2}]})[0]["score"] == 1.0
    assert importlib.util.find_spec(EXTRAS[name]), name


def main() -> None:
    """Run all of it."""
    extras = sys.argv[1:]
    imports()
    scores()
    langsmith_takes_it()
    with tempfile.TemporaryDirectory() as folder:
        command_works(Path(folder))
        evaluation_set(Path(folder), html="html" in extras)
    for name in extras:
        extra_works(name)
    print(f"smoke: passed{' with ' + ', '.join(extras) if extras else ''}")


if __name__ == "__main__":
    main()
