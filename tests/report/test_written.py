"""A claim knows whether it was written before the runs that judge it: from the plans that a store was filled by, and
from what git knows, which is kept beside the project's stores."""

import glob
import json
import lzma
import os
import tempfile
import tomllib
import unittest

import recompute
import support
from playproof_report import claims, judged, papers, written
from playproof_report.store import read_experiments

RESULTS = os.path.join(support.SOURCE, "bench", "results")
PLAN = """
name = "late"
[limits]
max_nodes = 800
[[series]]
name = "trees"
game = "pgame:branching=2,depth=8"
trees = {{ from = 1, to = {trees} }}
[[algorithm]]
label = "PN"
spec = "pn:order=random"
[[algorithm]]
label = "PPN"
spec = "ppn:playouts=2,order=random"
[[claim]]
id = "first"
text = "PPN needs less."
formula = "iterations(PPN) < iterations(PN)"
"""
SECOND = """
[[claim]]
id = "second"
text = "PPN creates less."
formula = "{} <  nodes_created(PN)"
"""


class Written(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.store = os.path.join(self.folder, "r.db")

    def run_plan(self, text):
        path = os.path.join(self.folder, "plan.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        support.experiment(path, self.store)

    def judged(self):
        """{claim: (earlier, runs)}, as the report and as recompute.py have it."""
        experiment, = read_experiments([self.store])
        found = {j.claim["id"]: (j.earlier, j.runs) for j in papers.judge(experiment).judgements}
        recompute.load.cache_clear()
        plan, runs, _ = recompute.load(self.store)
        self.assertEqual(found, {claim["id"]: recompute.earlier(plan, runs, claim, "trees")
                                 for claim in plan["claims"]})
        return found

    def keep(self, **values):
        with lzma.open(os.path.join(self.folder, written.FILE), "wt", encoding="utf-8") as file:
            json.dump({"late": {"claims": {}, "runs": {}, **values}}, file)

    def test_claims_that_come_later(self):
        self.run_plan(PLAN.format(trees=9))
        self.assertEqual(self.judged(), {"first": (0, 18)})
        later = PLAN.format(trees=9) + SECOND.format("nodes_created(PPN)")
        self.run_plan(later)
        self.assertEqual(self.judged(), {"first": (0, 18), "second": (18, 18)})
        self.run_plan(later.replace("to = 9", "to = 12"))  # three problems more
        self.assertEqual(self.judged(), {"first": (0, 24), "second": (18, 24)})
        self.run_plan(later.replace("to = 9", "to = 12").replace("< ", "< 0.5 *"))  # another claim of the same name
        self.assertEqual(self.judged()["second"], (24, 24))

    def test_what_pages_say(self):
        self.run_plan(PLAN.format(trees=9))
        self.run_plan(PLAN.format(trees=9) + SECOND.format("nodes_created(PPN)"))

        def report(*options):
            with support.undrawn():
                made = support.report(self.store, *options)
            self.assertEqual(made.returncode, 0, made.stderr)
            return made.stdout
        sentence = "1 of 2 judgements are of claims that were written after some of the runs that judge them."
        self.assertIn(sentence, report("--format", "text"))
        page = os.path.join(self.folder, "r.html")
        report("--output", page)
        with open(page, encoding="utf-8") as file:
            self.assertEqual(file.read().count('<span class="help wrap">written after the runs</span>'), 1)
        exported, = json.loads(report("--format", "claims"))["experiments"]
        self.assertEqual([(j["earlier"], j["runs"]) for j in exported["judgements"]], [(0, 18), (18, 18)])
        self.assertEqual(recompute.differences(self.store, exported), [])
        exported["judgements"][1]["earlier"] = 0
        self.assertEqual(recompute.differences(self.store, exported), ["second on trees: written when"])

    def test_what_git_knows(self):
        """A claim that was committed before is not late; a run that was made before it was made again is early."""
        self.run_plan(PLAN.format(trees=9))
        self.run_plan(PLAN.format(trees=9) + SECOND.format("nodes_created(PPN)"))
        name = "trees | geometric mean | nodes_created(PPN)<nodes_created(PN)"
        self.keep(claims={name: ["2001-01-01T00:00:00.000Z", "abc"]})
        self.assertEqual(self.judged(), {"first": (0, 18), "second": (0, 18)})
        experiment, = read_experiments([self.store])
        first = {written.question(experiment.runs[0]): "2001-01-01T00:00:00.000Z"}
        self.keep(runs=first)
        self.assertEqual(self.judged(), {"first": (1, 18), "second": (18, 18)})
        self.keep(claims={name: ["2001-01-01T00:00:00.000Z", "abc"]}, runs=first)
        self.assertEqual(self.judged(), {"first": (1, 18), "second": (0, 18)})
        with open(os.path.join(self.folder, written.FILE), "wb") as file:
            file.write(b"no xz")
        self.assertEqual(written.read(self.folder), {})

    def test_keys(self):
        """Of a plan's TOML and of the JSON of a store: the same."""
        for name in ("deeppn-16", "pgame-thesis", "sentences") if support.NIGHTLY else ("pn2", "sentences"):
            path, = glob.glob(os.path.join(RESULTS, name + ".db*"))
            experiment, = read_experiments([path])
            with open(os.path.join(support.SOURCE, "bench", "plans", name + ".toml"), "rb") as file:
                self.assertEqual(sorted(written.keys(tomllib.load(file))), sorted(written.keys(experiment.plan)))

    def test_the_wording(self):
        one = claims.Judgement({}, "s", claims.PARTLY, None, 0, 1, "")
        self.assertEqual((claims.written_note(one), claims.written_sentence([one])), ("", ""))
        one.earlier, one.runs = 1, 2_000
        self.assertEqual(claims.written_note(one), "written after 1 of its 2,000 runs")

    def test_of_the_project(self):
        """The kept file knows every claim of the stores, and what changes it changes what is kept as judged."""
        kept = written.read(RESULTS)
        found, _ = judged.known(glob.glob(os.path.join(RESULTS, "*.db*")))
        late = 0
        for one in found:
            self.assertEqual(set(written.keys(one.plan)) - set(kept[one.plan["name"]]["claims"]), set(),
                             "run python3 bench/written.py")
            late += sum(j.after_the_fact for j in one.judgements)
        self.assertGreater(late, 100)
        before = judged.rules(self.folder)
        self.keep()
        self.assertNotEqual(judged.rules(self.folder), before)


if __name__ == "__main__":
    unittest.main()
