"""One thing for all threads, also where they ask for it first at the same time."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from fieldwise.core.once import once
from fieldwise.judges import loops


def test_what_is_made_once_is_made_once() -> None:
    made: list[str] = []

    @once
    def make(name: str) -> list[str]:
        time.sleep(0.05)
        made.append(name)
        return made

    start = Barrier(8)

    def ask(name: str) -> list[str]:
        start.wait()
        return make(name)

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(ask, "aaaabbbb"))
    assert sorted(made) == ["a", "b"]
    assert all(one is made for one in found)


def test_all_threads_have_one_loop_for_judges() -> None:
    """A client's connections belong to one."""
    start = Barrier(8)

    def ask(_: int) -> int:
        start.wait()
        return id(loops._own_loop(-1))

    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(ask, range(8)))) == 1
