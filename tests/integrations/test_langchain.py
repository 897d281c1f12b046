"""The classes that carry LangChain's names: the examples of its page, its contract, and chains."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import inspect
import math
import pickle
import subprocess
import sys
import warnings
from functools import partial
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.runnables import Runnable, RunnableLambda

import fieldwise
from fieldwise.integrations import langchain
from fieldwise.integrations.langchain import (
    ExactMatchStringEvaluator,
    JsonEqualityEvaluator,
    PairwiseStringDistanceEvalChain,
)
from tests.integrations import lc_forms
from tests.integrations.lc_forms import SURROUNDINGS, evaluated, made, outcome

NAMES = [name for name in langchain.__all__ if name != "load_evaluator"]
STRINGS = [name for name in NAMES if not name.startswith("Pairwise")]


@pytest.fixture(params=SURROUNDINGS)
def surrounding(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_examples_as_written() -> None:
    evaluator = JsonEqualityEvaluator()
    assert evaluator.evaluate_strings('{"a": 1}', reference='{"a": 1}') == {"score": True}
    assert evaluator.evaluate_strings('{"a": 1}', reference='{"a": 2}') == {"score": False}

    evaluator = JsonEqualityEvaluator(operator=lambda x, y: x["a"] == y["a"])
    assert evaluator.evaluate_strings('{"a": 1}', reference='{"a": 1}') == {"score": True}
    assert evaluator.evaluate_strings('{"a": 1}', reference='{"a": 2}') == {"score": False}


def test_the_attributes_as_written() -> None:
    evaluator = JsonEqualityEvaluator()
    assert evaluator.requires_input is False
    assert evaluator.requires_reference is True
    assert evaluator.evaluation_name == "parsed_equality"


def test_the_methods_as_written() -> None:
    awaited = JsonEqualityEvaluator().aevaluate_strings(prediction='{"a": 1}', reference='{"a":1.0}')
    assert inspect.iscoroutine(awaited)
    assert asyncio.run(awaited) == {"score": True}


@pytest.mark.parametrize("module", ["_distance", "_json", "_load", "_reading", "_schema", "_text", ""])
def test_examples_in_docstrings(module: str) -> None:
    name = "fieldwise.integrations.langchain"
    results = doctest.testmod(importlib.import_module(f"{name}.{module}" if module else name))
    assert (results.attempted > 0, results.failed) == (True, 0)


# ---------------------------------------------------------------------------------------- the contract

CONTRACT = {
    "ExactMatchStringEvaluator": ("exact_match", True),
    "JsonEditDistanceEvaluator": ("json_edit_distance", True),
    "JsonEqualityEvaluator": ("parsed_equality", True),
    "JsonSchemaEvaluator": ("json_schema_validation", True),
    "JsonValidityEvaluator": ("json_validity", False),
    "PairwiseStringDistanceEvalChain": ("pairwise_jaro_winkler_distance", False),
    "RegexMatchStringEvaluator": ("regex_match", True),
    "StringDistanceEvalChain": ("jaro_winkler_distance", True),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_and_requirements(name: str, surrounding: str) -> None:
    evaluator = made(name, surrounding)()
    assert (evaluator.evaluation_name, evaluator.requires_reference) == CONTRACT[name]
    assert evaluator.requires_input is False
    assert (type(evaluator).__name__, type(evaluator).__module__) == (name, langchain.__name__)
    assert type(evaluator).__doc__ == type(evaluator).__mro__[1].__doc__


@pytest.mark.parametrize("name", NAMES)
def test_subclasses_where_langchain_is(name: str, surrounding: str) -> None:
    cls = made(name, surrounding)
    base = "PairwiseStringEvaluator" if name.startswith("Pairwise") else "StringEvaluator"
    if surrounding == "absent":
        assert {one.__module__.split(".")[0] for one in cls.__mro__} <= {
            "fieldwise", "builtins", "abc", "typing", "langchain_core"
        }  # fmt: skip
    elif surrounding == "stand_in":
        assert issubclass(cls, getattr(lc_forms, base))
    else:
        schema: Any = importlib.import_module("langchain_classic.evaluation.schema")
        assert isinstance(cls(), getattr(schema, base))
    assert issubclass(cls, Runnable) is name.endswith("Chain")


@pytest.mark.parametrize("name", STRINGS)
def test_warns_of_what_is_not_expected(name: str, surrounding: str) -> None:
    evaluator = made(name, surrounding)()
    reference: Any = {} if name.startswith("JsonSchema") else "1"
    expected = [f"Ignoring input in {name}, as it is not expected."]
    if not evaluator.requires_reference:
        expected.append(f"Ignoring reference in {name}, as it is not expected.")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        evaluator.evaluate_strings("1", reference=reference, input="q")
    assert [(str(one.message), one.category) for one in caught] == [(text, UserWarning) for text in expected]
    assert {one.filename for one in caught} == {__file__}


@pytest.mark.parametrize("name", [name for name in STRINGS if name != "JsonValidityEvaluator"])
def test_refuses_a_missing_reference(name: str, surrounding: str) -> None:
    found = evaluated(made(name, surrounding)(), "1")
    assert found == {"raises": "ValueError", "message": f"{name} requires a reference string."}


def test_refuses_a_missing_input(surrounding: str) -> None:
    class Asking(made("ExactMatchStringEvaluator", surrounding)):  # type: ignore[misc]
        requires_input = True

    assert evaluated(Asking(), "1", reference="1", input="") == {"score": 1}
    assert evaluated(Asking(), "1") == {
        "raises": "ValueError",
        "message": "Asking requires an input string.",
    }


def test_empty_text_is_given() -> None:
    assert ExactMatchStringEvaluator().evaluate_strings("", reference="") == {"score": 1}


@pytest.mark.parametrize("name", NAMES)
def test_survives_pickle(name: str) -> None:
    cls = getattr(langchain, name)
    copy = pickle.loads(pickle.dumps(cls()))  # noqa: S301 - written a moment ago
    assert type(copy) is cls
    assert copy.evaluation_name == CONTRACT[name][0]


def test_further_keywords_are_accepted() -> None:
    found = JsonEqualityEvaluator().evaluate_strings("1", reference="1", callbacks=[], tags=["t"])
    assert found == {"score": True}


def test_lists_what_it_has() -> None:
    assert langchain.__all__ == sorted(langchain.__all__)
    assert set(langchain.__all__) <= set(dir(langchain))
    with pytest.raises(AttributeError) as caught:
        langchain.__getattr__("JsonEquality")
    assert str(caught.value) == "module 'fieldwise.integrations.langchain' has no attribute 'JsonEquality'"


PROBE = """
import sys
for name in {parts}: sys.modules[name] = None
from fieldwise.integrations.langchain import JsonEqualityEvaluator, load_evaluator
print(JsonEqualityEvaluator().evaluate_strings('{{"a": 1}}', reference='{{"a": 1}}'))
print(load_evaluator("json_match").evaluate_strings(prediction='{{"a": 1}}', reference='{{"a": 1}}')["score"])
print(sorted(name for name in sys.modules if name.startswith("langchain") and name not in {parts}))
"""


def test_works_in_an_environment_without_langchain() -> None:
    code = PROBE.format(parts=lc_forms.PARTS)
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert (run.stderr, run.stdout) == ("", "{'score': True}\n1.0\n[]\n")


@pytest.mark.parametrize("name", ["contains", "exact_match", "json_match"])
def test_ours_are_string_evaluators_where_langchain_is_loaded(name: str) -> None:
    create = getattr(fieldwise, f"create_{name}_string_evaluator")
    with lc_forms.surrounded("stand_in"):
        assert isinstance(create(), lc_forms.StringEvaluator)
    with lc_forms.surrounded("absent"):
        assert create().evaluation_name == name


REAL = """
import sys
from fieldwise import create_json_match_string_evaluator
from fieldwise.integrations.langchain import load_evaluator
early = create_json_match_string_evaluator()
assert not [name for name in sys.modules if name.startswith("langchain_classic")]
{loads}
from langchain_classic.evaluation import StringEvaluator
late = create_json_match_string_evaluator()
print(isinstance(early, StringEvaluator), isinstance(late, StringEvaluator))
"""


@pytest.mark.skipif(not lc_forms.INSTALLED, reason="langchain-classic is not installed")
@pytest.mark.parametrize("loads", ["", 'load_evaluator("multi_field", fields=["a"])'])
def test_ours_are_string_evaluators_of_langchain_itself(loads: str) -> None:
    code = REAL.format(loads=loads)
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stderr, run.stdout) == ("", "True True\n")


# ------------------------------------------------------------------------------------------- in chains


@pytest.mark.parametrize("name", STRINGS)
def test_in_a_runnable_lambda(name: str, surrounding: str) -> None:
    evaluator = made(name, surrounding)()
    chain = RunnableLambda(
        lambda given: evaluator.evaluate_strings(**given),
        afunc=lambda given: evaluator.aevaluate_strings(**given),
    )
    reference = {} if name == "JsonValidityEvaluator" else {"reference": "{}"}
    right, wrong = {"prediction": "{}", **reference}, {"prediction": "[", **reference}
    single = [outcome(partial(evaluator.evaluate_strings, **one)) for one in (right, wrong)]
    assert single[0]["score"] != single[1]["score"]
    assert [chain.invoke(right), chain.invoke(wrong)] == single
    assert chain.batch([right, wrong]) == single
    assert asyncio.run(chain.ainvoke(wrong)) == single[1]
    assert asyncio.run(chain.abatch([right, wrong])) == single


class Runs(BaseCallbackHandler):
    """Notes the runs of chains: their inputs, tags and metadata."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def on_chain_start(self, serialized: Any, inputs: Any, **kwargs: Any) -> None:
        self.seen.append((inputs, kwargs["tags"], kwargs["metadata"], kwargs["name"]))


def test_a_distance_is_a_chain(surrounding: str) -> None:
    chain = made("StringDistanceEvalChain", surrounding)(distance="hamming", normalize_score=False)
    texts = {"prediction": "abc", "reference": "abd"}
    assert (chain.input_keys, chain.output_keys) == (["reference", "prediction"], ["score"])
    assert chain.invoke(texts) == {**texts, "score": 1}
    assert asyncio.run(chain.ainvoke(texts)) == {**texts, "score": 1}
    assert (RunnableLambda(lambda text: {"prediction": text, "reference": "abd"}) | chain).invoke("xyz")[
        "score"
    ] == 3
    with pytest.raises(ValueError, match=r"^Missing some input keys: {'reference'}$"):
        chain.invoke({"prediction": "abc"})


def test_callbacks_reach_the_run(surrounding: str) -> None:
    runs = Runs()
    given: Any = {"callbacks": [runs], "tags": ["t"], "metadata": {"m": 1}, "include_run_info": True}
    chain = made("StringDistanceEvalChain", surrounding)()
    assert chain.evaluate_strings("a", reference="a", **given) == {"score": 0.0}
    assert asyncio.run(chain.aevaluate_strings("a", reference="a", **given)) == {"score": 0.0}
    inputs = {"prediction": "a", "reference": "a"}
    assert runs.seen == [(inputs, ["t"], {"m": 1}, "StringDistanceEvalChain")] * 2


def test_pairs(surrounding: str) -> None:
    chain = made("PairwiseStringDistanceEvalChain", surrounding)(distance="levenshtein")
    assert chain.evaluation_name == "pairwise_levenshtein_distance"
    assert chain.evaluate_string_pairs("ab", "ac") == {"score": 0.5}
    pairs = {"prediction": "ab", "prediction_b": "ac"}
    assert asyncio.run(chain.aevaluate_string_pairs(**pairs)) == {"score": 0.5}
    assert chain.invoke(pairs) == {**pairs, "score": 0.5}
    with pytest.warns(UserWarning, match=r"^Ignoring reference in PairwiseStringDistanceEvalChain, as it"):
        chain.evaluate_string_pairs("ab", "ac", reference="ad")


@pytest.mark.parametrize("distance", ["osa", "lcs", "prefix", "postfix", "jaro_winkler"])
def test_every_metric_by_name(distance: str) -> None:
    chain = PairwiseStringDistanceEvalChain(distance=distance)
    assert chain.evaluate_string_pairs("QX-118", "QX-118") == {"score": 0.0}
    assert 0 < chain.evaluate_string_pairs("QX-118", "AQX-18")["score"] <= 1
    assert math.isclose(chain.compute_metric("a", "b"), 1.0)
