"""`--backend cuda` from end to end where the device is emulated: the counts of the processor's engine,
and no speed. Skipped in other builds."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
# pylint: disable=wrong-import-position
from experiments import PLAN, ExperimentTest, curves, rows  # noqa: E402
from program import NIGHTLY, PROGRAM, SOURCE, run  # noqa: E402

EMULATED = any(device["name"] == "emulated"
               for device in json.loads(run("devices", "--json").stdout))
TIMES = {"seconds", "cpu_seconds", "busy"}
QUESTIONS = [("hex:size=4", "ppn"), ("hex:size=9", "uct:playouts=64"), ("othello:size=4", "ews"),
             ("connect6:rows=4,columns=4,connect=4,stones=2", "ppn:playouts=40"),
             ("pgame:branching=3,depth=8", "ppn:playouts=50"), ("nim", "ppn:playouts=33")]


TREES = 256  # enough of them for a device beside two cores
WHOLE = """\
name = "whole"
seed = 7
error_curves = true

[limits]
{limits}

[report]
kind = "compare"

[[series]]
name = "trees"
game = "pgame:branching=3,depth=6"
trees = {{ from = 1, to = {trees} }}
expected = "oracle"

[[algorithm]]
label = "PN"
spec = "pn:ties=left"

[[algorithm]]
label = "PPN"
spec = "ppn:playouts=10"

[[algorithm]]
label = "UCT"
spec = "uct:playouts=10"
"""


# Boards, each by all that goes there as a whole.
BOARDS = """\
name = "boards"
seed = 3

[limits]
max_nodes = 300

[report]
kind = "compare"

{series}
"""
SERIES = """\
[[series]]
name = "{name}"
game = "{game}"
positions = {positions}
goals = {goals}
repetitions = {repetitions}
"""
ALGORITHMS = """\
[[algorithm]]
label = "{label}"
spec = "{spec}"
"""


SLOWER = float(os.environ.get("PLAYPROOF_SLOWER", "1"))


def cpu_seconds(process):
    """That it has used, in all of its threads."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(int(ticks) for ticks in fields[11:13]) / os.sysconf("SC_CLK_TCK")


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
        stores = [self.path(f"{backend}.db") for backend in ("cpu", "cuda")]
        plan = self.write(PLAN)
        for store in stores:
            self.experiment(plan, store, "--backend", os.path.basename(store)[:-3])
        self.assertEqual(len(rows(stores[0])), 8)
        self.same_rows(stores[1], stores[0])

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

    def searched_whole(self, limits, *, threads=2, whole=3 * TREES):
        """Stores of cpu and of the device are equal; the backends in the latter."""
        plan = self.write(WHOLE.format(limits=limits, trees=TREES))
        with tempfile.TemporaryDirectory() as folder:
            return self.compared(plan, [os.path.join(folder, name) for name in ("cpu.db", "cuda.db")],
                                 threads, whole)

    def compared(self, plan, stores, threads, whole):
        self.experiment(plan, stores[0])
        process = self.experiment(plan, stores[1], "--backend", "cuda", "--threads", str(threads))
        if whole is not None:
            self.assertEqual(re.findall(r", (\d+) whole on the device", process.stdout),
                             [str(whole)] if whole else [])
        self.same_rows(stores[1], stores[0])
        self.assertEqual(curves(stores[1]), curves(stores[0]))
        return Counter(row["backend"] for row in rows(stores[1]).values())

    def test_whole_searches_of_an_experiment(self):
        """Decided and undecided, error curves too; what no kernel can do goes in fleets as ever."""
        for limit in ("100", "100_000"):
            with self.subTest(limit=limit):
                found = self.searched_whole(f"max_nodes = {limit}")
                self.assertEqual(found, {"cuda": 3 * TREES})

    def test_thesis(self):
        """Its six algorithms, by day on smaller trees: the same store, nearly all of it from the device."""
        with open(os.path.join(SOURCE, "bench", "plans", "pgame-thesis.toml"), encoding="utf-8") as file:
            plan = file.read()
        plan = plan[:plan.index("\n# ----")]  # after it come UCT's other constants
        plan = "\n".join(line for line in plan.split("\n") if '["2x20 constants", "' not in line)
        self.assertEqual(plan.count("[[algorithm]]"), 6)
        if not NIGHTLY:
            for whole, cut in (("2, 20],", "2, 10],"), ("8, 8],", "8, 3],"), ("to = 200", "to = 128")):
                self.assertIn(whole, plan)
                plan = plan.replace(whole, cut)
        runs = 2 * 6 * (200 if NIGHTLY else 128)
        found = self.compared(self.write(plan), [self.path("cpu.db"), self.path("cuda.db")], 1, None)
        self.assertEqual(sum(found.values()), runs)
        self.assertGreaterEqual(found["cuda"], 0.95 * runs)

    def test_boards(self):
        games = [("connect", "connect6:rows=3,columns=3,connect=3,stones=1", ["", "BB", "AA BB"]),
                 ("hex", "hex:size=3", ["", "a1", "a1 c1"]), ("othello", "othello:size=4", [""])]
        series = []
        for name, game, positions in games:
            listed = ", ".join(f'{{ position = "{p}" }}' for p in positions)
            series.append(SERIES.format(name=name, game=game, positions=f"[{listed}]",
                                        goals='[ "win", "draw" ]', repetitions=64))
        specs = ["ppn:playouts=10", "mcpn:playouts=5", "mcts:playouts=4", "uct:C=0.5"]
        algorithms = [ALGORITHMS.format(label=f"A{i}", spec=f"{spec},probe=none,zones=off")
                      for i, spec in enumerate(specs)]
        plan = self.write(BOARDS.format(series="\n".join(series)) + "\n".join(algorithms))
        found = self.compared(plan, [self.path("cpu.db"), self.path("cuda.db")], 1, None)
        self.assertGreater(found["cuda"], 0.9 * sum(found.values()))

    def test_a_value_is_two_claims(self):
        for game in ("pgame:branching=2,depth=8", "othello:size=4", "hex:size=3", "nim",
                     "connect6:rows=3,columns=3,connect=3,stones=1"):
            for algorithm in ("pn:ties=left", "ppn:playouts=10", "uct:playouts=5"):
                for limit in ("40", "3000"):
                    with self.subTest(game=game, algorithm=algorithm, limit=limit):
                        process = run("bench", "fleet", game, "--algorithm",
                                      f"{algorithm},probe=none,zones=off", "--goal", "value",
                                      "--searches", "12", "--max-nodes", limit, "--json")
                        self.assert_status(process, 0)
                        rows = {row["way"]: row for row in json.loads(process.stdout)["rows"]}
                        self.assertGreater(rows["whole"]["on_device"], 0)
                        self.assertEqual(rows["whole"]["iterations"], rows["cores"]["iterations"])

    def test_few_searches_are_left_to_the_cores(self):
        """A thread of a device is slow: three threads have that many searches done sooner."""
        self.searched_whole("max_nodes = 100", threads=3, whole=0)

    def test_what_the_device_leaves_to_the_processor(self):
        """Trees that a limit of memory may have cut, of which the processor alone says where."""
        found = self.searched_whole('max_nodes = 100_000\nmax_memory = "64KiB"', whole=None)
        self.assertGreater(found["cuda"], TREES // 2)
        self.assertGreater(found["none"], 0)  # of PN, which plays nothing
        self.assertGreater(found["cpu"], 0)

    def begun(self, arguments):
        """The process, when the first of its trees are stored."""
        process = subprocess.Popen([PROGRAM, *arguments, "--progress", "json"], text=True,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        progress = json.loads(process.stderr.readline())
        self.assertGreater(progress["done"], 0)
        self.assertLess(progress["done"], progress["total"])
        return process, progress["done"]

    def test_whole_searches_stopped_and_killed(self):
        """Trees are counted and stored as they end: a fleet that ends early loses those under way."""
        plan = self.write(WHOLE.format(limits="max_nodes = 100_000", trees=TREES)
                          .replace("branching=3,depth=6", "branching=2,depth=14"))
        stores = [self.path("cpu.db"), self.path("cuda.db")]
        arguments = ["experiment", plan, "--store", stores[1], "--backend", "cuda", "--threads", "1"]
        had = 0
        for number, status in ((signal.SIGINT, 75), (signal.SIGKILL, -signal.SIGKILL)):
            process, done = self.begun(arguments)
            used = cpu_seconds(process.pid)
            process.send_signal(number)
            _, wait, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(wait)
            self.assertEqual(process.returncode, status)
            # In a second, on a machine that does nothing else.
            self.assertLess(usage.ru_utime + usage.ru_stime - used, SLOWER)
            stored = len(rows(stores[1]))
            self.assertGreaterEqual(stored, had + done)
            self.assertLess(stored, 3 * TREES)
            had = stored
        self.assert_status(run(*arguments), 0)
        self.experiment(plan, stores[0])
        self.same_rows(stores[1], stores[0])
        self.assertEqual(curves(stores[1]), curves(stores[0]))

    def test_bench_of_three_ways(self):
        question = ("bench", "fleet", "pgame:branching=3,depth=6", "--searches", "40", "--max-nodes",
                    "300", "--json")
        for algorithm, missing in (("ppn:playouts=10", []), ("pn", ["leaves"]), ("uct", []),
                                   ("ews", []), ("pn:leaf=both", []),
                                   ("pn:ties=deepest", ["leaves"]), ("pn2", ["leaves", "whole"])):
            with self.subTest(algorithm=algorithm):
                process = run(*question, "--algorithm", algorithm)
                self.assert_status(process, 0)
                rows = {row["way"]: row for row in json.loads(process.stdout)["rows"]}
                self.assertEqual(list(rows), ["cores", "leaves", "whole"])
                self.assertEqual([way for way, row in rows.items() if "missing" in row], missing)
                self.assertGreater(rows["cores"]["searches_per_second"], 0)
                for way in {"leaves", "whole"} - set(missing):
                    self.assertEqual(rows[way]["on_device"], 40)
                    self.assertEqual(rows[way]["iterations"], rows["cores"]["iterations"])
                    self.assertIsNone(rows[way]["searches_per_second"])
                    self.assertIsNone(rows[way]["share_of_bound"])

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
