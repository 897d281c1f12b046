"""Evaluation sets on a Dask cluster of two workers on this machine, one of them killed half-way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from fieldwise.evalsets.model import ItemResult
from fieldwise.evalsets.runner import run_set
from tests.evalsets.travelling import agent, answers, numbered, numbers

distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")

MANY = 3_000
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    made = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    )
    with made:
        yield made


def test_a_cluster_gives_the_same_with_a_worker_killed_half_way(cluster: Any) -> None:
    expected: list[ItemResult] = []
    alone = run_set(numbered(MANY), outputs=answers(MANY), on_result=expected.append)
    with distributed.Client(cluster) as client:
        first, second = client.run(os.getpid).values()
        seen: list[ItemResult] = []

        def kill(result: ItemResult) -> None:
            seen.append(result)
            if len(seen) == MANY // 2:
                os.kill(first, signal.SIGKILL)

        found = run_set(numbered(MANY), outputs=answers(MANY), executor=client.get_executor(), on_result=kill)
        left = set(client.run(os.getpid).values())
    assert numbers(found) == numbers(alone)
    assert seen == expected
    assert first not in left
    assert second in left


def test_a_scheduler_by_its_address_runs_an_agent(cluster: Any) -> None:
    address = cluster.scheduler_address.replace("tcp://", "dask://")
    found = run_set(numbered(60), agent, executor=address)
    assert numbers(found) == numbers(run_set(numbered(60), agent))
