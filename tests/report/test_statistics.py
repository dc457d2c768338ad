"""Intervals against tables, closed forms and simulation."""

import math
import unittest
from statistics import NormalDist
from types import SimpleNamespace

import numpy
from scipy import stats

import support  # noqa: F401 (makes the package importable)
from playproof_report import resampling, statistics

PLACES = numpy.arange(1, 41) / 41
SKEWED = -numpy.log(1 - PLACES)
HEAVY = (1 / (1 - PLACES)) ** 1.2
EVENTS = (numpy.arange(40) % 5 == 0).astype(float)


def narrowed(interval, scale=float, inverse=float):
    """Without the widening for few units: Efron's own."""
    wide = stats.t.ppf(0.975, interval.n - 1) / stats.norm.ppf(0.975)
    value = scale(interval.value)
    return statistics.Interval(interval.value, *(
        inverse(value + (scale(end) - value) / wide) for end in (interval.low, interval.high)),
        interval.n)


class Distributions(unittest.TestCase):
    def test_t_quantiles_are_those_of_printed_tables(self):
        for p, df, value in ((0.975, 1, 12.7062), (0.975, 2, 4.30265), (0.975, 9, 2.26216),
                             (0.975, 29, 2.04523), (0.975, 199, 1.97196), (0.95, 5, 2.01505),
                             (0.995, 10, 3.16927)):
            self.assertAlmostEqual(statistics.t_quantile(p, df), value, places=4)

    def test_t_of_one_degree_is_cauchys(self):
        for p in (0.6, 0.75, 0.975, 0.999):
            self.assertAlmostEqual(statistics.t_quantile(p, 1) / math.tan(math.pi * (p - 0.5)), 1,
                                   places=9)


class PValues(unittest.TestCase):
    def test_at_the_ends_of_an_interval_it_is_one_less_its_level(self):
        """Smooth data: between two bootstrap samples the share below does not move."""
        for interval in (statistics.t_interval(SKEWED), statistics.geometric_ratio(SKEWED),
                         statistics.wilson(8, 10), statistics.bootstrap_mean(HEAVY),
                         statistics.bootstrap_ratio_of_means(HEAVY, SKEWED[::-1] + 1),
                         statistics.bootstrap_mean(SKEWED[::6])):
            for end in (interval.low, interval.high):
                self.assertAlmostEqual(interval.p(end), 0.05, delta=1e-3)
            middle = (interval.value + interval.high) / 2
            self.assertGreater(interval.p(middle), 0.05)

    def test_t(self):
        for at in (0.3, 1.0, 2.5):
            self.assertAlmostEqual(statistics.t_interval(SKEWED).p(at),
                                   stats.ttest_1samp(SKEWED, at).pvalue)
            self.assertAlmostEqual(statistics.geometric_ratio(SKEWED).p(at),
                                   stats.ttest_1samp(SKEWED, math.log(at)).pvalue)
        self.assertEqual(statistics.t_interval([1.0]).p(5), 1)  # one value says nothing
        self.assertEqual([statistics.t_interval([2.0, 2.0]).p(x) for x in (2.0, 2.5)], [1, 0])

    def test_wilson(self):
        # 8 of 10 against a half: z = 0.3 / sqrt(0.25 / 10) = 1.897.
        self.assertAlmostEqual(statistics.wilson(8, 10).p(0.5), 0.05778, places=5)

    def test_bootstrap_cannot_tell_less_than_its_samples(self):
        interval = statistics.bootstrap_mean(SKEWED)
        for far in (1e-9, 1e9):
            self.assertAlmostEqual(interval.p(far), 2 / 10_000, delta=2e-3)
            self.assertGreaterEqual(interval.p(far), 2 / 10_000)
        self.assertEqual([statistics.bootstrap_mean([2.0] * 5).p(x) for x in (2.0, 3.0)], [1, 0])

    def test_a_bound_outside_the_interval_has_a_p_value_of_at_most_5_percent(self):
        for values in (EVENTS, SKEWED, HEAVY, numpy.append(numpy.zeros(11), 1.0)):
            interval = statistics.bootstrap_mean(values)
            for end in (interval.low, interval.high):
                self.assertLessEqual(interval.p(end), 0.05)
            for middle in (0.1, 0.5, 0.9):
                self.assertGreater(
                    interval.p(interval.low + middle * (interval.high - interval.low)), 0.05)

    def test_holm(self):
        """Holm's own step-down: the least times 4, the next times 3, never less than before."""
        for given, adjusted in (([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
                                ([0.9, 0.5], [1.0, 1.0]), ([0.02], [0.02]), ([], []),
                                ([0.01, 0.01, 1.0], [0.03, 0.03, 1.0])):
            for a, b in zip(statistics.holm(given), adjusted):
                self.assertAlmostEqual(a, b)


class Intervals(unittest.TestCase):
    def test_t_interval_by_hand(self):
        interval = statistics.t_interval([1.0, 2.0, 3.0, 4.0])
        half = 3.18245 * math.sqrt(5 / 3) / 2
        self.assertAlmostEqual(interval.value, 2.5)
        self.assertAlmostEqual(interval.low, 2.5 - half, places=4)
        self.assertAlmostEqual(interval.high, 2.5 + half, places=4)
        self.assertEqual(interval.n, 4)

    def test_one_value_says_nothing_about_its_spread(self):
        interval = statistics.t_interval([3.0])
        self.assertEqual((interval.low, interval.high), (-math.inf, math.inf))
        self.assertEqual(statistics.t_interval([]).n, 0)

    def test_geometric_ratio(self):
        interval = statistics.geometric_ratio(numpy.log([0.5, 2.0, 1.0]))
        self.assertAlmostEqual(interval.value, 1.0)
        self.assertAlmostEqual(interval.low * interval.high, 1.0)
        self.assertLess(interval.low, 0.5)

    def test_wilson_published_example(self):
        # 8 of 10: the score interval is 0.490 to 0.943.
        interval = statistics.wilson(8, 10)
        self.assertAlmostEqual(interval.low, 0.4902, places=4)
        self.assertAlmostEqual(interval.high, 0.9433, places=4)
        for successes, n in ((0, 1), (1, 1), (3, 7), (8, 10), (199, 200), (5000, 27646)):
            z, p = 1.959963984540054, successes / n
            centre = (p + z * z / (2 * n)) / (1 + z * z / n)
            half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
            interval = statistics.wilson(successes, n)
            self.assertAlmostEqual(interval.low, max(0, centre - half), places=12)
            self.assertAlmostEqual(interval.high, min(1, centre + half), places=12)
        none = statistics.wilson(0, 20)
        self.assertEqual(none.low, 0)
        self.assertAlmostEqual(none.high, 0.1611, places=4)

    def test_bca_is_efrons(self):
        """Bias and acceleration by hand, from the same samples."""
        normal = NormalDist()
        for values in (SKEWED, HEAVY, EVENTS, SKEWED[::6]):
            means = resampling.resampled_means(values[:, None], 10_000, seed=1)[:, 0]
            below = numpy.mean(means < values.mean()) + numpy.mean(means == values.mean()) / 2
            bias = normal.inv_cdf(below)
            jackknife = (values.sum() - values) / (len(values) - 1)
            away = jackknife.mean() - jackknife
            acceleration = (away ** 3).sum() / (6 * (away ** 2).sum() ** 1.5)
            ends = []
            for p in (0.025, 0.975):
                z = bias + normal.inv_cdf(p)
                ends.append(numpy.quantile(means, normal.cdf(bias + z / (1 - acceleration * z))))
            interval = narrowed(statistics.bootstrap_mean(values))
            self.assertAlmostEqual(interval.low, ends[0], places=9)
            self.assertAlmostEqual(interval.high, ends[1], places=9)

    def test_intervals_are_those_of_the_former_program(self):
        """Ends by the sampler that this one replaced, with other random numbers: the mean of eight
        seeds, and how far a seed is from it (one standard deviation)."""
        ratio = narrowed(statistics.bootstrap_ratio_of_means(HEAVY, SKEWED[::-1] + 1), math.log,
                         math.exp)
        _, low, high = statistics.bootstrap_band(SKEWED[:, None])
        for interval, former, spread in (
                (narrowed(statistics.bootstrap_mean(SKEWED)), (0.727207, 1.270550), (0.0040, 0.0034)),
                (narrowed(statistics.bootstrap_mean(EVENTS)), (0.1, 0.35), (0.0, 0.0)),
                (narrowed(statistics.bootstrap_mean(HEAVY)), (4.006114, 15.021214), (0.0304, 0.2004)),
                (narrowed(statistics.bootstrap_mean(SKEWED[::6])), (0.402323, 1.554694), (0.0076, 0.0134)),
                (ratio, (1.930567, 8.281711), (0.0177, 0.1407)),
                (statistics.Interval(0, low[0], high[0], 40), (0.703478, 1.233602),
                 (0.0083, 0.0091))):
            self.assertLessEqual(abs(interval.low - former[0]), 4 * spread[0] + 1e-9)
            self.assertLessEqual(abs(interval.high - former[1]), 4 * spread[1] + 1e-9)

    def test_bca_covers_the_mean_of_a_skewed_distribution(self):
        generator = numpy.random.Generator(numpy.random.PCG64(5))
        hits = 0
        for _ in range(200):
            sample = generator.exponential(1.0, size=40)
            interval = statistics.bootstrap_mean(sample, resamples=1000)
            hits += interval.low <= 1.0 <= interval.high
        self.assertGreaterEqual(hits, 178)  # nominal 190; 178 is three standard errors of 93 %
        self.assertLessEqual(hits, 199)

    def test_bca_leans_to_the_long_tail(self):
        values = [1.0] * 30 + [20.0, 40.0]
        interval = statistics.bootstrap_mean(values)
        self.assertGreater(interval.high - interval.value, interval.value - interval.low)

    def test_bca_is_scipys(self):
        for columns, statistic, interval in (
                ((HEAVY,), numpy.mean, narrowed(statistics.bootstrap_mean(HEAVY))),
                ((HEAVY, SKEWED[::-1] + 1), lambda a, b, axis: numpy.log(
                    a.mean(axis=axis) / b.mean(axis=axis)),
                 narrowed(statistics.bootstrap_ratio_of_means(HEAVY, SKEWED[::-1] + 1), math.log,
                          math.exp))):
            means = resampling.resampled_means(numpy.column_stack(columns), 10_000, seed=1)
            replicates = means[:, 0] if len(columns) == 1 else numpy.log(means[:, 0] / means[:, 1])
            ends = stats.bootstrap(
                columns, statistic, paired=True, vectorized=True, method="BCa", n_resamples=0,
                bootstrap_result=SimpleNamespace(bootstrap_distribution=replicates))
            ends = ends.confidence_interval
            if len(columns) == 2:
                ends = [math.exp(end) for end in ends]
            self.assertAlmostEqual(interval.low, ends[0], places=9)
            self.assertAlmostEqual(interval.high, ends[1], places=9)

    def test_constant_values_have_no_spread(self):
        interval = statistics.bootstrap_mean([2.0] * 10)
        self.assertEqual((interval.low, interval.value, interval.high), (2.0, 2.0, 2.0))

    def test_bootstrap_is_repeatable(self):
        values = [1.0, 5.0, 2.0, 8.0]
        self.assertEqual(statistics.bootstrap_mean(values), statistics.bootstrap_mean(values))

    def test_ratio_of_means_uses_the_pairing(self):
        below = numpy.array([1.0, 10.0, 100.0, 1000.0] * 5)
        paired = statistics.bootstrap_ratio_of_means(0.5 * below, below)
        self.assertAlmostEqual(paired.value, 0.5)
        self.assertAlmostEqual(paired.low, 0.5)
        self.assertAlmostEqual(paired.high, 0.5)
        shuffled = statistics.bootstrap_ratio_of_means(0.5 * below[::-1], below)
        self.assertAlmostEqual(shuffled.value, 0.5)
        self.assertLess(shuffled.low, 0.4)
        self.assertGreater(shuffled.high, 0.6)

    def test_ratio_of_means_without_events(self):
        self.assertEqual(statistics.bootstrap_ratio_of_means([0, 0], [1, 2]).value, 0)
        self.assertEqual(statistics.bootstrap_ratio_of_means([1, 2], [0, 0]).value, math.inf)
        self.assertTrue(math.isnan(statistics.bootstrap_ratio_of_means([0, 0], [0, 0]).value))
        rare = statistics.bootstrap_ratio_of_means([0, 0, 0, 1], [1, 1, 1, 1])
        self.assertEqual(rare.low, 0)  # a third of the samples has no event
        self.assertLess(rare.high, 1.5)

    def test_one_unit_says_nothing_of_its_spread(self):
        interval = statistics.bootstrap_ratio_of_means([3], [2])
        self.assertEqual((interval.value, interval.low, interval.high), (1.5, 0, math.inf))
        self.assertEqual(interval.p(1), 1)

    def test_ratio_of_rises(self):
        up, down = [0.0, 1.0, 0.5, 1.0], [1.0, 0.5, 0.25, 0.25]
        rise = statistics.ratio_of_rises
        # The mean of the left is .5, .75, .375, .625.
        together = rise([up, down] * 10, [up] * 20)
        self.assertAlmostEqual(together.value, (0.25 + 0.25) / 1.5)
        # What rises in one curve while it falls in the other does not in their mean.
        apart = rise([[0, 1, 0, 1, 0], [1, 0, 1, 0, 1], [0, 0, 0, 0, 0.3]] * 10,
                     [[0, 0, 1, 0, 0]] * 30)
        self.assertAlmostEqual(apart.value, 0.1)
        self.assertEqual(rise([down] * 3, [up] * 3).value, 0)
        self.assertEqual(rise([up] * 3, [down] * 3).value, math.inf)
        self.assertTrue(math.isnan(rise([down], [down]).value))
        self.assertEqual(rise([up], [up]).high, math.inf)

    def test_ratio_of_rises_is_tukeys(self):
        """Steps that rise in every sample: then it is a ratio of means, and so is its spread."""
        generator = numpy.random.Generator(numpy.random.PCG64(4))
        a, b = 1 + generator.uniform(size=(2, 400))
        interval = statistics.ratio_of_rises(*(numpy.column_stack((0 * x, x)) for x in (a, b)))
        log = a / a.mean() - b / b.mean()
        half = 1.96594 * log.std(ddof=1) / 20
        self.assertAlmostEqual(interval.value, a.mean() / b.mean())
        self.assertAlmostEqual(math.log(interval.high / interval.value), half, delta=half / 100)
        self.assertAlmostEqual(interval.p(interval.low), 0.05)

    def test_ratio_of_rises_of_noise_is_one(self):
        """Two sides with the same true curve: its interval holds 1 about as often as it says."""
        generator = numpy.random.Generator(numpy.random.PCG64(3))
        grid = numpy.linspace(0, 3, 40)
        true = numpy.exp(-grid) + 0.1 * numpy.sin(5 * grid)
        hits = 0
        for _ in range(60):
            sides = [true + 0.2 * generator.standard_normal((60, 1)) * numpy.sin(
                3 * grid + generator.uniform(0, 6, (60, 1))) for _ in range(2)]
            interval = statistics.ratio_of_rises(*sides)
            hits += interval.low <= 1 <= interval.high
        self.assertGreaterEqual(hits, 52)

    def test_band(self):
        matrix = numpy.array([[0, 0, 1], [0, 1, 1], [0, 0, 1], [0, 1, 1]], dtype=float)
        mean, low, high = statistics.bootstrap_band(matrix)
        self.assertEqual(list(mean), [0.0, 0.5, 1.0])
        self.assertEqual((low[0], high[2]), (0.0, 1.0))
        self.assertAlmostEqual(high[0], statistics.wilson(0, 4).high)
        self.assertAlmostEqual(low[2], statistics.wilson(4, 4).low)
        self.assertLess(low[1], 0.5)
        self.assertGreater(high[1], 0.5)


if __name__ == "__main__":
    unittest.main()
