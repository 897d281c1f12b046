"""The feedback keys of an evaluator, where LangSmith looks for them: in its source.

LangSmith announces the keys of an experiment before it begins, and when an evaluator raises it writes a row
for each. It finds them by reading the source of the function for `{"key": "…"}`. The keys of ours depend on
its options, so each evaluator names as the function it wraps one whose source is written when it is read.
`inspect.signature` must not follow that, so the evaluator states its own.
"""

from __future__ import annotations

import inspect
import itertools
import keyword
import linecache
import weakref
from functools import partial
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.flow import drive

if TYPE_CHECKING:
    from collections.abc import Callable

    from fieldwise.scorers.plan import Plan

_NUMBERS: Final = itertools.count(1)


def known_keys(plan: Plan) -> list[str]:
    """Return the keys that do not depend on the record: those of no reference and of some other alike.

    >>> from fieldwise import create_json_match_evaluator
    >>> from fieldwise.evaluators._lifts import PLAN
    >>> known_keys(getattr(create_json_match_evaluator(aggregator="all"), PLAN))
    ['json_match:all']
    """
    other = keys_without_outputs(plan, None, {"": None})
    return [key for key in keys_without_outputs(plan, None, MISSING) if key in other]


def keys_without_outputs(plan: Plan, inputs: Any, reference: Any) -> list[str]:
    """Return the keys of a record that nothing came out for."""
    card = drive(plan.flow(inputs, MISSING, reference), None)
    return [result["key"] for result in card.results()]


def announce(evaluate: Callable[..., Any], plan: Plan) -> None:
    """Make the source of an evaluator say its keys; its name alone where they depend on the record."""
    file = f"fieldwise evaluator {next(_NUMBERS)}: {plan.name}"
    code = _shown.__code__.replace(co_filename=file, co_firstlineno=1)
    function: Any = evaluate
    function.__signature__ = inspect.signature(evaluate)
    function.__wrapped__ = FunctionType(code, {}, evaluate.__name__)
    linecache.cache[file] = (partial(_source, plan),)  # read by linecache when somebody asks for the text
    weakref.finalize(evaluate, linecache.cache.pop, file, None)


def _shown(**_: Any) -> None:
    """What stands for the evaluator; never called."""


def _source(plan: Plan) -> str:
    name = plan.name if plan.name.isidentifier() and not keyword.iskeyword(plan.name) else "evaluate"
    try:
        rows = [{"key": key} for key in known_keys(plan)]
    except Exception:  # noqa: BLE001 - announcing is no reason to fail
        rows = []
    returned = f'{{"results": {rows}}}' if rows else "..."
    return f"def {name}(*, outputs, reference_outputs=None, inputs=None):\n    return {returned}\n"
