"""`fieldwise judge-check`: a file of people's verdicts, a judge, and how far they agree.

A rubric is a file or text in JSON that maps paths to criteria, or a criterion in words for every place.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import _completion
from fieldwise.cli._kinds import NumberType
from fieldwise.cli._options import Share, load_judge
from fieldwise.cli._score import BELOW, INTERRUPTED, PASSED
from fieldwise.core.select import compile_path, nearest
from fieldwise.errors import ConfigError, InputError, PathError
from fieldwise.records import FORMATS, Columns, columns, open_records
from fieldwise.report.progress import Progress
from fieldwise.report.words import count, mean, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fieldwise.cli._streams import Streams
    from fieldwise.core.select import Selector
    from fieldwise.records import RecordFile
    from fieldwise.run._judge_check import JudgeCheck

_SHOWN_ERRORS: Final = 100
_LABELS: Final = "labels"
_EPILOG: Final = """
\b
Examples:
  fieldwise judge-check labelled.jsonl --rubric rubric.json --model openai:gpt-4o-mini
  fieldwise judge-check labelled.jsonl --rubric '{"name": "the same person"}' \\
      --judge judges:same_meaning --repeat 3 --min-kappa 0.6
  fieldwise judge-check labelled.jsonl --rubric "means the same" --judge judges:model --json

\b
Exit codes: 0 every bar was reached, 1 below a bar or nothing judged, 2 unusable input or options,
130 interrupted (what was judged is reported).
"""


class Kappa(NumberType):
    """A number from -1 to 1."""

    name = "-1..1"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail with the fix."""
        try:
            number = float(value)
        except ValueError:
            self.fail(f"{value!r} is no number from -1 to 1", param, ctx)
        if not -1 <= number <= 1:
            self.fail(f"{value!r} is not from -1 to 1", param, ctx)
        return number


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckJob:
    """What the command line asked for."""

    records: str
    rubric: Any
    judge: Any
    model: str | None
    label: str = _LABELS
    repeat: int = 1
    order: bool = True
    named: Mapping[str, str | None] = field(default_factory=dict)
    min_accuracy: float | None = None
    min_kappa: float | None = None
    min_coverage: float | None = None
    as_json: bool = False
    disagreements: int = 5
    format_: Any = None
    concurrency: int = 16

    @property
    def bars(self) -> dict[str, float | None]:
        """The bars, by the names that `JudgeCheck.passed` has for them."""
        return {
            "min_accuracy": self.min_accuracy,
            "min_kappa": self.min_kappa,
            "min_coverage": self.min_coverage,
        }


@click.command("judge-check", epilog=_EPILOG)
@click.argument("records", metavar="LABELLED", shell_complete=_completion.files)
@click.option(
    "--rubric",
    "rubrics",
    multiple=True,
    metavar="TEXT|FILE",
    help="Criteria: a JSON file or JSON text of path to criterion, or one criterion in words for every "
    "place. A record may have a `rubric` of its own.",
)
@click.option(
    "--judge", metavar="MODULE:OBJECT", help="The judge to check, or an OpenAI client beside --model."
)
@click.option(
    "--model", metavar="PROVIDER:NAME", help="A model to check instead, such as openai:gpt-4o-mini."
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How often to ask each question, to see whether the judge agrees with itself.",
)
@click.option(
    "--order/--no-order",
    default=True,
    show_default=True,
    help="Whether to ask each record once more with its questions in reversed order.",
)
@click.option(
    "--label", metavar="COLUMN", default=_LABELS, show_default=True, help="The name or path of the labels."
)
@click.option("--min-accuracy", type=Share(), help="Exit with 1 when the accuracy is below this.")
@click.option(
    "--min-kappa", type=Kappa(), help="Exit with 1 when Cohen's kappa is below this, or there is none."
)
@click.option(
    "--min-coverage", type=Share(), help="Exit with 1 when the share of answered questions is below this."
)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.option(
    "--disagreements",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="How many verdicts that differ from people's to show.",
)
@click.option("--outputs", metavar="COLUMN", help="The name or path of the outputs in a record.")
@click.option("--reference", metavar="COLUMN", help="The same for the reference outputs.")
@click.option("--id", "id_", metavar="COLUMN", help="The same for the id.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="What LABELLED is; else told from its name or content.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    help="How many questions to the judge may be under way.",
)
@click.pass_obj
def judge_check_command(
    streams: Streams,
    /,
    *,
    rubrics: tuple[str, ...],
    judge: str | None,
    **rest: Any,
) -> int:
    """Compare a judge with people, and with itself.

    A record has `outputs`, `reference_outputs` and `labels`: path of a value to people's verdict, true or
    false. Equal values are asked about too. What the judge fails to answer is counted apart, never as
    disagreement.
    """
    if judge is None and rest["model"] is None:
        raise click.UsageError("name the judge to check with --judge module:object or --model provider:name")
    names = {"outputs": "outputs", "reference_outputs": "reference", "id": "id_"}
    named = {part: rest.pop(name) for part, name in names.items()}
    loaded = None if judge is None else load_judge(judge)
    return judge_check(CheckJob(rubric=read_rubric(rubrics), judge=loaded, named=named, **rest), streams)


def judge_check(job: CheckJob, streams: Streams) -> int:
    """Check a judge on a file, print what was found, and return the exit code.

    Raises:
        FieldwiseError: for what makes the file, the options or the output unusable.
    """
    from fieldwise.run._judge_check import JudgeCheck

    file = open_records(job.records, streams.stdin, job.format_)
    named, check = columns(**job.named), JudgeCheck()
    stopped = False
    try:
        _ask(job, streams, file, named, check)
    except KeyboardInterrupt:
        stopped = True
    finally:
        file.close()
    if not stopped:
        _check_columns(file, named, job.label, check)
    if file.bad > _SHOWN_ERRORS:
        streams.note(f"{file.name}: and {count(file.bad - _SHOWN_ERRORS, 'more bad line')}")
    passed = check.passed(**job.bars) and not stopped
    if job.as_json:
        ended = {"bad_lines": file.bad, **job.bars, "passed": passed, "interrupted": stopped}
        streams.print(json.dumps({**check.to_dict(), **ended}, indent=2, allow_nan=False) + "\n")
    else:
        streams.print(_text(job, check, streams))
    if stopped:
        streams.note(f"interrupted: {count(check.records, 'record')} checked")
        return INTERRUPTED
    return PASSED if passed else BELOW


def _ask(job: CheckJob, streams: Streams, file: RecordFile, named: Columns, check: JudgeCheck) -> None:
    """Check the judge on every record, with a line on a terminal that says how far it is."""
    from fieldwise.run._judge_check import check_judge

    def share(_: int) -> float | None:
        return file.read / file.size if file.size and file.total is None else None

    progress = Progress(streams.stderr if streams.stderr.isatty() else None, share)

    def bad(message: str) -> None:
        if file.bad <= _SHOWN_ERRORS:
            progress.clear()
            streams.note(message)

    file.on_bad = bad
    try:
        check_judge(
            _records(file, named, job.label),
            job.judge,
            rubric=job.rubric,
            repeat=job.repeat,
            order=job.order,
            model=job.model,
            concurrency=job.concurrency,
            on_record=lambda _: progress.step(),
            check=check,
        )
    finally:
        progress.clear()


def _text(job: CheckJob, check: JudgeCheck, streams: Streams) -> str:
    from fieldwise.report.judge_check import render_check

    look = {"width": streams.width, "terminal": streams.terminal, "colour": streams.colour}
    text = render_check(check, shown=job.disagreements, **look)  # type: ignore[arg-type]
    verdict = "".join(f"{line}\n" for line in _verdict(job, check))
    return text + (f"\n{verdict}" if verdict else "")


def read_rubric(texts: Sequence[str]) -> dict[str, Any] | str | None:
    """Return the rubric that the options say; several files or objects become one.

    Raises:
        ConfigError: for what is no rubric, or a criterion in words beside others.
        InputError: for a file that cannot be read.

    >>> read_rubric(['{"name": "the same person"}', '{"total": "the same amount"}'])
    {'name': 'the same person', 'total': 'the same amount'}
    >>> read_rubric(["means the same"])
    'means the same'
    """
    found: dict[str, Any] = {}
    for text in texts:
        one = _one_rubric(text)
        if isinstance(one, str):
            if len(texts) > 1:
                raise ConfigError(f"--rubric {text!r}: is for every place; give it alone, or as JSON by path")
            return one
        twice = next((path for path in one if path in found), None)
        if twice is not None:
            raise ConfigError(f"--rubric: {twice!r} is given twice")
        found.update(one)
    return found or None


def _one_rubric(text: str) -> dict[str, Any] | str:
    name, source = f"--rubric {text!r}", text
    if not text.lstrip().startswith("{"):
        if not text.endswith(".json") and not os.path.isfile(text):  # noqa: PTH113 - never raises
            return text
        name = f"--rubric {text}"
        try:
            source = Path(text).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise InputError(f"{name}: cannot be read: {error.strerror or error}") from None
        except ValueError as error:
            raise InputError(f"{name}: is no UTF-8 text: {error}") from None
    try:
        found = json.loads(source)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{name}: is no JSON: {error}") from None
    if not isinstance(found, dict) or not found:
        raise ConfigError(f"{name}: must be a JSON object of path to criterion")
    return found


# ------------------------------------------------------------------------------------------ records


def _records(file: RecordFile, named: Columns, label: str) -> Iterator[dict[str, Any]]:
    """The records of a file, with the labels and the rubric that belong to each."""
    try:
        selector: Selector | None = compile_path(label)
    except PathError:
        selector = None
    for where, row in file:
        record = named.record(where, row, gaps=file.format == "csv")
        record.pop(_LABELS, None)
        labels = _labels(row, label, selector)
        if labels is not None and labels != "":
            record["labels"] = labels
        if "rubric" in row:
            record["rubric"] = row["rubric"]
        yield record


def _labels(row: dict[str, Any], name: str, selector: Selector | None) -> Any:
    if name in row:
        return row[name]
    found = selector.find(row) if selector else []
    return found[0].value if len(found) == 1 else None


def _check_columns(file: RecordFile, named: Columns, label: str, check: JudgeCheck) -> None:
    """Raise InputError if no record has a column that was named, or any label."""
    missing = named.missing()
    if not check.labels:
        close = nearest(label, named.names)
        hint = f"did you mean {close!r}?" if close else "name it with --label"
        known = ", ".join(map(repr, named.names)) or "none"
        missing.append(f"no record has a verdict in {label!r} for labels; they have: {known}; {hint}")
    if missing:
        raise InputError(f"{file.name}: " + "; ".join(missing))


def _verdict(job: CheckJob, check: JudgeCheck) -> Iterator[str]:
    """Say whether the bars were reached, if there are any."""
    one = check.overall
    if not one.judged:
        yield "failed: nothing was judged"
        return
    bars = (
        (job.min_accuracy, one.accuracy, "accuracy", mean),
        (job.min_kappa, one.kappa, "kappa", _signed),
        (job.min_coverage, one.coverage, "coverage", percent),
    )
    for bar, reached, name, shown in bars:
        if bar is None:
            continue
        if reached is None:
            yield f"failed: there is no {name} to compare with {shown(bar)}"
        elif reached < bar:
            yield f"failed: {name} {shown(reached)} is below {shown(bar)}"
        else:
            yield f"passed: {name} {shown(reached)} reaches {shown(bar)}"


def _signed(value: float | None) -> str:
    return mean(value) if value is None or value >= 0 else f"{value:.3f}"
