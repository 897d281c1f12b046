"""In which order calls were made and should have been, and how often: orders, rules, common subsequences."""
