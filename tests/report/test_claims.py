"""Pairing, and when a claim counts as reproduced."""

import math
import unittest

from scipy import stats

import support
from playproof_report import claims, page, pairing, statistics
from playproof_report.statistics import Interval


def judge(runs, claim, curves=None, **options):
    made = support.made_up(runs, curves, claims=[claim], **options)
    return claims.judge(made, pairing.frame(made))[0]


def pairs(values, verdicts=None):
    """Runs of A and B on one problem each pair: values = [(a, b), ...]."""
    runs = []
    for i, (a, b) in enumerate(values):
        mine, other = (verdicts or {}).get(i, ("proved", "proved"))
        runs += [support.run("A", f"p{i}", a, mine), support.run("B", f"p{i}", b, other)]
    return runs


class Positions(unittest.TestCase):
    def test_inside_outside_across(self):
        for low, high, verdict in ((0.2, 0.9, claims.REPRODUCED), (1.1, 1.4, claims.NOT),
                                   (0.8, 1.2, claims.PARTLY), (0.5, 1.0, claims.PARTLY),
                                   (1.0, 1.2, claims.NOT)):
            self.assertEqual(claims.position(Interval(1, low, high, 9), 0, 1), verdict)

    def test_two_sided(self):
        self.assertEqual(claims.position(Interval(1, 0.6, 1.9, 9), 0.5, 2), claims.REPRODUCED)
        self.assertEqual(claims.position(Interval(1, 0.1, 0.4, 9), 0.5, 2), claims.NOT)
        self.assertEqual(claims.position(Interval(1, 0.4, 3, 9), 0.5, 2), claims.PARTLY)

    def test_no_data(self):
        self.assertEqual(claims.position(Interval(math.nan, math.nan, math.nan, 0), 0, 1),
                         claims.NO_DATA)


class Counts(unittest.TestCase):
    def test_clear_cases(self):
        better = [(10 + i, 100 + 3 * i) for i in range(10)]
        worse = [(b, a) for a, b in better]
        equal = [(100 + i, 100 - i) for i in range(-5, 6)]
        self.assertEqual(judge(pairs(better), support.claim()).verdict, claims.REPRODUCED)
        self.assertEqual(judge(pairs(worse), support.claim()).verdict, claims.NOT)
        self.assertEqual(judge(pairs(equal), support.claim()).verdict, claims.PARTLY)
        self.assertEqual(judge(pairs(better), support.claim(high=0.01)).verdict, claims.NOT)
        self.assertEqual(judge(pairs(worse), support.claim(low=1, high=None)).verdict,
                         claims.REPRODUCED)

    def test_ratio_is_the_geometric_mean_of_the_pairs(self):
        result = judge(pairs([(1, 2), (8, 4)]), support.claim())
        self.assertAlmostEqual(result.interval.value, 1.0)
        self.assertEqual(result.interval.n, 2)

    def test_unpaired_runs_do_not_count(self):
        runs = pairs([(1, 2), (1, 2)]) + [support.run("A", "alone", 10 ** 9)]
        result = judge(runs, support.claim())
        self.assertAlmostEqual(result.interval.value, 0.5)

    def test_repetitions_of_many_problems_are_averaged_first(self):
        runs = []
        for repetition in range(1, 101):
            runs += [support.run("A", "p0", 1, repetition=repetition),
                     support.run("B", "p0", 2, repetition=repetition)]
        runs += [support.run("A", "p1", 4), support.run("B", "p1", 2)]
        result = judge(runs, support.claim())
        self.assertAlmostEqual(result.interval.value, 1.0)
        self.assertEqual(result.interval.n, 2)

    def test_repetitions_of_one_problem_are_the_units(self):
        runs = []
        for repetition in range(1, 31):
            runs += [support.run("A", "p0", 10 + repetition % 3, repetition=repetition),
                     support.run("B", "p0", 20, repetition=repetition)]
        result = judge(runs, support.claim())
        self.assertEqual(result.interval.n, 30)
        self.assertEqual(result.verdict, claims.REPRODUCED)

    def test_missing_series_is_no_data(self):
        result = judge(pairs([(1, 2)]), support.claim(series=("t",)), series=("s", "t"))
        self.assertEqual(result.verdict, claims.NO_DATA)


class Undecided(unittest.TestCase):
    BETTER = [(10 + i % 3, 100) for i in range(20)]

    def test_undecided_bases_make_a_claim_of_less_only_stronger(self):
        verdicts = {i: ("proved", "unknown") for i in range(5)}
        result = judge(pairs(self.BETTER, verdicts), support.claim())
        self.assertEqual(result.verdict, claims.REPRODUCED)
        self.assertIn("5 pairs undecided", result.note)

    def test_undecided_subjects_leave_a_claim_of_less_open(self):
        verdicts = {i: ("unknown", "proved") for i in range(8)}
        self.assertEqual(judge(pairs(self.BETTER, verdicts), support.claim()).verdict,
                         claims.PARTLY)

    def test_undecided_subjects_settle_a_claim_of_more(self):
        values = [(100 + i % 3, 10) for i in range(20)]
        verdicts = {i: ("unknown", "proved") for i in range(20)}
        result = judge(pairs(values, verdicts), support.claim(low=1, high=None))
        self.assertEqual(result.verdict, claims.REPRODUCED)
        self.assertEqual(judge(pairs(values, verdicts), support.claim()).verdict, claims.NOT)

    def test_both_sides_undecided_is_never_more_than_both_views_say(self):
        verdicts = {i: ("unknown", "unknown") for i in range(10)}
        values = [(100, 100) for _ in range(10)] + [(10 + i % 3, 100) for i in range(10)]
        result = judge(pairs(values, verdicts), support.claim(high=0.2))
        self.assertEqual(result.verdict, claims.PARTLY)


class Statistics(unittest.TestCase):
    """What the ratios of all problems make, as the claim says."""

    VALUES = [(1, 2), (8, 4), (30, 10), (5, 10)]  # ratios 1/2, 2, 3, 1/2

    def judge(self, statistic, values=None, verdicts=None, **more):
        claim = support.claim(statistic=statistic, **more)
        return judge(pairs(values or self.VALUES, verdicts), claim)

    def test_values(self):
        for statistic, value in (("geometric mean", 1.5 ** 0.25), ("ratio of means", 44 / 26),
                                 ("mean of ratios", 1.5), ("share below", 0.5)):
            self.assertAlmostEqual(self.judge(statistic).interval.value, value)
        self.assertAlmostEqual(judge(pairs(self.VALUES), support.claim()).interval.value, 1.5 ** 0.25)
        self.assertAlmostEqual(self.judge("share below", below=2.5).interval.value, 0.75)
        self.assertAlmostEqual(self.judge("share below", below=0.5).interval.value, 0.0)  # equal

    def test_intervals(self):
        above, below = zip(*self.VALUES)
        self.assertEqual(self.judge("ratio of means").interval,
                         statistics.bootstrap_ratio_of_means(above, below))
        # Of more than four: with few ratios their last bits decide between means far apart.
        many = list(zip((3, 5, 7, 11, 13, 17, 19, 23, 29), (31, 2, 37, 5, 41, 43, 3, 47, 7)))
        interval = self.judge("mean of ratios", many).interval
        expected = statistics.bootstrap_mean([a / b for a, b in many])
        near = 0.01 * (expected.high - expected.low)
        self.assertAlmostEqual(interval.low, expected.low, delta=near)
        self.assertAlmostEqual(interval.high, expected.high, delta=near)
        self.assertEqual(self.judge("share below").interval, statistics.wilson(2, 4))

    def test_a_mean_of_few_large_ones_and_a_share_of_many_small_ones(self):
        values = [(50, 100)] * 18 + [(100_000, 100), (120_000, 100)]
        self.assertEqual(self.judge("share below", values, low=0.5, high=None).verdict,
                         claims.REPRODUCED)
        self.assertEqual(self.judge("mean of ratios", values).verdict, claims.PARTLY)
        self.assertGreater(self.judge("ratio of means", values).interval.value, 100)

    def test_shares_at_their_ends(self):
        few = [(1, 2)] * 2
        for low, high, values in ((0, 0.5, [(b, a) for a, b in few * 20]), (0.5, None, few * 20)):
            self.assertEqual(self.judge("share below", values, low=low, high=high).verdict,
                             claims.REPRODUCED)
        self.assertEqual(self.judge("share below", few, low=0.5, high=None).verdict, claims.PARTLY)
        self.assertEqual(self.judge("share below", few * 20, low=0.1, high=0.4).verdict, claims.NOT)

    def test_repetitions_of_a_problem_are_one_unit(self):
        runs = [support.run(label, "p0", count, repetition=repetition)
                for repetition, counts in enumerate(((1, 10), (4, 10), (90, 10)))
                for label, count in zip("AB", counts)]
        runs += [support.run("A", "p1", 5), support.run("B", "p1", 20)]
        for statistic, value in (("ratio of means", (95 / 3 + 5) / 30),
                                 ("mean of ratios", (9.5 / 3 + 0.25) / 2), ("share below", 1.0)):
            result = judge(runs, support.claim(statistic=statistic))
            self.assertAlmostEqual(result.interval.value, value)
            self.assertEqual(result.interval.n, 2)

    def test_undecided_runs_are_bounds(self):
        less = [(10 + i % 3, 100 + i) for i in range(20)]
        more = [(b, a) for a, b in less]
        open_subject = {0: ("unknown", "proved")}
        open_base = {0: ("proved", "unknown")}
        for statistic in ("ratio of means", "mean of ratios"):
            for values, verdicts, low, high, verdict in (
                    (less, open_base, 0, 1, claims.REPRODUCED),
                    (less, open_subject, 0, 1, claims.PARTLY),
                    (more, open_subject, 1, None, claims.REPRODUCED),
                    (more, open_subject, 0, 1, claims.NOT),
                    (more, open_base, 0, 1, claims.NOT if statistic == "mean of ratios" else claims.PARTLY)):
                self.assertEqual(self.judge(statistic, values, verdicts, low=low, high=high).verdict,
                                 verdict)

    def test_undecided_runs_and_shares(self):
        """A subject that is above already stays there; one that is below may come to be above."""
        less = [(10, 100)] * 20
        share = {"statistic": "share below", "low": 0.5, "high": None}
        for values, verdicts, verdict in (
                (less, {0: ("proved", "unknown")}, claims.REPRODUCED),  # settled
                (less, {0: ("unknown", "proved")}, claims.REPRODUCED),  # 19 of 20 stay
                (less, {i: ("unknown", "proved") for i in range(10)}, claims.PARTLY),
                ([(200, 100)] + less[1:], {0: ("unknown", "proved")}, claims.REPRODUCED),
                ([(200, 100)] + less[1:], {0: ("proved", "unknown")}, claims.REPRODUCED),
                ([(200, 100)] * 20, {0: ("proved", "unknown")}, claims.NOT),
                ([(200, 100)] * 20, {i: ("proved", "unknown") for i in range(10)}, claims.PARTLY),
                ([(200, 100)] * 20, {0: ("unknown", "proved")}, claims.NOT)):
            self.assertEqual(judge(pairs(values, verdicts), support.claim(**share)).verdict, verdict)

    def test_shares_with_pairs_undecided_on_both_sides(self):
        """They may come out either way: 46 below and 5 above of 100 are no majority."""
        values = [(1, 2)] * 46 + [(2, 1)] * 5 + [(9, 9)] * 49
        open_both = {i: ("unknown", "unknown") for i in range(51, 100)}
        for low, high in ((0.5, None), (0, 0.5), (0.4, 0.6)):
            self.assertEqual(self.judge("share below", values, open_both, low=low,
                                        high=high).verdict, claims.PARTLY)
        few = {i: ("unknown", "unknown") for i in range(98, 100)}
        self.assertEqual(self.judge("share below", [(1, 2)] * 100, few, low=0.5,
                                    high=None).verdict, claims.REPRODUCED)

    def test_a_ratio_equal_to_the_factor_is_not_below(self):
        for a, b, below in ((9, 10, 0.9), (10, 9, 1 / 0.9), (11, 10, 1.1), (57, 100, 0.57)):
            values = [(a * k, b * k) for k in range(1, 60)]
            share = self.judge("share below", values, below=below)
            self.assertEqual(share.interval.value, 0)

    def test_few_units_settle_nothing_by_bootstrap(self):
        for n, verdict in ((2, claims.PARTLY), (7, claims.PARTLY), (8, claims.REPRODUCED)):
            values = [(100 + i, 1000) for i in range(n)]
            for statistic in ("ratio of means", "mean of ratios"):
                result = self.judge(statistic, values)
                self.assertEqual(result.verdict, verdict)
                self.assertEqual(result.stands, verdict == claims.REPRODUCED)

    def test_a_touched_bound_without_spread_has_a_p_value_that_agrees(self):
        result = self.judge("geometric mean", [(5, 5)] * 9)
        self.assertEqual((result.verdict, result.p), (claims.NOT, 0))

    def test_the_page_says_which(self):
        for statistic, words in (("ratio of means", "ratio of the means"),
                                 ("mean of ratios", "arithmetic mean of paired ratios"),
                                 ("share below", "share of the problems with a ratio below 1")):
            text = page.claims_table([self.judge(statistic)])
            self.assertIn(words, text)
        self.assertIn("50 %", page.claims_table([self.judge("share below")]))
        self.assertNotIn("geometric", page.claims_table([self.judge("geometric mean")]))


class ErrorClaims(unittest.TestCase):
    def curves(self, good, bad, count=12):
        runs, curves = [], {}
        for i in range(count):
            for label, end in (("A", good), ("B", bad)):
                run = support.run(label, f"p{i}", 1000)
                runs.append(run)
                curves[run["key"]] = [(0, 1.0), (end + i, 0.0)]
        return runs, curves

    def test_area(self):
        runs, curves = self.curves(5, 500)
        self.assertEqual(judge(runs, support.claim("error_area"), curves).verdict,
                         claims.REPRODUCED)
        self.assertEqual(judge(runs, support.claim("error_area", "B", "A"), curves).verdict,
                         claims.NOT)

    def test_horizon_hides_what_comes_later(self):
        runs, curves = self.curves(200, 500)
        early = judge(runs, support.claim("error_area", horizon=100), curves)
        self.assertAlmostEqual(early.interval.value, 1.0)
        self.assertEqual(early.verdict, claims.NOT)  # not less: equal

    def test_rise(self):
        runs, curves = self.curves(5, 500)
        for key in curves:
            waves = 1 if key.startswith("s A") else 9
            curves[key] = [(i, float(i % 2)) for i in range(2 * waves + 1)]
        result = judge(runs, support.claim("error_rise"), curves)
        self.assertAlmostEqual(result.interval.value, 1 / 9)
        self.assertEqual(result.verdict, claims.REPRODUCED)

    def test_rise_of_the_mean(self):
        """Runs of A rise and fall one after the other, so that their mean does not; those of B rise
        less, but together."""
        runs, curves = [], {}
        for i in range(24):
            for label in "AB":
                run = support.run(label, f"p{i}", 1000)
                runs.append(run)
                high, low = (10, 100) if i % 2 else (100, 10)
                apart = [(0, 0.5), (high, 0.9), (low, 0.1), (500, 0.0)]
                together = [(0, 0.5), (10, 0.25), (100, 0.5 + 0.01 * i), (500, 0.0)]
                curves[run["key"]] = sorted(apart) if label == "A" else together
        single = judge(runs, support.claim("error_rise", "A", "B"), curves)
        self.assertGreater(single.interval.value, 1)
        mean = judge(runs, support.claim("error_rise_of_mean", "B", "A"), curves)
        self.assertEqual(mean.interval.value, math.inf)  # the mean of A never rises
        for key in curves:
            if key.startswith("s A"):
                curves[key] = [(0, 0.5), (10, 0.25), (100, 0.35 + 0.001 * len(key)), (500, 0)]
        result = judge(runs, support.claim("error_rise_of_mean"), curves)
        self.assertEqual(result.verdict, claims.REPRODUCED)
        self.assertAlmostEqual(result.interval.value, 0.1 / 0.365, delta=0.04)
        self.assertIn("rises of the mean error", result.what)


class Holm(unittest.TestCase):
    """Beside the single intervals: what stands if all judgements of the plan are taken together."""

    def judge(self, *sides):
        """sides: [(low ratio, high ratio)] of a claim A < B each, with 12 problems."""
        runs, made = [], []
        for number, (low, high) in enumerate(sides):
            series = f"s{number}"
            for i in range(12):
                a = 10_000 * (low if i % 2 else high)
                runs += [support.run("A", f"p{i}", a, series=series),
                         support.run("B", f"p{i}", 10_000, series=series)]
            made.append({**support.claim(series=(series,)), "id": series})
        names = [f"s{number}" for number in range(len(sides))]
        experiment = support.made_up(runs, series=names, claims=made)
        return claims.judge(experiment, pairing.frame(experiment))

    def test_p_values_are_those_of_what_a_verdict_rejects(self):
        fewer, more, neither = self.judge((0.5, 0.9), (1.2, 2.0), (0.8, 1.3))
        logs = [math.log(0.5), math.log(0.9)] * 6
        self.assertAlmostEqual(fewer.p, stats.ttest_1samp(logs, 0).pvalue)
        logs = [math.log(1.2), math.log(2.0)] * 6
        self.assertAlmostEqual(more.p, stats.ttest_1samp(logs, 0).pvalue)
        self.assertEqual((neither.verdict, neither.p, neither.holm), (claims.PARTLY, 1, 1))
        self.assertAlmostEqual(fewer.holm, 3 * min(fewer.p, more.p) if fewer.p < more.p
                               else max(2 * fewer.p, more.holm))

    def test_two_sided_ranges_need_both_bounds(self):
        runs = pairs([(60 + i % 3, 100) for i in range(12)])
        inside = judge(runs, support.claim(low=0.5, high=0.62))
        logs = [math.log((60 + i % 3) / 100) for i in range(12)]
        self.assertEqual(inside.verdict, claims.REPRODUCED)
        self.assertAlmostEqual(inside.p, stats.ttest_1samp(logs, math.log(0.62)).pvalue)
        outside = judge(runs, support.claim(low=0.7, high=0.8))
        self.assertEqual(outside.verdict, claims.NOT)
        self.assertAlmostEqual(outside.p, stats.ttest_1samp(logs, math.log(0.7)).pvalue)

    def test_what_one_interval_settles_many_may_not(self):
        alone, = self.judge((0.55, 1.3))
        self.assertEqual(alone.verdict, claims.PARTLY)
        close = (0.55, 1.1)
        alone, = self.judge(close)
        self.assertTrue(alone.settled and alone.stands)
        sure = [(0.1, 0.11)] * 4
        judged = self.judge(close, *[(0.8, 1.25)] * 5, *sure)
        self.assertEqual(judged[0].verdict, claims.REPRODUCED)
        self.assertFalse(judged[0].stands)
        self.assertTrue(all(j.stands for j in judged[6:]))
        self.assertEqual(
            claims.lines(judged)[1],
            "  With Holm's correction for all 10 judgements these stand at 5 %: 4 of 5 reproduced.")
        text = page.claims_section(judged)
        self.assertEqual(text.count("<td>✓<br>"), 4)
        self.assertEqual(text.count("<td>–<br>"), 1)
        self.assertIn("these stand at 5 %: 4 of 5 reproduced.", text)

    def test_the_family_is_what_has_data(self):
        made = [support.claim(), {**support.claim(series=("t",)), "id": "none"}]
        runs = pairs([(10, 12), (10, 11), (10, 13)])
        experiment = support.made_up(runs, series=("s", "t"), claims=made)
        judged, nothing = claims.judge(experiment, pairing.frame(experiment))
        self.assertEqual(nothing.verdict, claims.NO_DATA)
        self.assertEqual(judged.p, judged.holm)

    def test_undecided_runs_leave_nothing_to_reject(self):
        values = [(10 + i % 3, 100) for i in range(20)]
        many = {i: ("unknown", "proved") for i in range(8)}
        result = judge(pairs(values, many), support.claim())
        self.assertEqual((result.verdict, result.p), (claims.PARTLY, 1))
        both = {**many, 19: ("proved", "unknown")}
        result = judge(pairs(values, both), support.claim())
        self.assertEqual((result.verdict, result.p), (claims.PARTLY, 1))


class Frames(unittest.TestCase):
    def test_won_roots_are_known_from_any_source(self):
        runs = [support.run("A", "p0", 1, "unknown"), support.run("B", "p0", 1, "proved"),
                support.run("A", "p1", 1, "disproved"), support.run("B", "p1", 1, "unknown"),
                support.run("A", "p2", 1, "unknown", expected="proved"),
                support.run("B", "p2", 1, "unknown", expected="proved")]
        table = pairing.frame(support.made_up(runs))
        self.assertEqual(list(table["root_won"]), [True, True, False, False, True, True])


if __name__ == "__main__":
    unittest.main()
