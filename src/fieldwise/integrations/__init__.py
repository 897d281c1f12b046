"""Bridges to frameworks, one a file, the framework imported inside."""
