"""Settings over two numbers, choices among them, and the hill climbing of the thesis."""

import copy
import functools
import json
import math
import os
import unittest

import numpy

import support
from playproof_report import choices, compare, deep_dfpn, maps, pairing, tuning


def deep(places):
    """(an experiment with df-pn, 1+eps, and Deep df-pn at these (E, D), its labels, its table)"""
    made, labels, table = chosen(places)
    return copy.deepcopy(made), labels, table


@functools.cache  # choices take long
def chosen(places, choices_too=True):
    labels = ["df-pn", "1+eps 1", "1+eps 2", *(f"Deep E={e} D={d}" for e, d in places)]
    runs = [{**support.run(label, f"p{i}", 100 + (number + 2) * (i * 7 % 5) + 9 * number), "re_entries": 5 + number,
             "parameters": json.dumps(dict(zip(("leaf", "E", "D"), ("deep", *places[number - 3]))) if number > 2 else {})}
            for number, label in enumerate(labels) for i in range(6)]
    made = support.made_up(runs, labels=labels)
    made.plan["choices"] = [
        {"label": label + how, "labels": [x for x in labels if x.startswith(of)],
         "how": kind, "measure": "nodes_created", "series": ["s"]}
        for label, of in (("Deep", "Deep "), ("1+eps", "1+eps "))
        for how, kind in ((" tuned", "leave one out"), (" halves", "repeated splits")) if choices_too]
    return made, labels, pairing.frame(made)


class Maps(unittest.TestCase):
    def test_which_labels_are_a_map(self):
        """Both numbers have five values; fewer are curves."""
        grid = [f"Deep E={e} D={d}" for e in range(1, 6) for d in range(1, 6)]
        one, = maps.found(["df-pn", *grid, "1+eps 0.05"])
        self.assertEqual((one.name, one.keys, list(one.labels.values())), ("Deep", ("E", "D"), grid))
        self.assertEqual(one.sides, [[1, 2, 3, 4, 5]] * 2)
        self.assertEqual(maps.found([label for label in grid if "E=5" not in label]), [])
        self.assertEqual(compare.off_the_maps(["df-pn", *grid, "n=3"]), ["df-pn", "n=3"])

    def test_the_saturated_corner_is_hatched(self):
        """20^10 is below 2^46, 20^11 is not; 9^14 and 10^13 are the least powers of theirs."""
        for e, d, at_the_cap in ((20, 11, False), (20, 12, True), (9, 15, False), (10, 15, True),
                                 (10, 14, False), (1, 15, False), (2, 47, True), (2, 46, False)):
            self.assertEqual(deep_dfpn.saturated(float(e), float(d)), at_the_cap, (e, d))
        with open(os.path.join(support.SOURCE, "kernels", "numbers", "phi_delta.h"), encoding="utf-8") as file:
            self.assertIn("kPhiDeltaCap = std::uint64_t{1} << 46;", file.read())
        self.assertEqual(deep_dfpn.CAP, 2 ** 46)
        for last, hatched in ((8, False), (15, True)):
            _, labels, table = chosen(tuple((e, d) for e in (2, 3, 4, 5, 20) for d in (2, 3, 4, 5, last)), False)
            one, = maps.section(table, "s", labels, "df-pn")
            drawing = "".join(one["figure"])
            self.assertEqual("at the cap" in drawing, hatched)
            self.assertEqual("<pattern" in drawing, hatched)

    def test_without_the_reference_there_is_none(self):
        _, labels, table = chosen(tuple((e, d) for e in range(1, 6) for d in range(1, 6)), False)
        self.assertEqual(maps.section(table, "s", labels[1:], "df-pn"), [])


class Tuning(unittest.TestCase):
    def test_how_much_the_split_decides(self):
        made, _, table = deep(((2, 2), (3, 4), (20, 8)))
        found = tuning.tunings(made, table, "s", "df-pn")
        self.assertEqual([t.name for t in found], ["Deep over df-pn", "Deep over 1+eps", "1+eps over df-pn"])
        for tuned, (above, below) in zip(found, (("Deep tuned", "df-pn"), ("Deep tuned", "1+eps tuned"),
                                                 ("1+eps tuned", "df-pn"))):
            nested = pairing.ratio(table, "s", "nodes_created", above, below).full
            self.assertAlmostEqual(tuned.left_out.value, nested.value)
            self.assertAlmostEqual(tuned.left_out.high, nested.high)
            self.assertEqual(len(tuned.splits), choices.SPLITS)
            self.assertGreaterEqual(tuned.place, (tuned.splits > tuned.halves).mean())
        halves = pairing.ratio(table, "s", "nodes_created", "Deep halves", "df-pn").full
        self.assertAlmostEqual(math.log(halves.value), numpy.log(found[0].splits).mean())

    def test_choices_whose_settings_have_no_run_yet(self):
        """An experiment that was stopped early: the page has what there is."""
        made, _, table = deep(((2, 2), (3, 4), (20, 8)))
        for there, names in ((["df-pn", "1+eps 1"], ["1+eps over df-pn"]), (["df-pn"], [])):
            some = table[table["algorithm"].isin(there)]
            self.assertEqual([t.name for t in tuning.tunings(made, some, "s", "df-pn")], names)

    def test_settings_by_one_measure_are_not_compared_with_those_by_another(self):
        made, _, table = deep(((2, 2), (3, 4), (20, 8)))
        sentence = tuning.step_sentence(made, table, "s", "df-pn")
        made.plan["choices"] += [{**made.plan["choices"][0], "label": "Deep entries", "measure": "re_entries"}]
        self.assertEqual([t.name for t in tuning.tunings(made, table, "s", "df-pn")],
                         ["Deep over df-pn", "Deep over 1+eps", "1+eps over df-pn", "Deep entries over df-pn, re entries"])
        self.assertEqual(tuning.step_sentence(made, table, "s", "df-pn"), sentence)

    def test_on_a_page(self):
        made, _, table = deep(((2, 2), (3, 4), (20, 8)))
        with support.undrawn():
            one = compare._series(made, table, made.series()[0])["tuning"]
        self.assertEqual([row[0] for row in one["rows"]], ["Deep tuned", "Deep halves", "1+eps tuned", "1+eps halves"])
        self.assertEqual((len(one["splits"]), len(one["split_rows"])), (3, 3))
        self.assertEqual([label for label, _, _ in one["legend"]], ["every other problem", "leave one out"])
        self.assertTrue(one["sentence"].startswith("From one setting to the next the nodes of a problem change by "))
        made.plan["choices"] = []
        self.assertEqual(tuning.section(made, table, "s", "df-pn"), {})

    def test_how_rough_the_ground_is(self):
        """Along the first number, the others held: of 1, 2, 4 nodes a doubling from each to the next."""
        labels = [f"Deep E={e} D={d}" for e in (1, 2, 3) for d in (1, 9)]
        runs = [support.run("df-pn", "p", 5)] + [
            support.run(label, "p", 2 ** (i // 2) * (1 + 99 * (i % 2))) for i, label in enumerate(labels)]
        made = support.made_up(runs, labels=["df-pn", *labels])
        made.plan["choices"] = [{"label": "c", "labels": labels, "how": "tuned", "measure": "iterations", "series": ["s"]}]
        self.assertEqual(tuning.step_sentence(made, pairing.frame(made), "s", "df-pn"),
                         "From one setting to the next the nodes of a problem change by 100.0 % along E (mean of |log ratio|).")

    def test_climb(self):
        def cost(rows):
            return {(e, d): float(count) for d, row in enumerate(rows, 1) for e, count in enumerate(row, 1)}
        # Downhill to the corner, over one bad step, and stuck behind two.
        self.assertEqual(deep_dfpn.climb(cost([[9, 9, 9], [9, 5, 4], [9, 4, 1]]))[:2], (3, 3))
        over = cost([[9] * 5, [9, 5, 6, 3, 2], [9, 9, 9, 9, 9]])
        self.assertEqual(deep_dfpn.climb(over)[:2], (5, 2))
        stuck = cost([[9] * 5, [9, 5, 6, 7, 1], [9, 9, 9, 9, 9]])
        self.assertEqual(deep_dfpn.climb(stuck)[:2], (2, 2))
        flat = cost([[5] * 9] * 9)
        self.assertLess(deep_dfpn.climb(flat)[2], 20)
        # Settings of 0 are no neighbours from the other side, and what is not there ends it.
        self.assertEqual(deep_dfpn.climb({(0, 2): 5.0, (2, 2): 100.0, (3, 2): 900.0}), (2, 2, 2))
        self.assertEqual(deep_dfpn.climb({(2, 2): 100.0, (4, 2): 9.0})[:2], (2, 2))

    def test_climbs_of_a_series_that_was_stopped(self):
        runs = [{**support.run(f"E={e} D={d}", problem, count),
                 "parameters": json.dumps({"leaf": "deep", "E": e, "D": d})}
                for problem, of in (("one", {(1, 1): 9, (2, 2): 6, (3, 2): 4}), ("two", {(1, 1): 9}))
                for (e, d), count in of.items()]
        self.assertEqual(tuning.climbs(pairing.frame(support.made_up(runs)), "s"), [("one", 3, 2, 2, 1.0)])


if __name__ == "__main__":
    unittest.main()
