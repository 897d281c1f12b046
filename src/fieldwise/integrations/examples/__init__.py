"""`Example`s to and from files, judgeval, DeepEval and LangSmith.

None of these is imported but langsmith, to see which names it goes by; objects of the others are known by
their attributes. What is written is JSON: dates, decimals, enums and the like become what `core.values` says.

| | to | from |
|---|---|---|
| JSON Lines | the fields that are set, a line each | the same; either spelling |
| judgeval | keyword arguments of its `Example`, or of `Example.create` | an `Example` of its, or its dict |
| DeepEval | keyword arguments of `LLMTestCase`; tools as `{"name": …}` | an `LLMTestCase`, or its dict |
| LangSmith | the `examples` of `Client.create_examples` | a LangSmith `Example`, or its dict |

What comes from another product and is none of the eight fields goes to `additional_metadata` under its own
name. Bookkeeping does not: identifiers, times, traces, settings.
"""

from __future__ import annotations

from fieldwise.integrations.examples._jsonl import examples_from_jsonl, examples_to_jsonl
from fieldwise.integrations.examples._langsmith import from_langsmith, to_langsmith
from fieldwise.integrations.examples._products import from_deepeval, from_judgeval, to_deepeval, to_judgeval

__all__ = [
    "examples_from_jsonl",
    "examples_to_jsonl",
    "from_deepeval",
    "from_judgeval",
    "from_langsmith",
    "to_deepeval",
    "to_judgeval",
    "to_langsmith",
]
