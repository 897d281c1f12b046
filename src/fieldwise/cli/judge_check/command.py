"""`fieldwise judge-check`: its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import completion
from fieldwise.cli.common.imported import load_judge
from fieldwise.cli.common.options import (
    column_options,
    concurrency_option,
    format_option,
    judge_options,
    named_columns,
)
from fieldwise.cli.common.types import KAPPA, SHARE
from fieldwise.cli.judge_check.checking import LABELS, CheckJob, judge_check
from fieldwise.cli.judge_check.rubric import read_rubric

if TYPE_CHECKING:
    from fieldwise.cli.common.streams import Streams

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


@click.command("judge-check", epilog=_EPILOG)
@click.argument("records", metavar="LABELLED", shell_complete=completion.files)
@click.option(
    "--rubric",
    "rubrics",
    multiple=True,
    metavar="TEXT|FILE",
    help="Criteria: a JSON file or JSON text of path to criterion, or one criterion in words for every "
    "place. A record may have a `rubric` of its own.",
)
@judge_options(
    "The judge to check, or an OpenAI client beside --model.",
    "A model to check instead, such as openai:gpt-4o-mini.",
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
    "--label", metavar="COLUMN", default=LABELS, show_default=True, help="The name or path of the labels."
)
@click.option("--min-accuracy", type=SHARE, help="Exit with 1 when the accuracy is below this.")
@click.option(
    "--min-kappa", type=KAPPA, help="Exit with 1 when Cohen's kappa is below this, or there is none."
)
@click.option(
    "--min-coverage",
    type=SHARE,
    help="Exit with 1 when the share of answered questions is below this; beside another bar 1 unless given.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
@click.option(
    "--disagreements",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="How many verdicts that differ from people's to show.",
)
@column_options("outputs", "reference_outputs", "id")
@format_option("LABELLED")
@concurrency_option
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
    named = named_columns(rest)
    loaded = None if judge is None else load_judge(judge)
    return judge_check(CheckJob(rubric=read_rubric(rubrics), judge=loaded, named=named, **rest), streams)
