"""An agent that calls tools, scored by what it did: `python examples/tool_calling_agent.py`.

Shows evaluators of agents on the state of a LangGraph agent. Its model is scripted and makes two mistakes:
it asks for the wrong unit, and sends the mail twice. Nothing leaves the process.
"""

from __future__ import annotations

from typing import Any

import langsmith
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolCall

import fieldwise

MAIL = {"to": "ada@example.org", "text": "Take a coat."}
SCRIPT = [
    AIMessage("", tool_calls=[ToolCall(name="weather", args={"city": "Oslo", "unit": "kelvin"}, id="1")]),
    AIMessage("", tool_calls=[ToolCall(name="mail", args=MAIL, id=id_) for id_ in ("2", "3")]),
    AIMessage("I wrote to Ada."),
]
EXPECTED = [
    {"name": "weather", "args": {"city": "Oslo", "unit": "celsius"}},
    {"name": "mail", "args": {"to": "ada@example.org", "text": "Wear a coat."}},
]
EVALUATORS: list[Any] = [
    fieldwise.create_tool_call_order_evaluator(rules={"at_most": {"mail": 1}}),
    fieldwise.create_tool_call_args_evaluator(comparators={"mail": {"text": "fuzzy"}}, scoring="graded"),
    fieldwise.create_trajectory_match_evaluator(tool_args_match_overrides={"mail": ["to"]}),
]


class Scripted(GenericFakeChatModel):
    """A model that says what it is told to."""

    def bind_tools(self, *_: Any, **__: Any) -> Any:
        """Take any tools."""
        return self


def weather(city: str, unit: str) -> str:
    """Say what the weather is."""
    return f"{city}: 285 {unit}"


def mail(to: str, text: str) -> str:
    """Send a mail."""
    return f"sent {text} to {to}"


if __name__ == "__main__":
    with langsmith.tracing_context(enabled=False):
        agent = create_agent(Scripted(messages=iter(SCRIPT)), tools=[weather, mail])
        state = agent.invoke({"messages": [HumanMessage("Tell Ada what to wear in Oslo.")]})
    for evaluate in EVALUATORS:
        result = evaluate(outputs=state, reference_outputs=EXPECTED)
        print(f"{result['key']}: {result['score']:.2f}\n  {result['comment']}")
