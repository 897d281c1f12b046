"""The greatest total weight: against a list of solved problems, brute force, and scipy."""

from __future__ import annotations

import json
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from fieldwise.core.align.assign import SMALL, assign, certificate, hungarian, unique

CASES = Path(__file__).resolve().parents[2] / "cases"
SOLVED = json.loads((CASES / "assignment.json").read_text(encoding="utf-8"))["cases"]

Matrix = list[list[float]]


def total(weights: Matrix, pairs: list[tuple[int, int]]) -> float:
    return sum(weights[row][column] for row, column in pairs)


def is_pairing(weights: Matrix, pairs: list[tuple[int, int]]) -> bool:
    rows, columns = zip(*pairs, strict=True) if pairs else ((), ())
    return len(set(rows)) == len(set(columns)) == len(pairs) == min(
        len(weights), len(weights[0]) if weights else 0
    ) and pairs == sorted(pairs)


def brute_force(weights: Matrix) -> float:
    rows, columns = len(weights), len(weights[0])
    if rows > columns:
        return brute_force([list(column) for column in zip(*weights, strict=True)])
    return max(
        sum(weights[row][column] for row, column in enumerate(some))
        for some in permutations(range(columns), rows)
    )


@st.composite
def matrices(draw: st.DrawFn, most: int, *, tall: bool = True) -> Matrix:
    columns = draw(st.integers(1, most))
    rows = draw(st.integers(1, most if tall else columns))
    weight = draw(
        st.sampled_from(
            [
                st.integers(0, 1).map(float),
                st.integers(-3, 3).map(float),
                st.floats(-10, 10, allow_nan=False).map(lambda value: round(value, 3)),
                st.sampled_from([0.0, 1e-6, 1.0, 1e6]),
            ]
        )
    )
    return draw(st.lists(st.lists(weight, min_size=columns, max_size=columns), min_size=rows, max_size=rows))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in SOLVED])
def test_solved_problems(case: dict[str, Any]) -> None:
    pairs = assign(case["similarity"])
    assert is_pairing(case["similarity"], pairs)
    assert total(case["similarity"], pairs) == pytest.approx(case["expected"]["total"], abs=1e-9)


@given(matrices(5))
def test_is_the_best_of_all_pairings(weights: Matrix) -> None:
    pairs = assign(weights)
    assert is_pairing(weights, pairs)
    assert total(weights, pairs) == pytest.approx(brute_force(weights), abs=1e-9)


@given(matrices(12, tall=False))
def test_the_small_solver_reaches_what_scipy_reaches(weights: Matrix) -> None:
    pairs = hungarian(weights)
    assert is_pairing(weights, pairs)
    rows, columns = linear_sum_assignment(np.asarray(weights), maximize=True)
    best = total(weights, list(zip(rows.tolist(), columns.tolist(), strict=True)))
    assert total(weights, pairs) == pytest.approx(best, rel=1e-9, abs=1e-6)


@given(matrices(4))
def test_turning_the_matrix_turns_the_total_of_the_pairs(weights: Matrix) -> None:
    turned = [list(column) for column in zip(*weights, strict=True)]
    assert total(turned, assign(turned)) == pytest.approx(total(weights, assign(weights)), abs=1e-9)


@pytest.mark.parametrize("weights", [[], [[]], [[], []]])
def test_nothing_to_pair(weights: Matrix) -> None:
    assert assign(weights) == []


@pytest.mark.parametrize("size", [1, 5, SMALL, SMALL + 1, 40])
def test_equal_weights_pair_everything(size: int) -> None:
    weights = [[1.0] * size for _ in range(size)]
    pairs = assign(weights)
    assert is_pairing(weights, pairs)
    assert len(pairs) == size


@pytest.mark.parametrize("columns", [SMALL + 1, 60])
def test_beyond_the_small_size_scipy_solves(columns: int) -> None:
    draw = random.Random(columns)  # noqa: S311 - seeded
    weights = [[float(draw.randint(0, 3)) for _ in range(columns)] for _ in range(SMALL + 1)]
    assert certificate(weights) is None
    pairs = assign(weights)
    assert is_pairing(weights, pairs)
    assert total(weights, pairs) == total(weights, hungarian(weights))


def test_the_certificate_needs_different_columns() -> None:
    assert certificate([[1, 2], [3, 0]]) == [(0, 1), (1, 0)]
    assert certificate([[1, 2], [0, 3]]) is None


def test_the_same_problem_has_the_same_answer_every_time() -> None:
    weights = [[0.0, 1.0, 1.0], [0.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    assert assign(weights) == assign([list(row) for row in weights]) == [(0, 1), (1, 2), (2, 0)]


@pytest.mark.parametrize(
    ("weights", "pairs"),
    [
        ([[1.0, 2.0], [3.0, 0.0]], [(0, 1), (1, 0)]),
        ([[1.0, 2.0], [0.0, 3.0]], None),
        ([[2.0, 2.0], [3.0, 0.0]], None),
        ([[0.0, 1.0, 2.0]], [(0, 2)]),
        ([[1.0], [2.0]], [(1, 0)]),
        ([[2.0], [2.0]], None),
    ],
    ids=str,
)
def test_unique(weights: list[list[float]], pairs: list[tuple[int, int]] | None) -> None:
    assert unique(weights) == pairs


@given(matrices(5))
def test_what_is_unique_is_the_optimum(weights: list[list[float]]) -> None:
    pairs = unique(weights)
    if pairs is not None:
        assert sorted(pairs) == assign(weights)
