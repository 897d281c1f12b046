"""Fixtures of the tests of reports: a browser, and pages in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fieldwise.report.html import write_page
from tests.report.html_pages import RUNS, Visits, chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Give the path of a page by its name in `RUNS`, written when first asked for."""
    folder = tmp_path_factory.mktemp("pages")

    def path(name: str) -> Path:
        found = folder / f"{name}.html"
        if not found.exists():
            write_page(found, *RUNS[name]())
        return found

    return path


@pytest.fixture
def visit(browser: Any, written: Callable[[str], Path]) -> Iterator[Callable[..., Any]]:
    """Open a page by name or path; at the end nothing may have gone wrong in any of them."""
    visits = Visits(browser)

    def opened(name: str | Path, **options: Any) -> Any:
        return visits.open(written(name) if isinstance(name, str) else name, **options)

    yield opened
    visits.close()
    assert visits.trouble == []
