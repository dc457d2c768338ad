"""Full disks, closed pipes and signals: no half answer with exit status 0."""

import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

from program import (CHECKER, NO_OUTPUT, PROGRAM, SOURCE, TIMEOUT, UNDECIDED, ProgramTest, run,
                     until_signals_are_caught)

QUICK = [("games",), ("algorithms", "--json"), ("version",), ("--help",), ("solve", "--help"),
         ("solve", "hex:size=3", "--algorithm", "pn"),
         ("solve", "hex:size=3", "--algorithm", "pn", "--json"), ("perft", "hex", "--depth", "2"),
         ("bench", "search", "hex:size=3", "--algorithm", "pn", "--repeat", "1"),
         ("bench", "playouts", "hex:size=3", "--playouts", "64")]
STOPPED = 75
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
        """As after `| head -3`: who reads no more has seen enough, and nothing is said of it."""
        with tempfile.TemporaryDirectory() as folder:
            proof = os.path.join(folder, "proof.cert")
            self.assert_status(run("solve", "hex:size=3", "--certificate", proof), 0)
            calls = [[PROGRAM, *arguments] for arguments in QUICK]
            calls += [[CHECKER, proof], [CHECKER, "--help"], [PROGRAM, "solve", "hex:size=3", "--position", "-"],
                      [PROGRAM, "gtp", "hex"], [PROGRAM, "nboard"], [PROGRAM, "cassio"]]
            for call in calls:
                reader, writer = os.pipe()
                os.close(reader)
                with self.subTest(call=call):
                    process = subprocess.run(call, stdout=writer, stderr=subprocess.PIPE, text=True,
                                             input="name\nping 1\nENGINE-PROTOCOL stop\n", timeout=TIMEOUT, check=False)
                    self.assertEqual((process.returncode, process.stderr), (NO_OUTPUT, ""))
                os.close(writer)

    def test_head(self):
        """The same of a shell's pipe, which is closed in the middle."""
        line = f'yes a1 | "{PROGRAM}" solve hex:size=2 --position-file - | head -3 | wc -l'
        process = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=TIMEOUT, check=False)
        self.assertEqual((process.stdout.strip(), process.stderr), ("3", ""))

    def test_a_store_that_cannot_be_written(self):
        """What stands in the way is named: a folder or a file."""
        plan = os.path.join(SOURCE, "tests", "programs", "smoke.toml")
        nobody = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            shut = os.path.join(folder, "shut")
            os.mkdir(shut)
            closed = os.path.join(folder, "closed.db")
            with open(closed, "wb"):
                pass
            os.chmod(closed, 0)
            if nobody:
                os.chown(folder, 65534, 65534)
            os.chmod(shut, 0o555)
            store = os.path.join(shut, "r.db")
            denied = "Permission denied\n"
            for words, path, said in (
                    (("experiment", plan, "--store"), store, f"cannot write the result store: the folder '{shut}/', which is written to besides: {denied}"),
                    (("experiment", plan, "--store"), closed, f"cannot write the result store: {denied}")):
                try:
                    process = run(*words, path, **nobody)
                except PermissionError:
                    self.skipTest("nobody but root may run the program")
                self.assert_status(process, NO_OUTPUT)
                self.assertEqual(process.stderr, f"playproof: {path}: {said}")
            process = run("merge", closed, "--store", os.path.join(folder, "all.db"), **nobody)
            self.assertIn(f"{closed}: cannot read the result store: {denied}", process.stderr)

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
            until_signals_are_caught(process.pid)
            time.sleep(0.2)
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
        self.assertIn("\nstopped by  a signal\n", out)

    def test_what_was_stopped_says_how_to_go_on(self):
        plan = os.path.join(SOURCE, "bench", "plans", "deeppn-law.toml")
        with tempfile.TemporaryDirectory() as folder:
            store, saved = os.path.join(folder, "r.db"), os.path.join(folder, "run.ckpt")
            status, out, err = self.interrupt("experiment", plan, "--store", store)
            self.assertEqual(status, STOPPED, err)
            made, planned = map(int, re.search(r": (\d+) of (\d+) runs in ", out).groups())
            self.assertEqual(err, f"playproof: stopped with {made} of {planned} runs stored; the same command again "
                             "makes the others\n")
            status, out, err = self.interrupt(*ENDLESS, "--checkpoint", saved)
            self.assertEqual(status, STOPPED, err)
            options = re.fullmatch("playproof: stopped by a signal; `(.*)` goes on\n", err)[1].split()
            self.assertEqual(options, ["--resume", saved, "--checkpoint", saved])
            self.assert_status(run("solve", *options, "--max-nodes", "1"), UNDECIDED)

    def test_a_record_goes_on_in_its_own_cells(self):
        """White was first there, so that its rows are the columns of the search."""
        record = "(;GM[11]SZ[9];W[b3])"
        with tempfile.TemporaryDirectory() as folder:
            saved = os.path.join(folder, "run.ckpt")
            status, out, err = self.interrupt("solve", "hex:size=9", "--position", record, *ENDLESS[2:], "--json",
                                              "--checkpoint", saved)
            self.assertEqual(status, STOPPED, err)
            options = re.fullmatch("playproof: stopped by a signal; `(.*)` goes on\n", err)[1]
            process = run("solve", *shlex.split(options), "--max-nodes", "1", "--json")
            self.assert_status(process, UNDECIDED)
            for key in ("game", "position", "to_move"):
                self.assertEqual(json.loads(process.stdout)[key], json.loads(out)[key])
            self.assertIn("b3", json.loads(out)["position"])

    def test_lines_end_with_the_one_that_was_cut(self):
        command = [PROGRAM, *ENDLESS, "--json", "--position", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            process.stdin.write("a1\na2\na3\n")
            process.stdin.flush()
            until_signals_are_caught(process.pid)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            out, _ = process.communicate(timeout=TIMEOUT)
            self.assertEqual(process.returncode, UNDECIDED)
        answers = [json.loads(line) for line in out.splitlines()]
        self.assertEqual([answer["position"] for answer in answers], ["a1"])

    def test_waiting_for_a_line(self):
        command = [PROGRAM, *ENDLESS, "--json", "--position", "-"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True) as process:
            until_signals_are_caught(process.pid)
            time.sleep(0.2)
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
        process = run(*ENDLESS, "--max-seconds", "1.2", "--progress", "json", "--json")
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
