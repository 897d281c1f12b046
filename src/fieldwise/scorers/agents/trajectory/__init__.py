"""Trajectory match: did an agent call the tools that it should have, with the right arguments?

| trajectory_match_mode | true when |
|---|---|
| "strict" | messages are the same, one by one: their roles, and the calls of each |
| "unordered" | every call has its partner on the other side |
| "superset" | every expected call has its partner; more were made |
| "subset" | every call that was made has its partner; more were expected |

| tool_args_match_mode | two calls of a tool are partners when |
|---|---|
| "exact" | their arguments are equal |
| "superset" | the arguments that came hold those expected |
| "subset" | the arguments that came are among those expected |
| "ignore" | always |

1. Partners are found one to one, so that as many calls as can have one do; no order decides.
2. Calls of one message were made at once: their order means nothing, in every mode.
3. What messages say is not compared, and what tools returned neither.
4. Where a side is no conversation, but spans or a list of calls, strict compares the calls decision by
   decision, on both sides.
5. A call with arguments that cannot be read, or without a name, has no partner; in a reference it is a
   fault of the data.

What belongs here: the options, the check of one record, and its score. `pairs` finds partners, `alignment`
lays steps side by side, `reasons` says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

from fieldwise.core.align import by_key
from fieldwise.core.compare import as_number, unfit
from fieldwise.core.display import said, shown
from fieldwise.core.read import Problem
from fieldwise.errors import ConfigError, PathError
from fieldwise.scorers import options
from fieldwise.scorers.agents.attempts import ATTEMPTS, Attempts, attempts
from fieldwise.scorers.agents.matching import ArgsMode, ArgumentPolicy, is_readable
from fieldwise.scorers.agents.names import tool_key
from fieldwise.scorers.agents.planning import CALLS, WHERE, CallOptions, agent_plan, columns
from fieldwise.scorers.agents.reading import read_trajectory
from fieldwise.scorers.agents.trajectory.alignment import Sequences, decisions, messages
from fieldwise.scorers.agents.trajectory.pairs import Pairs
from fieldwise.scorers.agents.trajectory.reasons import bounded, comment
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from fieldwise.scorers.agents.calls import Trajectory
    from fieldwise.scorers.agents.planning import Given
    from fieldwise.scorers.agents.trajectory.reasons import Reason
    from fieldwise.scorers.plan import Plan

TrajectoryMatchMode: TypeAlias = Literal["strict", "unordered", "subset", "superset"]
ToolArgsMatcher: TypeAlias = "Callable[[dict[str, Any], dict[str, Any]], bool]"
ToolArgsMatchOverrides: TypeAlias = "Mapping[str, ArgsMode | Sequence[str] | ToolArgsMatcher]"


@CALLS.named
def trajectory_match(
    *,
    trajectory_match_mode: TrajectoryMatchMode = "strict",
    tool_args_match_mode: ArgsMode = "exact",
    tool_args_match_overrides: ToolArgsMatchOverrides | None = None,
    partial: bool = False,
    feedback_key: str | None = None,
    threshold: float = 1.0,
    **calls: Unpack[CallOptions],
) -> Plan:
    """Check an agent's messages and tool calls against a reference.

    Either side is a list of messages of any provider, an object with `messages`, a list of calls, spans or a
    LangSmith run. Arguments are compared as they are: `{"$any": true}` is a value like any other. For
    wildcards see `tool_call_args`, or name what has to be equal with `tool_args_match_overrides`.

    Args:
        trajectory_match_mode: "strict": message by message; "unordered": the same calls; "superset": the
            calls of the reference and perhaps more; "subset": none but calls of the reference.
        tool_args_match_mode: "exact": equal arguments; "superset": those of the reference and perhaps more;
            "subset": none but those of the reference; "ignore": any. These always say what the agent's
            arguments are to the reference's, whatever the trajectory's mode.
        tool_args_match_overrides: tool to one of those modes; to the keys or paths that have to be there and
            be equal, `["city", "opts.unit"]`; or to `callable(arguments, reference arguments) -> bool`, where
            anything but a yes or a no is not_evaluated. An empty one is none.
        partial: whether the score is the share that matches, in place of a verdict: of the expected calls
            in "superset", of those made in "subset", of the longer side's in "unordered" and "strict". In
            "strict" it is at most the share of the messages that match in order.
        retries: "count" every attempt, or only the "last" one of a call that failed and was made again
            with the same arguments. With either of these two, "strict" compares calls decision by decision,
            not messages.
        calls: which calls are looked at, and where; see `planning.CallOptions`.
        feedback_key: replaces `trajectory_<mode>_match` as the key.
        threshold: what a partial score has to reach to have passed; in (0, 1].

    Returns:
        One result, True or False; with `partial` a float in 0..1. What does not match is in the comment, and
        in `extra["differences"]` as a list: `step`, `at`, `tool`, `argument`, `expected`, `got`, `reason`.
        `extra` counts the calls that have a partner as `matched`, and all of them as `calls` and
        `expected_calls`. What is no trajectory is `invalid_output`, False, or `invalid_reference`, None.

    Raises:
        ConfigError: for a wrong option, naming it, its value and the fix.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_trajectory_match_evaluator(trajectory_match_mode="unordered")
        >>> result = evaluate(
        ...     outputs=[{"role": "assistant", "tool_calls": [{"name": "web", "args": {"q": "llamas"}}]}],
        ...     reference_outputs={"tool_calls": [{"name": "web", "args": {"q": "llamas 2024"}}]},
        ... )
        >>> result["score"], result["comment"]
        (False, 'step 0, tool web, argument q: expected "llamas 2024", got "llamas"')
    """
    mode: TrajectoryMatchMode = options.one_of(
        "trajectory_match_mode", trajectory_match_mode, TrajectoryMatchMode
    )
    where = columns(**WHERE.pick(calls))
    matching = _Matching(
        mode,
        ArgumentPolicy(options.one_of("tool_args_match_mode", tool_args_match_mode, ArgsMode)),
        _overrides(tool_args_match_overrides),
        attempts(**ATTEMPTS.pick(calls)),
        partial=options.flag("partial", partial),
        decode_twice=where.decode_twice,
    )
    plan = agent_plan(
        f"trajectory_{mode}_match",
        matching.check,
        where,
        feedback_key=feedback_key,
        threshold=options.threshold("threshold", threshold),
        worst=0.0 if partial else False,
        criteria=matching.reference,
    )
    return replace(plan, name="trajectory_match")


def _overrides(given: Any) -> dict[str, ArgumentPolicy]:
    """Return how the arguments of each tool compare that has a way of its own."""
    found = {}
    for tool, value in options.mapping("tool_args_match_overrides", given).items():
        option = f"tool_args_match_overrides[{shown(tool)}]"
        if value is None or (isinstance(value, str | Sequence) and not value):
            continue
        if isinstance(value, str):
            word: Any = value
            found[tool_key(tool)] = ArgumentPolicy(options.one_of(option, word, ArgsMode))
        elif isinstance(value, Sequence | set | frozenset):
            try:
                found[tool_key(tool)] = ArgumentPolicy(keys=by_key(*options.names(option, value)))
            except PathError as error:
                raise ConfigError(f"{option}: {error}") from None
        elif callable(value):
            problem = unfit(value)
            if problem:
                named = str(getattr(value, "__name__", type(value).__name__))
                raise ConfigError(
                    f"{option}={named}: {problem}; give a callable(arguments, reference_arguments) -> bool"
                )
            found[tool_key(tool)] = ArgumentPolicy(matcher=_verdict(option, value))
        else:
            raise ConfigError(
                f"{option}={shown(value)}: must be a mode ('exact', 'ignore', 'subset', 'superset'), a list "
                "of keys or paths, or a callable(arguments, reference_arguments) -> bool"
            )
    return found


def _verdict(option: str, matcher: Callable[..., object]) -> ToolArgsMatcher:
    """A matcher of which anything but a yes or a no keeps a record from being graded."""

    def matches(actual: dict[str, Any], expected: dict[str, Any]) -> bool:
        found = matcher(actual, expected)
        if found is not True and found is not False:
            plain = as_number(found)
            if plain not in {0.0, 1.0}:
                reason = f"{option} returned {shown(found)}; it must be True or False"
                raise Unfit(reason, "not_evaluated")
            found = plain == 1.0
        return found

    return matches


# ----------------------------------------------------------------------------------------------- check


@dataclass(slots=True)
class _Found:
    """What a comparison came to.

    Attributes:
        matched: how many calls have a partner.
        share: how much of it matches; 1.0: all.
        reasons: why not all, as far as they are kept; no reason: it all matches.
        more: how many reasons there are besides.
        note: what was bounded, or None.
    """

    matched: int = 0
    share: float = 1.0
    reasons: list[Reason] = field(default_factory=list)
    more: int = 0
    note: str | None = None


@dataclass(frozen=True, slots=True)
class _Matching:
    """The checked options, and the check of one record."""

    mode: TrajectoryMatchMode
    policy: ArgumentPolicy
    overrides: dict[str, ArgumentPolicy]
    attempts: Attempts
    partial: bool
    decode_twice: bool

    def reference(self, _: Any, reference: Any) -> Trajectory:
        """Read the reference.

        Raises:
            Unfit: for what is no trajectory, or has a call that nothing can equal.
        """
        found = read_trajectory(reference, "reference_outputs", decode_twice=self.decode_twice)
        if isinstance(found, Problem):
            raise Unfit(found.reason, found.status)
        for call in found.calls:
            if not is_readable(call):
                problem = call.problem or "tool call without name"
                raise Unfit(f"reference_outputs: {problem} at {call.at}", "invalid_reference")
        return found

    def check(self, given: Given) -> Grade:
        """Compare one record."""
        expected, actual = (self._counted(side) for side in (given.reference, given.trajectory))
        try:
            found = self._strict(expected, actual) if self.mode == "strict" else self._bag(expected, actual)
        except Unfit:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a user's callable raises is a status
            raise Unfit(f"tool_args_match_overrides: {said(error)}", "not_evaluated") from None
        extra: dict[str, Any] = {
            "matched": found.matched,
            "calls": len(actual.calls),
            "expected_calls": len(expected.calls),
        }
        if found.note:
            extra["pairing"] = found.note
        right = not found.reasons
        if not right:
            extra["differences"] = found.reasons
            extra |= {"more_differences": found.more} if found.more else {}
        told = None if right else comment(found.reasons, found.more)
        return Grade(found.share if self.partial else right, told, extra=extra)

    def _counted(self, side: Trajectory) -> Trajectory:
        """A side with the calls that count; its messages are none then, if any does not."""
        if self.attempts == Attempts():
            return side
        return replace(side, calls=self.attempts.of(side.calls), turns=None)

    def _rule(self, key: str) -> ArgumentPolicy:
        return self.overrides.get(key, self.policy)

    def _bag(self, expected: Trajectory, actual: Trajectory) -> _Found:
        """Compare all calls of one side with all of the other."""
        pairs = Pairs(expected.calls, actual.calls, self._rule)
        lost = pairs.found.missing if self.mode != "subset" else []
        surplus = pairs.found.unexpected if self.mode != "superset" else []
        reasons, more = bounded(pairs.reasons(lost, surplus))
        matched, sizes = len(pairs.found.pairs), (len(expected.calls), len(actual.calls))
        whole = {"superset": sizes[0], "subset": sizes[1]}.get(self.mode, max(sizes))
        return _Found(matched, _share(matched, whole), reasons, more, pairs.found.note)

    def _strict(self, expected: Trajectory, actual: Trajectory) -> _Found:
        """Compare message by message, or decision by decision."""
        wanted, came = messages(expected), messages(actual)
        if wanted is None or came is None:
            wanted, came = decisions(expected, actual)
        sequences = Sequences(wanted, came, self._rule)
        reasons, more = bounded(sequences.reasons())
        matched, steps = sequences.counts()
        calls = _share(matched, max(len(expected.calls), len(actual.calls)))
        share = min(calls, _share(steps, max(len(wanted), len(came))))
        return _Found(matched, share, reasons, more, sequences.note)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
