"""Evaluators of whole JSON documents."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator, string_evaluator
from fieldwise.scorers.json_checks import json_edit_distance, json_equality, json_validity
from fieldwise.scorers.json_diff import json_diff
from fieldwise.scorers.json_schema import json_schema
from fieldwise.scorers.json_similarity import json_similarity

create_json_diff_evaluator = evaluator(json_diff)
create_async_json_diff_evaluator = async_evaluator(json_diff)
create_json_diff_string_evaluator = string_evaluator(json_diff)

create_json_similarity_evaluator = evaluator(json_similarity)
create_async_json_similarity_evaluator = async_evaluator(json_similarity)
create_json_similarity_string_evaluator = string_evaluator(json_similarity)

create_json_equality_evaluator = evaluator(json_equality)
create_async_json_equality_evaluator = async_evaluator(json_equality)
create_json_equality_string_evaluator = string_evaluator(json_equality)

create_json_validity_evaluator = evaluator(json_validity)
create_async_json_validity_evaluator = async_evaluator(json_validity)
create_json_validity_string_evaluator = string_evaluator(json_validity)

create_json_schema_evaluator = evaluator(json_schema)
create_async_json_schema_evaluator = async_evaluator(json_schema)
create_json_schema_string_evaluator = string_evaluator(json_schema)

create_json_edit_distance_evaluator = evaluator(json_edit_distance)
create_async_json_edit_distance_evaluator = async_evaluator(json_edit_distance)
create_json_edit_distance_string_evaluator = string_evaluator(json_edit_distance)
