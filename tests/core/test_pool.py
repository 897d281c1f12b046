"""The pool of daemon threads by itself."""

from __future__ import annotations

import contextvars
import threading
import time
from concurrent.futures import CancelledError

import pytest

from fieldwise.core.pool import DaemonPool

var: contextvars.ContextVar[str] = contextvars.ContextVar("var", default="unset")


def test_a_call_gets_its_arguments_and_gives_its_result() -> None:
    pool = DaemonPool(1)
    assert pool.submit(int, "ff", base=16).result(10) == 255
    pool.close()


@pytest.mark.parametrize(
    "error", [ValueError("x"), StopIteration(1), KeyboardInterrupt(), SystemExit(3)], ids=repr
)
def test_whatever_a_call_raises_is_in_its_future_and_the_thread_lives_on(error: BaseException) -> None:
    def fail() -> None:
        raise error

    pool = DaemonPool(1)
    assert pool.submit(fail).exception(10) is error
    assert pool.submit(len, "abc").result(10) == 3
    pool.close()


def test_a_free_thread_is_used_again() -> None:
    pool = DaemonPool(8)
    threads = {pool.submit(threading.get_ident).result(10) for _ in range(20)}
    pool.close()
    assert len(threads) == 1


def test_threads_are_added_while_calls_wait_up_to_the_size() -> None:
    pool, barrier = DaemonPool(3), threading.Barrier(3)

    def meet() -> int:
        barrier.wait(10)
        return threading.get_ident()

    assert len({future.result(10) for future in [pool.submit(meet) for _ in range(9)]}) == 3
    pool.close()


def test_each_call_runs_in_a_copy_of_the_context_of_its_submission() -> None:
    pool, gate = DaemonPool(1), threading.Event()
    pool.submit(gate.wait, 10)
    futures = []
    for value in ("first", "second"):
        token = var.set(value)
        futures.append(pool.submit(var.get))
        var.reset(token)
    gate.set()
    assert [future.result(10) for future in futures] == ["first", "second"]
    pool.close()


def test_a_cancelled_call_is_never_made() -> None:
    pool, gate = DaemonPool(1), threading.Event()
    called: list[str] = []
    pool.submit(gate.wait, 10)
    assert pool.submit(called.append, "cancelled").cancel()
    last = pool.submit(called.append, "last")
    gate.set()
    last.result(10)
    pool.close()
    assert called == ["last"]


def test_close_cancels_what_is_queued_abandons_what_runs_and_ends_the_threads() -> None:
    pool, started, gate = DaemonPool(1), threading.Event(), threading.Event()

    def run() -> threading.Thread:
        started.set()
        gate.wait(10)
        return threading.current_thread()

    running = pool.submit(run)
    queued = pool.submit(run)
    assert started.wait(10)
    before = time.monotonic()
    pool.close()
    pool.close()
    assert time.monotonic() - before < 5
    with pytest.raises(CancelledError):
        queued.result(10)
    gate.set()
    thread = running.result(10)
    thread.join(10)
    assert thread.daemon
    assert not thread.is_alive()


def test_a_closed_pool_takes_no_call() -> None:
    pool = DaemonPool(1)
    pool.close()
    with pytest.raises(RuntimeError) as raised:
        pool.submit(len, "")
    assert str(raised.value) == "the pool is closed; submit calls before close()"
