"""Runs are found and paired as a filter and a merge would do it."""

import math
import unittest

import numpy
import support
from playproof_report import pairing


class Pairs(unittest.TestCase):
    def table(self, orders):
        """orders: {label: [problem, ...]}; the count tells label and problem."""
        runs = [support.run(label, problem, 100 * i + int(problem[1:]))
                for i, (label, problems) in enumerate(orders.items(), 1) for problem in problems]
        return pairing.frame(support.made_up(runs))

    def test_pairs_belong_together_in_any_order(self):
        for other in (["p1", "p2", "p3"], ["p3", "p1", "p2"], ["p2", "p9"], []):
            table = self.table({"A": ["p1", "p2", "p3"], "B": other})
            pairs = pairing.pair_runs(table, "s", "A", "B", ["iterations", "decided"])
            merged = table[table["algorithm"] == "A"][["orbit", *pairing.PAIR, "iterations", "decided"]].merge(
                table[table["algorithm"] == "B"][["orbit", *pairing.PAIR, "iterations", "decided"]],
                on=["orbit", *pairing.PAIR], suffixes=("_s", "_b"))
            with self.subTest(other=other):
                self.assertEqual(len(pairs), len(merged))
                for name in ("iterations_s", "decided_s", "iterations_b", "decided_b"):
                    self.assertEqual(pairs[name].tolist(), merged[name].tolist())
                self.assertEqual(pairs.units.tolist(), (merged["iterations_s"] - 101).tolist())
                self.assertTrue(((pairs["iterations_b"] - pairs["iterations_s"]) == 100).all())

    def test_each_table_has_places_of_its_own(self):
        for number in range(50):  # tables that go take their places with them
            labels = ["A", "B"] if number % 2 else ["B", "A"]
            table = self.table({label: ["p1", "p2"] for label in labels})
            self.assertEqual(list(pairing.of(table, "s", "A")["iterations"]),
                             [101, 102] if number % 2 else [201, 202])
            self.assertEqual(len(pairing.of(table, "s", "C")), 0)
            self.assertEqual(len(pairing.of(table, "t", "A")), 0)
        del table
        self.assertEqual(pairing._Index._of_tables, {})

    def test_means_of_units_are_those_of_groups(self):
        runs = [{**support.run("A", problem, count, repetition=repetition), "goal": goal}
                for problem, goal, repetition, count in (
                    ("p2", "win", 1, 7), ("p1", "win", 2, 30), ("p2", "draw", 1, 5), ("p1", "win", 1, 10),
                    ("p3", "win", 1, 1), ("p2", "win", 2, 8), ("p3", "win", 2, 2), ("p2", "win", 3, 9))]
        table = pairing.frame(support.made_up(runs))
        mine = pairing.of(table, "s", "A").assign(x=lambda of: of["iterations"].astype(float))
        mine.loc[mine["iterations"].isin([30, 1, 2]), "x"] = math.nan  # one run of p1, both of p3
        expected = mine.groupby(pairing.units_of(table, "s"))["x"].mean()
        self.assertEqual(expected.dropna().tolist(), [10, 5, 8])
        found = pairing.unit_means(pairing.units_in(table, "s", "A"), mine["x"])
        numpy.testing.assert_allclose(found, expected.to_numpy(), rtol=1e-15)
        self.assertEqual(len(pairing.unit_means(numpy.array([], dtype=int), [])), 0)

    def test_units(self):
        table = self.table({"A": ["p1", "p2"]})
        for _ in range(2):
            self.assertEqual(pairing.units_of(table, "s"), ["orbit", "goal"])
        self.assertEqual(pairing.units_of(self.table({"A": ["p1"]}), "s"), ["orbit", "goal", "repetition"])


if __name__ == "__main__":
    unittest.main()
