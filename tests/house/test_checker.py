"""playproof-check shares nothing with the solver, and is small enough to be read."""

import os
import re
import subprocess
import unittest

import source_tree as tree

BUILD = os.environ.get("PLAYPROOF_BUILD", str(tree.ROOT / "build"))
FOLDER = "src/check/"
ALLOWED = {"games/core/game.h", "games/core/reference_text.h", "games/core/reference_words.h", "games/references.h"}
MAX_LINES = 800      # command line, reader, header, windows
MAX_FAMILY_LINES = 200  # a family of rules of proof
FAMILIES = tuple(FOLDER + name for name in ("proof.h", "cards.h", "links.h", "fill.h", "races.h",
                                           "paths.h", "path_nodes.h"))
MAX_RULES_LINES = 150  # the rules of one game


def lines(name):
    return len(tree.read(name).splitlines())


class Checker(unittest.TestCase):

    def test_includes_the_reference_rules_and_nothing_else(self):
        names = tree.cpp_files("src")
        own = {name for name in names if name.startswith(FOLDER)}
        self.assertIn(FOLDER + "main.cpp", own)
        for name in own:
            for included in tree.include_closure(name):
                with self.subTest(file=name, included=included):
                    self.assertTrue(included.startswith(FOLDER) or included in ALLOWED
                                    or re.fullmatch(r"games/\w+/reference\.h", included))
        # A positive control of the closure: the solver does not pass.
        self.assertIn("host/solve/solver.h", tree.include_closure("src/commands/solve.cpp"))

    def test_size(self):
        own = [name for name in tree.cpp_files("src") if name.startswith(FOLDER)]
        for name in FAMILIES:
            self.assertLessEqual(lines(name), MAX_FAMILY_LINES, name)
        self.assertLessEqual(sum(lines(n) for n in own if n not in FAMILIES), MAX_LINES)
        for name in tree.cpp_files("games"):
            if name.endswith("/reference.h") or name in ALLOWED:
                self.assertLessEqual(lines(name), MAX_RULES_LINES, name)

    def test_documents_say_how_long_it_is(self):
        own = [name for name in tree.cpp_files("src") if name.startswith(FOLDER)]
        rules = [n for n in tree.cpp_files("games") if n.endswith("/reference.h")]
        total = sum(lines(name) for name in (*own, *rules, *ALLOWED))
        said = re.search(r"([\d,]+) lines in all", tree.read("README.md")).group(1)
        self.assertAlmostEqual(int(said.replace(",", "")), total, delta=100)
        page = tree.read("docs/certificate.md")
        said = re.search(r"It is ([\d,]+) lines; read them", page).group(1)
        self.assertAlmostEqual(int(said.replace(",", "")), sum(map(lines, own)), delta=50)
        least, most = map(int, re.search(r"(\d+) to (\d+) lines a game", page).groups())
        self.assertEqual([least, most], [min(map(lines, rules)), max(map(lines, rules))])

    def link_map(self):
        path = os.path.join(BUILD, "src", "check", "playproof-check.map")
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()

    def test_link_map_is_free_of_solver_code(self):
        loaded = re.findall(r"^LOAD (\S+)", self.link_map(), re.M)
        ours = [name for name in loaded if not name.startswith("/")]
        self.assertTrue(any(name.endswith("main.cpp.o") for name in ours), loaded)
        for name in ours:
            with self.subTest(file=name):
                self.assertRegex(name, r"src/check/(CMakeFiles/playproof-check\.dir/main\.cpp\.o"
                                       r"|libplayproof_check_core\.a)$")
        for library in ("playproof_games", "playproof_host", "playproof_kernels"):
            self.assertNotIn(library, self.link_map())

    def test_symbols_are_of_the_checker_and_the_reference_rules(self):
        program = os.environ.get("PLAYPROOF_CHECK", os.path.join(BUILD, "playproof-check"))
        listed = subprocess.run(["nm", "-C", program], capture_output=True, text=True, check=True)
        names = set(re.findall(r"playproof::(\w+)", listed.stdout))
        if not names:
            self.skipTest("the program is stripped")
        for name in names:
            with self.subTest(name=name):
                self.assertRegex(name, r"^(check|Ref\w+|ref_\w+|Player|opponent|value_for)$")


if __name__ == "__main__":
    unittest.main()
