"""Searches killed at random moments and resumed are the searches that ran through."""

import unittest

import killed


class Killed(unittest.TestCase):

    def test_twenty_runs(self):
        counts = killed.kill_runs(20, seed=1)
        self.assertEqual(counts["runs"], 20)
        self.assertGreater(counts["kills"], 20)
        self.assertGreater(counts["runs with a table"], 2)
        self.assertGreater(counts["kills inside a checkpoint write"], 0)


if __name__ == "__main__":
    unittest.main()
