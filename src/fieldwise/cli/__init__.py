"""The command `fieldwise`: a thin shell over `fieldwise.run`.

`main` ends the process; `run(argv, stdin, stdout, stderr)` does the work and returns the exit code:

| code | when |
|---|---|
| 0 | something was graded, and score and coverage reach their bars |
| 1 | below a bar, or nothing graded |
| 2 | unusable: options, the file, a judge that cannot be imported, output that cannot be written |
| 130 | interrupted; what was scored until then is reported and kept |

What a run finds goes to standard output, everything else to standard error: bad lines, notes, and on a
terminal the progress. Evaluators are known by their names in one table, `EVALUATORS`: every public factory.
"""

from __future__ import annotations

import inspect
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli._judge_check import judge_check_command
from fieldwise.cli._options import Share, evaluator_options, load_judge, meant
from fieldwise.cli._registry import EVALUATORS, check_required, description, factory, listing
from fieldwise.cli._score import Job, score
from fieldwise.cli._streams import Streams, close_quietly
from fieldwise.errors import FieldwiseError
from fieldwise.records import FORMATS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

__all__ = ["EVALUATORS", "main", "run"]

_READABLE: Final = 110
_EXAMPLES: Final = """
\b
Examples:
  fieldwise score records.jsonl --evaluator json_match
  fieldwise score records.jsonl --evaluator json_match --option depth=leaves \\
      --option comparators.total=number --option exclude_keys=id --fail-under 0.9
  fieldwise score answers.csv --evaluator json_match --outputs answer --reference truth
  fieldwise score invoices.jsonl --evaluator multi_field --option fields=number \\
      --option "fields=Field(items[*].name, comparator=string_similarity, threshold=0.9)"
  fieldwise score records.jsonl --evaluator json_match --explain receipt-034
  cat records.jsonl | fieldwise score - --evaluator json_match --json

\b
Exit codes: 0 passed, 1 below a bar or nothing graded, 2 unusable input or options,
130 interrupted (what was scored is reported and kept).
"""


def main() -> None:
    """Run the command on the process's arguments and streams, and exit."""
    code = run(sys.argv[1:])
    if sys.stdout is not None:
        close_quietly(sys.stdout)
    sys.exit(code)


def run(
    argv: Sequence[str],
    stdin: TextIO | None = None,
    stdout: TextIO | None = None,
    stderr: TextIO | None = None,
) -> int:
    """Run the command and return its exit code; streams default to those of the process.

    >>> import io
    >>> out = io.StringIO()
    >>> lines = io.StringIO('{"outputs": {"a": 1}, "reference_outputs": {"a": 1}}')
    >>> run(["score", "-", "--evaluator", "json_match", "--quiet"], lines, out, io.StringIO())
    0
    """
    nowhere = StringIO()  # for a stream the process was started without
    streams = Streams(stdin or sys.stdin, stdout or sys.stdout or nowhere, stderr or sys.stderr or nowhere)
    with redirect_stdout(streams.stdout), redirect_stderr(streams.stderr):
        try:
            code = command.main(list(argv), prog_name="fieldwise", standalone_mode=False, obj=streams)
        except click.ClickException as error:
            error.show(streams.stderr)
            return 2
        except FieldwiseError as error:
            streams.complain(str(error))
            return 2
        except click.Abort:
            return 130
        except BrokenPipeError:
            return 2
    return code if isinstance(code, int) else 0


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="fieldwise", prog_name="fieldwise")
def command() -> None:
    """Say how right structured answers are, field by field."""


@command.command("score", epilog=_EXAMPLES)
@click.argument("records")
@click.option("--evaluator", required=True, metavar="NAME", help="Which; `fieldwise evaluators` lists them.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    help="An option of the evaluator, as JSON or text; members of mappings as key.path=value. "
    "Repeat it for each option, and for each element of a list.",
)
@click.option(
    "--judge",
    metavar="MODULE:OBJECT",
    help="What answers the evaluator's questions: a callable, a LangChain model, what create_judge made, or "
    "an OpenAI client beside --model.",
)
@click.option(
    "--model", metavar="PROVIDER:NAME", help="A model that answers them instead, such as openai:gpt-4o-mini."
)
@click.option("--out", metavar="FILE", help="Write each record's results there as JSON Lines, as they come.")
@click.option("--fail-under", type=Share(), help="Exit with 1 when the score is below this.")
@click.option(
    "--min-coverage", type=Share(), help="Exit with 1 when the share of graded results is below this."
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option(
    "--worst",
    type=click.IntRange(0),
    default=5,
    show_default=True,
    help="How many of the worst records to show.",
)
@click.option("--explain", metavar="ID", help="Print one record's tree instead: expected beside got.")
@click.option("--limit", type=click.IntRange(1), help="Score the first records only.")
@click.option("--outputs", metavar="COLUMN", help="The name or path of the outputs in a record.")
@click.option("--reference", metavar="COLUMN", help="The same for the reference outputs.")
@click.option("--inputs", metavar="COLUMN", help="The same for the inputs.")
@click.option("--id", "id_", metavar="COLUMN", help="The same for the id.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(FORMATS),
    help="What RECORDS is; else told from its name or content.",
)
@click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=16,
    show_default=True,
    help="How many questions to a judge may be under way.",
)
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
    create = factory(_known(evaluator))
    given = evaluator_options(evaluator, create, options)
    for option, value in (("judge", judge), ("model", model)):
        if value is not None:
            if option not in inspect.signature(create).parameters:
                raise click.UsageError(f"{evaluator} asks no judge; leave --{option} out")
            given[option] = load_judge(value) if option == "judge" else value
    check_required(evaluator, given)
    names = {"outputs": "outputs", "reference_outputs": "reference", "inputs": "inputs", "id": "id_"}
    named = {part: rest.pop(name) for part, name in names.items()}
    return score(Job(records=records, evaluator=create(**given), named=named, **rest), streams)


@command.command("evaluators")
@click.argument("name", required=False)
@click.pass_obj
def evaluators_command(streams: Streams, /, name: str | None) -> None:
    """List the evaluators, or the options of one."""
    width = min(streams.width, _READABLE)
    streams.print(listing(width) if name is None else description(_known(name), width))


command.add_command(judge_check_command)


def _known(name: str) -> str:
    if name not in EVALUATORS:
        raise click.UsageError(f"there is no evaluator {name!r}; {meant(name, EVALUATORS)}")
    return name
