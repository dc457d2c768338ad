"""Full disks, closed pipes and signals: no half answer with exit status 0."""

import json
import os
import signal
import subprocess
import tempfile
import time
import unittest

from program import NO_OUTPUT, PROGRAM, TIMEOUT, UNDECIDED, ProgramTest, run

QUICK = [("games",), ("algorithms", "--json"), ("version",), ("--help",), ("solve", "--help"),
         ("solve", "hex:size=3", "--algorithm", "pn"),
         ("solve", "hex:size=3", "--algorithm", "pn", "--json"), ("perft", "hex", "--depth", "2"),
         ("bench", "search", "hex:size=3", "--algorithm", "pn", "--repeat", "1"),
         ("bench", "playouts", "hex:size=3", "--playouts", "64")]
# Its table is all that it keeps: a tree of 2 GiB is full in half a second on a fast machine.
ENDLESS = ("solve", "hex:size=9", "--algorithm", "dfpn:leaf=unit,table=64MiB")


class Streams(ProgramTest):

    def test_full_disk(self):
        for arguments in QUICK:
            with self.subTest(arguments=arguments), open("/dev/full", "w", encoding="utf-8") as full:
                process = subprocess.run([PROGRAM, *arguments], stdout=full, timeout=TIMEOUT,
                                         stderr=subprocess.PIPE, text=True, check=False)
                self.assertEqual(process.returncode, NO_OUTPUT, process.stderr)
                self.assertIn("playproof: stdout: cannot write: No space left", process.stderr)

    def test_closed_stdout(self):
        process = subprocess.run(["sh", "-c", '"$0" games >&-', PROGRAM], timeout=TIMEOUT,
                                 stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(process.returncode, NO_OUTPUT, process.stderr)
        self.assertIn("playproof: stdout: cannot write", process.stderr)

    def test_stderr_that_takes_nothing(self):
        wrong = [PROGRAM, "solve", "nosuch", "--algorithm", "pn"]
        right = [PROGRAM, "solve", "hex:size=3", "--algorithm", "pn", "--progress", "json"]
        for redirection in ("2>&-", "2>/dev/full"):
            for command, status in ((wrong, 64), (right, 0)):
                process = subprocess.run(["sh", "-c", f'"$@" {redirection}', "sh", *command],
                                         stdout=subprocess.PIPE, text=True, check=False)
                self.assertEqual(process.returncode, status, (command, redirection))
                self.assertEqual("proved" in process.stdout, status == 0)

    def test_closed_pipe(self):
        reader, writer = os.pipe()
        os.close(reader)
        process = subprocess.run([PROGRAM, "games"], stdout=writer, stderr=subprocess.PIPE,
                                 timeout=TIMEOUT, text=True, check=False)
        os.close(writer)
        self.assertEqual(process.returncode, NO_OUTPUT, process.stderr)

    def test_words_go_whole_or_not_at_all(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "none", "words")
            self.assert_fails(("bench", "playouts", "hex:size=3", "--playouts", "64",
                               "--dump-words", path), NO_OUTPUT, path)
            # A folder is not replaced, and nothing is left beside it.
            self.assert_fails(("bench", "playouts", "hex:size=3", "--playouts", "64",
                               "--dump-words", folder), NO_OUTPUT, folder)
            self.assertEqual(os.listdir(folder), [])
        self.assert_fails(("bench", "playouts", "hex:size=3", "--playouts", "64", "--dump-words",
                           "/dev/full"), NO_OUTPUT, "/dev/full")


class Signals(ProgramTest):

    def interrupt(self, *arguments, number=signal.SIGINT):
        with subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, text=True,
                              stderr=subprocess.PIPE) as process:
            time.sleep(0.5)
            self.assertIsNone(process.poll(), "it ended before the signal")
            process.send_signal(number)
            try:
                out, err = process.communicate(timeout=TIMEOUT / 12)
            finally:
                process.kill()
            return process.returncode, out, err

    def test_solve_prints_what_is_known(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            status, out, err = self.interrupt(*ENDLESS, "--json", number=number)
            self.assertEqual(status, UNDECIDED, err)
            answer = json.loads(out)
            self.assertEqual(answer["verdict"], "unknown")
            self.assertGreater(answer["iterations"], 0)
            self.assertEqual(err, "")

    def test_text_says_why_it_stopped(self):
        status, out, _ = self.interrupt(*ENDLESS)
        self.assertEqual(status, UNDECIDED)
        self.assertIn("stopped by  stopped", out)

    def test_lines_end_with_the_one_that_was_cut(self):
        command = [PROGRAM, *ENDLESS, "--json", "--position", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            process.stdin.write("a1\na2\na3\n")
            process.stdin.flush()
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, UNDECIDED)
        answers = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([answer["position"] for answer in answers], ["a1"])

    def test_waiting_for_a_line(self):
        command = [PROGRAM, *ENDLESS, "--json", "--position", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            try:
                self.assertEqual(process.wait(timeout=10), UNDECIDED)
            finally:
                process.kill()

    def test_stopped_search_is_no_measurement(self):
        status, out, err = self.interrupt("bench", "search", *ENDLESS[1:])
        self.assertEqual((status, out), (UNDECIDED, ""))
        self.assertIn("playproof: stopped by a signal", err)

    def test_stopped_playouts_leave_no_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "words")
            status, out, err = self.interrupt("bench", "playouts", "connect6", "--engine",
                                              "reference", "--playouts", "100000000",
                                              "--dump-words", path)
            self.assertEqual((status, out), (UNDECIDED, ""), err)
            self.assertIn("playproof: stopped", err)
            self.assertEqual(os.listdir(folder), [])


class ProgressReports(ProgramTest):

    def test_json(self):
        process = run(*ENDLESS, "--max-seconds", "1.5", "--progress", "json", "--json")
        self.assert_status(process, UNDECIDED)
        reports = [json.loads(line) for line in process.stderr.splitlines()]
        self.assertGreaterEqual(len(reports), 1)
        for report in reports:
            self.assertGreater(report["nodes_created"], 0)
            self.assertGreater(report["nodes_per_second"], 0)

    def test_silent_without_a_terminal(self):
        for mode in ("auto", "none"):
            process = run(*ENDLESS, "--max-seconds", "0.8", "--progress", mode)
            self.assert_status(process, UNDECIDED)
            self.assertEqual(process.stderr, "")


if __name__ == "__main__":
    unittest.main()
