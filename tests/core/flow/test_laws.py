"""Sync equals async, one equals many: every driver against a plain computation."""

from __future__ import annotations

import asyncio
from typing import Any, TypeAlias

from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.flow import (
    AnyJudge,
    Flow,
    JudgeFailure,
    JudgeRequest,
    Reply,
    Verdict,
    adrive_many,
    drive_many,
    together,
)
from fieldwise.errors import JudgeError
from tests.core.flow.flows import (
    ALL,
    ask,
    awaited,
    name_of,
)

Tree: TypeAlias = Any  # a list of batches of names, or a tuple of trees

trees: st.SearchStrategy[Tree] = st.recursive(
    st.lists(st.lists(st.text("abcde", min_size=1, max_size=2), max_size=3), max_size=3),
    lambda children: st.lists(children, max_size=3).map(tuple),
    max_leaves=6,
)


def grow(tree: Tree) -> Flow[Any]:
    return together([grow(child) for child in tree]) if isinstance(tree, tuple) else ask(*tree)


def moody(asked: JudgeRequest) -> Any:
    """A judge whose behaviour hangs on what it is asked."""
    name = name_of(asked)
    if name.startswith("a"):
        raise ValueError(name)
    if name.startswith("b"):
        raise JudgeError(name)
    return {"c": Verdict({name: 1}, {"tokens": len(name)}), "d": name}.get(name[0], {name: True})


def by_hand(tree: Tree) -> Any:
    """What the flow of a tree must return, without flows or drivers."""
    if isinstance(tree, tuple):
        return [by_hand(child) for child in tree]
    return [[reply_by_hand(name) for name in batch] for batch in tree]


def reply_by_hand(name: str) -> Reply:
    replies: dict[str, Reply] = {
        "a": JudgeFailure(f"ValueError: {name}"),
        "b": JudgeFailure(name),
        "c": Verdict({name: 1}, {"tokens": len(name)}),
        "d": JudgeFailure(
            "the judge returned a value of type str; return a Verdict or a mapping of question id to answer"
        ),
        "e": Verdict({name: True}),
    }
    return replies[name[0]]


@given(trees)
def test_every_driver_gives_the_same(tree: Tree) -> None:
    expected = by_hand(tree)
    assert {name: run(grow(tree), moody) for name, run in ALL.items()} == dict.fromkeys(ALL, expected)


@given(st.lists(trees, max_size=6), st.integers(1, 4), st.integers(1, 3))
def test_every_driver_of_many_gives_the_same(forest: list[Tree], window: int, limit: int) -> None:
    async def gather(judge: AnyJudge | None) -> list[Any]:
        flows = map(grow, forest)
        return [result async for result in adrive_many(flows, judge, window=window, limit=limit)]

    expected = [by_hand(tree) for tree in forest]
    assert list(drive_many(map(grow, forest), moody, window=window, limit=limit)) == expected
    assert asyncio.run(gather(moody)) == expected
    assert asyncio.run(gather(awaited(moody))) == expected
