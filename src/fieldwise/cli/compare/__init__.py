"""`fieldwise compare`: `command` is its options, `reading` the files, `changes` what is hard to compare."""
