"""What is fuzzed: the parser, paths, pairing, and every public evaluator in each of its forms.

A target does one case with a source and raises `Broken` when a promise is not kept. What a factory refuses
has to be a `ConfigError`; after that, nothing may be raised, whatever the data.
"""

from __future__ import annotations

import asyncio
import json
import math
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

import fieldwise
from fieldwise import JudgeRequest, by_key
from fieldwise._types import MISSING, Status
from fieldwise.core.align import align
from fieldwise.core.conversion import to_json
from fieldwise.core.parse import Parsed, Unparsed, parse
from fieldwise.core.select import compile_path, try_find
from fieldwise.core.values import Unconvertible
from fieldwise.errors import ConfigError, PathError
from tests.fuzz.making import Source, as_text_or
from tests.fuzz.options import MODES, options

KEYS: Final = {"key", "score", "comment", "metadata", "extra"}
STATUSES: Final = set(get_args(Status))


class Broken(AssertionError):
    """A promise that was not kept."""


def promise(kept: bool, what: str, value: object = "") -> None:
    """Raise unless kept."""
    if not kept:
        raise Broken(f"{what}: {str(value)[:2000]}")


def written(value: Any) -> str:
    """Return a value as JSON, which it has to be."""
    try:
        return json.dumps(value, allow_nan=False, sort_keys=True)
    except (TypeError, ValueError, RecursionError) as error:
        raise Broken(f"no JSON: {type(error).__name__}: {error}") from error


# ------------------------------------------------------------------------------------------- the core


def parsing(source: Source) -> None:
    """`parse` never raises, and reads what it read once more."""
    text = source.text() if source.often(0.95) else source.long_text()
    found = parse(
        text,
        mode=source.choice(("lenient", "strict")),
        multiple=source.choice(("error", "first", "last")),
        truncated=source.choice(("error", "closed_fields")),
        scalars=source.often(0.5),
    )
    promise(isinstance(found, Parsed | Unparsed), "no answer", found)
    if isinstance(found, Unparsed):
        promise(bool(found.reason), "no reason", found)


def paths(source: Source) -> None:
    """A path compiles or is a PathError; a selector finds or finds nothing."""
    text = source.path() if source.often(0.9) else source.text()
    try:
        selector = compile_path(text)
    except PathError:
        return
    try:
        document = to_json(source.anything())
    except Unconvertible:
        return
    for match in try_find(selector, document):
        promise(isinstance(match.path, tuple), "no path", match)


def pairing(source: Source) -> None:
    """Every element is paired once, missing or invented."""
    came, wanted = (_elements(source) for _ in "ab")
    wanted = source.changed(came) if source.often(0.6) and isinstance(came, list) else wanted
    if not isinstance(wanted, list):
        wanted = [wanted]
    mode: Any = source.choice((*MODES, by_key("a", "b.c")))
    found = align(came, wanted, mode, deep=source.often(0.5))
    used = sorted([left for left, _ in [*found.same, *found.pairs]] + list(found.invented))
    owed = sorted([right for _, right in [*found.same, *found.pairs]] + list(found.missing))
    promise(used == list(range(len(came))), "elements that came", (came, wanted, mode, found))
    promise(owed == list(range(len(wanted))), "elements wanted", (came, wanted, mode, found))


def _elements(source: Source) -> list[Any]:
    many = source.choice((0, 1, 3, 8, 40, 300))
    pool = [source.value(source.choice((1, 4, 12))) for _ in range(max(1, many // 3))]
    return [
        source.choice(pool) if source.often(0.7) else source.changed(source.choice(pool)) for _ in range(many)
    ]


# ------------------------------------------------------------------------------------- the evaluators


def judge_of(seed: str) -> Callable[[JudgeRequest], Mapping[str, Any]]:
    """Return a judge that answers the same question in the same way, and often wrongly."""

    def judge(request: JudgeRequest) -> Mapping[str, Any]:
        return {one.id: _answer(Source(f"{seed}:{one.id}"), one) for one in request.questions}

    return judge


def _answer(source: Source, question: Any) -> Any:
    if source.often(0.03):
        raise source.choice((RuntimeError("the judge fell over"), TimeoutError("late"), KeyError("x")))
    scores: dict[str, list[Any]] = {
        "boolean": [True, False],
        "unit": [0.0, 0.5, 1.0],
        "percent": [0, 50, 100],
        "choice": list(question.choices) or [None],
        "schema": [{"score": 1}, {}, True],
    }
    score = source.choice(scores[question.scale]) if source.often(0.85) else source.anything()
    return score if source.often(0.3) else {"score": score, "reasoning": str(source.atom())}


def evaluator(stem: str, forms: Mapping[str, str]) -> Callable[[Source], None]:
    """Return the target of an evaluator: one record through two of its forms, which have to agree."""

    def target(source: Source) -> None:
        seed = str(source.random())
        create = getattr(fieldwise, forms["sync"])
        given = options(source, create, judge_of(seed))
        made = _made(create, given)
        form = source.choice([one for one in forms if one != "sync"])
        other = _made(getattr(fieldwise, forms[form]), given)
        promise((made is None) == (other is None), "refused in one form alone", (form, given))
        if made is None or other is None:
            return
        record = _record(source)
        results = _listed(made(**record))
        _check(results, stem, given)
        _FORMS[form](other, record, results)

    return target


def _made(create: Callable[..., Any], given: dict[str, Any]) -> Any:
    """The evaluator; None when it was refused as it should be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return create(**given)
        except ConfigError as error:
            promise(bool(str(error)), "an error without words", given)
            return None


def _record(source: Source) -> dict[str, Any]:
    outputs, reference = source.pair()
    record = {"outputs": outputs, "reference_outputs": reference}
    if source.often(0.4):
        record["inputs"] = source.anything()
    for side in ("outputs", "reference_outputs"):
        if source.often(0.02):
            record[side] = MISSING
    return record


def _listed(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]


def _check(results: list[Any], stem: str, given: dict[str, Any]) -> None:
    promise(bool(results), "no result")
    for one in results:
        promise(set(one) - {"source_run_id"} == KEYS, "keys of a result", one)
        written(one)
        score, extra = one["score"], one["extra"]
        promise(isinstance(one["key"], str) and bool(one["key"]), "key", one)
        promise(score is None or isinstance(score, bool | int | float), "score", one)
        promise(extra["status"] in STATUSES, "status", one)
        promise(
            (score is None) == (extra["status"] not in {"graded", "invalid_output"}), "score and status", one
        )
        if isinstance(score, float) and not given.get("choices") and stem != "llm_as_judge":
            promise(math.isfinite(score) and 0 <= score <= 1, "range", one)


def _same_when_awaited(other: Any, record: dict[str, Any], results: list[Any]) -> None:
    awaited = _listed(asyncio.run(other(**record)))
    promise(_still(awaited) == _still(results), "sync is not async", (_still(results), _still(awaited)))


_ITS_OWN: Final = re.compile(r'"(?:seconds|elapsed|duration_ms|latency)": [-+.\de]+| at 0x[0-9a-f]+')


def _still(results: list[Any]) -> str:
    """Results without what a clock says, and where an object is in memory."""
    return _ITS_OWN.sub("", written(results))


def _strings(other: Any, record: dict[str, Any], _: list[Any]) -> None:
    given = {"prediction": record["outputs"], "reference": record["reference_outputs"]}
    found = other.evaluate_strings(**given, input=record.get("inputs"))
    promise({"score", "reasoning", "metadata", "results"} == set(found), "keys of a string result", found)
    written(found)


def _summary(other: Any, record: dict[str, Any], _: list[Any]) -> None:
    outputs, reference = ([record[side]] * 3 for side in ("outputs", "reference_outputs"))
    found = other(outputs=outputs, reference_outputs=reference)
    promise(bool(found["results"]), "no result of a summary")
    written(found)


_FORMS: Final[Mapping[str, Callable[[Any, dict[str, Any], list[Any]], None]]] = {
    "async": _same_when_awaited,
    "string": _strings,
    "summary": _summary,
}


def _evaluators() -> dict[str, Callable[[Source], None]]:
    found: dict[str, dict[str, str]] = {}
    for name in fieldwise.__all__:
        parts = re.fullmatch(r"create_(async_)?(.*?)(_string|_summary)?(?:_evaluator)?", name)
        if parts and name != "create_judge":
            found.setdefault(parts[2], {})[(parts[1] or parts[3] or "sync").strip("_")] = name
    return {stem: evaluator(stem, forms) for stem, forms in sorted(found.items())}


def order(source: Source) -> None:
    """The order of members never counts, nor that of elements where it is said not to."""
    name = source.choice(("json_match", "json_similarity", "json_diff", "json_equality", "multi_field"))
    given: dict[str, Any] = {"fields": ["a", "items"]} if name == "multi_field" else {}
    first = source.value(source.choice((6, 20, 60)))
    sides = {"outputs": first, "reference_outputs": source.changed(first)}
    again = {side: source.reordered(value) for side, value in sides.items()}
    if name == "json_match":
        given = {"aggregator": source.choice((None, "average", "all")), "list_match_mode": "same_elements"}
        given["list_aggregator"] = source.choice(("average", "all"))
        again = {
            side: source.sample(one, len(one)) if isinstance(one, list) else one
            for side, one in again.items()
        }
    made = getattr(fieldwise, f"create_{name}_evaluator")(**given)
    promise(_about(made(**sides)) == _about(made(**again)), "order counts", (name, given, sides, again))


def _about(found: Any) -> list[tuple[str, Any]]:
    """Keys and scores, of which the last digits depend on the order of sums."""
    return sorted((one["key"], _rounded(one["score"])) for one in _listed(found))


def _rounded(score: Any) -> float:
    return -1.0 if score is None else round(float(score), 9) + 0.0


def records(source: Source) -> None:
    """A run over records of any kind ends in a report that is JSON."""
    names = ("json_match", "exact_match", "json_diff", "contains", "tool_call_count")
    made = getattr(fieldwise, f"create_{source.choice(names)}_evaluator")()
    rows: list[Any] = [source.anything() if source.often(0.1) else _record(source) for _ in range(5)]
    report = fieldwise.evaluate_records(rows, made)
    promise(
        report.count + report.error_count >= len(rows), "records lost", (report.count, report.error_count)
    )
    written(report.to_dict())


def diff(source: Source) -> None:
    """An assertion fails with words, and with nothing else."""
    from fieldwise.testing import assert_matches

    outputs, reference = source.pair()
    try:
        assert_matches(outputs, as_text_or(reference) if source.often(0.2) else reference)
    except AssertionError as error:
        promise(bool(str(error)), "an assertion without words")


TARGETS: Final[Mapping[str, Callable[[Source], None]]] = {
    "parse": parsing,
    "paths": paths,
    "align": pairing,
    "evaluate_records": records,
    "assert_matches": diff,
    "order": order,
    **_evaluators(),
}
