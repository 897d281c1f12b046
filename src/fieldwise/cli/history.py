"""`fieldwise history`: the runs that `fieldwise eval --store` kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click

from fieldwise.cli import completion
from fieldwise.report.words import count

if TYPE_CHECKING:
    from fieldwise.cli.common.streams import Streams
    from fieldwise.evalsets.results.store import StoredRun

_EPILOG: Final = """
\b
Examples:
  fieldwise history results.db
  fieldwise history results.db --set smoke --last 5 --json
  fieldwise compare results.db#4f0c2a9d1b7e results.db
"""


@click.command("history", epilog=_EPILOG)
@click.argument("history", metavar="HISTORY", shell_complete=completion.files)
@click.option("--set", "set_id", metavar="ID", help="Only runs of this evaluation set.")
@click.option("--last", type=click.IntRange(1), help="Only so many, the last ones.")
@click.option("--json", "as_json", is_flag=True, help="Print the runs as JSON.")
@click.pass_obj
def history_command(
    streams: Streams, /, *, history: str, set_id: str | None, last: int | None, as_json: bool
) -> int:
    """List the runs of a history, the last one at the end.

    HISTORY is an SQLite file that `fieldwise eval --store` wrote. HISTORY#RUN names a run wherever results
    are read, as in `fieldwise compare`; HISTORY alone is the last one.
    """
    from fieldwise.evalsets.results.store import list_runs
    from fieldwise.report.history import render_history, row

    runs = [one for one in list_runs(history) if set_id is None or one.header.set == set_id]
    runs = runs[-last:] if last is not None else runs
    if as_json:
        streams.print_json([row(one) for one in runs])
        return 0
    if not runs:
        streams.print(f"{history}: {count(0, 'run')}{'' if set_id is None else f' of the set {set_id!r}'}\n")
        return 0
    streams.print(render_history(runs, **streams.look))
    streams.print(f"\n{_hint(history, runs)}\n")
    return 0


def _hint(history: str, runs: list[StoredRun]) -> str:
    """How to compare the last run with the one before it that is of the same set."""
    last = runs[-1].header
    before = [one.header.run for one in runs[:-1] if one.header.set == last.set]
    first = f"{history}#{before[-1] if before else last.run}"
    return f"fieldwise compare {first} {history}#{last.run}" if before else f"a run by name: {first}"
