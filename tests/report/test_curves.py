"""Error curves: sampling, areas, rises, and what the store packs."""

import math
import unittest

import numpy

import support
from playproof_report import curves
from playproof_report.store import unpack_curve

POINTS = [(0, 0.5), (10, 1.0), (100, 0.25), (1000, 0.0)]


class Curves(unittest.TestCase):
    def test_sample_takes_the_value_from_its_iteration_on(self):
        values = curves.sample(POINTS, 1, numpy.array([1, 9, 10, 99, 100, 5000]))
        self.assertEqual(list(values), [0.5, 0.5, 1.0, 1.0, 0.25, 0.0])

    def test_sample_divides_iterations(self):
        values = curves.sample(POINTS, 2, numpy.array([4.9, 5, 50, 500]))
        self.assertEqual(list(values), [0.5, 1.0, 0.25, 0.0])

    def test_each_factor_of_ten_counts_the_same(self):
        self.assertAlmostEqual(curves.area(POINTS, 1, 1000), (0.5 + 1.0 + 0.25) / 3)
        self.assertAlmostEqual(curves.area(POINTS, 1, 10_000), (0.5 + 1.0 + 0.25) / 4)
        self.assertAlmostEqual(curves.area(POINTS, 1, 100), 0.75)

    def test_area_is_the_mean_of_a_fine_grid(self):
        grid = curves.log_grid(20_000, points=400_001)
        for divisor in (1, 3):
            mean = float(curves.sample(POINTS, divisor, grid).mean())
            self.assertAlmostEqual(curves.area(POINTS, divisor, 20_000), mean, places=4)

    def test_changes_before_the_first_iteration(self):
        points = [(0, 1.0), (1, 0.5), (3, 0.25)]
        self.assertAlmostEqual(curves.area(points, 8, math.e), 0.25)

    def test_last_error_lasts_to_the_horizon(self):
        self.assertAlmostEqual(curves.area([(0, 0.3)], 1, 12345), 0.3)

    def test_rise_adds_only_rises(self):
        self.assertAlmostEqual(curves.rise(POINTS), 0.5)
        self.assertAlmostEqual(curves.rise([(0, 0.0), (1, 0.2), (2, 0.1), (3, 0.4)]), 0.5)
        self.assertEqual(curves.rise([(0, 1.0)]), 0)

    def test_packing(self):
        self.assertEqual(unpack_curve(support.pack(POINTS)), POINTS)
        self.assertEqual(unpack_curve(b""), [])


if __name__ == "__main__":
    unittest.main()
