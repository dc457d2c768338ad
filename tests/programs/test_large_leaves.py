"""A leaf of a million playouts: clock and signals are looked at within it, and nothing is lost."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest

from program import DECIDED, NIGHTLY, PROGRAM, UNDECIDED, ProgramTest, run, until_signals_are_caught

# The reference rules are slow: a leaf takes minutes on any machine of today.
ALGORITHMS = ("ppn:playouts=1048576", "mcpn:playouts=1048576", "pn:leaf=playouts,playouts=1048576",
              "dfpn:leaf=playouts,playouts=1048576", "mcts:playouts=1048576",
              "uct:playouts=1048576")
GAME = ("solve", "hex:size=11")
SLOW = float(os.environ.get("PLAYPROOF_SLOWER", "1"))
STOPPED = 75
FEW = () if NIGHTLY else ("--threads", "1")


class LargeLeaves(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "run.ckpt")

    def search(self, algorithm, *more):
        return (*GAME, "--algorithm", algorithm, "--backend", "reference", *more)

    def test_limit_in_time(self):
        for algorithm in ALGORITHMS:
            with self.subTest(algorithm=algorithm):
                begin = time.monotonic()
                answer = self.json(*self.search(algorithm, "--max-seconds", "0.5" if NIGHTLY else "0.15"),
                                   status=UNDECIDED)
                self.assertLess(time.monotonic() - begin, 5 * SLOW)
                self.assertEqual(answer["verdict"], "unknown")
                self.assertEqual(answer["playouts"], 0)

    def stop(self, *arguments, number=signal.SIGINT, begun=None):
        """What a search says that is stopped in its first leaf, and how long that takes. `begun`: a
        file that it writes before."""
        with subprocess.Popen([PROGRAM, *arguments, "--json"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            until_signals_are_caught(process.pid)
            end = time.monotonic() + 30 * SLOW
            while begun and not os.path.exists(begun) and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(0.1)
            self.assertIsNone(process.poll(), process.stderr)
            begin = time.monotonic()
            process.send_signal(number)
            output, errors = process.communicate(timeout=120)
            return process.returncode, output, errors, time.monotonic() - begin

    def test_signals(self):
        for index, algorithm in enumerate(ALGORITHMS):
            signals = (signal.SIGINT, signal.SIGTERM)
            for number in signals if NIGHTLY else signals[index % 2:][:1]:  # by day they take turns
                with self.subTest(algorithm=algorithm):
                    status, output, errors, seconds = self.stop(*self.search(algorithm),
                                                                number=number)
                    self.assertEqual((status, errors), (UNDECIDED, ""))
                    self.assertLess(seconds, 4 * SLOW)
                    self.assertEqual(json.loads(output)["verdict"], "unknown")

    def test_a_checkpoint_waits_for_a_leaf_but_not_for_long(self):
        for algorithm in ALGORITHMS if NIGHTLY else ALGORITHMS[::3]:  # a tree and a table
            with self.subTest(algorithm=algorithm):
                status, _, errors, seconds = self.stop(
                    *self.search(algorithm, "--checkpoint", self.path, *FEW), begun=self.path)
                self.assertEqual(status, STOPPED)
                self.assertIn("stopped within a leaf of many playouts", errors)
                self.assertLess(seconds, 5 * SLOW)
                self.assert_status(run("solve", "--resume", self.path, "--backend", "reference",
                                       "--max-seconds", "0.1"), UNDECIDED)
                for name in (self.path, self.path + ".old"):
                    if os.path.exists(name):
                        os.remove(name)

    def test_counts_of_a_search_in_pieces(self):
        """Stopped by the clock within and between large leaves, and resumed until it is done."""
        search = ("solve", "hex:size=3", "--algorithm", "ppn:playouts=30000", "--max-nodes", "40")
        whole = self.json(*search, status=UNDECIDED)
        arguments = (*search[:4], "--backend", "reference", "--checkpoint", self.path)
        pieces = 0
        seconds = 0.0
        ended = "seconds"
        while ended == "seconds":
            seconds += 0.1 * SLOW
            pieces += 1
            self.assertLess(pieces, 200)
            process = run(*arguments, *search[4:], "--max-seconds", str(seconds))
            self.assert_status(process, UNDECIDED)
            ended = re.search(r"^stopped by  (.*)$", process.stdout, re.M)[1]
            arguments = ("solve", "--resume", self.path, "--backend", "reference",
                         "--checkpoint", self.path)
        self.assertGreater(pieces, 1)
        answer = self.json("solve", "--resume", self.path, "--backend", "reference", *search[4:],
                           status=UNDECIDED)
        for key in ("iterations", "nodes_created", "nodes_expanded", "evaluations", "playouts",
                    "max_depth", "counters", "best_move", "principal_variation"):
            self.assertEqual(answer[key], whole[key], key)

    def test_decided_as_ever(self):
        few = self.json("solve", "hex:size=2", "--algorithm", "uct:playouts=200000",
                        "--backend", "cpu", status=DECIDED)
        self.assertEqual(few["verdict"], "proved")


if __name__ == "__main__":
    unittest.main()
