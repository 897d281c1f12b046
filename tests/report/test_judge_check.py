"""What a check of a judge found, as text: the parts that a small run does not show."""

from __future__ import annotations

import pytest

from fieldwise.report.judge_check import render_check
from fieldwise.run._judge_check import Agreement, Disagreement, JudgeCheck
from fieldwise.scorers.agreement import Confusion


def of(*counts: int) -> JudgeCheck:
    confusion = Confusion(*counts)
    one = Agreement(confusion.count, confusion)
    return JudgeCheck(overall=one, criteria={"a": one}, records=confusion.count)


def test_nothing_was_asked() -> None:
    assert render_check(JudgeCheck()) == "accuracy -, kappa -, coverage -; 0 verdicts on 0 records\n"


@pytest.mark.parametrize(
    ("counts", "note"),
    [
        ((9, 0, 0, 0), "kappa: none, for people and judge gave one and the same answer everywhere"),
        ((5, 0, 0, 4),
         "kappa: no interval, for the large-sample formula has none where the answers always agree"),
        ((0, 5, 5, 0),
         "kappa: no interval, for the large-sample formula has none where the answers always differ"),
        ((6, 4, 0, 0), "kappa: no interval, for people or the judge gave the same answer everywhere"),
    ],
    ids=str,
)  # fmt: skip
def test_why_kappa_has_no_interval(counts: tuple[int, ...], note: str) -> None:
    assert render_check(of(*counts)).splitlines()[-1] == note


def test_a_negative_kappa() -> None:
    found = render_check(of(1, 5, 5, 1)).splitlines()
    assert found[0].startswith(
        "accuracy 0.167 (0.05 to 0.45), kappa -0.667 (-1.00 to -0.24), coverage 100%; "
    )


def test_only_so_many_criteria_and_reasons() -> None:
    check = of(3, 1, 1, 3)
    check.criteria = {f"c{number}": check.overall for number in range(62)}
    check.judge_errors = {f"reason {number}": number for number in range(1, 8)}
    found = render_check(check)
    assert "\n\nand 2 more criteria\n\n" in found
    assert found.count("c59 ") == 2
    assert "c60 " not in found
    assert found.splitlines()[-6:] == [
        "not judged: 7 questions: reason 7",
        "not judged: 6 questions: reason 6",
        "not judged: 5 questions: reason 5",
        "not judged: 4 questions: reason 4",
        "not judged: 3 questions: reason 3",
        "not judged: 3 questions: other reasons; --json has all",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 100, 120, 200])
def test_tables_keep_to_the_width(width: int) -> None:
    check = of(300, 100, 100, 3000)
    name = "a.very.long.path[*]" * 9
    check.criteria = {name: check.overall, f"{name}.b": check.overall}
    check.disagreements = [Disagreement("r" * 90, name, people=True, judge=False, reason="because " * 60)]
    check.skipped = {"reason " * 60: 1}
    lines = render_check(check, width=width).splitlines()
    assert max(map(len, lines[2:])) <= max(width, 60)
