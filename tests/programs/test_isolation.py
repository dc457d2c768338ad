"""A line or a run that fails is alone: the others go on. The fault: `check` compares two backends
with different playouts, and every search that plays any ends with an internal error."""

import json
import os
import resource
import subprocess
import unittest

from experiments import PLAN, ExperimentTest, query, rows
from program import BAD_DATA, DECIDED, NO_OUTPUT, PROGRAM, TIMEOUT, UNDECIDED, ProgramTest, run

INTERNAL = 70
FAULT = ("--backend", "check:of=cpu,against=scalar,every=1")
HEX = ("solve", "hex:size=3", "--algorithm", "ppn:playouts=64", "--position", "-")
FINISHED = "a1 b1 a2 b2 a3"
MIB = 1 << 20


class Lines(ProgramTest):

    def answers(self, *arguments, stdin, status):
        process = run(*arguments, "--json", stdin=stdin)
        self.assert_status(process, status)
        return [json.loads(line) for line in process.stdout.splitlines()], process.stderr

    def test_an_internal_error_is_of_one_line(self):
        answers, err = self.answers(*HEX, *FAULT, stdin=f"{FINISHED}\nb2\nzz\n(initial)\n{FINISHED}\n",
                                    status=INTERNAL)
        self.assertEqual([answer.get("verdict") for answer in answers],
                         ["disproved", None, None, None, "disproved"])
        self.assertEqual([answer.get("line") for answer in answers], [None, 2, 3, 4, None])
        for answer in answers[1:4]:
            self.assertEqual(set(answer), {"error", "line"})
        self.assertIn("check: request", answers[1]["error"])
        self.assertIn("expected a cell", answers[2]["error"])
        self.assertIn("stdin:2: check: request", err)

    def test_as_text(self):
        process = run(*HEX, *FAULT, stdin=f"b2\n{FINISHED}\n")
        self.assert_status(process, INTERNAL)
        first, second = process.stdout.splitlines()
        self.assertTrue(first.startswith("error  stdin:1: check: request"), first)
        self.assertTrue(second.startswith(f"{FINISHED}  disproved"), second)

    def test_the_worst_of_all_lines(self):
        """0 < 2 < 65 < 70, in whatever order they come."""
        limited = (*HEX, "--max-nodes", "1")
        for lines, status in (([FINISHED], DECIDED), ([FINISHED, "a1"], UNDECIDED),
                              (["a1", "zz", FINISHED], BAD_DATA)):
            self.answers(*limited, stdin="\n".join(lines), status=status)
            self.answers(*limited, stdin="\n".join(reversed(lines)), status=status)
        for lines in (["zz", "b2", FINISHED], ["b2", FINISHED, "zz"]):
            self.answers(*HEX, *FAULT, stdin="\n".join(lines), status=INTERNAL)

    def test_what_holds_for_all_lines_ends_them(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            process = subprocess.run([PROGRAM, *HEX, *FAULT], stdout=full, stderr=subprocess.PIPE,
                                     input=f"b2\n{FINISHED}\n", text=True, check=False,
                                     timeout=TIMEOUT)
        self.assertEqual(process.returncode, NO_OUTPUT, process.stderr)

    def test_a_table_is_not_kept_after_an_error(self):
        """What the next lines find is what they find alone."""
        dfpn = ("solve", "hex:size=3", "--algorithm", "dfpn:leaf=playouts", "--position", "-")
        alone, _ = self.answers(*dfpn, stdin=f"{FINISHED}\n", status=DECIDED)
        kept, _ = self.answers(*dfpn, *FAULT, "--keep-table", stdin=f"b2\n{FINISHED}\n",
                               status=INTERNAL)
        self.assertIn("check: request", kept[0]["error"])
        self.assertEqual(kept[1]["verdict"], alone[0]["verdict"])


class LongLines(ProgramTest):
    """Lines beyond 1 MiB are bad lines, whatever their length, and take no memory."""

    def starved(self, arguments, lines):
        """With 512 MiB of addresses; `lines` are written one after the other."""
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (512 * MIB, 512 * MIB))
        with subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.PIPE, text=False,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=None if os.environ.get("PLAYPROOF_SLOWER", "1") != "1"
                              else limit) as process:
            try:
                for line in lines:
                    process.stdin.write(line)
            except BrokenPipeError:
                pass  # it has ended, with a status
            out, err = process.communicate(timeout=TIMEOUT)
            return process.returncode, out.decode(), err.decode()

    def endless(self, mebibytes):
        for _ in range(mebibytes):
            yield b"y" * MIB

    def test_a_line_without_end(self):
        for command in (("solve", "hex:size=3", "--algorithm", "pn", "--max-memory", "64MiB"),
                        ("perft", "hex:size=3", "--depth", "1")):
            status, out, err = self.starved((*command, "--position", "-", "--json"),
                                            [b"a1\n", *self.endless(700), b"\nb2\nzz\n",
                                             b"y" * MIB])
            self.assertEqual(status, BAD_DATA, err)
            answers = [json.loads(line) for line in out.splitlines()]
            self.assertEqual([answer.get("line") for answer in answers], [None, 2, None, 4, 5])
            self.assertEqual(answers[1]["error"], "a line longer than 1048576 bytes")
            self.assertEqual(answers[2]["position"], "b2")
            self.assertIn("stdin:2: a line longer than 1048576 bytes", err)
            self.assertNotIn("longer", answers[4]["error"])  # just as long as a line may be

    def test_where_all_lines_are_one_measurement(self):
        status, out, err = self.starved(("bench", "search", "hex:size=3", "--algorithm", "pn",
                                         "--position", "-"), [b"a1\n", *self.endless(2)])
        self.assertEqual((status, out), (BAD_DATA, ""))
        self.assertIn("stdin:2: a line longer", err)

    def test_what_a_line_may_hold(self):
        """The limit is of the line: its end, \\r\\n too, does not count."""
        for end in ("\n", "\r\n", ""):
            for more, long in ((0, False), (1, True)):
                if end == "\r\n" and more:
                    continue  # \r counts until it is known to be of the end
                line = " " * (MIB - 2 - (end == "\r\n") + more) + "b2"
                process = run("solve", "hex:size=3", "--algorithm", "pn", "--position", "-",
                              "--json", stdin=line + end + ("b2" if end else ""))
                answers = [json.loads(text) for text in process.stdout.splitlines()]
                self.assertEqual("longer" in answers[0].get("error", ""), long, (end, more))


class Runs(ExperimentTest):

    def test_a_failed_run_is_alone(self):
        plan, store = self.write(PLAN), self.path("r.db")
        process = self.experiment(plan, store, *FAULT, status=INTERNAL)
        self.assertIn("4 of 8 runs", process.stdout)
        self.assertIn("(4 now, 0 before), 0 undecided, 0 disagreements, 4 failed", process.stdout)
        failed = process.stderr.splitlines()
        self.assertEqual(len(failed), 4, process.stderr)
        for number, line in zip((2, 4, 6, 8), failed):
            self.assertTrue(line.startswith(f"playproof: FAILED: run {number} (test | trees | "),
                            line)
            self.assertIn("uct:", line)
            self.assertIn("check: request", line)
        self.assertEqual({row["algorithm"] for row in rows(store).values()}, {"PN"})
        self.assertEqual(query(store, "SELECT count(*) FROM invocation WHERE finished IS NOT NULL"),
                         [(1,)])
        # Again, with the fault and without it.
        process = self.experiment(plan, store, *FAULT, status=INTERNAL)
        self.assertIn("(0 now, 4 before), 0 undecided, 0 disagreements, 4 failed", process.stdout)
        process = self.experiment(plan, store)
        self.assertIn("8 of 8 runs", process.stdout)
        self.assertIn("(4 now, 4 before)", process.stdout)
        self.assertNotIn("failed", process.stdout)
        self.experiment(plan, self.path("whole.db"))
        self.assertEqual([{**row, "backend": ""} for _, row in sorted(rows(store).items())],
                         [{**row, "backend": ""} for _, row in
                          sorted(rows(self.path("whole.db")).items())])

    def test_a_store_that_fails_ends_all(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
        process = run("experiment", self.write(PLAN), "--store", self.path("r.db"), *FAULT,
                      preexec_fn=limit)
        self.assert_status(process, NO_OUTPUT)


if __name__ == "__main__":
    unittest.main()
