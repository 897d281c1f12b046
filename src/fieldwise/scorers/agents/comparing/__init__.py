"""How arguments and outputs of calls compare: policies per tool and path, verdicts, what is said of them."""
