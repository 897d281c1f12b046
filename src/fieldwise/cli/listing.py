"""`fieldwise list`: which evaluators there are and which to choose; with a name, what one of them takes.

Without a name: the names that Python and `fieldwise score` know with what each does, then, for evaluation
sets, the selection guide, the built-in `evaluatorTypeId`s, and those of the other evaluators. What is said of
one is in `described`.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import completion
from fieldwise.cli.common.evaluators import EVALUATORS, factory, kind_named
from fieldwise.cli.described import as_json, as_text
from fieldwise.evalsets.registry.kinds import GUIDE, UIPATH, kinds
from fieldwise.evalsets.registry.signatures import summary
from fieldwise.report.words import aligned

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise.cli.common.streams import Streams
    from fieldwise.evalsets.registry.kinds import Kind

_NAMES: Final = ("Name", "What it does")
_GUIDE: Final = ("Agent Type", "Primary Evaluator", "Secondary", "Notes")
_KINDS: Final = ("evaluatorTypeId", "Evaluator", "Scoring")
_AFTER: Final = "`fieldwise list NAME` has the options of one.\n"
_READABLE: Final = 110
_EPILOG: Final = """
\b
Examples:
  fieldwise list
  fieldwise list json_match
  fieldwise list uipath-json-similarity --json
"""


@click.command("list", epilog=_EPILOG)
@click.argument("name", required=False, shell_complete=completion.evaluators)
@click.option("--json", "json_wanted", is_flag=True, help="Print the same as JSON.")
@click.pass_obj
def list_command(streams: Streams, /, *, name: str | None, json_wanted: bool) -> None:
    """List the evaluators and which to choose, or the options of one."""
    kind = None if name is None else kind_named(name)
    if json_wanted:
        streams.print_json(_tables_as_json() if kind is None else as_json(kind))
    else:
        width = min(streams.width, _READABLE)
        streams.print(_tables(streams) if kind is None else as_text(kind, width))


def _tables_as_json() -> dict[str, Any]:
    guide = [
        {"agentType": row.agent, "primary": row.primary, "secondary": row.secondary, "notes": row.notes}
        for row in GUIDE
    ]
    names = [{"name": name, "about": summary(factory(name))} for name in EVALUATORS]
    return {"names": names, "guide": guide, "evaluators": [_row(one) for one in kinds().values()]}


def _row(kind: Kind) -> dict[str, Any]:
    found = {"evaluatorTypeId": kind.type_id, "evaluator": kind.title, "scoring": kind.scoring}
    return {**found, "criteria": kind.criteria, "builtIn": kind in UIPATH}


def _tables(streams: Streams) -> str:
    others = [kind for kind in kinds().values() if kind not in UIPATH]
    guide = [(row.agent, row.primary, row.secondary, row.notes) for row in GUIDE]
    tables = (
        ("Evaluators of Python and of `fieldwise score --evaluator`", _NAMES, _names()),
        ("Evaluator selection guide", _GUIDE, guide),
        ("Built-in evaluators", _KINDS, _rows(UIPATH)),
        ("Other evaluators", _KINDS, _rows(others)),
    )
    draw = _drawn if streams.terminal else _plain
    return "\n".join([*(draw(title, head, rows, streams) for title, head, rows in tables), _AFTER])


def _names() -> list[tuple[str, ...]]:
    return [(name, summary(factory(name))) for name in EVALUATORS]


def _rows(some: Iterable[Kind]) -> list[tuple[str, ...]]:
    return [(kind.type_id, kind.title, kind.scoring) for kind in some]


def _plain(title: str, head: Sequence[str], rows: Sequence[tuple[str, ...]], _: Streams) -> str:
    """A table whose columns are lined up, each row one line whatever its length."""
    return "\n".join([title, "", *aligned([head, *rows], "<" * len(head)), ""])


def _drawn(title: str, head: Sequence[str], rows: Sequence[tuple[str, ...]], streams: Streams) -> str:
    """The same for a terminal, cells wrapped to its width."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*head, box=box.SIMPLE_HEAD, title=title, title_justify="left", title_style="bold")
    for row in rows:
        table.add_row(*map(Text, row))
    file = StringIO()
    console = Console(
        file=file, width=streams.width, force_terminal=streams.colour, no_color=not streams.colour
    )
    console.print(table)
    return file.getvalue()
