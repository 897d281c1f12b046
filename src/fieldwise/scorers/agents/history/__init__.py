r"""What an agent did, as the text that a judge reads: one line a step, each a JSON object.

| member | means |
|---|---|
| `turn`, `role`, `name`, `content` | a message: its number from 1, who speaks, what it says |
| `answers`, `failed` | of a tool's message: the id of its call; that the tool reported an error |
| `calls` | the tool calls that a message makes |
| `call` | a call that stands by itself, where there are no messages: its number from 1 |
| `name`, `id`, `arguments`, `output`, `failed` | of a call; its output only where no message shows it |
| `arguments_problem` | why the arguments of a call cannot be read |
| `group` | calls of one group were made at once: their order means nothing |
| `final_answer` | what the agent gave back in the end, where the messages do not show it |
| `<member>_cut` | a member that is too long: its start, how much is left out, its end |
| `left_out` | lines that are left out, and the calls in them as [name, how many] |
| `nothing` | neither messages nor calls were recorded |

All that was said is inside JSON strings, `<`, `>` and `&` escaped, so nothing in it starts a line, poses as a
member or closes a tag. A member that has nothing is not written. How lines are kept within a budget is
`shortening`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from fieldwise._types import MISSING
from fieldwise.core.prompts import encode
from fieldwise.scorers.agents.history.shortening import Content, Line, Shortened, estimate, short, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fieldwise.scorers.agents.calls import ToolCall, Trajectory, Turn
    from fieldwise.scorers.agents.history.shortening import Count

MAX_TOKENS: Final = 8_000
_NOTHING: Final = Line(('{"nothing":"no messages and no tool calls were recorded"}',))


def history(
    trajectory: Trajectory,
    answer: Any = MISSING,
    *,
    max_tokens: int = MAX_TOKENS,
    count_tokens: Count = estimate,
) -> Shortened:
    r"""Return what an agent did as text.

    Args:
        trajectory: its messages and calls.
        answer: what it gave back in the end, where the messages do not show it.
        max_tokens: the most tokens of the text.
        count_tokens: how many tokens a text has; by default one for every three bytes.

    Raises:
        Unconvertible: for an answer that has no JSON form.

    >>> from fieldwise.scorers.agents.calls import ToolCall, Trajectory
    >>> print(history(Trajectory((ToolCall("add", {"a": 5}, output="8"),)), {"r": 8}).text)
    {"call":1,"name":"add","arguments":{"a":5},"output":"8"}
    {"final_answer":{"r":8}}
    """
    lines = list(_lines(trajectory)) or [_NOTHING]
    if answer is not MISSING:
        lines.append(Line(("{", Content("final_answer", answer), "}")))
    return shortened(lines, max_tokens, count_tokens)


def _lines(trajectory: Trajectory) -> Iterator[Line]:
    sizes = Counter(call.group for call in trajectory.calls)
    together = {group for group, size in sizes.items() if size > 1}
    turns = trajectory.turns or ()
    answered = {turn.call_id for turn in turns if turn.call_id is not None}
    made: dict[str, ToolCall] = {}
    for number, turn in enumerate(turns, 1):
        made |= {call.id: call for call in turn.calls if call.id is not None}
        asked = made.get(turn.call_id) if turn.call_id is not None else None
        parts = _turn(number, turn, failed=asked is not None and asked.failed)
        if turn.calls:
            parts.append(',"calls":[')
            for at, call in enumerate(turn.calls):
                parts += ["," if at else "", *_call("{", call, together, shown=call.id in answered)]
            parts.append("]")
        yield Line((*parts, "}"), tuple(call.name for call in turn.calls))
    spoken = sum(len(turn.calls) for turn in turns)
    for number, call in enumerate(trajectory.calls[spoken:], 1):
        parts = _call(f'{{"call":{number},', call, together, shown=False)
        yield Line(tuple(parts), (call.name,))


def _turn(number: int, turn: Turn, *, failed: bool) -> list[str | Content]:
    """The members of a message but its calls, the object still open."""
    head = f'{{"turn":{number},{short("role", turn.role)}'
    if turn.name is not None:
        head += f",{short('name', turn.name)}"
    if turn.call_id is not None:
        head += f",{short('answers', turn.call_id)}"
    head += ',"failed":true' if failed else ""
    return [head] if turn.content is None else [f"{head},", Content("content", turn.content)]


def _call(opening: str, call: ToolCall, together: set[int], *, shown: bool) -> list[str | Content]:
    """A whole call; `shown`: a message has its output."""
    head = opening + short("name", call.name)
    if call.id is not None:
        head += f",{short('id', call.id)}"
    if call.group in together:
        head += f',"group":{encode(call.group)}'
    if call.failed:
        head += ',"failed":true'
    given = Content("arguments", call.args)
    if call.problem is not None:
        given = Content("arguments_problem", call.problem)
    parts: list[str | Content] = [f"{head},", given]
    if call.output is not MISSING and not shown:
        parts += [",", Content("output", call.output)]
    return [*parts, "}"]
