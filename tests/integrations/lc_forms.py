"""The classes of `fieldwise.integrations.langchain` in each surrounding they meet.

- `absent`: langchain-classic cannot be imported, and the classes stand alone.
- `stand_in`: a small module of ours is in its place, with the two bases as it has them.
- `installed`: the real one, where it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cache
from types import ModuleType
from typing import Any
from unittest.mock import patch

from fieldwise.integrations import langchain

PARTS = ("langchain_classic", "langchain_classic.evaluation", "langchain_classic.evaluation.schema")
INSTALLED = importlib.util.find_spec("langchain_classic") is not None
SURROUNDINGS = ("absent", "stand_in", *(("installed",) if INSTALLED else ()))


class StringEvaluator(ABC):
    """Stands in for LangChain's class of this name: abstract where that is."""

    @abstractmethod
    def _evaluate_strings(self, **kwargs: Any) -> dict[str, Any]: ...


class PairwiseStringEvaluator(ABC):
    """Stands in for LangChain's class of this name, and its asynchronous fallback."""

    @abstractmethod
    def _evaluate_string_pairs(self, **kwargs: Any) -> dict[str, Any]: ...


def stand_in() -> dict[str, ModuleType]:
    modules = {name: ModuleType(name) for name in PARTS}
    schema: Any = modules[PARTS[-1]]
    schema.StringEvaluator, schema.PairwiseStringEvaluator = StringEvaluator, PairwiseStringEvaluator
    return modules


@contextlib.contextmanager
def surrounded(surrounding: str) -> Iterator[None]:
    """Make `langchain_classic` importable, or not, for what is made meanwhile."""
    around: dict[str, dict[str, Any]] = {
        "absent": dict.fromkeys(PARTS),
        "stand_in": stand_in(),
        "installed": {},
    }
    with patch.dict(sys.modules, around[surrounding]):
        yield


@cache
def made(name: str, surrounding: str) -> type[Any]:
    """The public class of this name, as it is made in a surrounding."""
    with surrounded(surrounding):
        return langchain._made(name)


def outcome(call: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What a call returns, or the exception it raises as the suite writes it down."""
    try:
        return call()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is compared
        return {"raises": type(error).__name__, "message": str(error)}


def evaluated(evaluator: Any, prediction: Any, **given: Any) -> dict[str, Any]:
    """The outcome of both forms, which have to agree."""
    found = outcome(lambda: evaluator.evaluate_strings(prediction=prediction, **given))
    again = outcome(lambda: asyncio.run(evaluator.aevaluate_strings(prediction=prediction, **given)))
    assert again == found
    assert typed(again) == typed(found)
    return found


def typed(result: dict[str, Any]) -> dict[str, tuple[type[Any], Any]]:
    """A result with its types, because `True == 1`."""
    return {name: (type(value), value) for name, value in result.items()}
