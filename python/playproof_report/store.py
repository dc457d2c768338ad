"""Reads result stores (src/store/store.h documents the tables), also compressed with xz. Standard library
only."""

import json
import lzma
import os
import re
import shutil
import sqlite3
import struct
import tempfile
import weakref
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field

from .errors import DATA, ReportError

APPLICATION_ID = 0x504C5950
# CRC-32 of the names of all columns, table after table.
VERSIONS = {1: 0xA421C63B, 2: 0xE2DC0117, 3: 0x3CB356DF}

DROPPED = "nodes_reexpanded"  # a column of `run` up to version 2, always 0

# Columns of `run` that may differ when the same run is made again.
VARYING = {
    "invocation", "peak_bytes", "seconds", "cpu_seconds", "version", "revision", "compiler", "host",
    "cpu_model", "started", "finished", "backend", "device", "threads",
}

# Columns that rows of version 1 have no value in.
NULLABLE = {
    "shallow_switches", "endings", "ending_nodes", "table_lookups", "table_hits",
    "table_useful_hits", "table_stored", "table_replaced", "table_discarded",
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
    warnings: list = field(default_factory=list)

    @property
    def name(self):
        return self.plan["name"]

    def algorithms(self, series):
        """Labels of the algorithms that run on a series, in plan order."""
        return [a["label"] for a in self.plan["algorithms"] if series in a["series"]]

    def series(self):
        return self.plan["series"]


def unpack_curve(blob):
    return [pair for pair in struct.iter_unpack("<qd", blob)]


class _Store:
    """One open file."""

    def __init__(self, path):
        self.path = path
        if not os.path.isfile(path):
            reason = "is a directory" if os.path.isdir(path) else "no such file"
            raise ReportError(DATA, f"{path}: cannot read the result store: {reason}")
        with self._reading():
            file = self._unpacked() if path.endswith(".xz") else path
            uri = "file:" + os.path.abspath(file).replace("%", "%25").replace("?", "%3f").replace(
                "#", "%23")
            self.database = sqlite3.connect(uri + "?mode=ro", uri=True)
            self._check()

    @contextmanager
    def _reading(self):
        """What damage does to names and texts is no bug of ours."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError, OverflowError, lzma.LZMAError,
                EOFError) as error:
            raise ReportError(DATA, f"{self.path}: not a usable result store: {error}") from error

    def _unpacked(self):
        """A file that lives as long as this store."""
        plain = tempfile.NamedTemporaryFile(suffix=".db")
        weakref.finalize(self, plain.close)
        with lzma.open(self.path) as packed:
            shutil.copyfileobj(packed, plain)
        plain.flush()
        return plain.name

    def _check(self):
        identity = self.database.execute("PRAGMA application_id").fetchone()[0]
        if identity != APPLICATION_ID:
            raise ReportError(DATA, f"{self.path}: this SQLite file is not a result store of "
                                    "playproof")
        version = self.database.execute("PRAGMA user_version").fetchone()[0]
        if version not in VERSIONS:
            raise ReportError(DATA, f"{self.path}: store version {version}, but this program reads "
                                    f"versions {min(VERSIONS)} to {max(VERSIONS)}")
        # Not quick_check: that does not hold the indices against the tables.
        damage = self.database.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if damage != "ok":
            self.fail(damage)
        if self._columns() != VERSIONS[version]:
            self.fail("its columns are not those of its version")

    def _columns(self):
        tables = ["plan", "plan_run", "invocation", "run", "curve"]
        names = [row["name"] for table in tables for row in self.rows(f"PRAGMA table_info({table})")]
        return zlib.crc32(" ".join(names).encode())

    def fail(self, damage):
        raise ReportError(DATA, f"{self.path}: the store is damaged: {damage}")

    def rows(self, sql, *values):
        with self._reading():
            found = self.database.execute(sql, values)
            names = [column[0] for column in found.description]
            return [dict(zip(names, row)) for row in found]

    def curves(self, plan_hash):
        for row in self.rows("SELECT run_key, points FROM curve JOIN plan_run ON key = run_key "
                             "WHERE plan_hash = ?", plan_hash):
            if len(row["points"]) % 16:
                self.fail(f"half a point in the error curve of run '{row['run_key']}'")
            yield row["run_key"], unpack_curve(row["points"])


def read_experiments(paths):
    """The newest plan of each name in the stores, with all its runs that they hold.

    Raises ReportError(DATA) for a file that is no store, is damaged, or holds no experiment, and if
    two stores hold different results for the same run.
    """
    stores = [_Store(path) for path in paths]
    newest = {}
    names = []
    for store in stores:
        for row in store.rows("SELECT * FROM plan ORDER BY last_used"):
            if row["name"] not in newest:
                names.append(row["name"])
            if row["name"] not in newest or row["last_used"] >= newest[row["name"]]["last_used"]:
                newest[row["name"]] = row
    if not newest:
        raise ReportError(DATA, f"{', '.join(paths)}: the store holds no experiment")
    return [_read_experiment(stores, newest[name]) for name in names]


def _read_experiment(stores, plan):
    members = {}
    for store in stores:
        for row in store.rows("SELECT ordinal, key FROM plan_run WHERE plan_hash = ?",
                              plan["hash"]):
            members[row["key"]] = row["ordinal"]
    experiment = Experiment(read_json(plan["json"], f"plan '{plan['name']}'"), plan["text"],
                            plan["hash"], len(members))
    found = {}
    for store in stores:
        for row in store.rows("SELECT run.* FROM run JOIN plan_run USING (key) "
                              "WHERE plan_hash = ?", plan["hash"]):
            row.pop(DROPPED, None)
            _merge(found, row, store.path)
        experiment.curves.update(store.curves(plan["hash"]))
        experiment.invocations += store.rows(
            "SELECT * FROM invocation WHERE plan_hash = ? OR id IN (SELECT DISTINCT invocation FROM "
            "run JOIN plan_run USING (key) WHERE plan_run.plan_hash = ?) ORDER BY id",
            plan["hash"], plan["hash"])
    experiment.runs = sorted(found.values(), key=lambda run: members[run["key"]])
    _check_tallies(experiment)
    _warn(experiment)
    return experiment


class _Object(dict):
    """Of JSON; a name that is not there is damage too."""

    def __missing__(self, name):
        raise ReportError(DATA, f"the store is damaged: its JSON has no '{name}' where it must")


def read_json(text, what):
    """Raises ReportError(DATA): the store holds what the program does not write."""
    try:
        return json.loads(text, object_hook=_Object)
    except ValueError as error:
        raise ReportError(DATA, f"the store is damaged: {what} is not JSON: {error}") from error


def _merge(found, row, path):
    other = found.setdefault(row["key"], row)
    if other is row:
        return
    for column, value in row.items():  # counters that an older store lacks are no disagreement
        known = value is not None and other.get(column) is not None
        if column in NULLABLE and not known:
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


def _warn(experiment):
    missing = experiment.planned - len(experiment.runs)
    if missing:
        experiment.warnings.append(
            f"{missing} of {experiment.planned} runs are missing: what follows is provisional.")
    revisions = sorted({run["revision"] for run in experiment.runs})
    if len(revisions) > 1:
        experiment.warnings.append(
            f"The runs were made by different revisions of the program: {', '.join(revisions)}.")
    machines = sorted({run["cpu_model"] for run in experiment.runs})
    if len(machines) > 1:
        experiment.warnings.append(
            f"Times mix different machines: {', '.join(machines)}. Paired ratios stay within one.")
