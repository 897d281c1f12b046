"""`fieldwise compare`: two files of results, what is better and what is worse.

Reads what `fieldwise score --out` and `fieldwise eval --out` write, and runs of a history, `results.db#RUN`.
Only scores are kept, so files may be large.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

import click

from fieldwise.cli import _completion
from fieldwise.cli._options import Share
from fieldwise.errors import InputError
from fieldwise.report.comparison import render_comparison
from fieldwise.run._compare import ALPHA, Scores, compare_scores

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.cli._streams import Streams

_HEADER: Final = "fieldwise"
_KEYS: Final = ("key", "score", "extra")


@click.command("compare")
@click.argument("a", shell_complete=_completion.files)
@click.argument("b", shell_complete=_completion.files)
@click.option(
    "--fail-on",
    type=click.Choice(["regression"]),
    help="Exit with 1 when a field is significantly worse in B, worse by more than --max-drop, or graded no "
    "more.",
)
@click.option(
    "--alpha",
    type=Share(),
    default=ALPHA,
    show_default=True,
    help="Below which p-value, corrected for the number of fields, a difference is significant.",
)
@click.option("--max-drop", type=Share(), help="By how much the mean of a field may be worse in any case.")
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
    as_json: bool,
) -> int:
    """Compare two runs over the same items: is B better or worse than A, field by field?

    A and B are files that `fieldwise score --out` or `fieldwise eval --out` wrote, or runs of a history,
    results.db#RUN. Items are joined by id; repeats of one item count once, with their mean.
    """
    runs = [read_scores(path, streams) for path in (a, b)]
    if not runs[0].ids & runs[1].ids:
        names = [f"{path} has {_examples(run)}" for path, run in zip((a, b), runs, strict=True)]
        raise InputError(f"nothing to compare: no item is in both files; {', '.join(names)}")
    found = compare_scores(*runs, alpha=alpha, max_drop=max_drop)
    failed = fail_on is not None and (bool(found.regressions) or not found.fields)
    if as_json:
        told = {"a": a, "b": b, **found.to_dict(), "passed": not failed}
        streams.print(json.dumps(told, indent=2, allow_nan=False) + "\n")
    else:
        streams.print(f"A: {a}\nB: {b}\n\n")
        look = {"width": streams.width, "terminal": streams.terminal, "colour": streams.colour}
        streams.print(render_comparison(found, **look))  # type: ignore[arg-type]
        if fail_on is not None:
            said = ", ".join(found.regressions) or ("no regression" if found.fields else "nothing was graded")
            streams.print(f"\n{'failed' if failed else 'passed'}: {said}\n")
    return int(failed)


def _examples(run: Scores) -> str:
    return ", ".join(map(repr, sorted(run.ids)[:3])) or "none"


# ----------------------------------------------------------------------------------------- reading


def read_scores(path: str, streams: Streams) -> Scores:
    """Read the scores of a file of results; a line that was not written to its end is left out, and told.

    Raises:
        InputError: it cannot be read, or holds something else; naming the line.
    """
    found = Scores()
    for id_, results in _of_items(path) if _is_eval(path) else _of_records(path, streams):
        found.add(id_, results)
    return found


def _is_eval(path: str) -> bool:
    """Whether it is what `fieldwise eval` keeps: a history, or a file that begins with the line of a run."""
    from fieldwise.evalsets import store

    if store.is_history(path):
        return True
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - the path is shown as given
            head = _parsed(file.readline())
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    return isinstance(head, dict) and _HEADER in head


def _of_items(path: str) -> Iterator[tuple[str, list[Any]]]:
    from fieldwise.evalsets.results import read_results

    for one in read_results(path):
        yield one.item, [result for results in one.results.values() for result in results]


def _of_records(path: str, streams: Streams) -> Iterator[tuple[str, list[Any]]]:
    torn: int | None = None
    with open(path, "rb") as file:  # noqa: PTH123 - as above
        for number, line in enumerate(file, start=1):
            if torn is not None:
                raise _no_result(path, torn)
            if not line.strip():
                continue
            found = _parsed(line)
            if found is None and not line.endswith(b"\n"):
                torn = number
            elif not _is_record(found):
                raise _no_result(path, number)
            else:
                yield found["id"], found["results"]
    if torn is not None:
        streams.note(f"{path}:{torn}: was not written to its end; left out")


def _is_record(found: Any) -> bool:
    return (
        isinstance(found, dict)
        and isinstance(found.get("id"), str)
        and isinstance(found.get("results"), list)
        and all(
            isinstance(one, dict) and all(key in one for key in _KEYS) and isinstance(one["extra"], dict)
            for one in found["results"]
        )
    )


def _no_result(path: str, number: int) -> InputError:
    return InputError(
        f"{path}:{number}: is no line of results; give what `fieldwise score --out` or "
        "`fieldwise eval --out` wrote"
    )


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
