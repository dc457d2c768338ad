"""What pages of kind compare draw against numbers that labels end in."""

import math
import unittest

import support
from playproof_report import compare, pairing, parameters


def made_up(counts):
    """counts: {label: [iterations, ...]}, one a problem; a negative count is undecided."""
    runs = [support.run(label, f"p{i}", abs(n), "proved" if n > 0 else "unknown")
            for label, values in counts.items() for i, n in enumerate(values)]
    return support.made_up(runs)


def drawn(counts):
    made = made_up(counts)
    table = pairing.frame(made)
    return parameters.section(table, "s", list(counts), compare.measures(table, "s"))


class Labels(unittest.TestCase):
    def test_what_a_label_ends_in(self):
        for label, parts in (("PPN n=16", ("PPN", "n", 16, "")), ("R=0.40", ("", "R", 0.4, "")),
                             ("n=16 A=32768 eps=0.25", ("n=16 A=32768", "eps", 0.25, "")),
                             ("16 places table=2MiB", ("16 places", "table", 2048, "KiB"))):
            self.assertEqual(parameters.split(label), parts)
        for label in ("PN", "n= 3", "PPN n=16 bridges", "n=-3", "n=3e9", "=3", "1n=3"):
            name, key, value, _ = parameters.split(label)
            self.assertEqual((name, key, math.isnan(value)), (label, "", True))


class Curves(unittest.TestCase):
    def one(self, counts):
        table = pairing.frame(made_up(counts))
        return parameters.numbered(table, "s", list(counts), compare.measures(table, "s"))

    def test_points(self):
        one, = self.one({"A n=8": [10, 40], "A n=1": [100, 400], "A n=64": [10, -40], "B n=8": [7, 7], "A": [5, 20]})
        self.assertEqual((one.key, list(one.of)), ("n", ["A", "B", "A, no n"]))
        first, second, third = one.of["A"]
        self.assertEqual([point.value for point in (first, second, third)], [1, 8, 64])
        self.assertAlmostEqual(first.means["iterations"].value, 200)
        self.assertIsNone(first.steps["iterations"])
        self.assertAlmostEqual(second.steps["iterations"].value, 0.1)
        self.assertEqual([point.undecided for point in (first, second, third)], [0, 0, 1])
        self.assertEqual(third.solved.value, 0.5)
        self.assertTrue(parameters.is_line(one.of["A, no n"]))

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
        self.assertEqual(parameters.last_gain(one.of["A"], "iterations").value, 4)
        self.assertIsNone(parameters.last_gain(one.of["A"][2:4], "iterations"))

    def test_what_is_said(self):
        section, = drawn({"A n=1": [100, -400, 90], "A n=2": [50, 199, 44], "A n=4": [25, 101, 23], "B": [9, 9, 9]})
        said, = section["sentences"]
        self.assertTrue(said.startswith("A: a larger n saves iterations up to 4 (153 with 1, 38.7 with 4); the least CPU "
                                        "time is "), said)
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


if __name__ == "__main__":
    unittest.main()
