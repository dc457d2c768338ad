"""`playproof report` from outside: pages, exports, errors."""

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

import support
from support import NIGHTLY, PROGRAM, SMOKE, SOURCE, experiment, one_series, undrawn

from playproof_report import cli


class CommandLine(unittest.TestCase):
    """`playproof report` from outside."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.whole = cls.path("whole.db")
        experiment(SMOKE, cls.whole)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def report(self, *arguments, status=0, **options):
        process = support.report(*arguments, **options)
        self.assertEqual(process.returncode, status, process.stderr)
        if status:
            self.assertEqual(process.stdout, "")
            self.assertTrue(process.stderr.startswith("playproof: "), process.stderr)
        return process

    def test_page(self):
        page, store, series = self.path("report.html"), self.path("page.db"), 2 if NIGHTLY else 1
        experiment(one_series(self.folder.name), store)
        self.report(store, "--kind", "compare", "--output", page)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("<!DOCTYPE html>"))
        self.assertEqual(text.count("<svg role"), series * (1 + 4 + 3 + 2 + 6 + 2))  # pictures, claims
        for forbidden in ("<script src", "<link", "@import", "src=", "url(http"):
            self.assertNotIn(forbidden, text)
        for expected in ("PPN", "2 branches, 8 layers", "claims reproduced", "How this was made",
                         "iterations_normalised(PPN) &lt; iterations_normalised(PN)",
                         "0 contradict the known result", "plan seed 1"):
            self.assertIn(expected, text)
        ids = [part.split('"')[0] for part in text.split(' id="')[1:]]
        referred = {part.split(")")[0] for part in text.split("url(#")[1:]}
        self.assertLessEqual(referred, set(ids))
        if NIGHTLY:  # by day figures of the same kind are made twice: test_figures.py
            self.report(store, "--kind", "compare", "--output", page)
            with open(page, encoding="utf-8") as file:
                self.assertEqual(file.read(), text, "a page must be repeatable")

    def test_text(self):
        text = self.report(self.whole, "--format", "text").stdout
        self.assertIn("wrong moves after 100 iterations: PN ", text)
        self.assertIn("Claims: ", text)

    def test_csv(self):
        table = list(csv.DictReader(io.StringIO(self.report(self.whole, "--format",
                                                            "csv").stdout)))
        self.assertEqual(len(table), 144)
        self.assertEqual({row["verdict"] for row in table}, {"proved", "disproved"})
        self.assertIn("cpu_seconds", table[0])

    def test_json(self):
        out = self.path("r.json")
        self.report(self.whole, "--format", "json", "--output", out)
        with open(out, encoding="utf-8") as file:
            made, = json.load(file)["experiments"]
        self.assertEqual(len(made["runs"]), 144)
        self.assertEqual(made["runs"][0]["curve"][-1][1], 0)
        self.assertEqual(made["runs"][1]["parameters"]["theta"], "0.01")

    def test_nothing_is_lost_by_a_failure(self):
        page = self.path("kept.html")
        with open(page, "w", encoding="utf-8") as file:
            file.write("old")
        self.report(self.path("none.db"), "--output", page, status=65)
        with open(page, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")
        self.report(self.whole, "--output", self.path("no/folder.html"), status=74)
        self.report(self.whole, "--output", self.folder.name, status=74)
        self.assertFalse([name for name in os.listdir(self.folder.name)
                          if name.startswith("kept.html.")])

    def test_a_page_that_cannot_be_written_is_not_drawn(self):
        err = io.StringIO()
        with unittest.mock.patch("playproof_report.summary.as_html") as drawn, contextlib.redirect_stderr(err):
            for page, why in (("no/r.html", "No such file or directory"), ("whole.db/r.html", "Not a directory"),
                              ("", "it is not a regular file")):
                self.assertEqual(cli.main([self.whole, "--output", self.path(page)]), 74)
                self.assertTrue(err.getvalue().endswith(f"{page}: cannot write: {why}\n"), err.getvalue())
        drawn.assert_not_called()

    def test_full_output(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.run([PROGRAM, "report", self.whole, "--format", "csv"],
                                     stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
                                     check=False)
        self.assertEqual(process.returncode, 74)
        self.assertIn("playproof: stdout", process.stderr)

    def test_interrupted(self):
        """At whatever moment, also while Python starts: it ends by the signal, without a trace."""
        statuses = set()
        for number in range(24):
            process = subprocess.Popen([PROGRAM, "report", self.whole, "--format", "csv"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(number * 0.004)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=120)
            self.assertIn(process.returncode, (0, -signal.SIGINT), err)
            self.assertEqual(err, b"")
            statuses.add(process.returncode)
        self.assertIn(-signal.SIGINT, statuses)

    def test_interrupted_in_a_callback(self):
        """There Python ignores what is raised, and says so."""
        late = """
import os, runpy, signal, sys, time, weakref
import playproof_report.cli
class Left: pass
def call_back(_):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
def main():
    left = Left()
    watched = weakref.ref(left, call_back)
    del left
    time.sleep(100)
playproof_report.cli.main = main
runpy.run_path(sys.argv[1], run_name="__main__")
"""
        folder = os.path.join(SOURCE, "python")
        script = os.path.join(folder, "playproof-report.py")
        process = subprocess.run([sys.executable, "-B", "-c", late, script], capture_output=True, timeout=60,
                                 check=False, env={**os.environ, "PYTHONPATH": folder})
        self.assertEqual((process.returncode, process.stderr), (-signal.SIGINT, b""))

    def test_usage(self):
        for arguments in ((self.whole,), (self.whole, "--format", "pdf"), ("--output", "x.html")):
            self.report(*arguments, status=64, started=True)

    def test_missing_python(self):
        self.report(self.whole, "--format", "csv", status=69, started=True, PLAYPROOF_PYTHON="/no/python")

    def test_missing_libraries(self):
        bare = self.path("bare-python")
        with open(bare, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
        os.chmod(bare, 0o755)
        page = self.path("x.html")
        options = {"started": True, "PLAYPROOF_PYTHON": bare}
        error = self.report(self.whole, "--output", page, status=69, **options).stderr
        for package in ("numpy", "scipy", "pandas", "matplotlib", "jinja2"):
            self.assertIn(f"python3-{package}", error)
        self.assertFalse(os.path.exists(page))
        # The exports need the standard library only.
        self.report(self.whole, "--format", "csv", **options)


class Kinds(unittest.TestCase):
    """The pages of the other plans, from small real experiments."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def page(self, text):
        plan = os.path.join(self.folder, "plan.toml")
        store = os.path.join(self.folder, "r.db")
        page = os.path.join(self.folder, "r.html")
        with open(plan, "w", encoding="utf-8") as file:
            file.write(text)
        experiment(plan, store)
        with undrawn():
            self.assertEqual(cli.main(["--output", page, "--", store]), 0)
        with open(page, encoding="utf-8") as file:
            return file.read()

    HEAD = 'name = "small"\n[limits]\nmax_nodes = {nodes}\n[report]\nkind = "{kind}"\n'

    def test_deeppn(self):
        text = self.page(self.HEAD.format(nodes=3000, kind="compare") + """
[[series]]
name = "trees"
game = "pgame:branching=8,depth=4"
trees = { from = 1, to = 6 }
[[algorithm]]
label = "inv R={R}"
spec = "deeppn:R={R},norm=inv"
sweep = { key = "R", from = 1.0, to = 0.25, step = -0.25 }
[[algorithm]]
label = "inv1 R={R}"
spec = "deeppn:R={R},norm=inv1"
sweep = { key = "R", from = 1.0, to = 0.25, step = -0.25 }
[[claim]]
id = "c"
text = "Half is best."
source = "nowhere"
formula = "iterations(inv R=0.50) < iterations(inv R=1.00)"
""")
        self.assertIn("Half is best.", text)
        self.assertIn("Over R = 1</summary>", text)
        self.assertIn("</svg> inv1</li>", text)
        self.assertIn("6 cases", text)

    def test_playouts(self):
        text = self.page(self.HEAD.format(nodes=3000, kind="compare") + """
[[series]]
name = "trees"
title = "Small trees"
game = "pgame:branching=2,depth=8"
trees = { from = 1, to = 4 }
[[algorithm]]
label = "PPN n={n}"
spec = "ppn:playouts={n}"
sweep = { key = "n", values = [1, 8, 64] }
[[algorithm]]
label = "PN"
spec = "pn"
""")
        self.assertIn("Small trees", text)
        self.assertIn("<h3>Against n</h3>", text)
        self.assertIn("4 cases", text)

    def test_agreement(self):
        text = self.page(self.HEAD.format(nodes=40, kind="agreement") + """
[[series]]
name = "hex"
game = "hex:size=3"
positions = [{ position = "", expected = "1" }, { position = "a1", expected = "1" }]
[[algorithm]]
label = "oracle"
spec = "minimax"
[[algorithm]]
label = "proof numbers"
spec = "pn"
""")
        self.assertIn("contradict it", text)
        self.assertIn("undecided within the limits", text)

    def test_a_plan_of_ones_own(self):
        """As the manual of plans shows it, with positions as another program has drawn them."""
        with open(os.path.join(SOURCE, "bench", "plans", "README.md"), encoding="utf-8") as file:
            manual = file.read().partition("## A plan of your own")[2]
        plan = manual.partition("```toml\n")[2].partition("```")[0]
        self.assertEqual(len(plan.splitlines()), 10)
        with open(os.path.join(SOURCE, "tests", "data", "othello-10-random.txt"),
                  encoding="utf-8") as file:
            positions = file.readlines()[:22]
        with open(os.path.join(self.folder, "endgames.txt"), "w", encoding="utf-8") as file:
            file.writelines(positions)
        text = self.page(plan)
        self.assertIn("20 cases. Solved by every algorithm: 20 of 20", text)
        self.assertIn("Paired ratios to pn", text)
        self.assertNotIn("Unequal help", text)
        # Without probe=none dfpn has exact endings in Othello, and pn has not.
        unequal = self.page(plan.replace(":probe=none", "").replace('"mine"', '"unequal"'))
        self.assertIn("Unequal help on endgames", unequal)

    def test_nothing_decided_at_all(self):
        text = self.page(self.HEAD.format(nodes=3, kind="compare") + """
[[series]]
name = "trees"
game = "pgame:branching=2,depth=12"
trees = { from = 1, to = 3 }
[[algorithm]]
label = "PN"
spec = "pn"
[[algorithm]]
label = "PPN"
spec = "ppn"
[[claim]]
id = "c"
text = "Less."
source = "nowhere"
formula = "iterations(PPN) < iterations(PN)"
""")
        self.assertIn("6 runs, 0 decided", text)


if __name__ == "__main__":
    unittest.main()
