"""The option `executor`: who does the work of a run.

| executor | is |
|---|---|
| any `concurrent.futures.Executor` | itself; whoever made it shuts it down |
| `"processes"`, `"processes:4"` | so many processes of this machine, else one for each of its cores |
| `"dask://host:port"` | the workers of a Dask scheduler (`pip install "fieldwise[dask]"`) |

Processes made here ignore Ctrl-C, which their parent answers, and end when the parent is gone, however that
came about. Where one of them dies, others take the place of all.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import shown
from fieldwise.errors import ConfigError, ExecutorError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Executor

FORMS: Final = 'an Executor, "processes", "processes:4", or "dask://host:port"'
_TIMEOUT: Final = 10


@dataclass(slots=True)
class Pool:
    """An executor, and what a run has to know about it.

    Attributes:
        executor: where chunks are sent.
        workers: how many of them it scores at once, as far as can be told.
        shares: whether its workers see the objects of this process, so that nothing has to travel.
        renew: makes another executor in place of a broken one; None: whoever made it has to.
    """

    executor: Executor
    workers: int
    shares: bool = False
    renew: Callable[[], Executor] | None = None


@contextmanager
def opened(executor: Any) -> Iterator[Pool]:
    """Give what `executor` stands for; what is made here is ended here.

    Raises:
        ConfigError: it is none of the forms; naming it and them.
        ExecutorError: no scheduler answers at the address.
    """
    if not isinstance(executor, str):
        yield _given(executor)
    elif executor.partition(":")[0] == "processes":
        with _processes(_number(executor)) as pool:
            yield pool
    elif executor.startswith("dask://") and executor.removeprefix("dask://"):
        with _dask(executor) as pool:
            yield pool
    else:
        raise _unknown(executor)


def check(executor: Any) -> None:
    """Refuse what is no executor, before anything is made.

    Raises:
        ConfigError: it is none of the forms; naming it and them.

    >>> check("processes:2")
    """
    if not isinstance(executor, str):
        _given(executor)
    elif executor.partition(":")[0] == "processes":
        _number(executor)
    elif not executor.startswith("dask://") or not executor.removeprefix("dask://"):
        raise _unknown(executor)


def _unknown(executor: Any) -> ConfigError:
    return ConfigError(f"executor={shown(executor)}: must be {FORMS}")


# ------------------------------------------------------------------------------------------- given


def _given(executor: Any) -> Pool:
    from concurrent.futures import Executor, ThreadPoolExecutor

    if not isinstance(executor, Executor):
        raise _unknown(executor)
    threads = (
        isinstance(executor, ThreadPoolExecutor) and type(executor).__name__ != "InterpreterPoolExecutor"
    )
    return Pool(executor, _workers(executor), shares=threads)


def _workers(executor: Any) -> int:
    """How many chunks an executor scores at once: told by pools, and by Dask's client."""
    found = getattr(executor, "_max_workers", None)
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "nthreads"):
        found = sum(client.nthreads().values())
    return found if type(found) is int and found > 0 else os.cpu_count() or 1


# --------------------------------------------------------------------------------------- processes


def _number(executor: str) -> int:
    _, colon, number = executor.partition(":")
    if not colon:
        return os.cpu_count() or 1
    if not number.isdecimal() or not int(number):
        raise ConfigError(f"executor={executor!r}: write how many processes, as in processes:4")
    return int(number)


@contextmanager
def _processes(workers: int) -> Iterator[Pool]:
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    def make() -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, get_context("spawn"), initializer=_serve)

    def renew() -> Executor:
        _end(pool.executor)
        pool.executor = make()
        return pool.executor

    pool = Pool(make(), workers, renew=renew)
    try:
        yield pool
    except BaseException:
        _end(pool.executor)
        raise
    pool.executor.shutdown()


def _end(executor: Executor) -> None:
    """Shut a pool down without waiting for what it was doing."""
    processes = list((getattr(executor, "_processes", None) or {}).values())
    executor.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(_TIMEOUT)


def _serve() -> None:
    """Make this process a worker: it leaves Ctrl-C to its parent, and does not outlive it."""
    import signal
    from threading import Thread

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


# -------------------------------------------------------------------------------------------- dask


@contextmanager
def _dask(executor: str) -> Iterator[Pool]:
    try:
        import distributed
    except ImportError:
        raise ConfigError(
            f'executor={executor!r}: Dask is not installed; pip install "fieldwise[dask]"'
        ) from None
    address = "tcp://" + executor.removeprefix("dask://")
    try:
        client: Any = getattr(distributed, "Client")(address, timeout=_TIMEOUT, set_as_default=False)  # noqa: B009 - untyped
    except (OSError, ValueError) as error:
        raise ExecutorError(f"executor={executor!r}: no scheduler answers: {error}") from None
    with client:
        made = client.get_executor(pure=False)
        yield Pool(made, _workers(made))
