"""Algorithms that are compared must have had the same help, or the report says so."""

import json
import os
import tempfile
import unittest

import support
from playproof_report import claims, page, pairing, probes, summary


def run(label, problem, parameters, expanded, endings, series="s"):
    made = support.run(label, problem, expanded + (endings or 0), series=series)
    made.update(parameters=json.dumps(parameters), nodes_expanded=expanded, endings=endings)
    return made


def made_up(runs, **options):
    return support.made_up(runs, **{"claims": [support.claim()], "kind": "compare", **options})


def seen(made):
    return probes.with_probes(pairing.frame(made))


class Offered(unittest.TestCase):
    def test_what_parameters_say(self):
        for parameters, text in (({}, "no probe"), ({"endings": "0"}, "no probe"),
                                 ({"endings": "12"}, "endings=12"), ({"probe": "4"}, "no probe"),
                                 ({"probe": "none"}, "no probe"), ({"probe": "pn2"}, "probe=pn2"),
                                 ({"probe": "none", "endings": "12"}, "no probe"),
                                 ({"probe": "4", "endings": "12"}, "endings=12"),
                                 ({"probe": "endings"}, "endings=12"),
                                 ({"probe": "endings", "endings": "8"}, "endings=8"),
                                 ({"probe": "endings", "endings": "0"}, "no probe"),
                                 ({"endings": "8", "probe": "pn2"}, "probe=pn2, endings=8")):
            with self.subTest(parameters=parameters):
                self.assertEqual(probes.offered(parameters), text)


class Unequal(unittest.TestCase):
    ON, OFF = {"endings": "12"}, {"endings": "0"}

    def warned(self, runs, **options):
        made = made_up(runs, **options)
        return probes.warnings(made, seen(made))

    def test_one_side_alone(self):
        text, = self.warned([run("A", "p", self.ON, 25, 75), run("B", "p", self.OFF, 900, 0)])
        self.assertIn("Unequal help on s", text)
        self.assertIn("endings=12 decided 75 % of the leaves of A", text)
        self.assertIn("B had no probe", text)

    def test_other_probes(self):
        text, = self.warned([run("A", "p", {"endings": "8"}, 999, 1),
                             run("B", "p", self.ON, 1, 999)])
        self.assertIn("endings=8 decided 0.1 % of the leaves of A", text)
        self.assertIn("endings=12 decided 99.9 % of the leaves of B", text)

    def test_the_same_probes_are_equal_help(self):
        # However much they found to decide.
        self.assertEqual(self.warned([run("A", "p", self.ON, 90, 10),
                                      run("B", "p", self.ON, 1, 99)]), [])

    def test_a_probe_that_decides_nothing_is_no_help(self):  # endings=12 on Hex
        self.assertEqual(self.warned([run("A", "p", self.ON, 90, 0),
                                      run("B", "p", self.OFF, 91, 0)]), [])

    def test_older_stores(self):
        self.assertEqual(self.warned([run("A", "p", self.OFF, 90, None),
                                      run("B", "p", {}, 91, None)]), [])
        made = made_up([run("A", "p", self.ON, 9, None), run("B", "p", {}, 91, 0)])
        self.assertIsNone(probes.share(seen(made)[:1]))
        plain = support.made_up([support.run("A", "p", 1), support.run("B", "p", 1)],
                                claims=[support.claim()])
        self.assertEqual(probes.warnings(plain, seen(plain)), [])
        self.assertEqual(page.helped(plain), "")

    def test_only_on_the_series_where_it_was(self):
        runs = [run(label, "p", parameters, 5, endings, series)
                for series, decided in (("hex", 0), ("othello", 50))
                for label, parameters, endings in (("A", self.ON, decided), ("B", {}, 0))]
        text, = self.warned(runs, series=("hex", "othello"), claims=())
        self.assertIn("on othello", text)
        self.assertEqual([row[0] for row in probes.rows(seen(made_up(runs)))], ["othello"] * 2)

    def test_an_algorithm_that_is_compared_with_nobody(self):
        # B is no reference, and on the claim's other side is one of its own kind.
        runs = [run("A", "p", {}, 50, 0), run("B", "p", self.ON, 5, 5), run("C", "p", self.ON, 5, 6)]
        claim = support.claim(subject="B", base="C")
        labels = ("A", "B", "C")
        self.assertEqual(self.warned(runs, labels=labels, claims=[claim], kind="agreement"), [])
        text, = self.warned(runs, labels=labels, claims=[claim])  # but a ratio to the reference
        self.assertIn("of the leaves of B, C", text)

    def test_leaves_of_a_tree(self):
        # 11 nodes, 4 of them expanded: 7 leaves. A depth-first search took up 4 + 6 positions.
        runs = [run("A", "p", {"probe": "endings"}, 4, 6), run("B", "p", self.ON, 4, 6)]
        runs[0].update(spec="pn:probe=endings", nodes_created=11)
        runs[1].update(spec="dfpn:endings=12", nodes_created=99)
        self.assertEqual(self.warned(runs), [])  # the same probe under two names
        rows = probes.rows(seen(made_up(runs)))
        self.assertEqual([row[2:] for row in rows], [["endings=12", "85.7 %", "7"],
                                                     ["endings=12", "60 %", "10"]])

    def test_many_algorithms_are_one_sentence(self):
        labels = tuple(f"n={n}" for n in range(40))
        runs = [run(label, "p", self.ON if i % 2 else {}, 5, 5 * (i % 2))
                for i, label in enumerate(labels)]
        text, = self.warned(runs, labels=labels, claims=())
        self.assertIn("n=1, n=3, n=5 and 17 more", text)
        rows = probes.rows(seen(made_up(runs)))
        self.assertEqual([row[3] for row in rows], ["none", "50 %"])

    def test_a_claim_says_so(self):
        made = made_up([run(label, f"p{i}", parameters, 1 + i, endings)
                        for i in range(5) for label, parameters, endings in
                        (("A", self.ON, 3 if i else 0), ("B", {}, 0))])
        judged, = claims.judge(made, pairing.frame(made))
        self.assertEqual(judged.help, "unequal help in 4 of 5 pairs: of A's leaves endings=12 "
                                      "decided 44.4 %; B had no probe")
        self.assertIn("unequal help in 4 of 5 pairs", page.claims_table([judged]))
        self.assertIn("unequal help", "\n".join(claims.lines([judged])))


class FromOutside(unittest.TestCase):
    """df-pn with its default exact endings beside PPN, which has none."""

    PLAN = """
name = "help"
[limits]
max_nodes = 100000
[report]
kind = "{kind}"
reference = "PPN"
[[series]]
name = "othello"
game = "othello:size=4"
positions = [""]
[[algorithm]]
label = "PPN"
spec = "ppn:playouts=8"
[[algorithm]]
label = "df-pn"
spec = "dfpn:leaf=unit,endings={endings}"
"""

    def report(self, endings, kind="compare"):
        with tempfile.TemporaryDirectory() as folder:
            plan, store, html = (os.path.join(folder, name)
                                 for name in ("plan.toml", "r.db", "r.html"))
            with open(plan, "w", encoding="utf-8") as file:
                file.write(self.PLAN.format(endings=endings, kind=kind))
            support.experiment(plan, store)
            with support.undrawn():
                shown = [support.report(store, *arguments) for arguments in (["--output", html], ["--format", "text"])]
            self.assertEqual([one.returncode for one in shown], [0, 0])
            with open(html, encoding="utf-8") as file:
                return file.read(), shown[0].stderr, shown[1].stdout

    def test_unequal(self):
        pages, err, text = self.report(endings=9)
        self.assertIn('<div class="warning">Unequal help on othello', pages)
        self.assertIn("leaves that<br>a probe decided", pages)
        self.assertIn("playproof: warning: Unequal help on othello: PPN had no probe", err)
        self.assertIn("Note: Unequal help on othello", text)

    def test_equal(self):
        pages, err, text = self.report(endings=0)
        self.assertNotIn("nequal help", pages + err + text)
        self.assertNotIn("a probe decided", pages)

    def test_agreement_compares_nobody(self):
        pages, err, _ = self.report(endings=9, kind="agreement")
        self.assertEqual(err, "")
        self.assertIn("leaves that<br>a probe decided", pages)


class Summary(unittest.TestCase):
    def test_a_warning_is_one_of_the_experiment(self):
        made = made_up([run("A", "p", {"endings": "12"}, 1, 1), run("B", "p", {}, 5, 0)])
        self.assertEqual(summary.warn([made]), made.warnings)
        self.assertEqual(len(made.warnings), 1)


if __name__ == "__main__":
    unittest.main()
