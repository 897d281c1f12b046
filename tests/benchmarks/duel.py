"""How contestants are measured: side by side, in rounds, by CPU time.

A round runs each contestant once, so that a slow moment of the machine hits all of them; within a round a
quick one repeats its work until it has run for `LONG_ENOUGH`. The garbage collector stays on, as it is in
life. A figure is the median over rounds; a ratio is the median of the ratios of the same round.

Before anything is timed, every contestant's answers are compared with ours. Those that cannot agree say why.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from time import process_time
from typing import Any, Final

from tests.benchmarks.table import Line, Note, duration, times, verdict

LONG_ENOUGH: Final = 0.02
MAX_LOOPS: Final = 1_000


@dataclass(frozen=True, slots=True)
class Contestant:
    """One way to do the work of a duel.

    Attributes:
        name: as printed.
        work: does all of it once.
        count: how many evaluations that is; the printed time is for one.
        answers: reads what `work` returned as something comparable with ours; None: it cannot agree.
        why: why it cannot.
        target: how many times faster ours should be; None: no target.
    """

    name: str
    work: Callable[[], Any]
    count: int = 1
    answers: Callable[[Any], Sequence[Any]] | None = None
    why: str = ""
    target: float | None = None


def duel(row: str, ours: Contestant, rivals: Sequence[Contestant], repeats: int) -> Iterator[Line | Note]:
    """Check that the answers agree, measure, and yield a line for each."""
    everyone = [ours, *rivals]
    yield from agreement(ours, rivals)
    seconds = race(everyone, repeats)
    yield Line(row, ours.name, duration(median(seconds[0])))
    for rival, spent in zip(rivals, seconds[1:], strict=True):
        ratio = median(theirs / mine for theirs, mine in zip(spent, seconds[0], strict=True))
        target = "" if rival.target is None else f"{rival.target:.3g}x"
        met = "" if rival.target is None else verdict(target, met=ratio >= rival.target)
        yield Line(row, rival.name, duration(median(spent)), times(ratio), target, met)


def agreement(ours: Contestant, rivals: Sequence[Contestant]) -> Iterator[Note]:
    """Run everyone once; say whose scores are ours, whose differ, and who cannot be compared."""
    if ours.answers is None:
        return
    mine = ours.answers(ours.work())
    agreeing = []
    for rival in rivals:
        if rival.answers is None:
            yield Note(f"{rival.name}: {rival.why}")
            continue
        both = list(zip(mine, rival.answers(rival.work()), strict=False))
        differing = [pair for pair in both if pair[0] != pair[1]]
        if not differing:
            agreeing.append(rival.name)
            continue
        why = f"; {rival.why}" if rival.why else ""
        yield Note(
            f"{rival.name}: {len(differing)} of {len(both)} scores differ, first ours {differing[0][0]}, "
            f"theirs {differing[0][1]}{why}"
        )
    if agreeing:
        yield Note(f"same scores as ours: {', '.join(agreeing)}")


def race(contestants: Sequence[Contestant], repeats: int) -> list[list[float]]:
    """Return the CPU seconds of one evaluation, for each contestant and round."""
    loops = [calibrate(one) for one in contestants]
    spent: list[list[float]] = [[] for _ in contestants]
    for _ in range(repeats):
        for contestant, loop, rounds in zip(contestants, loops, spent, strict=True):
            rounds.append(clock(contestant.work, loop) / (loop * contestant.count))
    return spent


def calibrate(contestant: Contestant) -> int:
    """How often to repeat the work in one round; also what warms it up."""
    once = clock(contestant.work, 1)
    if once < LONG_ENOUGH:
        once = clock(contestant.work, 1)
    return max(1, min(MAX_LOOPS, math.ceil(LONG_ENOUGH / max(once, 1e-7))))


def clock(work: Callable[[], Any], loops: int) -> float:
    start = process_time()
    for _ in range(loops):
        work()
    return process_time() - start
