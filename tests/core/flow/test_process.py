"""Whole processes: abandoned calls, interrupts, what is loaded; and the cost of not asking."""

from __future__ import annotations

import subprocess
import sys
import timeit

import pytest

from fieldwise.core.flow import (
    drive,
)
from tests.core.flow.flows import (
    silent,
)


def python(code: str) -> subprocess.CompletedProcess[str]:
    prelude = (
        "import asyncio, os, signal, threading, time\n"
        "from fieldwise.core.flow import *\n"
        "def ask(n):\n"
        "    yield [JudgeRequest((Question(str(i), 'f', 'c', 1, 2),)) for i in range(n)]\n"
    )
    return subprocess.run(
        [sys.executable, "-c", prelude + code], capture_output=True, text=True, check=False, timeout=60
    )


ABANDONED = {
    "drive": """
def judge(request):
    if request.questions[0].id == "1":
        raise SystemExit(7)
    time.sleep(600)
drive(ask(2), judge)
""",
    "adrive": """
async def main():
    try:
        await asyncio.wait_for(adrive(ask(2), lambda request: time.sleep(600)), 0.05)
    except TimeoutError:
        return 7
raise SystemExit(asyncio.run(main()))
""",
    "drive_many": """
def judge(request):
    if request.questions[0].id == "1":
        raise SystemExit(7)
    time.sleep(600)
list(drive_many([ask(1), ask(2)], judge))
""",
}


@pytest.mark.parametrize("code", [pytest.param(code, id=name) for name, code in ABANDONED.items()])
def test_an_abandoned_call_does_not_keep_the_process(code: str) -> None:
    run = python(code)
    assert (run.returncode, run.stdout, run.stderr) == (7, "", "")


def test_an_interrupt_cancels_queued_work_and_closes_the_flow() -> None:
    run = python("""
called = []
def judge(request):
    called.append(request.questions[0].id)
    if len(called) == 2:
        os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.3)
    return {}
def noting():
    try:
        yield from ask(50)
    finally:
        print("closed", flush=True)
try:
    drive(noting(), judge, limit=2)
except KeyboardInterrupt:
    time.sleep(1)
    print("called", len(called))
""")
    assert (run.returncode, run.stdout, run.stderr) == (0, "closed\ncalled 2\n", "")


LOADED = """
import sys
before = set(sys.modules)
import fieldwise.core.flow as f
def silent():
    yield from ()
    return 1
assert f.drive(f.together([silent()]), None) == [1]
print(*sorted(set(sys.modules) - before))
"""
FOR_ASKING = {"asyncio", "concurrent.futures", "contextvars", "queue", "threading"}
FOR_ASKING |= {f"fieldwise.core.{name}" for name in ("flow.desk", "flow.async_desk", "flow.window", "pool")}


def test_not_asking_loads_nothing_for_threads_or_loops() -> None:
    run = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    loaded = set(run.stdout.split())
    assert "fieldwise.core.flow" in loaded
    assert loaded & FOR_ASKING == set()


def test_driving_a_flow_that_never_asks_costs_next_to_nothing() -> None:
    """Under 0.5 µs above the flow itself where the machine is idle; the bound leaves room for a busy one."""

    def by_hand() -> object:
        try:
            return next(silent("x"))
        except StopIteration as done:
            return done.value

    def driven() -> object:
        return drive(silent("x"), None)

    number = 5_000
    flow_alone = min(timeit.repeat(by_hand, number=number, repeat=20))
    assert (min(timeit.repeat(driven, number=number, repeat=20)) - flow_alone) / number < 2e-6
