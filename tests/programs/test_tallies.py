"""Rows know whose playouts they rest on: other playouts are other runs, another backend is not."""

import lzma
import os
import re
import shutil
import sqlite3
import unittest

from experiments import PLAN, SMOKE, ExperimentTest, change, query, rows
from program import BAD_DATA, NIGHTLY, SOURCE, run

STORED = ("ews.db.xz", "playouts.db", "leaf-numbers.db.xz", "table.db.xz", "pn2.db.xz",
          *(("depth-first.db.xz",) if NIGHTLY else ()))  # it is large
LATENCY = "latency:of={},us=0,rate=1e15"


def outdated(store):
    """As before keys told tallies: nothing, or ` backend=` for what has `fake` in it."""
    change(store, "UPDATE run SET key = substr(key, 1, instr(key, ' tallies=') - 1) || iif(backend "
                  "LIKE '%fake%', ' backend=fake', '') WHERE instr(key, ' tallies=')")
    change(store, "UPDATE curve SET run_key = substr(run_key, 1, instr(run_key, ' tallies=') - 1) "
                  "|| iif(instr(run_key, 'tallies=fake'), ' backend=fake', '') "
                  "WHERE instr(run_key, ' tallies=')")
    change(store, "UPDATE plan_run SET key = substr(key, 1, instr(key, ' tallies=') - 1) || "
                  "iif(instr(key, 'tallies=fake'), ' backend=fake', '') "
                  "WHERE instr(key, ' tallies=')")


class Keys(ExperimentTest):

    def setUp(self):
        super().setUp()
        self.plan, self.store = self.write(PLAN), self.path("r.db")

    def run_with(self, backend, now, before, store=None, plan=None):
        process = self.experiment(plan or self.plan, store or self.store, "--backend", backend)
        self.assertIn(f"({now} now, {before} before)", process.stdout, backend)

    def keys(self, store=None):
        return set(rows(store or self.store))

    def test_backends_with_the_same_playouts_fill_one_store(self):
        self.run_with("cpu", 8, 0)
        keys = self.keys()
        self.assertFalse([key for key in keys if "tallies" in key or "backend" in key])
        for backend in ("auto", "reference", "cpu:simd=baseline", "check:of=cpu,against=reference",
                        LATENCY.format("cpu"), LATENCY.format("reference"),
                        "check:of=cpu,against=fake"):
            self.run_with(backend, 0, 8)
        self.assertEqual(self.keys(), keys)

    def test_other_playouts_are_other_runs(self):
        """PN plays nothing: its four runs are those of every backend."""
        self.run_with("cpu", 8, 0)
        self.run_with("scalar", 4, 4)
        self.run_with(LATENCY.format("scalar"), 0, 8)
        self.run_with("fake", 4, 4)
        self.run_with("check:of=fake,against=fake", 0, 8)
        self.run_with("auto", 0, 8)
        found = rows(self.store)
        self.assertEqual(len(found), 16)
        for key, row in found.items():
            own = {"scalar": " tallies=scalar", "fake": " tallies=fake"}.get(row["backend"], "")
            self.assertTrue(key.endswith(own or "curve=yes"), (key, row["backend"]))

    def test_smoke_with_scalar_is_smoke_with_scalar(self):
        both, alone = self.path("both.db"), self.path("alone.db")
        self.run_with("cpu", 144, 0, both, SMOKE)
        self.run_with("scalar", 96, 48, both, SMOKE)
        self.run_with("scalar", 144, 0, alone, SMOKE)
        found = rows(both)
        for key, row in rows(alone).items():
            self.assertEqual(found[key], row)

    def test_old_rows_take_it_from_their_backend(self):
        for backend in ("scalar", "fake", "latency:of=scalar", "check:of=scalar,against=scalar",
                        "cpu"):
            with self.subTest(backend=backend):
                store = self.path(backend.replace(":", "-") + ".db")
                self.experiment(self.plan, store, "--backend", backend)
                made = rows(store)
                outdated(store)
                self.run_with(backend, 0, 8, store)
                self.assertEqual(rows(store), made)
                joined = "SELECT count(*) FROM curve JOIN run ON key = run_key"
                self.assertEqual(query(store, joined), [(8,)])
                self.assertEqual(query(store, "PRAGMA foreign_key_check"), [])
                if backend != "cpu":
                    self.run_with("cpu", 4, 4, store)

    def test_an_old_mixture_is_told_apart(self):
        """Begun with one, ended with the other: the rest of both is run."""
        half = self.write(PLAN.replace("to = 4", "to = 2"), "half.toml")
        self.run_with("scalar", 4, 0, plan=half)
        outdated(self.store)
        self.assertFalse([key for key in self.keys() if "tallies" in key])
        self.run_with("cpu", 6, 2)
        self.run_with("scalar", 2, 6)

    def test_runs_of_fake_without_playouts_are_those_of_all(self):
        """Formerly they had a key of their own; the same run twice becomes one."""
        self.run_with("fake", 8, 0)
        outdated(self.store)
        for table, column in (("run", "key"), ("curve", "run_key")):
            change(self.store, f"UPDATE {table} SET {column} = {column} || ' backend=fake' WHERE "
                               f"instr({column}, '| pn:')")
        change(self.store, "UPDATE plan_run SET key = key || ' backend=fake' WHERE "
                           "instr(key, '| pn:')")
        twice = self.path("twice.db")
        shutil.copy(self.store, twice)
        self.run_with("fake", 0, 8)
        self.run_with("cpu", 4, 4)
        self.experiment(self.plan, self.path("cpu.db"), "--backend", "cpu")
        database = sqlite3.connect(twice)
        database.execute("ATTACH ? AS other", (self.path("cpu.db"),))
        database.executescript("INSERT INTO run SELECT * FROM other.run; "
                               "INSERT INTO curve SELECT * FROM other.curve")
        database.close()
        self.assertEqual(len(rows(twice)), 16)
        self.run_with("cpu", 0, 8, twice)
        self.assertEqual(len(rows(twice)), 12)

    def test_stored_results_are_complete(self):
        """No key that somebody has stored has changed, but for an option that is called otherwise."""
        for name in STORED:
            with self.subTest(store=name):
                source = os.path.join(SOURCE, "bench", "results", name)
                store = self.path(name.removesuffix(".xz"))
                with (lzma.open if name.endswith(".xz") else open)(source, "rb") as packed, \
                        open(store, "wb") as plain:
                    shutil.copyfileobj(packed, plain)
                keys = {re.sub(r",probe=(\d+)", r",places=\1", key)
                        for key, in query(store, "SELECT key FROM run")}
                plan = os.path.join(SOURCE, "bench", "plans", name.partition(".")[0] + ".toml")
                process = self.experiment(plan, store)
                self.assertIn("(0 now, ", process.stdout)
                now = {key for key, in query(store, "SELECT key FROM run")}
                self.assertEqual(sorted(now - keys)[:3], [])
                self.assertEqual(sorted(keys - now)[:3], [])


class Reports(ExperimentTest):

    def stores(self, *backends):
        plan = self.write(PLAN)
        found = []
        for backend in backends:
            found.append(self.path(backend.partition(":")[0] + ".db"))
            self.experiment(plan, found[-1], "--backend", backend)
        return found

    def test_other_playouts_are_no_part_of_a_sample(self):
        cpu, reference, scalar, fake = self.stores("cpu", "reference", "scalar", "fake")
        self.assert_status(run("report", cpu, reference, "--format", "csv"), 0)
        for mixed in ((cpu, scalar), (fake, cpu), (scalar, fake, reference)):
            self.assert_fails(("report", *mixed, "--format", "csv"), BAD_DATA, "test", "playouts")

    def test_an_old_mixture(self):
        """Read as it is: nobody has brought its keys up to date."""
        store, = self.stores("cpu")
        change(store, "UPDATE run SET backend = 'latency:of=scalar,us=20,rate=60000000000' WHERE "
                      "key IN (SELECT key FROM run WHERE algorithm = 'UCT' LIMIT 2)")
        self.assert_fails(("report", store, "--format", "csv"), BAD_DATA, "scalar")
        self.experiment(self.path("plan.toml"), store)
        self.assert_status(run("report", store, "--format", "csv"), 0)

    def test_own_playouts_are_named(self):
        scalar, = self.stores("scalar")
        process = run("report", scalar, "--format", "json")
        self.assert_status(process, 0)
        self.assertIn("playouts of the backend 'scalar'", process.stdout)


if __name__ == "__main__":
    unittest.main()
