"""Did the agent's tools give back what was expected?

An output is compared like an argument: a call is made into one with the sole argument `output`, so that
everything `call_scores` does is done here as well. What is particular to outputs:

1. Text that is a JSON object or array, or a Python one (`{'unit': 'C'}`), is that value; other text is text.
2. Where a tool gave back, or is expected to give back, a number, a boolean or null, texts that read as one
   are one: many frameworks hand every output on as text. A text in quotes is the text in them.
3. A call without an output is what no expected output equals.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise._types import MISSING
from fieldwise.core.display import shown
from fieldwise.core.parse import Parsed
from fieldwise.core.select import compile_path
from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.agents.attempts import ATTEMPTS, AttemptOptions, attempts
from fieldwise.scorers.agents.comparing.call_scores import CallScores, nothing_to_pair
from fieldwise.scorers.agents.comparing.expected_calls import expected_by
from fieldwise.scorers.agents.comparing.tool_rules import tool_rules
from fieldwise.scorers.agents.comparing.weighing import Measure
from fieldwise.scorers.agents.names import both_keys
from fieldwise.scorers.agents.planning import agent_plan, columns
from fieldwise.scorers.agents.reading.texts import whole_json
from fieldwise.scorers.sides import Unfit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise.core.flow import Flow, Judge
    from fieldwise.scorers.agents.calls import ToolCall
    from fieldwise.scorers.agents.planning import Given
    from fieldwise.scorers.plan import Plan
    from fieldwise.scorers.single import Grade

OUTPUT: Final = "output"
_LONGEST: Final = 10_000
"""Longer texts are what they are."""


class OutputCalls(options.Values, AttemptOptions, options.Keys, total=False):
    """Which calls are looked at, where they stand, and how their outputs are read."""


OUTPUTS: Final = Shared[OutputCalls](OutputCalls, {}, options.VALUES, ATTEMPTS, options.KEYS)


@OUTPUTS.named
def tool_call_output(
    *,
    tool_outputs: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
    strict: bool = False,
    subset: bool = False,
    measure: Measure = "recall",
    comparators: Mapping[str, Any] | None = None,
    lists: Mapping[str, Any] | None = None,
    rubric: Mapping[str, Any] | None = None,
    judge: Judge | Any | None = None,
    model: str | None = None,
    feedback_key: str = "tool_call_output",
    threshold: float = 1.0,
    **calls: Unpack[OutputCalls],
) -> Plan:
    """Compare what an agent's tools gave back with what was expected: the share of outputs that came.

    The outputs are anything an agent leaves behind: messages, a list of calls with `output`, spans, a run.
    The reference is the outputs expected, `[{"name": "search", "output": "none found"}]` or
    `{"toolOutputs": […]}`, or another trajectory, of which calls without an output do not count. Calls pair
    one to one within each tool, in whatever order they were made, so that the most fit; calls beyond those
    expected are free. Nothing expected and nothing done is 1; one of them without the other 0.

    Text that is a JSON or Python object or array is compared as that. An expected output, or anything in it,
    may be `{"$any": true}`, `{"$any_of": [x, y]}` or `{"$literal": x}`, as in `tool_call_args`.

    Args:
        tool_outputs: the outputs expected of every record; None: the reference says.
        strict: 1 if every expected output came, else 0.
        subset: an expected object has to lie within the actual one, at every depth, instead of being equal.
        measure: of what the score is the share: "recall" the outputs expected, "precision" those that
            came, "f1" both.
        comparators: tool, or "*" for any, to what grades unequal outputs; or to a mapping from path in the
            output to that. A comparator, its name, or `callable(expected, actual)`.
        lists: the same for how lists pair: "ordered" (unless stated), "same_elements", "subset", "superset",
            `by_key`.
        rubric: the same for what makes a text right; a judge decides, once for all.
        judge: answers the rubric.
        model: the name of a model that answers it, instead of `judge`.
        calls: which calls are looked at, and where; see `OutputCalls`.
        feedback_key: replaces `tool_call_output` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1. `extra` has `calls`, with `expected`, `actual`, `right`,
        `precision`, `recall` and `f1`, and `report`, what became of each expected output.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_tool_call_output_evaluator()
        >>> result = evaluate(
        ...     outputs=[{"name": "get_temperature", "args": {}, "output": '{"unit": "C", "value": 21}'}],
        ...     reference_outputs=[{"name": "get_temperature", "output": "{'value': 20, 'unit': 'C'}"}],
        ... )
        >>> result["score"], result["comment"]
        (0.0, '0 of 1 outputs right: call 0 (get_temperature), output.value: expected 20, got 21')
    """
    rules = tool_rules(
        "superset" if options.flag("subset", subset) else "exact",
        comparators=_below("comparators", comparators),
        lists=_below("lists", lists),
        rubric=_below("rubric", rubric),
        **options.VALUES.pick(calls),
    )
    options.judged_as_asked(
        judge, model, asked=rules.judged, given="rubric", fix="rubric={'tool': 'what makes it right'}"
    )
    scores = CallScores(
        rules,
        attempts(**ATTEMPTS.pick(calls)),
        options.one_of("measure", measure, Measure),
        graded=False,
        strict=options.flag("strict", strict),
        part="",
        what="outputs",
    )
    plan = agent_plan(
        "tool_call_output",
        _Outputs(scores).check,
        columns(**options.KEYS.pick(calls)),
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        requires_reference=tool_outputs is None,
        criteria=expected_by("tool_outputs", tool_outputs, part="output"),
    )
    return replace(plan, judge=judge, model=model)


def _below(option: str, value: Any) -> Any:
    """What is said of outputs, said of places in the sole argument that an output becomes."""
    from collections.abc import Mapping

    if not isinstance(value, Mapping):
        return value
    found = {}
    for tool, said in value.items():
        named = f"{option}[{shown(tool)}]"
        words = said if isinstance(said, Mapping) else {"$": said}
        found[tool] = {_path_below(named, path): word for path, word in words.items()}
    return found


def _path_below(option: str, path: Any) -> Any:
    """A path in an output as a path in the arguments."""
    from fieldwise.core.select import join

    try:
        selector = compile_path(path)
    except PathError as error:
        raise ConfigError(f"{option}: {error}") from None
    if selector.query is not None:
        raise ConfigError(f"{option}: {shown(path)} searches; name a place with names, indices and [*]")
    text = f"$['{OUTPUT}']"
    for step in selector.steps:
        text += (
            f"[{step}]"
            if isinstance(step, int)
            else join("", step)
            if not isinstance(step, str)
            else _quoted(step)
        )
    return text


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{escaped}']"


@dataclass(frozen=True, slots=True)
class _Outputs:
    """The check of one record: its calls made into calls with an output as their argument."""

    scores: CallScores

    def check(self, given: Given) -> Grade | Flow[Grade]:
        expected = [call for call in given.reference if call.output is not MISSING]
        if given.reference and not expected:
            raise Unfit("reference_outputs: no call in it has an output", "invalid_reference")
        actual = self.scores.attempts.of(given.trajectory.calls)
        if not expected or not actual:
            return nothing_to_pair(len(expected), len(actual))
        names = both_keys(expected, actual)[0]
        values = [
            (name, call.output)
            for calls, named in zip((expected, actual), names, strict=True)
            for call, name in zip(calls, named, strict=True)
        ]
        loose = {
            name
            for name, value in values
            if not isinstance(value, str | dict | list) and value is not MISSING
        }
        sides = [
            [_as_argument(call, loose=name in loose) for call, name in zip(calls, named, strict=True)]
            for calls, named in zip((expected, actual), names, strict=True)
        ]
        return self.scores.scored(*sides)


def _as_argument(call: ToolCall, *, loose: bool) -> ToolCall:
    """A call with its output as its sole argument; with `loose`, a text that reads as a number is one."""
    if call.output is MISSING:
        return replace(call, args={}, problem="no output")
    value = _plain(call.output, loose=loose) if isinstance(call.output, str) else call.output
    return replace(call, args={OUTPUT: value}, problem=None)


def _plain(text: str, *, loose: bool) -> Any:
    """The text that a quoted text is; with `loose`, the number, boolean or null; else the text."""
    if len(text) > _LONGEST or not (loose or text.strip().startswith('"')):
        return text
    found = whole_json(text)
    kept = (str, int, float, bool, NoneType, Decimal) if loose else str
    return found.value if isinstance(found, Parsed) and isinstance(found.value, kept) else text
