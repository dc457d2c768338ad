"""Experiments: nothing depends on threads, shards, kills, fleets, or others that write the same store."""

import signal
import sqlite3
import subprocess
import time
import unittest

from experiments import PLAN, SMOKE, ExperimentTest, curves, query, rows
from program import NIGHTLY, PROGRAM, run

STOPPED = 75

# Long enough to be killed in the middle, several times.
LONG = PLAN.replace("depth=8", "depth=14").replace("to = 4", "to = 40")

# Two games, trees of two sizes, tables and trees, with playouts and without.
FLEETS = """\
name = "fleets"

[limits]
max_nodes = 3000

[[series]]
name = "boards"
game = "hex:size=4"
positions = ["", "a1", "b2", "c3", "d2", "b4"]
goals = ["win", "draw"]
repetitions = 2

[[series]]
name = "trees"
game = "pgame:branching=2,depth=8"
trees = { from = 1, to = 9 }
expected = "oracle"

[[algorithm]]
label = "PPN"
spec = "ppn:playouts=32"

[[algorithm]]
label = "PN"
spec = "pn"

[[algorithm]]
label = "df-pn"
spec = "dfpn:playouts=32,table=16777216"
"""

# Searches that play their playouts themselves, beside one that shares them.
TURNS = """\
name = "turns"

[limits]
max_nodes = 60

[[series]]
name = "boards"
game = "connect6:size=5,connect=4,stones=2"
positions = ["CC", "CC BB DD"]

[[algorithm]]
label = "PPN on turns"
spec = "ppn:turns=5"

[[algorithm]]
label = "df-pn on turns"
spec = "dfpn:turns=5,leaf=playouts"

[[algorithm]]
label = "PPN"
spec = "ppn"
"""


class Invariance(ExperimentTest):
    def test_threads(self):
        stores = []
        for threads in ("1", "2", "5"):
            stores.append(self.path(f"t{threads}.db"))
            self.experiment(SMOKE, stores[-1], "--threads", threads)
        first = rows(stores[0])
        self.assertEqual(len(first), 16 * 3 + 16 * 2 * 3)
        for store in stores[1:]:
            self.assertEqual(rows(store), first)
            self.assertEqual(curves(store), curves(stores[0]))

    def test_shards_add_up_and_keep_pairs_together(self):
        plan = self.write(PLAN)
        whole = self.path("whole.db")
        self.experiment(plan, whole)
        parts = {}
        for shard in ("1/3", "2/3", "3/3"):
            store = self.path(f"part{shard[0]}.db")
            self.experiment(plan, store, "--shard", shard)
            part = rows(store)
            self.assertFalse(set(part) & set(parts))
            problems = [row["problem"] for row in part.values()]
            self.assertTrue(all(problems.count(p) == 2 for p in problems))
            parts.update(part)
        self.assertEqual(parts, rows(whole))

    def test_dry_run_lists_what_would_run(self):
        lines = run("experiment", SMOKE, "--dry-run").stdout.splitlines()
        self.assertEqual(lines[-1], "144 runs")
        self.assertEqual(len(lines), 145)
        part = run("experiment", SMOKE, "--dry-run", "--shard", "2/2").stdout.splitlines()
        self.assertEqual(part[-1], "72 runs")
        self.assertLess(set(part[:-1]), set(lines[:-1]))


class Stopping(ExperimentTest):
    backend = "auto"

    def start(self, plan, store):
        return subprocess.Popen([PROGRAM, "experiment", plan, "--store", store, "--threads", "2",
                                 "--backend", self.backend],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def wait_for(self, process, store, count):
        """Until so many rows are there; False if the program was faster."""
        while process.poll() is None:
            database = None
            try:
                database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
                if database.execute("SELECT count(*) FROM run").fetchone()[0] >= count:
                    return True
            except sqlite3.Error:
                pass  # not made yet
            finally:
                if database is not None:
                    database.close()
            time.sleep(0.002)
        return False

    def stop_at(self, store, count, signals):
        process = self.start(self.plan, store)
        stopped = self.wait_for(process, store, count)
        for number in signals:
            process.send_signal(number)
        self.said = process.communicate(timeout=60)[1].decode()
        return process.returncode if stopped else None

    def kill_and_go_on(self):
        store = self.path("killed.db")
        codes = [self.stop_at(store, count, [signal.SIGKILL]) for count in (1, 10, 40)]
        self.assertIn(-signal.SIGKILL, codes)
        exported = run("report", store, "--format", "csv")  # the log is still beside the store
        self.assert_status(exported, 0)
        done = len(exported.stdout.splitlines()) - 1
        self.assertEqual(done, len(rows(store)))
        process = self.experiment(self.plan, store)
        self.assertIn(f"({80 - done} now, {done} before)", process.stdout)
        self.experiment(self.plan, self.path("whole.db"))
        self.same_rows(store, self.path("whole.db"))
        self.assertEqual(curves(store), curves(self.path("whole.db")))
        self.assertEqual(query(store, "PRAGMA integrity_check"), [("ok",)])

    def stop_and_go_on(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            store = self.path(f"{number}.db")
            if self.stop_at(store, 3, [number]) is None:
                self.skipTest("the machine finished the experiment before the signal")
            self.assertRegex(self.said, r"^playproof: stopped with \d+ of 80 runs stored; the same command again "
                                        "makes the others\n$")
            process = self.experiment(self.plan, store)
            self.assertNotIn("(80 now", process.stdout)
            self.assertEqual(len(rows(store)), 80)


class Interruptions(Stopping):
    def setUp(self):
        super().setUp()
        self.plan = self.write(LONG)

    def test_two_at_once_on_one_store(self):
        """They share the file, run by run; what both have made is there once."""
        if not NIGHTLY:
            self.plan = self.write(LONG.replace("to = 40", "to = 15"))
        store, alone = self.path("shared.db"), self.path("alone.db")
        self.assert_status(self.experiment(self.plan, alone), 0)
        started = [self.start(self.plan, store) for _ in range(3)]
        for process in started:
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)
        self.assertEqual(rows(store), rows(alone))

    def test_many_starts_on_one_new_store(self):
        """SQLite does not wait itself where the journal's mode changes (once in 300 starts)."""
        plan = self.write(PLAN)
        for i in range(1000 if NIGHTLY else 5):
            started = [self.start(plan, self.path(f"new{i}.db")) for _ in range(6)]
            for process in started:
                _, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0, err)

    def test_killed_runs_end_like_undisturbed_ones(self):
        self.kill_and_go_on()

    def test_a_signal_keeps_what_is_done(self):
        self.stop_and_go_on()

    def test_status_of_a_stopped_experiment(self):
        code = self.stop_at(self.path("s.db"), 1, [signal.SIGTERM])
        self.assertEqual(code, STOPPED)
        self.assertEqual(query(self.path("s.db"), "PRAGMA journal_mode"), [("delete",)])


class Fleets(Stopping):
    """Backends that want many searches at a time."""

    backend = "latency:us=1"

    def test_rows_are_those_of_searches_one_by_one(self):
        plan = self.write(FLEETS)
        alone = self.path("alone.db")
        self.experiment(plan, alone, "--threads", "2")
        self.assertEqual(len(rows(alone)), 3 * (2 * 2 * 6 + 9))
        for i, options in enumerate((("--threads", "1", "--in-flight", "1"),
                                     ("--threads", "3", "--in-flight", "7"), ("--threads", "2"))):
            store = self.path(f"{i}.db")
            begin = time.monotonic()
            process = self.experiment(plan, store, "--backend", "latency:us=1", *options)
            elapsed = time.monotonic() - begin
            self.assertIn(", 66 in fleets", process.stdout)
            self.same_rows(store, alone)
            seconds, timed = query(store, "SELECT sum(seconds), sum(cpu_seconds > 0) FROM run")[0]
            self.assertLess(seconds, elapsed * int(options[1]))
            # What is simulated is taken off, and may be taken for all that a short search has had.
            self.assertGreater(timed, 0.9 * len(rows(store)))
        # One in flight: each of a fleet begins when the one before has ended.
        fleets = {}
        for game, spec, *times in query(self.path("0.db"), "SELECT substr(game, 1, 4), spec, started, finished "
                                                          "FROM run WHERE spec LIKE '%playouts%'"):
            fleets.setdefault((game, spec), []).append(times)
        self.assertGreater(len(fleets), 1)
        for times in fleets.values():
            times.sort()
            for (_, finished), (started, _) in zip(times, times[1:]):
                self.assertLessEqual(finished, started)

    def test_searches_that_play_themselves_are_run_alone(self):
        plan = self.write(TURNS)
        alone, fleets = self.path("alone.db"), self.path("fleets.db")
        process = self.experiment(plan, alone, "--backend", "fake")
        self.assertNotIn("in fleets", process.stdout)
        process = self.experiment(plan, fleets, "--backend", "latency:of=fake,us=0,rate=1e15")
        self.assertIn(", 2 in fleets", process.stdout)
        self.same_rows(fleets, alone)
        self.assertEqual(len(rows(alone)), 3 * 2)
        played = query(alone, "SELECT count(*) FROM run WHERE json_extract(counters, '$.playouts') > 0")
        self.assertEqual(played, [(6,)])

    def test_part_of_a_store_may_be_of_another_engine(self):
        plan, store = self.write(FLEETS), self.path("both.db")
        self.experiment(plan, store, "--shard", "1/2")
        done = len(rows(store))
        process = self.experiment(plan, store, "--backend", "latency:us=1")
        self.assertIn(f"({99 - done} now, {done} before)", process.stdout)
        self.experiment(plan, self.path("alone.db"))
        self.same_rows(store, self.path("alone.db"))

    def test_killed_runs_end_like_undisturbed_ones(self):
        self.plan = self.write(LONG.replace("error_curves = true", ""))
        self.kill_and_go_on()

    def test_a_signal_keeps_what_is_done(self):
        self.plan = self.write(LONG.replace("error_curves = true", ""))
        self.stop_and_go_on()


if __name__ == "__main__":
    unittest.main()
