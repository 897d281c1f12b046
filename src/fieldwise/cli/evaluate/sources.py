"""What `fieldwise eval` gets its answers and its judgements from, by the names on the command line.

Each function here is also called in the workers of a run, which get the names and make the same of them.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from fieldwise.cli.common.imported import load_agent, load_judge


def watched_agent(spec: str) -> Any:
    """Import an agent, and have the spans of every library recorded.

    That is, where OpenTelemetry is installed; a provider that the agent's module sets stays.

    Raises:
        ConfigError: it cannot be imported, or is no agent.
    """
    from fieldwise.evalsets.runner.agents import can_capture
    from fieldwise.integrations.opentelemetry import capture_spans

    agent = load_agent(spec)
    if can_capture():
        with capture_spans("fieldwise.eval", install=True):
            pass
    return agent


def file_of(spec: str | None) -> Path | None:
    """Return the file of what was imported by such a name; None where it is none, or has no file."""
    module = sys.modules.get((spec or "").partition(":")[0])
    file = getattr(module, "__file__", None)
    return Path(file) if isinstance(file, str) else None


def judge_of(spec: str | None, model: str | None) -> Any:
    """Make a judge of what can be imported, of the name of a model, or of a client and the name of its model.

    Raises:
        ConfigError: it cannot be imported, or is no judge.
    """
    judge = None if spec is None else load_judge(spec)
    if model is None:
        return judge
    from fieldwise.judges.model import create_judge

    return create_judge(model) if judge is None else create_judge(judge, model=model)
