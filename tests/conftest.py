"""What holds for every test: how many examples hypothesis tries, no tracing, nothing but loopback, Ctrl-C.

Profiles are chosen by the environment variable HYPOTHESIS_PROFILE: `ci` (the default, 100 examples)
or `laws` (1,000). With CI set, examples are derived from the test itself, so that a gate that passed
passes again.
"""

from __future__ import annotations

import ipaddress
import os
import signal
import sys
from typing import Any

from hypothesis import HealthCheck, settings

_TRACING = ("LANGSMITH_", "LANGCHAIN_")
_LOCAL_NAMES = {"", "localhost"}


def _register_profiles() -> None:
    # A busy machine draws slowly; that says nothing about the code under test.
    common = settings(deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
    settings.register_profile("ci", common, max_examples=100, derandomize=bool(os.environ.get("CI")))
    settings.register_profile("laws", common, max_examples=1_000, derandomize=False)
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def _forget_tracing() -> None:
    for name in [name for name in os.environ if name.startswith(_TRACING)]:
        del os.environ[name]


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host in _LOCAL_NAMES


def _loopback_only(event: str, args: tuple[Any, ...]) -> None:
    """Refuse to resolve or connect to another machine; an audit hook sees every library's sockets."""
    if event == "socket.getaddrinfo":
        host = args[0]
    elif event == "socket.connect" and isinstance(args[1], tuple):
        host = args[1][0]
    else:
        return
    name = host.decode() if isinstance(host, bytes) else host
    if name is not None and not _is_loopback(name):
        raise RuntimeError(f"a test tried to reach {name!r}; tests reach loopback only")


def _hear_interrupts() -> None:
    """Undo what a shell does to jobs in its background, for this process and those it starts."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


_register_profiles()
_forget_tracing()
_hear_interrupts()
sys.addaudithook(_loopback_only)
