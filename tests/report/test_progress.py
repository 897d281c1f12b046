"""The progress line: what it says, how often, and that it leaves nothing behind."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from fieldwise.report.progress import Progress


class Clock:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("done", "elapsed", "share", "expected"),
    [
        (1, 0.0, None, "1 record"),
        (1_200, 2.0, None, "1,200 records  600/s"),
        (50, 10.0, 0.25, "50 records  5/s  25%  30 s left"),
        (2, 10.0, 0.5, "2 records  5.0 s each  50%  10 s left"),
        (5, 1.0, 0.0, "5 records  5/s"),
    ],
)
def test_line(done: int, elapsed: float, share: float | None, expected: str) -> None:
    progress = Progress(io.StringIO(), lambda _: share, Clock())
    progress.done = done
    assert progress.line(elapsed) == expected


def test_written_over_itself_at_most_ten_times_a_second() -> None:
    stream, clock = io.StringIO(), Clock()
    progress = Progress(stream, lambda done: done / 10, clock)
    for clock.now in ticks(0.0, 0.05, 0.1, 0.15, 0.25):
        progress.step()
    progress.clear()
    progress.clear()
    assert stream.getvalue() == (
        "\r\x1b[K3 records  30/s  30%  0.23 s left\r\x1b[K5 records  20/s  50%  0.25 s left\r\x1b[K"
    )


def test_short_run_and_no_stream_write_nothing() -> None:
    stream, clock = io.StringIO(), Clock()
    for progress in (Progress(stream, lambda _: None, clock), Progress(None, lambda _: None, clock)):
        progress.step()
        progress.clear()
    assert stream.getvalue() == ""


def ticks(*times: float) -> Iterator[float]:
    yield from times
