"""`make fuzz`: random cases for MINUTES, each from a seed that makes it again.

    python -m tests.fuzz.run --minutes 30
    python -m tests.fuzz.run --target json_match --case 20260301:417

A case fails when it raises what it may not, breaks a promise, or takes over 2 seconds of CPU time, which a
busy machine does not change. One that does not end, or waits, is interrupted. One that cannot be ends the run
with a traceback, and `build/fuzz/running.txt` names it. Failures are told apart by where they are from; the
first few from each place are written to `build/fuzz`, with the command that repeats them. The exit code is 1
when there is any.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import signal
import sys
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tests.fuzz.making import Source, corpus
from tests.fuzz.targets import TARGETS

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT: Final = Path(__file__).resolve().parents[2]
SAVED: Final = ROOT / "build" / "fuzz"
SLOW: Final = 2.0
HUNG: Final = 20
"""CPU seconds until a case is interrupted."""
WAITING: Final = 120
"""Seconds of any kind until it is."""
KEPT: Final = 5
ROUND: Final = 20


class Hung(BaseException):
    """A case did not end."""


class Slow(Exception):
    """A case took too long."""


@dataclass(slots=True)
class Found:
    """What a run found.

    Attributes:
        cases: how many ran, by target.
        places: how often something failed at a place.
        slowest: the longest a case of a target took, and which.
    """

    cases: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, tuple[float, str]] = field(default_factory=dict)


def one(target: str, case: str) -> float:
    """Run a case; return how long it took, and raise what it raised."""
    source = Source(f"{target}:{case}")
    signal.setitimer(signal.ITIMER_PROF, HUNG)
    signal.setitimer(signal.ITIMER_REAL, WAITING)
    faulthandler.dump_traceback_later(2 * WAITING, exit=True)
    began = time.process_time()
    try:
        TARGETS[target](source)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        faulthandler.cancel_dump_traceback_later()
        took = time.process_time() - began
    if took > SLOW:
        raise Slow(f"{took:.1f} s")
    return took


def place(target: str, error: BaseException) -> str:
    """Say where an error is from: its kind, and the innermost lines of fieldwise."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [f"{Path(one.filename).name}:{one.name}" for one in frames if "/fieldwise/" in one.filename]
    said = str(error).partition(":")[0][:60] if isinstance(error, AssertionError) else ""
    where = " < ".join(reversed(ours[-2:])) or target
    return f"{type(error).__name__} {said} in {where}" if not isinstance(error, Slow) else f"Slow in {target}"


def attempt(target: str, case: str, found: Found) -> None:
    """Run a case and note how it went."""
    found.cases[target] += 1
    again = f"python -m tests.fuzz.run --target {target} --case {case}"
    (SAVED / "running.txt").write_text(f"{again}\n", "utf-8")
    try:
        took = one(target, case)
    except (Exception, Hung) as error:  # noqa: BLE001 - whatever it is, it is a finding
        at = place(target, error)
        found.places[at] += 1
        if found.places[at] <= KEPT:
            print(f"{at}\n  {again}", flush=True)
            name = hashlib.sha1(at.encode(), usedforsecurity=False).hexdigest()[:8]
            text = f"{again}\n\n{at}\n\n{''.join(traceback.format_exception(error))[-20_000:]}"
            (SAVED / f"{target}-{name}-{found.places[at]}.txt").write_text(text, "utf-8", "backslashreplace")
        return
    if took > found.slowest.get(target, (0.0, ""))[0]:
        found.slowest[target] = took, case


def cases(targets: list[str], seed: int, minutes: float) -> Iterator[tuple[str, str]]:
    """Yield targets in turn, a few cases each, until the time is up."""
    end = time.monotonic() + 60 * minutes
    numbers = dict.fromkeys(targets, 0)
    for target in cycle(targets):
        for _ in range(ROUND):
            if time.monotonic() > end:
                return
            yield target, f"{seed}:{numbers[target]}"
            numbers[target] += 1


def summary(found: Found) -> str:
    """Return the run in a few lines."""
    slow = sorted(found.slowest.items(), key=lambda row: -row[1][0])[:5]
    lines = [
        f"{found.cases.total()} cases, {min(found.cases.values())} or more of each target",
        "slowest: " + ", ".join(f"{target} {took:.2f} s ({case})" for target, (took, case) in slow),
        f"{found.places.total()} failures at {len(found.places)} places",
        *(f"{times:6}  {at}" for at, times in found.places.most_common()),
    ]
    return "\n".join(lines)


def hung(number: int, _: Any) -> None:
    """Break off a case."""
    raise Hung(f"over {HUNG} s of CPU" if number == signal.SIGPROF else f"over {WAITING} s")


def main() -> int:
    """Run, and return 1 when something was found."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    asked.add_argument("--minutes", type=float, default=30)
    asked.add_argument("--seed", type=int, default=int(time.time()))
    asked.add_argument("--target", action="append", choices=sorted(TARGETS))
    asked.add_argument("--case", help="one case, SEED:NUMBER, of one target")
    given = asked.parse_args()
    targets = given.target or list(TARGETS)
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, hung)
    faulthandler.enable()
    corpus()
    if given.case:
        print(f"{one(targets[0], given.case):.2f} s")
        return 0
    SAVED.mkdir(parents=True, exist_ok=True)
    print(f"seed {given.seed}, {len(targets)} targets, {given.minutes:g} minutes", flush=True)
    found = Found()
    for target, case in cases(targets, given.seed, given.minutes):
        attempt(target, case, found)
    print(summary(found))
    return bool(found.places)


if __name__ == "__main__":
    sys.exit(main())
