"""Whatever a store or a plan says is text: no kind of page takes it for HTML or for mathematics."""

import contextlib
import html.parser
import json
import os
import subprocess
import tempfile
import unittest

import support
from playproof_report import summary, terminal

WORDS = '<script>alert("x")</script>\'"><b onclick=y>&amp; $\\frac$ {{ 7 * 7 }} {% if %}'
# What algorithms of each kind of page have.
PARAMETERS = {"compare": [{}, {}], "agreement": [{}, {}]}
OF_RUNS = ("version", "revision", "compiler", "cpu_model", "host", "backend", "device", "started",
           "finished", "spec")


# The one script that a page may have: what it is does not depend on what the page shows.
with open(os.path.join(support.SOURCE, "python/playproof_report/templates/sort.js"), encoding="utf-8") as file:
    SORT = file.read().strip()


class Reader(html.parser.HTMLParser):
    """The elements of a page and its text."""

    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text, self.open = set(), set(), "", []
        self.scripts = []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in ("meta", "br", "use", "path", "rect", "line", "circle", "stop"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag):
        if tag not in ("path", "use", "rect", "line", "circle", "stop"):
            assert self.open and self.open.pop() == tag, f"</{tag}> without its beginning"

    def handle_data(self, data):
        if self.open[-1:] == ["script"]:
            self.scripts.append(data.strip())
        else:
            self.text += data


def experiment(kind, words=WORDS):
    labels = [f"{number} {words}" for number in range(len(PARAMETERS[kind]))]
    runs = []
    for label, parameters in zip(labels, PARAMETERS[kind]):
        for problem, count in ((words, 10), ("p", 20)):
            run = support.run(label, problem, count + len(runs), series=words,
                              expected="disproved" if problem == words else "proved")
            run.update({column: words for column in OF_RUNS})
            run["parameters"] = json.dumps(parameters)
            run["re_entries"] = run["iterations"]
            runs.append(run)
    claim = support.claim(subject=labels[0], base=labels[1], series=(words,))
    claim.update(id=words, text=words, source=words, formula=words, own=True)
    made = support.made_up(runs, series=(words,), labels=labels, claims=[claim], kind=kind)
    made.plan.update(name=words, title=words, description=words, choices=[
        {"label": "choice " + words, "labels": labels[1:], "how": "best", "measure": "iterations",
         "series": [words]}])
    made.curves = {run["key"]: [(0, 1.0), (3, 0.0)] for run in runs}
    made.text = made.hash = words
    made.warnings = [words]
    made.invocations = [{"build_type": words, "cores": 1, "concurrent": 1, "command": words}]
    return made


def json_with(made, old, new):
    """With other names, everywhere."""
    def changed(value):
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, dict):
            return {name: changed(of) for name, of in value.items()}
        return [changed(of) for of in value] if isinstance(value, list) else value

    made.plan, made.warnings = changed(made.plan), changed(made.warnings)
    made.runs = [changed(run) | {"key": run["key"], "parameters": run["parameters"]} for run in made.runs]
    return made


class Escaping(unittest.TestCase):
    def test_every_kind(self):
        self.assertEqual(set(PARAMETERS), set(summary.KINDS))
        for kind, plans in ((*((kind, 1) for kind in PARAMETERS), ("compare", 2))):
            # The pictures of two plans are those of one.
            with self.subTest(kind=kind, plans=plans), support.undrawn() if plans > 1 else contextlib.nullcontext():
                page = summary.as_html([experiment(kind) for _ in range(plans)])
                reader = Reader()
                reader.feed(page)
                reader.close()
                self.assertEqual(reader.open, [])
                self.assertEqual(reader.scripts, [SORT] if kind == "compare" else [])
                self.assertNotIn("b onclick", page.replace("&lt;b onclick", ""))
                self.assertNotIn("onclick", reader.attributes)
                # Shown as it is: title, description, warning, problem of a disagreement, claim,
                # program, plan, and the figures.
                self.assertGreater(reader.text.count(WORDS), 12)
                self.assertNotIn("&lt;svg", page)
                self.assertNotIn("&lt;br&gt;", page)
                self.assertNotIn("&lt;span", page)

    def test_a_page_begins_with_its_plot(self):
        """Below the title what answers it, below that what is missing."""
        for kind in PARAMETERS:
            with self.subTest(kind=kind):
                with support.undrawn():
                    page = summary.as_html([experiment(kind)])
                places = [page.index(text) for text in ("<h1>", '<svg role="img"', "</figure>", 'class="warning"',
                                                        'class="tally"', "<h2>How this was made")]
                self.assertEqual(places, sorted(places))
                self.assertNotIn("<table", page[:places[1]])

    def test_text(self):
        for kind in PARAMETERS:
            self.assertIn(WORDS, summary.as_text([experiment(kind)]))

    def test_text_gives_a_terminal_no_orders(self):
        """A store of others may have any signs in its names."""
        orders = "\x1b[2J\r\n\x7f\x9b1m\u2028x"
        for kind in PARAMETERS:
            with self.subTest(kind=kind):
                made = experiment(kind)
                text = summary.as_text([json_with(made, WORDS, WORDS + orders)])
                self.assertIn(r"\x1b[2J\x0d\x0a\x7f\x9b1m\u2028x", text)
                self.assertEqual([c for c in text if c != "\n" and not c.isprintable()], [])
                self.assertEqual(len(text.split("\n")), len(summary.as_text([experiment(kind)]).split("\n")))

    def test_errors_and_warnings_too(self):
        self.assertEqual(terminal.one_line("a\nb\tε×\x85"), r"a\x0ab\x09ε×\x85")
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run([support.PROGRAM, "report", os.path.join(folder, "a\x1b[2J.db"),
                                   "--format", "text"], capture_output=True, text=True, check=False,
                                  timeout=120)
        self.assertEqual(made.returncode, 65)
        self.assertIn(r"\x1b[2J.db", made.stderr)
        self.assertNotIn("\x1b", made.stderr)


if __name__ == "__main__":
    unittest.main()
