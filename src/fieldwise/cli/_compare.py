"""`fieldwise compare`: two files of results, what is better and what is worse.

Reads what `fieldwise score --out` and `fieldwise eval --out` write, and runs of a history, `results.db#RUN`.
Only scores are kept, so files may be large.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import _completion
from fieldwise.cli._changes import Told, changes
from fieldwise.cli._options import Share
from fieldwise.errors import InputError
from fieldwise.evalsets.lines import BadLine, parsed, result_fault
from fieldwise.report.comparison import render_comparison
from fieldwise.report.words import count
from fieldwise.run._compare import ALPHA, Scores, compare_scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.cli._streams import Streams
    from fieldwise.run._compare import RunComparison

_HEADER: Final = "fieldwise"
_KEYS: Final = ("key", "score", "extra")


@click.command("compare")
@click.argument("a", shell_complete=_completion.files)
@click.argument("b", shell_complete=_completion.files)
@click.option(
    "--fail-on",
    type=click.Choice(["regression"]),
    help="Exit with 1 when a field is significantly worse in B, worse by more than --max-drop, or graded for "
    "fewer of A's items than --max-lost allows.",
)
@click.option(
    "--alpha",
    type=Share(),
    default=ALPHA,
    show_default=True,
    help="Below which p-value, corrected for the number of fields, a difference is significant.",
)
@click.option("--max-drop", type=Share(), help="By how much the mean of a field may be worse in any case.")
@click.option(
    "--max-lost",
    type=Share(),
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
        streams.note(f"warning: {warning}")
    failed = fail_on is not None and (bool(found.regressions) or not found.fields)
    if as_json:
        shown = {"a": a, "b": b, **found.to_dict(), "warnings": warnings, "passed": not failed}
        streams.print(json.dumps(shown, indent=2, allow_nan=False) + "\n")
    else:
        streams.print(f"A: {a}\nB: {b}\n\n")
        look = {"width": streams.width, "terminal": streams.terminal, "colour": streams.colour}
        streams.print(render_comparison(found, **look))  # type: ignore[arg-type]
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


# ----------------------------------------------------------------------------------------- reading


def read_scores(path: str, streams: Streams, told: Told) -> Scores:
    """Read the scores of a file of results, and what is told of its run into `told`.

    A line that was not written to its end is left out, with a note.

    Raises:
        InputError: it cannot be read, or holds something else; naming the line.
    """
    found = Scores()
    for id_, results in _of_items(path, told) if _is_eval(path) else _of_records(path, streams):
        found.add(id_, results)
    return found


def _is_eval(path: str) -> bool:
    """Whether it is what `fieldwise eval` keeps: a history, or a file that begins with the line of a run."""
    from fieldwise.evalsets import store

    if store.is_history(path):
        return True
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the path is shown as given
            head = parsed(file.readline())
    except BadLine as error:
        raise _bad_line(path, 1, error) from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    return isinstance(head, dict) and _HEADER in head


def _of_items(path: str, told: Told) -> Iterator[tuple[str, list[Any]]]:
    from fieldwise.evalsets.results import read_results

    results = read_results(path)
    told.header = results.header
    for one in results:
        told.add(one)
        yield one.item, [result for results in one.results.values() for result in results]


def _of_records(path: str, streams: Streams) -> Iterator[tuple[str, list[Any]]]:
    torn: int | None = None
    with open(path, "rb") as file:  # noqa: PTH123 - as above
        for number, line in enumerate(file, start=1):
            if torn is not None:
                raise _no_result(path, torn)
            if not line.strip():
                continue
            found = _record(line, path, number)
            if found is None and not line.endswith(b"\n"):
                torn = number
            elif found is None:
                raise _no_result(path, number)
            else:
                yield found["id"], found["results"]
    if torn is not None:
        streams.note(f"{path}:{torn}: was not written to its end; left out")


def _record(line: bytes, path: str, number: int) -> Any:
    """The record of a line; None for what is no JSON."""
    try:
        found = parsed(line)
        if found is not None and not _is_record(found):
            raise _no_result(path, number)
    except BadLine as error:
        raise _bad_line(path, number, error) from None
    for one in found["results"] if found else ():
        fault = result_fault(one, _KEYS)
        if fault is not None:
            raise _bad_line(path, number, f"item {found['id']!r}: {fault}")
    return found


def _bad_line(path: str, number: int, fault: object) -> InputError:
    return InputError(f"{path}:{number}: {fault}; mend the line, or remove it")


def _is_record(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and isinstance(found.get("id"), str)
        and isinstance(found.get("results"), list)
    )


def _no_result(path: str, number: int) -> InputError:
    return InputError(
        f"{path}:{number}: is no line of results; give what `fieldwise score --out` or "
        "`fieldwise eval --out` wrote"
    )
