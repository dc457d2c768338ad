"""`bench playouts` and `bench search`: keys, fixed sets of playouts, words, checksums."""

import json
import math
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from program import NIGHTLY, PROGRAM, SOURCE, UNAVAILABLE, UNDECIDED, USAGE, ProgramTest, run

PLAYOUT_KEYS = {
    "game", "position", "engine", "simd", "threads", "playouts", "seconds", "playouts_per_second",
    "playouts_per_second_per_core", "plies_per_playout", "first_player_win_rate", "draw_rate",
    "standard_error", "effective_sample_ratio", "device", "clock", "share_of_bound"
}
GAMES = [
    ("pgame:branching=7,depth=9", ""),
    ("hex:size=5", "a1 b2"),
    ("hex:size=13", ""),
    ("othello:size=6", ""),
    ("connect6:rows=6,columns=7,connect=4,stones=1", ""),
    ("connect6:size=19", "JJ"),
]

MASK = (1 << 64) - 1
PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
          0x27D4EB2F165667C5)


def rotate(x, bits):
    return ((x << bits) | (x >> (64 - bits))) & MASK


def xxh64(data):
    """xxh64 with seed 0, written from its specification: an independent check of the checksum."""
    p1, p2, p3, p4, p5 = PRIMES

    def turn(lane, word):
        return rotate((lane + word * p2) & MASK, 31) * p1 & MASK

    offset = 0
    if len(data) >= 32:
        lanes = [(p1 + p2) & MASK, p2, 0, -p1 & MASK]
        while offset + 32 <= len(data):
            words = struct.unpack_from("<4Q", data, offset)
            lanes = [turn(lane, word) for lane, word in zip(lanes, words)]
            offset += 32
        value = sum(rotate(lane, bits) for lane, bits in zip(lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ turn(0, lane)) * p1 + p4) & MASK
    else:
        value = p5
    value = (value + len(data)) & MASK
    while offset + 8 <= len(data):
        value ^= turn(0, struct.unpack_from("<Q", data, offset)[0])
        value = (rotate(value, 27) * p1 + p4) & MASK
        offset += 8
    if len(data) - offset:
        raise ValueError("words are 16 bytes: nothing can be left over")
    value = (value ^ value >> 33) * p2 & MASK
    value = (value ^ value >> 29) * p3 & MASK
    return value ^ value >> 32


class Playouts(ProgramTest):

    def bench(self, game, *arguments):
        return self.json("bench", "playouts", game, *arguments)

    def test_keys_of_a_timed_run(self):
        result = self.bench("hex:size=5", "--seconds", "0.3")
        self.assertLessEqual(PLAYOUT_KEYS, set(result))
        self.assertNotIn("tally_checksum", result)
        self.assertGreater(result["playouts"], 0)
        self.assertGreater(result["seconds"], 0.25)
        self.assertLess(result["seconds"], 5)
        self.assertAlmostEqual(result["playouts_per_second"],
                               result["playouts"] / result["seconds"], delta=1)
        self.assertAlmostEqual(result["playouts_per_second_per_core"] * result["threads"],
                               result["playouts_per_second"], delta=1)
        self.assertEqual(result["draw_rate"], 0)
        self.assertIsNone(result["clock"])
        self.assertIsNone(result["share_of_bound"])

    def test_plies_of_a_playout(self):
        # Hex fills the board; a random game of noughts and crosses has 7.62619 plies.
        self.assertEqual(self.bench("hex:size=5", "--position", "a1", "--playouts",
                                    "32")["plies_per_playout"], 24)
        result = self.bench("connect6:rows=3,columns=3,connect=3,stones=1", "--playouts", "200000")
        self.assertAlmostEqual(result["plies_per_playout"], 7.62619,
                               delta=4 * result["plies_standard_error"])
        self.assertLess(result["plies_standard_error"], 0.03)
        othello = self.bench("othello:size=8", "--seconds", "0.2")
        self.assertAlmostEqual(othello["plies_per_playout"], 59.97, delta=0.05)

    def test_words_add_up_and_checksum_is_theirs(self):
        playouts = 32 * 70 + 5
        for game, position in GAMES:
            with self.subTest(game=game), tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "words")
                result = self.bench(game, "--position", position, "--playouts", str(playouts),
                                    "--seed", "7", "--dump-words", path)
                self.assertEqual(os.listdir(folder), ["words"])
                with open(path, "rb") as file:
                    data = file.read()
                words = list(struct.iter_unpack("<4I", data))
                self.assertEqual([word[0] for word in words], list(range(71)))
                self.assertEqual([sum(word[1:]) for word in words], [32] * 70 + [5])
                self.assertEqual(result["playouts"], playouts)
                wins = sum(word[1] for word in words)
                draws = sum(word[2] for word in words)
                self.assertAlmostEqual(result["first_player_win_rate"], wins / playouts)
                self.assertAlmostEqual(result["draw_rate"], draws / playouts)
                self.assertEqual(result["tally_checksum"], f"{xxh64(data):016x}")

    def test_checksum_of_every_engine_and_thread_count(self):
        playouts = "1100"  # 34 words and a part of one: two of the widest vectors and a part of one
        for number, (game, position) in enumerate(GAMES):
            checksums = set()
            for engine in ("reference", "cpu"):
                # The reference is slow: by day one number of threads a game.
                for threads in ("1", "2", "3") if NIGHTLY or engine == "cpu" else (str(1 + number % 3),):
                    result = self.bench(game, "--position", position, "--playouts", playouts,
                                        "--engine", engine, "--threads", threads)
                    checksums.add(result["tally_checksum"])
            self.assertEqual(len(checksums), 1, game)
            for words in ("1", "34", "1048576"):
                result = self.bench(game, "--position", position, "--playouts", playouts,
                                    "--batch-words", words)
                self.assertIn(result["tally_checksum"], checksums)
            other = self.bench(game, "--position", position, "--playouts", playouts, "--seed", "2")
            self.assertNotIn(other["tally_checksum"], checksums)

    def test_batches_are_of_a_fixed_number(self):
        for words, error in (("0", "an integer"), ("1048577", "an integer"),
                             ("9", "--batch-words needs --playouts, or --leaves without --seconds")):
            process = run("bench", "playouts", "hex:size=3", "--batch-words", words)
            self.assert_status(process, USAGE)
            self.assertIn(error, process.stderr)

    def test_leaves(self):
        common = ("othello:size=6", "--leaves", "50", "--playouts-per-leaf", "40", "--seed", "3")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "words")
            result = self.bench(*common, "--dump-words", path)
            with open(path, "rb") as file:
                words = list(struct.iter_unpack("<4I", file.read()))
        self.assertEqual(result["playouts"], 2000)
        self.assertEqual([sum(word[1:]) for word in words], [32, 8] * 50)
        self.assertGreater(len({word[1:] for word in words[::2]}), 10)  # positions differ
        self.assertEqual(result["tally_checksum"],
                         self.bench(*common, "--engine", "reference")["tally_checksum"])
        self.assertIsNone(result["effective_sample_ratio"])

    def test_effective_samples(self):
        few = self.bench("hex:size=5", "--playouts", "16384")
        self.assertIsNone(few["effective_sample_ratio"])
        many = self.bench("hex:size=5", "--playouts", "262144")
        # 512 blocks: the ratio is known to about 6 %; an order shared by a whole group of words
        # would cost most of the samples.
        self.assertGreater(many["effective_sample_ratio"], 0.3)
        self.assertLess(many["effective_sample_ratio"], 1.5)
        self.assertLess(many["standard_error"], few["standard_error"])

    def test_text(self):
        process = run("bench", "playouts", "hex:size=3", "--playouts", "640")
        self.assert_status(process, 0)
        self.assertIn("640 playouts", process.stdout)
        self.assertIn("tally checksum", process.stdout)


class Fleet(ProgramTest):

    def rows(self, *arguments):
        return self.json("bench", "search", "pgame:branching=2,depth=10,tree=3", "--algorithm",
                         "ppn:playouts=20", "--searches", "30", *arguments)["rows"]

    def test_rows_differ_in_time_only(self):
        rows = self.rows("--in-flight", "1,7,100")
        self.assertEqual([row["in_flight"] for row in rows], [1, 7, 100])
        for key in ("nodes_created", "leaves", "playouts", "decided", "searches"):
            self.assertEqual(len({row[key] for row in rows}), 1, key)
        self.assertEqual(rows[0]["decided"], 30)
        self.assertEqual(rows[0]["playouts"], 20 * rows[0]["leaves"])
        self.assertLess(rows[2]["batches"], rows[0]["batches"])

    def test_a_device_far_away_is_waited_for(self):
        far = self.rows("--in-flight", "1", "--backend", "latency:us=300")[0]
        self.assertGreaterEqual(far["seconds"], 300e-6 * far["batches"])
        self.assertGreaterEqual(far["busy"] * far["seconds"], 299e-6 * far["batches"])
        self.assertLessEqual(far["busy"], 1)
        self.assertEqual(far["leaves"], self.rows("--in-flight", "1")[0]["leaves"])

    def test_no_core_spins_for_a_device(self):
        """The simulated clock jumps: what is waited for is neither CPU time nor a reader's."""
        begin = time.monotonic()
        found = self.json("solve", "pgame:branching=2,depth=8,tree=3", "--algorithm", "ppn:playouts=20",
                          "--backend", "latency:us=100000")
        elapsed = time.monotonic() - begin
        self.assertGreaterEqual(found["seconds"], 0.1 * found["iterations"] / 2)
        self.assertGreater(found["iterations"], 20)
        self.assertLess(found["cpu_seconds"], found["seconds"] / 20)
        self.assertLess(elapsed, found["seconds"])

    def test_other_work_counts_for_no_search_beside_a_device(self):
        """Its time is its own CPU time and what it waited, however many want the cores."""
        busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(3 * os.cpu_count())]
        try:
            found = self.json("solve", "hex:size=5", "--algorithm", "pn:leaf=playouts,playouts=1", "--max-nodes",
                              "100000", "--backend", "latency:us=0,rate=1e15", status=UNDECIDED)
        finally:
            for process in busy:
                process.kill()
                process.wait()
        self.assertGreater(found["cpu_seconds"], 0.02)
        self.assertLess(found["seconds"], 1.1 * found["cpu_seconds"])

    def test_feeders_change_no_count(self):
        rows = [self.rows("--in-flight", "12", "--feeders", feeders, "--backend", "latency:us=1")[0]
                for feeders in ("1", "2", "5")]
        self.assertEqual([row["feeders"] for row in rows], [1, 2, 5])
        for key in ("decided", "nodes_created", "leaves", "playouts"):
            self.assertEqual(len({row[key] for row in rows}), 1, key)

    def test_searches_are_the_trees_that_follow(self):
        whole = sum(self.json("solve", f"pgame:branching=2,depth=10,tree={tree}", "--algorithm",
                              "ppn:playouts=20", "--seed", str(tree - 2))["nodes_created"]
                    for tree in range(3, 33))
        self.assertEqual(self.rows("--in-flight", "8")[0]["nodes_created"], whole)

    def test_positions_are_gone_through_again_and_again(self):
        question = ("hex:size=3", "--algorithm", "ppn:playouts=8")
        row = self.json("bench", "search", *question, "--in-flight", "5", "--searches", "7",
                        "--position", "-", stdin="a1\nb2\nc3\n")["rows"][0]
        positions = ["a1", "b2", "c3", "a1", "b2", "c3", "a1"]
        whole = sum(self.json("solve", *question, "--position", position, "--seed",
                              str(seed))["nodes_created"]
                    for seed, position in enumerate(positions, 1))
        self.assertEqual(row["nodes_created"], whole)

    def test_refusals(self):
        for arguments in (("--in-flight", "0"), ("--in-flight", "1,x"),
                          ("--in-flight", "4", "--max-seconds", "1"),
                          ("--in-flight", "4", "--goal", "value"),
                          ("--in-flight", "4", "--searches", "0"),
                          ("--in-flight", "4", "--feeders", "0")):
            process = run("bench", "search", "hex:size=3", "--algorithm", "ppn", *arguments)
            self.assert_status(process, 64)
            self.assertTrue(process.stderr.startswith("playproof: "))


class Search(ProgramTest):

    def test_rows(self):
        result = self.json("bench", "search", "hex:size=5", "--algorithm", "pn", "--max-nodes",
                           "20000", "--batch", "1,8", "--repeat", "2", "--position", "a1",
                           "--goal", "win", "--seed", "4")
        self.assertEqual([row["batch"] for row in result["rows"]], [1, 8])
        self.assertEqual((result["game"], result["position"], result["seed"], result["repeat"]),
                         ("hex:size=5", "a1", 4, 2))
        for row in result["rows"]:
            self.assertEqual(row["verdict"], "unknown")
            self.assertLessEqual(row["seconds_min"], row["seconds"])
            self.assertLessEqual(row["seconds"], row["seconds_max"])
            self.assertAlmostEqual(row["iterations_per_second"] * row["seconds"],
                                   row["iterations"], delta=1)
            self.assertAlmostEqual(row["bytes_per_node"] * row["nodes_created"],
                                   row["peak_bytes"], delta=1)

    def test_rows_of_pipelines(self):
        result = self.json("bench", "search", "hex:size=4", "--algorithm", "ppn:playouts=8",
                           "--batch", "4,16", "--pipeline", "1,3", "--repeat", "1", "--position",
                           "a1 b2 c3", "--backend", "latency:of=fake,us=5")
        shapes = [(4, 1), (4, 3), (16, 1), (16, 3)]
        self.assertEqual([(r["batch"], r["pipeline"]) for r in result["rows"]], shapes)
        self.assertEqual([(o["batch"], o["pipeline"]) for o in result["overhead"]], shapes)
        base = result["rows"][0]["nodes_created"]
        for row, overhead in zip(result["rows"], result["overhead"]):
            self.assertEqual(row["verdict"], "proved")
            self.assertAlmostEqual(overhead["node_ratio"], row["nodes_created"] / base, delta=1e-6)
            self.assertAlmostEqual(row["evaluations_per_second"] * row["seconds"],
                                   row["evaluations"], delta=1)
        self.assertEqual(len({row["nodes_created"] for row in result["rows"]}), 4)

    def test_searches_in_flight_with_pipelines(self):
        question = ("bench", "search", "pgame:branching=3,depth=7", "--algorithm", "ppn", "--searches",
                    "30", "--batch", "2", "--pipeline", "3")
        one, many = (self.json(*question, "--in-flight", n)["rows"][0] for n in ("1", "9"))
        for key in ("searches", "decided", "nodes_created"):
            self.assertEqual(one[key], many[key])

    def test_three_ways_need_a_device(self):
        """Or a backend that is none: then the cores are timed, and leaves on it."""
        question = ("bench", "fleet", "pgame:branching=3,depth=6", "--searches", "20")
        if not json.loads(run("devices", "--json").stdout):
            self.assert_fails((*question, "--algorithm", "ppn"), UNAVAILABLE, "cuda")
        cores, leaves, whole = self.json(*question, "--algorithm", "ppn", "--backend", "cpu")["rows"]
        self.assertEqual(cores["iterations"], leaves["iterations"])
        self.assertGreater(cores["searches_per_second"], 0)
        self.assertEqual(whole, {"way": "whole", "missing": "the backend is no device"})
        row, = self.json(*question, "--algorithm", "pn", "--backend", "cpu", "--ways", "cores")["rows"]
        self.assertEqual((row["way"], row["searches"]), ("cores", 20))
        self.assert_fails((*question, "--algorithm", "pn", "--ways", "cores,"), USAGE, "--ways must be")

    def test_overhead_of_batches(self):
        self.check_overhead(["a1", "b2", "", "c1"], 3.18245)  # Student's t, 3 degrees of freedom

    def test_overhead_of_many_positions(self):
        self.check_overhead([f"{c}{r} {d}{s}" for c in "abc" for r in "123" for d in "abc"
                             for s in "123" if c + r != d + s][:25], 2.06390)  # 24 degrees

    def check_overhead(self, positions, t):
        result = self.json("bench", "search", "hex:size=3", "--algorithm", "ppn:playouts=32",
                           "--batch", "1,4,64", "--repeat", "1", "--position", "-",
                           stdin="\n".join(positions) + "\n")
        nodes = {(row["position"], row["batch"]): row["nodes_created"] for row in result["rows"]}
        self.assertEqual(list(nodes), [(p, b) for p in positions for b in (1, 4, 64)])
        self.assertNotIn("position", result)
        for overhead in result["overhead"]:
            logs = [math.log(nodes[p, overhead["batch"]] / nodes[p, 1]) for p in positions]
            mean = statistics.mean(logs)
            half = t * statistics.stdev(logs) / math.sqrt(len(logs))
            self.assertEqual(overhead["positions"], len(positions))
            for key, value in (("node_ratio", mean), ("low", mean - half), ("high", mean + half)):
                self.assertAlmostEqual(overhead[key], math.exp(value), delta=1e-4 * math.exp(value))
        self.assertEqual(result["overhead"][0]["node_ratio"], 1)

    def test_overhead_counts_decided_positions_only(self):
        result = self.json("bench", "search", "hex:size=4", "--algorithm", "pn", "--batch", "1,8",
                           "--repeat", "1", "--max-nodes", "500", "--position", "-",
                           stdin="a1\na1 b1 a2 b2 a3 b3\n")
        self.assertEqual([o["positions"] for o in result["overhead"]], [1, 1])
        self.assertIsNone(result["overhead"][1]["low"])

    def test_a_bad_position_ends_it(self):
        process = run("bench", "search", "hex:size=3", "--algorithm", "pn", "--position", "-",
                      "--repeat", "1", stdin="a1\nz9\n")
        self.assert_status(process, 65)
        self.assertIn("z9", process.stderr)
        self.assert_status(run("bench", "search", "hex:size=3", "--algorithm", "pn", "--position",
                               "-", stdin=""), 65)
        self.assert_status(run("bench", "search", "hex:size=3", "--algorithm", "pn",
                               "--position-file", "/nowhere"), 65)

    def test_counts_are_those_of_solve(self):
        question = ("hex:size=4", "--algorithm", "pn", "--max-nodes", "30000", "--batch", "8")
        row = self.json("bench", "search", *question)["rows"][0]
        answer = self.json("solve", *question, status=UNDECIDED)
        for key in ("iterations", "nodes_created", "peak_bytes", "verdict"):
            self.assertEqual(row[key], answer[key])

    def test_text(self):
        process = run("bench", "search", "hex:size=3", "--algorithm", "pn", "--batch", "1,2")
        self.assert_status(process, 0)
        self.assertEqual(len(process.stdout.splitlines()), 8 + 1)  # an empty line between


class Measurements(unittest.TestCase):
    """bench/measure.py and the page of what it measured."""

    def test_everything_quickly(self):
        with tempfile.TemporaryDirectory() as folder:
            results, page = os.path.join(folder, "r.json"), os.path.join(folder, "r.html")
            tool = os.path.join(SOURCE, "bench", "measure.py")
            subprocess.run([sys.executable, tool, PROGRAM, "--output", results, "--quick"],
                           check=True, capture_output=True, timeout=600)
            with open(results, encoding="utf-8") as file:
                found = json.load(file)
            self.assertEqual(list(found), ["facts", "engines", "sweep", "overhead", "fleet", "end"])
            python = os.environ.get("PLAYPROOF_PYTHON", "/usr/bin/python3")
            subprocess.run([python, os.path.join(SOURCE, "bench", "page.py"), results, "--output",
                            page], check=True, capture_output=True, timeout=600)
            with open(page, encoding="utf-8") as file:
                text = file.read()
        for heading in ("Playouts a second", "Playouts against the batch", "Search overhead",
                        "Many searches at a time", "Time to solve"):
            self.assertIn(heading, text)


class Workers(unittest.TestCase):
    """bench/workers.py: two threads of one search against one."""

    def test_a_row_a_problem(self):
        with tempfile.TemporaryDirectory() as folder:
            results = os.path.join(folder, "r.json")
            tool = os.path.join(SOURCE, "bench", "workers.py")
            tables = [subprocess.run([sys.executable, tool, PROGRAM, "--quick", "--repeat", "1", *more], check=True,
                                     capture_output=True, text=True, timeout=600).stdout.splitlines()[2:]
                      for more in ([], ["--locks", "--output", results])]
            with open(results, encoding="utf-8") as file:
                rows = json.load(file)["rows"]
        self.assertEqual([row["algorithm"] for row in rows], ["dfpn", "alphabeta:zones=off"])
        for row in rows:
            self.assertAlmostEqual(row["threads_over_processes"], row["threads"] / row["processes"])
            self.assertAlmostEqual(row["idle_and_lock"], row["idle"] + row["lock"])
            self.assertGreater(min(row["cpu_an_entry"], row["cpu_with_locks"], row["entries_over_turns"]), 0)
        for table, columns in zip(tables, (10, 11)):
            self.assertEqual(len(table), 3 + 2 + 2)  # heads, problems, means
            self.assertEqual({line.count("|") for line in table}, {columns + 1})


if __name__ == "__main__":
    unittest.main()
