"""What code of somebody else's may not do to a run: end it, or change what others are shown.

Rules of this module:
1. Whatever an agent, an evaluator or a judge raises is its own failure, also `SystemExit`, `GeneratorExit`
   and whatever else is no `Exception`. Only the user's interruption ends a run: its signal is handled in the
   main thread and nowhere else, so a `KeyboardInterrupt` of any other thread is the code's own.
2. Each gets containers of its own. Of what cannot be copied, it gets the thing itself.
"""

from __future__ import annotations

import inspect
import sysconfig
from asyncio import CancelledError, wait_for
from copy import deepcopy
from pathlib import Path, PurePath
from threading import current_thread, main_thread
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import said, shown
from fieldwise.core.pool import DaemonPool
from fieldwise.errors import JudgeError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
_NOT_THEIRS: Final = (str(Path(__file__).parents[1]), sysconfig.get_paths()["stdlib"])
"""Where code that is not the user's stands: ours, and Python's."""
_PLAIN: Final = (str, int, float, bool, type(None))


def is_interruption(error: BaseException) -> bool:
    """Whether an exception, just caught, is the user's interruption.

    >>> is_interruption(KeyboardInterrupt()), is_interruption(SystemExit())
    (True, False)
    """
    return isinstance(error, KeyboardInterrupt) and current_thread() is main_thread()


def raised(error: BaseException) -> str:
    """Say what code raised.

    >>> raised(SystemExit(3)), raised(GeneratorExit()), raised(KeyError("a"))
    ('called sys.exit(3)', 'raised GeneratorExit', "raised KeyError: 'a'")
    """
    if isinstance(error, SystemExit):
        return f"called sys.exit({shown(error.args[0], 100) if error.args else ''})"
    return f"raised {said(error)}"


def place_of(error: BaseException) -> str:
    """Return the last place in code of the user's own that an exception came through, `file.py:12`, or ""."""
    place, traceback = "", error.__traceback__
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not file.startswith((*_NOT_THEIRS, "<")) and not _INSTALLED.intersection(PurePath(file).parts):
            place = f"{PurePath(file).name}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place


def guarded(ask: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a way to ask a judge of which nothing but an `Exception` comes, or an interruption."""

    def call(request: Any) -> Any:
        try:
            given = ask(request)
        except BaseException as error:
            raise _kept(error) from error
        return _acontained(given) if inspect.isawaitable(given) else given

    return call


async def _acontained(given: Awaitable[Any]) -> Any:
    try:
        return await given
    except CancelledError:
        raise
    except BaseException as error:
        raise _kept(error) from error


def _kept(error: BaseException) -> BaseException:
    if isinstance(error, Exception | CancelledError) or is_interruption(error):
        return error
    return JudgeError(f"the judge {raised(error)}")


def with_timeout(call: Callable[[Any], Any], timeout: float | None, *, awaits: bool) -> Callable[[Any], Any]:
    """Return a call that gives up after so many seconds; what was called is cancelled, or abandoned.

    The call raises JudgeError when the time is up.
    """
    if timeout is None:
        return call
    late = JudgeError(f"no verdict within {timeout:g} s")

    def blocking(given: Any) -> Any:
        pool = DaemonPool(1)
        try:
            return pool.submit(call, given).result(timeout)
        except TimeoutError:
            raise late from None
        finally:
            pool.close()

    async def awaited(given: Any) -> Any:
        try:
            return await wait_for(call(given), timeout)
        except TimeoutError:
            raise late from None

    return awaited if awaits else blocking


def private_copy(value: Any) -> Any:
    """Return a copy that shares no container with what is given, at any depth, and cycles as cycles.

    >>> a = {"b": [1]}
    >>> private_copy(a) == a, private_copy(a)["b"] is a["b"]
    (True, False)
    """
    holder: list[Any] = [value]
    copies: dict[int, tuple[Any, Any]] = {}  # with the originals, so that no id is used again
    stack: list[tuple[Any, Any]] = [(holder, 0)]
    while stack:
        parent, key = stack.pop()
        one = parent[key]
        if type(one) in _PLAIN:
            continue
        if id(one) in copies:
            parent[key] = copies[id(one)][1]
        elif type(one) is dict or type(one) is list:
            copy = one.copy()
            copies[id(one)] = one, copy
            parent[key] = copy
            stack.extend((copy, inner) for inner in (copy if type(copy) is dict else range(len(copy))))
        else:
            parent[key] = _deep(one)
            copies[id(one)] = one, parent[key]
    return holder[0]


def _deep(value: Any) -> Any:
    try:
        return deepcopy(value)
    except Exception:  # noqa: BLE001 - a lock, a client, what refuses: it stays what it is
        return value
