"""Manual pages: what the help says stands in them, and they are good roff."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import share


def words(text):
    """Text without what differs between a help and a page: quotes, spaces, ends of lines."""
    return " ".join(re.sub(r"[`]", "", text).split())


@unittest.skipUnless(shutil.which("mandoc"), "no mandoc here")
class ManPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = share.make_share(folder.name) / "man/man1"
        cls.pages = {path: cls.folder / ("-".join(path) + ".1") for path in map(tuple, share.commands())}

    def plain(self, page):
        """The page as text, bold and italics taken off."""
        out = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=1000", page], check=True,
                             capture_output=True, text=True).stdout
        return words(re.sub(r".\x08", "", out))

    def test_there_is_a_page_for_every_command(self):
        self.assertEqual({path.name for path in self.folder.iterdir()},
                         {path.name for path in self.pages.values()})

    def test_lint(self):
        for page in self.pages.values():
            with self.subTest(page=page.name):
                process = subprocess.run(["mandoc", "-T", "lint", page], capture_output=True, text=True,
                                         check=False)
                self.assertEqual(process.stdout + process.stderr, "")
                self.assertEqual(process.returncode, 0)

    def test_lint_finds_what_is_wrong(self):
        bad = self.folder.parent / "bad.1"
        bad.write_text(".TH BAD 1 2026-11-23\n.SH NAME\nbad \\- x\n.XX\n", encoding="utf-8")
        self.assertIn("unknown macro", subprocess.run(["mandoc", "-T", "lint", bad], capture_output=True,
                                                      text=True, check=False).stdout)

    def test_every_option_with_its_explanation(self):
        for path, page in self.pages.items():
            text = self.plain(page)
            for name in share.options(path):
                with self.subTest(page=page.name, option=name):
                    self.assertRegex(text, rf"(?<![\w-]){re.escape(name)}(?![\w-])")
            explained = re.findall(r"^  (?:-\S+|[A-Z]+)(?: [A-Z]\S*)*  +(\S.*)$",
                                   share.output(*path, "--help"), re.M)
            self.assertTrue(explained)
            for line in explained:
                self.assertIn(words(line), text)

    def test_every_paragraph_of_the_help(self):
        general = share.output("playproof", "--help")
        checked = 0
        for path, page in self.pages.items():
            text = self.plain(page)
            help_text = share.output(*path, "--help")
            for paragraph in re.split(r"\n\n", help_text[help_text.index("\nOptions:"):])[1:]:
                if paragraph.startswith(("Subcommands:", "Exit status:")):
                    continue
                if path != ("playproof",) and paragraph in general:
                    continue
                paragraph = re.sub(r"^Examples?: *\n?", "", paragraph)
                with self.subTest(page=page.name, paragraph=paragraph[:40]):
                    checked += 1
                    self.assertIn(words(paragraph), words(text))
        self.assertGreater(checked, 20)

    def test_exit_statuses(self):
        for path, page in self.pages.items():
            said = re.search(r"^Exit status: ((?:.+\n)+)", share.output(*path, "--help"), re.M)
            if said:
                numbers = re.findall(r"(?:^|[,;] )(\d+) ", words(said.group(1)))
                section = self.plain(page).partition("EXIT STATUS ")[2]
                self.assertTrue(numbers)
                for number in numbers:
                    with self.subTest(page=page.name, number=number):
                        self.assertRegex(section, rf"(^|\. ){number} [A-Z]")

    def test_catalogues(self):
        for command in ("games", "algorithms"):
            text = self.plain(self.folder / f"playproof-{command}.1")
            for entry in json.loads(share.output("playproof", command, "--json")):
                self.assertIn(words(entry["summary"]), text)
                for option in entry["options"]:
                    self.assertIn(f" {option['name']}=", text)
                    self.assertIn(words(option["help"]), text)
                    for word in option.get("words", []):
                        self.assertIn(word, text)

    def test_version_and_day(self):
        release = json.loads(share.output("playproof", "version", "--json"))["release"]
        heading = f'1 \\d{{4}}-\\d\\d-\\d\\d "playproof {re.escape(release)}" "playproof"'
        for page in self.pages.values():
            self.assertRegex(page.read_text(encoding="utf-8"), heading)

    def test_pages_that_others_name_are_there(self):
        names = {page.name for page in self.pages.values()}
        for page in self.pages.values():
            cited = re.findall(r"^\.BR (\S+) \(1\)", page.read_text(encoding="utf-8"), re.M)
            self.assertTrue(cited)
            self.assertLessEqual({c.replace("\\-", "-") + ".1" for c in cited}, names)


class Reader(unittest.TestCase):
    """A help that is not written as expected is an error, not a page with holes."""

    GOOD = ("Does it.\nUsage: p q [OPTIONS] GAME\n\nPositionals:\n  GAME REQUIRED               Which\n\n"
            "Options:\n  -h,--help                   Print this\n  --board,--no-board{false}   Draw\n"
            "  --kind KIND Excludes: --help --board\n                              one, two or three\n"
            "  --serve [PORT]              On a port\n\nMore of `it`.\n\nExit status: 0 done, 64 usage; or so.\n")

    def setUp(self):
        import program_help
        self.module = program_help

    def read(self, text):
        return self.module.read_help(["p", "q"], text)

    def test_good(self):
        command = self.read(self.GOOD)
        by_name = {option.names[-1]: option for option in command.options}
        self.assertEqual(by_name["--no-board"].names, ["--board", "--no-board"])
        self.assertEqual(by_name["--kind"].excludes, ["--help", "--board"])
        self.assertEqual(by_name["--kind"].words(), ["one", "two", "three"])
        self.assertEqual((by_name["--serve"].argument, by_name["--serve"].optional), ("PORT", True))
        self.assertEqual((by_name["GAME"].required, by_name["GAME"].kind()), (True, "game"))
        self.assertEqual(command.statuses(), [("0", "done"), ("64", "usage; or so")])
        self.assertEqual(command.prose(), ["More of `it`."])

    def test_heads_of_any_length(self):
        """Where a head is too long, its explanation is in the next line; column 30 may be a blank by chance."""
        for length in range(1, 40):
            name = "--" + "k" * length
            for rest, excludes in (("", []), (" KIND", []), (" KIND Excludes: --help --board", ["--help", "--board"])):
                head = f"  {name}{rest}"
                gap = "\n" + " " * 30 if len(head) >= 30 else " " * (30 - len(head))
                with self.subTest(head=head):
                    option = self.read(f"It.\nUsage: p\n\nOptions:\n{head}{gap}Does it\n").options[0]
                    self.assertEqual((option.names, option.argument, option.excludes, option.help),
                                     ([name], "KIND" if rest else "", excludes, "Does it"))

    def test_bad(self):
        for good, bad in (("Usage:", "usage:"), ("  GAME REQUIRED ", " GAME REQUIRED "),
                          ("KIND Excl", "KIND and more Excl"), ("Options:", "Choices:"),
                          ("  -h,--help  ", "  -h,help    ")):
            with self.subTest(bad=bad), self.assertRaises(self.module.HelpError):
                self.read(self.GOOD.replace(good, bad))

    def test_damaged(self):
        for end in range(len(self.GOOD)):
            try:
                self.read(self.GOOD[:end])
            except self.module.HelpError:
                pass

    def test_programs_that_fail(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = os.path.join(folder, "bad")
            with open(bad, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\necho no >&2\nexit 3\n")
            os.chmod(bad, 0o755)
            with self.assertRaisesRegex(self.module.HelpError, "status 3: no"):
                self.module.read_programs(bad, share.CHECKER)


if __name__ == "__main__":
    unittest.main()
