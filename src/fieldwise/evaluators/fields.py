"""Multi-field match, per record and over a data set."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator, string_evaluator, summary_evaluator
from fieldwise.scorers.extraction import summarise
from fieldwise.scorers.multi_field import multi_field

create_multi_field_evaluator = evaluator(multi_field)
create_async_multi_field_evaluator = async_evaluator(multi_field)
create_multi_field_string_evaluator = string_evaluator(multi_field)
create_multi_field_summary_evaluator = summary_evaluator(multi_field, summarise)
