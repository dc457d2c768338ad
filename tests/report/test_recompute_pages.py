"""Tables and sentences of result pages, found again by a program of its own (recompute_pages.py)."""

import html
import os
import re
import subprocess
import sys
import tempfile
import unittest

import recompute_pages
from support import PROGRAM, SOURCE, experiment

RESULTS = os.path.join(SOURCE, "bench", "results")
TREES = "&lt;Trees&gt; &amp; more"
NIGHTLY = bool(os.environ.get("PLAYPROOF_NIGHTLY"))

# With runs that stay undecided, and units of every kind: problems, the repetitions of one, a single run.
THESIS = """
name = "thesis"
error_curves = true
[limits]
max_nodes = 800
[report]
kind = "thesis5"
reference = "PPN"
[[series]]
name = "trees"
title = "<Trees> & more"
game = "pgame:branching=2,depth=10"
trees = { from = 1, to = 24 }
repetitions = 2
[[series]]
name = "one"
game = "pgame:branching=3,depth=6"
trees = { from = 4, to = 4 }
repetitions = 9
[[algorithm]]
label = "PN"
spec = "pn:order=random"
[[algorithm]]
label = "MCPN"
spec = "mcpn:playouts=1,order=random"
[[algorithm]]
label = "PPN"
spec = "ppn:playouts=2,order=random"
"""
PLAYOUTS = """
name = "playouts"
[limits]
max_nodes = 800
[report]
kind = "playouts"
[[series]]
name = "trees"
game = "pgame:branching=2,depth=10"
trees = { from = 1, to = 24 }
repetitions = 2
[[series]]
name = "one"
title = "Black's <one>"
game = "hex:size=3"
positions = ["a1"]
repetitions = 9
[[series]]
name = "single"
game = "hex:size=3"
positions = ["b1"]
[[algorithm]]
label = "PPN n={n}"
spec = "ppn:playouts={n},order=random"
sweep = { key = "n", values = [1, 4, 16, 1024] }
[[algorithm]]
label = "EWS rollout n={n}"
spec = "ews:playouts={n},leaf=rollout,order=random"
sweep = { key = "n", values = [2, 8] }
[[algorithm]]
label = "EWS unit"
spec = "ews:playouts=3,leaf=unit"
[[algorithm]]
label = "df-pn unit"
spec = "dfpn:leaf=unit"
[[algorithm]]
label = "PN"
spec = "pn:order=random"
"""
DEEP = """
name = "deep"
[limits]
max_nodes = 1150
[report]
kind = "depth-first"
reference = "df-pn"
[[series]]
name = "trees"
game = "pgame:branching=3,depth=8"
trees = { from = 1, to = 12 }
[[algorithm]]
label = "df-pn"
spec = "dfpn:leaf=unit,symmetry=off"
[[algorithm]]
label = "Deep E={E} D={D}"
spec = "dfpn:leaf=deep,E={E},D={D},symmetry=off"
sweep = [{ key = "E", values = [1, 2, 3, 4, 5] }, { key = "D", values = [1, 2, 3, 4, 5] }]
[[algorithm]]
label = "1+eps {epsilon}"
spec = "dfpn:leaf=unit,epsilon={epsilon},symmetry=off"
sweep = { key = "epsilon", values = [0.25, 1, 4] }
"""
CHOICE = """
[[choice]]
label = "{of} {how}"
of = "{of}"
how = "{how}"
measure = "nodes_created"
"""


def another_digit(text, last=False):
    """The text with another first or last digit."""
    at = max(i for i, c in enumerate(text) if c.isdigit()) if last else 0
    return text[:at] + ("9" if text[at] < "5" else "1") + text[at + 1:]


def faulty(cells, which, last, spared=()):
    """(cells with another digit in the number `which` of each that has so many, how many these are)"""
    changed, found = list(cells), 0
    for column, cell in enumerate(cells):
        numbers = list(re.finditer(r"\d[\d.,]*", cell))
        if which < len(numbers) and column not in spared:
            a, b = numbers[which].span()
            changed[column] = cell[:a] + another_digit(cell[a:b], last) + cell[b:]
            found += 1
    return changed, found


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def made(self, plan, *options):
        """The store of a plan."""
        path = os.path.join(self.folder, "plan.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(plan)
        store = os.path.join(self.folder, f"{len(os.listdir(self.folder))}.db")
        experiment(path, store, *options)
        return store

    def page(self, store, *options):
        path = os.path.join(self.folder, "page.html")
        subprocess.run([PROGRAM, "report", store, *options, "--output", path], check=True, timeout=600,
                       capture_output=True, env={**os.environ, "PLAYPROOF_PYTHON": sys.executable})
        with open(path, encoding="utf-8") as file:
            return file.read()

    def right(self, differences, store, *options):
        """The page of a store, in which nothing differs."""
        page = self.page(store, *options)
        self.assertEqual(differences(store, page), [])
        return page

    def stored(self, differences, *names, options=()):
        for name in names:
            with self.subTest(name):
                self.right(differences, os.path.join(RESULTS, name), *options)

    def refuse_row(self, differences, store, page, caption, label, drawn=()):
        """Whatever number of a row has another first digit is seen, and nothing else; and another last digit, but of
        the ends in the columns that are drawn."""
        begin = page.index(f">{caption}</caption>")
        row = re.compile(rf"<tr><th[^\n]*?>{re.escape(label)}(?:</span>)?</th>[^\n]*").search(page, begin)
        cells = re.split(r"(?<=<td>)(.*?)(?=</td>)", row[0])
        found = 0
        for which in range(3):
            for last in (False, True):
                changed, faults = faulty(cells[1::2], which, last, drawn if last and which else ())
                text = "".join(part for pair in zip(cells[::2], [*changed, ""]) for part in pair)
                self.assertEqual(len(differences(store, page[:row.start()] + text + page[row.end():])), faults,
                                 (which, last, changed))
                found += faults
        self.assertGreater(found, 5)
        self.assertEqual(differences(store, page.replace(f">{caption}<", ">another<")), [
            f"{html.unescape(caption)}: another table"])

    def refuse(self, differences, store, page, *patterns):
        """Each ends with a digit of a sentence; another one is seen, and nothing else."""
        for pattern in patterns:
            text, found = re.subn(pattern, lambda one: one[0][:-1] + another_digit(one[0][-1]), page, count=1)
            self.assertEqual((found, len(differences(store, text))), (1, 1), pattern)

    def test_thesis5(self):
        differences = recompute_pages.thesis_differences
        store = self.made(THESIS)
        page = self.right(differences, store)
        self.refuse_row(differences, store, page, f"{TREES}: search time", "MCPN", drawn=(2, 3, 7))
        self.refuse_row(differences, store, page, f"{TREES}: error of the selected move", "MCPN", drawn=range(3))
        self.refuse(differences, store, page, r"<p>\d(?=\d* trees)", r"won in \d", r"won in \S+ \(\d", r"% to \d",
                    r"<br>iterations: <b>PPN</b> \d", r"<br>time: <b>[^<]+</b> [^<]+<b>[^<]+</b> \d",
                    rf"{TREES}: iterations<[^\n]*\n<tr>[^\n]*?<br><span class=\"range\">\d")
        for old, new in ((" All runs were decided.", ""), ("Undecided runs enter", "All runs were decided."),
                         ("<br>iterations: <b>PPN", "<br>iterations: <b>PN"), (">1</td>", ">2</td>")):
            self.assertEqual(len(differences(store, page.replace(old, new, 1))), 1, old)
        if NIGHTLY:
            self.stored(differences, "pgame-thesis.db.xz", "uct-constants.db.xz")

    def test_playouts(self):
        differences = recompute_pages.playouts_differences
        for time, options in (("CPU time", ()), ("time on a simulated device", (
                "--backend", "latency:us=20,rate=6e10", "--threads", "1", "--in-flight", "1"))):
            store = self.made(PLAYOUTS, *options)
            page = self.right(differences, store)
            self.refuse_row(differences, store, page, "trees: PPN", "16")
            self.refuse_row(differences, store, page, "trees: PN", "0")
            self.refuse(differences, store, page, r"<p>\d(?=\d* problems, )", r"problems, \d(?=\d* of)",
                        r"problems, \d+ of \d", r"iterations up to \d", r" a leaf \(\d", r" a leaf \(\S+ with \d",
                        rf"the least {time} is \d", rf"the least {time} is \S+ \S+ with \d", r"<li>EWS unit: \d",
                        rf"<li>PN: \S+ iterations, \d(?=\S* \S+ of {time})", r'trees: PPN<[^\n]*\n<tr><th[^\n]*?>\d')
            self.assertIn("<br><span class=\"range\">0 – ∞</span>", page)  # of a single run
            self.assertEqual(len(differences(store, page.replace("save no iterations", "save iterations", 1))), 1)
        if NIGHTLY:
            self.stored(differences, "playouts.db", *(f"{name}.db.xz" for name in (
                "connections", "depth-first-ppn", "ews", "free-playouts", "leaf-numbers", "zones")))

    def test_table(self):
        differences = recompute_pages.table_differences
        store = os.path.join(RESULTS, "table.db.xz")
        page = self.right(differences, store)
        self.refuse_row(differences, store, page,
                        "Othello, 12 empty squares: share solved and nodes by size of the table", "GC R=0.9")
        self.refuse(differences, store, page, r"<p>\d(?=\d* problems\.</p>)", r"was solved: 4 places \d")

    def test_depth_first(self):
        differences = recompute_pages.depth_first_differences
        ways = [("Deep", "hill climbing"), *((of, how) for how in ("best", "tuned", "leave one out", "repeated splits")
                                             for of in ("Deep", "1+eps"))]
        store = self.made(DEEP + "".join(CHOICE.format(of=of, how=how) for of, how in ways))
        page = self.right(differences, store)
        self.refuse_row(differences, store, page, "trees: what the choices take, and what that reaches",
                        "Deep hill climbing")
        self.refuse_row(differences, store, page, "trees: tuned on other problems", "Deep over 1+eps")
        self.refuse(differences, store, page, r"<p>\d(?=\d* problems, )", r"problems, \d(?=\d* of)",
                    r"problems, \d+ of \d", r"looks at \d", r"and ends \d", r"mean over \d", r"mean over \d+ of \d",
                    r"best itself on \d", r"change by \d", r"along ε and by \d", r"class=left>\d(?= settings)")
        if NIGHTLY:
            self.stored(differences, "depth-first.db.xz", "deep-held-out.db.xz")

    def test_agreement(self):
        """Whatever the plan is; choices repeat runs and are none."""
        differences = recompute_pages.agreement_differences
        caption = "Agreement with known results, by series, goal and algorithm"
        store = os.path.join(RESULTS, "must-play.db.xz")
        page = self.right(differences, store, "--kind", "agreement")
        self.refuse_row(differences, store, page, caption, "hex-5")
        self.refuse(differences, store, page, r"<b>\d(?=[\d,]*</b><span>verdicts agree)",
                    r"<b>\d(?=</b><span>contradict)", r"<b>\d(?=\d*</b><span>undecided)")
        store = self.made(PLAYOUTS)
        page = self.right(differences, store, "--kind", "agreement")
        self.refuse_row(differences, store, page, caption, "trees")
        self.refuse(differences, store, page, r"<b>\d(?=[\d,]*</b><span>decided, but)")


if __name__ == "__main__":
    unittest.main()
