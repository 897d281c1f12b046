"""What spans and runs say beside tool calls: times, errors and tokens, and the bounds they have to keep."""
