"""view: pages of certificates and checkpoints."""

import hashlib
import base64
import json
import os
import random
import re
import resource
import subprocess
import tempfile
import unittest

from program import BAD_DATA, NIGHTLY, PROGRAM, TIMEOUT, USAGE, ProgramTest, run
from view_data import (ABOVE_BOUNDS, BY_HAND, below_of, data_of, joined, lines_of, numbers_in,
                       sealed, without_conditions)

MOST = 5_000_000
GRAPHS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "graphs")
SLOWER = float(os.environ.get("PLAYPROOF_SLOWER", "1"))
MEASURED = ("recheck", "race-end", "race-turn")  # by a number before the board
MOVES_LEFT = ("card-leaf", "card-pairs", "card-one", "card-all", "card-link",
              "card-fill")

# One of every kind of node and of game.
SEARCHES = {
    "positions": ["hex:size=3", "--algorithm", "pn:zones=off"],
    "cards": ["hex:size=3", "--algorithm", "pn:probe=none"],
    "pairs": ["hex:size=4", "--algorithm", "dfpn:probe=bridges"],
    "links": ["hex:size=4", "--algorithm", "dfpn:patterns=1024,probe=connections"],
    "fills": ["hex:size=4", "--algorithm", "dfpn:leaf=unit,fill=captured"],
    "disproved": ["hex:size=3", "--position", "b2", "--algorithm", "dfpn"],
    "recheck": ["othello:size=4", "--goal", "score", "--algorithm", "pn:probe=endings"],
    "bound": ["othello:size=4", "--goal", "score>=-16", "--algorithm", "pn"],
    "two claims": ["connect6:rows=3,columns=3,connect=3,stones=1", "--goal", "value",
                   "--algorithm", "pn"],
    "races": ["connect6:rows=5,columns=5,connect=4,stones=2", "--position", "CC AA EE DD", "--algorithm",
              "dfpn:probe=vcdt"],
    "pgame": ["pgame:branching=3,depth=5,tree=4", "--goal", "value", "--algorithm", "pn"],
    "graph": ["graph", "--goal", "value", "--algorithm", "dfpn"],
    "again": [f"graph:file={GRAPHS}/perpetual.graph", "--goal", "draw", "--algorithm", "dfpn"],
    "conditions": [f"graph:file={GRAPHS}/repeater.graph", "--algorithm", "dfpn"],
    "loa": ["loa:size=4", "--position", "-O-X-----X--X--O X", "--goal", "value", "--algorithm",
            "dfpn"],
}


class Pages(ProgramTest):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name, mode="r"):
        with open(self.path(name), mode, encoding=None if "b" in mode else "utf-8") as file:
            return file.read()

    def write(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content)

    def solve(self, arguments, name="proof.cert"):
        self.assert_status(run("solve", *arguments, "--certificate", self.path(name)), 0)

    def view(self, name="proof.cert", output="page.html"):
        """The data of the page, and the page."""
        process = run("view", self.path(name), "--output", self.path(output))
        self.assert_status(process, 0)
        self.assertEqual(process.stderr, "")
        page = self.read(output)
        self.assertLessEqual(len(page.encode()), MOST)
        return data_of(page), page

    def refused(self, name, *fragments, status=BAD_DATA):
        self.assert_fails(["view", self.path(name), "--output", self.path("none.html")], status,
                          *fragments)
        self.assertFalse(os.path.exists(self.path("none.html")))


class Certificates(Pages):
    def plies_left(self, nodes, places):
        """{line: LEFT}, from the words of the text alone."""
        left = {}

        def plies(line, provers_turn):
            many = left[line]
            if nodes[line][0][0] not in MOVES_LEFT:
                return many
            return max(0, 2 * many - 1) if provers_turn else 2 * many

        for line, (words, claim) in nodes.items():
            kind = words[0]
            below = [places[claim, word] for word in below_of(words)]
            if kind in ("one", "all"):
                after = [plies(n, kind == "all") for n in below]
                left[line] = None if None in after else 1 + max(after)
            elif kind == "recheck":
                left[line] = 2 * int(words[2])
            elif kind == "race-end":
                left[line] = len(words) - 4
            elif kind == "race-turn":  # of two stones
                left[line] = int(words[2]) + 2 + max([2] + [left[n] for n in below])
            elif kind in ("bound", "again"):
                left[line] = None
            elif kind == "card-pairs":
                left[line] = (len(words) - 3) // 2
            elif kind == "card-one":
                left[line] = 1 + left[below[0]]
            elif kind == "card-fill":
                left[line] = left[below[0]] + sum((len(word.split("+")) + 1) // 2
                                                  for word in words[4:])
            elif kind == "link-and":
                cell = "abcdefgh".index(words[5][0]) + (int(words[5][1:]) - 1) * 4
                left[line] = (words[2][cell] == "-") + sum(left[n] for n in below)
            else:
                left[line] = max((left[n] for n in below), default=0)
        return left

    def test_every_kind_is_what_the_text_says(self):
        kinds = set()
        for name, search in [*SEARCHES.items(), ("by hand", None)]:
            with self.subTest(name):
                if search:
                    self.solve(search)
                else:
                    self.write("proof.cert", sealed(BY_HAND))
                nodes, places = lines_of(self.read("proof.cert"))
                data, _ = self.view()
                left = self.plies_left(nodes, places)
                self.assertTrue(data["head"]["all"])
                self.assertEqual(data["head"]["shown"], len(data["nodes"]))
                self.assertEqual(data["head"]["listed"], len(nodes))
                roots = {c["root"] for c in data["head"]["claims"]}
                reached = roots | {n for node in data["nodes"] for n in numbers_in(node[3:])}
                self.assertEqual(reached, {node[0] for node in data["nodes"]})
                for node in data["nodes"]:
                    words, claim = nodes[node[0]]
                    kinds.add(words[0])
                    self.assertEqual(node[1:4], [left[node[0]], words[0],
                                                 words[3 if words[0] in MEASURED else 2]])
                    self.assertEqual(sorted(numbers_in(node[3:])),
                                     sorted(places[claim, word] for word in below_of(words)))
                    self.check_moves(node, words)
        self.assertEqual(kinds, {"leaf", "one", "all", "bound", "recheck", "card-leaf", "card-one",
                                 "card-all", "card-pairs", "card-link", "card-fill", "link-and",
                                 "link-or", "race-end", "race-turn", "again"})

    def check_moves(self, node, words):
        kind, rest = words[0], node[4:]
        conditions = words[len(without_conditions(words)) + 1:]
        if conditions:
            self.assertEqual(rest.pop(), conditions)
            words = without_conditions(words)
        if kind == "recheck":
            self.assertEqual(rest, [int(words[2])])
        elif kind in ("one", "card-one"):
            self.assertEqual(rest[0], words[3])
        elif kind.startswith("race-"):
            turn = 4 + int(words[2]) if kind == "race-turn" else len(words)
            self.assertEqual(rest[0], words[4:turn])
            self.assertEqual([reply for reply, _ in rest[1]] if kind == "race-turn" else [],
                             words[turn::2])
        elif kind == "all":
            self.assertEqual([move for move, _ in rest[0]], words[3::2])
        elif kind == "card-pairs":
            self.assertEqual([cell for pair in rest[0] for cell in pair], words[3:])
        elif kind == "card-fill":
            self.assertEqual(rest[1], [word.split("+") for word in words[4:]])
        elif kind in ("link-and", "link-or"):
            self.assertEqual(rest[:2], words[3:5])
            if kind == "link-and":
                self.assertEqual(rest[2], words[5])
                self.assertEqual([half is None for half in rest[3:]],
                                 [word == "-" for word in words[6:]])

    def test_conditions_and_names_of_a_graph(self):
        self.solve(SEARCHES["conditions"])
        nodes = {node[0]: node for node in self.view()[0]["nodes"]}
        self.assertTrue(any(node[-1][0] == "!b2" for node in nodes.values()
                            if isinstance(node[-1], list) and node[2] == "one"), nodes)
        for node in nodes.values():
            below = {"one": lambda: [node[5]], "all": lambda: [to for _, to in node[4]]}
            for to in below.get(node[2], list)():
                move = nodes[to[0]][4] if to[2] == "one" else None
                self.assertEqual(to, nodes[to[0]][:3] + [move, nodes[to[0]][3]])

    def test_nothing_is_said_of_plies_above_bounds(self):
        self.write("proof.cert", sealed(ABOVE_BOUNDS))
        nodes = {node[0]: node for node in self.view()[0]["nodes"]}
        self.assertEqual([nodes[n][1] for n in (8, 9, 10, 11, 12)], [None] * 5)
        self.assertEqual(nodes[11][4], [["a1", [8, None, "bound"]], ["c1", [9, None, "bound"]],
                                        ["a3", [10, None, "bound"]]])
        self.assertEqual(nodes[12][5], [11, None, "all"])

    def test_each_node_tells_of_those_below(self):
        self.solve(["hex:size=5", "--position", "c2", *SEARCHES["links"][1:]])
        data, _ = self.view()
        nodes = {node[0]: node for node in data["nodes"]}

        def check(value):
            if not isinstance(value, list):
                return 0
            if len(value) < 3 or not isinstance(value[0], int):
                return sum(check(item) for item in value)
            node = nodes[value[0]]
            move = {"one": 4, "card-one": 4, "link-and": 6}.get(node[2])
            self.assertEqual(value, node[:3] + ([node[move]] if move else []))
            return 1

        self.assertGreater(sum(check(item) for node in data["nodes"] for item in node[3:]), 40)

    def test_head(self):
        self.solve(["othello:size=4", "--goal", "score", "--algorithm", "pn"])
        head = self.view()[0]["head"]
        answer = self.json("solve", "othello:size=4", "--goal", "score", "--algorithm", "pn")
        self.assertEqual(head["verdict"], str(answer["score"]))
        self.assertEqual(head["best_move"], answer["best_move"])
        self.assertEqual([c["threshold"] for c in head["claims"]],
                         [answer["score"], answer["score"] + 1])
        self.assertEqual([c["proved"] for c in head["claims"]], [True, False])
        self.assertEqual(head["start"], {"cells": ".....OX..XO.....", "first": True})
        self.assertEqual(head["board"]["columns"], list("abcd"))

    def test_checked_names_the_bytes(self):
        for name in ("proof.cert", "proof.cert.zst"):
            self.solve(SEARCHES["cards"], name)
            head = self.view(name)[0]["head"]
            content = self.read(name, "rb")
            self.assertEqual(head["sha256"], hashlib.sha256(content).hexdigest())
            self.assertEqual(head["bytes"], len(content))
            self.assertEqual(head["file"], name)

    def test_compressed_is_the_same_but_for_its_name(self):
        pages = []
        for name in ("a.cert", "b.cert.zst"):
            self.solve(SEARCHES["pairs"], name)
            pages.append(self.view(name)[0])
            for key in ("file", "bytes", "sha256"):
                del pages[-1]["head"][key]
        self.assertEqual(*pages)

    def test_policy_allows_what_is_in_the_page_alone(self):
        self.solve(SEARCHES["cards"])
        page = self.view()[1]
        policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page).group(1)

        def source(text):
            digest = hashlib.sha256(text.encode()).digest()
            return f"'sha256-{base64.b64encode(digest).decode()}'"

        style = re.search(r"<style>(.*?)</style>", page, re.S).group(1)
        script = re.search(r"<script>(.*?)</script>", page, re.S).group(1)
        self.assertEqual(policy, f"default-src 'none'; style-src {source(style)}; script-src "
                         f"{source(script)}; img-src data:; base-uri 'none'; form-action 'none'")
        self.assertEqual(re.findall(r"https?:[^'\"\s]*", page), ["http://www.w3.org/2000/svg"])
        self.assertNotRegex(page, r"\ssrc=|<style [^>]|\sstyle=|\son\w+=|innerHTML|eval\(")
        self.assertNotIn("@", re.sub(r"<style>.*</style>|@DATA@", "", page, flags=re.S))

    def test_names_of_files_are_text(self):
        self.solve(SEARCHES["cards"])
        content = self.read("proof.cert", "rb")
        for name in (b"<script>alert(1)<!-- .cert", b"a&amp;\"'@SCRIPT@.cert", b"caf\xc3\xa9.cert",
                     b"\xff\xfe.cert"):
            with self.subTest(name):
                with open(os.path.join(os.fsencode(self.folder), name), "wb") as file:
                    file.write(content)
                data, page = self.view(os.fsdecode(name))
                self.assertEqual(data["head"]["file"].encode(),
                                 name.decode("utf-8", "replace").encode())
                inner = re.search(r'id="data">(.*?)</script>', page, re.S).group(1)
                self.assertNotIn("<", inner)
                self.assertTrue(inner.isascii())

    def test_a_large_proof_is_cut_at_the_depth_that_is_said(self):
        self.solve(["hex:size=5", "--position", "c3", "--algorithm", "dfpn:zones=off"])
        self.assertGreater(os.path.getsize(self.path("proof.cert")), 6_000_000)
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        process = run("view", self.path("proof.cert"), "--output", self.path("page.html"))
        self.assert_status(process, 0)
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, 3 * SLOWER)
        page = self.read("page.html")
        self.assertTrue(0.98 * MOST < len(page) <= MOST, len(page))
        data = data_of(page)
        head, shown = data["head"], {node[0] for node in data["nodes"]}
        self.assertFalse(head["all"])
        self.assertEqual(head["shown"], len(shown))
        nodes, places = lines_of(self.read("proof.cert"))
        level, seen, missing = {c["root"] for c in head["claims"]}, set(), []
        while level:
            missing.append(len(level - shown))
            seen |= level
            level = {places[nodes[n][1], word] for n in level
                     for word in below_of(nodes[n][0])} - seen
        self.assertEqual(missing[:head["whole_depth"] + 1], [0] * (head["whole_depth"] + 1))
        self.assertGreater(missing[head["whole_depth"] + 1], 0)
        self.assertIn(f"all up to {head['whole_depth']} steps", process.stdout)
        if NIGHTLY:
            self.assertEqual(self.view(output="again.html")[1], page)

    def test_through_a_pipe(self):
        self.solve(SEARCHES["cards"], "p.cert.zst")
        with open(self.path("p.cert.zst"), "rb") as file:
            with subprocess.Popen(["cat"], stdin=file, stdout=subprocess.PIPE) as pipe:
                done = subprocess.run(
                    [PROGRAM, "view", "/dev/stdin", "--output", self.path("p.html")],
                    stdin=pipe.stdout, capture_output=True, timeout=TIMEOUT, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(data_of(self.read("p.html"))["nodes"], self.view("p.cert.zst")[0]["nodes"])

    def test_damage(self):
        for name in ("proof.cert", "proof.cert.zst"):
            self.solve(["hex:size=2", "--algorithm", "pn"], name)
            content = self.read(name, "rb")
            for size in range(0, len(content), 1 if NIGHTLY else 4):
                with self.subTest(name=name, size=size):
                    self.write("cut" + name, content[:size])
                    self.refused("cut" + name, "cut" + name + ":")
        content = self.read("proof.cert", "rb")
        for number in range(60 if NIGHTLY else 24):
            at = random.Random(number).randrange(len(content))
            self.write("bad.cert", content[:at] + bytes([content[at] ^ 1 << number % 8]) +
                       content[at + 1:])
            self.refused("bad.cert", "bad.cert:")

    def test_what_is_no_proof_is_not_shown(self):
        self.solve(SEARCHES["positions"])
        lines = self.read("proof.cert").splitlines()
        at = next(i for i, line in enumerate(lines) if line.startswith("all"))
        words = lines[at].split(" ")
        lines[at] = " ".join(words[:3] + words[5:])  # a reply forgotten
        text = "".join(line + "\n" for line in lines[:-1])
        self.write("forged.cert", sealed(text))
        self.refused("forged.cert", f"forged.cert:{at + 1}: every legal move must be there once")

    def test_limits_of_the_checker(self):
        self.solve(SEARCHES["recheck"])
        name = self.path("proof.cert")
        output = ["--output", self.path("none.html")]
        self.assert_fails(["view", name, "--max-search", "1", *output], BAD_DATA, "--max-search")
        self.assert_fails(["view", name, "--max-memory", "1", *output], BAD_DATA, "--max-memory")
        self.assertFalse(os.path.exists(self.path("none.html")))

    def test_memory_limits_what_is_kept(self):
        leaves = "".join(f"card-leaf {n} .BB.\nfree {n}\n" for n in range(1, 20_001))
        text = re.sub(r"(?m)^(card-leaf|card-one|all|root) .*$",
                      lambda line: re.sub(r"(?<= )\d+(?= |$)", lambda n: str(int(n[0]) + 20_000),
                                          line[0]), BY_HAND)
        head, claim, nodes = text.partition("claim >=1 disproved\n")
        content = sealed(head + claim + leaves + nodes)
        self.assertTrue(600_000 < len(content) < 2**20)
        self.write("freed.cert", content)
        # a zstd frame of its blocks as they are
        blocks = [content[at:at + 2**17] for at in range(0, len(content), 2**17)]
        self.write("freed.cert.zst", b"\x28\xb5\x2f\xfd\x00\x38" + b"".join(
            (len(b) << 3 | (b is blocks[-1])).to_bytes(3, "little") + b for b in blocks))
        for name in ("freed.cert", "freed.cert.zst"):
            view = ["view", self.path(name), "--output", self.path("p.html"), "--max-memory"]
            self.assert_fails([*view, "512KiB"], BAD_DATA, f"{name}: cannot read file: it is longer "
                              "than 524288 bytes; --max-memory allows more")
            for size in (2**20, len(content) + 20_005 * 40):
                self.assert_fails([*view, str(size)], BAD_DATA, f"{name}:", f" {size} bytes; "
                                  "--max-memory allows more")
                self.assertFalse(os.path.exists(self.path("p.html")))
            self.assert_status(run(*view, str(len(content) + 20_005 * (40 + 24))), 0)
            os.remove(self.path("p.html"))

    def test_neither_file_nor_pipe(self):
        for name in ("/dev/zero", "/dev/full"):
            self.assert_fails(["view", name, "--output", self.path("p.html")], BAD_DATA,
                              f"{name}: cannot read file: it is neither a file nor a pipe")
        with open("/dev/zero", "rb") as zeros:
            with subprocess.Popen(["cat"], stdin=zeros, stdout=subprocess.PIPE) as pipe:
                done = subprocess.run([PROGRAM, "view", "/dev/stdin", "--output",
                                       self.path("p.html"), "--max-memory", "64MiB"],
                                      stdin=pipe.stdout, capture_output=True, text=True,
                                      timeout=TIMEOUT, check=False)
                pipe.kill()
        self.assertEqual((done.returncode, done.stdout), (BAD_DATA, ""))
        self.assertIn("longer than 67108864 bytes", done.stderr)


class CommandLine(Pages):
    def test_usage(self):
        self.solve(["hex:size=2"])
        name = self.path("proof.cert")
        self.assert_fails(["view", name], USAGE, "--output", "--serve")
        self.assert_fails(["view", name, "--serve", "--output", self.path("x.html")], USAGE)
        self.assert_fails(["view"], USAGE, "FILE")
        for port in ("65536", "-1", "x", "08"):
            self.assert_fails(["view", name, "--serve", port], USAGE, "--serve", "0..65535")
        self.assert_fails(["view", name, "--output", name], USAGE, "would destroy it")
        self.assert_fails(["view", name, "--output", self.folder], 74)
        self.assert_fails(["view", self.path("none"), "--output", self.path("x")], BAD_DATA,
                          "cannot read file")
        self.refused("", "")
        for content in (b"", b"\n", b"playproof-certificate", b"GIF89a", b"playproof-checkpoint"):
            self.write("other", content)
            self.refused("other", "other")
        self.assertEqual(sorted(os.listdir(self.folder)), ["other", "proof.cert"])

    def test_says_what_it_wrote(self):
        self.solve(["hex:size=2", "--algorithm", "pn:zones=off"])
        page = self.path("p.html")
        process = run("view", self.path("proof.cert"), "--output", page)
        nodes = len(self.view()[0]["nodes"])
        self.assertEqual(process.stdout, f"{page}: {nodes} nodes, all there are\n")

    def test_the_page_before_stays_if_the_new_one_cannot_be_made(self):
        self.write("page.html", b"before")
        self.write("bad.cert", b"playproof-certificate 1\n")
        self.assert_fails(["view", self.path("bad.cert"), "--output", self.path("page.html")],
                          BAD_DATA, "bad.cert:2")
        self.assertEqual(self.read("page.html"), "before")


class Searches(Pages):
    def save(self, arguments, *more):
        process = run("solve", *arguments, "--checkpoint", self.path("run.ckpt"), *more)
        self.assertIn(process.returncode, (0, 2), process.stderr)

    def test_numbers_are_those_of_the_tree(self):
        self.save(["hex:size=3", "--algorithm", "pn:zones=off,stop=none", "--max-nodes", "2000"])
        data, _ = self.view("run.ckpt")
        head = data["head"]
        self.assertEqual(head["numbers"], ["pn", "dn"])
        self.assertEqual(head["shown"], head["nodes_created"])
        self.assertEqual((head["read"], head["unread_from"]), (head["shown"], None))
        self.assertTrue(head["all"])
        infinite = float("inf")
        rows = {0: head["root"]}
        rows |= {row[0]: row for node in data["nodes"] for _, row in node[7]}
        checked = 0
        for number, _, kind, cells, first, _, expanded, children in data["nodes"]:
            self.assertEqual(kind, "search")
            self.assertEqual(first, cells.count("X") == cells.count("O"))
            self.assertEqual(bool(children), expanded)
            pn, dn = ([infinite if row[i] == "inf" else row[i] for _, row in children]
                      for i in (4, 5))
            if not children or rows[number][1] != "unknown":
                continue
            least, total = (pn, dn) if first else (dn, pn)  # the attacker is the first player
            self.assertEqual([rows[number][4 if first else 5], rows[number][5 if first else 4]],
                             [min(least), sum(total)])
            rank = [{"unknown": 1, "proved": 0 if first else 2}.get(row[1], 2 if first else 0)
                    for _, row in children]
            order = list(zip(rank, least))
            self.assertEqual(order, sorted(order))
            checked += 1
        self.assertGreater(checked, 100)

    def test_boards(self):
        self.save(["othello:size=4", "--algorithm", "pn", "--max-nodes", "40"])
        data, _ = self.view("run.ckpt")
        root = data["nodes"][0]
        self.assertEqual(root[3], ".....OX..XO.....")
        child = next(row[0] for move, row in root[7] if move == "b1")
        after = next(node for node in data["nodes"] if node[0] == child)
        self.assertEqual(after[3:5], [".X...XX..XO.....", False])

    def test_every_algorithm(self):
        for algorithm in ("pn", "ppn:playouts=8", "uct", "mcts", "dfpn", "pds", "dfppn:playouts=8", "dfews:playouts=8",
                          "deeppn", "ews", "pn2", "alphabeta"):
            with self.subTest(algorithm):
                self.save(["hex:size=4", "--algorithm", algorithm, "--max-nodes", "300", "--goal",
                           "value"])
                data, _ = self.view("run.ckpt")
                self.assertGreater(len(data["nodes"]), 1)
                self.assertTrue(data["head"]["numbers"])

    def test_verdicts(self):
        for goal, game, verdict in (("win", "hex:size=3", "proved"), ("value", "hex:size=3", "win"),
                                    ("score", "othello:size=4", "-10"),
                                    ("draw", "hex:size=3", "proved")):
            self.save([game, "--algorithm", "pn", "--goal", goal])
            self.assertEqual(self.view("run.ckpt")[0]["head"]["verdict"], verdict)

    def test_verdicts_of_nodes_are_true(self):
        values = {}

        def first_wins(cells, first):
            if joined(cells, 3, 3, "X") or joined(cells, 3, 3, "O"):
                return joined(cells, 3, 3, "X")
            if cells not in values:
                after = [first_wins(cells[:i] + "OX"[first] + cells[i + 1:], not first)
                         for i, c in enumerate(cells) if c == "."]
                values[cells] = any(after) if first else all(after)
            return values[cells]

        for algorithm in ("dfpn", "dfpn:zones=off", "pds", "alphabeta", "dfppn:playouts=8", "dfews:playouts=8", "pn",
                          "ppn:playouts=8"):
            for position in ("", "b3", "a3 b1"):
                with self.subTest(algorithm=algorithm, position=position):
                    self.save(["hex:size=3", "--position", position, "--algorithm", algorithm])
                    data, _ = self.view("run.ckpt")
                    attacker = data["head"]["attacker"] == "first"
                    rows = {0: data["head"]["root"]}
                    rows |= {row[0]: row for node in data["nodes"] for _, row in node[7]}
                    for number, _, _, cells, first, *_ in data["nodes"]:
                        if rows[number][1] != "unknown":
                            self.assertEqual(rows[number][1] == "proved",
                                             first_wins(cells, first) == attacker, cells)

    def test_backends_with_playouts_of_their_own(self):
        self.save(["hex:size=3", "--algorithm", "ppn:playouts=8", "--backend", "fake"],
                  "--max-nodes", "50")
        self.assertGreater(len(self.view("run.ckpt")[0]["nodes"]), 1)

    def test_the_former_generation(self):
        self.save(["hex:size=3", "--algorithm", "pn"])
        content = self.read("run.ckpt", "rb")
        self.write("run.ckpt.old", content)
        self.write("run.ckpt", content[:100])
        process = run("view", self.path("run.ckpt"), "--output", self.path("page.html"))
        self.assert_status(process, 0)
        self.assertIn("going on from", process.stderr)
        os.remove(self.path("run.ckpt.old"))
        self.refused("run.ckpt", "run.ckpt")

    def test_truncation(self):
        self.save(["hex:size=2", "--algorithm", "pn"])
        content = self.read("run.ckpt", "rb")
        for size in range(0, len(content), 7 if NIGHTLY else 21):
            self.write("cut.ckpt", content[:size])
            self.refused("cut.ckpt", "cut.ckpt")

    def test_memory(self):
        self.save(["hex:size=4", "--algorithm", "dfpn:table=1MiB", "--max-nodes", "1000"])
        self.assert_fails(["view", self.path("run.ckpt"), "--output", self.path("p.html"),
                           "--max-memory", "64KiB"], USAGE, "memory")


if __name__ == "__main__":
    unittest.main()
