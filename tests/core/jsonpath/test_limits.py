"""JSONPath: how much a query may do on one document, on either engine."""

from __future__ import annotations

import time
from typing import Any

import pytest

import fieldwise
from fieldwise.core.jsonpath import Engine, compile_jsonpath, has_extra
from fieldwise.errors import PathError

extra = pytest.mark.skipif(not has_extra(), reason="the extra rfc9535 is not installed")
on_both = pytest.mark.parametrize(
    "engine", [pytest.param("jsonpath-ng"), pytest.param("rfc9535", marks=extra)]
)


def _nested(levels: int) -> Any:
    value: Any = [1, 2]
    for _ in range(levels):
        value = [value, 2]
    return value


def _deep(levels: int) -> Any:
    value: Any = {}
    for _ in range(levels):
        value = {"a": value}
    return value


WIDE = {"x": list(range(100_000)), "y": list(range(100_000)), **{str(n): n for n in range(1_000)}}
ENDLESS: dict[str, tuple[str, Any, int]] = {
    "descents": ("$..*..*..*", {"a": _nested(150)}, 1),
    "queries in filters": ("$.i[?count($..d)>1]", {"i": [{"d": 1}] * 1_000}, 4),
    "paths": ("$..*", _deep(100_000), 1),
    "tests of constants": ("$[" + ",".join("0" * 1_000) + "][?1==2]", [list(range(10_000))], 2_003),
    "comparisons": ("$[?$.x==$.y]", WIDE, 2),
    "names": ("$..[" + ",".join(["'z'"] * 1_000) + "]", [{}] * 10_000, 1),
    "slices": ("$[" + ",".join(["::1"] * 1_000) + "]", list(range(10_000)), 0),
    "members": ("$[" + ",".join("0" * 1_000) + "]..z", [list(range(10_000))], 2_002),
}


@on_both
@pytest.mark.parametrize("name", ENDLESS)
def test_visits_are_bounded(name: str, engine: Engine) -> None:
    text, document, position = ENDLESS[name]
    start = time.perf_counter()
    with pytest.raises(PathError) as caught:
        compile_jsonpath(text, engine).find(document)
    assert time.perf_counter() - start < 20
    why = "visits more than 1,000,000 nodes of this document; its first wide step stands"
    assert str(caught.value) == f"path {text!r}: {why} at position {position}"


@on_both
def test_what_is_within_the_bound_is_answered_every_time(engine: Engine) -> None:
    query = compile_jsonpath("$..*", engine)
    document: Any = list(range(300_000))
    assert [len(query.find(document)) for _ in range(4)] == [300_000] * 4


@extra
def test_the_patterns_of_a_query_share_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.core.jsonpath.limits.MAX_SECONDS", 0.0)
    with pytest.raises(PathError) as caught:
        compile_jsonpath("$[?search(@,'a+')]", "rfc9535").find(["b"])
    why = "all patterns together run for more than 0 s in the filter"
    assert str(caught.value) == f"path \"$[?search(@,'a+')]\": {why} at position 2"


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("json_similarity", {"target_output_key": "$..*..*..*"}),
        ("exact_match", {"target_output_key": "$..*..*..*"}),
        ("json_match", {"outputs_key": "$..*..*..*"}),
        ("multi_field", {"fields": ["$..*..*..*"]}),
    ],
)
def test_evaluators_do_not_grade_beyond_the_bound(name: str, options: Any) -> None:
    document = {"a": _nested(150)}
    evaluate: Any = getattr(fieldwise, f"create_{name}_evaluator")(**options)
    result = evaluate(outputs=document, reference_outputs=document)
    first = result[0] if isinstance(result, list) else result
    assert first["extra"]["status"] != "graded"
    assert "visits more than 1,000,000 nodes" in first["extra"]["reason"]
