"""What pages of kind compare draw against numbers that labels end in."""

import math
import unittest

import support
from playproof_report import compare, pairing, parameters


def made_up(counts):
    """counts: {label: [iterations, ...]}, one a problem; a negative count is undecided."""
    runs = [support.run(label, f"p{i}", abs(n), "proved" if n > 0 else "unknown")
            for label, values in counts.items() for i, n in enumerate(values)]
    return support.made_up(runs, labels=tuple(counts))


def drawn(counts):
    made = made_up(counts)
    table = pairing.frame(made)
    return parameters.section(table, "s", list(counts), compare.numbers_of(compare.measures(table, "s")), next(iter(counts)))


class Labels(unittest.TestCase):
    def test_what_a_label_ends_in(self):
        for label, parts in (("PPN n=16", ("PPN", "n", 16, "")), ("R=0.40", ("", "R", 0.4, "")),
                             ("n=16 A=32768 eps=0.25", ("n=16 A=32768", "eps", 0.25, "")), ("1+eps 0.05", ("", "1+eps", 0.05, "")),
                             ("16 places table=2MiB", ("16 places", "table", 2048, "KiB"))):
            self.assertEqual(parameters.split(label), parts)
        for label in ("PN", "n= 3", "PPN n=16 bridges", "n=-3", "n=3e9", "=3", "1n=3", "3", "n=" + "9" * 99):
            name, key, value, _ = parameters.split(label)
            self.assertEqual((name, key, math.isnan(value)), (label, "", True))


class Curves(unittest.TestCase):
    def setUp(self):
        self.enterContext(support.undrawn())

    def one(self, counts):
        table = pairing.frame(made_up(counts))
        return parameters.numbered(table, "s", list(counts), compare.numbers_of(compare.measures(table, "s")),
                                   next(iter(counts)))

    def test_points(self):
        one, = self.one({"A n=8": [10, 40], "A n=1": [100, 400], "A n=64": [10, -40], "B n=8": [7, 7], "A": [5, 20]})
        self.assertEqual((one.key, list(one.of)), ("n", ["A", "B", "A, no n"]))
        first, second, third = one.of["A"]
        self.assertEqual([point.value for point in (first, second, third)], [1, 8, 64])
        self.assertAlmostEqual(first.means["iterations_normalised"].value, 200)
        self.assertIsNone(first.steps["iterations_normalised"])
        self.assertAlmostEqual(second.steps["iterations_normalised"].value, 0.1)
        self.assertEqual([point.undecided for point in (first, second, third)], [0, 0, 1])
        self.assertEqual(third.solved.value, 0.5)
        self.assertTrue(one.is_line("A, no n"))

    def test_two_values_are_no_curve(self):
        self.assertEqual(self.one({"A n=8": [10], "A n=1": [100], "B n=3": [5]}), [])

    def test_others_are_lines_where_they_are_few(self):
        counts = {f"A n={n}": [n, n + 1] for n in (1, 2, 3)}
        few, = self.one({**counts, "x": [3, 4]})
        many, = self.one({**counts, **{name: [3, 4] for name in ("x", "y", "z", "w")}})
        self.assertEqual((list(few.of), list(many.of)), (["A", "x"], ["A"]))

    def test_gain_ends_at_the_first_doubt(self):
        one, = self.one({"A n=1": [100, 400, 90], "A n=2": [50, 199, 44], "A n=4": [25, 101, 23], "A n=8": [26, 100, 23],
                         "A n=16": [2, 9, 3]})
        self.assertEqual(parameters.last_gain(one.of["A"], "iterations_normalised").value, 4)
        self.assertIsNone(parameters.last_gain(one.of["A"][2:4], "iterations_normalised"))

    def test_what_is_said(self):
        section, = drawn({"A n=1": [100, -400, 90], "A n=2": [50, 199, 44], "A n=4": [25, 101, 23], "B": [9, 9, 9]})
        said, = section["sentences"]
        self.assertTrue(said.startswith("A: a larger n saves iterations up to 4 (153 with 1, 38.7 with 4); the fewest "
                                        "iterations are with 4: "), said)
        self.assertIn("of those of n = 1 (", said)
        self.assertIn("; the least CPU time is ", said)
        self.assertTrue(said.endswith("; everything is solved from 2 on."), said)
        self.assertEqual([label for label, _, _ in section["legend"]], ["A", "B"])
        name, heads, rows = section["tables"][0]
        self.assertEqual((name, heads[0], len(heads)), ("A", "n", len(rows[0])))
        self.assertEqual([row[0] for row in rows], ["1", "2", "4"])
        self.assertEqual([row[-2:] for row in rows], [["67 %", "1"], ["100 %", "0"], ["100 %", "0"]])

    def test_pictures(self):
        """A picture a measure that is not 0 everywhere, and the share solved where something is open."""
        solved, = drawn({f"A n={n}": [1000 // n, 400] for n in (1, 4, 256)})
        opened, = drawn({f"A n={n}": [1000 // n, -400] for n in (1, 4, 256)})
        self.assertEqual(len(opened["figure"]), len(solved["figure"]) + 1)
        self.assertIn("Share solved", opened["figure"][-1])
        self.assertNotIn("Share solved", "".join(solved["figure"]))

    def test_on_a_page(self):
        """Choices are no algorithms: what they take is another one's run."""
        made = made_up({f"A n={n}": [1000 // n, 400] for n in (1, 4, 256)})
        table = pairing.frame(made)
        one, = compare._series(made, table, made.series()[0])["parameters"]
        self.assertEqual((one["key"], len(one["tables"])), ("n", 1))


class OverTheBase(unittest.TestCase):
    """R of DeepPN against R = 1, in every way that its paper can have averaged."""

    def one(self, counts):
        made = made_up(counts)
        one, = parameters.numbered(pairing.frame(made), "s", list(counts), compare.numbers_of(
            compare.measures(pairing.frame(made), "s")), next(iter(counts)))
        return made, one

    def test_cases(self):
        _, one = self.one({"inv R=1.00": [100, 100, 100, -100], "inv R=0.50": [50, 200, 100, 90],
                           "inv R=0.25": [25, -100, 400, -100]})
        quarter, half, base = one.of["inv"]
        self.assertEqual((one.at, one.base_words, one.from_an_end, len(one.averages)), (1, "R = 1", True, 3))
        # Decided where the base was not is better; undecided where the base was not is neither.
        self.assertEqual([(point.over["iterations_normalised"].fewer, point.over["iterations_normalised"].more)
                          for point in (base, half, quarter)], [(0, 0), (2, 1), (1, 2)])
        for statistic, all_known, decided in (("mean of ratios", 4.4 / 4, 3.5 / 3), ("ratio of means", 440 / 400, 350 / 300)):
            paired = half.over["iterations_normalised"].of[statistic]
            self.assertAlmostEqual(paired.full.value, all_known)
            self.assertAlmostEqual(paired.common.value, decided)
        paired = half.over["iterations_normalised"].of["geometric mean"]
        self.assertEqual((paired.mark, quarter.undecided), ("≤ ", 2))
        self.assertAlmostEqual(paired.common.value, 1.0)

    def test_each_curve_over_its_own(self):
        """And what has no such number over the reference."""
        _, one = self.one({"inv R=1.00": [100, 100], "inv R=0.50": [50, 50], "inv R=0.25": [10, 10], "inv1 R=1.00": [80, 80],
                           "inv1 R=0.50": [20, 20], "PN deepest": [200, 200]})
        self.assertEqual({name: [round(point.ratio("iterations_normalised").value, 9) for point in points]
                          for name, points in one.of.items()},
                         {"inv": [0.1, 0.5, 1], "inv1": [0.25, 1], "PN deepest": [2]})

    def test_pictures_and_tables(self):
        section, = drawn({"R=1.00": [100, 100], "R=0.345": [50, 90], "R=0.00": [-300, 200], "PN deepest": [80, 95]})
        (name, heads, rows), (other, _, ((_, *cells),)) = section["relative_tables"]
        self.assertEqual((name, other, [row[0] for row in rows]), ("R", "PN deepest", ["0", "0.345", "1"]))
        self.assertEqual({len(row) for row in rows}, {len(heads)})
        self.assertTrue(str(rows[0][3]).startswith("≥ 2.5×"), rows[0])
        self.assertTrue(str(cells[2]).startswith("0.875×"), cells)
        self.assertEqual([len(pictures) for pictures in section["relative"]], [4, 4])  # of iterations, of nodes
        for pictures, measure in zip(section["relative"], ("Iterations", "Nodes created")):
            for picture, words in zip(pictures, ("geometric mean", "ratio of the means", "mean of the ratios")):
                self.assertIn(f"{measure}, {words}", picture)
            self.assertIn(f"{measure}: fewer, more (··)", pictures[3])
        self.assertEqual(section["small"], {})

    def test_ten_runs(self):
        """Experiments as large as all runs spread like the bootstrap; of one run like the runs."""
        runs = [support.run(f"R={r}", "p0", count if r == 1 else 20 if repetition % 2 else count, repetition=repetition)
                for repetition in range(1, 31) for r, count in ((1, 100), (0.9, 180), (0.8, 900))]
        made = support.made_up(runs, labels=("R=1", "R=0.9", "R=0.8"))
        table = pairing.frame(made)
        drawn_ratios = parameters.small_experiments(table, "s", "R=0.9", "R=1", "iterations")
        self.assertEqual(len(drawn_ratios), 10_000)
        self.assertAlmostEqual(drawn_ratios.mean(), 1.0, delta=0.01)
        self.assertAlmostEqual(drawn_ratios.std(), 0.8 / 10 ** 0.5, delta=0.01)
        section, = parameters.section(table, "s", ["R=1", "R=0.9", "R=0.8"], compare.measures(table, "s"), "R=1")
        self.assertIn("within the noise", section["small"]["sentence"])
        self.assertIn("drawn from these 30", section["small"]["sentence"])
        self.assertEqual(len(section["small"]["figure"]), 1)

    def test_without_the_reference_there_is_no_ratio(self):
        made = made_up({f"R={r}": [9, 8] for r in (1, 2, 3)})
        one, = parameters.numbered(pairing.frame(made), "s", ["R=1", "R=2", "R=3"],
                                   compare.measures(pairing.frame(made), "s"), "R=7")
        self.assertEqual(one.relative(), {})


if __name__ == "__main__":
    unittest.main()
