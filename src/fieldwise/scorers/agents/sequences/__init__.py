"""Calls in order: longest common subsequences, plans and rules, turns one by one."""
