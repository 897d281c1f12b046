"""Evaluators of what an agent did: its tool calls, their order, arguments and outputs, its messages.

`calls` is the one model of a tool call; `reading` makes it from whatever an agent leaves behind; `planning`
makes a plan of a check over it. Every other module is one evaluator, or one source.
"""
