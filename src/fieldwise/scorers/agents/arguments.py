"""Did the agent call its tools with the right arguments?

What belongs here: the options and what they mean. How calls pair is `matching`; how the arguments of two
calls compare is `verdicts`; what the options say of each tool is `tool_rules`; how a record becomes a
grade is `call_scores`; what is said about it is `call_report`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.agents.attempts import ATTEMPTS, attempts
from fieldwise.scorers.agents.comparing.call_scores import CallScores, Scoring
from fieldwise.scorers.agents.comparing.expected_calls import expected_by
from fieldwise.scorers.agents.comparing.tool_rules import Unknown, tool_rules
from fieldwise.scorers.agents.comparing.weighing import Measure
from fieldwise.scorers.agents.matching import ArgsMode
from fieldwise.scorers.agents.planning import CALLS, WHERE, CallOptions, agent_plan, columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fieldwise._types import CompareCallable, ListMode
    from fieldwise.core.align import ByKey
    from fieldwise.core.compare import Comparator
    from fieldwise.core.flow import Judge
    from fieldwise.scorers.plan import Plan


class ArgumentCalls(options.Values, CallOptions, total=False):
    """Which calls are looked at, where they stand, and how their arguments are read."""


ARGUMENTS: Final = Shared[ArgumentCalls](ArgumentCalls, {}, options.VALUES, CALLS)


@ARGUMENTS.named
def tool_call_args(
    *,
    tool_calls: Sequence[Mapping[str, Any]] | Mapping[str, Any] | None = None,
    strict: bool = False,
    subset: bool = False,
    mode: ArgsMode | None = None,
    scoring: Scoring = "all_or_nothing",
    measure: Measure = "recall",
    comparators: Mapping[str, Mapping[str, Comparator | CompareCallable | str]] | None = None,
    lists: Mapping[str, Mapping[str, ListMode | ByKey]] | None = None,
    rubric: Mapping[str, Mapping[str, str]] | None = None,
    judge: Judge | Any | None = None,
    model: str | None = None,
    schemas: Mapping[str, Any] | Sequence[Any] | None = None,
    unknown_arguments: Unknown = "report",
    ignore_if: Mapping[str, Any] | None = None,
    optional: Mapping[str, Sequence[str]] | None = None,
    feedback_key: str = "tool_call_args",
    threshold: float = 1.0,
    **calls: Unpack[ArgumentCalls],
) -> Plan:
    """Compare the arguments of an agent's tool calls with those expected: the share of calls that are right.

    The outputs are anything an agent leaves behind: messages, a list of calls, spans, a run. The reference is
    the calls expected, `[{"name": "search", "args": {"q": "x"}}]` or `{"toolCalls": […]}` (`arguments` for
    `args` as well), or another trajectory. Calls pair one to one within each tool, in whatever order they
    were made, so that the most fit; calls beyond those expected are free. Nothing expected and nothing done
    is 1; one of them without the other 0. Arguments that cannot be read are right for nothing.

    In place of a value, an expected argument may be `{"$any": true}` (any value, but there has to be one),
    `{"$any_of": [x, y]}`, or `{"$literal": x}` for a value that looks like one of these. What only begins
    like one, `{"$anyof": [x]}`, is a fault of the reference.

    Options that speak of arguments are mappings from tool to argument or path: `{"search": {"filter.lang":
    "text"}}`. `"*"` is any tool.

    Args:
        tool_calls: the calls expected of every record; None: the reference says.
        strict: 1 if every expected call is right, else 0.
        subset: the expected arguments have to lie within the actual ones, at every depth, instead of being
            equal to them. Lists have the same length.
        mode: the same and more, in the words of OpenEvals: "exact" equal; "superset" the actual ones hold
            those expected (`subset=True`); "subset" the expected ones hold the actual; "ignore" any.
        scoring: "all_or_nothing" for a call; "graded" credits the share of its arguments that are right.
        measure: of what the score is the share: "recall" the calls (arguments) expected, "precision" those
            that came, "f1" both.
        comparators: what grades unequal values: a comparator, its name, or `callable(expected, actual)`.
        lists: how lists pair: "ordered" (unless stated), "same_elements", "subset", "superset", `by_key`.
        rubric: what makes a text right; a judge decides, once for all, where everything else is.
        judge: answers the rubric.
        model: the name of a model that answers it, instead of `judge`.
        schemas: tool to the JSON Schema of its arguments, a pydantic model or a LangChain tool; or a list of
            LangChain tools. Arguments left out are what the schema declares as default.
        unknown_arguments: what an argument that the schema does not have is: "report" lists it,
            "forbid" makes the call wrong, "allow" says nothing.
        ignore_if: argument to a value with which it may come, or be left out, without being spoken of:
            `{"search": {"page": 1}}`, or of any tool, `{"page": 1}`. An object under a name is both, a tool's
            and the value of an argument.
        optional: tool to arguments that are compared only when they come.
        retries: "count" every attempt, or only the "last" one of a call that failed and was made again
            with the same arguments, as the other options read them.
        calls: which calls are looked at, and where; see `ArgumentCalls`.
        feedback_key: replaces `tool_call_args` as the key.
        threshold: what the score has to reach to have passed; in (0, 1].

    Returns:
        One result with a score in 0..1. `extra` has `calls` and `arguments`, each with `expected`, `actual`,
        `right`, `precision`, `recall` and `f1`, and `report`, what became of each expected call.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_tool_call_args_evaluator()
        >>> result = evaluate(
        ...     outputs=[{"name": "search", "args": {"q": "llamas", "n": 5}}],
        ...     reference_outputs=[{"name": "search", "args": {"q": "llamas"}}],
        ... )
        >>> result["score"], result["comment"]
        (0.0, '0 of 1 calls right: call 0 (search), argument n: got 5, not expected')
    """
    rules = tool_rules(
        _mode(mode, subset=options.flag("subset", subset)),
        comparators=comparators,
        lists=lists,
        rubric=rubric,
        optional=optional,
        ignore_if=ignore_if,
        schemas=schemas,
        unknown_arguments=unknown_arguments,
        **options.VALUES.pick(calls),
    )
    options.judged_as_asked(
        judge, model, asked=rules.judged, given="rubric", fix="rubric={'tool': {'argument': 'what is right'}}"
    )
    scores = CallScores(
        rules,
        attempts(**ATTEMPTS.pick(calls)),
        options.one_of("measure", measure, Measure),
        graded=options.one_of("scoring", scoring, Scoring) == "graded",
        strict=options.flag("strict", strict),
    )
    where = columns(**WHERE.pick(calls))
    plan = agent_plan(
        "tool_call_args",
        scores.check,
        where,
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        requires_reference=tool_calls is None,
        criteria=expected_by("tool_calls", tool_calls, decode_twice=where.decode_twice),
    )
    return replace(plan, judge=judge, model=model)


def _mode(mode: Any, *, subset: bool) -> ArgsMode:
    """How arguments have to relate, as either of two options says."""
    if mode is None:
        return "superset" if subset else "exact"
    found: ArgsMode = options.one_of("mode", mode, ArgsMode)
    if subset and found != "superset":
        raise ConfigError(
            f"mode={found!r} and subset=True contradict each other; subset=True is mode='superset'"
        )
    return found
