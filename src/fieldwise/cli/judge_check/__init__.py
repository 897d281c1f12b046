"""`fieldwise judge-check`: `command` is its options, `rubric` reads criteria, `checking` is the run."""
