"""Sweeps of plans: one series, algorithm or claim for each value."""

import json
import os
import sys
import tomllib
import unittest

from experiments import PLAN, ExperimentTest, query
from program import SOURCE, run

sys.path.insert(0, os.path.join(SOURCE, "python"))
from playproof_report import sweeps  # noqa: E402


class Sweeps(ExperimentTest):
    def test_sweeps(self):
        def sweep(text):
            return f'spec = "deeppn:R={{R}}"\nsweep = {{ {text} }}'
        old = 'label = "PN"\nspec = "pn:ties=left"'

        def refuse(text, line, *fragments):
            self.refuse(old, 'label = "R={R}"\n' + sweep(text), line, *fragments)
        refuse('key = "R", from = 1.0, to = 0.05, step = 0.05', 20, "lead from")
        refuse('key = "R", from = 1.0, to = 0.03, step = -0.05', 20, "lead from")
        refuse('key = "R", from = 1.0, to = 0.5, step = 0.0', 20, "lead from")
        refuse('key = "R", from = 1.0, to = 0.5', 20, "'step' is missing")
        refuse('key = "Q", from = 1.0, to = 0.5, step = -0.5', 18, "there is no 'R'")
        refuse('key = "R", from = 1.5, to = 0.5, step = -0.5', 19, "0..1")
        refuse('key = "R", values = []', 20, "1 to")
        refuse('key = "R", values = [0.5, 0.5]', 20, "0.5 is there twice")
        refuse('key = "R", values = [0.5, true]', 20, "numbers")
        refuse('key = "R", values = [0.5, "{R}"]', 20, "texts")
        refuse('key = "R", values = [0.5, "x"]', 19, "R=x")
        refuse('key = ["R", "Q"], values = [0.5]', 20, "2 keys want lists of 2 values")
        refuse('key = ["R", "R"], values = [[0.5, 1]]', 20, "'R' is swept twice")
        refuse('key = ["R", "Q"], from = 1.0, to = 0.5, step = -0.5', 20, "'values'")
        refuse('key = "R", values = [0.5, 7]', 19, "0..1")
        refuse('key = "R", values = [0.5], from = 1.0', 20, "from")
        refuse('key = "R", values = 0.5', 20, "values")

    def test_sweep_texts_are_exact(self):
        plan = self.write(PLAN.replace(
            'label = "PN"\nspec = "pn:ties=left"',
            'label = "R={R}"\nspec = "deeppn:R={R}"\n'
            'sweep = { key = "R", from = 1.0, to = 0.05, step = -0.05 }').replace(
            "iterations(PN) >", "iterations(R=0.70) >"))
        process = run("experiment", plan, "--dry-run")
        self.assert_status(process, 0)
        labels = [line.split("\t")[7] for line in process.stdout.splitlines()[:20]]
        self.assertEqual(labels, [f"R={100 - 5 * i:d}".replace("R=", "R=0.") if i > 18 else
                                  f"R={(100 - 5 * i) / 100:.2f}" for i in range(19)]
                         + ["R=0.05"])

    def test_sweep_over_a_list(self):
        plan = self.write(PLAN.replace(
            'label = "PN"\nspec = "pn:ties=left"',
            'label = "n={n}"\nspec = "ppn:playouts={n}"\n'
            'sweep = { key = "n", values = [1, 16, 4, 4096] }').replace(
            "iterations(PN) >", "iterations(n=16) >"))
        process = run("experiment", plan, "--dry-run")
        self.assert_status(process, 0)
        labels = [line.split("\t")[7] for line in process.stdout.splitlines()[:4]]
        self.assertEqual(labels, ["n=1", "n=16", "n=4", "n=4096"])

    def test_sweep_over_pairs(self):
        old = 'label = "PN"\nspec = "pn:ties=left"'
        new = ('label = "n={n} t={t}"\nspec = "ppn:playouts={n},theta={t}"\n'
               'sweep = [{ key = "n", values = [4, 1] }, '
               '{ key = "t", from = 0.01, to = 0.03, step = 0.01 }]')
        plan = self.write(PLAN.replace(old, new).replace("iterations(PN) >",
                                                         "iterations(n=4 t=0.02) >"))
        process = run("experiment", plan, "--dry-run")
        self.assert_status(process, 0)
        labels = [line.split("\t")[7] for line in process.stdout.splitlines()[:6]]
        self.assertEqual(labels, [f"n={n} t=0.0{t}" for n in (4, 1) for t in (1, 2, 3)])
        self.refuse(old, new.replace('"t", from', '"n", from'), 20, "'n' is swept twice")
        self.refuse(old, new.replace("[4, 1]", str(list(range(1, 401)))), 20, "1000 values together")

    def test_keys_that_go_together(self):
        plan = self.write(PLAN.replace('label = "PN"\nspec = "pn:ties=left"', (
            'label = "{name}"\nspec = "{search}ties=left"\n'
            'sweep = { key = ["name", "search"], values = [["PN", "pn:"], ["all", "pn:earlybreak=off,"]] }')))
        process = run("experiment", plan, "--dry-run")
        self.assert_status(process, 0)
        self.assertEqual([line.split("\t")[7] for line in process.stdout.splitlines()[:2]], ["PN", "all"])

    def test_series_of_a_sweep(self):
        """The same runs, in the same order, as of the series written one by one."""
        series = """name = "{name}"
title = "{name}, {d} layers"
game = "pgame:branching=2,depth={d}"
trees = { from = {d}, to = {to} }
expected = "oracle"
"""
        swept = (series.replace("{ from = {d}, to = {to} }", '{ from = "{d}", to = "{to}" }') +
                 'sweep = { key = ["name", "d", "to"], values = [["small", 4, 5], ["large", 6, "7"]] }\n')
        one_by_one = "\n[[series]]\n".join(
            series.replace("{name}", name).replace("{d}", d).replace("{to}", to)
            for name, d, to in (("small", "4", "5"), ("large", "6", "7")))
        old = PLAN[PLAN.index('name = "trees"'):PLAN.index("\n[[algorithm]]")]
        listed = []
        for new in (swept, one_by_one):
            plan, store = self.write(PLAN.replace(old, new, 1)), self.path(f"series{len(listed)}.db")
            self.assert_status(self.experiment(plan, store), 0)
            listed.append((run("experiment", plan, "--dry-run").stdout, query(store, "SELECT json FROM plan")))
        self.assertEqual(listed[0], listed[1])
        self.assertEqual(len(listed[0][0].splitlines()), 2 * 2 * 2 + 1)

        def refuse(was, now, line, *fragments):
            self.assertIn(was, swept)
            self.refuse(old, swept.replace(was, now, 1), line, *fragments)
        refuse('name = "{name}"', 'name = "{nome}"', 12, "there is no 'nome'")
        refuse('title = "{name}, {d}', 'title = "{name}, {e}', 13, "there is no 'e'")
        refuse("depth={d}", "depth={e}", 14, "depth")
        refuse('["small", 4', '["large", 4', 12, "the name is taken by the series in line 11")
        refuse('to = "{to}"', 'to = "{name}"', 15, "'to' must be a whole number, not a text")
        refuse('"{to}" }', '"{to}", by = "{d}" }', 15, "unknown key 'by'")
        refuse('["small", 4, 5]', '["small", 4, 3]', 15, "'to' must be 4..")
        refuse('["small", 4, 5]', '["small", 4]', 17, "3 keys want lists of 3 values")
        self.refuse(old, 'name = "{size}"\ngame = "hex:size={size}"\npositions = ["a1", "{size}"]\n'
                         'sweep = { key = "size", values = [2, "b"] }', 13, "not 'b'")

    def test_claims_of_a_sweep(self):
        """In a plan and in what reads its file: sweeps.py."""
        claim = ('id = "one {n} {what}"\ntext = "t {n}"\nseries = "trees"\n'
                 'formula = "iterations(PN) {what} {n} * iterations(UCT)"\n'
                 'sweep = [{ key = "n", values = [1, 0.25] }, { key = "what", values = ["<", ">"] }]\n')
        text = PLAN[:PLAN.index("id = ")] + claim
        store = self.path("claims.db")
        self.assert_status(self.experiment(self.write(text), store), 0)
        stored = json.loads(query(store, "SELECT json FROM plan")[0][0])["claims"]
        self.assertEqual([one["id"] for one in stored], ["one 1 <", "one 1 >", "one 0.25 <", "one 0.25 >"])
        self.assertEqual([one["high"] for one in stored], [1, None, 0.25, None])
        read = sweeps.claims(tomllib.loads(text))
        self.assertEqual([(one["id"], one["text"], one["formula"]) for one in read],
                         [(one["id"], one["text"], one["formula"]) for one in stored])
        old = PLAN[PLAN.index("id = "):]
        line = PLAN[:PLAN.index("id = ")].count("\n") + 1
        self.refuse(old, claim.replace("one {n} {what}", "one {n}"), line, "'one 1' is taken")
        self.refuse(old, claim.replace("one {n}", "one {m}"), line, "there is no 'm'")
        self.refuse(old, claim.replace('"trees"', '"{what}"'), line + 2, "there is no series '<'")
        self.refuse(old, claim.replace("(PN)", "(QN)"), line + 3, "there is no algorithm 'QN'")
        self.refuse(old, claim.replace("[1, 0.25]", "[]"), line + 4, "1 to")


if __name__ == "__main__":
    unittest.main()
