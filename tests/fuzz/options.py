"""Random options for a factory: of each option a good value mostly, now and then any value at all."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, get_args, get_origin

from pydantic import BaseModel

import fieldwise
from fieldwise import Field, by_key, comparators
from tests.fuzz.making import PATHS, Source
from tests.laws.strategies import fussy, half

GARBAGE: Final[Sequence[Any]] = [
    None, True, -1, 0, 1.5, float("nan"), 10**400, "", "nonsense", "a[", "$[", [], ["a"], {}, {"a": 1},
    {1: 2}, object(), len, b"x", ("a",), {"a": {"b": object()}}, "\ud800", "a" * 5000, float("inf"),
    {"": ""}, [None], "[" * 20_000, "{{" * 9_000, ["a[0]" * 3_000], {"a." * 5_000: 1},
]  # fmt: skip
MODES: Final[Sequence[Any]] = [
    "ordered",
    "same_elements",
    "subset",
    "superset",
    by_key("id"),
    by_key("a", "b"),
]
COMPARATORS: Final[Sequence[Any]] = [
    half, fussy, "exact", "number", "text", "string_similarity", "date", "money", "duration", "url",
    "token_set", comparators.number(relative=0.1), comparators.within("string_similarity", 0.9),
    comparators.any_of(comparator="exact"), comparators.regex(timeout=0.1),
    comparators.fuzzy(scorer="ratio"), "id", "contains", "datetime", "quantity",
]  # fmt: skip
PATTERNS: Final = [
    "a", "^x$", "(a+)+$", "(?i)x", "[", "(?P<a>x)", ".*", "\\d{3}", "(x|xx)*y", "\\p{L}",
    "[" * 20_000, "(" * 20_000, "(?#[" * 5_000, "(?#[)((a{999}){999})]", "((a{9}){9}){9}" * 9,
    "a|" * 9_000, "\\" * 9_999,
]  # fmt: skip


class Model(BaseModel):
    """A schema as users write one."""

    a: int
    b: list[str] = []


SCHEMAS: Final[Sequence[Any]] = [
    {"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"]}, {}, True, Model,
    {"$ref": "#"}, {"$ref": "http://nowhere.example/x"}, {"type": "string", "pattern": "(a+)+$"},
]  # fmt: skip


def _mapped(source: Source, pool: Sequence[Any]) -> dict[str, Any]:
    return {source.path(): source.choice(pool) for _ in range(source.randint(0, 3))}


def _some(source: Source, pool: Sequence[Any]) -> list[Any]:
    return [source.choice(pool) for _ in range(source.randint(0, 3))]


def _field(source: Source) -> Any:
    path = source.path()
    if source.often(0.5):
        return path
    return Field(
        path,
        comparator=source.choice([None, *COMPARATORS]),
        weight=source.choice([0, 1, 2.5]),
        threshold=source.choice([0.5, 1.0]),
        rubric=source.choice([None, None, "the same?"]),
        required=source.often(0.2),
        list_match_mode=source.choice([None, *MODES]),
    )


def _rules(source: Source) -> Any:
    kinds = {
        "never": ["a"], "at_most": {"a": 1}, "before": [["a", "b"]], "first": "a", "last": "b",
        "always": ["a"], "immediately_before": [["a", "b"]], "at_least": {"b": 1},
    }  # fmt: skip
    return {key: kinds[key] for key in source.sample(sorted(kinds), source.randint(0, 2))}


Pool = Callable[[Source], Any]
POOLS: Final[Mapping[str, Pool]] = {
    "classes": lambda s: s.choice([["yes", "no"], ["a", "b", "c"], ["x", 1], ["a", "A"]]),
    "comparators": lambda s: _mapped(s, COMPARATORS),
    "context_key": lambda s: s.choice([None, "a", "items"]),
    "correct_answer_key": lambda s: s.choice([None, None, None, "a", s.path()]),
    "count_tokens": lambda s: s.choice([None, len]),
    "counts": lambda s: s.choice([None, {"a": [">=", 1]}, {"a": ["==", 0], "b": 2}]),
    "exclude_keys": lambda s: _some(s, PATHS),
    "expected_agent_behavior": lambda s: s.choice([None, "It pays."]),
    "feedback_key": lambda s: s.choice(["key", "a:b", "ß"]),
    "few_shot_examples": lambda s: s.choice(
        [None, [{"inputs": 1, "outputs": 2, "score": True, "reasoning": "r"}]]
    ),
    "fields": lambda s: [_field(s) for _ in range(s.randint(1, 4))],
    "ignore_if": lambda s: s.choice([None, {"a": 1}, {"q": None}]),
    "json_field": lambda s: s.choice(["a", "id", ""]),
    "list_match_mode": lambda s: s.choice(MODES),
    "lists": lambda s: _mapped(s, MODES),
    "max_ms": lambda s: s.choice([None, 1, 1000.5]),
    "metric": lambda s: s.choice(["Levenshtein", "JaroWinkler", "LCSseq", "Hamming", "levenshtein", "Indel"]),
    "model": lambda _: None,
    "optional": lambda s: s.choice([None, {"a": ["q"]}]),
    "order": lambda s: s.choice([None, ["a", "b"], [["a", "b"], "c"]]),
    "output_schema": lambda s: s.choice(
        [None, {"type": "object", "properties": {"score": {"type": "number"}}}]
    ),
    "outputs_key": lambda s: s.choice([None, None, None, "a", s.path()]),
    "pattern": lambda s: s.choice([None, *PATTERNS]),
    "positive_class": lambda s: s.choice(["yes", "x", 1]),
    "prefix": lambda s: s.choice([None, "", "x"]),
    "prompt": lambda s: s.choice(
        ["{outputs}", "Is {outputs} {reference_outputs}?", "{{Outputs}}", "none", "{x}"]
    ),
    "rubric": lambda s: _mapped(s, ["the same?", ""]) if s.often(0.5) else None,
    "rules": _rules,
    "schema": lambda s: s.choice(SCHEMAS),
    "schemas": lambda s: s.choice([None, {"a": SCHEMAS[0]}, [Model]]),
    "search_text": lambda s: s.choice([None, "x", ""]),
    "string_distance": lambda s: s.choice([None, lambda left, right: float(left != right)]),
    "substrings": lambda s: s.choice([None, ["x"], ["", "a"], []]),
    "suffix": lambda s: s.choice([None, "", "x"]),
    "system": lambda s: s.choice([None, "You judge."]),
    "target_output_key": lambda s: s.choice(["*", "*", s.path(), [s.path(), s.path()]]),
    "timeout": lambda _: 0.2,
    "tool_args_match_overrides": lambda s: s.choice([None, {"a": "ignore"}, {"a": ["q"], "book": half}]),
    "weights": lambda s: _mapped(s, [0, 1, 2.5, 1e-300, 1e300]),
}
PLAIN: Final[Mapping[str, list[Any]]] = {
    "float": [0.01, 0.5, 1.0],
    "int": [0, 1, 3, 4096],
    "bool": [True, False],
    "str": ["a", "x"],
}


def options(source: Source, create: Callable[..., Any], judge: Any) -> dict[str, Any]:
    """Return options for a factory: those it needs, a judge, and some of the others."""
    chosen: dict[str, Any] = {}
    for name, one in inspect.signature(create).parameters.items():
        if name == "judge":
            chosen[name] = judge if source.often(0.97) else source.choice(GARBAGE)
        elif one.default is one.empty or source.often(0.15):
            chosen[name] = source.choice(GARBAGE) if source.often(0.05) else _good(source, name, one)
    if source.often(0.01):
        chosen["no_such_option"] = 1
    return chosen


def _good(source: Source, name: str, one: inspect.Parameter) -> Any:
    if name in POOLS:
        return POOLS[name](source)
    listed = literal(one.annotation)
    plain = [
        value
        for kind in re.findall(r"\b(float|int|bool|str)\b", str(one.annotation))
        for value in PLAIN[kind]
    ]
    return source.choice([*listed, *plain, one.default] if listed or plain else [one.default])


def literal(annotation: Any) -> list[Any]:
    """Return the values of a `Literal` that an annotation names, wherever that is defined."""
    found: list[Any] = []
    for name in re.findall(r"\w+", str(annotation)):
        for home in LITERALS.get(name, ()):
            found += [one for one in get_args(home) if not get_origin(one)]
    return found


def _literals() -> dict[str, list[Any]]:
    """Every `Literal` that a module of scorers gives a name."""
    import pkgutil
    from importlib import import_module

    found: dict[str, list[Any]] = {}
    for info in pkgutil.walk_packages(fieldwise.__path__, "fieldwise."):
        if info.name.startswith(("fieldwise.scorers", "fieldwise._types", "fieldwise.core")):
            for name, value in vars(import_module(info.name)).items():
                if get_origin(value) is Literal:
                    found.setdefault(name, []).append(value)
    return found


LITERALS: Final = _literals()
