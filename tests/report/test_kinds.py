"""Kinds of pages: which there are, and which plans in stores may still name."""

import os
import re
import tempfile
import unittest

import support
from playproof_report import summary
from playproof_report.errors import ReportError

class Kinds(unittest.TestCase):
    def test_what_older_plans_name_is_compare(self):
        for kind in summary.OLDER:
            self.assertIs(summary.kind_of(support.made_up([], kind=kind)), summary.KINDS["compare"])

    def test_a_kind_that_there_is_not(self):
        with self.assertRaisesRegex(ReportError, "plan 'test': there is no report kind 'pie'; there is: compare, "
                                                 "agreement; --kind compare makes the page of any store"):
            summary.prepared([support.made_up([], kind="pie")])


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

    def report(self, *arguments, status=0, started=True):
        made = support.report(*arguments, started=started)
        self.assertEqual(made.returncode, status, made.stderr)
        if status:
            self.assertEqual(made.stdout, "")
            self.assertRegex(made.stderr, r"\Aplayproof: .*\n\Z")
            self.assertNotIn("damaged", made.stderr)
        return made

    def test_a_kind_that_is_asked_for(self):
        store = self.store("agreement")
        page = os.path.join(self.folder, "r.html")
        with support.undrawn():
            self.report(store, "--kind", "compare", "--output", page, started=support.NIGHTLY)
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
        """Every kind makes a page of runs that decided nothing."""
        store = self.store("compare", nodes=1, spec="dfpn:leaf=deep,E=1,D=1,table=64KiB")
        for kind in summary.KINDS:
            self.report(store, "--kind", kind, "--format", "text", started=False)


if __name__ == "__main__":
    unittest.main()
