"""What the budgets of a run have in common: a plan, a bound, the comparison, and patterns of names."""

from __future__ import annotations

import re
from dataclasses import replace
from fnmatch import translate
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise._types import MISSING
from fieldwise.core.conversion import to_json
from fieldwise.core.display import one_line, shown
from fieldwise.core.read import Problem
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.agents.planning import NO_OUTPUTS, graded_plan, unread
from fieldwise.scorers.agents.reading.loose import field, has, is_mapping
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fieldwise.scorers.agents.planning import Columns, Given
    from fieldwise.scorers.agents.spans.timeline import Moment
    from fieldwise.scorers.plan import Plan

Check: TypeAlias = "Callable[[Any, Any], Grade]"
"""`(outputs, reference) -> grade`; raises `Unfit`."""

_MOST: Final = 10**18
_LONGEST: Final = 1_000
"""How many characters a pattern may have: making one takes time that grows with their square."""
NAMES: Final = 300
"""How many characters of names a message lists."""


def budget_plan(
    name: str,
    check: Check,
    where: Columns,
    feedback_key: str,
    *,
    needs_reference: bool,
    threshold: float = 1.0,
    worst: float | bool = False,
) -> Plan:
    """Make a plan whose evaluator returns one result, without asking anybody.

    Args:
        name: the evaluator's name.
        check: grades one record.
        where: which columns are read.
        feedback_key: the key of its results.
        needs_reference: whether the bound can only come from there.
        threshold: what the score has to reach to have passed.
        worst: the score of an output that is not there.
    """

    def work(record: Given) -> Grade:
        taken = where.take(record.inputs, record.outputs, record.reference)
        if isinstance(taken, Problem):
            return unread(taken, worst=worst)
        return unread(NO_OUTPUTS, worst=worst) if taken[0] is MISSING else check(*taken)

    return replace(graded_plan(name, work, feedback_key, threshold), requires_reference=needs_reference)


def within(
    measured: float | None,
    limit: float,
    told: tuple[str, str],
    extra: Mapping[str, Any],
    open_: str | None = None,
) -> Grade:
    """Compare with the bound; what is still open keeps a run from passing, not from failing."""
    fits = measured is not None and measured <= limit
    unit = told[1].removesuffix("s") if measured == 1 and told[1] != "ms" else told[1]
    if open_ is not None and (fits or measured is None):
        return Grade(None, open_, "not_evaluated", extra)
    return Grade(fits, f"{told[0]}: {_number(measured)} {unit}, at most {_number(limit)}", extra=extra)


def _number(value: float | None) -> str:
    return f"{value:,.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else f"{value:,}"


def bound(option: str, given: float | None, reference: Any) -> Any:
    """Return the bound: the reference's, else the option.

    Raises:
        Unfit: there is none, or it is no number.
    """
    said = stated(option, given, reference)
    if said is given and given is not None:
        return given
    said = as_json(said)
    try:
        return options.weight(option, said) if option == "max_ms" else whole(option, said)
    except ConfigError as error:
        raise Unfit(f"the reference's {error}", "invalid_reference") from None


def stated(option: str, given: Any, reference: Any) -> Any:
    """Return what a reference says of an option, in either spelling, or by itself; else the option.

    Raises:
        Unfit: neither says anything.

    >>> stated("max_ms", 5, {"maxMs": 7}), stated("max_ms", 5, "Paris"), stated("max_ms", None, 9)
    (7, 5, 9)
    """
    camel = to_camel(option)
    if is_mapping(reference):
        for key in (option, camel):
            if has(reference, key):
                return field(reference, key)
        if given is None:
            reason = f"the reference names neither {option} nor {camel}: {shown(reference)}"
            raise Unfit(reason, "invalid_reference")
    if given is None and reference is MISSING:
        raise Unfit(f"no {option}: neither the evaluator nor a reference names one", "not_evaluated")
    return reference if given is None else given


def as_json(said: Any) -> Any:
    """Return what a reference says as JSON.

    Raises:
        Unfit: it has no JSON form.
    """
    try:
        return to_json(said)
    except Unconvertible as error:
        raise Unfit(f"reference_outputs: {error}", "invalid_reference") from None


def to_camel(name: str) -> str:
    """Return a name in snake_case as camelCase.

    >>> to_camel("max_tokens")
    'maxTokens'
    """
    first, *more = name.split("_")
    return first + "".join(map(str.capitalize, more))


def whole(option: str, value: Any) -> int:
    """Return a whole number from 0 up, that can be written."""
    if isinstance(value, bool) or not isinstance(value, int) or int(value) < 0:
        raise ConfigError(f"{option}={shown(value)}: must be a whole number from 0 up")
    if int(value) > _MOST:
        raise ConfigError(f"{option}={shown(value)}: must be a whole number of at most {_MOST:,}")
    return int(value)


def some(option: str, value: Any) -> list[str]:
    """Return names: a list, or one by itself."""
    return [value] if isinstance(value, str) else options.names(option, value)


def pattern_of(option: str, text: Any) -> re.Pattern[str]:
    """Return a name as a pattern: `*`, `?` and `[…]` stand for others, and it always matches itself."""
    name = options.text(option, text)
    if len(name) > _LONGEST:
        raise ConfigError(
            f"{option}={shown(name)}: must be of at most {_LONGEST:,} characters, is of {len(name):,}"
        )
    return re.compile(f"{translate(name)}|{re.escape(name)}\\Z", re.DOTALL)


def named(one: Moment, patterns: Iterable[re.Pattern[str]]) -> bool:
    """Whether a moment has one of the names."""
    return any(pattern.match(one.name) for pattern in patterns)


def names_of(names: Iterable[str]) -> str:
    """Return names, each once, for people."""
    return one_line(", ".join(dict.fromkeys(map(shown, names))), NAMES)
