"""Runs of several workers: right verdicts, stored with their number, as many at once as there are threads for; and
plans that say wrong ones."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
import unittest

from experiments import ExperimentTest, change, counters, query, rows
from program import BAD_DATA, NIGHTLY, PROGRAM, SOURCE, run

sys.path.insert(0, os.path.join(SOURCE, "python"))
from playproof_report.store import read_experiments  # noqa: E402

STOPPED = 75

# Every verdict is held against that of exhaustive search; the first algorithm has one worker.
PLAN = """\
name = "workers"
seed = 7

[limits]
max_nodes = 1_000_000

[[series]]
name = "boards"
game = "hex:size=3"
positions = ["", "a1", "b2", "c1", "a1 b2", "a2 c3"]
expected = "oracle"

[[series]]
name = "trees"
game = "pgame:branching=3,depth=7"
trees = { from = 1, to = 4 }
goals = ["win", "draw"]
expected = "oracle"

[[algorithm]]
label = "one"
spec = "dfpn:playouts=8"

[[algorithm]]
label = "two"
spec = "dfpn:playouts=8"
workers = 2

[[algorithm]]
label = "alpha-beta"
spec = "alphabeta:table=4KiB"
workers = 2

[[algorithm]]
label = "three"
spec = "pds:leaf=unit"
workers = 3
"""
RUNS = 4 * (6 + 8)
# A second or two, of which nothing may be lost.
LONG = """\
name = "long"
limits.max_nodes = 15_000
[[series]]
name = "boards"
game = "hex:size=5"
positions = ["a1", "a2", "a3", "b4", "c1", "d1", "e1", "b1"]
[[algorithm]]
label = "one"
spec = "dfpn:playouts=64"
[[algorithm]]
label = "two"
spec = "dfpn:playouts=64"
workers = 2
"""


def children_cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Runs(ExperimentTest):

    def test_verdicts_and_names(self):
        plan, store = self.write(PLAN), self.path("r.db")
        process = self.experiment(plan, store, "--threads", "3")
        self.assertIn(f"{RUNS} of {RUNS} runs", process.stdout)
        self.assertIn("0 undecided, 0 disagreements", process.stdout)
        for key, row in rows(store).items():
            self.assertEqual(row["verdict"], row["expected"])
            number = {"one": 1, "three": 3}.get(row["algorithm"], 2)
            self.assertEqual(row["threads"], number)
            self.assertEqual(" workers=" in key, number > 1)
            self.assertEqual(f" workers={number} " in key, number > 1)
        algorithms = json.loads(query(store, "SELECT json FROM plan")[0][0])["algorithms"]
        self.assertEqual([one.get("workers", 1) for one in algorithms], [1, 2, 2, 3])
        self.assertIn(f"(0 now, {RUNS} before)", self.experiment(plan, store, "--threads", "5").stdout)
        # Another number is another run, and one is as if nothing was said.
        other = PLAN.replace('"two"\nspec = "dfpn:playouts=8"\nworkers = 2', '"two"\nspec = "dfpn:playouts=8"\nworkers = 3')
        self.assertIn(f"(14 now, {RUNS - 14} before)", self.experiment(self.write(other), store, "--threads", "3").stdout)
        said = PLAN.replace('"one"\nspec = "dfpn:playouts=8"', '"one"\nspec = "dfpn:playouts=8"\nworkers = 1')
        self.assertIn(f"(0 now, {RUNS} before)", self.experiment(self.write(said), store, "--threads", "3").stdout)

    def test_of_the_whole_plan(self):
        """An algorithm's own number comes first."""
        plan = self.write(PLAN.replace("seed = 7", "seed = 7\nworkers = 2").replace('"one"', '"one"\nworkers = 1'))
        store = self.path("r.db")
        self.experiment(plan, store, "--threads", "3")
        self.assertEqual(dict(query(store, "SELECT DISTINCT algorithm, threads FROM run")),
                         {"one": 1, "two": 2, "alpha-beta": 2, "three": 3})
        plain = self.path("plain.db")
        self.experiment(self.write(PLAN), plain, "--threads", "3")
        self.assertEqual(set(rows(store)), set(rows(plain)))
        alone = [{key: row for key, row in rows(path).items() if row["algorithm"] == "one"} for path in (store, plain)]
        self.assertEqual(*({key: counters(row["counters"]) for key, row in found.items()} for found in alone))

    def test_as_many_at_once_as_there_are_threads_for(self):
        """And the CPU time of a run is that of its threads, of no others."""
        plan = self.write(LONG.replace("15_000", "8_000" if NIGHTLY else "3_000"))
        for threads in (2, 3, 4):
            store, before = self.path(f"{threads}.db"), children_cpu()
            self.experiment(plan, store, "--threads", str(threads))
            used = children_cpu() - before
            runs = query(store, "SELECT started, finished, threads, seconds, cpu_seconds FROM run")
            moments = sorted({moment for started, finished, *_ in runs for moment in (started, finished)})
            for moment in moments:  # of two runs that meet one has ended
                busy = sum(number for started, finished, number, *_ in runs if started <= moment < finished)
                self.assertLessEqual(busy, threads)
            self.assertLessEqual(sum(cpu for *_, cpu in runs), 1.02 * used)
            self.assertGreater(sum(cpu for *_, cpu in runs), 0.3 * used)
            for *_, number, seconds, cpu in runs:
                self.assertLessEqual(cpu, number * seconds + 0.02)

    def test_limits(self):
        plan = self.write(LONG.replace('"hex:size=5"', '"hex:size=8"').replace(
            "limits.max_nodes = 15_000", "limits = { max_nodes = 1e9, max_cpu_seconds = 0.2 }").replace(
            '"a1", "a2", "a3", "b4", "c1", "d1", "e1", ', ""))
        store = self.path("r.db")
        self.experiment(plan, store, "--threads", "2")
        for reason, outcome, cpu in query(store, "SELECT reason, outcome, cpu_seconds FROM run"):
            self.assertEqual((reason, outcome), ("cpu", "budget"))
            self.assertTrue(0.2 <= cpu < 2, cpu)
        store = self.path("n.db")
        self.experiment(self.write(LONG.replace("15_000", "500")), store, "--threads", "2")
        self.assertEqual(query(store, "SELECT DISTINCT reason, iterations FROM run"), [("nodes", 500)])

    def test_stopped_killed_and_gone_on_with(self):
        plan, store = self.write(LONG), self.path("r.db")
        stopped = []
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
            with subprocess.Popen([PROGRAM, "experiment", plan, "--store", store, "--threads", "2"],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
                time.sleep(0.25)
                begin = time.monotonic()
                process.send_signal(number)
                process.communicate(timeout=60)
                stopped.append(process.returncode)
            self.assertLess(time.monotonic() - begin, 20)
        self.assertTrue(set(stopped) <= {STOPPED, -signal.SIGKILL, 0}, stopped)
        done = rows(store) if os.path.exists(store) else {}
        self.experiment(plan, store, "--threads", "2")
        found = rows(store)
        self.assertEqual(len(found), 16)
        for key, row in done.items():
            self.assertEqual(found[key], row)  # no run is made again

    def test_other_counts_of_the_same_run_are_no_disagreement(self):
        """Of two stores the first row stays; readers are told what such counts are."""
        plan, stores = self.write(PLAN), [self.path("a.db"), self.path("b.db")]
        for store in stores:
            self.experiment(plan, store, "--threads", "4")
        one, other = (rows(store) for store in stores)
        for key, row in one.items():
            self.assertEqual(row["verdict"], other[key]["verdict"])
            if row["threads"] == 1:
                self.assertEqual(row["iterations"], other[key]["iterations"])
        database = self.path("m.db")
        self.assert_status(run("merge", *stores, "--store", database), 0)
        self.assertEqual(rows(database), one)
        for paths in (stores, stores[:1]):
            made, = read_experiments(paths)
            self.assertEqual(len(made.runs), RUNS)
            told, = (text for text in made.warnings if "several workers" in text)
            self.assertIn("The counts of two (2 workers), alpha-beta (2 workers), three (3 workers) are those of these", told)
        text = run("report", stores[0], "--format", "text")
        self.assert_status(text, 0)
        self.assertIn("Unequal threads on boards: one with one; two, alpha-beta with 2 threads; three with 3 threads.",
                      " ".join(text.stdout.split()))
        if NIGHTLY:  # seconds of drawing
            page = self.path("page.html")
            self.assert_status(run("report", stores[0], "--output", page), 0)
            with open(page, encoding="utf-8") as file:
                html = file.read()
            self.assertIn(" --workers 3", html)
            self.assertNotIn(" --workers 1", html)
        # Of one worker they are one.
        change(stores[1], "UPDATE run SET iterations = iterations + 1, counters = NULL, "
                          "iterations_normalised = iterations + 1 WHERE threads = 1")
        self.assert_fails(["merge", *stores, "--store", self.path("n.db")], BAD_DATA, "another result of run")

    def test_fleets_leave_them_alone(self):
        store = self.path("r.db")
        process = self.experiment(self.write(PLAN), store, "--threads", "3", "--backend", "latency:us=1")
        self.assertIn("14 in fleets", process.stdout)
        for row in rows(store).values():
            self.assertEqual(row["verdict"], row["expected"])


class WrongPlans(ExperimentTest):

    def refuse(self, old, new, line, *fragments):
        self.assertIn(old, PLAN)
        plan = self.write(PLAN.replace(old, new, 1))
        self.assert_fails(["experiment", plan, "--dry-run"], BAD_DATA, f"{plan}:{line}: ", *fragments)

    def test_numbers(self):
        for number, told in (("0", "'workers' must be 1..256, not 0"), ("-2", "'workers' must be 1..256, not -2"),
                             ("257", "'workers' must be 1..256, not 257"), ("1.5", "'workers' must be a whole number"),
                             ('"two"', "'workers' must be a whole number, not a text"), ("[2]", "'workers' must be a whole number")):
            self.refuse("seed = 7", f"seed = 7\nworkers = {number}", 3, "plan: ", told)
            self.refuse("workers = 3", f"workers = {number}", 37, "[[algorithm]] 'three': ", told)
        self.refuse("[limits]", "[limits]\nworkers = 2", 5, "unknown key 'workers'")
        self.refuse('name = "boards"', 'name = "boards"\nworkers = 2', 9, "unknown key 'workers'")

    def test_error_curves(self):
        self.refuse("seed = 7", "error_curves = true\nworkers = 2", 3, "workers and error_curves: a curve is of a search that is "
                    "made again")
        self.refuse("seed = 7", "error_curves = true", 27, "[[algorithm]] 'two': workers and error_curves")

    def test_algorithms(self):
        self.refuse("pds:leaf=unit", "pn", 36, "[[algorithm]] 'three': --workers: pn has one; several have alphabeta, dfpn, pds, "
                    "pnstar")
        self.refuse("pds:leaf=unit", "pds:searchers=2", 36, "take turns in one thread")
        self.refuse('"hex:size=3"\npositions = ["", "a1", "b2", "c1", "a1 b2", "a2 c3"]', '"loa:size=4"\npositions = [""]', 26,
                    "[[algorithm]] 'two': ", "positions can come again")

    def test_more_than_there_are_threads(self):
        """Before anything is written."""
        plan, store = self.write(PLAN), self.path("r.db")
        self.assert_fails(["experiment", plan, "--store", store, "--threads", "2"], BAD_DATA,
                          f"{plan}:37: [[algorithm]] 'three': a run has 3 workers, a thread each, and there are 2 (--threads)")
        whole = self.write(PLAN.replace("seed = 7", "workers = 4"))
        self.assert_fails(["experiment", whole, "--store", store, "--threads", "1"], BAD_DATA,
                          f"{whole}:2: [[algorithm]] 'one': a run has 4 workers, a thread each, and there is one (--threads)",
                          f"{whole}:27: [[algorithm]] 'two': a run has 2 workers")
        self.assertFalse(os.path.exists(store))
        self.assertEqual(run("experiment", plan, "--dry-run", "--threads", "1").stdout.splitlines()[-1], f"{RUNS} runs")


if __name__ == "__main__":
    unittest.main()
