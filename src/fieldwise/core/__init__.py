"""The pure scoring core: no I/O, no clock, no judge, no framework.

    text or object -> parse -> values -> select -> align -> walk -> aggregate -> results

`parse` reads text into JSON values and keeps a ledger; `values` turns Python objects into JSON
values; `equality` compares and names them; `select` finds places in them; `align` pairs the
elements of two lists; `walk` compares two documents field by field; `aggregate` folds outcomes
into scores. `flow` is how scoring asks a judge without calling one.
"""
