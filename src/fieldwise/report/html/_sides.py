"""Expected beside got: which criteria of an item are what its output should be, and which say other things.

`{"expectedOutput": x}` and `{"expectedClass": x}` say it. So does a value that is no such envelope, where the
output is of its kind: an object that shares a name with it, a list, a text. A classifier's results say what
came. Every other criterion, text to search for or an order of calls, is shown as it is. Criteria of several
evaluators that are equal are one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.equality import canonical
from fieldwise.report.html._text import aligned, plain, pretty
from fieldwise.report.html._verdicts import extra_of

if TYPE_CHECKING:
    from fieldwise.evalsets.model import ItemResult

NO_ANSWER: Final = "(no answer)"
ENVELOPES: Final = ("expectedOutput", "expected_output", "expectedClass", "expected_class")
_OTHERS: Final = frozenset(
    {
        *("searchText", "search_text", "toolCallsOrder", "tool_calls_order", "toolCalls", "tool_calls"),
        *("toolCallsCount", "tool_calls_count", "toolCallOutputs", "tool_call_outputs", "toolOutputs"),
        *("tool_outputs", "expectedAgentBehavior", "expected_agent_behavior"),
    }
)


@dataclass(slots=True)
class Sides:
    """What an item shows of its output.

    Attributes:
        output: the output as JSON, its names in the order of what was expected.
        shown: the same as text.
        compared: evaluators, what they expect, what came, each as text.
        others: evaluators and their criteria of other kinds, as text.
    """

    output: Any
    shown: str
    compared: list[tuple[list[str], str, str]]
    others: list[tuple[list[str], str]]


def sides(result: ItemResult) -> Sides:
    """Return what is to be compared, and the other criteria."""
    output = plain(result.output)
    compared: dict[str, tuple[list[str], Any, Any]] = {}
    others: dict[str, tuple[list[str], Any]] = {}
    for name, given in result.criteria.items():
        criteria = plain(given)
        if criteria is None or criteria == {}:
            continue
        expected, got = _labels(result, name) or _compared(criteria, output)
        if expected is MISSING:
            others.setdefault(canonical(criteria), ([], criteria))[0].append(name)
        else:
            compared.setdefault(canonical([expected, got]), ([], expected, got))[0].append(name)
    model = next((expected for _, expected, got in compared.values() if got is output), None)
    found = aligned(output, model)
    return Sides(
        found,
        shown(result, found),
        [
            (names, pretty(expected), shown(result, aligned(got, expected)))
            for names, expected, got in compared.values()
        ],
        [(names, pretty(criteria)) for names, criteria in others.values()],
    )


def shown(result: ItemResult, output: Any) -> str:
    """Return an output, or a part of it, as text; what did not answer did not answer null."""
    return NO_ANSWER if result.outcome != "ok" and result.output is None else pretty(output)


def _labels(result: ItemResult, name: str) -> tuple[Any, Any] | None:
    """What a classifier read on both sides."""
    for one in result.results.get(name, ()):
        extra = extra_of(one)
        if "expected_class" in extra and "predicted_class" in extra:
            return plain(extra["expected_class"]), plain(extra["predicted_class"])
    return None


def _compared(criteria: Any, output: Any) -> tuple[Any, Any]:
    """What is expected and what came of it; a scalar says nothing of which part of an object it is."""
    expected = expectation(criteria, output)
    got = counterpart(output, expected)
    scalar = not isinstance(expected, dict | list)
    return (MISSING, got) if scalar and isinstance(got, dict | list) else (expected, got)


def expectation(criteria: Any, output: Any) -> Any:
    """Return what the output should be; MISSING where criteria do not say.

    >>> expectation({"expectedOutput": 5}, None), expectation({"searchText": "x"}, "x")
    (5, MISSING)
    """
    if isinstance(criteria, dict):
        for name in ENVELOPES:
            if name in criteria:
                return criteria[name]
        told = isinstance(output, dict) and not _OTHERS & criteria.keys() and criteria.keys() & output.keys()
        return criteria if told else MISSING
    if isinstance(criteria, list | str):
        return criteria if type(counterpart(output, criteria)) is type(criteria) else MISSING
    return criteria


def counterpart(output: Any, expected: Any) -> Any:
    """Return the part of an output that an expected value is of: the sole value of an object, or all.

    >>> counterpart({"output": "Paris"}, "Rome"), counterpart({"a": 1}, {"a": 2})
    ('Paris', {'a': 1})
    """
    if isinstance(output, dict) and len(output) == 1 and not isinstance(expected, dict):
        return next(iter(output.values()))
    return output
