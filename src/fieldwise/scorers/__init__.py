"""Evaluators as plans: options checked once, then a flow for each record. One domain a file."""
