"""The pages of `playproof view` in headless Chromium: `make browser-test`. Needs Debian's
chromium-driver and python3-selenium, so it is no part of `make test`.

PLAYPROOF names the program. With PLAYPROOF_PICTURES=FOLDER pictures of pages are left there."""

import json
import os
import random
import re
import subprocess
import sys
import unittest
import urllib.request

import chromium
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "programs"))
from view_data import ABOVE_BOUNDS, joined, sealed  # pylint: disable=wrong-import-position

GRAPHS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "graphs")
SEARCHES = {
    "positions": ["hex:size=3", "--algorithm", "pn:zones=off"],
    "cards": ["hex:size=3", "--algorithm", "pn:probe=none"],
    "disproved": ["hex:size=4", "--position", "b3", "--algorithm", "pn:probe=none"],
    "pairs": ["hex:size=4", "--algorithm", "dfpn:probe=bridges"],
    "links": ["hex:size=5", "--algorithm", "dfpn:patterns=1024,probe=connections"],
    "recheck": ["othello:size=4", "--goal", "score", "--algorithm", "pn:probe=endings"],
    "passes": ["othello:size=4", "--position", "OOOOOOOOOOXX--X- X", "--algorithm", "pn"],
    "bound": ["othello:size=4", "--goal", "score>=-16", "--algorithm", "pn"],
    "lines": ["connect6:rows=3,columns=3,connect=3,stones=1", "--goal", "value", "--algorithm",
              "pn"],
    "two stones": ["connect6:rows=2,columns=3,connect=3,stones=2", "--algorithm", "pn"],
    "pgame": ["pgame:branching=3,depth=5,tree=4", "--goal", "value", "--algorithm", "pn"],
    "graph": ["graph", "--goal", "value", "--algorithm", "dfpn"],
    "again": [f"graph:file={GRAPHS}/perpetual.graph", "--goal", "draw", "--algorithm", "dfpn"],
    "conditions": [f"graph:file={GRAPHS}/repeater.graph", "--algorithm", "dfpn"],
}


UNREAD = "What follows was not read: of a search only the 200,000 nodes nearest to the start are."

# Cards that ask for less than the position has: of two ways from b2 to the bottom, with b2 there.
BY_HAND = """playproof-certificate 2
game hex:rows=3,columns=3
rules 1
position b1 a1 b2 c3
goal win
attacker first
claim >=1 proved
card-leaf 1 .B..B.B..
card-one 2 .B..B.-.. a3 1
card-leaf 3 .B..B..B.
card-one 4 .B..B..-. b3 3
card-all 5 .B..B.--. 2 4
card-one 6 .B..-.--. b2 5
root 6
"""


class Browser(chromium.Browser):
    def page(self, name, search=None):
        """Opens the page of a search of SEARCHES, and returns its data."""
        self.call("solve", *(search or SEARCHES[name]), "--certificate", name + ".cert")
        self.call("view", name + ".cert", "--output", name + ".html")
        return self.open("file://" + os.path.join(self.folder, name + ".html"))

    def open(self, address):
        self.browser.get("about:blank")
        self.browser.get(address)
        self.settle()
        return json.loads(self.script("return document.getElementById('data').textContent"))

    def text(self, name):
        return self.script("return document.getElementById(arguments[0]).textContent", name)

    def settle(self):
        """Waits until what the address names is shown."""
        WebDriverWait(self.browser, 20).until(lambda _: self.script(
            "return document.getElementById('turn').textContent !== '' && "
            "document.querySelector('#crumbs [aria-current]').getAttribute('href') === "
            "(location.hash || '#0')"))

    def choose(self, button):
        self.script("arguments[0].click()", button)
        self.settle()

    def keys(self, *keys):
        webdriver.ActionChains(self.browser).send_keys(*keys).perform()

    def cells(self, data):
        """The board as the picture's label tells it; None of a game without one."""
        pictures = self.find("#picture svg")
        if not pictures:
            return None
        label = pictures[0].get_attribute("aria-label")
        board = data["head"]["board"]
        names = [column + row for row in board["rows"] for column in board["columns"]]
        cells = ["."] * len(names)
        for player, stone in (("Black", "X"), ("White", "O")):
            for name in re.search(player + r": ([^.]*)\.", label).group(1).split():
                if name != "none":
                    cells[names.index(name)] = stone
        stones = len(self.find("#picture .stone.first")), len(self.find("#picture .stone.second"))
        self.assertEqual(stones, (cells.count("X"), cells.count("O")))
        return "".join(cells)


class Certificates(Browser):
    def walk(self, data, seed, claim=0):
        """From the start to an end of the proof, by chance where the other side chooses."""
        chance = random.Random(seed)
        nodes = {node[0]: node for node in data["nodes"]}
        self.script("location.hash = arguments[0]", f"#{claim}/")
        self.script("location.hash = arguments[0]", f"#{claim}")
        self.settle()
        line = data["head"]["claims"][claim]["root"]
        plies, steps, before, kinds = None, 0, self.cells(data), set()
        while True:
            node = nodes[line]
            kinds.add(node[2])
            self.check_place(data, node, claim)
            plies = self.check_plies(plies, node)
            buttons = self.find("#rows button:not([disabled])")
            if not buttons:
                self.assertIn(node[2], ("leaf", "bound", "again", "recheck", "card-leaf",
                                        "card-pairs", "link-and"))
                return kinds
            button = chance.choice(buttons)
            line = int(button.find_elements("xpath", "../../td")[-1].text)
            label = button.text
            self.choose(button)
            steps += 1
            self.assertEqual(len(self.find("#crumbs li")), steps + 1)
            self.assertIn(self.text("turn"), self.text("said"))
            after = self.cells(data)
            if before and not node[2].startswith("link") and label != "the link":
                passed = label in ("--", "the first card below") or "already" in label
                added = len(after.replace(".", "")) - len(before.replace(".", ""))
                self.assertEqual(added, 0 if passed else 1, label)
                names = [c + r for r in data["head"]["board"]["rows"]
                         for c in data["head"]["board"]["columns"]]
                if not passed:
                    self.assertEqual(before[names.index(label.split()[0])], ".")
            before = after

    def check_plies(self, before, node):
        said = re.match(r"At most ([\d,]+) pl", self.text("left"))
        if not said:
            self.assertTrue(not node[1] or node[2].startswith("link"), node)
            return before
        plies = int(said.group(1).replace(",", ""))
        if before is not None and not node[2].startswith("link"):
            self.assertLess(plies, before + (node[2].startswith("card")), node)
        return plies

    def check_place(self, data, node, claim):
        """What stands there is true of the position."""
        kind, pattern = node[2], node[3]
        self.assertTrue(self.text("turn"))
        if not kind.startswith("card"):
            if kind in ("one", "all", "leaf") and data["head"]["board"]:
                shown = self.cells(data)
                side = str.maketrans("BW-", "XO.")
                self.assertEqual(shown, pattern.split(":")[0].translate(side))
            return
        cells = self.cells(data)
        proved = data["head"]["claims"][claim]["proved"]
        own, other = ("X", "O") if (data["head"]["attacker"] == "first") == proved else ("O", "X")
        for letter, cell in zip(pattern, cells):
            self.assertFalse(letter in "BW" and cell != own)
            self.assertFalse(letter == "-" and cell == other)
        self.assertEqual(len(self.find("#picture .zone")), sum(c != "." for c in pattern))
        self.assertEqual(len(self.find("#picture .needed")), sum(c in "BW" for c in pattern))
        board = data["head"]["board"]
        size = len(board["rows"]), len(board["columns"])
        if kind == "card-leaf":
            self.assertTrue(joined(cells, *size, own))
        if kind == "card-pairs":
            self.assertEqual(len(self.find("#picture .pair.end")), 2 * len(node[4]))
            names = [c + r for r in board["rows"] for c in board["columns"]]
            for seed in range(8):
                end = list(cells)
                for pair in node[4]:
                    end[names.index(pair[seed % 2])] = own
                    seed //= 2
                self.assertTrue(joined(end, *size, own))

    def test_every_kind_of_proof_can_be_walked(self):
        kinds = set()
        for name in SEARCHES:
            data = self.page(name)
            for claim in range(len(data["head"]["claims"])):
                for seed in range(6):
                    with self.subTest(name=name, claim=claim, seed=seed):
                        kinds |= self.walk(data, seed, claim)
            self.picture("end-" + name.replace(" ", "-"))
        self.assertEqual(kinds, {"leaf", "one", "all", "bound", "recheck", "card-leaf", "card-one",
                                 "card-all", "card-pairs", "card-link", "link-and", "link-or",
                                 "again"})

    def test_cards_that_ask_for_less_than_there_is(self):
        with open(os.path.join(self.folder, "hand.cert"), "wb") as file:
            file.write(sealed(BY_HAND))
        self.call("view", "hand.cert", "--output", "hand.html")
        data = self.open("file://" + os.path.join(self.folder, "hand.html"))
        self.assertEqual(self.text("turn"), "Black has b2 already")
        self.assertEqual(self.walk(data, 1), {"card-one", "card-all", "card-leaf"})
        self.assertEqual([crumb.text for crumb in self.find("#crumbs a")],
                         ["start", "b2 is there already", "the first card below", "a3"])
        self.assertEqual(self.text("turn"), "Black has won")

    def test_nothing_is_said_of_plies_above_bounds(self):
        with open(os.path.join(self.folder, "bounds.cert"), "wb") as file:
            file.write(sealed(ABOVE_BOUNDS))
        self.call("view", "bounds.cert", "--output", "bounds.html")
        data = self.open("file://" + os.path.join(self.folder, "bounds.html"))
        self.assertEqual(self.text("left"), "")
        self.assertEqual([c.text for c in self.find("#rows td")], ["b1", "", "11"])
        self.assertEqual(self.walk(data, 1), {"one", "all", "bound"})

    def test_positions_that_come_again(self):
        turns = set()
        for name in ("again", "conditions"):
            data = self.page(name)
            for seed in range(4):
                self.walk(data, seed)
                turns.add(self.text("turn"))
        self.assertIn("This position comes again", turns)
        self.script("location.hash = '#0'")
        self.settle()
        self.assertIn("This holds where", self.text("words"))
        self.assertRegex(self.text("turn"), r"^The first player plays 1 to b2$")

    def test_the_sentences(self):
        self.page("positions")
        self.assertEqual(self.text("title"), "Black, to move, can win")
        self.assertRegex(self.text("checked"), r"^Checked: .* positions\.cert .* SHA-256 [0-9a-f]{64}\.$")
        self.assertIn("all that the start leads to", self.text("part"))
        self.assertRegex(self.text("turn"), r"^Black plays [abc][123]$")
        self.choose(self.find("#rows button")[0])
        self.assertEqual(self.text("turn"), "White to move: 8 replies")
        self.assertEqual(len(self.find("#rows tr")), 8)
        self.page("disproved")
        self.assertEqual(self.text("title"), "White, to move, cannot win")
        self.page("lines")
        self.assertEqual([b.text for b in self.find("#claims button")],
                         ["Black, to move, can at least draw", "Black, to move, cannot win"])
        self.find("#claims button")[1].click()
        self.settle()
        self.assertEqual(self.text("title"), "Black, to move, cannot win")
        self.assertIn("Black to move: 9 replies", self.text("turn"))
        self.page("recheck")
        self.assertIn("can reach a score of -10 or more", self.text("title"))
        self.page("pgame")
        self.assertRegex(self.text("turn"), r"^The first player plays \d$")
        self.assertEqual(self.script("return document.querySelector('.path').textContent"),
                         "Position: the root")
        self.page("links")
        self.choose(self.find("#rows button")[0])
        self.assertEqual(self.text("turn"), "Black's edges are linked")
        self.choose(self.find("#rows button")[0])
        self.assertRegex(self.text("turn"), "^Link from (top to bottom|bottom to top), whoever moves$")
        self.choose(self.find("#rows button")[0])
        self.assertRegex(self.text("turn"), "^Link from .*, whoever moves$")  # over a stone
        self.choose(self.find("#rows button")[0])
        self.assertRegex(self.text("turn"), "^Link from .*, if Black moves$")
        self.choose(self.find("#rows button")[0])
        self.assertGreater(len(self.find("#picture .ghost")), 0)
        self.picture("link")

    def test_keys(self):
        self.page("positions")
        self.keys(Keys.ENTER)
        self.settle()
        self.assertEqual(len(self.find("#crumbs li")), 2)
        focused = "return document.activeElement.textContent"
        first = self.script(focused)
        self.keys(Keys.ARROW_DOWN)
        second = self.script(focused)
        self.keys(Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.ARROW_UP)
        self.assertEqual(self.script(focused), first)
        self.assertNotEqual(first, second)
        self.keys(Keys.ARROW_UP)
        self.assertEqual(self.script(focused), self.find("#rows button")[-1].text)
        self.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.keys(Keys.ENTER)
        self.settle()
        crumbs = [c.text for c in self.find("#crumbs a")]
        self.assertEqual(crumbs[2:], [second])
        self.keys(Keys.BACKSPACE)
        self.settle()
        self.assertEqual([c.text for c in self.find("#crumbs a")], crumbs[:2])
        self.keys(Keys.HOME)
        self.settle()
        self.assertEqual(len(self.find("#crumbs li")), 1)
        self.keys(Keys.BACKSPACE)  # nothing to take back
        self.assertEqual(len(self.find("#crumbs li")), 1)

    def test_mouse_and_history(self):
        self.page("positions")
        choice = self.find("#picture .choice .target")[0]
        webdriver.ActionChains(self.browser).click(choice).perform()
        self.settle()
        self.assertEqual(len(self.find("#crumbs li")), 2)
        self.assertEqual(len(self.find("#picture .choice")), 8)
        webdriver.ActionChains(self.browser).click(self.find("#picture .choice .target")[3]).perform()
        self.settle()
        self.assertEqual(len(self.find("#crumbs li")), 3)
        place = self.script("return location.href")
        self.browser.back()
        self.settle()
        self.assertEqual(len(self.find("#crumbs li")), 2)
        self.find("#crumbs a")[0].click()
        self.settle()
        self.assertEqual(len(self.find("#crumbs li")), 1)
        self.open(place)  # a place is an address
        self.assertEqual(len(self.find("#crumbs li")), 3)

    def test_addresses_that_name_nothing(self):
        self.page("positions")
        address = self.script("return location.href")
        for end in ("#7", "#x", "#0/zz", "#0/zz/a1", "#%E0%A4%A", "#0/constructor", "#-1", "#"):
            self.browser.get("about:blank")
            self.browser.get(address + end)
            WebDriverWait(self.browser, 10).until(lambda _: self.text("turn"))
            self.assertEqual(len(self.find("#crumbs li")), 1, end)

    def test_what_screen_readers_are_told(self):
        self.page("positions")
        self.choose(self.find("#rows button")[0])
        tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        told = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree
                if not node.get("ignored")}
        roles = {role for role, _ in told}
        self.assertLessEqual({"main", "navigation", "table", "columnheader", "button", "status"}, roles)
        picture = next(name for role, name in told if role in ("image", "img", "graphics-document"))
        self.assertRegex(picture, r"^Board of 3 rows and 3 columns\. Black: [a-c]\d\. White: none\. "
                         r"Last move: [a-c]\d\.$")
        self.assertIn(("navigation", "The way from the start"), told)
        for role, name in told:
            if role in ("button", "link"):
                self.assertTrue(name)
        self.assertIn("After ", self.text("said"))
        self.assertEqual(self.script("return document.documentElement.lang"), "en")

    def test_widths_and_colours(self):
        for width, height in ((390, 844), (1300, 900)):
            for dark in (False, True):
                self.device(width, height, dark)
                for name in ("cards", "links", "recheck", "lines", "pgame", "two stones"):
                    with self.subTest(width=width, dark=dark, name=name):
                        self.page(name)
                        for _ in range(2):
                            wide = self.script("return document.documentElement.scrollWidth")
                            self.assertLessEqual(wide, width)
                            self.choose(self.find("#rows button")[0])
                        self.assertGreater(self.contrast("h2", "body"), 7)
                        self.assertGreater(self.contrast("#part", "body"), 4.5)
                        self.assertGreater(self.contrast("a", "body"), 4.5)
                        self.picture(f"{name}-{width}-{'dark' if dark else 'light'}")
        self.device(1300, 900)

    def test_a_cut_page_says_so(self):
        self.call("solve", "hex:size=4", "--algorithm", "minimax", "--certificate", "big.cert")
        self.call("view", "big.cert", "--output", "big.html")
        data = self.open("file://" + os.path.join(self.folder, "big.html"))
        head = data["head"]
        self.assertEqual(self.text("part"), f"This page holds {head['shown']:,} of the {head['listed']:,} "
                         "nodes of the certificate, among them all that are up to "
                         f"{head['whole_depth']} steps from the start.")
        here = {node[0] for node in data["nodes"]}
        cut = next(node for node in data["nodes"]
                   if node[2] == "all" and any(to[0] not in here for _, to in node[4]))
        path = self.path_to(data, cut[0])
        self.script("location.hash = arguments[0]", "#0/" + "/".join(path))
        self.settle()
        disabled = [button.text for button in self.find("#rows button:disabled")]
        self.assertEqual(disabled, [move for move, to in cut[4] if to[0] not in here])
        self.assertRegex(self.text("after"), f"^{len(disabled)} moves? leads? deeper than this page. To "
                         "see more: playproof view big.cert --serve$")
        self.script("location.hash = arguments[0]", "#0/" + "/".join(path + disabled[:1]))
        WebDriverWait(self.browser, 10).until(
            lambda _: len(self.find("#crumbs li")) == len(path) + 1)

    def path_to(self, data, line):
        above = {}
        for node in data["nodes"]:
            for move, to in ([(node[4], node[5])] if node[2] == "one" else
                             node[4] if node[2] == "all" else []):
                above.setdefault(to[0], (node[0], move))
        path = []
        while line != data["head"]["claims"][0]["root"]:
            line, move = above[line]
            path.insert(0, move)
        return path


class Guarded(Browser):
    def test_names_are_text(self):
        name = '<img src=x onerror="document.title=1"><b>.cert'
        self.call("solve", "hex:size=2", "--certificate", name)
        self.call("view", name, "--output", "name.html")
        self.open("file://" + os.path.join(self.folder, "name.html"))
        self.assertIn(name, self.text("checked"))
        self.assertEqual(self.find("img, b"), [])
        self.assertNotEqual(self.script("return document.title"), "1")

    def test_the_policy_holds(self):
        self.page("cards")
        self.assertIsNone(self.script("""
            const made = document.createElement('script');
            made.textContent = 'window.hacked = 1';
            document.body.append(made);
            return window.hacked ?? null;"""))
        refused = self.browser.execute_async_script("""
            const done = arguments[arguments.length - 1];
            fetch('http://127.0.0.1:9/').then(() => done('sent'), (error) => done(error.name));""")
        self.assertEqual(refused, "TypeError")
        log = self.browser.get_log("browser")
        self.assertGreaterEqual(sum("Content Security Policy" in entry["message"] for entry in log), 2)


class Searches(Browser):
    def test_a_checkpoint(self):
        self.call("solve", "hex:size=4", "--algorithm", "pn:zones=off", "--max-nodes", "3000",
                  "--checkpoint", "run.ckpt")
        self.call("view", "run.ckpt", "--output", "run.html")
        data = self.open("file://" + os.path.join(self.folder, "run.html"))
        self.assertEqual(self.text("title"), "hex:size=4: unknown")
        self.assertIn("not a proof", self.text("checked"))
        self.assertNotIn("Checked", self.text("checked"))
        self.assertEqual(self.text("turn"), "Black to move")
        self.assertEqual([h.text for h in self.find("#columns th")],
                         ["move", "verdict", "value", "pn", "dn"])
        nodes = {node[0]: node for node in data["nodes"]}
        node, chance = nodes[0], random.Random(3)
        for _ in range(6):
            rows = [[c.text for c in row.find_elements("css selector", "td")]
                    for row in self.find("#rows tr")]
            def number(value):
                return "∞" if value == "inf" else f"{value:,.0f}"
            self.assertEqual(rows, [[move, row[1], f"{row[2]} to {row[3]}" if row[2] != row[3] else
                                     str(row[2]), number(row[4]), number(row[5])]
                                    for move, row in node[7]])
            self.assertEqual(self.cells(data), node[3])
            if not rows:
                break
            place = chance.randrange(len(rows))
            self.choose(self.find("#rows button")[place])
            node = nodes[node[7][place][1][0]]
        self.picture("search")

    def serve(self, name):
        """The address of what is served until the test ends."""
        process = subprocess.Popen([chromium.PROGRAM, "view", name, "--serve"], cwd=self.folder,
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        return process.stdout.readline().strip()

    def test_a_large_search(self):
        self.call("solve", "hex:size=5", "--algorithm", "pn:zones=off", "--max-nodes", "250000",
                  "--checkpoint", "large.ckpt")
        self.call("view", "large.ckpt", "--output", "large.html")
        for address, said in (
                ("file://" + os.path.join(self.folder, "large.html"),
                 "deeper than this page. To see more: playproof view large.ckpt --serve"),
                (self.serve("large.ckpt"), UNREAD)):
            with self.subTest(address):
                self.open(address)
                chance = random.Random(1)
                for _ in range(40):  # most lines end where the search has not looked further
                    self.script("location.hash = '#0'")
                    self.settle()
                    while buttons := self.find("#rows button:not([disabled])"):
                        self.choose(chance.choice(buttons))
                    if self.text("after"):
                        break
                self.assertIn(said, self.text("after"))

    def test_what_was_not_read_is_not_promised(self):
        self.call("solve", "hex:size=9", "--algorithm", "pn", "--max-nodes", "400000",
                  "--checkpoint", "wide.ckpt")
        self.call("view", "wide.ckpt", "--output", "wide.html")
        file = "file://" + os.path.join(self.folder, "wide.html")
        data = self.open(file)
        nodes = {node[0]: node for node in data["nodes"]}
        moves = {row[0]: (node[0], move) for node in data["nodes"] for move, row in node[7]}
        first = data["head"]["unread_from"]
        numbers = [0, next(n for n in nodes if 0 < n < first and nodes[n][7]),
                   next(n for n in nodes if n > first and nodes[n][6]),
                   next(n for n in nodes if not nodes[n][6])]
        served = self.serve("wide.ckpt")
        for address in (file, served):
            self.open(address)
            for number in numbers:
                with self.subTest(address=address, number=number):
                    self.check_unread(nodes[number], moves, first)
                    missing = any(row[0] not in nodes for _, row in nodes[number][7])
                    self.assertEqual("--serve" in self.text("after"), missing and address == file)
        with urllib.request.urlopen(f"{served}node/{first}", timeout=20) as answer:
            node = json.load(answer)
        self.assertTrue(node[7])  # some of its moves were read, and some were not
        self.check_unread(node, moves, first)

    def check_unread(self, node, moves, first):
        """Shows a node, and looks at what the page says of moves that it lacks."""
        path, number = [], node[0]
        while number:
            number, move = moves[number]
            path.insert(0, move)
        self.script("location.hash = arguments[0]", "/".join(["#0", *path]))
        self.settle()
        self.assertEqual(len(self.find("#rows tr")), len(node[7]))
        unread = node[6] and node[0] >= first
        self.assertEqual("not read" in self.text("after"), unread)
        if unread:
            what = "Other moves were" if node[7] else "What follows was"
            self.assertIn(UNREAD.replace("What follows was", what), self.text("after"))
        self.assertEqual(self.text("words") == "The search has not looked further.", not node[6])
        self.assertEqual(self.text("words") == "", unread and not node[7])

    def test_served(self):
        self.call("solve", "hex:size=4", "--algorithm", "minimax", "--certificate", "big.cert")
        address = self.serve("big.cert")
        for host in ("127.0.0.1", "localhost"):
            data = self.open(address.replace("127.0.0.1", host))
            embedded = {node[0] for node in data["nodes"]}
            lines, chance = [], random.Random(5)
            while buttons := self.find("#rows button"):
                button = chance.choice(buttons)
                self.assertTrue(button.is_enabled())
                lines.append(int(button.find_elements("xpath", "../../td")[-1].text))
                self.choose(button)
            self.assertEqual(self.text("turn"), "The game is over")
            self.assertTrue(set(lines) - embedded, "nothing was asked for")
        self.picture("served")


if __name__ == "__main__":
    unittest.main()
