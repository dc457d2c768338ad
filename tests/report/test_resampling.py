"""Bootstrap samples: what is drawn, how it spreads, and that it never changes."""

import math
import unittest

import numpy

import support  # noqa: F401 (makes the package importable)
from playproof_report import resampling


class Resampling(unittest.TestCase):
    def test_known_answers(self):
        """A page is the same on every machine: which units are drawn is part of it."""
        values = (10.0 ** numpy.arange(8))[:, None]
        means = resampling.resampled_means(values, 3, seed=1)
        self.assertEqual(list(8 * means[:, 0]), [10212011, 20120012, 2120210])

    def test_columns_are_resampled_together(self):
        matrix = numpy.random.default_rng(1).normal(size=(50, 33))
        means = resampling.resampled_means(matrix, 200, seed=4)
        self.assertEqual(means.shape, (200, 33))
        for column in (0, 16, 32):
            alone = resampling.resampled_means(matrix[:, [column]], 200, seed=4)
            numpy.testing.assert_allclose(alone[:, 0], means[:, column], rtol=0, atol=1e-14)
        twice = resampling.resampled_means(matrix, 200, seed=4)
        self.assertTrue(numpy.array_equal(means, twice))
        other = resampling.resampled_means(matrix, 200, seed=5)
        self.assertFalse(numpy.array_equal(means, other))

    def test_every_sample_draws_as_many_units_as_there_are(self):
        for counts in resampling._blocks(100, 37, seed=2):
            self.assertEqual(set(counts.sum(axis=1)), {37.0})

    def test_every_unit_is_as_likely(self):
        counts, = resampling._blocks(20_000, 10, seed=3)
        # A unit is drawn 20,000 times in the mean, with a variance of 18,000.
        self.assertLess(numpy.abs(counts.sum(axis=0) - 20_000).max(), 4.5 * math.sqrt(18_000))

    def test_blocks_are_those_of_the_whole(self):
        """More than fits into memory at a time."""
        units = resampling.BLOCK // 64 + 1
        values = numpy.arange(units, dtype=float)[:, None]
        means = resampling.resampled_means(values, 130, seed=6)
        self.assertEqual(len(means), 130)
        self.assertEqual(len(set(means[:, 0])), 130)
        begin = resampling.resampled_means(values, 65, seed=6)
        self.assertTrue(numpy.array_equal(begin[:63], means[:63]))

    def test_spread_is_that_of_the_mean(self):
        values = numpy.random.default_rng(2).exponential(size=80)
        means = resampling.resampled_means(values[:, None], 20_000, seed=1)[:, 0]
        error = values.std() / math.sqrt(80)
        self.assertLess(abs(means.mean() - values.mean()), 4 * error / math.sqrt(20_000))
        # The variance of 20,000 almost normal numbers is known to 1 %.
        self.assertLess(abs(means.var() / error ** 2 - 1), 4 * math.sqrt(2 / 20_000))


if __name__ == "__main__":
    unittest.main()
