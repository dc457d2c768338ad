"""How pairs without data, counts of 0, small samples and the project's own claims are judged and
shown."""

import json
import math
import os
import tempfile
import unittest

import numpy

import support
from playproof_report import choices, claims, maps, moves, page, pairing, parameters
from playproof_report.statistics import Interval


def made_of(counts):
    """counts: {label: [iterations, ...]}, one a problem; a negative count is undecided."""
    runs = []
    for label, values in counts.items():
        for i, count in enumerate(values):
            run = support.run(label, f"p{i}", abs(count), "unknown" if count < 0 else "proved")
            run["parameters"] = "{}"
            run["re_entries"] = run["iterations"]
            runs.append(run)
    return runs


def over_base(counts):
    """The curves of {label: [iterations, ...]}, whose first label is the reference."""
    made = support.made_up(made_of(counts), labels=tuple(counts))
    one, = parameters.numbered(pairing.frame(made), "s", list(counts), [("iterations_normalised", "Iterations", str)],
                               next(iter(counts)))
    return one


def judge(counts, **claim):
    made = support.made_up(made_of(counts), claims=[support.claim(**claim)])
    return claims.judge(made, pairing.frame(made))[0]


class UndecidedOnBothSides(unittest.TestCase):
    def test_all_pairs(self):
        for low, high in ((0, 1), (1, None), (0.5, 2)):
            result = judge({"A": [-100] * 8, "B": [-100] * 8}, low=low, high=high)
            self.assertEqual(result.verdict, claims.NO_DATA)
            self.assertEqual(result.interval.n, 0)
            self.assertIn("8 pairs undecided on both sides: no data", result.note)
            self.assertNotIn("1.000", page.claims_table([result]))
            self.assertIn('aria-label="no data"', page.claims_table([result]))

    def test_they_draw_no_ratio_to_one(self):
        result = judge({"A": [10, 11, 12, 10, 11, -100, -100], "B": [100] * 5 + [-100] * 2},
                       high=0.2)
        self.assertLess(result.interval.value, 0.12)
        self.assertEqual(result.interval.n, 5)
        self.assertEqual(result.verdict, claims.REPRODUCED)

    def test_half_of_the_pairs_settles_nothing(self):
        result = judge({"A": [10, 11, 12, -100, -100, -100], "B": [100] * 3 + [-100] * 3})
        self.assertEqual(result.verdict, claims.PARTLY)
        self.assertEqual(judge({"A": [10, 11, 12, -100, -100], "B": [100] * 3 + [-100] * 2},
                               high=None, low=1).verdict, claims.NOT)

    def test_pages(self):
        one = over_base({"R=1": [-100, 100], "R=0.5": [-100, 50], "R=0.25": [-100, 20]})
        self.assertEqual([round(point.ratio("iterations_normalised").value, 9) for point in one.of["R"]], [0.2, 0.5, 1])
        table = pairing.frame(support.made_up(made_of({"df-pn": [-100, 100, 100], "wide": [-100, 50, -200]})))
        ratios = numpy.exp(maps.relative(table, "s", "iterations", "df-pn")["wide"])
        self.assertTrue(math.isnan(ratios.iloc[0]))
        self.assertEqual([round(r, 6) for r in ratios.iloc[1:]], [0.5, 2.0])
        table = pairing.frame(support.made_up(made_of({"A": [-1000, 10], "B": [-1000, 100]})))
        self.assertAlmostEqual(moves.ratio_of_means(table, "s", "iterations", "A", "B").value, 0.1)

    def test_nothing_at_all_is_drawn_without_a_trace(self):
        labels = ["df-pn", *(f"Deep E={e} D={d}" for e in range(5) for d in range(5))]
        table = pairing.frame(support.made_up(made_of({label: [-9, -9] for label in labels}), labels=labels))
        one, = maps.section(table, "s", labels, "df-pn")
        self.assertEqual((one["name"], len(one["figure"])), ("E and D, Deep", 2))


class Zeros(unittest.TestCase):
    def test_a_count_of_zero_is_less_than_any(self):
        result = judge({"A": [0, 0, 0, 0], "B": [10, 20, 10, 20]}, measure="re_entries")
        self.assertEqual(result.verdict, claims.REPRODUCED)
        self.assertEqual(result.interval.n, 4)
        self.assertAlmostEqual(result.interval.value, 0.5 / math.sqrt(200))
        self.assertIn("4 pairs with a count of 0", result.note)
        self.assertEqual(judge({"A": [1, 1, 1], "B": [0, 0, 0]}, measure="re_entries").verdict,
                         claims.NOT)

    def test_equal_zeros_are_equal(self):
        result = judge({"A": [0] * 5, "B": [0] * 5}, measure="re_entries")
        self.assertEqual((result.interval.value, result.interval.n), (1.0, 5))
        self.assertEqual(result.verdict, claims.NOT)  # not less

    def test_other_pairs_keep_their_ratio(self):
        result = judge({"A": [1, 2, 3], "B": [2, 4, 6]}, measure="re_entries")
        self.assertAlmostEqual(result.interval.value, 0.5)

    def test_shares_and_times(self):
        runs = [support.run("A", "p0", 0, divisor=8), support.run("B", "p0", 1)]
        table = pairing.frame(support.made_up(runs))
        full = pairing.ratio(table, "s", "iterations_normalised", "A", "B").full
        self.assertAlmostEqual(full.value, 1 / 16)  # half of an eighth
        full = pairing.ratio(table, "s", "cpu_seconds", "A", "B").full
        self.assertAlmostEqual(full.value, 0.5)  # half a microsecond

    def test_a_counter_that_old_rows_lack_is_no_zero(self):
        runs = made_of({"A": [5, 5, 5], "B": [10, 10, 10]})
        runs[0]["re_entries"] = None
        made = support.made_up(runs, claims=[support.claim("re_entries")])
        result = claims.judge(made, pairing.frame(made))[0]
        self.assertEqual(result.interval.n, 2)
        self.assertIn("1 pair whose stored rows lack this count", result.note)

    def test_curves_and_choices_keep_them(self):
        counts = {"PPN n=1": [4, 4], "PPN n=2": [0, 1], "PPN n=4": [1, 1]}
        table = pairing.frame(support.made_up(made_of(counts)))
        one, = parameters.numbered(table, "s", list(counts), [("iterations", "Iterations", str)], "PPN n=1")
        means = [point.means["iterations"] for point in one.of["PPN"]]
        self.assertEqual([mean.n for mean in means], [2, 2, 2])
        self.assertAlmostEqual(means[1].value, math.sqrt(0.5))
        table = pairing.frame(support.made_up(made_of({"a": [0, 100], "b": [1, 60]})))
        # In the mean of logarithms 0 and 100 are less than 1 and 60; with 1 + x they are more.
        choice = {"label": "c", "labels": ["a", "b"], "how": "tuned", "measure": "iterations",
                  "series": ["s"]}
        means = choices.costs(table, choice).mean()
        self.assertLess(means["a"], means["b"])
        self.assertEqual(list(numpy.exp(choices.costs(table, choice)["a"]).round(9)), [0.5, 100])

    def test_arithmetic_mean_of_ratios(self):
        one = over_base({"R=1": [0, 10], "R=0.5": [1, 10], "R=0.25": [1, 10]})
        self.assertAlmostEqual(one.of["R"][1].ratio("iterations_normalised", "mean of ratios").value, (2 + 1) / 2)

    def test_a_mean_of_zero_is_named(self):
        table = pairing.frame(support.made_up(made_of({"A": [0, 0, 0], "B": [5, 7, 9]})))
        figure = moves.means_figure(table, "s", ["A", "B"], "iterations", lambda x, _=None: f"{x:g}", "x",
                                    {"A": "#000000", "B": "#ff0000"})
        self.assertEqual([picture.count(">A: 0<") for picture in figure], [1, 1])

    def test_the_page_says_so(self):
        result = judge({"A": [0] * 3, "B": [5] * 3}, measure="re_entries")
        self.assertIn("A count of 0 enters ratios as 1/2", page.claims_section([result]))


class SmallSamples(unittest.TestCase):
    def test_curves_are_students(self):
        one = over_base({"df-pn": [100, 100, 100], "1+eps 1": [50, 100, 200], "1+eps 2": [9, 9, 9], "1+eps 3": [9, 9, 9]})
        self.assertEqual((one.key, one.base_words, list(one.averages)), ("1+eps", "df-pn", ["geometric mean"]))
        half = 4.30265 * math.log(2) / math.sqrt(3)  # t of two degrees of freedom; 1.96 of none
        found = one.of["1+eps"][0].ratio("iterations_normalised")
        self.assertAlmostEqual(found.value, 1.0)
        self.assertAlmostEqual(math.log(found.high), half, places=4)
        self.assertAlmostEqual(math.log(found.low), -half, places=4)


PLAN = """
name = "small"
[limits]
max_nodes = 1000
[report]
kind = "{kind}"
[[series]]
name = "trees"
game = "pgame:branching=2,depth=4"
trees = {{ from = 1, to = 4 }}
[[algorithm]]
label = "PPN"
spec = "ppn"
[[algorithm]]
label = "PN"
spec = "pn"
[[claim]]
id = "theirs"
text = "A paper's claim."
source = "section 1"
formula = "iterations(PPN) < 9 * iterations(PN)"
[[claim]]
id = "ours"
text = "A claim of ours."
source = "a thought"
own = true
formula = "iterations(PPN) < 0.001 * iterations(PN)"
"""


class OwnClaims(unittest.TestCase):
    def report(self, kind, form):
        with tempfile.TemporaryDirectory() as folder, support.undrawn():
            plan, store = os.path.join(folder, "plan.toml"), os.path.join(folder, "r.db")
            with open(plan, "w", encoding="utf-8") as file:
                file.write(PLAN.format(kind=kind))
            support.experiment(plan, store)
            out = os.path.join(folder, "out")
            self.assertEqual(support.report(store, "--format", form, "--output", out).returncode, 0)
            with open(out, encoding="utf-8") as file:
                return file.read()

    def test_page(self):
        text = self.report("compare", "html")
        self.assertEqual(text.count("The project's own claim."), 1)
        self.assertIn("claims of papers reproduced", text)
        ours = text.index("A claim of ours.")
        self.assertLess(text.index("The project's own claim.", ours) - ours, 200)

    def test_text(self):
        lines = self.report("compare", "text").splitlines()
        self.assertIn("Claims of papers: 1 reproduced", lines)
        self.assertIn("The project's own claims: 1 not reproduced", lines)

    def test_json(self):
        made, = json.loads(self.report("compare", "json"))["experiments"]
        self.assertEqual([claim["own"] for claim in made["plan"]["claims"]], [False, True])

    def test_without_own_claims_nothing_is_said_of_papers(self):
        judged = claims.Judgement(support.claim(), "s", claims.PARTLY, Interval(1, 0.5, 2, 9), 0, 1,
                                  "")
        self.assertEqual(claims.lines([judged]), ["Claims: 1 partly"])

    def test_survey_claims_of_the_table_plan(self):
        """The survey describes replacement and has no numbers: every claim there is ours."""
        path = os.path.join(support.SOURCE, "bench", "plans", "table.toml")
        with open(path, encoding="utf-8") as file:
            parts = file.read().split("[[claim]]")[1:]
        self.assertEqual(len(parts), 7)
        for part in parts:
            self.assertIn("\nthought = ", part)


if __name__ == "__main__":
    unittest.main()
