"""`games`, `algorithms`, `devices`, `version`, help: what there is."""

import json
import os
import re
import sqlite3
import tempfile
import unittest

from program import NIGHTLY, SOURCE, UNDECIDED, USAGE, ProgramTest, run

COMMANDS = ["solve", "experiment", "merge", "report", "bench", "perft", "signature", "games", "algorithms",
            "devices", "version", "gtp", "nboard", "cassio", "connect6-engine"]


def board_for(algorithm):
    """A small board that the algorithm searches, and decides."""
    return f"{algorithm['game']}:size=3,connect=3" if "game" in algorithm else "hex:size=2"


class Listings(ProgramTest):

    def check_catalogue(self, command, names):
        entries = self.json(command)
        self.assertLessEqual(set(names), {entry["name"] for entry in entries})
        text = run(command).stdout
        for entry in entries:
            self.assertIn(entry["name"], text)
            self.assertTrue(entry["summary"])
            for option in entry["options"]:
                self.assertTrue(option["help"], option)
                self.assertIn(option["name"] + "=", text)
                if option["type"] in ("integer", "real"):
                    self.assertLessEqual(option["min"], option["max"])
                    if option["default"] is not None:
                        self.assertLessEqual(option["min"], option["default"])
                        self.assertLessEqual(option["default"], option["max"])
                if option["type"] == "word":
                    if option["default"] is None:  # depends on other options
                        self.assertIn("default", option["help"])
                    else:
                        self.assertIn(option["default"], option["words"])
        return entries

    def test_games(self):
        for game in self.check_catalogue("games", ["pgame", "hex", "othello", "connect6"]):
            self.json("perft", game["name"], "--depth", "1")

    def test_algorithms(self):
        names = ["minimax", "alphabeta", "pn", "pn2", "deeppn", "wpns", "mcpn", "ppn", "ews", "mcts", "uct", "dfpn",
                 "pds", "pnstar", "dfppn", "dfews", "vcdt", "vcst", "rzop"]
        for algorithm in self.check_catalogue("algorithms", names):
            self.json("solve", board_for(algorithm), "--algorithm", algorithm["name"])

    def test_one_entry_alone(self):
        for command in ("games", "algorithms"):
            for entry in self.json(command):
                self.assertEqual(self.json(command, entry["name"]), [entry])
                text = run(command, entry["name"]).stdout
                self.assertTrue(text.startswith(entry["name"] + " "))
                self.assertIn(text, run(command).stdout)
        self.assertEqual(self.json("games", "hex:size=4")[0]["name"], "hex")
        self.assert_fails(["algorithms", "ppm"], USAGE, "unknown algorithm 'ppm'", "nearest: 'ppn'")

    def test_an_entry_fits_on_a_screen(self):
        """At most 40 lines of 80 columns, and nothing at their ends."""
        for command in ("games", "algorithms"):
            for entry in self.json(command):
                lines = run(command, entry["name"]).stdout.splitlines()
                with self.subTest(entry=entry["name"]):
                    self.assertLessEqual(len(lines), 40)
                    for line in lines:
                        self.assertLessEqual(len(line), 80, line)
                        self.assertEqual(line, line.rstrip())

    def test_one_word_for_what_is_known(self):
        """knowledge= is the search of its switches: in answers, in checkpoints, in stores."""
        knowledge = next(option for entry in self.json("algorithms", "dfpn") for option in entry["options"]
                         if option["name"] == "knowledge")
        self.assertEqual(knowledge["words"], list(knowledge["presets"]))
        text = " ".join(run("algorithms", "dfpn").stdout.split())
        several = [preset.items() for preset in knowledge["presets"].values() if len(preset) > 1]
        shared = dict(set(several[0]).intersection(*several[1:]))
        self.assertIn("|full " + " ".join(f"{name}={value}" for name, value in shared.items()) + ";", text)
        with tempfile.TemporaryDirectory() as folder:
            for word, preset in knowledge["presets"].items():
                switches = ",".join(f"{name}={value}" for name, value in preset.items())
                if len(preset) > 1:
                    own = " ".join(f"{name}={value}" for name, value in preset.items() if name not in shared)
                    if own == f"probe={word}":  # with others that are the probe of their name
                        self.assertRegex(text, rf"; (\w+, )*{word}(, \w+)*: probe=it;")
                    else:  # more than the word before
                        self.assertEqual(word, "full")
                        self.assertIn(f"{word}: also {own.removeprefix('probe=connections ')}", text)
                specs = [f"dfpn:leaf=unit,knowledge={word}", f"dfpn:leaf=unit,{switches}"]
                one, other = (self.json("solve", "hex:size=4", "--algorithm", spec) for spec in specs)
                for key in ("algorithm", "verdict", "iterations", "counters"):
                    self.assertEqual(one[key], other[key])
                # What the word began the switches end.
                path = os.path.join(folder, word)
                run("solve", "hex:size=7", "--algorithm", specs[0], "--max-nodes", "3", "--checkpoint", path)
                self.json("solve", "hex:size=7", "--resume", path, "--algorithm", specs[1], "--max-nodes", "6",
                          status=UNDECIDED)
                plan = os.path.join(folder, "plan.toml")
                rows = []
                for spec in specs:
                    with open(plan, "w", encoding="utf-8") as file:
                        file.write('name = "known"\n[[series]]\nname = "one"\ngame = "hex:size=3"\npositions = [""]\n'
                                   f'[[algorithm]]\nlabel = "known"\nspec = "{spec}"\n[limits]\nmax_nodes = 50\n')
                    self.assert_status(run("experiment", plan, "--store", path + ".db"), 0)
                    with sqlite3.connect(path + ".db") as store:
                        rows.append(store.execute("SELECT * FROM run").fetchall())
                self.assertEqual(rows[0], rows[1])  # what was stored by the word is not run again
                self.assertEqual(len(rows[0]), 1)

    def test_every_word_of_every_option_is_taken(self):
        """By day every third of them."""
        turn = 0
        for algorithm in self.json("algorithms"):
            for option in algorithm["options"]:
                for word in option.get("words", [option["default"]]):
                    turn += 1
                    if word is None or (turn % 7 and not NIGHTLY):
                        continue
                    spec = f"{algorithm['name']}:{option['name']}={word}"
                    board = board_for(algorithm)
                    if option["name"] == "ask":  # with nothing to ask it says nothing
                        spec += ",fill=dead"
                    elif option["name"] == "replies" and "game" not in algorithm:
                        spec, board = spec + ",turns=all", "connect6:size=3,connect=3"
                    elif word == "lines" or (option["name"], word) == ("order", "zones"):
                        spec, board = spec + ",turns=all", "connect6:size=3,connect=3"
                    elif word == "quads":
                        board = "loa:size=4"
                    elif option["name"] == "policy":  # of several searchers
                        spec += ",searchers=2"
                    threads = ["--workers", "2"] if option["name"] == "tablelock" else []
                    with self.subTest(spec=spec):
                        answer = self.json("solve", board, "--algorithm", spec, *threads)
                        # What has no effect here is left out.
                        parts = answer["algorithm"].partition(":")[2].split(",")
                        said = dict(part.split("=") for part in parts if part)
                        if "words" in option:
                            self.assertEqual(said.get(option["name"], word), word)

    def test_version(self):
        version = self.json("version")
        self.assertTrue(version["version"].startswith(version["release"]))
        self.assertTrue(version["git_revision"])
        self.assertTrue(version["compiler"])
        backends = {backend["name"]: backend for backend in version["backends"]}
        for name in ("cpu", "reference", "fake"):
            self.assertTrue(backends[name]["usable"], backends)
        for backend in backends.values():
            self.assertEqual(backend["usable"], backend["missing"] is None)
        self.assertIn(version["git_revision"], run("version").stdout)
        self.assertEqual(run("--version").stdout, f"playproof {version['version']}\n")

    def test_devices(self):
        devices = self.json("devices")
        self.assertGreaterEqual(len(devices), 1)
        self.assertEqual(devices[0]["kind"], "cpu")
        self.assertGreaterEqual(devices[0]["cores"], 1)
        self.assert_status(run("devices"), 0)

    def test_help(self):
        for arguments in [(), *((command,) for command in COMMANDS), ("bench", "playouts"),
                          ("bench", "search")]:
            with self.subTest(arguments=arguments):
                process = run(*arguments, "--help")
                self.assert_status(process, 0)
                self.assertIn("Usage: ", process.stdout)
                self.assertEqual(process.stderr, "")
        for command in COMMANDS:
            self.assertIn(command, run("--help").stdout)

    def test_help_as_a_word(self):
        """`help COMMAND` is `COMMAND --help`."""
        for words in ([], *([command] for command in COMMANDS), ["bench", "playouts"], ["bench", "search"]):
            process = run("help", *words)
            self.assert_status(process, 0)
            self.assertEqual((process.stdout, process.stderr), (run(*words, "--help").stdout, ""))
        self.assertEqual(run("help", "help", "solve").stdout, run("solve", "--help").stdout)
        # What follows the command is nothing: help runs nothing and writes nothing.
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "q.db")
            plan = os.path.join(SOURCE, "tests", "programs", "smoke.toml")
            for words, rest in ((["solve"], ["hex:size=2"]), (["solve"], ["--position", "a1"]), (["solve"], ["--help"]),
                                (["experiment"], [plan, "--store", store]), (["bench", "search"], ["hex:size=2", "x"]),
                                (["perft"], ["othello", "solve"])):
                process = run("help", *words, *rest)
                with self.subTest(rest=rest):
                    self.assert_status(process, 0)
                    self.assertEqual((process.stdout, process.stderr), (run(*words, "--help").stdout, ""))
            self.assertEqual(os.listdir(folder), [])
            self.assert_fails(["help", "solv", "solve", "hex:size=2"], USAGE, "unknown command 'solv'")
            self.assert_fails(["help", "--json", "solve", "hex:size=2"], USAGE, "unknown option '--json'")
        # The word of a game or a file is no such order.
        self.assert_fails(["solve", "help"], USAGE, "unknown game 'help'")

    def test_pages_that_help_names(self):
        """Each is there; where they are installed is said."""
        text = "".join(run(*words, "--help").stdout for words in ([], *([command] for command in COMMANDS)))
        pages = set(re.findall(r"docs/[\w.-]+\w", text))
        self.assertIn("docs/formats.md", pages)
        for page in pages:
            self.assertTrue(os.path.isfile(os.path.join(SOURCE, page)), page)
        self.assertIn("share/doc/playproof", text)

    def test_json_is_one_line(self):
        for command in (("games",), ("algorithms",), ("version",), ("devices",),
                        ("perft", "hex", "--depth", "1")):
            out = run(*command, "--json").stdout
            self.assertEqual(out.count("\n"), 1)
            json.loads(out)

    def test_footers(self):
        """Below the options: at most 80 columns, and lines broken where they are full, not before."""
        for command in [*([c] for c in COMMANDS), ["bench", "playouts"], ["bench", "search"], []]:
            paragraphs = [paragraph.split("\n") for paragraph in
                          run(*command, "--help").stdout.strip("\n").split("\n\n")]
            while any(p[0] in ("Options:", "Subcommands:") for p in paragraphs):
                del paragraphs[0]  # as the library prints them
            for lines in paragraphs:
                for line, follower in zip(lines, [*lines[1:], None]):
                    self.assertLessEqual(len(line), 80, f"{command}: {line}")
                    if follower is not None and lines[0] != "Examples:":
                        word = follower.split(" ")[0]
                        self.assertGreater(len(line + " " + word), 80, f"{command}: {line}")


if __name__ == "__main__":
    unittest.main()
