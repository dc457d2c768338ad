"""Plans and stores for the tests of experiments."""

import json
import os
import sqlite3
import struct
import tempfile

from program import BAD_DATA, SOURCE, ProgramTest, run

SMOKE = os.path.join(SOURCE, "tests", "programs", "smoke.toml")

# Columns of `run` that may differ when the same run is made again.
VARYING = {"invocation", "peak_bytes", "seconds", "cpu_seconds", "version", "revision", "compiler",
           "host", "cpu_model", "started", "finished"}

PLAN = """\
name = "test"
seed = 7
error_curves = true

[limits]
max_nodes = 100_000

[report]
kind = "compare"

[[series]]
name = "trees"
game = "pgame:branching=2,depth=8"
trees = { from = 1, to = 4 }
expected = "oracle"

[[algorithm]]
label = "PN"
spec = "pn:ties=left"

[[algorithm]]
label = "UCT"
spec = "uct:playouts=10"
normalise = "branching"

[[claim]]
id = "one"
text = "PN needs more iterations."
source = "a book"
formula = "iterations(PN) > iterations(UCT)"
"""


def rows(store, columns="*"):
    """{key: row} of the runs, without what may vary."""
    database = sqlite3.connect(store)
    database.row_factory = sqlite3.Row
    try:
        return {row["key"]: {name: row[name] for name in row.keys() if name not in VARYING}
                for row in database.execute(f"SELECT {columns} FROM run")}
    finally:
        database.close()


def counters(text):
    """Those of a row that may not vary; None in stores older than version 4."""
    return text and {name: count for name, count in json.loads(text).items() if name not in VARYING}


def curves(store):
    database = sqlite3.connect(store)
    try:
        return {key: list(struct.iter_unpack("<qd", points))
                for key, points in database.execute("SELECT run_key, points FROM curve")}
    finally:
        database.close()


def query(store, sql):
    database = sqlite3.connect(store)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def change(store, sql):
    database = sqlite3.connect(store)
    database.executescript(sql)
    database.commit()
    database.close()


def write_version(store, version):
    """What older versions lack at the end, and what 1 and 2 had in the middle: a column that was always 0."""
    database = sqlite3.connect(store)
    for column in ("counters", "max_cpu_seconds"):
        database.execute(f"ALTER TABLE run DROP COLUMN {column}")
    if version == 3:
        database.executescript("PRAGMA user_version = 3")
        return database.close()
    sql, = database.execute("SELECT sql FROM sqlite_master WHERE name = 'run'").fetchone()
    names = [row[1] for row in database.execute("PRAGMA table_info(run)")]
    at = names.index("nodes_expanded") + 1
    old = sql.replace("nodes_expanded INTEGER NOT NULL,",
                      "nodes_expanded INTEGER NOT NULL, nodes_reexpanded INTEGER NOT NULL,")
    values = ", ".join([*names[:at], "0", *names[at:]])
    database.executescript(
        f"PRAGMA legacy_alter_table = ON; ALTER TABLE run RENAME TO made; {old};"
        f"INSERT INTO run SELECT {values} FROM made; DROP TABLE made;"
        f"PRAGMA user_version = {version};")
    return database.close()


class ExperimentTest(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, text, name="plan.toml"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def refuse(self, old, new, line, *fragments):
        """The plan with one change is refused, naming `line` of the changed plan."""
        self.assertIn(old, PLAN)
        plan = self.write(PLAN.replace(old, new, 1))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:{line}: ",
                          *fragments)

    def same_rows(self, store, other):
        """But for the engine that has played."""
        def without(store):
            return {key: {name: counters(value) if name == "counters" else value
                          for name, value in row.items() if name not in ("backend", "device")}
                    for key, row in rows(store).items()}
        self.assertEqual(without(store), without(other))

    def experiment(self, plan, store, *options, status=0):
        process = run("experiment", plan, "--store", store, *options)
        self.assert_status(process, status)
        return process
