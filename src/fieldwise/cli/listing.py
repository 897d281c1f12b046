"""`fieldwise list`: which evaluators and comparators there are; with a name, what one of them takes.

Without a name: the names that Python and `fieldwise score` know with what each does, evaluators, then
comparators; and for evaluation sets the selection guide, the built-in `evaluatorTypeId`s, and those of the
other evaluators. What is said of one is in `described`; a name of both is told as both.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import completion
from fieldwise.cli.common.comparators import COMPARATORS
from fieldwise.cli.common.evaluators import EVALUATORS, factory, kind_if_known, meant
from fieldwise.cli.described import as_json, as_text, comparator_as_json, comparator_as_text
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
  fieldwise list number_text
  fieldwise list uipath-json-similarity --json
"""


@click.command("list", epilog=_EPILOG)
@click.argument("name", required=False, shell_complete=completion.listed)
@click.option("--json", "json_wanted", is_flag=True, help="Print the same as JSON.")
@click.pass_obj
def list_command(streams: Streams, /, *, name: str | None, json_wanted: bool) -> None:
    """List the evaluators, which to choose, and the comparators; or the options of one."""
    if name is not None:
        _check_known(name)
    if json_wanted:
        streams.print_json(_tables_as_json() if name is None else _one_as_json(name))
    else:
        streams.print(_tables(streams) if name is None else _one(name, min(streams.width, _READABLE)))


def _check_known(name: str) -> None:
    if name not in COMPARATORS and kind_if_known(name) is None:
        hint = meant(name, [*EVALUATORS, *COMPARATORS, *kinds()])
        raise click.UsageError(f"there is no evaluator or comparator {name!r}; {hint}")


def _one(name: str, width: int) -> str:
    kind = kind_if_known(name)
    parts = [] if kind is None else [as_text(kind, width)]
    return "\n".join([*parts, *([comparator_as_text(name, width)] if name in COMPARATORS else [])])


def _one_as_json(name: str) -> dict[str, Any]:
    kind = kind_if_known(name)
    if kind is None:
        return comparator_as_json(name)
    return {**as_json(kind), **({"comparator": comparator_as_json(name)} if name in COMPARATORS else {})}


def _tables_as_json() -> dict[str, Any]:
    guide = [
        {"agentType": row.agent, "primary": row.primary, "secondary": row.secondary, "notes": row.notes}
        for row in GUIDE
    ]
    names = [{"name": name, "about": summary(factory(name))} for name in EVALUATORS]
    compared = [{"name": name, "about": summary(made)} for name, made in COMPARATORS.items()]
    return {
        "names": names,
        "comparators": compared,
        "guide": guide,
        "evaluators": [_row(one) for one in kinds().values()],
    }


def _row(kind: Kind) -> dict[str, Any]:
    found = {"evaluatorTypeId": kind.type_id, "evaluator": kind.title, "scoring": kind.scoring}
    return {**found, "criteria": kind.criteria, "builtIn": kind in UIPATH}


def _tables(streams: Streams) -> str:
    others = [kind for kind in kinds().values() if kind not in UIPATH]
    guide = [(row.agent, row.primary, row.secondary, row.notes) for row in GUIDE]
    tables = (
        ("Evaluators of Python and of `fieldwise score --evaluator`", _NAMES, _names()),
        ("Comparators of `--option comparators.PATH=NAME`", _NAMES, _comparators()),
        ("Evaluator selection guide", _GUIDE, guide),
        ("Built-in evaluators", _KINDS, _rows(UIPATH)),
        ("Other evaluators", _KINDS, _rows(others)),
    )
    draw = _drawn if streams.terminal else _plain
    return "\n".join([*(draw(title, head, rows, streams) for title, head, rows in tables), _AFTER])


def _names() -> list[tuple[str, ...]]:
    return [(name, summary(factory(name))) for name in EVALUATORS]


def _comparators() -> list[tuple[str, ...]]:
    return [(name, summary(made).replace("`", "")) for name, made in COMPARATORS.items()]


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
