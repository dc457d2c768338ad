"""Random sequences of calls, and those that failed once."""

import glob
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SLOWER = float(os.environ.get("PLAYPROOF_SLOWER", "1"))
NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"
COUNT = 60 if SLOWER > 1 else 2000 if NIGHTLY else 70


def adversary(*arguments):
    return subprocess.run([sys.executable, "-B", os.path.join(HERE, "adversary.py"), *arguments],
                          capture_output=True, text=True, check=False)


class Sequences(unittest.TestCase):

    def test_random(self):
        run = adversary("--count", str(COUNT), "--seed", "1")
        print(run.stdout.splitlines()[-1] if run.stdout else "")
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn(f"{COUNT} sequences, ", run.stdout)

    def test_regressions(self):
        stored = sorted(glob.glob(os.path.join(HERE, "regressions", "*.json")))
        self.assertTrue(stored)
        run = adversary("--replay", *stored)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertIn(f"{len(stored)} stored sequences, 0 fail", run.stdout)


if __name__ == "__main__":
    unittest.main()
