"""Completions: what is offered is what the programs take, in shells that really run."""

import functools
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import share
from shells import Fish, Terminal

SHELLS = ("bash", "zsh", "fish")
CATALOGUES = {"GAME": ("solve ", "games"), "ALGO": ("solve hex --algorithm ", "algorithms")}


@functools.cache
def made():
    """The folder `share`, where shells only read."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    return share.make_share(os.path.join(folder.name, "share"))


class Completions:
    """The tests that every shell takes; `offers` says how it is asked."""

    shell = ""

    @classmethod
    def setUpClass(cls):
        if not shutil.which(cls.shell):
            raise unittest.SkipTest(f"no {cls.shell} here")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.share = made()
        cls.start()

    def check(self, wanted):
        """wanted: {line: what is offered at its end, as whole words}"""
        for (line, words), offered in zip(wanted.items(), self.offers(list(wanted))):
            with self.subTest(line=line):
                self.assertEqual(offered, words)

    def test_every_option_of_every_command(self):
        wanted = {" ".join([*path, "--"]): share.options(path) for path in share.commands()}
        self.assertGreater(len(wanted), 10)
        self.assertIn("--certificate", wanted["playproof solve --"])
        self.check(wanted)

    def test_commands(self):
        for path in (["playproof"], ["playproof", "bench"]):
            below = {p[-1] for p in share.commands() if p[:-1] == path}
            self.assertGreater(len(below), 1)
            self.check({" ".join([*path, ""]): below})

    def test_names_keys_and_words(self):
        wanted, words = {}, 0
        for start, catalogue in CATALOGUES.values():
            entries = json.loads(share.output("playproof", catalogue, "--json"))
            wanted[f"playproof {start}"] = {entry["name"] for entry in entries}
            wanted[f"playproof {catalogue} "] = {entry["name"] for entry in entries}
            for entry in entries:
                name, keys = entry["name"], [option["name"] for option in entry["options"]]
                wanted[f"playproof {start}{name}:"] = {f"{name}:{key}=" for key in keys}
                for option in entry["options"]:
                    wanted[f"playproof {start}{name}:{option['name']}="] = {
                        f"{name}:{option['name']}={word}" for word in option.get("words", [])}
                    words += len(option.get("words", []))
        self.assertGreater(words, 50)
        turn = SHELLS.index(self.shell)
        self.check({line: offered for number, (line, offered) in enumerate(wanted.items())
                    if share.NIGHTLY or line[-1] != "=" or number % 3 == turn})

    def test_one_game_alone(self):
        """`gtp HEX`: other games would be refused."""
        games = json.loads(share.output("playproof", "games", "--json"))
        keys = {option["name"] for game in games if game["name"] == "hex" for option in game["options"]}
        self.assertIn("size", keys)
        self.check({"playproof gtp ": {"hex"}, "playproof gtp he": {"hex"},
                    "playproof gtp hex:": {f"hex:{key}=" for key in keys},
                    "playproof gtp hex:rows=3,c": {"hex:rows=3,columns="}})

    def test_a_key_is_offered_once(self):
        self.check({"playproof solve hex:rows=3,": {"hex:rows=3,size=", "hex:rows=3,columns="},
                    "playproof perft hex:rows=3,c": {"hex:rows=3,columns="},
                    "playproof solve pn --algorithm pn:ties=left,leaf=u": {"pn:ties=left,leaf=unit"}})

    def test_the_cluster(self):
        self.check({"playproof-cluster ": {"experiment"},
                    "playproof-cluster experiment plan.toml --progress ": {"auto", "json", "none"},
                    "playproof-cluster experiment --backend sca": {"scalar"},
                    "playproof-cluster experiment --workers ": set()})

    def test_words_of_options(self):
        backends = {b["name"] for b in json.loads(share.output("playproof", "version", "--json"))["backends"]}
        self.check({"playproof solve --progress ": {"auto", "json", "none"},
                    "playproof solve hex --json --goal ": {"win", "draw", "value", "score"},
                    "playproof report --format c": {"csv", "claims"},
                    "playproof bench playouts hex --simd avx": {"avx2", "avx512"},
                    "playproof-check some.cert --game ot": {"othello"},
                    "playproof experiment --backend ": backends,
                    "playproof solve --seed ": set(), "playproof solve --position ": set()})


class InTerminal(Completions):
    @classmethod
    def start(cls, more=""):
        cls.terminal = Terminal(cls.shell, cls.share, cls.folder, more)
        cls.addClassCleanup(cls.terminal.close)
        for name in ("alpha beta.cert", "delta.db"):
            with open(os.path.join(cls.folder, name), "w", encoding="utf-8"):
                pass

    def whole(self, line, offered):
        return offered

    def offers(self, lines):
        return [self.whole(line, self.terminal.tab(line)[0]) for line in lines]

    def test_what_stands_on_the_line(self):
        for line, after in {
                "playproof sol": "playproof solve ",
                "playproof solve hex:si": "playproof solve hex:size=",
                "playproof solve hex:rows=3,co": "playproof solve hex:rows=3,columns=",
                "playproof perft hex --algorithm pn:ties=d": "playproof perft hex --algorithm pn:ties=d",
                "playproof solve --algorithm pn:ties=d": "playproof solve --algorithm pn:ties=deepest",
                "playproof solve hex --algorithm=pn:ti": "playproof solve hex --algorithm=pn:ties=",
                "playproof solve hex --algorithm=minim": "playproof solve hex --algorithm=minimax",
                "playproof gtp he": "playproof gtp hex",
                "playproof gtp hex:si": "playproof gtp hex:size=",
                "playproof solve --cert": "playproof solve --certificate",
                "playproof bench sea": "playproof bench search ",
                "playproof report del": "playproof report delta.db ",
                "playproof-check al": "playproof-check alpha\\ beta.cert ",
                "playproof merge-nothing": "playproof merge-nothing",
                "playproof-cluster exp": "playproof-cluster experiment ",
                "playproof-cluster experiment --store del": "playproof-cluster experiment --store delta.db ",
                "playproof experiment --store del": "playproof experiment --store delta.db "}.items():
            with self.subTest(line=line):
                shown = self.terminal.tab(line)[1]
                if line.endswith("--cert"):  # zsh adds the "=" that may follow
                    shown = shown.rstrip("= ")
                self.assertEqual(shown, after)

    def test_quoted_words_before(self):
        line = "playproof solve hex --position 'b2 c3' --algorithm pn --go"
        self.assertEqual(self.whole(line, self.terminal.tab(line)[0]), {"--goal"})


class Bash(InTerminal, unittest.TestCase):
    shell = "bash"

    def whole(self, line, offered):
        """Readline replaces what stands behind the last ':' or '=': put the rest before it."""
        before = re.match(r"(.*[:=])?", line.split(" ")[-1]).group()
        return {before + word for word in offered}

    def test_syntax(self):
        subprocess.run(["bash", "-n", self.share / "bash-completion/completions/playproof"], check=True)

    def test_used_options_are_not_offered_again(self):
        offered = self.terminal.tab("playproof solve hex --json --goal=win --")[0]
        self.assertEqual(offered, share.options(["playproof", "solve"]) - {"--json", "--goal"})


class BashThatBreaksNoWords(Bash):
    """Where COMP_WORDBREAKS has neither ':' nor '='."""

    @classmethod
    def start(cls, more=""):
        super().start("COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]/}")

    def whole(self, line, offered):
        return offered


class Zsh(InTerminal, unittest.TestCase):
    shell = "zsh"

    def whole(self, line, offered):
        """As compadd sees it: what stands before the last ':', ',' or '=' is hidden."""
        before = re.match(r"(.*[:=,])?", line.split(" ")[-1]).group()
        keys = line.endswith(":") or re.search(r"[:,][a-z]*$", line)
        options = line.split(" ")[-1].startswith("-")
        return {before + word.removesuffix("=") + ("=" if keys and not options else "") for word in offered}

    def test_syntax(self):
        subprocess.run(["zsh", "-n", self.share / "zsh/site-functions/_playproof"], check=True)


class FishOffers(Completions, unittest.TestCase):
    shell = "fish"

    @classmethod
    def start(cls):
        cls.fish = Fish(cls.share)

    def offers(self, lines):
        return self.fish.offers(lines)

    def test_syntax(self):
        for path in (self.share / "fish/vendor_completions.d").iterdir():
            subprocess.run(["fish", "-n", path], check=True)


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=60,
                          cwd=tempfile.gettempdir(), check=False)


class Programs(unittest.TestCase):
    """What the completions rest on."""

    def test_no_option_is_refused(self):
        for path in share.commands():
            if path[0] == "playproof-cluster":
                continue  # argparse says no option's name before it sees what else is wrong
            program = share.CHECKER if path[0] == "playproof-check" else share.PROGRAM
            options = sorted(share.options(path))
            for option in [*(options if share.NIGHTLY else options[::3]), "--no-such-option"]:
                # Words that are too many: nothing is run.
                with self.subTest(path=path, option=option):
                    process = run(program, *path[1:], option, "surplus", "surplus")
                    self.assertEqual(f"option '{option}'" in process.stderr.replace("argument", "option"),
                                     option == "--no-such-option", process.stderr)

    def test_no_word_of_an_option_is_refused(self):
        import program_help
        checked = 0
        for command in program_help.read_commands(share.PROGRAM, ["playproof"]):
            for option in command.flags:
                for word in option.words() + ["no-such-word"] * bool(option.words()):
                    with self.subTest(path=command.path, option=option.names, word=word):
                        checked += 1
                        self.assertEqual(self.refuses(command, option, word), word == "no-such-word")
        self.assertGreater(checked, 20)

    def test_options_of_the_cluster_are_not_refused(self):
        needed = ["experiment", "plan.toml", "--store", "x.db", "--wrong"]  # nothing is run
        for path, before, after in ((["playproof-cluster"], [], needed),
                                    (["playproof-cluster", "experiment"], needed, [])):
            for option in sorted(share.options(path) | {"--no-such-option"}):
                with self.subTest(path=path, option=option):
                    told = share.cluster(*before, f"{option}=surplus", *after)[1].replace("--wrong ", "")
                    self.assertEqual(f"unrecognized arguments: {option}" in told, option == "--no-such-option", told)

    def refuses(self, command, option, word):
        values = {"game": "othello:size=4", "hex": "hex", "algorithm": "pn", "text": "1", "file": "no-such-file"}
        arguments = []
        for other in command.options:
            if other.required and other is not option:
                arguments += [] if other.is_positional else [other.names[-1]]
                arguments.append(values.get(other.kind()) or other.words()[0])
            elif other.names[0] in ("--max-nodes", "--playouts"):
                arguments += [other.names[0], "1"]
            elif other.kind() == "game":
                arguments.append(values["game"])
        process = run(share.PROGRAM, *command.path[1:], *arguments, option.names[-1], word)
        return process.returncode == 64 and word in process.stderr


if __name__ == "__main__":
    unittest.main()
