"""`load_evaluator`: a string evaluator by its name.

LangChain's names come first, and give the classes of this package; every other string evaluator of
fieldwise goes by its own name, `json_match` for `create_json_match_string_evaluator`. Those of LangChain's
that ask a model are LangChain's own, and refused with the way to them.
"""

from __future__ import annotations

import inspect
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import nearest, shown
from fieldwise.errors import ConfigError
from fieldwise.integrations.langchain._base import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable

_CLASSES: Final[dict[str, str]] = {
    "exact_match": "ExactMatchStringEvaluator",
    "json_edit_distance": "JsonEditDistanceEvaluator",
    "json_equality": "JsonEqualityEvaluator",
    "json_schema_validation": "JsonSchemaEvaluator",
    "json_validity": "JsonValidityEvaluator",
    "pairwise_string_distance": "PairwiseStringDistanceEvalChain",
    "regex_match": "RegexMatchStringEvaluator",
    "string_distance": "StringDistanceEvalChain",
}
_ASKED: Final[dict[str, str]] = {
    **dict.fromkeys(("embedding_distance", "pairwise_embedding_distance"), "an embedding model"),
    **dict.fromkeys(
        (
            "context_qa",
            "cot_qa",
            "criteria",
            "labeled_criteria",
            "labeled_pairwise_string",
            "labeled_score_string",
            "pairwise_string",
            "qa",
            "score_string",
            "trajectory",
        ),
        "a language model",
    ),
}
_ROOT: Final = "fieldwise"
_BEFORE, _AFTER = "create_", "_string_evaluator"


def load_evaluator(evaluator: str, *, llm: Any = None, **options: Any) -> Any:
    """Return a new string evaluator.

    Args:
        evaluator: LangChain's name or `EvaluatorType`, or the name of any string evaluator of fieldwise.
        llm: no evaluator here takes one; accepted as None, as LangChain's function has it.
        **options: the options of the class or of the factory.

    Raises:
        ConfigError: for an unknown name, listing all and naming the nearest; for one that needs a model;
            for an unknown, missing or wrong option.

    >>> load_evaluator("json_equality").evaluate_strings('{"a": 1}', reference='{"a": 1.0}')
    {'score': True}
    """
    name = getattr(evaluator, "value", evaluator)
    if isinstance(name, str) and name in _ASKED:
        raise ConfigError(
            f"load_evaluator({name!r}): it needs {_ASKED[name]}; load it with"
            " langchain_classic.evaluation.load_evaluator, or let a judge decide:"
            " load_evaluator('json_match', rubric={…}, judge=…)"
        )
    create = _factory(name)
    if llm is not None:
        raise ConfigError(f"load_evaluator({name!r}): it takes no llm; {_without_llm(create)}")
    _checked(name, create, options)
    return create(**options)


def _factory(name: Any) -> Callable[..., Any]:
    known = {**_ours(), **dict.fromkeys(_CLASSES)}
    if not isinstance(name, str) or name not in known:
        close = nearest(name, known) if isinstance(name, str) else None
        hint = f"did you mean {close!r}? " if close else ""
        names = ", ".join(sorted(known))
        raise ConfigError(f"load_evaluator({shown(name)}): there is no such evaluator; {hint}known: {names}")
    if name in _CLASSES:
        from fieldwise.integrations import langchain

        return getattr(langchain, _CLASSES[name])  # type: ignore[no-any-return]
    with suppress(ImportError):  # where it is installed, ours are registered with it
        import_module(SCHEMA)
    return getattr(import_module(_ROOT), f"{_BEFORE}{name}{_AFTER}")  # type: ignore[no-any-return]


def _ours() -> dict[str, None]:
    """The names of fieldwise's string evaluators: looked up where users find them, so none is missing."""
    public = import_module(_ROOT).__all__
    names = [one for one in public if one.startswith(_BEFORE) and one.endswith(_AFTER)]
    return dict.fromkeys(one.removeprefix(_BEFORE).removesuffix(_AFTER) for one in names)


def _without_llm(create: Callable[..., Any]) -> str:
    takes_judge = "judge" in inspect.signature(create).parameters
    return "pass it as judge=" if takes_judge else "no model is asked, so leave it out"


def _checked(name: str, create: Callable[..., Any], options: dict[str, Any]) -> None:
    """Refuse options that the class or factory does not have, or misses."""
    signature = inspect.signature(create)
    for option in options:
        if option not in signature.parameters:
            close = nearest(option, signature.parameters)
            known = ", ".join(signature.parameters) or "none"
            hint = f"did you mean {close!r}?" if close else f"its options: {known}"
            raise ConfigError(f"load_evaluator({name!r}, {option}=…): there is no such option; {hint}")
    try:
        signature.bind(**options)
    except TypeError as error:
        raise ConfigError(f"load_evaluator({name!r}): {error}") from None
