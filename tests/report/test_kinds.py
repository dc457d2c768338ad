"""A kind of page that is not for what a plan has run says so, with what is missing; so does --kind."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import support
from playproof_report import cli, summary
from playproof_report.errors import DATA, USAGE, ReportError

# What two algorithms must have; without it: what the message says.
FITS = {"thesis5": ({"game": "pgame:branching=2,depth=3"}, {"game": "hex:size=3"},
                    "it draws the thesis' figures of P-games, and series 's' is hex:size=3"),
        "deeppn": ({"parameters": {"R": "1", "norm": "inv"}}, {"parameters": {"R": "0.5", "norm": "inv"}},
                   "it compares with R = 1, and no algorithm with that has runs on series 's'"),
        "depth-first": ({"parameters": {"leaf": "deep", "E": "2", "D": "2"}}, {"parameters": {}},
                        "it draws leaf=deep and epsilon= of depth-first searches, and no algorithm has them")}
OF_RUNS = ("version", "revision", "compiler", "cpu_model", "host", "backend", "started", "finished", "spec")


def made_up(kind, **more):
    runs = []
    for label in "AB":
        for problem in "pq":
            of = {name: json.dumps(value) if name == "parameters" else value for name, value in more.items()}
            run = support.run(label, problem, 5 + len(runs), expected="proved")
            runs.append({**dict.fromkeys(OF_RUNS, "x"), "parameters": "{}", "re_entries": 3, "playouts": 9,
                         **run, **of})
    return support.made_up(runs, kind=kind)


class Fit(unittest.TestCase):
    def test_every_kind_is_tried(self):
        self.assertEqual(set(FITS), {name for name, kind in summary.KINDS.items() if hasattr(kind, "unfit")})
        self.assertEqual(set(summary.KINDS) - set(FITS), {"compare", "agreement"})

    def test_what_fits_makes_a_page(self):
        for kind, (fit, _, _) in FITS.items():
            with self.subTest(kind=kind):
                made = made_up(kind, **fit)
                summary.check_kinds([made])
                self.assertIn("How this was made", summary.as_html([made]))

    def test_what_does_not_says_why(self):
        for kind, (_, unfit, why) in FITS.items():
            for status in (DATA, USAGE):
                with self.subTest(kind=kind), self.assertRaises(ReportError) as caught:
                    summary.check_kinds([made_up("compare"), made_up(kind, **unfit)], status)
                self.assertEqual(str(caught.exception), f"plan 'test': the report kind '{kind}' does not fit: "
                                                        f"{why}; --kind compare fits every plan")
                self.assertEqual(caught.exception.status, status)

    def test_compare_fits_all_of_them(self):
        """By night each is drawn, which takes longest; by day one of them."""
        for index, (fit, unfit, _) in enumerate(FITS.values()):
            made = [made_up("table", **fit), made_up("table", **unfit)]
            made = summary.prepared(made, "compare")
            summary.check_kinds(made)
            self.assertEqual(summary.as_text(made).count("  use "), 2)
            if index == 0 or os.environ.get("PLAYPROOF_NIGHTLY"):
                self.assertIn("Who solved what", summary.as_html(made))

    def test_a_reference_that_did_not_run(self):
        made = made_up("depth-first", **FITS["depth-first"][0])
        made.plan["report"]["reference"] = "C"
        with self.assertRaisesRegex(ReportError, "with the reference, and 'C' has no runs on series 's'"):
            summary.check_kinds([made])

    def test_a_kind_that_there_is_not(self):
        with self.assertRaisesRegex(ReportError, "plan 'test': there is no report kind 'pie'; there is: compare, "
                                                 ".*; --kind compare fits every plan"):
            summary.check_kinds([made_up("pie")])


PLAN = """\
name = "own"
limits.max_nodes = {nodes}
[report]
kind = "{kind}"
[[series]]
name = "hex"
game = "hex:size=3"
positions = ["a1", "b2 c3"]
[[algorithm]]
label = "A"
spec = "pn"
[[algorithm]]
label = "B"
spec = "{spec}"
"""


def in_this_process(*arguments):
    """(status, stdout, stderr) of what the program starts, where the libraries are loaded already."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        status = cli.main(list(arguments))
    return status, out.getvalue(), err.getvalue()


class CommandLine(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def store(self, kind, nodes=1000, spec="dfpn"):
        plan, store = (os.path.join(self.folder, name) for name in ("plan.toml", "r.db"))
        with open(plan, "w", encoding="utf-8") as file:
            file.write(PLAN.format(kind=kind, nodes=nodes, spec=spec))
        support.experiment(plan, store)
        return store

    def report(self, *arguments, status=0):
        made = subprocess.run([support.PROGRAM, "report", *arguments], capture_output=True, text=True,
                              timeout=120, check=False,
                              env={**os.environ, "PLAYPROOF_PYTHON": sys.executable})
        self.assertEqual(made.returncode, status, made.stderr)
        if status:
            self.assertEqual(made.stdout, "")
            self.assertRegex(made.stderr, r"\Aplayproof: .*\n\Z")
            self.assertNotIn("damaged", made.stderr)
        return made

    def test_a_plan_whose_kind_does_not_fit(self):
        page = os.path.join(self.folder, "r.html")
        for kind in FITS:
            store = self.store(kind, spec="pn:ties=path")
            status, out, error = in_this_process(store, "--format", "text")
            self.assertEqual((status, out), (65, ""), error)
            self.assertIn(f"plan 'own': the report kind '{kind}' does not fit: ", error)
        self.assertEqual(self.report(store, "--format", "text", status=65).stderr, error)
        self.report(store, "--output", page, status=65)
        self.assertFalse(os.path.exists(page))
        self.report(store, "--format", "claims")  # which needs no page
        self.assertIn("solved", self.report(store, "--kind", "compare", "--format", "text").stdout)

    def test_a_kind_that_is_asked_for(self):
        store = self.store("agreement")
        page = os.path.join(self.folder, "r.html")
        self.report(store, "--kind", "compare", "--output", page)
        with open(page, encoding="utf-8") as file:
            self.assertIn("Who solved what", file.read())
        self.report(store, "--kind", "table", "--output", page, status=64)
        self.assertIn("nearest: 'compare'", self.report(
            store, "--kind", "compar", "--output", page, status=64).stderr)
        self.report(store, "--kind", "", "--output", page, status=64)
        self.assertIn("has no effect with --format csv", self.report(
            store, "--kind", "compare", "--format", "csv", status=64).stderr)
        self.assertIn("has no effect with --papers", self.report(
            store, "--kind", "compare", "--papers", "--output", page, status=64).stderr)

    def test_program_and_report_have_the_same_kinds(self):
        error = self.report("x.db", "--kind", "pie", "--format", "text", status=64).stderr
        self.assertEqual(re.search("one of (.*), not", error).group(1).split(", "), list(summary.KINDS))
        text = self.report("--help").stdout
        for kind in summary.KINDS:
            self.assertIn(kind, text)

    def test_whatever_is_undecided(self):
        """Every kind makes a page of runs that decided nothing, or says why not."""
        store = self.store("compare", nodes=1, spec="dfpn:leaf=deep,E=1,D=1,table=64KiB")
        for kind in summary.KINDS:
            status, _, error = in_this_process(store, "--kind", kind, "--format", "text")
            self.assertIn(status, (0, 64), error)


if __name__ == "__main__":
    unittest.main()
