"""`signature` against the number on file: whatever moves it must say so in its commit."""

import os
import unittest

from program import NIGHTLY, SOURCE, ProgramTest, run

GOLDEN = os.path.join(SOURCE, "tests", "golden", "signature.txt")


def golden():
    with open(GOLDEN, encoding="utf-8") as file:
        return file.read().strip()


class Signature(ProgramTest):

    def test_golden(self):
        """Each call takes seconds: by day the number is that of --verbose below."""
        if not NIGHTLY:
            self.skipTest("by night: --verbose says the same number")
        plain = run("signature")
        self.assert_status(plain, 0)
        said = [str(self.json("signature")["signature"]), plain.stdout.strip()]
        self.assertEqual(said, [golden()] * len(said),
                         "playproof signature --verbose shows the rows; if the change is meant, "
                         "put the new number into tests/golden/signature.txt and say why")

    def test_verbose_names_every_algorithm_and_game(self):
        process = run("signature", "--verbose")
        self.assert_status(process, 0)
        rows = process.stdout.splitlines()
        self.assertEqual(rows[-1], golden(), "if the change is meant, put the new number into "
                         "tests/golden/signature.txt and say why")
        names = [entry["name"] for entry in self.json("algorithms") if "game" not in entry]
        for name in names:
            self.assertTrue(any(f" {name}" in row for row in rows[:-1]), name)
        for game in ("pgame", "hex", "othello", "connect6"):
            for kind in ("", "perft ", "playouts "):
                self.assertTrue(any(f"  {kind}{game}" in row for row in rows[:-1]), kind + game)
        self.assertEqual(len({row.split()[0] for row in rows[:-1]}), len(rows) - 1)


if __name__ == "__main__":
    unittest.main()
