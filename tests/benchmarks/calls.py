"""The rows of tool calls: as many calls as were expected, in another order, and every one of them right.

Two kinds: every call of a tool of its own, with equal arguments; and all calls of one tool, each with one
argument more than expected. Both sides are messages, arguments as text, as agents leave them behind, so
reading them is part of the work. Growth is shown from 250 calls to 4,000; peers stop at 1,000.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any, Final

from tests.benchmarks import peers
from tests.benchmarks.duel import Contestant, duel, race
from tests.benchmarks.table import Line, Note, duration, verdict

COUNT: Final = 1_000
TIMES: Final = 5
"""How often in a row, so that the collector's full passes fall on everyone alike."""
GROWTH: Final = (250, 4_000)
NEAR_LINEAR: Final = 1.5
"""How much more a call may cost among many than among few."""

Call = tuple[str, dict[str, Any]]
Make = Callable[[int], tuple[list[Call], list[Call]]]


def distinct(row: str, repeats: int) -> Iterator[Line | Note]:
    """Every call of a tool of its own, arguments equal."""
    yield from _calls(row, repeats, _distinct, {}, 7.0)


def repeated(row: str, repeats: int) -> Iterator[Line | Note]:
    """Every call of the same tool, the expected arguments within the actual ones."""
    yield from _calls(row, repeats, _repeated, {"tool_args_match_mode": "superset"}, 20.0)


def _calls(
    row: str, repeats: int, make: Make, options: dict[str, Any], target: float
) -> Iterator[Line | Note]:
    options = {"trajectory_match_mode": "unordered", **options}
    ours, theirs = peers.fieldwise_trajectory(**options), peers.openevals_trajectory(**options)
    pairs = [_messages(make, COUNT)] * TIMES

    def contestant(name: str, evaluate: peers.Evaluate, aim: float | None = None) -> Contestant:
        return Contestant(
            name,
            lambda: [evaluate(*one) for one in pairs],
            TIMES,
            lambda found: [bool(one["score"]) for one in found],
            target=aim,
        )

    if theirs is None:
        yield Note(peers.missing("openevals"))
    rivals = [] if theirs is None else [contestant("openevals unordered", theirs, target)]
    yield from duel(row, contestant(f"fieldwise unordered, {COUNT:,} calls", ours), rivals, repeats)
    yield _growth(row, ours, make, repeats)


def _growth(row: str, evaluate: peers.Evaluate, make: Make, repeats: int) -> Line:
    """What a call costs among many, beside what it costs among few."""
    few, many = (_messages(make, count) for count in GROWTH)
    often = GROWTH[1] // GROWTH[0]
    small = Contestant("few", lambda: [evaluate(*few) for _ in range(often)], GROWTH[1])
    large = Contestant("many", lambda: evaluate(*many), GROWTH[1])
    costs = [median(times) for times in race([small, large], repeats)]
    ratio = costs[1] / costs[0]
    label = f"fieldwise: one of {GROWTH[1]:,}, to one of {GROWTH[0]}"
    met = verdict(f"{NEAR_LINEAR} x", met=ratio <= NEAR_LINEAR)
    return Line(row, label, duration(costs[1]), f"{ratio:.2f} x", f"<= {NEAR_LINEAR} x", met)


def _distinct(count: int) -> tuple[list[Call], list[Call]]:
    calls = [(f"tool_{at}", {"query": f"item {at}", "limit": at}) for at in range(count)]
    return calls, _shuffled(calls)


def _repeated(count: int) -> tuple[list[Call], list[Call]]:
    expected = [("search", {"query": f"item {at}"}) for at in range(count)]
    return expected, _shuffled([(name, {**args, "limit": 5}) for name, args in expected])


def _shuffled(calls: list[Call]) -> list[Call]:
    return random.Random(len(calls)).sample(calls, len(calls))  # noqa: S311 - the same for everyone


def _messages(make: Make, count: int) -> tuple[Any, Any]:
    """The outputs and the reference as OpenAI's messages."""
    expected, actual = make(count)
    return _said(actual), _said(expected)


def _said(calls: list[Call]) -> list[dict[str, Any]]:
    made = [
        {"id": f"call_{at}", "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
        for at, (name, args) in enumerate(calls)
    ]
    return [{"role": "user", "content": "go"}, {"role": "assistant", "content": "", "tool_calls": made}]


ROWS: Final = {"calls-distinct": distinct, "calls-repeated": repeated}
