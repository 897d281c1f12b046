"""`fieldwise compare`: two files of results, what is better and what is worse.

What it reads is said in `reading`. Only scores are kept, so files may be large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fieldwise.cli import completion
from fieldwise.cli.common.types import SHARE
from fieldwise.cli.compare.changes import Told, changes
from fieldwise.cli.compare.reading import read_scores
from fieldwise.errors import InputError
from fieldwise.report.comparison import render_comparison
from fieldwise.report.words import count
from fieldwise.run._compare import ALPHA, Scores, compare_scores

if TYPE_CHECKING:
    from fieldwise.cli.common.streams import Streams
    from fieldwise.run._compare import RunComparison


@click.command("compare")
@click.argument("a", shell_complete=completion.files)
@click.argument("b", shell_complete=completion.files)
@click.option(
    "--fail-on",
    type=click.Choice(["regression"]),
    help="Exit with 1 when a field is significantly worse in B, worse by more than --max-drop, or graded for "
    "fewer of A's items than --max-lost allows.",
)
@click.option(
    "--alpha",
    type=SHARE,
    default=ALPHA,
    show_default=True,
    help="Below which p-value, corrected for the number of fields, a difference is significant.",
)
@click.option("--max-drop", type=SHARE, help="By how much the mean of a field may be worse in any case.")
@click.option(
    "--max-lost",
    type=SHARE,
    help="Which share of the items that A graded B may lack, as those of an agent that failed; 0 by default.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@click.pass_obj
def compare_command(
    streams: Streams,
    /,
    *,
    a: str,
    b: str,
    fail_on: str | None,
    alpha: float,
    max_drop: float | None,
    max_lost: float | None,
    as_json: bool,
) -> int:
    """Compare two runs over the same items: is B better or worse than A, field by field?

    A and B are files that `fieldwise score --out` or `fieldwise eval --out` wrote, or runs of a history,
    results.db#RUN. Items are joined by id; repeats of one item count once, with their mean.
    """
    for option, bar in (("--max-drop", max_drop), ("--max-lost", max_lost)):
        if bar is not None and fail_on is None:
            raise click.UsageError(f"{option} decides nothing alone; add --fail-on regression")
    told = Told(), Told()
    runs = [read_scores(path, streams, one) for path, one in zip((a, b), told, strict=True)]
    if not runs[0].ids & runs[1].ids:
        names = [f"{path} has {_examples(run)}" for path, run in zip((a, b), runs, strict=True)]
        raise InputError(f"nothing to compare: no item is in both files; {', '.join(names)}")
    found = compare_scores(*runs, alpha=alpha, max_drop=max_drop, max_lost=max_lost or 0.0)
    warnings = list(changes(*told))
    for warning in warnings:
        streams.warn(warning)
    failed = fail_on is not None and (bool(found.regressions) or not found.fields)
    if as_json:
        streams.print_json({"a": a, "b": b, **found.to_dict(), "warnings": warnings, "passed": not failed})
    else:
        streams.print(f"A: {a}\nB: {b}\n\n")
        streams.print(render_comparison(found, **streams.look))
        if fail_on is not None:
            streams.print(f"\n{'failed' if failed else 'passed'}: {_said(found)}\n")
    return int(failed)


def _said(found: RunComparison) -> str:
    """What is worse, and of how many items nothing is known."""
    worse = [found.fields[key] for key in found.regressions]
    said = [
        f"{one.key} (lost {one.lost:,} of {count(one.of, 'item')})" if one.lost else one.key for one in worse
    ]
    return ", ".join(said) or ("no regression" if found.fields else "nothing was graded")


def _examples(run: Scores) -> str:
    return ", ".join(map(repr, sorted(run.ids)[:3])) or "none"
