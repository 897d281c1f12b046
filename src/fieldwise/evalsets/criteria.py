"""Which criteria an evaluator has for an item.

| the item says | criteria |
|---|---|
| nothing of the evaluator | SKIP |
| an object | that object, whole: nothing of the default is merged in |
| null or {} | what the item expects as a whole, else the evaluator's default, else NOT_SET |

What an item expects as a whole, its `expectedOutput` or `expectedAgentBehavior`, also completes an object
that leaves it out. An evaluator that needs no criteria has `{}` for a default.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.evalsets.registry.kinds import EXPECTED_BEHAVIOR, EXPECTED_OUTPUT, kind_of

if TYPE_CHECKING:
    from fieldwise.evalsets.model import Chosen, Item


class NoCriteria(Enum):
    """Why an evaluator has no criteria for an item."""

    SKIP = "the item does not name the evaluator"
    NOT_SET = "neither the item nor the evaluator states any"


SKIP: Final = NoCriteria.SKIP
NOT_SET: Final = NoCriteria.NOT_SET


def criteria_of(item: Item, chosen: Chosen) -> Any:
    """Return the criteria of an evaluator for an item, `SKIP`, or `NOT_SET`.

    >>> from fieldwise.evalsets.model import Chosen, Item, Spec
    >>> exact = Chosen(Spec("E", "uipath-exact-match", "E", default={"expectedOutput": 1}))
    >>> criteria_of(Item("i", "i", {}, {"E": None}), exact)
    {'expectedOutput': 1}
    >>> criteria_of(Item("i", "i", {}, {}), exact)
    <NoCriteria.SKIP: 'the item does not name the evaluator'>
    """
    spec = chosen.spec
    if spec.id not in item.criterias:
        return SKIP
    stated = item.criterias[spec.id] or {}
    whole = {} if spec.code is not None else expected_of(item, kind_of(spec.type_id).criteria)
    if stated or whole:
        return {**whole, **stated}
    return NOT_SET if spec.default is None else spec.default


def expected_of(item: Item, key: str) -> dict[str, Any]:
    """Return what an item expects as a whole, as criteria with that key; {} where it says nothing."""
    if key == EXPECTED_OUTPUT and item.expected_output is not MISSING:
        return {key: item.expected_output}
    if key == EXPECTED_BEHAVIOR and item.expected_agent_behavior:
        return {key: item.expected_agent_behavior}
    return {}


def why_not_set(item: Item, chosen: Chosen) -> str:
    """Return the reason of a result that has no criteria."""
    return (
        f"No evaluation criteria provided: item {item.id!r} states none for {chosen.spec.id!r}, "
        "which has no defaultEvaluationCriteria"
    )
