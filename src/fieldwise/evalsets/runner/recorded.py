"""Recorded answers: what an agent said at another time, found by the id of the item.

A record has `id` (or `item`), `output` (or `outputs`), and optionally the spans of that run (`spans` or
`trace`), `error`, and `repeat`. Several records of one item are its repeats, in their order; more than a run
takes are refused. A file of results is such a file: its runs are evaluated anew. Of a file of JSON Lines only
places are kept in memory. A cell of a CSV file is text, but for one that holds a JSON object or array: there
is no other way to write one there. Text of JSON is text.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Final, TypeAlias

from fieldwise.errors import ConfigError, InputError
from fieldwise.evalsets.runner.agents import AgentRun
from fieldwise.evalsets.runner.spans import read_span
from fieldwise.records import open_records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.evalsets.model import Outcome
    from fieldwise.records import RecordFile

Answer: TypeAlias = bytes | Mapping[str, Any]
"""A recorded answer: a line of a file, or a record; of what was not recorded, a record that says so."""

_IDS: Final = ("item", "id")
_OUTPUTS: Final = ("output", "outputs")
_SPANS: Final = ("spans", "trace", "agent_trace")
_ENDED_BADLY: Final[tuple[Outcome, ...]] = ("agent_error", "timeout", "not_run")
_HEADER: Final = "fieldwise"
_JSON: Final = (*_OUTPUTS, *_SPANS)


@dataclass(slots=True)
class Recorded:
    """Recorded answers, by item and repeat.

    Attributes:
        answers: item id and repeat to the record, or to where it stands in the file.
        problems: what was no record, in words.
        count: how many records there are.
    """

    answers: dict[tuple[str, int], Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    count: int = 0
    _file: IO[bytes] | None = None
    _places: dict[tuple[str, int], str] = field(default_factory=dict)

    def answer(self, item: str, repeat: int) -> Answer:
        """Return what is recorded of an item's nth time, for `ran_of`."""
        found = self.answers.get((item, repeat))
        if found is None:
            return {"outcome": "not_run", "error": self._absent(item, repeat)}
        if self._file is None:
            return found  # type: ignore[no-any-return]
        start, length = found
        self._file.seek(start)
        return self._file.read(length)

    def _absent(self, item: str, repeat: int) -> str:
        """Why an item has no answer at its nth time, which counts from 0."""
        known = next(time for time in range(repeat + 1) if (item, time) not in self.answers)
        if any((item, time) in self.answers for time in range(known, repeat)):
            return f"there is no recorded answer for repeat {repeat}; add it"
        if known == 0:
            return "there is no recorded answer; add a record with the item's id"
        only = "is only 1 recorded answer" if known == 1 else f"are only {known:,} recorded answers"
        return f"there {only}: add more, or pass --repeat {known}"

    def strangers(self, known: Iterable[str]) -> list[str]:
        """Return the ids that answer no item, in order."""
        items = set(known)
        return list(dict.fromkeys(item for item, _ in self.answers if item not in items))

    def check(self, repeat: int) -> None:
        """Refuse several answers to one question.

        Raises:
            InputError: an item has more answers than it has repeats; naming it and where they stand.
        """
        for item, time in self.answers:
            if time < repeat:
                continue
            where = " and ".join(dict.fromkeys(self._where(item, one) for one in (0, time)))
            takes = "one" if repeat == 1 else f"{repeat}"
            raise InputError(
                f"{where}: item {item!r} has more than {takes}: keep {takes} of its answers, or say how "
                f"often it was run, --repeat {time + 1}"
            )

    def _where(self, item: str, repeat: int) -> str:
        """Where an answer stands, in words."""
        found = self.answers.get((item, repeat))
        if self._file is None or not isinstance(found, tuple):
            return self._places.get((item, repeat), "outputs")
        self._file.seek(0)
        lines = self._file.read(found[0]).count(b"\n")
        return f"{self._file.name}:{lines + 1}"

    def close(self) -> None:
        """Close the file, if there is one."""
        if self._file is not None:
            self._file.close()

    def _add(self, where: str, record: Any, kept: Any) -> None:
        self.count += 1
        item = next((record[name] for name in _IDS if record.get(name) is not None), None)
        if item is None:
            self.problems.append(f"{where}: has no id; its keys: {', '.join(map(repr, record)) or 'none'}")
            return
        name = item if isinstance(item, str) else str(item)
        repeat = record.get("repeat")
        if type(repeat) is not int:
            repeat = 0
            while (name, repeat) in self.answers:
                repeat += 1
        elif (name, repeat) in self.answers:
            self.problems.append(f"{where}: answers item {name!r}, repeat {repeat}, a second time")
            return
        self.answers[name, repeat] = kept
        if kept is record:
            self._places[name, repeat] = where


def read_recorded(given: Any) -> Recorded:
    """Read recorded answers: a path, an iterable of records, or a mapping of item id to output.

    Raises:
        InputError: the file cannot be read, or holds no record.
        ConfigError: it is none of these.

    >>> read_recorded([{"id": "a", "output": 0}]).answer("a", 0)
    {'id': 'a', 'output': 0}
    """
    found = Recorded()
    if isinstance(given, str):
        _read_file(given, found)
    elif isinstance(given, Mapping):
        for item, output in given.items():
            found._add("outputs", {"id": item}, {"output": output})  # noqa: SLF001 - of the same module
    elif isinstance(given, Iterable):
        for position, record in enumerate(given, start=1):
            if isinstance(record, Mapping):
                found._add(f"outputs[{position - 1}]", record, record)  # noqa: SLF001
            else:
                found.problems.append(f"outputs[{position - 1}]: is {type(record).__name__}, not a mapping")
    else:
        raise ConfigError(
            f"outputs is {type(given).__name__}: pass a path, an iterable of records, or a mapping of item "
            "id to output"
        )
    return found


def _read_file(path: str, found: Recorded) -> None:
    file = open_records(path)
    file.on_bad = found.problems.append
    apart = False
    try:
        for where, record, kept in _records(file):
            if file.format == "csv":
                record = kept = _cells(record)  # noqa: PLW2901
            if _HEADER not in record or any(name in record for name in _IDS):
                found._add(where, record, kept)  # noqa: SLF001 - of the same module
            apart = apart or kept is not record
    except BaseException:
        file.close()
        raise
    if apart:
        found._file = file.stream  # noqa: SLF001
    else:
        file.close()


def _cells(record: Mapping[str, Any]) -> dict[str, Any]:
    """A row of a CSV file, with what it says in JSON.

    >>> _cells({"id": "1", "output": '{"a": 1}', "repeat": "2"})
    {'id': '1', 'output': {'a': 1}, 'repeat': 2}
    """
    row = {name: _cell(value) if name in _JSON else value for name, value in record.items()}
    repeat = row.get("repeat")
    if isinstance(repeat, str) and repeat.isdecimal():
        row["repeat"] = int(repeat)
    return row


def _cell(value: Any) -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[")):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _records(file: RecordFile) -> Iterator[tuple[str, dict[str, Any], Any]]:
    """Each record, and what is kept of it: of a regular file of JSON Lines, where it stands."""
    end = 0
    for where, record in file:
        start, end = end, file.read
        yield where, record, (start, end - start) if file.format == "jsonl" and file.size else record


def ran_of(answer: Answer) -> AgentRun:
    """Return what a recorded answer says became of its item.

    >>> ran_of(b'{"id": "a", "output": 0}').output, ran_of({"id": "a"}).error
    (0, "the recorded answer has no output; its keys: 'id'")
    """
    record = json.loads(answer.removeprefix(b"\xef\xbb\xbf")) if isinstance(answer, bytes) else answer
    outcome: Outcome | None = next((one for one in _ENDED_BADLY if one == record.get("outcome")), None)
    error = record.get("error")
    if outcome is not None or (error is not None and not any(name in record for name in _OUTPUTS)):
        return AgentRun(outcome or "agent_error", error=str(error or "it is not said why"))
    spans = next((record[name] for name in _SPANS if isinstance(record.get(name), list)), None)
    for name in _OUTPUTS:
        if name in record:
            read = tuple(map(read_span, spans or ()))
            return AgentRun(output=record[name], spans=read, traced=spans is not None)
    keys = ", ".join(map(repr, record)) or "none"
    return AgentRun("not_run", error=f"the recorded answer has no output; its keys: {keys}")
