"""`fieldwise score`: its options."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import completion
from fieldwise.cli.common.evaluators import check_known, check_required, factory
from fieldwise.cli.common.imported import load_judge
from fieldwise.cli.common.options import (
    column_options,
    concurrency_option,
    executor_option,
    file_option,
    format_option,
    judge_options,
    named_columns,
)
from fieldwise.cli.common.types import SHARE
from fieldwise.cli.common.values import evaluator_options
from fieldwise.cli.score.job import WORST, WORST_OF_FIELD
from fieldwise.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise.cli.common.streams import Streams

_EXAMPLES: Final = """
\b
Examples:
  fieldwise score records.jsonl --evaluator json_match
  fieldwise score records.jsonl --evaluator json_match --option depth=leaves \\
      --option comparators.total=number --option exclude_keys=id --fail-under 0.9
  fieldwise score answers.csv --evaluator json_match --outputs answer --reference truth
  fieldwise score invoices.jsonl --evaluator multi_field --option fields=number \\
      --option "fields=Field(items[*].name, comparator=string_similarity, threshold=0.9)"
  fieldwise score records.jsonl --evaluator json_match --field total --worst 50
  fieldwise score records.jsonl --evaluator json_match --explain receipt-034
  cat records.jsonl | fieldwise score - --evaluator json_match --json

\b
Exit codes: 0 passed; 1 below a bar, or nothing graded: what was not graded, as lines that cannot be read,
passes no --fail-under, unless --min-coverage allows it; 2 unusable input or options; 130 interrupted (what
was scored is reported and kept).
"""
_RUBRIC: Final = "--option rubric.path='what makes it right'"
_RUBRICS: Final = {
    "multi_field": '--option "fields=Field(path, rubric=what makes it right)"',
    "tool_call_output": "--option rubric.tool='what makes it right'",
    "tool_call_args": """--option 'rubric={"tool": {"argument": "what makes it right"}}'""",
}
"""What asks for a judge, where that is another option."""


@click.command("score", epilog=_EXAMPLES)
@click.argument("records", shell_complete=completion.files)
@click.option(
    "--evaluator",
    required=True,
    metavar="NAME",
    shell_complete=completion.evaluators,
    help="Which; `fieldwise list` has them all.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=completion.options,
    help="An option of the evaluator, as JSON or text; members of mappings as key.path=value. "
    "Repeat it for each option, and for each element of a list.",
)
@judge_options(
    "What answers the evaluator's questions: a callable, a LangChain model, what create_judge made, or "
    "an OpenAI client beside --model.",
    "A model that answers them instead, such as openai:gpt-4o-mini.",
)
@file_option("--out", "Write each record's results there as JSON Lines, as they come.")
@click.option("--fail-under", type=SHARE, help="Exit with 1 when the score is below this.")
@click.option(
    "--min-coverage",
    type=SHARE,
    help="Exit with 1 when the share of graded results is below this; beside --fail-under 1 unless given.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--worst",
    type=click.IntRange(0),
    help=f"How many of the worst records to show; {WORST} unless given, with --field {WORST_OF_FIELD}.",
)
@click.option(
    "--field",
    metavar="NAME",
    help="Print the records in which one field is not right instead, the worst first, and why. NAME is what "
    "the first column of the table has, as items[*].price.",
)
@click.option("--explain", metavar="ID", help="Print one record's tree instead: expected beside got.")
@click.option("--limit", type=click.IntRange(1), help="Score the first records only.")
@column_options("outputs", "reference_outputs", "inputs", "id")
@format_option("RECORDS")
@concurrency_option
@executor_option
@click.option("--quiet", is_flag=True, help="Print one line, no tables and no progress.")
@click.pass_obj
def score_command(
    streams: Streams,
    /,
    *,
    records: str,
    evaluator: str,
    options: tuple[str, ...],
    judge: str | None,
    model: str | None,
    **rest: Any,
) -> int:
    """Score a file of records: JSON Lines, JSON or CSV; - reads standard input.

    A record has `outputs` and `reference_outputs`, and optionally `inputs` and `id`.
    """
    from fieldwise.cli.score.job import Job
    from fieldwise.cli.score.scoring import score

    if rest["field"] is not None and rest["explain"] is not None:
        raise click.UsageError("--field is about one field, --explain about one record; give one of them")
    check_known(evaluator)
    create = factory(evaluator)
    given = evaluator_options(evaluator, create, options)
    for option, value in (("judge", judge), ("model", model)):
        if value is not None:
            if option not in inspect.signature(create).parameters:
                raise click.UsageError(f"{evaluator} asks no judge; leave --{option} out")
            given[option] = load_judge(value) if option == "judge" else value
    check_required(evaluator, given)
    named = named_columns(rest)
    made = _made(evaluator, create, given)
    return score(Job(records=records, evaluator=made, named=named, **rest), streams)


def _made(name: str, create: Callable[..., Any], given: dict[str, Any]) -> Any:
    """Make the evaluator; what it lacks is said in words of the command line."""
    from fieldwise.scorers.options import NoJudge, NoRubric

    try:
        return create(**given)
    except NoRubric as error:
        raise ConfigError(f"--{error.problem}, {_RUBRICS.get(name, _RUBRIC)}") from None
    except NoJudge as error:
        raise ConfigError(f"{error.problem}: --judge module:function, or --model provider:name") from None
