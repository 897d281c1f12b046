"""The page as text: it loads nothing, nothing in data becomes markup, the same run gives the same bytes."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.errors import ConfigError
from fieldwise.evalsets.model import ItemResult
from fieldwise.report.html import Run, html_report, write_page
from tests.report.html_runs import NAMES, graded, sample

HOSTILE = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!--<script>",
    "]]>",
    "\"'`{{ 7 * 7 }}{% raw %}",
    "&lt;b&gt;&amp;",
    "a\u2028b\u2029c",
    "nul\x00bell\x07",
    "half \ud800 pair",
    "turned \u202e around",
    "https://example.com/x.png",
)


class Reader(HTMLParser):
    """What a parser finds in a page: tags with attributes, ids, and the text of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.words: list[str] = []
        self._inside: str | None = None
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.append((tag, found))
        self._inside = (found.get("id") or tag) if tag in {"script", "style"} else None

    def handle_endtag(self, tag: str) -> None:
        self._inside = None

    def handle_data(self, data: str) -> None:
        if self._inside is None:
            self.words.append(data)
        else:
            self.texts[self._inside] = self.texts.get(self._inside, "") + data

    @property
    def rows(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.texts["rows"])
        return found

    @property
    def details(self) -> list[Any]:
        found: list[Any] = json.loads(self.texts["details"])
        return found


def hostile(text: str) -> Run:
    """A run in which everything that can be text is this text."""
    results = [graded(f"{text}:{text}", 0.5, text, comparator=text), graded(text, None, text, status=text)]
    results.append(graded(f"{text}:c", 1.0, None, expected_class=text, predicted_class=text))
    item = ItemResult(
        item=text, name=text, outcome="agent_error", error=text,
        inputs={text: [text]}, output={text: text},
        criteria={text: {"expectedOutput": {text: [text]}}, "b": text},
        spans=({"name": text, "start": 1, "end": 2, "status": text, "attributes": {text: text}, "id": text},),
        results={text: results},
    )  # fmt: skip
    return Run([item], title=text, set_name=text, date=text, names={text: text})


# ------------------------------------------------------------------------------------------ structure


@pytest.mark.parametrize("two", [False, True], ids=["one run", "two runs"])
def test_a_page_has_its_parts(two: bool) -> None:
    page = Reader(html_report(sample(30), sample(30, seed=9, title="Prompt v1") if two else None))
    ids = [found["id"] for _, found in page.tags if "id" in found]
    assert len(ids) == len(set(ids))
    sections = ["summary", "evaluators", "scores", "classes", "items", "detail", "rows", "details"]
    assert [one for one in ids if one in sections] == sections
    assert [tag for tag, _ in page.tags if tag in {"header", "nav", "main", "footer", "dialog"}] == [
        "header", "nav", "main", "footer", "dialog",
    ]  # fmt: skip
    assert ("html", {"lang": "en"}) in page.tags
    targets = {str(found["href"]) for tag, found in page.tags if tag == "a"}
    assert targets == {f"#{one}" for one in sections[:5]}
    assert ("change" in ids) == two


def test_numbers_stand_in_the_page() -> None:
    words = " ".join(" ".join(Reader(html_report(sample(120))).words).split())
    assert "0.780 to 0.849, the 95 % interval by a bootstrap over items" in words
    assert "43 pass 70 partial 0 fail 7 not graded" in words
    assert "Coverage 96.4% of the scores that should be there; 3 runs of the agent without an answer" in words
    assert "fields Invoice fields weight 2 0.803 0.761 to 0.846 53.0% 117 97.5%" in words
    assert "judge Judge of the summary 0.893 0.848 to 0.936 81.4% 113 94.2%" in words
    assert "accuracy 0.761" in words
    assert "mean of the items" not in words.casefold()
    assert "invoice 30 0 9 order 9 30 0 receipt 0 10 29" in words


def test_an_interval_stands_beside_the_mean_that_it_is_of() -> None:
    asked = {"a": {"x": 1.0, "y": 0.0}, "b": {"x": 0.0}, "c": {"y": 1.0}}
    results = [
        ItemResult(item, item, results={key: [graded(key, one)] for key, one in scores.items()})
        for item, scores in asked.items()
    ]
    page = html_report(Run(results, title="t", weights={"x": 3}))
    words = " ".join(" ".join(Reader(page).words).split())
    told = "Score 0.500 the mean of the evaluators, by weight Mean of the items 0.583 0.000 to 1.000, its 95"
    assert told in words


def test_two_runs_stand_side_by_side() -> None:
    page = Reader(html_report(sample(120, skill=0.85), sample(110, skill=0.75, title="Prompt v1", seed=8)))
    words = " ".join(" ".join(page.words).split())
    assert "Change of an item, on average +0.0" in words
    assert "10 of the items only in this run, 0 only in the other" in words
    changes = page.rows["changes"]
    assert [changes[at] for at in range(110, 120)] == [None] * 10
    better, worse = sum((one or 0) > 0 for one in changes), sum((one or 0) < 0 for one in changes)
    assert f"{better} better {worse} worse" in words


def test_an_empty_run_has_a_page() -> None:
    page = Reader(html_report(Run([], title="Nothing")))
    assert "No item has a result." in page.words
    assert page.details == []
    assert page.rows["ids"] == []


def test_the_same_run_gives_the_same_page() -> None:
    assert html_report(sample(40)) == html_report(sample(40))


# ------------------------------------------------------------------------------------- nothing gets in


@pytest.mark.parametrize("text", HOSTILE)
def test_text_stays_text(text: str) -> None:
    plain, page = Reader(html_report(hostile("plain"))), html_report(hostile(text))
    found = Reader(page)
    assert [tag for tag, _ in found.tags] == [tag for tag, _ in plain.tags]
    assert [sorted(one) for _, one in found.tags] == [sorted(one) for _, one in plain.tags]
    assert found.rows["names"] == [text]
    assert (
        text in found.details[0][0][0] or json.dumps(text, ensure_ascii=False)[1:-1] in found.details[0][0][0]
    )
    assert not set("\x00\x07\u2028\u2029\ud800") & set(page)
    page.encode()


@given(st.text())
def test_any_text_stays_text(text: str) -> None:
    page = Reader(html_report(hostile(text)))
    assert page.rows["names"] == [text]
    assert [tag for tag, _ in page.tags].count("script") == 3


def test_nothing_is_loaded_or_sent() -> None:
    page = html_report(sample(5), sample(5))
    found = Reader(page)
    loading = {"src", "srcset", "action", "formaction", "data", "poster", "background", "ping"}
    assert [one for _, one in found.tags if loading & one.keys()] == []
    assert [tag for tag, _ in found.tags if tag in {"link", "iframe", "img", "object", "embed", "base"}] == []
    assert re.findall(r"\bon[a-z]+=", re.sub(r"(?s)<script.*?</script>", "", page)) == []
    assert [one for _, one in found.tags if "style" in one] == []
    outside = set(
        re.findall(r"https?://[^\s\"']+|@import|url\(", found.texts["script"] + found.texts["style"])
    )
    assert outside == {"http://www.w3.org/2000/svg"}  # the name of SVG, which nobody loads
    words = set(re.findall(r"\b(?:fetch|XMLHttpRequest|WebSocket|sendBeacon|innerHTML|eval|import)\b", page))
    assert words == set()


def test_the_policy_allows_this_style_and_this_script_only() -> None:
    found = Reader(html_report(sample(2)))
    (policy,) = [
        str(one["content"]) for _, one in found.tags if one.get("http-equiv") == "Content-Security-Policy"
    ]

    def hashed(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src {hashed(found.texts['style'])}",
        f"script-src {hashed(found.texts['script'])}",
        "base-uri 'none'",
        "form-action 'none'",
    ]


# --------------------------------------------------------------------------------------------- details


def test_what_opening_an_item_shows() -> None:
    one = ItemResult(
        "a", "A", inputs="Where?", output={"city": "Rome", "n": 12345678901234567890},
        criteria={"fields": {"expectedOutput": {"n": 1, "city": "Paris"}}},
        results={"fields": [graded("fields:city", 0.0, "wrong city"), graded("fields:all", 0.0)]},
    )  # fmt: skip
    (detail,) = Reader(html_report(Run([one], title="t", names=NAMES))).details
    assert detail == [
        [
            "Where?",
            '{\n  "n": 12345678901234567890,\n  "city": "Rome"\n}',
            '{\n  "n": 1,\n  "city": "Paris"\n}',
        ],
        "", "", "", 0, 1, [[["fields"], 2, 1]], [],
        [[0, [["", 0, 2, "", "", ""], ["city", 0, 2, "", "wrong city", ""]]]],
        None, [],
    ]  # fmt: skip


@pytest.mark.parametrize(("outcome", "got"), [("timeout", "(no answer)"), ("ok", "null")])
@pytest.mark.parametrize("expected", [None, "Paris", {"city": "Paris"}])
def test_what_did_not_answer_did_not_answer_null(outcome: Any, got: str, expected: Any) -> None:
    criteria = {"e": {"expectedOutput": expected}}
    one = ItemResult("a", "A", outcome=outcome, criteria=criteria, results={"e": [graded("e", None)]})
    (detail,) = Reader(html_report(Run([one], title="t"), Run([one], title="before"))).details
    texts = detail[0]
    assert [texts[at] for _, _, at in detail[6]] == [got]
    assert (texts[detail[5]], texts[detail[9][2]]) == (got, got)


def test_what_was_asked_of_the_run_is_shown() -> None:
    gate = ("passed: E 0.9 reaches 0.8", "failed: score 0.5 is below <1>", "failed: nothing was graded")
    page = html_report(Run([], title="t", gate=gate))
    assert "<strong>passed</strong>: E 0.9 reaches 0.8" in page
    assert '<li class="is-fail"><strong>failed</strong>: score 0.5 is below &lt;1&gt;</li>' in page
    assert "Asked of the run" not in html_report(Run([], title="t"))


def test_long_text_is_cut_and_says_so() -> None:
    one = ItemResult("a", "A", output="x" * 30_000)
    (detail,) = Reader(html_report(Run([one], title="t"))).details
    assert detail[0][1] == "x" * 20_000 + "\n… 10,000 more characters, left out of this page"


# --------------------------------------------------------------------------------------------- writing


def test_a_page_is_written_to_a_path_and_to_a_file(tmp_path: Path) -> None:
    path, file = tmp_path / "report.html", io.StringIO()
    write_page(path, sample(3))
    write_page(file, sample(3))
    assert path.read_bytes() == file.getvalue().encode() == html_report(sample(3)).encode()


def test_where_nothing_can_be_written_the_system_says_so(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"report\.html"):
        write_page(tmp_path / "none" / "report.html", sample(1))


def test_without_jinja_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ConfigError) as caught:
        html_report(sample(1))
    assert str(caught.value) == (
        "the HTML report needs Jinja2, which is not installed: pip install 'fieldwise[html]'"
    )


def test_importing_it_loads_no_jinja() -> None:
    code = "import sys, fieldwise.report.html; print('jinja2' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_evaluators_come_in_the_order_of_names() -> None:
    names = {"kind": "Kind", "judge": "Judge"}
    rows = Reader(html_report(replace(sample(2), names=names))).rows
    assert [one["name"] for one in rows["evaluators"]] == ["kind", "judge", "fields"]
