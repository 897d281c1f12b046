"""The JSONPath compliance suite (RFC 9535), on either engine: right, refused, wrong.

The suite is public and is used where it lies, beside the checkout; where it is not, its tests are skipped.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fieldwise.core.jsonpath import Engine, compile_jsonpath, has_extra
from fieldwise.core.jsonpath.reader import quoted
from fieldwise.core.select import compile_path
from fieldwise.errors import PathError

SUITE = Path(__file__).parents[3].parent / "shared" / "suites" / "jsonpath_cts.json"
needs_suite = pytest.mark.skipif(
    not SUITE.exists(), reason="the JSONPath compliance suite is not beside the checkout"
)
needs_extra = pytest.mark.skipif(not has_extra(), reason="the extra rfc9535 is not installed")

NAMED_ESCAPES = {"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(SUITE.read_text(encoding="utf-8"))["tests"]
    return found


def normalized(path: tuple[str | int, ...]) -> str:
    """A path as the suite writes it (RFC 9535 section 2.7)."""

    def escaped(name: str) -> str:
        return "".join(
            NAMED_ESCAPES.get(one) or (f"\\u{ord(one):04x}" if ord(one) < 0x20 else one)
            for one in quoted(name)
        )

    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f"[{escaped(step)}]" for step in path)


def outcome(case: dict[str, Any], engine: Engine) -> str:
    invalid = case.get("invalid_selector", False)
    try:
        query = compile_jsonpath(case["selector"], engine)
    except PathError:
        return "right" if invalid else "refused"
    if invalid:
        return "wrong"
    found = query.find(case["document"])
    got = json.dumps([[value for _, value in found], [normalized(path) for path, _ in found]])
    results = case.get("results") or [case["result"]]
    paths = case.get("results_paths") or [case["result_paths"]]
    return "right" if got in {json.dumps(pair) for pair in zip(results, paths, strict=True)} else "wrong"


def tally(engine: Engine) -> tuple[Counter[str], list[str]]:
    outcomes = [(outcome(case, engine), case["name"]) for case in cases()]
    count = Counter(word for word, _ in outcomes)
    print(f"\n{engine}: right {count['right']} / refused {count['refused']} / wrong {count['wrong']}")  # noqa: T201
    return count, [name for word, name in outcomes if word == "wrong"]


@needs_suite
def test_on_jsonpath_ng_nothing_is_wrong_and_only_patterns_are_refused() -> None:
    count, wrong = tally("jsonpath-ng")
    assert wrong == []
    assert count == {"right": 653, "refused": 50}
    refused = [case["selector"] for case in cases() if outcome(case, "jsonpath-ng") == "refused"]
    assert [text for text in refused if "match(" not in text and "search(" not in text] == []


@needs_suite
@needs_extra
def test_on_the_extra_everything_is_right() -> None:
    count, wrong = tally("rfc9535")
    assert wrong == []
    assert count == {"right": 703}


@needs_suite
@needs_extra
def test_a_path_of_the_suite_is_the_same_path_everywhere() -> None:
    """The plain part has a reader of its own; it accepts and finds what the engines do."""
    differing = []
    for case in (case for case in cases() if case["selector"].startswith("$")):
        try:
            found: Any = [tuple(match) for match in compile_path(case["selector"]).find(case.get("document"))]
        except PathError:
            found = None
        try:
            wanted: Any = compile_jsonpath(case["selector"], "rfc9535").find(case.get("document"))
        except PathError:
            wanted = None
        if found != wanted:
            differing.append(case["name"])
    assert differing == []
