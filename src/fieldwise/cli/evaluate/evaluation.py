"""A run of `fieldwise eval`: an evaluation set and an agent, or what it answered; a verdict.

Items stream: each is run, evaluated, written to `--out` and `--store`, and forgotten. Whatever ends a run
early, what was evaluated until then is there, and `--resume` goes on where it stopped.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from fieldwise.cli.common.apart import apart, place
from fieldwise.cli.common.bars import least
from fieldwise.cli.common.codes import BELOW, INTERRUPTED, PASSED
from fieldwise.cli.common.streams import OutputError
from fieldwise.cli.evaluate.sources import file_of, judge_of, watched_agent
from fieldwise.cli.evaluate.verdict import has_passed, verdict
from fieldwise.core.display import nearest
from fieldwise.errors import ExecutorError, InputError
from fieldwise.report.progress import Progress
from fieldwise.report.words import count, moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fieldwise.cli.common.streams import Streams
    from fieldwise.cli.evaluate.job import EvalJob
    from fieldwise.evalsets.model import EvaluationSet, ItemResult
    from fieldwise.evalsets.results.files import Writer
    from fieldwise.evalsets.results.header import Header
    from fieldwise.evalsets.results.store import Store
    from fieldwise.evalsets.runner.recorded import Recorded
    from fieldwise.evalsets.summary import Summary

_SHOWN: Final = 20
_IDS: Final = 3


def evaluate(job: EvalJob, streams: Streams) -> int:
    """Run an evaluation set, print what was found, and return the exit code.

    Raises:
        FieldwiseError: for what makes the set, the options, the agent or the output unusable.
    """
    job.check()
    with ExitStack() as stack:
        return _Evaluation(job, stack.enter_context(apart(streams)), stack).go()


class _Evaluation:
    """One run of the command."""

    def __init__(self, job: EvalJob, streams: Streams, stack: ExitStack) -> None:
        from fieldwise.evalsets.load import load_set
        from fieldwise.evalsets.results.header import Header
        from fieldwise.evalsets.summary import Summary
        from fieldwise.run.executors.sending import Made, bare

        self._job = job
        self._folder = str(Path.cwd())
        self._streams = streams
        self._stack = stack
        asks = job.judge is not None or job.model is not None
        self._judge = Made.of(judge_of, job.judge, job.model) if asks else None
        self._set: EvaluationSet = load_set(
            job.eval_set,
            evaluators=job.evaluators,
            allow_code=job.allow_code,
            judge=bare(self._judge),
            on_load=lambda file, name: streams.note(f"running the code of {name} in {file}"),
        )
        self._agent = None if job.agent is None else Made.of(watched_agent, job.agent)
        self._outputs = None if job.outputs is None else self._recorded(job.outputs)
        recorded = None if job.outputs is None else Path(job.outputs)
        files = {"agent": file_of(job.agent), "outputs": recorded, "judge": file_of(job.judge)}
        self._header = Header.of(self._set, job.made_with, files)
        self._summary: Summary = Summary.of(self._set, job.repeat)
        self._total = len(self._set.items) * job.repeat
        self._writer: Writer | None = None
        self._store: Store | None = None
        self._before = 0

    def go(self) -> int:
        """Run every item and report; the files come before standard output, where a reader may be gone."""
        done = self._open_results()
        self._open_store()
        stopped = self._run(done)
        unwritten = list(self._write_reports(stopped))
        code = self._conclude(stopped)
        if unwritten:
            raise OutputError("\n".join(unwritten))
        return code

    def _recorded(self, path: str) -> Recorded:
        """Read recorded answers, noting what is wrong with them."""
        from fieldwise.evalsets.runner.recorded import read_recorded

        recorded = read_recorded(path)
        self._stack.callback(recorded.close)
        for problem in recorded.problems[:_SHOWN]:
            self._streams.note(problem)
        if len(recorded.problems) > _SHOWN:
            self._streams.note(f"{path}: and {count(len(recorded.problems) - _SHOWN, 'more bad record')}")
        known = [item.id for item in self._set.items]
        strangers = recorded.strangers(known)
        if strangers:
            close = nearest(strangers[0], known)
            some = ", ".join(map(repr, known[:_IDS]))
            hint = f"did you mean {close!r}?" if close else f"items: {some}{', …' * (len(known) > _IDS)}"
            what = f"{count(len(strangers), 'answer')} to no item of the set"
            text = f"{what}, the first {strangers[0]!r}; {hint}"
            if len(strangers) == len({item for item, _ in recorded.answers}) and known:
                raise InputError(f"--outputs {path}: {text}")
            self._streams.note(f"{path}: {text}")
        return recorded

    # ------------------------------------------------------------------------------------- results

    def _open_results(self) -> Iterable[ItemResult]:
        """Open the file of results, and return what is in it already."""
        from fieldwise.evalsets.results.files import InUse, NotWritten, Writer
        from fieldwise.evalsets.results.retry import drop_failed

        job, path = self._job, self._job.out
        if path is None:
            if job.junit is None and job.html is None:
                return ()
            path = str(Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "results.jsonl")
        try:
            if job.retry_errors:
                self._retried(drop_failed(self._place(path), self._header))
            if job.resume:
                self._writer, held = Writer.resume(self._place(path), self._header)
                self._say_changed(self._writer.header)
                self._header = self._writer.header
                self._stack.enter_context(self._writer)
                return self._held(held)
            begun = Writer.start(self._place(path), self._header, overwrite=job.overwrite)
            self._writer = self._stack.enter_context(begun)
        except InUse:
            hint = "--resume goes on with it, --overwrite begins anew"
            raise OutputError(f"--out {path}: has something in it already; {hint}") from None
        except NotWritten as error:
            raise OutputError(f"--out {error}") from None
        return ()

    def _say_changed(self, old: Header) -> None:
        """Say what has changed since the results that are there, which goes on all the same."""
        for name in self._header.changed(old):
            what = f"--{name} {old.made_with[name]} has changed since it was begun"
            self._streams.note(f"{self._job.out}: {what}; what is in it stays, --overwrite begins anew")

    def _retried(self, failed: int) -> None:
        if failed:
            self._streams.note(f"running {count(failed, 'failed item')} again")

    def _place(self, path: str) -> str:
        return place(path, self._folder, self._streams)

    def _held(self, results: Iterator[ItemResult]) -> Iterator[ItemResult]:
        for result in results:
            self._before += 1
            if self._store is not None:
                self._store.add(result)
            yield result

    def _open_store(self) -> None:
        from fieldwise.evalsets.results.files import NotWritten
        from fieldwise.evalsets.results.store import Store

        if self._job.store is None:
            return
        try:
            self._store = self._stack.enter_context(Store(self._place(self._job.store), self._header))
        except NotWritten as error:
            raise OutputError(f"--store {error}") from None

    def _run(self, done: Iterable[ItemResult]) -> str | None:
        """Run what is left; return in words what ended it early, None if nothing did."""
        from fieldwise.evalsets.results.files import NotWritten
        from fieldwise.evalsets.runner import run_set

        job, streams = self._job, self._streams
        shown = streams.stderr if streams.stderr.isatty() and not job.quiet else None
        progress = Progress(shown, self._share, what="item")

        def noted(result: ItemResult | bytes) -> None:
            if self._writer is not None:
                self._writer.write(result)
            if self._store is not None and not isinstance(result, bytes):
                self._store.add(result, anew=job.resume)
            progress.step()

        lines = self._store is None and self._writer is not None  # whoever only writes needs no more
        try:
            run_set(
                self._set,
                self._agent,
                self._outputs,
                judge=self._judge,
                workers=job.workers,
                timeout=job.timeout,
                repeat=job.repeat,
                on_result=None if lines else noted,
                on_line=noted if lines else None,
                done=done,
                summary=self._summary,
                allow_code=job.allow_code,
                executor=job.executor,
            )
        except KeyboardInterrupt:
            return self._interrupted()
        except ExecutorError as error:
            hint = "" if job.out is None else f", and kept in {job.out}: go on with --resume"
            raise ExecutorError(f"{error}{hint}", error.report) from None
        except NotWritten as error:
            raise OutputError(self._unwritten(error)) from None
        finally:
            progress.clear()
        return None

    def _share(self, done: int) -> float | None:
        left = self._total - self._before
        return done / left if left > 0 else None

    def _interrupted(self) -> str:
        hint = "; go on with --resume" if self._job.out is not None else ""
        return f"interrupted: {self._summary.count:,} of {count(self._total, 'item')} evaluated{hint}"

    def _unwritten(self, error: Exception) -> str:
        if self._writer is None or self._job.out is None:
            return str(error)
        kept = count(self._before + self._writer.written, "item")
        return f"{error}; {kept} evaluated and kept in {self._job.out}: make room and go on with --resume"

    # ------------------------------------------------------------------------------------- reports

    def _write_reports(self, stopped: str | None) -> Iterator[str]:
        """Write what is asked for beside the summary; yield in words what cannot be."""
        from fieldwise.evalsets.results.files import NotWritten
        from fieldwise.report.files import whole_file

        if self._store is not None and stopped is None:
            try:
                self._store.finish(self._summary.to_dict())
            except NotWritten as error:
                yield f"--store {error}"
        reports = {
            "--junit": (self._job.junit, self._write_junit),
            "--html": (self._job.html, self._write_html),
        }
        for option, (path, write) in reports.items():
            if path is None:
                continue
            try:
                with whole_file(self._place(path)) as file:
                    write(file, stopped)
            except OSError as error:
                yield str(OutputError.of(f"{option} {path}", error))

    def _write_junit(self, file: TextIO, stopped: str | None) -> None:
        from fieldwise.report.junit import junit_parts

        left = None if stopped is None else self._job.repeat
        file.writelines(junit_parts(self._set, self._results(), self._summary.to_dict(), left))

    def _write_html(self, file: TextIO, _: str | None) -> None:
        from fieldwise.report.html import write_page

        write_page(file, self._page())

    def _results(self) -> Iterable[ItemResult]:
        from fieldwise.evalsets.results.files import Results

        assert self._writer is not None  # noqa: S101 - whoever reports has a file of results
        return Results(self._header, self._place(self._writer.path))

    def _page(self) -> Any:
        from fieldwise.report.html import Run

        chosen = self._set.evaluators
        standings = self._summary.standings
        return Run(
            self._results(),
            title=self._set.name,
            set_name=self._set.name,
            date=moment(self._header.started),
            names={one.spec.id: one.spec.name for one in chosen},
            weights={one.spec.id: one.weight for one in chosen},
            thresholds={one.spec.id: one.threshold for one in chosen if one.threshold is not None},
            summaries={name: found for name, one in standings.items() if (found := one.metrics)},
            gate=tuple(verdict(self._summary, self._job.fail_under, self._job.min_coverage)),
        )

    def _conclude(self, stopped: str | None) -> int:
        """Print the summary and return the exit code."""
        from fieldwise.report.evaluation import headline, render_summary
        from fieldwise.report.table import warnings_of

        job, streams, summary = self._job, self._streams, self._summary
        for warning in warnings_of(summary.report, named=True):
            streams.warn(warning)
        passed = has_passed(summary, job.fail_under, job.min_coverage)
        if job.as_json:
            ended = {"passed": passed and stopped is None, "interrupted": stopped is not None}
            bars = {"fail_under": job.fail_under, "min_coverage": least(job.min_coverage, barred=True)}
            streams.print_json({"run": self._header.run, **summary.to_dict(), **bars, **ended})
        else:
            lines = verdict(summary, job.fail_under, job.min_coverage)
            told = "".join(f"{line}\n" for line in (*lines, *self._stored()))
            text = f"{headline(summary)}\n" if job.quiet else render_summary(summary, **streams.look)
            streams.print(text + ("" if job.quiet or not told else "\n") + told)
        if stopped is not None:
            streams.note(stopped)
            return INTERRUPTED
        return PASSED if passed else BELOW

    def _stored(self) -> Iterator[str]:
        if self._store is not None and not self._job.quiet:
            yield f"stored as {self._job.store}#{self._header.run}"
