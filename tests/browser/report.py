"""The page of `playproof report` for a plan of ten lines, 20 Othello positions, and that of the papers, in headless Chromium:
`make browser-test`. Needs what tests/browser/view.py needs, and what draws reports.

PLAYPROOF names the program. With PLAYPROOF_PICTURES=FOLDER pictures of the page are left there."""

import contextlib
import os
import shutil
import sqlite3
import unittest

import chromium

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PLAN = """name = "endgames"
limits.max_nodes = 2e5
[[series]]
name = "endgames"
game = "othello"
positions_file = "endgames.txt"
[[algorithm]]
spec = "pn"
[[algorithm]]
spec = "dfpn:probe=none"
[[algorithm]]
spec = "ppn"
"""
POSITIONS = 20


class Report(chromium.Browser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(os.path.join(SOURCE, "tests/data/othello-14-random.txt"), encoding="ascii") as file:
            lines = [line for line in file if line[0] in "XO-"]
        for name, text in (("endgames.txt", "".join(lines[:POSITIONS])), ("plan.toml", PLAN)):
            with open(os.path.join(cls.folder, name), "w", encoding="ascii") as file:
                file.write(text)
        cls().call("experiment", "plan.toml", "--store", "endgames.db", "--progress", "none")
        cls().call("report", "endgames.db", "--output", "endgames.html")

    def open(self):
        self.browser.get("file://" + os.path.join(self.folder, "endgames.html"))

    def column(self, number):
        """What the rows of the table of all cases are sorted by."""
        return self.script("return Array.from(document.querySelector('table.sortable').tBodies[0].rows)"
                           ".map((row) => Number(row.cells[arguments[0]].dataset.value))", number)

    def test_widths_and_colours(self):
        for width, height in ((390, 844), (1300, 900)):
            for dark in (False, True):
                with self.subTest(width=width, dark=dark):
                    self.device(width, height, dark)
                    self.open()
                    self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
                    # Figures are as wide as what they stand in, and none is cut.
                    for each in self.find("figure img, figure svg"):
                        if each.is_displayed():
                            box = each.rect
                            self.assertGreaterEqual(box["x"], 0)
                            self.assertLessEqual(box["x"] + box["width"], width)
                    for text in ("h1", "p", "td", "caption", "th button"):
                        self.assertGreater(self.contrast(text, "body"), 4.5, text)
                    self.whole_picture(f"report-{width}-{'dark' if dark else 'light'}", width, dark)
        self.device(1300, 900)

    def whole_picture(self, name, width, dark):
        if chromium.PICTURES:
            self.device(width, self.script("return document.documentElement.scrollHeight"), dark)
            self.picture(name)

    def test_the_first_screen(self):
        """Answers the title: a plot below it, and below that what is missing, which the store is made to lack.
        Without the runs that a limit stopped there is a ranking, with them there is none."""
        for name, without in (("ranked", "verdict = 'unknown'"), ("unranked", "rowid = 1")):
            store, page = (os.path.join(self.folder, name + end) for end in (".db", ".html"))
            shutil.copy(os.path.join(self.folder, "endgames.db"), store)
            with contextlib.closing(sqlite3.connect(store)) as database:
                self.assertGreater(database.execute(f"DELETE FROM run WHERE {without}").rowcount, 0)
                database.commit()
            self.call("report", store, "--output", page)
            for width, height in ((390, 844), (1300, 900)):
                with self.subTest(name=name, width=width):
                    self.device(width, height)
                    self.browser.get("file://" + page)
                    title, plot, missing = (self.find(css)[0].rect for css in ("h1", "figure .panels svg", ".warning"))
                    self.assertLess(title["y"] + title["height"], plot["y"] + 1)
                    self.assertLess(plot["y"] + plot["height"], height)
                    self.assertLess(plot["y"] + plot["height"], missing["y"])
                    if width > 640:
                        self.assertLess(missing["y"] + missing["height"], height)
                    self.picture(f"report-first-{name}-{width}")
            self.assertIn("runs are missing", self.find(".warning")[0].text)
            self.assertEqual("no ranking" in self.find("table")[0].text, name == "unranked")

    def test_what_the_page_says(self):
        self.open()
        words = self.script("return document.body.innerText")
        self.assertIn("pn", words)
        self.assertEqual(len(self.column(0)), POSITIONS)
        for image in self.find("img"):
            self.assertGreater(len(image.get_attribute("alt")), 20)
        for table in self.find("table"):
            self.assertTrue(table.find_elements("css selector", "caption"))

    def test_a_click_sorts(self):
        self.device(1300, 900)
        self.open()
        heads = self.find("table.sortable th button")
        self.assertEqual(len(heads), 2 + 3)  # the problem, its verdict, the algorithms
        self.script("document.querySelector('table.sortable').closest('details').open = true")
        plan = self.column(0)
        for number, head in enumerate(heads[1:], 1):
            for order in ("ascending", "descending"):
                head.click()
                self.assertEqual(head.find_element("xpath", "..").get_attribute("aria-sort"), order)
                values = self.column(number)
                self.assertEqual(values, sorted(values, reverse=order == "descending"))
            self.assertEqual(len(self.find("table.sortable [aria-sort]")), 1)
        self.assertGreater(len(set(self.column(2))), 10)
        heads[0].click()
        self.assertEqual(self.column(0), plan)


class Papers(chromium.Browser):
    def test_widths_and_colours(self):
        """A phone shows a result from top to bottom, all of it within its width."""
        self.call("report", "--papers", os.path.join(SOURCE, "bench/results/sentences.db.xz"), "--output", "papers.html")
        for width, dark in ((390, False), (390, True), (1300, False), (1300, True)):
            with self.subTest(width=width, dark=dark):
                self.device(width, 900, dark)
                self.browser.get("file://" + os.path.join(self.folder, "papers.html"))
                self.assertLessEqual(self.script("return document.documentElement.scrollWidth"), width)
                self.assertEqual(self.script("return Array.from(document.querySelectorAll('.scroll')).filter("
                                             "(one) => one.scrollWidth > one.clientWidth).length"), 0)
                for text in ("h1", "p", "td", ".note", ".chip"):
                    self.assertGreater(self.contrast(text, "body"), 4.5, text)
                self.picture(f"papers-{width}-{'dark' if dark else 'light'}")
                # One kind of finding alone.
                rows = len(self.find("table.results tbody tr"))
                self.find("label[for=only-partly]")[0].click()
                shown = sum(row.is_displayed() for row in self.find("table.results tbody tr"))
                self.assertTrue(0 < shown < rows, (shown, rows))
        self.device(1300, 900)


if __name__ == "__main__":
    unittest.main()
