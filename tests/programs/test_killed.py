"""Searches killed at random moments and resumed are the searches that ran through."""

import os
import unittest

import killed

RUNS = 20 if os.environ.get("PLAYPROOF_NIGHTLY") else 12


class Killed(unittest.TestCase):

    def test_runs(self):
        counts = killed.kill_runs(RUNS, seed=1)
        self.assertEqual(counts["runs"], RUNS)
        self.assertGreater(counts["kills"], RUNS)
        self.assertGreater(counts["runs with a table"], 2)
        self.assertGreater(counts["kills inside a checkpoint write"], 0)


if __name__ == "__main__":
    unittest.main()
