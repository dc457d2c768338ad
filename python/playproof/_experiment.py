"""run(), read_store(): experiments and their results."""

from __future__ import annotations

from . import _native, _options
from .errors import DataError, Interrupted, UsageError

TYPE_CHECKING = False  # typing takes longer to import than all of this package
if TYPE_CHECKING:
    import os
    from collections.abc import Callable
    from typing import Any

    import pandas


def run(plan: str | os.PathLike[str], store: str | os.PathLike[str], *, backend: str = "auto",
        threads: int | None = None, shard: tuple[int, int] = (1, 1), in_flight: int | None = None,
        progress: Callable[[dict[str, Any]], object] | None = None,
        progress_every: float = 0.5) -> dict[str, Any]:
    """Runs the experiment that a plan describes, as `playproof experiment`: what the store lacks.

    plan: a TOML file (bench/plans/README.md). store: the SQLite file, made or continued.
    threads: runs at a time (None: one a core). shard: (I, N) runs the I-th of N parts.
    in_flight: searches at once on a device (None: 64 a thread).
    progress: called every progress_every seconds with a dict of done, total and seconds.

    Returns a dict: summary (a line), stored of planned runs, made (by this call), undecided,
    disagreements (a list of lines: verdicts that contradict what is known or each other), failed
    (runs with an internal error), status (the program's exit status, 0 if all is well). Ctrl-C abandons what runs
    and raises Interrupted with that dict; what is stored stays. Raises UsageError, DataError (plan or
    store, with the line), OutputError, and OSError for a plan that cannot be read.
    """
    try:
        part, parts = shard
    except (TypeError, ValueError):
        raise UsageError("shard must be two integers I, N") from None
    parts = _options.whole("shard's N", parts, 1, 1_000_000)
    part = _options.whole("shard's I", part, 1, parts)
    flight = 0 if in_flight is None else _options.whole("in_flight", in_flight, 1, 2**24)
    with open(plan, "rb"):  # what cannot be opened is an OSError
        pass
    done, interrupted = _native.run_plan(_options.path(plan), _options.path(store), backend,
                                         _options.threads(threads), part, parts, flight, progress,
                                         _options.positive("progress_every", progress_every))
    if interrupted:
        raise Interrupted(done)
    return done


def read_store(*paths: str | os.PathLike[str]) -> pandas.DataFrame:
    """The runs of result stores as a pandas DataFrame: one row a run, the columns those of the table
    `run` (src/store/schema.h), in the order of the plans, with `plan` as the name of each one's.

    Of each plan the newest version counts. The frame's attrs["warnings"] has what there is to say of
    the runs (missing ones, several machines). Raises DataError for a file that is no store or is
    damaged, OSError for one that cannot be read.
    """
    if not paths:
        raise UsageError("read_store needs the name of a store")
    import pandas

    from playproof_report.errors import ReportError
    from playproof_report.store import read_experiments

    names = [_options.path(path) for path in paths]
    for name in names:
        with open(name, "rb"):
            pass
    try:
        experiments = read_experiments(names)
    except ReportError as error:
        raise DataError(str(error)) from None
    frame = pandas.concat([pandas.DataFrame(e.runs) for e in experiments], ignore_index=True)
    frame.attrs["warnings"] = [warning for e in experiments for warning in e.warnings]
    return frame
