"""The source tour, `make help`, the top level and the lint list say what is there."""

import os
import re
import subprocess
import unittest

import source_tree as tree

TOP_LEVEL = {"CHANGELOG.md", "CITATION.cff", "CMakeLists.txt", "CMakePresets.json", "CONTRIBUTING.md",
             "LICENSE", "Makefile", "README.md", "bench", "docs", "examples", "games", "host", "kernels",
             "packaging", "pyproject.toml", "python", "src", "tests"}


def tour():
    """{path} of the source tour: folders end in a slash, files are indented under them."""
    named, folder = set(), ""
    for line in tree.read("docs/tour.md").splitlines():
        entry = re.match(r"( *)(\S.*?)(  +\S.*)?$", line)
        if not entry or line.startswith("```"):
            continue
        if re.match(r"[\w./]+/$", entry.group(2)) and not entry.group(1):
            folder = entry.group(2)
            named.add(folder)
        elif entry.group(1):
            named |= {folder + name for name in re.split(r",? +", entry.group(2))}
    return named


def as_in_tour(folder):
    """A game's folder is told once for all games: games/hex/ is games/GAME/."""
    floor, _, room = folder.partition("/")
    return f"{floor}/GAME/" if floor in ("games", "kernels") and room[:-1] in tree.games() else folder


def wanted_in_tour():
    folders, notable = set(), set()
    commands = tree.read("src/commands/commands.h")
    for name in tree.files():
        folder, _, leaf = name.rpartition("/")
        if not folder or folder.startswith("."):
            continue
        folder = as_in_tour(folder + "/")
        folders.add(folder)
        if folder.endswith("/GAME/"):
            continue
        public_header = name.endswith((".h", ".cuh")) and folder.split("/")[0] in tree.FLOORS[:3]
        program = folder == "src/commands/" and f"add_{leaf[:-4]}_command" in commands
        script = name.endswith((".py", ".sh", ".toml", ".md")) and folder.split("/")[0] in (
            "python", "bench", "docs", "games", "packaging")
        if public_header or program or script or name.endswith(".cu"):
            notable.add(name)
    return folders, notable


class Documents(unittest.TestCase):
    def test_tour_names_every_folder_and_notable_file(self):
        folders, notable = wanted_in_tour()
        named = tour()
        self.assertEqual(sorted(f for f in folders if f not in named), [], "folders missing")
        self.assertEqual(sorted(notable - named), [], "files missing")

    def test_tour_names_nothing_that_is_gone(self):
        gone = [name for name in tour()
                if not any((tree.ROOT / name.replace("/GAME/", f"/{game}/", 1)).exists()
                           for game in tree.games())]
        self.assertEqual(sorted(gone), [])

    def test_tour_goes_up_the_floors(self):
        page = tree.read("docs/tour.md")
        places = [page.index(f"\n{folder}/") for folder in tree.FLOORS + ["tests", "bench"]]
        self.assertEqual(places, sorted(places))

    def test_top_level_is_short(self):
        top = {name.split("/")[0] for name in tree.files()}
        self.assertEqual(sorted(t for t in top if not t.startswith(".") and t not in TOP_LEVEL), [])

    def test_make_help_lists_every_target(self):
        text = tree.read("Makefile")
        targets = {target for line in re.findall(r"^([a-z][a-z0-9 -]*):(?!=)", text, re.M)
                   for target in line.split()}
        self.assertGreaterEqual(targets, {"build", "demo", "test", "lint", "install", "help"})
        environment = {k: v for k, v in os.environ.items() if not k.startswith("MAKE")}
        shown = subprocess.run(["make", "-C", str(tree.ROOT), "help"], capture_output=True,
                               text=True, check=True, env=environment).stdout
        self.assertEqual({m for m in re.findall(r"^  make (\S+)  +\S", shown, re.M)}, targets)

    def test_every_removed_lint_check_has_a_reason(self):
        for name in (".clang-tidy", "src/.clang-tidy", "tests/.clang-tidy"):
            text = tree.read(name)
            removed = re.findall(r"^  -([a-z][\w.*-]+),?$", text, re.M)
            reasons = re.findall(r"^# ([a-z]+-[\w.*-]+) +\S", text, re.M)
            with self.subTest(file=name):
                self.assertTrue(removed)
                self.assertEqual(sorted(removed), sorted(reasons))

    def test_every_reading_that_comments_cite_is_explained(self):
        page = tree.read("docs/readings.md")
        explained = set(re.findall(r"^(?:- \*\*|\| )([ES]\d+)\b", page, re.M))
        self.assertIn("E19", explained)
        for name in tree.cpp_files():
            comments = " ".join(re.findall(r"//(.*)", tree.read(name)))
            cited = set(re.findall(r"\b(?:E[1-9]\d?|S[0-4])\b", comments))
            with self.subTest(file=name):
                self.assertEqual(sorted(cited - explained), [])

    def test_the_version_is_the_same_everywhere(self):
        version = re.search(r"^project\(playproof VERSION ([\d.]+)", tree.read("CMakeLists.txt"), re.M).group(1)
        heading = re.search(r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", tree.read("CHANGELOG.md"), re.M)
        citation = dict(re.findall(r"^(version|date-released): (\S+)$", tree.read("CITATION.cff"), re.M))
        self.assertEqual(heading.groups(), (version, citation["date-released"]))
        self.assertEqual(citation["version"], version)
        self.assertIn(f"playproof_{version}_amd64.deb", tree.read("docs/install.md"))

    def test_the_signature_is_the_same_everywhere(self):
        signature = tree.read("tests/golden/signature.txt").split()[0]
        self.assertIn(f"Signature: {signature}\n", tree.read("CONTRIBUTING.md"))

    def test_links_lead_somewhere(self):
        """To files and folders that are there, and to headings that pages have."""
        def headings(page):
            found = re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", tree.read(page), flags=re.M | re.S), re.M)
            return {re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in found}

        pages = [name for name in tree.files() if name.endswith(".md")]
        for page in pages:
            folder = os.path.dirname(page)
            for target in re.findall(r"\]\(([^()\s]+)\)", tree.read(page)):
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, anchor = target.partition("#")
                place = os.path.normpath(os.path.join(folder, path)) if path else page
                with self.subTest(page=page, target=target):
                    self.assertTrue((tree.ROOT / place).exists())
                    if anchor and place in pages:
                        self.assertIn(anchor, headings(place))

    def test_no_path_of_a_machine(self):
        pattern = re.compile(r"(?<![\w.])/(work|root|home|mnt|Users)/")
        for name in tree.files():
            if name.endswith((".db", ".png", ".gz", ".xz", ".zst")):
                continue
            text = tree.read(name)
            found = pattern.search(text)
            self.assertIsNone(found, found and f"{name}:{text.count(chr(10), 0, found.start()) + 1}")


if __name__ == "__main__":
    unittest.main()
