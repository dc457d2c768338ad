"""The list of what the papers report is complete, names what there is, and is judged by one rule."""

import multiprocessing
import os
import re
import signal
import tempfile
import time
import tomllib
import unittest

import support
from captions import CAPTIONS, UNNUMBERED
from playproof_report import claims, findings, paper_list, papers, papers_page, side_by_side, sweeps
from playproof_report.errors import DATA, INTERNAL, ReportError
from playproof_report.statistics import Interval

BENCH = os.path.join(support.SOURCE, "bench")
LIST = os.path.join(BENCH, "papers.toml")
PLANS = os.path.join(BENCH, "plans")


def load(path):
    with open(path, "rb") as file:
        return tomllib.load(file)


class List(unittest.TestCase):
    """bench/papers.toml itself."""

    @classmethod
    def setUpClass(cls):
        cls.document = load(LIST)
        cls.plans = {}
        for name in os.listdir(PLANS):
            if name.endswith(".toml"):
                plan = load(os.path.join(PLANS, name))
                cls.plans[plan["name"]] = {**plan, "claim": sweeps.claims(plan)}

    def test_every_caption_is_a_row_or_only_illustrates(self):
        self.assertEqual([paper["id"] for paper in self.document["paper"]], list(CAPTIONS))
        for paper in self.document["paper"]:
            named = [entry["at"] for entry in paper.get("result", []) + paper["illustration"]
                     if entry["at"] != "text"]
            with self.subTest(paper=paper["id"]):
                wanted = CAPTIONS[paper["id"]] + UNNUMBERED.get(paper["id"], [])
                self.assertEqual(sorted(named), sorted(wanted))

    def claims_of_rows(self):
        """{(plan, claim, series)} that rows are judged by."""
        named = set()
        for entry in (entry for paper in self.document["paper"] for entry in paper.get("result", [])):
            for plan, ids in [*entry.get("claims", {}).items(), *entry.get("also", {}).items()]:
                every = [series["name"] for series in sweeps.series(self.plans[plan])]
                for claim in self.plans[plan]["claim"]:
                    if ids != "all" and not any(re.fullmatch(re.escape(one).replace("\\*", ".*"), claim["id"])
                                                for one in ids):
                        continue
                    series = claim.get("series", every)
                    named |= {(plan, claim["id"], one)
                              for one in ([series] if isinstance(series, str) else series)
                              if one in entry.get("series", every)}
        return named

    def test_every_claim_of_a_paper_is_of_a_row(self):
        """A new claim in bench/plans needs a row in bench/papers.toml, or a thought in place of its source."""
        wanted = set()
        for name, plan in self.plans.items():
            if name in self.document["aside"]:
                continue
            every = [series["name"] for series in sweeps.series(plan)]
            for claim in plan.get("claim", []):
                series = claim.get("series", every)
                wanted |= {(name, claim["id"], one)
                           for one in ([series] if isinstance(series, str) else series)
                           if not sweeps.is_own(claim)}
        self.assertEqual(sorted(wanted - self.claims_of_rows()), [])
        self.assertGreater(len(wanted), 100)

    def test_a_row_without_claims_says_what_is_missing(self):
        for paper in self.document["paper"]:
            for entry in paper.get("result", []):
                if not entry.get("claims") and not entry.get("same_as"):
                    with self.subTest(paper=paper["id"], at=entry["at"], section=entry["section"]):
                        self.assertGreater(len(entry.get("missing", "")), 10)

    def test_names(self):
        listed, aside = paper_list.read_papers(LIST)
        plans = paper_list.read_plans(PLANS)
        paper_list.check_names(listed, plans)
        self.assertLessEqual(set(aside), set(plans))
        self.assertEqual(sum(len(paper.results) for paper in listed),
                         sum(len(paper.get("result", [])) for paper in self.document["paper"]))

    def test_rows_have_anchors_of_their_own(self):
        listed, _ = paper_list.read_papers(LIST)
        anchors = [papers.Row(paper, result, [], [], []).anchor
                   for paper in listed for result in paper.results]
        self.assertEqual(len(anchors), len(set(anchors)))


HEAD = '[[paper]]\nid = "S0"\ntitle = "t"\nby = "b"\n\n'
RESULT = '[[paper.result]]\nat = "{at}"\nsection = "1"\nsays = "s"\nran = "r"\n{more}\n'


class Errors(unittest.TestCase):
    """What does not belong into the list is refused, with its line."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def refused(self, text, *fragments, line=None):
        path = self.write("papers.toml", text)
        with self.assertRaises(ReportError) as caught:
            listed, _ = paper_list.read_papers(path)
            paper_list.check_names(listed, paper_list.read_plans(PLANS))
        self.assertEqual(caught.exception.status, DATA)
        message = str(caught.exception)
        self.assertTrue(message.startswith(f"{path}:{line}: " if line else path), message)
        for fragment in fragments:
            self.assertIn(fragment, message)

    def test_unknown_names(self):
        good = RESULT.format(at="Fig. 1", more='missing = "all"')
        line = 5 + good.count("\n") + 1
        for more, fragments in (
                ('claims = { ewt = ["x"] }', ["the plan 'ewt'", "nearest: 'ews'"]),
                ('claims = { deeppn-16 = ["Othello 0.05 worse than PM"] }',
                 ["the claim 'Othello 0.05 worse than PM'", "the claims of deeppn",
                  "nearest: 'Othello 0.05 worse than PN'"]),
                ('claims = { pgame-thesis = ["PPN faster than PN"] }\nseries = ["9x9"]',
                 ["not judged on 9x9", "2x20, 8x8"]),
                ('claims = { pn2 = ["delayed or immediate"] }', ["is the project's own"]),
                ('missing = "all"\nsee = ["playout"]', ["the plan 'playout'", "'playouts'"]),
                ('missing = "all"\nmising = "x"', ["the key 'mising'", "nearest: 'missing'"]),
                ('missing = 3', ["'missing' must be a str"]),
                ('claims = { deeppn-16 = "x" }', ["must be a list of different ids"]),
                ('claims = { deeppn-16 = ["x", "x"] }', ["must be a list of different ids"]),
                ('claims = { deeppn-16 = [] }', ["must be a list of different ids"]),
                ('claims = { table = "all" }', ["'table' has no claim of a paper"]),
                ('missing = "all"\nalso = { deeppn-16 = ["y"] }', ["the claim 'y'"]),
                ('', ["has no claims: 'missing' must say"]),
                ('missing = "all"\nconditions = "same"', ["has no claims", "conditions are 'same'"]),
                ('claims = { pn2 = "all" }\nlearnt = "x"', ["has claims", "conditions are 'not run'"]),
                ('claims = { pn2 = "all" }\nconditions = "similar"\nlearnt = "x"', ["must be one of same, other size"]),
                ('claims = { pn2 = "all" }\nconditions = "same"', ["'learnt' says in a sentence"]),
                ('claims = { pn2 = "all" }\nconditions = "same"\nlearnt = "{x}"', ["braces that name no number: {x}"]),
                ('claims = { pn2 = "all" }\nconditions = "same"\nlearnt = "{printed p}"', ["braces that name no number"]),
                ('claims = { pn2 = "all" }\nconditions = "same"\nlearnt = "{pn3|x}"', ["a number of the plan 'pn3'"]),
                ('claims = { pn2 = "all" }\nconditions = "same"\nlearnt = "{pn2|Breuker}"',
                 ["a number of the claim 'Breuker'"]),
                ('claims = { pn2 = "all" }\nconditions = "same"\nlearnt = "{pn2|Breuker counters that}"',
                 ["is judged on", "not on ''"]),
                ('same_as = "s0-fig-3"', ["tells again the row 's0-fig-3'", "nearest: 's0-fig-1'"]),
                ('same_as = "s0-fig-1"\nmissing = "x"', ["'missing' belongs to the first row"])):
            if more.startswith("claims") and "learnt" not in more and "conditions" not in more:
                more += '\nconditions = "same"\nlearnt = "x"'
            with self.subTest(more=more):
                self.refused(HEAD + good + RESULT.format(at="Fig. 2", more=more), *fragments,
                             line=line)

    def test_structure(self):
        twice = RESULT.format(at="Fig. 1", more='missing = "all"')
        self.refused(HEAD + twice + "\n" + twice, "'Fig. 1' twice", line=13)
        self.refused('[[paper]]\nid = "S0"\ntitle = "t"\n', "'by' is missing", line=1)
        self.refused(HEAD + '[[paper.illustration]]\nat = "Fig. 1"\n', "'reason' is missing", line=6)
        self.refused("[aside]\nsmoke = 1\n" + HEAD, "[aside] needs a reason")
        self.refused("paper = 3\n", "'paper' must be a list")
        self.refused("[[paper\n", "not TOML")
        self.refused("", "'paper' is missing")

    def test_unreadable(self):
        with self.assertRaises(ReportError) as caught:
            paper_list.read_papers(os.path.join(self.folder, "none.toml"))
        self.assertEqual(caught.exception.status, DATA)
        os.makedirs(os.path.join(self.folder, "plans"))
        self.write("plans/x.toml", 'title = "no name"\n')
        with self.assertRaises(ReportError) as caught:
            paper_list.read_plans(os.path.join(self.folder, "plans"))
        self.assertIn("'name' is missing", str(caught.exception))


class Verdicts(unittest.TestCase):
    def test_rule(self):
        yes, partly, no, none = claims.REPRODUCED, claims.PARTLY, claims.NOT, claims.NO_DATA
        for kinds, wanted in (
                ([], ""), ([none, none], ""), ([yes], "holds"), ([yes, yes], "holds"), ([yes, none], "holds"),
                ([yes, no], "mixed"), ([yes, yes, yes, partly, no], "mixed"), ([partly], "open"),
                ([yes, partly], "open"), ([yes, yes, partly], "holds"), ([no], "contradicted"),
                ([no, none], "contradicted"), ([no, partly], "open"), ([no, no, partly], "contradicted"),
                ([partly, none], "open")):
            with self.subTest(kinds=kinds):
                self.assertEqual(findings.finding(kinds), wanted)

    def row(self, result, runs=4, planned=4, own=("a", "b")):
        judged = [claims.Judgement({**support.claim(), "id": name}, series, claims.REPRODUCED,
                                   Interval(0.5, 0.4, 0.6, 9), 0, 1, "")
                  for name in own for series in ("s", "t")]
        return papers._row(None, result, {"p": papers.Judged({}, judged, planned, runs)})

    def result(self, **options):
        return paper_list.Result("Fig. 1", "1", "says", "ran", **{"conditions": "same", **options})

    def test_rows(self):
        row = self.row(self.result(claims={"p": ["a", "b"]}))
        self.assertEqual((row.finding, row.conditions, len(row.judged), row.missing), ("holds", "same", 4, []))
        row = self.row(self.result(claims={"p": ["a"]}, series=["t"]))
        self.assertEqual((row.finding, len(row.judged)), ("holds", 1))

    def test_what_is_missing_is_said(self):
        row = self.row(self.result(claims={"q": ["a"]}))
        self.assertEqual((row.finding, row.conditions), ("", "not run"))
        self.assertIn("stored runs of q (playproof experiment bench/plans/q.toml)", row.missing)
        row = self.row(self.result(claims={"p": ["a", "new"]}))
        self.assertEqual(row.finding, "holds")
        self.assertIn("newer than the stored runs of p: new", row.missing[0])
        row = self.row(self.result(claims={"p": ["a"]}), runs=3000, planned=4000)
        self.assertEqual((row.finding, row.missing), ("holds", ["1,000 of the 4,000 runs of p"]))
        row = self.row(self.result(claims={"p": ["a"]}, missing="the rest"))
        self.assertEqual((row.finding, row.missing), ("holds", ["the rest"]))

    def test_an_older_wording_is_said(self):
        result = self.result(claims={"p": ["a"]})
        judged = [claims.Judgement({**support.claim(), "id": "a"}, "s", claims.REPRODUCED,
                                   Interval(0.5, 0.4, 0.6, 9), 0, 1, "")]
        stored = {"p": papers.Judged({}, judged, 4, 4)}
        for planned, older in (({"formula": "f"}, False), ({"formula": " f\n"}, False),
                               ({"formula": "g"}, True),
                               ({"formula": "f", "statistic": "geometric mean"}, False),
                               ({"formula": "f", "statistic": "ratio of means"}, True)):
            with self.subTest(planned=planned):
                row = papers._row(None, result, stored, {"p": {"a": planned}})
                self.assertEqual((row.finding, row.missing), ("holds", [
                    "the stored result of p judges an older wording of: a"] if older else []))

    def test_shares_need_not_name_their_statistic(self):
        formula = "share(iterations(A) < iterations(B)) > 0.5"
        stored = {**support.claim(), "formula": formula, "statistic": claims.SHARE_BELOW}
        self.assertFalse(papers._is_older(stored, {"formula": formula}))
        self.assertTrue(papers._is_older(support.claim(), {"formula": formula}))

    def test_holm_is_shown_and_does_not_decide(self):
        judged = [claims.Judgement({**support.claim(), "id": "a"}, series, claims.REPRODUCED,
                                   Interval(0.5, 0.4, 0.6, 9), 0, 1, "", holm=holm)
                  for series, holm in (("s", 0.01), ("t", 0.2))]
        row = papers._row(None, self.result(claims={"p": ["a"]}), {"p": papers.Judged({}, judged, 4, 4)})
        self.assertEqual((row.finding, row.stand()), ("holds", 1))
        self.assertIn("; 1 of 2 settled stand with Holm's correction", papers.counts_text(row))

    def test_what_does_not_count(self):
        row = self.row(self.result(claims={"q": ["a"]}, also={"p": ["b"], "r": ["c"]}))
        self.assertEqual((row.finding, len(row.judged), len(row.also)), ("", 0, 2))

    def test_all(self):
        listed, _ = paper_list.read_papers(LIST)
        paper_list.check_names(listed, paper_list.read_plans(PLANS))
        every = sweeps.claims(load(os.path.join(PLANS, "playouts.toml")))
        named = [result.claims["playouts"] for paper in listed for result in paper.results if "playouts" in result.claims]
        self.assertIn([c["id"] for c in every if not sweeps.is_own(c)], named)
        constants, = (result.claims["pgame-thesis"] for paper in listed for result in paper.results
                      if result.section == "5.4, UCT")
        self.assertEqual(len(constants), 36)
        self.assertEqual({one[:6] for one in constants}, {"UCT C="})

    def test_nothing_decided(self):
        runs = [support.run(label, f"p{i}", 5, "unknown") for label in "AB" for i in range(9)]
        made = support.made_up(runs, claims=[support.claim()], kind="agreement")
        judged = papers.judge(made)
        row = papers._row(None, self.result(claims={"test": ["c"]}), {"test": judged})
        self.assertEqual((row.finding, len(row.judged)), ("", 1))
        self.assertEqual(row.missing, ["pairs of runs that one side decided: c (s)"])

    def test_names_of_pages(self):
        self.assertEqual(papers_page.page_names(["deeppn", "../../a b", "A.B", "../"]),
                         {"deeppn": "deeppn.html", "../../a b": "a-b.html", "A.B": "a-b-2.html",
                          "../": "plan.html"})
        for output, folder in (("x/papers.html", "x/papers"), ("p.HTM", "p"), ("p", "p.pages"),
                               ("x.y/p", "x.y/p.pages"), (".html", ".html.pages")):
            self.assertEqual(papers.pages_folder(output), folder)


class SideBySide(unittest.TestCase):
    def test_answers_in_order(self):
        self.assertEqual(side_by_side.each(lambda x: x * x, list(range(9))),
                         [x * x for x in range(9)])
        self.assertEqual(side_by_side.each(abs, []), [])

    def failure(self, function):
        with self.assertRaises(ReportError) as caught:
            side_by_side.each(function, [1, 2, 3])
        return caught.exception

    def test_errors_come_back(self):
        def refuse(_):
            raise ReportError(DATA, "damaged")
        self.assertEqual((self.failure(refuse).status, str(self.failure(refuse))), (DATA, "damaged"))
        error = self.failure(lambda x: 1 / (x - 2))
        self.assertEqual(error.status, INTERNAL)
        self.assertIn("ZeroDivisionError", str(error))

    def test_an_interrupt_leaves_no_process(self):
        def interrupt(*_):
            raise KeyboardInterrupt
        before = signal.signal(signal.SIGALRM, interrupt)
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        try:
            with self.assertRaises(KeyboardInterrupt):
                side_by_side.each(lambda _: time.sleep(600), [1, 2, 3])
        finally:
            signal.signal(signal.SIGALRM, before)
        self.assertEqual(multiprocessing.active_children(), [])

    def test_a_process_that_dies(self):
        error = self.failure(lambda x: x if x != 2 else os.kill(os.getpid(), signal.SIGKILL))
        self.assertEqual(error.status, INTERNAL)
        self.assertIn("status -9", str(error))


if __name__ == "__main__":
    unittest.main()
