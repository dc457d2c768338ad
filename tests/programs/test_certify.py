"""bench/certify.py: certificates of whole experiments."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from program import SOURCE, ProgramTest, run

BUILD = os.environ.get("PLAYPROOF_BUILD", "build")
PLAN = os.path.join(SOURCE, "tests", "programs", "smoke.toml")


# A stored name says nothing of zones=off, which is not the default.
ZONES = """\
name = "zones"
[limits]
max_nodes = 100_000
[report]
kind = "agreement"
[[series]]
name = "hex"
game = "hex:size=3"
positions = ["a1", "b2"]
[[algorithm]]
label = "off"
spec = "pn:zones=off"
[[algorithm]]
label = "on"
spec = "pn"
[[algorithm]]
label = "df-pn off"
spec = "dfpn:zones=off"
"""


def certify(*arguments):
    return subprocess.run([sys.executable, "-B", os.path.join(SOURCE, "bench", "certify.py"),
                           "--programs", BUILD, *arguments], capture_output=True, text=True,
                          check=False, timeout=300)


class Certify(ProgramTest):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.store = os.path.join(folder.name, "smoke.db")
        self.log = os.path.join(folder.name, "log.jsonl")

    def test_sample_of_a_plan_and_going_on(self):
        first = certify(PLAN, "--store", self.store, "--sample", "12", "--log", self.log)
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("**smoke**: 144 runs, 144 decided, 12 of them certified: 12 valid, 0 not",
                      first.stdout)
        with open(self.log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(len(lines), 12)
        self.assertEqual(json.loads(lines[0])["rechecked"], 0)
        again = certify(self.store, "--sample", "12", "--log", self.log)
        self.assertEqual(again.stdout, first.stdout)
        self.assertEqual(certify(self.store, "--sample", "12", "--seed", "2").returncode, 0)

    def test_certificates_as_before(self):
        first = certify(PLAN, "--store", self.store, "--sample", "4", "--log", self.log)
        self.assertEqual(first.returncode, 0, first.stderr)
        again = certify(self.store, "--sample", "4", "--same-as", self.log)
        self.assertEqual(again.returncode, 0, again.stderr)
        with open(self.log, encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        lines[0]["sha256"] = lines[1]["sha256"][::-1]
        with open(self.log, "w", encoding="utf-8") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines[:-1])
        changed = certify(self.store, "--sample", "4", "--same-as", self.log)
        self.assertEqual(changed.returncode, 1)
        self.assertIn("is not that of", changed.stderr)
        self.assertIn("not in", changed.stderr)

    def test_without_zones_and_with_them(self):
        plan = os.path.join(os.path.dirname(self.store), "zones.toml")
        with open(plan, "w", encoding="utf-8") as file:
            file.write(ZONES)
        process = certify(plan, "--store", self.store)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("6 of them certified: 6 valid, 0 not", process.stdout)
        with sqlite3.connect(self.store) as connection:
            specs = [spec for spec, in connection.execute("SELECT DISTINCT spec FROM run")]
        self.assertEqual(sorted("zones=on" in spec for spec in specs), [False, False, True])
        self.assertNotIn("zones=off", "".join(specs))

    def test_several_workers(self):
        """Their counts are others each time; the verdict is not."""
        plan = os.path.join(os.path.dirname(self.store), "workers.toml")
        with open(plan, "w", encoding="utf-8") as file:
            file.write(ZONES.replace('"dfpn:zones=off"', '"dfpn:zones=off"\nworkers = 2'))
        self.assert_status(run("experiment", plan, "--store", self.store, "--threads", "2"), 0)
        process = certify(self.store)
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn("6 of them certified: 6 valid, 0 not", process.stdout)

    def test_a_store_that_says_something_else(self):
        certify(PLAN, "--store", self.store, "--sample", "1")
        with sqlite3.connect(self.store) as connection:
            connection.execute("UPDATE run SET nodes_created = nodes_created + 1, counters = NULL")
        process = certify(self.store, "--sample", "3")
        self.assertEqual(process.returncode, 1)
        self.assertIn("3 of them certified: 0 valid, 3 not", process.stdout)
        self.assertIn("nodes_created: ", process.stderr)


if __name__ == "__main__":
    unittest.main()
