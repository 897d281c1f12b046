"""The one parser: a model's text in, a JSON value out, with a ledger of what it took to read it.

How it works. A text that is strict JSON costs one pass of the C scanner. Any other text is searched
for values (`scan`), each of which is read strictly (`strict`), with liberties (`reader`, on `tokens`), or
repaired (`repair`); one of them is chosen (`choose`). Rules of the package:

1. Nothing is evaluated, nothing is completed, nothing is chosen in silence.
2. Any text gives an answer, `Parsed` or `Unparsed`, in time linear in its length.
3. The ledger names everything that strict JSON would not have needed.

| ledger | what it took |
|---|---|
| bom, fenced, prose, thinking | the wrapping that was taken off |
| multiple_json | there were several different values, and `multiple` chose |
| repeated_json | one value is written several times |
| duplicate_keys | an object repeats a name; the last value counts |
| non_finite | `NaN`, `Infinity` or `-Infinity` stands for a number |
| truncated | the text ends before its value does |
| python_literal | `True`, `None`, tuples, `1_000`, single quotes without JSON's own literals |
| single_quotes | single quotes beside `true`, `false` or `null` |
| trailing_comma, comment, unquoted_key | as JSON5 and JavaScript allow |
| control_character, invalid_escape, whitespace | what JSON forbids in strings, or between tokens |
| repaired | damage with one plausible reading |
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from json import JSONDecodeError
from typing import TYPE_CHECKING, Final, Literal

from fieldwise.core.parse.choose import NO_JSON, choose, closed_fields, read_scalar
from fieldwise.core.parse.reader import Broken, Reading, where
from fieldwise.core.parse.scan import GaveUp, Scan, refusal
from fieldwise.core.parse.strict import Refused, decode
from fieldwise.core.parse.tokens import BLANK, JSON_SPACE

if TYPE_CHECKING:
    from fieldwise._types import Json, MultipleJson, Truncated

_BOM: Final = "\ufeff"
_BLANK: Final = re.compile(r"[\s\ufeff\u200b]")
_FENCED_OPENER: Final = re.compile(r"(?:`{3,}+|~{3,}+)[^\S\n]*+[\w.+#-]*+\s*+[\[{]")
_GAVE_UP: Final = "too many brackets to find one JSON value among them"
_NO_SCALAR_STARTS: Final = frozenset("[{<`~")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A value, and what was done to read it: identifiers, sorted, each once."""

    value: Json
    ledger: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unparsed:
    """Why a text gives no value, in one line, and what was found on the way.

    `structured` tells text that starts or fences an object or array, and is therefore invalid,
    from plain text, which callers may take for a string.
    """

    reason: str
    ledger: tuple[str, ...] = ()
    structured: bool = True


def parse(
    text: str,
    *,
    mode: Literal["lenient", "strict"] = "lenient",
    multiple: MultipleJson = "error",
    truncated: Truncated = "error",
    scalars: bool = False,
) -> Parsed | Unparsed:
    r"""Read the JSON value of a text.

    Args:
        text: what a model said.
        mode: "lenient" finds and repairs; "strict" takes what RFC 8259 takes, with unique names.
        multiple: which of several different values is meant; "error" refuses to choose.
        truncated: "closed_fields" keeps the outermost members that were closed before the cut.
        scalars: whether a text, number or literal alone is JSON; otherwise it is plain text.

    Returns:
        `Parsed`, or `Unparsed` with the reason. Numbers are int, float, or `Decimal` where a float
        would be infinite or zero. Never raises on any text.

    >>> parse("```json\n{'done': True,}\n```")
    Parsed(value={'done': True}, ledger=('fenced', 'python_literal', 'trailing_comma'))
    >>> parse('{"a": [1, 2', truncated="error").ledger
    ('truncated',)
    """
    body = text.strip(JSON_SPACE)
    notes: dict[str, str] = {}
    try:
        value, end, notes = decode(body, 0)
    except Refused as refused:
        return _refused(text, refused, scalars=scalars)
    except (JSONDecodeError, RecursionError):
        value, end = None, -1
    complete = end == len(body)
    if complete and not (notes and mode == "strict"):
        if scalars or isinstance(value, dict | list):
            return Parsed(value, tuple(sorted(notes)) if notes else ())
        return Unparsed(NO_JSON, structured=False)
    if not body:
        return Unparsed("the text is empty", structured=False)
    if mode == "strict":
        return _refuse_notes(notes) if complete else _strict(text, truncated, scalars=scalars)
    return _lenient(text, multiple, truncated, scalars=scalars)


def _refused(text: str, refused: Refused, *, scalars: bool) -> Unparsed:
    structured = text.lstrip(JSON_SPACE)[0] in "{["
    if not structured and not scalars:
        return Unparsed(NO_JSON, structured=False)
    return Unparsed(refusal(text, refused, 0, len(text)).explain(text), structured=structured)


def _answer(
    text: str, outcome: Reading | Broken, wrapping: frozenset[str], *, structured: bool
) -> Parsed | Unparsed:
    ledger = tuple(sorted(outcome.ledger | wrapping))
    if isinstance(outcome, Reading):
        return Parsed(outcome.value, ledger)
    return Unparsed(outcome.explain(text), ledger, structured)


def _lenient(text: str, multiple: MultipleJson, truncated: Truncated, *, scalars: bool) -> Parsed | Unparsed:
    edges = _edges(text)
    if scalars:
        scalar = _scalar(text)
        if isinstance(scalar, Reading):
            return _answer(text, scalar, edges, structured=False)
    elif "{" not in text and "[" not in text:
        return Unparsed(NO_JSON, tuple(sorted(edges)), structured=False)
    scan = Scan(text, len(text))
    try:
        scan.run()
    except GaveUp:
        return Unparsed(_GAVE_UP, tuple(sorted(edges)), structured=bool(scan.found))
    choice = choose(scan, multiple, truncated, scalars=scalars)
    return _answer(text, choice.outcome, choice.wrapping | edges, structured=choice.structured)


def _edges(text: str) -> frozenset[str]:
    """What stands before or after everything else: a byte order mark, space that is not JSON's."""
    bom = text.startswith(_BOM)
    body = text.removeprefix(_BOM).strip(JSON_SPACE)
    odd = bool(body and (_BLANK.match(body[0]) or _BLANK.match(body[-1])))
    return frozenset(({"bom"} if bom else set()) | ({"whitespace"} if odd else set()))


def _scalar(text: str) -> Reading | Broken | None:
    blank = BLANK.match(text)
    start = blank.end() if blank else 0
    if text[start : start + 1] in _NO_SCALAR_STARTS:
        return None
    return read_scalar(text, start, len(text))


def _refuse_notes(notes: dict[str, str]) -> Unparsed:
    reasons = {
        "duplicate_keys": "the name {!r} is repeated in one object",
        "non_finite": "the literal {} is not JSON",
    }
    found = [reasons[note].format(notes[note]) for note in sorted(notes)]
    return Unparsed("; ".join(found), tuple(sorted(notes)))


def _strict(text: str, truncated: Truncated, *, scalars: bool) -> Unparsed | Parsed:
    """Say why a text is not strict JSON; the reader knows cuts and depths that the C scanner does not."""
    start = len(text) - len(text.lstrip(JSON_SPACE))
    opens = text[start:].lstrip(JSON_SPACE + _BOM)[:1] in {"{", "["}
    structured = opens or _FENCED_OPENER.search(text) is not None
    if not structured and not scalars:
        return Unparsed(NO_JSON, structured=False)
    outcome = closed_fields(read_scalar(text, start, len(text)), truncated)
    if isinstance(outcome, Reading) and outcome.ledger <= {"truncated"}:
        return _answer(text, outcome, frozenset(), structured=structured)
    if isinstance(outcome, Broken) and outcome.kind in {"truncated", "limit"}:
        return Unparsed(outcome.explain(text), tuple(sorted(outcome.ledger & {"truncated"})), structured)
    return Unparsed(_complaint(text, start, outcome), structured=structured)


def _complaint(text: str, start: int, outcome: Reading | Broken) -> str:
    if text[start] == _BOM:
        return "not strict JSON: the text starts with a byte order mark (U+FEFF)"
    try:
        _, end, _ = decode(text, start)
    except JSONDecodeError as error:
        return f"not strict JSON at {where(text, error.pos)}: {error.msg[0].lower()}{error.msg[1:]}"
    except RecursionError:  # too deep here for the C scanner, not for the reader
        if isinstance(outcome, Broken):
            return outcome.explain(text)
        return f"not strict JSON: it takes {', '.join(sorted(outcome.ledger))}"
    blank = BLANK.match(text, end)
    return f"not strict JSON at {where(text, blank.end() if blank else end)}: text after the value"
