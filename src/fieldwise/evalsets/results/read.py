"""Results by their name, wherever they are kept: a file of JSON Lines, or a run of a history."""

from __future__ import annotations

from fieldwise.evalsets.results import store
from fieldwise.evalsets.results.files import Results, open_file


def read_results(name: str) -> Results | store.StoredRun:
    """Open a file of results, or a run of a history as `results.db#RUN`.

    Raises:
        InputError: it cannot be read, or is none.
    """
    return store.load_run(name) if store.is_history(name) else open_file(name)
