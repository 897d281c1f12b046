"""Whether the values of an output are in the texts it was made from."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator
from fieldwise.scorers.grounding import grounded_fields

create_grounded_fields_evaluator = evaluator(grounded_fields)
create_async_grounded_fields_evaluator = async_evaluator(grounded_fields)
