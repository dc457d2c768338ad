"""A stored result is found again: its plan has nothing left to run, whatever options came since."""

import glob
import lzma
import os
import re
import shutil
import unittest

from experiments import ExperimentTest, query
from program import NIGHTLY, SOURCE, run

RESULTS = os.path.join(SOURCE, "bench", "results")
# By night alone: their games, algorithms and options are those of smaller stores.
LARGE = {"connect6-deep.db.xz", "deeppn-16.db.xz", "deeppn-law.db.xz", "depth-first.db.xz"}

PLAN = """\
name = "kept"
seed = 7
[limits]
max_nodes = 1_000
[report]
kind = "agreement"
[[series]]
name = "trees"
game = "pgame:branching=2,depth=8"
trees = { from = 1, to = 2 }
[[algorithm]]
label = "df-pn"
spec = "dfpn:leaf=unit"
"""


class StoredResults(ExperimentTest):
    def unpacked(self, file):
        """(plan, a copy of the store of it that may be written to)."""
        name = os.path.basename(file).removesuffix(".xz")
        copy = self.path(name)
        with (lzma.open if file.endswith(".xz") else open)(file, "rb") as source:
            with open(copy, "wb") as target:
                shutil.copyfileobj(source, target)
        return os.path.join(SOURCE, "bench", "plans", name.removesuffix(".db") + ".toml"), copy

    def test_plans_over_their_results(self):
        files = glob.glob(os.path.join(RESULTS, "*.db")) + glob.glob(
            os.path.join(RESULTS, "*.db.xz"))
        self.assertLessEqual(LARGE, set(map(os.path.basename, files)))
        self.assertGreaterEqual(len(files), 5 + len(LARGE))
        stopped = self.stopped()
        for file in sorted(files):
            if not NIGHTLY and os.path.basename(file) in LARGE:
                continue
            with self.subTest(os.path.basename(file)):
                plan, store = self.unpacked(file)
                if os.path.basename(file) in stopped:
                    self.assert_part_of_plan(plan, store, stopped[os.path.basename(file)])
                    continue
                before = query(store, "SELECT count(*) FROM run")
                listed = run("experiment", plan, "--dry-run").stdout.splitlines()[-1]
                process = self.experiment(plan, store)  # runs what is missing, until time is up
                counts = re.search(r": (\d+) of (\d+) runs .* \((\d+) now, (\d+) before\)",
                                   process.stdout)
                self.assertEqual([counts[2] + " runs", counts[3]], [listed, "0"])
                self.assertEqual([counts[1], counts[4]], [counts[2]] * 2)
                self.assertEqual(query(store, "SELECT count(*) FROM run"), before)

    def stopped(self):
        """{store: (runs, of how many)} of those that bench/results says are not complete."""
        with open(os.path.join(RESULTS, "README.md"), encoding="utf-8") as file:
            found = re.findall(r"^\| (\S+) \|.*\(stopped: ([\d,]+) of ([\d,]+) runs\)", file.read(),
                               flags=re.M)
        return {name: [int(n.replace(",", "")) for n in counts] for name, *counts in found}

    def assert_part_of_plan(self, plan, store, counts):
        """Every stored run is one of the plan's, to be found again when it goes on."""
        listed = run("experiment", plan, "--dry-run").stdout.splitlines()
        self.assertEqual(listed[-1], f"{counts[1]} runs")
        planned = {tuple(line.split("\t")[1:]) for line in listed[:-1]}
        stored = {tuple(map(str, row)) for row in query(
            store, "SELECT series, problem, game, goal, repetition, seed, algorithm, spec FROM run")}
        self.assertEqual(len(stored), counts[0])
        self.assertEqual(sorted(stored - planned)[:3], [])

    def test_a_later_option_at_its_default(self):
        store = self.path("kept.db")
        self.experiment(self.write(PLAN), store)
        for option, now in [("edges=constant", 0), ("edges=moves", 2)]:
            plan = self.write(PLAN.replace("leaf=unit", "leaf=unit," + option))
            process = self.experiment(plan, store)
            self.assertIn(f"({now} now, {2 - now} before)", process.stdout)
        parameters = query(store, "SELECT parameters FROM run")
        self.assertEqual(sorted("edges" in text for (text,) in parameters),
                         [False, False, True, True])


if __name__ == "__main__":
    unittest.main()
