"""A reader of written histories, and what it is to find: both sides as the same plain records."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from fieldwise._types import MISSING
from fieldwise.scorers.agents.calls import ToolCall, Trajectory

NOTHING: dict[str, Any] = {"nothing": "no messages and no tool calls were recorded"}


def read(text: str) -> list[dict[str, Any]]:
    """The lines of a history; each has to be one JSON object whose members differ."""
    return [json.loads(line, object_pairs_hook=distinct) for line in text.split("\n")]


def distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs), pairs
    return dict(pairs)


def told(trajectory: Trajectory, answer: Any = MISSING) -> list[dict[str, Any]]:
    """What a history that is shown whole has to say."""
    sizes = Counter(call.group for call in trajectory.calls)
    turns = trajectory.turns or ()
    answered = {turn.call_id for turn in turns} - {None}
    spoken = [call for turn in turns for call in turn.calls]
    lines: list[dict[str, Any]] = []
    for number, turn in enumerate(turns, 1):
        before = [call for one in turns[:number] for call in one.calls]
        asked = [call for call in before if call.id is not None and call.id == turn.call_id]
        line: dict[str, Any] = {"turn": number, "role": turn.role}
        line |= {"name": turn.name, "answers": turn.call_id}
        line["failed"] = bool(asked and asked[-1].failed) or None
        line["content"] = turn.content
        line["calls"] = [call_told(call, sizes, shown=call.id in answered) for call in turn.calls] or None
        lines.append({name: value for name, value in line.items() if value is not None})
    for number, call in enumerate(trajectory.calls[len(spoken) :], 1):
        lines.append({"call": number, **call_told(call, sizes, shown=False)})
    lines = lines or [NOTHING]
    return lines if answer is MISSING else [*lines, {"final_answer": answer}]


def call_told(call: ToolCall, sizes: Counter[int], *, shown: bool) -> dict[str, Any]:
    line: dict[str, Any] = {"name": call.name}
    if call.id is not None:
        line["id"] = call.id
    if sizes[call.group] > 1:
        line["group"] = call.group
    if call.failed:
        line["failed"] = True
    if call.problem is None:
        line["arguments"] = call.args
    else:
        line["arguments_problem"] = call.problem
    if call.output is not MISSING and not shown:
        line["output"] = call.output
    return line


def whole(cut: dict[str, Any], text: str) -> bool:
    """Whether a content that is cut says of this text what it says."""
    kind = "json_" if "json_start" in cut else ""
    start, end = cut[f"{kind}start"], cut[f"{kind}end"]
    missing = int(cut["left_out"].removesuffix(" characters").replace(",", ""))
    return text.startswith(start) and text.endswith(end) and len(start) + len(end) + missing == len(text)


def names(lines: list[dict[str, Any]]) -> Counter[Any]:
    """The names of the calls that a history tells of, wherever it does."""
    found: Counter[Any] = Counter()
    for line in lines:
        found.update(call["name"] for call in line.get("calls", []))
        if "call" in line:
            found[line["name"]] += 1
        gap = line.get("left_out", {})
        for name, number in gap.get("calls_in_order", gap.get("calls_by_name", [])):
            found[name] += number
    return found
