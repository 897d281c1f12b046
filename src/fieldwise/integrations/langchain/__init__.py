"""LangChain: string evaluators under LangChain's names, with its dicts, warnings and errors.

>>> from fieldwise.integrations.langchain import JsonEqualityEvaluator
>>> evaluator = JsonEqualityEvaluator()
>>> evaluator.evaluate_strings('{"a": 1}', reference='{"a": 1}')
{'score': True}
>>> evaluator.evaluate_strings('{"a": 1}', reference='{"a": 2}')
{'score': False}

Rules of this package:
1. A class answers as LangChain's of the same name, unless that breaks a law of fieldwise; the departures
   are the rows of `tests/cases/departures_langchain.json`.
2. Errors are LangChain's: text that is no JSON raises `json.JSONDecodeError`, a missing reference
   `ValueError`. Evaluators that never raise are the `create_*_string_evaluator` of fieldwise.
3. Where langchain-classic is installed the classes are subclasses of its own; it is never required.

How it works. Each class is written in a private module here, on no base at run time. `__getattr__` makes
the public class of it when it is first asked for, with LangChain's classes as further bases where they
can be imported. Type checkers see the written class, with those bases.
"""

from __future__ import annotations

from types import new_class
from typing import TYPE_CHECKING, Any, Final

from fieldwise.integrations.langchain._load import load_evaluator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.integrations.langchain._distance import (
        PairwiseStringDistanceEvalChain,
        StringDistanceEvalChain,
    )
    from fieldwise.integrations.langchain._json import (
        JsonEditDistanceEvaluator,
        JsonEqualityEvaluator,
        JsonValidityEvaluator,
    )
    from fieldwise.integrations.langchain._schema import JsonSchemaEvaluator
    from fieldwise.integrations.langchain._text import ExactMatchStringEvaluator, RegexMatchStringEvaluator

__all__ = [
    "ExactMatchStringEvaluator",
    "JsonEditDistanceEvaluator",
    "JsonEqualityEvaluator",
    "JsonSchemaEvaluator",
    "JsonValidityEvaluator",
    "PairwiseStringDistanceEvalChain",
    "RegexMatchStringEvaluator",
    "StringDistanceEvalChain",
    "load_evaluator",
]

_WRITTEN_IN: Final[dict[str, str]] = {
    "ExactMatchStringEvaluator": "_text",
    "JsonEditDistanceEvaluator": "_json",
    "JsonEqualityEvaluator": "_json",
    "JsonSchemaEvaluator": "_schema",
    "JsonValidityEvaluator": "_json",
    "PairwiseStringDistanceEvalChain": "_distance",
    "RegexMatchStringEvaluator": "_text",
    "StringDistanceEvalChain": "_distance",
}


def __getattr__(name: str) -> Any:
    if name in _WRITTEN_IN:
        made = globals()[name] = _made(name)
        return made
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _made(name: str) -> type[Any]:
    """Make the public class: the written one, and those bases of LangChain's that are installed."""
    from importlib import import_module

    written = getattr(import_module(f"{__name__}.{_WRITTEN_IN[name]}"), name)
    described = {"__module__": __name__, "__doc__": written.__doc__}
    return new_class(name, (written, *_bases(written)), exec_body=lambda space: space.update(described))


def _bases(written: type[Any]) -> Iterator[type[Any]]:
    from importlib import import_module

    for place in written.LANGCHAIN_BASES:
        module, _, name = place.partition(":")
        try:
            yield getattr(import_module(module), name)
        except ImportError:  # langchain-classic is not installed: the class stands alone
            continue
