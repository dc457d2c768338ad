"""What the README shows is what the program prints, times and rates apart."""

import os
import re
import subprocess
import unittest

import source_tree as tree

PROGRAM = os.environ.get("PLAYPROOF") or str(tree.ROOT / "build" / "playproof")


def examples():
    """(command, output shown) of every block of the README that begins with a prompt."""
    for block in re.findall(r"^```\n\$ (.*?)^```$", tree.read("README.md"), re.M | re.S):
        command, _, shown = re.sub(r"\\\n\s*", "", block).partition("\n")
        yield command, shown


def without_times(text):
    text = re.sub(r"[\d.e+]+ a second", "N a second", text)
    return re.sub(r"[\d.]+ s\b", "T s", text)


class Readme(unittest.TestCase):
    def test_examples(self):
        commands = 0
        for command, shown in examples():
            commands += 1
            with self.subTest(command=command):
                result = subprocess.run(
                    ["bash", "-c", command.replace("build/playproof", f'"{PROGRAM}"')], check=False,
                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                if shown:
                    self.assertEqual(without_times(result.stdout), without_times(shown))
                else:
                    self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreaterEqual(commands, 3)

    def test_score_of_the_othello_example(self):
        command = next(c for c, _ in examples() if "--goal score" in c)
        answer = subprocess.run(["bash", "-c", command.replace("build/playproof", f'"{PROGRAM}"')],
                                check=True, capture_output=True, text=True).stdout
        self.assertIn(re.search(r'"score":-?\d+', tree.read("README.md")).group(), answer)


if __name__ == "__main__":
    unittest.main()
