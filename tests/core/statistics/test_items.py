from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.statistics import items as module
from fieldwise.core.statistics.items import Items
from fieldwise.core.statistics.several import holm
from fieldwise.core.statistics.spread import Spread

Stream = list[tuple[str, tuple[float, ...]]]

streams = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=3).map(tuple),
    ),
    max_size=30,
)


def items_of(stream: Stream) -> Items:
    found = Items()
    for id_, scores in stream:
        found.add(id_, scores)
    return found


def by_hand(stream: Stream) -> Spread:
    """Scores of neighbours of one id put together, then counted."""
    grouped: list[tuple[str, list[float]]] = []
    for id_, scores in stream:
        if grouped and grouped[-1][0] == id_:
            grouped[-1][1].extend(scores)
        else:
            grouped.append((id_, list(scores)))
    found = Spread()
    for _, together in grouped:
        found.add(together)
    return found


@given(streams, st.lists(st.integers(0, 30), max_size=5), st.booleans())
def test_any_split_gives_the_spread_of_the_whole(stream: Stream, cuts: list[int], leftwards: bool) -> None:
    edges = [0, *sorted(cuts), len(stream)]
    parts = [items_of(stream[low:high]) for low, high in pairwise(edges)]
    if leftwards:  # from the right: how merges are bracketed does not matter
        merged = parts.pop()
        while parts:
            part = parts.pop()
            part.merge(merged)
            merged = part
    else:
        merged = Items()
        for part in parts:
            merged.merge(part)
    assert merged.spread == items_of(stream).spread == by_hand(stream)
    assert merged.again == items_of(stream).again == len(stream) - by_hand(stream).items


@given(streams)
def test_merging_leaves_what_was_merged_as_it_was(stream: Stream) -> None:
    left, right = items_of(stream), items_of(stream)
    left.merge(right)
    left.add("a", (1.0,))
    assert right.spread == by_hand(stream)
    assert right.spread == by_hand(stream)  # and looking changes nothing


@given(streams, st.integers(0, 30))
def test_scattered_items_are_one_wherever_they_stand(stream: Stream, cut: int) -> None:
    left, right = Items(scattered=True), Items(scattered=True)
    for at, (id_, scores) in enumerate(stream):
        (left if at < cut else right).add(id_, scores)
    left.merge(right)
    assert left.again == len(stream) - len({id_ for id_, _ in stream})


def test_few_kinds_wait_at_a_time() -> None:
    found = items_of([(str(one), (one / 1_000,)) for one in range(1_000)])
    assert len(found._waiting) <= module._MAX_WAITING
    assert (found.spread.items, found.spread.mean) == (1_000, 0.4995)


@pytest.mark.parametrize(
    ("ps", "corrected"),
    [
        ([], []),
        ([0.04], [0.04]),
        ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),  # R: p.adjust(p, "holm")
        ([0.6, 0.7], [1.0, 1.0]),
    ],
)
def test_holm(ps: list[float], corrected: list[float]) -> None:
    assert holm(ps) == pytest.approx(corrected)
