"""Searches killed at random moments and resumed are the searches that ran through."""

import unittest

import killed
from program import NIGHTLY

# Each of the searches of the second seed takes well under a second; one of the first takes most of all its time.
RUNS, SEED = (20, 1) if NIGHTLY else (8, 2)


class Killed(unittest.TestCase):

    def test_runs(self):
        counts = killed.kill_runs(RUNS, seed=SEED)
        self.assertEqual(counts["runs"], RUNS)
        self.assertGreater(counts["kills"], RUNS)
        self.assertGreater(counts["runs with a table"], 2)
        self.assertGreater(counts["kills inside a checkpoint write"], 0)


if __name__ == "__main__":
    unittest.main()
