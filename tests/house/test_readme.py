"""What README.md and docs/ show is what the program prints, times and rates apart."""

import json
import os
import re
import subprocess
import tempfile
import unittest

import source_tree as tree

PROGRAM = os.path.abspath(os.environ.get("PLAYPROOF") or tree.ROOT / "build" / "playproof")
NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"
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
            if "report --papers" in command and not NIGHTLY:
                continue  # every stored result is read and judged
            commands += 1
            with self.subTest(command=command):
                result = in_shell(command, self.folder)
                if shown:  # what is on stdout, and on stderr if it is shown too
                    printed = result.stdout + (result.stderr if "playproof: " in shown else "")
                    self.assertEqual(without_times(printed), without_times(shown))
                else:
                    self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreaterEqual(commands, 5)

    def test_rows_of_what_is_solved(self):
        """Each has words for `solve`; what takes less than half a second is counted as it says."""
        page = tree.read("README.md")
        table = page[page.index("## What is solved"):page.index("## How to read a verdict")]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()
                if line.startswith("| ")]
        rows = [row for row in rows if not row[2].startswith(("---", "calls"))]
        self.assertGreaterEqual(len(rows), 10)
        counted = 0
        for row in rows:
            with self.subTest(row=row):
                words = re.fullmatch("`(.*)`", row[1]).group(1).split()
                seconds = re.search(r"([\d.]+) (m?)s$", row[3])
                quick = float(seconds.group(1)) * (0.001 if seconds.group(2) else 1) < 0.5
                one = "--position-file" not in words
                done = subprocess.run([PROGRAM, "solve", *words, "--json", *([] if quick and one else ["--max-nodes", "1"])],
                                      cwd=tree.ROOT, capture_output=True, text=True, check=False)
                self.assertIn(done.returncode, (0, 2), done.stderr)
                if quick and one:
                    answer = json.loads(done.stdout)
                    self.assertIn(int(row[2].replace(",", "")), (answer["iterations"], answer["nodes_created"]))
                    counted += 1
        self.assertGreaterEqual(counted, 4)

    def test_programs_are_called_in_one_way(self):
        """Whoever has just built it has no `playproof` yet."""
        for line in tree.read("README.md").splitlines():
            self.assertNotRegex(line, r"^(    |\$ )playproof")

    def test_score_of_the_othello_example(self):
        command = next(c for c, _ in examples() if "--goal score" in c)
        answer = in_shell(command, self.folder).stdout
        self.assertIn(re.search(r'"score":-?\d+', tree.read("README.md")).group(), answer)


if __name__ == "__main__":
    unittest.main()
