"""Stores that others made: what could change new results, or is none of ours, is refused by name."""

import os
import shutil
import unittest

from experiments import PLAN, ExperimentTest, change, query, write_version
from program import BAD_DATA, run

# What is no part of a store: (kind, name, SQL).
OBJECTS = [
    ("trigger", "evil", """CREATE TRIGGER evil AFTER INSERT ON run BEGIN UPDATE run SET verdict = CASE verdict
         WHEN 'proved' THEN 'disproved' ELSE 'proved' END, outcome = 'proved', expected = NULL
         WHERE key = new.key; END"""),
    ("trigger", "grows", """CREATE TRIGGER grows AFTER INSERT ON run BEGIN INSERT INTO plan
         VALUES (hex(randomblob(8)), 'x', zeroblob(9), '{}', '', ''); END"""),
    ("trigger", "before", "CREATE TRIGGER before BEFORE DELETE ON plan_run BEGIN SELECT RAISE(IGNORE); END"),
    ("view", "seen", "CREATE VIEW seen AS SELECT * FROM run"),
    ("view", "endless", """CREATE VIEW endless AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
         SELECT x FROM n"""),
    ("index", "helpful", "CREATE INDEX helpful ON run (verdict)"),
    ("index", "once", "CREATE UNIQUE INDEX once ON run (verdict)"),
    ("table", "mine", "CREATE TABLE mine (x)"),
    ("table", "sqlite_stat1", "ANALYZE"),
    ("table", "words", "CREATE VIRTUAL TABLE words USING fts5(x)"),
]

# A table with the right columns that is another one all the same: (table, from, to).
CONSTRAINTS = [
    ("run", "key TEXT PRIMARY KEY", "key TEXT PRIMARY KEY COLLATE NOCASE"),
    ("run", "verdict TEXT NOT NULL", "verdict TEXT NOT NULL CHECK (verdict = 'proved')"),
    ("run", "outcome TEXT NOT NULL", "outcome TEXT NOT NULL UNIQUE"),
    ("run", "expected TEXT,", "expected TEXT DEFAULT 'proved',"),
    ("run", ") STRICT", ")"),
    ("run", "key TEXT PRIMARY KEY", "key TEXT PRIMARY KEY ON CONFLICT REPLACE"),
    ("curve", "REFERENCES run (key)", "REFERENCES run (key) ON DELETE CASCADE"),
    ("invocation", "finished TEXT", "finished TEXT, CHECK (id < 2)"),
]

# Values that no run of ours has: (column, SQL).
VALUES = [
    ("iteration_divisor", "0"), ("iteration_divisor", "-2"), ("verdict", "'lost'"), ("verdict", "''"),
    ("verdict", "'proved' || char(0)"), ("outcome", "'won'"), ("expected", "'x'"), ("iterations", "-1"),
    ("seconds", "9e999"), ("seconds", "-0.5"), ("iterations_normalised", "1e300"), ("playouts", "-9223372036854775808"),
    ("counters", "'[]'"), ("counters", "'{'"), ("counters", "'{\"a\":-1}'"), ("counters", "'{\"a\":1.5}'"),
    ("counters", "'{\"a\":null}'"), ("max_cpu_seconds", "-1"), ("max_cpu_seconds", "9e999"),
    ("batch", "0"), ("threads", "-1"), ("table_hits", "-7"), ("peak_bytes", "-1"),
]


def disguise(store, table, old, new):
    """The table is made anew, with its rows, from a text that has something else in one place."""
    (sql,), = query(store, f"SELECT sql FROM sqlite_master WHERE name = '{table}'")
    assert old in sql, sql
    change(store, f"PRAGMA legacy_alter_table = ON; CREATE TABLE kept AS SELECT * FROM {table}; DROP TABLE {table};"
                  f"{sql.replace(old, new)}; INSERT OR IGNORE INTO {table} SELECT * FROM kept; DROP TABLE kept; VACUUM;")


class ForeignTest(ExperimentTest):
    def setUp(self):
        super().setUp()
        self.plan = self.write(PLAN)
        self.whole, self.store = self.path("whole.db"), self.path("r.db")
        self.experiment(self.plan, self.whole)

    def refused(self, *fragments):
        """By all who read or write it; it stays as it is, and nothing else is made."""
        with open(self.store, "rb") as file:
            before = file.read()
        commands = (["experiment", self.plan, "--store", self.store],
                    ["merge", self.store, "--store", self.path("all.db")],
                    ["merge", self.whole, "--store", self.store])
        for command in commands:
            self.assert_fails(command, BAD_DATA, self.store, *fragments)
            self.assertFalse(os.path.exists(self.path("all.db")))
            with open(self.store, "rb") as file:
                self.assertEqual(file.read(), before, command)


class Schema(ForeignTest):
    def test_what_is_not_ours(self):
        for kind, name, sql in OBJECTS:
            with self.subTest(name):
                shutil.copy(self.whole, self.store)
                change(self.store, "DELETE FROM curve WHERE run_key IN (SELECT key FROM run WHERE rowid > 1);"
                                   "DELETE FROM run WHERE rowid > 1; " + sql)
                self.refused(f"{kind} '{name}'")

    def test_what_looks_like_ours(self):
        for table, old, new in CONSTRAINTS:
            with self.subTest(new):
                shutil.copy(self.whole, self.store)
                disguise(self.store, table, old, new)
                self.refused(f"'{table}'")
        for sql in ("DROP TABLE curve; CREATE VIEW curve AS SELECT key AS run_key, x'' AS points FROM run",
                    "DROP TABLE curve; CREATE VIRTUAL TABLE curve USING fts5(run_key, points)"):
            with self.subTest(sql):
                shutil.copy(self.whole, self.store)
                change(self.store, sql)
                self.refused("'curve'")

    def test_old_versions_are_looked_at_as_closely(self):
        for version in (1, 2, 3):
            shutil.copy(self.whole, self.store)
            if version == 1:
                for name in query(self.store, "SELECT name FROM pragma_table_info('run') WHERE \"notnull\" = 0 AND "
                                              "type = 'INTEGER'"):
                    change(self.store, f"ALTER TABLE run DROP COLUMN {name[0]}")
            write_version(self.store, version)
            old = self.path("old.db")
            shutil.copy(self.store, old)
            self.experiment(self.plan, self.store)
            for kind, name, sql in OBJECTS[:5]:
                with self.subTest(name, version=version):
                    shutil.copy(old, self.store)
                    change(self.store, sql)
                    self.refused(f"{kind} '{name}'")

    def test_a_name_is_shown_harmlessly(self):
        shutil.copy(self.whole, self.store)
        change(self.store, 'CREATE VIEW "a\x1b[31m\x9b2J" AS SELECT 1')
        self.refused("view 'a\\x1b[31m\\xc2\\x9b2J'")

    def test_another_encoding(self):
        with open(self.store, "wb"):
            pass
        sql = ";".join(row[0] for row in query(self.whole, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL"))
        change(self.store, f"PRAGMA encoding = 'UTF-16le'; {sql}; PRAGMA application_id = {0x504c5950};"
                           "PRAGMA user_version = 4;")
        self.refused("UTF-16le, not UTF-8")


class Values(ForeignTest):
    def test_what_no_run_has(self):
        for column, value in VALUES:
            with self.subTest(column=column, value=value):
                shutil.copy(self.whole, self.store)
                change(self.store, f"UPDATE run SET {column} = {value} WHERE rowid = 3")
                self.refused(column)

    def test_counters_that_say_otherwise_than_columns(self):
        for name in ("iterations", "playouts", "table_hits"):
            with self.subTest(name):
                shutil.copy(self.whole, self.store)
                change(self.store, f"UPDATE run SET counters = json_set(counters, '$.{name}', {name} + 1) WHERE rowid = 3")
                self.refused(name)

    def test_json_of_a_plan(self):
        for json in ("'[' || json || ']'", "'x'", "''", "json || '}'", "replace(json, '\"seed\":7', '\"seed\":1e999')",
                     "replace(hex(zeroblob(50000)), '0', '[') || replace(hex(zeroblob(50000)), '0', ']')",
                     "replace(hex(zeroblob(50000)), '0', '{\"a\":') || 1 || replace(hex(zeroblob(50000)), '0', '}')"):
            with self.subTest(json):
                shutil.copy(self.whole, self.store)
                change(self.store, f"UPDATE plan SET json = {json}")
                self.refused("plan 'test'")

    def test_types(self):
        """Of rows written before the table was said to be strict."""
        for column, value in (("iterations", "'many'"), ("verdict", "x'00ff'"), ("seconds", "'soon'"), ("seed", "1.5")):
            with self.subTest(column):
                shutil.copy(self.whole, self.store)
                disguise(self.store, "run", ") STRICT", ")")
                change(self.store, f"UPDATE run SET {column} = {value} WHERE rowid = 3;"
                                   "PRAGMA writable_schema = ON;"
                                   "UPDATE sqlite_master SET sql = sql || ' STRICT' WHERE name = 'run';")
                self.refused("damaged", f"run.{column}")

    def test_huge_values(self):
        """Of 70 MB each: no row of ours has one, and nobody takes it into memory."""
        for sql in ("UPDATE curve SET points = zeroblob(73400320) WHERE rowid = 2",
                    "UPDATE run SET device = printf('%.*c', 73400320, 'x') WHERE rowid = 2",
                    "UPDATE plan SET text = printf('%.*c', 73400320, 'x')"):
            shutil.copy(self.whole, self.store)
            change(self.store, sql)
            for command in (["merge", self.store, "--store", self.path("all.db")],
                            ["merge", self.whole, "--store", self.store]):
                with self.subTest(sql, command=command):
                    self.assert_fails(command, BAD_DATA, self.store, "large")

    def test_keys_that_differ_behind_a_nul(self):
        shutil.copy(self.whole, self.store)
        change(self.store, "UPDATE run SET key = key || char(0) || 'x' WHERE rowid = 3")
        process = run("merge", self.store, "--store", self.path("all.db"))
        self.assert_status(process, 0)
        self.assertEqual(query(self.path("all.db"), "SELECT count(*) FROM curve"), [(7,)])  # the eighth is no run's


if __name__ == "__main__":
    unittest.main()
