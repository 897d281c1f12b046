"""The evaluators of a set as plans, and the metrics some of them have over the data set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fieldwise._types import MISSING
from fieldwise.core.flow import drive
from fieldwise.errors import ConfigError
from fieldwise.evalsets.registry import make_plan

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fieldwise._types import Results
    from fieldwise.evalsets.model import Chosen
    from fieldwise.scorers.plan import Plan


def blank(plan: Plan) -> Results:
    """Return what a plan gives for no record at all, which names its keys."""
    return drive(plan.flow(None, MISSING, MISSING), None).results()


def summarises(chosen: Chosen) -> bool:
    """Whether an evaluator has metrics of its own over the data set."""
    if chosen.spec.code is not None:
        return False
    try:
        return make_plan(chosen, None).summarise is not None
    except ConfigError:  # it cannot do without a judge, and whoever judges has no such metrics
        return False


def metrics(chosen: Chosen, records: Iterable[Results]) -> Results:
    """Return the metrics of an evaluator over its results for many items, the one that is its score first."""
    plan = make_plan(chosen, None)
    return [] if plan.summarise is None else plan.summarise(blank(plan), records)
