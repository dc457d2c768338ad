"""Memory that runs out at every moment, files that cannot be written: a clear end, and no file lost
or half there. The answers are held against the same model as those of random calls."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import child  # pylint: disable=wrong-import-position
import executor  # pylint: disable=wrong-import-position
import tables  # pylint: disable=wrong-import-position

BUILD = os.environ.get("PLAYPROOF_BUILD", "build")
PROGRAM = os.path.abspath(os.environ.get("PLAYPROOF", os.path.join(BUILD, "playproof")))
CHECKER = os.path.abspath(os.environ.get("PLAYPROOF_CHECK",
                                         os.path.join(BUILD, "playproof-check")))
HOOK = os.environ.get("PLAYPROOF_FAIL_ALLOCATION", "")
NIGHTLY = os.environ.get("PLAYPROOF_NIGHTLY", "0") != "0"
SANITIZED = float(os.environ.get("PLAYPROOF_SLOWER", "1")) > 1

PLAN = """name = "p"
[limits]
max_nodes = 500
[report]
kind = "agreement"
[[series]]
name = "s"
game = "hex:size=3"
positions = ["a1", "b2"]
[[algorithm]]
label = "A"
spec = "pn"
[[algorithm]]
label = "B"
spec = "ppn:playouts=32"
"""


def call(run, arguments, *options):
    return {"run": run, "arguments": list(arguments), "options": [list(o) for o in options]}


PLAIN = call("solve", ["hex:size=3"], ("--algorithm", "pn"), ("--certificate", "a.cert"))
PACKED = call("solve", ["othello:size=4"], ("--algorithm", "ppn:playouts=32"), ("--goal", "score"),
              ("--certificate", "b.cert.zst"), ("--threads", "2"), ("--json",))
RUN = call("experiment", ["plan.toml"], ("--store", "r.db"), ("--threads", "2"))
WRITE = {"write": "plan.toml", "text": PLAN, "is": "good", "runs": 4}
CHECK = call("check", ["a.cert"])
CALLS = {
    "solve": [PLAIN], "packed": [PACKED], "uct": [call("solve", ["pgame"], ("--algorithm", "uct"),
                                                        ("--max-nodes", "2000"))],
    "minimax": [call("solve", ["connect6:size=3,connect=3,stones=1"], ("--algorithm", "minimax"))],
    "words": [call("bench playouts", ["hex:size=3"], ("--playouts", "640"),
                   ("--dump-words", "words.bin"))],
    "perft": [call("perft", ["othello:size=6"], ("--depth", "4"), ("--json",))],
    "plan": [call("experiment", ["plan.toml"], ("--dry-run",))],
    "experiment": [RUN],
    "check": [CHECK],
}


class Failures(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.executor = executor.Executor(PROGRAM, CHECKER, tables.Tables(PROGRAM))
        cls.seen = {name: set() for name in CALLS}

    def survives(self, name, fault):
        """The call meets the fault; then the same call without it does all its work, whatever the
        first one has left there."""
        steps = [WRITE] if name in ("plan", "experiment") else []
        steps += [PLAIN] if name == "check" else []
        calls = CALLS[name]
        steps = steps + [c | {"fault": fault} for c in calls]
        failure = self.executor.run(steps, calls, self.seen[name])
        self.assertIsNone(failure, f"{name} {fault}: {failure and failure.rule}: {failure}")

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, and malloc for itself")
    def test_every_allocation(self):
        """By day every eighth, from another one for each call."""
        for begin, name in enumerate(CALLS):
            dense = range(1, 60)
            sparse = [int(60 * 1.12**i) for i in range(45)]  # to about 9,000
            for number in [*dense, *sparse][0 if NIGHTLY else begin % 8::1 if NIGHTLY else 8]:
                for times in (1, 1_000_000) if number % 3 == 0 else (1,):
                    with self.subTest(call=name, allocation=number, times=times):
                        self.survives(name, {"allocation": number, "times": times})

    @unittest.skipUnless(HOOK and not SANITIZED, "needs the hook, and malloc for itself")
    def test_the_hook_makes_allocations_fail(self):
        run = subprocess.run([PROGRAM, "solve", "hex:size=3", "--algorithm", "pn"], check=False,
                             capture_output=True, text=True,
                             env=os.environ | {"LD_PRELOAD": HOOK, "FAIL_ALLOCATION": "1",
                                               "FAIL_ALLOCATIONS": "1000000"})
        self.assertEqual(run.returncode, 70, run.stderr)
        self.assertIn("out of memory", run.stderr)

    @unittest.skipIf(SANITIZED, "sanitizers take address space by the terabyte")
    def test_every_address_space(self):
        least = child.least_memory(PROGRAM)
        self.assertLess(least, os.path.getsize(PROGRAM) + (16 << 20), "a start that takes this much")
        for begin, name in enumerate(CALLS):
            for more in range(0, 112, 4) if NIGHTLY else range(4 * (begin % 7), 112, 28):
                with self.subTest(call=name, mib=more):
                    self.survives(name, {"memory": least + (more << 20)})

    def test_every_file_size(self):
        sizes = [0, 1, 17, 100, 511, 512, 1000, 4096, 5000, 20000, 100000]
        for name in ("solve", "packed", "words", "experiment"):
            for size in sizes:
                with self.subTest(call=name, bytes=size):
                    self.survives(name, {"file_size": size})

    def test_full_output(self):
        for name in CALLS:
            with self.subTest(call=name):
                self.survives(name, {"stdout": "full"})

    def test_full_disk(self):
        """A file system of 64 KiB, in a name space of its own where that is allowed."""
        with tempfile.TemporaryDirectory() as folder:
            script = ('mount -t tmpfs -o size=64k none "$1" && cd "$1" && '
                      'dd if=/dev/zero of=fill bs=1k count=60 2>/dev/null; '
                      'shift; "$@"; echo "status $?"; ls')
            run = subprocess.run(
                ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", folder,
                 PROGRAM, "solve", "hex:size=4", "--algorithm", "pn:zones=off",
                 "--certificate", "a.cert"],
                capture_output=True, text=True, check=False)
            if "status" not in run.stdout or "mount" in run.stderr or "unshare" in run.stderr:
                self.skipTest("no name spaces here")
            self.assertIn("status 74\nfill\n", run.stdout, run.stderr)
            self.assertIn("No space left", run.stderr)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_that_may_not_be_written(self):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o500)
            run = subprocess.run([PROGRAM, "solve", "hex:size=3", "--algorithm", "pn",
                                  "--certificate", os.path.join(folder, "a.cert")],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 74, run.stderr)


if __name__ == "__main__":
    unittest.main()
