"""A LangChain chain, scored two ways: `python examples/langchain_chain.py`.

Shows a string evaluator on what a model said, fences and all, and a run evaluator in LangChain's
`EvaluatorCallbackHandler`, which checks every call of a chain while it works. The model is a fake, and a mock
stands for the LangSmith client, so nothing leaves the process.
"""

from __future__ import annotations

from unittest.mock import MagicMock

from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.tracers.evaluation import EvaluatorCallbackHandler
from langsmith import Client
from pydantic import BaseModel

from fieldwise import create_json_match_string_evaluator
from fieldwise.integrations.langsmith import run_evaluator

REPLIES = [
    'Here it is:\n```json\n{"city": "Oslo", "people": 717710}\n```',
    '{"city": "Rome", "people": "many"}',
]
RIGHT = ['{"city": "Oslo", "people": 717710}', '{"city": "Rome", "people": 2748109}']


class City(BaseModel):
    """What the chain is to answer."""

    city: str
    people: int


def main() -> None:
    """Score what the model said, then what the chain made of it."""
    evaluator = create_json_match_string_evaluator(aggregator="average")
    for reply, right in zip(REPLIES, RIGHT, strict=True):
        found = evaluator.evaluate_strings(prediction=reply, reference=right)
        print(f"average {found['score']:.2f}  {found['reasoning'] or ''}")
    model = FakeListChatModel(responses=REPLIES)
    chain = ChatPromptTemplate.from_template("How many live in {city}?") | model | JsonOutputParser()
    check = run_evaluator("json_schema", schema=City)
    handler = EvaluatorCallbackHandler([check], client=MagicMock(spec=Client), max_concurrency=0)
    for city in ("Oslo", "Rome"):
        print(f"{city}:", chain.invoke({"city": city}, {"callbacks": [handler]}))
    for rows in handler.logged_eval_results.values():
        for row in rows:
            print(f"{row.key} {row.score}  {row.comment or ''}")


if __name__ == "__main__":
    main()
