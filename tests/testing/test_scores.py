"""The counts of a test run: the same however tests were spread and merged."""

from __future__ import annotations

import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fieldwise.report.page import MAX_ROWS
from fieldwise.testing.scores import Scores

STATUSES = ("graded", "judge_error", "invalid_output")
RESULTS = st.builds(
    lambda key, score, status: {
        "key": key,
        "score": None if status == "judge_error" else score,
        "comment": f"{key} {score}",
        "metadata": {},
        "extra": {"status": status},
    },
    st.sampled_from(["a", "b", "c:$"]),
    st.floats(0, 1),
    st.sampled_from(STATUSES),
)
RECORDS = st.lists(st.tuples(st.sampled_from(["test_1", "test_2", "test_3"]), st.lists(RESULTS, max_size=3)))


def counted(records: Any) -> Scores:
    scores = Scores()
    for test, results in records:
        scores.add(test, results)
    return scores


@given(RECORDS, st.randoms(use_true_random=False))
def test_workers_in_any_order_count_as_one_process(records: Any, random: Any) -> None:
    """As with workers, the records of one test stay together and in order."""
    tests = sorted({test for test, _ in records})
    parts = [counted([one for one in records if one[0] == test]) for test in tests]
    random.shuffle(parts)
    merged = Scores()
    for part in parts:
        merged.merge(pickle.loads(pickle.dumps(part)))  # noqa: S301 - made here
    whole = counted(sorted(records, key=lambda one: one[0]))
    assert merged.to_dict() == whole.to_dict()
    assert list(merged.lines()) == list(whole.lines())


def test_no_scores_have_a_table_too() -> None:
    assert list(Scores().lines()) == [
        "key  mean  graded  coverage  worst test",
        "",
        "score - over 0 graded results, coverage -, 0 records in 0 tests",
    ]


def test_a_long_table_is_cut() -> None:
    rows: Any = [
        {"key": f"key-{at}", "score": 1.0, "comment": None, "metadata": {}, "extra": {}}
        for at in range(MAX_ROWS + 5)
    ]
    lines = list(counted([("test", rows)]).lines())
    assert lines[MAX_ROWS + 1] == "and 5 more; --fieldwise-report=FILE has all"


def test_a_long_key_and_the_name_of_a_test_stay_in_line() -> None:
    row = {"key": "k" * 99, "score": 0.5, "comment": None, "metadata": {}, "extra": {}}
    lines = list(counted([("test_é[\x1b[31m]" + "x" * 500, [row])]).lines())
    assert max(map(len, lines)) < 250
    assert all(line.isprintable() for line in lines)
