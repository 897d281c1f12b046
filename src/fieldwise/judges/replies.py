"""What a model's reply amounts to: a verdict, or why there is none.

| the reply | becomes |
|---|---|
| is refused by the model, or stopped by the provider's filter | a JudgeError: asking again would not help |
| is empty, prose, cut, of another shape | no answer to any question, with that reason |
| is several that differ | no answer, unless all are read as the same |
| lacks a question | not answered |
| holds a verdict as text, `"false"`, `"0.75"` | that verdict |
| holds anything else for a verdict | itself: the scorer says what is wrong with it |
| holds more than was asked | what was asked; the rest is counted as `ignored_answers` |

What has no answer is asked once more by the scorer, with the reason. Texts go through the one parser,
`core.parse`, without the thinking before them. A shape is accepted when it can mean one thing only: the
object itself, an only element, the object inside an only member that is a word for a reply (`WRAPPERS`), and
for a single question its answer alone. What stands under any other name answers something else, and beside
an `error` nothing is an answer, neither in the reply nor in what answers one question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from fieldwise.core.display import one_line
from fieldwise.core.equality import equal
from fieldwise.core.flow import Verdict
from fieldwise.core.parse import Parsed, Unparsed, parse
from fieldwise.errors import JudgeError
from fieldwise.scorers.judging import NoAnswer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fieldwise.core.flow import Question
    from fieldwise.judges.contract import Asked
    from fieldwise.judges.interfaces import Reply

_QUOTED: Final = 80
_FILTERED: Final = frozenset({"content_filter", "safety", "blocklist", "prohibited_content", "recitation"})
_CUT: Final = frozenset({"length", "max_tokens", "max_output_tokens"})
_NUMBER: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_BOOLEANS: Final = {"true": True, "false": False}
_REASONS: Final = ("reasoning", "justification", "explanation", "reason", "comment")
WRAPPERS: Final = frozenset(
    {
        *("answer", "answers", "evaluation", "judgement", "judgment", "output", "response"),
        *("result", "results", "verdict", "verdicts"),
    }
)
"""The names under which models put a whole reply."""

_THOUGHT: Final = re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FAULTS: Final = {
    "truncated": "is truncated",
    "multiple_json": "holds several different JSON values",
    "duplicate_keys": "names a key twice",
}
"""What a ledger of the parser makes of a reply: nobody can say what was meant."""
_CUT_REASON: Final = "the judge's reply was cut at its token limit; raise max_tokens"


def verdict(reply: Reply, asked: Asked) -> Verdict:
    """Read a reply.

    Raises:
        JudgeError: the model refused, or the provider withheld the reply.
    """
    refuse(reply)
    usage = dict(reply.usage)
    members = _members(reply, asked)
    if isinstance(members, NoAnswer):
        return Verdict({one.id: members for one in asked.questions.values()}, usage)
    answers = {}
    for key, question in asked.questions.items():
        if key in members:
            given = _with_reason(members, question, key) if asked.own_schema else members[key]
            answers[question.id] = given if asked.own_schema else _answer(question, given)
    ignored = len(members.keys() - asked.questions.keys()) if not asked.own_schema else 0
    return Verdict(answers, usage | ({"ignored_answers": ignored} if ignored else {}))


def refuse(reply: Reply) -> None:
    """Raise for a reply that the model or its provider would not give."""
    finish = (reply.finish or "").lower()
    if reply.refusal:
        raise JudgeError(f"the judge refused: {_quote(reply.refusal)}")
    if finish == "refusal":
        raise JudgeError(f"the judge refused: {_quote(str(reply.content or ''))}")
    if finish in _FILTERED:
        raise JudgeError(f"the judge's reply was stopped by a content filter ({finish})")


def _members(reply: Reply, asked: Asked) -> Mapping[str, Any] | NoAnswer:
    """The reply as an object with the keys of the schema, or why it is none."""
    cut = (reply.finish or "").lower() in _CUT
    content = "" if reply.content is None else reply.content
    if isinstance(content, str):
        content = _read(content, cut=cut)
    elif isinstance(content, list) and len(content) > 1 and any(isinstance(one, str) for one in content):
        content = _same(content, cut=cut)
    elif cut:
        return NoAnswer(_CUT_REASON)
    if isinstance(content, NoAnswer):
        return content
    found = _unwrapped(content, asked)
    if found is None:
        return NoAnswer(f"the judge's reply has none of the keys it was asked for: {_quote(str(content))}")
    return found


def _same(contents: Sequence[Any], *, cut: bool) -> Any:
    """What several contents are all read as."""
    found = [_read(one, cut=cut) if isinstance(one, str) else one for one in contents]
    failed = next((one for one in found if isinstance(one, NoAnswer)), None)
    if failed is not None:
        return failed
    if all(equal(one, found[0]) for one in found):
        return found[0]
    return NoAnswer(f"the judge gave several replies that differ: {_quote(', '.join(map(str, contents)))}")


def _read(text: str, *, cut: bool) -> Any:
    text = _THOUGHT.sub("", text, count=1) if _THOUGHT.match(text) else text
    if not text.strip():
        return NoAnswer(_CUT_REASON if cut else "the judge's reply is empty")
    parsed = parse(text)
    fault = next((said for note, said in _FAULTS.items() if note in parsed.ledger), None)
    if isinstance(parsed, Parsed) and fault is None:
        return parsed.value
    if cut:
        return NoAnswer(_CUT_REASON)
    if fault is not None:
        return NoAnswer(f"the judge's reply {fault}: {_quote(text)}")
    if isinstance(parsed, Unparsed) and parsed.structured:
        return NoAnswer(f"the judge's reply cannot be read: {parsed.reason}")
    return NoAnswer(f"the judge's reply holds no JSON: {_quote(text)}")


def _unwrapped(content: Any, asked: Asked) -> Mapping[str, Any] | None:
    for _ in range(2):
        if isinstance(content, list) and len(content) == 1:
            content = content[0]
        if not isinstance(content, Mapping) or (content.get("error") and not asked.own_schema):
            return None
        if asked.questions.keys() & content.keys():
            return content
        if len(asked.questions) == 1 and not asked.own_schema and "score" in content:
            (key,) = asked.questions
            return {key: content}
        if len(content) != 1:
            return None
        ((name, content),) = content.items()
        if str(name).casefold() not in WRAPPERS:
            return None
    return None


def _with_reason(members: Mapping[str, Any], question: Question, key: str) -> Any:
    """A member of a reply of the evaluator's own schema; the reason beside it belongs to it."""
    given = members[key]
    if question.scale == "schema":
        return {"score": given}
    if isinstance(given, Mapping) and "score" in given:
        return given
    return {"score": given, "reasoning": _reason(members) if key not in _REASONS else None}


def _answer(question: Question, given: Any) -> Any:
    """An answer as the scorer reads it."""
    if isinstance(given, list) and len(given) == 1:
        (given,) = given
    if not isinstance(given, Mapping):
        return _score(question, given)
    if given.get("error"):
        return {"error": given["error"]}
    if "score" not in given:
        return {}
    return {"score": _score(question, given["score"]), "reasoning": _reason(given)}


def _reason(members: Mapping[str, Any]) -> str | None:
    for name in _REASONS:
        found = members.get(name)
        if isinstance(found, str):
            return found
        if isinstance(found, int | float):
            return str(found)
    return None


def _score(question: Question, given: Any) -> Any:
    """A verdict; one written as text is the verdict it spells, where it spells one of its scale."""
    if not isinstance(given, str):
        return given
    text = given.strip()
    if question.scale == "boolean":
        return _BOOLEANS.get(text.lower(), given)
    if question.choices and isinstance(question.choices[0], str):
        return _choice(question.choices, text, given)
    if question.scale == "percent":
        text = text.removesuffix("%").rstrip()
    return float(text) if _NUMBER.fullmatch(text) else given


def _choice(choices: Sequence[Any], text: str, given: str) -> Any:
    """The choice that a text spells: exactly, or as the only one but for case."""
    for exact in (given, text):
        if exact in choices:
            return exact
    alike = [one for one in choices if str(one).casefold() == text.casefold()]
    return alike[0] if len(alike) == 1 else given


def _quote(text: str) -> str:
    return repr(one_line(text, _QUOTED))
