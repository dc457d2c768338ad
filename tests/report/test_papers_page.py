"""The page of the papers from outside, against the captions of the sources, its own export and the stores.
No code of the report checks any of it."""

import contextlib
import csv
import glob
import html.parser
import io
import json
import lzma
import math
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
import tomllib
import unittest
import urllib.parse

from scipy import stats

import recompute
import support
from captions import CAPTIONS
from support import NIGHTLY, PROGRAM, SOURCE, report

FINDINGS = ["holds", "contradicted", "mixed", "open"]
# Judged, and of these drawn, which takes most of the time; by night all of them.
STORES = [] if NIGHTLY else [
    os.path.join(SOURCE, "bench", "results", name)
    for name in ("pn2.db.xz", "sentences.db.xz", "deeppn-hex.db.xz")]
DRAWN = "othello-12"  # the series of the second: reproduced, partly and not


class Page(html.parser.HTMLParser):
    """Rows with their cells' text and claims; ids; links; what only illustrates."""

    VOID = ("meta", "br", "input")

    def __init__(self, text):
        super().__init__()
        self.rows, self.ids, self.links, self.open, self.illustrations = [], [], [], [], []
        self.in_illustrations = False
        self.feed(text)
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag not in self.VOID:
            self.open.append(tag)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        if tag == "a":
            self.links.append(attrs["href"])
        if "data-finding" in attrs:
            self.rows.append({"text": "", "claims": [], "links": [], **attrs})
        elif self.rows and "data-claim" in attrs:
            self.rows[-1]["claims"].append({"text": "", **attrs})
        elif self.rows and tag == "a":
            self.rows[-1]["links"].append(attrs["href"])
        if tag == "ul":
            self.in_illustrations = attrs.get("class") == "illustrations"
        if tag == "li" and self.in_illustrations:
            self.illustrations.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.in_illustrations and self.illustrations and "li" in self.open:
            self.illustrations[-1] += data
        elif self.rows and "tr" in self.open:
            target = self.rows[-1]["claims"][-1] if "li" in self.open else self.rows[-1]
            target["text"] += data


def finding_of(claims):
    """A row's finding by the rule on the page."""
    kinds = [claim["claim_verdict"] for claim in claims if claim["claim_verdict"] != "no data"]
    if {"reproduced", "not reproduced"} <= set(kinds):
        return "mixed"
    for kind, word in (("reproduced", "holds"), ("not reproduced", "contradicted")):
        if kinds.count(kind) > len(kinds) / 2:
            return word
    return "open" if kinds else ""


def three(x):
    """A ratio with three digits."""
    return f"{x:.3g}" if x < 100 else f"{x:,.0f}"


def told(sentence, claims):
    """The sentence of bench/papers.toml with the numbers of an export; claims: {(plan, claim): [claim]}."""
    def number(found):
        alone, plan, claim, series = found.groups()
        one, = (c for c in claims.get((plan, claim), [{"series": None}]) if series in (None, c["series"]))
        of = [f"{100 * one[name]:.3g} %" if "share" in one["what"] else three(one[name]) for name in ("ratio", "low", "high")]
        return of[0] if alone else f"{of[0]} ({of[1]} to {of[2]})"
    return re.sub(r"\{(=?)([^{}|]+)\|([^{}|]+)(?:\|([^{}|]+))?\}", number, sentence)


class Papers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        drawn = [cls.series_of(STORES[1], DRAWN)] if STORES else []
        with support.undrawn(), contextlib.chdir(cls.folder):
            cls.made = report("--papers", *drawn, "--output", "papers.html")
        if cls.made.returncode:
            raise AssertionError(cls.made.stderr)
        cls.text = cls.read("papers.html")
        cls.page = Page(cls.text)
        cls.export = json.loads(report("--papers", *drawn, "--format", "json").stdout)
        cls.every = json.loads(report("--papers", *STORES, "--format", "json").stdout) if STORES else cls.export

    @classmethod
    def series_of(cls, packed, series):
        """A copy of a store with the runs of one series."""
        path = os.path.join(cls.folder, "series.db")
        with lzma.open(packed, "rb") as store, open(path, "wb") as copy:
            shutil.copyfileobj(store, copy)
        database = sqlite3.connect(path)
        database.execute("DELETE FROM run WHERE series != ?", (series,))
        database.commit()
        database.close()
        return path

    @classmethod
    def read(cls, name):
        with open(os.path.join(cls.folder, name), encoding="utf-8") as file:
            return file.read()

    def test_every_caption_is_there_once(self):
        for paper, captions in CAPTIONS.items():
            shown = [row["data-at"] for row in self.page.rows
                     if row["data-paper"] == paper and row["data-at"] != "text"]
            section = self.text.split(f'<h2 id="{paper}">')[1].split("<h2 ")[0]
            only = re.findall(r"<li><b>([^<]+)</b>", section)
            numbered = [name for name in shown + only if re.match(r"(Fig\.|Table) ", name)]
            with self.subTest(paper=paper):
                self.assertEqual(sorted(numbered), sorted(captions))
        self.assertEqual(len(self.page.illustrations), len(self.export["illustrations"]))

    def test_rows_are_those_of_the_export(self):
        self.assertEqual([row["id"] for row in self.page.rows],
                         [result["id"] for result in self.export["results"]])
        for row, result in zip(self.page.rows, self.export["results"]):
            with self.subTest(row=row["id"]):
                self.assertEqual((row["data-paper"], row["data-at"], row["data-section"]),
                                 (result["paper"], result["at"], result["section"]))
                self.assertIn(result["says"], row["text"])
                for missing in result["missing"]:
                    self.assertIn(missing, row["text"])
                self.assertEqual([(c["data-plan"], c["data-claim"], c["data-series"])
                                  for c in row["claims"]],
                                 [(c["plan"], c["claim"], c["series"])
                                  for c in result["claims"] + result["by_own_formula"] + result["also"]])

    def test_every_claim_shows_its_verdict_ratio_and_interval(self):
        chips = {"reproduced": "✓ reproduced", "partly": "◐ partly", "not reproduced": "✗ not",
                 "no data": "no data"}
        for row, result in zip(self.page.rows, self.export["results"]):
            for shown, claim in zip(row["claims"], result["claims"] + result["by_own_formula"] + result["also"]):
                with self.subTest(row=row["id"], claim=claim["claim"]):
                    self.assertTrue(shown["text"].strip().startswith(chips[claim["claim_verdict"]]))
                    numbers = re.search(r": (\S+?)(?:×|( %)|) \[(\S+?)(?: %)?, (\S+?)(?: %)?\], "
                                        r"n = (\d+)", shown["text"])
                    if claim["claim_verdict"] != "no data":
                        share = 100 if numbers[2] else 1
                        for text, name in zip(numbers.group(1, 3, 4, 5), ("ratio", "low", "high", "n")):
                            number = float(text.replace(",", "").replace("∞", "inf"))
                            number /= share if name != "n" else 1
                            wanted = math.inf if claim[name] is None else claim[name]
                            self.assertTrue(number == wanted or abs(number / wanted - 1) < 0.006, text)

    def test_findings_follow_from_the_claims(self):
        of = {result["id"]: result for result in self.export["results"]}
        counted, tested = dict.fromkeys(FINDINGS, 0), dict.fromkeys(("same", "other size", "other game", "not run"), 0)
        for row, result in zip(self.page.rows, self.export["results"]):
            with self.subTest(row=row["id"]):
                first = of[result["same_as"]] if result["same_as"] else result
                finding = finding_of(first["claims"])
                self.assertEqual((row["data-finding"], result["finding"]), (finding, finding))
                self.assertEqual((row["data-conditions"], result["conditions"]), (first["conditions"],) * 2)
                self.assertEqual(first["conditions"] == "not run", not finding)
                self.assertTrue(result["claims"] or result["missing"] or result["same_as"])
                self.assertIn(result["learnt"], row["text"])
                self.assertEqual(result["own_formula"], finding_of(result["by_own_formula"]))
                if not result["same_as"]:
                    tested[result["conditions"]] += 1
                    if finding:
                        counted[finding] += 1
        twice = sum(bool(result["same_as"]) for result in self.export["results"])
        ways = ", ".join(f"{tested[kind]} {words}" for kind, words in (
            ("same", "as the papers did"), ("other size", "at another size"), ("other game", "in another game")) if tested[kind])
        line = (f"{len(self.page.rows)} results of five papers, {twice} of them told twice: {sum(counted.values())} tested "
                f"({ways}), of which {counted['holds']} hold, {counted['contradicted']} contradicted, "
                f"{counted['mixed']} mixed, {counted['open']} open; {tested['not run']} not run")
        self.assertEqual(self.made.stdout, line + "\n")
        self.assertEqual(self.export["summary"], line)
        self.assertIn(f"<p class=\"lead\">{line}.</p>", self.text)
        self.assertEqual(twice, 6)
        self.assertTrue(counted["holds"] and counted["contradicted"] and counted["mixed"], counted)
        of = {result["id"]: result for result in self.every["results"]}
        for result in of.values():
            first = of[result["same_as"]] if result["same_as"] else result
            self.assertEqual(result["finding"], finding_of(first["claims"]), result["id"])

    def test_judgements_count_once(self):
        once = {(c["plan"], c["claim"], c["series"]): c["claim_verdict"] for result in self.export["results"]
                if not result["once"] for c in result["claims"]}
        kinds = [*once.values(), *({"holds": "reproduced", "contradicted": "not reproduced"}.get(result["finding"], "partly")
                                   for result in self.export["results"] if result["once"] and result["finding"])]
        numbers = [kinds.count(kind) for kind in ("reproduced", "not reproduced", "partly")]
        self.assertIn(f"Of {sum(numbers)} judgements, each counted once, {numbers[0]} hold, {numbers[1]} are contradicted and "
                      f"{numbers[2]} open", " ".join(self.text.split()))

    def test_sentences_have_the_numbers_of_the_stores(self):
        with open(os.path.join(SOURCE, "bench", "papers.toml"), "rb") as file:
            entries = [entry for paper in tomllib.load(file)["paper"] for entry in paper.get("result", [])]
        claims = {}
        for one in (c for result in self.every["results"] for c in result["claims"] + result["also"]):
            mine = claims.setdefault((one["plan"], one["claim"]), [])
            mine += [one] if one["series"] not in [c["series"] for c in mine] else []
        filled = 0
        for entry, result in zip(entries, self.every["results"]):
            if result["learnt"] and "{printed" not in entry["learnt"]:
                with self.subTest(result["id"]):
                    self.assertEqual(result["learnt"], told(entry["learnt"], claims))
                    filled += "{" in entry["learnt"]
        self.assertGreater(filled, 8)

    def test_claims_follow_from_their_intervals(self):
        """Where nothing was undecided the verdict is where the interval lies."""
        for claim in (c for result in self.every["results"] for c in result["claims"]):
            if claim["note"] or claim["claim_verdict"] == "no data":
                continue
            high = math.inf if claim["claimed_high"] is None else claim["claimed_high"]
            inside = claim["claimed_low"] < claim["low"] and claim["high"] < high
            outside = claim["high"] <= claim["claimed_low"] or claim["low"] >= high
            with self.subTest(claim=claim["claim"]):
                self.assertEqual(claim["claim_verdict"], "reproduced" if inside else
                                 "not reproduced" if outside else "partly")

    def test_links_lead_somewhere(self):
        self.assertEqual(len(self.page.ids), len(set(self.page.ids)))
        ids = {"": set(self.page.ids)}
        self.assertGreater(len(self.page.links), 100)
        for link in self.page.links:
            name, _, anchor = urllib.parse.unquote(link).partition("#")
            if name not in ids:
                ids[name] = set(re.findall(r' id="([^"]+)"', self.read(name)))
                self.assertIn('<a href="../papers.html">', self.read(name))
            if anchor:
                with self.subTest(link=link):
                    self.assertIn(anchor, ids[name])
        for row, result in zip(self.page.rows, self.export["results"]):
            for plan in {claim["plan"] for claim in result["claims"]}:
                self.assertIn(f"papers/{plan}.html", row["links"])

    def test_nothing_is_fetched(self):
        for forbidden in ("<script", "<link", "@import", "src=", "http"):
            self.assertNotIn(forbidden, self.text)

    def test_other_formats(self):
        few = STORES[:1]
        export = json.loads(report("--papers", *few, "--format", "json").stdout) if few else self.export
        text = report("--papers", *few, "--format", "text").stdout
        self.assertEqual(text.splitlines()[-1], export["summary"])
        for result in export["results"]:
            name = result["at"] if result["at"] != "text" else f"section {result['section']}"
            said = "as S" if result["same_as"] else rf"{result['conditions']} +{result['finding']}"
            self.assertRegex(text, rf"(?m)^  {re.escape(name)} +{said}")
        lines = report("--papers", *few, "--format", "csv").stdout
        table = list(csv.DictReader(io.StringIO(lines)))
        claims = [(c["plan"], c["claim"], c["series"])
                  for result in export["results"] for c in result["claims"]]
        self.assertEqual([(line["plan"], line["claim"], line["series"]) for line in table
                          if line["plan"]], claims)
        self.assertEqual(list(dict.fromkeys(line["id"] for line in table)),
                         [result["id"] for result in export["results"]])

    def test_ratios_from_the_stores(self):
        """Counts and times, paired and averaged again from the rows of the stores."""
        stores, checked = {}, 0
        for path in STORES or glob.glob(os.path.join(SOURCE, "bench", "results", "*.db*")):
            stores.update(read_store(path))
        for claim in (c for result in self.every["results"] for c in result["claims"]):
            if claim["what"] != "geometric mean of paired ratios":
                continue
            found = geometric(stores[claim["plan"]], claim)
            if found:
                checked += 1
                with self.subTest(claim=claim["claim"], series=claim["series"]):
                    self.assertEqual(found[0], claim["n"])
                    for mine, theirs in zip(found[1:], (claim["ratio"], claim["low"], claim["high"])):
                        theirs = math.inf if theirs is None else theirs
                        self.assertTrue(mine == theirs or abs(mine / theirs - 1) < 1e-9, (mine, theirs))
        self.assertGreater(checked, 20)


def read_store(path):
    """{plan: (its claims by id, its runs)} of the newest plans in a store."""
    with tempfile.NamedTemporaryFile(suffix=".db") as plain:
        with (lzma.open if path.endswith(".xz") else open)(path, "rb") as packed:
            shutil.copyfileobj(packed, plain)
        plain.flush()
        database = sqlite3.connect(plain.name)
        database.row_factory = sqlite3.Row
        plans = {}
        for row in database.execute("SELECT hash, name, json FROM plan ORDER BY last_used"):
            runs = [dict(run) for run in database.execute(
                "SELECT run.* FROM run JOIN plan_run USING (key) WHERE plan_hash = ?", (row["hash"],))]
            plans[row["name"]] = ({claim["id"]: claim for claim in json.loads(row["json"])["claims"]},
                                  runs)
        database.close()
        return plans


def counted(run, measure):
    """0 is half of the least that there can be."""
    least = {"cpu_seconds": 1e-6, "seconds": 1e-6,
             "iterations_normalised": 1 / run["iteration_divisor"]}.get(measure, 1)
    return run[measure] or least / 2


def geometric(plan, claim):
    """(n, ratio, low, high); None for settings that are chosen among many."""
    claims, runs = plan
    formula = claims[claim["claim"]]
    sides = [{(run["problem"], run["goal"], run["repetition"]): run for run in runs
              if run["series"] == claim["series"] and run["algorithm"] == formula[side]}
             for side in ("subject", "base")]
    if not all(sides):
        return None
    boards = {key: recompute.turned(run["game"], run["position"]) for key, run in sides[0].items()}
    several = len({(boards[key], key[1]) for key in sides[0]}) > 1  # else the repetitions are the sample
    logs = {}
    for key, subject in sides[0].items():
        base = sides[1].get(key)
        if base and (subject["verdict"] != "unknown" or base["verdict"] != "unknown"):
            value = math.log(counted(subject, formula["measure"]) / counted(base, formula["measure"]))
            logs.setdefault((boards[key], key[1]) if several else key, []).append(value)
    means = [sum(values) / len(values) for values in logs.values()]
    n, mean = len(means), sum(means) / len(means)
    if n == 1:  # no spread is known
        return n, math.exp(mean), 0.0, math.inf
    spread = math.sqrt(sum((value - mean) ** 2 for value in means) / (n - 1) / n)
    half = stats.t.ppf(0.975, n - 1) * spread
    return n, math.exp(mean), math.exp(mean - half), math.exp(mean + half)


PLAN = """\
name = "pn2"
[limits]
max_nodes = 1_000
[report]
kind = "agreement"
[[series]]
name = "s"
game = "pgame:branching=2,depth=4"
trees = { from = 1, to = 4 }
[[algorithm]]
label = "PN"
spec = "pn"
[[algorithm]]
label = "PPN"
spec = "ppn"
[[claim]]
id = "Breuker counters that"
text = "Less."
source = "nowhere"
formula = "iterations(PPN) < 100 * iterations(PN)"
"""


class Files(unittest.TestCase):
    """What is read and written, with a store of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.store = self.experiment(PLAN, "r.db")

    def path(self, name):
        return os.path.join(self.folder, name)

    def experiment(self, text, store, *options):
        with open(self.path("plan.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([PROGRAM, "experiment", self.path("plan.toml"), "--store", self.path(store),
                        *options], capture_output=True, check=True, timeout=120)
        return self.path(store)

    def fails(self, status, *arguments, says="", **options):
        process = report("--papers", *arguments, **options)
        self.assertEqual((process.returncode, process.stdout), (status, ""), process.stderr)
        self.assertTrue(process.stderr.startswith("playproof: "), process.stderr)
        self.assertIn(says, process.stderr)

    def test_stores_by_name(self):
        made = report("--papers", "--output", self.path("out.html"), self.store)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(os.listdir(self.path("out")), ["pn2.html"])
        with open(self.path("out.html"), encoding="utf-8") as file:
            page = Page(file.read())
        judged = {row["id"]: row["claims"] for row in page.rows if row["claims"]}
        self.assertEqual(list(judged), ["s2-text-5-2"])  # the row of this claim
        again = report("--papers", "--output", self.path("out.html"), self.store)
        self.assertEqual(again.returncode, 0, again.stderr)  # over the old ones

    def test_errors(self):
        page = self.path("p.html")
        self.fails(65, self.path("none.db"), "--output", page, says="no such file")
        other = self.experiment(PLAN.replace('"pn2"', '"mine"', 1), "other.db")
        self.fails(65, other, "--output", page, says="no store holds runs of a plan that")
        self.fails(64, self.store, says="--output FILE is needed", started=True)
        self.fails(64, self.store, "--output", self.store, says="are one file", started=True)
        self.fails(74, self.store, "--output", self.path("no/p.html"), says="p")
        self.assertFalse(os.path.exists(page))
        self.assertFalse(os.path.exists(self.path("p")))

    def test_a_store_older_than_a_claim(self):
        older = self.experiment(PLAN.replace("Breuker counters", "Breuker hinders"), "older.db")
        process = report("--papers", "--format", "json", older)
        self.assertEqual(process.returncode, 0, process.stderr)
        row = next(r for r in json.loads(process.stdout)["results"] if r["id"] == "s2-text-5-2")
        self.assertEqual((row["conditions"], row["finding"]), ("not run", ""))
        self.assertIn("newer than the stored runs of pn2: Allis is slow", "; ".join(row["missing"]))

    def test_plan_without_runs(self):
        database = sqlite3.connect(self.store)
        database.execute("DELETE FROM run")
        database.commit()
        database.close()
        self.fails(65, self.store, "--output", self.path("p.html"), says="no finished run")

    def test_pages_never_replace_stores(self):
        os.makedirs(self.path("p"))
        os.link(self.store, self.path("p/pn2.html"))
        self.fails(64, self.store, "--output", self.path("p.html"), says="are one file")
        self.assertFalse(os.path.exists(self.path("p.html")))
        self.assertEqual(report("--format", "csv", self.store).returncode, 0)

    def test_a_file_where_the_folder_must_be(self):
        with open(self.path("p"), "w", encoding="utf-8") as file:
            file.write("mine")
        self.fails(74, self.store, "--output", self.path("p.html"), says="cannot make the folder")
        self.assertFalse(os.path.exists(self.path("p.html")))


if __name__ == "__main__":
    unittest.main()
