"""Bootstrap samples from the program, and what happens without it."""

import math
import os
import unittest
from unittest import mock

import numpy

import support
from playproof_report import resampling, statistics
from playproof_report.errors import INTERNAL, UNAVAILABLE, ReportError


class Resampling(unittest.TestCase):
    def test_known_answers(self):
        values = (10.0 ** numpy.arange(8))[:, None]
        means = resampling.resampled_means(values, 3, seed=1)
        self.assertEqual(list(8 * means[:, 0]), [11003021, 20120003, 11001320])

    def test_columns_are_resampled_together(self):
        matrix = numpy.random.default_rng(1).normal(size=(50, 33))
        means = resampling.resampled_means(matrix, 200, seed=4)
        self.assertEqual(means.shape, (200, 33))
        for column in (0, 16, 32):
            alone = resampling.resampled_means(matrix[:, [column]], 200, seed=4)
            self.assertEqual(list(alone[:, 0]), list(means[:, column]))
        twice = resampling.resampled_means(numpy.asfortranarray(matrix), 200, seed=4)
        self.assertTrue(numpy.array_equal(means, twice))
        other = resampling.resampled_means(matrix, 200, seed=5)
        self.assertFalse(numpy.array_equal(means, other))

    def test_spread_is_that_of_the_mean(self):
        values = numpy.random.default_rng(2).exponential(size=80)
        means = resampling.resampled_means(values[:, None], 20_000, seed=1)[:, 0]
        error = values.std() / math.sqrt(80)
        self.assertLess(abs(means.mean() - values.mean()), 4 * error / math.sqrt(20_000))
        # The variance of 20,000 almost normal numbers is known to 1 %.
        self.assertLess(abs(means.var() / error ** 2 - 1), 4 * math.sqrt(2 / 20_000))

    def test_intervals_are_those_of_the_samples(self):
        values = numpy.array([1.0, 2.0, 4.0, 8.0, 16.0])
        means = resampling.resampled_means(values[:, None], 10_000, seed=1)[:, 0]
        interval = statistics.bootstrap_mean(values)
        jackknife = [numpy.delete(values, i).mean() for i in range(5)]
        low, high = statistics.bca(values.mean(), numpy.array(jackknife), means)
        self.assertAlmostEqual(interval.low, low, places=12)
        self.assertAlmostEqual(interval.high, high, places=12)

    def test_without_the_program(self):
        for program, status in (("", UNAVAILABLE), ("/nowhere/playproof", UNAVAILABLE),
                                ("/bin/true", INTERNAL), ("/bin/false", INTERNAL)):
            with self.subTest(program=program), mock.patch.dict(os.environ, PLAYPROOF=program):
                with self.assertRaises(ReportError) as caught:
                    resampling.resampled_means(numpy.ones((3, 1)), 10, seed=1)
                self.assertEqual(caught.exception.status, status)

    def test_refusal_is_passed_on(self):
        with self.assertRaisesRegex(ReportError, "seed must be an integer .*, not '-1'"):
            resampling.Sampler(support.PROGRAM).means(numpy.ones((3, 1)), 10, seed=-1)


if __name__ == "__main__":
    unittest.main()
