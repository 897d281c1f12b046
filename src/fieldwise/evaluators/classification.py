"""Classification, per record and over a data set."""

from __future__ import annotations

from fieldwise.evaluators._lifts import async_evaluator, evaluator, string_evaluator, summary_evaluator
from fieldwise.scorers.classification import binary_classification, multiclass_classification
from fieldwise.scorers.labels import Labels

create_binary_classification_evaluator = evaluator(binary_classification)
create_async_binary_classification_evaluator = async_evaluator(binary_classification)
create_binary_classification_string_evaluator = string_evaluator(binary_classification)
create_binary_classification_summary_evaluator = summary_evaluator(binary_classification, Labels.summarise)

create_multiclass_classification_evaluator = evaluator(multiclass_classification)
create_async_multiclass_classification_evaluator = async_evaluator(multiclass_classification)
create_multiclass_classification_string_evaluator = string_evaluator(multiclass_classification)
create_multiclass_classification_summary_evaluator = summary_evaluator(
    multiclass_classification, Labels.summarise
)
