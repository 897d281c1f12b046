"""A pytest plugin: OpenEvals' own tests, run on `fieldwise.integrations.openevals` in its place.

It stands ours where the tests import OpenEvals and AgentEvals from, runs tests that are coroutines, and has a
function answer for the model that some of them ask. Outcomes go to the file that UPSTREAM_OUTCOMES names, one
JSON line a test. Loaded with `-p`; the tests themselves stay as they are published.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import langchain.chat_models
import openevals.types
import pytest

from fieldwise.integrations import openevals as ours
from tests.judges.fakes import FakeChatModel, Step

PLACES = (
    "openevals.json",
    "openevals.exact",
    "openevals.string.levenshtein",
    "openevals.trajectory",
    "openevals.trajectory.match",
    "agentevals",
    "agentevals.trajectory",
    "agentevals.trajectory.match",
)
NAMES = tuple(ours.__all__)


class Model(FakeChatModel):
    """Finds fault where a person is said to have worked somewhere on one of the two sides only."""

    def _generate(self, messages: Any, *args: Any, tools: Any = None, **kwargs: Any) -> Any:
        text = " ".join(str(one.content) for one in messages)
        good = text.count("Robust Intelligence") != 1
        said = {"reasoning": "read", "score": good}
        return self._reply(Step(say=lambda schema: dict.fromkeys(schema["properties"], said)), tools)

    async def _agenerate(self, messages: Any, *args: Any, tools: Any = None, **kwargs: Any) -> Any:
        return self._generate(messages, tools=tools)


def _stand_in() -> None:
    for place in PLACES:
        module = ModuleType(place)
        module.__dict__.update({name: getattr(ours, name) for name in NAMES})
        module.__path__ = []
        sys.modules[place] = module
    sys.modules["agentevals.types"] = openevals.types
    langchain.chat_models.init_chat_model = lambda *_, **__: Model()  # type: ignore[assignment]


_stand_in()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make sure that what is tested is ours."""
    for item in items:
        tested = vars(getattr(item, "module")).items()  # noqa: B009 - of a function's item
        homes = {value.__module__.split(".")[0] for name, value in tested if name in NAMES}
        assert homes == {"fieldwise"}, (item.nodeid, homes)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a coroutine to its end."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down the outcome of a test's call, or of what kept it from being called."""
    if report.when != "call" and report.passed:
        return
    with Path(os.environ["UPSTREAM_OUTCOMES"]).open("a", encoding="utf-8") as file:
        name = report.nodeid.rpartition("/")[2]
        file.write(json.dumps({"test": name, "outcome": report.outcome, "why": report.longreprtext}) + "\n")
