"""Did the agent call each tool as often as was expected?

Each operator is evaluated by itself, whatever else was called or not: `["=", 0]` holds where there are no
calls at all. Only counts that ask for nothing are compared as a whole: no calls are 1.0, any are 0.0.
"""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, Unpack

from fieldwise.core.display import shown
from fieldwise.core.equality import preview
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.agents.attempts import ATTEMPTS, attempts
from fieldwise.scorers.agents.criteria import (
    REFERENCE,
    Wrong,
    of_option,
    of_record,
    opened,
    snake,
    tool_name,
    whole,
)
from fieldwise.scorers.agents.names import tool_key
from fieldwise.scorers.agents.ordering.made import LISTED, Made, short
from fieldwise.scorers.agents.ordering.rules import EVERY
from fieldwise.scorers.agents.planning import CALLS, WHERE, CallOptions, agent_plan, columns
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fieldwise.scorers.agents.planning import Given
    from fieldwise.scorers.plan import Plan

Others: TypeAlias = Literal["allow", "forbid"]

_OPERATORS: Final[dict[str, Callable[[int, int], bool]]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_TOLD: Final = 5
"""How many counts that do not hold a comment tells."""


@CALLS.named
def tool_call_count(
    *,
    counts: Mapping[str, Any] | None = None,
    strict: bool = False,
    others: Others = "allow",
    feedback_key: str = "tool_call_count",
    threshold: float = 1.0,
    **calls: Unpack[CallOptions],
) -> Plan:
    """Compare how often an agent called its tools with how often it should have.

    The outputs are what the agent left behind: messages, calls, spans or a run. The reference is an object,
    alone or as `{"toolCallsCount": {...}}`: to each tool `[operator, number]`, the operator one of `=`,
    `==`, `!=`, `>`, `<`, `>=`, `<=`, or a number, which has to be equal. The name `"*"` counts every call.
    Names are equal as written, or as model APIs write them ("Get Weather" is "Get_Weather"); a name that
    no call has may be the id of one.

    The score is the share of the counts that hold. No counts and no calls are 1.0, no counts and calls 0.0.

    Args:
        counts: the counts, for every record; None: the reference says.
        strict: 1.0 only when all hold, else 0.0.
        others: "allow" calls of tools that are not named; "forbid" them: each such tool that is called is
            one more count that does not hold.
        calls: which calls are looked at, and where; see `planning.CallOptions`.
        feedback_key: replaces `tool_call_count` as the key.
        threshold: what the score has to reach to have passed, above 0.

    Returns:
        One result with a score in [0, 1]. The comment says which counts do not hold; None at full marks.
        `extra` has `actual`, the calls of each tool, and `violated`: tool, expected, got; both show the first
        hundred. The score is None where the reference holds no counts.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_tool_call_count_evaluator()
        >>> result = evaluate(outputs=["search", "search"], reference_outputs={"search": ["=", 1], "*": 2})
        >>> result["score"], result["comment"]
        (0.5, "1 of 2 counts hold; 'search': expected = 1, got 2")
    """
    which = attempts(**ATTEMPTS.pick(calls))
    grader = _Grader(options.flag("strict", strict), options.one_of("others", others, Others) == "forbid")
    if counts is not None and calls.get("correct_answer_key") is not None:
        raise ConfigError("counts and correct_answer_key are both given: pass one of them")
    fixed = None if counts is None else of_option(_read, counts, "counts")

    def check(given: Given) -> Grade:
        wanted = of_record(_read, given.reference) if fixed is None else fixed
        return grader.grade(
            wanted, Made(which.of(given.trajectory.calls), expected=[one.tool for one in wanted])
        )

    return agent_plan(
        "tool_call_count",
        check,
        columns(**WHERE.pick(calls)),
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        requires_reference=fixed is None,
    )


@dataclass(frozen=True, slots=True)
class _Count:
    """How often a tool should be called."""

    tool: str
    sign: str
    number: int

    def __str__(self) -> str:
        return f"{self.sign} {self.number}"


def _read(value: Any, where: str) -> list[_Count]:
    """Read counts."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str) and snake(key) == "tool_calls_count":
                place = f"{where}.{key}"
                value, where = opened(inner, place), place
                break
    if not isinstance(value, dict):
        example = '{"search": ["=", 1]}'
        raise Wrong(f"{where}: {preview(value)} must be an object of tools and counts, {example}")
    return [_count(tool, spec, f"{where}[{shown(tool)}]") for tool, spec in value.items()]


def _count(tool: Any, spec: Any, where: str) -> _Count:
    pair = list(spec) if isinstance(spec, list | tuple) else ["=", spec]
    if len(pair) != 2 or isinstance(spec, dict):  # noqa: PLR2004 - a pair
        inside = isinstance(spec, dict) and where.startswith(REFERENCE)
        hint = f"; if the counts are in it, pass correct_answer_key={tool!r}" if inside else ""
        raise Wrong(f"{where}: {preview(spec)} must be an operator and a number, ['=', 1]{hint}")
    sign, number = pair
    if not isinstance(sign, str) or sign.strip() not in _OPERATORS:
        raise Wrong(f"{where}: the operator {preview(sign)} must be one of {', '.join(_OPERATORS)}")
    return _Count(tool_name(tool, where), sign.strip(), whole(number, where))


@dataclass(frozen=True, slots=True)
class _Grader:
    """Grades calls, as the options say."""

    strict: bool
    forbids: bool

    def grade(self, wanted: Sequence[_Count], made: Made) -> Grade:
        """Grade the calls that were made by how many there should be."""
        tally = Counter(call.name or "" for call in made.calls)
        actual = {short(name): found for name, found in tally.most_common(LISTED)}
        if not wanted:
            return _nothing_asked(len(made.calls), actual)
        broken = [(one.tool, str(one), found) for one in wanted if (found := _unlike(one, made)) is not None]
        extra = _unnamed(wanted, made) if self.forbids else []
        total, held = len(wanted) + len(extra), len(wanted) - len(broken)
        broken += [(name, "no calls", found) for name, found in extra]
        violated = [{"tool": short(name), "expected": says, "got": got} for name, says, got in broken]
        score = float(held == total) if self.strict else held / total
        return Grade(
            score, _comment(held, total, broken), extra={"actual": actual, "violated": violated[:LISTED]}
        )


def _nothing_asked(calls: int, actual: dict[str, int]) -> Grade:
    were = "1 call was" if calls == 1 else f"{calls} calls were"
    comment = f"no counts are asked for, and {were} made" if calls else None
    return Grade(float(not calls), comment, extra={"actual": actual, "violated": []})


def _unlike(count: _Count, made: Made) -> int | None:
    """How many calls there are, where the count does not hold."""
    found = len(made.calls) if count.tool == EVERY else len(made.of(count.tool))
    return None if _OPERATORS[count.sign](found, count.number) else found


def _unnamed(wanted: Sequence[_Count], made: Made) -> list[tuple[str, int]]:
    """The tools that were called and are not named, and how often."""
    named = {at for count in wanted if count.tool != EVERY for at in made.of(count.tool)}
    keys: dict[str, tuple[str, int]] = {}
    for at, call in enumerate(made.calls):
        if at not in named:
            name, before = keys.get(tool_key(call.name or ""), (call.name or "", 0))
            keys[tool_key(name)] = name, before + 1
    return list(keys.values())


def _comment(held: int, total: int, broken: list[tuple[str, str, int]]) -> str | None:
    if not broken:
        return None
    said = f"{held} of {total} counts hold"
    told = [f"{shown(name)}: expected {says}, got {got}" for name, says, got in broken[:_TOLD]]
    more = [f"and {len(broken) - _TOLD} more"] if len(broken) > _TOLD else []
    return "; ".join([said, *told, *more])
