"""Runs are found and paired as a filter and a merge would do it."""

import unittest

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
                self.assertEqual(list(pairs.columns), list(merged.columns))
                self.assertEqual(pairs.values.tolist(), merged.values.tolist())
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

    def test_units(self):
        table = self.table({"A": ["p1", "p2"]})
        for _ in range(2):
            self.assertEqual(pairing.units_of(table, "s"), ["orbit", "goal"])
        self.assertEqual(pairing.units_of(self.table({"A": ["p1"]}), "s"), ["orbit", "goal", "repetition"])


if __name__ == "__main__":
    unittest.main()
