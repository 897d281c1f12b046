"""The page: template, style, script and data put together.

The policy allows the style and the script by the hash of their text, so they stand in the page exactly as
they were hashed.
"""

from __future__ import annotations

import base64
import hashlib
import os
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import utf8
from fieldwise.errors import ConfigError
from fieldwise.report.files import whole_file
from fieldwise.report.html import _view
from fieldwise.report.html._book import counted
from fieldwise.report.html._classes import matrices
from fieldwise.report.html._items import Table
from fieldwise.report.html._text import embedded
from fieldwise.report.words import count, mean, percent, safe

if TYPE_CHECKING:
    from typing import TextIO

    from jinja2 import Environment

    from fieldwise.report.html._book import Book
    from fieldwise.report.html._run import Run

STYLES: Final = ("base.css", "summary.css", "items.css", "detail.css", "print.css")
SCRIPTS: Final = ("dom.js", "data.js", "diff.js", "items.js", "detail.js", "main.js")
_MISSING: Final = "the HTML report needs Jinja2, which is not installed: pip install 'fieldwise[html]'"


def html_report(run: Run, other: Run | None = None) -> str:
    """Return a run as one page of HTML that loads nothing.

    Args:
        run: the run the page is about.
        other: a run of the same items that it is set beside, as what it was before.

    Returns:
        The page; the same for the same runs. Texts of more than 20,000 characters are cut, and once a page
        holds 24 million characters, those of more than 600; each says so.

    Raises:
        ConfigError: Jinja2 is not installed.

    Example:
        >>> from fieldwise.evalsets.model import ItemResult
        >>> from fieldwise.report.html import Run, html_report
        >>> html_report(Run([ItemResult("a", "First", output=1)], title="Nightly"))[:15]
        '<!doctype html>'
    """
    environment = _environment()
    book = counted(run)
    before = None if other is None else counted(other)
    table = Table(book, before)
    style = "".join(map(_asset, STYLES))
    script = f'(() => {{\n"use strict";\n{"".join(map(_asset, SCRIPTS))}}})();\n'
    return environment.get_template("page.html").render(
        **_shown(book, before),
        policy=_policy(style, script),
        style=_inline(style),
        script=_inline(script),
        rows=_inline(embedded(table.rows())),
        details=_inline(table.details()),
    )


def write_page(file: str | os.PathLike[str] | TextIO, run: Run, other: Run | None = None) -> None:
    """Write a run as one page of HTML.

    Args:
        file: a path, or an open text file.
        run: the run the page is about.
        other: a run of the same items that it is set beside.

    Raises:
        ConfigError: Jinja2 is not installed.
        OSError: the file cannot be written.
    """
    page = html_report(run, other)
    if isinstance(file, str | os.PathLike):
        with whole_file(file) as opened:
            opened.write(page)
    else:
        file.write(page)


def _shown(book: Book, other: Book | None) -> dict[str, Any]:
    """What the template shows."""
    compared = _view.comparisons(book, other)
    here = {row.result.item for row in book.rows}
    there = {row.result.item for row in other.rows} if other else here
    return {
        "run": book.run,
        "other": other.run if other else None,
        "items": count(book.items, "item"),
        "rows_count": len(book.rows),
        "repeated": len(book.rows) != book.items,
        "failed": book.failed,
        "gate": [line.partition(": ")[::2] for line in book.run.gate],
        "score": book.score,
        "coverage": percent(book.coverage),
        "whole": _view.overall(book, compared),
        "verdicts": _view.verdicts(book.whole),
        "groups": _view.groups(book, compared),
        "histograms": _view.histograms(book),
        "matrices": list(matrices(book)),
        "only_here": len(here - there),
        "only_there": len(there - here),
    }


def _environment() -> Environment:
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
    except ImportError:
        raise ConfigError(_MISSING) from None
    environment = Environment(
        loader=PackageLoader("fieldwise.report.html", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_printable,
    )
    environment.filters["figure"] = mean
    return environment


def _printable(value: Any) -> Any:
    """Every text of data in characters that print; what is markup already is left alone."""
    return safe(utf8(value)) if type(value) is str else value


def _asset(name: str) -> str:
    found = files("fieldwise.report.html").joinpath("assets", name)
    return found.read_text(encoding="utf-8").replace("\r\n", "\n")


def _inline(text: str) -> Any:
    from markupsafe import Markup

    return Markup(text)  # noqa: S704 - our own files, and JSON without any markup


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded or sent; only this style and this script are used."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode('ascii')}"
