"""Pages can be read: contrast, captions, words for figures, on narrow screens, in the dark, on paper."""

import functools
import html.parser
import os
import re
import subprocess
import sys
import unittest

import support
import test_compare
import test_escaping
from playproof_report import page, style, summary

with open(os.path.join(support.SOURCE, "python/playproof_report/templates/style.css"),
          encoding="utf-8") as file:
    CSS = re.sub(r"/[*].*?[*]/", "", file.read(), flags=re.S)


def blocks(text):
    """[(what stands before {, what stands inside)] of the outermost level."""
    found, depth, begin, head = [], 0, 0, ""
    for i, sign in enumerate(text):
        if sign == "{":
            if depth == 0:
                head, begin = text[begin:i].strip(), i + 1
            depth += 1
        elif sign == "}":
            depth -= 1
            if depth == 0:
                found.append((head, text[begin:i]))
                begin = i + 1
    return found


def media(*named):
    """The rules without a condition, then those of @media blocks whose condition has one of these words."""
    rules = [rule for rule in blocks(CSS) if not rule[0].startswith("@")]
    for head, inside in blocks(CSS):
        if head.startswith("@media") and any(name in head for name in named):
            rules += blocks(inside)
    return rules


def declarations(inside):
    return dict(re.findall(r"([-\w]+)\s*:\s*([^;]+?)\s*(?:;|$)", inside))


def variables(rules):
    return {name: value for head, inside in rules if head == ":root"
            for name, value in declarations(inside).items()}


class Contrast(unittest.TestCase):
    def pairs(self, rules):
        """{(what, colour, paper)}: every colour of a text on its own paper, or else on all on which
        it may stand."""
        known = variables(rules)

        def resolved(value):
            name = re.fullmatch(r"var\((--[-\w]+)\)", value)
            return known[name.group(1)] if name else value
        found = set()
        papers = ["var(--paper)", "var(--alarm)", "var(--target)", "var(--pre)"]
        for head, inside in rules:
            said = declarations(inside)
            if said.get("color", "inherit") != "inherit":
                for paper in [said["background"]] if "background" in said else papers:
                    found.add((head, resolved(said["color"]), resolved(paper)))
        return found

    def test_of_every_text(self):
        for named in ([], ["dark"], ["print"], ["dark", "print"]):
            found = self.pairs(media(*named))
            self.assertGreater(len({head for head, _, _ in found}), 10)
            for head, colour, paper in found:
                with self.subTest(media=named, rule=head, colour=colour, paper=paper):
                    self.assertRegex(colour + paper, r"\A#[0-9a-f]{6}#[0-9a-f]{6}\Z")
                    self.assertGreaterEqual(style.contrast(colour, paper), 4.5)

    def test_the_dark_has_all_colours(self):
        light, dark, both = (variables(media(*named)) for named in ([], ["dark"], ["print"]))
        self.assertEqual(set(light), set(dark))
        self.assertEqual(set(light), set(both))
        self.assertLess(style.luminance(dark["--paper"]), 0.03)
        self.assertEqual([name for name in light if light[name] == dark[name]], [])
        # What is printed from a dark screen is not dark.
        printed = variables(media("dark", "print"))
        self.assertEqual(printed, both)

    def test_computed_by_hand(self):
        self.assertAlmostEqual(style.contrast("#000000", "#ffffff"), 21)
        self.assertAlmostEqual(style.contrast("#767676", "#ffffff"), 4.54, places=2)
        self.assertAlmostEqual(style.contrast("#ffffff", "#0000ff"), 8.59, places=2)

    def test_of_texts_in_figures(self):
        for colour in [style.INK, style.REFERENCE, *style.OTHERS, *style.CURVES]:
            text = style.for_text(colour)
            self.assertGreaterEqual(style.contrast(text, style.PAPER), 4.5)
            if style.contrast(colour, style.PAPER) >= 4.5:
                self.assertEqual(text, colour)
        self.assertGreaterEqual(style.contrast(style.INK, style.GRID), 4.5)
        card = dict(blocks(CSS))[".card"]  # a figure stands on its own paper, in the dark too
        self.assertEqual(declarations(card), {"background": style.PAPER, "color": style.INK})


class Words(unittest.TestCase):
    def test_what_draws_nothing_imports_no_matplotlib(self):
        """It takes a third of the time of a short table."""
        code = "import sys, playproof_report.papers, playproof_report.summary; sys.exit('matplotlib' in sys.modules)"
        subprocess.run([sys.executable, "-B", "-c", code], check=True, timeout=60,
                       env={**os.environ, "PYTHONPATH": os.path.join(support.SOURCE, "python")})


class Axes(unittest.TestCase):
    def test_labels_say_where_they_are_and_stand_apart(self):
        for formatter, sign, ends in (
                (style.ratio_text, "×", ((0.97, 1.12), (0.9, 1.05), (0.66, 0.9), (0.3, 1.4), (0.101, 0.49), (2.01, 9.9),
                                         (0.2, 3), (0.15, 5), (0.11, 9), (0.01, 20), (0.001, 1000))),
                (style.short_time, " s", ((1.02, 1.3), (1.1, 8), (1.3, 99))),
                (style.short_number, "", ((11, 12), (1, 90), (1, 299)))):
            for low, high in ends:
                with self.subTest(low=low, high=high):
                    figure, ((axis,),) = style.new_figure(1, 3.3, 1.5)
                    axis.set_xscale("log")
                    axis.set_xlim(low, high)
                    style.log_axis(axis.xaxis, formatter, room=20)
                    figure.canvas.draw()
                    shown = [(at, label) for at, label in zip(axis.get_xticks(), axis.get_xticklabels())
                             if low <= at <= high]
                    self.assertGreaterEqual(len(shown), 2)
                    for at, label in shown:
                        self.assertAlmostEqual(float(label.get_text().removesuffix(sign).replace(",", "")) / at, 1, delta=0.006)
                    boxes = sorted((label.get_window_extent().x0, label.get_window_extent().x1) for _, label in shown)
                    for one, other in zip(boxes, boxes[1:]):
                        self.assertLess(one[1] + 2, other[0])
                    style.pyplot.close(figure)


class Elements(html.parser.HTMLParser):
    """Tables with their captions and headings, figures with theirs, pictures with their words."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.figures, self.pictures, self.hidden = [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag == "table":
            self.tables.append({"caption": 0, "scopes": [], "rows": 0})
        elif tag == "caption":
            self.tables[-1]["caption"] += 1
        elif tag == "th":
            self.tables[-1]["scopes"].append(attrs.get("scope"))
        elif tag == "tr":
            self.tables[-1]["rows"] += 1
        elif tag == "figure":
            self.figures.append({"pictures": 0, "caption": 0})
        elif tag == "figcaption":
            self.figures[-1]["caption"] += 1
        elif tag == "svg" and attrs.get("aria-hidden") == "true":
            self.hidden += 1
        elif tag == "svg":
            self.pictures.append((attrs.get("role"), attrs.get("aria-label", "")))
            if self.figures:
                self.figures[-1]["pictures"] += 1


@functools.cache
def drawn(kind):
    return summary.as_html([test_escaping.experiment(kind, "algorithm")])


class Elsewhere(unittest.TestCase):
    def pages(self):
        for kind in test_escaping.PARAMETERS:
            yield kind, Elements(drawn(kind))

    def test_tables_and_figures_are_named(self):
        for kind, found in self.pages():
            with self.subTest(kind=kind):
                self.assertGreaterEqual(len(found.tables), 2)
                for table in found.tables:
                    self.assertEqual(table["caption"], 1)
                    self.assertGreater(len(table["scopes"]), 0)
                    self.assertLessEqual(set(table["scopes"]), {"col", "row", "rowgroup"})
                self.assertGreaterEqual(len(found.figures), 1)
                for figure in found.figures:
                    self.assertEqual(figure["caption"], 1)
                    self.assertGreaterEqual(figure["pictures"], 1)
                for role, words in found.pictures:
                    self.assertEqual(role, "img")
                    self.assertTrue(len(words.split()) > 3 or words == "no data", words)

    def test_words_of_figures_differ(self):
        for kind, found in self.pages():
            words = [text for _, text in found.pictures if "interval" not in text and text != "no data"]
            self.assertEqual(len(words), len(set(words)), kind)

    def test_rows_have_names(self):
        with support.undrawn():
            found = Elements(summary.as_html([test_compare.made_up(test_compare.COUNTS)]))
        for table in found.tables:
            columns = table["scopes"].count("col")
            if columns:
                self.assertEqual(table["scopes"].count("row"), table["rows"] - 1)

    def test_letters_can_be_read_on_a_telephone(self):
        """390 pixels less the margins: letters of 9 points are 12 pixels at their own size."""
        counts = {"df-pn without endings": [(9, "proved"), (70, "unknown")], "PPN": [(5, "proved")] * 2}
        made = test_compare.made_up(counts)
        text = summary.as_html([made])
        narrow = dict(blocks(dict(blocks(CSS))["@media screen and (max-width: 640px)"]))
        margin = int(declarations(narrow["main"])["padding"].split("px")[1])
        for svg in re.findall(r'<svg role="img"[^>]*?width="([0-9.]+)pt"', text):
            natural = float(svg) * 96 / 72
            self.assertGreaterEqual(12 * min(1, (390 - 2 * margin) / natural), 9)
        for least in re.findall(r"--least:(\d+)px", text):
            self.assertLess(int(least), 1224 / 2)  # two stand side by side on a wide screen
        self.assertIn("minmax(min(100%, var(--least)), 1fr)", CSS)  # never wider than the screen
        for selector in (".card", ".card svg"):  # nothing is read sideways
            self.assertNotIn("overflow-x", declarations(narrow.get(selector, "")))
            self.assertNotIn("min-width", declarations(dict(blocks(CSS))[selector]))

    def test_pictures_of_all_kinds_are_panels(self):
        """Each is as narrow as those of compare, so that a telephone shows them one below the other."""
        for kind in test_escaping.PARAMETERS:
            text = drawn(kind)
            widths = [float(width) * 96 / 72
                      for width in re.findall(r'<svg role="img"[^>]*?width="([0-9.]+)pt"', text)]
            with self.subTest(kind=kind):
                self.assertGreaterEqual(len(widths), 1)
                self.assertEqual(text.count('<div class="card">'), text.count('<div class="panels"'))
                self.assertGreaterEqual(text.count('<ul class="legend">'),
                                        {"deeppn": 2}.get(kind, 0))
                for natural in widths:
                    self.assertGreaterEqual(12 * (390 - 28) / natural, 9)

    def test_paper_has_no_scrollbars(self):
        printed = dict(media("print"))
        self.assertNotIn("overflow-x", declarations(printed["pre"]))
        self.assertEqual(declarations(printed[".scroll"])["overflow"], "visible")
        self.assertEqual(declarations(printed["th, td"])["white-space"], "normal")

    def test_least_width(self):
        svg = '<svg role="img" width="300pt" height="5pt">', '<svg width="75.5pt">'
        self.assertEqual(page.least_width(svg), round(page.READABLE * 400))


class Sorting(unittest.TestCase):
    def test_every_cell_has_a_number(self):
        with support.undrawn():
            text = summary.as_html([test_compare.made_up(test_compare.COUNTS)])
        table = text.split('<table class="sortable">')[1].split("</table>")[0]
        body = table.split("<tbody>")[1]
        cells = re.findall(r"<t[dh]([^>]*)>", body)
        self.assertEqual(len(cells), 4 * (2 + 3))
        for cell in cells:
            float(re.search(r'data-value="([^"]+)"', cell).group(1))
        self.assertEqual(table.count('scope="col"'), 5)
        self.assertEqual(text.count("<script>"), 1)
        self.assertNotIn("<button", text)  # without a script there is nothing to press


if __name__ == "__main__":
    unittest.main()
