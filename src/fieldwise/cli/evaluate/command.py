"""`fieldwise eval`: its options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import completion
from fieldwise.cli.common.options import executor_option, file_option, folder_option, judge_options
from fieldwise.cli.common.types import SHARE
from fieldwise.cli.evaluate.evaluation import evaluate
from fieldwise.cli.evaluate.job import EvalJob

if TYPE_CHECKING:
    from fieldwise.cli.common.streams import Streams

_EPILOG: Final = """
\b
Examples:
  fieldwise eval evaluations/eval-sets/set.json --agent app:answer --out results.jsonl
  fieldwise eval set.json --agent app:graph --workers 8 --timeout 60 --out results.jsonl --resume
  fieldwise eval set.json --outputs answers.jsonl --fail-under 0.9 --junit junit.xml
  fieldwise eval set.json --outputs answers.jsonl --executor processes --out results.jsonl
  fieldwise eval set.json --agent app:answer --repeat 5 --store history.db
  fieldwise eval set.json --agent app:answer --model openai:gpt-4o-mini --allow-code --json

\b
Exit codes: 0 passed, 1 below a threshold or a bar, or not everything was graded: an agent that fails on an
item fails the run, unless --min-coverage allows it; 2 unusable input or options, or a report that cannot be
written; 130 interrupted (what was evaluated is reported and kept).
"""


@click.command("eval", epilog=_EPILOG)
@click.argument("eval_set", metavar="EVAL_SET", shell_complete=completion.files)
@click.option(
    "--agent",
    metavar="MODULE:FUNCTION",
    help="What is evaluated: a function of the inputs, plain or async, or a LangChain Runnable.",
)
@file_option("--outputs", "Recorded answers instead: records with id and output.")
@folder_option("--evaluators", "Where the evaluators' files are; else beside the set.")
@file_option("--out", "Write each item's results there as JSON Lines, as they come.")
@click.option("--resume", is_flag=True, help="Go on with --out: what is in it is not run again.")
@click.option(
    "--retry-errors",
    is_flag=True,
    help="With --resume, run again what failed: no answer of the agent, or none of a judge.",
)
@click.option("--overwrite", is_flag=True, help="Begin --out anew, whatever is in it.")
@file_option("--store", "Add the run to a history, an SQLite file.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    help="How many items run at once; with --executor, in each of its workers.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    help="How many seconds the agent has for an item, and a custom evaluator for its verdict.",
)
@click.option(
    "--repeat",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="How often each item is run; more than once adds pass@k and consistency.",
)
@judge_options(
    "What answers the evaluators that ask: a callable, a LangChain model, what create_judge made, or an "
    "OpenAI client beside --model.",
    "A model that does, such as openai:gpt-4o-mini.",
)
@click.option("--allow-code", is_flag=True, help="Run the code of custom evaluators.")
@file_option("--junit", "Write a JUnit XML report there.")
@file_option("--html", "Write a report of one HTML page there.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("--fail-under", type=SHARE, help="Exit with 1 when the score is below this.")
@click.option(
    "--min-coverage",
    type=SHARE,
    help="Exit with 1 when the share of graded verdicts is below this; 1 unless given.",
)
@click.option("--quiet", is_flag=True, help="Print one line, no tables and no progress.")
@executor_option
@click.pass_obj
def eval_command(streams: Streams, /, **options: Any) -> int:
    """Run an evaluation set: each item through an agent, its answer through the evaluators.

    EVAL_SET is a JSON file whose evaluatorRefs name evaluators by id. --agent names code, and runs it.
    """
    return evaluate(EvalJob(**options), streams)
