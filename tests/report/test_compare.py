"""The page that compares algorithms on any game, held against counts done by hand."""

import dataclasses
import math
import re
import unittest

import support
from playproof_report import compare, pairing

# (nodes expanded, verdict) of p0, p1, ...
COUNTS = {"A": [(10, "proved"), (40, "disproved"), (50, "unknown"), (9, "unknown")],
          "B": [(5, "proved"), (80, "disproved"), (20, "proved"), (9, "unknown")],
          "C": [(50, "unknown"), (20, "disproved"), (25, "proved"), (9, "unknown")]}


# What a page says of how it was made.
MADE = ("version", "revision", "compiler", "cpu_model", "host", "backend", "device", "started",
        "finished", "spec")


def with_made(runs, labels, **options):
    for run in runs:
        run.update({name: "x" for name in MADE})
    return support.made_up(runs, labels=labels, kind="compare", **options)


def made_up(counts):
    return with_made([support.run(label, f"p{i}", iterations, verdict)
                      for label, of_label in counts.items()
                      for i, (iterations, verdict) in enumerate(of_label)], tuple(counts))


class Compare(unittest.TestCase):
    def setUp(self):
        self.enterContext(support.undrawn())
        self.experiment = made_up(COUNTS)
        self.table = pairing.frame(self.experiment)
        self.nodes, self.decided = compare.cases(self.table, "s")

    def test_cases(self):
        self.assertEqual(list(self.nodes.index), [(f"p{i}", "win", 1) for i in range(4)])
        self.assertEqual(list(self.nodes.columns), ["A", "B", "C"])
        self.assertEqual(self.nodes["A"].tolist(), [10, 40, 50, 9])
        self.assertEqual(self.decided["C"].tolist(), [False, True, True, False])

    def test_a_run_that_is_missing_is_not_solved(self):
        nodes, decided = compare.cases(self.table.drop(index=0), "s")
        row = ("p0", "win", 1)
        self.assertTrue(math.isnan(nodes.at[row, "A"]))
        self.assertFalse(decided.at[row, "A"])
        cells = self.cells(nodes, decided)
        self.assertEqual([text for text, _ in cells["p0"]], ["-", "5", "> 50"])
        self.assertEqual([names for _, names in compare.solved_by(nodes, decided)],
                         [["p1"], ["p2"], ["p3"]])
        said = compare.sentence(nodes, decided, {}, "Z")
        self.assertIn("Solved by every algorithm: 1 of 3, by none: 1. Of 1 more cases some runs were "
                      "not made. The most, 3, by B.", said)

    def cells(self, nodes, decided):
        found = dict.fromkeys(nodes.index, "proved")
        return {name: cells for name, _, cells in compare.case_table(nodes, decided, found)[1]}

    def test_what_is_sorted_by(self):
        """What was solved by its nodes, then what was not, last what was not run; what is shown is in this
        order too."""
        counts = {"A": [(300, "proved"), (7, "unknown"), (20, "disproved"), (900, "unknown"), (1, "proved")]}
        table = pairing.frame(made_up({**counts, "B": [(1, "proved")] * 5}))
        first = (table["algorithm"] == "A") & (table["problem"] == "p4")
        nodes, decided = compare.cases(table[~first], "s")
        values = {name: float(cells[0][1]) for name, cells in self.cells(nodes, decided).items()}
        self.assertEqual(sorted(values, key=values.get), ["p2", "p0", "p1", "p3", "p4"])

    def test_verdicts(self):
        runs = [support.run(label, problem, 3, verdict) for problem, of in
                (("p", ("proved", "unknown")), ("q", ("unknown", "unknown")),
                 ("r", ("proved", "disproved")), ("t", ("disproved", "disproved")))
                for label, verdict in zip("AB", of)]
        table = pairing.frame(with_made(runs, ("A", "B")))
        nodes, _ = compare.cases(table, "s")
        self.assertEqual(list(compare.verdicts(table, "s", nodes.index).values()),
                         ["proved", "open", "contradiction", "disproved"])

    def test_many_algorithms_have_several_tables(self):
        counts = {f"a{i}": [(i + 1, "proved")] for i in range(10)}
        nodes, decided = compare.cases(pairing.frame(made_up(counts)), "s")
        made = compare.case_tables(nodes, decided, {("p0", "win", 1): "proved"})
        self.assertEqual([(which, len(heads), len(rows[0][2])) for which, heads, rows in made],
                         [(", algorithms 1 to 8 of 10", 10, 8), (", algorithms 9 to 10 of 10", 4, 2)])
        self.assertEqual([text for _, _, rows in made for text, _ in rows[0][2]],
                         [str(i + 1) for i in range(10)])

    def test_who_solved_what(self):
        self.assertEqual(compare.solved_by(self.nodes, self.decided),
                         [({"A", "B"}, ["p0"]), ({"A", "B", "C"}, ["p1"]), ({"B", "C"}, ["p2"]),
                          (set(), ["p3"])])
        counts = {"A": [(1, "proved")] * 9 + [(1, "unknown")], "B": [(1, "unknown")] * 10}
        twice = pairing.frame(with_made([support.run("A", "p", 3, repetition=r) for r in (1, 2)], ("A",)))
        self.assertEqual(compare.solved_table(*compare.cases(twice, "s"))[1], [["2", "✓", "p, 1; p, 2"]])
        heads, rows = compare.solved_table(*compare.cases(pairing.frame(made_up(counts)), "s"))
        self.assertEqual(heads, ["Cases", "A", "B", "Which"])
        self.assertEqual(rows, [["9", "✓", "–", "p0; p1; p2; p3; p4; p5 and 3 more"],
                                ["1", "–", "–", "p9"]])

    def test_very_many_groups_of_solvers(self):
        labels = [f"a{i}" for i in range(14)]
        counts = {label: [(1, "proved" if i == j else "unknown") for j in range(14)]
                  for i, label in enumerate(labels)}
        _, rows = compare.solved_table(*compare.cases(pairing.frame(made_up(counts)), "s"))
        self.assertEqual(len(rows), compare.MOST_GROUPS + 1)
        self.assertEqual((rows[-1][0], rows[-1][-1]), ("2", "in 2 more groups"))

    def test_scatter(self):
        """Its text says what it shows: p0 B has fewer, p1 more; p2 B alone, p3 neither."""
        drawn = compare.figures.scatter_panels("s", self.nodes, self.decided, "A", ["B", "C"])
        self.assertEqual(len(drawn), 2)
        self.assertIn("B against A, one point for each of 4 cases. Of the 2 that both solved B expands "
                      "fewer in 1, more in 1. Solved by B alone 1, by A alone 0, by neither 1.", drawn[0])
        self.assertIn("Of the 1 that both solved C expands fewer in 1, more in 0. Solved by C alone 1, by A "
                      "alone 1, by neither 1.", drawn[1])
        nothing = self.nodes * math.nan
        self.assertEqual(compare.figures.scatter_panels("s", nothing, self.decided, "A", ["B"]), [])

    def test_repetitions_are_cases(self):
        runs = [support.run("A", "p", 3, repetition=r) for r in (1, 2)] + [
            support.run("A", "q", 3, repetition=r) for r in (1, 2)]
        nodes, decided = compare.cases(pairing.frame(with_made(runs, ("A",))), "s")
        self.assertEqual(list(self.cells(nodes, decided)), ["p, 1", "p, 2", "q, 1", "q, 2"])

    def test_solved_within(self):
        found = compare.solved_within(self.nodes, self.decided)
        self.assertEqual({label: values.tolist() for label, values in found.items()},
                         {"A": [10, 40], "B": [5, 20, 80], "C": [20, 25]})

    def test_profile(self):
        """The least are 5 (B), 20 (C), 20 (B): an undecided run is never the least."""
        found = compare.profile(self.nodes, self.decided)
        self.assertEqual({label: values.tolist() for label, values in found.items()},
                         {"A": [2, 2], "B": [1, 1, 4], "C": [1, 1.25]})

    def test_profile_by_time(self):
        """Of A and B on p0 to p2 in seconds; half a microsecond is the least that a clock tells."""
        made = made_up({"A": [(1, "proved")] * 3, "B": [(1, "proved"), (1, "proved"), (1, "unknown")]})
        for run, time in zip(made.runs, (0, 3e-6, 5, 1e-6, 1e-6, 9)):
            run["cpu_seconds"] = time
        table = pairing.frame(made)
        nodes, decided = compare.cases(table, "s")
        times, _ = compare.cases(table, "s", "cpu_seconds")
        found = compare.profile(times, decided, 1e-6)
        self.assertEqual({label: [round(x, 9) for x in values] for label, values in found.items()},
                         {"A": [1, 1, 3], "B": [1, 2]})
        page = compare.section(made)
        self.assertIn("Solved in so many times the least CPU time, share of the 3 cases on s: A 3, half of these at "
                      "1×, all at 3×; B 2, half of these at 1×, all at 2×", page)
        self.assertIn("Last the same profile by the CPU time.", page)

    def test_profile_with_a_count_of_0(self):
        counts = {"A": [(0, "proved"), (0, "unknown")], "B": [(7, "proved"), (3, "proved")],
                  "C": [(0, "proved"), (6, "proved")]}
        nodes, decided = compare.cases(pairing.frame(made_up(counts)), "s")
        found = compare.profile(nodes, decided)
        self.assertEqual({label: values.tolist() for label, values in found.items()},
                         {"A": [1], "B": [1, 14], "C": [1, 2]})

    def test_an_undecided_run_with_few_nodes_wins_nothing(self):
        counts = {"A": [(1, "unknown")], "B": [(7, "proved")]}
        nodes, decided = compare.cases(pairing.frame(made_up(counts)), "s")
        self.assertEqual(compare.profile(nodes, decided)["B"].tolist(), [1])
        self.assertEqual(compare.profile(nodes, decided)["A"].tolist(), [])

    def test_ratios_are_those_of_pairing(self):
        found = compare.ratios(self.table, "s", ["A", "B", "C"], "A", compare.COST)
        self.assertEqual(list(found), ["B", "C"])
        # p0: 5/10, p1: 80/40, p2: 20/50 (a bound); p3 is undecided on both sides
        self.assertAlmostEqual(found["B"].full.value, (0.5 * 2 * 0.4) ** (1 / 3))
        self.assertEqual(found["B"].full.n, 3)
        self.assertEqual(compare.ratios(self.table, "s", ["B", "C"], "A", compare.COST), {})

    def test_what_a_ratio_of_undecided_runs_is(self):
        counts = {"A": [(10, "proved"), (50, "unknown")], "B": [(5, "proved"), (20, "proved")],
                  "C": [(50, "unknown"), (50, "unknown")], "D": [(9, "unknown"), (9, "proved")],
                  "E": [(2, "proved"), (60, "unknown")]}
        table = pairing.frame(made_up(counts))
        found = compare.ratios(table, "s", list(counts), "A", compare.COST)
        self.assertEqual({label: paired.mark for label, paired in found.items()},
                         {"B": "≤ ", "C": "≥ ", "D": "~ ", "E": ""})

    def said(self, counts):
        table = pairing.frame(made_up(counts))
        return compare.sentence(*compare.cases(table, "s"),
                                compare.ratios(table, "s", list(counts), "A", compare.COST), "A")

    def test_sentence(self):
        self.assertEqual(self.said(COUNTS), "Solved by every algorithm: 1 of 4, by none: 1. The most, "
                         "3, by B. Of these none expands fewer nodes than A beyond doubt.")
        ten = [(100 + i, "proved") for i in range(10)]
        less = [(30 + i, "proved") for i in range(10)]
        self.assertIn("The most, 10, by A, B. Of these B alone expands fewer nodes than A beyond doubt: "
                      "0.329× (", self.said({"A": ten, "B": less}))
        self.assertIn("Of these none expands fewer nodes than A beyond doubt.",
                      self.said({"A": less, "B": ten}))

    def test_the_least_of_those_beyond_doubt(self):
        """D has the least mean, and an interval that reaches beyond 1."""
        counts = {"A": [(100 + i, "proved") for i in range(10)],
                  "B": [(80 + i, "proved") for i in range(10)],
                  "D": [(1 if i % 2 else 400, "proved") for i in range(10)]}
        said = self.said(counts)
        self.assertIn("by A, B, D. Of these B alone expands fewer nodes than A beyond doubt: 0.8", said)
        self.assertNotIn("fewest", said)
        said = self.said({**counts, "C": [(50 + i, "proved") for i in range(10)]})
        self.assertIn("Of these 2 expand fewer nodes than A beyond doubt, C with the least ratio: 0.5", said)

    def test_a_ratio_that_may_be_more_is_never_the_least(self):
        """B solved as many as A, but not the same ones."""
        a = [(100, "proved")] * 9 + [(100, "unknown")]
        b = [(1, "unknown")] + [(90, "proved")] * 9
        self.assertIn("none expands fewer", self.said({"A": a, "B": b}))
        self.assertIn("B alone expands fewer nodes than A beyond doubt: ≤ ", self.said(
            {"A": a, "B": [(30, "proved")] * 10}))

    def test_who_evaluates_nothing(self):
        """A leaf that is a number by rule is no evaluation: no ratio to 0, and no mean of it."""
        counts = {"A": [(10, "proved"), (40, "proved")], "B": [(5, "proved"), (80, "proved")],
                  "C": [(7, "proved"), (8, "proved")]}
        made = made_up(counts)
        self.assertIn("Evaluations on s as ratios to A: B", compare.section(made))
        for run in made.runs:
            run["evaluations"] *= run["algorithm"] != "A"
        page = compare.section(made)
        self.assertNotIn("Evaluations on s", page)
        self.assertRegex(page, r'(?s)<th scope="row" class=left>A</th><td>2 of 2</td><td>0</td>')
        for run in made.runs:
            run["evaluations"] = 7 * (run["algorithm"] != "B")
        page = compare.section(made)
        self.assertIn("Evaluations on s as ratios to A: C 1×", page)

    def used(self, counts, device="cpu"):
        """The row of the table "Use this", and the line for the terminal."""
        made = made_up(counts)
        for run in made.runs:
            run.update({"playouts": 64, "device": device})
        self.simulated = made
        table = pairing.frame(made)
        nodes, decided = compare.cases(table, "s")
        time, _, formatter = compare.measures(table, "s")[-1]
        row = compare.advice_row("S", compare.advice(table, "s", nodes, decided, time), len(nodes), formatter)
        return row[1:], [line.strip() for line in compare.text(made) if line.startswith("  use ")]

    def test_what_to_use(self):
        ten = {"A": [(100 + i, "proved") for i in range(10)], "B": [(30 + i, "proved") for i in range(10)],
               "C": [(20 + i, "proved") for i in range(9)] + [(1000, "unknown")]}
        row, line = self.used(ten)  # C is the fastest, and solved less
        self.assertEqual(row, ["B", "10 of 10", "34.4 µs", "none"])
        self.assertEqual(line, ["use B: 10 of 10 solved, CPU time 34.4 µs; not told apart: none"])
        row, _ = self.used({**ten, "D": [(5 if i % 2 else 300, "proved") for i in range(10)]})
        self.assertEqual((row[0], row[3]), ("B", "D (1.13×)"))
        row, _ = self.used({"A": ten["A"], "C": ten["C"]})
        self.assertEqual((row[0], row[3]), ("A", "no other solved as many"))
        row, line = self.used({"A": [(5, "unknown")] * 2, "B": [(6, "unknown")] * 2})
        self.assertEqual((row, line), (["-", "0 of 2", "-", "nothing was solved"], []))

    def test_only_what_all_were_run_on(self):
        """An experiment that was stopped: B is faster, wherever both ran, and lacks a case; then all."""
        table = pairing.frame(made_up({"A": [(9, "proved")] * 3, "B": [(1, "proved")] * 3}))

        def row(table):
            nodes, decided = compare.cases(table, "s")
            found = compare.advice(table, "s", nodes, decided, "cpu_seconds")
            return compare.advice_row("S", found, len(nodes), compare.style.short_time)[1:]
        late = (table["algorithm"] == "B") & (table["problem"] == "p2")
        self.assertEqual(row(table[~late]), ["B", "2 of the 2 that all were run on", "1 µs", "none"])
        apart = (table["algorithm"] == "B") == (table["problem"] == "p0")
        self.assertEqual(row(table[~apart])[1:], ["0 of the 0 that all were run on", "-",
                                                  "no case was run by all algorithms"])

    def test_giving_up_sooner_is_no_merit(self):
        row, _ = self.used({"A": [(100 + i, "proved") for i in range(8)] + [(1, "unknown")] * 2,
                            "B": [(80 + i, "proved") for i in range(8)] + [(5000, "unknown")] * 2})
        self.assertEqual((row[0], row[1], row[3]), ("B", "8 of 10", "none"))

    def test_as_many_but_others(self):
        """Whoever solved other cases than the best may be as good, whatever the ratio looks like."""
        row, _ = self.used({"A": [(10, "proved")] * 9 + [(10, "unknown")],
                            "B": [(10, "unknown")] + [(90 + i, "proved") for i in range(9)]})
        self.assertEqual((row[0], row[3][:4]), ("A", "B (~"))

    def test_time_at_a_devices_price(self):
        row, line = self.used({"A": [(100, "proved")] * 2, "B": [(70, "proved")] * 2}, "simulated")
        self.assertEqual(row[2], "140 µs")  # of the clock, not of the CPU
        self.assertIn("CPU time 70 µs", line[0])
        self.assertIn("Time on a simulated device 140 µs", line[1])
        self.assertIn("      time   over A", "\n".join(compare.text(self.simulated)))
        table = pairing.frame(self.simulated)
        one, = pairing.series_with_runs(self.simulated, table)
        heads, rows = compare._series(self.simulated, table, one)["table"]
        self.assertEqual(heads[-4:], ["CPU time,\ngeometric mean", "over the\nreference",
                                      "Time on a simulated device,\ngeometric mean", "over the\nreference"])
        cpu = compare.means(table, one["name"], ["A"], "cpu_seconds")["A"]
        self.assertEqual(rows[0][-4], compare._interval(cpu, compare.style.short_time))

    def test_what_to_use_by_either_price(self):
        """A is the best on a core, B where a device plays; the page says both, and what a device is."""
        made = made_up({"A": [(100, "proved")] * 2, "B": [(100, "proved")] * 2})
        for run in made.runs:
            run.update({"playouts": 64, "device": "simulated", "backend": "latency:us=20"})
            run["cpu_seconds"], run["seconds"] = (1, 9) if run["algorithm"] == "A" else (8, 3)
        found = compare.uses(made, pairing.frame(made))
        self.assertEqual([(one["measure"], one["label"], round(one["geometric_mean"], 9)) for one in found],
                         [("cpu_seconds", "A", 1), ("seconds", "B", 3)])
        page = compare.section(made)
        by_cpu, by_device = page.index("By the CPU time"), page.index("By the time at a device’s price")
        self.assertIn(">A</td><td>2 of 2</td><td>1 s</td>", page[by_cpu:by_device].replace(" class=left", ""))
        self.assertIn(">B</td><td>2 of 2</td><td>3 s</td>", page[by_device:].replace(" class=left", ""))
        self.assertIn("<strong>simulated</strong> device, <code>latency:us=20</code>: a batch is back", page)
        for run in made.runs:
            run["device"] = "cpu"
        page = compare.section(made)
        self.assertNotIn("simulated", page)
        self.assertNotIn("By the CPU time", page)

    def test_unequal_budgets_are_no_ranking(self):
        """Of a case that B leaves open after less CPU time than A took for it; not after more."""
        made = made_up({"A": [(100, "proved"), (100, "proved")], "B": [(100, "proved"), (50, "unknown")]})
        for seconds, short in ((1.5, ("B",)), (2.5, ())):
            for run in made.runs:
                run["cpu_seconds"] = 2 if run["verdict"] == "proved" else seconds
            table = pairing.frame(made)
            nodes, decided = compare.cases(table, "s")
            found = compare.advice(table, "s", nodes, decided, "cpu_seconds")
            self.assertEqual((found.label, found.short), ("A", short))
            row = compare.advice_row("S", found, 2, compare.style.short_time)
            self.assertEqual(row[1:], ["no ranking", "2 of 2", "-", "B: stopped before the CPU time that A took"]
                             if short else ["A", "2 of 2", "2 s", "no other solved as many"])
            self.assertEqual(compare.uses(made, table)[0]["short"], list(short))
            page = compare.section(made)
            self.assertIn(f"Undecided runs were stopped after this CPU time: B {seconds} s (1).", page)
            self.assertEqual("no ranking</td>" in page.replace(" class=left", ""), bool(short))
            # The plot at the top: what one would use, or who solved how much within a time.
            self.assertEqual("s: solved within so much CPU time" in page, bool(short))
            if support.NIGHTLY:  # it is written in the plot
                self.assertEqual("times the CPU time of A" in page, not short)
            line, = (line for line in compare.text(made) if line.startswith(("  use", "  no ranking")))
            self.assertEqual(line.startswith("  no ranking by CPU time: B"), bool(short))
        self.assertEqual(compare.given(table, "s", ["A"]), "")

    def test_a_step_beyond_equal_limits_is_no_unequal_budget(self):
        """The clock is looked at between steps: A decides in its last one, which B's was shorter than."""
        made = made_up({"A": [(100, "proved")] * 2, "B": [(100, "proved"), (90, "unknown")]})
        for limit, short in ((2.0, ()), (2.04, ("B",)), (3.0, ("B",)), (None, ("B",))):
            for run in made.runs:
                run["max_cpu_seconds"] = limit
                run["cpu_seconds"] = 2.05 if run["verdict"] == "proved" else 2.03
            table = pairing.frame(made)
            nodes, decided = compare.cases(table, "s")
            self.assertEqual(compare.cut_short(table, "s", decided, "A"), short)

    def test_what_plays_nothing_takes_its_cpu_time(self):
        """At a device's price; the clock counts what else ran. Elsewhere it stays what it was."""
        made = made_up({"A": [(100, "proved")] * 2, "B": [(100, "proved")] * 2})
        for run in made.runs:
            run.update({"playouts": 64 * (run["algorithm"] == "A"), "seconds": 9, "cpu_seconds": 2})
        for device, of_b in (("simulated", 2), ("cpu", 9)):
            for run in made.runs:
                run["device"] = device
            table = pairing.frame(made)
            self.assertEqual(table.groupby("algorithm")["seconds"].mean().to_dict(), {"A": 9, "B": of_b})
        for run in made.runs:
            run["device"] = "simulated"
        self.assertIn("plays nothing takes its CPU time", compare.section(made).replace("\n", " "))

    def test_one_problem_has_no_interval(self):
        made = made_up({"A": [(10, "proved")], "B": [(25, "proved")]})
        page = compare.section(made)
        self.assertIn("<td>2.5×</td>", page)
        two = compare.section(made_up({"A": [(10, "proved"), (1, "proved")],
                                       "B": [(25, "proved"), (80, "proved")]}))
        self.assertIn("0 – ∞", two)
        self.assertNotIn("000,000", page + two)

    def test_a_very_small_mean_is_not_0(self):
        """Less than a microsecond is no ratio below all that is shown."""
        mean = compare.means(self.table, "s", ["A"], "cpu_seconds")["A"]
        self.assertLess(mean.low, 1e-5)

        def shown(low):
            return compare._interval(dataclasses.replace(mean, low=low), compare.style.short_time)
        self.assertIn("0.5 µs – ", shown(5e-7))
        self.assertIn(">0 – ", shown(mean.value / 1e7))

    def test_choices_are_no_algorithms_of_their_own(self):
        made = made_up({"A": [(10, "proved"), (9, "proved")], "B": [(5, "proved"), (20, "proved")]})
        made.plan["choices"] = [{"label": "best of all", "labels": ["A", "B"], "how": "best",
                                 "measure": "iterations", "series": ["s"]}]
        page = compare.section(made)
        self.assertIn("The most, 2, by A, B.", page)
        self.assertIn("best of all", page)  # in figure and table

    def test_nothing_solved(self):
        nothing = made_up({"A": [(5, "unknown")] * 2, "B": [(6, "unknown")] * 2})
        self.assertEqual(compare.text(nothing)[2:4], ["  A       0 of 2          -          -",
                                                      "  B       0 of 2          -          -"])
        self.assertIn("of 2, by none: 2. Undecided", compare.section(nothing))

    def test_among_many_the_reference_and_the_best_are_in_colour(self):
        counts = {f"a{i}": [(100 - i, "proved")] * 2 for i in range(20)}
        counts["a19"] = [(1, "unknown")] * 2  # solved least, whatever it needed
        nodes, decided = compare.cases(pairing.frame(made_up(counts)), "s")
        self.assertEqual(compare.named(nodes, decided, nodes, "a0"),
                         ["a0"] + [f"a{i}" for i in range(11, 19)])
        times = nodes * 1e-6  # three are fast and need many nodes
        times[["a1", "a2", "a3"]] /= 1e6
        self.assertEqual(compare.named(nodes, decided, times, "a0"),
                         ["a0", "a1", "a2", "a3"] + [f"a{i}" for i in range(14, 19)])

    def test_page(self):
        page = compare.section(self.experiment)
        self.assertIn("4 cases. Solved by every algorithm: 1 of 4", page)
        self.assertIn("2 of 4", page)
        self.assertIn('<td data-value="1000000000000050">&gt; 50</td>', page)
        for heading in ("Who solved what", "Problem by problem"):
            self.assertEqual(page.count(f"<h3>{heading}</h3>"), 1)
        labels = re.findall(r'aria-label="([^"]+)"', page)
        self.assertEqual(len(labels), 1 + 4 + 3 + 2)  # what to use, ratios, shares solved, scattered
        self.assertEqual(labels[0], "Times the CPU time of B on s: B, the one to use; A 1.36×, interval 0.156× to "
                                    "11.8×; C 1.46×, interval 0.0148× to 145×.")
        self.assertIn("Iterations on s as ratios to A: B 0.737×, interval 0.0845× to 6.43×; C 1.08×", labels[1])
        self.assertIn("Solved with so many nodes expanded, share of the 4 cases on s: A 2, half of these at "
                      "10, all at 40; B 3, half of these at 20, all at 80; C 2", labels[5])

    def test_text(self):
        self.assertEqual([line.split() for line in compare.text(self.experiment)[2:5]],
                         [["A", "2", "of", "4", "-", "-"],
                          ["B", "3", "of", "4", "≤", "0.737×", "≤", "0.737×"],
                          ["C", "2", "of", "4", "~", "1.08×", "~", "1.08×"]])

    def test_a_series_without_the_reference(self):
        runs = [support.run("A", "p", 5), support.run("B", "p", 7, series="t")]
        made = with_made(runs, ("A", "B"), series=("s", "t"))
        self.assertEqual(compare.text(made)[-1].split(), ["B", "1", "of", "1", "-", "-"])
        self.assertIn("There are no runs of A here", compare.section(made))


if __name__ == "__main__":
    unittest.main()
