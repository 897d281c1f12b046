"""The pytest plugin: a fixture, two options, and a table of scores at the end of a run.

It is loaded in every pytest run, and does nothing unless a test scores something or an option asks for it.

How it works. While a test runs, a listener has the results of every `assert_matches`, and of the fixture
`fieldwise_record`, counted under its name. Under pytest-xdist every worker counts its own tests and sends
the counts when it ends; they merge in any order. A worker that crashed sends none, which the table says.
"""

from __future__ import annotations

import argparse
import json
import pickle
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from fieldwise.testing.listening import listening, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from fieldwise._types import Results
    from fieldwise.testing.scores import Scores

_SENT: Final = "fieldwise"
_REPORT: Final = "fieldwise_report"
_FAIL_UNDER: Final = "fieldwise_fail_under"


@pytest.fixture
def fieldwise_record() -> Callable[..., Results]:
    """Count results in the table of scores: `fieldwise_record(evaluator(outputs=…, reference_outputs=…))`.

    It takes what any evaluator returns: a result, a list of them, or a bare score, which counts under `key`.
    Nothing fails for it.
    """

    def record(results: Any, key: str = "score") -> Results:
        from fieldwise.run._foreign import read_results

        read = read_results(key, results)
        tell(read)
        return read

    return record


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("fieldwise")
    group.addoption(
        "--fieldwise-report", metavar="FILE", type=Path, dest=_REPORT, help="write all scores as JSON"
    )
    group.addoption(
        "--fieldwise-fail-under",
        metavar="X",
        type=_share,
        dest=_FAIL_UNDER,
        help="fail when the mean of all scores is below X, from 0 to 1, or nothing was scored",
    )


def _share(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 0 to 1") from None
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not from 0 to 1")
    return number


def pytest_configure(config: pytest.Config) -> None:
    """Begin to collect."""
    config.pluginmanager.register(Collector(config), "fieldwise-scores")


class Collector:
    """The scores of one run, or of one worker of it."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._works = hasattr(config, "workerinput")
        self._scores: Scores | None = None
        self._crashed = 0
        self._problems: list[str] = []

    def _counted(self) -> Scores:
        if self._scores is None:
            from fieldwise.testing.scores import Scores

            self._scores = Scores()
        return self._scores

    def _hear(self, test: str, results: Results) -> None:
        self._counted().add(test, results)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Listen while a test runs, its fixtures included."""
        with listening(partial(self._hear, item.nodeid)):
            return (yield)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take the counts of a worker that ends."""
        output = getattr(node, "workeroutput", None)
        if output is None:
            self._crashed += 1
        elif _SENT in output:
            self._counted().merge(pickle.loads(output[_SENT]))  # noqa: S301 - the run's own bytes

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send the counts, or judge and write them."""
        if self._works:
            if self._scores is not None:
                self._config.workeroutput[_SENT] = pickle.dumps(self._scores)  # type: ignore[attr-defined]
            return
        if self._config.option.collectonly:
            return
        self._problems = [*self._under(), *self._unwritten()]
        if self._problems and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def _under(self) -> list[str]:
        """What is to be said where the scores are not good enough."""
        bar = self._config.getoption(_FAIL_UNDER)
        if bar is None:
            return []
        score = None if self._scores is None else self._scores.report().score
        if score is None:
            return [f"nothing was graded, which fails --fieldwise-fail-under={bar:g}"]
        return [f"score {score:.6g} is below --fieldwise-fail-under={bar:g}"] if score < bar else []

    def _unwritten(self) -> list[str]:
        """Write the scores where they are wanted; what is to be said if that fails."""
        path = self._config.getoption(_REPORT)
        if path is None:
            return []
        text = json.dumps(self._counted().to_dict(), indent=2, allow_nan=False)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n", encoding="utf-8")
        except OSError as error:
            return [f"--fieldwise-report={path} cannot be written: {error.strerror or error}"]
        return []

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Show the scores, where there are any, and what fails because of them."""
        scored = self._scores is not None and self._scores.records > 0
        asked = any(self._config.getoption(name) is not None for name in (_REPORT, _FAIL_UNDER))
        if not (scored or self._problems or (asked and self._crashed)):
            return
        terminalreporter.write_sep("=", "fieldwise scores")
        if self._scores is not None and scored:
            for line in self._scores.lines():
                terminalreporter.write_line(line)
        if self._crashed:
            terminalreporter.write_line(f"workers that crashed, their scores missing: {self._crashed}")
        for line in self._problems:
            terminalreporter.write_line(f"FAILED: {line}", red=True)
