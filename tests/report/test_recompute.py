"""Every judgement and choice of stored results, found again by a program of its own (recompute.py); the verdicts also by
a third, short one (arbiter.py)."""

import contextlib
import copy
import glob
import io
import json
import lzma
import os
import re
import shutil
import sqlite3
import tempfile
import unittest

import arbiter
import recompute
from support import NIGHTLY, SOURCE, experiment, report, undrawn

RESULTS = os.path.join(SOURCE, "bench", "results")

# All statistics, choices and measures of errors, with runs that stay undecided.
PLAN = """
name = "all"
error_curves = true
[limits]
max_nodes = 900
[report]
kind = "compare"
[[series]]
name = "trees"
game = "pgame:branching=2,depth=10"
trees = { from = 1, to = 14 }
repetitions = 2
[[series]]
name = "one"
game = "hex:size=3"
positions = ["a1"]
repetitions = 9
[[algorithm]]
label = "n={n}"
spec = "ppn:playouts={n}"
sweep = { key = "n", values = [1, 2, 4, 8] }
[[algorithm]]
label = "PN"
spec = "pn:order=random"
[[algorithm]]
label = "MCPN"
spec = "mcpn:playouts=1,order=random"
"""
CLIMBING = """
name = "climbing"
[limits]
max_nodes = 1200
[[series]]
name = "trees"
game = "pgame:branching=3,depth=8"
trees = { from = 1, to = 12 }
[[algorithm]]
label = "n={E} {D}"
spec = "dfpn:leaf=deep,E={E},D={D},table=1MiB,symmetry=off"
sweep = [{ key = "E", values = [1, 2, 3, 4, 5, 6] }, { key = "D", values = [1, 2, 3, 4, 5] }]
"""
# At a simulated device's price, with runs that stay undecided.
COMPARED = """
name = "compared"
[limits]
max_nodes = 600
[report]
kind = "compare"
[[series]]
name = "trees"
game = "pgame:branching=2,depth=10"
trees = { from = 1, to = 12 }
[[series]]
name = "one"
game = "hex:size=3"
positions = ["a1"]
repetitions = 9
[[algorithm]]
label = "PN"
spec = "pn:order=random"
[[algorithm]]
label = "n={n}"
spec = "ppn:playouts={n},order=random"
sweep = { key = "n", values = [1, 16] }
[[algorithm]]
label = "df-pn"
spec = "dfpn:leaf=unit"
"""
CHOICE = """
[[choice]]
label = "{how} choice"
of = "n="
how = "{how}"
measure = "iterations"
"""
CLAIM = """
[[claim]]
id = "{id}"
text = "t"
source = "s"
series = {series}
formula = "{formula}"
"""
HOW = ("best", "tuned", "leave one out", "repeated splits")


def claims():
    pairs = [("n=4", "PN"), ("MCPN", "PN"), ("n=1", "n=8")] + [(f"{how} choice", "n=1") for how in HOW]
    both, trees = '["trees", "one"]', '["trees"]'
    for a, b in pairs:
        chosen = a.endswith("choice")
        for statistic in ("geometric mean",) if chosen else ("geometric mean", "ratio of means",
                                                             "mean of ratios"):
            for number, formula in enumerate((
                    f"nodes_created({a}) < nodes_created({b})",
                    f"0.3 * iterations({b}) < iterations({a}) < 1.1 * iterations({b})")):
                if not NIGHTLY and statistic != "geometric mean" and number != (statistic == "mean of ratios"):
                    continue  # by day one formula is enough for what is drawn by chance
                yield CLAIM.format(id=f"{a} {b} {statistic} {number}", series=both, formula=formula) + (
                    f'statistic = "{statistic}"\n')
        yield CLAIM.format(id=f"{a} {b} share", series=both,
                           formula=f"share(iterations({a}) < 0.9 * iterations({b})) > 0.5")
    for measure in ("error_area", "error_rise", "error_rise_of_mean"):
        yield CLAIM.format(id=measure, series=trees, formula=f"{measure}(MCPN) < {measure}(PN)")
    yield CLAIM.format(id="to 9", series=trees, formula="error_area(n=2, 9) > 1.5 * error_area(PN, 9)")


class Recompute(unittest.TestCase):
    def exported(self, store):
        made, = json.loads(report(store, "--format", "claims").stdout)["experiments"]
        return made

    def page(self, store, path, *options):
        with undrawn():
            self.assertEqual(report(store, *options, "--output", path).returncode, 0)
        with open(path, encoding="utf-8") as file:
            return file.read()

    def test_all_statistics_and_choices(self):
        with tempfile.TemporaryDirectory() as folder:
            plan, store = os.path.join(folder, "plan.toml"), os.path.join(folder, "r.db")
            with open(plan, "w", encoding="utf-8") as file:
                file.write(PLAN + "".join(CHOICE.format(how=how) for how in HOW) + "".join(claims()))
            experiment(plan, store)
            made = self.exported(store)
            self.assertEqual(len(made["choices"]), 8)
            self.assertEqual({j["verdict"] for j in made["judgements"]},
                             {"reproduced", "not reproduced", "partly"})
            self.assertIn(True, [j["stands"] for j in made["judgements"]])
            self.assertIn("undecided", "".join(j["note"] for j in made["judgements"]))
            self.assertEqual(recompute.differences(store, made), [])
            self.refuse_faults(store, made)
            self.assertEqual(arbiter.differences(store, made), [])
            self.refuse_verdicts(store, made)
            path = os.path.join(folder, "claims.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump({"experiments": [made]}, file)
            with contextlib.redirect_stdout(io.StringIO()) as said:
                self.assertEqual(recompute.main(store, path), 0)
            self.assertIn("judgements and 8 choices found again", said.getvalue())

    def refuse_verdicts(self, store, made):
        """Another verdict is seen where nothing is drawn by chance, and a judgement that the plan has not."""
        faulty = copy.deepcopy(made)
        for one in faulty["judgements"]:
            one["verdict"] = {"reproduced": "not reproduced"}.get(one["verdict"], "reproduced")
        exact = [j for j in faulty["judgements"] if j["statistic"] in ("geometric mean", "share below")]
        wrong = arbiter.differences(store, faulty)
        for one in exact:
            if "repeated" not in one["formula"]:
                self.assertIn(True, [line.startswith(f"{one['id']} on {one['series']}: ") for line in wrong])
        self.assertGreater(len(wrong), len(exact))
        faulty = copy.deepcopy(made)
        gone = faulty["judgements"].pop()
        faulty["judgements"].append({**gone, "series": "another"})
        wrong = arbiter.differences(store, faulty)
        self.assertIn(f"{gone['id']} on another: not in the plan", wrong)

    def refuse_faults(self, store, made):
        """Every number that is a little off is seen, and nothing else."""
        faulty = copy.deepcopy(made)
        judged = iter([j for j in faulty["judgements"] if j["verdict"] == "reproduced" and
                       j["statistic"] == "geometric mean"])
        changed = []
        for change in ({"value": 1.00001}, {"low": 0.9999}, {"high": 1.0001}):
            one = next(judged)
            (name, factor), = change.items()
            one[name] *= factor
            changed.append(one)
        for change in ({"verdict": "partly"}, {"n": 3}, {"p": 0.5}):
            one = next(judged)
            one.update(change)
            changed.append(one)
        for number, name, far in ((0, "worst", 1.01), (1, "worst", 0.99), (1, "tipping", 1.2), (0, "tipping", 0.8)):
            one = next(j for j in faulty["judgements"] if j["worst"] and j["statistic"] == "geometric mean"
                       and j not in changed and (name == "worst" or (j["tipping"] or 0) > 1))
            if name == "worst":
                one["worst"][number] *= far
            else:
                one["tipping"] *= far
            changed.append(one)
        faulty["choices"][0]["settings"][-1] = "n=3"
        faulty["choices"][1]["geometric_mean"] *= 1.00001
        wrong = "\n".join(recompute.differences(store, faulty))
        for one in changed:
            self.assertIn(f"{one['id']} on {one['series']}: ", wrong)
        for one in faulty["choices"][:2]:
            self.assertIn(f"choice {one['label']} on {one['series']}", wrong)
        stands = copy.deepcopy(made)
        stands["judgements"][0]["stands"] ^= True
        first = stands["judgements"][0]
        self.assertEqual(recompute.differences(store, stands),
                         [f"{first['id']} on {first['series']}: Holm"])

    def test_what_to_use(self):
        store = os.path.join(RESULTS, "which.db.xz")
        made = self.exported(store)
        links = "df-pn + connections"
        either = {"2x20": "minimax", "8x8": "minimax", "hex-4": links, "hex-5": links + " + inferior cells",
                  "hex-6": links + " + inferior cells + must-play", "connect": "PN mobility",
                  "connect-draws": "alpha-beta", "connect-wins": "PN mobility", "othello-12": "minimax",
                  "othello-16": "PN mobility + endings", "othello-22": "alpha-beta + endings"}
        for time in ("cpu_seconds", "seconds"):
            self.assertEqual({one["series"]: one["label"] for one in made["use"] if one["measure"] == time},
                             either)  # as bench/results says
        self.assertGreater(sum(len(one["rivals"]) for one in made["use"]), 5)
        self.assertEqual(recompute.differences(store, made), [])
        self.assertEqual({one["series"] for one in made["use"] if one["short"]},
                         {"connect-draws", "connect-wins", "othello-22"})
        for number, change in enumerate(({"label": "PN"}, {"solved": 1}, {"geometric_mean": 1.0}, {"rivals": ["UCT"]},
                                         {"short": ["UCT"]})):
            faulty = copy.deepcopy(made)
            faulty["use"][number].update(change)
            self.assertEqual(recompute.differences(store, faulty),
                             [f"what to use on {made['use'][number]['series']}"])

    def test_tables_of_a_page(self):
        """Counts, means, ratios and what undecided runs make of them, as a reader sees them."""
        by_night = ("which", "which-equal", "hex-tables", "hex-trees", "othello-sizes", "pn2",
                    "sentences") if NIGHTLY else ()
        with tempfile.TemporaryDirectory() as folder:
            path, plan, own = (os.path.join(folder, name) for name in ("page.html", "plan.toml", "r.db"))
            with open(plan, "w", encoding="utf-8") as file:
                file.write(COMPARED + CHOICE.format(how="best"))
            experiment(plan, own, "--backend", "latency:us=20,rate=6e10", "--threads", "1", "--in-flight", "1")
            for store in (*(os.path.join(RESULTS, name + ".db.xz") for name in by_night), own):
                with self.subTest(store):
                    page = self.page(store, path, "--kind", "compare")
                    self.assertEqual(recompute.page_differences(store, page), [])
            self.refuse_tables(own, page)

    def refuse_tables(self, store, page):
        """Another digit in what such a page says is seen, and nothing else."""
        self.assertEqual(recompute.page_differences(store, page.replace("Means count", "Counts")),
                         ["the number of series"])
        begin = page.index("Means count undecided")
        for pattern in (r"<td>\d(?=\d* of )", r"<td>\d(?=[^<>]*<br>)", r'class="range">\d', r" – \d", "<td>[≥≤]"):
            table, found = re.subn(pattern, lambda found: found[0][:-1] + {"≥": "≤", "≤": "~"}.get(
                found[0][-1], "9" if found[0][-1] < "5" else "1"), page[begin:], count=1)
            self.assertEqual((found, len(recompute.page_differences(store, page[:begin] + table))), (1, 1), pattern)

    def test_hill_climbing(self):
        """On problems where it meets settings that stay undecided, and ends elsewhere than at the best."""
        with tempfile.TemporaryDirectory() as folder:
            plan, store = os.path.join(folder, "plan.toml"), os.path.join(folder, "r.db")
            with open(plan, "w", encoding="utf-8") as file:
                file.write(CLIMBING + CHOICE.format(how="hill climbing") + CHOICE.format(how="best") + CLAIM.format(
                    id="c", series='["trees"]', formula="iterations(hill climbing choice) < 1.1 * iterations(best choice)"))
            experiment(plan, store)
            made = self.exported(store)
            self.assertEqual(recompute.differences(store, made), [])
            self.assertEqual(arbiter.differences(store, made), [])
            judged, = made["judgements"]
            self.assertEqual(judged["n"], 12)
            self.assertGreater(judged["value"], 1.01)
            self.assertIn("undecided", judged["note"])

    def test_pages_of_deeppn(self):
        """By day four settings of each norm on one of their series."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path, part = (os.path.join(folder.name, name) for name in ("page.html", "part.db"))
        with lzma.open(os.path.join(RESULTS, "deeppn-hex.db.xz"), "rb") as packed, open(part, "wb") as plain:
            shutil.copyfileobj(packed, plain)
        with contextlib.closing(sqlite3.connect(part)) as database, database:
            kept = [f"{norm} R={share}" for norm in ("inv", "inv1") for share in ("1.00", "0.97", "0.90", "0.50")]
            database.execute("DELETE FROM run WHERE series != 'hex-4' OR algorithm NOT IN (?, ?, ?, ?, ?, ?, ?, ?)", kept)
        for store in [os.path.join(RESULTS, name + ".db.xz") for name in ("deeppn-16", "deeppn-law", "deeppn-hex")
                      ] if NIGHTLY else [part]:
            with self.subTest(store):
                page = self.page(store, path)
                self.assertEqual(recompute.sweep_differences(store, page), [])
        rows = 80 if NIGHTLY else 8
        begin = page.index('<th scope="row" class=left>0.97', page.index("<br>mean</th>"))
        for pattern in (r"<td>\d(?=[^<>]*<br>)", r'class="range">\d', r" – \d", r"<td>\d(?=\d* /)", r" / \d(?=\d*<)",
                        r"<td>\d(?=\d*</td></tr>)", r"<td>\d(?=[.\d]*k)"):
            table, found = re.subn(pattern, lambda found: found[0][:-1] + (
                "9" if found[0][-1] < "5" else "1"), page[begin:], count=1)
            self.assertEqual((found, len(recompute.sweep_differences(store, page[:begin] + table))), (1, 1), pattern)
        self.assertEqual(recompute.sweep_differences(store, page.replace("iterations,<br>mean", "mean")),
                         [f"0 rows, not {rows}"])

    def test_positions_of_connect6(self):
        """A record's board is that of its points, and of those turned; a player's stones are no other's."""
        for turned in (recompute.turned, arbiter.seen):
            boards = [turned("connect6:size=19", position) for position in (
                ";B[JJ];W[KJ];W[KK]", "JJ KJ KK", "JJ JK KK", "JJ KJ KI", "JJ KJ KL", "KJ JJ KK")]
            self.assertEqual([boards.index(board) for board in boards], [0, 0, 0, 0, 4, 5])

    def test_stored_results(self):
        """The small ones; all of them at night."""
        files = [os.path.join(RESULTS, "table.db.xz"), os.path.join(RESULTS, "pn2.db.xz")]
        if NIGHTLY:
            files = sorted(glob.glob(os.path.join(RESULTS, "*.db*")))
            self.assertGreaterEqual(len(files), 6)
        for file in files:
            with self.subTest(os.path.basename(file)):
                made = self.exported(file)
                self.assertEqual(recompute.differences(file, made), [])
                self.assertEqual(arbiter.differences(file, made), [])


if __name__ == "__main__":
    unittest.main()
