"""What result stores hold (src/store/store.h documents the tables): plans with their runs. Standard library
only."""

import os
import re
import struct
from contextlib import contextmanager
from dataclasses import dataclass, field

from . import shape
from .errors import DATA, ReportError
from .opening import OpenStore

DROPPED = "nodes_reexpanded"  # a column of `run` up to version 2, always 0

# Columns of `run` that may differ when the same run is made again.
VARYING = {
    "invocation", "peak_bytes", "counters", "seconds", "cpu_seconds", "version", "revision", "compiler", "host",
    "cpu_model", "started", "finished", "backend", "device", "threads",
}

# Columns that rows of older versions have no value in.
NULLABLE = {
    "shallow_switches", "endings", "ending_nodes", "table_lookups", "table_hits",
    "table_useful_hits", "table_stored", "table_replaced", "table_discarded", "counters",
}


@dataclass
class Experiment:
    """One plan with its runs, from one or more stores."""

    plan: dict  # the plan as JSON (src/experiment/plan.cpp, Plan::json)
    text: str  # the TOML file
    hash: str
    planned: int  # how many runs the plan has
    runs: list = field(default_factory=list)  # dicts with the columns of `run`, in plan order
    curves: dict = field(default_factory=dict)  # key -> [(iteration, error), ...]
    invocations: list = field(default_factory=list)  # dicts with the columns of `invocation`
    versions: list = field(default_factory=list)  # (first use, plan) of all plans of that name
    folder: str = ""  # of its store
    warnings: list = field(default_factory=list)

    @property
    def name(self):
        return self.plan["name"]

    def algorithms(self, series):
        """Labels of the algorithms that run on a series, in plan order."""
        return [a["label"] for a in self.plan["algorithms"] if series in a["series"]]

    def series(self):
        return self.plan["series"]

    def reference(self, series):
        """The label that the others are compared with on a series; older plans have one for all."""
        every = self.plan["report"]["reference"]
        return next((one.get("reference") or every for one in self.plan["series"] if one["name"] == series), every)


def unpack_curve(blob):
    return [pair for pair in struct.iter_unpack("<qd", blob)]


class _Store(OpenStore):
    """Its rows; those of a plan each once, however often the plan names them."""

    OF_PLAN = "IN (SELECT key FROM plan_run WHERE plan_hash = ?)"

    @contextmanager
    def _named(self):
        """What is wrong with its contents is told with its name."""
        try:
            yield
        except ReportError as error:
            raise ReportError(error.status, f"{self.path}: {error}") from error

    def plan(self, row):
        """As JSON."""
        with self._named():
            return shape.read_plan(row["json"], row["name"])

    def versions(self, name):
        """[(time of first use, plan)] of all plans of a name."""
        return [(row["first_used"], self.plan(row)) for row in self.rows("SELECT * FROM plan WHERE name = ?", name)]

    def runs(self, plan_hash):
        """[rows]"""
        rows = self.rows(f"SELECT * FROM run WHERE key {self.OF_PLAN}", plan_hash)
        with self._named():
            for row in rows:
                row.pop(DROPPED, None)
                row.setdefault("max_cpu_seconds", None)
                row.setdefault("counters", None)
                shape.check_run(row)
                shape.add_counters(row)
            shape.check_questions(rows)
        return rows

    def curves(self, plan_hash):
        """{key: points} of the runs that have some."""
        found = {}
        for row in self.rows(f"SELECT run_key, points FROM curve WHERE run_key {self.OF_PLAN}",
                             plan_hash):
            if len(row["points"]) % 16:
                self.fail(f"half a point in the error curve of run '{row['run_key']}'")
            points = unpack_curve(row["points"])
            with self._named():
                shape.check_curve(row["run_key"], points)
            if points:
                found[row["run_key"]] = points
        return found

    def invocations(self, plan_hash):
        return self.rows("SELECT * FROM invocation WHERE plan_hash = ? OR id IN (SELECT invocation FROM "
                         f"run WHERE key {self.OF_PLAN}) ORDER BY id", plan_hash, plan_hash)


def read_experiments(paths):
    """The newest plan of each name in the stores, with all its runs that they hold.

    Raises ReportError(DATA) for a file that is no store, is damaged, or holds no experiment, and if
    two stores hold different results for the same run.
    """
    stores = [_Store(path) for path in paths]
    newest = {}  # {name: (row, store)}, in order of appearance
    for store in stores:
        for row in store.rows("SELECT * FROM plan ORDER BY last_used"):
            if row["name"] not in newest or row["last_used"] >= newest[row["name"]][0]["last_used"]:
                newest[row["name"]] = row, store
    if not newest:
        raise ReportError(DATA, f"{', '.join(paths)}: the store holds no experiment")
    return [_read_experiment(stores, *of) for of in newest.values()]


def _read_experiment(stores, plan, its_store):
    members = {}
    for store in stores:
        for row in store.rows("SELECT ordinal, key FROM plan_run WHERE plan_hash = ?",
                              plan["hash"]):
            members[row["key"]] = row["ordinal"]
    experiment = Experiment(its_store.plan(plan), plan["text"], plan["hash"], len(members))
    found = {}
    experiment.folder = os.path.dirname(its_store.path)
    for store in stores:
        experiment.versions += store.versions(plan["name"])
        for row in store.runs(plan["hash"]):
            _merge(found, row, store.path)
        experiment.curves.update(store.curves(plan["hash"]))
        experiment.invocations += store.invocations(plan["hash"])
    experiment.runs = sorted(found.values(), key=lambda run: members[run["key"]])
    shape.check_questions(experiment.runs)
    _check_tallies(experiment)
    _warn(experiment)
    return experiment


def _merge(found, row, path):
    other = found.setdefault(row["key"], row)
    if other is row:
        return
    # Where a clock stopped them, and by several workers, which have made another one: the first one stays.
    if "cpu" in (row["reason"], other["reason"]) or max(row["threads"], other["threads"]) > 1:
        return
    for column, value in row.items():  # counters that an older store lacks are no disagreement
        known = value is not None and other.get(column) is not None
        if (column in NULLABLE or column in shape.WITHOUT_COLUMN) and not known:
            other[column] = value if value is not None else other.get(column)
        elif column not in VARYING and other[column] != value:
            raise ReportError(DATA, f"{path}: the stores disagree on the {column} of run "
                                    f"'{row['key']}': {other[column]} and {value}")


# Backends with playouts of their own (own_tallies of host/playouts/evaluator.cpp), also as the inner one of
# a wrapper; all others play those of games/PLAYOUTS.md.
_OWN_TALLIES = re.compile(r"(?:^|:of=)(scalar|fake)\b")


def _check_tallies(experiment):
    """Whose playouts the runs rest on; raises ReportError(DATA) if they are not of one kind."""
    backends = {run["backend"] for run in experiment.runs} - {"none"}
    own = {match.group(1) if match else "" for match in map(_OWN_TALLIES.search, backends)}
    if len(own) > 1:
        named = ", ".join(sorted(backends))
        raise ReportError(DATA, f"plan '{experiment.name}': runs with other playouts are no part "
                                f"of one sample, and these are of the backends {named}; report their "
                                "stores apart (in one store, `experiment` tells them apart)")
    for name in own - {""}:
        experiment.warnings.append(f"All playouts are playouts of the backend '{name}', not those "
                                   "that all others play.")


def _of_several_workers(experiment):
    """"A (2 workers), B (4 workers)": whose runs are no function of their seed."""
    made = dict.fromkeys((run["algorithm"], run["threads"]) for run in experiment.runs if run["threads"] > 1)
    return ", ".join(f"{label} ({threads} workers)" for label, threads in made)


def _warn(experiment):
    missing = experiment.planned - len(experiment.runs)
    if missing:
        experiment.warnings.append(
            f"{missing} of {experiment.planned} runs are missing: what follows is provisional.")
    if several := _of_several_workers(experiment):
        experiment.warnings.append(f"The counts of {several} are those of these runs alone: made again, a run of several "
                                   "workers has others.")
    revisions = sorted({run["revision"] for run in experiment.runs})
    if len(revisions) > 1:
        experiment.warnings.append(
            f"The runs were made by different revisions of the program: {', '.join(revisions)}.")
    machines = sorted({run["cpu_model"] for run in experiment.runs})
    if len(machines) > 1:
        experiment.warnings.append(
            f"Times mix different machines: {', '.join(machines)}. Paired ratios stay within one.")
