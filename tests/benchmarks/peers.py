"""The peers that are installed, each as its own documentation calls it. One that is absent is skipped.

Rules: a peer is imported only when a row asks for it, and a missing one yields None; `missing` says what to
install. Options are chosen so that a peer does the same work, never so that it is slow.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Any, Final

Evaluate = Callable[[Any, Any], Any]
"""`(outputs, reference) -> what the peer returns`."""

EXTRAS: Final = {"openevals": "fieldwise", "autoevals": "fieldwise[bench]"}
"""Peer to what brings it."""


def installed(name: str) -> bool:
    return find_spec(name) is not None


def missing(name: str) -> str:
    return f"{name} is not installed, so its part is skipped: pip install '{EXTRAS[name]}'"


def version_of(name: str) -> str:
    try:
        return version(name)
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


def fieldwise(**options: Any) -> Evaluate:
    """Ours, called through the same kind of lambda."""
    from fieldwise import create_json_match_evaluator

    evaluate = create_json_match_evaluator(**options)
    return lambda outputs, reference: evaluate(outputs=outputs, reference_outputs=reference)
