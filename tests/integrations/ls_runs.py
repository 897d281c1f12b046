"""Experiments of LangSmith, each way there is to run one, and a guard that nothing leaves the process."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from langsmith import Client, aevaluate, evaluate
from langsmith.evaluation import EvaluationResult
from langsmith.schemas import Example

Target = Callable[[dict[str, Any]], Any]
CONCURRENCY = (0, 4, None)

connected: list[Any] = []
"""What connected or resolved since the guard was put up."""


def _note_connections(event: str, args: tuple[Any, ...]) -> None:
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        connected.append((event, args))


sys.addaudithook(_note_connections)


@pytest.fixture
def unconnected() -> Iterator[None]:
    """Fail when any thread of this process connects or resolves, whoever swallows the error."""
    connected.clear()
    yield
    assert connected == []


def offline() -> Client:
    return Client(api_url="http://127.0.0.1:9", api_key="test", auto_batch_tracing=False)


def run_sync(evaluators: list[Any], target: Target, data: list[Example], **options: Any) -> Any:
    chosen: dict[str, Any] = {"client": offline(), "upload_results": False} | options
    return list(evaluate(target, data=data, evaluators=evaluators, **chosen))


def run_async(evaluators: list[Any], target: Target, data: list[Example], **options: Any) -> Any:
    chosen: dict[str, Any] = {"client": offline(), "upload_results": False} | options

    async def awaited(inputs: dict[str, Any]) -> Any:
        return target(inputs)

    async def run() -> Any:
        results = await aevaluate(awaited, data=data, evaluators=evaluators, **chosen)
        return [row async for row in results]

    return asyncio.run(run())


def run_client(evaluators: list[Any], target: Target, data: list[Example], **options: Any) -> Any:
    chosen: dict[str, Any] = {"client": offline(), "upload_results": False} | options
    client = chosen.pop("client")
    return list(client.evaluate(target, data=data, evaluators=evaluators, **chosen))


def run_in_loop(evaluators: list[Any], target: Target, data: list[Example], **options: Any) -> Any:
    """As a cell of a notebook does: sync, inside a loop that runs."""

    async def cell() -> Any:
        return run_sync(evaluators, target, data, **options)

    return asyncio.run(cell())


RUNNERS = {"evaluate": run_sync, "aevaluate": run_async, "client": run_client}


def rows_of(results: Any) -> list[list[EvaluationResult]]:
    """The evaluation results of each record, in the order of the records."""
    found = {item["example"].inputs["n"]: item["evaluation_results"]["results"] for item in results}
    return [found[n] for n in range(len(found))]
