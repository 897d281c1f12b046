"""Dask: a cluster of two workers on this machine, one of them killed half-way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from fieldwise import evaluate_records
from fieldwise.errors import ExecutorError
from fieldwise.run import RecordResult
from tests.run.travelling import evaluators, numbers, records

distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")

MANY = records(3_000)
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    made = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    )
    with made:
        yield made


@pytest.fixture(scope="module")
def alone() -> dict[str, Any]:
    return numbers(evaluate_records(MANY, evaluators()[:3], keep_results=False))


def test_a_cluster_gives_the_same_numbers_with_a_worker_killed_half_way(
    cluster: Any, alone: dict[str, Any]
) -> None:
    with distributed.Client(cluster) as client:
        first, second = client.run(os.getpid).values()
        seen: list[str] = []

        def kill(result: RecordResult) -> None:
            seen.append(result.id)
            if len(seen) == len(MANY) // 2:
                os.kill(first, signal.SIGKILL)

        found = evaluate_records(
            MANY, evaluators()[:3], executor=client.get_executor(), keep_results=False, on_result=kill
        )
        left = set(client.run(os.getpid).values())
    assert numbers(found) == alone
    assert len(seen) == len(MANY)
    assert first not in left
    assert second in left


def test_a_scheduler_by_its_address(cluster: Any, alone: dict[str, Any]) -> None:
    address = cluster.scheduler_address.replace("tcp://", "dask://")
    found = evaluate_records(MANY, evaluators()[:3], executor=address, keep_results=False)
    assert numbers(found) == alone


def test_no_scheduler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fieldwise.run.executors.pools._TIMEOUT", 0.3)
    with pytest.raises(ExecutorError, match=r"executor='dask://127.0.0.1:9': no scheduler answers: "):
        evaluate_records(MANY, evaluators(), executor="dask://127.0.0.1:9")
