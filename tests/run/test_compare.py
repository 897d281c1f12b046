"""Two runs compared: what joins, what is tested, what counts as worse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fieldwise.core.statistics.paired import compare
from fieldwise.errors import ConfigError
from fieldwise.run._compare import Scores, compare_scores


def result(key: str, score: float | None, **extra: Any) -> Any:
    full = {"status": "graded" if score is not None else "judge_error", **extra}
    return {"key": key, "score": score, "comment": None, "metadata": full, "extra": full}


def scores(rows: list[tuple[str, float | None]], key: str = "k", **extra: Any) -> Scores:
    found = Scores()
    for id_, score in rows:
        found.add(id_, [result(key, score, **extra)])
    return found


def numbered(*values: float | None) -> list[tuple[str, float | None]]:
    return [(str(at), value) for at, value in enumerate(values)]


def test_only_what_both_graded_is_compared() -> None:
    a = scores([("x", 1.0), ("y", 0.0), ("z", None), ("only-a", 1.0)])
    b = scores([("y", 1.0), ("x", 1.0), ("z", 1.0), ("only-b", 0.0)])
    found = compare_scores(a, b)
    one = found.fields["k"]
    assert (found.items, found.only, one.only) == (3, (1, 1), (1, 2))
    assert (one.found.items, one.means, one.better, one.worse) == (2, (0.5, 1.0), 1, 0)
    assert one.coverage == (0.75, 1.0)


def test_repeats_of_an_item_count_once() -> None:
    a = scores([("x", 1.0), ("x", 0.0), ("y", 1.0)])
    b = scores([("x", 1.0), ("y", 1.0), ("y", 0.0), ("y", 0.5)])
    one = compare_scores(a, b).fields["k"]
    assert (one.found.items, one.means) == (2, (0.75, 0.75))


def test_p_values_are_corrected_for_the_number_of_fields() -> None:
    a, b = Scores(), Scores()
    for at in range(8):
        a.add(str(at), [result("fell", 1.0), result("flat", 1.0), result("rose", 0.0)])
        b.add(str(at), [result("fell", 0.0), result("flat", 1.0), result("rose", 1.0)])
    fields = compare_scores(a, b).fields
    assert {key: (one.found.p, one.p, one.verdict) for key, one in fields.items()} == {
        "fell": (2 / 256, 3 * 2 / 256, "worse"),
        "flat": (1.0, 1.0, "same"),
        "rose": (2 / 256, 3 * 2 / 256, "better"),
    }
    assert compare_scores(a, b).regressions == ["fell"]
    assert compare_scores(a, b, alpha=0.02).regressions == []


@pytest.mark.parametrize(
    ("drop", "verdict"), [(None, "same"), (0.3, "same"), (0.25, "same"), (0.2, "dropped"), (0.0, "dropped")]
)
def test_a_drop_may_be_too_much_without_being_significant(drop: float | None, verdict: str) -> None:
    a, b = scores(numbered(1.0, 1.0, 1.0, 1.0)), scores(numbered(1.0, 1.0, 1.0, 0.0))
    assert compare_scores(a, b, max_drop=drop).fields["k"].verdict == verdict
    assert compare_scores(b, a, max_drop=drop).fields["k"].verdict == "same"


def test_of_a_distance_less_is_better() -> None:
    a = scores(numbered(*[3.0] * 8), lower_is_better=True)
    b = scores(numbered(*[1.0] * 8), lower_is_better=True)
    one = compare_scores(a, b).fields["k"]
    assert (one.found.difference, one.better, one.worse, one.verdict) == (-2.0, 8, 0, "better")
    other = compare_scores(b, a).fields["k"]
    assert (other.verdict, other.worst[0]) == ("worse", ("0", 1.0, 3.0))


@pytest.mark.parametrize(
    ("b", "verdict"),
    [
        (scores(numbered(None, None)), "lost"),
        (scores(numbered(1.0, 1.0), key="other"), "lost"),
        (scores([("elsewhere", 1.0)]), "lost"),
        (scores(numbered(None, None), status="not_applicable"), "same"),
    ],
    ids=["ungraded", "left-out", "other-items", "not-applicable"],
)
def test_what_is_graded_no_more_is_lost(b: Scores, verdict: str) -> None:
    one = compare_scores(scores(numbered(1.0, 1.0)), b).fields["k"]
    assert (one.verdict, one.p, one.means) == (verdict, None, (None, None))


@pytest.mark.parametrize(
    ("b", "allowed", "lost", "verdict"),
    [
        (numbered(1.0, 1.0, 1.0, 1.0), 0.0, 0, "same"),
        (numbered(1.0, 1.0, 1.0, None), 0.0, 1, "lost"),
        (numbered(1.0, 1.0, 1.0), 0.0, 1, "lost"),
        (numbered(1.0, 1.0, 1.0), 0.25, 1, "same"),
        (numbered(1.0, 1.0), 0.25, 2, "lost"),
        ([*numbered(1.0, 1.0, 1.0, 1.0), ("3", None)], 0.0, 1, "lost"),
        ([*numbered(1.0, 1.0, 1.0, 1.0), ("new", None)], 0.0, 0, "same"),
    ],
    ids=["all", "failed", "absent", "allowed", "too-many", "a-repeat-failed", "one-more"],
)
def test_items_that_are_graded_no_more(
    b: list[tuple[str, float | None]], allowed: float, lost: int, verdict: str
) -> None:
    one = compare_scores(scores(numbered(*[1.0] * 4)), scores(b), max_lost=allowed).fields["k"]
    assert (one.lost, one.of, one.verdict) == (lost, 4, verdict)


def test_a_repeat_that_failed_in_both_is_not_lost() -> None:
    rows: list[tuple[str, float | None]] = [("x", 1.0), ("x", None)]
    assert compare_scores(scores(rows), scores(rows)).fields["k"].lost == 0


def test_items_that_fell_the_most_are_named() -> None:
    a = scores(numbered(*[1.0] * 9))
    b = scores(numbered(1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 1.0))
    worst = compare_scores(a, b).fields["k"].worst
    assert [one[0] for one in worst] == ["7", "6", "5", "4", "3"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 2}, "alpha=2: must be a number from 0 to 1"),
        ({"max_lost": -1}, "max_lost=-1: must be a number from 0 to 1"),
        ({"max_drop": True}, "max_drop=True: must be a number from 0 to 1"),
        ({"max_drop": "a"}, "max_drop='a': must be a number from 0 to 1"),
    ],
)
def test_bars_out_of_range(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as raised:
        compare_scores(Scores(), Scores(), **options)
    assert str(raised.value) == message


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([0.0, 0.5, 1.0])), max_size=12))
def test_the_order_of_items_does_not_matter(pairs: list[tuple[float, float]]) -> None:
    a, b = numbered(*(one for one, _ in pairs)), numbered(*(one for _, one in pairs))
    found, turned = compare_scores(scores(a), scores(b)), compare_scores(scores(a[::-1]), scores(b))
    assert found.to_dict() == turned.to_dict()
    if pairs:
        one = found.fields["k"].found
        assert one == compare([left for left, _ in pairs], [right for _, right in pairs])
        back = compare_scores(scores(b), scores(a)).fields["k"]
        assert back.found.difference == pytest.approx(-(one.difference or 0.0))
        assert back.found.p == pytest.approx(one.p)
        assert back.worse == one.better
