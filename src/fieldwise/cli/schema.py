"""`fieldwise schema`: the JSON Schema of evaluator files and evaluation sets, for editors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import click

from fieldwise.cli import completion
from fieldwise.cli.common.evaluators import kind_named
from fieldwise.evalsets.schemas.json_schema import json_schema

if TYPE_CHECKING:
    from fieldwise.cli.common.streams import Streams
    from fieldwise.evalsets.schemas.json_schema import FileKind

_EPILOG: Final = """
\b
Examples:
  fieldwise schema evaluator > evaluator.schema.json
  fieldwise schema evaluator --only uipath-json-similarity --only json_match
  fieldwise schema eval-set > eval-set.schema.json

\b
That of evaluators holds the options of every one of them, so it is long; --only has those of some.
A file names its schema in "$schema"; or an editor is told which files it is for.
"""


@click.command("schema", epilog=_EPILOG)
@click.argument("kind", type=click.Choice(["evaluator", "eval-set"]), default="evaluator")
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    shell_complete=completion.evaluators,
    help="Of evaluator files, those of this evaluatorTypeId or evaluator only; may be given several times.",
)
@click.pass_obj
def schema_command(streams: Streams, /, *, kind: FileKind, only: tuple[str, ...]) -> None:
    """Print the JSON Schema of evaluator files or of evaluation sets."""
    if only and kind != "evaluator":
        raise click.UsageError(f"--only chooses evaluators, and {kind} has none; leave it out")
    found = json_schema(kind, [kind_named(name) for name in only])
    streams.print(json.dumps(found, indent=2, ensure_ascii=False) + "\n")
