"""Texts that call what makes a comparator, a way to pair lists or a field."""

from __future__ import annotations

import pytest

from fieldwise.comparators import COMPARATORS
from fieldwise.core.align import by_key
from fieldwise.core.compare import Comparator
from fieldwise.errors import ConfigError
from fieldwise.evalsets.registry.calls import value_of
from fieldwise.scorers.field import Field


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("number(absolute=1)", "number"),
        ("string_similarity(jaro)", "string_similarity"),
        ("string_similarity( metric = jaro )", "string_similarity"),
        ("any_of(comparator=number(absolute=1))", "any_of"),
        ("within(string_similarity, 0.8)", "string_similarity at least 0.8"),
        ("within(fuzzy(scorer=ratio), threshold=0.5)", "fuzzy at least 0.5"),
    ],
)
def test_a_text_makes_a_comparator(text: str, name: str) -> None:
    found = value_of(text, "x=")
    assert isinstance(found, Comparator)
    assert found.name == name


def test_a_text_makes_a_field_and_a_way_to_pair() -> None:
    field = value_of("Field(total, comparator=within(number, 0.5), weight=2)", "x=")
    assert isinstance(field, Field)
    assert (field.path, field.weight) == ("total", 2)
    assert value_of("by_key(sku, lot)", "x=") == by_key("sku", "lot")


WRONG: list[tuple[str, str]] = [
    (
        "number(absolut=1)",
        "number has no option 'absolut'; did you mean 'absolute'? it takes: absolute, relative",
    ),
    ("number(zzz=1)", "number has no option 'zzz'; it takes: absolute, relative"),
    ("exact(case=1)", "exact has no option 'case'; it takes: nothing"),
    ("number(1)", "number takes its options by name; it takes: absolute, relative"),
    ("any_of(number_text, money)", "any_of takes its options by name; it takes: comparator"),
    ("string_similarity(jaro, 2)", "string_similarity takes no more than 1 without a name; it takes: metric"),
    ("string_similarity(jaro, metric=osa)", "metric is given twice"),
    ("number(absolute=1, absolute=2)", "absolute is given twice"),
    ("within(number)", "within needs threshold; it takes: comparator, threshold"),
    ("within()", "within needs comparator and threshold; it takes: comparator, threshold"),
    ("by_key(sku, order=1)", "by_key has no option 'order'; it takes: keys"),
]


@pytest.mark.parametrize(("text", "problem"), WRONG, ids=[text for text, _ in WRONG])
def test_a_call_that_cannot_be_is_told_in_our_words(text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as raised:
        value_of(text, "x=")
    assert str(raised.value) == f"x={text!r}: {problem}"


@pytest.mark.parametrize("name", COMPARATORS)
def test_an_unknown_option_of_any_comparator_is_told_in_our_words(name: str) -> None:
    with pytest.raises(ConfigError, match=rf"^x='{name}\(_=1\)': {name} has no option '_'; it takes: "):
        value_of(f"{name}(_=1)", "x=")
