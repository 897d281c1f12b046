"""Options said once: what a function that takes them looks like, and what it gets."""

from __future__ import annotations

import doctest
import inspect
from typing import TypedDict, Unpack

import pytest

from fieldwise.core import shared_options
from fieldwise.core.shared_options import Shared


class Size(TypedDict, total=False):
    """How large it is.

    Attributes:
        width: from left to right, at the
            widest place.
        height: from top to bottom.
    """

    width: int
    height: int | None


class Box(Size, total=False):
    """How large it is, and how thick.

    Attributes:
        depth: from front to back.
    """

    depth: float


class Bare(TypedDict, total=False):
    """Nothing is said of its members."""

    tone: str


SIZE = Shared[Size](Size, {"width": 80, "height": None})
BOX = Shared[Box](Box, {"depth": 0.5}, SIZE)
BARE = Shared[Bare](Bare, {"tone": "grey"})


@BOX.named
def pack(*, name: str, feedback_key: str = "pack", **box: Unpack[Box]) -> Box:
    """Pack it.

    Args:
        name: what it is called.
        height: of the box,
            lid included.
        box: how large it is; see `Box`,
            which says more.
        feedback_key: its key.

    Returns:
        The box.
    """
    return BOX.complete(box)


@BARE.named
def paint(what: str, **bare: Unpack[Bare]) -> Bare:
    return BARE.complete(bare)


@SIZE.named
def measure(**size: Unpack[Size]) -> None:
    """Measure; of the options nothing is said here."""


def test_the_signature_has_each_option_by_name_before_the_feedback_key() -> None:
    shown = "(*, name: 'str', width: 'int' = 80, height: 'int | None' = None, depth: 'float' = 0.5, "
    assert str(inspect.signature(pack)) == shown + "feedback_key: 'str' = 'pack') -> 'Box'"


def test_without_a_feedback_key_they_come_last() -> None:
    assert str(inspect.signature(paint)) == "(what: 'str', *, tone: 'str' = 'grey') -> 'Bare'"


def test_the_words_stand_where_the_docstring_names_the_set_or_its_own() -> None:
    assert inspect.getdoc(pack) == (
        "Pack it.\n\nArgs:\n    name: what it is called.\n    width: from left to right, at the\n"
        "        widest place.\n    height: of the box,\n        lid included.\n"
        "    depth: from front to back.\n    feedback_key: its key.\n\nReturns:\n    The box."
    )


def test_a_docstring_that_does_not_name_the_set_stays_as_it_is() -> None:
    assert (paint.__doc__, measure.__doc__) == (None, "Measure; of the options nothing is said here.")


def test_what_is_not_given_has_its_default() -> None:
    assert pack(name="x", width=3) == {"width": 3, "height": None, "depth": 0.5}
    assert pack(name="x") == {"width": 80, "height": None, "depth": 0.5}


def test_defaults_are_not_changed_by_who_gets_them() -> None:
    pack(name="x")["width"] = 1
    assert BOX.defaults == {"width": 80, "height": None, "depth": 0.5}


def test_those_given_among_others_are_picked() -> None:
    assert SIZE.pick(pack(name="x", width=3, depth=9.0)) == {"width": 3, "height": None}


def test_an_option_that_is_none_of_them_is_refused() -> None:
    with pytest.raises(TypeError) as raised:
        BOX.complete({"width": 3, "wdith": 4})
    assert str(raised.value) == "Box has no option 'wdith'"


def test_a_member_without_a_default_is_refused() -> None:
    with pytest.raises(KeyError):
        Shared[Size](Size, {"width": 80})


def test_the_example_runs() -> None:
    assert doctest.testmod(shared_options) == (0, 5)
