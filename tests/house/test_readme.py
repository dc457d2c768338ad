"""What README.md and docs/ show is what the program prints, times and rates apart."""

import os
import re
import subprocess
import tempfile
import unittest

import source_tree as tree

PROGRAM = os.path.abspath(os.environ.get("PLAYPROOF") or tree.ROOT / "build" / "playproof")
PAGES = ["README.md"] + sorted(name for name in tree.files() if re.match(r"docs/[\w-]+\.md$", name))


def examples():
    """(command, output shown) of every prompt in the blocks of these pages that begin with one."""
    for page in PAGES:
        for block in re.findall(r"^```\n(\$ .*?)^```$", tree.read(page), re.M | re.S):
            for prompt in re.split(r"^\$ ", re.sub(r"\\\n\s*", "", block), flags=re.M)[1:]:
                command, _, shown = prompt.partition("\n")
                yield command, shown


def in_shell(command, folder):
    return subprocess.run(["bash", "-c", command.replace("build/playproof", f'"{PROGRAM}"')],
                          cwd=folder, check=False, capture_output=True, text=True)


def without_times(text):
    text = re.sub(r"[\d.e+]+ a second", "N a second", text)
    return re.sub(r"[\d.]+ s\b", "T s", text)


class Readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_examples(self):
        commands = 0
        for command, shown in examples():
            commands += 1
            with self.subTest(command=command):
                result = in_shell(command, self.folder)
                if shown:  # what is on stdout, and on stderr if it is shown too
                    printed = result.stdout + (result.stderr if "playproof: " in shown else "")
                    self.assertEqual(without_times(printed), without_times(shown))
                else:
                    self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreaterEqual(commands, 5)

    def test_score_of_the_othello_example(self):
        command = next(c for c, _ in examples() if "--goal score" in c)
        answer = in_shell(command, self.folder).stdout
        self.assertIn(re.search(r'"score":-?\d+', tree.read("README.md")).group(), answer)


if __name__ == "__main__":
    unittest.main()
