"""What undecided runs can make of a judgement: the worst case, and how much longer they must have been."""

import math
import unittest

import numpy

import support
from playproof_report import claims, page, pairing, statistics
from test_claims import judge, pairs

NAMES = {"A": 0, "B": 1}


def ratios(values, longer, factor):
    """Logarithms of the ratios; longer: {pair: "A" or "B"}, who is so many times longer."""
    logs = [math.log(a / b) for a, b in values]
    for pair, who in longer.items():
        logs[pair] += math.log(factor) * (1 if who == "A" else -1)
    return statistics.geometric_ratio(logs)


class Worst(unittest.TestCase):
    VALUES = [(10 + i % 3, 100) for i in range(20)]

    def judged(self, undecided, values=None, **claim):
        """undecided: {pair: "A" or "B"}"""
        verdicts = {pair: ("unknown", "proved") if who == "A" else ("proved", "unknown")
                    for pair, who in undecided.items()}
        return judge(pairs(values or self.VALUES, verdicts), support.claim(**claim))

    def test_one_of_many_does_not_leave_a_claim_open(self):
        """And where the interval would reach the claimed range is what the tipping factor says."""
        found = self.judged({3: "A"})
        self.assertEqual(found.verdict, claims.REPRODUCED)
        for factor, within in ((found.tipping / 1.03, True), (found.tipping * 1.03, False)):
            self.assertEqual(ratios(self.VALUES, {3: "A"}, factor).high < 1, within)
        self.assertGreater(found.tipping, claims.LONGER)
        for mine, end in zip(found.worst, (found.interval.low, ratios(self.VALUES, {3: "A"}, 1000).high)):
            self.assertAlmostEqual(mine, end)
        self.assertIn(f"reproduced had they taken up to {found.tipping:.2g} times as long", found.note)

    def test_many_leave_it_open(self):
        many = {pair: "A" for pair in range(10)}
        found = self.judged(many)
        self.assertEqual((found.verdict, found.p), (claims.PARTLY, 1.0))
        self.assertLess(found.tipping, claims.LONGER)
        self.assertIn(f"reproduced only had they taken up to {found.tipping:.2g} times as long, where 1,000 times is "
                      "allowed for", found.note)

    def test_its_p_value_is_that_of_the_worst_case(self):
        found = self.judged({3: "A"})
        self.assertAlmostEqual(found.p, ratios(self.VALUES, {3: "A"}, 1000).p(1.0))
        self.assertLess(found.p, 0.05)

    def test_what_they_make_stronger_no_factor_changes(self):
        for undecided, claim, verdict in (({1: "B", 2: "B"}, {}, claims.REPRODUCED),
                                          ({1: "A", 2: "A"}, {"low": 0.0, "high": 0.05}, claims.NOT),
                                          ({1: "B"}, {"low": 1.0, "high": None}, claims.NOT)):
            found = self.judged(undecided, **claim)
            self.assertEqual((found.verdict, found.tipping), (verdict, math.inf))
            self.assertIn(f"{verdict} had they taken no matter how long", found.note)

    def test_an_interval_that_excludes_a_range_refutes_it(self):
        """Undecided bases can take a mean of ratios no lower than without these."""
        values = [(127 + i % 5, 100) for i in range(40)]
        found = self.judged({0: "B"}, values, low=0.4, high=0.6, statistic="mean of ratios")
        self.assertEqual((found.verdict, found.tipping), (claims.NOT, math.inf))
        least = statistics.bootstrap_mean([0.0 if i == 0 else a / b for i, (a, b) in enumerate(values)])
        self.assertAlmostEqual(found.worst[0], least.low, delta=0.02)
        self.assertGreater(found.worst[0], 0.6)

    def test_both_sides(self):
        """Each makes it worse in its own direction."""
        found = self.judged({0: "A", 1: "B"}, low=0.01, high=1.0)
        self.assertEqual(found.verdict, claims.REPRODUCED)
        for mine, end in zip(found.worst, (ratios(self.VALUES, {1: "B"}, 1000).low,
                                           ratios(self.VALUES, {0: "A"}, 1000).high)):
            self.assertAlmostEqual(mine, end)
        few = self.judged({0: "A", 1: "B"}, low=0.1, high=0.12)
        self.assertEqual(few.verdict, claims.PARTLY)

    def test_a_ratio_of_means_is_ruled_by_the_longest(self):
        found = self.judged({0: "A"}, statistic="ratio of means")
        self.assertEqual(found.verdict, claims.PARTLY)
        self.assertLess(found.tipping, 200)
        self.assertEqual(self.judged({0: "B"}, statistic="ratio of means").verdict, claims.REPRODUCED)

    def test_nothing_is_said_without_undecided_runs(self):
        found = self.judged({})
        self.assertEqual((found.worst, math.isnan(found.tipping), found.note), ((), True, ""))

    def test_what_settles_nothing_has_no_factor(self):
        found = self.judged({0: "A"}, low=0.1, high=0.11)
        self.assertEqual((found.verdict, found.tipping), (claims.PARTLY, 1.0))
        self.assertNotIn("had they taken", found.note)

    def test_pairs_are_changed_on_their_side_alone(self):
        made = support.made_up(pairs([(0, 5), (4, 0)], {0: ("unknown", "proved"), 1: ("proved", "unknown")}))
        both = pairing.pair_runs(pairing.frame(made), "s", "A", "B", ["iterations", "iteration_divisor", "decided"])
        for side, expected in (("_s", [[5.0, 4.0], [5, 0]]), ("_b", [[0, 4], [5.0, 5.0]])):
            longer = pairing._longer(both, "iterations", side, 10)
            self.assertTrue(numpy.array_equal([longer["iterations_s"], longer["iterations_b"]], expected))

    def test_the_page_says_so(self):
        made = support.made_up(pairs(self.VALUES, {3: ("unknown", "proved")}), claims=[support.claim()])
        text = page.claims_section(claims.judge(made, pairing.frame(made)))
        self.assertIn("times as long", text)


if __name__ == "__main__":
    unittest.main()
