"""`fieldwise evaluators`: the evaluators of Python and of `--evaluator`, and what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from fieldwise.cli import _completion
from fieldwise.cli._registry import check_known, description, listing

if TYPE_CHECKING:
    from fieldwise.cli._streams import Streams

_READABLE: Final = 110


@click.command("evaluators")
@click.argument("name", required=False, shell_complete=_completion.evaluators)
@click.pass_obj
def evaluators_command(streams: Streams, /, name: str | None) -> None:
    """List the evaluators, or the options of one."""
    width = min(streams.width, _READABLE)
    if name is not None:
        check_known(name)
    streams.print(listing(width) if name is None else description(name, width))
