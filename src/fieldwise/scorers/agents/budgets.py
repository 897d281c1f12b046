"""Budgets of a run: time, errors, tokens, and the order of its spans.

Each looks at the moments a run left behind (`timeline`): spans, or LangSmith runs. The bound is an option, or
comes with the reference, `{"maxMs": 500}`, which then counts. Where there is nothing to measure, no span of
that name, one that has not ended, a model call that says nothing of its tokens, nothing is passed: the
result is `not_evaluated`, unless what was measured is over the bound already. Spans may stand beside what
else a run left, `{"messages": …, "spans": …}`.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Unpack

from fieldwise.core.display import one_line, shown
from fieldwise.core.shared_options import Shared
from fieldwise.errors import ConfigError
from fieldwise.scorers import options
from fieldwise.scorers.agents.ordering.lcs import longest_common
from fieldwise.scorers.agents.planning import columns
from fieldwise.scorers.agents.reading.loose import has
from fieldwise.scorers.agents.spans.bounds import (
    NAMES,
    as_json,
    bound,
    budget_plan,
    named,
    pattern_of,
    some,
    stated,
    whole,
    within,
)
from fieldwise.scorers.agents.spans.measures import (
    MOST_LISTED,
    SAYING,
    Of,
    duration,
    listed,
    matching,
    tokens_used,
)
from fieldwise.scorers.agents.spans.ties import tied
from fieldwise.scorers.agents.spans.timeline import below, read_moments
from fieldwise.scorers.agents.spans.usage import Kind
from fieldwise.scorers.sides import Unfit
from fieldwise.scorers.single import Grade

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.scorers.plan import Plan


class SpanKeys(options.Keys, total=False):
    """Which value of each side is meant.

    Attributes:
        outputs_key: the key or path of the spans in the outputs; unless stated, the key `spans`, or all.
        correct_answer_key: the key or path of the bound, or the order, in the reference outputs, else the
            inputs.
    """


SPAN_KEYS: Final = Shared[SpanKeys](SpanKeys, {}, options.KEYS)


@SPAN_KEYS.named
def latency_budget(
    *,
    max_ms: float | None = None,
    span: str | None = None,
    of: Of = "slowest",
    feedback_key: str = "latency_budget",
    **keys: Unpack[SpanKeys],
) -> Plan:
    """Check how long a run, or some spans of it, took.

    Args:
        max_ms: the most milliseconds; None: the reference's `max_ms` or `maxMs`, or the reference itself.
        span: the name of the spans to measure, or a pattern with `*`; None: the whole run, from the first
            start to the last end.
        of: of several spans: the slowest, the sum of all, or the one that started first.
        keys: where both sides stand; see `SpanKeys`.
        feedback_key: replaces the name as the key.

    Returns:
        One result, True or False. The comment has the time and the bound; `extra` has `measured_ms`,
        `max_ms` and each span's `ms`.

    Raises:
        ConfigError: an option has a wrong type or value.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_latency_budget_evaluator(max_ms=5, span="search*")
        >>> spans = [{"name": "search_web", "start_time": 0, "end_time": 4_000_000, "attributes": {}}]
        >>> evaluate(outputs=spans)["score"]
        True
    """
    most = None if max_ms is None else options.weight("max_ms", max_ms)
    wanted = None if span is None else pattern_of("span", span)
    of = options.one_of("of", of, Of)

    def check(outputs: Any, reference: Any) -> Grade:
        limit = bound("max_ms", most, reference)
        moments = read_moments(outputs)
        if wanted is not None and span is not None:
            moments = matching(moments, wanted, span)
        measured, open_ = duration(moments, None if span is None else of)
        what = "the run" if span is None else f"span {shown(span)}"
        extra = {"measured_ms": measured, "max_ms": limit, **listed(moments)}
        return within(measured, limit, (what, "ms"), extra, open_)

    where = columns(**SPAN_KEYS.complete(keys))
    return budget_plan("latency_budget", check, where, feedback_key, needs_reference=max_ms is None)


@SPAN_KEYS.named
def span_order(
    *,
    order: Sequence[str] | None = None,
    strict: bool = False,
    only: str | Sequence[str] | None = None,
    feedback_key: str = "span_order",
    threshold: float = 1.0,
    **keys: Unpack[SpanKeys],
) -> Plan:
    """Check the order in which spans started.

    Args:
        order: the names in the order expected; None: the reference's `order` or `spanOrder`, or the
            reference itself.
        strict: whether the spans have to be exactly these. Otherwise the score is the share of `order` in
            the longest common subsequence with the names there are; further spans cost nothing. Spans that
            started at once may come in any order, but for one that holds the others: it is first.
        only: names, or patterns with `*`, of the spans that are looked at; None: all.
        keys: where both sides stand; see `SpanKeys`.
        feedback_key: replaces the name as the key.
        threshold: what the score has to reach to have passed.

    Returns:
        One result with a score in 0..1; 1.0 or 0.0 when strict. `extra` has both orders.

    Raises:
        ConfigError: an option has a wrong type or value.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_span_order_evaluator(order=["search", "answer"])
        >>> spans = [{"name": "answer", "start_time": 2, "attributes": {}},
        ...          {"name": "search", "start_time": 1, "attributes": {}}]
        >>> evaluate(outputs=spans)["score"]
        1.0
    """
    known = None if order is None else options.names("order", order)
    if known == [] or isinstance(order, set | frozenset):
        raise ConfigError(f"order={shown(order)}: must be a list of at least one span's name")
    patterns = None if only is None else [pattern_of("only", one) for one in some("only", only)]
    strict = options.flag("strict", strict)

    def check(outputs: Any, reference: Any) -> Grade:
        expected = _order(known, reference)
        moments = read_moments(outputs)
        if any(one.start is None for one in moments):
            raise Unfit("some spans have no start, so there is no order", "not_evaluated")
        actual = [
            sorted(one.name for one in group if patterns is None or named(one, patterns))
            for group in tied(moments)
        ]
        return _ordered(expected, [group for group in actual if group], strict=strict)

    where = columns(**SPAN_KEYS.complete(keys))
    bar = options.threshold("threshold", threshold)
    return budget_plan(
        "span_order", check, where, feedback_key, needs_reference=order is None, threshold=bar, worst=0.0
    )


@SPAN_KEYS.named
def error_budget(
    *,
    max_errors: int | None = 0,
    ignore: str | Sequence[str] | None = None,
    feedback_key: str = "error_budget",
    **keys: Unpack[SpanKeys],
) -> Plan:
    """Check how many spans failed.

    A failure that is passed up is one failure: a span with an error is counted if none of the spans
    directly below it has one. Spans that share an id and differ are all counted, and so are those of which
    each is below the next, in a ring.

    Args:
        max_errors: the most failures; None: the reference's `max_errors` or `maxErrors`, or the reference
            itself.
        ignore: names, or patterns with `*`, of spans whose failure is no failure.
        keys: where both sides stand; see `SpanKeys`.
        feedback_key: replaces the name as the key.

    Returns:
        One result, True or False. The comment has the number, the bound and the first errors; `extra` has
        `measured_errors`, `max_errors`, and each error.

    Raises:
        ConfigError: an option has a wrong type or value.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_error_budget_evaluator(max_errors=0)
        >>> span = {"name": "search", "start_time": 1, "attributes": {}, "status": {"status_code": "ERROR"}}
        >>> evaluate(outputs=[span])["score"]
        False
    """
    most = None if max_errors is None else whole("max_errors", max_errors)
    patterns = [pattern_of("ignore", one) for one in some("ignore", ignore)]

    def check(outputs: Any, reference: Any) -> Grade:
        limit = bound("max_errors", most, reference)
        moments = read_moments(outputs)
        wrong = {one.id: one for one in moments if one.error is not None and not named(one, patterns)}
        tree = below(moments)
        counted = [
            one for one in wrong.values() if not any(inner.id in wrong for inner in tree.get(one.id, ()))
        ]
        extra = {
            "measured_errors": len(counted),
            "max_errors": limit,
            "errors": [{"name": one.name, "error": one.error} for one in counted[:MOST_LISTED]],
        }
        told = "".join(f"; {shown(one.name)}: {one.error}" for one in counted[:3])
        grade = within(len(counted), limit, ("the run", "errors"), extra)
        grade.comment = one_line(f"{grade.comment}{told}", 2 * NAMES)
        return grade

    where = columns(**SPAN_KEYS.complete(keys))
    return budget_plan("error_budget", check, where, feedback_key, needs_reference=max_errors is None)


@SPAN_KEYS.named
def token_budget(
    *,
    max_tokens: int | None = None,
    kind: Kind = "total",
    feedback_key: str = "token_budget",
    **keys: Unpack[SpanKeys],
) -> Plan:
    """Check how many tokens the model calls of a run used.

    Read from spans (`llm.token_count.*`, `gen_ai.usage.*`, else the usage in the message or response that a
    model call's `output.value` holds) and LangSmith runs; where they say nothing, from the `usage_metadata`
    or `usage` of messages. What a span says of itself is not added to what those below it say: the
    greater of the two counts, for a parent's count sums up its children's. Digits in a text are a count.

    A model call that says nothing lets nothing pass, and so does a count that cannot be read: the result is
    `not_evaluated`, unless what is known is over the bound already. Of messages that is one that a model
    wrote and that has no usage where others have it.

    Args:
        max_tokens: the most tokens; None: the reference's `max_tokens` or `maxTokens`, or the reference
            itself.
        kind: which tokens: "total", "input" or "output".
        keys: where both sides stand; see `SpanKeys`.
        feedback_key: replaces the name as the key.

    Returns:
        One result, True or False. The comment has the number and the bound; `extra` has `measured_tokens`,
        `max_tokens`, `kind`, and what each span says.

    Raises:
        ConfigError: an option has a wrong type or value.

    Example:
        >>> import fieldwise
        >>> evaluate = fieldwise.create_token_budget_evaluator(max_tokens=100)
        >>> answer = {"role": "assistant", "usage": {"prompt_tokens": 90, "completion_tokens": 20}}
        >>> evaluate(outputs=[answer])["score"]
        False
    """
    most = None if max_tokens is None else whole("max_tokens", max_tokens)
    kind = options.one_of("kind", kind, Kind)

    def check(outputs: Any, reference: Any) -> Grade:
        limit = bound("max_tokens", most, reference)
        told, used, open_ = tokens_used(outputs, kind)
        if used is None:
            raise Unfit(open_ or f"nothing says how many tokens were used; {SAYING}", "not_evaluated")
        extra = {"measured_tokens": used, "max_tokens": limit, "kind": kind, "spans": told[:MOST_LISTED]}
        unit = "tokens" if kind == "total" else f"{kind} tokens"
        return within(used, limit, ("the run", unit), extra, open_)

    where = columns(**SPAN_KEYS.complete(keys))
    return budget_plan("token_budget", check, where, feedback_key, needs_reference=max_tokens is None)


# ------------------------------------------------------------------------------------------------ order


def _order(known: list[str] | None, reference: Any) -> list[str]:
    """The order expected: the reference's, else the option."""
    option = "order" if has(reference, "order") else "span_order"
    said = stated(option, known, reference)
    said = said if said is known else as_json(said)
    if type(said) is not list or not said or not all(isinstance(one, str) for one in said):
        raise Unfit(f"the reference is no list of span names: {shown(reference)}", "invalid_reference")
    return list(said)


def _ordered(expected: list[str], actual: list[list[str]], *, strict: bool) -> Grade:
    """Grade names in groups that have no order."""
    listed = [group[0] if len(group) == 1 else group[:MOST_LISTED] for group in actual[:MOST_LISTED]]
    count = sum(map(len, actual))
    extra: dict[str, Any] = {"expected": expected, "actual": listed, "span_count": count}
    if strict:
        score, told = float(count == len(expected) and _fits(expected, actual)), "exactly"
    else:
        common = longest_common([[one] for one in expected], actual)
        score, told = common.length / len(expected), f"{common.length} of {len(expected)} in order"
        extra["matched"] = common.length
        if common.bounded:
            extra["bounded"] = True
    names = [one_line(", ".join(map(shown, side)), NAMES) for side in (expected, listed)]
    comment = f"{told}: expected {names[0]}; got {names[1] or 'none'}"
    return Grade(score, comment if score < 1 else None, extra=extra)


def _fits(expected: list[str], actual: list[list[str]]) -> bool:
    """Whether names are those of groups, in order."""
    names = iter(expected)
    return all(sorted(islice(names, len(group))) == group for group in actual)
