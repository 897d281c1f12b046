"""`fieldwise list`: which evaluators there are for evaluation sets, and which to choose.

Two tables and the rest, from the registry: the selection guide, the built-in `evaluatorTypeId`s, and those of
every other evaluator of the package.
"""

from __future__ import annotations

import json
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.evalsets.kinds import GUIDE, UIPATH, kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fieldwise.cli._streams import Streams
    from fieldwise.evalsets.kinds import Kind

_GUIDE: Final = ("Agent Type", "Primary Evaluator", "Secondary", "Notes")
_KINDS: Final = ("evaluatorTypeId", "Evaluator", "Scoring")
_AFTER: Final = "`fieldwise schema evaluator` has the options of each.\n"


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print the tables as JSON.")
@click.pass_obj
def list_command(streams: Streams, /, *, as_json: bool) -> None:
    """List the evaluators that files may name, and which to choose."""
    streams.print(_as_json() if as_json else _as_text(streams))


def _others() -> list[Kind]:
    return [kind for kind in kinds().values() if kind not in UIPATH]


def _rows(some: Iterable[Kind]) -> list[tuple[str, ...]]:
    return [(kind.type_id, kind.title, kind.scoring) for kind in some]


def _as_json() -> str:
    guide = [
        {"agentType": row.agent, "primary": row.primary, "secondary": row.secondary, "notes": row.notes}
        for row in GUIDE
    ]
    return (
        json.dumps({"guide": guide, "evaluators": [_described(one) for one in kinds().values()]}, indent=2)
        + "\n"
    )


def _described(kind: Kind) -> dict[str, Any]:
    described = {"evaluatorTypeId": kind.type_id, "evaluator": kind.title, "scoring": kind.scoring}
    return {**described, "criteria": kind.criteria, "builtIn": kind in UIPATH}


def _as_text(streams: Streams) -> str:
    guide = [(row.agent, row.primary, row.secondary, row.notes) for row in GUIDE]
    tables = (
        ("Evaluator selection guide", _GUIDE, guide),
        ("Built-in evaluators", _KINDS, _rows(UIPATH)),
        ("Other evaluators", _KINDS, _rows(_others())),
    )
    draw = _drawn if streams.terminal else _plain
    return "\n".join([*(draw(title, head, rows, streams) for title, head, rows in tables), _AFTER])


def _plain(title: str, head: Sequence[str], rows: Sequence[tuple[str, ...]], _: Streams) -> str:
    """A table whose columns are lined up, each row one line whatever its length."""
    lines = [tuple(head), *rows]
    wide = [max(len(line[at]) for line in lines) for at in range(len(head))]
    padded = ("  ".join(cell.ljust(width) for cell, width in zip(line, wide, strict=True)) for line in lines)
    return "\n".join([title, "", *(line.rstrip() for line in padded), ""])


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
