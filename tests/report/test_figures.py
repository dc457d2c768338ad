"""Figures and tables for a paper (`report --figures DIR`): what is written, the same bytes every time, ratios held
against counts done by hand, LaTeX read back."""

import contextlib
import csv
import io
import math
import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import support
from support import NIGHTLY
from test_compare import COUNTS, with_made
from test_escaping import WORDS, experiment as of_kind
from playproof_report import cli, figures, fonts, latex, ratios, style, summary

SHOWN = COUNTS if NIGHTLY else {label: COUNTS[label] for label in "AB"}
ALONE = "import pickle, sys, test_figures as t; pickle.dump(t.figures.made(t.prepared(t.SHOWN))[0], sys.stdout.buffer)"
T_3 = 3.182446305284263  # 97.5 % of Student's t with 3 degrees of freedom
T_1 = 12.706204736432095
COMMANDS = {"begin", "end", "toprule", "midrule", "bottomrule", "cmidrule", "multicolumn", "ge", "le", "sim", "infty",
            "cdot", "quad", "textless", "textgreater", "textbar", "textbackslash", "textasciicircum",
            "textasciitilde", "textasciigrave", "texttt", "char", "textendash", "times", "epsilon", "delta", "Omega",
            "\\", "%", "&", "_", "$", "#", "{", "}", ","}


def prepared(counts, against=None, **options):
    labels = tuple(counts)
    made = with_made([support.run(label, f"p{i}", iterations, verdict)
                      for label, of_label in counts.items()
                      for i, (iterations, verdict) in enumerate(of_label)], labels, **options)
    return summary.prepared([made], against=against)


def rows_of(experiments):
    (_, rows), = ratios.tables(experiments[0])
    return list(csv.DictReader(io.StringIO(ratios.as_csv(rows))))


def row_of(experiments, algorithm, measure="nodes_expanded"):
    row, = [row for row in rows_of(experiments) if (row["algorithm"], row["measure"]) == (algorithm, measure)]
    return row


def interval(logs, quantile):
    """Of a geometric mean, by hand."""
    mean = sum(logs) / len(logs)
    error = math.sqrt(sum((x - mean) ** 2 for x in logs) / (len(logs) - 1) / len(logs))
    return [math.exp(mean + sign * quantile * error) for sign in (0, -1, 1)]


class Ratios(unittest.TestCase):
    def numbers(self, row, names, expected):
        for name, value in zip(names, expected):
            self.assertAlmostEqual(float(row[name]) / value, 1, 9, name)

    def test_decided_on_both_sides(self):
        counts = {"A": [(10, "proved"), (40, "disproved"), (9, "proved"), (100, "proved")],
                  "B": [(5, "proved"), (80, "disproved"), (9, "proved"), (30, "proved")]}
        row = row_of(prepared(counts), "B")
        expected = interval([math.log(b[0] / a[0]) for a, b in zip(counts["A"], counts["B"])], T_3)
        self.numbers(row, ("ratio", "low", "high"), expected)
        self.numbers(row, ("ratio_both", "low_both", "high_both"), expected)
        self.assertEqual([row[name] for name in ("against", "problems", "bound", "pairs", "decided_by_both",
                                                 "by_algorithm_alone", "by_against_alone", "by_neither", "solved",
                                                 "runs")], ["A", "4", "exact", "4", "4", "0", "0", "0", "4", "4"])

    def test_runs_that_are_undecided_are_neither_dropped_nor_taken_for_decided(self):
        """p0, p1 and p2 are decided by B; A gave up on p2, and both on p3."""
        row = row_of(prepared(COUNTS), "B")
        self.assertEqual([row[name] for name in ("bound", "pairs", "decided_by_both", "by_algorithm_alone",
                                                 "by_against_alone", "by_neither", "problems", "problems_both",
                                                 "solved", "runs", "against_solved", "against_runs")],
                         ["at most", "4", "2", "1", "0", "1", "3", "2", "3", "4", "2", "4"])
        self.numbers(row, ("ratio",), [(5 / 10 * 80 / 40 * 20 / 50) ** (1 / 3)])
        self.numbers(row, ("ratio_both", "low_both", "high_both"),
                     interval([math.log(5 / 10), math.log(80 / 40)], T_1))

    def test_every_pair_of_algorithms(self):
        """Also against one with undecided runs; the other way round it is the inverse."""
        bounds = {}
        for against in COUNTS:
            for algorithm in COUNTS:
                if algorithm != against:
                    row = row_of(prepared(COUNTS, against), algorithm)
                    bounds[algorithm, against] = row["bound"]
                    other = row_of(prepared(COUNTS, algorithm), against)
                    self.numbers(other, ("ratio", "low", "high"),
                                 [1 / float(row[name]) for name in ("ratio", "high", "low")])
                    self.assertEqual(row["by_algorithm_alone"], other["by_against_alone"])
        self.assertEqual(bounds, {("B", "A"): "at most", ("A", "B"): "at least", ("C", "A"): "neither",
                                  ("A", "C"): "neither", ("C", "B"): "at least", ("B", "C"): "at most"})

    def test_nothing_that_tells_of_a_ratio(self):
        row = row_of(prepared({"A": [(5, "unknown")] * 2, "B": [(6, "unknown")] * 2}), "B")
        self.assertEqual([row[name] for name in ("ratio", "low", "ratio_both", "bound", "by_neither")],
                         ["", "", "", "", "2"])
        one = row_of(prepared({"A": [(5, "proved")], "B": [(6, "proved")]}), "B")
        self.assertEqual((one["ratio"], one["low"], one["high"]), ("1.2", "0.0", "inf"))

    def test_repetitions_are_one_problem(self):
        runs = [support.run(label, problem, count, repetition=number)
                for label, factor in (("A", 1), ("B", 3)) for problem in ("p", "q")
                for number, count in ((1, 10 * factor), (2, 40 * factor))]
        row = row_of(summary.prepared([with_made(runs, ("A", "B"))]), "B")
        self.assertEqual((row["problems"], row["pairs"], round(float(row["ratio"]), 9)), ("2", "4", 3.0))

    def test_a_series_without_the_other_side(self):
        runs = [support.run("A", "p", 5), support.run("B", "p", 7, series="t"), support.run("C", "p", 7, series="t")]
        made = summary.prepared([with_made(runs, ("A", "B", "C"), series=("s", "t"))], "agreement")
        self.assertEqual([(name, len(rows)) for name, rows in ratios.tables(made[0])], [("s", 0), ("t", 0)])
        _, line = figures.made(made)
        self.assertIn("no ratios on s, t", line)


def tabular(text):
    """[[cell, ...], ...] of a tabular, and its columns; raises ValueError where braces or columns do not fit."""
    body = "\n".join(line for line in text.split("\n") if not line.startswith("%"))
    columns, body = re.fullmatch(r"\s*\\begin\{tabular\}\{([lrc]+)\}\n(.*)\\end\{tabular\}\s*", body, re.S).groups()
    depth = 0
    for sign in re.sub(r"\\[{}]", "", body):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            raise ValueError("a brace that closes nothing")
    if depth:
        raise ValueError("a brace that is not closed")
    unknown = set(re.findall(r"\\([A-Za-z]+|.)", body.replace("\\\\", ""))) - COMMANDS
    if unknown:
        raise ValueError(f"commands {unknown}")
    found = []
    for line in body.split("\n"):
        line = re.sub(r"\\(?:top|mid|bottom)rule|\\cmidrule\(lr\)\{[0-9]+-[0-9]+\}", "", line).strip()
        if not line:
            continue
        if not line.endswith(r"\\"):
            raise ValueError(f"a line that does not end: {line}")
        cells = re.split(r"(?<!\\)&", line[:-2])
        wide = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{([0-9]+)\}", line))
        if len(cells) + wide != len(columns):
            raise ValueError(f"{len(cells) + wide} of {len(columns)} columns: {line}")
        if re.match(r"\s*[\[*]", line):
            raise ValueError(f"the line before would take this for its argument: {line}")
        found.append([cell.strip() for cell in cells])
    return found, columns


PLAIN = {r"\textbackslash{}": "\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~", r"\textless{}": "<",
         r"\textgreater{}": ">", r"\textbar{}": "|", r"\texttt{\char34}": '"', r"\textasciigrave{}": "`", "{[}": "[",
         "{]}": "]", "{*}": "*", "-{}": "-", r"\{": "{", r"\}": "}", r"\$": "$", r"\&": "&", r"\#": "#", r"\_": "_",
         r"\%": "%"}


def read_back(text):
    """What latex.text() was made of."""
    return re.sub("|".join(map(re.escape, PLAIN)), lambda found: PLAIN[found.group()], text)


class Latex(unittest.TestCase):
    NAMES = ("dfpn:probe=none,table=64MiB", "a_b & 50% #1 {x} $y$ ^~", "\\frac{1}{0}\\\\", "[2pt]", "* star", "--x---",
             "<\"quoted\"> | `x`", "% no comment", "\\end{tabular}")

    def test_names_come_back(self):
        for name in self.NAMES:
            self.assertEqual(read_back(latex.text(name)), name)
        self.assertEqual(latex.text("ε ≥ 2 × δ, Ω é"), r"$\epsilon$ $\ge$ 2 $\times$ $\delta$, $\Omega$ é")
        self.assertEqual(latex.text("a\x1b\n\x9b中"), r"a\textbackslash{}x1b\textbackslash{}x0a\textbackslash{}x9b"
                                                     r"\textless{}U+4E2D\textgreater{}")

    def test_numbers(self):
        for value, text in ((0.5, "0.5"), (1234.5, "1{,}234"), (0.00012, r"$1.20 \cdot 10^{-4}$"), (2, "2"),
                            (math.inf, r"$\infty$"), (math.nan, "--"), (2.5e7, r"$2.50 \cdot 10^{7}$"), (99.96, "100"),
                            (0, "0")):
            self.assertEqual(latex.number(value), text)

    def table(self, counts, against=None):
        (_, rows), = ratios.tables(prepared(counts, against)[0])
        return tabular(ratios.as_latex(rows))

    def test_a_table(self):
        rows, columns = self.table(COUNTS)
        self.assertEqual(columns, "lr" + "rrrr" + "rl" * 4)
        self.assertEqual(rows[0][2:4], [r"\multicolumn{4}{c}{Pairs decided by}", r"\multicolumn{2}{c}{Iterations}"])
        self.assertEqual([row[0] for row in rows[2:]], ["A (reference)", "B", r"\quad decided by both", "C",
                                                        r"\quad decided by both"])
        b, both = rows[3], rows[4]
        self.assertEqual(b[:6], ["B", "3/4", "2", "1", "0", "1"])
        self.assertEqual(b[6], r"$\le$\,0.737")
        self.assertRegex(b[7], r"^\[0\.0845, 6\.43\]$")
        self.assertEqual(both[6], "1")
        self.assertEqual(rows[5][6], r"$\sim$\,1.08")

    def test_any_name(self):
        counts = {name: [(10 + i, "proved"), (20, "proved"), (7, "unknown")] for i, name in enumerate(self.NAMES)}
        rows, _ = self.table(counts)
        self.assertEqual([read_back(row[0]) for row in rows[3:]], list(self.NAMES[1:]))

    def test_the_reader_finds_faults(self):
        good = "\\begin{tabular}{lr}\n\\toprule\na & 1 \\\\\n\\bottomrule\n\\end{tabular}\n"
        self.assertEqual(tabular(good)[0], [["a", "1"]])
        for old, new in (("a &", "a & &"), ("1 \\\\", "1"), ("a &", "{a &"), ("a &", "[a &"), ("a &", "\\input x &")):
            with self.assertRaises(ValueError):
                tabular(good.replace(old, new))

    def test_the_text_is_compiled(self):
        """By pdflatex, where it is installed."""
        if not any(os.access(os.path.join(folder, "pdflatex"), os.X_OK) for folder in os.get_exec_path()):
            self.skipTest("there is no pdflatex here")
        counts = {name: [(10 + i, "proved"), (20, "proved"), (7, "unknown")]
                  for i, name in enumerate((*self.NAMES, "ε ≥ 2 × δ 中 é"))}
        (_, rows), = ratios.tables(prepared(counts)[0])
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "ratios.tex"), "w", encoding="utf-8") as file:
                file.write(ratios.as_latex(rows))
            with open(os.path.join(folder, "paper.tex"), "w", encoding="utf-8") as file:
                file.write("\\documentclass{article}\\usepackage{booktabs}\\begin{document}\n"
                           "\\input{ratios}\n\\end{document}\n")
            done = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"], cwd=folder,
                                  capture_output=True, text=True, check=False, timeout=120)
            self.assertEqual(done.returncode, 0, done.stdout[-2000:])
            self.assertNotIn("Missing character", done.stdout)


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The figures of one plan, with its page and alone, where sets have another order."""
        with style.keeping() as cls.kept:
            cls.page = summary.as_html(prepared(SHOWN))
        made = subprocess.run([sys.executable, "-B", "-c", ALONE], stdout=subprocess.PIPE, check=True, timeout=300,
                              env={**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": os.path.dirname(__file__)})
        cls.files = pickle.loads(made.stdout)

    def check_figures(self, files):
        """Each is a well-formed SVG with a title and what it shows, and a PDF with its letters as letters."""
        names = [name[:-4] for name in files if name.endswith(".svg")]
        self.assertEqual([name[:-4] for name in files if name.endswith(".pdf")], names)
        for name in names:
            picture = xml.etree.ElementTree.fromstring(files[name + ".svg"].encode())
            space = "{http://www.w3.org/2000/svg}"
            self.assertTrue(picture.findtext(space + "title"))
            self.assertGreater(len(picture.findtext(space + "desc")), 20)
            pdf = files[name + ".pdf"]
            self.assertTrue(pdf.startswith(b"%PDF-") and pdf.rstrip().endswith(b"%%EOF"))
            for forbidden in (b"/Type3", b"/CreationDate", b"/Producer", b"/Creator"):
                self.assertNotIn(forbidden, pdf)
        return names

    def test_every_plot_of_every_kind(self):
        """Control characters are in no figure and no table: an SVG could not be read."""
        for kind in summary.KINDS:
            with self.subTest(kind=kind), contextlib.redirect_stderr(io.StringIO()) as told:
                experiments = summary.prepared([of_kind(kind, WORDS + "\x1b[2J\x9b1m\u2028\x07")])
                files, line = figures.made(experiments)
                names = self.check_figures(files)
                self.assertIn(f"{len(names)} figure", line)
                for name, content in files.items():
                    if isinstance(content, str):
                        self.assertEqual([c for c in content if c != "\n" and not c.isprintable()], [], name)
                with support.undrawn():
                    page = summary.as_html(experiments)
                self.assertEqual(len(names), len(re.findall('<div><svg role="img"', page)))
                self.assertEqual(told.getvalue(), "")

    def test_a_figure_has_its_legend(self):
        """Which a page has below it."""
        for end, words in (("solved-with-so-many-nodes-expanded", SHOWN),
                           ("s-nodes-expanded-over-a", ["some runs met a limit", "times those of A"]),
                           ("s-b-against-a-case-by-case", ["solved by both", "solved by B alone", "nodes of B"])):
            text, = [content for name, content in self.files.items() if name.endswith(end + ".svg")]
            shown = re.findall(r"<text[^>]*>([^<]*)</text>", text)
            for word in words:
                self.assertIn(word, shown)
        self.assertNotIn("some runs met a limit</text>", self.page)

    def test_names(self):
        files = {}
        for text, name in (("Plan: s over pn", "plan-s-over-pn"), ("plan s/over PN", "plan-s-over-pn-2"),
                           ("../../etc/x", "etc-x"), ("中", "plan"), ("a" * 300, "a" * 91 + "-98a6b8ac")):
            found = figures._name(files, text, ".svg")
            files[found + ".svg"] = ""
            self.assertEqual(found[:92], name[:92])
            self.assertLessEqual(len(found), figures.LONGEST)

    def test_figures_that_nobody_keeps(self):
        before = len(self.kept)
        self.assertEqual(summary.as_html(prepared(SHOWN)), self.page)
        self.assertEqual((len(self.kept), before > 5), (before, True))

    def test_without_their_page_they_are_the_same(self):
        self.assertEqual([content for name, content in self.files.items() if name.endswith((".svg", ".pdf"))],
                         [content for one in self.kept for content in (one.svg, one.pdf)])

    def test_part_of_a_font(self):
        """What a PDF shows is found in a part of a font as in the whole, or else in the whole."""
        for words in ("AVATAR ffi 0.5× − µs ≥ ∞ “ε” é\n½ Łódź", "1.5 Ж", "".join(filter(str.isprintable, sorted(fonts.PART)))):
            made = []
            for shown in (words, "中"):
                figure, ((axis,),) = style.new_figure(1, 3, 2)
                axis.set_title("Bold " + words[:20])
                axis.text(0, 0.5, words)
                with fonts.from_part(shown), io.BytesIO() as file:
                    figure.savefig(file, format="pdf", metadata={"CreationDate": None})
                    made.append(file.getvalue())
                style.pyplot.close(figure)
            self.assertEqual(made[0], made[1], words)


class CommandLine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.store = cls.path("smoke.db")
        support.experiment(support.one_series(cls.folder.name), cls.store)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    def report(self, *arguments, status=0, **options):
        done = support.report(self.store, *arguments, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_the_same_bytes(self):
        """Alone and beside a short table; by day of a kind with one figure (those of the other: Files)."""
        found, kind = [], ["--kind", "compare" if NIGHTLY else "agreement"]
        for seed, more in (("1", ["--format", "text"]), ("2", [])):
            folder = self.path("figures" + seed)
            done = self.report("--figures", folder, *kind, *more, started=True, PYTHONHASHSEED=seed, LC_ALL="C.UTF-8")
            said = done.stderr if more else done.stdout
            if more:
                self.assertIn("Claims: " if NIGHTLY else "contradict", done.stdout)
            tables = "2 tables" if NIGHTLY else "1 table"
            self.assertRegex(
                said, rf"figures{seed}: \d+ figures? \(SVG, PDF\), {tables} of ratios to PPN \(CSV, LaTeX\)")
            found.append({})
            for name in os.listdir(folder):
                with open(os.path.join(folder, name), "rb") as file:
                    found[-1][name] = file.read()
        self.assertEqual(found[0], found[1])
        self.assertEqual(sorted(name for name in found[0] if "ratios" in name),
                         [f"smoke-{series}-ratios.{end}" for series in ("2x8", "4x4")[:2 if NIGHTLY else 1]
                          for end in ("csv", "tex")])

    def test_against(self):
        folder = self.path("against")
        self.report("--figures", folder, "--against", "UCT")
        with open(os.path.join(folder, "smoke-2x8-ratios.csv"), encoding="utf-8") as file:
            self.assertEqual({(row["algorithm"], row["against"]) for row in csv.DictReader(file)},
                             {("PN", "UCT"), ("PPN", "UCT")})
        text = self.report("--format", "text", "--kind", "compare", "--against", "UCT").stdout
        self.assertIn("over UCT", text)
        page = self.path("against.html")
        with support.undrawn(), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(cli.main(["--output", page, "--kind", "compare", "--against", "UCT", "--", self.store]), 0)
        with open(page, encoding="utf-8") as file:
            self.assertIn("Paired ratios to UCT", file.read())
        error = self.report("--figures", folder, "--against", "PNN", status=64).stderr
        self.assertIn("--against: plan 'smoke' has no algorithm 'PNN'; it has PN, PPN, UCT; nearest: 'PN'", error)
        self.assertIn("has no effect with --format csv", self.report(
            "--against", "UCT", "--format", "csv", status=64, started=True).stderr)
        self.assertIn("has no effect with --papers", self.report(
            "--papers", "--figures", folder, status=64, started=True).stderr)

    def test_beside_what_else_is_written(self):
        folder = self.path("beside")
        done = self.report("--figures", folder, "--format", "csv")
        self.assertEqual(len(list(csv.DictReader(io.StringIO(done.stdout)))), 144 if NIGHTLY else 48)
        page = self.path("beside.html")
        done = self.report("--figures", folder, "--output", page)
        self.assertRegex(done.stdout, r"figures? \(SVG, PDF\)")
        self.assertTrue(os.path.exists(page))

    def test_folders_that_cannot_be(self):
        self.assertIn("Not a directory", self.report("--figures", self.store, status=74).stderr)
        self.assertIn("No such file", self.report("--figures", self.path("no/there"), status=74).stderr)
        self.assertFalse(os.path.exists(self.path("no")))

    def test_no_store_is_overwritten(self):
        folder = self.path("mine")
        os.mkdir(folder)
        store = os.path.join(folder, "smoke-2x8-ratios.csv")
        support.copy_with(self.store, store, "")
        with open(store, "rb") as file:
            before = file.read()
        with contextlib.redirect_stderr(io.StringIO()) as err:
            self.assertEqual(cli.main(["--figures", folder, "--", store]), 64)
        self.assertIn("are one file", err.getvalue())
        with open(store, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(folder), ["smoke-2x8-ratios.csv"])


if __name__ == "__main__":
    unittest.main()
