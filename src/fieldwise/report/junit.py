"""A run as JUnit XML, as continuous integration reads it: a test case for each item and evaluator.

| the verdict | the test case has |
|---|---|
| passed | nothing |
| graded and not passed | `failure` |
| an agent or a judge that failed, nothing to compare with | `error` |
| nothing there that the evaluator could grade | `skipped` |

An item that asks no evaluator is one skipped test case, and so is one that an interrupted run did not come
to. What XML cannot hold is written as an escape.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Final
from xml.etree.ElementTree import Element, SubElement, tostring

from fieldwise.evalsets.verdicts import verdict
from fieldwise.run._tally import OWED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fieldwise._types import EvaluatorResult
    from fieldwise.evalsets.model import EvaluationSet, ItemResult

_UNFIT: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_KINDS: Final = ("failure", "error", "skipped")
_LONGEST: Final = 10_000
_DECLARED: Final = '<?xml version="1.0" encoding="utf-8"?>\n'


def junit(
    evaluation_set: EvaluationSet,
    results: Iterable[ItemResult],
    summary: Mapping[str, Any],
    interrupted: int | None = None,
) -> str:
    """Return a run as JUnit XML.

    Args:
        evaluation_set: the set that was run.
        results: what became of its items; gone through twice, so no iterator.
        summary: the summary of the run as JSON, for the properties of the suite.
        interrupted: of a run that did not come to its end, how often each item was to be run: what is not
            among the results is skipped.

    >>> from fieldwise.evalsets.model import EvaluationSet, ItemResult
    >>> text = junit(EvaluationSet("s", "S", (), ()), [ItemResult("a", "A")], {})
    >>> 'tests="1" failures="0" errors="0" skipped="1"' in text
    True
    """
    return "".join(junit_parts(evaluation_set, results, summary, interrupted))


def junit_parts(
    evaluation_set: EvaluationSet,
    results: Iterable[ItemResult],
    summary: Mapping[str, Any],
    interrupted: int | None = None,
) -> Iterator[str]:
    """Yield the text of `junit` piece by piece, for runs of any length."""
    counts: Counter[str] = Counter()
    seconds = 0.0
    seen: set[tuple[str, int]] = set()
    for result in results:
        if interrupted:
            seen.add((result.item, result.repeat))
        seconds += result.seconds or 0.0
        for _, case in _cases(evaluation_set, result):
            counts["tests"] += 1
            counts.update(child.tag for child in case if child.tag in _KINDS)
    left = list(_left(evaluation_set, seen, interrupted or 0))
    counts["tests"] += len(left)
    counts["skipped"] += len(left)
    told = {
        "name": _fit(evaluation_set.name),
        "tests": str(counts["tests"]),
        "failures": str(counts["failure"]),
        "errors": str(counts["error"]),
        "skipped": str(counts["skipped"]),
        "time": f"{seconds:.3f}",
    }
    suites, suite = Element("testsuites", told), Element("testsuite", told)
    yield f"{_DECLARED}{_opened(suites)}\n{_opened(suite)}\n"
    stopped = [("interrupted", "true")] if interrupted else []
    if properties := [*stopped, *_properties(evaluation_set, summary)]:
        yield _text(_listed(properties))
    for result in results:
        for _, case in _cases(evaluation_set, result):
            yield _text(case)
    yield from map(_text, left)
    yield "</testsuite>\n</testsuites>\n"


def _cases(evaluation_set: EvaluationSet, result: ItemResult) -> Iterator[tuple[str, Element]]:
    time = f"{result.seconds or 0.0:.3f}"
    where = {"classname": _fit(f"{evaluation_set.id}.{result.item}"), "time": time}
    title = _title(result.name, result.repeat)
    if not result.results:
        yield "", _skipped({**where, "name": _fit(title)}, "the item asks no evaluator")
    for chosen in evaluation_set.evaluators:
        name = chosen.spec.id
        if found := result.results.get(name):
            one = verdict(name, found, chosen.threshold)
            yield name, _case({**where, "name": _fit(f"{title}: {name}")}, one)


def _left(evaluation_set: EvaluationSet, seen: set[tuple[str, int]], repeats: int) -> Iterator[Element]:
    """What an interrupted run did not come to."""
    for item in evaluation_set.items if repeats else ():
        for repeat in range(repeats):
            if (item.id, repeat) not in seen:
                where = {"classname": _fit(f"{evaluation_set.id}.{item.id}"), "time": "0.000"}
                name = _fit(_title(item.name, repeat))
                yield _skipped({**where, "name": name}, "not run: the run was interrupted")


def _title(name: str, repeat: int) -> str:
    return f"{name} (repeat {repeat})" if repeat else name


def _skipped(told: dict[str, str], message: str) -> Element:
    case = Element("testcase", told)
    SubElement(case, "skipped", {"message": message})
    return case


def _case(told: dict[str, str], one: EvaluatorResult) -> Element:
    case = Element("testcase", told)
    extra, score = one["extra"], one["score"]
    status = str(extra.get("status", "graded"))
    rows = [("status", status)] if score is None else [("status", status), ("score", repr(float(score)))]
    case.append(_listed([*rows, *_bar(extra)]))
    message = str(one["comment"] or extra.get("reason") or status)
    if score is None:
        tag = "error" if status in OWED else "skipped"
        _note(case, tag, message, status)
    elif not extra.get("passed", score >= 1):
        _note(case, "failure", message, f"score {float(score):g}")
    return case


def _bar(extra: Mapping[str, Any]) -> list[tuple[str, str]]:
    threshold = extra.get("threshold")
    return [] if threshold is None else [("threshold", repr(threshold))]


def _note(case: Element, tag: str, message: str, kind: str) -> None:
    whole = _fit(message[:_LONGEST])
    note = SubElement(case, tag, {"message": whole.partition("\n")[0], "type": _fit(kind)})
    if tag != "skipped":
        note.text = whole


def _properties(evaluation_set: EvaluationSet, summary: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name in ("score", "coverage", "pass_rate"):
        if summary.get(name) is not None:
            yield name, repr(summary[name])
    for chosen in evaluation_set.evaluators:
        found = summary.get("evaluators", {}).get(chosen.spec.id, {})
        if found.get("score") is not None:
            yield f"score.{chosen.spec.id}", repr(found["score"])


def _listed(rows: Iterable[tuple[str, str]]) -> Element:
    properties = Element("properties")
    for name, value in rows:
        SubElement(properties, "property", {"name": _fit(name), "value": _fit(value)})
    return properties


def _opened(element: Element) -> str:
    """The opening tag of an element."""
    return f"{tostring(element, encoding='unicode', short_empty_elements=False).partition('></')[0]}>"


def _text(element: Element) -> str:
    return f"{tostring(element, encoding='unicode')}\n"


def _fit(text: str) -> str:
    r"""Text as XML can hold it.

    >>> _fit("a\x00b")
    'a\\x00b'
    """
    return _UNFIT.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), text)
