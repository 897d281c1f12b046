"""Evaluators of text, and of values taken whole."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator, string_evaluator
from fieldwise.scorers.contains import contains, contains_all, contains_any
from fieldwise.scorers.contains_json import contains_json
from fieldwise.scorers.edges import ends_with, starts_with
from fieldwise.scorers.exact_match import exact_match
from fieldwise.scorers.field_match import field_match
from fieldwise.scorers.regex_match import regex_match
from fieldwise.scorers.string_similarity import string_similarity

create_exact_match_evaluator = evaluator(exact_match)
create_async_exact_match_evaluator = async_evaluator(exact_match)
create_exact_match_string_evaluator = string_evaluator(exact_match)

create_contains_evaluator = evaluator(contains)
create_async_contains_evaluator = async_evaluator(contains)
create_contains_string_evaluator = string_evaluator(contains)

create_contains_any_evaluator = evaluator(contains_any)
create_async_contains_any_evaluator = async_evaluator(contains_any)
create_contains_any_string_evaluator = string_evaluator(contains_any)

create_contains_all_evaluator = evaluator(contains_all)
create_async_contains_all_evaluator = async_evaluator(contains_all)
create_contains_all_string_evaluator = string_evaluator(contains_all)

create_starts_with_evaluator = evaluator(starts_with)
create_async_starts_with_evaluator = async_evaluator(starts_with)
create_starts_with_string_evaluator = string_evaluator(starts_with)

create_ends_with_evaluator = evaluator(ends_with)
create_async_ends_with_evaluator = async_evaluator(ends_with)
create_ends_with_string_evaluator = string_evaluator(ends_with)

create_regex_match_evaluator = evaluator(regex_match)
create_async_regex_match_evaluator = async_evaluator(regex_match)
create_regex_match_string_evaluator = string_evaluator(regex_match)

create_string_similarity_evaluator = evaluator(string_similarity)
create_async_string_similarity_evaluator = async_evaluator(string_similarity)
create_string_similarity_string_evaluator = string_evaluator(string_similarity)

create_contains_json_evaluator = evaluator(contains_json)
create_async_contains_json_evaluator = async_evaluator(contains_json)
create_contains_json_string_evaluator = string_evaluator(contains_json)

create_field_match_evaluator = evaluator(field_match)
create_async_field_match_evaluator = async_evaluator(field_match)
create_field_match_string_evaluator = string_evaluator(field_match)
