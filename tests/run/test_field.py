"""The records in which one field is not right, kept while a run goes on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fieldwise.run import RecordResult
from fieldwise.run._field import FieldRecords


def result(key: str, score: float | None, *, unread: bool = False) -> RecordResult:
    extra = {"status": "invalid_output" if unread else "graded"}
    return RecordResult(
        0, "", [{"key": key, "score": score, "comment": "x" * 9_000, "metadata": extra, "extra": extra}]
    )


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.5, 1.0, None]), st.booleans())), st.integers(0, 5))
def test_the_worst_are_kept_whatever_the_order(rows: list[tuple[float | None, bool]], most: int) -> None:
    found = FieldRecords("a", most)
    for position, (score, unread) in enumerate(rows):
        one = result("m:a", score, unread=unread)
        found.add(RecordResult(position, str(position), one.results))
    wrong = sorted(
        (score, unread, position)
        for position, (score, unread) in enumerate(rows)
        if score is not None and score < 1
    )
    assert [int(one.id) for one in found.records] == [position for _, _, position in wrong[:most]]
    assert (found.wrong, found.ungraded) == (len(wrong), sum(score is None for score, _ in rows))
    assert found.graded + found.ungraded == len(rows)
    assert all(len(one.comment or "") <= 2_000 for one in found.records)


def test_what_is_held_does_not_grow_with_the_records() -> None:
    found = FieldRecords("a", 3)
    for position in range(1_000):
        found.add(RecordResult(position, str(position), result("m:a", 0.0).results))
    assert (found.wrong, len(found.records), len(found._heap)) == (1_000, 3, 3)


def test_other_fields_are_passed_by() -> None:
    found = FieldRecords("a.b", 3)
    for key in ("m:a", "m:b", "a", "m:a.b.c", "m:x:a.b"):
        found.add(result(key, 0.0))
    assert (found.key, found.graded) == ("", 0)
