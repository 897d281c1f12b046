"""What an offline experiment sends: nothing of ours, and of a target what LangChain's own tracer does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import langsmith
import pytest
from langchain_core.tracers.langchain import wait_for_all_tracers
from langsmith import run_trees, utils

from tests.integrations.ls_server import LangSmithServer
from tests.pages import written_in

QUIET = "langsmith.tracing_context(enabled=False)"
EXPERIMENTS = {str(one): one.text for one in written_in("python") if "upload_results=False" in one.text}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LangSmithServer]:
    """Every client that is made finds this server."""
    with LangSmithServer() as made:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", made.url)
        monkeypatch.setenv("LANGSMITH_API_KEY", "test")
        monkeypatch.setattr(run_trees, "_CLIENT", None)
        forget: Any = utils.get_env_var
        forget.cache_clear()
        yield made
    forget.cache_clear()


def sent(block: str, server: LangSmithServer) -> list[str]:
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102
    wait_for_all_tracers()
    return server.calls


@pytest.mark.parametrize("block", EXPERIMENTS.values(), ids=EXPERIMENTS)
def test_the_experiments_of_the_pages_send_nothing(block: str, server: LangSmithServer) -> None:
    assert sent(block, server) == []


def test_without_its_line_the_tracer_of_the_target_posts(server: LangSmithServer) -> None:
    (block,) = [block for block in EXPERIMENTS.values() if QUIET in block]
    loud = block.replace(QUIET, "__import__('contextlib').nullcontext()")
    calls = sent(loud, server)
    assert server.wait(lambda: len(calls) > 1), calls
    assert calls[0] == "POST /runs"
    assert langsmith.utils.tracing_is_enabled() is False
