"""JSON match."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator, string_evaluator
from fieldwise.scorers.structured import json_match

create_json_match_evaluator = evaluator(json_match)
create_async_json_match_evaluator = async_evaluator(json_match)
create_json_match_string_evaluator = string_evaluator(json_match)
