"""`--backend cuda` from end to end where the device is emulated: the counts of the processor's engine,
and no speed. Skipped in other builds."""

import json
import os
import sqlite3
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
# pylint: disable=wrong-import-position
from experiments import PLAN, VARYING, ExperimentTest  # noqa: E402
from program import run  # noqa: E402

EMULATED = any(device["name"] == "emulated"
               for device in json.loads(run("devices", "--json").stdout))
TIMES = {"seconds", "cpu_seconds", "busy"}
QUESTIONS = [("hex:size=4", "ppn"), ("hex:size=9", "uct:playouts=64"), ("othello:size=4", "ews"),
             ("connect6:rows=4,columns=4,connect=4,stones=2", "ppn:playouts=40"),
             ("pgame:branching=3,depth=8", "ppn:playouts=50"), ("nim", "ppn:playouts=33")]


def without(answer, names):
    return {key: value for key, value in answer.items() if key not in names}


@unittest.skipUnless(EMULATED, "no emulated device in this build")
class Emulated(ExperimentTest):
    def both(self, *arguments):
        """The answers with cuda and cpu, of searches that may end undecided."""
        answers = []
        for backend in ("cuda", "cpu"):
            process = run(*arguments, "--backend", backend, "--json")
            self.assertIn(process.returncode, (0, 2), process.stderr)
            answers.append(json.loads(process.stdout))
        self.assertEqual(answers[0]["device"], "emulated")
        self.assertEqual(answers[0]["backend"], "cuda")
        return answers

    def test_solve(self):
        for game, algorithm in QUESTIONS:
            for batch in ("1", "16"):
                with self.subTest(game=game, batch=batch):
                    cuda, cpu = self.both("solve", game, "--algorithm", algorithm, "--max-nodes",
                                          "2000", "--batch", batch)
                    names = TIMES | {"backend", "device"}
                    self.assertEqual(without(cuda, names), without(cpu, names))

    def test_fleet(self):
        cuda, cpu = self.both("bench", "search", "pgame:branching=2,depth=8", "--algorithm",
                              "ppn:playouts=20", "--searches", "20", "--in-flight", "1,10",
                              "--feeders", "2")
        self.assertEqual(len(cuda["rows"]), 2)
        for one, other in zip(cuda["rows"], cpu["rows"]):
            for name in ("nodes_created", "leaves", "playouts", "decided"):
                self.assertEqual(one[name], other[name])

    def test_experiment(self):
        found = []
        for backend in ("cuda", "cpu"):
            store = self.path(f"{backend}.db")
            self.experiment(self.write(PLAN), store, "--backend", backend)
            database = sqlite3.connect(store)
            database.row_factory = sqlite3.Row
            rows = [dict(row) for row in database.execute("SELECT * FROM run ORDER BY key")]
            found.append([without(row, VARYING | {"backend", "device"}) for row in rows])
            database.close()
        self.assertEqual(len(found[0]), 8)
        self.assertEqual(*found)

    def test_fleets_of_an_experiment(self):
        """Rows of a device, one plan; and a device that is wrong is not passed over in silence."""
        plan = self.write(PLAN.replace("error_curves = true", ""))
        stores = [self.path(f"{i}.db") for i in range(3)]
        self.experiment(plan, stores[0])
        process = self.experiment(plan, stores[1], "--backend", "cuda", "--threads", "3")
        self.assertIn(", 4 in fleets", process.stdout)
        self.same_rows(stores[1], stores[0])
        process = self.experiment(plan, stores[2], "--backend",
                                  "check:of=cuda,against=scalar,every=1", status=70)
        self.assertIn("FAILED: a fleet of pgame:", process.stderr)
        self.assertIn("check: request", process.stderr)

    def test_bench_has_checksums_and_no_speed(self):
        arguments = ("bench", "playouts", "hex:size=11", "--playouts", "2000", "--engine")
        cuda, cpu = (json.loads(run(*arguments, engine, "--json").stdout)
                     for engine in ("cuda", "sliced"))
        self.assertEqual(cuda["tally_checksum"], cpu["tally_checksum"])
        self.assertEqual(cuda["device"], "emulated")
        for name in ("playouts_per_second", "playouts_per_second_per_core", "clock",
                     "share_of_bound"):
            self.assertIsNone(cuda[name], name)
        self.assertGreater(cpu["playouts_per_second"], 0)
        self.assertNotIn(" a second", run(*arguments, "cuda").stdout)


if __name__ == "__main__":
    unittest.main()
