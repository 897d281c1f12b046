"""The peers that are installed, each as its own documentation calls it. One that is absent is skipped.

Rules: a peer is imported only when a row asks for it, and a missing one yields None; `missing` says what to
install. Options are chosen so that a peer does the same work, never so that it is slow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Final

Evaluate = Callable[[Any, Any], Any]
"""`(outputs, reference) -> what the peer returns`."""

EXTRAS: Final = {
    "openevals": "fieldwise",
    "autoevals": "fieldwise[bench]",
    "deepdiff": "fieldwise[bench]",
    "stickler": "fieldwise[bench]",
}
"""Peer to what brings it."""

DISTRIBUTIONS: Final = {"stickler": "stickler-eval", "langchain": "langchain-classic"}
"""Peer to the name it is installed by, where that is another."""


def installed(name: str) -> bool:
    return find_spec(name) is not None


def missing(name: str) -> str:
    return f"{name} is not installed, so its part is skipped: pip install '{EXTRAS[name]}'"


def version_of(name: str) -> str:
    try:
        return version(DISTRIBUTIONS.get(name, name))
    except PackageNotFoundError:
        return "not installed"


def openevals(**options: Any) -> Evaluate | None:
    """The evaluator of the same name in openevals."""
    if not installed("openevals"):
        return None
    from openevals.json import create_json_match_evaluator

    evaluate = create_json_match_evaluator(**options)
    return lambda outputs, reference: evaluate(outputs=outputs, reference_outputs=reference)


def autoevals() -> Evaluate | None:
    """JSONDiff without parsing text as JSON: its fastest form."""
    if not installed("autoevals"):
        return None
    from autoevals import JSONDiff

    differ = JSONDiff(preserve_strings=True)
    return lambda outputs, reference: differ.eval(output=outputs, expected=reference)


def deepdiff() -> Evaluate | None:
    """DeepDiff that pairs list elements whatever their order, also where few are equal."""
    if not installed("deepdiff"):
        return None
    from deepdiff import DeepDiff

    return lambda outputs, reference: DeepDiff(
        reference, outputs, ignore_order=True, cutoff_intersection_for_pairs=1, cutoff_distance_for_pairs=1
    )


def stickler(top: Sequence[str], text: Sequence[str], numbers: Sequence[str]) -> Callable[[Any], Any] | None:
    """What makes its model of an invoice; text by Levenshtein similarity, numbers by relative difference.

    Args:
        top: the text fields of an invoice; its other fields are compared exactly.
        text: the text fields of an item.
        numbers: the numeric fields of an item.
    """
    if not installed("stickler"):
        return None
    from pydantic import create_model
    from stickler import (
        ComparableField,
        ExactComparator,
        LevenshteinComparator,
        NumericComparator,
        StructuredModel,
    )

    def fields(names: Sequence[str], comparator: Any) -> dict[str, Any]:
        return {name: (Any, ComparableField(comparator=comparator, default=None)) for name in names}

    near, same = LevenshteinComparator(), ExactComparator()
    item = create_model(
        "Item",
        __base__=StructuredModel,
        **fields(text, near),
        **fields(numbers, NumericComparator(relative_tolerance=0.01)),
    )
    item.match_threshold = 0.0
    invoice = create_model(
        "Invoice",
        __base__=StructuredModel,
        **fields(top, near),
        **fields(("total", "quantity", "paid", "discount"), same),
        items=(list[item], ComparableField(default=None)),  # type: ignore[valid-type]
    )
    return lambda record: invoice(**record)


def stickler_model(value: Any, name: str = "Record") -> Any:
    """Return its model of a record, whose values are compared exactly; objects within are models too."""
    from pydantic import create_model
    from stickler import ComparableField, ExactComparator, StructuredModel

    def typed(key: str, member: Any) -> Any:
        if isinstance(member, dict):
            return stickler_model(member, key), ComparableField(default=None)
        if isinstance(member, list) and all(isinstance(one, dict) for one in member):
            keys = {key: inner for one in member for key, inner in one.items()}
            return list[stickler_model(keys, key)], ComparableField(default=None)  # type: ignore[misc]
        return Any, ComparableField(comparator=ExactComparator(), default=None)

    return create_model(
        name, __base__=StructuredModel, **{key: typed(key, member) for key, member in value.items()}
    )


def fieldwise(**options: Any) -> Evaluate:
    """Ours, called through the same kind of lambda."""
    from fieldwise import create_json_match_evaluator

    evaluate = create_json_match_evaluator(**options)
    return lambda outputs, reference: evaluate(outputs=outputs, reference_outputs=reference)


def openevals_trajectory(**options: Any) -> Evaluate | None:
    """openevals' evaluator of trajectories."""
    if not installed("openevals"):
        return None
    from openevals.trajectory.match import create_trajectory_match_evaluator

    evaluate: Any = create_trajectory_match_evaluator(**options)
    return lambda outputs, reference: evaluate(outputs=outputs, reference_outputs=reference)


def fieldwise_trajectory(**options: Any) -> Evaluate:
    """Ours of the same name."""
    from fieldwise.evaluators.trajectories import create_trajectory_match_evaluator

    evaluate = create_trajectory_match_evaluator(**options)
    return lambda outputs, reference: evaluate(outputs=outputs, reference_outputs=reference)
