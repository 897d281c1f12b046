"""A run as one page of HTML: no network, nothing loaded, readable in ten years.

Rules of this package:
1. One file. Styles, script and data stand in the page; a Content-Security-Policy allows that style and
   that script by their hashes and nothing else, so even markup that got through could run nothing.
2. Data is never trusted. The template escapes every value, what does not print is written out, and the
   data of the items is JSON in which no `<`, `>` or `&` occurs; the script makes text nodes of it.
3. Numbers come from Python, `core.statistics`; the script sorts, filters and shows.
4. The same run gives the same bytes. No clock is read.

| module | what it holds |
|---|---|
| `_run` | what a page is made of, as the caller has it |
| `_verdicts` | pass, partial, fail: of a result, an evaluator, an item |
| `_book` | a run counted: by item, evaluator and field |
| `_pairs` | two runs over the same items |
| `_classes` | confusion matrices and the metrics of classifiers |
| `_view` | what the template shows of all that |
| `_items` | what the script shows: rows, and what opening one shows |
| `_sides`, `_spans`, `_text` | expected beside got, the timeline, values as text |
| `_page` | template, style and script put together |
| `assets/` | the template, the styles and the script, each in a few files |
"""

from __future__ import annotations

from fieldwise.report.html._page import html_report, write_page
from fieldwise.report.html._run import Run

__all__ = ["Run", "html_report", "write_page"]
