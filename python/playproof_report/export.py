"""Everything that the stores hold, for other programs. Standard library only."""

import csv
import io

from .shape import read_parameters
from .terminal import to_json


def as_csv(experiments):
    """One line a run, all columns of the table `run`."""
    buffer = io.StringIO()
    writer = None
    for experiment in experiments:
        for run in experiment.runs:
            if writer is None:
                writer = csv.DictWriter(buffer, list(run), lineterminator="\n")
                writer.writeheader()
            writer.writerow(run)
    return buffer.getvalue()


def as_json(experiments):
    """The plans with their runs; each run with its parameters as an object and its error curve as
    [[iteration, error], ...] (null without one)."""
    result = []
    for experiment in experiments:
        runs = []
        for run in experiment.runs:
            curve = experiment.curves.get(run["key"])
            runs.append({**run, "parameters": read_parameters(run["parameters"]),
                         "curve": None if curve is None else [list(p) for p in curve]})
        result.append({"plan": experiment.plan, "plan_text": experiment.text,
                       "plan_hash": experiment.hash, "planned_runs": experiment.planned,
                       "warnings": experiment.warnings, "invocations": experiment.invocations,
                       "runs": runs})
    return to_json({"experiments": result})
