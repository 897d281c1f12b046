"""`fieldwise schema`: the JSON Schema of evaluator files and evaluation sets, for editors."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import click

from fieldwise.evalsets.schema import json_schema

if TYPE_CHECKING:
    from fieldwise.cli._streams import Streams
    from fieldwise.evalsets.schema import FileKind

_EPILOG: Final = """
\b
Examples:
  fieldwise schema evaluator > evaluator.schema.json
  fieldwise schema eval-set > eval-set.schema.json

\b
A file names its schema in "$schema"; or an editor is told which files it is for.
"""


@click.command("schema", epilog=_EPILOG)
@click.argument("kind", type=click.Choice(["evaluator", "eval-set"]), default="evaluator")
@click.pass_obj
def schema_command(streams: Streams, /, kind: FileKind) -> None:
    """Print the JSON Schema of evaluator files or of evaluation sets."""
    streams.print(json.dumps(json_schema(kind), indent=2, ensure_ascii=False) + "\n")
