"""The rows of the judge: what is left of a model's own time, and what is never asked.

These are wall times, for a judge waits. The third column is the time of one round, the fourth how many times
the ideal it is: one call's time, or that of all calls packed into the places there are. Models are fakes in
this process, which wait and answer; over HTTP it is a server in this process too, so that figure is mostly
the server's. Nothing is compared with a peer.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from tests.benchmarks.table import Line, Note, duration, times, verdict

if TYPE_CHECKING:
    from tests.benchmarks.rows import Row

WALL: Final = "wall time of a round and, in the column of peers, how many times the ideal it is"
KEYS: Final = 8
ONE_CALL: Final = 0.05
ONE_TARGET: Final = 1.2
RECORDS: Final = 1_000
EACH: Final = 0.02
PLACES: Final = 50
MANY_TARGET: Final = 1.3
OVER_HTTP: Final = 300


def one_call(row: str, repeats: int) -> Iterator[Line | Note]:
    """A record of eight rubric keys: one call."""
    import fieldwise

    yield Note(f"{WALL}; {KEYS} rubric keys, {ONE_CALL * 1000:g} ms a call")
    given = _record(0, KEYS)
    rubric = dict.fromkeys(given["outputs"], "same meaning")
    for name, client in _fakes(ONE_CALL):
        judge = fieldwise.create_judge(client, model=_model(client))
        evaluate: Any = fieldwise.create_json_match_evaluator(rubric=rubric, judge=judge)
        aevaluate: Any = fieldwise.create_async_json_match_evaluator(rubric=rubric, judge=judge)
        works = {"sync": partial(evaluate, **given), "async": partial(_run_async, aevaluate, given)}
        for mode, work in works.items():
            work()
            before = client.script.calls
            spent = _spent(work, repeats)
            calls = (client.script.calls - before) / repeats
            yield _line(row, f"{name}, {mode}: {calls:g} call", spent, ONE_CALL, ONE_TARGET)


def many(row: str, repeats: int) -> Iterator[Line | Note]:
    """Many records, many calls at once."""
    yield Note(f"{WALL}; {RECORDS:,} records, one call of {EACH * 1000:g} ms each, {PLACES} at once")
    ideal = RECORDS / PLACES * EACH
    for name, client in [*_fakes(EACH), ("function", None)]:
        for mode, run in _runs(client, RECORDS):
            run()
            spent = _spent(run, min(repeats, 3))
            yield _line(row, f"{name}, {mode}", spent, ideal, MANY_TARGET)
        if hasattr(client, "invoke"):
            for mode, run in _floor(client):
                yield _line(row, f"floor: {name} alone, {mode}", _spent(run, min(repeats, 3)), ideal, None)
    yield from _http(row)


def _floor(model: Any) -> list[tuple[str, Callable[[], Any]]]:
    """The calls alone, without a judge."""

    def sync() -> None:
        with ThreadPoolExecutor(PLACES) as pool:
            list(pool.map(model.invoke, ["Hello"] * RECORDS))

    async def run() -> None:
        gate = asyncio.Semaphore(PLACES)

        async def one() -> None:
            async with gate:
                await model.ainvoke("Hello")

        await asyncio.gather(*(one() for _ in range(RECORDS)))

    return [("sync", sync), ("async", lambda: asyncio.run(run()))]


def _http(row: str) -> Iterator[Line | Note]:
    import openai

    from tests.judges.fakes import Step
    from tests.judges.oai_server import OpenAIServer

    ideal = OVER_HTTP / PLACES * EACH
    with OpenAIServer(Step(delay=EACH), keep_alive=True) as server:
        given: dict[str, Any] = {"base_url": server.url, "api_key": "k"}
        for kind in (openai.OpenAI, openai.AsyncOpenAI):
            for mode, run in _runs(kind(**given), OVER_HTTP):
                yield _line(row, f"openai.{kind.__name__} over HTTP, {mode}", _spent(run, 1), ideal, None)
        yield Note(f"over HTTP: {OVER_HTTP} records; {server.most_busy} calls were under way at most")


def never_asked(row: str, repeats: int) -> Iterator[Line | Note]:
    """Equal values are not sent; equal questions are asked once in a run; what was asked before is kept."""
    import fieldwise
    from fieldwise.run import evaluate_records
    from tests.judges.fakes import chat_model

    yield Note(f"calls made for {RECORDS:,} records")
    equal = [{"outputs": {"a": str(n)}, "reference_outputs": {"a": str(n)}} for n in range(RECORDS)]
    alike = [_record(n % 10, 1) for n in range(RECORDS)]
    for name, records, most, cache in (
        ("equal values", equal, 0, None),
        ("ten questions, many times", alike, 10, None),
        ("the same in a second run, cache=True", alike, 0, True),
    ):
        client = chat_model()
        judge = fieldwise.create_judge(client, cache=cache)
        evaluator = fieldwise.create_json_match_evaluator(rubric={"a": "same meaning"}, judge=judge)
        if cache:
            evaluate_records(records, evaluator)
        before = client.script.calls
        report = evaluate_records(records, evaluator)
        calls = client.script.calls - before
        met = verdict(f"{most} calls", met=calls == most and report.score == 1.0)
        yield Line(row, name, f"{calls:,} calls", "", str(most), met)


def turned_away(row: str, repeats: int) -> Iterator[Line | Note]:
    """Every third request is turned away with 429, and nothing is lost."""
    yield Note(f"{RECORDS:,} records, {PLACES} at once; every third request is 429, Retry-After: 0.01")
    for mode, run in _runs(_Crowded(), RECORDS):
        start = time.perf_counter()
        report = run()
        spent = time.perf_counter() - start
        lost = RECORDS - sum(one.results[0]["score"] == 1.0 for one in report.records)
        told = f"{mode}: {lost} lost, {report.usage['retries']:,.0f} tried again"
        yield Line(row, told, duration(spent), "", "0 lost", verdict("0 lost", met=lost == 0))


class _Crowded:
    """A function that judges, and turns every third request away."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, request: Any) -> Any:
        from tests.judges.fakes import Step, raise_for

        time.sleep(0.001)
        self.calls += 1
        if self.calls % 3 == 0:
            raise_for(Step(status=429, headers=(("retry-after", "0.01"),)))
        return {one.id: True for one in request.questions}


# -------------------------------------------------------------------------------------------- the parts


def _fakes(seconds: float) -> list[tuple[str, Any]]:
    from tests.judges.fakes import FakeOpenAI, Step, chat_model

    return [
        ("chat model", chat_model(Step(delay=seconds))),
        ("OpenAI shape", FakeOpenAI(Step(delay=seconds))),
    ]


def _model(client: Any) -> str | None:
    return "m" if hasattr(client, "chat") else None


def _runs(client: Any, count: int) -> list[tuple[str, Callable[[], Any]]]:
    """A run over records, sync and async; without a client, of functions that judge."""
    import fieldwise
    from fieldwise.run import aevaluate_records, evaluate_records

    records = [_record(number, 1) for number in range(count)]

    def evaluator(make: Any, given: Any) -> Any:
        judge = fieldwise.create_judge(given, model=_model(given), concurrency=PLACES)
        return make(rubric={"a": "same meaning"}, judge=judge)

    sync = evaluator(fieldwise.create_json_match_evaluator, client or _slow)
    awaits = evaluator(fieldwise.create_async_json_match_evaluator, client or _aslow)
    return [
        ("sync", lambda: evaluate_records(records, sync, concurrency=PLACES)),
        ("async", lambda: asyncio.run(_awaited(aevaluate_records(records, awaits, concurrency=PLACES)))),
    ]


def _run_async(evaluate: Any, given: dict[str, Any]) -> Any:
    return asyncio.run(evaluate(**given))


async def _awaited(given: Awaitable[Any]) -> Any:
    return await given


def _slow(request: Any) -> Any:
    time.sleep(EACH)
    return {one.id: True for one in request.questions}


async def _aslow(request: Any) -> Any:
    await asyncio.sleep(EACH)
    return {one.id: True for one in request.questions}


def _record(number: int, fields: int) -> dict[str, Any]:
    names = "abcdefgh"[:fields]
    return {
        "outputs": dict.fromkeys(names, f"Street {number}"),
        "reference_outputs": dict.fromkeys(names, f"{number} Street"),
    }


def _spent(work: Callable[[], Any], repeats: int) -> float:
    rounds = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        rounds.append(time.perf_counter() - start)
    return median(rounds)


def _line(row: str, contestant: str, spent: float, ideal: float, target: float | None) -> Line:
    ratio = spent / ideal
    aim = "" if target is None else f"{target:g}x"
    met = "" if target is None else verdict(aim, met=ratio <= target)
    return Line(row, contestant, duration(spent), times(ratio), aim, met)


ROWS: Final[dict[str, Row]] = {
    "judge-one-call": one_call,
    "judge-many": many,
    "judge-never-asked": never_asked,
    "judge-turned-away": turned_away,
}
