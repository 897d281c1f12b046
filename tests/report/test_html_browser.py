"""The page in a browser: sorted, filtered, opened, compared, attacked, and with ten thousand items."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fieldwise.evalsets.model import ItemResult
from fieldwise.report.html import Run, write_page
from tests.report.html_pages import MANY, gets_focus, matches
from tests.report.test_html import HOSTILE, hostile


def names(page: Any) -> list[str]:
    """The items shown first."""
    found: list[str] = page.locator("#table tbody .open").all_inner_texts()[:5]
    return found


# --------------------------------------------------------------------------------------- order, filters


def test_columns_sort_up_down_and_back(visit: Any) -> None:
    page = visit("one")
    head = page.get_by_role("columnheader", name="Score")
    first = names(page)
    assert first[0] == "Invoice 1 of Brandt & Söhne"
    for order, value in (("ascending", "0.267"), ("descending", "1.000"), ("none", "1.000")):
        head.get_by_role("button").click()
        assert head.get_attribute("aria-sort") == order
        assert page.locator("#table tbody .score").first.inner_text() == value
    assert names(page) == first


def test_names_sort_as_people_count(visit: Any) -> None:
    page = visit("one")
    button = page.get_by_role("columnheader", name="Item").get_by_role("button")
    button.click()
    assert names(page)[:2] == ["Invoice 1 of Brandt & Söhne", "Invoice 2 of Brandt & Söhne"]
    button.click()
    assert names(page)[0] == "Invoice 120 of Brandt & Söhne"


FILTERS: dict[str, tuple[dict[str, str], str]] = {
    "text in an output": ({"text": "PAPERS, a5"}, "17 of 120 items"),
    "text in a reason": ({"text": "date of payment"}, "21 of 120 items"),
    "an id": ({"text": "inv-00007"}, "1 of 120 items"),
    "a verdict": ({"verdict": "partial"}, "70 of 120 items"),
    "a status": ({"status": "judge error"}, "4 of 120 items"),
    "an agent's error": ({"status": "agent error"}, "3 of 120 items"),
    "an evaluator's verdict": (
        {"evaluator": "kind", "verdict": "fail"}, "28 of 120 items, as kind has them",
    ),
    "scores": ({"from": "0.5", "to": "0.75"}, "35 of 120 items"),
    "nothing": ({"text": "no such text"}, "0 of 120 items"),
}  # fmt: skip


@pytest.mark.parametrize(("filters", "said"), FILTERS.values(), ids=FILTERS.keys())
def test_items_are_filtered(visit: Any, filters: dict[str, str], said: str) -> None:
    page = visit("one")
    for name, value in filters.items():
        if name in {"text", "from", "to"}:
            page.fill(f"#{name}", value)
        else:
            page.select_option(f"#{name}", label=value)
    assert matches(page) == said
    assert page.is_visible("#empty") == said.startswith("0 ")
    page.click("#clear")
    assert matches(page) == "120 items"


def test_the_legend_filters(visit: Any) -> None:
    page = visit("one")
    page.get_by_role("button", name="7 not graded").click()
    assert matches(page) == "7 of 120 items"
    assert set(page.locator("#table tbody .chip").all_inner_texts()) == {"– not graded"}


# ------------------------------------------------------------------------------------------ one item


def test_an_item_opens_and_shows_what_differs(visit: Any) -> None:
    page = visit("one")
    page.fill("#text", "inv-00002")
    page.get_by_role("button", name="Invoice 3 of Brandt & Söhne").click()
    dialog = page.get_by_role("dialog", name="Invoice 3 of Brandt & Söhne")
    diff = dialog.get_by_role("table", name="Expected beside Got").first
    assert (diff.locator("del").all_inner_texts(), diff.locator("ins").all_inner_texts()) == (
        ["149.9"],
        ["14.99"],
    )
    said = dialog.inner_text()
    for text in (
        "Expected beside got fields", "1 of 3 fields not right", "The date of payment is left out.",
        "Rechnung Nr. 4002", "Reads the document", "search_documents",
    ):  # fmt: skip
        assert text in said
    assert dialog.locator(".spans li").count() == 4
    assert dialog.locator(".spans rect.fill").count() == 4
    dialog.get_by_text("search_documents").click()
    assert "invoice 2" in dialog.locator(".spans pre").nth(0).inner_text()
    dialog.get_by_role("button", name="equal lines").first.click()
    assert '"supplier": {' in diff.inner_text()


def test_an_agents_error_is_told(visit: Any) -> None:
    page = visit("one")
    page.select_option("#status", label="agent error")
    page.locator("#table .open").first.click()
    assert "No answer: agent error" in page.inner_text("dialog")
    assert "ValueError: no text in document" in page.inner_text("dialog .failure")


def shows_item(page: Any, number: int) -> None:
    """The page moves on when the browser tells it of the new address, which is not at once."""
    page.wait_for_function(
        "title => document.querySelector('#detail-title').innerText === title",
        arg=f"Invoice {number} of Brandt & Söhne",
    )


def test_the_next_item_is_one_key_away(visit: Any) -> None:
    page = visit("one")
    page.locator("#table .open").nth(1).click()
    shows_item(page, 2)
    page.keyboard.press("ArrowRight")
    shows_item(page, 3)
    page.get_by_role("button", name="Previous item").click()
    page.keyboard.press("ArrowLeft")
    shows_item(page, 1)
    assert page.get_by_role("button", name="Previous item").is_disabled()
    page.keyboard.press("Escape")
    gets_focus(page, "Invoice 1 of Brandt & Söhne")


DIFFS: dict[str, tuple[Any, Any, list[str], list[str]]] = {  # expected, got, what is gone, what is new
    "a word": ("the red fox", "the blue fox", ["red"], ["blue"]),
    "letters": ("colour", "color", ["u"], []),
    "a line more": ("a\nb", "a\nx\nb", [], ["x"]),
    "a line less": ("a\nx\nb", "a\nb", ["x"], []),
    "a name more": ({"a": 1}, {"a": 1, "b": 2}, [], ['  "b": 2']),
    "order of names": ({"a": 1, "b": 2}, {"b": 2, "a": 1}, [], []),
    "numbers are one thing": ({"a": 1250.5}, {"a": 1250.25}, ["1250.5"], ["1250.25"]),
    "a big integer": (
        {"a": 9007199254740993},
        {"a": 9007199254740992},
        ["9007199254740993"],
        ["9007199254740992"],
    ),
    "an element": ([1, "x"], [1, "y"], ["x"], ["y"]),
    "what cannot be seen": ("a", "a\u200b", [], ["\\u200b"]),
}


@pytest.mark.parametrize("case", DIFFS.values(), ids=DIFFS.keys())
def test_differences_are_marked(
    visit: Any, tmp_path: Path, case: tuple[Any, Any, list[str], list[str]]
) -> None:
    expected, got, gone, new = case
    item = ItemResult("a", "A", output=got, criteria={"e": {"expectedOutput": expected}})
    write_page(tmp_path / "page.html", Run([item], title="t"))
    page = visit(tmp_path / "page.html")
    page.locator("#table .open").click()
    assert page.locator("dialog del").all_inner_texts() == gone
    assert page.locator("dialog ins").all_inner_texts() == new
    assert ("Got what was expected" in page.inner_text("dialog")) == (gone == new)


# ------------------------------------------------------------------------------------------- two runs


def test_regressions_are_one_click_away(visit: Any) -> None:
    page = visit("two")
    button = page.get_by_role("button", name=re.compile(r"^\d+ worse$"))
    count = button.inner_text().split()[0]
    button.click()
    assert matches(page) == f"{count} of 120 items"
    changes = page.locator("#table tbody .change").all_inner_texts()
    assert len(changes) > 10
    assert all(one.startswith("−") for one in changes)
    page.locator("#table .open").first.click()
    assert page.get_by_role("table", name="Prompt v1 beside Prompt v2").is_visible()
    assert page.get_by_role("columnheader", name="Other").last.is_visible()


def test_changes_are_of_the_chosen_evaluator(visit: Any) -> None:
    page = visit("two")
    page.select_option("#evaluator", label="kind")
    page.select_option("#change", label="better")
    assert set(page.locator("#table tbody .change").all_inner_texts()) == {"+1.000"}
    page.select_option("#change", label="not in both")
    assert matches(page).startswith("13 of 120 items")


# ------------------------------------------------------------------------------------- what may come in


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_in_data_runs(visit: Any, tmp_path: Path, text: str) -> None:
    write_page(tmp_path / "page.html", hostile(text), hostile(text))
    page = visit(tmp_path / "page.html")
    page.locator("#table .open").click()
    assert page.locator("img, iframe, body script:not([type])").count() == 1
    page.wait_for_timeout(50)


def test_repeats_are_rows_of_their_own(visit: Any) -> None:
    page = visit("repeated")
    assert page.locator("#table tbody .id").all_inner_texts() == ["a · run 1", "a · run 2", "a · run 3"]


# --------------------------------------------------------------------------------------------- speed


def test_ten_thousand_items_are_ready_at_once(
    visit: Any, written: Callable[[str], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    page = visit("many")
    ready = float(page.evaluate("document.documentElement.dataset.ready"))
    page.fill("#text", "papers, a5")
    took = {"first search": _took(page)}
    page.wait_for_selector("html[data-searchable]", state="attached")
    acts: tuple[tuple[str, Callable[[], object]], ...] = (
        ("search", lambda: page.fill("#text", "invoice 99")),
        ("no text", lambda: page.fill("#text", "")),
        ("verdict", lambda: page.select_option("#verdict", label="partial")),
        ("score", lambda: page.fill("#to", "0.5")),
        ("clear", lambda: page.click("#clear")),
    )
    for name, act in acts:
        act()
        took[name] = _took(page)
    size = written("many").stat().st_size / 1e6
    with capsys.disabled():
        filters = ", ".join(f"{name} {ms:.0f} ms" for name, ms in took.items())
        print(f"\n{MANY:,} items, {size:.1f} MB: ready after {ready:.0f} ms; {filters}")  # noqa: T201 - the measure
    assert ready < 3_000
    assert max(took.values()) < 1_000  # aimed at 200 ms; a busy machine is slow


def _took(page: Any) -> float:
    return float(page.evaluate("document.documentElement.dataset.took"))


def test_only_rows_near_the_window_are_drawn(visit: Any) -> None:
    page = visit("many")
    page.locator("#table .open").first.focus()
    page.keyboard.press("End")
    gets_focus(page, f"Invoice {MANY} of Brandt & Söhne")
    assert page.locator("#table tbody tr:not(.gap)").count() < 60
    page.evaluate("scrollTo(0, 200_000)")
    page.wait_for_timeout(100)
    seen = page.evaluate("document.elementFromPoint(200, 500).closest('tr').dataset.at")
    assert abs(int(seen) - 200_000 // 44) < 60
